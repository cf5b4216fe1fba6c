"""HTML, from the web or a file: as Markdown or as paragraphs, without what nobody sees.

For the sandbox, as everything that parses what a stranger wrote.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from urllib.parse import urljoin

from agent.web.reading.document import Document, Unreadable
from agent.web.reading.hidden import Hiding, hiding, visible
from agent.web.reading.html_markdown import PlainWriter, Writer

# lxml tells no types; its elements are Any in this package.
_etree: Any = import_module("lxml.etree")
_DEPTH = 12_000  # of Python's calls, for 2,048 levels
_ENOUGH = 200  # characters of a page's main part, with which the rest is left out
_WALL = 800  # characters of text, fewer than which a form to sign in is what the page is
_AROUND = ("nav", "footer", "aside")
_DATES = ("article:published_time", "date", "dc.date", "datepublished", "article:modified_time", "last-modified")


def read_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """All that is seen of a page, in paragraphs; a heading comes with its level, what is none with 0."""
    root = parse_html(text)
    if root is not None:
        yield from PlainWriter(_hiding(root)).paragraphs(root)


def read_html(text: str, url: str) -> Document:
    """The main part of a page as Markdown. Raises ``Unreadable`` for a page without any text."""
    root = parse_html(text)
    if root is None:
        raise Unreadable("There is nothing on this page.")
    writer = Writer(_base(root, url), url, _hiding(root))
    written = _written(root, writer)
    title = _title(root)
    if not written:
        scripts = any(True for _ in root.iter("script"))
        why = "The page shows nothing without running its scripts." if scripts else "There is nothing on this page."
        raise Unreadable(why)
    walled = len(written) < _WALL and any(_is_password(field) for field in root.iter("input"))
    hidden = f"{writer.hidden} part{'s' if writer.hidden > 1 else ''} of the page that nobody sees left out."
    return Document(written, title, _date(root), (hidden,) if writer.hidden else (), walled)


def _hiding(root: Any) -> Hiding:
    return hiding([style.text or "" for style in root.iter("style")])


def _written(root: Any, writer: Writer) -> str:
    """The main part of the page where it names one with enough text in it, else all of it."""
    for part in _parts(root):
        writer.hidden = 0
        written = writer.write(part)
        if len(written) >= _ENOUGH:
            return written
    body = root.find("body")
    around = [] if body is None else [element for name in _AROUND for element in body.iter(name)]
    writer.hidden, writer.left_out = 0, frozenset(around)
    without = writer.write(root)
    if len(without) >= _ENOUGH or not around:
        return without
    writer.hidden, writer.left_out = 0, frozenset()
    return writer.write(root)


def _parts(root: Any) -> Iterator[Any]:
    mains = [element for element in root.iter("main", "div", "section") if _is_main(element)]
    yield from mains[:1]
    articles = list(root.iter("article"))
    if len(articles) == 1:
        yield articles[0]


def _is_main(element: Any) -> bool:
    return element.tag == "main" or element.get("role") == "main"


def _is_password(field: Any) -> bool:
    return str(field.get("type", "")).lower() == "password"


def _base(root: Any, url: str) -> str:
    given = next((element.get("href") for element in root.iter("base") if element.get("href")), "")
    try:
        return urljoin(url, given)
    except ValueError:
        return url


def _title(root: Any) -> str:
    named = [element for element in root.iter("title") if element.getparent().tag in ("head", "html", "body")][:1]
    named += list(root.iter("h1"))[:1]
    for element in named:
        if title := one_line("".join(element.itertext())):
            return title
    return one_line(_meta(root, "og:title"))


def _date(root: Any) -> str:
    return next((date[:10] for name in _DATES if (date := one_line(_meta(root, name)))), "")


def _meta(root: Any, name: str) -> str:
    for element in root.iter("meta"):
        if name in (str(element.get(key, "")).lower() for key in ("property", "name", "itemprop")):
            return str(element.get("content", ""))
    return ""


def one_line(text: str, most: int = 200) -> str:
    return " ".join(visible(text[: most * 4]).split())[:most]


def parse_html(text: str) -> Any:
    """The root element; ``None`` where there is nothing. Levels beyond 2,048 are not read."""
    sys.setrecursionlimit(max(_DEPTH, sys.getrecursionlimit()))
    parser = _etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    return _parsed(text, parser)


def parse_xml(text: str) -> Any:
    """The root element; ``None`` where there is none."""
    parser = _etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    return _parsed(text, parser)


def _parsed(text: str, parser: Any) -> Any:
    try:
        return _etree.fromstring(text.encode("utf-8", "replace") or b" ", parser)
    except (_etree.XMLSyntaxError, ValueError):
        return None
