"""Whether a number of the answer stands in a source: same value at the precision stated, same unit, same sign.

Where it does not: what the sources state of the same thing, and the seen value that it was most likely meant to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from agent.evidence.lookup.agreement import agreement, is_slip, may_be_meant, weak
from agent.evidence.lookup.context import Answer, same_script, shared, window
from agent.evidence.lookup.counts_told import counted_otherwise
from agent.evidence.lookup.fractions import in_fractions, in_minor_units
from agent.evidence.sources import Finding, Source, Sources, Spot, Spotted
from agent.evidence.tables.digits import figures
from agent.evidence.tables.scales import powers_said
from agent.evidence.tables.stems import plain_number
from agent.evidence.verdicts import Verdict
from agent.interface_text import Text
from agent.text.quantities.figures import Figure, noun_after
from agent.text.quantities.number_words import PIECE, as_float, exact
from agent.text.quantities.scanning import scale_end
from agent.text.quantities.units import PERCENT, Unit, alike
from agent.text.regex import regex

_MOST_VERIFIED = 12
_FAR = 300  # characters
_LONG = 3  # digits that stand in a row by chance in few tables
_FIGURE = regex(r"[0-9][0-9.,:]*")
_ENOUGH = 4  # places, once one is sure
_MOST_SCALED = 24  # cells with the digits of a figure that are asked for their scale


class _Candidate(NamedTuple):
    spot: Spot
    score: int
    quality: int


# Between figures whose scale is said once.
_GOES_ON = regex(r"\s*(?:[,、–—-]|(?:and|or|to|against|versus|vs|und|oder|bis|et|ou|à|y|o|e|a)\b|と|から)")
_SHORT_YEAR = regex(  # "1986, 87"
    r"([12](?<![0-9.,].)(?:(?<=1)[5-9]|(?<=2)0))[0-9]{2}(?:, ?['’]?[0-9]{2})*(?:, ?| and | & )['’]?$", re.S
)
_NAME = 40  # characters
_NAME_BEFORE = regex(r"\b([A-Z][^\W\d_]+) $")
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_RANKS: tuple[Verdict, ...] = ("seen", "given", "worked_out", "possible", "elsewhere", "differs", "not_found")


def scale_said(figure: Figure, text: str) -> int:
    """The power of ten that the scale word of a figure gives: 6 for "12 million", 0 where there is none."""
    raw = text[figure.number[0] : figure.number[1]]
    digits = PIECE.match(raw) if not raw.isdigit() else None
    if digits is None or digits.end() == len(raw):
        return 0
    return len(str(int(exact(f"1{raw[digits.end() :]}")[0]))) - 1


def look_up_all(
    figures: Sequence[Figure], answer: Answer, sources: Sources, most: int
) -> Iterator[tuple[Figure, Finding]]:
    """Each figure looked up, one that is not found in the scale that its sentence says later: "2 and 6 million".

    The sentence goes on from it to the next figure: "the 5 largest have 12 million" says nothing of 5 million.
    """
    powers: dict[tuple[int, int], int] = {}
    later: list[int] = []
    for figure in reversed(figures):
        sentence = answer.sentence(figure.start)
        own = scale_said(figure, answer.text)
        alone = own or figure.ordinal or figure.unit is PERCENT or not _GOES_ON.match(answer.text, figure.end)
        later.append(0 if alone else powers.get(sentence, 0))
        powers[sentence] = own or powers.get(sentence, 0)
    for figure, power in zip(figures, reversed(later), strict=True):
        found = look_up(figure, answer, sources, most)
        if power and found[1].verdict not in ("seen", "given"):
            scaled = replace(figure, value=figure.value * 10**power, step=Fraction(1), others=())
            in_scale = look_up(scaled, answer, sources, most)
            found = in_scale if in_scale[1].verdict in ("seen", "given") else found
        yield found


def look_up(figure: Figure, answer: Answer, sources: Sources, most: int) -> tuple[Figure, Finding]:
    """The reading of a figure that stands in the sources, and where; else the figure, and the best of its findings."""
    found: list[Finding] = []
    readings = figure.readings
    if figure.digits == 2 and (year := _SHORT_YEAR.search(answer.text, max(0, figure.start - 30), figure.start)):
        readings = (*readings, replace(figure, value=figure.value + int(year[1]) * 100, others=()))
    for reading in readings:
        finding = look_up_reading(reading, answer, sources, most)
        if finding.verdict in ("seen", "given"):
            return reading, finding
        alike = reading.unit in (figure.unit, None) and reading.negative == figure.negative
        if finding.verdict != "differs" or alike:
            found.append(finding)  # cents differ from no other euros, and no "(43)" from 43
    if roman := _in_roman(figure, answer, sources):
        return figure, sources.found(roman)
    return figure, min(found, key=lambda one: (_RANKS.index(one.verdict), not one.spots))


def _in_roman(figure: Figure, answer: Answer, sources: Sources) -> list[Spotted]:
    """Where the name before a figure stands with it in Roman numerals: "Zarya II" of "Zarya 2"."""
    name = _NAME_BEFORE.search(answer.text, max(0, figure.start - _NAME), figure.start)
    if name is None or not 0 < figure.value < len(_ROMAN) or figure.unit is not None or figure.step != 1:
        return []
    found = (source.page.in_roman.get((name[1], _ROMAN[int(figure.value)])) for source in sources.texts)
    return [(index, *span) for index, span in enumerate(found) if span is not None][:1]


def look_up_reading(figure: Figure, answer: Answer, sources: Sources, most: int) -> Finding:
    """``seen``, ``given`` (or ``seen`` in an earlier answer, to be settled there), ``differs`` or ``not_found``.

    What is ``not_found`` has the places of the same value in other company. At most ``most`` places are looked at.
    """
    words = answer.words(figure.start, figure.end)
    low, high = figure.edges
    homes = answer.homes(figure.start, sources)
    spots = sources.between(low, high, most, first=homes)
    candidates = _rated(figure, spots, words, answer, sources)
    best = max((candidate.quality for candidate in candidates), default=0)
    if best <= 0 or (best < 3 and weak(figure) and figure.digits <= 2):
        candidates += _rated(figure, sources.between(low, high, most, spelled=True), words, answer, sources)
    good = [candidate for candidate in candidates if candidate.quality > 0]
    if not good:
        candidates += _rated(figure, sources.amounts_between(low, high, most), words, answer, sources)
        good = [candidate for candidate in candidates if candidate.quality > 0]
    doubtful = weak(figure) and all(
        (one.quality == 1 or _counts_another(figure, one.spot, sources))
        and sources.texts[one.spot.source].origin == "seen"
        for one in good
    )
    if good and doubtful and (otherwise := counted_otherwise(figure, sources)) is not None:
        return otherwise
    supported = [candidate for candidate in good if _supported(figure, candidate, answer, sources)]
    strangers, good = good, supported or _in_scaled_tables(figure, sources)
    if not good and (
        bare := _without_scale(figure, answer, sources)
        or in_fractions(figure, answer, sources, most)
        or in_minor_units(figure, sources)
    ):
        return bare
    refused = [candidate for candidate in candidates if candidate.quality < 0]
    if good and not (refused and all(candidate.quality == 1 for candidate in good)):
        good.sort(key=lambda one: (-one.quality, -one.score))
        return sources.found([one.spot[1:] for one in good])
    if refused and (figure.digits > 1 or refused[0].score > 1) and may_be_meant(figure, refused[0].spot, sources):
        return sources.differs(refused[0].spot[1:], widen=True)
    alone = (one.spot[1:] for one in strangers if one.quality > 1 and _stands_alone(figure, one.spot, sources))
    return Finding("not_found", tuple(alone))


def _counts_another(figure: Figure, spot: Spot, sources: Sources) -> bool:
    """Whether a place counts something else: "2 floors" of 2 halls."""
    noun = noun_after(sources.texts[spot.source].text, spot.end) if figure.noun else ""
    return len(noun) > _LONG and noun != figure.noun


def _rated(
    figure: Figure, spots: list[Spot], words: tuple[str, ...], answer: Answer, sources: Sources
) -> list[_Candidate]:
    """The places with the value at the precision stated, those in the best company first."""
    if len(spots) == 1 and not weak(figure):
        quality = agreement(figure, spots[0], words, answer, sources)
        around = window(sources.texts[spots[0].source], spots[0].start, spots[0].end)
        return [_Candidate(spots[0], shared(words, around) if quality < 2 else 0, quality)] if quality else []
    scored = [(shared(words, window(sources.texts[spot.source], spot.start, spot.end)), spot) for spot in spots]
    scored.sort(key=itemgetter(0), reverse=True)
    rated: list[_Candidate] = []
    for score, spot in scored[:_MOST_VERIFIED]:
        quality = agreement(figure, spot, words, answer, sources)
        if quality:
            rated.append(_Candidate(spot, score, quality))
        if quality == 3 and len(rated) >= _ENOUGH:
            break
    return rated


def _supported(figure: Figure, candidate: _Candidate, answer: Answer, sources: Sources) -> bool:
    source = sources.texts[candidate.spot.source]
    words = answer.words(figure.start, figure.end)
    if source.origin != "seen" or not (weak(figure) or candidate.quality == 1):
        return True
    if candidate.score or candidate.quality == 3 or not words:
        return True
    if len(sources.numbers) <= 3 or source.is_one_row or not same_script(words, source):
        return True
    if (at := source.page.cell_at(candidate.spot.start)) is None:
        return False
    table, cell = at[0].table, at[1]
    if table.width == 1:  # all of it is what was asked for
        return True
    beside = [one.text for one in table.rows[cell.row] if one is not cell]
    if cell.row < table.heads:  # a year that heads a column is said of all rows, or with the year of another one
        of_all = figure.digits == 4 and figure.step == 1
        known = shared(words, source.lower[table.start : table.end]) > 0
        return of_all and (known or _in_company(figure, beside, answer))
    head = table.column_heads[cell.column : cell.column + 1]
    beside += head if figure.digits < _LONG else ()  # 24 of "the total of 2023 is 24"
    return _in_company(figure, beside, answer) or (cell.numeric and shared(words, " ".join(head)) > 0)


def _in_company(figure: Figure, texts: Sequence[str], answer: Answer) -> bool:
    """Whether another figure of the sentence stands in the row or the head of a cell: "in 2019 it reached 58,100"."""
    left, right = answer.sentence(figure.start)
    left, right = max(left, figure.start - _FAR), min(right, figure.end + _FAR)
    own = figure.number[0]
    there = {digits for text in texts if len(digits := plain_number(figures(text))) >= _LONG}
    said = _FIGURE.finditer(answer.text, left, right) if there else ()
    return any(plain_number(figures(match[0])) in there for match in said if match.start() != own)


_PART_OF_ANOTHER = regex(r"[0-9]{4}[–-]$")  # a season: "1947–48"
_WITH_ITS_SIGN = regex(r"[ ]?(?:%|[a-z])")


def _stands_alone(figure: Figure, spot: Spot, sources: Sources) -> bool:
    """Whether a place has just this plain value: not rounded, no rank, no share, no half of a season."""
    source = sources.texts[spot.source]
    return (
        source.origin == "seen"
        and figure.unit is None
        and spot.value == as_float(figure.value)
        and (spot.end - spot.start > 2 or not _PART_OF_ANOTHER.search(source.text, max(0, spot.start - 5), spot.start))
        and (figure.digits > _LONG or _WITH_ITS_SIGN.match(source.lower, spot.end) is None)
    )


_POWERS_SAID = (3, 6, 9, 4, 8, 12)


def _in_scaled_tables(figure: Figure, sources: Sources) -> list[_Candidate]:
    """Cells whose table says their scale elsewhere ("in millions")."""
    if figure.value < 100:
        return []
    found: list[_Candidate] = []
    low, high = figure.edges
    for power in _POWERS_SAID:
        for spot in sources.between(low / 10**power, high / 10**power, _MOST_SCALED):
            source = sources.texts[spot.source]
            if power not in source.powers_at(spot.start):
                continue
            unit, _, _ = source.page.unit_at(spot.start, spot.end)
            if unit is None or figure.unit is None or alike(unit, figure.unit):
                found.append(_Candidate(spot, 1, 2))
    return found


def _without_scale(figure: Figure, answer: Answer, sources: Sources) -> Finding | None:
    """ "2,493 million" where 2,493 stands in a table, and nothing there says of what scale it is."""
    raw = answer.text[figure.number[0] : figure.number[1]]
    digits = PIECE.match(raw)
    if digits is None or digits.end() == len(raw):
        return None
    value, step = exact(digits[0])
    spots = sources.between(as_float(value), as_float(value), _MOST_SCALED)
    for spot in spots:
        text = sources.texts[spot.source].text
        if text[spot.end : spot.end + 1] == ")":  # a loss: "(71) million"
            behind = text[spot.end + 1 : scale_end(text, spot.start, spot.end + 1)]
            if exact(f"{digits[0]}{behind}")[0] == figure.value:
                return Finding("seen", (spot[1:],))
    if value / step < 100:
        return None
    words = answer.words(figure.start, figure.end)
    for spot in spots:
        source = sources.texts[spot.source]
        around = window(source, spot.start, spot.end)
        if source.origin != "seen" or source.page.powers_at(spot.start) or not shared(words, around):
            continue
        if (unit := source.page.unit_at(spot.start, spot.end)[0]) is not None and unit.dimension == "share":
            continue  # "31.4 million" is no 31.4 %
        if scale_end(source.text, spot.start, spot.end) == spot.end:
            said = any(10**power * value == figure.value for power in powers_said(source.lower))
            note = "" if said else Text("It stands there without its scale")
            return Finding("seen" if said else "elsewhere", (spot[1:],), note)
    return None


_FEW = 4  # numbers that are all that was observed
_POWERS = (-3, 3, -1, 1, -6, 6, -4, 4, -2, 2, -8, 8, -9, 9)


def nearest(figure: Figure, answer: Answer, sources: Sources) -> Finding:
    """``differs`` with the seen value that the figure is a slip of, or ``not_found``: another value may be meant."""
    words = answer.words(figure.start, figure.end)
    value = as_float(figure.value)
    best: tuple[tuple[float, ...], Spot] | None = None
    alone = len(sources.numbers) <= _FEW
    nearby = sources.between(value * 0.75, value * 1.34, 24) if value else []
    powers = [spot for power in _POWERS for spot in sources.between(value * 10.0**power, value * 10.0**power, 2)]
    for index, spot in enumerate((*nearby, *powers)):
        source = sources.texts[spot.source]
        unit, _, _ = source.page.unit_at(spot.start, spot.end)
        same = _like(figure, unit, source, spot)
        score = shared(words, window(source, spot.start, spot.end))
        close = index < len(nearby) and value >= 3_000 and abs(spot.value - value) <= value / 10
        if not (same or (close and unit is figure.unit)) and (
            score < 2 or weak(figure) or unit is not None or figure.unit is not None
        ):
            continue
        if not (score or alone or figure.digits > _LONG):
            continue  # a short one of something else
        if (figure.digits < 2) if index >= len(nearby) else not (alone or is_slip(figure, spot.value)):
            continue
        rank = (float(source.origin == "seen"), float(same), float(score), -abs(spot.value - value))
        if best is None or rank > best[0]:
            best = rank, spot
    if best is not None:
        return sources.differs(best[1][1:], widen=True)
    found = counted_otherwise(figure, sources) if weak(figure) else None
    return found or Finding("not_found")


def _like(figure: Figure, unit: Unit | None, source: Source, spot: Spot) -> bool:
    if figure.unit is not None:
        return unit is not None and alike(figure.unit, unit)
    return unit is None and bool(figure.noun) and figure.noun in source.lower[spot.end : spot.end + 24]
