"""Questions of one table of which every word is accounted for: by the table, by an operation, or as idle."""
