"""The step that leads to a figure, where the answer tells enough to prove it."""
