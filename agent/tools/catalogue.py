"""The tools there are, in one list; which of them a run has; and how a person looks through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from unicodedata import normalize

from agent.errors import BadRequest
from agent.extensions.folder import Loaded
from agent.interface_text import Text
from agent.settings import Settings
from agent.toolkit.base import Effect, Tool, Toolbox
from agent.toolkit.wording import told
from agent.tools import ask_user, calculator, convert, now, recall, search, terminal_tool
from agent.tools.lookups import movies, news, read_url, wikipedia, wolfram
from agent.tools.own_data import chart, documents_tool, programs, python, query, query_database
from agent.tools.spec import IN_A_CHAT, Lack, Parts, ToolSpec, a_sandbox, a_table
from agent.tools.weather import weather_tool

# In the order in which a model is told of them, but for those that come with files: they are last. Small models take
# the first that seems to fit, so those that are asked for by the most different words come first.
CATALOGUE = (
    calculator.SPEC,
    now.SPEC,
    search.SPEC,
    *search.ENGINES,
    read_url.SPEC,
    documents_tool.SPEC,
    ask_user.SPEC,
    weather_tool.SPEC,
    convert.SPEC,
    wikipedia.SPEC,
    news.SPEC,
    movies.SPEC,
    wolfram.SPEC,
    query.SPEC,
    query_database.SPEC,
    chart.SPEC,
    programs.LLM_MATH,
    programs.WORD_PROBLEM,
    programs.COLORED_OBJECTS,
    python.SPEC,
    terminal_tool.SPEC,
)
NAMES = tuple(spec.name for spec in CATALOGUE)
# ``recall`` is not chosen: a run has it once its conversation is shortened.
_BY_NAME = {spec.name: spec for spec in (*CATALOGUE, recall.SPEC)}
_OFF = "-"  # before the name of a server's tool, among the chosen ones: it is on where nothing is said of it
_ALL_OFF = "-*"
_MOST_OFF = 300
_NOT_OFFERED = Lack("owner", Text("Off: the owner of this site does not offer it."))
_SWITCHED_OFF = Text("It is switched off; the person can switch it on, under Settings.")


def built_in(name: str) -> ToolSpec:
    """The spec of the tool of that own name; for a tool of somebody else's, or one that is gone, what holds for any."""
    return _BY_NAME.get(name) or ToolSpec(name, "", _gone)


def _gone(parts: Parts) -> Tool:
    raise BadRequest.because("This tool is not here any more.")


def specs(parts: Parts) -> tuple[ToolSpec, ...]:
    """All tools there are here: ours, the owner's own, those of servers; one of a name that is taken is left out."""
    ours = (*CATALOGUE, *parts.more)
    taken = {spec.name for spec in ours}
    return (*ours, *(_of_server(tool) for tool in parts.servers if tool.name not in taken))


def runs_programs(chosen: Sequence[str]) -> bool:
    """Whether one of the chosen tools needs a room for programs, and no tables."""
    return any(spec.needs is a_sandbox and spec.name in chosen for spec in CATALOGUE)


def own_specs(loaded: Loaded) -> tuple[ToolSpec, ...]:
    """The owner's own tools."""
    return tuple(_ready_made(own.tool, file=own.file) for own in loaded.tools)


def _of_server(tool: Tool) -> ToolSpec:
    """What a server says of its tool is not verified: one that nobody vouches for is taken to act."""
    effect: Effect = "reaches" if tool.effect == "reaches" else "acts"
    return _ready_made(tool, effect, server=tool.hints.server)


def _ready_made(tool: Tool, effect: Effect = "reads", server: str = "", file: str = "") -> ToolSpec:
    return ToolSpec(
        tool.name, tool.description, lambda _: tool, icon=tool.icon, effect=effect, server=server, file=file
    )


def offered(spec: ToolSpec, settings: Settings) -> bool:
    """Whether the owner of this site offers the tool."""
    return not settings.tools or bool({spec.name, spec.server} & set(settings.tools))


def lack(spec: ToolSpec, parts: Parts) -> Lack | None:
    """Why a tool cannot be used now."""
    return spec.needs(parts) if offered(spec, parts.settings) else _NOT_OFFERED


def missing(spec: ToolSpec, parts: Parts) -> str:
    """Why a tool cannot be used now, as a sentence; "" where it can."""
    found = lack(spec, parts)
    return found.sentence if found else ""


def is_on(name: str, chosen: Sequence[str] | None) -> bool:
    """Whether a tool is among the ``chosen`` ones, or a usual one where none were chosen.

    One that is not in the catalogue, for those come and go, is on unless it was switched off by name.
    """
    if name not in _BY_NAME:
        return chosen is None or name in chosen or not {_OFF + name, _ALL_OFF} & set(chosen)
    return name in chosen if chosen is not None else _BY_NAME[name].usual


def only(names: Sequence[str]) -> tuple[str, ...]:
    """The choice of these and no others, no server's either."""
    return (*names, _ALL_OFF)


