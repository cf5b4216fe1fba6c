"""Whether a number of the answer stands in a source: same value at the precision stated, same unit, same sign."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from agent.evidence.context import Answer, is_row, line_bounds, region, same_script, shared, window
from agent.evidence.figures import SIGN, Figure
from agent.evidence.scanning import exact
from agent.evidence.sources import Source, Sources, Spot
from agent.evidence.units import Unit, alike, comparable, named_in, unit_at
from agent.evidence.verdicts import Place, Verdict
from agent.evidence.words import SPELLED

_MOST_PLACES = 3
_MOST_VERIFIED = 12
_CELL_END = frozenset(',}]|"\t\n<;)')
_DOWN = re.compile(
    r"\b(?:down|fell|fall|falls|decreas|declin|drop|loss|lost|lower|below|reduc|shrank|shrink|slid|"
    r"slip|contract|negative|deficit|minus|colder)"
    r"|下落|減|マイナス|低下|赤字|氷点下|零下|下が|損失"
)
_SCALED: dict[int, re.Pattern[str]] = {
    3: re.compile(r"thousand|000s|千|\(k\)|['’]000"),
    4: re.compile(r"万"),
    6: re.compile(r"million|\bmn\b|\bmio\b|百万|_m\b|\(m\)|[$€£¥]m\b"),
    8: re.compile(r"億"),
    9: re.compile(r"billion|\bbn\b|十億|_b\b|\(b\)|[$€£¥]b\b"),
    12: re.compile(r"trillion|兆"),
}
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}$")
_DECIMAL_COMMA = re.compile(r"\d,\d{1,2}(?![\d,])")
_COUNT_BEFORE = re.compile(rf"(\d[\d,]*|\b(?:{'|'.join(SPELLED)}))[ -](?:[a-z]+ )?$")
_TIME = frozenset(("time", "month"))


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking a claim up. ``spots`` are the places as (source, start, end), the best first."""

    verdict: Verdict
    spots: tuple[tuple[int, int, int], ...] = ()
    note: str = ""

    def places(self, sources: Sources, widen: bool = False) -> tuple[Place, ...]:
        """The first few places; ``widen`` takes in the unit and sign of a number."""
        found: list[Place] = []
        for index, start, end in self.spots[:_MOST_PLACES]:
            source = sources.texts[index]
            found.append(
                source.place(*(widened(source.text, start, end) if widen and 0 < end - start < 40 else (start, end)))
            )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class _Candidate:
    spot: Spot
    score: int
    quality: int


def look_up(figure: Figure, answer: Answer, sources: Sources, most: int) -> Finding:
    """``seen``, ``given`` (or ``seen`` in an earlier answer, to be settled there), ``differs`` or ``not_found``.

    At most ``most`` places with the value are looked at.
    """
    words = answer.words(figure.start, figure.end)
    low, high = figure.bounds
    spots = sources.between(float(low), float(high), most)
    candidates = _rated(figure, spots, words, answer, sources)
    if not any(candidate.quality > 0 for candidate in candidates) and figure.step >= 1:
        candidates += _rated(figure, sources.spelled_between(float(low), float(high), most), words, answer, sources)
    good = [candidate for candidate in candidates if candidate.quality > 0]
    if good and (contradicted := _counted_otherwise(figure, good, sources)) is not None:
        return contradicted
    good = [candidate for candidate in good if _supported(figure, candidate, words, sources)]
    good = good or _in_scaled_tables(figure, sources)
    refused = [candidate for candidate in candidates if candidate.quality < 0]
    if good and not (refused and all(candidate.quality == 1 for candidate in good)):
        return _found(good, sources)
    if refused and (figure.digits > 1 or refused[0].score > 1):
        return differs(refused[0].spot, sources)
    return Finding("not_found")


def _found(good: list[_Candidate], sources: Sources) -> Finding:
    order = ("seen", "given", "earlier")
    good.sort(key=lambda one: (order.index(sources.texts[one.spot.source].origin), -one.quality, -one.score))
    verdict: Verdict = "given" if sources.texts[good[0].spot.source].origin == "given" else "seen"
    return Finding(verdict, tuple(one.spot[1:] for one in good))


