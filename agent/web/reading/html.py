"""A web page as Markdown: title, headings, links, lists, tables and code, without what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from agent.web.reading.document import Document, Unreadable
from agent.web.reading.hidden import hiding, visible
from agent.web.reading.html_markdown import Writer
from agent.web.reading.markup import parse_html

_ENOUGH = 200  # characters of a page's main part, with which the rest is left out
_WALL = 800  # characters of text, fewer than which a form to sign in is what the page is
_AROUND = ("nav", "footer", "aside")
_DATES = ("article:published_time", "date", "dc.date", "datepublished", "article:modified_time", "last-modified")


def read_html(text: str, url: str) -> Document:
    """Raises ``Unreadable`` for a page without any text."""
    root = parse_html(text)
    if root is None:
        raise Unreadable("There is nothing on this page.")
    writer = Writer(_base(root, url), url, hiding([style.text or "" for style in root.iter("style")]))
    written = _written(root, writer)
    title = _title(root)
    if not written:
        scripts = any(True for _ in root.iter("script"))
        why = "The page shows nothing without running its scripts." if scripts else "There is nothing on this page."
        raise Unreadable(why)
    walled = len(written) < _WALL and any(_is_password(field) for field in root.iter("input"))
    hidden = f"{writer.hidden} part{'s' if writer.hidden > 1 else ''} of the page that nobody sees left out."
    return Document(written, title, _date(root), (hidden,) if writer.hidden else (), walled)


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
