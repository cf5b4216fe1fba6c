"""A zygote whose workers lack a protection: the one that their folder, or this file, is named after (``without-...``).

Where the name of this file does not say ``warm``, no libraries are imported ahead.

Run as the real one is. The ``broken`` ones notice that something fails, the ``silent`` ones do not; without ``all``
not even the self-test looks.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from agent.sandbox.inside import worker, zygote
from agent.sandbox.locks import landlock, privileges, seccomp, selftest


def nothing(*_: object) -> None:
    pass


def fails(*_: object) -> None:
    raise OSError("not here")


def silent_all() -> None:
    landlock.restrict = nothing
    seccomp.install = nothing
    selftest.breaches = lambda *_: []


CHANGES: dict[str, Callable[[], None]] = {
    "landlock-broken": lambda: setattr(landlock, "abi", lambda: 0),
    "landlock-silent": lambda: setattr(landlock, "restrict", nothing),
    "landlock-open": lambda: setattr(landlock, "readable_everywhere", lambda: ["/"]),
    "seccomp-broken": lambda: setattr(seccomp, "install", fails),
    "seccomp-silent": lambda: setattr(seccomp, "install", nothing),
    "limits-broken": lambda: setattr(privileges, "limit", fails),
    "limits-silent": lambda: setattr(privileges, "limit", nothing),
    "user-broken": lambda: setattr(privileges, "be_nobody", fails),
    "user-silent": lambda: setattr(privileges, "be_nobody", nothing),
    "environment-short": lambda: os.environ.update(OPENAI_API_KEY="sk-1"),
    "files-open": lambda: setattr(privileges, "close_all_but", nothing),
    "alone": lambda: setattr(privileges, "wait_until_alone", fails),
    "all": silent_all,
}
work = worker.work


def loose(cell: worker.Cell, *rest: object) -> None:
    for name in (Path(cell.folder).name, Path(sys.argv[0]).stem):
        if name.startswith("without-"):
            CHANGES[name.removeprefix("without-")]()
    work(cell, *rest)  # type: ignore[arg-type]


if __name__ == "__main__":
    worker.work = loose
    if "warm" not in Path(sys.argv[0]).stem:  # not what takes most of the start, and what few tests need
        zygote.warm = nothing
    zygote.main(json.loads(sys.argv[1]))
