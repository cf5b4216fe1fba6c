"""Sums told in any words and any order: their quantities, what each belongs to, and what the question wishes."""
