"""HTTP with a model's server: a connection that is kept, requests that are sent again, failures as ``ModelFailed``.

Requests are made with ``httpcore2``, the library below ``httpx2`` and the ``openai`` package. With ``httpx2`` a request
costs half as much again (``benchmarks/question.py``); ``openai`` adds half a millisecond, reads error answers without
bound, and sends what it finds in the environment.
"""

from __future__ import annotations

import socket
import ssl
import threading
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from email.utils import parsedate_to_datetime
from itertools import count
from math import isfinite
from random import random
from time import sleep, time
from typing import Any, Literal, cast
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from agent.errors import BadRequest, ModelFailed
from agent.models.chunks import LONGEST_EVENT
from agent.models.model_failures import Failures
from agent.models.one_write import OneWrite
from agent.models.protocol import Patience
from agent.models.refusals.problems import Problem, lasts, pause_in, read_problem
from agent.models.stop_flag import shut_down
from agent.web.endpoint import is_local_host, pinned

_LONGEST_DRAIN = 0.5
FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
# Request Timeout, Conflict, Too Many Requests (RFC 9110, RFC 6585): may pass, as what is wrong with a server may.
_MAY_PASS = (408, 409, 429)
_BROKEN_OFF = (httpcore2.ReadError, httpcore2.WriteError, httpcore2.RemoteProtocolError)
_FAILURES = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpcore2.ProxyError,
    httpx2.DecodingError,
    httpx2.InvalidURL,
    ssl.SSLError,
)
_HEADERS = (
    (b"Accept", b"application/json, text/event-stream"),
    (b"Accept-Encoding", b"identity"),
    (b"Connection", b"keep-alive"),
    (b"User-Agent", b"Glassbox"),
)
_LONGEST_PROBLEM = 65_536  # bytes of an error answer that are read


