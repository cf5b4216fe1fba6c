"""What the number of tools costs where none is used: one tool allowed, all of them, all of them and five of one's own.

    python -m benchmarks.tools [--rounds 15]

A websocket client opens the first screen and a chat of 20 turns on a real server of each app and clicks in both; the
apps take turns. Printed are the server's milliseconds for a script run, the median of the rounds, what its process
worked for a round, and how both stand to those of the app of one tool in the same run. "started" is from the making of
a process until it answers and "first screen of all" its first, where the app is imported and files of one's own are
read; of these the fastest counts, for what else goes on can only add to them.

The second table has what a process has imported by then: all modules, those of the package ``agent.tools``, and
libraries that only a tool needs. It should not grow by a tool of ours, and by a file of one's own by that file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from uuid import uuid4

from agent.store.runs import Store
from agent.tools.catalogue import NAMES
from benchmarks.long_chats import Figures, fill, visitor
from benchmarks.streamlit_server import ROOT, StreamlitServer, serve
from benchmarks.websocket import chosen, opened, pressed

TARGET = 1.1
STARTS = 4
TURNS = 20
OWN = 5
COOKIE = "f" * 32
OWN_TOOL = '''from random import randint
from agent.toolkit.base import tool
@tool
def dice_{number}(sides: int = 6) -> str:
    """Rolls die {number} and gives what it shows."""
    return str(randint(1, sides))
'''
# What a tool needs and nothing else of the first screen does; Streamlit has none of it by itself.
LIBRARIES = ("duckdb", "pandas", "pint", "pypdf", "lxml", "altair", "matplotlib", "mcp", "serpapi", "httpcore2")
SCREEN = """
import json, sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(sys.argv[1], default_timeout=60)
app.session_state["cookie"] = "f" * 32
app.run()
assert not app.exception and not app.error
print(json.dumps(sorted(sys.modules)))
"""


@dataclass(slots=True)
class Measured:
    """The rounds of one app."""

    started: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    figures: Figures = field(default_factory=Figures)
    cpu: float = 0.0


def apps(folder: Path) -> dict[str, Mapping[str, str]]:
    """The environment of each app, by its name."""
    own = folder / "own"
    own.mkdir()
    for number in range(1, OWN + 1):
        (own / f"dice_{number}.py").write_text(OWN_TOOL.format(number=number), encoding="utf-8")
    return {
        "1 tool": {"GLASSBOX_TOOLS": "calculator"},
        f"all {len(NAMES)}": {},
        f"all + {OWN} own": {"GLASSBOX_TOOLS_FOLDER": str(own)},
    }


@contextmanager
def filled(folder: Path) -> Iterator[str]:
    """A store in that folder, with one chat in it; its id."""
    store = Store(f"sqlite:///{folder}/glassbox.db")
    try:
        yield fill(store, visitor(COOKIE), TURNS)
    finally:
        store.close()


async def first_screen(port: int, measured: Measured) -> None:
    async with opened(port, uuid4().hex) as page:
        measured.first.append((await page.run()).seconds)


async def one_round(port: int, conversation: str, figures: Figures) -> None:
    async with opened(port, COOKIE) as page:
        figures.add("first screen", await page.run())
        figures.add("click on it", await page.run(pressed(page.widget("new-chat"))))
    async with opened(port, COOKIE, f"c={conversation}") as page:
        figures.add("chat", await page.run())
        thumbs = next(id for key, id in page.widgets.items() if key.startswith("thumbs-"))
        figures.add("click in it", await page.run(chosen(thumbs, "1")))


async def rounds_of(
    servers: Mapping[str, tuple[StreamlitServer, str]], all_of: dict[str, Measured], count: int
) -> None:
    for server, conversation in servers.values():
        await one_round(server.port, conversation, Figures())  # it warms up
    before = {name: server.cpu for name, (server, _) in servers.items()}
    order = list(servers)
    for _ in range(count):
        for name in order:
            server, conversation = servers[name]
            await one_round(server.port, conversation, all_of[name].figures)
        order = [*order[1:], order[0]]
    for name, (server, _) in servers.items():
        all_of[name].cpu = (server.cpu - before[name]) / count


def measure(environments: Mapping[str, Mapping[str, str]], rounds: int) -> dict[str, Measured]:
    all_of = {name: Measured() for name in environments}
    for _ in range(STARTS):
        for name, environment in environments.items():
            with tempfile.TemporaryDirectory() as folder, serve(Path(folder), **environment) as server:
                all_of[name].started.append(server.ready - server.started)
                asyncio.run(first_screen(server.port, all_of[name]))
    with ExitStack() as stack:
        servers: dict[str, tuple[StreamlitServer, str]] = {}
        for name, environment in environments.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            with filled(folder) as conversation:
                servers[name] = stack.enter_context(serve(folder, **environment)), conversation
        asyncio.run(rounds_of(servers, all_of, rounds))
    return all_of


def modules(environment: Mapping[str, str]) -> set[str]:
    """What a process has imported once it has drawn its first screen."""
    with tempfile.TemporaryDirectory() as folder:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GLASSBOX_")}
        given = clean | {"GLASSBOX_DATA": folder, "HOME": folder} | dict(environment)
        command = [sys.executable, "-c", SCREEN, str(ROOT / "app.py")]
        done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def report(all_of: Mapping[str, Measured]) -> None:
    rows = {
        name: {
            "started": min(one.started),
            "first screen of all": min(one.first),
            **{action: median(seconds) for action, seconds in one.figures.seconds.items()},
            "CPU of these four": one.cpu,
        }
        for name, one in all_of.items()
    }
    least = next(iter(rows.values()))
    print(f"{'ms':22}" + "".join(f"{name:>22}" for name in rows) + f"   target ≤ {TARGET} of the first")
    for action, seconds in least.items():
        line = [row[action] for row in rows.values()]
        told = "".join(f"{taken * 1e3:14.1f}{taken / seconds:7.2f}x" for taken in line)
        print(f"{action:22}{told}{'  *' if max(line) > TARGET * seconds else ''}")


def report_modules(environments: Mapping[str, Mapping[str, str]]) -> None:
    found = {name: modules(environment) for name, environment in environments.items()}
    print(f"\n{'imported':22}" + "".join(f"{name:>22}" for name in found))
    own = ("agent.tools", "agent.tools.")
    lines = {
        "modules in all": [len(one) for one in found.values()],
        "of agent.tools": [sum(name == own[0] or name.startswith(own[1]) for name in one) for one in found.values()],
        "libraries of tools": [len(one & set(LIBRARIES)) for one in found.values()],
    }
    for name, counts in lines.items():
        print(f"{name:22}" + "".join(f"{count:22,}" for count in counts))
    for name in sorted(set.union(*found.values()) & set(LIBRARIES)):
        print(f"  {name} is imported")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        environments = apps(Path(folder))
        report(measure(environments, rounds))
        report_modules(environments)


if __name__ == "__main__":
    main()
