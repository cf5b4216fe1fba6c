"""Two that are named: a figure for each, where one of both would be read, or the one of them that has more of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.table_lexicon import form, words
from agent.data.tables.questions.table_schema import Asked, Column, Group, Table, id_like, tells_apart
from agent.data.tables.worded.worded_columns import by_field, content, names_of_rows
from agent.data.tables.worded.worded_extremes import Way
from agent.data.tables.worded.worded_rows import Rows, rows_of
from agent.text.regex import regex

_EACH_OF_TWO = regex(r"\b(?:and|or) (?:how (?:much|many)|what) |\beach\b|\brespectively\b|それぞれ", re.I)
_BETWEEN_NAMES = regex(r"(?:\W|\b(?:and|or|plus|both|also|the|on|in|at|from|for|with|of|by|to)\b)*", re.I)


def apart(text: str, wanted: Asked) -> Asked:
    """ "How much did Nina pay, and how much did Paul?": a figure for each, and not one of both."""
    several = [one for one in wanted.filters if one.operator == "=" and len(one.values) > 1 and one.column]
    if len(several) != 1 or wanted.groups or wanted.measure == "rows" or several[0].column is None:
        return wanted
    places = sorted((text.lower().find(value.lower()), len(value)) for value in several[0].values)
    first, second = places[:2]
    between = text[first[0] + first[1] : second[0]] if first[0] >= 0 else ""
    if not _EACH_OF_TWO.search(text) and (_BETWEEN_NAMES.fullmatch(between) or not between.isascii()):
        return wanted
    return replace(wanted, groups=(Group(several[0].column),))


_BEFORE = regex(r"\b(?:in|of|for|at|on|from|with|by|the|among|an?)\s*$", re.I)


def with_its_row(text: str, wanted: Asked) -> Asked:
    """ "Which midfielder has the most assists": whose figure it is, and not the figure alone."""
    names, values = names_of_rows(wanted.table), [value for one in wanted.filters for value in one.values]
    if wanted.measure not in ("max", "min") or wanted.groups or not names or len(values) != 1 or not wanted.column:
        return wanted
    said = text.strip(" ?.!").lower()
    place = said.find(form(values[0].lower()))
    asks = re.match(rf"(?:which|what) (?:of the )?{re.escape(form(values[0].lower()))}", said)
    ends = place > 0 and not re.search(r"\s", said[place + len(values[0]) :]) and not _BEFORE.search(said[:place])
    if not (asks or (ends and not re.match(r"(?:what|how)\b", said))):
        return wanted
    order = "down" if wanted.measure == "max" else "up"
    return replace(wanted, measure="rows", order=order, limit=1, shown=(*names, wanted.column))


def put_right(text: str, wanted: Asked) -> Asked:
    """What is told where the words say which figure of the rows is meant."""
    return by_pieces(text, with_its_row(text, apart(text, wanted)))


_HOW_MANY = regex(r"\b(?:how many|number of) (?P<rest>.+)", re.I)


def by_pieces(text: str, wanted: Asked) -> Asked:
    """ "How many mince pies", of orders with a quantity each: the pieces, and not the orders."""
    pieces = [one for one in wanted.table.of_kind("number") if content(one) & {"quantity", "pieces", "pcs"}]
    said = _HOW_MANY.search(text)
    of = [one.values for one in wanted.filters if one.operator == "=" and one.column and one.column.kind == "text"]
    if wanted.measure != "count" or len(pieces) != 1 or not said or wanted.order:
        return wanted
    typed = tuple(form(word.lower()) for word in re.findall(r"[^\W\d_]+", said["rest"]))
    named = [words(value) for values in of for value in values]
    begins = any(typed[: len(name)] == name or typed[:1] == name[-1:] for name in named)  # "candles" of beeswax ones
    return replace(wanted, measure="sum", column=pieces[0]) if begins else wanted


_EITHER = regex(
    r"(?:which|who|what)(?: one| of (?:them|the two|these))?(?P<head>(?: [a-z]+)*?) "
    r"(?P<word>worth more|worth less|(?:more|less|fewer)(?: [a-z]+)*?|[a-z]+er)"
    r"(?:,|:| -)? (?:the )?(?P<a>[^,:]+?),? or (?P<b>[^,]+)"
    r"|(?:is|was|are|were|does|did|has|have) (?:the )?(?P<first>.+?) or (?P<second>.+?) "
    r"(?P<end>[a-z]+er|(?:more|less) [a-z]+|worth (?:more|less)"
    r"|(?:cost|weigh|earn|pay|take|last|have) (?:more|less)(?: [a-z]+)?)",
    re.I,
)


def either_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Which is heavier, the horse or the lion?": the one of both rows that has more of it."""
    found, names = _EITHER.fullmatch(text), names_of_rows(table)
    if found is None or not names:
        return
    rows = rows_of(f"{found['a'] or found['first']} or {found['b'] or found['second']}", table, today)
    by = _compared_by(found["head"] or "", (found["word"] or found["end"]).lower(), table)
    if rows is None or by is None or rows.asked or len(rows.filters) != 1:
        return
    (one,), (metric, way) = rows.filters, by
    if one.operator != "=" or len(one.values) != 2 or not (one.column and tells_apart(one.column, table.rows)):
        return
    yield Asked(table, "rows", metric, (), rows.filters, way, 1, tuple(dict.fromkeys((one.column, metric))))


def _compared_by(head: str, word: str, table: Table) -> tuple[Column, Way] | None:
    """The column that "heavier", "costs more" or "has fewer moons" compares, and which end is meant."""
    sides: tuple[tuple[str, Way], ...] = (("more", "down"), ("less", "up"))
    said = rows_of(head, table, None) if head.strip() else Rows()
    for key, way in sides:
        fits = [one for one in by_field(table, key, f"{word} than") if one.kind == "number"]
        if said is None or said.filters or said.asked:
            break  # "which is not heavier"
        fits = [one for one in fits if len(content(one)) == 1] if len(fits) > 1 else fits
        if fits:
            return (fits[0], way) if len(fits) == 1 else None
    verb, _, rest = (
        word.partition(" ") if word.split(maxsplit=1)[0] not in ("more", "less", "fewer") else ("", "", word)
    )
    much, _, what = rest.partition(" ")
    if much not in ("more", "less", "fewer"):
        return None
    rows = rows_of(f"{head} {verb} {what}".strip(), table, None)
    numbers = rows.numbers if rows and not rows.filters else []
    return (numbers[0], "down" if much == "more" else "up") if len(numbers) == 1 and not id_like(numbers[0]) else None
