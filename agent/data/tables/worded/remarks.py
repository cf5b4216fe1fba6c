"""What people tell around a question of a table without asking anything by it: "my knees are bad.", "(gulp)"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, Token, tokens, words
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.worded_columns import columns_at, yes_no_at
from agent.text.regex import regex

_SENTENCES = regex(r"(?<=[?!.])\s+(?=\S)|\s*\n\s*")
_GREETS = regex(
    r"(?:hi|hiya|hello|hey|thanks|thank you|sorry|good (?:morning|evening|afternoon))\b(?P<more>.*)"
    r"|(?:just|i['’]m just) (?:curious|wondering|checking).*",
    re.I,
)
# In a remark, these may say which rows are meant, or ask for something.
_TURNS = regex(
    r"\b(?:not|only|except|but|without|never|mean|meant|other|just those|\w*n['’]t"
    r"|(?:ca|do|wo|is|are|did|does|has|have)nt"
    r"|must|should|shall|has to|have to|needs?|want(?! to)|prefer|like|looking|under|over|least|most|between"
    r"|which|what|how|who|whose|when|where|[a-z]{3,}est|last|next|(?<!but )this(?! is\b)|since|before|after|no|nor"
    r"|unless|if|also|plus|all|both|each|every|same|hundred|thousand|dozen|half|twice"
    r"|once|today|yesterday|tomorrow|week|month|year|" + "|".join(MONTHS) + r")\b",
    re.I,
)
_ORDERS = regex(
    r"(?:please )?(?:exclude|leave|use|count|round|sort|ignore|take|make|give|show|list|compare|add|convert"
    r"|assume|skip"
    r"|treat|include|say|name|names|find|tell|total|average|top|from|for|in|on|at|by|with|and|or|so|then|date"
    r"|amount)\b",
    re.I,
)
_FORM = regex(
    r"(?:just |only )?(?:the |their )?names?(?: only| pls| plz| please)?"
    r"|(?:pls|plz|please|asap|lol|haha|thanks|thank you|ta|cheers|gulp)+",
    re.I,
)
_TAIL = regex(
    r"(?:,? (?:please|pls|plz|for me|thanks|thank you|ta|cheers|though|by any chance|do you know|you know|again"
    r"|so far"
    r"|then|- list(?: them)?|asap|lol|haha|names (?:only|please|pls)|(?:just|only) (?:the |their )?names))+$",
    re.I,
)
_SHORT = 3  # words of an end
_ENDS = regex(r"(?:in|to|for|on|at|from|with)\b", re.I)
_ORDERS_MORE = regex(
    r"(?:exclude|leave|use|count|round|sort|ignore|skip|only|just|not|no|but|except|without|i|we|he|she|it)\b", re.I
)
_OPINION = regex(r"(?:i['’]?d |i )?(?:bet|guess|reckon|suppose|hope|think|imagine)\b", re.I)
# What one is at, and why one asks: no rows are meant by it, unless something is left out or bounded.
_MY_WORK = regex(
    r"(?:so )?(?:i['’]?m|i am|we['’]?re|we are) (?:just |still )?(?:(?:trying|hoping) to "
    r"(?:work|find|figure) out|trying to (?:see|understand)|wondering|curious) (?:why|how come|how)\b",
    re.I,
)
_PICKS = regex(
    r"\b(?:not|only|except|but|without|mean|meant|other|under|over|between|since|before|after|last|next|this|unless|if"
    r"|also|plus|each|every|half|today|yesterday|tomorrow|week|month|year|" + "|".join(MONTHS) + r")\b",
    re.I,
)
_LITTLE = frozenset(("the", "a", "an", "of", "and", "in", "at", "on", "to", "for", "my", "our"))
_BRACKETS = regex(r"\s*\((?P<inside>[^()]*)\)(?![^“”]*”)")
_BEHIND = regex(
    r"(?P<asks>.+?)(?:, ?| - )(?:and |as |because |cos |so |but )?"
    r"(?P<told>(?:i|we|he|she|they|it|my|our|he['’]s|she['’]s|i['’]m|i['’]ve|we['’]re)\b.+)",
    re.I,
)
_SOON = regex(r"\b(?:today|tomorrow|next week)\b", re.I)
_BEFORE = regex(
    r"(?P<told>.+?)(?:,? and (?:i |we )?(?:was |am |were )?wonder(?:ed|ing)?(?: if you know)?,?|,| -|\.\.+|:|;| so) "
    r"(?P<asks>(?:how (?:many|much|long|far|old)|what|which|who|whose|when|where)\b.+)",
    re.I,
)


def without_remarks(text: str, table: Table) -> str:
    """The one sentence that asks; "" where there are several, or where a remark may say which rows are meant."""
    text = re.sub(r"\bi\.e\b\.?,?", "ie", text, flags=re.I)
    text = _BRACKETS.sub(lambda found: "" if _remark(found["inside"], "", table) else found[0], text.strip())
    several = [one.strip() for one in _SENTENCES.split(text) if one.strip()]
    kept = list(several)
    for one in several if len(several) > 1 else ():
        rest = " ".join(other for other in kept if other is not one)
        if len(kept) > 1 and rest and "?" not in one and _remark(one, rest, table):
            kept = [other for other in kept if other is not one]
    if len(kept) == 2 and "?" not in kept[1] and len(kept[1].split()) <= _SHORT and not _ORDERS_MORE.match(kept[1]):
        kept = [re.sub(r"[\s?.!]+$", "", kept[0]) + (", " if _ENDS.match(kept[1]) else ": ") + kept[1]]  # "? in pounds"
    if len(kept) != 1:
        return ""
    bare = re.sub(r"[\s?.!]+$", "", kept[0])
    for pattern in (_BEHIND, _BEFORE):
        found = pattern.fullmatch(bare)
        told = _SOON.sub("", found["told"]) if found and re.search(r"\bwonder", bare, re.I) else found and found["told"]
        if found and told and _remark(told, found["asks"] if pattern is _BEFORE else "", table):
            bare = found["asks"]
    return _TAIL.sub("", bare)


def _remark(told: str, asks: str, table: Table) -> bool:
    """Whether ``told`` says nothing of which rows are meant that ``asks`` does not say itself."""
    told = re.sub(r"^(?:and|as|because|cos|so|but) |[\s.!?]+$", "", told.strip(), flags=re.I)
    if _FORM.fullmatch(told):
        return True
    greeting = _GREETS.fullmatch(told)
    if greeting and greeting["more"]:
        told = greeting["more"].strip(" ,")
    of_oneself = bool(_OPINION.match(told))
    if (my_work := _MY_WORK.match(told)) and not _PICKS.search(told):
        told, of_oneself = told[my_work.end() :], True
    if (_TURNS.search(told) and not of_oneself) or _ORDERS.match(told) or re.search(r"[\d%£$€=<>]", told):
        return False
    said = tokens(told)
    again = {token.word for token in tokens(asks)}
    return not any(tells_rows(place, said, table) and token.word not in again for place, token in enumerate(said))


def tells_rows(place: int, said: Sequence[Token], table: Table) -> bool:
    """Whether the word there is of some rows."""
    token = said[place]
    if token.kind == "mark":
        return False
    named = place > 0 and token.text[:1].isupper() and token.text not in ("I", "I'm", "I've")
    if token.kind != "word" or named or NUMBERS.get(token.word, 0) > 1 or next(yes_no_at(place, said, table), None):
        return True
    if token.word in _LITTLE:
        return False
    values = (value for column in table.columns for value in column.known)
    if any(token.word in words(value) or token.text.casefold() in value.casefold().split() for value in values):
        return True
    return any(one.column.kind != "number" and not one.verb for one in columns_at(place, said, table))
