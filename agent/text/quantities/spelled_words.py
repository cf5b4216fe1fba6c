"""Numbers in words: English, German, French, Spanish, Italian, Portuguese.

The words stand in ``spelled_words.toml``. A text is read in English and in the one of the other languages that most of
its first words belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from agent.text.quantities.claim_words import ORDINALS, SCALES, SPELLED
from agent.text.quantities.number_words import LONGEST, Spelled
from agent.text.regex import regex
from agent.text.word_tables import word_table

_WORDS: dict[str, dict[str, str]] = word_table(__file__, "spelled_words.toml")
_SAMPLE = 1_500  # characters that tell the language
_LETTERS = regex(r"[^\W\d_]+")
_SHARED = frozenset(("in", "was", "am"))  # English words that are German ones, too
_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class _Grammar:
    """The words of one language. ``starts`` are those that no shorter one begins: enough to find them all."""

    atoms: dict[str, int]
    atom: re.Pattern[str]
    starts: tuple[str, ...]
    ones: frozenset[str]
    link: re.Pattern[str]
    glued: str
    definite: frozenset[str]
    doubtful: frozenset[str]
    parts: dict[str, int]
    halves: frozenset[str]
    numerator: re.Pattern[str]
    joiner: re.Pattern[str]
    whole: dict[str, Fraction]
    stems: tuple[str, ...]


def languages_of(lower: str) -> tuple[str, ...]:
    """English, and the languages that most of a text's small words belong to; empty where it has none of any."""
    words = lower[:_SAMPLE].replace("'", "' ").split()
    said = {language: sum(map(known.__contains__, words)) for language, known in _said().items()}
    most = max(said.values())
    others = [language for language in said if said[language] == most and language != "en"]
    return ("en", *others) if most > said["en"] else ("en",) if most else ()


_ONLY_GERMAN = regex(r"[äöüß]|\b(?:der|das|und|ist|uhr|nicht)\b")


def is_german(lower: str) -> bool | None:
    """Whether most of a text's small words are German; ``None`` where as many are of another language, or none are."""
    words = [word for word in _LETTERS.findall(lower[:_SAMPLE]) if word not in _SHARED]
    said = {language: sum(map(known.__contains__, words)) for language, known in _said().items()}
    most = max(said.values())
    if not most or (said["de"] == most and any(said[one] == most for one in said if one != "de")):
        return True if most and _ONLY_GERMAN.search(lower, 0, _SAMPLE) is not None else None
    return said["de"] == most


@cache
def small_words() -> frozenset[str]:
    """The words that stand in any text of one of the languages: "the", "dem", "dans"."""
    return frozenset(word for words in _said().values() for word in words)


def all_languages() -> tuple[str, ...]:
    return tuple(_WORDS)


@cache
def _said() -> dict[str, frozenset[str]]:
    return {language: frozenset(entry["said"].split()) for language, entry in _WORDS.items()}


def definite_words(languages: Sequence[str]) -> frozenset[str]:
    """Words after which a number tells nothing new: "the three"."""
    return frozenset[str]().union(*(_grammar(language).definite for language in languages))


@cache
def _grammar(language: str) -> _Grammar:
    entry = _WORDS[language]
    tens = _numbered(entry["tens"], 20, 10)
    atoms = _numbered(entry["small"], 0, 1) | tens | _numbered(entry["hundreds"], 0, 1)
    if entry.get("glued"):
        atoms |= _glued(entry["glued"], atoms)
    scales = {word: size for word, size in SCALES.items() if size >= 1000 and len(word) > 2}
    ones = frozenset(entry["ones"].split())
    parts, wholes = _numbered(entry["parts"], 0, 1), dict(each.split("=") for each in entry["whole"].split())
    starts = _shortest((*atoms, "mille", "mil", "tausend") if language != "en" else (*atoms,))
    numerators = (*ones, *(word for word in atoms if 2 <= atoms[word] <= 9))
    return _Grammar(
        atoms | scales,
        regex(rf"({_either(atoms | scales)})(?![^\W0-9_])(?!'[^\W0-9_])"),
        starts,
        ones,
        regex(rf"[ -](?:(?:{entry['links']})[ -])?|-?(?:{entry['links']})-"),
        entry.get("glued", ""),
        frozenset(entry["definite"].split()),
        frozenset(entry.get("doubtful", "").split()),
        parts,
        frozenset(entry["halves"].split()),
        regex(rf"(?<![\w.,])({_either(numerators)}|[0-9]{{1,2}})[ -]$"),
        regex(rf"([^\W_]+)[ -](?:([^\W0-9_]+)[ -])?{entry['joiner']}[ -]$"),
        {word: Fraction(value) for word, value in wholes.items()},
        _shortest((*parts, *entry["halves"].split(), *wholes)),
    )


