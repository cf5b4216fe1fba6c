"""Checks the answers of an export against what was observed, as the page does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.evidence import Earlier, Evidence, check, earlier_turn
from agent.evidence.marks import Behind, behind
from agent.sharing.export.collected import Exported
from agent.views.fold import RunView

_MOST_EARLIER = 12
# The built-in model has no memory that an answer could be from.
_BY_RULES_ALONE = "demo"


@dataclass(frozen=True, slots=True)
class Checked:
    """The evidence of an answer, and the texts that its places are in."""

    evidence: Evidence = field(default_factory=Evidence)
    texts: Behind = field(default_factory=Behind)


def checked(exported: Exported) -> Mapping[str, Checked]:
    """What stands behind the answer of every run, by its id; each is checked after the turns that it follows."""
    turns: dict[str, tuple[str, Earlier]] = {}
    found: dict[str, Checked] = {}
    for run in exported.runs:
        earlier = _before(run.follows, turns)
        known = check(run.events, earlier)
        turns[run.id] = (run.follows, earlier_turn(run.events, known.claims))
        found[run.id] = Checked(known, behind(run.events, earlier))
    return found


def says_something(view: RunView, known: Checked | None) -> bool:
    """Whether the summary of the evidence belongs under an answer, which may not have been checked."""
    if known is None or view.state != "answered":
        return False
    return bool(known.evidence.claims) if known.evidence.looked_up else view.endpoint != _BY_RULES_ALONE


def _before(run: str, turns: Mapping[str, tuple[str, Earlier]]) -> list[Earlier]:
    """The turns up to ``run``, the first one first."""
    found: list[Earlier] = []
    while run in turns and len(found) < _MOST_EARLIER:
        run, turn = turns[run]
        found.append(turn)
    return found[::-1]
