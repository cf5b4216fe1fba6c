"""Tells the outside of runs: traces and figures over OpenTelemetry, where the owner names a collector."""
