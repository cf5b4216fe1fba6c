"""A tool that can be switched on, and what tools are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict

from agent.sandbox.client import Sandbox
from agent.settings import Settings
from agent.toolkit.base import Effect, Tool
from agent.toolkit.wording import ByTool, Words
from agent.tools.search.search_tool import SearchCache

if TYPE_CHECKING:
    from agent.data.databases.connected import ConversationDatabases
    from agent.data.documents.chat_documents import ConversationDocuments
    from agent.data.tables.chat_tables import ConversationTables
    from agent.shell.chat_shell import ConversationShell


# Begins what ``Entry.missing`` says where the owner decided so.
OFF = "Off: "


class Belongings(TypedDict, total=False):
    """What belongs to a conversation or an installation, and tools are made with; see ``Parts``."""

    tables: ConversationTables | None
    documents: ConversationDocuments | None
    databases: ConversationDatabases | None
    shell: ConversationShell | None
    servers: Sequence[Tool]
    more: Sequence[Entry]
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
    more: Sequence[Entry] = ()
    words: ByTool = field(default_factory=dict[str, Words])
    sandbox: Sandbox = field(default_factory=Sandbox)


def _always(parts: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool that can be switched on.

    ``missing`` says in a sentence what it needs before it can be used, "" where it can; ``usual`` tools are in a run
    where none were chosen; tools that ``reaches_out`` send what they are given to somebody else's server. One that
    ``acts`` writes, spends or sends something: it asks first where untrusted text was read (see ``loop.approval``).
    ``untrusted`` says that it gives other people's text, as all that reach out do. ``file`` is that of a tool of
    the owner's own.
    """

    name: str
    purpose: str
    make: Callable[[Parts], Tool]
    missing: Callable[[Parts], str] = _always
    usual: bool = True
    reaches_out: bool = False
    server: str = ""
    file: str = ""
    acts: bool = False
    untrusted: bool = False

    def tool(self, parts: Parts) -> Tool:
        """The tool, marked with what its calls do."""
        made = self.make(parts)
        effect: Effect = "acts" if self.acts else "reaches" if self.reaches_out else made.effect
        return replace(made, effect=effect, untrusted=self.untrusted or self.reaches_out or made.untrusted)
