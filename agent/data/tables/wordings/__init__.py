"""Questions of one table read whole by their form: rows in an order that a word says, Japanese in any order."""
