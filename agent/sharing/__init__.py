"""Takes conversations out (exports) and back in (imports)."""
