"""Fetching what stands at an address: every hop checked, pinned, bounded in size and time, and without a memory."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ssl import SSLContext
from time import monotonic

import httpcore2

from agent.errors import ToolFailed
from agent.web.fetching.bodies import ENCODINGS, read_body
from agent.web.fetching.network import Internet, Network, Pinned
from agent.web.fetching.statuses import failure
from agent.web.fetching.urls import Target, redirected, target

MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Glassbox/0.1; reads single pages that a person asked about)"),
    ("Accept", "text/html, application/xhtml+xml, application/pdf, application/json, text/*;q=0.9, */*;q=0.1"),
    ("Accept-Encoding", ENCODINGS),
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
