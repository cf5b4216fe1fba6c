"""A Japanese question of one table in the words that its reader knows: 「安かった順に3つ」, 「どちらのお宅」."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.wordings.japanese_deeds import without_deeds
from agent.data.tables.wordings.japanese_pieces import WORDS, YES_NO, is_money_head
from agent.data.tables.wordings.japanese_states import with_states, yes_no
from agent.text.regex import regex

_MARKS = (
    (regex(r"なんぼ"), "いくら"),
    (
        regex(r"(?:どちら|どこ|どの|どこのおうち)の?(?:お宅|おうち|家庭|世帯|家)(?=[はがでの、。?？]|です|でしょ|$)"),
        "誰",
    ),
    (regex(r"(?:誰|だれ|どなた)の(?:もの|やつ)?(?=です|でしょ|で、|[?？。]|$)"), "誰"),
    (regex(r"(?<=一番)([高安長短重軽広狭遠近速遅古])かった"), r"\1い"),
    (regex(r"(?<=[多高低安長短重軽広狭遠近速遅古若早なきさし])かった(?=順|もの|の[はが])"), "い"),
    (
        regex(
            r"(?:い)?順(?:番)?(?:に|で)、?(?:並べて|ならべて|並べたとき)?、?(?:上位|トップ|ベスト|下位|上から)?(?:の)?"
            r"(?P<n>\d{1,2})(?:[一-龯]|つ)?(?:まで)?(?:の|を|だけ|並べて|、)*"
        ),
        r"い順に\g<n>件、",
    ),
    (regex(r"(?<=[0-9])(?:回|泊|日|人|名|件)?以上(?:したこと|出た|やった)(?=の)"), "以上"),
    (regex(r"(?:を|に)?(?:登録|記録|掲載)(?:され|し)(?:て(?:い)?る|て(?:い)?ます|ました|た)(?:か?[?？。]*$)"), "?"),
    (regex(r"(?:に)?なる(?:ん|の)?(?:です|でしょう|かな)?か?[?？。]*$"), "?"),
    (regex(r"(?<=[^\d日年月円時人歳点分])(?:から|へ)の(?=[一-龯ァ-ヶ])"), "の"),
    (
        regex(
            r"(?P<most>(?:一番|いちばん|最も|もっとも)[高低安長短重軽広狭遠近速遅古早大小](?:き|さ)?)く[一-龯][ぁ-ん]{1,3}[ただ](?=の|日|人|本|回)"
        ),
        r"\g<most>い",
    ),
    (regex(r"[(（]|[)）]"), ""),
    (
        regex(
            r"を(?:比べ|比較し)(?:て(?:みて)?|ると|たら|た(?:とき|場合)(?:に)?)、?(?=(?:一番|いちばん|最も|もっとも)[^、。]{1,4}(?:の|[一-龯]))"
        ),
        "が",
    ),
)
_WHO_AND_HOW_MUCH = regex(
    r"(?:が|の)(?:一番|いちばん|最も|もっとも)(?P<most>[^、。?？]{1,12}?)は(?P<who>誰|だれ|どこ|どれ|どの[一-龯]{1,4})で、?"
    r"(?:何(?P<unit>[^\d?？で]{1,2}?)|(?P<price>いくら))(?:です|でした)?か?[?？。]*$"
)
_DEAREST = regex(r"(?:一番|いちばん|最も|もっとも)お金(?:が|を|の)(?:かか|使)った")
_EMPTY = (
    r"(?:が|は|の)(?:まだ)?"
    r"(?:空い(?:て(?:い)?る|た(?:まま)?)|空(?:な(?=の))?(?=の|で|に|[?？。]|$)|から(?=の|で)|未定|決まって(?:い)?ない|わかって(?:い)?ない)(?:の)?"
)
_NOTHING = r"(?:が|は|の)(?:ない|無い|なし(?=の))(?=の|人|行|世帯|家|もの|件|日|会員)"


def in_known_words(text: str, table: Table) -> str:
    """``text`` as it is where nothing of it is said otherwise."""
    for pattern, form in _MARKS:
        text = pattern.sub(form, text)
    text = text.replace("いい順", "い順")
    money = [one for one in table.columns if is_money_head(one)]
    if len(money) == 1:
        text = _DEAREST.sub(f"{money[0].called}が一番高い", text)
    if (said := _WHO_AND_HOW_MUCH.search(text)) and _tells(said, text, table):
        text = f"{text[: said.end('who')]}?"
    text = _of_two(text, table)
    if not any(_MEMBERS.search(one) for column in table.columns for one in (column.called, *column.known)):
        text = _MEMBERS.sub("人", text)
    text = with_states(without_deeds(text, table), table)
    for column in table.columns:
        name = re.escape(column.called)
        text = re.sub(rf"{name}(?:の|が)(?:欄|セル|項目|列)(?=[がはをの])", column.called, text)
        if column.nulls:
            text = re.sub(rf"(?<={name}){_EMPTY}", "が空欄の", text)
            text = re.sub(rf"(?<={name}){_NOTHING}", "が空欄", text)
    for said, meant in (*_on_the_way(table), *_same_deeds(table), *_needed(table), *_of_columns(table)):
        text = said.sub(meant, text)
    return re.sub(r"の{2,}", "の", text)


_MEMBERS = regex(r"(?<=の)(?:メンバー|部員)(?=を|は|って|の(?:名前|一覧|氏名)|[?？。]|$)")
_OF_TWO = (
    r"(?P<a>{values})と(?P<b>{values})(?:では|で|だと|は|の)?(?:うち)?、?"
    r"(?:(?:どちら|どっち)(?:の(?:方|ほう))?(?:が|の|は)、?(?P<what>[^、。?？]{{2,12}}?)(?:が|は)?(?P<how>[多少高低]な?い)"
    r"|(?P<what_2>[^、。?？]{{2,12}}?)(?:が|は)(?P<how_2>[多少高低]な?い)(?:の|ほう|方)は(?:どちら|どっち))(?:です|でしょう)?か?[?？。]*"
)
_COUNTS = regex(r"(?:人|件|回|枚|台|冊)数")


def _of_two(text: str, table: Table) -> str:
    """「文学部と工学部、どちらが人数が多い？」 as 「学部が文学部か工学部の人数が一番多い学部は？」."""
    heads = {one.called for one in table.columns}
    for column in table.of_kind("text") if re.search("どちら|どっち", text) else ():
        values = "|".join(map(re.escape, sorted(_values(column), key=len, reverse=True))) or "(?!)"
        said = re.fullmatch(_OF_TWO.format(values=values), text)
        what = (said["what"] or said["what_2"]) if said else ""
        counts = _COUNTS.fullmatch(what) and what not in heads
        if said and said["a"] != said["b"] and (counts or re.search("平均|合計", what)):
            name, how = column.called, said["how"] or said["how_2"]
            return f"{name}が{said['a']}か{said['b']}の{'件数' if counts else what}が一番{how}{name}は?"
    return text


def _tells(said: re.Match[str], text: str, table: Table) -> bool:
    """Whether the figure that is asked for beside the row is the one that the row is picked by."""
    heads = [one for one in table.of_kind("number") if text[: said.start()].endswith(one.called)]
    return any(is_money_head(one) if said["price"] else said["unit"] in one.called for one in heads)


_FROM = regex(r"^(?:乗車|出発|発車|発送|発)(?:地|駅|元|空港|港)?$|^(?:出発|発送|移動)元$|^from$", re.I)
_TO = regex(r"^(?:行き先|行先|目的地|(?:到着|降車|着)(?:地|駅|先|空港|港)?|(?:送り|届け|移動)先)$|^to$", re.I)


def _on_the_way(table: Table) -> Iterator[tuple[re.Pattern[str], str]]:
    """「自宅から」 and 「病院行き」, where one column says where each way begins and another where it ends."""
    texts = table.of_kind("text")
    starts, ends = ([one for one in texts if named.match(one.called)] for named in (_FROM, _TO))
    if len(starts) != 1 or len(ends) != 1:
        return
    for column, link in ((starts[0], "から|発"), (ends[0], "まで|行き|ゆき|着|へ|に(?=行|着|向|帰)")):
        if values := "|".join(map(re.escape, sorted(_values(column), key=len, reverse=True))):
            yield regex(rf"(?<!が)({values})(?:{link})(?:の)?(?!以外|を?除|じゃ|では)"), rf"{column.called}が\1の"


def _same_deeds(table: Table) -> Iterator[tuple[re.Pattern[str], str]]:
    """「買った」 of a column 購入日 as 「購入した」, where no other column has days or says yes and no of it."""
    heads = [column.called for column in table.columns]
    days = table.of_kind("date")
    for noun, verbs in WORDS["same_deed"].items():
        own = [one for one in days if one.called.startswith(noun)]
        if len(own) == 1 and sum(noun in head for head in heads) == 1:
            yield regex(rf"(?:{verbs})(?:まし)?[ただ](?=[一-龯ァ-ヶーの])"), f"{noun}した"


def _needed(table: Table) -> Iterator[tuple[re.Pattern[str], str]]:
    """「冷蔵が必要な」 of a column 要冷蔵 that says yes and no, 「1970年より前に開業した」 of 開業年 in numbers."""
    for column in table.columns:
        done = re.sub(r"年$", "", column.called)
        if column.kind == "number" and len(done) > 1 and done != column.called:
            span = r"(\d{4}年)(より(?:も)?前|より(?:も)?後|以前|以降|以後|)に?"
            verb = r"(?:し|され|でき)(?:まし)?た(?:の)?(?=[一-龯ァ-ヶーは])"
            yield regex(rf"{span}{re.escape(done)}{verb}"), rf"{column.called}が\1\2の"
        stem = re.sub(r"^要|要$|必要$|の?要否$", "", column.called)
        if stem == column.called or not stem or yes_no(column, True) is None:
            continue
        name = rf"(?<!要){re.escape(stem)}(?:が|の|は|を)?"
        no = r"(?:不要(?:な|の)|必要(?:が|では|で)?な[いく](?:の)?|しなくて(?:も)?(?:いい|よい))"
        yield regex(rf"{name}(?:必要(?:な|の|とする)|要する|しなければならない)"), f"{column.called}がはいの"
        yield regex(rf"{name}{no}"), f"{column.called}がいいえの"


def _of_columns(table: Table) -> Iterator[tuple[re.Pattern[str], str]]:
    """「雨天中止」, 「森さんが担当した」 and 「担当が森さんの」 as the value alone, where the column is of texts."""
    for column in table.columns:
        if column.kind != "text" or len(column.called) < 2:
            continue
        name = re.escape(column.called)
        values = "|".join(map(re.escape, _values(column)))
        if values:
            bought = r"(?:[一-龯]{1,3}|とり)[ぁ-ん]{0,3}(?:ている|てる|た|ました)"
            yield regex(rf"({values})から{bought}の?(?=[一-龯ァ-ヶー])"), r"\1の"
            yield regex(rf"{name}(?=(?:{values})(?:の|は|が|で|を|に))"), ""
        kanji = "".join(dict.fromkeys(re.findall(r"[一-龯]", column.called)))
        verb = rf"(?:{name}(?:の|した|してる|している|する)|[{kanji or '〇'}][わっいきりけ]{{1,2}}(?:てる|ている|た))"
        yield regex(rf"(?<=さん)(?:の|が|に){verb}(?=[一-龯])"), "の"
        yield regex(rf"(?<=さん)の{name}(?=は(?:何|どれ|どの))"), ""


def _values(column: Column) -> list[str]:
    return [one for one in column.known if one not in YES_NO and not one.isascii()]
