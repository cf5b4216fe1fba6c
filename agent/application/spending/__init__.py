"""The owner's money: what is left of it, and models that it pays for."""
