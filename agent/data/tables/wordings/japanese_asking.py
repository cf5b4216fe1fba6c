"""What a Japanese question asks of one table, worked out of its pieces whatever their order.

Everything must fall into its place: filters, a group, what is put together or is most, and what is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import cast
from unicodedata import normalize

from agent.data.tables.questions.table_schema import Asked, Column, Filter, Operator, Table, dated
from agent.data.tables.worded.rows_compared import in_its_unit, scale_of
from agent.data.tables.wordings.japanese_beyond import beyond_row
from agent.data.tables.wordings.japanese_meaning import MEASURES, Reading, asked_of, is_time, is_year
from agent.data.tables.wordings.japanese_openings import without_opening
from agent.data.tables.wordings.japanese_pieces import WORDS, YES_NO, Piece, is_money_head, pieces
from agent.data.tables.wordings.japanese_plainer import in_known_words
from agent.data.tables.wordings.japanese_rows import PARTICLES, asks_for_group, naming, rows_named
from agent.data.tables.wordings.japanese_spans import days_between
from agent.data.tables.wordings.japanese_states import states_of, yes_no
from agent.text.in_japanese.japanese_wordings import without_chat
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_LONGEST = 80  # characters
_TURNED = regex(
    r"より(?:も)?(?:[^、。]{1,8}が)?(?:いくら|何|どれ|どの)|;|\b(?:in|where|is|by|of|the)\b|除き|(?:では|じゃ)なく|もし|または|それぞれ何|グラフ|図(?![鑑書])|チャート|割合|何[%割]|パーセント|差|違い|倍"
    r"|の(?:一つ|ひとつ|すぐ)?[前次後][のには]"
)
_DATED = regex(r"\d{4}(?:年|-)")
_WIDE = "".join(chr(code) for code in range(0xFF01, 0xFF5F) if chr(code).isalnum()) + "％"
_DIGITS = str.maketrans(_WIDE, normalize("NFKC", _WIDE))
_DAYS_ON = {"今日": 0, "本日": 0, "明日": 1, "あした": 1, "昨日": -1, "きのう": -1}
_DAYS = regex(rf"(?:{'|'.join(_DAYS_ON)})(?!まで|何曜)")
_YEARS_ON = {"今年": 0, "去年": -1, "昨年": -1, "来年": 1}
_YEARS = regex("|".join(_YEARS_ON))
_WORD = regex(r"[一-龯ァ-ヶA-Za-z]|[ぁ-ん]{3}")
_DIGIT = regex(r"\d+")
_NO_NAME = regex(r"[\d万億]|^[ぁ-ん].*[たてでるいすくうけきし]$")  # figures, and ends of verbs
_ASKING = ("who", "amount", "when", "which", "honorific", "things", "noise", "verb", "did", "whole", "first", "each")


def japanese_asked(text: str, table: Table, today: date | None = None) -> Asked | None:
    """``None`` where a piece of ``text`` has no place in what is asked."""
    text = without_opening(text, table)
    if len(text) > _LONGEST or _TURNED.search(text):
        return None
    for reads in (beyond_row, days_between):
        if beyond := reads(text, table, today, japanese_asked):
            return beyond
    read = read_whole(text, table, today)
    made = asked_of(*read) if read else None
    return None if made and _tells_what_is_said(made) else made


def _tells_what_is_said(asked: Asked) -> bool:
    """Whether only what each row was found by would be told: 「桜台駅はどの区にありますか？」 is no 「桜台」."""
    said = {one.column for one in asked.filters if one.operator == "=" and len(one.values) == 1}
    return asked.measure == "rows" and bool(asked.shown) and {*asked.shown} <= said


def read_whole(text: str, table: Table, today: date | None) -> tuple[Reading, list[Piece]] | None:
    """The parts and the pieces of ``text``, where each piece has its place among the parts."""
    plain = in_known_words(_said_plainly(text, today), table)
    found = [piece for piece in rows_named(pieces(plain, table), table) if piece.meaning not in ("honorific", "figure")]
    reading = Reading(table)
    group = asks_for_group(found) if not any(piece.meaning in ("group", "each") for piece in found) else None
    if group and not any(piece.column and piece.column.called.startswith("単価") for piece in found):
        named = any(piece.column and piece.column.kind == "number" for piece in found)
        if named or not any(piece.meaning in ("count", "amount") for piece in found):
            return None
        reading.group = group
    place = 0
    while place < len(found):
        step = _take(found, place, reading)
        if not step:
            return None
        place += step
    reading.filters = list(dict.fromkeys(reading.filters))
    return reading, found


def _said_plainly(text: str, today: date | None) -> str:
    """Without chat, its digits and today's day in plain figures."""
    plain = without_chat(text.translate(_DIGITS))
    if today is None:
        return plain
    plain = _DAYS.sub(lambda said: str(today + timedelta(days=_DAYS_ON[said[0]])), plain)
    return _YEARS.sub(lambda said: f"{today.year + _YEARS_ON[said[0]]}年", plain)


