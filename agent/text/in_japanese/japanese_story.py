"""A Japanese story of quantities, read into the same parts as an English one: 「1個160円のパンを4個買うといくら？」.

A counter is what a thing is counted in, so that 個 and 人 are things of their own. What a quantity is by stands before
it (1個160円, 1日に30ページ, 時給1180円) or behind it (24本入りの箱), what becomes of it behind it (食べて, 引き).
``told_words.toml`` has these words, and those that no story may have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from agent.text.in_japanese.japanese_parts import PATTERNS, Mention, measure_named, mentions, plainer
from agent.text.problems.story import Story
from agent.text.problems.story_parts import MONEY, PERCENT, Part, one_of
from agent.text.problems.story_sums import sums_of_story
from agent.text.problems.story_totals import StorySum
from agent.text.regex import regex

_LONGEST = 300  # characters
_MOST_PARTS = 7
_PEOPLE = frozenset({"人"})
_CLAUSE_END = regex(r"、|。|？|\?|！|!|(?<=[うくぐすつぬぶむる])と|[ただ]ら|れば|なら|には|ので|とき|だと|場合")
_SENTENCE = regex(r"[。？?！!]")
_CONTENT = regex(r"[一-龯々]+|[ァ-ヶー]{2,}")
_NOUN = regex(r"([一-龯々]+|[ァ-ヶー]+|[ぁ-ん]{1,5}?[^てでたりしいく\W\d])(?:が|を|は|も|に|の)?$")
_WANTED = regex(r"(?:何|なん)(?P<unit>[a-zA-Z]+|[一-龯]+間|[ァ-ヶー]+|か月|ヶ月|[一-龯])")
_LISTED = regex(r"(?:の[^、。]{1,12})?(?:と|や|、)")
_DONE = regex(r"(?:何(?:[一-龯]|[ァ-ヶー]+)|いくら)[をも]?([一-龯])[^。]{0,4}(?:た|ました)")  # 何冊貸した
_WAYS = ("change", "left", "total", "more")


@dataclass(frozen=True, slots=True)
class Told:
    """A text cut in two: the quantities that it tells, and the words that ask, by ``each`` of something or ""."""

    text: str
    found: tuple[Mention, ...]
    tails: tuple[str, ...]
    asked: str
    each: str = ""


def japanese_sum(text: str) -> StorySum | None:
    """The sum that answers the story which ``text``, the whole of it, tells; ``None`` where it is not surely read."""
    story = _story(text)
    found = sums_of_story(story) if story else {}
    if len(found) != 1 or story is None or story.wanted is None:
        return None
    ((value, result),) = found.items()
    names = story.wanted.names
    if result.unit or story.wanted.measure or names == MONEY:
        return result
    if value.denominator != 1 and not result.expression.startswith(("ceil", "floor")):
        return None  # 1.33 of what is counted in whole ones
    return result if story.wanted.by and story.wanted.by.measure else replace(result, unit=next(iter(names)))


def told(text: str, named: bool = True) -> Told | None:
    """``text`` cut before the words that ask; ``None`` where it asks nothing, or has a figure behind them.

    ``named``: only where all that is asked for by name was told of.
    """
    text = plainer(text)
    if len(text) > _LONGEST or PATTERNS["refused"]["words"].search(text):
        return None
    each = PATTERNS["asked"]["each"].search(text)
    text = text.replace(each[0], "、", 1) if each else text
    found = mentions(text)
    what = list(PATTERNS["asked"]["what"].finditer(text))
    if not found or not what or len(found) > _MOST_PARTS or found[-1].end > what[-1].start():
        return None
    ends = [end.end() for end in _CLAUSE_END.finditer(text, found[-1].end, what[-1].start())]
    start = ends[-1] if ends else found[-1].end
    tails = tuple(_tail(text, found, place, ends[-1] if ends else what[-1].start()) for place in range(len(found)))
    asked = text[start:]
    if named and not is_told(asked, text[:start]):
        return None
    return Told(text, tuple(found), tails, asked, each["counter"] if each else "")


def _tail(text: str, found: Sequence[Mention], place: int, start: int) -> str:
    """The words behind a quantity, up to the next one or the end of its sentence."""
    end = found[place + 1].start if place + 1 < len(found) else start
    return _SENTENCE.split(text[found[place].end : end], maxsplit=1)[0]


def is_told(asked: str, before: str) -> bool:
    """Whether all that is asked for by name was told of: not 「出席したのは何人？」 of those who are ill.

    大人の服 tells of no 大人.
    """
    bare = PATTERNS["free"]["words"].sub(" ", asked)
    return all(re.search(rf"{word}(?!の(?!うち|中|方|\d)[一-龯ァ-ヶ])", before) for word in _CONTENT.findall(bare))


def _story(text: str) -> Story | None:
    cut = told(text) if not PATTERNS["refused"]["others"].search(plainer(text)) else None
    wanted = _wanted(cut) if cut else None
    if cut is None or wanted is None:
        return None
    way = next((way for way in _WAYS if PATTERNS["asked"][way].search(cut.asked)), "")
    if not way.startswith(("total", "more")) and _of_several_things(cut.found):
        return None
    done = _DONE.search(cut.asked) if not way else None
    parts = _with_rates(cut, wanted)
    roles = _roles(cut, parts, wanted, way)
    rests = any(PATTERNS["roles"]["less_before"].search(mention.before) for mention in cut.found)
    if done and done[1] in cut.text[: -len(cut.asked)] and not rests:
        return None  # that was told
    if (way in ("left", "change") and {"", "paid"}.isdisjoint(roles)) or parts[0].names == PERCENT:
        return None  # 「3割引で7000円」 tells what is left after it
    kept = [
        replace(part, role=role)
        for part, role, source in zip(parts, roles, _rate_sources(cut, parts), strict=True)
        if not source
    ]
    share = any(one.before == "の" and part.names == PERCENT for one, part in zip(cut.found, parts, strict=True))
    rounded = next((way for way in ("up", "down") if PATTERNS["asked"][way].search(cut.asked)), "")
    return Story(tuple(_counts_first(kept)), wanted, way, rounded, _in_english(cut, wanted), share)


def _in_english(cut: Told, wanted: Part) -> str:
    """The words that ask as the totals of a story know them."""
    cues = (("spend", PATTERNS["asked"]["spent"]), ("discount", PATTERNS["asked"]["off"]))
    said = [word for word, pattern in cues if pattern.search(cut.asked)]
    return " ".join(["how much", *(["each"] if wanted.by else []), *said])


def _of_several_things(found: Sequence[Mention]) -> bool:
    """Whether two things are counted in the same, so that 「何個？」 may be of either."""
    things: dict[frozenset[str], set[str]] = {}
    for mention in found:
        noun = _NOUN.search(PATTERNS["idle"]["words"].sub("", _SENTENCE.split(mention.before)[-1]))
        if noun and mention.part.names != MONEY and not mention.part.measure:
            things.setdefault(mention.part.names, set()).add(noun[1])
    return any(len(nouns) > 1 for nouns in things.values())


def _wanted(cut: Told) -> Part | None:
    """What the words that ask are for, and by what."""
    by = _counted_in(cut.each, cut.text) if cut.each else None
    often = next((unit for unit, pattern in PATTERNS["often"].items() if pattern.search(cut.asked)), "")
    by = by or (one_of(often) if often else None)
    if PATTERNS["asked"]["speed"].search(cut.asked):
        by = one_of("hours")
    if unit := _WANTED.search(cut.asked):
        if unit["unit"] == "円":
            return Part(Fraction(1), MONEY, by=by)
        made = _counted_in(unit["unit"], cut.text)
        return replace(made, by=by) if made else None
    if PATTERNS["asked"]["money"].search(cut.asked):
        return Part(Fraction(1), MONEY, by=by)
    return Part(Fraction(1), frozenset({"個"}), by=by) if "いくつ" in cut.asked else None


def _counted_in(name: str, text: str) -> Part | None:
    """One of a unit or of what is counted in ``name``."""
    if measure := measure_named(name, text):
        return Part(Fraction(1), frozenset({f"@{measure.kind}"}), measure.name, measure)
    return Part(Fraction(1), frozenset({name}))


def _with_rates(cut: Told, wanted: Part) -> list[Part]:
    """Each quantity with what it is by, where that is counted anywhere else."""
    rates = [_rate(cut, place, wanted) for place in range(len(cut.found))]
    parts: list[Part] = []
    for place, mention in enumerate(cut.found):
        by = rates[place]
        others = [other.part.names for index, other in enumerate(cut.found) if index not in (place, place - 1)]
        others += [
            wanted.names,
            *([wanted.by.names] if wanted.by else []),
            *(one.names for i, one in enumerate(rates) if one and i != place),
        ]
        known = by and (by.names in others or (place and cut.found[place - 1].part.amount != 1) or by.measure)
        parts.append(replace(mention.part, by=by if known else None))
    return parts


def _rate(cut: Told, place: int, wanted: Part) -> Part | None:
    """What the quantity at ``place`` is by."""
    this, tail = cut.found[place], cut.tails[place]
    for unit, pattern in PATTERNS["rates"].items():
        if pattern.search(this.before):
            return one_of(unit)
    if _is_source(cut, place - 1):
        return cut.found[place - 1].part
    if PATTERNS["between"]["holding"].match(tail) or PATTERNS["between"]["apiece"].match(tail):
        return _holder(cut, place, wanted)
    following = cut.found[place + 1] if place + 1 < len(cut.found) else None
    if following and this.part.names == MONEY and PATTERNS["between"]["each"].fullmatch(following.before):
        counts = not following.part.measure and following.part.names.isdisjoint(MONEY | PERCENT | _PEOPLE)
        return replace(following.part, amount=Fraction(1)) if counts and not _is_source(cut, place + 1) else None
    return None


def _is_source(cut: Told, place: int) -> bool:
    """Whether the quantity at ``place`` is what the next one is by: 1冊380円, 5個で300円."""
    if not 0 <= place < len(cut.found) - 1:
        return False
    this, following, between = cut.found[place], cut.found[place + 1], PATTERNS["between"]
    names = this.part.names
    if {MONEY, PERCENT} & {names} or following.part.names == PERCENT or _alike(this.part, following.part):
        return bool(names == MONEY and this.part.amount == 1 and this.part.unit != following.part.unit)
    if this.part.amount == 1 and between["by_one"].fullmatch(following.before):
        return True
    if _is_source(cut, place - 1) or between["apiece"].match(cut.tails[place + 1]):
        return False
    if any(one.search(this.before) for one in PATTERNS["rates"].values()):
        return False
    many = names != _PEOPLE and between["by_many"].fullmatch(following.before)
    many = many or (this.part.measure and following.part.names == MONEY and not following.before)
    return bool(many or between["recipe"].fullmatch(following.before))


def _alike(one: Part, other: Part) -> bool:
    """Whether neither can be by the other: both count the same thing, in the same unit or the smaller one first."""
    if one.names != other.names:
        return False
    return not (one.measure and other.measure) or one.measure.size <= other.measure.size


def _holder(cut: Told, place: int, wanted: Part) -> Part | None:
    """What 24本入り or 3個ずつ is by: the one other thing that is counted in its sentence, or what is asked for."""
    this = cut.found[place].part
    others = {
        one.part.names
        for one in cut.found
        if one.part.sentence == this.sentence
        and one.part.names not in (this.names, MONEY, PERCENT)
        and not one.part.measure
    }
    if len(others) == 1:
        return Part(Fraction(1), next(iter(others)))
    unsure = others or wanted.names in (this.names, MONEY) or wanted.measure
    return None if unsure else replace(wanted, by=None)


def _rate_sources(cut: Told, parts: Sequence[Part]) -> list[bool]:
    """Which quantities only say what the next one is by, or that there is one of what nothing else counts."""
    return [
        _is_source(cut, place) and part.by is None and (part.amount == 1 or parts[place + 1].by is not None)
        for place, part in enumerate(parts)
    ]


def _counts_first(parts: Sequence[Part]) -> list[Part]:
    """With each rate behind the number that it is of, as 「120円の切手5枚」 has it the other way round."""
    ordered = list(parts)
    for place in range(len(ordered) - 1):
        rate, count = ordered[place], ordered[place + 1]
        if rate.by and not rate.by.measure and not count.by and count.names == rate.by.names:
            ordered[place : place + 2] = [count, rate]
    return ordered


def _roles(cut: Told, parts: Sequence[Part], wanted: Part, way: str) -> list[str]:
    """What is done with each quantity; one without a verb of its own has that of the next one of its kind."""
    roles: list[str] = []
    for place in range(len(parts) - 1, -1, -1):
        mention, tail = cut.found[place], cut.tails[place]
        role = _role(mention, tail, way)
        if wanted.by and parts[place].names == wanted.by.names and not parts[place].by and not parts[place].measure:
            role = "among"
        following = parts[place + 1] if place + 1 < len(parts) else None
        if not role and following and roles[-1] in ("less", "more") and _goes_on(parts[place], following, tail):
            role = roles[-1]
        roles.append(role)
    return roles[::-1]


def _goes_on(part: Part, following: Part, tail: str) -> bool:
    """Whether the verb behind the next quantity is that of this one, too: りんご3個とみかん2個を食べた."""
    return part.names == following.names and part.sentence == following.sentence and _LISTED.fullmatch(tail) is not None


def _role(mention: Mention, tail: str, way: str) -> str:
    """What the words around the quantity do to it, "?" where they do two things."""
    said, names = PATTERNS["roles"], mention.part.names
    off = bool(said["off"].search(tail) or said["off_before"].search(mention.before))
    if names == PERCENT:
        on = bool(said["on"].search(tail) or said["on_before"].search(mention.before))
        share = mention.before == "の" and said["of_share"].match(tail)
        return "?" if on and off else "off" if off else "on" if on else "" if share else "?"
    if names == MONEY and (tail.startswith("札") or (way == "change" and said["paid"].search(tail))):
        return "paid"
    less = (off and names == MONEY) or said["less"].search(tail) or said["less_before"].search(mention.before)
    less = less or (way in ("left", "change") and names == MONEY and said["bought"].search(tail))
    more = said["more"].search(tail) or said["more_before"].search(mention.before)
    return "?" if less and more else "less" if less else "more" if more else ""
