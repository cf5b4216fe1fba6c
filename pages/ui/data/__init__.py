"""Draws tables and databases."""
