"""An answer as HTML: its Markdown, its evidence marks, and nothing that a browser would fetch or run."""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any, NamedTuple, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from agent.sharing.export.formula_html import formula_html
from agent.sharing.export.titles import host
from agent.text.characters import readable
from agent.text.mathematics import Formula, formula_at
from agent.text.regex import regex

Env: TypeAlias = MutableMapping[str, Any]

# Reading Markdown takes up to a second at that length where it is made for it, and four times that at twice the length.
_MOST_MARKDOWN = 20_000
# Where a mark starts and ends, as one character each while the Markdown is read: no text needs those planes.
_STARTS, _ENDS = 0xF0000, 0x100000
_PLACE = regex("([\U000f0000-\U000ffffd\U00100000-\U0010fffd])")
_SHOWN = ("text", "code_inline")
_MOST_MARKS = 0xFFF0
_ADDRESS = regex(r"(https?://[^\s<>\"'`\\]*[^\s<>\"'`\\.,;:!?()\[\]*_~|。、）」])", re.I)
_LINK = '<a href="{}" rel="noopener noreferrer nofollow" target="_blank">'


class Mark(NamedTuple):
    """Characters ``start`` to ``end`` of the answer, the class and the title of what is drawn around them.

    ``target`` is the id of a part of the page that they lead to, ``sign`` what is raised behind them; "" for none.
    """

    start: int
    end: int
    kind: str
    title: str
    target: str = ""
    sign: str = ""


def answer_html(text: str, marks: Sequence[Mark] = ()) -> str:
    """Safe HTML of a Markdown text. HTML in it is shown as written; images are links; links say their real host.

    ``marks`` may overlap and cross each other and the Markdown; places are those of ``text``. One inside a code block
    or an address is not drawn.
    """
    placed = readable(_with_places(text, marks))
    if len(text) > _MOST_MARKDOWN:
        return f'<div class="as-typed">{_State(marks, set(_PLACE.findall(placed))).html(placed)}</div>'
    reader = _Markdown("commonmark", {"html": False, "xhtmlOut": False}, renderer_cls=_Renderer)
    reader.inline.ruler.before("escape", "formula", _formula)
    tokens = reader.enable(["table", "strikethrough"]).parse(placed)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # below the headings of the page
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    shown = (inner.content for token in tokens for inner in token.children or () if inner.type in _SHOWN)
    state = _State(marks, set(_PLACE.findall("".join(shown))))
    return str(reader.renderer.render(tokens, reader.options, {"state": state}))


@dataclass(slots=True)
class _State:
    """Where in an answer the renderer is: which marks are open, in how many links, whether in code.

    ``places`` are those that lie in what is shown: a mark that starts or ends elsewhere, in an address, is not drawn.
    """

    marks: Sequence[Mark]
    places: set[str]
    open: list[int] = field(default_factory=list[int])
    links: int = 0
    code: bool = False
    address: str = ""
    linked: list[str] = field(default_factory=list[str])

    def html(self, text: str) -> str:
        return "".join(self._parts(text))

    def _parts(self, text: str) -> Iterator[str]:
        """Every piece between two places is drawn in a mark of its own, so that marks never cross a tag."""
        for index, part in enumerate(_PLACE.split(text)):
            if index % 2 == 0:
                yield self._drawn(part) if part else ""
            elif ord(part) >= _ENDS:
                yield self._sign(ord(part) - _ENDS)
                self.open = [number for number in self.open if number != ord(part) - _ENDS]
            elif chr(ord(part) - _STARTS + _ENDS) in self.places:
                self.open.append(ord(part) - _STARTS)

    def _drawn(self, text: str) -> str:
        shown = escape(text) if self.links or self.code else _linked(text)
        if not self.open or not text.strip():
            return shown
        mark = self.marks[self.open[-1]]
        about = f'class="{escape(mark.kind)}" title="{escape(mark.title)}"'
        if mark.target and not self.links and "<a " not in shown:
            return f'<a {about} href="#{escape(mark.target)}">{shown}</a>'
        return f"<mark {about}>{shown}</mark>"

    def _sign(self, number: int) -> str:
        """What is raised behind a mark: drawn by the style, so that it is no part of the text."""
        if number not in self.open or not self.marks[number].sign:
            return ""
        mark = self.marks[number]
        return f'<span class="sign {escape(mark.kind)}" data-sign="{escape(mark.sign)}"></span>'


