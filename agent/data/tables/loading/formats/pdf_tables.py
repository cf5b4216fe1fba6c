"""Tables on the pages of a PDF: lines whose words stand in the same number of columns, with figures in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from agent.data.refusal import Refused, damaged, locked
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import stem
from agent.data.tables.loading.formats.sheets import by_csv
from agent.data.tables.loading.load_work import Work
from agent.data.tables.loading.value_forms import candidates
from agent.interface_text import Text
from agent.text.regex import regex
from agent.web.reading.pdf import Pdf, PdfDamaged, PdfLocked, open_pdf

_MOST_PAGES = 30
_LEAST_ROWS = 3  # with the header
_APART = regex(r" {2,}")


@dataclass(frozen=True, slots=True)
class _Found:
    page: int
    rows: tuple[tuple[str, ...], ...]


def load_pdf(work: Work, path: Path) -> Sequence[Table]:
    """The tables of the first pages. Raises ``Refused`` where there is none."""
    try:
        file = open_pdf(path)
    except PdfDamaged:
        raise damaged(work.name) from None
    except PdfLocked:
        raise locked(work.name) from None
    found = _joined(_tables(file, work))
    work.check_tables(len(found))

    def loaded(one: _Found) -> Table | None:
        label = stem(work.name.removesuffix(".pdf").removesuffix(".PDF"))
        try:
            table = by_csv(work, work.name, one.rows, label if len(found) == 1 else f"{label} page {one.page}")
        except Refused as error:
            if error.kind != "file":
                raise
            return None
        return replace(table, notes=(Text("From page {page} of the PDF.", page=one.page), *table.notes))

    return work.with_rows(map(loaded, found), work.because("{name} is a PDF without a table that can be read."))


def _tables(file: Pdf, work: Work) -> Iterator[_Found]:
    for page in range(1, min(file.pages, _MOST_PAGES) + 1):
        work.reporter.report("Reading", page / file.pages)
        lines = [tuple(_APART.split(line.strip())) for line in (file.layout(page) or "").splitlines() if line.strip()]
        for width, run in groupby(lines, key=len):
            rows = tuple(run)
            if width > 1 and len(rows) >= _LEAST_ROWS and _has_figures(rows[1:]):
                yield _Found(page, rows)


def _has_figures(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column has nothing but numbers or dates: two columns of running text have none."""
    return any(candidates(column) for column in zip(*rows, strict=True))


def _joined(tables: Iterator[_Found]) -> list[_Found]:
    """A table that goes on under the same header on the next page is one."""
    joined: list[_Found] = []
    for one in tables:
        if joined and joined[-1].rows[0] == one.rows[0]:
            joined[-1] = replace(joined[-1], rows=(*joined[-1].rows, *one.rows[1:]))
        else:
            joined.append(one)
    return joined
