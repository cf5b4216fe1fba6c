"""Runs that other processes on the same PostgreSQL work on: handed to them, and followed live."""
