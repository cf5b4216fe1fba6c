"""A problem in plainer words, before it is read: part and whole in one order, no unit that goes without saying."""

from __future__ import annotations

import re

# The unit that the result has anyway.
_IN_ITS_UNIT = re.compile(
    r"(\d ?(?:m|metres?|meters?)\b.*?) in (?:square (?:metres?|meters?)|m\^?2)\b"
    r"|(\d ?(?:km|kilomet\w+)\b.*?) in (?:km/h|kph|km per hour|kilomet\w+ per hour)\b"
    r"|(\d ?miles?\b.*?) in (?:mph|miles per hour)\b",
    re.I,
)
_ONE = r"(\d[\d.,]*[^\W\d_]{0,2}?)"
_FORMS = (  # the part of a whole in one order of words, offers and prices before what is taken off them
    (re.compile(r"\b(\d) for (\d) (?:deal|offer|promotion)(?: on)?\b", re.I), r"\1 for the price of \2"),
    (
        re.compile(
            r"([$€£]?\d[\d.]*(?: [a-z]+)?) before (?:an? |the )?(\d[\d.]*) ?% (?:discount|reduction)[.,;]? "
            r"(?:what|how much)[^?%]*\bafter\b[^?%]*",
            re.I,
        ),
        r"\1 \2% off",
    ),
    (re.compile(r"消費税(\d+)%でいくら"), r"消費税\1%込みでいくら"),
    (re.compile(r"(?<![\d./])(\d[\d.]*) ?[/÷] ?(\d[\d.]*)(?![\d/])(?=.*(?:[a-z ]percent|[a-z ]%))", re.I), r"\1 of \2"),
    (re.compile(rf"{_ONE} ?[/÷] ?{_ONE}(?:は何|を)(?:%|パーセント)"), r"\2のうち\1は何%"),
    (re.compile(rf"{_ONE}は{_ONE}の何(?:%|パーセント)"), r"\2のうち\1は何%"),
    (re.compile(rf"{_ONE}に対する{_ONE}の割合"), r"\1のうち\2は何%"),
)
# "A 25% tip is 12 dollars. What was the bill?"
_PART_TOLD = re.compile(
    r"(?<!incl)(?:^|[.,;] |\bif )(?:an? |the |my |our )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent) "
    r"(?:tip|tax|vat|discount|deposit|fee|commission|share) "
    r"(?:is|was|are|were|comes to|came to|makes|equals) (?P<part>[$€£]?\d[\d.,]*(?: [a-z]+)?)(?P<asked>[.,;?!] .*)?",
    re.I,
)
_WHOLE_ASKED = re.compile(r"[^%\d]*\b(?:bill|price|meal|cost|whole|full|original)\b[^%\d]*", re.I)
_FUEL = re.compile(r"(?<=\d) ?(?:l|lit(?:re|er)s?) ?/ ?100 ?km\b", re.I)


def plainer(text: str) -> str:
    """``text`` in those forms; "" where a part is told, and something else than its whole asked."""
    if part := _PART_TOLD.search(text):
        text = f"{part['part']} is {part['p']}% of what" if _WHOLE_ASKED.fullmatch(part["asked"] or "") else ""
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    return _FUEL.sub(" litres per 100 km", _IN_ITS_UNIT.sub(r"\1\2\3", text))
