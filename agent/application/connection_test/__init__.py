"""Tries a connection to a model and says what to do about what does not work."""
