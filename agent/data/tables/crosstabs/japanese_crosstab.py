"""Japanese questions of a crosstab: 「2024年3月期の営業利益は前期比で何%変化したか。」."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head, in_order
from agent.data.tables.crosstabs.crosstab_wanted import Cell, Wanted, mean, tests_of_most, two_periods, when
from agent.data.tables.crosstabs.label_words import declared
from agent.data.tables.crosstabs.line_formula import Formula, formula_of, names_of, rises_badly
from agent.data.tables.crosstabs.spans_of_time import Span, mentions, same_kind
from agent.text.regex import regex

_LONGEST = 200  # characters
_ASKS = regex(r"いくら|何|どれ|どの|いつ|か$|教えて|は$")
_PERIOD_AROUND = (
    r"(?:(?:末|時点|末時点|通期|実績|単独|連結)?"
    r"(?:における|において|にかけて|にかけ|時点で|には|では|から|まで|の|で|に|は|と|、|,)*)"
)
_NOW = regex(r"(?:当期(?!純|利益|損|包括|未処分|製品|総)|今期|当年度|当会計年度|直近(?:期|年度)?)")
_BEFORE = regex(r"(?:前期|前年度|前会計年度)(?!比|と比べ|に比べ|より|から)")


@dataclass(frozen=True, slots=True)
class _Asked:
    """``text`` is without the periods that ``heads`` are of, in the order in which they were named."""

    text: str
    heads: tuple[Head, ...]
    crosstab: Crosstab


def japanese_crosstab(question: str, crosstab: Crosstab) -> Wanted | None:
    """What is asked; None where a part of the question has no place in it."""
    text = re.sub(r"\s", "", normalize("NFKC", question)).rstrip("。.?")
    if len(text) > _LONGEST or not _ASKS.search(text):
        return None
    asked = _timed(_without_topic(text, crosstab), crosstab)
    if asked is None:
        return None
    for kind, pattern in declared("ja", "ends"):
        for found in pattern.finditer(asked.text):
            if found.end() == len(asked.text) and (made := _made(asked, kind, asked.text[: found.start()], found)):
                return made
    return None


def _without_topic(text: str, crosstab: Crosstab) -> str:
    """Without whose figures they are, where the file is called so."""
    for name in names_of(crosstab.table.source):
        if text.lower().startswith(name.lower()):
            return re.sub(r"^(?:の|は|では|における|において|、)+", "", text[len(name) :])
    return re.sub(r"^(?:当社|同社|弊社|この会社)(?:の|は|では|における|において|、)+", "", text)


def _timed(text: str, crosstab: Crosstab) -> _Asked | None:
    """The question with its periods taken out; None where one is of no column, or of several."""
    timed = in_order(crosstab.periods)
    if len(timed) > 1 and same_kind([head.span for head in timed if head.span]):
        text = _NOW.sub(lambda _: _written(timed[-1]), text)
        text = _BEFORE.sub(lambda _: _written(timed[-2]), text)
    told = f"{crosstab.table.source} {crosstab.table.caption} {crosstab.table.columns[0].label}"
    around = {one.span.order for one in mentions(normalize("NFKC", told))}
    heads: list[Head] = []
    out, done = "", 0
    for one in mentions(text):
        fits = [head for head in crosstab.periods if head.span and one.span.fits(head.span)]
        if len(fits) > 1 or (not fits and not (one.span.order in around and not crosstab.periods)):
            return None
        heads += fits
        out += text[done : one.start]
        done = one.end + _around(text[one.end :])
    return _Asked(out + text[done:], tuple(dict.fromkeys(heads)), crosstab)


def periods_named(text: str, crosstab: Crosstab) -> tuple[str, list[str]] | None:
    """A text without its periods, and these as they are written; None where one is of no column."""
    asked = _timed(text, crosstab)
    return (asked.text, [_written(head) for head in asked.heads]) if asked else None


def _around(rest: str) -> int:
    found = re.match(_PERIOD_AROUND, rest)
    return found.end() if found else 0


def _written(head: Head) -> str:
    span = head.span or Span(0)
    month = f"{span.month}月" if span.month else ""
    return f"{span.year}年{month}{f'{span.day}日' if span.day else ('期' if month else '')}"


def _made(asked: _Asked, kind: str, text: str, found: re.Match[str]) -> Wanted | None:
    if kind == "way" and not text:
        text = "売上高" if found["up"] == "増収" else ""
    if kind == "part":
        text = f"{text}を{found['of']}で割った値"
    formula = formula_of(text, asked.crosstab)
    if formula is None:
        return None
    if kind in ("value", "part"):
        return _value(asked, formula, text, found["times"] if kind == "part" else "")
    if kind == "average":
        heads = list(asked.heads) or in_order(asked.crosstab.periods)
        return _average(asked, formula, heads) if len(heads) > 1 and not formula.rate else None
    if kind == "most":
        return _most(asked, formula, "max" if found["way"] in ("大き", "高", "多") else "min")
    timed = in_order(asked.crosstab.periods)
    pair = two_periods(asked.heads, timed) if same_kind([head.span for head in timed if head.span]) else None
    return _moved(asked, kind, formula, pair, found, text) if pair else None


def _moved(
    asked: _Asked, kind: str, formula: Formula, pair: tuple[Head, Head], found: re.Match[str], text: str
) -> Wanted | None:
    cells = (*_cells(formula, pair[0]), *_cells(formula, pair[1]))
    first, last = formula.sql, formula.moved(len(formula.lines))
    told = f"{pair[0].text}から{pair[1].text}への{formula.told}"
    if kind == "way":
        up, down = _ways(found)
        better = up == "改善" and rises_badly(formula.told)
        more, less = (down, up) if better else (up, down)
        sql = f"CASE WHEN {last} > {first} THEN '{more}' WHEN {last} < {first} THEN '{less}' ELSE '同じ' END"
        return Wanted("ja", asked.crosstab, cells, f"{told}の{up}・{down}", sql, "結果", "word")
    if kind == "points" or (kind == "change" and formula.rate):
        points = (f"{told}の差（ポイント）", f"({last} - {first}) * 100", "差", "points")
        return Wanted("ja", asked.crosstab, cells, *points) if formula.rate else None
    if kind == "percent change":
        if formula.rate:
            return None  # it may be one of points
        percent = (f"{told}の増減率", f"({last} - {first}) * 100.0 / nullif({first}, 0)", "増減率", "percent")
        return Wanted("ja", asked.crosstab, cells, *percent, (0, 1) if len(cells) == 2 else ())
    return Wanted("ja", asked.crosstab, cells, f"{told}の増減額", f"{last} - {first}", "増減額")


_WAYS = {"増え": "増加", "減っ": "減少", "上が": "上昇", "下が": "低下"}


def _ways(found: re.Match[str]) -> tuple[str, str]:
    return _WAYS.get(found["up"], found["up"]), _WAYS.get(found["down"], found["down"])


def _cells(formula: Formula, head: Head) -> tuple[Cell, ...]:
    return tuple(Cell(line, head) for line in formula.lines)


def _value(asked: _Asked, formula: Formula, text: str, times: str) -> Wanted | None:
    heads = asked.heads or tuple(head for head in asked.crosstab.heads if head.span) or asked.crosstab.heads
    if len(heads) != 1:
        if formula.sql != "{0}" or len(heads) > len(asked.crosstab.heads):
            return None
        cells = tuple(Cell(formula.lines[0], head) for head in heads)
        return Wanted("ja", asked.crosstab, cells, f"{formula.told}（{'、'.join(head.text for head in heads)}）")
    cells = _cells(formula, heads[0])
    reading = f"{formula.told}（{heads[0].text}）"
    if formula.sql == "{0}":
        return Wanted("ja", asked.crosstab, cells, reading)
    if not formula.rate:
        return Wanted("ja", asked.crosstab, cells, reading, formula.sql, "結果")
    signs = (1, 0) if times else ()
    if times == "倍" or (
        re.search(r"回転率|レバレッジ|倍率", text.split("(", maxsplit=1)[0])
        and "DuPont" not in text
        and "100" not in text
    ):
        return Wanted("ja", asked.crosstab, cells, reading, formula.sql, "結果", "plain", signs)
    return Wanted("ja", asked.crosstab, cells, reading, f"({formula.sql}) * 100", "結果", "percent", signs)


def _average(asked: _Asked, formula: Formula, heads: Sequence[Head]) -> Wanted | None:
    if formula.sql != "{0}":
        return None
    cells = tuple(Cell(formula.lines[0], head) for head in in_order(heads))
    over = "、".join(cell.head.text for cell in cells)
    return Wanted("ja", asked.crosstab, cells, f"{formula.told}の平均（{over}）", mean(cells), "平均")


def _most(asked: _Asked, formula: Formula, way: str) -> Wanted | None:
    heads = asked.heads or tuple(in_order(asked.crosstab.periods))
    if formula.sql != "{0}" or len(heads) < 2:
        return None
    cells = tuple(Cell(formula.lines[0], head) for head in heads)
    chosen = when(tests_of_most(cells, way), map(_written, heads), "、")
    said = "最も大きい" if way == "max" else "最も小さい"
    return Wanted("ja", asked.crosstab, cells, f"{formula.told}が{said}時期", chosen, said, "word")
