"""Text on the page: escaping, and the languages of the interface."""
