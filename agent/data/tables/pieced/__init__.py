"""Reads a question of one table by its pieces, in any order: which rows, which figure, what of it, told how."""
