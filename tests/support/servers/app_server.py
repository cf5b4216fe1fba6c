"""The app: a real Streamlit server in a process of its own, on a free loopback port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

from agent.application.visitor_ids import VisitorIds
from agent.settings import SETTINGS
from agent.settings.parsing import NAMES
from agent.store.runs import Store
from agent.tools.catalogue import CATALOGUE
from agent.tools.spec import a_sandbox
from tests.support.servers.app_process import ForkedApp, forking

ROOT = Path(__file__).parents[3]
START_SECONDS = 60.0
# What Streamlit Community Cloud forces on an app.
CLOUD = ("--runner.fastReruns=true", "--client.showErrorDetails=false")
# For an app whose questions run no programs: it starts no sandbox for them, which takes two seconds of work.
WITHOUT_PROGRAMS = {"GLASSBOX_TOOLS": ",".join(spec.name for spec in CATALOGUE if spec.needs is not a_sandbox)}
# Ports of servers that have ended. A browser knows the programs of the page by their address: those of a server at the
# port of an earlier one it neither fetches nor compiles again.
_LEFT: set[int] = set()


class AppServer:
    """``with AppServer(folder, GLASSBOX_MODEL="m") as app: app.url``; ``kill`` and ``start`` again at will.

    All that it writes is in ``folder``: its store, its log, its home. With a ``script`` it serves that, run in its own
    folder, in place of the app.

    The process is forked from one that has imported the app (``app_process``).
    """

    forks = True

    def __init__(
        self,
        folder: Path,
        *options: str,
        script: str | Path = ROOT / "app.py",
        **environment: str,
    ) -> None:
        # Both may be set before it starts.
        self.address, self.port = "127.0.0.1", known_port()
        self._port = self.port
        self._options = options
        self._script = Path(script)
        self.folder = folder
        self._log = folder / "app.log"
        ours = {setting.variable for setting in SETTINGS}
        clean = {k: v for k, v in os.environ.items() if k not in ours and not k.startswith(("GLASSBOX_", "OPENAI_"))}
        # Nothing is there: whatever reaches out fails at once, as it does without a network.
        nowhere = {
            "GLASSBOX_WIKIPEDIA_URL": "http://127.0.0.1:9/w/api.php",
            "GLASSBOX_SERPAPI_URL": "http://127.0.0.1:9",
            "GLASSBOX_SERVICES": ", ".join(f"{name}=http://127.0.0.1:9" for name in NAMES),
        }
        self._environment = clean | nowhere | {"GLASSBOX_DATA": str(folder / "data"), "HOME": str(folder)} | environment
        self._process: subprocess.Popen[bytes] | ForkedApp | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/"

    @property
    def database(self) -> str:
        """The address of its store, where no setting names another."""
        return f"sqlite:///{self.folder / 'data' / 'glassbox.db'}"

    def signed(self, cookie: str) -> str:
        """What a browser keeps of a visitor's id, so that the app knows it."""
        store = Store(self.database)
        try:
            return VisitorIds(store).signed(cookie)
        finally:
            store.close()

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def start(self) -> None:
        server = [f"--server.port={self.port}", f"--server.address={self.address}", "--server.headless=true"]
        arguments = ["streamlit", "run", self._script.name, *server, "--server.fileWatcherType=none", *self._options]
        forked = self.forks and self._script == ROOT / "app.py"
        self._process = self._forked(arguments) if forked else self._started(arguments)
        end = monotonic() + START_SECONDS
        while not self._healthy():
            assert monotonic() < end and self._process.poll() is None, f"the app did not start: {self.log}"
            sleep(0.1)

    def pause(self) -> None:
        """Have the server do nothing any more; its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Have a paused server work again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the server as a crash does (SIGKILL)."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Tell the server to end, as a container that is stopped does (SIGTERM), and wait until it has."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()

    def children(self) -> dict[int, float]:
        """The processes that it started, and those that these started: by id, the seconds each has worked."""
        assert self._process is not None
        parents, worked = dict[int, int](), dict[int, float]()
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit():
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    parents[int(entry.name)] = int(fields[1])
                    worked[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        found = {self._process.pid}
        for _ in parents:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            if not more:
                break
            found |= more
        return {pid: worked[pid] for pid in found - {self._process.pid}}

    def _started(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", *arguments]
        with self._log.open("ab") as log:
            return subprocess.Popen(command, cwd=self._script.parent, env=self._environment, stdout=log, stderr=log)

    def _forked(self, arguments: list[str]) -> ForkedApp:
        return ForkedApp(forking(), arguments, self._environment, self._log)

    def _healthy(self) -> bool:
        connection = HTTPConnection(self.address, self.port, timeout=1)
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def __enter__(self) -> AppServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.kill()
        _LEFT.add(self._port)


class FreshAppServer(AppServer):
    """Started as a person does, so that all that is known of the process, in ``/proc`` too, is its own."""

    forks = False


def known_port() -> int:
    """One of an earlier server, where one is free."""
    for port in sorted(_LEFT):
        _LEFT.remove(port)
        with suppress(OSError):
            return free_port(port)
    return free_port()


def free_port(port: int = 0) -> int:
    """That port, or any.

    Raises:
        OSError: it is in use.
    """
    with socket.socket() as probe:
        if port:  # connections that were closed linger there
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return int(probe.getsockname()[1])
