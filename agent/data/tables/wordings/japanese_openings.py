"""A Japanese question without what is said before it, of what it is or who asked, and how it is to be rounded."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.questions.table_schema import Table
from agent.text.regex import regex

_POLITE = (
    r"疲れ|世話|いつも|ありがと|恐れ入|恐縮|忙しい|失礼|申し訳"
    r"|すみません|すいません|こんにち|こんばん|おはよ|はじめまして|初めて"
)
_GREETING = regex(rf"(?:[^、。!！\d]{{0,8}}?(?:{_POLITE})[^、。!！\d]{{0,12}}[、。!！]+\s*)+")
_ASKED_BY = regex(
    r"[^、。\d]{1,10}(?:に|から)(?:聞か|訊か|尋ね|言わ|頼ま|問い合わ)[ぁ-ん]{1,6}?"
    r"(?:(?:の|ん)(?:です|だ)(?:が|けど|けれど|けれども)|まし(?:て|た(?:が|ので|けど))|て|ので|けど)[、。]\s*"
)
_TOPIC = regex(
    r"(?P<of>[^、。?？]{1,16}?)(?:の(?:分|件|こと|ところ)|に(?:ついて|関して))(?:なの|なん|の|ん)?"
    r"(?:です|だ)(?:が|けど|けれど|けれども)[、。]\s*"
)
_ROUNDED = regex(
    r"[。、\s]*(?:円未満|小数(?:点)?以下|端数)(?:は|を|が)?(?:切り?捨て|切り?上げ|四捨五入)[^\d、。]{0,16}[。]*$"
)


def without_opening(text: str, table: Table) -> str:
    """「お疲れさまです。岡本さんの分なんですが、交通費の合計は？」 as 「岡本さんの交通費の合計は？」."""
    for opening in (_GREETING, _ASKED_BY):
        said = opening.match(text)
        if said and not _names_any(said[0], table):
            text = text[said.end() :]
    topic = _TOPIC.match(text)
    if topic and _names_any(topic["of"], table):
        text = f"{topic['of']}の{text[topic.end() :]}"
    return text


def _names_any(said: str, table: Table) -> bool:
    """Whether a value or a head of the table is in it, so that it may pick rows."""
    return any(one in said for column in table.columns for one in (column.called, *column.known) if len(one) > 1)


def rounded(text: str) -> tuple[str, bool]:
    """``text`` without 「円未満は四捨五入で」, and whether that was said; no other way to round is known."""
    said = _ROUNDED.search(text)
    return (text[: said.start()], True) if said else (text, False)


_HONORIFIC = regex(r"(?<=[一-龯々ァ-ヶー])さん(?=[のはがと])")


def without_honorific(text: str, tables: Sequence[Table]) -> str:
    """A question of 「青木さんの残業」 as of 「青木」, where rows are called so and a figure is named.

    「大阪さん」 is not who comes from there, and 「上田さんの合計」 may be of any figure.
    """
    columns = [column for table in tables for column in table.columns]
    if any("さん" in value for column in columns for value in column.known):
        return text
    names = {value for table in tables for one in table.of_kind("text")[:1] for value in one.known}
    named = any(f"{name}さん" in text for name in names)
    figure = any(column.kind == "number" and column.called in text for column in columns)
    return _HONORIFIC.sub("", text) if "さんと" in text or (named and figure) else text
