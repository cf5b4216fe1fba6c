"""Web addresses as a browser reads them, which is not always as a person does.

Browsers take ``\\`` for ``/``, everything before ``@`` for a user's name, ``%61`` in a host for ``a``, and letters of
other alphabets in a host for what IDNA makes of them (WHATWG URL Standard).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from agent.text.regex import regex

_MOST_CHARACTERS = 4000
_WEB = regex(r"(https?)://([^/?#]*)(.*)", re.I | re.S)
_HOST = regex(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]*[a-z0-9])\.?(:\d{1,5})?")
# What may stand in an address inside Markdown's ``](…)`` and in a table's cell without a meaning there.
_KEPT = "%/:?#@!&'+,;=~.-_"
_ENTITY = regex(r"&(?=#?\w+;)")


@dataclass(frozen=True, slots=True)
class Address:
    """``url`` may be written into Markdown as it is. ``host`` is the real one, in ASCII, with the port if there is."""

    url: str
    host: str


def web_address(text: str) -> Address | None:
    """The ``http`` or ``https`` address that ``text`` is to a browser; ``None`` for everything else."""
    found = _WEB.fullmatch(text.strip().replace("\\", "/")) if len(text) <= _MOST_CHARACTERS else None
    if found is None:
        return None
    scheme, authority, rest = found.groups()
    host = _host(authority.rpartition("@")[2])
    if not host:
        return None
    path = quote(rest, safe=_KEPT, errors="replace").replace(":material/", "%3Amaterial/")
    return Address(f"{scheme.lower()}://{host}{_ENTITY.sub('&amp;', path)}", shown_host(host))


def shown_host(host: str) -> str:
    """A host as it is shown: without the ``www.`` that says nothing."""
    return host[4:] if host.startswith("www.") and host.count(".") > 1 else host


def names(text: str, address: Address) -> bool:
    """Whether a reader of ``text`` is told the address's real host: it starts with it."""
    shown = re.sub(r"^https?://", "", text.strip(), flags=re.I).lower()
    rest = shown_host(shown).removeprefix(address.host)
    return len(rest) < len(shown_host(shown)) and (not rest or rest[0] in "/?#")


def _host(typed: str) -> str:
    """Host and port in ASCII and lower case, or "" for what no browser would take."""
    host, colon, port = typed.rpartition(":") if re.search(r":\d*$", typed) else (typed, "", "")
    try:
        plain = unquote(host, errors="strict")
        ascii_host = plain.lower() if plain.isascii() else plain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
    whole = ascii_host + colon + port if port else ascii_host
    return whole if _HOST.fullmatch(whole) else ""
