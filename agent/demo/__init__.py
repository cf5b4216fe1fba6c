"""The demo model: answers by rules, without AI, with the real tools."""
