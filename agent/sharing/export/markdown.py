"""A conversation as Markdown, for a note, an issue or a mail: nothing in it is fetched by whoever shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from jinja2 import Template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from agent.evidence import Claim
from agent.evidence.marks import headline
from agent.sharing.export.checked_answer import Checked, says_something
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.titles import host, template, verdict_line
from agent.text.characters import one_line, readable
from agent.text.injection import POINTED_OUT
from agent.text.regex import regex
from agent.views.fold import RunView, fold

_MARKS = regex(r"([\\`*_{}\[\]<>#|~$!&])")
_BACKTICKS = regex(r"`+")
# Code on one line stays as it is; then what would make an image or HTML.
_POLITE = regex(r"(\\.|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`))|!(?=\[)|<(?!https?://)")
_BLUNT = regex(r"[!<]")
_ENTITIES = {"!": "&#33;", "<": "&lt;"}
_FETCHING = {"image", "html_inline", "html_block"}
# Reading Markdown takes up to a second at that length where it is made for it.
_MOST_CHECKED = 20_000
_UNCHECKED: Mapping[str, Checked] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Turn:
    """A run as the template ``conversation.md`` tells it; ``doubtful`` are the claims that nothing stands behind."""

    view: RunView
    known: Checked | None
    doubtful: Sequence[Claim]
    verdict: str


def export_markdown(exported: Exported, known: Mapping[str, Checked] = _UNCHECKED) -> str:
    """Questions as quotes, answers as they are, every step between them, and what no step supports.

    ``known`` is what stands behind the answers (see ``checked``), by the id of their run.
    """
    turns = [_turn(run, known.get(run.id)) for run in exported.runs]
    return _page().render(title=exported.title, turns=turns, pointed_out=POINTED_OUT)


def _turn(run: ExportedRun, known: Checked | None) -> _Turn:
    view = fold(run.events)
    known = known if says_something(view, known) else None
    claims = known.evidence.claims if known and known.evidence.looked_up else ()
    return _Turn(view, known, [claim for claim in claims if not claim.traced], verdict_line(run.verdict, run.comment))


def safe_markdown(text: str) -> str:
    """``text`` in which images are links and HTML is text, for any reader of CommonMark."""
    text = readable(text)
    polite = _POLITE.sub(lambda found: found[1] or _ENTITIES[found[0]], text)
    if len(polite) <= _MOST_CHECKED and not _fetches(MarkdownIt("commonmark").enable("table").parse(polite)):
        return polite
    return _BLUNT.sub(lambda found: _ENTITIES[found[0]], text)


def _fetches(tokens: list[Token]) -> bool:
    return any(token.type in _FETCHING or (token.children and _fetches(token.children)) for token in tokens)


@cache
def _page() -> Template:
    made = (answer, code, headline, link, quoted)
    return template("conversation.md", _plain, *made)


def answer(text: str) -> Markup:
    return Markup(safe_markdown(text))


def link(title: str, url: str) -> Markup:
    said = _plain(one_line(title or url, 150))
    address = re.sub(r"[()\[\]|*_]", lambda found: f"%{ord(found[0]):02X}", url)
    return Markup(f"[{said}](<{address}>) ({host(url)})" if host(url) else said)


def quoted(text: str) -> Markup:
    return Markup("  \n".join(f"> {_plain(line)}".rstrip() for line in readable(text).split("\n")))


def code(text: str) -> Markup:
    clean = readable(text)
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(clean)), default=0))
    return Markup(f"{fence}text\n{clean}\n{fence}")


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing."""
    return _MARKS.sub(r"\\\1", readable(text))
