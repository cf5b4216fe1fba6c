"""Open-Meteo behind the weather tool: places by name, days and the hour, in words and figures."""
