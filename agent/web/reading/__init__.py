"""What a stranger sent becomes readable text, in a process of its own that is ended when it takes too much."""
