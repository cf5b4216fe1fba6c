"""Sums as trees: what the calculator is asked, how an answer names it, and which unit its value has."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.text.quantities.measures import Measure, named
from agent.text.sums.value_words import Language, Value, shown


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of term.

    ``expression`` is for the calculator; ``needs`` says how tightly each part must bind to stand there without
    brackets and ``binds`` how tightly the whole does (1 sum, 2 product, 3 sign, 4 power, 9 bracketed or a number).
    ``unit`` names the rule for units: ``same`` (all parts), ``first`` (the others are bare), ``product``,
    ``quotient``, ``bare``. ``english`` and ``japanese`` name the term in an answer, or "" for the expression itself.
    """

    expression: str
    needs: tuple[int, ...] = (0,)
    binds: int = 9
    unit: str = "bare"
    english: str = ""
    japanese: str = ""


FORMS = {
    "pi": Form("pi", ()),
    "e": Form("e", ()),
    "in": Form("", (), 2),
    "sin": Form("sin({})"),
    "cos": Form("cos({})"),
    "tan": Form("tan({})"),
    "degrees": Form("{}°", (9,)),
    "log2": Form("log2({})", (0,), 9, "bare", "the base-2 logarithm of {}", "{}の二進対数"),
    "add": Form("{} + {}", (1, 2), 1, "same"),
    "subtract": Form("{} - {}", (1, 2), 1, "same"),
    "multiply": Form("{} * {}", (2, 3), 2, "product"),
    "divide": Form("{} / {}", (2, 4), 2, "quotient"),
    "negate": Form("-{}", (4,), 0, "same"),
    "power": Form("{}^{}", (9, 9), 4),
    "square": Form("{}^2", (9,), 4, "bare", "the square of {}", "{}の二乗"),
    "cube": Form("{}^3", (9,), 4, "bare", "the cube of {}", "{}の三乗"),
    "square_root": Form("sqrt({})", (0,), 9, "bare", "the square root of {}", "{}の平方根"),
    "cube_root": Form("cbrt({})", (0,), 9, "bare", "the cube root of {}", "{}の立方根"),
    "fourth_root": Form("sqrt(sqrt({}))", (0,), 9, "bare", "the fourth root of {}", "{}の四乗根"),
    "factorial": Form("factorial({})", (0,), 9, "bare", "{}!", "{}の階乗"),
    "absolute": Form("abs({})", (0,), 9, "same", "the absolute value of {}", "{}の絶対値"),
    "reciprocal": Form("1 / {}", (9,), 2, "bare", "the reciprocal of {}", "{}の逆数"),
    "floor": Form("floor({})"),
    "ceil": Form("ceil({})"),
    "ln": Form("ln({})", (0,), 9, "bare", "the natural logarithm of {}", "{}の自然対数"),
    "log10": Form("log10({})", (0,), 9, "bare", "the base-10 logarithm of {}", "{}の常用対数"),
    "exp": Form("exp({})"),
    "difference": Form("abs({} - {})", (1, 2), 9, "same", "the difference between {} and {}", "{}と{}の差"),
    "remainder": Form(
        "{0} - {1} * floor({0} / {1})", (9, 9), 1, "bare", "the remainder of {} divided by {}", "{}を{}で割った余り"
    ),
    "gcd": Form("gcd({}, {})", (0, 0), 9, "bare", "the greatest common divisor of {} and {}", "{}と{}の最大公約数"),
    "lcm": Form(
        "{0} * {1} / gcd({0}, {1})", (9, 9), 2, "bare", "the least common multiple of {} and {}", "{}と{}の最小公倍数"
    ),
    "percent": Form("{1} * {0} / 100", (9, 9), 2, "second", "{}% of {}", "{1}の{0}%"),
    "increase": Form("{} * (1 + {} / 100)", (9, 9), 2, "first", "{} plus {}%", "{}に{}%を足した値"),
    "decrease": Form("{} * (1 - {} / 100)", (9, 9), 2, "first", "{} minus {}%", "{}から{}%を引いた値"),
    "half": Form("{} / 2", (2,), 2, "same", "half of {}", "{}の半分"),
    "double": Form("{} * 2", (2,), 2, "same", "double {}", "{}の2倍"),
    "triple": Form("{} * 3", (2,), 2, "same", "triple {}", "{}の3倍"),
    "fraction": Form("{2} * {0} / {1}", (9, 9, 9), 2, "last", "{0}/{1} of {2}", "{2}の{1}分の{0}"),
    "sum": Form("", (2,), 1, "same", "the sum of {}", "{}の合計"),
    "product": Form("", (3,), 2, "bare", "the product of {}", "{}の積"),
    "mean": Form("", (2,), 2, "same", "the average of {}", "{}の平均"),
    "max": Form("max({})", (0,), 9, "same", "the largest of {}", "{}の最大値"),
    "min": Form("min({})", (0,), 9, "same", "the smallest of {}", "{}の最小値"),
}
LISTS = {"sum": " + ", "product": " * ", "mean": " + ", "max": ", ", "min": ", "}


