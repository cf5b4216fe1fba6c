"""What of an answer is a proper name or a quoted string."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.evidence.lookup.numbered_names import number_behind
from agent.evidence.openings import counted, only_opens, opens
from agent.evidence.pages import WORD
from agent.evidence.sources import Source, Sources, places
from agent.evidence.verdicts import Kind
from agent.text.literal_marks import unmarked
from agent.text.quantities.claim_words import (
    ALIASES,
    CALENDAR,
    LOANWORDS,
    ORDINALS,
    PLACES_JA,
    SPELLED,
    STARTERS,
    several,
)
from agent.text.quantities.spelled_words import is_german, small_words
from agent.text.quantities.units import SPELLINGS
from agent.text.regex import regex

_LINKING = frozenset(several("of the de la le du van von der den di da dos del al bin ibn and & y"))
_ELIDED = regex(  # an article or a preposition that lost its vowel: "L'AC Morvan", "dell'Adige", "qu'Orne"
    r"(?:[LlDd]|(?:[Jj]us|[Ll]ors|[Pp]uis)?[Qq]u|(?:[AaDdNnSs]|[Dd][ae]|[Nn]e|[Ss]u|[Qq]ue|[Cc]o)ll|[Uu]n|[Qq]uest)"
    r"['’](?=[^\W\d_a-zà-ÿ])"
)
_OF = ("d'", "d’", "dell'", "dell’", "dall'", "dall’")
_QUOTE = regex(r"[\"“]([^\"“”\n]{3,300})[\"”]|[「『]([^「」『』\n]{2,300})[」』]|«([^«»\n]{3,300})»")
# Both begin with what few characters are, so that others are skipped fast.
_CODE = regex(r"([A-Z](?<![\w-].)[A-Z]{0,4})-?[0-9]{2,6}(?![\w.,]?[0-9]|\w)", re.S)
_THOUSANDS = r"(?<=[1-9])[0-9]{0,2}(?:\.[0-9]{3})+(?![\w.])"
_YEAR_OF_ACCOUNTS = regex(r"[FC]Y-?(?=(?:19|20)[0-9]{2}$)")  # "FY2024" is 2024
_VERSION = regex(
    rf"[0-9](?:(?<![\w.,].)|(?<=[vV].)(?<![\w.,]..))(?!{_THOUSANDS})[0-9]{{0,3}}(?:\.[0-9]{{1,4}}){{2,3}}(?!\w|[.,][0-9])",
    re.S,
)
_KATAKANA = regex(r"[ァ-ヺー]{3,}(?:[・＝=][ァ-ヺー]+)*")
_SUFFIXED = regex(
    r"([\u3400-\u9fffヶケ]{1,6}?(?:株式会社|大統領|首相|大学|空港|神社|県|市|府|区|町|村|駅|寺|城|山|"
    r"川|湖|島|省|氏|さん))"
    r"(?![\u3400-\u9fff])"
)
_GENERIC_JA = frozenset(
    several(
        "都市 同市 同県 同区 同駅 同島 同山 各県 各市 全市 全県 本島 諸島 列島 半島 登山 火山 河川 大学 "
        "空港 神社 首相 大統領 政令市 "
        "最寄駅 山 川 市 県 区 島 湖 駅 城 寺 村 町 省 "
        "皆さん 子さん 客さん 母さん 父さん 兄さん 姉さん 奥さん 患者さん 業者さん 職人さん"
    )
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a quote; ``number`` is that right behind a name: "Route 454"."""

    start: int
    end: int
    text: str
    kind: Kind
    number: str = ""


def names_in(text: str, sources: Sources) -> list[Mention]:
    """Proper names in what is left of an answer after masking, codes apart."""
    return [*_latin(text, sources), *(_japanese(text) if not text.isascii() else ())]


def codes_in(text: str) -> list[Mention]:
    """Capitals with a number (a flight, a model, a road), and versions: 3.14.0."""
    versions = [Mention(*match.span(), match[0], "number") for match in _VERSION.finditer(text)]
    return versions + [
        Mention(match.start(), match.end(), _YEAR_OF_ACCOUNTS.sub("", match[0]), "name")
        for match in _CODE.finditer(text)
        if match[1].lower() not in SPELLINGS
    ]


def quotes_in(text: str) -> list[Mention]:
    """What stands between quotation marks, without them, and without the backslashes of Markdown."""
    found: list[Mention] = []
    for match in _QUOTE.finditer(text):
        group = next(index for index in (1, 2, 3) if match[index] is not None)
        found.append(Mention(match.start(group), match.end(group), unmarked(match[group]), "quote"))
    return found


