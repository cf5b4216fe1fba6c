"""Tools that look something up at a public service."""
