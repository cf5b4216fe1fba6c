"""Draws the rows of the page Tools."""
