"""Reads questions of tables that have labels down the side and years, quarters or names across the top."""
