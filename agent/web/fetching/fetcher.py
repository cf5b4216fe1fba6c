"""Fetching what stands at an address: every hop checked, pinned, bounded in size and time, and without a memory."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ssl import SSLContext
from time import monotonic
from zlib import DEFLATED, MAX_WBITS, decompressobj
from zlib import error as BadCompression

import httpcore2

from agent.errors import ToolFailed
from agent.web.fetching.network import Internet, Network, Pinned
from agent.web.fetching.urls import Target, redirected, target

MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Glassbox/0.1; reads single pages that a person asked about)"),
    ("Accept", "text/html, application/xhtml+xml, application/pdf, application/json, text/*;q=0.9, */*;q=0.1"),
    ("Accept-Encoding", "gzip, deflate"),
    ("Connection", "close"),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """``url`` is where it stood after redirects. ``media`` is its media type, lower case, "" where none was named.

    ``cut`` says why ``content`` is not all of it: ``large``, ``broken``, or "".
    """

    url: str
    media: str
    charset: str
    content: bytes
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Fetcher:
    """GET, and nothing else: no cookies, no credentials, no proxy of the environment, a new connection each time.

    ``seconds`` are for all of it: names, connections, redirects and body. ``allowed`` are places (``host:port``) of
    the owner's own network that may be reached; a visitor cannot add to them.
    """

    allowed: frozenset[str] = frozenset()
    seconds: float = 15.0
    network: Network = field(default_factory=Internet)
    tls: SSLContext | None = None

    def fetch(self, url: str, most: Callable[[str], int]) -> Fetched:
        """What stands at ``url``. ``most(media)`` says how many bytes to read of a media type, 0 for none.

        Raises ``ToolFailed`` with a sentence for everything that can happen.
        """
        ends = monotonic() + self.seconds
        at = target(url, self.allowed)
        for _ in range(MOST_REDIRECTS + 1):
            found = self._hop(at, most, ends)
            if isinstance(found, Fetched):
                return found
            at = found
        raise ToolFailed("The address leads from one page to the next without end. Use another source.", "refused")

    def _hop(self, at: Target, most: Callable[[str], int], ends: float) -> Fetched | Target:
        """One request: what it brought, or where it leads."""
        url = httpcore2.URL(scheme=at.scheme, host=at.host, port=at.port, target=at.path)
        headers = [("Host", at.netloc), *_HEADERS]
        backend = Pinned(at, self.network, ends)
        with (
            _failures(at.host),
            httpcore2.ConnectionPool(ssl_context=self.tls, network_backend=backend) as pool,
            pool.stream("GET", url, headers=headers) as response,
        ):
            fields = {name.lower(): value for name, value in reversed(response.headers)}
            if response.status in _REDIRECTS and b"location" in fields:
                return redirected(at, fields[b"location"].decode("utf-8", "replace"), self.allowed)
            if response.status != 200:
                raise failure(response.status, at.host, _text(fields.get(b"retry-after")))
            media, charset = _media(_text(fields.get(b"content-type")))
            size = most(media)
            if not size:
                raise ToolFailed(f"This address holds no text ({media}), so it cannot be read.", "refused")
            content, cut = read_body(response.iter_stream(), _text(fields.get(b"content-encoding")), size)
            return Fetched(at.url, media, charset, content, cut)


@contextmanager
def _failures(host: str) -> Generator[None]:
    try:
        yield
    except httpcore2.TimeoutException:
        raise ToolFailed(f"{host} did not answer in time. Try once more, or use another source.", "timeout") from None
    except httpcore2.ConnectError as error:
        if "CERTIFICATE" in str(error).upper():
            message = f"{host} could not prove that it is {host} (its certificate is not valid), so it was not read."
            raise ToolFailed(f"{message} Use another source.", "refused") from None
        raise ToolFailed(f"{host} could not be reached. Check the address, or use another source.", "network") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
        raise ToolFailed(f"{host} broke the connection off. Try once more, or use another source.", "network") from None


def _text(value: bytes | None) -> str:
    return (value or b"").decode("latin-1").strip()


def _media(content_type: str) -> tuple[str, str]:
    """Media type and charset of a header."""
    media, _, parameters = content_type.partition(";")
    named = (part.strip().partition("=") for part in parameters.split(";"))
    charset = next((value.strip("\"' ") for name, _, value in named if name.strip().lower() == "charset"), "")
    return media.strip().lower()[:100], charset[:40]


def failure(status: int, host: str, retry_after: str = "") -> ToolFailed:
    """For every status but 200. ``retry_after`` is the header's text."""
    if status in (404, 410):
        return ToolFailed(
            f"There is no page at this address ({status}). Search for it, or check the address.", "nothing"
        )
    if status in (401, 402, 403, 407):
        message = f"{host} does not show this page to everybody ({status}): it may need signing in, or refuse programs."
        return ToolFailed(f"{message} Use another source.", "refused")
    if status == 451:
        return ToolFailed(
            f"{host} may not show this page here, for legal reasons (451). Use another source.", "refused"
        )
    if status == 429:
        wait = f" It asks to wait {retry_after} seconds." if retry_after.isdecimal() and len(retry_after) < 7 else ""
        return ToolFailed(f"{host} was asked too often (429).{wait} Use another source for now.", "quota")
    if status >= 500:
        message = f"The server of {host} is in trouble ({status}). Try once more later, or use another source."
        return ToolFailed(message, "network")
    if status in {204, 205}:
        return ToolFailed(f"There is nothing at this address ({status}). Use another source.", "nothing")
    return ToolFailed(f"{host} did not give the page out ({status}). Use another source.", "refused")


def read_body(chunks: Iterator[bytes], encoding: str, most: int) -> tuple[bytes, str]:
    """The unpacked body up to ``most`` bytes, and why it ends early: ``large``, ``broken`` or "".

    Raises ``ToolFailed`` for a packing that was not asked for, and lets ``httpcore2.TimeoutException`` pass.
    """
    packing = encoding.strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise ToolFailed("The page came packed in a way that cannot be read. Use another source.", "refused")
    body = bytearray()
    unpack = None
    try:
        for chunk in chunks:
            if unpack is None and packing not in ("", "identity"):
                # Servers mean by deflate what has a zlib head, as it is specified, or what has none.
                bare = packing == "deflate" and chunk[:1] and chunk[0] & 0x0F != DEFLATED
                unpack = decompressobj(-MAX_WBITS if bare else MAX_WBITS | 32)  # 32: by the head, zlib or gzip
            body += unpack.decompress(chunk, most + 1 - len(body)) if unpack else chunk
            if len(body) > most:
                return bytes(body[:most]), "large"
    except (httpcore2.NetworkError, httpcore2.ProtocolError, BadCompression):
        return bytes(body), "broken"
    return bytes(body), ""
