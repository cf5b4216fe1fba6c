"""Which column a sentence means where it names none outright: by unit, by short heads, by groups of columns.

Heads of two rows make groups: "Apps" and "Goals" of "League", of "Cup", of "Total".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum

from agent.evidence.tables.alike_columns import is_of_earlier
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import figures, is_year, size
from agent.evidence.tables.scales import powers_in
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import TOTAL, Cell, called_total
from agent.text.quantities.units import PERCENT, Unit, alike, comparable, named_in, spelled, unit_at, units_of_column
from agent.text.regex import regex

_PERCENT = "percen"  # as tokens of a head say it
_OF_SHARES = tokens("percent share rate")
_DIGITS = regex(r"[0-9]{1,3}(?:[ \u00a0][0-9]{3})+(?![0-9])|[0-9][0-9.,]*")
_LAST = regex(r"[(\[]([^)\]]*)[)\]]$|[_ ]([^ _]+)$")  # of a head: its brackets, or its last word
_SHORT = regex(r"[a-z]{1,4}")
_RATE = regex(r"[/0-9]|\b(?:per|pro|je|par|por)\b")
_RANK = regex(r"[0-9]+(?:st|nd|rd|th)\b")
_SURE = 3  # letters
_LETTERS = regex(r"[^\W\d_]{3,}$")


@dataclass(frozen=True)
class Said:
    """What a sentence says of the column of one of its figures.

    Its ``words``, and with those before it (``wide``); its other figures (``stated``); the first words ``behind`` the
    figure, the first of them as tokens (``noun``), and its ``unit``.
    """

    words: frozenset[str]
    wide: frozenset[str]
    stated: frozenset[str]
    behind: Sequence[str]
    noun: frozenset[str]
    unit: Unit | None


def is_total(subjects: Subjects, cell: Cell, of_all: bool = False) -> bool:
    """Whether a cell stands in a row that is called total and nothing else; if ``of_all`` is said, has the sum."""
    label = subjects.table.rows[cell.row][0].text.lower().strip(" :")
    if label in TOTAL or label.removesuffix("s") in TOTAL:
        return True
    if not of_all or subjects.table.totals:
        return False
    rest = [size(figures(one.text)) for one in subjects.table.column(cell.column) if one.numeric and one is not cell]
    return len(rest) > 1 and fsum(rest) == size(figures(cell.text))


def is_key(subjects: Subjects, cell: Cell, stated: frozenset[str]) -> bool:
    """Whether a number names its row, where none has a text, and another value of the row is ``stated``.

    "At 100 m the water has 11.5 °C."
    """
    row = subjects.table.rows[cell.row]
    if cell.column or not cell.numeric or not all(one.numeric or not one.text for one in row):
        return False
    said = [one for one in row[1:] if len(figures(one.text)) > 1 and figures(one.text) in stated]
    return any(
        [figures(each.text) for each in subjects.table.column(one.column)].count(figures(one.text)) == 1 for one in said
    )


def is_named(text: str, unit: Unit) -> bool:
    """Whether a text names a unit, or one that may be the same."""
    return any(alike(one, unit) for one in named_in(text))


def in_its_unit(subjects: Subjects, cell: Cell, unit: Unit | None) -> frozenset[int] | None:
    """The columns of the row's other quantities in a unit; nothing where the cell is not in it."""
    if unit is None or not _in_unit(subjects, cell, unit):
        return None
    row = subjects.table.rows[cell.row]
    return frozenset(one.column for one in row if one is not cell and one.numeric and _in_unit(subjects, one, unit))


def alone(subjects: Subjects, cell: Cell, unit: Unit) -> bool:
    """Whether no other cell of its column has a value in such a unit, while it has.

    A currency may stand in the first row alone, and hold for all.
    """
    if unit.dimension.isupper() or unit_of(cell) is not unit:
        return False
    others = (unit_of(one) for one in subjects.table.column(cell.column) if one is not cell)
    return not any(other is not None and (other is unit or comparable(other, unit)) for other in others)


