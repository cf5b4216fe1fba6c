"""What one column alone says in other words: a year in which something was, what nobody did, what did not sell, and all
kinds of what is counted.
"""

from __future__ import annotations

import re
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import form, words
from agent.data.tables.questions.table_schema import NAMING, Column, Table, id_like, measured
from agent.data.tables.worded.worded_columns import content, holds_amounts, holds_money, stem, stems_of
from agent.text.regex import regex

_YEAR = regex(r"(?:18|19|20|21)\d\d")
_PLACES_OF_YEAR = r"(?: (?P<way>in|during|from|of|before|after|since))? (?P<year>(?:18|19|20|21)\d\d)(?![\d/-]|\.\d)"
_LINKS = r"(?: (?:was|were|is|are|has|have|had|been|that|who|which|the|a|an|first))*"
_IS_YEAR = regex(r"\b(?:was|were|is|are|of) (?:18|19|20|21)\d\d", re.I)
_WAYS = {"before": "below ", "after": "over ", "since": "at least "}
_LITTLE = frozenset(("in", "on", "of", "the", "year", "at", "a", "to"))


def of_one_column(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """The question in words that every reader knows, and the table with the states that it speaks of."""
    if table.joined or "“" in text:
        return text, table
    for way in (_by_its_year, _nobody_did, _handed_in):
        text = way(text, table)
    for implies in (_unsold, _of_all_kinds):
        text, table = implies(text, table)
    return text, table


def _by_its_year(text: str, table: Table) -> str:
    """ "Whose queen was born in 2024" of a column "Queen born" with years, though another one has dates."""
    for column in table.of_kind("number"):
        named = [word for word in words(column.called) if word not in _LITTLE]
        years = all(_YEAR.fullmatch(end) for end in (column.least, column.most))
        if not years or not named or not table.of_kind("date"):
            continue
        name = _LINKS.join(rf" {re.escape(word)}(?:e?s)?" for word in named)
        lead = r"(?:,? (?:whose|with|having|have|has|had|that|which|who|where|an?|the|their|its|was|were|is|are|year))*"
        said = re.search(rf"{lead}{name}{_LINKS}{_PLACES_OF_YEAR}", text, re.I)
        if said is None or len(_YEAR.findall(text)) != 1:
            continue
        if len(named) == 1 and not (said["way"] or _IS_YEAR.search(said[0])):
            continue
        alone = re.search(r"\bhow many$", text[: said.start()], re.I)
        told = f" with {' '.join(named)} {_WAYS.get((said['way'] or '').lower(), '')}{said['year']}"
        return f"{text[: said.start()]}{' rows' if alone else ''}{told}{text[said.end() :]}"
    return text


_NOBODY = regex(
    r"(?:,? (?:that|which|who))?(?: (?:has|have|had|did))? (?:nobody|no[ -]?one)(?: (?:has|have|had|did))?"
    r"(?: (?:yet|ever|so far|still|else))* (?P<verb>[a-z]{3,})(?: (?:it|them|for))?(?: (?:yet|so far|up))*"
    r"(?=\W*$| (?:from|in|at|on|of)\b)",
    re.I,
)


def _nobody_did(text: str, table: Table) -> str:
    """ "Which things has nobody claimed yet" of a column "Claimed" with yes and no."""
    said = _NOBODY.search(text)
    if said is None or said.start() == 0:
        return text
    own = [one for one in table.of_kind("boolean") if stem(said["verb"].lower()) in stems_of(one)]
    if len(own) != 1:
        return text
    return f"{text[: said.start()]} are not {own[0].called.lower()}{text[said.end() :]}"


_HANDED_IN = regex(r"\b(?:(?:got|were|was|has been|have been|been|are|is) )?(?:handed|turned|brought) in\b", re.I)


def _handed_in(text: str, table: Table) -> str:
    """What was handed in was found, where a column tells when or by whom."""
    found = any("found" in content(one) for one in table.columns)
    own = any({"hand", "handed", "brought", "turned"} & content(one) for one in table.columns)
    return _HANDED_IN.sub("were found", text) if found and not own else text


_SOLD_FOR = frozenset(("hammer", "sold", "sale", "selling", "sell"))
_DID_NOT_SELL = regex(
    r"(?:\b(?:that|which|who) )?\b(?:(?:did|do|does|has|have|had|was|were|are|is)(?:n['’]t| not| never) (?:yet )?"
    r"(?:been )?(?:sell|sold)(?: yet)?|(?:failed|fail) to sell|(?:went|go|goes|remain(?:ed)?|stayed|are|is|were|was)"
    r" (?:still )?unsold|(?:got|had|have|has) no (?:bids?|buyers?))\b|\bunsold\b",
    re.I,
)
_DID_SELL = regex(
    r"(?P<rows>(?:which|what|how many) [^\d?]*?)(?: (?:that|which|who))?"
    r"(?: (?:did|were|was|are|is|have|has|got|been|actually))* (?:sold|sell)\W*",
    re.I,
)


def _unsold(text: str, table: Table) -> tuple[str, Table]:
    """ "What didn't sell" of a column with the price that each was sold for, empty where it was not."""
    prices = [one for one in table.columns if content(one) & _SOLD_FOR and one.kind in ("number", "text") and one.nulls]
    prices = [one for one in prices if "price" in content(one) or holds_money(one) or holds_amounts(one)]
    own = any({"sold", "unsold"} & content(one) and one.kind == "boolean" for one in table.columns)
    if len(prices) != 1 or own:
        return text, table
    if (sold := _DID_SELL.fullmatch(text)) and not _DID_NOT_SELL.search(text):
        implied = Column("sold", "Sold", "boolean")
        told = f"Sold: {prices[0].called} is told"
        made = f"{sold['rows']} are sold"
        return made, table.with_implied(implied, f"{quoted(prices[0].name)} IS NOT NULL", told)
    if not _DID_NOT_SELL.search(text):
        return text, table
    made = _DID_NOT_SELL.sub("are unsold", text, count=1) if _is_clause(text) else _DID_NOT_SELL.sub("unsold", text)
    made = re.sub(
        r"\b(?:what|which) (?:are|were) (?:the )?(?:\d+ |[a-z]+ )?(?P<noun>[a-z]+) (?=are unsold)",
        r"which \g<noun> ",
        made,
        flags=re.I,
    )
    made = re.sub(r"^what (?=are unsold)", "which rows ", made, flags=re.I)
    told = f"Unsold: {prices[0].called} is empty"
    return made, table.with_implied(Column("unsold", "Unsold", "boolean"), f"{quoted(prices[0].name)} IS NULL", told)


def _is_clause(text: str) -> bool:
    return re.search(r"\bunsold [a-z]", text, re.I) is None


_ALL_KINDS = regex(
    r"\b(?:of (?:all|every|any|each) (?:the )?(?:kinds?|sorts?|types?|species)(?: (?:together|combined|put together))?"
    r"|(?:all|every) (?:kinds?|sorts?|types?|species) of)\b ?",
    re.I,
)
_COUNTED = frozenset(("hour", "minute", "day", "week", "year", "total", "sum", "age", "temperature", "rank", "score"))


def _of_all_kinds(text: str, table: Table) -> tuple[str, Table]:
    """ "How many birds of all kinds did The Limes count" of a column for each kind."""
    said = _ALL_KINDS.search(text)
    kinds = [one for one in table.of_kind("number") if _is_count(one)]
    noun = re.search(r"\bhow many (?P<noun>[a-z]+)\s+$", text[: said.start()], re.I) if said else None
    noun = noun or (re.match(r"(?P<noun>[a-z]+)\b", text[said.end() :], re.I) if said else None)
    if said is None or noun is None or len(kinds) < 3:
        return text, table
    if form(noun["noun"].lower()) not in {form(word) for word in words(table.name)} or _names_kind(text, kinds):
        return text, table
    worked_out = " + ".join(f"coalesce({quoted(one.name)}, 0)" for one in kinds)
    told = f"All kinds: {' + '.join(one.called for one in kinds)}"
    column = Column("all_kinds", "All kinds", "number")
    text = re.sub(rf"\b{noun['noun']}\b ?", "", _ALL_KINDS.sub("", text, count=1), count=1, flags=re.I)
    text = re.sub(r"\bhow many\b", "how many “All kinds”", text, count=1, flags=re.I)
    return text, table.with_implied(column, worked_out, told)


def _is_count(column: Column) -> bool:
    whole = column.least.isdigit() and column.most.isdigit()
    return whole and not (id_like(column) or measured(column) or column.unit or content(column) & (_COUNTED | NAMING))


def _names_kind(text: str, kinds: list[Column]) -> bool:
    said = {form(word) for word in re.findall(r"[a-z]+", text.lower())}
    return any(content(one) & said for one in kinds)
