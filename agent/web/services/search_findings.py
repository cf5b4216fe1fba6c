"""What a search found, and how the model is shown it: short lines with numbered sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.events import Source

MOST_CHARACTERS = 3_000


@dataclass(frozen=True, slots=True)
class Page:
    """Where something stands. ``url`` went through ``plain.link``; an empty one gets no number."""

    title: str
    url: str
    snippet: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. ``listed``: an entry of a list, ``[2] text``; else a statement with its sources, ``text [1][2]``."""

    text: str
    pages: tuple[Page, ...] = ()
    listed: bool = False


def show(findings: Iterable[Finding], most: int = MOST_CHARACTERS) -> tuple[str, tuple[Source, ...]]:
    """The lines, at most ``most`` characters of them, and their sources; one address has one number.

    An entry of a list whose snippet stands in an earlier line already is left out.
    """
    lines: list[str] = []
    numbers: dict[str, Source] = {}
    left = most
    for finding in findings:
        pages = [page for page in finding.pages if page.url]
        if finding.listed and _told(pages, numbers, lines):
            continue
        added = {page.url: page for page in pages if page.url not in numbers}
        fresh = {
            url: Source(len(numbers) + index, page.title, url, page.snippet, page.date)
            for index, (url, page) in enumerate(added.items(), 1)
        }
        marks = "".join(f"[{number}]" for number in _numbers(pages, numbers | fresh))
        line = f"{marks or '-'} {finding.text}" if finding.listed else f"{finding.text} {marks}".rstrip()
        if len(line) + 1 > left:
            break
        left -= len(line) + 1
        lines.append(line)
        numbers |= fresh
    return "\n".join(lines), tuple(numbers.values())


def _numbers(pages: list[Page], numbers: dict[str, Source]) -> list[int]:
    return sorted({numbers[page.url].number for page in pages})


def _told(pages: list[Page], numbers: dict[str, Source], lines: list[str]) -> bool:
    return any(page.url in numbers and any(page.snippet in line for line in lines) for page in pages)
