"""Runs that are still at work when a test is over."""

from __future__ import annotations

import threading
from time import monotonic

_SECONDS = 5.0


def let_runs_end() -> None:
    """Wait for their threads: one that writes into a store that was closed opens a connection that nobody closes."""
    end = monotonic() + _SECONDS
    for thread in threading.enumerate():
        if thread.name.startswith("run "):
            thread.join(max(0.0, end - monotonic()))
