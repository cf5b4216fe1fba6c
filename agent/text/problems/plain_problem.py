"""A problem in plainer words, before it is read: part and whole in one order, no unit that goes without saying."""

from __future__ import annotations

import re

from agent.text.regex import regex

# The unit that the result has anyway.
_IN_ITS_UNIT = regex(
    r"(\d ?(?:m|metres?|meters?)\b.*?) in (?:square (?:metres?|meters?)|m\^?2)\b"
    r"|(\d ?(?:km|kilomet\w+)\b.*?) in (?:km/h|kph|km per hour|kilomet\w+ per hour)\b"
    r"|(\d ?miles?\b.*?) in (?:mph|miles per hour)\b",
    re.I,
)
_ONE = r"(\d[\d.,]*[^\W\d_]{0,2}?)"
_NOT_ALL = r"(?![^?%]*\b(?:sav\w+|less|off|difference|cheaper)\b)"
_FORMS = (  # the part of a whole in one order of words, offers and prices before what is taken off them
    (regex(r"\b(\d) for (\d) (?:deal|offer|promotion)(?: on)?\b", re.I), r"\1 for the price of \2"),
    (
        regex(
            r"([$€£]?\d[\d.]*(?: [a-z]+)?) before (?:an? |the )?(\d[\d.]*) ?% (?:discount|reduction)[.,;]? "
            rf"(?:what|how much){_NOT_ALL}[^?%]*\bafter\b[^?%]*",
            re.I,
        ),
        r"\1 \2% off",
    ),
    (
        regex(r"((?:vat|tax|tip) (?:on|of|for) (?:an? |the )?(?:bill of )?)(\d[\d.]*) (?:pounds|quid)\b(?! of)", re.I),
        r"\1£\2",
    ),
    (regex(r"(\b(?:with|at|gets?|got|has|now) \d[\d.]* ?(?:%|percent)) of(?= ?[,.;?]|$)", re.I), r"\1 off"),  # misspelt
    (regex(r"\bratio (?:of )?(\d+) ?: ?(\d+)", re.I), r"ratio \1 to \2"),
    (regex(r"(?<![\d.,£€$])(\d\d)p(?= (?:an?|per|each)\b)", re.I), r"£0.\1"),
    (regex(r"消費税(\d+)%でいくら"), r"消費税\1%込みでいくら"),
    (regex(r"(?<![\d./])(\d[\d.]*) ?[/÷] ?(\d[\d.]*)(?![\d/])(?=.*(?:[a-z ]percent|[a-z ]%))", re.I), r"\1 of \2"),
    (regex(rf"{_ONE} ?[/÷] ?{_ONE}(?:は何|を)(?:%|パーセント)"), r"\2のうち\1は何%"),
    (regex(rf"{_ONE}は{_ONE}の何(?:%|パーセント)"), r"\2のうち\1は何%"),
    (regex(rf"{_ONE}に対する{_ONE}の割合"), r"\1のうち\2は何%"),
)
_PRICE_BEFORE = regex(r"\d(?: [a-z]+)? before (?:an? |the )?\d[\d.]* ?% (?:discount|reduction)\b", re.I)
# "A 25% tip is 12 dollars. What was the bill?"
_PART_TOLD = regex(
    r"(?<!incl)(?:^|[.,;] |\bif )(?:an? |the |my |our )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent) "
    r"(?:tip|tax|vat|discount|deposit|fee|commission|share) "
    r"(?:is|was|are|were|comes to|came to|makes|equals) (?P<part>[$€£]?\d[\d.,]*(?: [a-z]+)?)(?P<asked>[.,;?!] .*)?",
    re.I,
)
_WHOLE_ASKED = regex(
    r"(?![^%\d]*\b(?:with|incl\w*|plus|total|now|left|after|remain\w*|rest|share|sav\w+|new|final|sale|reduced"
    r"|discounted|pay)\b)"
    r"[^%\d]*\b(?:bill|price|meal|cost|whole|full|original)\b[^%\d]*",
    re.I,
)
# "A box 30 by 20 by 15 cm": each side is in the unit of the last.
_SIDES = regex(
    r"(?<![\w.])(\d[\d.]*)(?: ?x ?| by )(\d[\d.]*)(?:(?: ?x ?| by )(\d[\d.]*))? ?"
    r"(mm|cm|m|met(?:er|re)s?|inch(?:es)?|feet|foot|ft|yards?)\b",
    re.I,
)
_FUEL = regex(r"(?<=\d) ?(?:l|lit(?:re|er)s?) ?/ ?100 ?km\b", re.I)


def plainer(text: str) -> str:
    """``text`` in those forms; "" where it asks for less than the whole of a part, or than what a price comes to."""
    if part := _PART_TOLD.search(text):
        text = f"{part['part']} is {part['p']}% of what" if _WHOLE_ASKED.fullmatch(part["asked"] or "") else ""
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    text = _SIDES.sub(lambda sides: " by ".join(f"{one} {sides[4]}" for one in sides.groups()[:3] if one), text)
    if _PRICE_BEFORE.search(text):
        return ""
    return _FUEL.sub(" litres per 100 km", _IN_ITS_UNIT.sub(r"\1\2\3", text))


