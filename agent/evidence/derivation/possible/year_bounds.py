"""A year that an answer itself takes as a bound, as in "All that opened after 1960 grew"; years between two heads."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from agent.evidence.derivation.groups.value_counts import count_of_rows
from agent.evidence.derivation.possible.near_values import MOST_ROWS, NearValues
from agent.evidence.kept import kept
from agent.evidence.lookup.days import lie_apart
from agent.evidence.sources import Finding
from agent.evidence.tables.digits import is_year
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.year_columns import year_of_head
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_BOUND = regex(
    r"\b(?:(after|since|past|beyond|later than|nach|seit|après|depuis|después de|desde)|"
    r"(?:before|until|prior to|earlier than|alive in|vor|bis|avant|antes de))[ ]$"
)
_OF_SEVERAL = regex(
    r"\b(?:all|every|each|none?|only|any|both|those|most|half|two|three|four|five|six|seven|eight|nine|ten|alle|jede[rs]?|"
    r"tous|toutes|chaque|todos|todas)\b|[0-9]"
)
_FEWEST, _MOST_HEADS = 3, 12  # rows, heads with a year


@dataclass(frozen=True)
class YearBounds:
    """Of one answer, of the rows of the tables that were observed; ``near`` reads their cells."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` where a column of years, or of days, has some to either side of such a year."""
        answer = self.near.standings.answer
        if figure.unit is not None and figure.unit.name == "years" and figure.step == 1:
            return self._apart(figure)
        left, _ = answer.sentence(figure.start)
        bound = _BOUND.search(answer.lower, max(left, figure.start - 20), figure.start)
        if bound is None or figure.unit is not None or not is_year(answer.text[figure.start : figure.end]):
            return None
        if _OF_SEVERAL.search(answer.lower, left, figure.start) is None:
            return None
        year = int(figure.value)
        for number, subjects in self.near.tables:
            for column in range(subjects.table.width):
                years = self._years(number, subjects, column)
                after = [row for row, one in years.items() if one > year]
                if len(years) >= _FEWEST and 0 < len(after) < len(years):
                    rows = after if bound[1] else [row for row in years if row not in after]
                    return count_of_rows("possible", number, subjects, rows, column)
        return None

    def _apart(self, figure: Figure) -> Finding | None:
        """So many years between the heads of two columns: "ten years before" of 2010 and 2020."""
        for number, subjects in self.near.tables:
            table = subjects.table
            heads = [(column, year_of_head(subjects, column)) for column in range(table.width)]
            dated = [(column, year) for column, year in heads if year is not None][:_MOST_HEADS]
            for (one, first), (other, last) in combinations(dated, 2):
                if abs(last - first) == figure.value and table.heads:
                    row = table.rows[table.heads - 1]
                    spots = tuple((number, row[column].start, row[column].end) for column in (one, other))
                    return Finding("possible", spots, lie_apart(first, last, abs(last - first), "years"))
        return None

    @kept
    def _years(self, number: int, subjects: Subjects, column: int) -> dict[int, int]:
        """The years that a column says in its rows, where all of them say one."""
        table, page = subjects.table, self.near.source(number).page
        cells = [cell for cell in table.column(column) if cell.row in table.parts and cell.text][:MOST_ROWS]
        found: dict[int, int] = {}
        for cell in cells:
            day = page.day_at(cell.start)
            year = int(cell.text) if is_year(cell.text) else day.year if day is not None else None
            if year is not None:
                found[cell.row] = year
        return found if len(found) == len(cells) else {}
