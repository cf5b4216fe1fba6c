"""A visitor's tables: loaded once into columnar files, described to the model, asked by SQL, drawn.

All that touches a visitor's bytes or a model's SQL is a job (see ``table_jobs``): JSON and a folder in, JSON out, so
that it can run in a process that is locked up. What runs there imports nothing of the house but ``data`` and ``text``.
"""
