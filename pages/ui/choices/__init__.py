"""Draws what a person chooses: model, prompts, tools, prices, preferences."""
