"""Two figures of one table set against each other in Japanese: their difference, and the share of some rows in all."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from agent.data.tables.questions.table_schema import Asked, Column, Table, is_money
from agent.data.tables.wordings.japanese_asking import japanese_asked
from agent.data.tables.wordings.japanese_pieces import is_money_head
from agent.data.tables.wordings.japanese_rows import naming
from agent.data.tables.wordings.set_against import Pair
from agent.text.regex import regex

_ENDS = "(?:ですか|でしょうか|になりますか|にあたりますか|ある|です|なの)?"
_ASKS = rf"(?:は|って|、)?(?:何[^\d。?？]{{1,6}}?|いくら|いくつ|どのくらい|どれくらい)?{_ENDS}"
_NAME = r"[^とのは。?？、]{1,20}?(?:さん|くん|ちゃん)?"
_DIFFERENCES = (
    regex(rf"(?P<a>{_NAME})と(?P<b>{_NAME})(?:で|の|は|、)(?P<what>[^。?？、]{{1,20}}?)の?(?:差額?|違い|開き){_ASKS}"),
    regex(
        rf"(?P<a>{_NAME})と(?P<b>{_NAME})(?:で|の|は)(?P<what>何(?:歳|円|点|kg|cm|分|秒|時間))(?:違い|違う|の?差){_ASKS}"
    ),
)
_HOW = r"(?P<asks>いくら|どれくらい|どのくらい|どれだけ|何(?:歳|円|点|kg|cm|分|秒|時間|部屋|ページ|回|個))"
_ADJECTIVE = r"(?P<how>多|少な|高|低|安|大き|小さ|長|短|重|軽|広|狭|速|遅|年上|年下)(?:い|く|かった)?[^、。?？]{0,10}?"
_MORE = (
    regex(
        rf"(?P<a>{_NAME})と(?P<b>{_NAME})(?:では|で|は|だと|の)?、?(?:どちら|どっち)(?:の方|のほう)?が{_HOW}{_ADJECTIVE}{_ENDS}"
    ),
    regex(
        rf"(?P<a>{_NAME})(?:の方が|のほうが|は|が)(?P<b>{_NAME})より(?:も)?(?:(?P<what>[^、。?？]{{1,8}}?)が)?{_HOW}{_ADJECTIVE}{_ENDS}"
    ),
)
_RANGES = (
    regex(
        rf"(?P<what>[^。?？、]{{1,20}}?)の?(?:最高|最大|最大値|最高値|一番高い(?:の|もの)?)(?:額|値)?と(?:最低|最小|一番安い(?:の|もの)?|一番低い(?:の|もの)?)(?:額|値)?(?:の|との)(?:差額?|開き|違い){_ASKS}"
    ),
    regex(
        rf"(?:最高|最大|一番高い)の?(?P<what>[^。?？、]{{1,20}}?)と(?:最低|最小|一番(?:安|低)い)の?(?P=what)の(?:差額?|開き|違い){_ASKS}"
    ),
)
_PERCENT = r"(?:何(?:%|％|パーセント|割)|どのくらい(?:の割合)?)(?:を占め(?:て(?:い)?)?(?:る|ます|ますか))?" + _ENDS
_ALIKE = r"(?:人|方|社員|会員|部員|メンバー|生徒|学生|スタッフ|お客さん|家庭|世帯|件|行)"  # what rows are counted as
_SHARES = (
    regex(
        rf"(?P<a>[^。?？、]{{1,20}}?の?{_ALIKE})(?:の(?:割合|比率))?(?:は|って|が)、?(?:全体|全員|全部|みんな)?の?(?:うち)?の?{_PERCENT}"
    ),
    regex(
        rf"(?P<a>[^。?？、]{{1,20}}?)の(?:割合|比率)(?:は|って)、?(?P<what>[^の。?？、]{{1,12}}?)で(?:いうと|言うと|見ると|は)?{_PERCENT}"
    ),
    regex(
        rf"(?P<a>[^。?？、]{{1,20}}?)の(?P<what>[^の。?？、]{{1,20}}?)(?:の合計)?(?:は|って|が)、?全体の(?:うち(?:の)?)?{_PERCENT}"
    ),
    regex(
        rf"(?P<every>[^。?？、]{{0,20}}?)(?:全部|ぜんぶ|全体|すべて|全員)?の?(?:うち|中で|なかで)、?(?P<a>[^。?？、]{{1,20}}?)(?:は|って|が){_PERCENT}"
    ),
)
_WHOLE = (
    regex(
        rf"(?P<a>[^。?？、]{{1,20}}?)(?:は|って|が)、?(?P<what>[^のは。?？、]{{1,10}}?)全体の(?:うち(?:の)?)?{_PERCENT}"
    ),
    regex(rf"(?P<a>[^。?？、]{{1,20}}?)(?:は|って|が)、?全体の(?:うち(?:の)?)?{_PERCENT}"),
)
_EXPENSE = regex(r"[費代料]$")
_COUNTED = regex(
    rf"(?P<a>[^。?？、]{{1,20}}?)(?:は|って|が)、?(?:全(?:台|件|人|員|冊|名)数?|[^は、]{{0,6}}(?:台|件|人|冊)数全体)の?(?:うち)?(?:の)?{_PERCENT}"
)


_PLACES = regex(
    r"[。、?？ ]*(?:小数(?:点)?(?:以下)?第?[12一二]位|小数(?:点)?(?:以下)?[12一二]桁)(?:まで|で|に)?(?:四捨五入して?)?"
    r"(?:答えて|教えて|お願い(?:し)?(?:ます)?)?(?:ください)?[。?？]*$"
)
_ENDING = regex(
    r"(?:でした|だった|になりました)?(?:の|ん)?(?:です)?(?:っけ|かな|かしら|か)?(?:を?教えて(?:ください)?)?[。?？]*$"
)


def japanese_pair(text: str, table: Table, today: date | None) -> Pair | None:
    """Both figures, and what they are called: 「AとBの料金の差は？」, 「予約のうち、犬は何%？」."""
    bare = _ENDING.sub("", _PLACES.sub("", text))
    of_all = _share(text, table, today) or _share(bare, table, today) or _share_of_all(bare, table, today)
    return _range(text, table, today) or _difference(text, table, today) or of_all


def _range(text: str, table: Table, today: date | None) -> Pair | None:
    """「料金の最高と最低の差は？」."""
    for said in filter(None, (form.fullmatch(text) for form in _RANGES)):
        most = japanese_asked(f"{said['what']}の最大は？", table, today)
        if most and most.measure == "max" and most.column and not (most.groups or most.order):
            return most, replace(most, measure="min"), ("最高", "最低"), "range_in_table"
    return None


def _difference(text: str, table: Table, today: date | None) -> Pair | None:
    for said in filter(None, (form.fullmatch(text) for form in _DIFFERENCES)):
        ends, what = (said["a"], said["b"]), said["what"]
        if what.startswith("何"):  # 「何歳違い？」
            named = [one.called for one in table.of_kind("number") if what[1:] in one.called]
            what = named[0] if len(named) == 1 else what
        one, other = (_figure(japanese_asked(f"{end}の{what}は？", table, today)) for end in ends)
        if one and other and one.column == other.column and one.filters != other.filters:
            return one, other, ends, "difference_in_table"
    for said in filter(None, (form.fullmatch(text) for form in _MORE)):
        parts = said.groupdict()
        by = _compared_by(parts.get("what") or "", said["asks"], said["how"], table, today)
        ends = (said["a"], said["b"])
        one, other = (_figure(japanese_asked(f"{end}の{by.called}は？", table, today)) if by else None for end in ends)
        if one and other and one.column == other.column == by and one.filters != other.filters:
            return one, other, ends, "difference_in_table"
    return None


def _compared_by(what: str, asks: str, how: str, table: Table, today: date | None) -> Column | None:
    """The figure of 「いくら高い」, 「何歳年上」 or 「身長がどれくらい高い」."""
    numbers = table.of_kind("number")
    if what:
        fits = [one for one in numbers if what in one.called]
    elif unit := asks.removeprefix("何") if asks.startswith("何") else "":
        fits = [one for one in numbers if unit in one.called or (unit in "歳才" and "齢" in one.called)]
    else:
        best = japanese_asked(f"一番{how}いのは？", table, today)
        fits = [best.column] if best and best.column and best.column.kind == "number" else []
        money = [one for one in numbers if is_money(one) or "円" in one.called]
        fits = money if asks == "いくら" and (not fits or how in ("多", "少な")) else fits
    return fits[0] if len(fits) == 1 else None


def _share(text: str, table: Table, today: date | None) -> Pair | None:
    for said in filter(None, (form.fullmatch(text) for form in (*_SHARES, _COUNTED))):
        parts = said.groupdict()
        what = parts.get("what")
        counted = f"{parts['every']}は何件？" if parts.get("every") else "全部で何件？"
        every = None if what else japanese_asked(counted, table, today)
        part = japanese_asked(f"{said['a']}の{what}の合計は？" if what else f"{said['a']}は何件？", table, today)
        if part and part.filters and part.measure == ("sum" if what else "count") and (what or every):
            among = every.filters if every else ()
            part = replace(part, filters=(*among, *part.filters))
            return part, replace(part, filters=among), (said["a"], ""), "share_of_table"
    return None


def _share_of_all(text: str, table: Table, today: date | None) -> Pair | None:
    """「光熱費は全体の何%？」: of what is paid for expenses, of the rows where none has an amount."""
    money = [one for one in table.columns if is_money_head(one)]
    for said in filter(None, (form.fullmatch(text) for form in _WHOLE)):
        what = said.groupdict().get("what") or ""
        if not what and money:
            what = money[0].called if len(money) == 1 and _EXPENSE.search(said["a"]) else ""
            if not what:
                return None
        part = japanese_asked(f"{said['a']}の{what}の合計は？" if what else f"{said['a']}は何件？", table, today)
        if part and part.filters and part.measure == ("sum" if what else "count") and not part.groups:
            return part, replace(part, filters=()), (said["a"], ""), "share_of_table"
    return None


def _figure(asked: Asked | None) -> Asked | None:
    """One figure of a single row that is asked for."""
    if asked is None or asked.measure != "rows" or asked.column:
        return asked if asked and asked.measure in ("sum", "avg") and not asked.groups else None
    columns = [one for one in asked.shown if one is not naming(asked.table)]
    fits = len(columns) == 1 and columns[0].kind == "number"
    return replace(asked, measure="sum", column=columns[0], shown=(), limit=0) if fits else None
