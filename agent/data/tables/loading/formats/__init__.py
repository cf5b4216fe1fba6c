"""Reads one kind of file each into columns."""
