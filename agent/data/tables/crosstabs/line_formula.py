"""Figures worked out of rows as Japanese reports name them: 営業利益率, 負債比率(負債/総資産)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Line
from agent.data.tables.crosstabs.label_words import crosstab_words
from agent.text.regex import regex

_DEEPEST = 6
_BY_WORDS = (
    (regex(r"(?P<a>.+?)から(?P<b>.+?)を(?:差し?引いた|引いた|除いた|控除した)(?:金?額|値|もの|差)?"), "-"),
    (regex(r"(?P<a>.+?)と(?P<b>.+?)の差額?"), "-"),
    (regex(r"(?P<a>.+?)(?:と|および|及び)(?P<b>.+?)(?:の合計|を合計した|を足した|を合わせた)(?:金?額|値|もの)?"), "+"),
    (regex(r"(?P<a>.+?)を(?P<b>.+?)で(?:割った|除した)(?:値|比率|もの|割合)?"), "/"),
    (regex(r"(?P<a>.+?)の(?P<b>.+?)に対する(?:比率|割合|比)"), "/"),
    (regex(r"(?P<b>.+?)に(?:対する|占める)(?P<a>.+?)の(?:比率|割合|比|構成比)"), "/"),
)  # fmt: skip
_DEFINED = regex(
    r"(?P<name>[^()]+?)(?:を\w*(?:分解|式|計算))?\((?P<formula>[^()]+)\)(?:で(?:求める|計算する|算出する)と)?"
)
_PERCENT = regex(r"[*×]100")
_PROFIT_RATE = regex(r"(?:売上高)?(?P<of>.+利益)率|売上高(?P<other>.+?)比?率")
_NOT_COMPARED = regex(r"[\s・･、,()（）:：]|注\d+|\*\d*|合計$")


@dataclass(frozen=True, slots=True)
class Formula:
    """SQL over places of ``lines``, ``{0}``, ``{1}``…; ``told`` is it in words. ``rate``: one figure over another."""

    sql: str
    lines: tuple[Line, ...]
    told: str
    rate: bool = False

    def moved(self, by: int) -> str:
        """Its SQL with places from ``by`` on."""
        return re.sub(r"\{(\d+)\}", lambda found: f"{{{int(found[1]) + by}}}", self.sql)


def plain_name(text: str) -> str:
    """A label or the name of one in one spelling."""
    text = normalize("NFKC", text)
    for pattern, name in crosstab_words()["ja"]["spellings"]:
        text = re.sub(pattern, name, text)
    return _NOT_COMPARED.sub("", text)


def formula_of(text: str, crosstab: Crosstab, depth: int = 0) -> Formula | None:
    """What ``text`` names, all of it; None where that is no row, and nothing worked out of rows."""
    text = normalize("NFKC", text).strip("、のは ")
    if not text or depth > _DEEPEST:
        return None
    for way in (_row, _defined, _reckoned, _by_words, _named_rate):
        if found := way(text, crosstab, depth):
            return found
    return None


def _row(text: str, crosstab: Crosstab, _: int) -> Formula | None:
    name = plain_name(text)
    for one in (name, *crosstab_words()["ja"]["same"].get(name, ())):
        lines = [line for line in crosstab.lines if plain_name(line.label) == plain_name(one)]
        if len(lines) == 1:
            return Formula("{0}", (lines[0],), lines[0].label)
        if lines:
            return None
    return None


def _defined(text: str, crosstab: Crosstab, depth: int) -> Formula | None:
    """「負債比率(負債/総資産)」 is what stands in its brackets."""
    found = _DEFINED.fullmatch(text)
    if found is None:
        return None
    formula = _PERCENT.sub("", found["formula"])
    return _reckoned(formula, crosstab, depth) if re.search(r"[+/÷×*－-]", formula) else None


def _reckoned(text: str, crosstab: Crosstab, depth: int) -> Formula | None:
    """Names with signs between them, those of sums and differences cut first, at the last one."""
    for signs in ("+-−－", "×*/÷"):
        places = [place for place, mark in enumerate(text) if mark in signs and 0 < place < len(text) - 1]
        if places:
            place = places[-1]
            sign = {"−": "-", "－": "-", "×": "*", "÷": "/"}.get(text[place], text[place])
            return _both(text[:place], text[place + 1 :], sign, crosstab, depth)
    return None


def _by_words(text: str, crosstab: Crosstab, depth: int) -> Formula | None:
    for pattern, sign in _BY_WORDS:
        found = pattern.fullmatch(text)
        if found and (made := _both(found["a"], found["b"], sign, crosstab, depth)):
            return made
    return None


def _named_rate(text: str, crosstab: Crosstab, depth: int) -> Formula | None:
    name = plain_name(text)
    for ratio, formula in crosstab_words()["ja"]["ratios"].items():
        if name in (ratio, f"売上{ratio}", plain_name(ratio)):
            return _reckoned(formula, crosstab, depth + 1)
    found = _PROFIT_RATE.fullmatch(name)
    return _both(found["of"] or found["other"], "売上高", "/", crosstab, depth) if found else None


def _both(a: str, b: str, sign: str, crosstab: Crosstab, depth: int) -> Formula | None:
    one, other = formula_of(a, crosstab, depth + 1), formula_of(b, crosstab, depth + 1)
    if one is None or other is None or one == other:
        return None
    right = other.moved(len(one.lines))
    sql = f"({one.sql}) * 1.0 / nullif({right}, 0)" if sign == "/" else f"({one.sql} {sign} {right})"
    shown = {"/": "÷", "*": "×", "-": "−"}.get(sign, sign)
    rate = sign == "/" or (sign == "*" and one.rate and other.rate)
    return Formula(sql, (*one.lines, *other.lines), f"{_in(one, sign)} {shown} {_in(other, sign)}", rate)


def _in(formula: Formula, sign: str) -> str:
    return f"({formula.told})" if sign in "*/" and " " in formula.told else formula.told


@cache
def rises_badly(told: str) -> bool:
    """Whether more of it is worse: costs and debts."""
    return re.match(r"\(?(?:.*費|.*原価|.*負債|.*損失|.*費用)", told.split("÷", maxsplit=1)[0]) is not None


def names_of(source: str) -> Iterator[str]:
    """What a file is called after, which a question may begin with: 「山田工業_2031年3月期.csv」."""
    for part in re.split(r"[_\s　.]", normalize("NFKC", source)):
        if part and part.lower() not in ("csv", "xlsx", "table"):
            yield part
