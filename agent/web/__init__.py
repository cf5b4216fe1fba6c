"""Reaches the outside: fetches behind the address guard, reads pages, asks JSON services."""
