"""Asks the tables by SQL, behind a check of each statement."""