def _take(found: Sequence[Piece], place: int, reading: Reading) -> int:
    """Puts the piece at ``place`` into its place, and says how many pieces that took; 0 where it has none."""
    piece = found[place]
    following = [one for one in found[place + 1 : place + 4] if one.text not in PARTICLES]
    link = found[place + 1].text if place + 1 < len(found) else ""
    match piece.kind:
        case "column":
            return _take_column(found, place, following, reading)
        case "value" | "unknown":
            return _take_value(found, place, following, link, reading)
        case "most":
            if reading.most:
                return 0
            reading.most = piece.meaning
            reading.near = (*reading.columns, *(one.column for one in found[place + 1 : place + 2]))
        case "number":
            return _take_number(found, place, reading)
        case "word":
            return _take_word(piece, reading) if piece.meaning != "did" or _is_of_rows(found, place, reading) else 0
        case _:
            return 0
    return 1


def _is_of_rows(found: Sequence[Piece], place: int, reading: Reading) -> bool:
    """Whether what was done says no more than the value before: 「カードで払った」, not 「会費を払った」."""
    last = next((one for one in reversed(found[:place]) if one.text not in PARTICLES), None)
    if last is None:  # 「借りた冊数の合計」
        behind = found[place + 1].column if place + 1 < len(found) else None
        start = found[place].text[:1]
        told = any(start in one.called for one in reading.table.columns) and not states_of(start, reading.table)
        return told and behind is not None and behind.kind == "number"
    if any(one.kind == "most" for one in found):
        return True  # 「最後に走ったのはいつ？」
    asks = last.meaning in ("count", "who", "amount", "when") or (last.kind == "column" and last.text.startswith("何"))
    return asks or last.kind in ("value", "number", "operator") or last.meaning == "except"


def _skipped(found: Sequence[Piece], place: int, piece: Piece) -> int:
    """How many pieces lie from ``place`` to ``piece``, both counted."""
    return next(index for index in range(place, len(found)) if found[index] is piece) - place + 1


def _take_column(found: Sequence[Piece], place: int, following: Sequence[Piece], reading: Reading) -> int:
    column, then = found[place].column, following[0] if following else None
    if column is None:
        return 0
    link = found[place + 1].text if place + 1 < len(found) else ""
    if _is_done_on(found[place]) and not any(piece.meaning == "when" or piece.kind == "most" for piece in found):
        reading.filters += _on_days(column, ">=", column.least[:10]) if column.nulls and column.least else []
        return 1  # 「売れた商品」
    done = (
        then is not None and found[place].text[-1:] in "ただ" and link == then.text and link != "人"
    )  # 「借りた小説」
    if column.kind == "boolean" and then and (link == "の" or done) and (_is_noun(then) or (done and then.column)):
        reading.filters += [Filter(column, "true", ("true",))]
        return 2 - done  # 「送料込みの商品」
    if then and then.meaning == "group":
        if column.kind == "number" and then.text.startswith("それぞれ"):
            return 0  # 「交通費と宿泊費、それぞれの合計は？」
        reading.group = column
        return _skipped(found, place, then) if not then.column else 0
    if then and (one := _said_of(column, then, link)):
        reading.filters.append(one)
        return _skipped(found, place, then)
    if then and then.kind == "number" and column.kind in ("number", "date"):
        rest = _take_number(found, _skipped(found, place, then) - 1 + place, reading, column)
        return rest + _skipped(found, place, then) - 1 if rest else 0
    reading.columns.append(column)
    return 1


