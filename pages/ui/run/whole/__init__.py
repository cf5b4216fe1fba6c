"""Draws a whole run: film, timeline, event list, two runs side by side."""
