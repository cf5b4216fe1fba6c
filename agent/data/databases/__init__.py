"""Databases that the owner or a visitor connected: what is in them, and one SELECT at a time.

All that talks to a database runs in a process of its own (``worker``), which is given the connection through a pipe,
can be ended at any time, and can take no more memory than it is allowed. What runs there imports nothing of the house
but this package and what is light of ``agent.data``.
"""
