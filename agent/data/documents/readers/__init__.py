"""Readers: from a file of somebody's to blocks of text. They run in the sandbox; nothing here is safe elsewhere."""
