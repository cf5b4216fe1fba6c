"""Dates, times, zones and durations as people write them."""
