"""The person's data: tables, databases and documents."""
