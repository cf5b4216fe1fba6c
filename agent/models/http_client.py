"""HTTP with a model's server: connections that are kept, requests that are sent again, failures as ``ModelFailed``.

Requests are made with ``httpx2``, the library below the ``openai`` package: that package adds half a millisecond to
each (``benchmarks/question.py``), reads error answers without bound, and sends what it finds in the environment.
"""

from __future__ import annotations

import socket
import ssl
import threading
import weakref
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from email.utils import parsedate_to_datetime
from itertools import count
from math import isfinite
from random import random
from time import sleep, time
from typing import Any, Literal

import httpx2
from httpcore2 import NetworkStream

from agent.errors import BadRequest, ModelFailed
from agent.models.chunks import LONGEST_EVENT
from agent.models.model_failures import Failures
from agent.models.protocol import Patience
from agent.models.refusals.problems import Problem, lasts, pause_in, read_problem
from agent.models.stop_flag import shut_down
from agent.web.endpoint import is_local_host, pinned

_LONGEST_DRAIN = 0.5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
# Request Timeout, Conflict, Too Many Requests (RFC 9110, RFC 6585): may pass, as what is wrong with a server may.
_MAY_PASS = (408, 409, 429)
_BROKEN_OFF = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)
_HEADERS = {"Accept": "application/json, text/event-stream", "Accept-Encoding": "identity", "User-Agent": "Glassbox"}
_LONGEST_PROBLEM = 65_536  # bytes of an error answer that are read


class Connection:
    """The connections to one server, each kept for ``kept_seconds`` after a request. Thread-safe.

    They are closed when nobody holds this value any more. It knows no key: each request brings its own. With
    ``public_only``, each request goes to an address that was just looked up and found to be public: a name that changes
    its address in between leads nowhere else.
    """

    def __init__(self, endpoint: str, kept_seconds: float = 0.0, public_only: bool = False) -> None:
        self._endpoint = endpoint
        self._public_only = public_only
        self._socket: socket.socket | None = None  # of the connection that was made last
        self.was_cut = False
        address = httpx2.URL(endpoint)
        self._client = httpx2.Client(
            headers=_HEADERS,
            # Plain http needs no certificates: loading them takes longer than a local reply.
            verify=True if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            # A proxy of the environment does not know the way to this machine.
            trust_env=not is_local_host(address.host),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=10, keepalive_expiry=kept_seconds),
        )
        weakref.finalize(self, self._client.close)
        # Of each path that was asked: to read an address takes as long as all else of a request.
        self._urls: dict[str, httpx2.URL] = {}

    def close(self) -> None:
        """Close all connections now, whoever uses them; a request after that fails."""
        self._client.close()

    def cut(self) -> None:
        """From another thread: end the request that is sent, waited for or read; it fails, and so do later ones.

        For whoever has this value alone: of several requests at once it ends one.
        """
        self.was_cut = True
        if self._socket:
            shut_down(self._socket)

    def _trace(self, happened: str, told: Mapping[str, Any]) -> None:
        """Called by ``httpx2`` at each step of a request, in its thread."""
        made = told.get("return_value")
        if happened.endswith((".connect_tcp.complete", ".start_tls.complete")) and isinstance(made, NetworkStream):
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
    ) -> httpx2.Response | Problem:
        """The open response, its body unread and to be closed by the caller, or the error the server answered with.

        A request is sent again after an error that may pass and after a connection that broke off, not where there
        is no connection or no answer in time. Raises ``ModelFailed``, also for an address that is not public where it
        has to be.
        """
        for tried in count():
            try:
                request = self._request(method, path, failures.key, patience, content)
                response = self._client.send(request, stream=True)
                if response.is_success:
                    return response
                said = _said(response, patience.telling)
            except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError) as error:
                if tried == patience.retries or self.was_cut or not isinstance(error, _BROKEN_OFF):
                    raise _transport_failure(error, failures, patience, began=False) from None
                sleep(pause(tried))
                continue
            problem = read_problem(response.status_code, said, _wait_asked_for(response) or pause_in(said))
            lasting = not _may_pass(response) or lasts(said) or problem.is_of_a_minute
            if tried == patience.retries or problem.wait > patience.longest_wait or lasting:
                return problem
            sleep(problem.wait or pause(tried))
        raise AssertionError("unreachable")

    def _request(self, method: str, path: str, key: str, patience: Patience, content: bytes | None) -> httpx2.Request:
        """As the client would build it, which takes twice as long."""
        url = self._urls.get(path) or self._urls.setdefault(path, httpx2.URL(self._endpoint + path))
        try:
            address = pinned(self._endpoint + path, private_allowed=False) if self._public_only else ""
        except BadRequest as error:
            raise ModelFailed(error.text, "unreachable") from None
        headers = self._client.headers.raw
        if content is not None:
            headers.append((b"Content-Type", b"application/json"))
        if key:
            headers.append((b"Authorization", f"Bearer {key}".encode("ascii")))
        timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
        extensions = {"trace": self._trace, "timeout": timeout.as_dict()}
        cookies = self._client.cookies
        request = httpx2.Request(method, url, headers=headers, cookies=cookies, content=content, extensions=extensions)
        if address:
            # The name stays the one in ``Host``, set above, and in TLS.
            request.extensions["sni_hostname"] = request.url.host
            request.url = request.url.copy_with(host=address)
        return request

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


def _said(response: httpx2.Response, seconds: float) -> str:
    """What came of an error answer in so many ``seconds``, up to a bound; it is then closed, whether it ended or not.

    Compressed ones come in pieces of a megabyte at most, however much they would grow to.
    """
    said = bytearray()
    with closing(response), _cut_after(response, seconds) as cut:
        try:
            for received in response.iter_bytes():
                said += received[:_LONGEST_PROBLEM]
                if len(said) >= _LONGEST_PROBLEM:
                    break
        except httpx2.DecodingError:
            said.clear()
        except httpx2.HTTPError:
            if not cut.is_set():
                raise
    return said[:_LONGEST_PROBLEM].decode("utf-8", errors="replace")


def _transport_failure(error: Exception, failures: Failures, patience: Patience, began: bool) -> ModelFailed:
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
    return said == "true" or (said != "false" and may_pass(response.status_code))


def may_pass(status: int) -> bool:
    """Whether what was answered with this status may go well at the next try."""
    return status in _MAY_PASS or status >= 500


def pause(tried: int) -> float:
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
    with _cut_after(response, _LONGEST_DRAIN), suppress(ModelFailed):
        deque(rest, maxlen=0)


def connection_of(response: httpx2.Response) -> socket.socket:
    return response.extensions["network_stream"].get_extra_info("socket")


@contextmanager
def _cut_after(response: httpx2.Response, seconds: float) -> Generator[threading.Event]:
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
