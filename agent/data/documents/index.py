"""The index of a library: passages in SQLite, found by words (BM25 with stemming) and by parts of words (trigrams)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.data.documents.passages import Passage
from agent.data.documents.search_words import Wanted, covered, folded, indexed, wanted

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
# A word in the heading says more than one in the text.
_HEADING = 2.0
_PARTS = 0.3
_COVERED = 2.0
_TITLED = 1.0
_ALIKE = 0.5


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

    def add(self, document: str, title: str, passages: Iterable[Passage]) -> int:
        """Add a document, all of it or nothing; how many passages."""
        count = 0
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
                count += 1
        return count

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
        return [Passage(int(number), int(at), str(heading), str(body)) for number, at, heading, body in rows]

    def passage(self, document: str, number: int) -> Passage | None:
        row = self._connection.execute(
            "SELECT number, page, heading, body FROM passages WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
        return Passage(int(row[0]), int(row[1]), str(row[2]), str(row[3])) if row else None


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
