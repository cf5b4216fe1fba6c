"""Elements of a page written as Markdown, or as paragraphs of plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from agent.text.regex import regex
from agent.web.reading.document import table_text
from agent.web.reading.hidden import Hiding, visible

_NOT_SHOWN = frozenset((
    "script", "style", "title", "noscript", "template", "svg", "iframe", "object", "embed", "canvas", "audio", "video",
    "head", "select", "datalist", "input", "textarea", "button", "map", "noframes", "progress", "meter", "dialog",
))  # fmt: skip
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "main", "nav", "p", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "ol", "menu",
))  # fmt: skip
_BLOCK = "\n\n{}\n\n"
_SHAPES = {"br": "\n", "hr": "\n\n---\n\n", "dt": "\n\n{}", "q": "“{}”", "li": "{}"}  # with what is inside
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_AROUND = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "kbd": "`", "del": "~~", "s": "~~"}
_DEEPEST = 8  # lists and quotes below it are not set in further
_LONGEST_LINK = 500
_SPACE = regex(r"[ \t\n\r\f\u00a0\u2000-\u200a\u3000]+")
_HELD = regex("\ue000(\\d+)\ue001")
_TITLE = "\ue002"  # before a heading, and its level behind it
_OURS = regex("[\ue000-\ue002]")
_EMPTY_LINES = regex(r"\n[ \t]*(?:\n[ \t]*)+")
_SPACED_END = regex(r"[ \t]+\n")


class Writer:
    """Writes elements. ``hidden`` counts what nobody sees, ``left_out`` are elements to pass over.

    ``base`` is what links are relative to, ``url`` the page's own address.
    """

    def __init__(self, base: str, url: str, hiding: Hiding) -> None:
        self.hidden = 0
        self.left_out: frozenset[Any] = frozenset()
        self._base = base
        self._url = url.partition("#")[0]
        self._hiding = hiding
        self._held: list[str] = []
        self._depth = 0
        self._writers: dict[str, Callable[[Any], str]] = {
            **dict.fromkeys(_HEADINGS, self._heading),
            **dict.fromkeys(_AROUND, self._marked),
            **dict.fromkeys(("ul", "ol", "menu"), self._list),
            "a": self._link,
            "img": self._image,
            "pre": self._code,
            "blockquote": self._quote,
            "table": self._table,
            "dd": self._meaning,
        }
        self._shapes = {**dict.fromkeys(_BLOCKS, _BLOCK), **_SHAPES}

    def write(self, element: Any) -> str:
        """The element's Markdown, tidy."""
        self._held = []
        text = self._element(element)
        text = _EMPTY_LINES.sub("\n\n", _SPACED_END.sub("\n", text)).strip()
        lines = (line if line.startswith(("  ", ">")) else line.strip() for line in text.split("\n"))
        return self._released("\n".join(lines)).strip()

    def _inside(self, element: Any) -> str:
        return "".join(self._pieces(element))

    def _pieces(self, element: Any) -> Iterator[str]:
        if element.text:
            yield _words(element.text)
        for child in element:
            yield self._element(child)
            if child.tail:
                yield _words(child.tail)

    def _element(self, element: Any) -> str:
        tag = element.tag
        if not isinstance(tag, str) or tag in _NOT_SHOWN or element in self.left_out:
            return ""
        if self._hiding.hides(element):
            self.hidden += bool("".join(element.itertext()).strip())
            return ""
        if write := self._writers.get(tag):
            return write(element)
        return self._shapes.get(tag, "{}").replace("{}", self._inside(element), 1)

    def _heading(self, element: Any) -> str:
        words = " ".join(self._inside(element).split())
        return f"\n\n{_HEADINGS[element.tag]} {words}\n\n" if words else ""

    def _link(self, element: Any) -> str:
        inside = self._inside(element)
        address = self._address(str(element.get("href", "")))
        if not address or not inside.strip() or "\n\n" in inside.strip() or "](" in inside:
            return inside
        return f"{_lead(inside)}[{' '.join(inside.split())}]({address}){_trail(inside)}"

    def _address(self, href: str) -> str:
        """Absolute, or "" for what leads nowhere else or is no web address."""
        try:
            address = urljoin(self._base, visible(href).strip())
            host = urlsplit(address).hostname
        except ValueError:
            return ""
        usable = address.startswith(("http://", "https://")) and host and len(address) <= _LONGEST_LINK
        if not usable or address.partition("#")[0] == self._url:
            return ""
        return (
            quote(address, safe="%/:?#[]@!$&'*+,;=~-._|")
            if address.isascii()
            else quote(address, safe="%/:?#@!$&*+,;=~")
        )

    def _image(self, element: Any) -> str:
        words = " ".join(visible(str(element.get("alt", ""))[:300]).split())
        return f"(picture: {words})" if words else ""

    def _marked(self, element: Any) -> str:
        inside = self._inside(element)
        mark = _AROUND[element.tag]
        words = inside.strip()
        if not words or "\n" in words or mark in words:
            return inside
        return f"{_lead(inside)}{mark}{words}{mark}{_trail(inside)}"

    def _meaning(self, element: Any) -> str:
        return f"\n: {self._inside(element).strip()}\n"

    def _code(self, element: Any) -> str:
        text = visible("".join(element.itertext())).strip("\n")
        fence = "```" if "```" not in text else "~~~~"
        held = self._hold(f"{fence}\n{text}\n{fence}")
        return f"\n\n{held}\n\n" if text.strip() else ""

    def _list(self, element: Any) -> str:
        self._depth += 1
        numbered = element.tag == "ol"
        lines: list[str] = []
        for child in element:
            inside = self._element(child).strip()
            if inside:
                mark = f"{len(lines) + 1}." if numbered else "-"
                lines.append(f"{mark} {self._set_in(inside, '  ')}" if child.tag == "li" else inside)
            if child.tail and child.tail.strip():
                lines.append(_words(child.tail).strip())
        self._depth -= 1
        return "\n\n" + "\n".join(lines) + ("\n" if self._depth else "\n\n")

    def _quote(self, element: Any) -> str:
        self._depth += 1
        inside = _EMPTY_LINES.sub("\n\n", self._inside(element)).strip()
        quoted = f"> {self._set_in(inside, '> ')}"
        self._depth -= 1
        return f"\n\n{quoted}\n\n" if inside else ""

    def _set_in(self, text: str, by: str) -> str:
        text = _EMPTY_LINES.sub("\n", text)
        return text.replace("\n", f"\n{by}") if self._depth <= _DEEPEST else text

    def _table(self, element: Any) -> str:
        rows = [self._row(row) for row in element.iter("tr") if _table_of(row) is element]
        captions = [self._inside(child).strip() for child in element if child.tag == "caption"]
        body = self._table_text([row for row in rows if any(cell.strip() for cell in row)])
        return "\n\n".join(["", *captions, body, ""])

    def _table_text(self, rows: list[list[str]]) -> str:
        body = table_text(rows)
        return self._hold(body) if body.startswith("|") else body

    def _row(self, row: Any) -> list[str]:
        cells: list[str] = []
        for cell in row:
            if cell.tag in ("td", "th") and not self._hiding.hides(cell):
                cells += [self._inside(cell), *[""] * (_span(cell) - 1)]
        return cells

    def _hold(self, text: str) -> str:
        """A place for text that stays as it is, exact lines and spaces included."""
        self._held.append(self._released(text))
        return f"\ue000{len(self._held) - 1}\ue001"

    def _released(self, text: str) -> str:
        return _HELD.sub(lambda found: self._held[int(found[1])], text)


