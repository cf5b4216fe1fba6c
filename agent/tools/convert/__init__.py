"""Units of measure: what people call them, and how much they are."""
