"""What runs inside the locked process; it imports nothing that is not listed in its first lines."""
