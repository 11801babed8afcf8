"""Tests of what the methods for forum posts share."""
