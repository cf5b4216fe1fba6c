"""Which way a change goes, and from which of its two values: by "from … to …", by their years, by what they are of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from agent.evidence.derivation.steps.arithmetic_steps import Number, Result
from agent.evidence.derivation.steps.known_values import Known
from agent.text.regex import regex

# What is told with its sign where it is below nought: a loss, a cost or a depreciation is told by its size.
_SIGNED = regex(
    r"\b(?:income|profits?|results?|earnings|ebitd?a?|balance|position|margin|inflow|ergebnis\w*|gewinn\w*|saldo|"
    r"résultats?|bénéfices?|solde|resultados?|beneficios?)\b|利益|損益|収支"
)
_BY_SIZE = regex(
    r"\b(?:loss(?:es)?|costs?|expenses?|depreciation|amortization|amortisation|deficits?|outflows?|used|paid|charges?|"
    r"verluste?|kosten|abschreibung\w*|pertes?|charges|coûts?|amortissements?|pérdidas?|costes?|gastos?)\b|"
    r"損失|赤字|費用|償却"
)


def is_change(result: Result) -> bool:
    """Whether a result is a change in per cent, which has a base."""
    return result.kind == "percent" and "−" in str(result.formula)


def is_no_change(result: Result, known: Sequence[Known]) -> bool:
    """Whether a result is a sum, a product or a share of what is said to be the start and the end of a change."""
    ends = {one.place for one in known} == {0.0, 1.0}  # "from 5 to 4"
    return ends and result.kind in ("sum", "product", "percent") and not is_change(result)


def from_the_other(result: Result) -> Number:
    """The size of a change in per cent, of the value where it ends; else 0."""
    whole = 100 + result.value
    return abs(Fraction(10_000) / Fraction(whole) - 100) if is_change(result) and whole else 0


def _when(one: Known, other: Known) -> tuple[float, float] | None:
    """Which of two values came first, by "from … to …", by their years or their heads; ``None`` where nothing does."""
    for first, second in ((one.place, other.place), (one.year, other.year), (one.time, other.time)):
        if first is not None and second is not None and first != second:
            return first, second
    return None


def ordered(result: Result, known: tuple[Known, ...]) -> bool:
    """Whether a change has the earlier of its two values as its base."""
    if not is_change(result) or len(known) != 2:
        return True
    new, old = known if known[0].operand.spot == result.spots[0] else known[::-1]
    order = _when(new, old)
    return order is None or order[0] > order[1]


def sign_of(result: Result, known: tuple[Known, ...], said: str) -> int:
    """1 where the change is a rise, -1 where it is a fall, 0 where nothing says which value came first.

    Of two values below nought it is the way that their sizes go where the answer tells these ("from 245 to 264"), or
    its sentence, which it ``said`` in lower case, speaks of a cost: "Depreciation rose by 8%".
    """
    if len(known) != 2 or not (is_change(result) or result.kind == "difference"):
        return 0
    order = _when(*known)
    if order is None:
        return 0
    change = Fraction(known[1].operand.value) - Fraction(known[0].operand.value)
    if all([one.operand.value < 0 for one in known]):
        change *= _way_below_nought(known, said)
    return ((change > 0) - (change < 0)) * (1 if order[1] > order[0] else -1)


def _way_below_nought(known: tuple[Known, ...], said: str) -> int:
    """-1 where the sizes of two values are told, 1 where the values are, 0 where a sentence can mean either."""
    if any([one.unsigned for one in known]):
        return -1
    if any([one.operand.stated for one in known]) or _SIGNED.search(said) is not None:
        return 1
    return -1 if _BY_SIZE.search(said) is not None else 0
