"""A Streamlit server in a process of its own, and what that process has used."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).parent.parent
_START_SECONDS = 60.0
_LOOK_SECONDS = 0.01
_TICKS = os.sysconf("SC_CLK_TCK")
_OWN = ("GLASSBOX_", "OPENAI_", "SERPAPI_", "STREAMLIT_")


@dataclass(frozen=True, slots=True)
class StreamlitServer:
    """``started`` is the monotonic time when its process was made, ``ready`` when it first answered."""

    port: int
    pid: int
    started: float
    ready: float

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/"

    @property
    def cpu(self) -> float:
        return cpu_of(self.pid)

    @property
    def resident(self) -> float:
        """MiB that its process holds in memory."""
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used, in ticks of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def cpu_of_all() -> float:
    """Seconds of CPU that everything on this machine has used."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]
    idle, waiting = int(fields[3]), int(fields[4])
    return (sum(map(int, fields)) - idle - waiting) / _TICKS


@contextmanager
def serve(
    data: Path, *options: str, script: str | Path = ROOT / "app.py", **environment: str
) -> Iterator[StreamlitServer]:
    """A server of ``script``, run in that script's folder, with its data in the folder ``data``."""
    script = Path(script)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", script.name, f"--server.port={port}"]
    quiet = ["--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    started = monotonic()
    with (data / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, *quiet, "--browser.gatherUsageStats=false", *options],
            cwd=script.parent,
            env=clean | {"GLASSBOX_DATA": str(data), "HOME": str(data)} | environment,
            stdout=log,
            stderr=log,
        )
    try:
        while not _healthy(port):
            assert monotonic() < started + _START_SECONDS and process.poll() is None, (data / "server.log").read_text()
            sleep(_LOOK_SECONDS)
        yield StreamlitServer(port, process.pid, started, monotonic())
    finally:
        process.kill()
        process.wait()


def _healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
