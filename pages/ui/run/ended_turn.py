"""A turn that has ended, as everybody sees it who may read it: its steps, its answer, and what stands behind that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from agent.application.readership import Readership
from agent.application.setup import DEMO
from agent.events import Event
from agent.evidence import Earlier, Evidence
from agent.store.runs import RunRow
from agent.views.fold import RunView
from pages.ui.run import evidence, render, two_answers
from pages.ui.session import state
from pages.ui.widgets import artifacts, documents

_UNFOLDED = "unfolded"  # forgotten in another conversation


def unfold(run: str) -> None:
    """Draw an earlier turn of the open conversation whole from now on."""
    state.put(_UNFOLDED, (state.conversation_id(), [*_unfolded(), run]))


def is_folded(run: str, later: int) -> bool:
    """Whether a turn with so many behind it is drawn without its steps."""
    return later >= state.TURNS and run not in _unfolded()


def _unfolded() -> list[str]:
    return list((state.widget(_UNFOLDED) or ("", []))[1])


def draw(
    reader: Readership,
    row: RunRow,
    view: RunView,
    events: Sequence[Event],
    known: Evidence,
    earlier: Sequence[Earlier],
    unmerge: Callable[[], None] | None = None,
    folded: bool = False,
) -> Any:
    """The turn below its question; what it gives is the place for what can be done with it.

    A ``folded`` one has no steps, and what stands behind its answer only where that is doubtful.
    """
    read = partial(reader.artifact, row)
    answer = evidence.marked(row.id, view.answer, events, known, earlier)
    foot = render.folded(row.id, view, read, answer) if folded else render.ended(row.id, view, read, answer, unmerge)
    support = not folded or any(claim.doubtful for claim in known.claims)
    with foot:
        artifacts.result(row.id, view, read)
        documents.under_answer(row.id, view)
        render.broken_off(view)
        if view.failure:
            render.failure(view)
        if support and view.answer and (known.rests_on_results if known.looked_up else view.endpoint != DEMO):
            evidence.draw(row.id, events, known, earlier)
        evidence.remarks(row.id, known)
        two_answers.draw(row, view)
    return foot
