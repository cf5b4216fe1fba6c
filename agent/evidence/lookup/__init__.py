"""Looks up a figure, date, name or link in the observations."""
