"""Tools from elsewhere: tool servers (MCP), services described by OpenAPI, and the owner's own Python files."""
