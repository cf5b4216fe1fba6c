"""What the parts of a story are by: "18.50 a ticket", "a bus holds 52", "boxes of 12", "2 litres cost 2.38"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from agent.text.problems.story_parts import MONEY, PERCENT, STOP, WORDS, Part, Token, noun, one_of, stem
from agent.text.regex import regex

CLAUSE_START = frozenset((",", ".", ";", "?", "!", "and", "but", "if", "when", "that", "(", ":", "where", "so"))
_RELATING = frozenset(WORDS["relating"])
_ARTICLES = ("a", "an", "each", "every", "one")
_ALL = MONEY | PERCENT
_BESIDE = frozenset(("extra", "more", "spare", "loose", "single", "additional", "separate"))  # "12 extra chairs"
_NEEDING = frozenset(("recipe", "need", "needs", "takes", "uses"))  # 3 eggs for 12 muffins
_EACH_WAY = regex(r"\b(?:each|per|one) way\b")
_BOTH_WAYS = regex(
    r"\b(?:(?:an?|the|my|one) )?(?:whole )?(?:(?:round|return) (?:trip|journey|ticket|fare)|there and back|both ways)\b"
)
_OF_ONE_WAY = regex(r"\b\d+(?:\.\d+)?[ -]?(?:km|kilomet\w+|miles?|met(?:re|er)s|min(?:ute)?s?|hours?)\b")
_ASKS_THEN = regex(r"[.;?]|\b(?:how|what)\b")
# Each way is another one, or not all of the way.
_OTHERWISE_BACK = regex(r"\b(?:lift|stop|stay|but|break|home by|other way)\b|(?<!there and )\bback\b")
_DAILY = regex(
    r"\b(?:an?|per|each|every) day\b|\bdays? (?:an?|per|each|every) (?:week|month|year)\b"
    r"|\b(?:over|in|for|on) \d+ days\b"
)


def as_legs(text: str) -> str:
    """ "23 km each way, 5 days a week" as 23 km a leg, 2 legs a day; "12 km. How far there and back?" as 2 legs."""
    if not _EACH_WAY.search(text):
        lengths, both = list(_OF_ONE_WAY.finditer(text)), _BOTH_WAYS.search(text)
        if len(lengths) != 1 or both is None or both[0].endswith(("ticket", "fare")) or _OTHERWISE_BACK.search(text):
            return text
        if not _ASKS_THEN.search(text, lengths[0].end(), both.start()):
            return text
        text = f"{text[: lengths[0].end()]} each way{text[lengths[0].end() :]}"
    daily = ", 2 legs a day, " if _DAILY.search(text) else ""
    both = _BOTH_WAYS.sub(" " if daily else "2 legs", text)
    return _EACH_WAY.sub("a leg" + (daily or " "), both, count=1)


@dataclass(frozen=True, slots=True)
class _Place:
    """A part among the tokens ``told`` before it: the ``words`` since its clause or the part ``before`` began, the
    ``last`` part of all, and the ``counts``, which are of things and by nothing. ``counted`` are those of the text, and
    ``repeated`` the words that it has twice.
    """

    part: Part
    told: Sequence[Token]
    words: Sequence[str]
    before: Part | None
    last: Part | None
    counts: Sequence[Part]
    counted: frozenset[str]
    repeated: frozenset[str]


def with_rates(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, where each part has what it is by; a part that another one is by is no longer among them."""
    told: list[Token] = []
    things = (one for one in tokens if isinstance(one, Part) and not one.measure and one.names.isdisjoint(_ALL))
    counted = frozenset[str]().union(*(one.names for one in things))
    words = Counter(name for token in tokens for name in ([stem(token)] if isinstance(token, str) else token.names))
    repeated = frozenset(name for name, times in words.items() if times > 1 or name == "@money")
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if isinstance(token, Part) and not token.by:
            at = _placed(token, told, counted, repeated)
            token, used = _by_what_follows(at, tokens, place)
            place += used
            if not token.by and not used and _priced_for(at):
                told, token = _turned(told, at), None
            else:
                token = token if token.by or used else _by_what_is_before(at)
                told = [one for one in told if one is not token.by]
        if token is not None:
            told.append(token)
        place += 1
    return told