class Connection:
    """A connection to one server, kept for ``kept_seconds`` after a request; for one request at a time.

    It is closed when nobody holds this value any more. It knows no key: each request brings its own. With
    ``public_only``, each request goes to an address that was just looked up and found to be public: a name that changes
    its address in between leads nowhere else.
    """

    def __init__(self, endpoint: str, kept_seconds: float = 0.0, public_only: bool = False) -> None:
        self._endpoint = endpoint
        self._public_only = public_only
        self._socket: socket.socket | None = None  # of the connection that was made last
        self.was_cut = False
        address = httpx2.URL(endpoint)
        self._host = address.netloc
        # A proxy of the environment does not know the way to this machine.
        local = is_local_host(address.host)
        self._pool = httpcore2.ConnectionPool(
            # Plain http needs no certificates: loading them takes longer than a local reply.
            ssl_context=httpx2.create_ssl_context(trust_env=not local) if address.scheme == "https" else None,
            proxy=None if local else _proxy(address),
            keepalive_expiry=kept_seconds,
            network_backend=OneWrite(),
        )
        self._open: httpcore2.ConnectionInterface | None = None
        self._closing: Callable[[], object] | None = None
        self._cookies = httpx2.Cookies()
        # Of each path that was asked: to read an address takes as long as all else of a request.
        self._urls: dict[str, httpcore2.URL] = {}

    def close(self) -> None:
        """Close the connection; a request after that opens another."""
        if self._closing:
            self._closing()

    def cut(self) -> None:
        """From another thread: end the request that is sent, waited for or read; it fails, and so do later ones."""
        self.was_cut = True
        if self._socket:
            shut_down(self._socket)

    def _trace(self, happened: str, told: Mapping[str, Any]) -> None:
        """Called by ``httpcore2`` at each step of a connection's first request, in its thread."""
        made = told.get("return_value")
        connected = happened.endswith((".connect_tcp.complete", ".start_tls.complete"))
        if connected and isinstance(made, httpcore2.NetworkStream):
            self._socket = made.get_extra_info("socket")
            if self.was_cut:
                self.cut()

    def send(
        self,
        method: Literal["GET", "POST"],
        path: str,
        failures: Failures,
        patience: Patience,
        content: bytes | None = None,
    ) -> httpcore2.Response | Problem:
        """The open response, its body unread and to be closed by the caller, or the error the server answered with.

        A request is sent again after an error that may pass and after a connection that broke off, not where there
        is no connection or no answer in time. Raises ``ModelFailed``, also for an address that is not public where it
        has to be.
        """
        for tried in count():
            try:
                response = self._answer(method, path, failures.key, patience, content)
                if header(response, b"set-cookie"):
                    self._keep_cookies(response, self._endpoint + path)
                if 200 <= response.status < 300:
                    return response
                said = _said(response, patience.telling)
            except _FAILURES as error:
                if tried == patience.retries or self.was_cut or not isinstance(error, _BROKEN_OFF):
                    raise _transport_failure(error, failures, patience, began=False) from None
                sleep(pause(tried))
                continue
            problem = read_problem(response.status, said, _wait_asked_for(response) or pause_in(said))
            lasting = not _may_pass(response) or lasts(said) or problem.is_of_a_minute
            if tried == patience.retries or problem.wait > patience.longest_wait or lasting:
                return problem
            sleep(problem.wait or pause(tried))
        raise AssertionError("unreachable")

    def _answer(
        self, method: str, path: str, key: str, patience: Patience, content: bytes | None
    ) -> httpcore2.Response:
        """The open response, whatever the server answers; raises one of ``_FAILURES`` where it does not."""
        if self.was_cut:
            raise httpcore2.ReadError
        url = self._urls.get(path) or self._urls.setdefault(path, _read(self._endpoint + path))
        try:
            address = pinned(self._endpoint + path, private_allowed=False) if self._public_only else ""
        except BadRequest as error:
            raise ModelFailed(error.text, "unreachable") from None
        headers = [(b"Host", self._host), *_HEADERS]
        if content is not None:
            headers += [(b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(content))]
        if key:
            headers.append((b"Authorization", f"Bearer {key}".encode("ascii")))
        if self._cookies:
            told = httpx2.Request(method, self._endpoint + path, cookies=self._cookies)
            headers += [(name, value) for name, value in told.headers.raw if name.lower() == b"cookie"]
        waits = {"connect": patience.connect, "read": patience.silence, "write": patience.silence}
        extensions: dict[str, Any] = {"timeout": waits}
        if address:
            # The name stays the one in ``Host`` and in TLS.
            extensions["sni_hostname"] = url.host.decode("ascii")
            url = httpcore2.URL(scheme=url.scheme, host=address, port=url.port, target=url.target)
        before = self._open
        http = self._connection(url.origin)
        if http is not before:
            extensions["trace"] = self._trace
        request = httpcore2.Request(method, url, headers=headers, content=content, extensions=extensions)
        return http.handle_request(request)

    def _connection(self, origin: httpcore2.Origin) -> httpcore2.ConnectionInterface:
        """The connection that is there, where it is idle and leads to that address, else another.

        A pool would look for it among others, which takes an eighth of a request.
        """
        http = self._open
        if http is None or not (http.is_available() and http.can_handle_request(origin)) or http.has_expired():
            self.close()
            self._open = http = self._pool.create_connection(origin)
            self._closing = weakref.finalize(self, http.close)
        return http

    def _keep_cookies(self, response: httpcore2.Response, url: str) -> None:
        """By which a balancer finds the server again that has the beginning of the prompt cached."""
        asked = httpx2.Request("GET", url)
        self._cookies.extract_cookies(httpx2.Response(response.status, headers=response.headers, request=asked))

    def whole(self, response: httpcore2.Response, failures: Failures, patience: Patience) -> bytes:
        """The whole body. Raises ``ModelFailed``, also where it is larger than any reply."""
        body = bytearray()
        for received in self.chunks(response, failures, patience):
            body += received
            if len(body) > LONGEST_EVENT:
                raise failures.garbage(bytes(body[:200]))
        return bytes(body)

    def chunks(self, response: httpcore2.Response, failures: Failures, patience: Patience) -> Iterator[bytes]:
        """The body as it comes. Raises ``ModelFailed``."""
        began = False
        try:
            for received in _body(response):
                yield received
                began = True
        except _FAILURES as error:
            raise _transport_failure(error, failures, patience, began) from None


def _read(url: str) -> httpcore2.URL:
    """Raises ``httpx2.InvalidURL``."""
    read = httpx2.URL(url)
    return httpcore2.URL(scheme=read.raw_scheme, host=read.raw_host, port=read.port, target=read.raw_path)


