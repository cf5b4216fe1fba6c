"""HTTP with a model's server: connections that are kept, requests that are sent again, failures as ``ModelFailed``.

The ``openai`` package makes the requests and tells errors apart. What it would take from the environment, or tell of
this machine, is left out, and bodies pass as bytes: its typed replies cost time that grows with the history. Importing
it takes a second, so this module is imported on first use.
"""

from __future__ import annotations

import socket
import ssl
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import count
from math import isfinite
from random import random
from time import sleep, time
from typing import Literal, cast

import httpx2
import openai

from agent.errors import ModelFailed
from agent.models.chunks import LONGEST_EVENT
from agent.models.model_failures import Failures, Problem, read_problem
from agent.models.protocol import Patience
from agent.web.endpoint import is_local_host

_LONGEST_DRAIN = 0.5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
# Request Timeout, Conflict, Too Many Requests (RFC 9110, RFC 6585): may pass, as what is wrong with a server may.
_MAY_PASS = (408, 409, 429)
_BROKEN_OFF = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)
_HEADERS = {"Accept": "application/json, text/event-stream", "Accept-Encoding": "identity", "User-Agent": "Glassbox"}
_SENT = {*map(str.lower, _HEADERS), "authorization", "connection", "content-length", "content-type", "host"}
_Stream = openai.Stream[object]


class Connection:
    """The connections to one server, each kept for ``kept_seconds`` after a request. Thread-safe.

    They are closed when nobody holds this value any more. It knows no key: each request brings its own.
    """

    def __init__(self, endpoint: str, kept_seconds: float = 0.0) -> None:
        self._endpoint = endpoint
        address = httpx2.URL(endpoint)
        client = httpx2.Client(
            # Plain http needs no certificates: loading them takes longer than a local reply.
            verify=True if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            # A proxy of the environment does not know the way to this machine.
            trust_env=not is_local_host(address.host),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=10, keepalive_expiry=kept_seconds),
            event_hooks={"request": [_send_no_more]},
        )
        self._client = openai.OpenAI(
            api_key="", admin_api_key="", base_url=endpoint, max_retries=0, http_client=client, default_headers=_HEADERS
        )
        weakref.finalize(self, client.close)

    def send(
        self,
        method: Literal["GET", "POST"],
        path: str,
        failures: Failures,
        patience: Patience,
        content: bytes | None = None,
    ) -> httpx2.Response | Problem:
        """The open response, its body unread and to be closed by the caller, or the error the server answered with.

        A request is sent again after an error that may pass and after a connection that broke off, not where there
        is no connection or no answer in time. Raises ``ModelFailed``.
        """
        key = f"Bearer {failures.key}" if failures.key else openai.omit
        timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
        options: openai.RequestOptions = {"headers": {"Authorization": key}, "timeout": timeout}
        for tried in count():
            try:
                return self._open(method, path, content, options)
            except openai.APIStatusError as error:
                wait = _wait_asked_for(error.response)
                if tried == patience.retries or wait > patience.longest_wait or not _may_pass(error.response):
                    return read_problem(error.status_code, error.response.text, wait)
                sleep(wait or _pause(tried))
            except (openai.APIConnectionError, httpx2.HTTPError, ssl.SSLError) as error:
                cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
                if tried == patience.retries or not isinstance(cause, _BROKEN_OFF):
                    raise _transport_failure(cause, failures, patience, began=False) from None
                sleep(_pause(tried))
        raise AssertionError("unreachable")

    def _open(
        self, method: Literal["GET", "POST"], path: str, content: bytes | None, options: openai.RequestOptions
    ) -> httpx2.Response:
        if method == "GET":
            opened: object = self._client.get(
                path, cast_to=httpx2.Response, stream=True, stream_cls=_Stream, options=options
            )
        else:
            opened = self._client.post(
                path, cast_to=httpx2.Response, content=content, stream=True, stream_cls=_Stream, options=options
            )
        # The package's types do not know that a wish for the bare response wins over the wish for a stream.
        return cast("httpx2.Response", opened)

    def whole(self, response: httpx2.Response, failures: Failures, patience: Patience) -> bytes:
        """The whole body. Raises ``ModelFailed``, also where it is larger than any reply."""
        body = bytearray()
        for received in self.chunks(response, failures, patience):
            body += received
            if len(body) > LONGEST_EVENT:
                raise failures.garbage(bytes(body[:200]))
        return bytes(body)

    def chunks(self, response: httpx2.Response, failures: Failures, patience: Patience) -> Iterator[bytes]:
        """The body as it comes. Raises ``ModelFailed``."""
        began = False
        try:
            for received in response.iter_bytes() if "content-encoding" in response.headers else response.iter_raw():
                yield received
                began = True
        except (httpx2.HTTPError, ssl.SSLError) as error:
            raise _transport_failure(error, failures, patience, began) from None


def _send_no_more(request: httpx2.Request) -> None:
    """Take out what tells of this machine, and what the environment means for another server."""
    for name in [name for name in request.headers if name not in _SENT]:
        del request.headers[name]


def _transport_failure(error: BaseException | None, failures: Failures, patience: Patience, began: bool) -> ModelFailed:
    """What an error of the transport means; ``began`` says that part of the reply had come."""
    match error:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError() | httpx2.UnsupportedProtocol():
            return failures.unreachable(str(error))
        case httpx2.TimeoutException():
            return failures.silent(patience.silence, began)
        case httpx2.DecodingError():
            return failures.garbage(b"")
        case _:
            return failures.broken(began)


def _may_pass(response: httpx2.Response) -> bool:
    """Whether to send the request again; OpenAI and others say so in a header of their own."""
    said = response.headers.get("x-should-retry")
    return said == "true" or (said != "false" and (response.status_code in _MAY_PASS or response.status_code >= 500))


def _pause(tried: int) -> float:
    """Seconds before the next try: twice as long each time, up to a quarter less so that not all come at once."""
    return min(_FIRST_PAUSE * 2**tried, _LONGEST_PAUSE) * (1 - random() / 4)


def _wait_asked_for(response: httpx2.Response) -> float:
    """Seconds of Retry-After, a number or a date (RFC 9110, 10.2.3); 0 without one."""
    said = response.headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time()
        except (ValueError, OverflowError):
            return 0.0
    return max(seconds, 0.0) if isfinite(seconds) else 0.0


def drain(response: httpx2.Response, rest: Iterator[bytes]) -> None:
    """Read what follows the end of a reply, so that the connection can be used again; half a second at most.

    The end of the HTTP body is often a packet of its own. A server that never sends it must not hold the run up, and
    a blocked read can only be ended from outside.
    """
    connection = response.extensions["network_stream"].get_extra_info("socket")
    watchdog = threading.Timer(_LONGEST_DRAIN, _cut, (connection,))
    watchdog.start()
    try:
        deque(rest, maxlen=0)
    except ModelFailed:
        pass
    finally:
        watchdog.cancel()


def _cut(connection: socket.socket) -> None:
    # The plain socket's method: the one of a TLS socket takes away what the blocked read is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
