"""What of an answer claims nothing: code, headings, list numbers, source marks, step numbers, addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"`[^`\n]+`")
_HEADING = re.compile(r"^[ ]{0,3}(?:#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?[ \t]*)$", re.M)
_LISTED = re.compile(
    r"^[ \t>]*(?:[-*+•][ \t]+)?(?:\*\*)?[(（]?[0-9]{1,3}[.)、．）][ \t*]|^[ \t>]*[①-⑳]|^[ \t]*[0-9]{1,3}、", re.M
)
_MARK = re.compile(r"\[\^?[0-9]{1,3}(?:[ ]?[,、–-][ ]?[0-9]{1,3}){0,9}\]|【[0-9]+[^】\n]{0,20}】")
_STEP = re.compile(
    r"\b(?:steps?|sources?|options?|figures?|fig\.|tables?|ステップ|手順|出典)[ ]?#?[0-9]{1,3}\b|"
    r"(?:ステップ|手順|出典|図|表)[ ]?[0-9]{1,3}",
    re.I,
)
_HEAD = re.compile(r"^[^\n]*\n(?=[ ]*\|?[ ]*:?-{2,}[-| :]*$)", re.M)  # of a table
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'「」『』、。（）|`]+", re.I)
_INK = re.compile(r"[^\n]")
_CLOSING = ".,;:!?)]}*_"


@dataclass(frozen=True, slots=True)
class Link:
    start: int
    end: int
    url: str


def links_in(text: str) -> list[Link]:
    """Addresses in the text, without the punctuation that follows them."""
    found: list[Link] = []
    for match in _LINK.finditer(text):
        url = match[0][:2_000]
        cut = url.find("](")
        url = url if cut < 0 else url[:cut]
        while url and url[-1] in _CLOSING and not (url[-1] == ")" and "(" in url and url.count("(") >= url.count(")")):
            url = url[:-1]
        if "." in url:
            found.append(Link(match.start(), match.start() + len(url), url))
    return found


def masked(text: str, links: list[Link]) -> str:
    """``text`` with blanks, as long as they were, for all that claims nothing, and for the links."""
    text = _without_fences(text)
    pieces = list(text)
    for link in links:
        pieces[link.start : link.end] = " " * (link.end - link.start)
    text = "".join(pieces)
    for pattern in (_CODE, _HEADING, _HEAD, _LISTED, _MARK, _STEP, _TAG):
        text = pattern.sub(lambda match: _INK.sub(" ", match[0]), text)
    return text


def _without_fences(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.splitlines(keepends=True)
    fence = ""
    for index, line in enumerate(lines):
        match = _FENCE.match(line)
        inside = bool(fence)
        if match is not None and not fence:
            fence, inside = match[1], True
        elif match is not None and match[1].startswith(fence):
            fence = ""
        if inside:
            lines[index] = re.sub(r"[^\r\n]", " ", line)
    return "".join(lines)