def differs(spot: Spot, sources: Sources) -> Finding:
    """``differs``, with what stands at the place."""
    text = sources.texts[spot.source].text
    left, right = widened(text, spot.start, spot.end)
    return Finding("differs", (spot[1:],), f"Seen: {text[left:right].strip()}")


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a number with its sign, currency and unit starts and ends."""
    _, left, right = unit_at(text, start, end)
    sign = SIGN.search(text, max(0, left - 12), left)
    return (sign.start() if sign is not None else left), right


def _rated(
    figure: Figure, spots: list[Spot], words: tuple[str, ...], answer: Answer, sources: Sources
) -> list[_Candidate]:
    """The places with the value at the precision stated, those in the best company first."""
    scored = [(shared(words, window(sources.texts[spot.source], spot.start, spot.end)), spot) for spot in spots]
    scored.sort(key=lambda pair: -pair[0])
    rated: list[_Candidate] = []
    for score, spot in scored[:_MOST_VERIFIED]:
        quality = agreement(figure, spot, answer, sources)
        if quality:
            rated.append(_Candidate(spot, score, quality))
    return rated


def agreement(figure: Figure, spot: Spot, answer: Answer, sources: Sources) -> int:
    """3 the same unit (or counted noun), 2 no unit to compare, 1 doubtful, 0 another value, -1 other unit or sign."""
    source = sources.texts[spot.source]
    low, high = figure.bounds
    if not low <= _value(source, spot) <= high:
        return 0
    if _other_sign(figure, source, spot, answer):
        return -1
    return _same_unit(figure, source, spot)


def _value(source: Source, spot: Spot) -> Fraction:
    raw = source.text[spot.start : spot.end]
    return exact(raw)[0] if raw[:1].isdigit() and spot.end - spot.start <= 200 else Fraction(int(spot.value))


def _other_sign(figure: Figure, source: Source, spot: Spot, answer: Answer) -> bool:
    negative = SIGN.search(source.text, max(0, spot.start - 12), spot.start) is not None
    if negative == figure.negative:
        return False
    if negative:
        left, right = answer.sentence(figure.start)
        return _DOWN.search(answer.lower, max(left, figure.start - 200), min(right, figure.end + 100)) is None
    return _DOWN.search(window(source, spot.start, spot.end)) is None


def _same_unit(figure: Figure, source: Source, spot: Spot) -> int:
    text = source.text
    unit, _, _ = unit_at(text, spot.start, spot.end)
    if figure.unit is None or figure.unit.dimension == "ratio":
        if figure.noun and figure.noun in source.lower[spot.end : spot.end + 24]:
            return 3
        return 1 if unit is not None and figure.noun else 2
    if unit is not None:
        return 3 if alike(unit, figure.unit) else -1
    if (
        text[spot.end : spot.end + 1] in _CELL_END
        or spot.end == len(text)
        or not text[spot.end + 1 : spot.end + 2].isalpha()
    ):
        named = units_named(source, spot, figure.unit)
        if named:
            return 3 if any(alike(one, figure.unit) for one in named) else -1
        return 2
    return 1


def units_named(source: Source, spot: Spot, like: Unit) -> list[Unit]:
    """Units of what ``like`` measures that the row, the record or the head of the table names."""
    texts = [region(source, spot.start, spot.end)]
    left, right = line_bounds(source.lower, spot.start, spot.end)
    if is_row(source.lower[left:right]):
        texts.append(_head(source, left))
    for text in texts:
        if found := [unit for unit in named_in(text) if comparable(unit, like)]:
            return found
    return []


def _head(source: Source, position: int) -> str:
    """The first line of the block of lines that a row belongs to."""
    start = source.lower.rfind("\n\n", 0, position)
    start = start + 2 if start >= 0 else 0
    end = source.lower.find("\n", start, start + 300)
    return source.lower[start : end if end >= 0 else start + 300]


def weak(figure: Figure) -> bool:
    """A figure so short that its value alone proves nothing: it must stand in the same company."""
    bare = figure.unit is None or figure.unit.dimension in _TIME or figure.unit.dimension == "ratio"
    year = figure.unit is None and figure.digits == 4 and figure.step == 1 and 1000 <= figure.value <= 2100
    return (bare and figure.digits <= 2 and figure.step >= 1 and figure.value < 100) or year


def _supported(figure: Figure, candidate: _Candidate, words: tuple[str, ...], sources: Sources) -> bool:
    source = sources.texts[candidate.spot.source]
    if source.origin != "seen" or not (weak(figure) or candidate.quality == 1):
        return True
    if candidate.score or candidate.quality == 3 or not words:
        return True
    return not same_script(words, source.lower) or len(sources.numbers) <= 3


def _counted_otherwise(figure: Figure, good: list[_Candidate], sources: Sources) -> Finding | None:
    """A small number that is seen, but never with its noun, while the noun is counted with another number."""
    if not (figure.noun and figure.unit is None and weak(figure)) or figure.ordinal or len(figure.noun) < 4:
        return None
    if any(one.quality == 3 or sources.texts[one.spot.source].origin != "seen" or one.score > 4 for one in good):
        return None
    spot = counted(figure.noun, sources)
    return differs(spot, sources) if spot is not None else None


def counted(noun: str, sources: Sources) -> Spot | None:
    """A number directly before the noun, in the first few places where the noun stands."""
    for index, source in enumerate(sources.texts):
        position, tries = source.lower.find(noun), 0
        while position >= 0 and tries < 12:
            match = _COUNT_BEFORE.search(source.lower, max(0, position - 24), position)
            if match is not None and source.origin == "seen":
                return Spot(0.0, index, match.start(1), match.end(1))
            position, tries = source.lower.find(noun, position + len(noun)), tries + 1
    return None


def _in_scaled_tables(figure: Figure, sources: Sources) -> list[_Candidate]:
    """Places where the scale stands in a heading ("in millions"), or where a point groups thousands."""
    if figure.value < 1000:
        return []
    found: list[_Candidate] = []
    low, high = figure.bounds
    for power, pattern in _SCALED.items():
        for spot in sources.between(float(low / 10**power), float(high / 10**power), 6):
            source = sources.texts[spot.source]
            raw = source.text[spot.start : spot.end]
            around = region(source, spot.start, spot.end) + _head(source, spot.start)
            grouped = power == 3 and _THOUSANDS.match(raw) and _DECIMAL_COMMA.search(source.text)
            if (grouped or pattern.search(around)) and raw[-1:].isdigit() and not _far(figure, source, spot):
                found.append(_Candidate(spot, 1, 2))
    return found


def _far(figure: Figure, source: Source, spot: Spot) -> bool:
    unit, _, _ = unit_at(source.text, spot.start, spot.end)
    return unit is not None and figure.unit is not None and not alike(unit, figure.unit)