def _said_of(column: Column, then: Piece, link: str) -> Filter | None:
    """What the piece behind a column says of it: 「サウナあり」, 「延滞している」, 「申込が空欄」, 「店長が森田」."""
    if then.kind == "word" and then.meaning in ("yes", "no"):
        return yes_no(column, then.meaning == "yes")
    if then.meaning == "verb" and then.text.startswith("し"):
        return yes_no(column, True)
    if then.meaning == "empty":
        return Filter(column, "null")
    if then.text.lower() in YES_NO and link == "が":
        return yes_no(column, YES_NO[then.text.lower()])
    if then.kind in ("value", "unknown") and link == "が" and column.kind == "text":
        known = then.column is column or then.meaning in column.known
        return Filter(column, "=" if known else "find", (then.meaning,))
    return None


def _is_noun(piece: Piece) -> bool:
    return piece.kind in ("column", "unknown") or piece.meaning == "things"


def _is_done_on(piece: Piece) -> bool:
    """Whether the day of a column is told by what was done on it."""
    return piece.column is not None and piece.column.kind == "date" and piece.text[-1:] in "ただ"


def _take_value(found: Sequence[Piece], place: int, following: Sequence[Piece], link: str, reading: Reading) -> int:
    """A text that rows have; 「森田さんが店長の店」 says of which column."""
    piece, then = found[place], following[0] if following else None
    if left_out := _left_out(found, place):
        before = [one for one in found[max(0, place - 2) : place] if one.text != "の"]
        if piece.column is None or any(one.kind in ("value", "unknown") for one in before):
            return 0  # 「森田さんのカード以外」 may be all but his
        reading.filters.append(Filter(piece.column, "<>", tuple(one.meaning for one in left_out)))
        behind = [one for one in found[place + len(left_out) + 1 :][:2] if one.text != "の"][:1]
        named = bool(behind) and behind[0].kind == "column" and behind[0].column is piece.column
        return _skipped(found, place, behind[0]) if named else len(left_out) + 1  # 「カード以外の支払い」
    if then is not None and link == "の" and then.kind == "column" and then.column is piece.column is not None:
        reading.filters.append(Filter(piece.column, "=", (piece.meaning,)))
        return _skipped(found, place, then)  # 「松の部屋」
    beside = then is not None and link == then.text
    owned = (
        then is not None
        and then.kind == "column"
        and not then.text.startswith("何")
        and (link in ("が", "を", "に") or beside)
        and then.column
    )
    if owned and then and owned.kind == "text" and (piece.column is None or piece.column is owned):
        reading.filters.append(Filter(owned, "=" if piece.column else "find", (piece.meaning,)))
        return _skipped(found, place, then)
    if piece.kind == "value" and sum(piece.meaning in one.known for one in reading.table.of_kind("text")) > 1:
        return 0  # which of the columns is it?
    if piece.kind == "unknown" and not _may_be_name(piece.text, reading.table):
        return 0
    reading.filters.append(Filter(piece.column, "=" if piece.column else "find", (piece.meaning,)))
    return 1


def _may_be_name(said: str, table: Table) -> bool:
    """Whether a value may be called so; with figures where rows are: R12, where others are R1 and R2."""
    shape = _DIGIT.sub("0", said)
    if said != shape and not said.isdigit() and shape in {_DIGIT.sub("0", one) for one in naming(table).known}:
        return True
    return _WORD.search(said) is not None and _NO_NAME.search(said) is None


def _left_out(found: Sequence[Piece], place: int) -> list[Piece]:
    """The values of one column that stand together before 以外: 「小説と科学以外」."""
    column, end = found[place].column, place
    while end < len(found) and found[end].kind == "value" and found[end].column is column:
        end += 1
    return list(found[place:end]) if end < len(found) and found[end].meaning == "except" else []


