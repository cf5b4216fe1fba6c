"""Whether the day that is asked for lies a length of time before or after the one told: what begins, and what ends."""

from __future__ import annotations

from typing import Literal

from agent.text.regex import regex

Way = Literal["before", "after", ""]

# In lower case, with § for the day and @ for the length.
_TURNED = regex(
    r"\b(?:not|never|unless|except|cancell?ed|breaks?|pauses?|pausing|interrupt\w*|another|extra|twice|every|each|per"
    r"|costs?|late|delayed|instead|or)\b|n['’]t\b"
)
_AFTER = regex(r"@ +(?:later|after(?:wards)?|from (?:then|that)|on)\b")
_BEFORE = regex(
    r"@ +(?:before(?:hand)?|earlier|prior|ahead|in advance|ago|(?:of |days )?notice\b|(?:still|left|remaining))\b"
)
_BEGINS = regex(
    r"\b(?:begin|begins|beginning|began|begun|start|starts|started|open|opens|opened|leave|leaves|left|set off"
    r"|check(?:ed)? in|fly(?! back)|flew(?! back)|depart\w*|borrow\w*"
    r"|took|take(?= (?:an?|the|it|out)\b)|(?:rent|hire)(?:ed)?(?= (?:an?|the|it|some)\b)|rented|hired|bought|buy"
    r"|order(?:ed)?|sign(?:ed)?|plant(?:ed)?"
    r"|sent|send|posted|issued|from)\b"
)
_ENDS = regex(
    r"\b(?:end|ends|ended|ending|finish\w*|over|back|return\w*|due|expires?|expired|check(?:ed)? out|arrives?|arrived"
    r"|until|till|close[sd]?|runs? out|lands?|landed|ready|delivered|come|comes|home)\b"
)
_BACK = regex(
    r"\b(?:before|beforehand|ago|earlier|prior|back(?! in\b)|minus"
    r"|notice|in advance|ahead"
    r"|(?:still|left|remaining) on it)\b",
)
# What comes back, or is put back, goes no way in time: "they have to go back three weeks from today".
_MOVED_BACK = regex(
    r"(?:\b(?:put|push(?:ed)?|moved?|send|sent|takes?|taken|took|giv(?:en?|es|ing)|gave|br(?:ing|ings|inging|ought)"
    r"|hand(?:s|ed|ing)?|pays?|paid|paying|be|been|being|am|is|are|was|were|com(?:es?|ing)|came|gets?|got|getting|have"
    r"|needs?|needed|wants?|wanted|due|expect(?:ed|s)?|fly|flies|flying|drives?|driving|goes|must go|should go"
    r"|(?:have|has|had|needs?|needed|got|due|supposed|meant|ought) to go)|['’](?:m|re|s))"
    r"(?: (?:it|them|that|this|something|things|him|her|me|us|you|(?:the|my|our|his|her|their) [a-z]+))? back\b"
)
_ON = regex(r"\b(?:after|from|later|in|within|plus|add|since|hence|and)\b")
_CLAUSES = regex(r"[.;!?,]+(?=\s|$)|\b(?:and|which|that|but)\b")


# "Which weekday was the moon landing, 20 July 1969?": a name beside the day, and no other day reckoned from it.
WEEKDAY_OF = regex(
    r"(?:on )?(?:what|which) (?:weekday|day of the week) (?:was|is|did|does|will|do)"
    r"(?!.*\b(?:after|before|later|earlier|next|last|first|second|third|eve|not|or|and)\b)"
    r" [^§@\d?]{3,60}?(?:,| on| \()? ?§\)?(?: (?:be|fall|fall on|happen|take place))?\W*"
)


def way_of(told: str, asking: str) -> Way:
    """The way from the day to the one that the clause ``asking`` asks for; "" where none is sure."""
    if _TURNED.search(told):
        return ""
    if _AFTER.search(told) or _BEFORE.search(told):
        return "after" if _AFTER.search(told) else "before"
    anchor = next((clause for clause in _CLAUSES.split(told) if clause and "§" in clause), "")
    begins, ends = (kind.search(anchor) is not None for kind in (_BEGINS, _ENDS))
    to_begin, to_end = (kind.search(asking) is not None for kind in (_BEGINS, _ENDS))
    if (begins and to_begin) or (ends and to_end):
        return ""  # it begins on that day, and is asked when it begins
    if begins != ends and to_begin != to_end:
        return "after" if begins else "before"
    return "before" if _BACK.search(_MOVED_BACK.sub("", told)) else "after" if _ON.search(told) else ""
