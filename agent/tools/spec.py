"""What is told of a tool, once: its name, purpose, icon and verbs, what it needs, what its calls do, how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from pydantic import JsonValue

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sandbox.client import Sandbox
from agent.settings import Secret, Settings
from agent.toolkit.base import Effect, Tool
from agent.toolkit.wording import ByTool, Words

if TYPE_CHECKING:
    from agent.data.databases.connected import ConversationDatabases
    from agent.data.documents.chat_documents import ConversationDocuments
    from agent.data.tables.chat_tables import ConversationTables
    from agent.shell.chat_shell import ConversationShell
    from agent.tools.search.search_tool import SearchCache

# What the title of a step says behind the verb: the subject as it is, in quotes, its number of lines, the page that was
# read, the first line of the result (which says what was asked, too), or nothing.
Told: TypeAlias = Literal["subject", "quoted", "lines", "page", "result", "nothing"]


class Belongings(TypedDict, total=False):
    """What belongs to a conversation or an installation, and tools are made with; see ``Parts``."""

    tables: ConversationTables | None
    documents: ConversationDocuments | None
    databases: ConversationDatabases | None
    shell: ConversationShell | None
    servers: Sequence[Tool]
    more: Sequence[ToolSpec]
    words: ByTool


@dataclass(frozen=True, slots=True)
class Parts:
    """What tools are made with, for one run: what the owner set up, and what belongs to the conversation.

    ``servers`` are the tools of connected servers and described services, ready made. ``more`` are the owner's own,
    ``words`` those in which tools are told to the model. The ``sandbox`` is for where there is no conversation, which
    brings one along.
    """

    settings: Settings
    searches: SearchCache
    language: str = "en"
    tables: ConversationTables | None = None
    documents: ConversationDocuments | None = None
    databases: ConversationDatabases | None = None
    shell: ConversationShell | None = None
    servers: Sequence[Tool] = ()
    more: Sequence[ToolSpec] = ()
    words: ByTool = field(default_factory=dict[str, Words])
    sandbox: Sandbox = field(default_factory=Sandbox)

    def chat_tables(self) -> ConversationTables:
        """The tables of the conversation. Raises ``BadRequest`` where there is no conversation yet."""
        if self.tables is None:
            raise BadRequest(IN_A_CHAT.sentence)
        return self.tables


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a tool cannot be used now, as a ``sentence``.

    It lacks a ``setting`` of the owner's, a ``file`` or database of the conversation, the ``chat`` itself, or something
    of the ``machine``; or the ``owner`` does not offer it.
    """

    kind: Literal["setting", "file", "chat", "machine", "owner"]
    sentence: str


IN_A_CHAT = Lack("chat", Text("Begin a chat first: its programs and tables have a room of their own."))


def nothing(parts: Parts) -> Lack | None:
    """The tool can always be used."""


def a_table(parts: Parts) -> Lack | None:
    """The tool works on tables of the conversation."""
    loaded = parts.tables and parts.tables.loaded()
    return None if loaded else Lack("file", Text("Drop a table into the question box first."))


def a_sandbox(parts: Parts) -> Lack | None:
    """The tool runs programs, with tables or without."""
    if parts.tables is None:
        return IN_A_CHAT
    refusal = parts.tables.files.sandbox.available()
    return Lack("machine", refusal) if refusal else None


def a_key(key: Callable[[Settings], Secret], sentence: str) -> Callable[[Parts], Lack | None]:
    """The tool calls a service with a key of the owner's; ``sentence`` names the setting and where to get one."""
    return lambda parts: None if key(parts.settings) else Lack("setting", sentence)


def first_line(result: str) -> str:
    """The first line of a result, up to a bracket: what is in it is the same once more, as a machine writes it."""
    return result.partition("\n")[0].partition(" (")[0]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """All that is told of a tool beside its function.

    ``name`` and ``icon`` (of Material Symbols) are the tool's, ``purpose`` says in a sentence for people what it does.
    ``title`` is what people call it, "" where that is its name. ``make`` makes it for one run.
    ``usual`` tools are in a run where none were chosen.

    In the title of a step, the first of the ``verbs`` stands while a call is at work, the second once it is done; what
    they are about is ``told`` behind them. ``subject`` names the argument that a call is about; where it is in a
    ``language``, such as "sql", it is shown as code.

    ``needs`` says what the tool lacks before it can be used. The ``effect`` of a call is as in ``Tool``. The result of
    an ``untrusted`` tool is other people's text; that of each that reaches out is. The result of a ``public`` tool is
    never the person's own data. A tool that ``repeats`` gives back what the model wrote into the call, so that an
    address in its result may be the model's own.

    ``line`` makes of a result what is ``told`` of it there: one line, a ``Text`` where other languages can say it.

    ``server`` is whose tool it is, "" for ours; ``file`` is that of a tool of the owner's own.
    """

    name: str
    purpose: str
    make: Callable[[Parts], Tool] = field(repr=False, compare=False)
    icon: str = "build"
    verbs: tuple[str, str] = ("", "")
    subject: str = ""
    told: Told = "subject"
    language: str = ""
    needs: Callable[[Parts], Lack | None] = field(default=nothing, repr=False, compare=False)
    effect: Effect = "reads"
    untrusted: bool = False
    public: bool = False
    repeats: bool = False
    usual: bool = True
    server: str = ""
    file: str = ""
    title: str = ""
    line: Callable[[str], str] = field(default=first_line, repr=False, compare=False)

    @property
    def reaches_out(self) -> bool:
        """Whether what the tool is given is sent to somebody else's server."""
        return self.effect == "reaches" or bool(self.server)

    def tool(self, parts: Parts) -> Tool:
        """The tool for a run, with what its calls do. Raises ``BadRequest`` where it cannot be made now."""
        return self.with_effect(self.make(parts))

    def with_effect(self, made: Tool) -> Tool:
        """``made`` with its icon, and what the loop must know of its calls."""
        effect: Effect = made.effect if self.effect == "reads" else self.effect
        untrusted = self.untrusted or self.reaches_out or made.untrusted
        # Of an agent, what its tools brought counts by itself.
        agent = made.works is not None
        shown = {"public": self.public or agent, "repeats": self.repeats or agent}
        return replace(made, icon=self.icon, effect=effect, untrusted=untrusted, **shown)

    def about(self, arguments: Mapping[str, JsonValue] | None) -> str:
        """What a call with such arguments is about; "" where that is not said."""
        about = (arguments or {}).get(self.subject)
        return about if isinstance(about, str) else ""
