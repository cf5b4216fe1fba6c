"""Reads people's text: characters, encodings, lenient JSON, quantities, and instructions hidden in it."""
