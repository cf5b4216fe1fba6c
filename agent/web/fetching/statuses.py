"""What a server's status means for whoever wanted to read the page, and what to do next."""

from __future__ import annotations

from agent.errors import ToolFailed

_SIGN_IN = (401, 402, 403, 407)
_GONE = (404, 410)
_LAWFULLY = 451
_TOO_MANY = 429


def failure(status: int, host: str, retry_after: str = "") -> ToolFailed:
    """For every status but 200. ``retry_after`` is the header's text."""
    if status in _GONE:
        return ToolFailed(
            f"There is no page at this address ({status}). Search for it, or check the address.", "nothing"
        )
    if status in _SIGN_IN:
        message = f"{host} does not show this page to everybody ({status}): it may need signing in, or refuse programs."
        return ToolFailed(f"{message} Use another source.", "refused")
    if status == _LAWFULLY:
        return ToolFailed(
            f"{host} may not show this page here, for legal reasons (451). Use another source.", "refused"
        )
    if status == _TOO_MANY:
        wait = f" It asks to wait {retry_after} seconds." if retry_after.isdecimal() and len(retry_after) < 7 else ""
        return ToolFailed(f"{host} was asked too often (429).{wait} Use another source for now.", "quota")
    if status >= 500:
        message = f"The server of {host} is in trouble ({status}). Try once more later, or use another source."
        return ToolFailed(message, "network")
    if status in {204, 205}:
        return ToolFailed(f"There is nothing at this address ({status}). Use another source.", "nothing")
    return ToolFailed(f"{host} did not give the page out ({status}). Use another source.", "refused")