@dataclass(frozen=True, slots=True)
class Term:
    """``form`` is a key of ``FORMS``, or ``number`` with its digits in ``text`` and perhaps a ``unit``.

    ``in``: its one part, a number, in another ``unit``; ``text`` is what the calculator makes of it.
    """

    form: str
    parts: tuple[Term, ...] = ()
    text: str = ""
    unit: str = ""


_POINTED = {"mean", "max", "min"}  # of temperatures, too, these have a meaning


def number(text: str, unit: str = "") -> Term:
    return Term("number", (), text, unit)


def expression(term: Term) -> str:
    """The term in the calculator's language."""
    if term.form in {"number", "in"}:
        return term.text
    form = FORMS[term.form]
    if term.form in LISTS:
        joined = LISTS[term.form].join(_bracketed(part, form.needs[0]) for part in term.parts)
        if term.form == "mean":
            return f"({joined}) / {len(term.parts)}"
        return form.expression.format(joined) if form.expression else joined
    return form.expression.format(*map(_bracketed, term.parts, form.needs))


def _bracketed(term: Term, needed: int) -> str:
    text = expression(term)
    return text if _binds(term) >= needed else f"({text})"


def _binds(term: Term) -> int:
    if term.form == "number":
        return 0 if term.text.startswith("-") else 9
    return FORMS[term.form].binds


def name(term: Term, language: Language) -> str:
    """The term as an answer calls it: "the square root of 25", "12 × 7"."""
    if term.form == "number":
        return shown(Value(term.text, term.unit), language)
    if term.form == "in":
        return name(term.parts[0], language)
    form = FORMS[term.form]
    template = form.japanese if language == "ja" else form.english
    if not template:
        return _symbols(term, language)
    parts = [_part_name(part, language) for part in term.parts]
    if term.form in LISTS:
        return template.format(_listed(parts, language))
    return template.format(*parts)


def _part_name(term: Term, language: Language) -> str:
    if term.form in {"number", "in"}:
        return name(term, language)
    text = _symbols(term, language)
    return text if _binds(term) == 9 else f"({text})"


def _listed(parts: list[str], language: Language) -> str:
    if language == "ja":
        return "と".join(parts)
    return ", ".join(parts[:-1]) + f" and {parts[-1]}"


def _symbols(term: Term, language: Language) -> str:
    """The expression in print: × for ``*``, ÷ for ``/``, and the units that were typed."""
    if term.form == "in":
        return name(term, language)
    signs = {"add": "+", "subtract": "-", "multiply": "×", "divide": "÷"}
    if sign := signs.get(term.form):
        needs = FORMS[term.form].needs
        sides = [_side(part, need, language) for part, need in zip(term.parts, needs, strict=True)]
        return f"{sides[0]} {sign} {sides[1]}"
    return expression(term).replace(" * ", " × ").replace(" / ", " ÷ ")


def _side(term: Term, needed: int, language: Language) -> str:
    text = name(term, language) if term.form == "number" else _symbols(term, language)
    return text if term.form == "in" or _binds(term) >= needed else f"({text})"


def unit(term: Term) -> str | None:
    """The unit of the term's value, "" for none; ``None`` where the units do not go together.

    Temperatures are measured from a freezing point, so doubling or adding them has no clear meaning: ``None``.
    """
    if term.form in {"number", "in"}:
        return term.unit
    parts = [unit(part) for part in term.parts]
    if any(part is None or (part and _is_temperature(part)) for part in parts) and not (
        term.form in _POINTED and all(part.form == "number" for part in term.parts)
    ):
        return None
    units = [part or "" for part in parts]
    return _combined(FORMS[term.form].unit, units)


def measures(term: Term) -> list[Measure | None]:
    """What each figure with a unit measures, in order; ``None`` for money."""
    if term.form == "number":
        return [named(term.unit)] if term.unit else []
    return [measure for part in term.parts for measure in measures(part)]


def in_one_unit(term: Term) -> Term:
    """5 km + 300 metres with the metres in km. As it is where the units are of several kinds, or temperatures."""
    found = [measure for measure in measures(term) if measure]
    if len(found) < len(measures(term)) or len({measure.kind for measure in found}) != 1:
        return term
    return term if found[0].kind == "temperature" else _converted(term, found[0])


def _converted(term: Term, target: Measure) -> Term:
    source = named(term.unit) if term.form == "number" else None
    if source and source != target:
        figure = f"({term.text})" if term.text.startswith("-") else term.text
        return Term("in", (term,), f"{figure} * {source.multiplier} / {target.multiplier}", target.name)
    return replace(term, parts=tuple(_converted(part, target) for part in term.parts))


def _is_temperature(name: str) -> bool:
    measure = named(name)
    return measure is not None and measure.kind == "temperature"


def _combined(rule: str, units: list[str]) -> str | None:
    used = [unit for unit in units if unit]
    alike = len(set(units)) == 1
    match rule:
        case "same" if alike:
            return units[0]
        case "product" if len(used) <= 1:
            return "".join(used)
        case "quotient" if not units[1]:
            return units[0]
        case "quotient" if alike:
            return ""
        case "first" | "second" | "last" if len(used) <= 1:
            base = units[{"first": 0, "second": 1, "last": -1}[rule]]
            return base if bool(base) == bool(used) else None
        case "bare" if not used:
            return ""
        case _:
            return None