def _numbered(words: str, first: int, step: int) -> dict[str, int]:
    """``one two`` numbered from ``first`` on, ``cent=100`` as it says."""
    found: dict[str, int] = {}
    for index, word in enumerate(words.split()):
        name, _, value = word.partition("=")
        found[name] = int(value) if value else first + index * step
        found[name.replace("ß", "ss")] = found[name]
    return found


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\-", "[- ]") for word in sorted(words, key=len, reverse=True))


def _shortest(words: Iterable[str]) -> tuple[str, ...]:
    words = set(words)
    return tuple(sorted(word for word in words if not any(word != one and word.startswith(one) for one in words)))


def _glued(language: str, atoms: dict[str, int]) -> dict[str, int]:
    """One word for each number from 21 to 999, in German and Italian."""
    word = {value: name for name, value in reversed(atoms.items()) if "ss" not in name or language == "it"}
    found: dict[str, int] = {}
    for ten in range(20, 100, 10):
        for one in range(1, 10):
            if language == "de":
                found[f"{'ein' if one == 1 else word[one]}und{word[ten]}"] = ten + one
            else:
                stem = word[ten][:-1] if one in (1, 8) else word[ten]
                found[stem + word[one]] = found[stem + ("tré" if one == 3 else word[one])] = ten + one
    below = {**{name: value for name, value in atoms.items() if 0 < value < 100}, **found}
    for one in range(1, 10):
        hundred = word[100] if one == 1 else word[one] + word[100]
        heads = (hundred, "ein" + hundred) if one == 1 and language == "de" else (hundred,)
        for head in heads:
            found |= {head: one * 100} | {head + rest: one * 100 + value for rest, value in below.items()}
    return found


@lru_cache(1_024)
def number_word(word: str) -> int | None:
    """The number that a word alone says in any of the languages: 3 of "three" and "drei", 1 of "une" and "an"."""
    for language in _WORDS:
        grammar = _grammar(language)
        if (value := 1 if word in grammar.ones else grammar.atoms.get(word)) is not None:
            return value
    return None


def spelled_numbers(lower: str, languages: Sequence[str] = ("en",)) -> Iterator[Spelled]:
    """Whole numbers in the words of some languages, and some English ordinals ("the third largest")."""
    for each in languages:
        yield from _numbers(lower, _grammar(each), each == "en")
    for start in starts_of(lower, tuple(ORDINALS)):
        if (match := _ORDINAL.match(lower, start)) is not None:
            yield Spelled(Fraction(ORDINALS[match[1]]), match.start(), match.end(), True)


_SUPERLATIVE = (
    "largest|biggest|highest|tallest|longest|most|place|oldest|smallest|century|president|time|busiest|fastest"
)
_ORDINAL = regex(rf"(?<![\w-])({'|'.join(ORDINALS)})(?=[- ](?:{_SUPERLATIVE}))")
_OF_MANY = "two|three|four|five|six|eight|ten|twenty"
_OUT_OF = regex(  # "nine in ten"
    rf"\b(one|two|three|four|five|six|seven|eight|nine) (?:in|out of) ({_OF_MANY})\b"
)
_OUT_OF_WORDS = (" out of ", *(f" in {word}" for word in _OF_MANY.split("|")))
_DOZENS = regex(r"(?<![0-9a-z.,])([0-9]{1,6}(?:\.[0-9]{1,3})?)(?:[ -]dozens?(?![^\W0-9_])|ダース)")
_TENTH_ORDINAL = regex(rf"(?<![\w-])(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-({'|'.join(ORDINALS)})\b")


