"""Finds what follows from observed figures by one step of arithmetic."""
