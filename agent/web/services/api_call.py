"""One question to a web service: bounded, with its key, and with every failure an outcome the model is told of."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isfinite
from time import monotonic
from typing import Any
from urllib.parse import quote, quote_plus
from zlib import decompressobj
from zlib import error as BadCompression

from pydantic import JsonValue
from requests import ConnectionError as Unreachable
from requests import PreparedRequest, RequestException, Response, Session, Timeout
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool
from urllib3.exceptions import HTTPError as BrokenOff
from urllib3.exceptions import ProtocolError, ReadTimeoutError

from agent.errors import ToolFailed
from agent.text.plain import Fields, plain
from agent.text.regex import regex

HEADERS = {"User-Agent": "Glassbox/0.1 (research chat; one request per question asked)", "Accept-Encoding": "gzip"}
MOST_BYTES = 3_000_000  # SerpApi's answers are around 0.1 MB, Wikipedia's around 0.01 MB
_MOST_DEPTH = 40
_CHUNK = 65_536
_REMOVED = "[removed]"
_KEY_FIELDS = {"api_key", "serp_api_key", "apikey", "appid"}
_KEY_PARAMETER = regex(r"((?:api_?key|appid)(?:=|%3D))[^&#\s\"'<>]+", re.IGNORECASE)
_SHORTEST_SECRET = 8  # real keys have 16 to 200 characters; taking out a shorter text would eat ordinary words
Parameters = Mapping[str, str | int]
_NONE: Parameters = {}


@dataclass(frozen=True, slots=True)
class Reply:
    """``content`` is ``None`` where the body is not JSON, and text where text was asked for."""

    status: int
    content: JsonValue


class BoundedSession(Session):
    """Sends one request at a time, with a credential, and follows no redirect: that is an answer like any other."""

    def __init__(self, credential: Credential | None = None) -> None:
        super().__init__()
        if credential:
            for scheme in ("http://", "https://"):
                self.mount(scheme, _OnTheWire(credential))
        # Without any, requests looks for a password of that host in the owner's ~/.netrc and sends it.
        self.auth = _as_it_is

    def get_redirect_target(self, resp: Response) -> str | None:
        """None: told not to follow, requests still reads a redirect's whole body to prepare the next request."""
        return None

    def ask(self, url: str, parameters: Mapping[str, str | int], seconds: float, body: JsonValue = None) -> Response:
        """The status and headers; the body is left for ``read``. ``seconds`` to connect and to the first byte, each.

        With a ``body`` it is sent, as JSON, by POST.
        """
        return self.request(
            "GET" if body is None else "POST",
            url,
            params=dict(parameters),
            json=body,
            headers=HEADERS,
            timeout=seconds,
            stream=True,
            allow_redirects=False,
        )


def _as_it_is(request: PreparedRequest) -> PreparedRequest:
    return request


@contextmanager
def failures_of(service: str, what: str = "search") -> Generator[None]:
    """Turn what `requests` raises into ``ToolFailed``: ``timeout``, ``network`` or ``refused``."""
    try:
        yield
    except (Timeout, ReadTimeoutError):
        raise too_slow(service, what) from None
    except Unreachable as error:
        if any(isinstance(reason, ProtocolError) for reason in error.args):
            raise _broken_off(service, what) from None
        message = f"The {what} could not reach the internet ({service})."
        raise ToolFailed(f"{message} {instead(what)}", "network") from None
    except (BrokenOff, BadCompression):
        raise _broken_off(service, what) from None
    except RequestException:
        raise ToolFailed(f"The address of {service} cannot be used. {instead(what)}", "refused") from None


def instead(what: str = "search") -> str:
    return f"Answer from other tools or say that the {what} was not possible."


def too_slow(service: str, what: str = "search") -> ToolFailed:
    fewer = " with fewer words" if what == "search" else ""
    return ToolFailed(f"{service} did not answer in time. Try once more{fewer}. {instead(what)}", "timeout")


def _broken_off(service: str, what: str) -> ToolFailed:
    return ToolFailed(f"The answer of {service} broke off. Try once more. {instead(what)}", "network")


def unreadable(service: str, what: str = "search") -> ToolFailed:
    return ToolFailed(f"{service} sent something that could not be read. {instead(what)}", "refused")


def received(response: Response, service: str, seconds: float, what: str = "search") -> bytes:
    """The body of a streamed response, read for at most about ``seconds`` more.

    Raises ``ToolFailed`` for a body that is too large, too slow, or packed in an unknown way. The time is looked at
    after each piece that arrives, and a piece may take as long as the request's own time-out. A server that drips its
    headers is bounded only by the time-out of the tool call: nothing short of a second thread can interrupt that.
    """
    packing = response.headers.get("Content-Encoding", "").lower()
    if packing not in {"", "identity", "gzip"}:
        raise unreadable(service, what)
    # Unpacked here, not by urllib3: its read1 waits for output without end while a packed body drips.
    unpack = decompressobj(31) if packing == "gzip" else None
    deadline = monotonic() + seconds
    body = bytearray()
    while chunk := response.raw.read1(_CHUNK, decode_content=False):
        body += unpack.decompress(chunk, MOST_BYTES + 1 - len(body)) if unpack else chunk
        if len(body) > MOST_BYTES:
            raise ToolFailed(f"The answer of {service} is too large. Use more exact {what} words.", "refused")
        if monotonic() > deadline:
            raise too_slow(service, what)
    return bytes(body)


