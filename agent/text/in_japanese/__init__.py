"""Japanese questions of everyday life, read into the values that the English readers work on."""
