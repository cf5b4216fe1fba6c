"""Money that a question names by its currency, or as a share of another column: "the euro lots", "how many euros of
commission", "once the discount was taken off".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import form, words
from agent.data.tables.questions.table_schema import Column, Table, id_like
from agent.data.tables.worded.worded_columns import content, holds_amounts, holds_money, rate_of
from agent.text.regex import regex

_CURRENCIES = {
    "EUR": ("€", r"euros?|eur|€"),
    "GBP": ("£", r"pounds?(?: sterling)?|sterling|gbp|quid|£"),
    "USD": ("$", r"(?:us )?dollars?|usd|bucks|\$"),
    "JPY": ("¥", r"yen|jpy|¥"),
}
_WORDS = "|".join(f"(?P<{code}>{said})" for code, (_, said) in _CURRENCIES.items())
_NAMED = re.compile(rf"(?<![\w£€$¥])(?:{_WORDS})(?![\w£€$¥])", re.I)
_ANY = "|".join(said for _, said in _CURRENCIES.values())
_ROWS = r"(?:lots?|ones?|items?|rows?|things?|pieces?|[a-z]+s)"
_OF_CURRENCY = re.compile(
    rf",? ?\b(?:(?:just|only|but only|for|of|from|among|counting) )*(?:the )?(?:{_ANY}) {_ROWS}"
    r"(?: only| alone)?(?=\W*$|,)"
    rf"|,? ?\b(?:(?:just|only|but only) )?(?:those |the ones |what (?:was|is) )?(?:(?:that|which) )?"
    rf"(?:(?:are|were|was|is|priced|paid|sold|bought) )*in (?:{_ANY})(?: only| alone)?(?![\w£€$¥])",
    re.I,
)
_ASKS_MONEY = regex(r"\b(?:how much|total|sum|average|spen[dt]|cost|worth|price|add|highest|lowest|most|least)\b", re.I)


def of_money(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """The question in words that every reader knows, and the table with the money that it speaks of."""
    if table.joined or "“" in text:
        return text, table
    for way in (_of_share, _of_discount, _of_signs, _of_codes):
        made = way(text, table)
        if made is not None:
            return made
    return text, table


def _code_said(text: str) -> str:
    """The one currency that is named, "" where none or several are."""
    said = {one.lastgroup or "" for one in _NAMED.finditer(text)}
    return said.pop() if len(said) == 1 else ""


def _of_currencies(table: Table, code: str) -> list[Column]:
    """The columns that say the currency of each row, of which ``code`` is one."""
    return [one for one in table.of_kind("text") if "currency" in content(one) and code and code in one.known]


def _of_codes(text: str, table: Table) -> tuple[str, Table] | None:
    """ "Which yarns did I pay for in pounds" of a column "Currency" with EUR and GBP."""
    code = _code_said(text)
    own = _of_currencies(table, code)
    if len(own) != 1 or _ASKS_MONEY.search(text) or not re.match(r"\W*(?:which|what|list|show|how many)\b", text, re.I):
        return None
    found = list(_PAID_IN.finditer(text))
    if len(found) != 1:
        return None
    (said,) = found
    return f"{text[: said.start()]} with {own[0].called} {code}{text[said.end() :]}", table


_PAID_IN = re.compile(
    r"(?: (?:did|do|have) (?:i|we|you|they) (?:pay(?: for)?|paid(?: for)?|buy|bought|get|got|purchased?))?"
    r"(?: (?:that|which))?(?: (?:is|are|was|were|costs?|priced|paid|bought|sold))*(?: for)?"
    rf" in (?:{_ANY})(?![\w£€$¥])",
    re.I,
)


def _signed(table: Table) -> list[Column]:
    """Columns of text whose every value is an amount with a sign, of more than one currency."""
    return [one for one in table.of_kind("text") if holds_amounts(one) and len({value[0] for value in one.known}) > 1]


def _of_signs(text: str, table: Table) -> tuple[str, Table] | None:
    """ "Total of the hammer prices in euros", "which lots are in pounds", where the cells have the signs."""
    code, several = _code_said(text), _signed(table)
    if several and (compared := _compared(text, table, several)):
        return compared
    if not code or not several:
        return None
    bare, cut = _OF_CURRENCY.subn(" ", text)
    if not cut or _NAMED.search(bare):
        return None
    named = [(one, said) for one in several if (said := _name_of(one).search(bare))]
    if len(named) == 1:
        column, said = named[0]
        made = _in_currency(column, code)
        bare = f"{bare[: said.start()]}“{made.label}”{bare[said.end() :]}"
        return _tidy(bare), table.with_implied(
            made, _amount(column, code), f"{made.label}: as {column.called} tells it"
        )
    if named or _ASKS_MONEY.search(text):
        return None
    sign = _CURRENCIES[code][0]
    made = Column(f"in_{code.lower()}", f"In {code}", "boolean")
    worked_out = " OR ".join(f"coalesce({quoted(one.name)} LIKE '%{sign}%', FALSE)" for one in several)
    told = f"In {code}: {sign} in {' or '.join(one.called for one in several)}"
    return f"{_tidy(bare).rstrip(' ?.!')} are “{made.label}”", table.with_implied(made, f"({worked_out})", told)


_BEYOND = regex(
    r"(?P<how>over|above|under|below|more than|less than|at least|at most) (?P<sign>[£€$¥]) ?"
    r"(?P<much>\d[\d,]*(?:\.\d+)?)",
    re.I,
)


def _compared(text: str, table: Table, several: Sequence[Column]) -> tuple[str, Table] | None:
    """ "Which lots sold for over £50": those of that currency alone."""
    said = list(_BEYOND.finditer(text))
    named = [(one, name) for one in several if (name := _name_of(one).search(text))]
    if len(said) != 1 or len(named) != 1 or named[0][1].end() > said[0].start():
        return None
    (beyond,), ((column, name),) = said, named
    code = next(code for code, (sign, _) in _CURRENCIES.items() if sign == beyond["sign"])
    made = _in_currency(column, code)
    lead = re.sub(r"(?: (?:that|which|with|have|has|had|an?|the|were|was|is|are))+$", "", text[: name.start()].rstrip())
    asked = f"{lead} with “{made.label}” {beyond['how']} {beyond['much']}{text[beyond.end() :]}"
    return asked, table.with_implied(made, _amount(column, code), f"{made.label}: as {column.called} tells it")


def _tidy(text: str) -> str:
    return re.sub(r"\s+(?=[,?.!]|$)", "", re.sub(r" {2,}", " ", text))


def _name_of(column: Column) -> re.Pattern[str]:
    """The words of its heading in a question, in the plural or singular."""
    several = [re.escape(word.removesuffix("s")) for word in words(column.called)]
    return re.compile(rf"\b{'s? '.join(several)}(?:e?s)?\b", re.I)


def _in_currency(column: Column, code: str) -> Column:
    return Column(f"{column.name}_in_{code.lower()}", f"{column.called} in {code}", "number", code)


def _amount(column: Column, code: str) -> str:
    """The SQL of its amount, empty where it is in another currency; of a column of numbers these."""
    name, sign = quoted(column.name), _CURRENCIES[code][0] if code else ""
    if column.kind == "number":
        return name
    return f"CASE WHEN {name} LIKE '%{sign}%' THEN TRY_CAST(regexp_replace({name}, '[^0-9.]', '', 'g') AS DOUBLE) END"


_SHARES = frozenset(("commission", "fee", "deposit", "tax", "vat", "tip", "premium", "royalty", "surcharge"))
_BASES = frozenset(("hammer", "sold", "sale", "selling"))
_TAKEN = (
    r"(?: (?:does|did|do|will|is|was|has|have|would) (?:the |our |my |i |we |they )?(?:[a-z]+ )?"
    r"(?:take|takes|took|taken|get|gets|got|earn|earned|make|made|charge|charged|keep|kept|pay|paid|due|owed))?"
)


def _of_share(text: str, table: Table) -> tuple[str, Table] | None:
    """ "How many euros of commission does the club take on the brass engine", of 8% and the price it was sold for."""
    shares = [one for one in table.of_kind("number") if one.unit == "%" and content(one) & _SHARES]
    bases = [one for one in table.columns if content(one) & _BASES and (one in _signed(table) or _is_amount(one))]
    if len(shares) != 1 or len(bases) != 1:
        return None
    (share,), (base,) = shares, bases
    said = _share_said(text, share)
    code = _code_said(text)
    if said is None or (base.kind == "text") != bool(code) or re.search(r"percent|per cent|%|\brate\b", text, re.I):
        return None
    made = (
        _in_currency(share, code) if code else Column(f"{share.name}_paid", f"{share.called} paid", "number", base.unit)
    )
    worked_out = f"{quoted(share.name)} / 100.0 * {_amount(base, code)}"
    told = f"{made.label}: {share.called} of {base.called}"
    return f"“{made.label}” of {said}", table.with_implied(made, worked_out, told)


def _share_said(text: str, share: Column) -> str | None:
    """What the share is asked of; a doubled letter may be single."""
    heads = {_single(word) for word in content(share)}
    found = re.fullmatch(
        rf"\W*(?:how many (?:{_ANY})(?: of| in)?|how much|what(?:['’]s| is| was)(?: the)?) (?P<share>[a-z]+)"
        rf"(?: in (?:{_ANY}))?{_TAKEN}(?: (?:on|from|for|of)) (?P<what>[^?]+?)(?: in (?:{_ANY}))?[ ?.!]*",
        text,
        re.I,
    )
    return found["what"] if found and _single(found["share"].lower()) in heads else None


def _single(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", form(word))


def _is_amount(column: Column) -> bool:
    return column.kind == "number" and holds_money(column) and not id_like(column)


_TOTAL = r"(?:,? (?:in total|altogether|in all|all in|all together))?"
_OFF = r"(?: (?:taken|knocked|applied|deducted|come|came))?(?: off)?"
_LESS_DISCOUNT = regex(
    r"\W*(?:what|how much) (?:did|does|do|was|were|is|are) (?P<what>.+?) (?:(?:cost|costs|come to|came to|be|worth) )?"
    rf"(?:(?:me|us|you) )?{_TOTAL},? ?(?:once|after|when|with|less|minus|net of)(?: the| its| their| my)? discount"
    rf"(?: (?:was|is|were|has been|had been|got|comes|came))?{_OFF}{_TOTAL}[ ?.!]*",
    re.I,
)
_IN_ALL = regex(r"\b(?:cost|costs) (?:me|us)\b|\b(?:in total|altogether|in all|all in|all together)\b", re.I)
_EVERYTHING = regex(r"(?:it|they|everything|all|the lot|all of .+|all the .+|it all)", re.I)
_PAID_IN_ALL = re.compile(
    rf"\W*how much (?:money )?(?:did|have) (?:i|we|they|you) (?:pay|paid|spend|spent){_TOTAL}"
    rf" in (?:{_ANY}){_TOTAL}[ ?.!]*",
    re.I,
)


def _of_discount(text: str, table: Table) -> tuple[str, Table] | None:
    """ "What did the Linen cost once the discount was taken off", "how much did I spend in pounds": so many at a price
    each, less a discount where there is one.
    """
    shares = [one for one in table.of_kind("number") if one.unit == "%" and "discount" in content(one)]
    pairs = list(_pieces_at(table.of_kind("number")))
    if len(pairs) != 1 or len(shares) > 1:
        return None
    said, paid, code = _LESS_DISCOUNT.fullmatch(text), _PAID_IN_ALL.fullmatch(text), _code_said(text)
    own = _of_currencies(table, code)
    pieces, price = pairs[0]
    off = f" * (1 - {quoted(shares[0].name)} / 100.0)" if shares else ""
    worked_out = f"{quoted(pieces.name)} * {quoted(price.name)}{off}"
    what = f"{pieces.called} × {price.called}{f', less {shares[0].called}' if shares else ''}"
    if paid and len(own) == 1:
        made = Column("paid", "Paid", "number", code)
        asked = f"total “{made.label}” with {own[0].called} {code}"
    elif said and shares and _IN_ALL.search(text) and not _EVERYTHING.fullmatch(said["what"]):
        made = Column("cost_after_discount", "Cost after discount", "number", price.unit)
        asked = f"“{made.label}” of {said['what']}"
    else:
        return None
    return asked, table.with_implied(made, worked_out, f"{made.label}: {what}")


def _pieces_at(numbers: Sequence[Column]) -> Iterator[tuple[Column, Column]]:
    """ "Balls" and "Price per ball"."""
    for price in numbers:
        per = rate_of(price)
        if per and {"price", "cost"} & content(price):
            yield from (
                (one, price) for one in numbers if per in {form(word) for word in words(one.called)} and one != price
            )
