"""How many letters, words or signs a text has that the question itself gives."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import unit_named
from agent.text.quantities.number_words import SMALL
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_LONGEST = 300  # characters
_VOWELS = "aeiou"
_CLOSED = r"“(?P<q1>[^“”]+)”|\"(?P<q2>[^\"]+)\"|'(?P<q3>[^']+)'|‘(?P<q4>[^‘’]+)’"
_KIND = r"(?:this |the |that |following )*(?:word|name|phrase|sentence|text|string|line)s?"
_TEXT = rf"(?:(?P<named>{_KIND})[:,]? )?(?:{_CLOSED}|(?P<word>[a-z]+))"
_GIVEN = rf"(?:(?:in|are in|is) )?(?:(?:{_KIND}|this|the following)(?: have| has)?)? ?(?:{_CLOSED}|: (?P<rest>\S.*))"
_MARKED = (
    r"(?:(?P<sure>(?:the )?letters?|character) ['\"“‘]?(?P<a>[a-z])['\"”’]?(?:['’]?s)?|(?P<b>[a-z])['’]s|(?P<c>[a-z]))"
)
_THERE = r"(?: (?:are|is|do|does|can))?(?: there| you (?:see|find|count))?"
_HAVE = r"(?: (?:have|has|contain|contains|got))?(?: in (?:it|all|total))?"
_LETTER = (
    regex(
        rf"how (?:many times|often) (?:does|do|is|did) {_MARKED}"
        rf" (?:appear|occur|come up|show up|feature|turn up|used)s? in {_TEXT}",
        re.I,
    ),
    regex(
        rf"(?:how many|count(?: up)?|number of|count how many)(?: the| of the)? ?{_MARKED}{_THERE}(?: are)? in {_TEXT}",
        re.I,
    ),
    regex(rf"how many {_MARKED} (?:does|do) {_TEXT} (?:have|has|contain)", re.I),
)
_KINDS = r"(?P<kind>letters|characters|vowels|consonants)"
_SIGNS = (
    regex(rf"(?:how many|(?:the )?number of|count(?: up)?)(?: the)? {_KINDS}{_THERE}(?: in)? {_TEXT}{_HAVE}", re.I),
)
_WORDS = (
    regex(rf"(?:how many|(?:the )?number of|count(?: up)?)(?: the)? words?{_THERE} ?{_GIVEN}{_HAVE}", re.I),
    regex(rf"word ?count(?: of| for)? ?{_GIVEN}", re.I),
)
_END = regex(r"[ ?.!]+$")
_LEAD = regex(r"^(?:please |can you |could you |tell me |hi,? )+", re.I)
# A word that stands for another text, or for something with a count of its own.
_OTHERWISE = (
    "it this that them these those there here all total each english german french spanish scrabble "
    "alphabet word words name names text sentence phrase message question answer page book letter letters "
    "which what any one "
)
_NO_TEXT = frozenset(_OTHERWISE.split()) | frozenset(SMALL)


def text_count(text: str, language: Language) -> Problem | None:
    """ "How many r's are in the word strawberry?", 「「しんぶんし」は何文字？」; only of a text that is given."""
    if len(text) > _LONGEST:
        return None
    if language == "ja":
        return _japanese(text)
    return _letter(text) or _signs(text) or _words(text)


def _matched(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    """Of the question as it is written, without its end."""
    bare = _LEAD.sub("", text.strip())
    ends = (bare.rstrip(" ?"), _END.sub("", bare))
    return next((said for pattern in patterns for end in ends if (said := pattern.fullmatch(end))), None)


def _quoted(said: re.Match[str]) -> str:
    return next((said[name] for name in ("q1", "q2", "q3", "q4") if said[name]), "")


def _text_of(said: re.Match[str]) -> str:
    """The text, "" where a bare word may stand for something else."""
    word = said["word"] or ""
    if not word or said["named"]:
        return _quoted(said) or ("" if word.lower() in ("it", "this", "that", "above", "below") else word)
    return "" if word.lower() in _NO_TEXT or unit_named(word.lower()) else word


def _letter(text: str) -> Problem | None:
    said = _matched(_LETTER, text)
    given = _text_of(said) if said else ""
    if said is None or not given:
        return None
    letter = (said["a"] or said["b"] or said["c"]).lower()
    alone = said["c"] and said["word"] and not said["named"]
    if alone and "how many" in said[0].lower() and "times" not in said[0].lower():
        return None  # "how many r in strawberry" may be of a unit or a misspelling
    counts = [word.lower().count(letter) for word in given.split()]
    told = f"The letter “{letter}” appears {{figure}} times in “{_plain(given)}”."
    return _counted(counts, told.replace("{figure} times", "once") if sum(counts) == 1 else told)


def _signs(text: str) -> Problem | None:
    said = _matched(_SIGNS, text)
    given = _text_of(said) if said else ""
    if said is None or not given:
        return None
    kind, low = said["kind"].lower(), given.lower()
    if not low.isascii() or (kind in ("vowels", "consonants") and ("y" in low or not re.fullmatch(r"[a-z ]+", low))):
        return None  # a y is both
    if kind == "characters":
        bare = "" if " " not in given else f", {len(given.replace(' ', ''))} without the spaces"
        return _counted([len(given)], f"“{_plain(given)}” has {{figure}} characters{bare}.")
    chosen = {"letters": str.isalpha, "vowels": _VOWELS.__contains__}.get(kind, lambda one: one not in _VOWELS)
    counts = [sum(map(chosen, word)) for word in low.split()]
    return _counted(counts, f"“{_plain(given)}” has {{figure}} {kind[:-1] if sum(counts) == 1 else kind}.")


def _words(text: str) -> Problem | None:
    said = _matched(_WORDS, text)
    given = (_quoted(said) or said["rest"] or "").strip() if said else ""
    given = given.strip("\"'“”‘’")
    words = [word for word in given.split() if any(map(str.isalnum, word))]
    if not words or "?" in given or "&" in given.split() or re.search(r"[\"“”]|: ", given):
        return None
    return _counted([len(words)], f"“{_plain(given)}” has {{figure}} {'word' if len(words) == 1 else 'words'}.")


_BRACKETED = r"[「『\"“](?P<text>[^「」『』\"“”]+)[」』\"”]|(?P<word>[A-Za-z]+)"
_TIMES = regex(
    rf"(?:{_BRACKETED})(?:という(?:単語|言葉|文字列|文)?)?(?:の中)?に(?:は)?、?(?:文字の?)?(?:[「『\"“](?P<one>[^「」『』\"“”])[」』\"”]|(?P<letter>[A-Za-z]))"
    r"(?:という文字)?(?:は|が|って)?(?:何回|いくつ|何個|何文字|何度)(?:出て(?:くる|きます|いる|います)|現れ(?:る|ます)|含まれ(?:る|ます|ている|ています)"
    r"|入って(?:いる|います|る)|使われて(?:いる|います|る)|あ(?:る|ります)|登場(?:する|します))(?:の|か|んですか)?[??。]*"
)
_LONG = regex(
    rf"(?:{_BRACKETED})(?:という(?:単語|言葉|文字列|文|語))?(?:は|って|の文字数は)(?:何文字|何字)?(?:です|になります|ある|あります)?(?:か|の)?[??。]*"
)


def _japanese(text: str) -> Problem | None:
    if said := _TIMES.fullmatch(text):
        given, one = said["text"] or said["word"], said["one"] or said["letter"]
        told = f"「{_plain(given)}」に「{_plain(one)}」は{{figure}}回出てきます。"
        return _counted([given.lower().count(one.lower())], told)
    said = _LONG.fullmatch(text)
    given = (said["text"] or said["word"]) if said else ""
    if not given or not regex(r"何文字|何字|の文字数").search(text) or regex(r"\s").search(given):
        return None
    return _counted([len(given)], f"「{_plain(given)}」は{{figure}}文字です。")


def _plain(given: str) -> str:
    """As it may stand in the sentence of an answer."""
    return given.replace("{", "{{").replace("}", "}}")


def _counted(counts: list[int], told: str) -> Problem:
    sum_ = " + ".join(map(str, counts))
    return Problem("text_count", sum_, sum_, told=told)
