"""The command line: asks in a terminal, and serves the tools over MCP."""
