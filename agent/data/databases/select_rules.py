"""The words of a statement, whatever its dialect, and whether it is one that may be run: one, and only a SELECT.

It is the first of the walls, and the one that explains itself. Where a dialect reads a text otherwise than this does,
the statement is refused rather than guessed at: the engine behind it is the wall that counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.data.refusal import Refused
from agent.text.regex import regex
from agent.text.word_tables import word_table

LONGEST_SQL = 50_000  # characters
ONLY_READS = "Only one SELECT can be run here: databases are read, never changed."
_BEGINNINGS = ("select", "with", "values", "table", "from", "(")
_HINTS = {
    "explain": "EXPLAIN cannot be run here. Run the SELECT itself.",
    "show": "SHOW cannot be run here. To see what there is, call this tool with `describe` instead of `sql`.",
    "describe": "DESCRIBE cannot be run as SQL. Call this tool with `describe` instead of `sql`.",
    "desc": "DESCRIBE cannot be run as SQL. Call this tool with `describe` instead of `sql`.",
    "pragma": "PRAGMA cannot be run here. To see what there is, call this tool with `describe` instead of `sql`.",
    "set": "Settings cannot be changed here. Write one SELECT.",
}
NAMES: Mapping[str, Mapping[str, frozenset[str]]] = {
    dialect: {kind: frozenset(names) for kind, names in kinds.items()}
    for dialect, kinds in word_table(__file__, "sql_names.toml").items()
}
_ACTING_PACKAGES = ("dbms_", "utl_")
_TOKEN = regex(
    r"""
      (?P<space>\s+)
    | (?P<comment>--[^\r\n]*)
    | (?P<name>"(?:[^"]|"")*" | `[\w$ .-]*`)
    | (?P<text>'(?:[^']|'')*')
    | (?P<number>\d[\w.]*)
    | (?P<word>[^\W\d][\w$]*)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# In texts of these a backslash is one; in others it may hide where a text ends.
_PLAIN_BACKSLASHES = frozenset({"postgresql", "sqlite", "duckdb"})
_DOLLARS = regex(r"\$(?:[^\W\d]\w*)?\$")


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is ``word`` (``text`` in lower case), ``name`` (in quotation marks; ``text`` without), ``text``,
    ``number`` or ``mark``."""

    kind: str
    text: str


def one_statement(sql: str, dialect: str) -> tuple[str, tuple[Token, ...]]:
    """The statement without what ends it, and its words; raises ``Refused`` unless it reads as one SELECT."""
    if len(sql) > LONGEST_SQL:
        raise Refused(f"The statement is longer than {LONGEST_SQL:,} characters.", "sql")
    if "\0" in sql:
        raise Refused("There is a character in the statement that cannot be in one.", "sql")
    bare = sql.strip()
    while bare.endswith(";"):
        bare = bare[:-1].rstrip()
    tokens = tuple(_tokens(bare, dialect))
    if not tokens:
        raise Refused("There is no statement. Write one SELECT.", "sql")
    if any(token == Token("mark", ";") for token in tokens):
        raise Refused("One statement at a time. Use WITH for steps in between.", "sql")
    if tokens[0].text not in _BEGINNINGS or tokens[0].kind not in ("word", "mark"):
        raise Refused(_HINTS.get(tokens[0].text, ONLY_READS), "sql")
    return bare, tokens


def check_words(tokens: Sequence[Token]) -> None:
    """Raises ``Refused`` for words and functions that do more than read, in a dialect that cannot be asked."""
    for token in tokens:
        if token.kind == "word" and token.text in NAMES["others"]["changing"]:
            raise Refused(
                f"{token.text.upper()} cannot be used here: databases are read, never changed. Where it is a name, "
                "put it in quotation marks.",
                "sql",
            )
    for name in sorted(called(tokens)):
        if name in NAMES["others"]["acting"] or name.startswith(("sys_", "xp_", "sp_", "system$", "read_")):
            raise Refused(f"{name}() cannot be used here.", "sql")
    for name in sorted(names(tokens)):
        if name.startswith(_ACTING_PACKAGES):
            raise Refused(f"{name} cannot be used here.", "sql")


def called(tokens: Sequence[Token]) -> set[str]:
    """The names in lower case, without schema, that stand before a bracket."""
    followed = pairwise(tokens)
    return {
        token.text.lower()
        for token, after in followed
        if after == Token("mark", "(") and token.kind in ("word", "name")
    }


def names(tokens: Sequence[Token]) -> set[str]:
    """All that may be the name of something, in lower case."""
    return {token.text.lower() for token in tokens if token.kind in ("word", "name")}


def after_dots(tokens: Sequence[Token]) -> set[str]:
    """The names in lower case that follow a dot."""
    followed = pairwise(tokens)
    return {
        after.text.lower()
        for token, after in followed
        if token == Token("mark", ".") and after.kind in ("word", "name")
    }


def _tokens(sql: str, dialect: str) -> Iterator[Token]:
    place, before = 0, Token("mark", "")
    while place < len(sql):
        if sql.startswith("/*", place):
            place = _after_comment(sql, place)
            continue
        if sql[place] == "$" and (opening := _DOLLARS.match(sql, place)):
            place, before = _after_dollars(sql, opening, dialect)
            yield before
            continue
        found = _TOKEN.match(sql, place)
        assert found is not None  # a mark is any character
        _check(found, before, dialect)
        place = found.end()
        if found.lastgroup not in ("space", "comment"):
            before = _token(found)
            yield before


def _token(found: re.Match[str]) -> Token:
    kind, text = str(found.lastgroup), found.group()
    if kind == "name":
        return Token(kind, text[1:-1].replace(text[0] * 2, text[0]))
    if kind == "word":
        return Token(kind, text.lower())
    return Token(kind, text[1:-1] if kind == "text" else text)


def _check(found: re.Match[str], before: Token, dialect: str) -> None:
    """Raises ``Refused`` for what dialects, or settings of one, read in different ways."""
    kind, text = found.lastgroup, found.group()
    if kind == "mark" and text in "'\"`":
        raise Refused("A text in the statement does not end.", "sql")
    if kind in ("text", "name"):
        escaping = before in (Token("word", "e"), Token("mark", "&")) and found.string[found.start() - 1] in "eE&"
        if escaping or ("\\" in text and dialect not in _PLAIN_BACKSLASHES):
            raise Refused("Write texts without backslashes and E or U& here; '' stands for a quotation mark.", "sql")
    if dialect in _PLAIN_BACKSLASHES:
        return
    if text == "#" or (kind == "comment" and text[2:3].strip()):
        raise Refused("Write comments as -- followed by a space here.", "sql")


def _after_dollars(sql: str, opening: re.Match[str], dialect: str) -> tuple[int, Token]:
    """Where a text between dollars ends, and the text."""
    end = sql.find(opening.group(), opening.end())
    if end < 0 or dialect != "postgresql":
        raise Refused("A text in the statement does not end. Write texts as '…'.", "sql")
    return end + len(opening.group()), Token("text", sql[opening.end() : end])


def _after_comment(sql: str, start: int) -> int:
    """Where a comment ends. Nested ones, of which dialects think differently, and ones that are run are refused."""
    end = sql.find("*/", start + 2)
    if end < 0:
        raise Refused("A comment in the statement does not end.", "sql")
    inside = sql[start + 2 : end]
    if "/*" in inside or inside[:1] in ("!", "+") or inside[:2].upper() == "M!":
        raise Refused("Write comments as -- here.", "sql")
    return end + 2