def _placed(part: Part, told: Sequence[Token], counted: frozenset[str], repeated: frozenset[str]) -> _Place:
    words: list[str] = []
    for token in reversed(told):
        if not isinstance(token, str) or token in CLAUSE_START:
            break
        words.insert(0, token)
    skipped = 0
    if len(words) > 2 and words[0] == "of":  # litres of milk cost
        words, skipped = words[2:], 2
    at = len(told) - len(words) - skipped - 1
    before = told[at] if at >= 0 else None
    parts = [one for one in told if isinstance(one, Part)]
    counts = [one for one in parts if not one.by and one.names.isdisjoint(_ALL)]
    near, last = before if isinstance(before, Part) else None, parts[-1] if parts else None
    return _Place(part, told, words, near, last, counts, counted, repeated)


def _by_what_follows(at: _Place, tokens: Sequence[Token], place: int) -> tuple[Part, int]:
    """The part with what the words behind it say that it is by, and how many tokens they are."""
    part = at.part
    after = [token if isinstance(token, str) else "" for token in tokens[place + 1 : place + 5]] + [""] * 4
    behind = tokens[place + 2] if place + 2 < len(tokens) else None
    if after[0] in ("per", "every", "/") and isinstance(behind, Part):
        return replace(part, by=behind), 2
    if part.names == MONEY and after[0] == "for" and stem(after[1]) != after[1] and stem(after[1]) in at.counted:
        return replace(part, by=one_of(after[1])), 2  # "$18 for adults", of whom some are counted
    skip = 1 if after[0] == "for" and after[1] in _ARTICLES else 0
    if after[skip] in ("per", "/", *_ARTICLES[:-1]) and after[skip + 1] and (by := one_of(after[skip + 1])):
        also = one_of(after[skip + 3]) if after[skip + 2] in ("per", "/", "a", "and per") and after[skip + 3] else None
        sure = "per" if after[skip] == "per" else ""  # not "a worker takes 6 hours"
        return replace(part, by=replace(by, by=also, role=sure)), skip + (4 if also else 2)
    if after[0] in ("each", "apiece") or after[:2] in (["a", "piece"], ["per", "piece"]):
        near = [one for one in at.counts if one.names != part.names or not one.names]
        if at.last and at.last.by:  # "at 2.50 each" after "2 coffees a day", not after "3 packs of 6 cans"
            near = [at.last] if at.last.by.measure else []
        by = replace(near[-1], amount=Fraction(1), by=None) if near else None
        return (replace(part, by=by), 1) if by else (replace(part, role="?"), 1)
    return part, 0


def _priced_for(at: _Place) -> bool:
    """ "20 euros for 4 kg" and "20 pages in 30 minutes" are by what comes second."""
    before = at.before
    if before and not before.by and list(at.words) in (["in"], ["in", "every"]) and at.part.measure and not at.part.by:
        return (
            at.part.measure.kind in ("time", "month")
            and before.names.isdisjoint(PERCENT)
            and before.names != at.part.names
        )
    if before is None or before.by or list(at.words) != ["for"] or not at.part.names or at.part.names <= _ALL:
        return False
    priced = any(word in WORDS["priced"] for word in at.told if isinstance(word, str))
    weighed = before.measure is not None and before.measure.kind in ("mass", "volume")  # 200 g for 8 muffins
    return before.names == MONEY or weighed or (not before.names and priced)


def _turned(told: Sequence[Token], at: _Place) -> list[Token]:
    return [
        replace(one, by=at.part, names=one.names or MONEY) if one is at.before and isinstance(one, Part) else one
        for one in told
    ]


def _often(at: _Place) -> Part | None:
    found = [word for word in at.words[-4:] if word in WORDS["often"]]
    return one_of(WORDS["often"][found[0]]) if found else None


