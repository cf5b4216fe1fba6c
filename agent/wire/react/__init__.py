"""Reads replies in the text format: Thought, Action, Action Input, Final Answer."""
