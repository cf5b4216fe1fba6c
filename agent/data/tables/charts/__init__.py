"""Draws charts of tables: the check of what is asked, and the Vega-Lite specification."""
