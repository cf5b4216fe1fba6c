"""What is asked of a table, told in Japanese with names in 「」; and what was told so, in the English of ``naming``.

「本棚」で「ジャンル」が「小説」の行の「価格」の合計 is told of an answer, and read again where a follow-up leans on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize

from agent.data.tables.headings import PERIODS_JA
from agent.data.tables.questions.measure_words import (
    CHARTS,
    CHARTS_JA,
    COMPARED,
    COMPARED_JA,
    DATED,
    MEASURES,
    MEASURES_JA,
    TIMES,
)
from agent.data.tables.questions.table_lexicon import MONTHS
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Group, Table, told_of
from agent.text.regex import regex

_NAME = regex("「([^「」\n]+)」")
_ORDERS = {
    "up": ("小さい", "最小"),
    "down": ("大きい", "最大"),
    "earliest": ("早い", "最初"),
    "latest": ("遅い", "最後"),
}
_DATED = {"since": "以降", "until": "まで", "after": "より後", "before": "より前", "on": "ちょうど"}
_DAY_TOLD = regex(r"(?:(?P<year>\d{4})年)?(?:(?P<month>\d{1,2})月)?(?<=[年月])")
_DAY = r"\d{4}-\d\d-\d\d|(?:\d{4}年)?\d{1,2}月|\d{4}年"


def listed(asked: Asked) -> Sequence[Column]:
    """The columns that are told to be shown: of the one by which rows are ordered it is said anyway."""
    return [column for column in asked.shown if column is not asked.column] or asked.shown


def told(asked: Asked) -> str:
    """ "" where a name or a value would not be read again."""
    texts = [asked.table.name, *(column.called for column in _columns(asked))]
    texts += [value for one in asked.filters for value in one.values]
    conditions = [_condition(one) for one in asked.filters if one.said != "-"]
    if any(re.search(r"[「」\n]", text) for text in texts) or "" in conditions:
        return ""
    rows = f"{_named(asked.table.name)}で{'、'.join(conditions)}の行" if conditions else _named(asked.table.name)
    return rows + _what(asked, bool(conditions)) + CHARTS_JA.get(asked.chart, "")


def _columns(asked: Asked) -> Iterable[Column]:
    several = [asked.column, *asked.shown, *(group.column for group in asked.groups)]
    return [column for column in (*several, *(one.column for one in asked.filters)) if column]


def _named(text: str) -> str:
    return f"「{text}」"


def _of_columns(columns: Iterable[Column]) -> str:
    return "と".join(_named(column.called) for column in columns)


def period_told(group: Group) -> str:
    """What stands behind the name of a group: の月 for months."""
    return f"の{PERIODS_JA[group.period]}" if group.period else ""


def _what(asked: Asked, filtered: bool) -> str:
    if asked.measure != "rows":
        count = "の数" if filtered else "の行数"
        figure = f"の{_named(asked.column.called)}の{MEASURES_JA[asked.measure]}" if asked.column else count
        groups = [_named(one.column.called) + period_told(one) for one in asked.groups]
        if asked.groups and asked.limit:
            return f"{figure}が{_ordered(asked, 'つ')}の{'と'.join(groups)}"
        ordered = "" if not asked.order else "（小さい順）" if asked.order == "up" else "（大きい順）"
        return f"の{'と'.join(groups)}ごと{figure}{ordered}" if groups else figure
    if asked.chart == "histogram" and asked.column:
        return f"の{_named(asked.column.called)}の分布"
    if asked.chart == "scatter" and asked.column:
        return f"の{_named(asked.column.called)}と{_of_columns(asked.shown)}の散布図"
    shown = _of_columns(listed(asked)) or "行"
    if asked.column:
        return f"の{_named(asked.column.called)}が{_ordered(asked, '件')}の{shown}"
    if not asked.shown and not asked.filters:
        return f"の先頭の{asked.limit}行"
    return f"の{shown}" if asked.shown else ""


def _ordered(asked: Asked, counter: str) -> str:
    of_days = asked.measure == "rows" and asked.column is not None and asked.column.kind == "date"
    way, first = _ORDERS[("earliest" if asked.order == "up" else "latest") if of_days else asked.order or "down"]
    return f"{way}順に{asked.limit}{counter}" if asked.limit > 1 else first


def _condition(one: Filter) -> str:
    """ "" for what this has no words for."""
    if one.column is None or one.sought:
        return f"{_named(one.values[0])}を含む" if one.operator == "find" else ""
    name, values = _named(one.column.called), [*map(_day_told, one.values)]
    match one.operator:
        case "=" | "<>":
            several = map(_named, one.values) if one.column.kind == "text" else one.values
            return f"{name}が{'か'.join(several)}{'以外' if one.operator == '<>' else ''}"
        case "null":
            return f"{name}が空"
        case "true":
            return f"{name}が{'はい' if one.values == ('true',) else 'いいえ'}"
        case "year" | "month":
            return f"{name}が{'か'.join(values)}"
        case "between":
            return f"{name}が{one.values[0]}から{one.values[1]}まで"
        case _:
            far = _how_far(one)
            return f"{name}が{far}" if far else ""


def _how_far(one: Filter) -> str:
    if one.column and one.column.kind != "date":
        return f"{one.values[0]}{COMPARED_JA[one.operator]}"
    operator, _, day = one.said.partition(" ") if one.said else (DATED.get(one.operator, ""), "", one.values[0])
    if operator == "on" and day.count("-") == len("md"):
        return day
    return f"{_day_told(day)}{_DATED[operator]}" if operator in _DATED else ""


def _day_told(text: str) -> str:
    """``2023-5`` and "May 2023" as 2023年5月, ``0-5`` and "May" as 5月, a day as it is."""
    if (named := re.fullmatch(r"([A-Za-z]+)(?: (\d{4}))?", text)) and (month := MONTHS.get(named[1].lower())):
        text = f"{named[2] or 0}-{month}"
    found = re.fullmatch(r"(?P<year>\d{1,4})(?:-(?P<month>\d{1,2}))?", text)
    if found is None:
        return text
    year = f"{found['year']}年" if found["year"] != "0" else ""
    return year + (f"{int(found['month'])}月" if found["month"] else "")


_TOLD = regex(rf"#0(?:で(?P<conditions>.+?)の行)?(?P<what>.*?)(?P<chart>{'|'.join(CHARTS_JA.values())})?(?:は[？?])?")
_SEVERAL = r"#\d+(?:の(?:年|四半期|月|週|日))?(?:と#\d+(?:の(?:年|四半期|月|週|日))?)*"
_FIGURE = rf"(?:の(?P<of>#\d+)の(?P<measure>{'|'.join(MEASURES_JA.values())})|の行?数)"
_IN_ORDER = r"が(?:(?P<first>最小|最大|最初|最後)|(?P<way>小さい|大きい|早い|遅い)順に(?P<limit>\d+)[つ件])の"
_FIGURES = regex(rf"(?:の(?P<groups>{_SEVERAL})ごと)?{_FIGURE}(?P<order>（小さい順）|（大きい順）)?")
_RANKED = regex(rf"{_FIGURE}{_IN_ORDER}(?P<groups>{_SEVERAL})")
_BY = regex(rf"の(?P<by>#\d+){_IN_ORDER}(?P<shown>{_SEVERAL}|行)")
_OTHERS = (
    (regex(r"の(?P<of>#\d+)の分布"), "histogram of {of}"),
    (regex(rf"の(?P<of>#\d+)と(?P<shown>{_SEVERAL})の散布図"), "scatter plot of {of} by {shown}"),
    (regex(r"の先頭の(?P<limit>\d+)行"), "first {limit} rows"),
    (regex(rf"の(?P<shown>{_SEVERAL})"), "list {shown}"),
    (regex(r""), "list rows"),
)
_MEASURES = {said: measure for measure, said in MEASURES_JA.items()}


_CONDITIONS = (
    (regex(r"(?P<name>#\d+)を含む"), "{name}"),
    (regex(r"(?P<name>#\d+)が空"), "missing {name}"),
    (regex(r"(?P<name>#\d+)がはい"), "{name}"),
    (regex(r"(?P<name>#\d+)がいいえ"), "not {name}"),
    (regex(r"(?P<name>#\d+)が(?P<one>[^か]+)から(?P<other>[^か]+)まで"), "{name} between {one} and {other}"),
    (regex(r"(?P<name>#\d+)が(?P<day>\d{4}-\d\d-\d\d)"), "{name} on {day}"),
    (regex(rf"(?P<name>#\d+)が(?P<days>(?:{_DAY})(?:か(?:{_DAY}))*)"), "{name} in {days}"),
    *(
        (regex(rf"(?P<name>#\d+)が(?P<days>{_DAY}){ja}"), f"{{name}} {operator} {{days}}")
        for operator, ja in _DATED.items()
    ),
    *(
        (regex(rf"(?P<name>#\d+)が(?P<number>[-\d.]+){ja}"), f"{{name}} {en} {{number}}")
        for ja, en in ((COMPARED_JA[one], en) for one, en in COMPARED.items())
    ),
    (regex(r"(?P<name>#\d+)が(?P<values>#\d+(?:か#\d+)*)"), "{name} is {values}"),
    (regex(r"(?P<name>#\d+)が(?P<values>#\d+(?:か#\d+)*)以外"), "{name} is not {values}"),
    (regex(r"(?P<name>#\d+)が(?P<values>[-\d.]+(?:か[-\d.]+)*)"), "{name} = {values}"),
    (regex(r"(?P<name>#\d+)が(?P<values>[-\d.]+(?:か[-\d.]+)*)以外"), "{name} is not {values}"),
)


def in_english(text: str, table: Table) -> str | None:
    """What ``told`` made of a question of ``table``; ``None`` for any other text."""
    text, called = normalize("NFKC", text), normalize("NFKC", table.name)
    names = _NAME.findall(text)
    places = iter(range(len(names)))
    whole = _TOLD.fullmatch(_NAME.sub(lambda _: f"#{next(places)}", text))
    if whole is None or names[0] != called:
        return None
    columns = {normalize("NFKC", column.called): column for column in table.columns}
    conditions = [_filled(one, _CONDITIONS) for one in (whole["conditions"] or "").split("、") if one]
    what = _what_english(whole["what"], lambda place: columns.get(names[int(place[1:])]))
    if what is None or None in conditions:
        return None
    where = f" where {' and '.join(filter(None, conditions))}" if conditions else ""
    chart = next((f", {CHARTS[one]}" for one, said in CHARTS_JA.items() if said == whole["chart"]), "")
    what, _, order = what.partition(";")
    english = f"{what} in the table #0{where}{order and f', {order}'}{chart}"
    told_names = [columns[name].name if name in columns else name for name in names]
    told_names[0] = table.name
    return re.sub(r"#(\d+)", lambda found: f"“{told_names[int(found[1])]}”", english)


def _what_english(text: str, column_of: Callable[[str], Column | None]) -> str | None:
    """The figure or the rows, and behind a semicolon how the groups are ordered."""
    if found := _FIGURES.fullmatch(text):
        groups = " and by ".join(_english_groups(found["groups"]))
        order = {"（小さい順）": ";lowest first", "（大きい順）": ";highest first"}.get(found["order"] or "", "")
        return f"{_english_figure(found, column_of)}{groups and f' by {groups}'}{order}"
    if found := _RANKED.fullmatch(text):
        least = (found["first"] or found["way"]) in ("最小", "小さい")
        groups = " and ".join(_english_groups(found["groups"]))
        return f"{'bottom' if least else 'top'} {found['limit'] or ''} {groups} by {_english_figure(found, column_of)}"
    if found := _BY.fullmatch(text):
        shown = " and ".join(_english_groups(found["shown"])) if found["shown"] != "行" else ""
        least = (found["first"] or found["way"]) in ("最小", "小さい", "最初", "早い")
        if not shown:
            return f"{'bottom' if least else 'top'} {found['limit'] or 1} rows by {found['by']}"
        column = column_of(found["by"])
        most = ("earliest", "latest") if column and column.kind == "date" else ("lowest", "highest")
        return f"{shown} with the {found['limit'] or ''} {most[not least]} {found['by']}"
    return _filled(text, _OTHERS)


def _english_groups(text: str | None) -> list[str]:
    """「日付」の月 as "month of “day”"."""
    several = [one.partition("の")[::2] for one in (text or "").split("と") if one]
    periods = {said: name for name, said in PERIODS_JA.items()}
    return [f"{periods[period]} of {name}" if period else name for name, period in several]


def _english_figure(found: re.Match[str], column_of: Callable[[str], Column | None]) -> str:
    if not found["of"]:
        return "number of rows"
    column, measure = column_of(found["of"]), _MEASURES[found["measure"]]
    if measure in ("count", "distinct"):
        return f"number of {'rows with' if measure == 'count' else 'different'} {found['of']}"
    days = column is not None and column.kind == "date"
    return f"{TIMES.get(measure, MEASURES[measure]) if days else MEASURES[measure]} {found['of']}"


def _filled(text: str, forms: Sequence[tuple[re.Pattern[str], str]]) -> str | None:
    """The English of the first form that all of ``text`` has."""
    for form, english in forms:
        if found := form.fullmatch(text):
            return english.format(**{name: _english(said) for name, said in found.groupdict().items()})
    return None


def _english(text: str) -> str:
    """Several of them, months and years in English."""
    several = [_DAY_TOLD.sub(_english_day, one) for one in re.split("[かと]", text)]
    return (" and " if "と" in text else " or ").join(several)


def _english_day(found: re.Match[str]) -> str:
    return told_of(f"{found['year'] or 0}-{found['month']}") if found["month"] else found["year"]