class PlainWriter(Writer):
    """Writes elements as paragraphs, without marks of Markdown, addresses and pictures."""

    def __init__(self, hiding: Hiding) -> None:
        super().__init__("", "", hiding)
        for tag in (*_AROUND, "a", "ul", "ol", "menu", "dd", "blockquote"):
            del self._writers[tag]
        self._shapes |= {"hr": "\n\n", "li": _BLOCK, "dt": _BLOCK}

    def paragraphs(self, element: Any) -> Iterator[tuple[int, str]]:
        """Each with its level where it is a heading, else with 0."""
        self._held = []
        for part in _EMPTY_LINES.sub("\n\n", self._element(element)).split("\n\n"):
            text = "\n".join(line.strip() for line in part.split("\n")).strip()
            level, text = (int(text[1]), text[2:]) if text.startswith(_TITLE) else (0, text)
            if text:
                yield level, self._released(text)

    def _heading(self, element: Any) -> str:
        words = " ".join(self._inside(element).split())
        return f"\n\n{_TITLE}{element.tag[1]}{words}\n\n" if words else ""

    def _image(self, element: Any) -> str:
        return ""

    def _code(self, element: Any) -> str:
        text = visible("".join(element.itertext())).strip("\n")
        return f"\n\n{self._hold(text)}\n\n" if text.strip() else ""

    def _table_text(self, rows: list[list[str]]) -> str:
        laid_out = any("\n\n" in cell.strip() for row in rows for cell in row)
        between = "\n\n" if laid_out else " | "
        return "\n\n".join(between.join(cell.strip() for cell in row) for row in rows)


def _span(cell: Any) -> int:
    """How many columns a cell takes, within reason."""
    given = str(cell.get("colspan", "1"))
    return max(1, min(int(given), 20)) if given.isdecimal() and len(given) < 4 else 1


def _table_of(row: Any) -> Any:
    return next(row.iterancestors("table"), None)


def _words(text: str) -> str:
    return _SPACE.sub(" ", _OURS.sub("", visible(text)))


def _lead(text: str) -> str:
    return " " if text[:1].isspace() else ""


def _trail(text: str) -> str:
    return " " if text[-1:].isspace() else ""
