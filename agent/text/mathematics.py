"""Finds mathematics in a text: TeX between ``$``, ``$$``, ``\\(`` and ``\\)``, or ``\\[`` and ``\\]``.

A dollar also begins an amount of money. So what stands between two single ones is a formula only where Pandoc would
read one (no blank within the delimiters, no digit or letter behind) and where it looks like mathematics. A formula that
could draw outside of its place, or define commands, is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agent.text.regex import regex

MOST_CHARACTERS = 2_000
_CLOSING = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_OPENING = regex(r"\$\$?(?!\$)|\\[(\[]")
_COMMAND = regex(r"\\[A-Za-z%,;!{}]")
# Commands and lengths by which TeX draws beyond its line, hides, loads or defines something; a comment hides, too.
_UNSAFE = regex(
    r"\\(?:html|href|url|include|rule|raisebox|[hv]space|[hm]?kern|[hm]skip|[rlc]lap|math[rlc]lap|smash|[hv]?phantom"
    r"|[Hh]uge|tiny|vcenter|genfrac|(?:text)?color|f?colorbox|(?:new|renew|provide)command"
    r"|(?:[egx]?def|let|futurelet|global|long|char|above)(?![A-Za-z]))"
    r"|\d\s*(?:em|ex|pt|mu|cm|mm|in|bp|pc|dd|cc|sp|px)\s*\]|(?<!\\)%|`|!\[|\]\(|://"
)
# What is only allowed on lines of its own has a name under which it is allowed within one.
_OWN_LINES = (
    (regex(r"\\(begin|end)\{(?:align|eqnarray|alignat|multline)\*?\}"), r"\\\1{aligned}"),
    (regex(r"\\(begin|end)\{gather\*?\}"), r"\\\1{gathered}"),
    (regex(r"\\(?:begin|end)\{equation\*?\}"), " "),
    (regex(r"\\tag\*?\{([^{}]*)\}"), r"\\qquad\\text{(\1)}"),
    (regex(r"\\(?:label\{[^{}]*\}|nonumber|notag)"), " "),
)
_RAISED = regex(r"[\^_]")
# Single letters, figures and signs; names of more than one letter are those of functions only.
_SHORT = regex(
    r"(?:(?<![A-Za-z])[A-Za-z](?![A-Za-z])|(?:sin|cos|tan|log|ln|exp|max|min)(?![A-Za-z])|[\d\s=+\-*/<>()|,.!'≤≥≈·×])+"
)
# What is put between the characters of a text while it is read (``pages.ui.text.escaping.marking``) says nothing.
_PRIVATE = regex("[\U000f0000-\U0010ffff]")
_LETTER = regex("[\U000f0000-\U0010ffff]*[^\\W_]")
_SIGN = regex(r"[=+*/<>≤≥≈·×]")


class Formula(NamedTuple):
    """``tex`` without its delimiters; ``end`` is behind the closing one; ``display`` asks for a line of its own."""

    tex: str
    end: int
    display: bool


def formula_at(text: str, start: int) -> Formula | None:
    """The formula whose opening delimiter is at ``start``, or ``None``. It does not go beyond an empty line."""
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    mark = opening.group()
    closing = text.find(_CLOSING[mark], opening.end(), opening.end() + MOST_CHARACTERS)
    inner = text[opening.end() : closing] if closing >= 0 else ""
    plain = _PRIVATE.sub("", inner)
    end = closing + len(mark)
    # Markdown ends a formula at the next dollars, as many as began it, whatever stands before them.
    if not plain or "$" in inner or (mark[0] == "$" and text[end : end + 1] == "$") or inner[-1] == "\\":
        return None
    if mark in inner:  # the one that ends here began later
        return None
    if "\n\n" in inner or _UNSAFE.search(plain) or not _balanced(plain) or not _is_mathematics(plain, mark):
        return None
    if mark == "$" and (plain[0].isspace() or plain[-1].isspace() or _LETTER.match(text, end)):
        return None
    for pattern, new in _OWN_LINES:
        inner = pattern.sub(new, inner)
    tex = " ".join(inner.split())
    return Formula(tex, end, mark in ("$$", "\\[")) if tex else None


def _escaped(text: str, place: int) -> bool:
    start = place
    while start and text[start - 1] == "\\":
        start -= 1
    return (place - start) % 2 == 1


def _balanced(tex: str) -> bool:
    depth = 0
    for place, sign in enumerate(tex):
        if sign in "{}" and not _escaped(tex, place):
            depth += 1 if sign == "{" else -1
            if depth < 0:
                return False
    return depth == 0


def _is_mathematics(inner: str, mark: str) -> bool:
    """Whether it has a command or an index, or is a letter or some, with signs: ``x``, ``2 = 1 + 1``; not ``5 M``.

    Brackets are escaped in prose, too: between them a letter is not enough.
    """
    if _COMMAND.search(inner) or _RAISED.search(inner):
        return True
    short = inner.strip()
    says = "=" in short or any(character.isalpha() for character in short)
    signs = bool(_SIGN.search(short))
    return bool(_SHORT.fullmatch(short)) and says and (signs or (mark != "\\[" and not short[0].isdigit()))


def formulas(text: str) -> Iterator[tuple[int, Formula]]:
    """The formulas of a text with the places where they begin; code in it is not told apart."""
    done = 0
    for found in _OPENING.finditer(text):
        if found.start() >= done and not _escaped(text, found.start()):
            formula = formula_at(text, found.start())
            if formula:
                yield found.start(), formula
                done = formula.end
