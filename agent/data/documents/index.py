"""The index of a library: passages in SQLite, found by words (BM25 with stemming) and by parts of words (trigrams)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from agent.data.documents.passages import Passage
from agent.text.regex import regex

# Chinese, Japanese, Thai, Lao, Khmer, Burmese.
_RUN = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_TOKEN = regex(rf"(?P<run>[{_RUN}]+)|(?P<word>(?:(?![{_RUN}])[\w])+(?:['’](?:(?![{_RUN}])\w)+)?)")
_MOST = 40
_KANA = regex(r"[\u3040-\u309f]+")
_PARTICLES = regex(
    r"(?:について|に関して|とは|ですか|ますか|でしょうか|ください|教えて|どうすれば|どうやって|どのように|どのくらい|"
    r"どれくらい|どんな|どこ|いつ|だれ|誰|なぜ|何|いくら|いくつ|ありますか|できますか|しますか|するには|する|した|して|"
    r"です|ます|から|まで|には|では|とき|こと|もの|[はがをにでとのもへや])+"
)
_LITTLE_WORDS = """
a about all am an and any are as at be been but by can could did do does each else for from get give gives had
has have he her his how i if in into is it its just know like make may me mean means might more most much must
my no not of on or our please s same say says shall she should so some t tell than that the their them then
there these they this those through to too up us use used uses using very was we were what what's whats when where
wheres which who whom whose why will with would you your according find found explain describe
"""
_STOP = frozenset(_LITTLE_WORDS.split())
# What a question says of the document it asks, not of what stands in it.
_OF_DOCUMENTS = frozenset(
    ("document", "documents", "file", "files", "text", "page", "pages", "pdf", "passage", "report")
)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS passages (
  id INTEGER PRIMARY KEY, document TEXT NOT NULL, number INTEGER NOT NULL, page INTEGER NOT NULL,
  heading TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS of_document ON passages (document, number);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (heading, body, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE IF NOT EXISTS parts USING fts5 (body, tokenize = 'trigram');
"""
_CANDIDATES = 40
_MOST_HEADINGS = 12
# A word in the heading says more than one in the text.
_HEADING = 2.0
_PARTS = 0.3
_COVERED = 2.0
_TITLED = 1.0
_ALIKE = 0.5


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
    if not said:
        runs = runs or [one["run"] for one in found if one["run"]]
    pairs = [pair for run in runs for pair in _pairs(run)]
    said_pairs = [pair for pair in pairs if not _KANA.fullmatch(pair)] or pairs
    phrases = [run for run in runs if len(run) > 2]
    said, said_pairs, phrases = (tuple(dict.fromkeys(one))[:_MOST] for one in (said, said_pairs, phrases))
    return Wanted(said, said_pairs, phrases)


def is_vague(question: str) -> bool:
    """Whether it says nothing but little words, as in "and why?": any passage would fit it."""
    sought = wanted(question, of_documents=False)
    little = all(word.removesuffix("'s") in _STOP for word in sought.words)
    return little and all(map(_KANA.fullmatch, sought.pairs))


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


@dataclass(frozen=True, slots=True)
class Hit:
    """``score`` is higher the better; ``covered`` the share of the question's words that the passage holds."""

    document: str
    passage: Passage
    score: float
    covered: float


