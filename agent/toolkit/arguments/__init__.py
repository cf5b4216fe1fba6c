"""From a function's signature, and from what a model wrote, to validated arguments."""
