"""What a step of arithmetic is, and the figures that it may start from."""
