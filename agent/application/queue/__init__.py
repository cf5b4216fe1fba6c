"""Questions that wait in PostgreSQL until a worker, on any machine, takes them."""
