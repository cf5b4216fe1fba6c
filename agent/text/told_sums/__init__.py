"""Short accounts of figures with a question about them: lists, shares of the rest, trades, spans of time."""
