"""Follow-ups that go on with the rows that were told: what they add up to, which came second, another column of them.

What leans on them is put behind a ";" without the table at hand, and read with it then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agent.data.tables.questions.sentence import narrowed
from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Measure,
    Table,
    default_numbers,
    id_like,
    usual,
)
from agent.data.tables.worded.everyday_wordings import in_table_words, money_in
from agent.data.tables.worded.orders_said import ordered_by
from agent.data.tables.worded.rows_said import number_in
from agent.data.tables.worded.worded_columns import by_field, content, names_of_rows, stem
from agent.data.tables.worded.worded_figures import whole_column
from agent.text.regex import regex

_ALL = r"(?: (?:all|in total|together|altogether|all together|combined|in all|in sum|all in all))*"
_COMES_TO = r"(?:add up to|come to|cost|amount to|run to|work out at|total|make)"
_THEY = r"(?:they|those|these|that|it|all of (?:them|those|these)|them all)"
_DO_THEY = r"(?:do|did|does|have|has|is|are|was|were) (?:they|those|these|that|it)(?: all)?"
_TOTAL = regex(
    rf"(?:what|how much)(?: money)? (?:do|does|did|would|will) {_THEY}(?: all)? {_COMES_TO}{_ALL}"
    rf"|(?:what|how much)(?: money)? (?:is|was|are|were) {_THEY}"
    r"(?: (?:all|in total|together|altogether|all together|combined|in all|in sum))+"
    # "What does the Anchor cost?", "what does the hammer cost?" are of one thing that is named.
    r"|(?:what|how much)(?: money)? (?:do|does(?= (?:the|their) (?:lot|rest|whole|total|sum|set)\b)|did|would|will)"
    rf" (?:the|their) (?P<noun>(?-i:[a-z])[a-z ]*?) {_COMES_TO}{_ALL}"
    r"|how (?:many|much) (?P<many>[a-z]+(?: [a-z]+(?= (?:do|did|does|have|are|were) (?:they|those|these)\b))?)"
    rf" {_DO_THEY}(?: (?P<verb>[a-z]+)(?<!in))?{_ALL}"
    rf"|how (?P<how>far|long|heavy|big) {_DO_THEY}(?: (?P<does>[a-z]+)(?<!in))?{_ALL.removesuffix('*')}+"
    r"|(?:add|sum|total|tot)(?: up| together)?(?: (?:them|those|these|that|it)(?: all)?)?(?: up| together)?"
    r"|(?:add|sum|total|tot)(?: up| together)? (?:their|the|those|these|his|her|its)"
    r" (?P<added>(?!same\b)[a-z][a-z ]*?)"
    r"(?: up| together)?"
    r"|(?:what(?:'s| is| was) )?(?:the|their) (?:total|sum|overall total)(?: of (?:them|those|these|that))?"
    r"|(?:and )?(?:in total|altogether|all together|in all)",
    re.I,
)
_PAID = regex(r"\b(?:cost|pay|money)\b", re.I)
_LIGHT = ("have", "has", "take", "took", "cover", "make", "made", "cost", "got", "get", "weigh", "last", "come", "add")
_IN_MONEY = regex(
    r"\b(?:how (?:much|many|far|long|heavy)|add up to|come to|cost|amount to|run to)\b|^(?:add|sum|total|tot) [a-z]",
    re.I,
)
# "How much of that went on Biscuit?" of a total, "only the fruit" and "leave out the chutneys" of rows.
_PART_OF = regex(
    r"how much of (?:that|it|this)(?: (?:money|total|amount|sum))?"
    r"(?: (?:was|is|were|are|did|does|went|goes|came|comes|has|have|been|spent|paid(?= (?:for|on|to)\b)))*"
    r" (?P<rows>.+)",
    re.I,
)
_NARROWED = regex(r"(?P<only>only|just) (?P<rows>.+)", re.I)
_LEFT_OUT = regex(
    r"(?:please )?(?:but )?(?:without|leave out|leaving out|except(?: for)?|excluding|exclude|ignore|ignoring"
    r"|skip|drop"
    r"|not counting|apart from) (?P<rows>.+)",
    re.I,
)
_COUNT = regex(
    r"how many (?:(?:rows|times|of them|(?P<noun>[a-z]+s)) )?"
    r"(?:(?:is|are|was|were) (?:that|those|these|they|it)|were there)"
    r"(?: all| altogether| in total| in all)*",
    re.I,
)
_PLACES = {
    "second": 2, "2nd": 2, "runner-up": 2, "runner up": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5,
}  # fmt: skip
_NTH = regex(
    r"(?:(?:what|which|who)(?: one)?(?:'s| is| was| were| are| came| comes| ranks| ranked| finished)?(?: in| the)* )?"
    rf"(?:the )?(?P<nth>{'|'.join(_PLACES)})"
    r"(?: (?:one|place|(?P<end>best|worst|(?:most|least)(?: [a-z]+)?|[a-z]{3,}est)))?",
    re.I,
)
_SOME_AT_END = regex(
    r"(?:the )?(?P<number>two|three|four|five|six|ten|\d{1,2}) (?P<end>[a-z]{3,}est|(?:most|least) [a-z]+)(?: ones)?",
    re.I,
)
_END_OF_THOSE = regex(
    r"(?:which|what|who)(?: ones?)? of (?:them|those|these) (?:is|was|are|were)"
    r" (?:the )?(?P<a>(?:most |least )?[a-z]+)"
    r"|(?:(?:which|what|who)(?: one)?(?:'s| is| was) )?the (?P<b>[a-z]{3,}est|(?:most|least) [a-z]+)(?: one)?"
    r" of (?:them|those|these|the rows)",
    re.I,
)
_ALL_OF_THEM = regex(r"(?:in total|altogether|all together|in all)", re.I)
_OF_MANY = regex(r"(?:Number of (?:different )?(?!.* by )|List |“?[^;“”]+”? (?:and [^;]+ )?with the ).* in ")
_RANKED = regex(r"(?:Top|Bottom) [^;]+ by |.+ with the (?:\d+ )?(?:highest|lowest|earliest|latest) ")
_OTHERS = regex(
    r"how many (?:that |which |who |of them )?(?:are|is|do|have|has|does|did|were|was)(?: not|n['’]t)", re.I
)
_REST = regex(
    r"(?:(?:what|how) about )?(?:(?:all )?(?:of )?the (?:others|other ones|rest)(?: of (?:them|it))?"
    r"|(?:everything|everyone|everybody|anything) else)",
    re.I,
)
_FIGURE = regex(r"(?:Total|Average|Median|Highest|Lowest|Number of) ")
_ONE_FIGURE = regex(r"List (?:“[^“”]+”|(?:(?! and )[^“”;,])+?) in [^;]+ where ")
_BARE = regex(r"(?:the )?[A-Za-z][a-z-]*(?: [a-z-]+)?", re.I)
_NO_VALUE = regex(
    r"(?:his|her|its|their|my|our|your"
    r"|why|how|what|who|when|where|which|really|sure|yes|no|ok|okay|thanks?|please|and|so|more|less|else|again|right"
    r"|good|great|nice|wrong|correct|next|first|last|hello|hi|help|stop|all|both|total|same|it|that|this"
    r"|together|altogether|combined|average|mean|median|minimum|maximum|[a-z]+est|percent[a-z]*|difference"
    r"|opposite)\b",
    re.I,
)
_OWNED = regex(r"(?:who|which (?:person|owner)s?) (?:owns?|has|have) (?:them|those|these)(?: all)?", re.I)
_THEIR_TOTAL = regex(
    r"what (?:are|is|were|was) (?:their|the) (?P<added>[a-z]+(?: [a-z]+)?) (?:in total|altogether|all together|in"
    r" all)",
    re.I,
)
_POINTED = regex(r"(?P<asks>(?:when|where|who|what|how (?:much|long|far|old|big))\b.* )(?:that|this)(?: one)?", re.I)
_ONE_ROW = regex(r"^- ([^:\n]+): ([^,\n]+), .*$", re.M)


_WHICH_JA = regex(
    r"(?:(?:それ(?:ら)?|これ(?:ら)?|その[一-龯ァ-ヶー]{1,5})(?:は|って|の(?:名前|題名)は))?、?"
    r"(?:どれ|何|なに|どこ|どの[一-龯ァ-ヶー]{1,4})(?:です|でしょう)?か?[?？。]*"
)
_MOST_JA = regex(
    r"(?:一番|いちばん|最も|もっとも)[^。、?？]{1,12}?(?:の|もの|[一-龯]{1,2})(?:は|って)"
    r"(?:どれ|何|誰|だれ|どこ)?(?:です|でしょう)?か?[?？。]*"
)
_ROWS_JA = regex(r"「[^「」]+」で(?:「[^「」]+」[^;]*?)の行(?P<told>の数|の「[^「」]+」)$")


def _gone_on_ja(asked: str, reading: str) -> str | None:
    """「それはどれ？」 of the rows that were counted, 「一番安いのは？」 of those that were listed."""
    rows = _ROWS_JA.match(reading)
    if rows and rows["told"] == "の数" and _WHICH_JA.fullmatch(asked):
        return asked
    return asked if rows and rows["told"] != "の数" and _MOST_JA.fullmatch(asked) else None


def gone_on(asked: str, reading: str, answer: str) -> str | None:
    """``asked`` behind how the question before was read, where it goes on with the rows that ``answer`` told of."""
    bare = _bare(asked)
    rows = _ONE_ROW.findall(answer)
    if going_on := _gone_on_ja(asked, reading) or _edits(asked, reading) or _in_known_words(bare, reading):
        return f"{reading}; {going_on}"
    if len(rows) == 1 and (pointed := _POINTED.fullmatch(bare)):
        return f"{pointed['asks']}“{rows[0][1]}”"
    of_money = reading.startswith("List ") or _IN_MONEY.search(bare)  # "and in total?" of a count are more rows
    if _TOTAL.fullmatch(bare) and _OF_MANY.match(reading) and len(rows) != 1 and of_money:
        return f"{reading}; {bare}"
    end = _END_OF_THOSE.fullmatch(bare) if reading.startswith("List ") and " where " in reading else None
    if end:
        return f"{reading}; the {end['a'] or end['b']} of the rows"
    if _ALL_OF_THEM.fullmatch(bare) and reading.startswith("Number of rows in ") and " where " in reading:
        return reading.partition(" where ")[0]
    if (_NTH.fullmatch(bare) or _SOME_AT_END.fullmatch(bare)) and _RANKED.match(reading):
        return f"{reading}; {bare}"
    if _OTHERS.fullmatch(bare) and reading.count(" where ") == 1 and " and " not in reading:
        kind = " is " if " is “" in reading else " where "
        return reading.replace(kind, f"{kind}not ", 1) if reading.startswith("Number of") else None
    if _REST.fullmatch(bare):
        return _turned(reading)
    of_figure = " where " in reading or " by " in reading
    if (
        "?" in asked
        and of_figure
        and (_FIGURE.match(reading) or _ONE_FIGURE.match(reading))
        and _BARE.fullmatch(bare)
        and not _NO_VALUE.match(bare)
    ):
        return f"{reading}; {bare}"
    return None


def _in_known_words(bare: str, reading: str) -> str:
    """ "Who owns them?" and "what are their fees in total?" in the words that the readers know."""
    if not reading.startswith(("Number of rows in ", "List ")):
        return ""
    if fees := _THEIR_TOTAL.fullmatch(bare):
        return f"total the {fees['added']}"
    return "whose are they" if _OWNED.fullmatch(bare) else ""


def _turned(reading: str) -> str | None:
    """Of all other rows, where one filter tells which they were."""
    if reading.count(" where ") != 1 or re.search(r" (?:and|or) |; ", reading.partition(" where ")[2]):
        return None
    text, several = re.subn(r"( is| where) not (?=“|[^ ]+$)", r"\1 ", reading)
    if not several:
        text, several = re.subn(r" is (?=“)| where (?=(?:“[^“”]+”|[^ “”]+)$)", r"\g<0>not ", reading)
    return text if several == 1 else None


def _bare(said: str) -> str:
    return re.sub(
        r"^(?:(?:and|so|but|then|ok|okay|please)[, ]+)+|,?(?: please| pls)?[ ?!.]*$", "", said.strip(), flags=re.I
    )


def _edits(asked: str, reading: str) -> str:
    """What each sentence changes of the rows before, put apart by ";"; "" where one of them changes nothing."""
    said: list[str] = []
    for bare in map(_bare, _SENTENCES.split(asked.strip())):
        part, only, out = _PART_OF.fullmatch(bare), _NARROWED.fullmatch(bare), _LEFT_OUT.fullmatch(bare)
        counts = " where " in reading and reading.startswith(("List ", "Total ", "Average ")) and _COUNT.fullmatch(bare)
        if part and not said and reading.startswith("Total "):
            said.append(part["rows"])
        elif found := only or out:
            said.append(f"{'only' if only else 'not'} {found['rows']}")
        elif counts and not said:
            said.append(bare)
        else:
            return ""
    return "; ".join(said) if all(len(one.split()) <= _MOST_WORDS and ";" not in one for one in said) else ""


_SENTENCES, _MOST_WORDS = regex(r"(?<=[.?!]) +"), 12
_BOUNDS = ("<", "<=", ">", ">=")


def put_over(made: Asked, own: Sequence[Filter], turn: int, only: bool) -> Asked:
    """With the filters of a follow-up; with ``only``, a bound to one side goes beside those there were."""
    filters = list(made.filters)
    for one in own:
        if only and one.operator in _BOUNDS and sum(each.column == one.column for each in own) == 1:
            filters = [replace(each, turn=turn) if each.column == one.column else each for each in filters]
        filters.append(replace(one, turn=turn))
    return replace(made, filters=tuple(narrowed(filters)))


def measured_again(bare: str, made: Asked, table: Table) -> Asked | None:
    """What the rows that ``made`` is of add up to, which is at another place among them, or another figure of them."""
    if nth := _NTH.fullmatch(bare):
        same = not nth["end"] or _same_end(made, nth["end"], table)
        return _at_place(made, _PLACES[nth["nth"].lower()], table) if same else None
    if (several := _SOME_AT_END.fullmatch(bare)) and made.order and made.column:
        by = ordered_by(several["end"], made.column, table)
        limit = number_in(0, tokens(several["number"]))
        return replace(made, order=by[1], limit=int(limit)) if by and limit.isdigit() else None
    if end := _END_OF_THOSE.fullmatch(bare):
        return _at_end(made, end["a"] or end["b"], table)
    counted = _COUNT.fullmatch(bare)
    if counted and made.filters and not (made.groups or made.order or made.table.joined):
        rows = {stem(word) for one in table.columns if id_like(one) or one is table.columns[0] for word in content(one)}
        if counted["noun"] and stem(counted["noun"].lower()) not in rows | {*map(stem, words(table.name)[-1:])}:
            return None
        return Asked(table, "count", None, (), made.filters)
    if total := _TOTAL.fullmatch(bare):
        return _in_total(bare, total, made, table)
    bare = re.sub(r"^(?:the|on|in|for|of) ", "", in_table_words(bare, table), flags=re.I)
    column = whole_column(bare, table, ("number",))
    if column and made.column and column != made.column and made.measure in ("sum", "avg", "median", "min", "max"):
        return None if id_like(column) else replace(made, column=column)
    of_one = made.measure == "rows" and len(made.shown) == 1 and made.shown[0].kind == "number" and not made.order
    return replace(made, shown=(column,)) if column and of_one and not id_like(column) else None


def _in_total(bare: str, said: re.Match[str], made: Asked, table: Table) -> Asked | None:
    """What the figures of the rows come to, of the column that is named or was told, or of what is paid for them."""
    if made.measure not in ("rows", "count", "distinct") or made.groups or made.order or made.table.joined:
        return None
    if made.measure != "rows" and not _IN_MONEY.search(bare):
        return None  # "and in total?" of a count are all rows
    noun = said["noun"] or said["many"] or said["added"]
    if noun or said["how"]:
        several = by_field(table, "how", said["how"].lower()) if said["how"] else []
        several = several or list(filter(None, [whole_column(noun, table, ("number",)) if noun else None]))
        column = several[0] if len(several) == 1 else None
    else:
        column = _added_up(made, table, bool(_PAID.search(bare)))
    verb = said["verb"] or said["does"] or "have"
    if column is None or not (verb.lower() in _LIGHT or stem(verb.lower()) in {stem(one) for one in content(column)}):
        return None
    fits = not id_like(column) and (not (said["many"] or said["how"]) or usual(column) == "sum")
    return Asked(table, "sum", column, (), made.filters) if fits else None


def _same_end(made: Asked, word: str, table: Table) -> bool:
    by = ordered_by(word, made.column, table) if made.column else None
    return by is not None and by[1] == (made.order or {"max": "down", "min": "up"}.get(made.measure))


def _at_end(made: Asked, word: str, table: Table) -> Asked | None:
    """ "The cheapest of those": of the rows that were listed."""
    by, names = ordered_by(word, None, table), names_of_rows(table)
    if by is None or not names or made.measure != "rows" or made.groups or made.order:
        return None
    return Asked(table, "rows", by[0], (), made.filters, by[1], 1, (*names, by[0]))


def _added_up(made: Asked, table: Table, paid: bool) -> Column | None:
    """The one column of figures that was told of the rows; or of what is ``paid`` for them, where none was."""
    told = [one for one in made.shown if one.kind == "number" and not id_like(one)]
    several = money_in("", table) or default_numbers(table)
    found = several if paid or not told else told
    return (
        found[0] if len(found) == 1 and (found is several or usual(found[0]) == "sum" or found[0] in several) else None
    )


def _at_place(made: Asked, place: int, table: Table) -> Asked | None:
    """The first rows of them, down to that place."""
    if made.order and made.limit == 1:
        return replace(made, limit=place)
    ends: dict[Measure, Literal["up", "down"]] = {"max": "down", "min": "up"}
    names = names_of_rows(table)
    if made.measure in ends and made.column and not made.groups and names:
        told = (*names, made.column)
        return Asked(table, "rows", made.column, (), made.filters, ends[made.measure], place, told)
    return None