def parsed(body: bytes) -> JsonValue:
    """``None`` for what is not JSON; so are numbers that JSON cannot write."""
    try:
        return json.loads(body, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _no_number(_name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if isfinite(number) else None


def without(value: JsonValue, secret: str) -> JsonValue:
    """A copy without ``secret``, without fields that are named as a key is, and cut off below 40 levels.

    A text that holds the secret, also as it is written in an address, is replaced as a whole; the value of an
    ``api_key=`` parameter goes, whoever's it is.
    """
    if len(secret) < _SHORTEST_SECRET:
        return _without(value, None, 0)
    forms = {secret, quote(secret, safe=""), quote_plus(secret), quote(quote(secret, safe=""), safe="")}
    return _without(value, re.compile("|".join(map(re.escape, forms)), re.IGNORECASE), 0)


def _without(value: JsonValue, secret: re.Pattern[str] | None, depth: int) -> JsonValue:
    if isinstance(value, str):
        if secret is not None and secret.search(value):
            return _REMOVED
        return _KEY_PARAMETER.sub(rf"\1{_REMOVED}", value)
    if depth == _MOST_DEPTH and isinstance(value, dict | list):
        return None
    if isinstance(value, dict):
        return {
            name if secret is None or not secret.search(name) else _REMOVED: _without(item, secret, depth + 1)
            for name, item in value.items()
            if name.lower() not in _KEY_FIELDS
        }
    if isinstance(value, list):
        return [_without(item, secret, depth + 1) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and where it goes: into the ``parameter`` of the address, or into the ``header``, after ``scheme``."""

    secret: str = field(repr=False)
    parameter: str = ""
    header: str = ""
    scheme: str = ""

    @property
    def can_be_sent(self) -> bool:
        """Whether it is text that a header can hold: a key that is not was never one."""
        return self.secret.isascii() and self.secret.isprintable()


class _OnTheWire(HTTPAdapter):
    """Adds the credential to the request line or the headers as they are sent.

    In an address or among a request's headers it would get into exceptions, and into urllib3's log.
    """

    def __init__(self, credential: Credential) -> None:
        super().__init__()
        self._credential = credential

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = _with(pool.ConnectionCls, self._credential)
        return pool


def _with(connection: Any, credential: Credential) -> Any:
    class Connection(connection):
        def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:
            if credential.parameter:
                start = "&" if "?" in url else "?"
                url = f"{url}{start}{credential.parameter}={quote(credential.secret, safe='')}"
            connection.putrequest(self, method, url, *args, **kwargs)
            if credential.header:
                self.putheader(credential.header, credential.scheme + credential.secret)

    return Connection


@dataclass(frozen=True, slots=True)
class Service:
    """A web service. ``timeout``: seconds to connect, to the first byte, and for the rest, each.

    ``what`` is what the person gets from it, as in "the weather look-up was not possible"; ``setting`` is the variable
    that its key is read from.
    """

    name: str
    timeout: float
    credential: Credential | None = None
    what: str = "look-up"
    setting: str = ""

    def get(self, url: str, parameters: Parameters) -> Reply:
        """The status and the JSON; raises ``ToolFailed``: key, network, timeout or refused."""
        return self._asked(url, parameters, None, text=False)

    def get_text(self, url: str, parameters: Parameters) -> Reply:
        """The status and the body as text; raises as ``get`` does."""
        return self._asked(url, parameters, None, text=True)

    def post(self, url: str, body: JsonValue) -> Reply:
        """The status and the JSON that come for a JSON ``body``; raises as ``get`` does."""
        return self._asked(url, _NONE, body, text=False)

    def _asked(self, url: str, parameters: Parameters, body: JsonValue, text: bool) -> Reply:
        secret = self.credential.secret if self.credential else ""
        if self.credential and not self.credential.can_be_sent:
            raise self.bad_key()
        session = BoundedSession(self.credential)
        with failures_of(self.name, self.what), session, session.ask(url, parameters, self.timeout, body) as response:
            content = received(response, self.name, self.timeout, self.what)
            status = response.status_code
        return Reply(status, without(content.decode("utf-8", "replace") if text else parsed(content), secret))

    def content(self, reply: Reply) -> Fields:
        """The object of a reply with status 200; raises ``ToolFailed`` for another status or no object."""
        if reply.status != 200:
            raise self.refused(reply.status)
        if not isinstance(reply.content, dict):
            raise unreadable(self.name, self.what)
        return reply.content

    def bad_key(self) -> ToolFailed:
        key = f" ({self.setting})" if self.setting else ""
        return self._failed(f"{self.name} does not accept its key{key}. The owner must correct it.", "key")

    def used_up(self, said: str = "") -> ToolFailed:
        told = f": {plain(said, 200).rstrip('.')}." if said else "."
        return self._failed(f"{self.name} takes no more questions for the moment{told}", "quota")

    def refused(self, status: int, said: str = "") -> ToolFailed:
        told = f": {plain(said, 200).rstrip('.')}." if said else "."
        return self._failed(f"{self.name} refused with status {status}{told}", "refused")

    def _failed(self, sentence: str, kind: str) -> ToolFailed:
        return ToolFailed(f"{sentence} {instead(self.what)}", kind)
