"""The writing of an address: one usual form, and everything odd refused before anything is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from agent.errors import ToolFailed
from agent.text.regex import regex
from agent.web.fetching.address_guard import METADATA_NAMES, idna_name, is_private_name, is_public, read_address

MOST_CHARACTERS = 2_000
PORTS = frozenset({80, 443, 8080, 8443})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LABEL = regex(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = regex(r"\d+|0x[0-9a-f]*")
_IN_A_PATH = "%/:@!$&'()*+,;=~-._[]"
_IN_A_QUERY = _IN_A_PATH + "?^`{|}"


@dataclass(frozen=True, slots=True)
class Target:
    """A checked address. ``path`` holds the query, too, in ASCII; ``private`` is true for one the owner allows."""

    scheme: str
    host: str
    port: int
    path: str
    private: bool = False

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"


def target(text: str, allowed: frozenset[str] = frozenset()) -> Target:
    """The address in its usual form.

    ``allowed`` are places (``host:port``, as in the address) of the owner's own network: for these the rules on hosts
    and ports do not hold. Raises ``ToolFailed`` (``input`` or ``refused``) for everything but http and https at a
    public name or address on a usual port: user names, other notations of numbers, names of private networks, white
    space, control characters, backslashes, look-alike letters.
    """
    if len(text) > MOST_CHARACTERS:
        raise ToolFailed(f"An address may have {MOST_CHARACTERS:,} characters; this one has {len(text):,}.", "input")
    if not text.isprintable() or "\\" in text or any(map(str.isspace, text)):
        raise ToolFailed("The address has a space or an unprintable character in it. Write it without.", "input")
    parts, port = _split(text)
    if parts.scheme not in _DEFAULT_PORTS:
        raise ToolFailed("Only addresses that begin with https:// or http:// can be read.", "input")
    if "@" in parts.netloc:
        raise _refused("Addresses with a user name or password are not read.")
    port = _DEFAULT_PORTS[parts.scheme] if port is None else port
    host = parts.hostname or ""
    path = (quote(parts.path, safe=_IN_A_PATH) or "/") + (
        f"?{quote(parts.query, safe=_IN_A_QUERY)}" * bool(parts.query)
    )
    if f"{host}:{port}" in allowed:
        return Target(parts.scheme, host, port, path, private=True)
    if port not in PORTS:
        raise _refused(f"Addresses with port {port} are not read.")
    return Target(parts.scheme, _host(host, parts.netloc), port, path)


def redirected(at: Target, location: str, allowed: frozenset[str] = frozenset()) -> Target:
    """Where ``location``, the header of an answer from ``at``, leads; it is checked as any other address."""
    try:
        joined = urljoin(at.url, location.strip().replace(" ", "%20"))
    except ValueError:
        raise _refused("The page leads to an address that cannot be read.") from None
    return target(joined, allowed)


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        return parts, parts.port
    except ValueError:
        raise ToolFailed("The address cannot be read. It looks like https://example.com/page.", "input") from None


def _host(host: str, netloc: str) -> str:
    """The host as it is connected to; raises ``ToolFailed`` where it is not a usual one of the public internet."""
    if not host:
        raise ToolFailed("The address has no host. It looks like https://example.com/page.", "input")
    address = read_address(host)
    if address is not None:
        usual = host == str(address) if address.version == 4 else netloc.startswith("[") and "%" not in host
        if not usual or not is_public(address):
            raise not_public()
        return str(address)
    name = _ascii(host)
    labels = name.split(".")
    if not all(map(_LABEL.fullmatch, labels)) or len(name) > 253 or netloc.startswith("["):
        raise _refused("The host of this address is written in a way that is not used on the web.")
    if name in METADATA_NAMES or is_private_name(name) or _NUMBER.fullmatch(labels[-1]):
        raise not_public()
    return name


def _ascii(host: str) -> str:
    """The name as DNS has it (IDNA 2008), "" where it is no proper name, or has letters that stand for others."""
    if host.isascii() and not any(label.startswith("xn--") for label in host.split(".")):
        return host
    if "。" in host:  # idna takes it for a dot
        return ""
    return idna_name(host) if host.isascii() or normalize("NFKC", host) == host else ""


def not_public() -> ToolFailed:
    return _refused("Only addresses on the public internet are read, and this one is not.")


def _refused(reason: str) -> ToolFailed:
    return ToolFailed(f"{reason} Use another source, or say that this one could not be read.", "refused")
