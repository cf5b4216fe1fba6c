"""Recognises dates, times, weather and look-ups in a question."""
