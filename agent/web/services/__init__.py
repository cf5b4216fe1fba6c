"""What the tools that ask web services share: one way to ask, keys that stay secret, answers as plain text."""