def _take_number(found: Sequence[Piece], place: int, reading: Reading, column: Column | None = None) -> int:
    """A figure or a day, with how far it goes; of which column it is by its unit where none is named."""
    piece = found[place]
    then = next((one for one in found[place + 1 : place + 3] if one.text not in PARTICLES), None)
    operator = then.meaning if then and then.kind == "operator" else "="
    last = place + (_skipped(found, place, then) if then and then.kind == "operator" else 1)
    behind = next((one for one in found[last : last + 2] if one.text not in PARTICLES), None)
    of_days = behind is not None and behind.column is not None and behind.column.kind == "date"
    if column is None and behind and of_days and (piece.column or _DATED.match(piece.text)):
        column, last = behind.column, _skipped(found, place, behind) + place
    models = [one for one in reading.table.columns if is_year(one, "年")] if then and then.text[0] == "式" else []
    column = column or piece.column or (models[0] if len(models) == 1 else _of_unit(piece.text, reading.table))
    if column is None:
        return 0
    if column.kind == "date":
        if not re.fullmatch(r"\d{4}(?:-\d\d){0,2}", piece.meaning):
            return 0
        made = _on_days(column, operator, piece.meaning)
    elif then and ("速" in then.text or "遅" in then.text) and not is_time(column):
        return 0
    else:
        made = _compared(column, operator, piece)
    reading.filters += made
    return last - place if made else 0


def _compared(column: Column, operator: str, piece: Piece) -> list[Filter]:
    """A figure in the unit of the column, which may be of ten thousands."""
    if not re.fullmatch(r"[\d.]+", piece.meaning):
        return []
    scaled = "万円" in column.called and "円" in piece.text
    figure = figure_of(Fraction(piece.meaning) / 10_000) if scaled else piece.meaning
    unit = re.sub(r"[\d,.万]", "", piece.text)
    figure = in_its_unit(figure, unit, column) if unit and unit != "年" else figure
    return [Filter(column, cast("Operator", operator), (figure,))]


_WHEN = {">": "after", ">=": "since", "<": "before", "<=": "until"}


def _on_days(column: Column, operator: str, day: str) -> list[Filter]:
    """A day, month or year, or the time since or until then, told in the words that are read again."""
    if operator == "=" and len(day) < len("2026-01-01"):
        return [Filter(column, "month" if "-" in day else "year", (day,))]
    told = f"{_WHEN.get(operator, 'on')} {day}"
    return [
        Filter(column, one, (end,), said="-" if place else told)
        for place, (one, end) in enumerate(dated(operator, day))
    ]


def _of_unit(text: str, table: Table) -> Column | None:
    unit = re.sub(r"[\d,.万]", "", text)
    if unit == "年" or (not unit and re.search(r"\d{4}", text)):
        several = [one for one in table.columns if one.kind == "date" or is_year(one, "年")]
    else:
        hints = WORDS["units"].get(unit, "")
        numbers = table.of_kind("number")
        in_head = [one for one in numbers if unit and re.search(rf"[(（]{re.escape(unit)}[)）]", one.called)]
        several = in_head or [one for one in numbers if hints and re.search(hints, one.called)]
        several = several or [one for one in numbers if unit and scale_of(unit, one)]
        several = several or [one for one in numbers if len(unit) > 1 and unit in one.called]
        several = several or [one for one in numbers if unit and one.called == f"{unit}数"]
    return several[0] if len(several) == 1 else None


def _take_word(piece: Piece, reading: Reading) -> int:
    if piece.meaning in MEASURES or piece.meaning == "count":
        if reading.measure in MEASURES and piece.meaning == "count":
            return 1  # 「合計何個？」
        if reading.measure and reading.measure != piece.meaning:
            return 0
        reading.measure = piece.meaning  # type: ignore[assignment]
    elif piece.meaning in ("top", "bottom"):
        number = re.search(r"\d+", piece.text)
        reading.limit = int(number[0]) if number else 1
        reading.most = reading.most or ("多" if piece.meaning == "top" else "少な")
    elif piece.meaning == "nth":
        reading.limit = int(re.findall(r"\d+", piece.text)[0])
    elif piece.meaning == "ordered":
        number = re.search(r"\d+", piece.text)
        reading.ordered, reading.first = True, int(number[0]) if number else 0
    elif piece.meaning == "money":
        return sum(map(is_money_head, reading.columns)) == 1 and bool(reading.most)  # 「単価が一番高い商品とその値段」
    elif piece.meaning not in _ASKING:
        return 0
    return 1
