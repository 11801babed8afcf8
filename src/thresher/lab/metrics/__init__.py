"""Metrics: how much of what was found is gold, and how much of the gold was found; pure functions."""
