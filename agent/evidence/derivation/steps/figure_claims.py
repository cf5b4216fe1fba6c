"""What a figure that stands nowhere may be: the kinds of steps its sentence speaks of, its unit, its direction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from agent.evidence.derivation.steps.arithmetic_steps import Number, Result, Several, with_share, written
from agent.evidence.derivation.steps.changed_values import from_the_other, is_change, is_no_change, ordered, sign_of
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.derivation.steps.lists import Column
from agent.evidence.direction import is_compared, turned, was_compared
from agent.evidence.lookup.context import stems
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.sources import Finding, Sources
from agent.interface_text import Text
from agent.text.quantities.claim_words import several
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import as_float
from agent.text.quantities.units import PERCENT, POINTS, alike
from agent.text.regex import regex

_LINEAR = frozenset(("sum", "difference", "mean", "minimum", "maximum"))
_OF_SEVERAL = frozenset(("sum", "mean", "minimum", "maximum"))
_HOW_OFTEN = regex(
    r" ?times\b(?! (?:as|more|less|fewer|greater|the|that|what|its|their|of|[a-z]+er)\b| [^\W\d_]+['’]s?\b)"
)
_RATIO = regex(r"ratio|multiple|cover|factor|divided|÷|/")
_LINEAR_OF_TWO = _LINEAR | {"years"}
_CHANGE_OF = regex(r"(?:percentage|percent|per cent|%) (?:change|increase|decrease|growth|decline|rise|drop)\b[^.;%]*$")
_CHANGED_BY = regex(
    r"\b(?:ros[et]|risen|grew|grown|increased|climbed|jumped|surged|gained|fell|fallen|decreased|declined|dropped|shrank)"
    r"(?: by)?(?: about| around| some| nearly| almost| over)? $"
)
_LEVEL = regex(r"\b(?:up|down) from (?:just |under |over |about |around |nearly |almost )*$")  # what it was, no change
_SURE = 3  # digits that hardly come to a sum by chance
_ENDLESS = 300  # a power of ten near the end of floats
_TELLING = 3  # words of a sentence that says something by itself
_FEW = 4  # values; out of more a short figure comes by chance
_PARTICLE = regex(r"(?<=^[件個行])[\u3041-\u309f]$")  # behind what counts rows: "3行で"
_ITEMS = frozenset(several("rows row entri items item recor lines resul value eleme 件 個 つ 行"))


_THAN = regex(
    r"[ \u00a0*_]*(?:(?P<more>more|higher|greater|larger|bigger|mehr|höher|de plus|más)|less|lower|fewer|smaller"
    r"|weniger|niedriger|de moins|menos)\b[^.,;:\n]{0,40}?\b(?:than|als|que)\b"
)


@dataclass(frozen=True)
class FigureClaim:
    """A figure with what its sentence lets it be; ``at`` is its place in ``said``, ``head`` that of its own column.

    ``asked`` is what the person asked of it, in lower case. ``tried`` are the values that it was sought among so far.
    """

    figure: Figure
    text: str
    kinds: frozenset[str]
    said: str
    at: int
    head: str = ""
    asked: str = ""
    tried: list[Sequence[Known]] = field(default_factory=list[Sequence[Known]], compare=False)

    @property
    def named(self) -> tuple[str, str]:
        """What may name a ratio or a difference: first its sentence, then the question ("It was 45.5%.")."""
        return self.said, self.asked

    @cached_property
    def about(self) -> str:
        """What may say a share of what it is: its sentence, or the question where this says next to nothing."""
        return self.said if len(stems(self.said)) >= _TELLING else self.asked or self.said

    @cached_property
    def scale(self) -> int:
        """The power of ten that its scale word gives: 6 for "12 million"."""
        return scale_said(self.figure, self.text)

    @cached_property
    def powers(self) -> tuple[int, ...]:
        return (0, self.scale) if 0 < self.scale < _ENDLESS else (0,)

    @cached_property
    def in_line(self) -> bool:
        """Whether it can be a sum, a difference or a mean."""
        return not self.kinds.isdisjoint(_LINEAR_OF_TWO)

    @property
    def of_product(self) -> bool:
        return "product" in self.kinds

    @cached_property
    def of_quotient(self) -> bool:
        """Whether it can be a ratio, a percentage or a change in per cent."""
        return self.is_share or "ratio" in self.kinds

    @cached_property
    def of_any_two(self) -> bool:
        """Whether it can come from two values of which none is a share."""
        return self.in_line or self.of_product or self.of_quotient

    @property
    def sign(self) -> int:
        """1 for "+9.8%", -1 for "−9.8%", 0 where no sign is said."""
        return -1 if self.figure.negative else self.text[self.figure.start - 1 : self.figure.start] == "+"

    @cached_property
    def _than(self) -> int:
        """1 for "9.8% more than", -1 for "9.8% less than", 0 where it is compared with nothing so."""
        said = _THAN.match(self.text, self.figure.end)
        return 0 if said is None else 1 if said["more"] else -1

    def may_come_from(self, values: Iterable[Known]) -> bool:
        """Whether any two of some values can lead to it, as far as its sentence and their units say."""
        return self.of_any_two or any(known.share for known in values)

    @cached_property
    def of_several(self) -> bool:
        """Whether its sentence speaks of a sum, a mean or an extreme."""
        return not self.kinds.isdisjoint(_OF_SEVERAL)

    def near_total(self, several: Several, known: Sequence[Known]) -> bool:
        """Whether a sum, a mean or an extreme of all values comes near to it, in floats."""
        low, high = self.figure.edges
        room = 1e-9 * sum(one.size for one in known)
        powers = {*self.powers, *(one.power for one in known)}
        return any(
            low / 10.0**power - room <= abs(size) <= high / 10.0**power + room
            for size in several.sizes
            for power in powers
        )

    def of_column(self, several: Several) -> FigureClaim:
        """The claim as it may be of a column: what counts or measures as its head says needs no word to be its sum."""
        figure, name = self.figure, several.source.name if isinstance(several.source, Column) else ""
        unit = figure.unit is not None and several.unit is not None and alike(figure.unit, several.unit)
        if figure.digits < _SURE or not name or not (unit or (figure.noun and figure.noun in name)):
            return self
        return replace(self, kinds=self.kinds | {"sum"})

    def comes_near(self, value: Number, scale: int = 0) -> bool:
        """Whether a value comes to the figure in floats, in its scale or that of its table, too."""
        low, high = self.figure.edges
        return any([low <= abs(as_float(value)) * 10.0**power <= high for power in (*self.powers, scale)])

    def near(self, one: Known, other: Known) -> bool:
        """Whether a step that the sentence can speak of leads from two values to the figure, in floats."""
        a, b = one.size, other.size
        shares = one.share, other.share
        odd = "other" in shares  # a share of ten or of a thousand: any step may be one
        if not (self.of_any_two or odd or "percent" in shares):
            return False
        low, high = self.figure.edges
        if (self.of_product or odd) and low <= a * b <= high:
            return True
        if (self.in_line or odd) and self._near_in_line(one, other):
            return True
        if (self.of_quotient or odd) and (_quotient(a, b, low, high) or _quotient(b, a, low, high)):
            return True
        if one.power != other.power and "ratio" in self.kinds and a and b:
            apart = 10.0 ** (one.power - other.power)
            if low <= a / b * apart <= high or low <= b / a / apart <= high:
                return True
        return "percent" in shares and any([low <= value <= high for value in with_share(a, b)])

    def _near_in_line(self, one: Known, other: Known) -> bool:
        """The same of sums, differences and means, in each scale that the figure or the values may have."""
        low, high = self.figure.edges
        total, apart = one.size + other.size, abs(one.size - other.size)
        for power in {*self.powers, one.power, other.power} if one.power or other.power else self.powers:
            bottom, top = (low / 10.0**power, high / 10.0**power) if power else (low, high)
            if bottom <= total <= top or bottom <= apart <= top:
                return True
            if bottom <= total / 2 <= top or bottom <= apart / 2 <= top:
                return True
        return False

    def fits(self, result: Result, known: tuple[Known, ...], crowd: int = 0) -> Finding | None:
        """The finding where a result comes to the figure; ``crowd`` is how many values it was picked from.

        It is ``elsewhere`` where a short figure may come to it by chance.
        """
        if not self.may_be(result) or is_no_change(result, known):
            return None
        if self.figure.negative and result.value > 0 and not (result.kind == "difference" and known):
            return None
        if is_change(result) and result.value < 0 < self.sign:
            return None  # "+9.6 %" is no fall of 9.6 % from the later value
        if is_change(result) and result.value * self._than < 0:
            return None  # "37% more than October" is not what October had less
        by_chance = (self.figure.digits < 3 and len(known) == 2) or (result.unit is POINTS and self.is_share)
        few = 2 if result.kind == "mean" else _FEW
        by_chance = by_chance and crowd > few and not all(one.operand.stated for one in known)
        if by_chance and self.figure.digits == 1 and self.figure.unit is None:
            return None
        low, high = self.figure.bounds
        for power in self.scales(result, known):
            size = abs(result.value) * 10**power
            if not low <= size <= high or (size != self.figure.value and self._is_short_count(known)):
                continue
            if result.near is not None and low <= abs(result.near * 10**power) <= high:
                continue
            either = low <= from_the_other(result) * 10**power <= high
            if not ordered(result, known) and (either or self._turned(result, known)):
                continue  # so does the change from the earlier value, or it is one of other values, that goes so
            found = self._judged(result, known, by_chance)
            rounded = self._is_count and size != self.figure.value and found.verdict == "worked_out"
            return replace(found, verdict="possible") if rounded else found
        return None

    @cached_property
    def _is_count(self) -> bool:
        """Whether a figure can only count: "six of them" hardly comes from 5.7 km."""
        return self.figure.digits == 1 and self.figure.unit is None and self.figure.step == 1 and not self.figure.loose

    def _is_short_count(self, known: Sequence[Known]) -> bool:
        """Whether a figure hardly is rounded from a step that nobody said: "9 of 12 months" are no 4.4 % of 207."""
        figure = self.figure
        whole = figure.digits <= 2 and figure.unit is None and figure.step == 1 and not figure.loose
        return whole and not all(one.operand.stated for one in known)

    def _judged(self, result: Result, known: tuple[Known, ...], by_chance: bool) -> Finding:
        """The finding for a result that comes to the figure, or soon does so ``by_chance``."""
        unit = None if result.kind == "product" and self.figure.unit is None else result.unit
        note = Text("{steps} = {outcome}", steps=result.note, outcome=written(result.value, unit))
        if result.unit is POINTS and self.is_share:
            stated = self.figure.digits > 1 or self.figure.step < 1 or all(one.operand.stated for one in known)
            sure = stated and is_compared(self.said, self.at)
            points = Text("These are percentage points: {steps}", steps=note)
            return Finding("differs" if sure else "elsewhere", result.spots, points)
        if not ordered(result, known):
            return Finding("differs", result.spots, Text("It starts from the later value: {steps}", steps=note))
        if self._turned(result, known):
            return Finding("differs", result.spots, Text("It goes the other way: {steps}", steps=note))
        return Finding("elsewhere" if by_chance or self._is_odd(result) else "worked_out", result.spots, note)

    def _turned(self, result: Result, known: tuple[Known, ...]) -> bool:
        """Whether a change is said to go the other way; the earlier value may have been the higher or lower one."""
        sign, years = sign_of(result, known, self.said), sorted(one.year for one in known if one.year is not None)
        compared = len(years) > 1 and was_compared(self.said, self.at, years[0], years[-1])
        return sign != 0 and not compared and turned(self.said, self.at, self.figure.negative, sign)

    def scales(self, result: Result, known: tuple[Known, ...]) -> Iterable[int]:
        """The powers of ten by which a result may be told otherwise: those of the figure and of the tables."""
        if result.kind == "ratio" and len(known) == 2:
            top, bottom = known if known[0].operand.spot == result.spots[0] else known[::-1]
            return dict.fromkeys((0, top.power - bottom.power, top.power - bottom.power + self.scale))
        if result.kind not in _LINEAR and result.kind != "subtotal":
            return (0,)
        return dict.fromkeys((0, *(one.power for one in known), self.scale))

    @cached_property
    def is_share(self) -> bool:
        return self.figure.unit is not None and alike(PERCENT, self.figure.unit)

    def by_formula(self, formula: str, values: Sequence[Fraction]) -> Finding:
        """``worked_out`` where a reading of the formula before the figure comes to it, in per cent or scaled, too."""
        low, high = self.figure.bounds
        for value, factor in product(values, dict.fromkeys((1, 100 if self.is_share else 1, 10**self.scale))):
            if low <= abs(value) * factor <= high:
                outcome = written(value * factor, self.figure.unit)
                return Finding("worked_out", (), Text("{steps} = {outcome}", steps=formula, outcome=outcome))
        return Finding("differs", (), Text("{steps} = {outcome}", steps=formula, outcome=written(values[0])))

    def counts(self, result: Result, sources: Sources) -> bool:
        """Whether a count is one of what the figure counts: of rows, or of a noun that stands there."""
        if result.kind != "count":
            return True
        index, start, end = result.spots[0]
        source, noun = sources.texts[index], _PARTICLE.sub("", self.figure.noun)
        if noun in _ITEMS or len(noun) < 2:
            return noun in _ITEMS
        table = at[0].table if (at := source.page.cell_at(start)) is not None else None
        if table is not None and any(noun in table.column_heads[number] for number in table.numeric_columns):
            return False  # the numbers of that column count them
        return source.lower.find(noun, max(0, start - 200), end) >= 0

    @cached_property
    def _is_how_often(self) -> bool:
        """Whether "5 times" tells how often something was, and not how many times as large."""
        if self.figure.step != 1 or _HOW_OFTEN.match(self.text, self.figure.number[1]) is None:
            return False
        return _RATIO.search(self.said) is None

    @cached_property
    def is_change_said(self) -> bool:
        """Whether it is said to be a change in per cent, and no share: "rose by 9.2%", "percentage change: 9.2%"."""
        before = self.said[: self.at]
        return _CHANGE_OF.search(before) is not None or _CHANGED_BY.search(before) is not None

    def may_be(self, result: Result) -> bool:
        """Whether such a result can be meant, however large it is."""
        return result.kind in self.kinds and self._of_kind(result)

    def _is_odd(self, result: Result) -> bool:
        """Whether a share comes of values that are none, but for a division; or what is no share of a share."""
        if self.is_share or self.figure.unit is POINTS:
            return result.unit is None
        return result.kind == "product" and result.unit is not None and result.unit.dimension == "share"

    def _of_kind(self, result: Result) -> bool:
        figure = self.figure
        if self.scale and result.unit is PERCENT:
            return False  # "31.4 million" is no 31.4 %
        if result.kind == "percent":
            may_change = "difference" in self.kinds and _LEVEL.search(self.said, 0, self.at) is None
            return self.is_share and (may_change if is_change(result) else not self.is_change_said)
        if result.kind == "years" and self.is_share:
            return False
        if result.kind == "count":
            return figure.unit is result.unit and figure.step >= 1
        if result.kind == "ratio" and (self._is_how_often or _is_of_share(result, figure)):
            return False
        if result.kind == "ratio" and result.unit is None:
            rounded = figure.digits == 1 and figure.step == 1 and Fraction(result.value).denominator != 1
            return (figure.unit is None and not rounded) or (
                figure.unit is not None and figure.unit.dimension == "ratio"
            )
        if result.unit is None:
            return not (self.is_share and "share" in result.filling)  # 20 % of 6.9 are no 1.38 %
        return figure.unit is None or alike(result.unit, figure.unit) or (result.unit is POINTS and self.is_share)


def _is_of_share(result: Result, figure: Figure) -> bool:
    """Whether a ratio is so many per cent, and a figure is none: 5.06 % ÷ 3 are no "two"."""
    unit = result.unit
    return unit is not None and unit.dimension == "share" and figure.unit is None


def _quotient(top: float, bottom: float, low: float, high: float) -> bool:
    """Whether a ratio, a percentage or a change in per cent of two values lies between two others."""
    if not bottom:
        return False
    ratio = top / bottom
    percent = ratio * 100
    if low <= ratio <= high or low <= percent <= high:
        return True
    return low <= abs(ratio - 1) * 100 <= high or low <= (ratio + 1) * 100 <= high
