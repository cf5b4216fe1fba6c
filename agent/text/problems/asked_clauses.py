"""A message as its sentences and clauses: what it tells, and what it asks in one or more questions."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.text.regex import regex
from agent.text.sums.phrases import Language

_SENTENCES = regex(r"(?<=[?。;])\s*(?=\S)|(?<=[\w)!])\. (?=[A-Za-z])|(?<=[a-z0-9)])[!;] (?=[A-Z])|。")
# A clause that asks, where another one stands before it.
_ASKS = regex(
    r"(?:^|[?.;,!:] |\band )(?:and )?(?:how (?:many|much|long|far|old|tall|often|big|heavy|fast)|by how (?:much|many)"
    r"|what(?:'s|(?: [a-z]+)? (?:is|are|was|were|does|do|did|will|would)| time| date)"
    r"|(?:(?:in|on|at|from) (?:which|what)|which)(?: [a-z]+)? (?:is|has|are|was|have|had|does|did)"
    r"|which (?:one |ones )?of (?:them|these|those)|who (?:does|did|do) (?:it|they|he|she|that)"
    r"|(?:when|where) (?:is|was|did|does|will)"
    r"|who (?:is|has|was|are|[a-z]+ (?:first|last|(?:the )?(?:most|least)))(?! \d))\b",
    re.I,
)
_NOUN = regex(
    r"\b(?P<how>which|how many|how much) (?P<noun>(?!(?:is|are|has|have|had|was|were|does|do)\b)[a-z]+)\b", re.I
)
_NO_NOUN = regex(r"(?P<how>which|how many|how much)(?= (?:is|are|has|have|was|does|did)\b)", re.I)
# Of what the question before it asks for.
OF_THE_FIRST = regex(
    r"(?:(?:in|on|at|from) )?(?:which|what|who|how (?:many|much|old|long|tall|heavy)|when|where)\b.*"
    r"\b(?:it|its|he|she|his|her|they|their|them|those|these)\b|"
    r"how many (?:do|are|have|is|has|does|did|were)(?: not|n['’]t)",
    re.I,
)
_FIRST_ASKS = regex(r"(?:who|which|what|how|when|where|list|show|name)\b", re.I)
_WITH_IT = regex(r"how (?:many|much|long|old)[ ?.!]*", re.I)  # told with what is the most


def sentences(text: str) -> list[str]:
    return [piece.strip() for piece in _SENTENCES.split(text) if piece and piece.strip()]


def told_and_asked(text: str, language: Language, of_rows: bool = False) -> tuple[str, list[str]]:
    """What a message tells, and its questions; ``of_rows``: there is a table that they may be of."""
    if language == "ja":
        from agent.text.in_japanese.two_questions import two_questions  # no English question waits for it

        twice = two_questions(text) if of_rows else []
        return "", twice or [piece for piece in sentences(text) if piece[-1:] in "?？"]
    starts = [found.start() for found in _ASKS.finditer(text)]
    ends = pairwise([0, *starts, len(text)])
    told, *asked = [
        re.sub(r"^[?.;,!: ]*(?:and )?|[,;: ]+$|,? and$", "", text[start:end], flags=re.I) for start, end in ends
    ]
    if of_rows and asked and ";" not in text and _FIRST_ASKS.match(told):
        told, asked = "", [told, *asked]
    return told, [text for text in asked if not _WITH_IT.fullmatch(text)]


def with_noun(text: str, first: str) -> str:
    """A question with what it leaves out, as the first one says it: "how many has Jupiter" after "how many moons"."""
    noun, bare = _NOUN.search(first), _NO_NOUN.match(text)
    if noun is None or bare is None or (bare["how"].lower() != noun["how"].lower() != "how many"):
        return text
    called = noun["noun"].removesuffix("s") if bare["how"].lower() == "which" else noun["noun"]
    return f"{bare[0]} {called}{text[bare.end() :]}"
