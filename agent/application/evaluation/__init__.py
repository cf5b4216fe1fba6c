"""Tests of a visitor's: kept from answers, run in the background, laid out for the page."""
