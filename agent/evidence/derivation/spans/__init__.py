"""Steps over years, times of day and days until something is due."""
