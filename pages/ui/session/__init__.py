"""The visitor's session, and the services of the process behind it."""
