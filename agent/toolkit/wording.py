"""How tools are told to a model in words of a person's own: another name, another description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from agent.errors import BadRequest
from agent.toolkit.base import Tool, folded
from agent.toolkit.tool_names import is_name

MOST_DESCRIPTION = 2_000  # characters
_MOST_FORMER = 8
_MOST_TOOLS = 200


@dataclass(frozen=True, slots=True)
class Words:
    """In place of a tool's own words; "" leaves them. ``former`` are the names it was told under before."""

    name: str = ""
    description: str = ""
    former: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the tool is told in its own words."""
        return not (self.name or self.description)


ByTool: TypeAlias = Mapping[str, Words]
# As plain texts: the tool's own name, then the fields of ``Words``.
Plain: TypeAlias = tuple[tuple[str, str, str, tuple[str, ...]], ...]


def from_plain(plain: Plain) -> dict[str, Words]:
    return {own: Words(name, description, former) for own, name, description, former in plain[:_MOST_TOOLS]}


def to_plain(words: ByTool) -> Plain:
    return tuple((own, each.name, each.description, each.former) for own, each in words.items())[:_MOST_TOOLS]


def over(words: ByTool, default: ByTool) -> dict[str, Words]:
    """What holds in a conversation: its own ``words``, and the ``default`` where it has none for a tool."""
    merged = dict(default)
    for own, mine in words.items():
        base = default.get(own, Words())
        former = dict.fromkeys((*mine.former, *base.former, *filter(None, [base.name])))
        merged[own] = replace(base if mine.empty else mine, former=tuple(former))
    return merged


def without_names(words: ByTool) -> dict[str, Words]:
    """Descriptions alone, for a model that knows the tools by their own names."""
    return {own: Words("", each.description, (*filter(None, [each.name]), *each.former)) for own, each in words.items()}


def changed(words: ByTool, own: str, name: str, description: str, others: Iterable[str]) -> dict[str, Words]:
    """With other words for the tool ``own``; "" goes back to its own. ``others`` are the names of all other tools.

    Raises ``BadRequest`` for a name or a description that cannot be used.
    """
    name, description = name.strip(), description.strip()
    name = "" if name == own else name
    if name and not is_name(name):
        raise BadRequest.because(
            "A name begins with a letter, and has letters, digits, _, - and single blanks only, at most 64."
        )
    if name and folded(name) in set(map(folded, others)):
        raise BadRequest.because("Another tool is called {name} already. Choose another name.", name=name)
    if len(description) > MOST_DESCRIPTION:
        raise BadRequest.because(
            "A description may have {most:,} characters; this one has {count:,}.",
            most=MOST_DESCRIPTION,
            count=len(description),
        )
    before = words.get(own, Words())
    former = [former for former in (before.name, *before.former) if former and former != name]
    return {**words, own: Words(name, description, tuple(dict.fromkeys(former))[:_MOST_FORMER])}


def told(tools: Sequence[Tool], words: ByTool) -> list[Tool]:
    """The tools in those words. A name that another tool has keeps to that one, and a tool keeps its own then."""
    taken = {folded(tool.name) for tool in tools}
    said: list[Tool] = []
    for tool in tools:
        mine = words.get(tool.name, Words())
        free = is_name(mine.name) and folded(mine.name) not in taken - {folded(tool.name)}
        if free:
            taken.add(folded(mine.name))
        said.append(tool.told_as(mine.name if free else "", mine.description[:MOST_DESCRIPTION], mine.former))
    return said
