"""Whether an address of the answer is one that was observed."""

from __future__ import annotations

import re

from agent.evidence.findings import Finding
from agent.evidence.sources import Source, Sources
from agent.interface_text import Text

_REST = re.compile(r"[^\s<>\"')\]]*")


def look_up_link(url: str, sources: Sources) -> Finding:
    """``seen`` for an address of an observation or its sources, ``differs`` for another one of the same host."""
    wanted = _address(url)
    host = wanted.partition("/")[0]
    other: tuple[int, int, int] | None = None
    for index, source in enumerate(sources.texts):
        if (place := _address_in(source, wanted)) is not None:
            return Finding("given" if source.origin == "given" else "seen", ((index, *place),))
        position = source.lower.find(host)
        if position >= 0 and other is None and source.origin == "seen":
            end = _REST.match(source.text, position)
            other = (index, position, end.end() if end is not None else position)
    if other is not None and len(host) > 3:
        return Finding(
            "differs", (other,), Text("Seen: {text}", text=sources.texts[other[0]].text[other[1] : other[2]])
        )
    return Finding("not_found")


def _address_in(source: Source, wanted: str) -> tuple[int, int] | None:
    for seen in source.urls:
        if _address(seen) == wanted or ("/" not in wanted and _address(seen).startswith(f"{wanted}/")):
            position = source.text.find(seen)
            return (position, position + len(seen)) if position >= 0 else (0, 0)
    lower = source.lower
    position, tries = lower.find(wanted), 0
    while position >= 0 and tries < 20:
        end = position + len(wanted)
        after = lower[end : end + 2]
        bare = "/" not in wanted
        if (
            not after[:1].strip()
            or after[0] in "\"')]>|,;"
            or after in ("/", "/ ", "/\n", '/"', "/)", "/]")
            or (after[0] in ".?#" and not after[1:].strip())
            or (bare and after[0] == "/")
        ):
            return position, end
        position, tries = lower.find(wanted, end), tries + 1
    return None


def _address(url: str) -> str:
    """An address to compare: no scheme, no "www.", no fragment, no slash at the end, lower case."""
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", url.lower())
    return bare.partition("#")[0].rstrip("/")
