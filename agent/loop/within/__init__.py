"""The runs of agents that were called as tools, within the run that called them."""
