"""What is said when a tool has no result, in the language of the question."""

from __future__ import annotations

import json
import re

from agent.demo.rules.plan import CALCULATOR, CONVERT, NOW, WEATHER, Call, Question

_JAPANESE = {
    CALCULATOR: (
        ("Division by zero", "0で割ることはできません。"),
        ("not a real number", "実数の範囲には答えがありません。"),
        ("no real power", "実数の範囲には答えがありません。"),
        ("logarithm needs", "対数があるのは0より大きい数だけです。"),
        ("whole number", "整数でなければ計算できません。"),
        ("0 and above", "0以上の数でなければ計算できません。"),
        ("does not exist", "答えとなる値がありません。"),
        ("too large", "数が大きすぎます。"),
        ("too close to zero", "数が小さすぎます。"),
        ("digits", "数の桁が多すぎます。"),
        ("", "計算できる式ではありませんでした。"),
    ),
    "": (
        ("internet", "インターネットに接続できませんでした。"),
        ("Nothing was found", "何も見つかりませんでした。"),
        ("run out", "検索できる回数を使い切りました。"),
        ("no more searches", "今はこれ以上検索できません。"),
        ("", "検索できませんでした。"),
    ),
}


def failed(question: Question, call: Call, seen: str) -> str:
    """The tool's own first sentence: what follows it is advice for a model."""
    sums = call.tool == CALCULATOR
    about = json.loads(call.input)["place"] if call.tool == WEATHER else call.input
    if call.tool in (NOW, CONVERT):
        said = re.split(r"(?<=[.!?])\s", seen.strip(), maxsplit=1)[0]
        return f"うまくいきませんでした: {said}" if question.language == "ja" else f"That did not work: {said}"
    if question.language == "ja":
        reasons = _JAPANESE[CALCULATOR if sums else ""]
        reason = next(japanese for english, japanese in reasons if english in seen)
        wanted = f"計算機は {call.input} を計算" if sums else f"「{about}」を調べることが"
        return f"{wanted}できませんでした: {reason}"
    reason = re.split(r"(?<=[.!?])\s", seen.strip(), maxsplit=1)[0]
    wanted = f"The calculator could not work out {call.input}" if sums else f"I could not look up “{about}”"
    return f"{wanted}: {reason}"
