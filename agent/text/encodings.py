"""The encoding of a text file, and a copy of it in UTF-8 with plain ends of lines where it has neither."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_letters

from agent.interface_text import Text, joined
from agent.text.regex import regex

MEBIBYTE = 1024 * 1024
_SAMPLE = 256 * 1024
_KANA = regex("[\u3040-\u30ff]")
# Alone beside a small Latin letter one may be none: é, or the ’ of "it’s", and the letter behind it are read like that
# as Shift-JIS. Those that come of no such pair are kanji there, too: the 軸 of "x軸", the 型 of "a型".
_WITH_MARKS = "ŠšŒœŽžŸ’‘“–—àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
_KANJI = (
    r"(?<=[^\x00-\x7f])[\u4e00-\u9fff]|[\u4e00-\u9fff](?=[^\x00-\x7f])|(?<![a-z])[\u4e00-\u9fff](?![a-z])"
    r"|(?![{of_latin}])[\u4e00-\u9fff]"
)
_CYRILLIC = regex("[а-яё]{3}")
_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": Text("Windows-1252 (Western European)"),
    "cp932": Text("Shift-JIS (Japanese)"),
    "euc_jp": Text("EUC-JP (Japanese)"),
    "cp1251": Text("Windows-1251 (Cyrillic)"),
}


@dataclass(frozen=True, slots=True)
class Plain:
    """``path`` is UTF-8 with LF or CRLF; ``encoding`` is Python's name of what the file was in."""

    path: Path
    encoding: str
    note: str = ""


def plain(path: Path, copy: Path, exact: int = 8 * MEBIBYTE) -> Plain:
    """``path`` itself where it is plain, else a copy of it at ``copy``.

    Files up to ``exact`` bytes are looked at as a whole, larger ones at their start, middle and end.
    """
    parts = _parts(path, exact)
    encoding = encoding_of(parts)
    head = parts[0]
    if encoding in ("utf-8", "utf-8-sig") and not _mixed_ends(head) and _valid(parts):
        return Plain(path, encoding)
    return transcoded(path, copy, encoding)


def transcoded(path: Path, copy: Path, encoding: str) -> Plain:
    """A copy in UTF-8; what cannot be decoded becomes U+FFFD, and the note says so."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    replaced = 0
    carried = ""
    with path.open("rb") as source, copy.open("w", encoding="utf-8", newline="") as target:
        while True:
            block = source.read(MEBIBYTE)
            text = carried + decoder.decode(block, final=not block).replace("\x00", "")
            carried = text[-1:] if block and text.endswith("\r") else ""
            text = text[: len(text) - len(carried)].replace("\r\n", "\n").replace("\r", "\n")
            replaced += text.count("\ufffd")
            target.write(text.encode("utf-8", "replace").decode())
            if not block:
                break
    name = _NAMES.get(encoding, encoding)
    notes = [] if encoding.startswith("utf-8") else [Text("Read as {name}.", name=name)]
    if replaced:
        notes.append(Text("{replaced:,} characters could not be read and are shown as �.", replaced=replaced))
    return Plain(copy, encoding, joined(" ", notes))


def _mixed_ends(head: bytes) -> bool:
    """Whether lines end in more than one way, or in a way of former times (CR)."""
    feeds, returns, both = head.count(b"\n"), head.count(b"\r"), head.count(b"\r\n")
    return returns > both or (both > 0 and feeds > both)


def encoding_of(parts: Iterable[bytes]) -> str:
    """Python's name of the encoding of a file of which these are parts, its start first."""
    parts = list(parts)
    head = parts[0]
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    if without_mark := utf_16_without_mark(head[:4096]):
        return without_mark
    if _valid(parts) or _mostly_utf_8(b"".join(parts)):
        return "utf-8"
    return _legacy(parts)


@cache
def _kanji() -> re.Pattern[str]:
    """Kanji that are no pair of Latin letters; made for the first text that may be Japanese, since it takes long."""
    pairs = ((first + second).encode("cp1252") for first in _WITH_MARKS for second in ascii_letters)
    return re.compile(_KANJI.format(of_latin="".join(pair.decode("cp932", "ignore") for pair in pairs)))


def _legacy(parts: list[bytes]) -> str:
    for encoding, expected, least in (
        ("cp932", (_KANA, _kanji()), 0.5),
        ("euc_jp", (_KANA, _kanji()), 0.5),
        ("cp1251", (_CYRILLIC,), 0.15),
    ):
        try:
            text = "".join(part.decode(encoding) for part in parts)
        except UnicodeDecodeError:
            continue
        foreign = [mark for mark in text if ord(mark) > 127]
        found = sum(len(pattern.findall(text)) for pattern in expected)
        # Western text read as Shift-JIS is half-width katakana and rare signs, hardly any of the common ranges.
        if foreign and found >= least * len(foreign):
            return encoding
    return "cp1252" if all(_decodes(part, "cp1252") for part in parts) else "latin-1"


def _decodes(part: bytes, encoding: str) -> bool:
    try:
        part.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _mostly_utf_8(content: bytes) -> bool:
    """Whether there are many more characters of several bytes that are right than bytes that are not."""
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(ord(mark) > 127 for mark in text) - wrong
    return right > 4 * wrong


def _valid(parts: Iterable[bytes]) -> bool:
    return all(_decodes(part, "utf-8") and b"\x00" not in part for part in parts)


def _parts(path: Path, exact: int) -> list[bytes]:
    """The whole file, or parts of it without the lines they begin and end amid, the first with the file's start."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= exact:
            return [file.read()]
        parts: list[bytes] = []
        for start in (0, size // 3, size // 2, 2 * size // 3, max(0, size - _SAMPLE)):
            file.seek(start)
            part = file.read(_SAMPLE)
            first = part.find(b"\n") + 1 if start else 0
            last = part.rfind(b"\n") + 1
            parts.append(part[first:last] if first < last else b"" if start else part)
        return parts


def utf_16_without_mark(head: bytes) -> str:
    """The encoding if nearly every other byte is zero, which Western text in UTF-16 has; else empty."""
    pairs = len(head) // 2
    if pairs < 4:
        return ""
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        others = head[0::2] if encoding == "utf-16-le" else head[1::2]
        if zeros.count(0) > 0.7 * pairs and others.count(0) < 0.02 * pairs:
            return encoding
    return ""
