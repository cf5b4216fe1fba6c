"""Reads the tables of an observation: each cell with the heads of its row and column, its scale, and its subject."""
