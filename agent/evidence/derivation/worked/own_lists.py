"""A count of what the answer itself lists: "Three cities: A, B and C"."""

from __future__ import annotations

from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_ITEMS = regex(r"[^.!?\n。]{0,80}?[:：—–(（]([^.!?\n。:：]{3,400})")
_COMMA = regex(r",? (?:and|or|&) |, |、|と|及び|および")
_BULLETS = regex(r"[^\n]{0,300}+\n++((?:[ \t]*+(?:[-*+•]|[0-9]{1,2}[.)])[ \t][^\n]*+\n*+){2,30})")
_QUOTED = regex(r"[\"“][^\"“”\n]{2,80}[\"”]|[「『][^「」『』\n]{1,80}[」』]")


def listed_count(figure: Figure, answer: Answer) -> Finding | None:
    """ "Three cities: A, B and C", three titles in quotes or three bullets below: a count of the answer's own list."""
    if figure.unit is not None or figure.step != 1 or not 2 <= figure.value <= 30:
        return None
    _, right = answer.sentence(figure.start)
    items = _ITEMS.match(answer.lower, figure.end)
    bullets = _BULLETS.match(answer.lower, figure.end)
    counts = (
        len([part for part in _COMMA.split(items[1]) if part.strip()]) if items is not None else 0,
        len(bullets[1].strip().splitlines()) if bullets is not None else 0,
        len(_QUOTED.findall(answer.lower, figure.end, right)),
    )
    if (count := int(figure.value)) in counts:
        return Finding("worked_out", (), Text("count of the {count} items named here", count=count))
    return None
