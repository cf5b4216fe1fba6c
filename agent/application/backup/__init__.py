"""A whole site in one file: its store, and the files of its chats; and back, into a store of either kind."""
