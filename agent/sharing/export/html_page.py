"""One self-contained page of HTML: it opens without a network, runs nothing and fetches nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType

from agent.events import Artifact, Prepared, Source
from agent.sharing.export.answer_html import answer_html, real_host
from agent.sharing.export.checked_answer import Checked, says_something
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_evidence import Traces
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
from agent.web.services.result_cards import cards_text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = Path(__file__).with_name("style.css")
_MOST_ARTIFACT = 200_000
_UNCHECKED: Mapping[str, Checked] = MappingProxyType({})


def export_html(exported: Exported, known: Mapping[str, Checked] = _UNCHECKED) -> str:
    """The page. Steps are closed and open by a click, or where a mark leads into them; printed, they are open.

    ``known`` is what stands behind the answers (see ``checked``), by the id of their run.
    """
    title = escape(one_line(exported.title, 200) or "A conversation")
    turns = "\n".join(_turn(run, exported.runs[:place], known.get(run.id)) for place, run in enumerate(exported.runs))
    count = len(exported.runs)
    return f"""<!doctype html>
<html lang="{_language(exported.runs[0]) if exported.runs else "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<main>
<header>
<h1>{title}</h1>
<p class="quiet">Written by Glassbox: {count} question{"" if count == 1 else "s"} with every step of each answer.</p>
</header>
{turns}
</main>
</body>
</html>
"""


def _turn(run: ExportedRun, earlier: Sequence[ExportedRun], known: Checked | None) -> str:
    view, traces = fold(run.events), Traces(len(earlier) + 1, known or Checked())
    parts = [
        f'<article lang="{_language(run)}">',
        f'<div class="question"><h2>{_text(view.question) or "(nothing)"}</h2></div>',
        *_understood(view),
        *(_quiet("Another version of an answer above.") for _ in [0] if _is_branch(run, earlier)),
        *(_step(step, run, traces) for step in worth_showing(view)),
        *([f'<div class="answer">{answer_html(view.answer, traces.marks())}</div>'] if view.answer else []),
        *([traces.listed()] if says_something(view, known) else []),
        *_end(view),
        f'<p class="quiet">{escape(summary(view))}</p>',
        *(_quiet(said) for said in [verdict_line(run.verdict, run.comment)] if said),
        "</article>",
    ]
    return "\n".join(parts)


def _understood(view: RunView) -> Iterator[str]:
    if view.understood:
        yield _quiet(f"Understood as: {readable(view.understood)}")
    if view.merge_error:
        yield _quiet(f"Taken as typed: it could not be merged with the conversation. {readable(view.merge_error)}")


def _end(view: RunView) -> Iterator[str]:
    if said := ending(view):
        kind = "bad" if view.state == "failed" else "quiet"
        yield f'<p class="{kind}">{escape(said)}</p>'
    if view.next_questions:
        yield _quiet("To ask next:")
        yield "".join(["<ul>", *(f"<li>{_text(question)}</li>" for question in view.next_questions), "</ul>"])


def _step(step: StepView, run: ExportedRun, traces: Traces) -> str:
    failed = ' class="failed"' if step.state == "failed" else ""
    parts = [f"<details{failed}>", f"<summary>{step.number}. {escape(step_title(step))}</summary>", "<dl>"]
    if step.thought:
        parts.append(
            _shown(
                "Thought · edited by hand" if step.edited else "Thought",
                f'<div class="as-typed">{_text(step.thought)}</div>',
            )
        )
    parts += [part for call in step.calls for part in _call(call, step.number, run, traces)]
    parts += [_shown("Told to the model", _code(text)) for _, text in step.told]
    parts += [_shown(heading, f'<div class="as-typed">{_text(said)}</div>') for heading, said in remarks(step)]
    if step.dropped:
        parts.append(_shown(dropped_heading(step), _code(step.dropped)))
    if step.cut.strip():
        said = "Cut off, because the model went on to write what only a tool may say"
        parts.append(_shown(said, f"<pre><del>{_text(step.cut.strip())}</del></pre>"))
    return "\n".join([*parts, "</dl>", "</details>"])


def _call(call: CallView, step: int, run: ExportedRun, traces: Traces) -> Iterator[str]:
    yield _shown(f"Action · {one_line(call.tool, 80)}", _code(call.input or "(nothing)"))
    if said := decision_lines(call):
        yield _shown("Decision", "<br>".join(_text(line) for line in said))
    if call.observation is None:
        yield _shown("Observation", "There is none.")
        return
    observed = traces.observation(call.observation, call.call_id, step) or "(nothing)"
    yield _shown(observation_heading(call), f"<pre>{observed}</pre>")
    if orders := instruction_lines(call):
        listed = "".join(f"<li>{_text(order)}</li>" for order in orders)
        yield _shown("Instructions to the agent", f'<p class="doubt">{escape(POINTED_OUT)}</p><ul>{listed}</ul>')
    if call.sources:
        yield _shown("Sources", "".join(["<ul>", *map(_source, call.sources), "</ul>"]))
    for artifact in call.artifacts:
        yield f"<dd>{_artifact(artifact, run.artifacts.get(artifact.hash))}</dd>"


def _source(source: Source) -> str:
    title = one_line(source.title, 150) or one_line(source.url, 150)
    said = escape(title)
    if host(source.url):
        address = escape(source.url)
        said = f'<a href="{address}" rel="noopener noreferrer nofollow" target="_blank">{said}</a>'
        said += real_host(title, source.url)
    about = source_about(source)
    detail = f'<br><span class="host">{escape(about)}</span>' if about else ""
    return f"<li>[{source.number}] {said}{detail}</li>"


def _artifact(artifact: Artifact, content: bytes | None) -> str:
    named = f"{one_line(artifact.name, 80)} ({artifact.kind}, {artifact.size:,} bytes)"
    if content is None or artifact.kind not in ("text", "json", "table", "cards"):
        return _quiet(f"Made: {named}")
    shown = cards_text(content) if artifact.kind == "cards" else content.decode("utf-8", "replace")
    left = f"\n… {len(shown) - _MOST_ARTIFACT:,} characters left out" if len(shown) > _MOST_ARTIFACT else ""
    return f"<details><summary>{escape(named)}</summary>{_code(shown[:_MOST_ARTIFACT] + left)}</details>"


def _shown(name: str, html: str) -> str:
    return f"<dt>{escape(name)}</dt><dd>{html}</dd>"


def _code(text: str) -> str:
    return f"<pre>{_text(text)}</pre>"


def _quiet(text: str) -> str:
    return f'<p class="quiet">{escape(text)}</p>'


def _text(text: str) -> str:
    return escape(readable(text))


def _is_branch(run: ExportedRun, earlier: Sequence[ExportedRun]) -> bool:
    """Whether a run before it stands in the same place of the conversation."""
    return any(other.follows == run.follows for other in earlier)


def _language(run: ExportedRun) -> str:
    languages = [event.language for event in run.events if isinstance(event, Prepared)]
    return "ja" if languages and languages[-1] == "ja" else "en"
