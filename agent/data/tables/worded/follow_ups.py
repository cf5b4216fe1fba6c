"""Follow-ups to what an answer told of a table: "those members", "that owner", "on the 5th", 「何日のこと」."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.data.tables.questions.sentence import says_name
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.worded.gone_on import gone_on, measured_again, put_over
from agent.data.tables.worded.said_plainly import asking_sentence
from agent.data.tables.worded.worded_rows import rows_of
from agent.text.regex import regex

_ONE_GROUP = regex(r"(?:Top|Bottom) “?(?P<column>[^“”]+?)”? by ")
_GROUP_TOLD = regex(r"^- (?P<name>[^:\n]+): [^\n]+$", re.M)
_THOSE = regex(
    r"\b(?!these days)(?:those|these|the same) (?P<noun>(?!are\b|is\b|were\b|was\b|do\b|have\b|that\b)[a-z]+)\b", re.I
)
_OF_ONE_NAME = regex(r"List “?(?P<column>[^,;“”]+?)”? in [^;]+? where “?(?P<where>[^“”;]+?)”? is (?P<name>“[^“”]+”)$")
# "And by how much?", "how much more than Ada?", "and her pay?" of one row that was told.
_THAN = regex(
    r"(?:and )?(?:by )?how much(?: (?:more|less|fewer|[a-z]{3,}er)"
    r"(?: (?:is|was) (?:it|that|he|she))?(?: than (?P<b>.+))?)?",
    re.I,
)
_BY = regex(r"[^;]+ with the (?:\d+ )?(?:highest|lowest) (?P<by>“[^“”]+”|[^“”]+?) in ")
_FIRST = regex(r"^- [^:\n]+: ([^,\n]+), .*$", re.M)
_OF_TWO = regex(r" where [^“”;]+ is (?P<a>“[^“”]+”) or (?P<b>“[^“”]+”)$")
_APART_JA = regex(
    r"(?P<b>[^、。?？の]{1,12}?)(?:さん)?との(?:差額?|違い)(?:は|って)?(?:いくら|どのくらい|どれくらい)?(?:です|なの)?か?"
)
_ONE_JA = regex(r"「[^「」]+」で「[^「」]+」が「(?P<a>[^「」]+)」の行の(?:「[^「」]+」と)?「(?P<what>[^「」]+)」")
_LINE = regex(r"^- ", re.M)
_HIS = regex(r"(?:and )?(?:(?:what is|what was|what are) )?(?:his|her|its|their) (?P<what>[a-z][a-z ]*)", re.I)
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
    if (than := _THAN.fullmatch(bare)) and (by := _BY.match(reading)):
        rows, two = _FIRST.findall(answer), _OF_TWO.search(reading)
        if than["b"] and len(rows) == 1:
            return f"difference in {by['by']} between “{rows[0]}” and {than['b']}"
        if two and not than["b"]:
            return f"difference in {by['by']} between {two['a']} and {two['b']}"
    if (apart := _APART_JA.fullmatch(bare)) and (told_ja := _ONE_JA.fullmatch(reading)):
        what = re.sub(r"[(（].*[)）]$", "", told_ja["what"])
        return f"{told_ja['a']}と{apart['b']}の{what}の差は？"
    one_row = len(_LINE.findall(answer)) == 1
    if (its := _HIS.fullmatch(bare)) and one_row and (of_one := _OF_ONE_NAME.match(reading)):
        return f"{its['what']} where {of_one['where']} is {of_one['name']}"
    one, lines = _OF_ONE_NAME.match(reading), _ONE_LINE.findall(answer)
    other = _OTHER.fullmatch(bare)
    if one and len(lines) == 1 and other and other["who"].lower() == one["column"].lower():
        return f"Which {other['noun']} with {one['column']} “{lines[0]}” is not {one['name']}?"
    return None


_READ = regex(r"^(?:I read this as|読み方): (?P<reading>.+)$", re.M)
# What was told of rows where not every word was read.
_NAMED = regex(
    r"(?:I could not read for sure what is asked, so here is what it names|My rules did not read “[^“”\n]+”, so"
    r" this is"
    r" no answer\. What the table has of the rest): \d+ of \d+ rows with "
    r"(?P<column>[A-Z][^“”;,(]*?)(?P<value> “[^“”]+”)? in (?P<table>\w+) \("
)
# "How many of them are jam?" of jars that were added up, and not of rows.
_PIECES = regex(r"(?:and |so )?how many\b", re.I)
_OF_PIECES = regex(r"(?:and )?how many of (?:them|those|these) (?:are|were|is|was) (?P<rows>.+?)[ ?.!]*", re.I)
_NOT_FOUND = regex(r"表 [^「」\n]+ に「[^「」]+」は見つかりませんでした|I found no “[^“”]+” in the table")
_FIGURE_ALONE = regex(
    r"(?:合計|平均|最大|最小|最高|最低|中央)[^。、?？全]{0,10}(?:は|って|だと)?[?？。]*"
    r"|(?:and |what(?:'s| is| was) |the )*(?:average|mean|median|total|highest|lowest)(?: [a-z]+){1,2}[ ?.!]*",
    re.I,
)
_PASSED_OVER_JA = regex(r"言葉の一部は読み飛ばしました。[^「」]*「[^「」]+」[がに]「(?P<value>[^「」]+)」の行")
_ANOTHER_JA = regex(
    r"(?P<name>[^、。?？はがのをに]{1,12}?)(?:さん|くん|ちゃん|様)?(?:は|だと|なら|だったら|の場合は?)?[?？]*"
)


def of_another_row(bare: str, before: str, answer: str) -> str | None:
    """「レオは？」 after 「モモが来たのは？」, of which the answer told the rows of モモ without reading all of it.

    And what goes on with the rows that were told: "what do they come to?".
    """
    read, named = _READ.search(answer), _NAMED.match(answer)
    told = f"List rows in {named['table']} where {named['column']}{named['value'] or ''}" if named else ""
    told = read["reading"].rstrip() if read else told.replace(" “", " is “")
    pieces = _OF_PIECES.fullmatch(bare) if told.startswith("Total ") and _PIECES.match(before) else None
    if pieces:
        return f"{told}; {pieces['rows']}"
    if told and (going_on := gone_on(bare, told, answer)):
        return going_on
    if _NOT_FOUND.match(answer) and _FIGURE_ALONE.fullmatch(bare):
        return f"{before.rstrip(' ?？。')}; {bare}"  # it is of those rows, and of no others
    unread, about = named if named and answer.startswith("My rules") else None, _ABOUT.fullmatch(bare)
    value = (unread["value"] or "").strip(" “”") if unread else ""
    if value and about and len(re.findall(re.escape(value), before, re.I)) == 1:
        return re.sub(re.escape(value), lambda _: about["name"], before, flags=re.I)  # it is declined again
    passed, other = _PASSED_OVER_JA.match(answer), _ANOTHER_JA.fullmatch(bare)
    if passed is None or other is None or before.count(passed["value"]) != 1 or passed["value"] == other["name"]:
        return None
    return before.replace(passed["value"], other["name"])


_ABOUT = regex(r"(?:(?:and|so|ok|then)[ ,]+)*(?:what|how) about (?:the )?(?P<name>[^?.!,;]+?)[ ?.!]*", re.I)
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


_ALSO = regex(
    r"^(?:(?:and|only|just|but|what about|how about|now|then|the|those|in|for|of|from|his|her|its|their)\b,?"
    r" ?)+(?=\S)",
    re.I,
)


_OWN = regex(r"only (?:his|her|its|their) ", re.I)  # "just his visits" are all of them


def over_before(bare: str, made: Asked, turn: int, today: date | None) -> Asked | None:
    """What ``made`` asks, with what a follow-up changes of it; ``None`` where a word of it is not accounted for."""
    if again := measured_again(bare, made, made.table):
        return again
    added = asking_sentence(in_place_of(bare, made), made.table)
    rows, only = rows_of(_ALSO.sub("", added, count=1), made.table, today), added.startswith("only ")
    if rows is None or rows.asked or made.limit == 1:
        return None
    if not rows.filters and not (rows.named and _OWN.match(added)):
        return None
    return put_over(made, rows.filters, turn, only)


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
    r"(?:その|それ|そこ|このうち)?.{0,12}?(?:いくら|いつ|どこ|(?:だれ|誰|どなた)(?:の[一-龯]{1,4})?|何[^は]{1,5}|どう|どのくらい|どれくらい)"
    r"(?:のこと|に?なり(?:ます|ました)|つい(?:た|ている)|あり(?:ます|ました)|でし(?:た|ょう)|です)?か?"
    r"|.{1,12}?(?:だと|だったら|なら|の場合は?)(?:いくら|どう)?(?:です|でしょう)?か?"
    r"|(?:合計|平均|最大|最小|最高|最低|件数)(?:だと|なら|って)?|その(?:日|人|子|車|店|時)の.{1,10}?(?:は.{0,8})?"
    r"|(?:何年何月何日|何日|いつ)に.{1,8}?(?:人|もの|の)?(?:です|でした)?か?"
)


def leans_on_rows(text: str, told: str) -> bool:
    """Whether a short question may be of the rows that ``told`` says were asked for: 「合計いくら」, 「何日のこと」."""
    if _THAN.fullmatch(text) and _BY.match(told):
        return True
    apart = _APART_JA.fullmatch(text) is not None
    return _JAPANESE_ROWS.match(told) is not None and (apart or _LEANING.fullmatch(text) is not None)


# "How many of them are neutered?", 「そのうち…」, where what was told is narrowed to some rows.
THEM = regex(
    r"\b(?:which|what) (?:of|among) (?:them|these|those)\b|\bwhich ones?(?= (?:is|are|was|were|has|have|had)\b)"
    r"|,? ?\b(?:of|among) (?:them|these|those)\b|\btheir\b"
    r"|^(?:そのうち|その中で|(?:その|この)人たち|このうち|これらの|それらの)(?:、|の|で)?",
    re.I,
)
NARROWED = regex(r"(?P<where> in (?P<table>[^;]+?) where [^;]+)$|^「[^「」]+」で")
_PLURAL = regex(r" (?:are|were|have|had|do|did|weigh|cost)\b")


def among_them(bare: str, reading: str) -> str | None:
    """The question of those rows alone that the answer before was of."""
    them, narrowed = THEM.search(bare), NARROWED.search(reading)
    if them is None or narrowed is None:
        whole = them and "of" in them[0] and reading.startswith("Number of rows in ")
        return f"{bare[: them.start()]} rows{bare[them.end() :]}" if them and whole else None
    rest = bare[them.end() :]
    if not them[0].lower().startswith(("which", "what")):
        return f"{reading}; {bare[: them.start()]}{'the' if them[0] == 'their' else ''}{rest}"
    noun = narrowed["table"].removeprefix("the table ").strip("“”")
    noun = noun if _PLURAL.match(rest) else noun.removesuffix("s")
    return f"{bare[: them.start()]}which {noun}{rest}{narrowed['where']}"
