"""Reads one kind of database each."""
