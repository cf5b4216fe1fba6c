"""What a prompt tells of the conversation before its question, and how it is kept within the model's window."""
