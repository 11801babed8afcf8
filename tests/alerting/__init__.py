"""Tests of alerts: what is found, when, and how it is delivered."""
