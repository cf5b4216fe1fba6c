"""Our own tools served to others, used by the ``mcp`` package's client over both transports."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from agent.cli.main import main

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
COMMAND = ["-m", "agent", "serve-mcp"]


@contextmanager
def over_http() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen([sys.executable, *COMMAND, "--http", str(port)], cwd=ROOT)
    try:
        end = monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert monotonic() < end and process.poll() is None
            sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


async def used(server: Any) -> None:
    async with Client(server) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"search", "calculator", "now"} <= set(listed) and not {"ask_user", "python"} & set(listed)
        assert listed["calculator"].input_schema["required"] == ["expression"]
        assert listed["search"].annotations.open_world_hint  # type: ignore[union-attr]
        right = await client.call_tool("calculator", {"expression": "2^10"})
        assert (right.is_error, right.content[0].text) == (False, "1024")  # type: ignore[union-attr]
        near = await client.call_tool("calculator", {"sum": "15% of 80"})
        assert (near.is_error, near.content[0].text) == (False, "12")  # type: ignore[union-attr]
        for name, arguments in (("calculator", {"expression": "2^^"}), ("calculator", {}), ("calculater", {"e": 1})):
            wrong = await client.call_tool(name, arguments)
            assert wrong.is_error
        assert "Did you mean ‘calculator’?" in wrong.content[0].text  # type: ignore[union-attr]
        nowhere = await client.call_tool("search", {"query": "x"})
        assert nowhere.is_error and "could not reach the internet" in nowhere.content[0].text  # type: ignore[union-attr]


def test_over_its_input_and_output() -> None:
    env = {"GLASSBOX_WIKIPEDIA_URL": "http://127.0.0.1:9/w/api.php", "PATH": os.environ["PATH"]}
    asyncio.run(used(StdioServerParameters(command=sys.executable, args=COMMAND, env=env, cwd=ROOT)))


def test_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSBOX_WIKIPEDIA_URL", "http://127.0.0.1:9/w/api.php")
    with over_http() as url:
        asyncio.run(used(url))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tools", "dice"], "There is no tool dice."),
        (["--tools", "query"], "There is no tool to serve."),
        (["--http", "0"], "must be a port"),
        (["--http", "99999"], "must be a port"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve-mcp", *arguments])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
