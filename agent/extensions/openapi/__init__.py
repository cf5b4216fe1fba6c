"""Services that an OpenAPI 3 document describes: their operations as tools."""