_JOINED = frozenset("-_")
_PER = ("pour ", "por ", "per ")


def _numbers(lower: str, grammar: _Grammar, english: bool) -> Iterator[Spelled]:
    position = 0
    for start in starts_of(lower, grammar.starts):
        if start < position or lower[start - 1 : start] in _JOINED:
            continue
        value, end = _number_at(lower, start, grammar)
        # "12 mil" is read with its figures, "pour cent" is a unit.
        scale = value >= 100 and (lower[start - 2 : start - 1].isdigit() or lower.endswith(_PER, 0, start))
        if scale or end == start or end - start > LONGEST or _TENTH_ORDINAL.match(lower, start):
            continue
        position = end
        if value > 1 or english or value == 0:
            yield Spelled(Fraction(value), start, end, sure=lower[start:end] not in grammar.doubtful)


def _number_at(lower: str, start: int, grammar: _Grammar) -> tuple[int, int]:
    """The number in words that begins at ``start``, and where it ends: at ``start`` where there is none."""
    total = part = 0
    end, first = start, True
    for _ in range(14):  # no number has more parts
        link = None if first else grammar.link.match(lower, end)
        position = start if first else link.end() if link else -1
        size, stop = _atom_at(lower, position, grammar) if position >= 0 else (None, 0)
        if size is None or not _joins(part, total, size, first):
            break
        if size > total > 0:  # tres mil quinientos millones
            total, part = (total + part) * size, 0
        elif size >= 1000:
            total, part = total + (part or 1) * size, 0
        elif size in (100, 12) and 0 < part < 10:
            part *= size
        else:
            part += size
        end, first = stop, False
    return total + part, end


def _atom_at(lower: str, position: int, grammar: _Grammar) -> tuple[int | None, int]:
    match = grammar.atom.match(lower, position)
    if match is not None:
        return grammar.atoms[match[1] if match[1] in grammar.atoms else match[1].replace(" ", "-")], match.end()
    if grammar.glued and (word := _WORD.match(lower, position)) is not None:
        return _thousands(word[0], grammar), word.end()
    return None, position


_WORD = regex(r"[^\W0-9_]+")
_THOUSANDS = {"de": ("tausend",), "it": ("mila", "mille")}


def _thousands(word: str, grammar: _Grammar) -> int | None:
    """The value of a word with a thousand inside: zweitausendfünfhundert, tremila."""
    for thousand in _THOUSANDS[grammar.glued]:
        before, found, after = word.partition(thousand)
        head = 1 if before in ("", "ein") else grammar.atoms.get(before)
        rest = grammar.atoms.get(after.removeprefix("und")) if after else 0
        if found and head is not None and rest is not None:
            return head * 1000 + rest
    return None


def _joins(part: int, total: int, size: int, first: bool) -> bool:
    """Whether a word goes on with the number: "twenty" then "one", not "twenty" then "eleven"."""
    if first:
        return size < 1_000_000
    if size >= 1000:
        return True
    if size in (100, 12) and 0 < part < 10:
        return True
    if part == 0:
        return total > 0 and total >= 1000
    if part % 100 == 0:
        return size < 100
    if part % 100 in (60, 80) and size < 20:  # soixante-douze, quatre-vingt-dix
        return True
    return part % 10 == 0 and part % 100 >= 20 and size < 10


def starts_of(lower: str, words: tuple[str, ...]) -> list[int]:
    """Where one of the words starts. Plain searches: an alternation tried at every letter takes ten times as long."""
    found: list[int] = []
    for word in words:
        position = lower.find(word)
        while position >= 0:
            if not lower[position - 1 : position].isalnum():
                found.append(position)
            position = lower.find(word, position + len(word))
    return sorted(found)


