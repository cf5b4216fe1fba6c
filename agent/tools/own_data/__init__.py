"""Tools over the person's tables, databases and documents."""
