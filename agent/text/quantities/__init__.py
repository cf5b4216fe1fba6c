"""Reads numbers in figures and words, dates and units in running text."""
