"""What is asked, back in plain words that read as the same again, and questions that could be asked next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from agent.data.tables.questions import japanese
from agent.data.tables.questions.japanese_readings import listed, told
from agent.data.tables.questions.measure_words import CHARTS, COMPARED, DATED, MEASURES, TIMES
from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import written
from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, PHRASES, form, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Table,
    date_column,
    default_numbers,
    over_time,
    table_of,
    told_of,
    usual,
)
from agent.text.regex import regex
from agent.text.sums.phrases import Language


def question(asked: Asked, tables: Sequence[Table], language: Language = "en") -> str:
    """A short question that is read as ``asked``, with its mark at the end; "" where no words would be.

    It is in English where the language has no words for it.
    """
    wordings = [f"{described(asked, careful)}?" for careful in (False, True)]
    if language == "ja":
        end = "" if asked.chart else "は？"
        wordings = [*(f"{text}{end}" for text in (japanese.described(asked), told(asked)) if text), *wordings]
    for text in wordings:
        found = readings(text, tables, None)
        if found and written(found[0].asked) == written(asked) and found[0].asked.chart == asked.chart:
            return text
    return ""


def worded(asked: Asked, language: Language) -> str:
    """The words for it, whether they are read as the same again or not."""
    return (told(asked) if language == "ja" else "") or described(asked)


def described(asked: Asked, careful: bool = True) -> str:
    """The words for it; ``careful``: with quotation marks around all names."""
    text = f"{_what(asked, careful)} in {_table(asked.table, careful)}{_filters(asked.filters, careful)}"
    timed = any(group.period or group.column.kind in ("date", "number") for group in asked.groups)
    in_order = asked.groups and not asked.limit and (asked.order == "up" or (asked.order and timed))
    if in_order or _all_in_order(asked):
        text += ", lowest first" if asked.order == "up" else ", highest first"
    drawn = CHARTS.get(asked.chart, "") if asked.measure != "rows" else ""
    text = f"{text}, {drawn}" if drawn else text
    return text[:1].upper() + text[1:]


def name_of(column: Column, careful: bool) -> str:
    """As a person would write it, where that is not other words of the question."""
    plain = column.name.replace("_", " ")
    taken = any(
        (word,) in PHRASES or word in MONTHS or word in NUMBERS or word.isdigit() for word in words(column.name)
    )
    fits = re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+){0,4}", plain) and "(" not in column.called
    if fits and not careful and not taken:
        return plain
    return f"“{column.called if _is_told_by_its_head(column) else column.name}”"


_HEAD = regex(r"[\w .,:/%&°$€£¥#()'’+*=<>-]{1,60}")


def _is_told_by_its_head(column: Column) -> bool:
    """“Open to beginners”, not “open_to_beginners”; two columns under one head are told apart by their names alone."""
    head, name = words(column.called), words(column.name)
    numbered = name[-1:] != head[-1:] and name[-1:] and name[-1].isdigit()
    return bool(head) and not numbered and _HEAD.fullmatch(column.called) is not None


def _table(table: Table, careful: bool) -> str:
    columns = {word for column in table.columns for word in (*words(column.name), *words(column.label))}
    plain = table.name.replace("_", " ")
    fits = re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+){0,3}", plain) and not columns & {*words(table.name)}
    taken = any((word,) in PHRASES for word in words(table.name))
    return plain if fits and not careful and not taken else f"the table “{table.name}”"


def _what(asked: Asked, careful: bool) -> str:
    if asked.measure == "rows":
        return _rows(asked, careful)
    figure = figure_of(asked, careful)
    if asked.limit and asked.groups:
        count = f" {asked.limit}" if asked.limit > 1 else ""
        groups = " and ".join(_group(group, careful) for group in asked.groups)
        groups = _plural(groups) if count and len(asked.groups) == 1 else groups
        return f"{'bottom' if asked.order == 'up' else 'top'}{count} {groups} by {figure}"
    return figure + "".join(
        f"{' by ' if place == 0 else ' and by '}{_group(group, careful)}" for place, group in enumerate(asked.groups)
    )


def figure_of(asked: Asked, careful: bool = False) -> str:
    if asked.column is None:
        return "number of rows"
    name = name_of(asked.column, careful)
    if asked.measure == "count":
        return f"number of rows with {name}"
    if asked.measure == "distinct":
        return f"number of different {name}"
    words_of = TIMES if asked.column.kind == "date" else MEASURES
    return f"{words_of.get(asked.measure) or MEASURES[asked.measure]} {name}"


def unquoted(name: str) -> str:
    """Without the quotation marks around names, as above a column, where nothing follows them."""
    return name.translate({ord("“"): None, ord("”"): None})


def _group(group: Group, careful: bool) -> str:
    name = name_of(group.column, careful)
    return f"{group.period} of {name}" if group.period else name


def _extreme(asked: Asked) -> str:
    least = asked.order == "up"
    if asked.column and asked.column.kind == "date":
        return "earliest" if least else "latest"
    return "lowest" if least else "highest"


def _plural(name: str) -> str:
    """Where it is a plain word that is read as the same one again."""
    if re.search(r"[^aeiou]y$", name) and form(f"{name[:-1]}ies".split()[-1]) == form(name.rsplit(maxsplit=1)[-1]):
        return f"{name[:-1]}ies"
    word = re.search(r"[a-z]{3,}$", name)
    return f"{name}s" if word and form(f"{word[0]}s") == form(word[0]) and not word[0].endswith("s") else name


def _all_in_order(asked: Asked) -> bool:
    """Whether all rows are listed, by the figures of a column."""
    numbers = asked.column is not None and asked.column.kind == "number" and not asked.chart
    return asked.measure == "rows" and numbers and bool(asked.shown) and asked.limit >= max(2, asked.table.rows)


def _rows(asked: Asked, careful: bool) -> str:
    shown = " and ".join(name_of(column, careful) for column in listed(asked))
    ordered = name_of(asked.column, careful) if asked.column else ""
    if asked.chart == "histogram":
        return f"histogram of {ordered}"
    if asked.chart == "scatter":
        return f"scatter plot of {ordered} by {shown}"
    if _all_in_order(asked):
        return f"list {shown} by {ordered}"
    if asked.column and shown:
        count = f"{asked.limit} " if asked.limit > 1 else ""
        return f"{shown} with the {count}{_extreme(asked)} {ordered}"
    if asked.column:
        return f"{'bottom' if asked.order == 'up' else 'top'} {asked.limit} rows by {ordered}"
    if not shown and not asked.filters:
        return f"first {asked.limit} rows"
    return f"list {shown or 'rows'}"


def _filters(filters: Sequence[Filter], careful: bool) -> str:
    said = [_filter(one, careful) for one in filters if one.said != "-"]
    return f" where {' and '.join(said)}" if said else ""


def _filter(one: Filter, careful: bool) -> str:
    if one.column is None or one.sought:
        return f"“{one.values[0]}”"
    name = name_of(one.column, careful)
    if one.column.kind == "text" and one.operator in ("=", "<>"):
        values = " or ".join(f"“{value}”" for value in one.values)
        return f"{name} is {'not ' if one.operator == '<>' else ''}{values}"
    match one.operator:
        case "null":
            return f"missing {name}"
        case "true":
            return name if one.values == ("true",) else f"not {name}"
        case "year":
            return f"{name} in {' or '.join(one.values)}"
        case "month":
            return f"{name} in {' or '.join(map(told_of, one.values))}"
        case "between":
            return f"{name} between {one.values[0]} and {one.values[1]}"
        case _:
            return _compared(one, name)


def _compared(one: Filter, name: str) -> str:
    if one.said:
        return f"{name} {one.said}"
    if one.column and one.column.kind == "date":
        return f"{name} {DATED.get(one.operator, one.operator)} {one.values[0]}"
    values = " or ".join(one.values)
    operators = {"=": "=", "<>": "is not"}
    return f"{name} {operators.get(one.operator) or COMPARED[one.operator]} {values}"


MOST_GROUPS = 30


def suggested(asked: Asked | None, tables: Sequence[Table], language: Language = "en") -> tuple[str, ...]:
    """Up to two; after an answer, they go on from what it was of."""
    return tuple(islice(_questions(_after(asked) if asked else _first(tables[0]), tables, language), 2))


def alone(questions: Sequence[str], tables: Sequence[Table]) -> tuple[str, ...]:
    """Without the name of the table, where it is the only one."""
    named = r" in the table “[^“”]+”" if len(tables) == 1 else r"(?!)"
    return tuple(re.sub(named, "", text) for text in questions)


def opening(card: Mapping[str, Any], most: int = 3, language: Language = "en") -> tuple[str, ...]:
    """What to ask first of the table of a card: figures by group, one figure, and one as a chart."""
    table = table_of(card)
    if not table.columns:
        return ()
    candidates = list(_first(table))
    drawn = [replace(asked, chart="bar") for asked in candidates if asked.groups][:1]
    days = date_column(table)
    if days and candidates:
        drawn.append(replace(candidates[0], groups=(Group(days, over_time(days)),), chart="line"))
    return tuple(islice(_questions((*candidates[:2], *drawn, *candidates[2:]), [table], language), most))


def _questions(candidates: Iterable[Asked], tables: Sequence[Table], language: Language) -> Iterator[str]:
    """Those for which there are words, none of them twice."""
    told: set[str] = {""}
    for candidate in candidates:
        if (text := question(candidate, tables, language)) not in told:
            told.add(text)
            yield text


def _after(asked: Asked) -> Iterator[Asked]:
    if asked.groups and not asked.chart and asked.measure != "rows":
        yield replace(asked, chart="bar" if not asked.groups[0].period else "line")
    if not asked.groups and asked.measure != "rows":
        for column in grouping(asked.table, asked):
            yield replace(asked, groups=(Group(column),))
        if days := date_column(asked.table):
            yield replace(asked, groups=(Group(days, over_time(days)),))
    if asked.groups and asked.measure == "sum":
        yield replace(asked, measure="avg", chart="")
    yield Asked(asked.table, "count", filters=asked.filters)
    yield from _first(asked.table)


def grouping(table: Table, asked: Asked | None = None) -> list[Column]:
    """The columns with texts that rows may be grouped by, but for those that are filtered already."""
    filtered = [one.column for one in asked.filters] if asked else []
    return [
        column
        for column in table.of_kind("text")
        if 1 < (column.distinct or 0) <= min(MOST_GROUPS, table.rows - 1) and column not in filtered
    ]


def _first(table: Table) -> Iterator[Asked]:
    numbers = default_numbers(table)
    groups = grouping(table)
    for column in numbers[:2]:
        for group in groups[:1]:
            yield Asked(table, usual(column), column, (Group(group),))
        yield Asked(table, usual(column), column)
    for group in groups[:2]:
        yield Asked(table, "count", None, (Group(group),))
    yield Asked(table, "count")
