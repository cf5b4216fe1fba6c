"""Answers without end, slow ones and ones that grow when unpacked: what is read of them, and what it takes."""

from __future__ import annotations

import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import repeat

import pytest

from agent.errors import ModelFailed
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.presets import list_models
from agent.models.protocol import Patience, Request

MEBIBYTE = 1 << 20
UNPACKED = 128  # MiB
MOST = 16 * MEBIBYTE
ASKED = Request((Message("user", "hi"),))


class Talker:
    """A server that answers each request with the same head and body, in chunks, as long as somebody listens."""

    def __init__(self, head: bytes, body: Callable[[], Iterator[bytes]]) -> None:
        self.sent = 0
        self.asked = 0
        self.left = threading.Event()
        self._head, self._body = head, body
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    def talk(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            _take_request(connection)
            self.asked += 1
            connection.sendall(self._head)
            for piece in self._body():
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.sent += len(piece)
            connection.recv(1)  # nothing, until the other side hangs up
        self.left.set()

    def close(self) -> None:
        self._listening.close()


def _take_request(connection: socket.socket) -> None:
    taken = b""
    while b"\r\n\r\n" not in taken:
        taken += connection.recv(65_536)
    asked, _, body = taken.partition(b"\r\n\r\n")
    length = next((line.split(b":")[1] for line in asked.lower().split(b"\r\n") if b"content-length" in line), b"0")
    while len(body) < int(length):
        body += connection.recv(65_536)


def head(status: int, encoding: str = "", kind: str = "application/json") -> bytes:
    said = f"Content-Encoding: {encoding}\r\n" if encoding else ""
    return f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{said}Transfer-Encoding: chunked\r\n\r\n".encode()


@contextmanager
def talking(head: bytes, body: Callable[[], Iterator[bytes]]) -> Iterator[Talker]:
    talker = Talker(head, body)
    thread = threading.Thread(target=talker.talk, daemon=True)
    thread.start()
    try:
        yield talker
    finally:
        talker.close()


@cache
def bomb(encoding: str) -> bytes:
    """128 MiB, packed as often as the encoding says."""
    times = len(encoding.split(","))
    packing = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    data = b"".join(packing.compress(b"x" * MEBIBYTE) for _ in range(UNPACKED)) + packing.flush()
    for _ in range(times - 1):
        again = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        data = again.compress(data) + again.flush()
    return data


def failure(talker: Talker, patience: Patience) -> tuple[ModelFailed, int]:
    """How a question fails, and the most memory that was held at once for it."""
    with closing(OpenAIChat(talker.endpoint, "m", Capabilities(), patience=patience)) as model:
        tracemalloc.start()
        try:
            with pytest.raises(ModelFailed) as caught:
                list(model.stream(ASKED))
            return caught.value, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["", "gzip", "gzip, gzip", "br", "nonsense"])
@pytest.mark.parametrize(("status", "kind"), [(400, "refused"), (404, "garbage"), (429, "rate"), (503, "server")])
def test_an_error_without_end_is_read_to_a_bound(status: int, kind: str, encoding: str) -> None:
    def body() -> Iterator[bytes]:
        return iter([bomb(encoding)]) if "gzip" in encoding else repeat(b"x" * 65_536)

    with talking(head(status, encoding), body) as talker:
        failed, peak = failure(talker, Patience(retries=0))
        assert failed.kind == kind
        assert peak < MOST
        assert talker.left.wait(10)
        assert talker.sent < MOST  # what the sockets between them hold, too


@pytest.mark.usefixtures("asked_again_at_once")
@pytest.mark.parametrize("status", [400, 503])
def test_an_error_that_drips_is_cut(status: int) -> None:
    """A byte now and then, for ever: each would come in time."""
    dripping = threading.Event()

    def body() -> Iterator[bytes]:
        yield b'{"error": "'
        while not dripping.wait(0.01):
            yield b"x"

    with talking(head(status), body) as talker:
        failed, _ = failure(talker, Patience(retries=1, telling=0.2))
        assert "It said" in str(failed) and "xxx" in str(failed)
        assert talker.asked == (1 if status == 400 else 2)
        assert talker.left.wait(10)
        dripping.set()


def test_an_error_that_says_nothing_more_is_cut() -> None:
    with talking(head(400), lambda: iter([b"It was "])) as talker:
        failed, _ = failure(talker, Patience(retries=0, telling=0.2))
        assert "It said: “It was”" in str(failed)
        assert talker.left.wait(10)


def test_an_error_of_a_list_of_models_is_bounded_too() -> None:
    with talking(head(500, "gzip"), lambda: iter([bomb("gzip")])) as talker:
        tracemalloc.start()
        with pytest.raises(ModelFailed):
            list_models(talker.endpoint, "", 5.0, Capabilities())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < MOST


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("encoding", ["", "gzip", "gzip, gzip"])
def test_a_reply_without_end_that_says_nothing(encoding: str, kind: str) -> None:
    def body() -> Iterator[bytes]:
        return iter([bomb(encoding)]) if encoding else repeat(b"x" * 65_536)

    with talking(head(200, encoding, kind), body) as talker:
        failed, peak = failure(talker, Patience(retries=0))
        assert failed.kind == "garbage"
        assert peak < 4 * MOST  # of an event that may be 8 MiB
        assert talker.left.wait(10)


def test_comments_without_end_can_be_stopped() -> None:
    """Whoever reads is given a turn, though nothing is said."""
    with talking(head(200, kind="text/event-stream"), lambda: repeat(b": still here\n\n")) as talker:
        with closing(OpenAIChat(talker.endpoint, "m", Capabilities())) as model:
            stream = model.stream(ASKED)
            assert [next(stream).text for _ in range(3)] == ["", "", ""]
            stream.close()
        assert talker.left.wait(10)
