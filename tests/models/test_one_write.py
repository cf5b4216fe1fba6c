"""The head and the body of a request leave in one write."""

from __future__ import annotations

import httpcore2
import pytest

from agent.models.one_write import OneWriteStream


class Wire(httpcore2.NetworkStream):
    """Keeps what is written to it, each piece with its time-out; or fails to write. It answers ``answer``."""

    def __init__(self, answer: bytes = b"answer", broken: Exception | None = None) -> None:
        self.written: list[tuple[bytes, float | None]] = []
        self.closed = 0
        self._answer = answer
        self._broken = broken

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if self._broken:
            raise self._broken
        self.written.append((buffer, timeout))

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._answer[:max_bytes]

    def close(self) -> None:
        self.closed += 1

    def start_tls(self, *about: object, **options: object) -> httpcore2.NetworkStream:
        return Wire(b"secret")

    def get_extra_info(self, info: str) -> object:
        return f"the {info}"


def test_what_was_written_goes_out_once_before_the_answer_is_read() -> None:
    wire = Wire()
    stream = OneWriteStream(wire)
    stream.write(b"head ", 7.0)
    stream.write(b"body", 7.0)
    assert wire.written == []
    assert stream.read(3, 7.0) == b"ans"
    assert stream.read(6) == b"answer"
    assert wire.written == [(b"head body", 7.0)]
    stream.write(b"next", 5.0)
    stream.read(1, 5.0)
    assert wire.written[1:] == [(b"next", 5.0)]


def test_what_the_server_said_before_it_closed_is_read_all_the_same() -> None:
    stream = OneWriteStream(Wire(b"HTTP/1.1 413", httpcore2.WriteError()))
    stream.write(b"a long body")
    assert stream.read(100) == b"HTTP/1.1 413"


def test_a_server_that_takes_nothing_is_waited_for_no_longer_than_said() -> None:
    stream = OneWriteStream(Wire(broken=httpcore2.WriteTimeout()))
    stream.write(b"a long body")
    with pytest.raises(httpcore2.WriteTimeout):
        stream.read(100)


def test_the_rest_is_that_of_the_connection_itself() -> None:
    wire = Wire()
    stream = OneWriteStream(wire)
    stream.close()
    assert wire.closed == 1
    assert stream.get_extra_info("socket") == "the socket"
    locked = stream.start_tls()
    assert isinstance(locked, OneWriteStream)
    assert locked.read(10) == b"secret"
