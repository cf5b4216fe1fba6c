"""Another name in a question that was declined: "and Maya?" after "how much does Priya spend on them?"."""

from __future__ import annotations

from agent.text.regex import regex

_ANOTHER = regex(
    r"(?:(?:and|or|ok|so|then|what about|how about) )+(?:for |with |in |at |by |from )?"
    r"(?P<name>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)[ ?.!]*"
)
_NAME = regex(r"(?<=[a-z,] )(?!I\b)[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


def name_swapped(asked: str, before: str) -> str | None:
    """``before`` with the one name that ``asked`` is, in the place of its own one; ``None`` where either has others."""
    another, own = _ANOTHER.fullmatch(asked[:1].lower() + asked[1:]), list(_NAME.finditer(before))
    if another is None or len(own) != 1:
        return None
    return f"{before[: own[0].start()]}{another['name']}{before[own[0].end() :]}"
