"""The ``wolfram`` tool: facts and mathematics computed by Wolfram Alpha."""

from __future__ import annotations

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.settings import ServiceAddresses
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import ToolSpec, a_key

SPEC = ToolSpec(
    "wolfram",
    Text("Asks Wolfram Alpha for facts and mathematics."),
    lambda parts: wolfram_tool(parts.settings.wolfram_key.reveal(), parts.settings.services),
    title=Text("Wolfram Alpha"),
    icon="function",
    verbs=(Text("Asking Wolfram Alpha:"), Text("Asked Wolfram Alpha:")),
    subject="question",
    needs=a_key(lambda settings: settings.wolfram_key, Text("Needs WOLFRAM_APP_ID: developer.wolframalpha.com.")),
    effect="reaches",
    public=True,
)

_MOST_QUESTION = 400


def wolfram_tool(app_id: str, addresses: ServiceAddresses | None = None, *, timeout: float = 12.0) -> Tool:
    """The tool. ``timeout``: seconds to connect, to the first byte, and for the rest, each, of two requests."""
    at = addresses or ServiceAddresses()

    @tool(timeout=6 * timeout)
    def wolfram(question: str) -> ToolResult:
        """Asks Wolfram Alpha: mathematics with its steps, units, dates, science, and facts about the world in figures.

        Args:
            question: a short question in English, for example distance from Earth to the Moon in km
        """
        if not question.strip():
            raise ToolFailed("The question is missing. Give a short question in English.", "input")
        if len(question) > _MOST_QUESTION:
            raise ToolFailed(f"The question is too long. Use at most {_MOST_QUESTION} characters.", "input")
        # The libraries behind it are loaded with the first question, not with the program.
        from agent.web.services.wolfram_alpha import ask_wolfram

        return ask_wolfram(app_id, at.wolfram, at.wolfram_short, timeout, " ".join(question.split()))

    return wolfram
