"""The merge prompt, read: history and follow-up → the standalone question, on one line."""

from __future__ import annotations

import re
from datetime import date

from agent.demo.lookups.lookup import about_person
from agent.demo.rules.followup import continues, standalone
from agent.demo.rules.plan import Question, Said
from agent.demo.rules.question_parts import read
from agent.demo.rules.table_followups import after_table, value_part
from agent.demo.rules.talk import small_talk
from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.sums.phrases import Value, language_of, plain

_INPUT = re.compile(
    r"\A(?:Conversation|会話):\n(?P<history>.*)\n\n(?:Follow-up question|続く質問): (?P<question>.*?)\n\n"
    r"(?:Standalone question|独立した質問):\s*\Z",
    re.S,
)
_TURN = re.compile(
    r"^(?:User|ユーザー): (.*?)\n(?:Assistant|アシスタント): (.*?)(?=^(?:User|ユーザー): |\Z)", re.S | re.M
)


def rewritten(prompt: str) -> str:
    """The standalone form of the prompt's follow-up; the follow-up as it is where it stands alone or nothing fits."""
    found = _INPUT.match(prompt)
    if found is None:
        return plain(prompt.rsplit("\n", 1)[-1])
    asked = " ".join(found["question"].split())
    question = Question(plain(asked), language_of(asked), date.today())
    if small_talk(question) or not (isinstance(read(question), Said) or continues(question)):
        return asked
    turns = [(before.strip(), answer.strip()) for before, answer in _TURN.findall(found["history"])]
    for before, answer in reversed(turns):
        if text := after_table(asked, answer):
            return text
        previous = Question(plain(before), language_of(before))
        if not (small_talk(previous) or _stranded(previous)):
            return (
                about_person(question, previous)
                or standalone(question, previous.text, value_in(value_part(answer)))
                or asked
            )
    return asked


_LEANS = re.compile(
    r"(?:and|so|then|but|what about|how about|plus|minus|times|divided by|in|into|as|to) "
    r"|.*\b(?:it|its|that|this)\b|それ|その|では",
    re.I,
)


def _stranded(previous: Question) -> bool:
    """A follow-up that was declined: what it leaned on is still what is talked about."""
    return _LEANS.match(previous.text) is not None and isinstance(read(previous), Said)


_FIGURE = r"(?P<figure>-?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
_ENDS = (
    re.compile(rf"\b(?:is|are|has) (?P<about>about )?{_FIGURE}(?: ?(?P<unit>[^\d“”()]+?))?\.$"),
    re.compile(rf"(?:は|で|と|すると)(?P<about>約)?{_FIGURE} ?(?P<unit>[^\d“”()]*?)です。$"),
    re.compile(rf"The search gives {_FIGURE} (?P<unit>[^:“]+): “"),
    re.compile(rf"検索結果では{_FIGURE} ?(?P<unit>[^:“]+?)です: “"),
)


def value_in(answer: str) -> Value | None:
    """The figure that an answer ends in, as the demo's own answers do; ``None`` where picking one would be guessing."""
    for pattern in _ENDS:
        if found := pattern.search(answer):
            close = bool(found.groupdict().get("about"))
            return _value(found["figure"].replace(",", ""), (found["unit"] or "").strip(), close)
    return None


def _value(figure: str, unit: str, close: bool) -> Value | None:
    if currency := re.search(r"[$€£¥]", figure):
        return None if unit else Value(figure.replace(currency[0], ""), currency[0], close)
    if unit in {"", *CURRENCIES}:
        return Value(figure, CURRENCIES.get(unit, ""), close)
    meanings = measure_of(unit)
    return Value(figure, meanings[0].name, close) if meanings else None
