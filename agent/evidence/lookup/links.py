"""Links: whether their address is that of an observation or of its sources."""

from __future__ import annotations

import re

from agent.evidence.sources import Finding, Source, Sources, Spotted, places
from agent.text.regex import regex

_REST = regex(r"[^\s<>\"')\]]*")
_LINK_ENDS = regex(r"\s|\Z|[\"')\]>|,;]|/(?:[ \n\")\]]|\Z)|[.?#](?:\s|\Z)")


def look_up_link(url: str, sources: Sources) -> Finding:
    """``seen`` for an address of an observation or its sources, ``differs`` for another one of the same host."""
    wanted = _address(url)
    host = wanted.partition("/")[0]
    other: Spotted | None = None
    for index, source in enumerate(sources.texts):
        if (place := _address_in(source, wanted)) is not None:
            return sources.found([(index, *place)])
        position = source.lower.find(host)
        if position >= 0 and other is None and source.origin == "seen":
            end = _REST.match(source.text, position)
            other = (index, position, end.end() if end is not None else position)
    if other is not None and len(host) > 3:
        return sources.differs(other)
    return Finding("not_found")


def _address_in(source: Source, wanted: str) -> tuple[int, int] | None:
    for seen in source.urls:
        if _address(seen) == wanted or ("/" not in wanted and _address(seen).startswith(f"{wanted}/")):
            position = source.text.find(seen)
            return (position, position + len(seen)) if position >= 0 else (0, 0)
    for position in places(source.lower, wanted, 20):
        end = position + len(wanted)
        if _LINK_ENDS.match(source.lower, end) or ("/" not in wanted and source.lower[end : end + 1] == "/"):
            return position, end
    return None


def _address(url: str) -> str:
    """An address to compare: no scheme, no "www.", no fragment, no slash at the end, lower case."""
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", url.lower())
    return bare.partition("#")[0].rstrip("/")
