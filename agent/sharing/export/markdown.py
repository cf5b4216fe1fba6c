"""A conversation as Markdown, for a note, an issue or a mail: nothing in it is fetched by whoever shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from markdown_it import MarkdownIt
from markdown_it.token import Token

from agent.evidence.marks import headline
from agent.sharing.export.checked_answer import Checked, says_something
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.titles import (
    decision_lines,
    dropped_heading,
    ending,
    host,
    instruction_lines,
    observation_heading,
    remarks,
    source_about,
    step_title,
    summary,
    verdict_line,
    worth_showing,
)
from agent.text.characters import one_line, readable
from agent.text.injection import POINTED_OUT
from agent.views.fold import CallView, RunView, StepView, fold

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$!&])")
_BACKTICKS = re.compile(r"`+")
# Code on one line stays as it is; then what would make an image or HTML.
_POLITE = re.compile(r"(\\.|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`))|!(?=\[)|<(?!https?://)")
_BLUNT = re.compile(r"[!<]")
_ENTITIES = {"!": "&#33;", "<": "&lt;"}
_FETCHING = {"image", "html_inline", "html_block"}
# Reading Markdown takes up to a second at that length where it is made for it.
_MOST_CHECKED = 20_000
_MOST_DOUBTFUL = 100
_UNCHECKED: Mapping[str, Checked] = MappingProxyType({})


def export_markdown(exported: Exported, known: Mapping[str, Checked] = _UNCHECKED) -> str:
    """Questions as quotes, answers as they are, every step between them, and what no step supports.

    ``known`` is what stands behind the answers (see ``checked``), by the id of their run.
    """
    blocks = [f"# {_plain(one_line(exported.title, 200)) or 'A conversation'}"]
    for run in exported.runs:
        blocks.extend(_turn(run, known.get(run.id)))
    return "\n\n".join(blocks) + "\n"


def safe_markdown(text: str) -> str:
    """``text`` in which images are links and HTML is text, for any reader of CommonMark."""
    text = readable(text)
    polite = _POLITE.sub(lambda found: found[1] or _ENTITIES[found[0]], text)
    if len(polite) <= _MOST_CHECKED and not _fetches(MarkdownIt("commonmark").enable("table").parse(polite)):
        return polite
    return _BLUNT.sub(lambda found: _ENTITIES[found[0]], text)


def _fetches(tokens: list[Token]) -> bool:
    return any(token.type in _FETCHING or (token.children and _fetches(token.children)) for token in tokens)


def _turn(run: ExportedRun, known: Checked | None) -> Iterator[str]:
    view = fold(run.events)
    yield "## Question"
    yield _quoted(view.question or "(nothing)")
    if view.understood:
        yield f"Understood as: {_plain(one_line(view.understood, 2000))}"
    if view.merge_error:
        yield f"Taken as typed: it could not be merged with the conversation. {_plain(one_line(view.merge_error, 500))}"
    for step in worth_showing(view):
        yield from _step(step)
    yield from _answer(view)
    if known and says_something(view, known):
        yield from _evidence(known)
    yield f"*{_plain(summary(view))}*"
    if said := verdict_line(run.verdict, run.comment):
        yield f"*{_plain(said)}*"


def _answer(view: RunView) -> Iterator[str]:
    if view.answer:
        yield "### Answer"
        yield safe_markdown(view.answer)
    if said := ending(view):
        yield f"**{_plain(said)}**"
    if view.next_questions:
        yield "\n".join(f"- {_plain(one_line(question, 500))}" for question in view.next_questions)


def _evidence(known: Checked) -> Iterator[str]:
    """The line that sums up, and the claims that nothing stands behind."""
    yield f"*{_plain(one_line(known.evidence.summary, 400))}*"
    doubtful = [claim for claim in known.evidence.claims if not claim.traced] if known.evidence.looked_up else []
    if doubtful:
        lines = [
            f"- **{_plain(one_line(claim.text, 120))}**: {_plain(headline(claim, known.texts))}"
            f"{_about(one_line(claim.note, 300))}"
            for claim in doubtful[:_MOST_DOUBTFUL]
        ]
        left = len(doubtful) - _MOST_DOUBTFUL
        yield "\n".join([*lines, f"- And {left:,} more."] if left > 0 else lines)


def _step(step: StepView) -> Iterator[str]:
    failed = " · failed" if step.state == "failed" else ""
    yield f"### Step {step.number}: {_plain(step_title(step))}{failed}"
    if step.thought:
        yield _quoted(step.thought)
    for call in step.calls:
        yield from _call(call)
    for _, text in step.told:
        yield from ("Told to the model:", _code(text))
    if said := remarks(step):
        yield "\n".join(f"- {heading}: {_plain(one_line(remark, 500))}" for heading, remark in said)
    if step.dropped:
        yield from (f"{dropped_heading(step)}:", _code(step.dropped))
    if step.cut.strip():
        yield "Cut off, because the model went on to write what only a tool may say:"
        yield _code(step.cut.strip())


def _call(call: CallView) -> Iterator[str]:
    yield f"Action: {_plain(one_line(call.tool, 80))}"
    yield _code(call.input or "(nothing)")
    yield from (f"{_plain(one_line(line, 5000))}" for line in decision_lines(call))
    if call.observation is None:
        yield "Observation: there is none."
        return
    yield f"{_plain(observation_heading(call))}:"
    yield _code(call.observation or "(nothing)")
    if orders := instruction_lines(call):
        yield "\n".join([f"**{POINTED_OUT}**", "", *(f"- {_plain(order)}" for order in orders)])
    if call.sources:
        yield "\n".join(
            f"{max(0, source.number)}. {_link(source.title, source.url)}{_about(source_about(source))}"
            for source in call.sources
        )
    if call.artifacts:
        yield "\n".join(
            f"- Made: {_plain(one_line(made.name, 80))} ({_plain(one_line(made.kind, 20))}, {made.size:,} bytes)"
            for made in call.artifacts
        )


def _about(text: str) -> str:
    return f": {_plain(text)}" if text else ""


def _link(title: str, url: str) -> str:
    said = _plain(one_line(title or url, 150))
    address = re.sub(r"[()\[\]|*_]", lambda found: f"%{ord(found[0]):02X}", url)
    return f"[{said}](<{address}>) ({host(url)})" if host(url) else said


def _quoted(text: str) -> str:
    return "  \n".join(f"> {_plain(line)}".rstrip() for line in readable(text).split("\n"))


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing."""
    return _MARKS.sub(r"\\\1", readable(text))


def _code(text: str) -> str:
    clean = readable(text)
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(clean)), default=0))
    return f"{fence}text\n{clean}\n{fence}"
