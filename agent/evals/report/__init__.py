"""Results as people look at them: a chart of quality against cost, and a report in one file."""
