"""Keeps what lasts: runs, chats, branches, totals, and the search over them."""
