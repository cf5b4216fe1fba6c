"""Words that say which way a change goes, in the languages that the check reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.text.regex import regex

_UP = regex(
    r"\b(?:ros[et]|ris(?:e|es|en|ing)|increas\w*|grew|grow(?:s|n|ing|th)?|gained|climb\w*|"
    r"(?<!make )(?<!makes )(?<!made )(?<!making )up|jump\w*|surg\w*|"  # no "make up 25%"
    r"higher|expand\w*|advanc\w*|stieg\w*|gestiegen|zunahme|zugenommen|wuchs|augment\w*|hausse|"
    r"widen\w*|accelerat\w*|doubled|tripled|zulegte\w*|zugelegt|legten?|aument\w*|subi[óo]|crec\w*)\b|増加|増え|上昇|増収|増益|上回|伸び"
)
_DOWN = regex(
    r"\b(?:fell|fall(?:s|en|ing)?|decreas\w*|declin\w*|drop\w*|lower|down|shrank|shr[iu]nk\w*|reduc\w*|"
    r"slid|slip(?:s|ped|ping)?|contract(?:ed|ion)|slow(?:s|ed|ing)?|narrow(?:s|ed|ing)|halved|plung\w*|dipp?\w*|sank|lost|sinkt?|sank|gesunken|abnahme|"
    r"abgenommen|fiel|r[üu]ckgang|diminu\w*|baiss\w*|recul\w*|disminu\w*|baj[óo]|cay[óo]|"
    r"verlor\w*|verlier\w*|büßt\w*|einbu[ßs]\w*|schrumpf\w*|sanken|perdu\w*|perdi\w*)\b|減少|減っ|低下|下落|減収|減益|下回"
)
# Verbs alone: "the percentage increase fell" goes down.
_ROSE = regex(r"\b(?:rose|risen|grew|grown|increased|climbed|jumped|surged|gained|stieg|wuchs|subió|creció)\b")
_FELL = regex(r"\b(?:fell|fallen|decreased|declined|dropped|shrank|plunged|sank|lost|fiel|bajó|cayó)\b")
# What is below nought, or less than something, without a change.
_BELOW = regex(
    r"\b(?:loss|negative|deficit|minus|below|under|colder|verlust|perte|déficit|pérdida|perdita|prejuízo|"
    r"(?:fewer|less|weniger|menos|in meno|(?:de|en) moins)\b)"
    r"|マイナス|赤字|氷点下|零下|损失|亏损|적자|손실|少な"
)
# What compares two values without saying that one became the other.
_APART = regex(
    r"\b(?:more|less|fewer|greater|larger|smaller|bigger|above|ahead|behind|mehr|weniger|höher|niedriger|größer|kleiner|"
    r"plus|moins|más|menos|più|meno|mais|improv\w*|worsen\w*|deteriorat\w*|better|worse)\b|多い|少ない|高い|低い|改善|悪化"
)
_MORE = regex(r"[0-9)%a-z][*_]* (?:(?P<more>more|mehr|de plus|más)|less|fewer|weniger|de moins|menos)[ *_.]*$")
_NOT = regex(r"\b(?:not|no|nor|never|without|n't)\b[^.;]{0,20}$|increase or decrease|increase/decrease|増減")
_CONTRAST = (
    r"\b(?:but|while|whereas|although|though|despite|aber|während|obwohl|trotz|hingegen|mais|tandis que|alors que|"
    r"malgré|pero|mientras|aunque|mentre|enquanto)\b"
)
_PARTS = regex(rf"[;:。；()（）]|,(?![0-9])|{_CONTRAST}")
_BEHIND_CONTRAST = regex(rf"{_CONTRAST}$")
_ASIDE = regex(rf"{_CONTRAST}[^,;.]*(?:,(?![0-9])|$)")  # what is said of something else: "While the others fell,"
_HIGHER = regex(r"\b(?:higher|lower|above|below|höher|niedriger)\b")
_THAN = regex(r"\b(?:than|against|compared|versus|vs|from|als|gegenüber)\b")
_YEAR = regex(r"\b(?:1[5-9]|20|21)[0-9]{2}\b(?![.,]?[0-9])")
_PLUS = regex(r"\+[ ]?[$€£¥]?$|\+[ ]?(?=[0-9])")


def direction(said: str, at: int) -> int:
    """1 where the clause around place ``at``, or else the text up to it, speaks of a rise, -1 of a fall, else 0."""
    if _NOT.search(said):
        return 0
    start, stop = _clause(said, at)
    if (
        (way := _way(said[start:stop]))
        or (way := _by_how_much(said, at, stop))
        or _BEHIND_CONTRAST.search(said, 0, start) is not None
    ):
        return way
    return _way(_ASIDE.sub(" ", said[:start]) + said[start:stop])


def _by_how_much(said: str, at: int, stop: int) -> int:
    """1 for "£905 more", -1 for "£905 less" at the end of a clause, 0 for neither."""
    more = _MORE.search(said, at, stop)
    return 0 if more is None else 1 if more["more"] else -1


def is_compared(said: str, at: int) -> bool:
    """Whether the text up to the end of the clause around a place says that a value rose, fell, or is more or less."""
    _, stop = _clause(said, at)
    return direction(said, at) != 0 or _APART.search(said[:stop]) is not None


def tells_apart(text: str) -> bool:
    """Whether a text in lower case says that a value rose or fell, or is more or less than another."""
    return any(words.search(text) is not None for words in (_UP, _DOWN, _APART))


def is_below(text: str) -> bool:
    """Whether a text in lower case says that a value is below nought or has fallen."""
    return _BELOW.search(text) is not None or _DOWN.search(text) is not None


def _clause(said: str, at: int) -> tuple[int, int]:
    start = max((match.end() for match in _PARTS.finditer(said, 0, at)), default=0)
    return start, next((match.start() for match in _PARTS.finditer(said, at)), len(said))


def _way(text: str) -> int:
    """1 for a rise, -1 for a fall, 0 for neither; where both are said, what the verbs say."""
    up, down = _UP.search(text) is not None, _DOWN.search(text) is not None
    return (_ROSE.search(text) is not None) - (_FELL.search(text) is not None) if up and down else up - down


_FROM_TO = regex(r"\bfrom (?:about |around |some )?[$€£¥]?$")
_OF_RANKS = regex(r"\b(?:rank|place|position|number|no\.|chart|seed|spot)")
_VERB = 60  # characters before "from"
_ALIKE = 100  # times as large


def turned_ends(lower: str, figures: Sequence[tuple[int, int, float]]) -> Iterator[int]:
    """The places in a list of the second figures of "fell from 8 to 9", each with its start, end and value."""
    for index, ((start, end, first), (after, _, second)) in enumerate(pairwise(figures), 1):
        said, between = lower[max(0, start - _VERB) : start], lower[end:after]
        if first == second or _FROM_TO.search(said) is None or not re.search(r"^[^.;,]{0,40}\bto [$€£¥]?$", between):
            continue
        said = re.split(r"[.;,:] |\n", said)[-1]
        rose, fell = _ROSE.search(said) is not None, _FELL.search(said) is not None
        ranks = _OF_RANKS.search(said + between) is not None or max(first, second) > _ALIKE * min(first, second)
        if not ranks and rose not in (fell, second > first) and not _NOT.search(said):
            yield index


def turned(said: str, at: int, negative: bool, sign: int) -> bool:
    """Whether a sentence says a rise of what fell, or a fall of what rose; ``sign`` is that of the change."""
    if _PLUS.match(said, at) is not None or _PLUS.search(said, max(0, at - 3), at) is not None:
        return sign < 0
    way = direction(said, at)
    if negative:
        return sign > 0 and way >= 0
    return way not in (0, sign)


def was_compared(said: str, at: int, earlier: float, later: float) -> bool:
    """Whether a clause compares what was in the ``earlier`` year with the later one: "It was 125 higher in 2023"."""
    start, stop = _clause(said, at)
    start = said.rfind(".", 0, start) + 1 if _HIGHER.search(said, start, stop) is not None else start
    clause = said[start:stop]
    years = {int(match[0]) for match in _YEAR.finditer(clause)}
    compared = _HIGHER.search(clause) is not None and _THAN.search(clause) is None
    return compared and earlier in years and later not in years
