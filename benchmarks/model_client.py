"""CPU time of the model client against a bare HTTP client that makes the same requests, in one run.

    python -m benchmarks.model_client [--rounds 30] [--chunks 400]

The scripted server runs in another process. "floor" is ``httpx2`` alone: for streams it splits the body into lines and
takes the data after ``data:``, for whole replies it reads the body and parses the JSON. Times are CPU time of this
process (user and system), the best of five repetitions.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from agent.events import ToolSchema
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Request

HISTORY = 20


def serve(pipe: Connection, chunks: int) -> None:
    from tests.support.servers.model_server import ModelServer, Reply

    with ModelServer(lambda body: Reply("word " * chunks, chunk=5)) as server:
        pipe.send(server.endpoint)
        pipe.recv()


@contextmanager
def server(chunks: int) -> Iterator[str]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, chunks))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join()


def cpu(call: Callable[[], object], rounds: int) -> float:
    """Seconds of CPU a call, the best of five repetitions."""
    call()
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(rounds):
            call()
        best = min(best, (time.process_time() - start) / rounds)
    return best


def request() -> Request:
    said = [
        Message("assistant" if turn % 2 else "user", f"turn {turn}: " + "some words of history " * 15)
        for turn in range(HISTORY)
    ]
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return Request(
        (Message("system", "You are helpful. " * 60), *said), (ToolSchema("search", "Search the web.", schema),)
    )


def bodies(asked: Request) -> dict[str, object]:
    tools = [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in asked.tools
    ]
    return {"model": "m", "messages": [{"role": m.role, "content": m.content} for m in asked.messages], "tools": tools}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--chunks", type=int, default=400)
    options = parser.parse_args()
    import httpx2

    asked = request()
    body = bodies(asked)
    chat = {**body, "stream": True, "stream_options": {"include_usage": True}}
    with server(options.chunks) as endpoint, httpx2.Client() as bare:
        url = f"{endpoint}/chat/completions"
        streamed = OpenAIChat(endpoint, "m", Capabilities())
        whole = OpenAIChat(endpoint, "m", Capabilities(), stream=False)

        def floor_stream() -> int:
            with bare.stream(
                "POST", url, content=json.dumps(chat).encode(), headers={"content-type": "application/json"}
            ) as answer:
                return sum(line.startswith("data:") and len(line[6:]) for line in answer.iter_lines())

        def floor_whole() -> str:
            answer = bare.post(url, content=json.dumps(body).encode(), headers={"content-type": "application/json"})
            return json.loads(answer.content)["choices"][0]["message"]["content"]

        def ours_stream() -> int:
            return sum(len(delta.text) for delta in streamed.stream(asked))

        expected = len("word " * options.chunks)
        assert ours_stream() == expected == len(floor_whole())
        assert sum(len(delta.text) for delta in whole.stream(asked)) == expected
        rows = [
            (
                "streamed",
                cpu(floor_stream, options.rounds),
                cpu(ours_stream, options.rounds),
            ),
            (
                "whole",
                cpu(floor_whole, options.rounds),
                cpu(lambda: list(whole.stream(asked)), options.rounds),
            ),
        ]
        print(
            f"{options.chunks} chunks a streamed reply, {HISTORY + 1} messages a request; microseconds of CPU a reply"
        )
        print(f"{'':10}{'floor':>10}{'ours':>10}{'ours/floor':>12}")
        for name, floor, ours in rows:
            print(f"{name:10}{floor * 1e6:10.0f}{ours * 1e6:10.0f}{ours / floor:12.2f}")
        floor, ours = (figure / options.chunks * 1e6 for figure in rows[0][1:])
        print(f"a chunk: floor {floor:.1f}, ours over it {ours - floor:.1f} µs")
        streamed.close()
        whole.close()


if __name__ == "__main__":
    main()