_POLITE = frozenset(several("Sie Ihnen Ihr Ihre Ihrem Ihren Ihrer Ihres"))  # German, with a capital anywhere
_OF_PLACES = frozenset(("New", "North", "South", "East", "West"))
_NAMED_BY = regex(  # "Lund was", but not "Turnout was 62.8%"
    r"(?:['’]s|[*_]{0,2} (?:is|was|has|had|won|leads|led|wrote|became|\())(?![\w])"
    r"(?! (?:about |up |down |at )?[0-9.,]+ ?%)"
)
_BEHIND = 24  # characters behind a name
_COUNTRIES = frozenset[str]().union(*ALIASES)
_UNIT = 3  # letters
_PLURAL = regex(r"(?<=[A-Z]{2})s$")  # of an abbreviation
_OF_SOMEBODY = regex(r"['’]s$")
_OF_DOLLARS = ("US", "U.S", "U.S.")
_DOLLARS = regex(r"\.?[ -]dollars?\b")
_QUANTITY_BEFORE = regex(r"(?<=[0-9])[ \u00a0/]$")


def _latin(text: str, sources: Sources) -> Iterable[Mention]:
    run: list[re.Match[str]] = []
    linking: list[re.Match[str]] = []
    nouns, line = bool(is_german(text.lower())), 0  # up to where it is known whether it is German
    for match in WORD.finditer(text):
        word = match[0]
        if match.start() >= line:
            yield from _named(text, run, sources, nouns)
            run, linking = [], []
            line = text.find("\n", match.start()) + 1 or len(text) + 1
            said = is_german(text[match.start() : line].lower())  # a line of two words says nothing
            nouns = nouns if said is None else said
        if (rest := _behind_article(text, match, sources)) is not None:
            if not (run and word.startswith(_OF) and _gap(text, run[-1].end(), match.start())):
                yield from _named(text, run, sources, nouns)
                run = []
            run, linking = [*run, rest], []
            continue
        if nouns and word in _POLITE:
            asked = word == "Sie" and len(run) == 1 and opens(text, run[0].start())  # "Nehmen Sie den Zug"
            yield from () if asked else _named(text, run, sources, nouns)
            run, linking = [], []
            continue
        if _is_passed_over(text, match, sources, first=not run):
            continue
        joined = bool(run) and _gap(text, (linking or run)[-1].end(), match.start())
        if word[0].isupper() and (joined or not run):
            run += [*linking, match] if joined else [match]
            linking = []
        elif joined and word in _LINKING and len(linking) < 2:
            linking.append(match)
        else:
            yield from _named(text, run, sources, nouns)
            run, linking = ([match] if word[0].isupper() else []), []
    yield from _named(text, run, sources, nouns)


def _is_passed_over(text: str, word: re.Match[str], sources: Sources, first: bool) -> bool:
    """Whether a word, the ``first`` of a name perhaps, is of none: most words, "T333CS", those of a quantity."""
    if first and not word[0][0].isupper():
        return True
    return text[word.start() - 1 : word.start()].isdigit() or _is_of_quantity(text, word, sources, first)


def _behind_article(text: str, word: re.Match[str], sources: Sources) -> re.Match[str] | None:
    """The word with a capital behind an article that lost its vowel, where no source has both as one name."""
    elided = _ELIDED.match(word[0]) if not word[0].isalpha() else None
    if elided is None or sources.has_name(word[0]):
        return None
    return WORD.match(text, word.start() + elided.end())


def _is_of_quantity(text: str, word: re.Match[str], sources: Sources, first: bool) -> bool:
    """Whether a word is of a quantity: the era in "AD 79", "US" of dollars, the ``first`` in "98.9 Mt", a unit."""
    if word[0] in _OF_DOLLARS and _DOLLARS.match(text, word.end()) and any(map(_in_dollars, sources.texts)):
        return True
    if (
        first
        and len(word[0].rstrip(".")) <= _UNIT
        and _QUANTITY_BEFORE.search(text, max(0, word.start() - 3), word.start())
    ):
        return True
    return word[0] == "AD" and text[word.end() + 1 : word.end() + 2].isdigit()


def _in_dollars(source: Source) -> bool:
    """Whether a text says its values in dollars."""
    return "$" in source.text or "usd" in source.lower or "dollar" in source.lower


def _gap(text: str, end: int, start: int) -> bool:
    """Whether two words belong to one name: a space between them, and no full stop but that of an initial."""
    last = text[end - 3 : end - 1]
    long = last[:1].islower() or (last.isupper() and last.isalpha())  # "BK.", but not "U.S."
    return text[end:start] in (" ", "\u00a0", " & ", "&") and not (text[end - 1] == "." and long)


def _named(text: str, run: list[re.Match[str]], sources: Sources, nouns: bool) -> Iterable[Mention]:
    """The name in a run of capitalised words, if it is one.

    In German all ``nouns`` have a capital: there one word alone is a name only where some source has it.
    """
    if _begins_with_article(text, run) and not _is_known(text, run, sources) and _is_known(text, run[1:], sources):
        run = run[1:]  # "El IB 210"
    known = len(run) > 1 and _is_known(text, run, sources)
    run = run if known else _without_opening(text, run, sources, nouns)
    if nouns and len(run) == 1 and not sources.has_name(run[0][0].rstrip(".")):
        return
    while not known and run and _says_nothing(run[0][0]) and not text.startswith("&", run[0].end()):
        if _is_of_a_place(text, run, sources):
            break
        run = run[1:]
    while not known and run and _says_nothing(run[-1][0]):
        run = run[:-1]
    if not run or (nouns and len(run) == 1 and not sources.has_name(run[0][0].rstrip("."))):
        return
    start, end = run[0].start(), run[-1].end()
    if text[end : end + 1].isdigit():  # "M101": a code
        return
    name = _PLURAL.sub("", re.sub(r"(?:['’]s|[.'’])$", "", text[start:end]))
    end = start + len(name)
    if len(name) < 2 or len(name) > 200:
        return
    if len(run) == 1 and opens(text, start) and (name.lower() in small_words() or not _sure(name, text, end, sources)):
        return
    yield Mention(start, end, name, "name", number_behind(text, end))


