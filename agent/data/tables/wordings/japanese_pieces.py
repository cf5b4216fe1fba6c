"""A Japanese question about a table, cut into its columns, values, figures and words: nothing of it is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Literal

from agent.data.tables.questions.table_lexicon import LEXICON, words
from agent.data.tables.questions.table_schema import Column, Table
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS: dict[str, Any] = word_table(__file__, "japanese_words.toml")
Kind = Literal["column", "value", "unknown", "number", "most", "operator", "word"]
_NUMBER = regex(
    r"(?P<n>\d[\d,]*(?:\.\d+)?)(?P<ten_thousands>万)?(?P<unit>円|歳|才|人|名|席|kg|cm|km|kcal|g|m|個|本|回|年|点|度|%|件|枚|時間|分|秒|ページ|ポイント|キロメートル|キログラム|キロ|メートル|センチメートル|センチ|グラム|トン|泊)?"
)
_DATE = regex(
    r"(?P<y>\d{4})年(?:(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?)?|(?P<iso>\d{4}-\d\d-\d\d)"
    r"|(?P<month>\d{1,2})(?:月(?:(?P<day>\d{1,2})日)?|/(?P<of_month>\d{1,2})(?![\d/]))"
)
_MOST_ENDING = r"(?:かった|くから(?:やって(?:い)?る|ある|続く)?|い|から(?:続けて(?:い)?る|やって(?:い)?る|ある|いる)?)?"
_NAME_WITH_KANA = r"[一-龯々]{2,}(?!さん|くん|ちゃん)[ぁ-ん]{2,3}(?=[のはがをにと、]|さん)"  # 江口りん
_ADDRESSED = r"[一-龯々]+?(?=(?:様|氏|君|先生)[のがはをにと、で])"
_UNKNOWN = regex(
    rf"{_NAME_WITH_KANA}|{_ADDRESSED}|[一-龯々A-Za-z0-9]+|[ァ-ヶー]+|[^のはがをにでともや、。?？!！ 「」]{{1,12}}"
)
_CALLED = {tuple(name.split()): tuple(called) for name, called in LEXICON["columns_in_japanese"].items()}
_UNITS = frozenset({"eur", "usd", "gbp", "yen", "kg", "g", "cm", "mm", "m", "km", "c"})
_SHORTEST_PART, _LONGEST_PART = 2, 12
# Whether a word means yes.
YES_NO: dict[str, bool] = {said: place == 0 for pair in WORDS["yes_no"]["pairs"] for place, said in enumerate(pair)}


@dataclass(frozen=True, slots=True)
class Piece:
    """``text`` as typed; ``meaning`` is the name of a word, an operator, a day or a figure in plain digits."""

    kind: Kind
    text: str
    meaning: str = ""
    column: Column | None = None


@cache
def _patterns(group: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, regex(pattern)) for name, pattern in WORDS[group].items())


@cache
def _most() -> re.Pattern[str]:
    several = "|".join(sorted(WORDS["most"], key=len, reverse=True))
    return regex(rf"(?:最(?!近))?(?P<how>{several}){_MOST_ENDING}")


def pieces(text: str, table: Table) -> list[Piece]:
    found: list[Piece] = []
    place = 0
    while place < len(text):
        several = list(_at(text, place, table))
        on_day = [one for one in several if one.column and one.column.kind == "date" and one.text[-1:] in "ただ"]
        piece = max(several, key=lambda one: len(one.text), default=None) or _unknown(text, place, table)
        piece = max(on_day, key=lambda one: len(one.text)) if on_day and piece.meaning == "did" else piece
        if piece.meaning != "noise" or piece.text in "のがをに":
            found.append(piece)
        place += len(piece.text)
    return found


def _at(text: str, place: int, table: Table) -> Iterator[Piece]:
    """All that may begin here; of two of a length the first counts."""
    yield from _named(text, place, table)
    if dated := _DATE.match(text, place):
        parts = [dated[name] for name in "ymd" if dated[name]]
        days = main_day(table)
        days = days if dated["m"] or dated["month"] or dated["iso"] else None  # a year alone may be of another column
        if days and dated["month"] and days.least[:4] == days.most[:4]:
            parts = [days.least[:4], *(dated[name].zfill(2) for name in ("month", "day", "of_month") if dated[name])]
        if parts or dated["iso"]:
            yield Piece("number", dated[0], dated["iso"] or "-".join(part.zfill(2) for part in parts), days)
    elif number := _NUMBER.match(text, place):
        figure = Fraction(number["n"].replace(",", "")) * (10_000 if number["ten_thousands"] else 1)
        yield Piece("number", number[0], figure_of(figure))
    for group, kind in (("operators", "operator"), ("words", "word")):
        for name, pattern in _patterns(group):
            if name == "figure" and any(re.search(r"記録|タイム|データ|成績", one.called) for one in table.columns):
                continue
            if (match := pattern.match(text, place)) and match[0]:
                yield Piece("operator" if kind == "operator" else "word", match[0], name)
    if (most := _most().match(text, place)) and _is_most(text, place, most):
        yield Piece("most", most[0], most["how"])


def main_day(table: Table) -> Column | None:
    """The column of the days that rows are of: the only one with days, or the only one of them that each row has."""
    days = table.of_kind("date")
    always = days if len(days) == 1 else [one for one in days if not one.nulls]
    return always[0] if len(always) == 1 else None


def _is_most(text: str, place: int, most: re.Match[str]) -> bool:
    """Whether it is said of what is most: 一番古い, 客数が多い, 最多, 多い順; not of 古い or 最近 alone."""
    particles = "" if most["how"] == "最近" else "|[がはも]"
    behind = re.search(rf"(?:一番|いちばん|最も|もっとも|\d番目に{particles})の?$", text[:place])
    return bool(behind or (most[0].startswith("最") and particles) or re.match(r"い?順", text[most.end("how") :]))


def _named(text: str, place: int, table: Table) -> Iterator[Piece]:
    rest = text[place:].casefold()
    for column in table.columns:
        yield from _of_column(text, place, column)
    for value, several in LEXICON["values_in_japanese"].items():
        yield from (Piece("unknown", name, value) for name in several if rest.startswith(name))
    money = [one for one in table.columns if is_money_head(one)]
    if money and (said := re.match(WORDS["money"]["words"], rest)):
        one = money[0] if len(money) == 1 else None
        yield Piece("column", said[0], one.name, one) if one else Piece("word", said[0], "money")
    people = [one for one in table.of_kind("text") if re.search(WORDS["people"]["customers"], one.called)]
    if len(people) == 1 and (said := re.match(r"お?客(?:様|さん|さま)?(?![一-龯])", rest)):
        yield Piece("column", said[0], people[0].name, people[0])
    if rest.startswith(table.name.casefold()):
        yield Piece("word", text[place : place + len(table.name)], "things")


def is_money_head(column: Column) -> bool:
    """Whether the head of a column of figures says that they are money."""
    return column.kind == "number" and re.search(WORDS["money"]["called"], column.called) is not None


def _of_column(text: str, place: int, column: Column) -> Iterator[Piece]:
    """Its names, 「何組？」 of a column 組 and 「何泊？」 of 泊数（泊）, and its values."""
    rest = text[place:].casefold()
    for name in filter(None, map(str.casefold, names_of(column))):
        for said in (name, f"何{name}"):
            if rest.startswith(said):
                yield Piece("column", text[place : place + len(said)], column.name, column)
    unit = re.search(r"[(（](.+)[)）]$", column.called) if column.kind == "number" else None
    counted = re.fullmatch(r"([一-龯])数", column.called) if column.kind == "number" else None
    for one in filter(None, (unit, counted)):
        if rest.startswith(f"何{one[1].casefold()}"):
            yield Piece("word", text[place : place + len(one[1]) + 1], "amount")
    if spelled := _spelled(column).match(rest):
        yield Piece("column", text[place : place + len(spelled[0])], column.name, column)
    if column.kind == "date" and (done := _verb_of_day(column).match(text, place)):
        yield Piece("column", done[0], column.name, column)
    for value in dict.fromkeys((*column.examples, *column.values)) if column.kind == "text" else ():
        of_day = value == "日" and text[place - 1 : place] == "の"  # 「雨の日」 is no Sunday
        if rest.startswith(value.casefold()) and value not in YES_NO and not of_day:
            noun = re.match(r"[一-龯](?![一-龯])い?", text[place + len(value) :])  # 開発部 of a column 部署, カード払い
            pupils = "|生" if value.endswith("年") else ""
            kinds = r"の日(?=[のはにがでも])|" if re.search("天気|天候", column.called) else ""
            kinds += rf"{re.escape(column.called)}|者(?=[のはがをに、でと])|経由{pupils}"
            of_kind = re.match(kinds, text[place + len(value) :])
            noun = noun if noun and noun[0][0] in column.called else of_kind  # 土曜日 of a column 曜日
            more = len(noun[0]) if noun and not value.endswith(noun[0]) else 0
            yield Piece("value", text[place : place + len(value) + more], value, column)


_SECOND = ("支払", "到着", "提出", "生年")  # of which the verb has the second character: 払う of 支払日


def verb_starts(head: str) -> str:
    """The characters that a verb of the same meaning begins with: 納める of 納入日, not 売る of 発売日."""
    bare = re.sub(r"^(?:最終|最近|最新|前回|次回|初回?)", "", head)
    starts = bare[:2] if bare.startswith(_SECOND) else bare[:1]
    starts = bare if re.search(r"[ぁ-ん]", bare) else starts  # 売れた日
    return "".join(one for one in dict.fromkeys(re.findall(r"[一-龯]", starts)) if one not in "年月日時会")


def okurigana(kanji: str) -> str:
    """A pattern of a word of ``kanji`` with the kana that some write between and behind them: 引き渡し for 引渡."""
    return r"[ぁ-ん]{0,2}".join(map(re.escape, kanji))


@lru_cache(maxsize=128)
def _spelled(column: Column) -> re.Pattern[str]:
    """Its head with such kana, or without the day at its end: 売り上げ and 売上額 of 売上（円）, 受け付け of 受付日."""
    bare = re.sub(r"[(（].*", "", column.called).casefold()
    kanji = "".join(re.findall(r"[一-龯]", bare)).removesuffix("日" if column.kind == "date" else "〇")
    if len(kanji) < 2 or re.search(r"[^一-龯ぁ-ん]", bare):
        return regex(r"(?!)")
    ending = r"(?:[りいげしけえみれち](?=[はがのをもと、?？]|って|額|高|$))?(?:額|高(?![いかく]))?"
    return regex(rf"{okurigana(kanji)}{ending}(?![一-龯])")


@lru_cache(maxsize=128)
def _verb_of_day(column: Column) -> re.Pattern[str]:
    """What was done on that day, by the first character of the verb: 納めた of 納入日."""
    said = verb_starts(column.called) or "〇"
    whole = column.called.removesuffix("日")
    return regex(
        rf"[にをが]?(?:{okurigana(whole) if len(whole) == 2 else '〇'}|[{said}](?:[いきりけしみち]?[{said}出込付])?)"
        r"(?:わ|っ|ん|し|され|られ|われ|かれ|[いきりめけれえまかさせ]{1,2}|かけ|まれ)(?:まし)?[ただ](?:日(?![一-龯]))?"
    )


def names_of(column: Column) -> Iterator[str]:
    """What people call a column: 高さ for 高さcm, 改装した for 改装日."""
    label = column.called
    yield from (column.name, column.name.replace("_", " "), label)
    yield re.sub(r" ?(?:\(.*\)|（.*）|cm|kg|km|円|m|g)$", "", label)
    name = words(column.name)
    yield from _CALLED.get(name, ())
    yield from _CALLED.get(name[:-1], ()) if name[-1:] and name[-1] in _UNITS else ()
    yield from (f"{label}い方法", f"{label}方法", f"{label}い") if label.endswith("払") else ()
    yield f"{label}者" if label.endswith("担当") else ""
    yield label.removesuffix("名") if label.endswith("名") and label != "氏名" else ""
    yield re.sub(r"[(（](.*)[)）]$", r"\1", label)  # 残業時間 of 残業（時間）
    yield f"{label}み" if label.endswith("済") else ""
    yield from (name for said, several in WORDS["same_head"].items() if re.match(said, label) for name in several)
    yield from ("何年生",) if any(re.fullmatch(r"\d年", one) for one in column.known) else ()
    yield f"{label}名" if column.kind == "text" and not label.endswith("名") else ""
    yield from ("誕生日", "生まれた日", "生まれた", "生まれ") if label in ("生年月日", "誕生日") else ()
    if column.kind == "date" and label.endswith("日"):
        yield from (f"{label[:-1]}{end}" for end in ("しました", "した", "された", "た", "して", ""))


def _unknown(text: str, place: int, table: Table) -> Piece:
    """A part of one column's name is that column, コーヒー of コーヒー代; others may be values or what rows are."""
    found = _UNKNOWN.match(text, place)
    said = found[0] if found else text[place]
    grouped = re.match(r"ごと|別|毎", text[place + len(said) :]) is not None
    rest = text[place : place + _LONGEST_PART]
    for end in range(len(rest), 0 if grouped else _SHORTEST_PART - 1, -1):
        if rest[:end].isascii():
            break
        near = [column for column in table.columns if rest[:end].casefold() in column.called.casefold()]
        if len(near) == 1 and near[0] is not table.columns[0]:
            return Piece("column", rest[:end], near[0].name, near[0])
    return Piece("unknown", said, said)
