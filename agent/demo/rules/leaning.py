"""Whether a follow-up seems to need what was said before, by the words of the languages that the demo model reads."""

from __future__ import annotations

import re

from agent.text.greetings import SMALL_TALK

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
    r"|それ|これ|あれ|その|この|あの|そこ|ここ|あそこ|彼|同じ|さっき|前の|上の|もう一度|^(?:小数|四捨五入|整数)|さらに|では|じゃあ|結果|答え|始め(?:たら|ると|れば)[^。\d]*終"
    r"|它|他|她|那|这|同样|上面|刚才|呢",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<=[?!。？！])\s*(?=\S)|(?<=\.)\s+(?=\S)")
_ORDER = re.compile(r"^\W*(?:add|subtract|multiply|divide|raise|square|cube|halve|round|take)\b\D*[\d.,/]*\D*$", re.I)
_QUANTITY = re.compile(r"^\W*[\d.,]+\s*[a-z°]{0,12}\s*\??$", re.I)
_NAMED = re.compile(r"^\W*(?:define|describe|explain|translate|calculate|compute|search|find)\s+\S", re.I)
_FEW_WORDS = 2
_MOST_ORDER_WORDS = 4
_FEW_CHARACTERS = 8


def leans(question: str) -> bool:
    """Whether a question seems to need its history: a pronoun, an ellipsis, a comparison, a fragment.

    Only the first sentence counts: what later ones lean on, it says.
    """
    if SMALL_TALK.match(question):
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
