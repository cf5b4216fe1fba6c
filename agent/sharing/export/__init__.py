"""Exports a conversation: as Markdown, as JSON lines that can be imported again, and as one page of HTML."""
