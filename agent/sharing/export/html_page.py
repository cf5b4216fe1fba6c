"""One self-contained page of HTML: it opens without a network, runs nothing and fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from types import MappingProxyType

from jinja2 import Template
from markupsafe import Markup

from agent.data.pictures import picture_size
from agent.events import Artifact, Prepared
from agent.sharing.export.answer_html import answer_html, real_host
from agent.sharing.export.checked_answer import Checked, says_something
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_evidence import Traces
from agent.sharing.export.titles import template, verdict_line
from agent.text.characters import one_line, readable
from agent.text.injection import POINTED_OUT
from agent.views.fold import RunView, fold
from agent.web.services.result_cards import cards_text

_MOST_ARTIFACT = 200_000
_UNCHECKED: Mapping[str, Checked] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Turn:
    """A run as the template ``turn.html`` draws it; ``is_branch``: a run before it stands in the same place."""

    view: RunView
    language: str
    is_branch: bool
    answer: Markup
    has_evidence: bool
    traces: Traces
    verdict: str
    artifacts: Mapping[str, bytes]


def export_html(exported: Exported, known: Mapping[str, Checked] = _UNCHECKED) -> str:
    """The page. Steps are closed and open by a click, or where a mark leads into them; printed, they are open.

    ``known`` is what stands behind the answers (see ``checked``), by the id of their run.
    """
    turns = [_turn(run, exported.runs[:place], known.get(run.id)) for place, run in enumerate(exported.runs)]
    return _page().render(
        title=one_line(exported.title, 200) or "A conversation",
        turns=turns,
        pictures=any(turn.view.pictures for turn in turns),
        pointed_out=POINTED_OUT,
    )


def _turn(run: ExportedRun, earlier: Sequence[ExportedRun], known: Checked | None) -> _Turn:
    view, traces = fold(run.events), Traces(len(earlier) + 1, known or Checked())
    languages = [event.language for event in run.events if isinstance(event, Prepared)]
    return _Turn(
        view=view,
        language="ja" if languages and languages[-1] == "ja" else "en",
        is_branch=any(other.follows == run.follows for other in earlier),
        answer=Markup(answer_html(view.answer, traces.marks())),
        has_evidence=says_something(view, known),
        traces=traces,
        verdict=verdict_line(run.verdict, run.comment),
        artifacts=run.artifacts,
    )


def picture_url(picture: Artifact, contents: Mapping[str, bytes]) -> str:
    """A picture of a question as a data URL, "" where it is not kept or none."""
    content = contents.get(picture.hash, b"")
    return replace(picture, content=content).data_url if picture_size(content) else ""


def artifact_text(artifact: Artifact, contents: Mapping[str, bytes]) -> str | None:
    """What an artifact says, cut; ``None`` where it is not kept or no text."""
    content = contents.get(artifact.hash)
    if content is None or artifact.kind not in ("text", "json", "table", "cards"):
        return None
    shown = cards_text(content) if artifact.kind == "cards" else content.decode("utf-8", "replace")
    left = f"\n… {len(shown) - _MOST_ARTIFACT:,} characters left out" if len(shown) > _MOST_ARTIFACT else ""
    return shown[:_MOST_ARTIFACT] + left


@cache
def _page() -> Template:
    return template("page.html", inert, artifact_text, picture_url, readable, real_host)


def inert(text: str) -> str:
    """``text`` escaped, without characters that hide it."""
    return escape(readable(text))
