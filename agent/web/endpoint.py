"""The address of a model's server, as people type it and as it is used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from agent.errors import BadRequest
from agent.text.concealment import masked
from agent.text.regex import regex
from agent.web.fetching.address_guard import (
    METADATA_NAMES,
    Address,
    idna_name,
    is_metadata,
    is_private_name,
    is_public,
    look_up,
    plain_host,
    read_address,
)

# Where the compatible API of a host begins; every other server has it under /v1.
_PATHS = {
    "openrouter.ai": "/api/v1",
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
}
_METHOD = regex(r"(?:/chat/completions|/completions|/responses|/models)$")
_HOST = regex(r"[^\W_](?:[\w.-]*[^\W_])?")
_LONGEST_LOOKUP = 5.0
_KEPT = 256  # addresses: a page asks for the same few time and again


@lru_cache(maxsize=_KEPT)
def normalise_endpoint(text: str) -> str:
    """The base address under which ``/chat/completions`` is found; applying it again changes nothing.

    * Without a scheme: ``http`` for this machine, IP addresses and names without a dot or under ``.local`` and
      ``.internal``, else ``https``.
    * Trailing slashes and a copied ``/chat/completions``, ``/completions``, ``/responses`` or ``/models`` go.
    * Other scripts and notations of a host become the usual one (``0x7f.1`` is ``127.0.0.1``, ``ü.de`` is
      ``xn--tda.de``).
    * An address without a path gets the one its host is known for, else ``/v1``. A given path is left alone.

    Raises ``BadRequest`` for what looks like a key (it would be shown, and looked up as a name), for other schemes, for
    user names and passwords (they would end up in logs), for queries, white space, control characters, impossible hosts
    and ports, and link-local hosts (cloud metadata lives there).
    """
    typed = text.strip()
    if not typed:
        raise BadRequest.because("Enter the server's address, for example http://localhost:11434/v1.")
    if not set("/.:") & set(typed) and masked(typed) != typed:
        raise BadRequest.because("That looks like a key, not an address. Enter it in the field of the key.")
    if not typed.isprintable() or " " in typed or "\\" in typed:
        raise BadRequest.because("The server's address has a space or an unprintable character in it.")
    parts, port = _split(typed if "://" in typed else f"//{typed}")
    if parts.scheme not in ("http", "https", ""):
        raise BadRequest.because(
            "The server's address must begin with http:// or https://, not {scheme}://.", scheme=parts.scheme[:20]
        )
    if "@" in parts.netloc:
        raise BadRequest.because(
            "Leave user name and password out of the server's address; enter the key in its own field."
        )
    if parts.query or parts.fragment:
        raise BadRequest.because("Leave out the part of the server's address from “?” or “#” on.")
    host = _host(parts.hostname or "")
    scheme = parts.scheme or ("http" if is_local_host(host) else "https")
    path = _METHOD.sub("", parts.path.rstrip("/")).rstrip("/") or _PATHS.get(host, "/v1")
    bracketed = f"[{host}]" if ":" in host else host
    return f"{scheme}://{bracketed}{'' if port is None else f':{port}'}{path}"


def is_local_host(host: str) -> bool:
    """Whether ``host`` names this machine or one beside it: an IP address, or a name that public DNS does not have."""
    return read_address(host) is not None or "." not in host or host.endswith((".local", ".internal", ".localhost"))


@lru_cache(maxsize=_KEPT)
def is_private(endpoint: str) -> bool:
    """Whether an address, normalised, is by its looks one of this machine or of its network; nothing is looked up."""
    host = host_of(endpoint)
    address = read_address(host)
    return bool(host) and (is_private_name(host) if address is None else not is_public(address))


def check_address(endpoint: str, private_allowed: bool) -> None:
    """Raises ``BadRequest`` where a model must not be connected at ``endpoint``, a normalised address.

    Link-local addresses and those where clouds keep credentials are always refused. Where ``private_allowed`` is
    false, so is every host that is not on the public internet: loopback, private, shared (CGNAT), multicast, reserved
    and unspecified addresses in any notation, names that public DNS does not have, and names of which any address is
    not public or which cannot be looked up within five seconds. Where it is true, a name that cannot be looked up
    passes: a proxy may know it.

    It does not cover a name that changes its address between this look and the connection (DNS rebinding): who connects
    goes to what ``pinned`` found. A public server that fetches for others is not covered at all. Where that matters, a
    firewall must keep the app out of the private network.
    """
    allowed_addresses(urlsplit(endpoint).hostname or "", private_allowed)


def allowed_addresses(host: str, private_allowed: bool) -> list[Address]:
    """The addresses of ``host``, by the rule of ``check_address``; who connects to one of them keeps to the rule."""
    host = plain_host(host)
    written = read_address(host)
    if host in METADATA_NAMES:
        raise _refused()
    if not private_allowed and written is None and is_private_name(host):
        raise _private()
    addresses = [written] if written is not None else look_up(host, _LONGEST_LOOKUP)
    check_addresses(addresses, private_allowed)
    return addresses


def pinned(url: str, private_allowed: bool) -> str:
    """The address to connect to in place of the name in ``url``; "" where it is an address, or cannot be looked up.

    Whoever connects to just that is safe from a name that changes its address in between. Raises as ``check_address``.
    """
    host = plain_host(urlsplit(url).hostname or "")
    found = [] if read_address(host) is not None else look_up(host, _LONGEST_LOOKUP)
    if not found or host in METADATA_NAMES or (not private_allowed and is_private_name(host)):
        check_address(url, private_allowed)
        return ""
    check_addresses(found, private_allowed)
    return str(found[0])


def check_addresses(addresses: Sequence[Address], private_allowed: bool) -> None:
    """The rule of ``check_address`` for the addresses of one host; any that is not allowed counts."""
    if any(map(is_metadata, addresses)):
        raise _refused()
    if private_allowed:
        return
    if not addresses:
        raise BadRequest.because("No server of that name was found on the internet. Check the spelling of the address.")
    if not all(map(is_public, addresses)):
        raise _private()


def _refused() -> BadRequest:
    return BadRequest.because("Addresses of that range are not used for model servers.")


def _private() -> BadRequest:
    return BadRequest.because(
        "This site connects to servers on the public internet only, and that address is not one of "
        "them. Choose a hosted server, or run the app on your own machine to use what runs there."
    )


def origin(endpoint: str) -> str:
    """``scheme://host:port`` of a normalised endpoint: what a person knows the server by."""
    parts = _readable(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


@lru_cache(maxsize=_KEPT)
def host_of(endpoint: str) -> str:
    """The host of an address, which may be as a person is just typing it; "" where none can be read."""
    return _readable(endpoint).hostname or ""


def _readable(endpoint: str) -> SplitResult:
    try:
        return urlsplit(endpoint)
    except ValueError:  # of a bracket
        return urlsplit("")


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadRequest.because(
            "The server's address cannot be read. It looks like http://localhost:11434/v1."
        ) from None
    return parts, port


def _host(typed: str) -> str:
    host = plain_host(typed)
    address = read_address(host)
    if address is None:
        host = host if host.isascii() else idna_name(host)
        if not _HOST.fullmatch(host) or len(host) > 253 or any(len(label) > 63 for label in host.split(".")):
            raise BadRequest.because(
                "The server's address has no usable host name. It looks like http://localhost:11434/v1."
            )
    elif is_metadata(address):
        raise _refused()
    else:
        host = str(address)
    return host
