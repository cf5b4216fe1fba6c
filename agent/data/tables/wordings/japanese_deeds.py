"""What was done in each row anyway, in a verb of any inflection: it says nothing of which rows are meant.

「採れた」 and 「収穫しました」 of a table of harvests; 「キャンセルした」 stays, as does what is of some rows.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent.data.tables.questions.table_schema import Table
from agent.data.tables.wordings.japanese_states import states_of
from agent.text.regex import regex

_ANY_ROW = "行来使売買採取働泊借走飲食読作乗"  # verbs of what tables are kept of
_NO_DEED = "年月日時会人者数金円名品物方分回件"
_OKURIGANA = r"(?:[わっんいきりけしみちえせれめべげばまか]|られ|され)"
_INFLECTED = r"(?:(?:まし)?[ただ](?:の(?:です|は(?=[?？。]|$)))?|[てで](?:い)?(?:る|た|ます|ました)|ます)"
_COUNTED = r"何(?:[件回人名泊日冊]|時間|キロ|グラム|リットル|ページ|kg|km)"
_KANJI = regex(r"[一-龯]+")
_MOST = r"(?P<most>(?:一番|いちばん|最も|もっとも|最)(?:[多高低安長短重軽広狭遠近速遅古早]|少な|大き|小さ|新し))"
_BEHIND = r"(?=の|日|月|人|方|[一-龯ァ-ヶ]|[はが?？。]|$)"
_HARVEST = regex(r"収穫|作物|採|漁|釣")  # what is 採れた there is とれた, too
_END = r"(?:(?:の|ん)?(?:です|でしょう)?か?な?(?=[?？。]*$)|(?=[、。]))"


@lru_cache(maxsize=32)
def _deed(table: Table) -> tuple[str, str]:
    """The nouns of what is done in each row, and any verb of it, as patterns."""
    heads = [re.sub(r"[(（].*", "", one.called) for one in table.columns]
    runs = [run for head in (table.name, *heads) for run in _KANJI.findall(head)]
    nouns = {run[:2] for run in runs if len(run) > 1 and not states_of(run[0], table) and run[1] not in _NO_DEED}
    nouns |= {head[:-1] for head in heads if re.fullmatch(r"[一-龯]{2,}[者先]", head)}
    kanji = {run[0] for run in runs if len(run) > 1}.union(_ANY_ROW).difference(_NO_DEED)
    kanji = {one for one in kanji if not states_of(one, table)}
    of_noun = "|".join(sorted(map(re.escape, nouns), key=len, reverse=True)) or "〇"
    of_kanji = rf"[{''.join(sorted(kanji))}]{_OKURIGANA}{{1,3}}"
    of_kanji += r"|とれ|とり|とっ" if any(map(_HARVEST.search, (table.name, *heads))) else ""
    return of_noun, rf"(?:(?:{of_noun})(?:[をがに]|へ)?(?:し|され|でき|行っ|行き)|{of_kanji}){_INFLECTED}"


@lru_cache(maxsize=32)
def _forms(table: Table) -> tuple[tuple[re.Pattern[str], str], ...]:
    nouns, act = _deed(table)
    deed = rf"(?:{act}|(?:あっ|あり|し){_INFLECTED})"
    idle = r"(?:済ん|つい|なっ|かかっ)[ただ]"
    return (
        (regex(rf"{_MOST}く(?:{deed}|{idle}){_BEHIND}"), r"\g<most>い"),
        (regex(rf"(何[一-龯])ずつ(?:{deed}|ある|いる|ありますか)?(?=[?？。]|$)"), r"\1"),
        (
            regex(
                rf"(?<=以上|以下|未満)が?(?:{deed}|ある|いる|かかった|になった|だった)(?:の(?=[はが])|(?=[一-龯ァ-ヶ]))"
            ),
            "の",
        ),
        (regex(rf"[をが]?{act}(?:の|人|方)は(?=誰|だれ|どなた|何(?!回|件))"), "は"),
        (
            regex(rf"({_COUNTED})(?:を|も)?(?![売買飲食]){deed}{_END}"),
            r"\1",
        ),
        (regex(rf"(誰|だれ|どなた)の(?:{nouns})(?=です|でしょ|[?？。]|$)"), r"\1"),
        (regex(r"(?<=[しっ])たこと(?:の|が)?ある"), "た"),
    )


def without_deeds(text: str, table: Table) -> str:
    """「一番多く採れたのは」 as 「一番多いのは」, 「何回修理しましたか」 as 「何回」."""
    for pattern, form in _forms(table):
        text = pattern.sub(form, text)
    return text
