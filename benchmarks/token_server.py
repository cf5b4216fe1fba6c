"""A model's server that streams words that count, at a steady pace, to any number of visitors. Prints its port.

    python benchmarks/token_server.py TOKENS_A_SECOND

A question that ends in ``600w`` is answered with ``"qaaa qaab qaac …"``, 600 words that count, one a token and a
paragraph every 60, after a thought of 30 words. ``GET /v1/sent`` gives, by question, the monotonic time at which each
word was sent.
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import monotonic

PARAGRAPH = 60
WORD = r"\bq[a-p]{3}\b"
_LETTERS = "abcdefghijklmnop"
_THOUGHT = "Thought: " + "I look at it from every side. " * 4 + "\nFinal Answer:"
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Server:
    def __init__(self, pace: float) -> None:
        self.pace = pace
        self.sent: dict[str, list[float]] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lines = head.lower().split(b"\r\n")
                length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
                body = await reader.readexactly(length)
                path = head.split(b" ", 2)[1]
                if path.endswith(b"/sent"):
                    writer.write(whole(self.sent))
                elif not path.endswith(b"/chat/completions"):  # what other servers tell of their models
                    writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                else:
                    await self.stream(json.loads(body)["messages"][-1]["content"].strip(), writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionResetError):
            writer.close()

    async def stream(self, question: str, writer: asyncio.StreamWriter) -> None:
        sent = self.sent.setdefault(question, [])
        writer.write(_HEAD + event({"role": "assistant", "content": ""}))
        words = [f"{word} " for word in _THOUGHT.split(" ")]
        started = monotonic()
        for index, word in enumerate([*words, *map(token, range(int(question.rsplit(maxsplit=1)[-1][:-1])))]):
            await asyncio.sleep(started + index / self.pace - monotonic())
            writer.write(event({"content": word}))
            if index >= len(words):
                sent.append(monotonic())
            await writer.drain()
        writer.write(event({}, "stop") + chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")


def token(number: int) -> str:
    """A word for a number below 4,096: figures would each be looked up among the observations."""
    word = "q" + "".join(_LETTERS[number >> shift & 15] for shift in (8, 4, 0))
    return word + ("\n\n" if number % PARAGRAPH == PARAGRAPH - 1 else " ")


def number(word: str) -> int:
    """The number that ``token`` made the word of."""
    return int("".join(f"{_LETTERS.index(letter):x}" for letter in word[1:]), 16)


def event(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    value = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return chunk(b"data: " + json.dumps(value).encode() + b"\n\n")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def whole(value: object) -> bytes:
    body = json.dumps(value).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


async def main() -> None:
    server = await asyncio.start_server(Server(float(sys.argv[1])).serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
