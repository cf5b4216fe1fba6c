"""Many questions to one process, one visitor after another: its memory, threads, open files and data.

    python -m benchmarks.soak [--questions 2000] [--each 4] [--beside 4]

Visitors come, each with a cookie of its own, open the page, ask ``--each`` questions of the demo model (sums, dates,
units, follow-ups) in one chat, and go; so many ``--beside`` each other. Every tenth question's page is opened again, as
a reload does. A line is printed for every tenth part of the questions: resident memory, threads and open files of the
app's process, and the size of its data. What grows is told in the end: the middle of the last three lines against the
middle of the three after the first fifth, in which caches fill.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from uuid import uuid4

from benchmarks.streamlit_server import StreamlitServer, serve
from benchmarks.websocket import opened, typed

_KINDS = (
    "What is {n}% of 4250?",
    "and half of that?",
    "How many days are there between 2024-01-01 and 2024-12-{day:02}?",
    "Convert {n} km to miles",
    "What is the square root of {n}? And its cube?",
    "{n} * 17 - 3",
    "What is 0.5 to the power of {day}?",
)
_RELOAD = 10  # each so manieth question's page is opened again


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds after so many ``questions``: MiB in memory, threads, open files, MiB of data on disk."""

    questions: int
    memory: float
    threads: int
    files: int
    data: float


def held(server: StreamlitServer, folder: Path, questions: int) -> Held:
    process = Path(f"/proc/{server.pid}")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    threads, files = (len(list((process / name).iterdir())) for name in ("task", "fd"))
    return Held(questions, server.resident, threads, files, size / 2**20)


async def visit(server: StreamlitServer, numbers: Sequence[int]) -> None:
    """One visitor, who asks each of the numbered questions in one chat."""
    cookie, chat = uuid4().hex, ""
    async with opened(server.port, cookie) as page:
        await page.run()
        for number in numbers:
            text = _KINDS[number % len(_KINDS)].format(n=number % 90 + 10, day=number % 28 + 1)
            await page.run(typed(page.widget("question"), text))
            chat = page.query or chat
    if any(number % _RELOAD == 0 for number in numbers):
        async with opened(server.port, cookie, chat) as page:
            await page.run()


async def soak(server: StreamlitServer, folder: Path, questions: int, each: int, beside: int) -> list[Held]:
    visits = iter([range(first, min(first + each, questions)) for first in range(0, questions, each)])
    done, found, part = 0, [held(server, folder, 0)], max(1, questions // 10)

    async def come(visits: Iterator[range]) -> None:
        nonlocal done
        for numbers in visits:
            await visit(server, numbers)
            done += len(numbers)
            if done // part > (done - len(numbers)) // part:
                found.append(held(server, folder, done))
                _print(found[-1])

    await asyncio.gather(*(come(visits) for _ in range(beside)))
    return found


def _print(now: Held) -> None:
    print(
        f"{now.questions:>6,} questions: {now.memory:7.1f} MiB, {now.threads:3} threads, {now.files:3} files, "
        f"{now.data:6.1f} MiB of data",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    told = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    told.add_argument("--questions", type=int, default=2000)
    told.add_argument("--each", type=int, default=4, help="of one visitor")
    told.add_argument("--beside", type=int, default=4, help="visitors at a time")
    given = told.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with serve(folder) as server:
            began = monotonic()
            found = asyncio.run(soak(server, folder, given.questions, given.each, given.beside))
            print(f"{given.questions / (monotonic() - began):.1f} questions a second")
    early, late = found[len(found) // 5 :][:3], found[-3:]
    for name in ("memory", "threads", "files", "data"):
        before, after = (median(getattr(each, name) for each in part) for part in (early, late))
        print(f"{name}: {before:.1f} -> {after:.1f}")


if __name__ == "__main__":
    main()
