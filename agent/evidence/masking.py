"""What of an answer claims nothing: code, headings, list numbers, source marks, step numbers, addresses, file names,
how many are chosen ("Top 10"), to how many places is rounded, constants of formulas of conversion.

Of a formula, what it says of figures is kept: the result of one with variables, all figures but the raised ones of
another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.text.mathematics import formulas
from agent.text.quantities.claim_words import several
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_FENCE = regex(r"[ \t]{0,3}(`{3,}|~{3,})")
_CODE = regex(r"`[^`\n]+`")
_HEADING = regex(r"^[ ]{0,3}(?:#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?[ \t]*)$", re.M)
_LISTED = regex(
    r"^[ \t>]*(?:[-*+•][ \t]+)?(?:\*\*)?[(（]?[0-9]{1,3}[.)、．）][ \t*]|^[ \t>]*[①-⑳]|^[ \t]*[0-9]{1,3}、", re.M
)
_MARK = regex(r"\[\^?[0-9]{1,3}(?:[ ]?[,、–-][ ]?[0-9]{1,3}){0,9}\]|【[0-9]+[^】\n]{0,20}】")
_STEP = regex(
    r"\b(?:steps?|sources?|options?|figures?|fig\.|tables?|ステップ|手順|出典)[ ]?#?[0-9]{1,3}\b|"
    r"(?:ステップ|手順|出典|図|表)[ ]?[0-9]{1,3}",
    re.I,
)
# How many are named, in words that choose them: "Top 10 rivers", "First 10 rows", not "the top 5%".
_CHOSEN = regex(
    r"(?:\b(?:top|bottom)[ -]?|トップ|[上下]位)[0-9]{1,3}(?![0-9]|[.,][0-9]|[ ]?(?:%|％|パーセント|per[ ]?cent))|"
    r"\b(?:top|bottom)[ -](?:two|three|four|five|six|seven|eight|nine|ten)\b|"
    r"\b(?:first|last) [0-9]{1,4} (?:rows|lines|entries|records)\b|(?:先頭|最初|最後)の[0-9]{1,4}[行件]",
    re.I,
)
# To how many places it is rounded.
_PLACES = regex(
    r"小数(?:点以下)?第?[0-9]{1,2}[位桁]|\b[0-9]{1,2} (?:decimals?|decimal places?|significant (?:figures|digits))\b",
    re.I,
)
# What somebody is told to ask instead, or how: "Try “15% of 80” or “9 days ago”", 「…」や「…」を試すか, "as in “√9”".
_SUGGESTED = regex(
    r"(?:\btry(?: asking)?:? |(?:^|[.,;:] )ask )“[^“”\n]{1,200}”(?:(?:, | or |, or )“[^“”\n]{1,200}”)*|"
    r"\bas in “[^“”\n[A-Za-z]{1,60}”|"
    r"「[^「」\n]{1,200}」(?:[や、か]?「[^「」\n]{1,200}」)*(?=を試す|をお試し|と尋ね)|"
    r"(?:\bdid you mean|もしかして): [^\n]{1,300}",
    re.I,
)
_HEAD = regex(r"^[^\n]*+\n(?=[ ]*+(?:\|[ ]*+)?:?--[-| :]*+$)", re.M)  # of a table
_TAG = regex(r"</?[A-Za-z][^<>\n]{0,200}>")
_LINK = regex(r"(?:https?://|www\.)[^\s<>\"'「」『』、。（）|`]+", re.I)
# A name with letters and figures, and an ending: sales_2024.csv.
_FILE = regex(r"(?<![\w./-])(?=[\w-]*[A-Za-z_])(?=[\w.-]*[0-9])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{1,7}(?![\w.-]*[\w])")
_ENDING = regex(r"\.[a-z][a-z0-9]")
# Each pattern with letters of which a text in lower case has some wherever it matches, in any case of "s" and "i".
_CLAIMLESS = (
    (_HEADING, ("#", "**")),
    (_HEAD, ("--",)),
    (_LISTED, ("",)),
    (_MARK, ("[", "【")),
    (_STEP, ("tep", "ource", "opt", "gure", "g.", "table", "ステップ", "手順", "出典", "図", "表")),
    (_CHOSEN, ("top", "bottom", "first ", "last ", "トップ", "位", "先頭", "最")),
    (_PLACES, ("小数", "mal", "cant")),
    (_TAG, ("<",)),
    (_SUGGESTED, ("try", "ask", "as in", "did you mean", "試", "尋ね", "もしかして")),
)
_TEXT_OF_FORMULA = regex(r"\\(?:text|mathrm|operatorname)\{[^{}]*\}")
_RAISED = regex(r"[\^_]\s*(?:\{[^{}]*\}|\\?\w)")
_COMMAND = regex(r"\\[A-Za-z]+|\\(?=[%,;!{}])")
_GROUPED = regex(r"(?<=[0-9])\{,\}(?=[0-9]{3})")
_RESULT = regex(r"(?:=|\\approx|≈)([^=≈]*)$")
_POWER = regex(r"-?[0-9][0-9.,]*\s*(?:\\times|\\cdot|×|·)\s*10\s*\^\s*(?:\{[^{}]*\}|[0-9])")
_OPERATOR = regex(r"[-+*/^]|\\(?:times|cdot|div|frac|pm|sqrt)")
_TERMS = regex(r"[0-9](?:[0-9.,]|\{,\})*")
_INK = regex(r"[^\n]")
_CLOSING = ".,;:!?)]}*_"

# What stands in the usual formulas of conversion.
_BITS = regex(r"-bits?\b")  # of a processor
_PERCENTILE = regex(r"(?:st|nd|rd|th)?[ -]percentile")
_SUPPOSED = regex(
    r"\b(?:if (?:you|we|i|one)|(?:wenn|falls) (?:du|sie|man|wir)|si (?:vous|tu|nous|on)|assuming|supposing) "
    r"[^.,;:!?\n]*$",
    re.I,
)
_PERSONS = regex(
    r" (?:adults?|children|kids?|people|persons?|erwachsene[rn]?|kindern?|adultes?|enfants?|personnes?)\b", re.I
)
_PARTY = regex(
    r"\b(?:an?|für eine|pour une) (?:family|party|group|household|familie|famille) (?:of|with|mit|de|avec) [^.;\n]*$",
    re.I,
)
_IF = regex(r"\b(?:if|wenn|falls|si) [^.,;:!?\n]*$", re.I)
_WOULD = regex(r"[^.!?\n]*\b(?:would|could|würde|könnte|serait|pourrait)", re.I)
_CONSTANTS = frozenset(
    several(
        "32 5 9 1.8 273.15 459.67 100 60 3600 24 7 365 12 1000 1,000 2 1.609 1.609344 1.60934 0.621371 2.54 0.3048 "
        "3.28084 3.28 0.453592 2.20462 2.2046 2.205 1440 86400 52 30 10 365.25 0.5556 0.621 10000 10,000"
    )
)
_BASES = frozenset(several("100 1,000 1000 1.000 10,000 10000 10.000 100,000 100000 100.000 1,000,000"))
_PER = regex(
    r"\b(?:per|pro|je|pour|por|sur|auf|ogni|cada|chaque|(?:of|in|for|on)? ?every)[ ]$", re.I
)  # "8 more per 1,000 visitors"
_PERIOD = regex(r"(?:52 weeks|12 months|36[05] days|24 hours|60 minutes)\b")
_RECKONED_WITH = regex(  # "at 37.5 hours a week and 52 weeks"
    r"\b(?:based on|assuming|reckoning|calculated (?:on|over)|multiplied by|divided by|times|over)\b[^;:!?\n]{0,60}"
    r"(?:\b(?:and|×|x|by|times|over|on|assuming) |[×÷] )$",
    re.I,
)
_OPERATOR_BEFORE = regex(r"[×*/÷+−=≈·-][ (]*$")
_OPERATOR_AFTER = regex(r"[ )]*(?:[×*/÷+−·=](?!\*)| -(?= ))")
# The whole in "(1 + 20 ÷ 100)" and "(1 + 0.2)", one more of "(3 + 1)", the power in "12^2".
_OF_FORMULA = regex(
    r"(?<=\()1(?= [+−-] (?:0\.[0-9]|[0-9.,]+ ?[÷/%]))|(?<=[0-9] \+ )1(?=\))|(?<=[×*÷/] )1(?= [×*÷/])|"
    r"(?<=[-+−] )1(?=\)| [×*÷/])|(?<=\()1(?= [×*÷/])|"
    r"(?<=[0-9)]\^)[23](?![0-9.,]*[0-9])"
)
_DEFINES = regex(r"[^.\n0-9]{0,16}(?:=|≈| equals| is equal| is worth| (?:for|in) every\b|あたり|当たり)")


# Words with hyphens that have a number in them.
_LONGEST_NAME = 60  # characters
_HYPHENS = ("-", "\u2011")
_HYPHENED = regex(r"(?<![\w.\-\u2011])(?=[A-Za-z])((?:[\w.]+[-\u2011])*([\w.]+))[-\u2011]$")
_REST_OF_NAME = regex(r"[0-9]+(?:\.[0-9]+)?([A-Za-z]\w*)?((?:[-\u2011]\w*[A-Za-z]\w*)+)?(?!\w|[-\u2011.,][0-9])")
_ENDINGS = frozenset(("s", "st", "nd", "rd", "th"))
_COUNTING = frozenset(
    several(
        "to up by of in at under over sub super pre post mid late early top bottom non about around circa ca minus "
        "plus per age aged ages first last next every one two three four five six seven eight nine ten"
    )
)
_PRODUCT = regex(r"(?<!\w)[a-z][A-Z][A-Za-z]*[ \u00a0]$")
_SHORT_NUMBER = regex(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Link:
    start: int
    end: int
    url: str


def links_in(text: str) -> list[Link]:
    """Addresses in the text, without the punctuation that follows them."""
    found: list[Link] = []
    for match in _LINK.finditer(text) if "://" in text or "www." in text.lower() else ():
        url = match[0][:2_000]
        cut = url.find("](")
        url = url if cut < 0 else url[:cut]
        while url and url[-1] in _CLOSING and not (url[-1] == ")" and "(" in url and url.count("(") >= url.count(")")):
            url = url[:-1]
        if "." in url:
            found.append(Link(match.start(), match.start() + len(url), url))
    return found


def masked(text: str, links: list[Link]) -> str:
    """``text`` with blanks, as long as they were, for all that claims nothing, and for the links."""
    text = _without_fences(text)
    pieces = list(text)
    for link in links:
        pieces[link.start : link.end] = " " * (link.end - link.start)
    text = _without_symbols(_CODE.sub(_blank, "".join(pieces)))
    lower = text.lower()
    for pattern, letters in _CLAIMLESS:
        if any([each in lower for each in letters]):
            text = pattern.sub(_blank, text)
    return _FILE.sub(_blank, text) if _ENDING.search(text) is not None else text


def _blank(match: re.Match[str]) -> str:
    return _INK.sub(" ", match[0])


def _without_symbols(text: str) -> str:
    """``text``, as long as it was, with only those figures of its formulas that say something of what was seen."""
    done, pieces = 0, list[str]()
    for start, formula in formulas(text):
        pieces += [text[done:start], _figures(text[start : formula.end])]
        done = formula.end
    return "".join([*pieces, text[done:]])


def _figures(tex: str) -> str:
    """A formula, as long as it was, without commands, raised and lowered signs; of an equation, its result."""
    plain = _RAISED.sub(_blank, _POWER.sub(_blank, _TEXT_OF_FORMULA.sub(_blank, tex)))
    result = _RESULT.search(plain)
    if _has_variable(plain):
        kept = result[1] if result else ""
        posed = plain.count("=") == 1 and _OPERATOR.search(plain[: -len(kept)])
        if posed or _has_variable(kept) or len(_TERMS.findall(kept)) != 1:
            return _INK.sub(" ", plain)
        plain = _INK.sub(" ", plain[: -len(kept)]) + kept
    plain = _COMMAND.sub(_blank, _GROUPED.sub(",", plain))
    return "".join(" " if character in "$\\(){}[]" else character for character in plain).ljust(len(tex))


def _without_fences(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.splitlines(keepends=True)
    fence = ""
    for index, line in enumerate(lines):
        match = _FENCE.match(line)
        inside = bool(fence)
        if match is not None and not fence:
            fence, inside = match[1], True
        elif match is not None and match[1].startswith(fence):
            fence = ""
        if inside:
            lines[index] = re.sub(r"[^\r\n]", " ", line)
    return "".join(lines)


def _has_variable(tex: str) -> bool:
    return any(character.isalpha() for character in _COMMAND.sub("", tex))


def is_constant(figure: Figure, text: str) -> bool:
    """A number of a formula ("× 5/9"), the one of "1 km = ...", that of a percentile, weeks of a year reckoned with."""
    start, end = figure.number
    raw = text[start:end]
    if (raw == "1" and _DEFINES.match(text, figure.end)) or _PERCENTILE.match(text, end) or _BITS.match(text, end):
        return True
    if _OF_FORMULA.match(text, start) is not None:
        return True
    if raw in _BASES and _PER.search(text, max(0, start - 10), start) is not None:
        return True
    if _PERIOD.match(text, start) and _RECKONED_WITH.search(text, max(0, start - 100), start):
        return True
    if raw not in _CONSTANTS or figure.unit is not None:
        return False
    before = _OPERATOR_BEFORE.search(text, max(0, start - 4), start)
    after = _OPERATOR_AFTER.match(text, end)
    return (before is not None and text[before.start()] not in "=-") or (after is not None and after[0][-1] != "=")


def is_assumed(figure: Figure, text: str) -> bool:
    """What is supposed and not stated: a percentage ("If you add 10%, …"), who is in "a family of two adults"."""
    persons = _PERSONS.match(text, figure.end) is not None
    if persons and _PARTY.search(text, max(0, figure.start - 60), figure.start) is not None:
        return True
    if figure.unit is not PERCENT:
        return False
    left = max(0, figure.start - 80)
    if _IF.search(text, left, figure.start) is not None and _WOULD.match(text, figure.end) is not None:
        return True
    return _SUPPOSED.search(text, left, figure.start) is not None


def is_month(figure: Figure, text: str) -> bool:
    """The number of a month or of a quarter as Japanese has them: "5月", "第1四半期"."""
    start, end = figure.number
    if text.startswith("四半期", end):
        return text[start - 1 : start] == "第"
    return text.startswith("月", end) and text[start - 1 : start] != "年" and text[start:end].isdigit()


def is_in_word(figure: Figure, text: str) -> bool:
    """A number that belongs to a code, a word or a name: "LO360", "B2B", "alpha-7b", "iPhone 15"."""
    start = figure.number[0]
    if figure.start != start or figure.spelled:
        return False
    before = text[start - 1 : start]
    inside = before == "_" or (before.isalpha() and before.isascii())
    return inside or (figure.unit is None and (_is_in_hyphened(text, start) or _is_version(text, start, figure.end)))


def _is_in_hyphened(text: str, start: int) -> bool:
    """Whether a number stands in a word with hyphens that begins with letters and is a name, not a count or a span.

    A name goes on with letters ("gpt-4o", "phi-3-mini") or is in capitals ("GPT-4", "F-16"). "Under-21s", "top-10" and
    "up-to-5-year" count, and a number behind any other word may.
    """
    if text[start - 1 : start] not in _HYPHENS:
        return False
    word = _HYPHENED.search(text, max(0, start - _LONGEST_NAME), start)
    rest = _REST_OF_NAME.match(text, start)
    if word is None or rest is None or word[2].lower() in _COUNTING or rest[1] in _ENDINGS:
        return False
    return bool(rest[1] or rest[2]) or (word[1].isalpha() and word[1].isupper())


def _is_version(text: str, start: int, end: int) -> bool:
    """Whether it is the number of a product: behind a word whose capital is its second letter."""
    named = _PRODUCT.search(text, max(0, start - _LONGEST_NAME), start)
    return named is not None and _SHORT_NUMBER.fullmatch(text, start, end) is not None
