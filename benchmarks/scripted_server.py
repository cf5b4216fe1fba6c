"""A small, fast OpenAI-compatible server for benchmarks: N calls of ``double``, then an answer. Prints its port.

    python benchmarks/scripted_server.py STEPS [CHUNK_CHARACTERS]

The reply follows from the request alone: how many results it holds, whether it has ``tools`` and ``stream``.
``POST /v1/record`` starts keeping request bodies, ``GET /v1/recorded`` gives them.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

ANSWER = "It grows without end, and the last of the numbers is the largest of them all."
THOUGHT = "The number so far is known, so I double it once more and look."


class Server:
    def __init__(self, steps: int, chunk: int) -> None:
        self.steps = steps
        self.chunk = chunk
        self.recorded: list[Any] | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = 0
                for line in head.split(b"\r\n"):
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                body = await reader.readexactly(length)
                path = head.split(b" ", 2)[1]
                for part in self.answer(path, body):
                    writer.write(part)
                    await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionResetError, asyncio.CancelledError):
            writer.close()

    def answer(self, path: bytes, body: bytes) -> list[bytes]:
        if path.endswith(b"/record"):
            self.recorded = []
            return [whole({})]
        if path.endswith(b"/recorded"):
            kept, self.recorded = self.recorded, None
            return [whole(kept)]
        request = json.loads(body)
        if self.recorded is not None:
            self.recorded.append(request)
        done = sum(message["role"] == "assistant" for message in request["messages"])
        message = native(done, self.steps) if request.get("tools") else react(done, self.steps)
        return self.streamed(message) if request.get("stream") else [whole(completion(message))]

    def streamed(self, message: dict[str, Any]) -> list[bytes]:
        text = message.get("content") or ""
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": text[start : start + self.chunk]} for start in range(0, len(text), self.chunk)]
        for call in message.get("tool_calls", ()):
            deltas.append({"tool_calls": [{"index": 0, **call}]})
        events = [chunk({"index": 0, "delta": delta, "finish_reason": None}) for delta in deltas]
        events.append(chunk({"index": 0, "delta": {}, "finish_reason": "stop"}))
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        lines = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events] + [b"data: [DONE]\n\n"]
        return [head, *(b"%x\r\n%b\r\n" % (len(line), line) for line in lines), b"0\r\n\r\n"]


def react(done: int, steps: int) -> dict[str, Any]:
    if done < steps:
        return {"role": "assistant", "content": f"Thought: {THOUGHT}\nAction: double\nAction Input: {done + 1}"}
    return {"role": "assistant", "content": f"Thought: I now know the final answer\nFinal Answer: {ANSWER}"}


def native(done: int, steps: int) -> dict[str, Any]:
    if done >= steps:
        return {"role": "assistant", "content": ANSWER}
    function = {"name": "double", "arguments": json.dumps({"number": done + 1})}
    call = {"id": f"call_{done}", "type": "function", "function": function}
    return {"role": "assistant", "content": THOUGHT, "tool_calls": [call]}


def completion(message: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def chunk(choice: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def whole(value: object) -> bytes:
    body = json.dumps(value).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


async def main() -> None:
    steps = int(sys.argv[1])
    pieces = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    server = await asyncio.start_server(Server(steps, pieces).serve, "127.0.0.1", 0, limit=1 << 24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
