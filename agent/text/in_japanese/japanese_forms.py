"""Whole Japanese questions in the words of plainer ones: 「来月は何日まで？」 as the weekday of its last day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from agent.text.quantities.dates import written
from agent.text.quantities.eras import era_year
from agent.text.regex import regex

_N = r"\d+(?:\.\d+)?"
_CLOCK = r"(?:午前|午後|朝|夜|夕方|昼)?の?\d{1,2}時(?!間)(?:\d{1,2}分|半)?"
_ERA = r"(?:明治|大正|昭和|平成|令和)"
_COUNTED = r"(?:人|名|個|本|回|日|台|枚|問)"
# What is asked for where the others were told.
_OTHERS = {
    "出席": "欠席|休み|休んで", "合格": "不合格|落ち", "正解": "間違え|不正解|間違い", "正答": "間違え|不正解|間違い",
    "勝": "負け", "成功": "失敗", "生存": "死ん|枯れ",
}  # fmt: skip
_SAME = {
    "欠席": "欠席|休み|休んで",
    "出席": "出席",
    "合格": "合格",
    "不良": "不良",
    "正解": "正解",
    "成功": "成功",
    "勝": "勝",
}

Made = Callable[[re.Match[str], date | None], str]


def _last_day(said: re.Match[str], today: date | None) -> str:
    if today is None:
        return ""
    later = {"今月": 1, "来月": 2, "再来月": 3}[said["month"]]
    first = today.replace(day=1)
    for _ in range(later):
        first = (first + timedelta(days=32)).replace(day=1)
    return f"{written(first - timedelta(days=1), 'ja')}は何曜日"


def _month_end(said: re.Match[str], today: date | None) -> str:
    month = int(said["n"])
    if today is None or not 1 <= month <= 12:
        return ""
    year = int(said["year"] or today.year + (month < today.month))
    return f"{written((date(year, month, 1) + timedelta(days=31)).replace(day=1) - timedelta(days=1), 'ja')}は何曜日"


def _rate(said: re.Match[str], _: date | None) -> str:
    """The rate of those that are told, or of the others where the one is the opposite of the other."""
    kind, told, whole, part = said["kind"], said["told"], said["whole"], said["part"]
    if re.match(_OTHERS.get(kind, "(?!)"), told):
        return f"{whole}のうち{int(whole) - int(part)}は何%" if int(part) <= int(whole) else ""
    return f"{whole}のうち{part}は何%" if re.match(_SAME.get(kind, "(?!)"), told) else ""


def _in_weeks(said: re.Match[str], today: date | None) -> str:
    """The weekday of the week so many weeks on; a Sunday may begin that week, or end it."""
    if today is None:
        return ""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=int(said["n"]))
    return f"{written(monday + timedelta(days='月火水木金土'.index(said['d'])), 'ja')}は何曜日"


def _born(said: re.Match[str], _: date | None) -> str:
    year = era_year(said["year"]) or int(said["year"][:4])
    return f"{year}年{said['day']}生まれは今何歳"


def _age_this_year(said: re.Match[str], today: date | None) -> str:
    """In the year of a birthday, whenever it is."""
    year = era_year(said["year"]) or int(re.sub(r"\D", "", said["year"]) or 0)
    return f"{year}年生まれは今何歳" if today and year and year <= today.year else ""


def _lessons(said: re.Match[str], _: date | None) -> str:
    """So many lessons with a break between each two."""
    long, several, rest = int(said["long"]), int(said["n"]), int(said["rest"])
    return f"{said['clock'].lstrip('朝の')}から{several * long + (several - 1) * rest}分後は何時" if several > 1 else ""


_FORMS: tuple[tuple[re.Pattern[str], str | Made], ...] = (
    (
        regex(
            r"(?:(?P<year>\d{4})年)?(?P<n>\d{1,2})月(?:の日数は(?:何日)?|は何日まで(?:ある|あります)?|は何日(?:ある|あります))"
        ),
        _month_end,
    ),
    (
        regex(r"今年(?:の残り)?(?:は|って)?、?(?:あと|残り)(?:は)?何日(?:ある|あります|残って(?:いる|います|る))?"),
        "12月31日まであと何日",
    ),
    (
        regex(
            rf"(?P<era>{_ERA}(?:元|\d{{1,2}})年)(?:の?生まれ)?(?:なん)?(?:です|なの)?(?:けど|が|けれど|で|は|、)*西暦(?:だと|で|では|でいうと|に直すと|にすると)?、?"
            r"何年(?:の?生まれ)?(?:です|になります|になる)?"
        ),
        r"\g<era>は西暦何年",
    ),
    (
        regex(
            rf"(?P<year>{_ERA}(?:元|\d{{1,2}})年|\d{{4}}年)(?P<day>\d{{1,2}}月\d{{1,2}}日)生まれの(?:人|方|父|母|祖父|祖母|子|友人|友達)は、?"
            r"(?:今日|今|現在|本日)?(?:の時点)?(?:で|は|、)*(?:満)?何歳(?:です|になります|になる)?"
        ),
        _born,
    ),
    (
        regex(
            rf"(?P<year>{_ERA}(?:元|\d{{1,2}})年|\d{{4}}年)(?:の?生まれ)(?:の[人方])?(?:は|だと|なら|って|です|なん|が|けど|で|、)*今年(?:で|中に|は|に)*"
            r"(?:満)?(?:何歳|いくつ)(?:に?なる|に?なります|です|なの)?"
        ),
        _age_this_year,
    ),
    (regex(r"(?P<month>今月|来月|再来月)(?:は|って)、?何日まで(?:ある|あります|です)?"), _last_day),
    (
        regex(
            rf"(?P<a>{_N})を(?P<b>{_N})で割(?:って|ると|った(?:値|答え)?を?)、?(?P<to>小数第[一二三123]位まで)(?:の?答え)?"
        ),
        r"\g<a>÷\g<b>を\g<to>",
    ),
    (
        regex(
            rf"(?P<whole>\d+)(?P<c>{_COUNTED})(?:のうち|中|いて|で)、?(?P<part>\d+)(?P=c)(?:が|は)?(?P<told>欠席|出席|休み|休んで|不合格"
            rf"|合格|落ち|間違え|間違い|不正解|正解|負け|勝|失敗|成功|不良)"
            r"[^\d。、]{0,8}[。、](?P<kind>出席|欠席|合格|正解|正答|勝|成功|不良)率は(?:何%|何パーセント|いくつ|いくら)?(?:です)?"
        ),
        _rate,
    ),
    (
        regex(
            rf"(?P<long>\d+)分の?(?:授業|講義|レッスン|会議|試合|セッション|コマ)(?:が|を)?(?P<n>\d+)(?:コマ|回|つ|本|時間目)(?:あって|あり|で"
            rf"|、)*(?:間の)?(?:休み|休憩)(?:時間)?(?:は|が)?(?P<rest>\d+)分ずつ"
            rf"(?:です|あります|ある)?[。、]*(?P<clock>{_CLOCK})(?:に|から)?(?:始まったら|始まると|始まって|開始だと|開始なら|開始で|スタートだと"
            rf"|始めると)?、?(?:全部|すべて)?(?:が)?(?:終わるのは何時|何時に終わる|終了は何時)(?:になります|です|でしょう)?"
        ),
        _lessons,
    ),
    (
        regex(r"一升(?:瓶)?(?:に)?は?(?:、)?何(?P<to>ミリリットル|リットル|ml|cc)(?:入る|です|入り)?[^\d]{0,8}"),
        r"1升は何\g<to>",
    ),
    (regex(r"(?P<n>\d+)週間後の(?P<d>[月火水木金土])曜日?(?:は|って)(?:何月)?何日"), _in_weeks),
)
_END = regex(r"(?:ですか|ますか|でしょうか|かな|か|の)?[?？。 ]*$")


def japanese_forms(text: str, today: date | None) -> Iterator[str]:
    """The plain questions that the whole of ``text`` is."""
    typed = text.rstrip("?？。 ")
    for bare in dict.fromkeys((typed, typed.removesuffix("か"), _END.sub("", text))):
        for pattern, form in _FORMS:
            said = pattern.fullmatch(bare)
            made = "" if said is None else said.expand(form) if isinstance(form, str) else form(said, today)
            if made:
                yield made