def _beside(at: _Place) -> Part | None:
    """ "3 pizzas at 9.50", "5 boxes with 8 bottles", "2 litres cost 2.38", "20 pages in 30 minutes"."""
    before, part, words = at.before, at.part, list(at.words)
    if before is None or not before.names.isdisjoint(PERCENT):
        return None
    money = part.names <= MONEY
    if before.by:  # "3 coffees a day at 2.80"
        timed = before.by.measure and before.names.isdisjoint(MONEY) and not before.measure
        return replace(before, amount=Fraction(1), by=None) if timed and money and words in (["at"], ["@"]) else None
    if words in (["at"], ["@"], ["at", "only"]) and money and before.names.isdisjoint(MONEY):
        return replace(before, amount=Fraction(1))
    if (
        words in (["of"], ["with"], ["containing"])
        and not before.measure
        and before.names
        and before.names.isdisjoint(MONEY)
    ):
        return replace(before, amount=Fraction(1))
    relating = len(words) == 1 and words[0] in _RELATING and before.names.isdisjoint(MONEY)
    made = words == ["for"] and part.names and not _NEEDING.isdisjoint(token for token in at.told if token in _NEEDING)
    return before if relating and before.names != part.names and (part.measure or money or made) else None


def _conjoined(at: _Place) -> Part | None:
    """ "Each needs 3 books and 2 pencils", "a pack has 12 pens and costs 6"."""
    last, part = at.last, at.part
    if last is None or last.by is None or last.sentence != part.sentence or not at.told:
        return None
    by, words = last.by, list(at.words)
    if by.measure or by.amount != 1 or part.names == last.names or part.names & (by.names | _BESIDE):
        return None
    if at.told[-1] == "and" and not words and part.names and by.names & at.counted and part.names.isdisjoint(_ALL):
        return by
    return by if len(words) == 1 and words[0] in _RELATING | {"holds", "has", "hold"} else None


def _subject(at: _Place) -> Part | None:
    """ "A bus holds 52", "each box has 6", "a drink 3", "the packs are 500 g", "adults 12"."""
    part, words = at.part, [word for word in at.words if word not in ("only", "just", "about")]
    while words[:1] in (["and"], ["then"], ["but"], ["if"]):
        words.pop(0)
    money = part.names <= MONEY
    if words[:1] == ["each"] and at.counts and (len(words) == 1 or (len(words) == 2 and words[1] in STOP)):
        return replace(at.counts[-1], amount=Fraction(1))
    if len(words) > 1 and words[0] in _ARTICLES and (words[1] not in STOP or len(words) == 2):
        last = words[-1]
        if len(words) == 2:  # "a drink 3"
            return _thing(words[1:]) if money and at.last and at.last.by and at.last.names <= MONEY else None
        if last in ("of", "for", "with", "in", "by", "on", "to") or (last in ("at", "is") and not money):
            return None
        thing = _thing([word for word in words[1:-1] if word not in STOP])
        alone = last in ("has", "had", "sold") and thing and (thing.names | MONEY).isdisjoint(at.repeated)
        return None if alone else thing  # "a cinema has 18 rows of 22 seats": of one cinema
    if words and words[0] in ("the", "my", "our"):
        words = words[1:]
    verb = len(words) == 2 and words[1] in _RELATING | {"have", "hold", "seat", "fit", "take"}
    if (
        words
        and words[0] not in STOP
        and stem(words[0]) != words[0]
        and (verb or (len(words) == 1 and money and stem(words[0]) in at.counted))
    ):
        return one_of(words[0])
    return None


def _thing(names: Sequence[str]) -> Part | None:
    if not names:
        return None
    measured = one_of(names[0])
    if measured and measured.measure:
        return measured
    return Part(Fraction(1), noun(" " + " ".join(names), 0)[0] or frozenset({stem(names[0])}))


def _container(at: _Place) -> Part | None:
    """ "Come in boxes of 12", "pieces of 35 cm"."""
    words = at.words
    if len(words) < 2 or words[-1] != "of" or words[-2] in STOP or not at.part.names.isdisjoint(MONEY):
        return None
    return Part(Fraction(1), frozenset({stem(words[-2])})) if stem(words[-2]) != words[-2] else None


_RULES: tuple[Callable[[_Place], Part | None], ...] = (_often, _beside, _conjoined, _subject, _container)


def _by_what_is_before(at: _Place) -> Part:
    by = next((found for rule in _RULES if (found := rule(at))), None)
    return replace(at.part, by=by) if by else at.part