class _Markdown(MarkdownIt):
    """CommonMark in which only web addresses are links."""

    def validateLink(self, url: str) -> bool:
        return host(_PLACE.sub("", url)) != ""

    def normalizeLink(self, url: str) -> str:
        return super().normalizeLink(_PLACE.sub("", url))

    def normalizeLinkText(self, link: str) -> str:
        return link


def _formula(state: StateInline, silent: bool) -> bool:
    """A rule of markdown-it: whether a formula begins here. A mark within one is not drawn."""
    found = formula_at(state.src[: state.posMax], state.pos)
    if found is None:
        return False
    if not silent:
        state.push("formula", "math", 0).meta = {"formula": found._replace(tex=_PLACE.sub("", found.tex))}
    state.pos = found.end
    return True


class _Renderer(RendererHTML):
    """Each method draws the token of its name; markdown-it finds them by it."""

    def formula(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        formula: Formula = tokens[idx].meta["formula"]
        drawn = formula_html(formula)
        return f'<span class="wide">{drawn}</span>' if formula.display else drawn

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        state: _State = env["state"]
        if state.links:
            state.linked.append(_PLACE.sub("", tokens[idx].content))
        return state.html(tokens[idx].content)

    def code_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        state: _State = env["state"]
        state.code = True
        shown = self.text(tokens, idx, options, env)
        state.code = False
        return f"<code>{shown}</code>"

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return f"<pre><code>{escape(_PLACE.sub('', tokens[idx].content))}</code></pre>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return self.code_block(tokens, idx, options, env)

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        state: _State = env["state"]
        state.address = str(tokens[idx].attrGet("href") or "")
        if not state.address:
            return ""
        state.links += 1
        state.linked.clear()
        return _LINK.format(escape(state.address))

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        state: _State = env["state"]
        if not state.address:
            return ""
        state.links -= 1
        return "</a>" + _host_behind("".join(state.linked), state.address)

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        state: _State = env["state"]
        image = tokens[idx]
        source = str(image.attrGet("src") or "")
        said = _PLACE.sub("", self.renderInlineAsText(image.children, options, env)).strip()
        said = said or "image"
        if state.links or not source:
            return escape(said)
        return f"{_LINK.format(escape(source))}{escape(said)}</a>{_host_behind(said, source)}"

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return '<div class="wide"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "</table></div>\n"


def _linked(text: str) -> str:
    """Text in which bare web addresses can be clicked."""
    parts = [escape(part) for part in _ADDRESS.split(text)]
    parts[1::2] = [f"{_LINK.format(part)}{part}</a>" if host(unescape(part)) else part for part in parts[1::2]]
    return "".join(parts)


def real_host(said: str, address: str) -> str:
    """The host that a link with the text ``said`` leads to; "" where the text begins with it."""
    real = host(address)
    shown = re.sub(r"^https?://", "", said.strip(), flags=re.I).lower()
    return "" if shown == real or shown.startswith(tuple(real + mark for mark in "/?#")) else real


def _host_behind(said: str, address: str) -> str:
    """What follows a link: its host, unless its text begins with it."""
    real = real_host(said, address)
    return f' <span class="host">({escape(real)})</span>' if real else ""


def _with_places(text: str, marks: Sequence[Mark]) -> str:
    """The text with a character at each start and end of a mark."""
    parts: list[tuple[int, int, str]] = []
    for number, mark in enumerate(marks[:_MOST_MARKS]):
        start, end = mark.start, mark.end
        if 0 <= start < end <= len(text):
            # At one place, what ends goes before what starts.
            parts += [(start, 1, chr(_STARTS + number)), (end, 0, chr(_ENDS + number))]
    clean = _PLACE.sub("\ufffd", text)
    done, pieces = 0, list[str]()
    for place, _, character in sorted(parts):
        pieces += [clean[done:place], character]
        done = place
    return "".join([*pieces, clean[done:]])
