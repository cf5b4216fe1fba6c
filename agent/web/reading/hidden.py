"""Which parts of a page nobody sees, and which characters of a text nobody sees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.text.regex import regex

# Soft hyphens, zero width, direction marks, invisible operators, tags, variation selectors beyond 16, controls.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
    "|(?<![^\x00-\u02ff])[\u200c\u200d]"
)
_UNSEEN_STYLE = regex(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    r"|font-size\s*:\s*(?:0|1px|0?\.\d+(?:px|em|rem|pt))(?![\d.])|opacity\s*:\s*0?(?:\.0\d*)?\s*(?:;|$|!)"
    r"|(?:text-indent|left|top|right|margin-left|margin-top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*[01]"
    r"|clip-path\s*:\s*inset\((?:50|100)%|transform\s*:\s*scale\(\s*0\s*\)"
    r"|(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|$).*overflow\s*:\s*hidden"
    r"|(?:^|[;\s])color\s*:\s*transparent",
    re.I | re.S,
)
_READERS_ONLY = {"sr-only", "visually-hidden", "screen-reader-text", "visuallyhidden"}
_SIMPLE_SELECTOR = regex(r"[.#][\w-]{1,60}")
_MOST_STYLE = 300_000
_MOST_ATTRIBUTE = 2_000


def visible(text: str) -> str:
    """``text`` without characters that show nothing or turn the order of others round."""
    return _UNSEEN.sub("", text)


@dataclass(frozen=True, slots=True)
class Hiding:
    """The classes and ids (``.name``, ``#name``) that a page's own style sheets hide."""

    selectors: frozenset[str] = frozenset()

    def hides(self, element: Any) -> bool:
        """Whether an element, with all in it, is not seen."""
        given = element.attrib
        if not given:
            return False
        if "hidden" in given or str(given.get("aria-hidden", "")).lower() == "true":
            return True
        style = given.get("style")
        if style and _UNSEEN_STYLE.search(style[:_MOST_ATTRIBUTE]):
            return True
        names = str(given.get("class", ""))[:_MOST_ATTRIBUTE].split()
        if not names and "id" not in given:
            return False
        marks = {f".{name}" for name in names} | {f"#{given.get('id', '')}"}
        return not marks.isdisjoint(self.selectors) or not _READERS_ONLY.isdisjoint(names)


def hiding(styles: list[str]) -> Hiding:
    """What the ``<style>`` elements hide for everybody: rules within ``@media`` and the like do not count."""
    found: set[str] = set()
    for style in styles:
        depth, selector = 0, ""
        for piece in re.split(r"(?<=[{}])", style[:_MOST_STYLE]):
            if piece.endswith("{"):
                depth += 1
                selector = piece[:-1] if depth == 1 else ""
            elif piece.endswith("}"):
                if depth == 1 and _UNSEEN_STYLE.search(piece[:-1]):
                    found |= _selectors(selector)
                depth = max(0, depth - 1)
    return Hiding(frozenset(found))


def _selectors(text: str) -> set[str]:
    parts = (part.strip() for part in text[-_MOST_ATTRIBUTE:].split(","))
    return {part for part in parts if _SIMPLE_SELECTOR.fullmatch(part)}