def _without_opening(text: str, run: list[re.Match[str]], sources: Sources, nouns: bool) -> list[re.Match[str]]:
    """A run from the first word on that may be one of a name: without what opens a sentence, and what is counted."""
    opening = bool(run) and opens(text, run[0].start())
    while len(run) > 1 and (
        (nouns and not {run[0][0].lower(), run[1][0]}.isdisjoint(small_words()))
        or (opening and only_opens(run[0][0], run[1][0], nouns))
        or (nouns and counted(text, run[0].start()))
        or _heads(text, run)
        or (opening and _is_verb(run, sources) and _is_known(text, run[1:], sources))
    ):
        run = run[1:]
    return run


def _is_known(text: str, run: list[re.Match[str]], sources: Sources) -> bool:
    """Whether the words of a run stand next to each other in some source."""
    whole = _OF_SOMEBODY.sub("", text[run[0].start() : run[-1].end()])
    return any(whole in source.text for source in sources.texts)


def _begins_with_article(text: str, run: list[re.Match[str]]) -> bool:
    """Whether a run where a sentence begins has an article or the like before other words."""
    if len(run) < 2 or not run[0][0][1:].islower():
        return False
    return run[0][0].lower() in small_words() and opens(text, run[0].start())


def _is_of_a_place(text: str, run: list[re.Match[str]], sources: Sources) -> bool:
    """Whether a run is a country, or begins with a place of two words that some source has: "New York City"."""
    if text[run[0].start() : run[-1].end()].lower().removesuffix("s") in _COUNTRIES:
        return True
    return len(run) > 1 and run[0][0] in _OF_PLACES and sources.has_name(text[run[0].start() : run[1].end()])


def _heads(text: str, run: list[re.Match[str]]) -> bool:
    """Whether the first word of a run is a common noun that a sentence begins with: "Owners of the Corolla"."""
    return run[1][0] in ("of", "the") and run[0][0].endswith(("s", "ing")) and opens(text, run[0].start())


def _is_verb(run: list[re.Match[str]], sources: Sources) -> bool:
    """Whether the first word of a run reads as a verb that no source has as a name: "Matching" of "Matching Lund"."""
    return run[0][0].endswith("ing") and not sources.has_name(run[0][0])


def _says_nothing(word: str) -> bool:
    return _generic(word) or word in _LINKING


def _generic(word: str) -> bool:
    bare = re.sub(r"['’](?:s|d|ll|ve|re|m)$", "", word).strip(".").lower()
    return (
        bare == "i"
        or any(bare in words for words in (STARTERS, CALENDAR, SPELLED, ORDINALS, SPELLINGS))
        or word in SPELLINGS
    )


def _sure(name: str, text: str, end: int, sources: Sources) -> bool:
    """Whether a single word at the start of a sentence is a name: some source writes it so, or it is spoken of."""
    if (seen := sources.spells(name)) is not None:
        return seen
    if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text):
        return False  # the answer itself has it as a word
    follows = _NAMED_BY.match(text, end, end + _BEHIND)
    return follows is not None and not re.search(
        r"(?:tion|ment|ness|ing|ly|ity|[ae]nc[ey]|ers|ship|ures?|ages?|ors|put)$", name.lower()
    )


def _japanese(text: str) -> Iterable[Mention]:
    taken: set[int] = set()
    for match in _KATAKANA.finditer(text):
        if match[0] not in LOANWORDS and match[0] not in SPELLINGS and len(match[0]) <= 40:
            taken.update(range(*match.span()))
            yield Mention(match.start(), match.end(), match[0], "name")
    for match in _SUFFIXED.finditer(text):
        if match[1] not in _GENERIC_JA and match.start() not in taken and len(match[1]) > 1:
            taken.update(range(*match.span(1)))
            yield Mention(match.start(1), match.end(1), match[1], "name")
    for place in PLACES_JA:
        for position in places(text, place, len(text)):
            if position not in taken and text[position - 1 : position + 2] != "東京都":
                yield Mention(position, position + len(place), place, "name")


def is_covered(taken: Sequence[tuple[int, int]], mention: Mention) -> bool:
    """Whether one of the places, in their order, overlaps a mention."""
    index = bisect_right(taken, (mention.start, 1 << 60)) - 1
    inside = index >= 0 and taken[index][1] > mention.start
    return inside or (index + 1 < len(taken) and taken[index + 1][0] < mention.end)
