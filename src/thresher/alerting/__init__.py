"""Alerts: who looks for what is new, what is told of it, and how it is delivered."""