def of_another_unit(subjects: Subjects, cell: Cell, unit: Unit | None) -> bool:
    """Whether a unit is said of a plain number, while its head names others, or another column of its row is in it.

    What a head names is of another measure: no "15,360 days" are of a column "Memory (MB)". "Budget (M)" is a scale.
    """
    if unit is None or _in_unit(subjects, cell, unit):
        return False
    if cell.numeric and cell.column < len(subjects.heads) and unit.dimension != "ratio":
        head = subjects.table.column_heads[cell.column]
        named = [] if powers_in(head) and unit is not PERCENT else _measured_in(head)
        if named and not any(comparable(one, unit) for one in (*named, *subjects.head_units[cell.column])):
            return True
    row = subjects.table.rows[cell.row]
    return any(_DIGITS.search(one.text) is not None and _in_unit(subjects, one, unit) for one in row)


def is_share(subjects: Subjects, cell: Cell, words: frozenset[str]) -> bool:
    """Whether a cell's column is in percent, and no word says so: "43.18 wins" of a column "Win %"."""
    of_shares = cell.column < len(subjects.heads) and PERCENT in subjects.head_units[cell.column]
    return of_shares and words.isdisjoint(_OF_SHARES)


def _measured_in(head: str) -> list[Unit]:
    """The units that a head says of its column behind its words: none of a rate or of a race.

    "Wind m/s" and "100 m" are not in metres, a "Second round" not in seconds.
    """
    last = _LAST.search(head) if _RATE.search(head) is None else None
    return units_of_column(last[1] or last[2]) if last is not None else []


def _in_unit(subjects: Subjects, cell: Cell, unit: Unit) -> bool:
    """Whether the cell, the head of its column or, for a share, the label of its row is in the unit."""
    if (own := unit_of(cell)) is not None and alike(own, unit):
        return True
    if unit.name == "%" and _PERCENT in tokens(subjects.table.rows[cell.row][0].text.lower()):
        return True
    if unit.name == "years" and cell.column < len(subjects.heads) and "age" in subjects.heads[cell.column]:
        return True
    return any(alike(one, unit) for one in units_above(subjects, cell))


def columns_named(subjects: Subjects, words: frozenset[str]) -> list[int]:
    """The columns of numbers that a sentence names; all where it names none, and those of all years with one."""
    numeric = list(subjects.table.numeric_columns)
    said = {column: named for column in numeric if (named := subjects.heads[column] & words)}
    named = list(said)
    if len(named) < 2 or (len(set(said.values())) == 1 and any(map(is_year, said[named[0]]))):
        return numeric
    return [column for column in numeric if named[0] <= column <= named[-1]]


def of_another_column(subjects: Subjects, cell: Cell, said: Said) -> bool:
    """Whether a figure is of another column than the cell's, where no head is said of the cell's column alone."""
    return (
        _of_another_group(subjects, cell, said)
        or _of_another_short_head(subjects, cell, said.behind)
        or _of_no_column(subjects, cell, said)
    )


def _of_another_group(subjects: Subjects, cell: Cell, said: Said) -> bool:
    """Whether a head stands in several groups of columns, and the sentence means another group than the cell's.

    The other figures of a sentence are of one group with this one; with none of them in the row, a figure is of the
    first group or of the totals, if no group is named.
    """
    paths = subjects.table.head_paths
    path = paths[cell.column] if cell.column < len(paths) else ()
    mine, leaf = _group(path), path[-1:]
    row = [one for one in subjects.table.rows[cell.row] if one.numeric and one.column < len(paths)]
    twins = [one for one in row if paths[one.column][-1:] == leaf and _group(paths[one.column]) != mine]
    if not leaf or not leaf[0] or not mine or not twins or _is_named(mine, twins, subjects, said.words):
        return False
    groups = [_group(paths[one.column]) for one in twins]
    company = [
        {_group(paths[one.column]) for one in row if figures(one.text) == figure and one.column != cell.column}
        for figure in said.stated
    ]
    company = [found for found in company if found]
    if company:
        return not any(mine in found for found in company) and any(
            group in found for found in company for group in groups
        )
    first = min((one.column for one in twins), default=cell.column)
    return first < cell.column and not called_total(mine)


