"""The words around a question: politeness, "what is", 「は？」. What is left is read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agent.demo.rules.plan import Language

_LEAD = re.compile(
    r"(?:(?:hey|hi|hello|ok|okay|so|please|now|well)\b[,!]? )*"
    r"(?:(?:can|could|would|will) (?:you|i) (?:please )?)?(?:please )?"
    r"(?:(?:do you know|i (?:want|need|would like)(?: to know)?|i'd like to know|help me|tell me|give me|show me|"
    r"let me know)"
    r"(?: please)? )?"
    r"(?:(?:calculate|compute|evaluate|work out|find out|find|solve|get) )?"
    r"(?:what(?:'s|s| is| are| was| were| would be| will be)?(?: (?:the result of|the value of|do you get (?:if|"
    r"when) you))? "
    r"|how much (?:is|are|was|would be) )?"
    r"(?:the (?:result|value) of )?",
    re.I,
)
_DOES = re.compile(r"(?:what|how much) (?:do|does) (.+?) (?:equal|make|come to|give)", re.I)
_END = re.compile(
    r"(?:[ ,]*(?:\?|\.(?!\d)|=|please|thanks|thank you|for me|right now|is equal to|equals?(?: to)?)){1,5}$", re.I
)
_BARE_IS = re.compile(r" (?:is|are)$", re.I)
_JAPANESE_END = re.compile(
    r"(?:、?(?:\?|。|=|は|を|の値|の答え|いくつ|いくら|何|なに|ですか|でしょうか|になりますか|になる|なりますか|"
    r"です|だ|か"
    r"|(?:計算|変換|換算)?して(?:ください|くれますか|ほしい|下さい)?|計算すると|求めて(?:ください|下さい)?|"
    r"教えて(?:ください|下さい)?|知りたい)){1,6}$"
)


def core(text: str, language: Language) -> str:
    """The question without what makes it polite or a question; ``text`` is ``plain``."""
    if language == "ja":
        return _JAPANESE_END.sub("", text.strip()).strip()
    if does := _DOES.fullmatch(re.sub(r"[ ?.]+$", "", text)):
        return does[1]
    text = _END.sub("", text).strip()
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return _BARE_IS.sub("", rest) if lead and lead[0].lower().endswith("what ") else rest


def matches(patterns: Iterable[str], text: str) -> Iterator[dict[str, str]]:
    """The named groups of each pattern that fits the whole of ``text``, in any case; "" for a group left out."""
    for pattern in patterns:
        if match := re.fullmatch(pattern, text, re.I):
            yield match.groupdict("")
