"""Documents: read in the sandbox, cut into passages, searched by full text; and the app's own handbook."""
