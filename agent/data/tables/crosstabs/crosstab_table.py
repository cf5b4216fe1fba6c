"""A table as a crosstab: its rows with their labels and the headings above them, its columns with their periods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.data.tables.crosstabs.label_words import caption_words, head_words
from agent.data.tables.crosstabs.spans_of_time import Span, mentions, span_of
from agent.data.tables.questions.table_schema import Column, Table
from agent.text.quantities.dates import month_number
from agent.text.regex import regex

_FIGURE = regex(r"[^0-9A-Za-z]*\d[\d,.]*[^0-9A-Za-z]*")
_SCALE = regex(
    r"(?P<thousand>\b(?:in )?thousands?\b|inthousands|['’]000s?\b|千円)"
    r"|(?P<million>\b(?:in )?millions?\b|inmillions|[$€£¥]m\b|百万円)"
    r"|(?P<billion>\bbillions?\b|[$€£¥]bn\b)|(?P<oku>億円)",
    re.I,
)
_NO_AMOUNT = regex(r"per (?:\w+ )?share|%|percent|margin|ratio|rate\b|number of|shares|1株|率|株数|人", re.I)
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "oku": 10**8}
_LONGEST_HEAD = 12  # characters, of one that is told as it is
_SCALES_JA = {"thousand": "千円", "million": "百万円", "oku": "億円", "billion": "十億円"}


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its ``place`` in the table, its ``label``, the heading above it; ``alone``: no other has its label."""

    place: int
    label: str
    section: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Head:
    """A column of figures; ``words`` are those of its head beside the period, ``text`` is how an answer calls it."""

    column: Column
    span: Span | None
    words: str
    text: str


@dataclass(frozen=True, slots=True)
class Crosstab:
    table: Table
    lines: tuple[Line, ...]
    heads: tuple[Head, ...]

    @property
    def periods(self) -> tuple[Head, ...]:
        return tuple(head for head in self.heads if head.span)

    def groups(self) -> Iterator[tuple[str, tuple[Head, ...]]]:
        """The columns that differ by their period alone, with the words that they share."""
        seen: dict[tuple[frozenset[str], bool], list[Head]] = {}
        for head in self.heads:
            seen.setdefault((head_words(head.words), bool(head.span)), []).append(head)
        for heads in seen.values():
            yield heads[0].words, tuple(heads)

    def around(self) -> frozenset[str]:
        """Words of what is written about the table as a whole."""
        return caption_words(f"{self.table.columns[0].label} {self.table.name.replace('_', ' ')} {self.table.caption}")

    def scale(self, line: Line, head: Head) -> str:
        """The name of the scale of a figure: ``million``; "" where none is told, or where the row is of no amounts."""
        if _NO_AMOUNT.search(line.label) or head.column.unit == "%":
            return ""
        for text in (line.label, head.column.called, self.table.columns[0].label, self.table.caption):
            found = _SCALE.search(text)
            if found:
                return str(found.lastgroup)
        return ""


def in_order(heads: Iterable[Head]) -> list[Head]:
    """By their periods, the earliest first."""
    return sorted(heads, key=lambda head: head.span.order if head.span else ())


def scale_told(scale: str, language: str) -> str:
    """ " (in millions)" behind a figure."""
    if not scale:
        return ""
    return _SCALES_JA[scale] if language == "ja" else f" (in {scale}s)"


@lru_cache(maxsize=16)
def crosstab_of(table: Table) -> Crosstab | None:
    """None where the first column does not label the rows, or nothing across the top has figures."""
    if not table.labels or table.joined or table.columns[0].kind != "text":
        return None
    heads = _told_short(tuple(_heads(table.columns[1:])))
    if any(month_number(label) for label, _ in table.labels):
        return None  # its rows are times themselves
    spans = [head.span for head in heads if head.span]
    described = " ".join(label for label, _ in table.labels)
    if not heads or (not spans and len(heads) > 1 and not _reported(table, described)):
        return None
    return Crosstab(table, tuple(_lines(table.labels)), heads)


def _reported(table: Table, labels: str) -> bool:
    """Whether a table without periods across the top has them at its side, or headings among its rows."""
    return any(True for _ in mentions(labels)) or any(label and not filled for label, filled in table.labels)


def _heads(columns: Iterable[Column]) -> Iterator[Head]:
    for column in columns:
        figures = column.kind == "number" or (
            column.kind == "text" and any(map(_FIGURE.fullmatch, (*column.examples, *column.values)))
        )
        if figures:
            span, rest = span_of(column.called if column.label else "")
            yield Head(column, span, rest if column.label else "", column.called)


def _told_short(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """ "Years ended 31 December, 2031" told as "2031", where no other column has that year or other words."""
    spans = [head.span for head in heads if head.span]
    alike = len({head_words(head.words) for head in heads if head.span}) == 1
    years = [span.year for span in spans if not (span.quarter or span.half or span.until)]
    if not alike or len(set(years)) != len(spans):
        return heads
    return tuple(replace(head, text=_short(head)) for head in heads)


def _short(head: Head) -> str:
    if head.span is None or len(head.text) <= _LONGEST_HEAD:
        return head.text
    (period,) = mentions(head.text)
    return head.text[period.start : period.end] if "年" in head.text else str(head.span.year)


def _lines(labels: Iterable[tuple[str, bool]]) -> Iterator[Line]:
    told = [(label.strip(), filled) for label, filled in labels]
    section = ""
    for place, (label, filled) in enumerate(told):
        if label and not filled:
            section = label.rstrip(":： ")
        elif label:
            yield Line(place, label, section, sum(label == other for other, _ in told) == 1)