_STORIES = (
    (regex(r"(?:\bthe |(?<=, )|(?<=and ))drinks (?=(?:were |was |came to |cost |at |for )?[$€£]?\d)"), "beverages "),
    (regex(r"\b(?:bus|tram|table|number) \d{1,3}(?= (?:costs?|is|was|leaves|takes)\b)"), " "),
    (regex(r"\b(?:got|get|took|with) (?=[$€£]?\d[\d.]* (?:euros? |dollars? |pounds? )?off\b)"), "minus "),
    (regex(r"\bgot (?=(?:broken|eaten|lost|stolen|smashed|damaged|spoiled|crushed|burnt)\b)"), ""),
    (regex(r"\b(an?|the|my|this|each) board\b"), r"\1 plank"),  # nobody boards
    (regex(r"\Aboard (?=is |was |measures )"), "plank "),
    (regex(r"\bhow (?:long|heavy) is (?:the rest|what(?:'s| is) left)(?=[ ?.!]*$)"), "how much is left"),
    # Figures that say who somebody is.
    (
        regex(
            r"\((?:(?:he|she|it)(?:'s| is)|aged?) \d{1,2}\)|"
            r"\b(?:aged \d{1,3}|\d{1,3} years? old)\b|\bin (?:19|20)\d\d\b"
        ),
        " ",
    ),
    (regex(r"\bafter (?=(?:\d+|an?|[a-z]+) (?:hours?|days?|weeks?|months?|years?)\b)"), "in "),
    (regex(r"\b(?:next|this) (?:year|month|week)\b|\blast(?= ?[?.]*$)"), " "),
    (regex(r"\bin an? (hour|day|week|month|year|minute)\b"), r"a \1"),
    (regex(r"\b(?:ward|room|platform|gate|page|chapter|number|flat|flight|seat|line|route) \d+\b"), " "),  # a name
    (
        regex(
            r"\b(?:first|another|an extra|a further) (?=\d+(?:\.\d+)? ?(?:%|percent|per cent))"
            r"|\bgross (?=pay|salary|wage)"
        ),
        "",
    ),
    (regex(r"\b(?:until|till|before) i have "), "for "),
    (
        regex(r"\A(i|we|he|she) bought (?=(?:\d+|an? dozen) [a-z]+ and (?:used|ate|gave|broke|drank|sold)\b)"),
        r"\1 had ",
    ),
    (
        regex(r"\b(an?|per|each|every) (?:night|evening|morning|afternoon)\b(?=.*\b(?:weeks?|months?)\b)"),
        r"\1 day",
    ),
    (
        regex(r"(\d ?[a-z]+) of [a-z]+(?= (?:for (?:each|every)|per|each|every|an?) [a-z])"),
        r"\1",
    ),  # ribbon for each
    (regex(r"\ban? (?:month|week|year) of (?=\d+ days\b)"), ""),
    (regex(r"\bfor (?:the |all )?(\d+|two|three|four|five|six|seven|eight) of us\b"), r", \1 people,"),
    (
        regex(r"\beach ([a-z]+) (?:is|measures|weighs|takes) (\d[\d.]* ?[a-z]+)\b(?! (?:old|more|less|off)\b)"),
        r"\2 per \1",
    ),
    (regex(r"\b([a-z]{3,}s) (\d+) times (?=an? (?:minute|hour|day|week|month)\b)"), r"\2 \1 "),
    (regex(r"\b([a-z]+s) (are|cost) ([$€£]?\d+(?:\.\d+)?) (?:a|per|for a) dozen\b"), r"12 \1 cost \3"),
    (regex(r"\b([a-z]+s) (?:are|cost) ([$€£]\d+(?:\.\d+)?|\d+\.\d+) for (\d+)\b"), r"\3 \1 cost \2"),
    (regex(r"\b([a-z]+s) (?:are|cost) (\d+) for ([$€£]\d+(?:\.\d+)?|\d+\.\d+)"), r"\2 \1 cost \3"),
    # "A pack of 6 costs 4.50, how much are 4 packs?": what is in one does not matter.
    (regex(r"\b(an? ([a-z]+)) of \d+(?: [a-z]+)?(?= (?:costs?|is) [^?]*\b\d+ \2e?s\b[^\d?]*\?*$)"), r"\1"),
    (regex(r"\b([a-z]+?)(e?s)? of \d+(?: [a-z]+)?(?= at [$€£]?\d[\d.]* (?:an?|per) \1\b)"), r"\1\2"),
    (regex(r"\bof (?:the |my |our )?(\d+ [a-z]+) (?=\d)"), r"of \1, "),
    (regex(r"\b(in|into|among|between) (\d+|[a-z]+) equal (?=[a-z]+s\b)"), r"\1 \2 "),
    (regex(r"\bout of\b"), "of"),
    (regex(r"(?<=\d)( ?[a-z]+)? on (?:mon|tues|wednes|thurs|fri|satur|sun)days?(?=[,.;]| and \d)"), r"\1"),
    (regex(r" but only (?=[$€£]?\d)"), ", "),
    (regex(r"\bonly (?=[$€£]?\d)"), ""),
    (regex(r"\b(\d+) (?:equal )?(month|week)ly (?P<of>payment|instal+ment)s\b(?! of\b|.*\b(?P=of))"), r"\1 \2s"),
    (regex(r"\b(?:an?|my|the) tenner\b"), "10"),
    (regex(r"\b(?:an?|my|the) fiver\b"), "5"),
    (regex(r"\b(we|they|you)(?: are|'re|re) (\d+|[a-z]+)(?=[,.;]| and\b)"), r"\1 are \2 people"),
)


def plainer_story(text: str) -> str:
    """A story in small letters in those forms: no figure names somebody, and what is of each stands behind it."""
    for pattern, form in _STORIES:
        text = pattern.sub(form, text)
    return text
