"""A follow-up to an answer about a table → a question that stands alone: the one before as read, ";", what is new.

The prompt that asks for it holds no schema, so nothing is looked up here: the answer before says how its question was
read, in words that are read again the same way, and the reader puts what follows a ";" over what stood before.
"""

from __future__ import annotations

import re

_READ = re.compile(r"^(?:I read this as|読み方): (?P<reading>.+)$", re.M)
_LEAD = re.compile(
    r"(?:(?:(?:and|so|then|now|ok|okay|but|great|thanks|please|also)\b|では|じゃあ|それでは)[,、.]? ?)+", re.I
)
_ENDS = re.compile(r"[ ?.!？。]+$")
_NARROWS = re.compile(
    r"(?:only|just|for|in|from|during|since|after|before|until|without|except|excluding|not|where|with|between|of|"
    r"over|under|above|below|more than|less than|at least|at most|but not|this|last)\b",
    re.I,
)
_REGROUPS = re.compile(
    r"(?:by|per|for each|each|every|grouped|split|broken|monthly|yearly|weekly|daily|over time)\b", re.I
)
_MEASURES = re.compile(
    r"(?:(?:the|what is the|what's the|what was the|give me the|show me the|show the|show) )?(?:average|mean|median|"
    r"total|sum|count|number|highest|lowest|largest|smallest|maximum|minimum|max|min|how many|how much|top|bottom|"
    r"most|least|fewest)\b",
    re.I,
)
_DRAWS = re.compile(
    r"(?:.*\b(?:chart|plot|graph|draw|visuali[sz]e|pie|histogram|bars)\b.*|(?:show|draw) (?:it|that|this) as .*)", re.I
)
_SWAPS = re.compile(r"(?:what|how) about (?:the )?(?:(?:for|in|by|of) )?", re.I)
_JAPANESE = re.compile(
    r".*(?:別|ごと|だけ|のみ|以外|グラフ|合計|平均|件数|最大|最小|最高|最低|は|なら|の場合|年|月|上位\d+.*|下位\d+.*)$"
)
_MOST_WORDS = 14


def after_table(question: str, answer: str) -> str | None:
    """``None`` where the answer is of no table, or the follow-up is of another thing."""
    read = _READ.search(answer)
    if read is None:
        return None
    text = _ENDS.sub("", question)
    bare = _LEAD.sub("", text, count=1)
    leads = bare != text
    if not bare or len(bare.split()) > _MOST_WORDS or re.search(r"[;；]", bare):
        return None
    swapped = _SWAPS.match(bare)
    shapes = (_NARROWS, _REGROUPS, _MEASURES, _DRAWS)
    fits = swapped or any(shape.match(bare) for shape in shapes) or _JAPANESE.fullmatch(bare) or leads
    if not fits or _asks_anew(bare):
        return None
    added = bare[swapped.end() :] if swapped and not _by(swapped[0]) else bare
    if swapped and _by(swapped[0]):
        added = f"by {bare[swapped.end() :]}"
    also = "also " if re.match(r"(?:and )?also\b", text, re.I) and _REGROUPS.match(bare) else ""
    return f"{read['reading'].rstrip()}; {also}{added}" if added else None


def _by(lead: str) -> bool:
    return lead.lower().rstrip().endswith(" by")


def _asks_anew(text: str) -> bool:
    """A whole question of its own, not about figures."""
    return (
        re.match(
            r"(?:who|when|where|why|is|are|does|do|did|can|convert|define|tell me about|half|double|"
            r"twice|triple|plus|minus|times|divided|multiplied|multiply|divide|subtract|add|round|the square|\d+%)\b",
            text,
            re.I,
        )
        is not None
    )


def value_part(answer: str) -> str:
    """The answer without how its question was read: what a sum can go on from."""
    read = _READ.search(answer)
    return answer[: read.start()].rstrip() if read else answer
