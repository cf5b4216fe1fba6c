"""The address of a model's server, as people type it and as it is used."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from agent.errors import BadRequest

# Where the compatible API of a host begins; every other server has it under /v1.
_PATHS = {
    "openrouter.ai": "/api/v1",
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
}
_METHOD = re.compile(r"(?:/chat/completions|/completions|/models)$")
_HOST = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")


def normalise_endpoint(text: str) -> str:
    """The base address under which ``/chat/completions`` is found; applying it again changes nothing.

    * Without a scheme: ``http`` for this machine, IP addresses and names without a dot or under ``.local`` and
      ``.internal``, else ``https``.
    * Trailing slashes and a copied ``/chat/completions``, ``/completions`` or ``/models`` are taken off.
    * An address without a path gets the one its host is known for, else ``/v1``. A given path is left alone.

    Raises ``BadRequest`` for other schemes, for user names and passwords (they would end up in logs), for queries,
    white space, control characters, impossible hosts and ports, and link-local hosts (cloud metadata lives there).
    """
    typed = text.strip()
    if not typed:
        raise BadRequest("Enter the server's address, for example http://localhost:11434/v1.")
    if not typed.isprintable() or " " in typed or "\\" in typed:
        raise BadRequest("The server's address has a space or an unprintable character in it.")
    parts, port = _split(typed if "://" in typed else f"//{typed}")
    if parts.scheme not in ("http", "https", ""):
        raise BadRequest(f"The server's address must begin with http:// or https://, not {parts.scheme[:20]}://.")
    if "@" in parts.netloc:
        raise BadRequest("Leave user name and password out of the server's address; enter the key in its own field.")
    if parts.query or parts.fragment:
        raise BadRequest("Leave out the part of the server's address from “?” or “#” on.")
    host = _host(parts.hostname or "")
    scheme = parts.scheme or ("http" if is_local_host(host) else "https")
    path = _METHOD.sub("", parts.path.rstrip("/")).rstrip("/") or _PATHS.get(host, "/v1")
    bracketed = f"[{host}]" if ":" in host else host
    return f"{scheme}://{bracketed}{'' if port is None else f':{port}'}{path}"


def is_local_host(host: str) -> bool:
    """Whether ``host`` names this machine or one beside it: an IP address, or a name that public DNS does not have."""
    return _address(host) is not None or "." not in host or host.endswith((".local", ".internal", ".localhost"))


def origin(endpoint: str) -> str:
    """``scheme://host:port`` of a normalised endpoint: what a person knows the server by."""
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadRequest("The server's address cannot be read. It looks like http://localhost:11434/v1.") from None
    return parts, port


def _host(host: str) -> str:
    address = _address(host)
    if address is None and not _HOST.fullmatch(host):
        raise BadRequest("The server's address has no usable host name. It looks like http://localhost:11434/v1.")
    if address is not None and address.is_link_local:
        raise BadRequest("Addresses of that range are not used for model servers.")
    return host


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
