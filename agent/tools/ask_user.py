"""Asking the person who asked: the run waits until they answer."""

from __future__ import annotations

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.toolkit.base import tool
from agent.tools.spec import ToolSpec

# The loop puts the question to the person in place of calling the tool.
SPEC = ToolSpec(
    "ask_user",
    Text("Asks you one thing that only you can know, and waits."),
    lambda parts: ask_user,
    title=Text("Questions to you"),
    icon="contact_support",
    verbs=(Text("Asking you:"), Text("Asked you:")),
    subject="question",
    told="quoted",
    effect="asks",
    public=True,
)


@tool(name="ask_user")
def _ask_user(question: str, choices: list[str] = []) -> str:  # noqa: B006 - read only, and told to the model
    """Asks the user what they alone know and the answer hangs on: their age, home or taste; or when they say to; waits.

    Args:
        question: what to ask, in the user's language, for example Which city do you mean?
        choices: answers to pick from, if there are a few
    """
    raise ToolFailed("Nobody can be asked here. Decide yourself, and say in the answer what you assumed.", "refused")


ask_user = SPEC.with_effect(_ask_user)
