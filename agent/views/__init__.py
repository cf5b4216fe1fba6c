"""Turns events into what is shown: the folded run, its timeline, its event list, its film."""
