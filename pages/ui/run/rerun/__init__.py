"""Draws what changes a run: edits of a step, another model, another tool."""