def usable(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that could be switched on now."""
    return tuple(spec.name for spec in specs(parts) if lack(spec, parts) is None)


def ready(parts: Parts, chosen: Sequence[str] | None) -> frozenset[str]:
    """The names of the tools that the next run has."""
    return frozenset(name for name in usable(parts) if is_on(name, chosen))


def to_switch(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that can be switched on or off: the usable ones, and those that lack a chat alone."""
    return tuple(spec.name for spec in specs(parts) if lack(spec, parts) in (None, IN_A_CHAT))


def choosing(picked: Sequence[str], offered: Sequence[str], before: Sequence[str] | None) -> tuple[str, ...]:
    """What is chosen once some of the ``offered`` were ``picked``: the others stay as they were ``before``."""
    ours = tuple(name for name in NAMES if (name in picked if name in offered else is_on(name, before)))
    kept = [name for name in before or () if name.startswith(_OFF) and name != _ALL_OFF and name[1:] not in offered]
    off = [_OFF + name for name in offered if name not in NAMES and name not in picked]
    return (*ours, *(off + kept)[:_MOST_OFF])


def known(parts: Parts, chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """The chosen ones that are tools now: one that is not in the catalogue may be gone since it was chosen."""
    names = [spec.name for spec in specs(parts)]
    return None if chosen is None else tuple(name for name in chosen if name in names or name.startswith(_OFF))


def check_names(chosen: Sequence[str], parts: Parts) -> None:
    """Raises ``BadRequest`` for a name that is no tool's."""
    names = {spec.name for spec in specs(parts)}
    unknown = {name for name in chosen if not name.startswith(_OFF)} - names
    if unknown:
        raise BadRequest.because("There is no tool {names}.", names=", ".join(sorted(unknown)))


def toolbox(parts: Parts, chosen: Sequence[str] | None = None) -> Toolbox:
    """The tools of a run: the ``chosen`` ones that can be used now, or the usual ones.

    Raises ``BadRequest`` for a name that is no tool's.
    """
    check_names(chosen or (), parts)
    there = specs(parts)
    lacking = {spec.name: missing(spec, parts) for spec in there}
    wanted = [spec for spec in there if is_on(spec.name, chosen) and not lacking[spec.name]]
    wanted.sort(key=_comes_later)
    tools = told([_limited(spec, parts) for spec in wanted], parts.words)
    return Toolbox(tools, {name: why or _SWITCHED_OFF for name, why in lacking.items()})


def _comes_later(spec: ToolSpec) -> bool:
    """Whether the tool comes with files: told last, it leaves what a server has kept of the prompt as it was."""
    return spec.needs in (a_table, query_database.SPEC.needs)


def one_tool(spec: ToolSpec, parts: Parts) -> Tool:
    """A tool as a run would have it. Raises ``BadRequest`` where it cannot be made now."""
    return told([_limited(spec, parts)], parts.words)[0]


def _limited(spec: ToolSpec, parts: Parts) -> Tool:
    """With the most calls that the owner allows in a run."""
    made = spec.tool(parts)
    return replace(made, most=parts.settings.tool_limits.get(spec.name, 0))


State: TypeAlias = Literal["ready", "off", "needs", "owner"]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool: whether it is in the next run, and why it is not.

    ``tool`` is ``None`` where it cannot be made before what it needs is there.
    """

    spec: ToolSpec
    state: State
    lack: Lack | None = None
    tool: Tool | None = None

    @property
    def name(self) -> str:
        """What the model is told it is called."""
        return self.tool.name if self.tool else self.spec.name

    @property
    def can_be_switched(self) -> bool:
        """Before there is a chat, too, where it lacks nothing else."""
        return self.lack in (None, IN_A_CHAT)

    @property
    def why(self) -> str:
        """Why it cannot be used, as a sentence; "" where it can."""
        return self.lack.sentence if self.lack else ""

    @property
    def description(self) -> str:
        return self.tool.description if self.tool else ""


def rows(parts: Parts, chosen: Sequence[str] | None) -> tuple[ToolRow, ...]:
    """All tools, in the order of the catalogue."""
    return tuple(_row(spec, parts, chosen) for spec in specs(parts))


def _row(spec: ToolSpec, parts: Parts, chosen: Sequence[str] | None) -> ToolRow:
    tool = None
    with suppress(BadRequest):
        tool = one_tool(spec, parts)
    if found := lack(spec, parts):
        return ToolRow(spec, "owner" if found.kind == "owner" else "needs", found, tool)
    return ToolRow(spec, "ready" if is_on(spec.name, chosen) else "off", None, tool)


def matching(listed: Iterable[ToolRow], sought: str) -> tuple[ToolRow, ...]:
    """Those in whose names, purposes and descriptions each of the words occurs, whatever their case and width."""
    words = _plain(sought).split()
    told = [(row, _plain(" ".join((row.spec.name, row.name, row.spec.purpose, row.description)))) for row in listed]
    return tuple(row for row, text in told if all(word in text for word in words))


def _plain(text: str) -> str:
    return normalize("NFKC", text).casefold()
