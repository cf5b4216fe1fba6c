"""Glassbox's agent: a ReAct loop in which nothing is hidden. No user interface is imported here."""
