"""The one sentence that asks, in the words that its reader knows: without greetings, remarks and what people add."""

from __future__ import annotations

import re
from datetime import date

from agent.data.tables.questions.table_lexicon import MONTHS, tokens
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.rows_said import items_in
from agent.data.tables.worded.worded_columns import columns_at, yes_no_at
from agent.text.regex import regex

_NOT = regex(r"\b(is|are|was|were|have|has|had|do|does|did)n['’]?t\b", re.I)
_CONTRACTED = regex(r"\b(who|what|how|where|when|which|it|that|there)(?:['’]s|s(?= (?:the|our|my)\b))\b", re.I)
_HAVE = regex(r"\b(i|we|you|they)['’]ve\b", re.I)
_LEAD = regex(
    r"^(?:(?:and|so|ok(?:ay)?|well|hi|hello|hey|please|oh|um|now)[, ]+)*"
    r"(?:(?:can|could|would) you (?:please )?|please |i(?:'d like| would like| want| need) to know |do you know )?"
    r"(?:(?:tell|show|give)(?: me)? (?=how|what|which|who|when|where))?(?:(?:tell|give) me (?=the\b))?",
    re.I,
)
_TAIL = regex(
    r"(?:,? (?:please|pls|for me|thanks|thank you|though|by any chance|do you know|you know|again|so far|then))+$", re.I
)
_SENTENCES = regex(r"(?<=[?!.])\s+(?=\S)")
_IDLE = regex(
    r"(?:hi|hello|hey|thanks|thank you|sorry|good (?:morning|evening|afternoon))\b.*"
    r"|i(?:['’]m| am| have a| feel| was)\b.*|(?:it|that)(?:['’]s| is| was)\b.*"
    r"|(?:just|i['’]m just) (?:curious|wondering|checking).*",
    re.I,
)
_MEANT = regex(r"\b(?:not|only|except|but|without|never|mean|other|just those|n['’]t)\b", re.I)
# In a remark behind what is asked, these may say which rows are meant.
_TURNS = regex(
    _MEANT.pattern
    + r"|\b(?:must|should|shall|needs?|has to|have to|want(?! to)|prefer|like|looking|under|over|least|most|between"
    r"|which|what|how|who|whose|when|where|[a-z]{3,}est|last|next|this|since|before|after|no|nor|unless|if|also|plus|all"
    r"|today|yesterday|tomorrow|week|month|year|" + "|".join(MONTHS) + r")\b",
    re.I,
)
_REMARK = regex(
    r"(?P<asks>.+?)(?:, ?| - )(?:and |as |because |cos |so |but )?"
    r"(?P<told>(?:i|we|he|she|they|it|my|our|he['’]s|she['’]s|i['’]m|i['’]ve|we['’]re)\b.+)",
    re.I,
)
_TODAY = regex(r"(?:today is|today['’]s|it['’]?s|it is) (?P<day>[\w ]+?),? ?(?:-|,|;|and|so) ?(?P<asks>.+)", re.I)
_SAID_OTHERWISE = tuple(
    (regex(pattern, re.I), form)
    for pattern, form in (
        (
            r"(?!which|what|who|how)(.+?),? (?:which|what|who)(?:ones?)? (?:are|were|is|was) (?:they|those|these|it)",
            r"which \1",
        ),
        (r"(?:what are |give me |list |show me )?(?:the )?names of (?:all )?(?:the |our |my )?(.+)", r"which \1"),
        (r"(?:for|on|in|at|with) (how many\b.+)", r"\1"),
        (
            r"what ((?:did|do|does|have|has) .+ (?:pay|paid|spend|spent|charge|charged|bill|billed|owe|earn|cost)\b.*)",
            r"how much \1",
        ),
        (
            r"what (?!is|are|was|were|did|do|does|have|has)(.+?) (?:do|did|have|has) (?:we|i)(?: have to| got to)? "
            r"(?:collect|collected|take in|took in)(?: in all| altogether| all together| in total)",
            r"total \1",
        ),
    )
)


def asking_sentence(text: str, table: Table, today: date | None = None) -> str:
    """The one sentence that asks, without what is idle around it; "" where more is told or asked."""
    several = [one.strip() for one in _SENTENCES.split(text.strip()) if one.strip()]
    kept = [one for one in several if len(several) == 1 or not _greets(one, table)]
    if len(kept) != 1:
        return ""
    bare = re.sub(r"[\s?.!]+$", "", kept[0])
    if (dated := _TODAY.fullmatch(bare)) and today and _is_day(dated["day"], today):
        bare = dated["asks"].strip()
    if (
        (remark := _REMARK.fullmatch(bare))
        and not _TURNS.search(remark["told"])
        and _tells_of_none(remark["told"], table)
    ):
        bare = remark["asks"]
    bare = _HAVE.sub(r"\1 have", _CONTRACTED.sub(r"\1 is", _NOT.sub(r"\1 not", bare)))
    bare = _TAIL.sub("", _LEAD.sub("", bare, count=1))
    for pattern, form in _SAID_OTHERWISE:
        bare = pattern.sub(form, bare) if pattern.fullmatch(bare) else bare
    return bare


def _is_day(text: str, today: date) -> bool:
    said = tokens(text)
    days = [one.text for one in items_in(0, said, today) if one.role == "day" and one.length == len(said)]
    return f"{today}" in days or f"0-{today.month}-{today.day}" in days


def _greets(sentence: str, table: Table) -> bool:
    """Whether it only greets, or tells a feeling: no value, figure or other word of rows is in it."""
    if not _IDLE.fullmatch(re.sub(r"[\s.!]+$", "", sentence)) or "?" in sentence or _MEANT.search(sentence):
        return False
    return _tells_of_none(sentence, table)


def _tells_of_none(sentence: str, table: Table) -> bool:
    """Whether no word of it is of some rows."""
    said = tokens(sentence)
    for place, token in enumerate(said):
        if token.kind != "word" or (place and token.text[:1].isupper() and token.text not in ("I", "I'm")):
            return False
        if next(yes_no_at(place, said, table), None):
            return False
        values = (value for column in table.columns for value in (*column.values, *column.examples))
        if any(token.text.casefold() in value.casefold().split() for value in values):
            return False
        if any(one.column.kind != "number" and not one.verb for one in columns_at(place, said, table)):
            return False
    return True
