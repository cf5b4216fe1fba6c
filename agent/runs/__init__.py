"""Turns a question into a stored run, goes on with one, and follows those in flight."""