class Index:
    """One library. Not for several threads at once. Every method raises ``sqlite3.Error`` where the file is broken."""

    def __init__(self, path: str = ":memory:") -> None:
        self._connection = sqlite3.connect(path, check_same_thread=False)
        try:
            # What is removed is overwritten, and a broken file gives an error, not rows.
            for pragma in ("secure_delete=ON", "trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        self._connection.close()

    def add(self, document: str, title: str, passages: Iterable[Passage]) -> None:
        """Add a document, all of it or nothing."""
        with self._connection as connection:
            for passage in passages:
                row = (document, passage.number, passage.page, passage.heading, passage.text)
                place = connection.execute(
                    "INSERT INTO passages (document, number, page, heading, body) VALUES (?, ?, ?, ?, ?)", row
                ).lastrowid
                heading = indexed(f"{title} {passage.heading}")
                connection.execute(
                    "INSERT INTO words (rowid, heading, body) VALUES (?, ?, ?)",
                    (place, heading, indexed(passage.text)),
                )
                whole = folded(f"{passage.heading}\n{passage.text}")
                connection.execute("INSERT INTO parts (rowid, body) VALUES (?, ?)", (place, whole))

    def about(self, document: str) -> dict[str, Any]:
        """How many ``passages``, ``characters`` and ``pages`` a document has, and its first ``headings``."""
        rows = self._connection.execute(
            "SELECT heading, length(body), page FROM passages WHERE document = ? ORDER BY number", (document,)
        ).fetchall()
        named = dict.fromkeys(heading.rpartition(" › ")[2] for heading, _, _ in rows)
        counted = {"passages": len(rows), "characters": sum(length for _, length, _ in rows)}
        return {
            **counted,
            "pages": rows[-1][2] if rows else 0,
            "headings": [one for one in named if one][:_MOST_HEADINGS],
        }

    def keep(self, documents: Sequence[str]) -> None:
        """Remove what is of no document among these."""
        with self._connection as connection:
            marks = ", ".join("?" * len(documents))
            gone = f"(SELECT id FROM passages WHERE document NOT IN ({marks}))"
            connection.execute(f"DELETE FROM words WHERE rowid IN {gone}", documents)
            connection.execute(f"DELETE FROM parts WHERE rowid IN {gone}", documents)
            connection.execute(f"DELETE FROM passages WHERE document NOT IN ({marks})", documents)

    def search(self, question: str, documents: Sequence[str], most: int = 4, of_documents: bool = True) -> list[Hit]:
        """The best passages of these documents, best first. ``of_documents`` as in ``wanted``."""
        sought = wanted(question, of_documents)
        if not sought.terms:
            return []
        scores: dict[int, float] = {}
        for place, score in self._ranked("words", _by_words(sought), documents, f"bm25(words, {_HEADING}, 1.0)"):
            scores[place] = score
        weight = _PARTS if scores else 1.0
        for place, score in self._ranked("parts", _by_parts(sought), documents, "bm25(parts)"):
            scores[place] = scores.get(place, 0.0) + weight * score
        if not scores:
            for place, score in self._ranked("parts", _by_likeness(sought), documents, "bm25(parts)"):
                scores[place] = score
            hits = [hit for hit in self._hits(scores, sought, question) if _alike(sought, hit.passage) >= _ALIKE]
        else:
            hits = self._hits(scores, sought, question)
        return sorted(hits, key=lambda hit: -hit.score)[:most]

    def _ranked(self, table: str, match: str, documents: Sequence[str], rank: str) -> list[tuple[int, float]]:
        if not match or not documents:
            return []
        marks = ", ".join("?" * len(documents))
        found = self._connection.execute(
            f"SELECT {table}.rowid, {rank} AS score FROM {table} JOIN passages ON passages.id = {table}.rowid "
            f"WHERE {table} MATCH ? AND passages.document IN ({marks}) ORDER BY score LIMIT {_CANDIDATES}",
            (match, *documents),
        )
        return [(int(place), -float(score)) for place, score in found]

    def _hits(self, scores: dict[int, float], sought: Wanted, question: str) -> list[Hit]:
        marks = ", ".join("?" * len(scores))
        rows = self._connection.execute(
            f"SELECT id, document, number, page, heading, body FROM passages WHERE id IN ({marks})", tuple(scores)
        )
        hits: list[Hit] = []
        for place, document, number, page, heading, body in rows:
            share = covered(sought, f"{heading}\n{body}")
            passage = Passage(int(number), int(page), str(heading), str(body))
            # Of two passages, the one with more of the question's words answers more of it; and best of all is one
            # whose heading is what was asked.
            titled = covered(wanted(passage.heading.rpartition(" › ")[2], False), question)
            weight = 1 + _COVERED * share + _TITLED * titled
            hits.append(Hit(str(document), passage, scores[place] * weight, share))
        return hits

    def page(self, document: str, page: int) -> list[Passage]:
        """The passages of a page, in order."""
        rows = self._connection.execute(
            "SELECT number, page, heading, body FROM passages WHERE document = ? AND page = ? ORDER BY number",
            (document, page),
        )
        return [Passage(*row) for row in rows]

    def passages_after(self, document: str, number: int, most: int) -> list[Passage]:
        """At most so many passages of a document behind the one of that number, in order."""
        rows = self._connection.execute(
            "SELECT number, page, heading, body FROM passages WHERE document = ? AND number > ? "
            "ORDER BY number LIMIT ?",
            (document, number, most),
        )
        return [Passage(*row) for row in rows]

    def passage(self, document: str, number: int) -> Passage | None:
        row = self._connection.execute(
            "SELECT number, page, heading, body FROM passages WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
        return Passage(*row) if row else None


def _by_words(sought: Wanted) -> str:
    single = [f'"{pair}"*' if len(pair) == 1 else f'"{pair}"' for pair in sought.pairs]
    together = [f'"{indexed(phrase).rpartition(" ")[0]}"' for phrase in sought.phrases]
    return " OR ".join([*(f'"{word}"' for word in sought.words), *single, *together])


def _by_parts(sought: Wanted) -> str:
    """Whole terms anywhere, within other words as well: the index holds all that has three letters."""
    return " OR ".join(f'"{term}"' for term in (*sought.words, *sought.phrases) if len(term) > 3)


def _by_likeness(sought: Wanted) -> str:
    """All that shares some letters with a term, which may have been mistyped."""
    return " OR ".join(f'"{gram}"' for word in sought.words for gram in sorted(_grams(word)))


def _alike(sought: Wanted, passage: Passage) -> float:
    there = folded(f"{passage.heading}\n{passage.text}")
    shares = [sum(gram in there for gram in grams) / len(grams) for word in sought.words if (grams := _grams(word))]
    return max(shares, default=0.0)


def _grams(word: str) -> set[str]:
    return {word[place : place + 3] for place in range(len(word) - 2)} if len(word) > 3 else set()
