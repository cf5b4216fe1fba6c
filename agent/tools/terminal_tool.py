"""The ``terminal`` tool: a command line in the confined shell of the conversation, which the person allows first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agent.errors import BadRequest, ToolFailed
from agent.events import Event
from agent.interface_text import Text
from agent.toolkit.base import Tool, tool
from agent.tools.spec import IN_A_CHAT, Lack, Parts, ToolSpec


def _lack(parts: Parts) -> Lack | None:
    if not parts.settings.terminal:
        return Lack("owner", Text("Off: the owner of this site has not allowed a shell (GLASSBOX_TERMINAL)."))
    from agent.shell.bubblewrap import missing

    refusal = missing()
    if not refusal and parts.shell is None:
        return IN_A_CHAT
    refusal = refusal or (parts.shell.available() if parts.shell else "")
    return Lack("machine", refusal) if refusal else None


def _made(parts: Parts) -> Tool:
    if parts.shell is None:
        raise BadRequest(IN_A_CHAT.sentence)
    return terminal_tool(parts.shell.command, parts.shell.seconds)


SPEC = ToolSpec(
    "terminal",
    Text("Runs commands in a locked shell with a folder of the chat's own."),
    _made,
    title=Text("Terminal"),
    icon="terminal",
    verbs=(Text("Running in the shell:"), Text("Ran in the shell:")),
    subject="command",
    language="text",
    needs=_lack,
    effect="acts",
    untrusted=True,
    repeats=True,
)

# Runs a command: what it printed, and the exit code. Raises ``ToolFailed`` where it was not run to its end.
RunCommand = Callable[[str], tuple[str, int]]
LONGEST_COMMAND = 20_000  # characters
_ASKS = Text(
    "It would run this command in the locked shell of this chat, which reaches no network, no keys, and no "
    "files but its own."
)


def terminal_tool(run: RunCommand, seconds: float = 60.0) -> Tool:
    """The tool for one run. A command may take as many ``seconds``."""

    # A little more than the command has, so that the shell can say itself that its time is over.
    @tool(timeout=seconds + 15.0, stateful=True)
    def terminal(command: str) -> str:
        """Runs a command line in a locked Linux shell and gives what it prints and its exit code. The working folder is
        this chat's own: its files stay for the next call, nothing else does. There are the machine's usual programs; no
        network, no other files, no input, a minute, 512 MB of memory. The user is asked before each call.

        Args:
            command: for example printf 'b\\na\\n' > letters && sort letters
        """
        if not command.strip():
            raise ToolFailed("The command is empty.", "input")
        if len(command) > LONGEST_COMMAND:
            raise ToolFailed(f"The command has {len(command):,} characters; at most {LONGEST_COMMAND:,} fit.", "input")
        if "\0" in command:
            raise ToolFailed("The command has a NUL character in it. Write it without.", "input")
        text, code = run(command)
        return f"Exit code {code}.\n{text}" if text else f"Exit code {code}; it printed nothing."

    return replace(terminal, concern=_concern)


def _concern(arguments: Mapping[str, JsonValue], before: Sequence[Event]) -> str:
    return _ASKS
