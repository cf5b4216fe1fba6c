"""``python -m agent eval``: runs tests, keeps answers as tests, and measures the card of a model."""
