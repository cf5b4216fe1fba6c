"""The frame of every page: menu, sidebar, sharing."""
