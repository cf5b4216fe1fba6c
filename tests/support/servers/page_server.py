"""Loopback servers for reading pages: one that serves anything, one for names, and one nobody may connect to.

``with PageServer() as server``: ``server.pages[path] = (content_type, body)`` or a function of the request handler;
``server.place`` is its ``host:port``, ``server.hits`` what was asked so far (path and headers).
``with Canary() as canary``: ``canary.count`` are the connections made to it.
``NameServer`` answers real DNS questions (A and AAAA) over UDP; ``answers[name]`` are lists, one for each question.
``Routed`` is the network of a test: names by a ``NameServer``, public addresses led to loopback as a router would.
"""

from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Event, Thread
from types import TracebackType
from typing import Self

import httpcore2

from agent.web.fetching.address_guard import Address
from tests.support.servers.prompt_server import PromptServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def owner(self) -> PageServer:
        assert isinstance(self.server, _Server)
        return self.server.owner

    def do_GET(self) -> None:
        owner = self.owner
        owner.hits.append((self.path, dict(self.headers)))
        page = owner.pages.get(self.path) or owner.pages.get(self.path.partition("?")[0])
        if page is None:
            self.reply(404, "text/html", b"<h1>Not here</h1>")
        elif callable(page):
            page(self)
        else:
            self.reply(200, *page)

    def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: see ``PageServer.hits``."""


Page = tuple[str, bytes] | Callable[[Handler], None]


class _Server(PromptServer):
    owner: PageServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests; anything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError | ssl.SSLError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class PageServer:
    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.pages: dict[str, Page] = {}
        self.hits: list[tuple[str, dict[str, str]]] = []
        self.closing = Event()
        self._tls = tls

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.place}{path}"

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.owner = self
        if self._tls:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Canary:
    """Counts the connections made to it, and answers as a web server would."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def __enter__(self) -> Canary:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if connection.getpeername()[1] == self._closer:
                connection.close()
                return
            self.count += 1
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nsecret")
            connection.close()

    _closer = 0

    def __exit__(self, *_: object) -> None:
        with socket.socket() as last:
            last.bind(("127.0.0.1", 0))
            self._closer = last.getsockname()[1]
            last.connect(self._listener.getsockname())
            self._thread.join(5)
        self._listener.close()


class NameServer:
    """DNS over UDP on loopback. Of a name's answers each look-up (A, then AAAA) takes the next; the last one stays."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.answers = {name: list(lists) for name, lists in answers.items()}
        self.asked: list[str] = []

    def __enter__(self) -> NameServer:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = self._socket.getsockname()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.address)
        self._thread.join(5)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            question, client = self._socket.recvfrom(512)
            if not question:
                return
            self._socket.sendto(self._answer(question), client)

    def _answer(self, question: bytes) -> bytes:
        name, end = _read_name(question, 12)
        kind = int.from_bytes(question[end : end + 2])
        lists = self.answers.get(name, [[]])
        if kind == 1:
            self.asked.append(name)
        addresses = [ip_address(text) for text in lists[0]]
        if kind == 28 and len(lists) > 1:  # AAAA is asked after A: then comes the next answer
            lists.pop(0)
        wanted = [address for address in addresses if address.version == (4 if kind == 1 else 6)]
        head = question[:2] + b"\x81\x80" + b"\x00\x01" + len(wanted).to_bytes(2) + b"\x00\x00\x00\x00"
        records = b"".join(
            b"\xc0\x0c" + kind.to_bytes(2) + b"\x00\x01" + (0).to_bytes(4) + len(a.packed).to_bytes(2) + a.packed
            for a in wanted
        )
        return head + question[12 : end + 4] + records


def _read_name(message: bytes, at: int) -> tuple[str, int]:
    labels: list[str] = []
    while length := message[at]:
        labels.append(message[at + 1 : at + 1 + length].decode())
        at += length + 1
    return ".".join(labels), at + 1


class Routed:
    """See the module. ``dialled`` are the addresses that were connected to."""

    def __init__(self, names: NameServer, routes: Mapping[str, tuple[str, int]]) -> None:
        self._names = names
        self._routes = routes
        self.dialled: list[str] = []

    def look_up(self, host: str, seconds: float) -> Sequence[Address]:
        return [address for kind in (1, 28) for address in self._ask(host, kind, seconds)]

    def connect(self, address: Address, port: int, seconds: float) -> httpcore2.NetworkStream:
        self.dialled.append(str(address))
        where = self._routes.get(str(address), (str(address), port))
        return httpcore2.SyncBackend().connect_tcp(*where, timeout=seconds)

    def _ask(self, host: str, kind: int, seconds: float) -> list[Address]:
        name = b"".join(len(part).to_bytes(1) + part.encode() for part in host.split(".")) + b"\0"
        question = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" + name + kind.to_bytes(2) + b"\x00\x01"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.settimeout(seconds)
            asking.sendto(question, self._names.address)
            answer = asking.recv(2048)
        at = 12 + len(name) + 4
        found: list[Address] = []
        for _ in range(int.from_bytes(answer[6:8])):
            size = int.from_bytes(answer[at + 10 : at + 12])
            data = answer[at + 12 : at + 12 + size]
            found.append(IPv4Address(data) if size == 4 else IPv6Address(data))
            at += 12 + size
        return found


def redirect(to: str, status: int = 302) -> Callable[[Handler], None]:
    return lambda handler: handler.reply(status, "text/html", b"elsewhere", Location=to)


def status(code: int, **headers: str) -> Callable[[Handler], None]:
    return lambda handler: handler.reply(code, "text/html", b"<h1>No</h1>", **headers)
