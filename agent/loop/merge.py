"""A follow-up and its history become one standalone question, where the follow-up needs that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from agent.errors import ModelFailed
from agent.events import Merged
from agent.interface_text import Text
from agent.messages import Message, Usage, estimate_tokens
from agent.models.protocol import Model, Request
from agent.prompts import NOTHING_OWN, render

HISTORY_TOKENS = 2_000
_ANSWER_CHARACTERS = 1_200
_LONGEST_FOLLOW_UP = 400
_MOST_QUESTION_CHARACTERS = 1_000

_POINTING = (
    r"(?<!\band )its|it's|these|those|they|them|their|theirs|he|him|his|she|her|hers|same|again|instead|too|also|"
    r"former|latter|previous|above|earlier|another|double|triple|half|twice|"
    r"(?<!time is )it(?! rain| snow| cold| hot| warm| sunny| true| possible| legal| safe| worth)|"
    r"(?<!is )(?<!are )(?<!were )(?<!was )there|"
    r"that(?!\s+(?:is|are|was|were|has|have|had|can|will|would)\b)|"
    r"this(?!\s+(?:year|month|week|weekend|century|morning|afternoon|evening|spring|summer|autumn|winter)\b)|"
    r"(?:the|that) (?:result|answer|value|number|first|second|last|other|one)|else|why not|how so|what if"
)
_FIRST_WORDS = r"and|or|but|so|then|now|plus|minus|times|divided|rounded|what about|how about|why|more|less|continue"
_FRAGMENT_WORDS = (
    r"(?:in|as|for|with|without|only|by|to|from|until)\b(?!\s+(?:what|which|how|whom|whose))(?:\s+\S+){0,4}$"
)
_LEANS = re.compile(
    rf"\b(?:{_POINTING})\b|^\W*(?:{_FIRST_WORDS})\b|^\W*{_FRAGMENT_WORDS}"
    r"|それ|これ|あれ|その|この|あの|そこ|ここ|あそこ|彼|同じ|さっき|前の|上の|もう一度|さらに|では|じゃあ|結果|答え"
    r"|它|他|她|那|这|同样|上面|刚才|呢",
    re.I,
)
_SMALL_TALK = re.compile(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|thx|ok|okay|great|bye|good (?:morning|evening|night)|help|"
    r"こんにちは|ありがとう|どうも|おはよう|こんばんは|さようなら|你好|谢谢)"
    r"(?:\s+(?:there|you|a lot|so much|very much))?\W*$",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<=[?!。？！])\s*(?=\S)|(?<=\.)\s+(?=\S)")
_ORDER = re.compile(r"^\W*(?:add|subtract|multiply|divide|raise|square|cube|halve|round|take)\b\D*[\d.,/]*\D*$", re.I)
_QUANTITY = re.compile(r"^\W*[\d.,]+\s*[a-z°]{0,12}\s*\??$", re.I)
_NAMED = re.compile(r"^\W*(?:define|describe|explain|translate|calculate|compute|search|find)\s+\S", re.I)
_FEW_WORDS = 2
_MOST_ORDER_WORDS = 4
_FEW_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange: the question as it was understood, and its answer ("" where there was none)."""

    question: str
    answer: str


def leans(question: str) -> bool:
    """Whether a question seems to need its history: a pronoun, an ellipsis, a comparison, a fragment.

    Only the first sentence counts: what later ones lean on, it says.
    """
    if _SMALL_TALK.match(question):
        return False
    first = _SENTENCE_END.split(question.strip(), maxsplit=1)[0]
    if _LEANS.search(first):
        return True
    words = question.split()
    if _QUANTITY.match(question) or (len(words) <= _MOST_ORDER_WORDS and _ORDER.match(question)):
        return True
    if question.isascii() or len(words) > 1:
        return (
            len(words) <= _FEW_WORDS
            and not _NAMED.match(question)
            and not any(character.isdigit() for character in question)
        )
    return len(question) <= _FEW_CHARACTERS


def merge(
    question: str, history: Sequence[Turn], model: Model, language: str, own: Mapping[str, str] = NOTHING_OWN
) -> Merged | None:
    """Ask ``model`` for the standalone form of ``question``; ``None`` where the question stands alone.

    A question of several lines, or a long one, is left alone: it says enough, and rewriting could lose some of it.

    ``own`` templates are as in ``render``. Raises nothing for a failing model: the question is then kept as typed and
    ``Merged.error`` says why.
    """
    if not history or "\n" in question.strip() or len(question) > _LONGEST_FOLLOW_UP or not leans(question):
        return None
    messages = (
        Message("system", render(language, "merge", own)),
        Message("user", render(language, "merge_input", history=_told(history, language), question=question)),
    )
    started = monotonic()
    parts: list[str] = []
    usage: Usage | None = None
    left_out: tuple[str, ...] = ()
    error = ""
    try:
        for delta in model.stream(Request(messages, purpose="merge")):
            parts.append(delta.text)
            usage = delta.usage or usage
            left_out = delta.left_out or left_out
    except ModelFailed as failure:
        error = failure.text
    reply = "".join(parts)
    standalone = "" if error else _question_in(reply)
    if not (standalone or error):
        error = Text("The model gave no standalone question.")
    if usage is None:
        usage = Usage(sum(estimate_tokens(m.content) for m in messages), 0, estimate_tokens(reply), 0, True)
    seconds = monotonic() - started
    return Merged(standalone or question, messages, reply, usage, seconds, error=error, left_out=left_out)


def _told(history: Sequence[Turn], language: str) -> str:
    """The latest turns that fit the budget, oldest first."""
    user, assistant = ("ユーザー", "アシスタント") if language == "ja" else ("User", "Assistant")
    told: list[str] = []
    left = HISTORY_TOKENS
    for turn in reversed(history):
        answer = turn.answer if len(turn.answer) <= _ANSWER_CHARACTERS else turn.answer[:_ANSWER_CHARACTERS] + " …"
        lines = f"{user}: {turn.question}\n{assistant}: {answer or '(no answer)'}"
        left -= estimate_tokens(lines)
        if told and left < 0:
            break
        told.append(lines)
    return "\n".join(reversed(told))


_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_PREFACE = re.compile(
    r"^\W*(?:standalone question|follow-?up question|question|独立した質問|質問)\W*[:：][*_\s]*", re.I
)

_WRAPPED = re.compile(r"^(?:(\*\*|[*`_\"])(.*)\1|[“「](.*)[”」])$")


def _question_in(reply: str) -> str:
    """The first line that says something, without label, quotes or emphasis; "" where that can be no question."""
    text = _THINKING.sub("", reply)
    lines = [line for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        said = _WRAPPED.sub(r"\2\3", _PREFACE.sub("", line).strip()).strip()
        announced = said.endswith((":", "：")) and number + 1 < len(lines)
        if said and not announced:
            return said if len(said) <= _MOST_QUESTION_CHARACTERS else ""
    return ""
