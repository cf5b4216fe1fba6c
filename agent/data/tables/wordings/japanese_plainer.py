"""A Japanese question of one table in the words that its reader knows: 「安かった順に3つ並べて」, 「どちらのお宅」, 「寄付金の欄」."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.wordings.japanese_pieces import YES_NO
from agent.data.tables.wordings.japanese_states import with_states
from agent.text.regex import regex

_MARKS = (
    (regex(r"なんぼ"), "いくら"),
    (regex(r"(?:どちら|どこ|どの|どこのおうち)の?(?:お宅|おうち|家庭|世帯|家)(?=[はがでの、。?？]|です|でしょ|$)"), "誰"),
    (regex(r"(?:誰|だれ|どなた)の(?=です|でしょ|[?？。]|$)"), "誰"),
    (regex(r"(?<=[多高低安長短重軽広狭遠近速遅古若早])かった(?=順|もの|の[はが])"), "い"),
    (regex(r"(?<=少な)かった(?=順|もの|の[はが])"), "い"),
    (regex(r"(?:い)?順(?:番)?(?:に|で)、?(?:上位|トップ|ベスト|下位|上から)?(?P<n>\d{1,2})(?:つ|件|位|個)?(?:まで)?(?:の|を|だけ|並べて|、)*"), r"い順に\g<n>件、"),
    (regex(r"(?<=[0-9])(?:回|泊|日|人|名|件)?以上(?:したこと|出た|やった)(?=の)"), "以上"),
    (regex(r"(?:を|に)?(?:登録|記録|掲載)(?:され|し)(?:て(?:い)?る|て(?:い)?ます|ました|た)(?:か?[?？。]*$)"), "?"),
    (regex(r"(?:に)?なる(?:ん|の)?(?:です|でしょう|かな)?か?[?？。]*$"), "?"),
    (regex(r"[(（]|[)）]"), ""),
)
_ORDERED = regex(r"(?<=[多高低安長短重軽広狭遠近速遅古若早大小新少])(?:き|さ|し|な)?い順")
_EMPTY = r"(?:が|は|の)(?:まだ)?(?:空い(?:て(?:い)?る|た(?:まま)?)|空(?=の|で|に|[?？。]|$)|から(?=の|で)|未定|決まって(?:い)?ない|わかって(?:い)?ない)(?:の)?"
_NOTHING = r"(?:が|は|の)(?:ない|無い|なし(?=の))(?=の|人|行|世帯|家|もの|件|日|会員)"


def in_known_words(text: str, table: Table) -> str:
    """``text`` as it is where nothing of it is said otherwise."""
    for pattern, form in _MARKS:
        text = pattern.sub(form, text)
    text = text.replace("いい順", "い順")
    text = with_states(text, table)
    for column in table.columns:
        name = re.escape(column.called)
        text = re.sub(rf"{name}(?:の|が)(?:欄|セル|項目|列)(?=[がはをの])", column.called, text)
        if column.nulls:
            text = re.sub(rf"(?<={name}){_EMPTY}", "が空欄の", text)
            text = re.sub(rf"(?<={name}){_NOTHING}", "が空欄", text)
    for said, meant in _of_columns(table):
        text = said.sub(meant, text)
    return re.sub(r"の{2,}", "の", text)


def _of_columns(table: Table) -> Iterator[tuple[re.Pattern[str], str]]:
    """「雨天中止」, 「森さんが担当した」 and 「担当が森さんの」 as the value alone, where the column is of texts."""
    for column in table.columns:
        if column.kind != "text" or len(column.called) < 2:
            continue
        name = re.escape(column.called)
        values = "|".join(map(re.escape, _values(column)))
        if values:
            yield regex(rf"{name}(?=(?:{values})(?:の|は|が|で|を|に))"), ""
        yield regex(rf"(?<=さん)(?:の|が|に){name}(?:の|した|してる|している|する)(?=[一-龯])"), "の"


def _values(column: Column) -> list[str]:
    return [one for one in column.known if one not in YES_NO and not one.isascii()]
