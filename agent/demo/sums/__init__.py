"""Recognises sums, percentages, conversions and comparisons in a question."""
