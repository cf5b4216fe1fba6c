"""The forms in which a sentence is looked at: as it stands, and undone where it is disguised."""

from __future__ import annotations

import codecs
import re
from base64 import b64decode
from binascii import Error as NotEncoded
from collections.abc import Iterator
from html import unescape
from unicodedata import normalize
from urllib.parse import unquote

_UNSEEN = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0f]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝαεορυνκτіАЕОРСТУХНКМВІΑΕΟΡΤΥΧΗΚΜΒΙΝ",
    "aeopcyxijshdqwaeopuvktiAEOPCTYXHKMBIAEOPTYXHKMBIN",
)
_DIGITS = str.maketrans("013457@$", "oleastas")
_DIGIT_WITHIN = re.compile(r"[a-z][013457@$]+[a-z]", re.I)
_SPELLED = re.compile(r"(?:\b\w[ .·_*-]+){5,}\w\b")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-f]{2}[ :]?){16,}", re.I)
_MARKUP = re.compile(r"</?[a-z][^<>]{0,200}>|[*_`~]{1,3}", re.I)
_JOINED = re.compile(r"[_\-+.]+")
_BACKWARDS = re.compile(r"snoitcurtsni|tpmorp|erongi|tnatsissa", re.I)
_ROTATED = re.compile(r"vafgehpgvba|cebzcg|vtaber|nffvfgnag", re.I)


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
