"""Small parts that several pages draw."""
