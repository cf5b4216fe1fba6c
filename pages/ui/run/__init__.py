"""Draws one run: its steps, observations, evidence and calls."""
