"""A figure for each of two that are named, where one of both together would be read."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.data.tables.questions.table_schema import Asked, Group
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
