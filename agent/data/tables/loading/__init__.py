"""Files into tables: what a file is, how its text is laid out, what its columns are, and the writing of them."""
