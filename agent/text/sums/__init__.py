"""Reads sums in people's words, English and Japanese, as trees that can be worked out and named."""
