"""Questions of tables that belong together, read word for word: what is shown of which rows, in what order."""
