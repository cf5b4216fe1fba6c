"""A sum that is asked over figures of a document: "£875 a month" for twelve months, a deposit and a fee together.

It is made only where every word of the question is accounted for: by the count, by the sentence of the figure, or as
a word that asks. Else the passage is told as what was found, and that the sum is not made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.data.documents.asked_words import COUNT, OF_DAYS, SPANS, in_figures, left, span_roots
from agent.data.documents.counted_terms import counted_terms
from agent.data.documents.figures_told import Figure, common_roots, figures_told, only_figure, qualifiers
from agent.data.documents.index import folded, wanted
from agent.data.documents.japanese_prices import priced_in_japanese
from agent.data.documents.lengths_told import WHEN, length_told, more_after
from agent.data.documents.quoted_clauses import Clause, best_clause, holds, root, roots
from agent.data.documents.sums_carried import CARRIED, put_on_top
from agent.data.documents.tiered_prices import is_tiered, tiered_prices
from agent.text.regex import regex

_YEAR = regex(
    r"\b(?:for |per |over |in )?(?:an?|1|the|one|per|whole|full|each|every)(?: whole| full| entire)? year\b"
    r"|\bannual(?:ly)?\b"
)
_AGE = regex(
    r"\b\d+[ -]year[ -]olds?\b|\b\d+ years? old\b|\byear \d+\b|\bage[ds]? \d+\b"
    rf"|\b(?:under|over|above|than) \d+s?\b(?! (?:{'|'.join(sorted(SPANS))}))"
)
_PER_SPAN = regex(r"\b(?:per|an?|each|every) (?P<span>hour|day|week|month)\b")
_CUES = regex(
    r"\b(?:in total|total|altogether|in all|all in|add(?:s|ed)? up(?: to)?|comes? to|sum|together|combined|overall|"
    r"plus|on top|difference|twice|\d+ times)\b|合計|全部で|合わせて|あわせて"
)
_ASKS = regex(r"\b(?:how|what|whats|total)\b|いくら|何|合計")
_MONEY_ASKED = regex(r"\b(?:how much|total|cost\w*|price|pay|paid|charged?|fees?|rent|owe|spend|spent)\b|いくら")
_JAPANESE_COUNT = regex(
    r"\d+(?:か月|ヶ月|回|人|名|枚|冊|日|週間|年|つ|本|時間|分|泊|晩|匹|台|個|足|杯|箱|袋|着|kg|キロ|km)(?:間|分|半)?"
    r"[^\d。]{0,16}(?:いくら|何円)"
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """What is quoted for a question. ``sum`` is one over figures of it; ``unmade``: one was asked, and is not made."""

    clauses: tuple[Clause, ...]
    sum: str = ""
    unmade: bool = False

    @property
    def text(self) -> str:
        told: dict[str, list[str]] = {}
        for one in self.clauses:
            told.setdefault(f"{one.passage.place} [{one.passage.number}]:", []).append(one.quoted)
        return "\n\n".join("\n\n".join((place, *quoted)) for place, quoted in told.items())


def quotation(question: str, found: Sequence[Clause]) -> Quotation | None:
    if priced := priced_in_japanese(question, found):
        return Quotation(*priced)
    text = in_figures(question)
    if counted := counted_terms(text, found):
        return Quotation((counted[0],), counted[1])
    if tiered := _tiered(text, found):
        return tiered
    before = question.rpartition(";")[0]  # what was asked before a follow-up says which sentence is meant
    clause = (best_clause(before, found) if before else None) or best_clause(question, found)
    if clause and _MONEY_ASKED.search(text) and is_tiered(text, clause):
        return Quotation((clause,), unmade=True)
    if not _asks_a_sum(text, clause):
        more = more_after(text, clause, found) if clause else None
        return Quotation((clause, more) if more else (clause,), unmade=bool(more)) if clause else None
    clause = clause or best_clause(_CUES.sub(" ", text), found)
    worked = None
    if not wanted(question).pairs:
        over = None if (worked := _worked(text, found)) else length_told(text, clause, found)
        worked = Quotation((over[0],), over[1]) if over else worked
    return worked or (Quotation((clause,), unmade=True) if clause else None)


_BESIDES = regex(r",? (?:with|plus|and|including) (?=[^\d]+$)")


def _tiered(text: str, found: Sequence[Clause]) -> Quotation | None:
    """A price in two tiers, and what comes with it: "3 nights, with you setting it up"."""
    common = common_roots(found)
    if one := _alike(tiered_prices(text, found, common)):
        return Quotation((one[0],), one[1])
    for besides in _BESIDES.finditer(text):
        one = _alike(tiered_prices(text[: besides.start()], found, common))
        others = [figure for figure in figures_told(found) if one and figure.clause != one[0]]
        extra = only_figure(
            [each for each in others if root(each.per) not in span_roots()], left(text[besides.end() :]), common
        )
        if one and extra and extra.sign in one[1]:
            return Quotation((one[0], extra.clause), f"{one[1]} + {extra.money}")
    return None


def _alike(made: Sequence[tuple[Clause, str]]) -> tuple[Clause, str] | None:
    return made[0] if len({sum_ for _, sum_ in made}) == 1 else None


_QUOTED = regex(r".{1,200}, (?:page|part) \d+(?: — [^\n]*?)? \[\d+\]:\s")
_MOST_OWN = 2  # words of a question that says all of it itself are more
_GOES_ON = regex(r"(?:and|so|ok|okay|then|but|what if|what about|how about|if|for|over|in)\b|.*\b(?:that|it)\b")


def gone_on(asked: str, before: str, answer: str) -> str | None:
    """ "So if I was late three times?" after what a document says of one time: asked together with that."""
    text = in_figures(asked)
    if not _QUOTED.match(answer):
        return None
    if further := put_on_top(asked, answer):
        return further
    if not _GOES_ON.match(text):
        return None
    own = [word for word in left(text) if not word[0].isdigit() and root(word) not in span_roots()]
    counts = any(int(one["n"]) > 1 for one in COUNT.finditer(text))
    if len(own) > _MOST_OWN:
        return None
    if counts or _YEAR.search(text) or (OF_DAYS.search(text) and WHEN.search(text)):
        return f"{before.strip(' ?.!')}; {asked}"
    return None


def _asks_a_sum(text: str, clause: Clause | None) -> bool:
    said = in_figures(f"{clause.text} {clause.further}") if clause else ""
    cue = _CUES.search(text) if _ASKS.search(text) else None
    if cue and cue[0] not in said and not (cue[0].endswith("total") and "total" in said):
        return True
    if (day := OF_DAYS.search(text)) and WHEN.search(text) and day[0] not in said:
        return True
    if not _MONEY_ASKED.search(text):
        return False
    counts = COUNT.finditer(_AGE.sub(" ", OF_DAYS.sub(" ", text)))
    several = (one for one in counts if one["unit"] or ";" in text)
    counted = any(int(one["n"]) > 1 and f"{one['n']} {one['unit']}" not in said for one in several)
    of_year = _YEAR.search(text) and not re.search(r"\b(?:year|annual)", said)
    rated = _PER_SPAN.search(text)
    other_span = rated and not holds(roots(said), rated["span"])
    compared = re.search(r"\b(?:more|less|cheaper|dearer)\b.* than\b", text)
    return bool(
        counted or of_year or other_span or compared or ((many := _JAPANESE_COUNT.search(text)) and many[0] not in said)
    )


def _worked(text: str, found: Sequence[Clause]) -> Quotation | None:
    figures = list(figures_told(found))
    common = common_roots(found)
    asked = re.sub(r"[;?!]", " ", text)
    if carried := CARRIED.search(text):
        return _carried(carried["amount"], carried["what"], figures, common)
    ways = (_apart, _added, _listed_with_counts, _multiplied)
    return next((made for way in ways if (made := way(asked, figures, common))), None)


_AT_ONCE = frozenset(("", "hire", "booking", "stay", "visit", "trip", "rental", "order", "party", "group", "event"))


def _carried(amount: str, what: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    """The amount that was told before and the one figure that ``what`` fits, which is no rate of several."""
    figure = only_figure([one for one in figures if one.per in _AT_ONCE], left(what), common)
    return Quotation((figure.clause,), f"{amount} plus {figure.money}") if figure and figure.sign == amount[0] else None


_TOGETHER = regex(
    r"\b(?:the|both) (?:2 )?(?P<of>[a-z]{3,}s)\b(?= (?:together|altogether|in total|combined|add))"
    r"|\bthe 2 (?P<two>[a-z]{3,}s)\b"
)


def _both(text: str, figures: Sequence[Figure]) -> Quotation | None:
    """ "The two deposits together": the only two figures of such a thing."""
    named = _TOGETHER.search(text)
    of = root(named["of"] or named["two"]) if named else ""
    fitting = [one for one in figures if of in roots(one.said)] if of else []
    if len(fitting) != 2 or fitting[0].sign != fitting[1].sign:
        return None
    return Quotation(_of(*fitting), f"{fitting[0].money} plus {fitting[1].money}")


_OF_THEM = regex(r"(?<=\d) of (?:them|those|these)\b")  # of what was asked before
_SINGLE = regex(r"\b(?:an?|each|every|per|one) [a-z' -]+", re.I)


def _multiplied(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    if _TOGETHER.search(text):
        return _both(text, figures)
    of_them = _OF_THEM.search(text)
    text = _OF_THEM.sub("", text)
    if year := _YEAR.search(text):
        times, rest, units = 12, _YEAR.sub(" ", text), {"month"}
        if re.search(r"\d", rest):
            return None
    else:
        counts = list(COUNT.finditer(text))
        if len(counts) != 1 or int(counts[0]["n"]) < 2:
            return None
        times, units = int(counts[0]["n"]), {root(one) for one in (counts[0]["unit"], counts[0]["more"]) if one}
        rest = text[: counts[0].start()] + text[counts[0].start("n") + len(counts[0]["n"]) :]
        if root(counts[0]["unit"] or "") == "year":
            times, units, year = times * 12, {"month"}, counts[0]
            rest = text.replace(counts[0]["n"], " ").replace(counts[0]["unit"], " ")
    fitting = [one for one in figures if _is_per(one, units) or (of_them and not one.per and _SINGLE.search(one.said))]
    words = left(rest)
    per_words = {root(word) for word in words} & (units | {"time"})
    words = [word for word in words if root(word) not in per_words or root(word) not in span_roots()]
    chosen = only_figure(fitting, words, common)
    if chosen is None or (bool(year) and chosen.per != "month"):
        return None
    return Quotation((chosen.clause,), f"{times} times {chosen.money}")


def _is_per(figure: Figure, units: set[str]) -> bool:
    per = root(figure.per) if figure.per else ""
    if per in span_roots():
        return per in units
    if per and per != "each":
        return per in units or (not units & span_roots() and bool(units & roots(figure.said) or not units))
    single = per == "each" or _SINGLE.search(folded(figure.said))
    return bool(single) and not units & span_roots() and bool(units & roots(figure.said) or (not units and per))


_AND = regex(r"\b(?:plus|and|with|on top of)\b|\+|&")


def _added(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    """ "The deposit plus the first month": two figures, each told by the words of its side."""
    if not _CUES.search(text):
        return None
    ways: list[tuple[Figure, Figure]] = []
    for sign in _AND.finditer(text):
        sides = (text[: sign.start()], text[sign.end() :])
        first, second = (_side(side, figures, common) for side in sides)
        if first and second and first != second and first.sign == second.sign:
            ways.append((first, second))
    if not ways:
        return _listed(text, figures, common)
    if len(set(ways)) != 1:
        return None
    first, second = ways[0]
    return Quotation(_of(first, second), f"{first.money} plus {second.money}")


_COMMA = regex(r",? (?:and|plus|with|on top of) |, | ?[+&] ?")


def _listed(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    """ "What do I pay a month for rent, tax and parking together?": figures of one span, each told by its words."""
    rated = _PER_SPAN.search(text)
    span = root(rated["span"]) if rated else ""
    those = [one for one in figures if (root(one.per) == span if span else root(one.per) not in span_roots())]
    pieces = _COMMA.split(_PER_SPAN.sub(" ", text))
    chosen = [only_figure(those, left(piece), common) for piece in pieces if not re.search(r"\d", piece)]
    found = [one for one in chosen if one]
    if len(pieces) < 2 or len(set(found)) != len(pieces) or len({one.sign for one in found}) > 1:
        return None
    return Quotation(_of(*found), " plus ".join(one.money for one in found))


_SO_MANY = regex(r"\b(?P<n>\d+)(?= [a-z])")
_OTHER_FIGURES = regex(r"^\d+[.)] |[$€£] ?\d[\d,.]*")


def _listed_with_counts(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    """ "3 extra bags of clay and a tool set": so many of each, at the price of one."""
    pieces, chosen = _COMMA.split(text), list[tuple[int, Figure]]()
    for piece in pieces:
        counts = list(_SO_MANY.finditer(piece))
        words = left(_SO_MANY.sub(" ", piece))
        priced = [
            one for one in figures if one.per in ("", "each") or any(root(word) == root(one.per) for word in words)
        ]
        figure = only_figure(priced, words, common) if len(counts) < 2 else None
        many = int(counts[0]["n"]) if counts else 1
        if not words and not counts and chosen and piece is pieces[-1] and _ASKS.search(piece):
            continue
        if not words or figure is None or (many > 1 and re.search(r"\d", _OTHER_FIGURES.sub("", figure.said))):
            return None
        chosen.append((many, figure))
    signs = {figure.sign for _, figure in chosen}
    if len(chosen) < 2 or len({figure for _, figure in chosen}) < len(chosen) or len(signs) > 1:
        return None
    parts = (f"{many} * {figure.money}" if many > 1 else figure.money for many, figure in chosen)
    return Quotation(_of(*(figure for _, figure in chosen)), " + ".join(parts))


_SPAN = "|".join(sorted(SPANS))
_FIRST_SPAN = regex(
    rf"\b(?:the |1 |a |one |my )?(?:first|1st) (?P<span>{_SPAN})(?:'s)?\b|\b(?:1|one|a) (?P<one>{_SPAN})(?:'s)?\b"
)


def _side(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Figure | None:
    span = _FIRST_SPAN.search(text)
    rest = _FIRST_SPAN.sub(" ", text)
    if re.search(r"\d", rest):
        return None
    of_span = root(span["span"] or span["one"]) if span else ""
    words = left(rest)
    if not span:
        return only_figure([one for one in figures if root(one.per) not in span_roots()], words, common)
    rated = [one for one in figures if root(one.per) == of_span]
    if words:
        return only_figure(rated, words, common)
    plain = [one for one in rated if not qualifiers(one)] if len(rated) > 1 else rated
    return plain[0] if len(plain) == 1 else None


def _apart(text: str, figures: Sequence[Figure], common: frozenset[str]) -> Quotation | None:
    """ "How much more is the large one than the small one?"."""
    asked = re.search(r"\bhow much (?P<way>more|dearer|less|cheaper)\b(?P<first>.+) than (?P<second>.+)", text)
    if asked is None or re.search(r"\d", text):
        return None
    spans = {root(one) for one in left(asked["first"])} & span_roots()
    sides = ([word for word in left(asked[side]) if root(word) not in spans] for side in ("first", "second"))
    first, second = (
        only_figure([one for one in figures if not spans or root(one.per) in spans], side, common) for side in sides
    )
    if first is None or second is None or (first.sign, first.per) != (second.sign, second.per):
        return None
    most, least = (first, second) if asked["way"] in ("more", "dearer") else (second, first)
    if float(most.amount) <= float(least.amount):
        return None
    return Quotation(_of(first, second), f"{most.money} minus {least.money}")


def _of(*figures: Figure) -> tuple[Clause, ...]:
    return tuple(dict.fromkeys(one.clause for one in figures))
