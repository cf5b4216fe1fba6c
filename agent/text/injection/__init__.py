"""Instructions to the agent in what a tool brought: pointed out to the person, by the rules of ``rules.toml``.

An observation is data whatever it says (it is fenced, and its labels are marked, see ``agent.wire.observation``). This
only says where somebody tried. It is neither complete nor a protection.
"""

from __future__ import annotations

import codecs
import re
from base64 import b64decode
from binascii import Error as NotEncoded
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from unicodedata import normalize
from urllib.parse import unquote

from agent.interface_text import Text
from agent.text.regex import regex
from agent.text.word_tables import word_table

_UNSEEN = regex("[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0f]")
_TAGS = regex("[\U000e0020-\U000e007e]{4,}")
_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝαεορυνκτіАЕОРСТУХНКМВІΑΕΟΡΤΥΧΗΚΜΒΙΝ",
    "aeopcyxijshdqwaeopuvktiAEOPCTYXHKMBIAEOPTYXHKMBIN",
)
_DIGITS = str.maketrans("013457@$", "oleastas")
_DIGIT_WITHIN = regex(r"[a-z][013457@$]+[a-z]", re.I)
_SPELLED = regex(r"(?:\b\w[ .·_*-]+){5,}\w\b")
_BASE64 = regex(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = regex(r"(?:[0-9a-f]{2}[ :]?){16,}", re.I)
_MARKUP = regex(r"</?[a-z][^<>]{0,200}>|[*_`~]{1,3}", re.I)
_JOINED = regex(r"[_\-+.]+")
_BACKWARDS = regex(r"snoitcurtsni|tpmorp|erongi|tnatsissa", re.I)
_ROTATED = regex(r"vafgehpgvba|cebzcg|vtaber|nffvfgnag", re.I)


def undisguised(text: str, plain: str) -> Iterator[str]:
    """A sentence with disguises taken off, folded, where that differs; ``plain`` is the sentence folded."""
    seen = {plain}
    for undone in _undone(text, plain):
        variant = folded(undone)
        if variant not in seen:
            seen.add(variant)
            yield variant


def _undone(text: str, plain: str) -> Iterator[str]:
    yield _MARKUP.sub("", text)
    if "&" in text:
        yield unescape(text)
    if "%" in text:
        yield unquote(text)
    if not text.isascii():
        yield normalize("NFKC", text).translate(_ALIKE)
        for tags in _TAGS.finditer(text):
            yield "".join(chr(ord(tag) - 0xE0000) for tag in tags[0])
    if _DIGIT_WITHIN.search(text):
        yield text.translate(_DIGITS)
    if "_" in text or "-" in text or "+" in text:
        yield _JOINED.sub(" ", text)
    if _ROTATED.search(plain):
        yield codecs.decode(text, "rot13")
    if _BACKWARDS.search(plain):
        yield text[::-1]
    for spelled in _SPELLED.finditer(text):
        words = re.split(r"\s{2,}|\s[/|]\s", spelled[0])
        yield " ".join(re.sub(r"[ .·_*-]+", "", word) for word in words)
    yield from _encoded(text)


def _encoded(text: str) -> Iterator[str]:
    for found in _BASE64.finditer(text):
        letters = found[0].replace("-", "+").replace("_", "/").rstrip("=")
        try:
            yield from _readable(b64decode(letters + "=" * (-len(letters) % 4)))
        except (NotEncoded, ValueError):
            continue
    for found in _HEX.finditer(text):
        yield from _readable(bytes.fromhex(re.sub(r"[^0-9a-fA-F]", "", found[0])[: len(found[0]) // 2 * 2]))


def _readable(content: bytes) -> Iterator[str]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return
    if text.isprintable() or "\n" in text:
        yield text


def folded(text: str) -> str:
    """In lower case, with single spaces, without what is not seen."""
    return " ".join(_UNSEEN.sub("", text).lower().replace("’", "'").split())


_PART = regex(r"\{([A-Z_]+)\}")
# Two of the labels of the text wire, one of which nobody writes who does not mean it.
LABELS = regex(
    r"^[ \t>*#-]*(?:(?:Thought|Action|Observation|思考|行動|観察)[ \t]*[:：].*\n(?:.*\n){0,4}?[ \t>*#-]*"
    r"(?:Action Input|Final Answer|行動の入力|最終的な答え)[ \t]*[:：].*"
    r"|(?:Action Input|行動の入力)[ \t]*[:：].*)",
    re.I | re.M,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """``needs``: a text fits only with a word of each of these lists in it."""

    kind: str
    needs: tuple[tuple[str, ...], ...]
    pattern: re.Pattern[str]

    def may_fit(self, text: str) -> bool:
        """Whether a text has the words without which it, and any part of it, does not fit."""
        for words in self.needs:
            for word in words:
                if word in text:
                    break
            else:
                return False
        return True

    def fits(self, text: str) -> bool:
        return self.may_fit(text) and self.pattern.search(text) is not None


@cache
def rules() -> tuple[Rule, ...]:
    read = word_table(__file__, "rules.toml")
    parts: dict[str, str] = read["parts"]
    return tuple(
        Rule(
            rule["kind"],
            tuple(map(tuple, rule["needs"])),
            regex(_PART.sub(lambda found: parts[found[1]], rule["pattern"])),
        )
        for rule in read["rules"]
    )


def matching(text: str, among: Sequence[Rule]) -> str:
    """The kind of the first of these rules that ``text``, in lower case with single spaces, fits, or ""."""
    for rule in among:
        if rule.fits(text):
            return rule.kind
    return ""


POINTED_OUT = Text("This result holds instructions to the agent; they are treated as data.")
_MOST_TEXT = 20_000
_MOST_FINDINGS = 5
_BREAK = regex(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*#>|•]|\d+[.)])\s)|(?<=\s\|)(?=\s)")
_LONGEST = 700
_OVERLAP = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """``text[start:end]`` reads as an instruction to the agent; ``kind`` is the rule's name."""

    start: int
    end: int
    kind: str


@lru_cache(maxsize=256)  # a page that is drawn again asks again
def suspicious(text: str) -> tuple[Finding, ...]:
    """The first passages of ``text`` that address the model, in their order; at most five, which do not overlap."""
    text = text[:_MOST_TEXT]
    found = [Finding(match.start(), match.end(), "label") for match in LABELS.finditer(text)]
    near = [rule for rule in rules() if rule.may_fit(folded(text))]
    for start, end in _segments(text):
        if kind := _kind(text[start:end], near):
            found.append(Finding(start, end, kind))
    chosen: list[Finding] = []
    for finding in sorted(found, key=lambda finding: finding.start):
        if not chosen or finding.start >= chosen[-1].end:
            chosen.append(finding)
    return tuple(chosen[:_MOST_FINDINGS])


def passages(text: str) -> tuple[str, ...]:
    """The words of ``suspicious(text)``."""
    return tuple(text[found.start : found.end] for found in suspicious(text))


def _kind(sentence: str, near: Sequence[Rule]) -> str:
    """The kind of rule that a sentence fits as it stands (only those ``near`` can), or once a disguise is taken off."""
    plain = folded(sentence)
    if kind := matching(plain, near):
        return kind
    return next((kind for undone in undisguised(sentence, plain) if (kind := matching(undone, rules()))), "")


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, trimmed. Line breaks within a sentence do not end it; long ones overlap."""
    start = 0
    for match in _BREAK.finditer(text):
        yield from _pieces(text, start, match.start())
        start = match.end()
    yield from _pieces(text, start, len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        yield start, start + _LONGEST
        start += _LONGEST - _OVERLAP
    if end > start:
        yield start, end
