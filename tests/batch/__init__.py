"""Tests of batches over archives."""
