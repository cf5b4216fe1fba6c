"""One installation: setup, budget, preferences and what the pages decide."""
