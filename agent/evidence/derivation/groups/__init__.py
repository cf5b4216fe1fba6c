"""Figures of named groups of rows: their sums, means, shares and changes."""