def _group(path: Sequence[str]) -> str:
    """What stands above the last line of a head."""
    return " ".join(dict.fromkeys(part for part in path[:-1] if part and part != path[-1]))


def _is_named(group: str, twins: Iterable[Cell], subjects: Subjects, said: frozenset[str]) -> bool:
    """Whether words of the sentence are of this group, and not of all the others, too."""
    own = tokens(group) & said
    return any(not own <= subjects.heads[one.column] for one in twins)


def _of_another_short_head(subjects: Subjects, cell: Cell, behind: Sequence[str]) -> bool:
    """Whether the word behind a figure is shortened to another head of the row, and cannot be to the cell's.

    "goals" is said in short by "G", "points" by "PTS"; "games" may be by "GP".
    """
    above = {word for path in subjects.table.head_paths for head in path[:-1] for word in head.split()}
    behind = [word for word in behind if word not in above] or behind  # "regular season games"
    heads = {
        one.column: subjects.table.head_paths[one.column][-1]
        for one in subjects.table.rows[cell.row]
        if one.numeric and one.column < len(subjects.table.head_paths) and subjects.table.head_paths[one.column]
    }
    own = heads.pop(cell.column, "")
    if not _SHORT.fullmatch(own) or (len(own) > 1 and any(_shortens(own, word) for word in behind)):
        return False
    least = _SURE if any(word[:1] == own[:1] for word in behind) else 1  # "G" is as good as "GP" for games
    return any(len(head) >= least and _shortens(head, word) for head in heads.values() for word in behind[:1])


def _of_no_column(subjects: Subjects, cell: Cell, said: Said) -> bool:
    """Whether no word tells the cell's column from others of its row that could hold the figure just as well.

    A figure with a unit could be that of a cell that says it, one without that of a cell with none; those that are
    stated in the same sentence have their own figure. Of columns with the same last line ("Goals" of several groups)
    ``_of_another_group`` tells which one is meant; of years that nobody says it is the last one. A noun that the table
    does not know may be that of a text, too: "the 142nd contest" where a year, or "12 of 40", stands beside 142.
    """
    heads, paths = subjects.heads, subjects.table.head_paths
    if not cell.numeric or cell.column >= len(heads):
        return False
    own, leaf = heads[cell.column], paths[cell.column][-1:]
    unit = None if _is_how_often(subjects, cell, said.unit) else said.unit
    mine = own & said.words or own & said.wide
    if (mine and not own & said.words) or _is_said(subjects, cell.column, said):
        return False
    of_any = unit is None and bool(said.noun) and not mine and not subjects.knows(said.noun)
    row = (one for one in subjects.table.rows[cell.row] if (one.numeric or of_any) and one.column < len(heads))
    rivals = [one for one in row if not is_of_earlier(heads[one.column], own)]
    # "447,000" of a table in thousands.
    stated = (
        figures(cell.text),
        *said.stated,
        *(one.removesuffix("0" * p) for p in subjects.powers for one in said.stated),
    )
    return any(
        mine <= heads[one.column]
        and figures(one.text) not in stated
        and (not mine or paths[one.column][-1:] != leaf)
        and (_may_hold(subjects, one, unit, cell) if one.numeric else figures(one.text))
        for one in rivals
        if one.column != cell.column
    )


def _is_how_often(subjects: Subjects, cell: Cell, unit: Unit | None) -> bool:
    """Whether "times" tells how often something was, as of any column: neither the cell nor its head has the word."""
    if unit is None or unit.dimension != "ratio" or is_total(subjects, cell):
        return False
    return not _in_unit(subjects, cell, unit)


def of_no_row(subjects: Subjects, cell: Cell) -> bool:
    """Whether a quantity that no word gives to a row could be that of others just as well."""
    if not cell.numeric or is_total(subjects, cell):
        return False
    return bool(subjects.numbers(cell.column) - {figures(cell.text)})


