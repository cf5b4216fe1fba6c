"""What came of looking one claim up."""

from __future__ import annotations

from dataclasses import dataclass

from agent.evidence.sources import Sources, Spot
from agent.evidence.verdicts import Place, Verdict
from agent.interface_text import Text
from agent.text.quantities.figures import SIGN
from agent.text.quantities.units import unit_at

_MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking a claim up. ``spots`` are the places as (source, start, end), the best first."""

    verdict: Verdict
    spots: tuple[tuple[int, int, int], ...] = ()
    note: str = ""

    def places(self, sources: Sources, widen: bool = False) -> tuple[Place, ...]:
        """The first few places; ``widen`` takes in the unit and sign of a number."""
        found: list[Place] = []
        for index, start, end in self.spots[:_MOST_PLACES]:
            source = sources.texts[index]
            found.append(
                source.place(*(widened(source.text, start, end) if widen and 0 < end - start < 40 else (start, end)))
            )
        return tuple(found)


def differs(spot: Spot, sources: Sources) -> Finding:
    """``differs``, with what stands at the place."""
    text = sources.texts[spot.source].text
    left, right = widened(text, spot.start, spot.end)
    return Finding("differs", (spot[1:],), Text("Seen: {text}", text=text[left:right].strip()))


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a number with its sign, currency and unit starts and ends."""
    _, left, right = unit_at(text, start, end)
    sign = SIGN.search(text, max(0, left - 12), left)
    return (sign.start() if sign is not None else left), right
