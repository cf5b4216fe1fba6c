"""Tests of answers: what is expected of one, how it is asked again, and what the results say.

``expectations`` are values, ``proposals`` takes them from a run's events, ``gold`` works a figure out anew. ``attempt``
asks a ``kept_test`` once more (``recorded_model``, ``frozen_tools``), ``grades`` judges what came of it.
``statistics`` sums results up and compares them, ``formats`` reads and writes files.
"""
