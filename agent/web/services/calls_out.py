"""Reading a web service's JSON: bounded in time and size, and every failure an outcome the model is told of."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from time import monotonic
from urllib.parse import quote, quote_plus
from zlib import decompressobj
from zlib import error as BadCompression

from pydantic import JsonValue
from requests import ConnectionError as Unreachable
from requests import PreparedRequest, RequestException, Response, Session, Timeout
from urllib3.exceptions import HTTPError as BrokenOff
from urllib3.exceptions import ProtocolError, ReadTimeoutError

from agent.errors import ToolFailed

HEADERS = {"User-Agent": "Glassbox/0.1 (research chat; one request per question asked)", "Accept-Encoding": "gzip"}
MOST_BYTES = 3_000_000  # SerpApi's answers are around 0.1 MB, Wikipedia's around 0.01 MB
_MOST_DEPTH = 40
_CHUNK = 65_536
_REMOVED = "[removed]"
_KEY_FIELDS = {"api_key", "serp_api_key", "apikey", "appid"}
_KEY_PARAMETER = re.compile(r"((?:api_?key|appid)(?:=|%3D))[^&#\s\"'<>]+", re.IGNORECASE)
_SHORTEST_SECRET = 8  # real keys have 16 to 200 characters; taking out a shorter text would eat ordinary words


@dataclass(frozen=True, slots=True)
class Reply:
    """``content`` is ``None`` where the body is not JSON, and text where text was asked for."""

    status: int
    content: JsonValue


class BoundedSession(Session):
    """Sends one request at a time and follows no redirect: a redirect is an answer like any other."""

    def __init__(self) -> None:
        super().__init__()
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


def read(response: Response, service: str, seconds: float, secret: str = "") -> Reply:
    """The status and the JSON of a streamed response, read for at most about ``seconds`` more, without ``secret``.

    Raises as ``received`` does.
    """
    return Reply(response.status_code, without(parsed(received(response, service, seconds)), secret))


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
