"""What is looked for in a text: words where a script has blanks between them, pairs of letters where it has not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize

# Chinese, Japanese, Thai, Lao, Khmer, Burmese.
_RUN = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_TOKEN = re.compile(rf"(?P<run>[{_RUN}]+)|(?P<word>(?:(?![{_RUN}])[\w])+(?:['’](?:(?![{_RUN}])\w)+)?)")
_MOST = 40
_KANA = re.compile(r"[\u3040-\u309f]+")
_PARTICLES = re.compile(
    r"(?:について|に関して|とは|ですか|ますか|でしょうか|ください|教えて|どうすれば|どうやって|どのように|どのくらい|"
    r"どれくらい|どんな|どこ|いつ|だれ|誰|なぜ|何|いくら|いくつ|ありますか|できますか|しますか|するには|する|した|して|"
    r"です|ます|から|まで|には|では|とき|こと|もの|[はがをにでとのもへや])+"
)
_LITTLE_WORDS = """
a about all am an and any are as at be been but by can could did do does each else for from get give gives had
has have he her his how i if in into is it its just know like make may me mean means might more most much must
my no not of on or our please s same say says shall she should so some t tell than that the their them then
there these they this those through to too up us use used uses using very was we were what what's when where
which who whom whose why will with would you your according find found explain describe
"""
_STOP = frozenset(_LITTLE_WORDS.split())
# What a question says of the document it asks, not of what stands in it.
_OF_DOCUMENTS = frozenset(
    ("document", "documents", "file", "files", "text", "page", "pages", "pdf", "passage", "report")
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """``words`` of scripts with blanks, ``pairs`` and single letters of the others; ``phrases`` are runs of pairs."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    phrases: tuple[str, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        return (*self.words, *self.pairs)


def folded(text: str) -> str:
    """One form for wide and narrow letters, and for capitals."""
    return normalize("NFKC", text).casefold()


def indexed(text: str) -> str:
    """``text`` as it goes into the index of words, with blanks between what is to be found."""
    return " ".join(token for found in _TOKEN.finditer(folded(text)) for token in _tokens(found))


def _tokens(found: re.Match[str]) -> list[str]:
    if word := found["word"]:
        return [word]
    run = found["run"]
    # Each letter begins one, so that a single letter is found by its beginning.
    return [run[place : place + 2] for place in range(len(run))]


def wanted(question: str, of_documents: bool = True) -> Wanted:
    """What a question looks for. Where it says nothing but little words, those.

    ``of_documents``: words like "document" and "page" say where to look, not what for.
    """
    stop = _STOP | _OF_DOCUMENTS if of_documents else _STOP
    text = folded(question)
    found = list(_TOKEN.finditer(text))
    words = [one["word"] for one in found if one["word"]]
    said = [word for word in words if word.removesuffix("'s") not in stop] or words
    runs = [run for one in found if one["run"] for run in _PARTICLES.split(one["run"]) if run]
    runs = runs or [one["run"] for one in found if one["run"]]
    pairs = [pair for run in runs for pair in _pairs(run)]
    said_pairs = [pair for pair in pairs if not _KANA.fullmatch(pair)] or pairs
    phrases = [run for run in runs if len(run) > 2]
    said, said_pairs, phrases = (tuple(dict.fromkeys(one))[:_MOST] for one in (said, said_pairs, phrases))
    return Wanted(said, said_pairs, phrases)


def _pairs(run: str) -> list[str]:
    """Without those of a root and its ending, where a pair before has the root: 保存 of 保存される, but 消す."""
    found: list[str] = []
    for place in range(max(1, len(run) - 1)):
        pair = run[place : place + 2]
        ending = len(pair) == 2 and _KANA.fullmatch(pair[1]) and not _KANA.fullmatch(pair[0])
        if not (ending and place and not _KANA.fullmatch(run[place - 1])):
            found.append(pair)
    return found


def covered(sought: Wanted, text: str) -> float:
    """The share of what is sought that ``text`` holds, 0 to 1; endings of words do not count."""
    terms = sought.terms
    if not terms:
        return 0.0
    there = folded(text)
    return sum(stem(term) in there for term in terms) / len(terms)


def stem(word: str) -> str:
    """The part of a word that its forms share, roughly; pairs of letters stay as they are."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending in ("ations", "ation", "ings", "ing", "ies", "edly", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