def _may_hold(subjects: Subjects, cell: Cell, unit: Unit | None, instead: Cell) -> bool:
    """Whether a figure with this unit, or with none, may be that of a cell: with one, only where the cell says it.

    One without unit may be that of any cell with the same sign as the one it is found in ``instead``: "$". One whose
    unit neither says may be that of both where their heads are alike: "1–3 years" and "3–5 years".
    """
    if cell.column >= len(subjects.heads):
        return False
    own = unit_of(cell)
    if (":" in cell.text) != (":" in instead.text):  # a time is no rank
        return False
    if _RANK.match(cell.text) and not _RANK.match(instead.text):
        return False
    if unit is None:
        if own is not None:
            return own is unit_of(instead)
        return not subjects.head_units[cell.column] or bool(subjects.head_units[instead.column])
    if own is unit_of(instead) is None:
        if any(alike(one, unit) for one in subjects.head_units[cell.column]):
            return True
        if not subjects.head_units[cell.column] and subjects.is_said_of_all(unit):
            return True
        heads = subjects.heads[cell.column], subjects.heads[instead.column]
        unnamed = not subjects.head_units[cell.column] and not subjects.head_units[instead.column]
        return _are_alike(*heads) or (unnamed and not heads[0].isdisjoint(heads[1]))
    return own is not None and alike(own, unit)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two heads differ in numbers that are no years, or in a letter alone."""
    numbered = all(any(word[0].isdigit() and not is_year(word) for word in words) for words in (one, other))
    return (numbered and not any(word[0].isalpha() for word in one ^ other)) or all(
        len(word) == 1 for word in one ^ other
    )


def units_above(subjects: Subjects, cell: Cell) -> tuple[Unit, ...]:
    """The units that the head of a cell's column names."""
    return subjects.head_units[cell.column] if cell.column < len(subjects.head_units) else ()


def unit_of(cell: Cell) -> Unit | None:
    """The unit that a cell itself says of its first number."""
    digits = _DIGITS.search(cell.text)
    return unit_at(cell.text, *digits.span())[0] if digits is not None else None


def _is_said(subjects: Subjects, column: int, said: Said) -> bool:
    """Whether the unit, or a word in short ("Apps" of appearances, "GP" of games), says a head."""
    if said.unit is not None and any(alike(one, said.unit) for one in subjects.head_units[column]):
        units = (subjects.head_units[other] for other in subjects.table.numeric_columns if other != column)
        return not any(alike(one, said.unit) for one in chain.from_iterable(units))
    paths = subjects.table.head_paths
    rest = [paths[other][-1] for other in subjects.table.numeric_columns if other != column and paths[other]]
    behind = [word for word in said.behind if tokens(word) and spelled(word) is None]  # "12 mm in all" is of no "Mar"
    return _is_last_said(paths[column], rest, said.words | said.wide, behind)


def _is_last_said(path: Sequence[str], rest: Sequence[str], said: frozenset[str], behind: Sequence[str]) -> bool:
    """Whether words say the last line of a head in short: "Apps" of appearances, "GP" of games.

    A head that is not such a word in short is none where another one is: "GF" of goals beside "GA".
    """
    leaf = path[-1].strip(" .") if path else ""
    if _SHORT.fullmatch(leaf) and any(word[0] == leaf[0] for word in behind):
        others = [one for one in rest if len(one) > 1 and one != leaf]
        rivals = len(leaf) > 1 and any(_shortens(one, word) for one in others for word in behind)
        if not rivals or any(_shortens(leaf, word) for word in behind):
            return True
    return _LETTERS.match(leaf) is not None and any(word.startswith(leaf.rstrip("s")) for word in (*behind, *said))


def _shortens(head: str, word: str) -> bool:
    """Whether a head of up to four letters is a word in short: its first letter, and its others in their order."""
    if not _SHORT.fullmatch(head) or head[:1] != word[:1] or len(word) <= len(head):
        return False
    rest = iter(word)
    return all(letter in rest for letter in head)