def _proxy(address: httpx2.URL) -> httpcore2.Proxy | None:
    """The proxy that the environment names for an address."""
    named = getproxies()
    found = named.get(address.scheme) or named.get("all")
    if not found or proxy_bypass(address.netloc.decode("ascii")):
        return None
    proxy = httpx2.Proxy(found if "://" in found else f"http://{found}")
    return httpcore2.Proxy(_read(str(proxy.url)), proxy.raw_auth)


def header(response: httpcore2.Response, name: bytes) -> str:
    """The value of a header, by its name in small letters; "" where there is none."""
    for known, value in response.headers:
        if known.lower() == name:
            return value.decode("latin-1")
    return ""


def _body(response: httpcore2.Response) -> Iterator[bytes]:
    """The body as it comes, unpacked where the server packs it without being asked to."""
    received = response.iter_stream()
    if not header(response, b"content-encoding"):
        return received
    return httpx2.Response(response.status, headers=response.headers, content=received).iter_bytes()


def _said(response: httpcore2.Response, seconds: float) -> str:
    """What came of an error answer in so many ``seconds``, up to a bound; it is then closed, whether it ended or not.

    Compressed ones come in pieces of a megabyte at most, however much they would grow to.
    """
    said = bytearray()
    with closing(response), _cut_after(response, seconds) as cut:
        try:
            for received in _body(response):
                said += received[:_LONGEST_PROBLEM]
                if len(said) >= _LONGEST_PROBLEM:
                    break
        except httpx2.DecodingError:
            said.clear()
        except _FAILURES:
            if not cut.is_set():
                raise
    return said[:_LONGEST_PROBLEM].decode("utf-8", errors="replace")


def _transport_failure(error: Exception, failures: Failures, patience: Patience, began: bool) -> ModelFailed:
    """What an error of the transport means; ``began`` says that part of the reply had come."""
    match error:
        case httpcore2.ConnectError() | httpcore2.ConnectTimeout() | httpcore2.ProxyError():
            return failures.unreachable(str(error))
        case httpcore2.TimeoutException():
            return failures.silent(patience.silence, began)
        case httpx2.DecodingError():
            return failures.garbage(b"")
        case _:
            return failures.broken(began)


def _may_pass(response: httpcore2.Response) -> bool:
    """Whether to send the request again; OpenAI and others say so in a header of their own."""
    said = header(response, b"x-should-retry")
    return said == "true" or (said != "false" and may_pass(response.status))


def may_pass(status: int) -> bool:
    """Whether what was answered with this status may go well at the next try."""
    return status in _MAY_PASS or status >= 500


def pause(tried: int) -> float:
    """Seconds before the next try: twice as long each time, up to a quarter less so that not all come at once."""
    return min(FIRST_PAUSE * 2**tried, _LONGEST_PAUSE) * (1 - random() / 4)


def _wait_asked_for(response: httpcore2.Response) -> float:
    """Seconds of Retry-After, a number or a date (RFC 9110, 10.2.3); 0 without one."""
    said = header(response, b"retry-after")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time()
        except (ValueError, OverflowError):
            return 0.0
    return max(seconds, 0.0) if isfinite(seconds) else 0.0


def drain(response: httpcore2.Response, rest: Iterator[bytes]) -> None:
    """Read what follows the end of a reply, so that the connection can be used again; half a second at most.

    The end of the HTTP body is often a packet of its own. A server that never sends it must not hold the run up, and
    a blocked read can only be ended from outside.
    """
    with _cut_after(response, _LONGEST_DRAIN), suppress(ModelFailed):
        deque(rest, maxlen=0)


def connection_of(response: httpcore2.Response) -> socket.socket:
    return cast("Any", response).extensions["network_stream"].get_extra_info("socket")


@contextmanager
def _cut_after(response: httpcore2.Response, seconds: float) -> Generator[threading.Event]:
    """Ends the connection of a response that is still read after so many ``seconds``, and sets the flag that it did."""
    connection = connection_of(response)
    done = threading.Event()

    def cut() -> None:
        done.set()
        shut_down(connection)

    watchdog = threading.Timer(seconds, cut)
    watchdog.start()
    try:
        yield done
    finally:
        watchdog.cancel()
