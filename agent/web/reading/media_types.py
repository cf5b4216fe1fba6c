"""Which kind of document something is, by its media type, its name and its first bytes; and how it is decoded."""

from __future__ import annotations

import codecs
import re
from typing import Literal

from agent.text.encodings import encoding_of
from agent.text.regex import regex

Kind = Literal["pdf", "html", "json", "table", "xml", "text", "binary"]
MEBIBYTE = 1024 * 1024
_MOST_TEXT = 3 * MEBIBYTE
_MOST_PDF = 12 * MEBIBYTE
_UNNAMED = ("", "application/octet-stream", "binary/octet-stream", "application/x-download")
_JSON = regex(r"application/(?:[\w.-]+\+)?(?:json|x-ndjson)|text/json")
_XML = regex(r"(?:application|text)/(?:[\w.-]+\+)?xml")
_HTML = ("text/html", "application/xhtml+xml")
_TABLES = ("text/csv", "text/tab-separated-values", "application/csv")
_OTHER_TEXT = (
    "application/javascript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/sql",
)
_HTML_START = regex(rb"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_META_CHARSET = regex(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w:.-]{2,30})", re.I)
_ALIASES = {
    "shift_jis": "cp932",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SAMPLE = 65_536


def most_bytes(media: str) -> int:
    """How much is read of a media type; 0 for what holds no text."""
    if media == "application/pdf" or media in _UNNAMED:
        return _MOST_PDF
    if media.startswith("text/") or media in (*_HTML, *_TABLES, *_OTHER_TEXT):
        return _MOST_TEXT
    return _MOST_TEXT if _JSON.fullmatch(media) or _XML.fullmatch(media) else 0


def kind_of(media: str, path: str, content: bytes) -> Kind:
    if b"%PDF-" in content[:1024]:
        return "pdf"
    marked = any(content.startswith(mark) for mark, _ in _MARKS)
    if not marked and b"\0" in content[:_SAMPLE] and content[:_SAMPLE].count(b"\0") > 8:
        return "binary"
    if media in _HTML:
        return "html"
    if _JSON.fullmatch(media):
        return "json"
    if _XML.fullmatch(media):
        return "xml"
    if media in _TABLES or path.lower().endswith((".csv", ".tsv")):
        return "table"
    if media == "application/pdf":
        return "binary"
    return _sniffed(content) if media in _UNNAMED else "text"


def _sniffed(content: bytes) -> Kind:
    if _HTML_START.match(content[:4096]):
        return "html"
    start = content.lstrip()[:5]
    if start.startswith(b"<?xml"):
        return "xml"
    return "json" if start[:1] in (b"{", b"[") else "text"


def decoded(content: bytes, charset: str, markup: bool) -> tuple[str, bool]:
    """The text, and whether some of it could not be decoded. Proper UTF-8 is UTF-8 whatever the server called it."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return _with(content, name)
    named = _codec(charset)
    if not content.isascii() and not named.startswith("utf-16"):
        text, wrong = _with(content, "utf-8")
        if not wrong:
            return text, False
    found = _META_CHARSET.search(content[:4096]) if markup else None
    meta = _codec(found[1].decode("ascii")) if found else ""
    for name in (named, meta if not meta.startswith("utf-16") else ""):
        if name:
            text, wrong = _with(content, name)
            if not wrong:
                return text, False
    return _with(content, encoding_of([content]))


def _with(content: bytes, name: str) -> tuple[str, bool]:
    """A character that is cut in two at the very end is no mistake of the server's."""
    text = content.decode(name, "replace")
    return text, "\ufffd" in text[:-1]


def _codec(charset: str) -> str:
    """The name of a text codec that may be used, else ""."""
    try:
        found = codecs.lookup(charset)
    except (LookupError, ValueError):
        return ""
    if not getattr(found, "_is_text_encoding", False) or found.name in ("utf-7", "idna", "punycode", "unicode_escape"):
        return ""
    return _ALIASES.get(found.name, found.name)
