"""Tool servers that speak the Model Context Protocol, as their client. The ``mcp`` package is imported when one is."""
