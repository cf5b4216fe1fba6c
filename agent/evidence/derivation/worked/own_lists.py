"""A count of what the answer itself lists: "Three cities: A, B and C"."""

from __future__ import annotations

from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources
from agent.evidence.verdicts import TABLES
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_ITEMS = regex(r"[^.!?\n。]{0,80}?[:：—–(（]([^.!?\n。:：]{3,400})")
_COMMA = regex(r",? (?:and|or|&) |, |、|と|及び|および")
_BULLETS = regex(r"[^\n]{0,300}+\n++((?:[ \t]*+(?:[-*+•]|[0-9]{1,2}[.)])[ \t][^\n]*+\n*+){2,30})")
_QUOTED = regex(r"[\"“][^\"“”\n]{2,80}[\"”]|[「『][^「」『』\n]{1,80}[」』]")


_HEADS = regex(r"\([0-9,]+ rows, ([0-9]+) columns\): [^\n]*")
_AND_MORE = regex(r"[(:：（]([^:：（\n]{3,400}?),? and (?=[0-9]{1,3} more\b)")


def left_out(figure: Figure, answer: Answer, sources: Sources) -> Finding | None:
    """ "A, B and 4 more" of the 6 columns of a loaded table: those that the answer does not name."""
    listed = None
    for match in _AND_MORE.finditer(answer.text, max(0, figure.start - 420), figure.end + 6):
        listed = match if match.end() == figure.start else listed
    if listed is None or figure.step != 1:
        return None
    for index, source in enumerate(sources.texts):
        if source.call_id == TABLES:
            for heads in _HEADS.finditer(source.text):
                names = [one.strip().lower() for one in listed[1].split(", ")]
                if int(heads[1]) == len(names) + figure.value and all(one in heads[0].lower() for one in names):
                    return Finding("given", ((index, *heads.span(1)),))
    return None


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
