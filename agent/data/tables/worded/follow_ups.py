"""Follow-ups to what an answer told of a table: "those members", "that owner", "on the 5th", 「何日のこと」."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.sentence import says_name
from agent.data.tables.questions.table_schema import Asked, Table
from agent.text.regex import regex

_ONE_GROUP = regex(r"(?:Top|Bottom) “?(?P<column>[^“”]+?)”? by ")
_GROUP_TOLD = regex(r"^- (?P<name>[^:\n]+): [^\n]+$", re.M)
_THOSE = regex(
    r"\b(?!these days)(?:those|these|the same) (?P<noun>(?!are\b|is\b|were\b|was\b|do\b|have\b|that\b)[a-z]+)\b", re.I
)
_OF_ONE_NAME = regex(r"List (?P<column>[^,;“”]+?) in [^;]+? where [^“”;]+ is (?P<name>“[^“”]+”)$")
_ONE_LINE = regex(r"^- (?P<value>[^:\n]+)$", re.M)
_OTHER = regex(
    r"(?:which|what) others? (?P<noun>[a-z]+) (?:did|does|has|have|do|is|are) (?:that|this|the same) (?P<who>[a-z]+)"
    r"(?: (?:have|had|own|bring|brought|get|got|take|took)(?: (?:in|up|out))?| by)?",
    re.I,
)


def of_told_rows(bare: str, reading: str, answer: str) -> str | None:
    """``bare`` with the group or the name put in that the answer told alone; ``None`` where it told several or none."""
    group, told = _ONE_GROUP.match(reading), _GROUP_TOLD.findall(answer)
    if group and len(told) == 1 and _THOSE.search(bare):
        return _THOSE.sub(rf"the \g<noun> with {group['column']} “{told[0]}”", bare, count=1)
    one, lines = _OF_ONE_NAME.match(reading), _ONE_LINE.findall(answer)
    other = _OTHER.fullmatch(bare)
    if one and len(lines) == 1 and other and other["who"].lower() == one["column"].lower():
        return f"Which {other['noun']} with {one['column']} “{lines[0]}” is not {one['name']}?"
    return None


_DAY = regex(r"(?:and )?(?:on )?(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)", re.I)
_NUMBER = regex(r"(?:and )?(?:on|in|for|at|of)? ?(?P<number>\d+)", re.I)


def in_place_of(bare: str, made: Asked) -> str:
    """ "On the 5th" with the month of the day asked for before, "on 9" with what had a number; else as it is."""
    days = [one for one in made.filters if one.column and one.column.kind == "date" and one.operator == ">="]
    if (day := _DAY.fullmatch(bare)) and len(days) == 1 and re.fullmatch(r"\d{4}-\d\d-\d\d", days[0].values[0]):
        return f"on {days[0].values[0][:8]}{int(day['day']):02}"
    numbers = [one for one in made.filters if one.column and one.column.kind == "number" and one.operator == "="]
    if (number := _NUMBER.fullmatch(bare)) and len(numbers) == 1 == len(made.filters) and numbers[0].column:
        return f"“{numbers[0].column.called}” {number['number']}"
    return bare


_COUNTED = regex(
    r"Number of rows in (?P<table>[^;]+?)(?P<where> where [^;]+)?; (?P<count>how many )?"
    r"(?P<what>(?:the )?(?P<more>[^;]+?))",
    re.I,
)


def of_another_table(text: str, tables: Sequence[Table]) -> str:
    """ "How many members" in place of "Number of rows in books; how many members", where there is a table of them.

    Of only some of the books, "and members?" may be of only some members: it stays as it is.
    """
    if len(tables) < 2 or (counted := _COUNTED.fullmatch(text)) is None:
        return text
    named = [table for table in tables if says_name(counted["what"], table)]
    if len(named) != 1 or says_name(counted["table"], named[0]):
        return text
    alone = len(counted["more"].split()) == len(named[0].name.split("_"))
    return text if counted["where"] and (alone or not counted["count"]) else f"How many {counted['what']}"


_JAPANESE_ROWS = regex(r"「[^「」]+」(?:で|の「[^「」]+」が最)")
_LEANING = regex(
    r"(?:その|それ|そこ|このうち)?.{0,12}?(?:いくら|いつ|どこ|だれ|誰|どなた|何[^は]{1,5}|どう|どのくらい|どれくらい)"
    r"(?:のこと|に?なり(?:ます|ました)|つい(?:た|ている)|あり(?:ます|ました)|でし(?:た|ょう)|です)?か?"
    r"|.{1,12}?(?:だと|だったら|なら|の場合は?)(?:いくら|どう)?(?:です|でしょう)?か?"
    r"|(?:合計|平均|最大|最小|最高|最低|件数)(?:だと|なら|って)?|その(?:日|人|子|車|店|時)の.{1,10}?(?:は.{0,8})?"
    r"|(?:何年何月何日|何日|いつ)に.{1,8}?(?:人|もの|の)?(?:です|でした)?か?"
)


def leans_on_rows(text: str, told: str) -> bool:
    """Whether a short question may be of the rows that ``told`` says were asked for: 「合計いくら」, 「何日のこと」."""
    return _JAPANESE_ROWS.match(told) is not None and _LEANING.fullmatch(text) is not None
