"""The connection to a model's server: the ``openai`` package's client, kept to what is wanted of it.

Importing this takes a good second (it is ``openai`` that does), so it is imported on first use. The package gives
authentication, connection pool, retries with back-off and Retry-After; what it would read from the environment
(keys, organisation, extra headers meant for another server) is left out, and requests and replies pass as bytes: its
typed transforms cost time that grows with the history.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal, cast

import httpx2
import openai

from agent.errors import ModelFailed
from agent.models.model_failures import Failures
from agent.models.problems import Problem, read_problem
from agent.web.endpoint import is_local_host

_LONGEST_DRAIN = 0.5
_Stream = openai.Stream[object]


class Client(openai.OpenAI):
    """``openai.OpenAI`` without its environment, which gives up sooner where waiting is of no use.

    Not retried: no connection, no answer in time, and a Retry-After beyond ``longest_wait`` seconds.
    """

    def __init__(self, endpoint: str, key: str, timeout: httpx2.Timeout, max_retries: int, longest_wait: float) -> None:
        self._longest_wait = longest_wait
        self._templates: dict[str, httpx2.Request] = {}
        address = httpx2.URL(endpoint)
        super().__init__(
            api_key=key,
            admin_api_key="",
            base_url=endpoint,
            max_retries=max_retries,
            timeout=timeout,
            http_client=httpx2.Client(
                # Plain http needs no certificates: loading them takes longer than a local reply.
                verify=True if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                # A proxy of the environment does not know the way to this machine.
                trust_env=not is_local_host(address.host),
                timeout=timeout,
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=100, max_keepalive_connections=10),
            ),
        )
        self.admin_api_key = self.organization = self.project = None
        self._custom_headers = {"Accept-Encoding": "identity"}

    def _validate_headers(self, headers: Any, custom_headers: Any) -> None:
        """A server on this machine needs no key."""

    def _build_request(self, options: Any, *, retries_taken: int = 0) -> httpx2.Request:
        # The package's own request is the model for all later ones to the same path: only the body differs.
        made = self._templates.get(options.url)
        if made is None:
            made = super()._build_request(options, retries_taken=retries_taken)
            for name in [name for name in made.headers if name.startswith("x-stainless") or name == "content-length"]:
                # What machine this is, and how long it waits, is nobody's business.
                del made.headers[name]
            self._templates[options.url] = made
        return httpx2.Request(
            made.method, made.url, headers=made.headers, content=options.content, extensions=made.extensions
        )

    def wait_asked_for(self, response: httpx2.Response) -> float:
        """Seconds of Retry-After, be it a number or a date; 0 without one."""
        return max(self._parse_retry_after_header(response.headers) or 0.0, 0.0)

    def _should_retry(self, response: httpx2.Response) -> bool:
        return self.wait_asked_for(response) <= self._longest_wait and super()._should_retry(response)

    def _send_request(self, request: httpx2.Request, *, stream: bool, **kwargs: Any) -> httpx2.Response:
        # The package retries what httpx2 raises, but not its own errors.
        try:
            return super()._send_request(request, stream=stream, **kwargs)
        except httpx2.TimeoutException as error:
            raise openai.APITimeoutError(request) from error
        except httpx2.ConnectError as error:
            raise openai.APIConnectionError(request=request) from error


class Connection:
    """One server's connection pool. Failures of the transport are raised as ``ModelFailed``; thread-safe."""

    def __init__(
        self,
        failures: Failures,
        *,
        connect_timeout: float,
        read_timeout: float,
        max_retries: int = 0,
        longest_wait: float = 0.0,
    ) -> None:
        self._failures = failures
        self._read_timeout = read_timeout
        timeout = httpx2.Timeout(read_timeout, connect=connect_timeout)
        self._client = Client(failures.endpoint, failures.key, timeout, max_retries, longest_wait)

    def send(
        self, method: Literal["get", "post"], path: str, content: bytes | None = None
    ) -> httpx2.Response | Problem:
        """The open response, its body unread and to be closed by the caller, or the error the server answered with."""
        try:
            if method == "get":
                opened: object = self._client.get(path, cast_to=httpx2.Response, stream=True, stream_cls=_Stream)
            else:
                opened = self._client.post(
                    path, cast_to=httpx2.Response, content=content, stream=True, stream_cls=_Stream
                )
            # The package's types do not know that a wish for the bare response wins over the wish for a stream.
            return cast("httpx2.Response", opened)
        except openai.APIStatusError as error:
            return read_problem(error.status_code, error.response.text, self._client.wait_asked_for(error.response))
        except openai.APIConnectionError as error:
            raise self._transport(error.__cause__, began=False) from None
        except (httpx2.HTTPError, ssl.SSLError) as error:
            # An error answer that broke off while its body was read.
            raise self._transport(error, began=False) from None

    def chunks(self, response: httpx2.Response) -> Iterator[bytes]:
        """The body as it comes."""
        began = False
        try:
            for received in response.iter_bytes():
                yield received
                began = True
        except (httpx2.HTTPError, ssl.SSLError) as error:
            raise self._transport(error, began) from None

    def close(self) -> None:
        self._client.close()

    def _transport(self, cause: BaseException | None, began: bool) -> ModelFailed:
        match cause:
            case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError() | httpx2.UnsupportedProtocol():
                return self._failures.unreachable(str(cause))
            case httpx2.TimeoutException():
                return self._failures.silent(self._read_timeout, began)
            case httpx2.DecodingError():
                return self._failures.garbage(b"")
            case _:
                return self._failures.broken(began)


def drain(response: httpx2.Response, chunks: Iterator[bytes]) -> None:
    """Read what follows the end of a reply, so that the connection can be used again; half a second at most.

    The end of the HTTP body is often a packet of its own. A server that never sends it must not hold the run up, and
    a blocked read can only be ended from outside.
    """
    connection = response.extensions["network_stream"].get_extra_info("socket")
    watchdog = threading.Timer(_LONGEST_DRAIN, _cut, (connection,))
    watchdog.start()
    try:
        deque(chunks, maxlen=0)
    except ModelFailed:
        pass
    finally:
        watchdog.cancel()


def _cut(connection: socket.socket) -> None:
    # The plain socket's method: the one of a TLS socket takes away what the blocked read is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
