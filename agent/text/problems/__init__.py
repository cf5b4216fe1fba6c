"""Everyday problems in words, such as discounts, tips, speeds and interest."""
