"""A bill of several lines, so many at so much each: in pence and pounds, cents and dollars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import MONEY, PERCENT, Part, Token, one_of, stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, declared, said, telling

_FEWEST = 2
_ENDS = frozenset(",.;?!") | {"and", ""}
_LEAST = 10  # a whole figure less than that may count people
_MOST_WORDS = 4  # "a new belt for"
_OF = regex(r"\bof ([a-z]+) (?:at|@)")  # 3 kg of apples at
_BARE_PRICE = regex(
    r"(?<=\bat )(?=\d)|(?<=\bfor )(?=\d[\d.]*(?: each| apiece|[,;.?!]| and\b))"
    r"|(?<=[a-z] )(?=\d+\.\d\d(?:[,;.?!]| and\b))"  # a cake 4.00
)
_CURRENCIES = {sign: regex(ways) for sign, ways in declared("currencies").items()}


def bill(text: str) -> Problem | None:
    """ "312 kWh at 24.6p each and 31 days of standing charge at 53p a day. What does that come to?"."""
    told = telling(text)
    signs = [sign for sign, way in _CURRENCIES.items() if told and way.search(told.text)]
    if told and not signs:
        told, signs = telling(_BARE_PRICE.sub("$", told.text)), [""]
    if told is None or not told.asks("asks_bill") or told.asks("asks_per") or told.says("not_bill"):
        return None
    if signs == ["$", "€"] and "$" not in told.text and "dollar" not in told.text and "buck" not in told.text:
        signs = ["€"]
    if len(signs) != 1 or any(part.names == PERCENT for part in told.parts):
        return None
    lines = _lines(told.tokens)
    if lines is None or len(lines) < _FEWEST or _asks_of_one(told):
        return None
    text = " + ".join(lines)
    return Problem("bill", text, text.replace(" * ", " × "), signs[0])


def _asks_of_one(told: Telling) -> bool:
    """Whether a thing that is counted stands in the clause that asks: "what did the pens cost?"."""
    names = {name for part in told.parts if part.names != MONEY for name in part.names}
    names |= {stem(word) for word in _OF.findall(told.text)}
    return any(stem(word) in names for word in re.findall(r"[a-z]+", told.asked))


def _lines(tokens: Sequence[Token]) -> list[str] | None:
    """Each line as a product; ``None`` where a figure belongs to none."""
    lines: list[str] = []
    place = 0
    while place < len(tokens):
        if not isinstance(tokens[place], Part):
            place += 1
            continue
        found = _counted_first(tokens, place) or _priced_first(tokens, place) or _fixed(tokens, place)
        if found is None:
            return None
        line, place = found
        lines.append(line)
    return lines


def _counted_first(tokens: Sequence[Token], place: int) -> tuple[str, int] | None:
    """ "31 days of standing charge at 53p a day", "3 parcels at £4.20"."""
    count = tokens[place]
    words, end = _words(tokens, place + 1)
    price = tokens[end] if end < len(tokens) else None
    if not isinstance(count, Part) or not isinstance(price, Part) or count.names == MONEY or price.names != MONEY:
        return None
    if words[-1:] not in (["at"], ["@"], ["costing"], ["for"]) or count.by or any(word in ".?!;" for word in words):
        return None
    per, used = _per(price, tokens, end + 1)
    if words[-1] == "for" and not per:  # "3 for £4" is the price of all three
        return None
    if per and per != "each" and not _same(per, count, words[:-1]):
        return None
    return f"{figure_of(count.amount)} * {figure_of(price.amount)}", end + 1 + used


def _priced_first(tokens: Sequence[Token], place: int) -> tuple[str, int] | None:
    """ "18 dollars an hour for 5 hours"."""
    price = tokens[place]
    if not isinstance(price, Part) or price.names != MONEY:
        return None
    per, used = _per(price, tokens, place + 1)
    words, end = _words(tokens, place + 1 + used)
    count = tokens[end] if end < len(tokens) else None
    if not per or per == "each" or words not in (["for"], ["and", "we", "need"], ["x"]) or not isinstance(count, Part):
        return None
    if count.names == MONEY or not _same(per, count, []):
        return None
    return f"{figure_of(count.amount)} * {figure_of(price.amount)}", end + 1


def _fixed(tokens: Sequence[Token], place: int) -> tuple[str, int] | None:
    """ "plus £5 delivery", "and a booking fee of £3"."""
    price = tokens[place]
    if not isinstance(price, Part) or price.names != MONEY or _per(price, tokens, place + 1)[0]:
        return None
    before: list[str] = []
    for token in reversed(tokens[:place]):
        if isinstance(token, Part) or token in (",", ".", ";", "and", "plus"):
            before.append(str(token) if isinstance(token, str) else "")
            break
        before.append(token)
    behind, _ = _words(tokens, place + 1)
    joined = before[-1:] in (["and"], ["plus"], [","])
    of_one = before[:1] in (["for"], ["at"]) and 1 < len(before) - 1 <= _MOST_WORDS
    if joined and of_one and (behind or [""])[0] in _ENDS and (price.amount >= _LEAST or price.amount.denominator != 1):
        return figure_of(price.amount), place + 1  # "and a belt for 24"
    alone = before[-2:-1] in (["a"], ["an"], ["one"]) and before[:1] != ["for"] and len(before) <= _MOST_WORDS
    if joined and alone and (behind or [""])[0] in _ENDS:
        return figure_of(price.amount), place + 1  # "and a cake 4.00"
    near = " ".join([*reversed(before[:-1]), "|", *behind[:3]])
    return (figure_of(price.amount), place + 1) if joined and said(near, "fixed") else None


def _words(tokens: Sequence[Token], start: int) -> tuple[list[str], int]:
    words: list[str] = []
    for token in tokens[start:]:
        if isinstance(token, Part):
            break
        words.append(token)
    return words, start + len(words)


def _per(price: Part, tokens: Sequence[Token], start: int) -> tuple[str, int]:
    """What the price is for one of, "each" where only that is said, and how many tokens say so."""
    if price.by:
        return price.by.unit or next(iter(price.by.names), ""), 0
    behind = [token if isinstance(token, str) else "" for token in tokens[start : start + 2]] + ["", ""]
    if said(behind[0], "per_one") and behind[1].isalpha() and behind[1] not in ("and", "for", "plus"):
        return behind[1], 2
    return ("each", 1) if said(behind[0], "per_each") else ("", 0)


def _same(per: str, count: Part, words: Sequence[str]) -> bool:
    """Whether the count is of what the price is for one of."""
    one = one_of(per)
    if one and one.measure:
        return count.measure is not None and count.measure.name == one.measure.name
    if not count.measure and stem(per) in count.names:
        return True
    return stem(per) in {stem(word) for word in words}
