"""The rows that have what a question names, where not all of its words are understood: found by words in cells."""
