"""Short accounts of figures with a question about them: lists, bills, shares of the rest, what fits into what."""
