"""The services behind the search tool, and how their answers become short numbered lines."""