_BIG = (word for word, size in SCALES.items() if size >= 100 and len(word) > 3)
_SCALED = regex(
    r"(?:[ ](?:(?:of|de|di|d')[ ]?)?(?:an?|une?|um|uma|ein|eine|einer)?[ ]?|-)?"
    rf"({'|'.join(sorted(_BIG, key=len, reverse=True))}|dozen)(?![^\W0-9_])"
)
_ARTICLE = regex(r"[ ]an?(?=[ ])")
_OF = (" of ", " de ", " der ", " des ", " di ", " del", " d", " da ", " do ")


def spelled_amounts(lower: str, languages: Sequence[str] = ("en",)) -> Iterator[Spelled]:
    """Fractions and amounts in words ("two thirds", "half an hour", "3 dozen"), and compound ordinals."""
    for each in languages:
        grammar = _grammar(each)
        for start in starts_of(lower, grammar.stems):
            word = _WORD.match(lower, start)
            if word is not None and (found := _amount(lower, word, grammar)) is not None:
                yield found
        for word in re.finditer(r"([^\W0-9_]+)einhalb", lower) if each == "de" and "einhalb" in lower else ():
            if (whole := 1 if word[1] == "ein" else grammar.atoms.get(word[1])) is not None:
                yield Spelled(whole + _HALF, *word.span())
    for match in _OUT_OF.finditer(lower) if any(word in lower for word in _OUT_OF_WORDS) else ():
        yield Spelled(Fraction(SPELLED[match[1]], SPELLED[match[2]]), *match.span(), part=True)
    for match in _DOZENS.finditer(lower) if "dozen" in lower or "ダース" in lower else ():
        yield Spelled(Fraction(match[1]) * 12, *match.span())
    for match in _TENTH_ORDINAL.finditer(lower) if "ty-" in lower else ():
        value = _grammar("en").atoms[match[1]] + ORDINALS[match[2]]
        yield Spelled(
            Fraction(value), match.start(), match.end(), True, sure=not lower.startswith(" century", match.end())
        )


def _amount(lower: str, word: re.Match[str], grammar: _Grammar) -> Spelled | None:
    """The amount that a word is, with what stands before and after it."""
    start, end = word.span()
    if word[0] in grammar.whole:
        return Spelled(grammar.whole[word[0]], start, end, sure=False)
    if word[0] in grammar.halves:
        return _added(lower, start, end, grammar) or _scaled(lower, _HALF, start, end)
    above = grammar.numerator.search(lower, max(0, start - 12), start)
    if word[0] not in grammar.parts or above is None:
        return None
    number = 1 if above[1] in grammar.ones else int(above[1]) if above[1].isdigit() else grammar.atoms[above[1]]
    return _scaled(lower, Fraction(number, grammar.parts[word[0]]), above.start(), end)


def _scaled(lower: str, value: Fraction, start: int, end: int) -> Spelled:
    """A fraction, or a fraction of a scale: "half a million"."""
    if (scale := _SCALED.match(lower, end)) is not None:
        return Spelled(value * (SCALES.get(scale[1]) or 12), start, scale.end())
    article = _ARTICLE.match(lower, end)
    sure = value.numerator > 1 or (value != _HALF and lower.startswith(_OF, end))
    return Spelled(value, start, article.end() if article else end, part=True, sure=sure)


def _added(lower: str, start: int, end: int, grammar: _Grammar) -> Spelled | None:
    """A number, or a number and a word, with a half: "two and a half years", "deux heures et demie"."""
    before = grammar.joiner.search(lower, max(0, start - 30), start)
    if before is None:
        return None
    for group in (2, 1):
        word = str(before[group] or "")
        known = grammar.atoms.get(word, 1 if word in grammar.ones else 0)
        if small := int(word) if word.isdecimal() and len(word) < 5 else known:
            stop = end if group == 2 or before[2] is None else before.end(1)
            return Spelled(small + _HALF, before.start(group), stop)
    return None
