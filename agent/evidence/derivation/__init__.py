"""Finds what follows from observed figures by one step of arithmetic.

Its folders, from the ground up: ``steps``, ``groups`` of rows, ``spans`` of time, what is ``possible``, what is
``worked`` out. Each imports only those before it.
"""
