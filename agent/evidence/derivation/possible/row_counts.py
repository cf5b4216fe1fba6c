"""How many rows meet what a sentence says: "5 of the 15 readings above 30 °C", "two grew and four shrank"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from agent.evidence.derivation.groups.value_counts import count_of_rows
from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.kept import kept
from agent.evidence.lookup.context import line_bounds
from agent.evidence.sources import Finding
from agent.evidence.tables.alike_columns import pairs_of_times
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.claim_words import SPELLED, several
from agent.text.quantities.figures import Figure, figure_at
from agent.text.quantities.units import alike, units_of_column
from agent.text.regex import regex

_MOST = 60  # that are counted
_MOST_ROWS = 400
_BEFORE, _BEHIND = 160, 60  # characters around a figure in which its bound stands
_LINES_UP = 8
_NUMBER = r"(?P<number>[0-9][0-9.,]*(?<![.,]))"
_UNIT = r"[ \u00a0]?(?:[%°€$£][a-z]?|[a-z]{1,3}\b|円|人|万|件)?"
_BOUNDS = (  # with the way that the values lie, and whether the bound is among them
    (rf"(?:at least|no less than|mindestens|au moins|al menos|≥|>=) ?{_NUMBER}", 1, True),
    (rf"{_NUMBER}{_UNIT} ?(?:or (?:more|above|higher|over|better)|oder mehr|ou plus|o más|以上)", 1, True),
    (rf"(?:at most|no more than|up to|höchstens|bis zu|au plus|como máximo|≤|<=) ?{_NUMBER}", -1, True),
    (rf"{_NUMBER}{_UNIT} ?(?:or (?:less|below|lower|under|fewer)|oder weniger|ou moins|o menos|以下)", -1, True),
    (
        r"(?:above|over|more than|exceed(?:ed|ing|s)?|top(?:s|ped)?|past|greater than|higher than|longer than|"
        rf"older than|über|mehr als|plus de|au-dessus de|más de|por encima de|superior a|>) ?[$€£¥]?{_NUMBER}",
        1,
        False,
    ),
    (rf"{_NUMBER}{_UNIT} ?(?:超|を超え|を上回)", 1, False),
    (
        r"(?:below|under|less than|fewer than|lower than|shorter than|younger than|unter|weniger als|moins de|"
        rf"au-dessous de|menos de|por debajo de|inferior a|<) ?[$€£¥]?{_NUMBER}",
        -1,
        False,
    ),
    (rf"{_NUMBER}{_UNIT} ?(?:未満|を下回)", -1, False),
)
_PATTERNS = tuple((regex(pattern), way, closed) for pattern, way, closed in _BOUNDS)
_LISTED = regex(r"\s*(?:[-*+•]|[0-9]{1,2}[.)])[ \t]")
_UP = (
    r"gr[eo]w|growing|rose|rises?|rising|increased?|gains?|gained|went up|(?:is|are|were) up|climb(?:ed)?|"
    r"above (?:its|their|the)|exceed(?:ed|s)?|over (?:budget|plan|target)|made (?:its|their)|beat|met|"
    r"wuchsen|gewachsen|stiegen|gestiegen|legten|zugelegt|gewannen|augment\w+|progress\w+|crecieron|subieron|aumentaron|"
    r"ganaron"
)
_DOWN = (
    r"fell|falls?|falling|declined?|declines|shrank|shrink|dropped|drops?|decreased?|went down|(?:is|are|were) down|"
    r"below (?:its|their|the)|within (?:its |their |the )?(?:budget|plan)|under (?:budget|plan)|missed|"
    r"lost|sank|slipped|sanken|gesunken|fielen|gefallen|verloren|schrumpften|geschrumpft|baiss\w+|recul\w+|perd\w+|bajaron|"
    r"bajó|cayeron|cayó|perdieron"
)
_WENT = regex(
    rf"\b(?P<up>{_UP})\b|\b(?P<down>{_DOWN})\b|"
    r"\b(?P<better>improved|got (?:faster|better|slower|worse)|worsened|slowed|verbesserten|verschlechterten|"
    r"améliorés?|empeoraron|mejoraron)\b|(?P<ja_up>増え|増加|上回|伸び|上昇|増収|増益)|"
    r"(?P<ja_down>減っ|減少|下回|低下|下落|減収|減益)"
)
_PLANNED = regex(r"budget|plan|target|quota|goal|forecast|soll|prévu|予算|計画|目標")
_CAME_OF_IT = regex(r"actual|result|closed|achieved|spent|reali[sz]ed|\bist\b|réel|実績|決算")
_OF_ALL = regex(
    r"[ \u00a0]*(?:[^\W\d_]+[ \u00a0]+){0,1}(?:of|von|der|sur|de|out of)[ \u00a0](?:the |den |las |los |les )?"
    r"(?:[0-9]+|[^\W\d_]+)\b"
)
_OF_NUMBER = regex(
    r"[ \u00a0*_]*(?:of|out of|von|der|sur|de)[ \u00a0](?:the |den |las |los |les )?"
    rf"(?:[0-9]|(?:{'|'.join(SPELLED)})\b)"
)
_OF_THE = regex(r"[ \u00a0](?:of|von|der|sur|de) (?:the|den|las|los|les) ([^\W\d_]{3,})")
_ITEMS = frozenset(several("rows row readi measu entri items recor lines days day month weeks hours cases 件 行 日 回"))
_WORD = regex(r"[^\W\d_]+")
_WORD_OR_NUMBER = regex(r"[^\W\d_]+|[0-9][0-9.,]*(?<![.,])")
_STOP = regex(r"[.;:\n、。(（]|,(?![0-9])|[0-9]")
_COUNTED_JA = regex(r"(?:産地|地域|か国|市町村|市|県|店舗|部門|品目|品種|社|校|区分|事業|拠点|路線|項目|銘柄|支店|つ)")
_OUT_OF = regex(r"[0-9]+ (?:of|out of|von|sur|de) (?:the )?$")


class _Bound(NamedTuple):
    """A bound that a sentence says, with the place of its figure."""

    figure: Figure
    way: int
    closed: bool

    def holds(self, size: float) -> bool:
        value = float(-self.figure.value if self.figure.negative else self.figure.value)
        return (self.closed and size == value) or (size > value if self.way > 0 else size < value)


@dataclass(frozen=True)
class RowCounts:
    """Of one answer, of the rows of the tables that were observed; ``near`` reads their cells."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` where so many rows of a table meet what the sentence says, or it has so many; else ``None``."""
        if (own := self._own_bound(figure)) is not None:
            return own
        if (
            figure.unit is not None
            or figure.step != 1
            or figure.ordinal
            or figure.loose
            or not (1 if self._counts_labels(figure) else 2) <= figure.value <= _MOST
        ):
            return None
        count = int(figure.value)
        return self._by_bound(figure, count) or self._by_change(figure, count) or self._of_all(figure, count)

    def _by_bound(self, figure: Figure, count: int) -> Finding | None:
        if (bound := self._bound(figure)) is None:
            return None
        for number, subjects, column in self._columns(bound, figure):
            sizes = self._sizes(number, subjects, column)
            if sum(map(bound.holds, sizes.values())) == count:
                rows = [row for row, size in sizes.items() if bound.holds(size)]
                return count_of_rows("possible", number, subjects, rows, column)
        return None

    def _own_bound(self, figure: Figure) -> Finding | None:
        """A bound that the answer itself takes, if it says how many rows are past it, or which: "three top 6,000"."""
        bound = next((one for one in self._all_bounds if one.figure.number[0] == figure.number[0]), None)
        if bound is None:
            return None
        answer = self.near.standings.answer
        said = answer.lower[slice(*answer.sentence(figure.start))]
        words = frozenset(_WORD_OR_NUMBER.findall(said))
        for number, subjects, column in self._columns_of(bound):
            rows = [row for row, size in self._sizes(number, subjects, column).items() if bound.holds(size)]
            labels = [frozenset(_WORD_OR_NUMBER.findall(subjects.table.rows[row][0].text.lower())) for row in rows]
            counts = {str(len(rows)), *(word for word, value in SPELLED.items() if value == len(rows))}
            if len(rows) > 1 and not counts.isdisjoint(words - {str(int(figure.value))}):
                return count_of_rows("possible", number, subjects, rows, column)
            if rows and all(label and label <= words for label in labels):
                return count_of_rows("possible", number, subjects, rows, column)
        return None

    def _columns_of(self, bound: _Bound) -> Iterator[tuple[int, Subjects, int]]:
        """The columns with values to either side of a bound, of its unit where they have one."""
        for number, subjects in self.near.tables:
            for column in subjects.table.numeric_columns:
                sizes = self._sizes(number, subjects, column).values()
                units, unit = units_of_column(subjects.table.column_heads[column]), bound.figure.unit
                of_unit = unit is None or not units or any(alike(unit, one) for one in units)
                if of_unit and len(sizes) > 2 and min(sizes) <= bound.figure.value <= max(sizes):
                    yield number, subjects, column

    def _bound(self, figure: Figure) -> _Bound | None:
        """The bound nearest to a figure in its line; else that of the line above its list."""
        whole = self.near.standings.whole
        left, right = line_bounds(whole, figure.start, figure.end)
        inside = self._bounds(max(left, figure.start - _BEFORE), min(right, figure.end + _BEHIND))
        inside = [one for one in inside if one.figure.start != figure.start]
        if inside:
            return min(inside, key=lambda one: abs(one.figure.start - figure.start))
        for _ in range(_LINES_UP):
            if not (left and _LISTED.match(whole, left)):
                return None
            left, right = line_bounds(whole, left - 1, left - 1)
            if _LISTED.match(whole, left) is None and whole[left:right].strip():
                return next(iter(self._bounds(left, right)), None)
        return None

    def _bounds(self, left: int, right: int) -> list[_Bound]:
        """The bounds that are said between two places."""
        return [one for one in self._all_bounds if left <= one.figure.start < right]

    @cached_property
    def _all_bounds(self) -> list[_Bound]:
        text, lower = self.near.standings.whole, self.near.standings.whole.lower()
        found: dict[int, _Bound] = {}
        for pattern, way, closed in _PATTERNS if len(lower) == len(text) else ():
            for match in pattern.finditer(lower):
                found.setdefault(match.start("number"), _Bound(figure_at(text, *match.span("number")), way, closed))
        return sorted(found.values(), key=lambda one: one.figure.start)

    def _columns(self, bound: _Bound, figure: Figure) -> list[tuple[int, Subjects, int]]:
        """The columns that a bound may be of: those with values to either side whose head says most of the line."""
        own, words = self._words(figure), self._words(bound.figure)
        rated: list[tuple[int, tuple[int, Subjects, int]]] = []
        for number, subjects, column in self._columns_of(bound):
            head, unit = subjects.table.column_heads[column], bound.figure.unit
            of_unit = unit is not None and bool(units_of_column(head))
            score = len(tokens(head) & words) + 2 * len(tokens(head) & own) + 2 * of_unit
            rated.append((score, (number, subjects, column)))
        best = max((score for score, _ in rated), default=0)
        return [one for score, one in rated if score == best and best and self._counts_rows(figure, one[1])]

    def _counts_rows(self, figure: Figure, subjects: Subjects) -> bool:
        """Whether a figure counts rows of a table: it is one of so many, or what it counts heads one of its columns."""
        lower, noun = self.near.standings.answer.lower, figure.noun
        if (named := _OF_THE.match(lower, figure.end)) is not None:
            noun = named[1][:5]
        if _OF_NUMBER.match(lower, figure.end) is not None or noun in _ITEMS:
            return True
        heads = [
            head for one, head in enumerate(subjects.table.column_heads) if one not in subjects.table.numeric_columns
        ]
        words = {word[:5] for head in heads for word in _WORD.findall(head)}
        return len(noun) > 2 and any(noun.startswith(word) or word.startswith(noun) for word in words if len(word) > 2)

    def _words(self, figure: Figure) -> frozenset[str]:
        """What the line of a figure says."""
        return tokens(
            self.near.standings.whole[slice(*line_bounds(self.near.standings.whole, figure.start, figure.end))].lower()
        )

    def _by_change(self, figure: Figure, count: int) -> Finding | None:
        """Where so many rows rose or fell between two columns."""
        went = self._went(figure)
        if went is None:
            return None
        words = self._words(figure)
        rated: list[tuple[int, tuple[int, Subjects, int, int]]] = []
        for number, subjects in self.near.tables:
            heads = subjects.table.column_heads
            pairs = [*pairs_of_times(subjects.table), *_plans_and_results(subjects)]
            rated += [
                (len(words & (tokens(heads[one]) | tokens(heads[other]))), (number, subjects, one, other))
                for one, other in pairs
            ]
        best = max((score for score, _ in rated), default=0)
        for number, subjects, one, other in (pair for score, pair in rated if score == best or not best):
            first, last = self._sizes(number, subjects, one), self._sizes(number, subjects, other)
            changes = {row: last[row] - size for row, size in first.items() if row in last}
            kept = _PLANNED.search(subjects.table.column_heads[one]) is not None  # what was met is within, too
            for way in went:
                rows = [row for row, change in changes.items() if change * way > 0 or (kept and not change)]
                if len(rows) == count:
                    return count_of_rows("possible", number, subjects, rows, other)
        return None

    def _went(self, figure: Figure) -> tuple[int, ...] | None:
        """The ways that the things counted went: one of them, or either where it is better or worse."""
        lower = self.near.standings.answer.lower
        behind = _OF_ALL.match(lower, figure.end)
        start = behind.end() if behind is not None else figure.end
        stop = _STOP.search(lower, start, start + _BEHIND)
        match = _WENT.search(lower, start, stop.start() if stop is not None else start + _BEHIND)
        if match is None and (lower[figure.end : figure.end + 1] == "つ" or self._counts_labels(figure)):
            left = max(lower.rfind(sign, 0, figure.start) for sign in "。、\n")
            before = [*_WENT.finditer(lower, left + 1, figure.start)]
            match = before[-1] if before else None
        if match is None or match.lastgroup is None:
            return None
        return (1, -1) if match.lastgroup == "better" else (1,) if match.lastgroup.endswith("up") else (-1,)

    def _of_all(self, figure: Figure, count: int) -> Finding | None:
        """Where the table has so many rows, and the figure says of how many: "10 of 14", "7産地"."""
        lower = self.near.standings.answer.lower
        out_of = _OUT_OF.search(lower, max(0, figure.start - 20), figure.start)
        if out_of is None and _COUNTED_JA.match(lower, figure.end) is None and not self._counts_labels(figure):
            return None
        for number, subjects in self.near.tables:
            if len(subjects.table.parts) == count:
                rows = sorted(subjects.table.parts)
                return count_of_rows("possible", number, subjects, rows, 0)
        return None

    def _counts_labels(self, figure: Figure) -> bool:
        """Whether the sign behind a figure ends the labels of a table's rows: 7店 of 札幌店, 仙台店 and others."""
        sign = self.near.standings.answer.lower[figure.end : figure.end + 1]
        labels = (
            [rows[row][0].text for row in one.table.parts] for _, one in self.near.tables for rows in [one.table.rows]
        )
        return sign > "\u3000" and any(len(one) > 1 and all(text.endswith(sign) for text in one) for one in labels)

    @kept
    def _sizes(self, number: int, subjects: Subjects, column: int) -> dict[int, float]:
        """The values of a column by their row, those of totals apart."""
        rows = sorted(subjects.table.parts.difference(subjects.table.last_totals))[:_MOST_ROWS]
        values = ((row, self.near.value_at(number, subjects, row, column)) for row in rows)
        return {row: float(one.operand.value) for row, one in values if one is not None}


def _plans_and_results(subjects: Subjects) -> Iterator[tuple[int, int]]:
    """A column of budgets or targets, and the one of what came of them."""
    heads, columns = subjects.table.column_heads, subjects.table.numeric_columns
    plans = [column for column in columns if _PLANNED.search(heads[column])]
    results = [column for column in columns if _CAME_OF_IT.search(heads[column])]
    if len(plans) == len(results) == 1:
        yield plans[0], results[0]
