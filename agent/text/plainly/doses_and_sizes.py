"""Doses, coats of paint, pieces and what goes into what, told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from agent.text.plainly.told_words import FIGURE, PRICE_TURNS, figures_in
from agent.text.problems.story_parts import stem
from agent.text.quantities.number_words import number_at
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_TIMES_A_DAY = regex(
    r"\b(?:(?P<n>\d+|one|two|three|four|five|six) times|(?P<once>once)|(?P<twice>twice)) (?:a"
    r"|per|each|every) day\b|\b(?P<daily>daily)\b|\bevery (?P<h>4|6|8|12) hours\b"
)


_DAYS = regex(r"\b(?P<n>\d+)[ -](?P<u>day|week)s?\b(?! old)")


_A_TABLET = regex(r"\b(?P<k>tablet|pill|capsule|ampoule|vial|sachet|bottle|puff|drop|dose)s?\b")


_MASS = regex(
    r"(?<![\d.])(?P<n>\d+(?:\.\d+)?) ?(?P<u>mg|g|mcg|micrograms?|milligrams?|grams?|ml"
    r"|millilit(?:re|er)s?|units|lit(?:re|er)s?|l)\b"
)


_DOSED = regex(
    r"\b(?:dose|takes?|needs?|prescribed|given|gets?|have|has|order\w*|is to have|on|wants?"
    r"|says?|prescribes?|should (?:take|have))\b"
)


def _doses(text: str) -> Iterator[str]:
    """ "Tablets are 250 mg, the dose is 750 mg three times a day. How many tablets for 7 days?"."""
    often, days = list(_TIMES_A_DAY.finditer(text)), list(_DAYS.finditer(text))
    rest = _DAYS.sub(" ", _TIMES_A_DAY.sub(" ", text))
    masses = list(_MASS.finditer(rest))
    asked = re.search(r"\bhow (?:many|much|long) (?P<k>[a-z]+)\b", text)
    if (
        len(often) != 1
        or len(days) > 1
        or asked is None
        or PRICE_TURNS.search(re.sub(r"\blast\b", " ", rest))
        or not masses
        or len(figures_in(rest)) != len(masses)
        or len(masses) > 2
    ):
        return
    said = often[0]
    a_day = (
        "1"
        if said["once"] or said["daily"]
        else "2"
        if said["twice"]
        else str(24 // int(said["h"]))
        if said["h"]
        else said["n"]
    )
    number = number_at(a_day, 0, "en")
    length = int(days[0]["n"]) * (7 if days[0]["u"] == "week" else 1) if days else 1
    lasts = re.search(r"\bhow (?:many days|long)\b[^?]*\blast\b", text)
    if number is None or (
        not days
        and not lasts
        and not re.search(r"\b(?:a|per|each) day\b[^?]*\b(?:per|a|each|every|in a|one) day\b|\bdaily\b", text)
    ):
        return
    if re.search(r"\bhow (?:many days|long)\b", text) and len(masses) == 2 and not days:
        sizes = sorted(masses, key=lambda one: Decimal(one["n"]))
        if masses[0]["u"] == masses[1]["u"]:
            yield f"what is {sizes[1]['n']} / ({sizes[0]['n']} * {number[0]})"
        return
    sizes = [(Decimal(one["n"]), _size(one["u"])) for one in masses]
    tablet = _A_TABLET.match(asked["k"])
    if tablet and len(masses) == 2:
        near = [abs(one.start() - found.start()) for one in masses for found in list(_A_TABLET.finditer(rest))[:1]]
        first = near.index(min(near)) if near else 0
        (each, size), (dose, other) = (sizes[first], sizes[1 - first])
        if size and other and size.kind == other.kind and _DOSED.search(text):
            ratio = (
                Decimal(other.size.numerator)
                / Decimal(other.size.denominator)
                / (Decimal(size.size.numerator) / Decimal(size.size.denominator))
            )
            yield f"what is {dose * ratio} * {number[0]} * {length} / {each}"
    elif len(masses) == 1 and not tablet and _size(asked["k"]) and _size(asked["k"]) == sizes[0][1]:
        yield f"what is {sizes[0][0]} {masses[0]['u']} * {int(number[0]) * length}"


def _size(word: str) -> Measure | None:
    found = measure_of(word)
    return found[0] if len(found) == 1 else None


_COATS = regex(r"\b(?P<n>[2-4]) (?:coats?|layers?|times)\b|\b(?P<twice>twice)\b")


_AREA = regex(
    r"(?<![\d.])(?P<n>\d+(?:\.\d+)?) ?(?:square (?:metres?|meters?|feet|yards?)|sq ?(?:m|ft)|m2|m²|m\^2)(?![a-z])"
)


_COVERS = regex(
    r"\b(?:an?|one|1|each|per) (?P<k>lit(?:re|er)|tin|can|pot|bucket|gallon|bag|roll|pack|box"
    r"|tub)\b[^.?!,]{0,30}\b(?:covers?|does|is enough for|will do|coverage)\b"
    r"|\bper (?P<l>lit(?:re|er)|tin|can|pot|gallon|tub)\b|\bto (?:the|a|an) (?P<j>lit(?:re|er)"
    r"|tin|can|gallon)\b"
)


def _coats(text: str) -> Iterator[str]:
    """ "46 square metres with 2 coats, a litre covers 11.5 square metres. How many litres?"."""
    coats, areas, covers = list(_COATS.finditer(text)), list(_AREA.finditer(text)), _COVERS.search(text)
    rest = _AREA.sub(" ", _COATS.sub(" ", _COVERS.sub(" ", text)))
    if len(coats) != 1 or len(areas) != 2 or covers is None or figures_in(rest) or PRICE_TURNS.search(rest):
        return
    kind = covers["k"] or covers["l"] or covers["j"]
    asked = re.search(rf"\bhow (?:many|much) (?:{kind[:3]}[a-z]*|paint)\b", text)
    per = min(areas, key=lambda area: min(abs(area.start() - covers.end()), abs(covers.start() - area.end())))
    whole = next(area for area in areas if area is not per)
    piece = re.split(r"[.,;](?= |$)", text[covers.end() :])[0]
    before = re.split(r"[.,;](?= |$)", text[: covers.start()])[-1]
    if asked and not _COATS.search(piece) and not _COATS.search(re.split(r"\b(?:and|so)\b", before)[-1]):
        coat = coats[0]["n"] or "2"
        yield f"what is {whole['n']} * {coat} / {per['n']}"


_FROM_TO = regex(
    rf"\bfrom (?P<a>{FIGURE})(?: ?(?:%|percent|degrees|litres?|kg))? (?:down "
    rf"|up )?to (?P<b>{FIGURE})(?![\d.]*\d)(?: ?(?:%|percent|degrees|litres?|kg))?"
)


_A_TIME = regex(
    rf"(?<![\d.])(?P<n>{FIGURE}) ?(?:%|percent|degrees|litres?|kg)? ?(?:an?|per|each"
    r"|every) (?P<u>minute|hour|day|week|month)\b"
)


_PIECES = regex(
    rf"(?<![\d.])(?P<l>{FIGURE}) ?(?P<u>mm|cm|m|met(?:re|er)s?|feet|foot|ft|inch(?:es)?"
    r"|yards?)\b[^?]*?\b(?:in|into) (?P<n>\d+) (?:equal |even |identical )?(?:pieces|parts"
    r"|lengths|strips|sections|bits|shelves)\b"
)


_HOW_LONG_EACH = regex(
    r"\bhow (?:long|wide|much|big) (?:is|are|will|does|should|would)\b[^?]*\b(?:each|one|every|piece)\b"
)


def _pieces(text: str) -> Iterator[str]:
    """ "Cut a 2.4 m board in 6 equal pieces, how long is each one?"."""
    said = _PIECES.search(text)
    if said is None or len(figures_in(text)) != 2 or not _HOW_LONG_EACH.search(text):
        return
    if not re.search(r"\b(?:left|waste|saw|lost|half|third|not|longest|first)\b", text):
        yield f"what is {said['l']} {said['u']} / {said['n']}"


def _drained(text: str) -> Iterator[str]:
    """ "It drops 4% an hour, how long from 100 to 20?"."""
    ends, rates = list(_FROM_TO.finditer(text)), list(_A_TIME.finditer(text))
    rest = _A_TIME.sub(" ", _FROM_TO.sub(" ", text))
    if (
        len(ends) != 1
        or len(rates) != 1
        or figures_in(rest)
        or PRICE_TURNS.search(rest)
        or not re.search(r"\bhow (?:long|many (?:minutes|hours|days|weeks|months))\b", text)
    ):
        return
    more, less = sorted((Decimal(ends[0]["a"]), Decimal(ends[0]["b"])), reverse=True)
    if Decimal(rates[0]["n"]):
        yield f"what is {more - less} / {rates[0]['n']}"


_ONE_IS = regex(
    r"(?:\b(?:an?|one|1|each|every|the) |^)(?P<k>[a-z]+?)(?:e?s)?(?: of [a-z]+(?: [a-z]+)?)? "
    r"(?:is|weighs|holds|has|contains|needs|takes|uses|=|makes) (?:about |around )?"
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<u>[a-z]+)\b"
)


_MANY_OF = regex(r"\bhow many (?P<k>[a-z]+?)(?:e?s)?\b(?P<rest>[^?.!]*?)(?P<n>\d+(?:\.\d+)?) ?(?P<u>[a-z]+)\b[^\d]*$")


_SIZED = regex(r"\bhow many (?P<n>\d+(?:\.\d+)?)[ -]?(?P<u>[a-z]+) [a-z]+s\b")


_QUANTITY = regex(r"(?<![\d.])(?P<n>\d+(?:\.\d+)?)[ -]?(?P<u>[a-z]+)\b")


def _sized(text: str) -> Iterator[str]:
    """ "A 750 ml bottle is how many 125 ml glasses?", where the one goes into the other."""
    many = _SIZED.search(text)
    whole = list(_QUANTITY.finditer(_SIZED.sub(" ", text)))
    if many is None or len(whole) != 1 or len(figures_in(text)) != 2 or PRICE_TURNS.search(text):
        return
    first, second = _size(many["u"]), _size(whole[0]["u"])
    if first and second and first.kind == second.kind and Decimal(many["n"]):
        ratio = (
            Decimal(second.size.numerator)
            / Decimal(second.size.denominator)
            / (Decimal(first.size.numerator) / Decimal(first.size.denominator))
        )
        total = (Decimal(whole[0]["n"]) * ratio).normalize()
        if total % Decimal(many["n"]) == 0:
            yield f"what is {total:f} / {many['n']}"


_NEEDS = regex(
    r"(?:\b(?:an?|one|1|each|every|the) |^)(?P<k>[a-z]+)(?: of [a-z]+)? (?:needs|takes|uses"
    r"|requires|weighs|holds|is) (?:about )?(?P<n>\d+(?:\.\d+)?) ?(?P<u>[a-z]+)\b"
)


_MAKES = regex(r"\bhow many (?:of (?:them|those)|(?P<k>[a-z]+))\b[^?.!\d]*\b(?:can|could)\b[^?.!\d]*[?.! ]*$")


def _made_of(text: str) -> Iterator[str]:
    """ "A loaf needs 450 g of flour and I have 1.5 kg. How many loaves can I bake?"."""
    one, many = _NEEDS.search(text), _MAKES.search(text)
    if one is None or many is None or len(figures_in(text)) != 2 or PRICE_TURNS.search(text):
        return
    rest = text[: one.start()] + " " + text[one.end() :]
    whole = list(_QUANTITY.finditer(rest))
    if len(whole) != 1 or (many["k"] and stem(many["k"]) != stem(one["k"])):
        return
    first, second = _size(one["u"]), _size(whole[0]["u"])
    if first and second and first.kind == second.kind and Decimal(one["n"]):
        ratio = (
            Decimal(second.size.numerator)
            / Decimal(second.size.denominator)
            / (Decimal(first.size.numerator) / Decimal(first.size.denominator))
        )
        yield f"what is floor({(Decimal(whole[0]['n']) * ratio).normalize():f} / {one['n']})"


_A_PORTION = regex(
    r"(?<![\d.])(?P<n>\d+(?:\.\d+)?) ?(?P<u>[a-z]+) (?:an?|per|each|every|for each) (?P<k>[a-z]+)\b"
    r"|\b(?P<j>[a-z]+s) (?:of|hold|holding|are|take|taking|with) (?P<m>\d+(?:\.\d+)?) ?(?P<v>[a-z]+)\b"
)
_PORTIONS_ASKED = regex(r"\b(?:how many|number of) (?P<k>[a-z]+)\b[^?.!\d]*[?.! ]*$")
_WHOLE = frozenset(
    ("portion", "serving", "glass", "cup", "bottle", "mug", "slice", "bag", "jar", "bowl", "helping", "shot")
)


def _portions(text: str) -> Iterator[str]:
    """ "A 5 kg bag of rice, 80 g a portion, how many portions?": whole ones."""
    one, many = _A_PORTION.search(text), _PORTIONS_ASKED.search(text)
    if one is None or many is None or len(figures_in(text)) != 2 or PRICE_TURNS.search(text):
        return
    whole = list(_QUANTITY.finditer(text[: one.start()] + " " + text[one.end() :]))
    small, unit, kind = one["n"] or one["m"], one["u"] or one["v"], stem(one["k"] or one["j"])
    first, second = _size(unit), _size(whole[0]["u"]) if len(whole) == 1 else None
    if first is None or second is None or first.kind != second.kind or kind != stem(many["k"]) or kind not in _WHOLE:
        return
    ratio = Decimal(second.size.numerator) / Decimal(second.size.denominator)
    ratio /= Decimal(first.size.numerator) / Decimal(first.size.denominator)
    yield f"what is floor({(Decimal(whole[0]['n']) * ratio).normalize():f} / {small})"


_OF_NUMBER = regex(
    r"(?:if )?(?P<a>\d)/(?P<b>\d{1,2}) of (?:a|the|some"
    r"|my) number is (?P<n>\d+(?:\.\d+)?),? what(?:'s| is)? (?:is )?(?:it|the number"
    r"|that number)(?: is)?"
)
_OF_UNIT = regex(
    r"how many (?P<u>[a-z]+) (?:is|are|are there in|are in|in) (?P<a>\d)/(?P<b>\d{1,2}) of an? (?P<v>[a-z]+)"
)


def _of_number(text: str) -> Iterator[str]:
    """ "If 3/5 of a number is 27, what is it?", "how many minutes is 2/3 of an hour?"."""
    bare = text.strip(" ?.!")
    if said := _OF_NUMBER.fullmatch(bare):
        yield f"what is {said['n']} * {said['b']} / {said['a']}"
    if said := _OF_UNIT.fullmatch(bare):
        first, second = _size(said["u"]), _size(said["v"]) or _size(said["v"] + "s")
        if first and second and first.kind == second.kind:
            times = second.size / first.size
            yield (
                f"what is {times.numerator}{f' / {times.denominator}' if times.denominator != 1 else ''} "
                f"* {said['a']} / {said['b']}"
            )


def _in_ones(text: str) -> Iterator[str]:
    """ "A cup of flour is 125 g, how many cups is 500 g?"."""
    yield from _sized(text)
    yield from _made_of(text)
    yield from _portions(text)
    yield from _of_number(text)
    one, many = _ONE_IS.search(text), _MANY_OF.search(text)
    if one is None or many is None or one["k"] != many["k"] or len(figures_in(text)) != 2 or PRICE_TURNS.search(text):
        return
    first, second = _size(one["u"]), _size(many["u"])
    if (
        first
        and second
        and first.kind == second.kind
        and not re.search(r"\b(?:full|fill|can|need|cut|get|whole)\b", many["rest"])
    ):
        ratio = (
            Decimal(second.size.numerator)
            / Decimal(second.size.denominator)
            / (Decimal(first.size.numerator) / Decimal(first.size.denominator))
        )
        yield f"what is {Decimal(many['n']) * ratio} / {one['n']}"


def of_sizes(text: str) -> Iterator[str]:
    """The plain questions that a telling of doses or sizes may come to."""
    plain = in_digits(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()))
    for read in (_doses, _coats, _drained, _in_ones, _pieces):
        yield from read(plain)
