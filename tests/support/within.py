"""Waits for what something else brings about."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep


def done_within(seconds: float, done: Callable[[], bool]) -> None:
    """Wait until it is ``done``, and fail where it is not by then."""
    end = monotonic() + seconds
    while not done():
        assert monotonic() < end
        sleep(0.05)
