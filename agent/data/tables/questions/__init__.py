"""Reads questions about loaded tables and writes them as SQL, by rules."""
