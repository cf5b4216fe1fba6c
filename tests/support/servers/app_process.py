"""Processes of the app, forked from one that has imported it: a start takes a tenth of the work of a fresh one.

That one has imported and nothing else: it has a single thread, has read no setting and no file of Streamlit's. Run as a
program, it reads a line of JSON for each order, and answers with a line.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from agent.text.regex import Regex

ROOT = Path(__file__).parents[3]
# What a fresh process has imported when it has sent its first page.
MODULES = """
    streamlit.web.cli streamlit.web.server.starlette.starlette_server streamlit.web.server.starlette.starlette_app
    streamlit.runtime.app_session streamlit.material_icon_names uvicorn numpy PIL.Image agent.models.http_client app
"""


class ForkedApp:
    """One process, with what a test needs of ``subprocess.Popen``."""

    def __init__(
        self, program: subprocess.Popen[str], arguments: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> None:
        """Starts ``python -m`` with the arguments, in the folder of the app; it writes to ``log``."""
        self._program = program
        self._ended: int | None = None
        self.pid: int = self._told(start=list(arguments), environment=dict(environment), log=str(log))

    def poll(self) -> int | None:
        """How it ended, as ``Popen.returncode``; ``None`` while it runs."""
        if self._ended is None:
            self._ended = self._told(process=self.pid, how=os.WNOHANG)
        return self._ended

    def wait(self) -> int:
        if self._ended is None:
            self._ended = int(self._told(process=self.pid, how=0))
        return self._ended

    def send_signal(self, number: int) -> None:
        """Nothing happens where its end is known: until then no other process gets its number."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _told(self, **order: object) -> Any:
        assert self._program.stdin
        assert self._program.stdout
        print(json.dumps(order), file=self._program.stdin, flush=True)
        return json.loads(self._program.stdout.readline())


@cache
def forking() -> subprocess.Popen[str]:
    """The process that is forked, one for all tests of this process."""
    command = [sys.executable, "-m", "tests.support.servers.app_process"]
    # Numpy starts threads where it may use several cores, and none of them would be in a fork.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    program = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT, env=environment)
    atexit.register(program.communicate)
    return program


def _imported() -> None:
    for name in MODULES.split():
        importlib.import_module(name)
    del sys.modules["app"]  # what stands in it is made anew, with what it imports there already
    from streamlit import config, runtime

    assert not config._config_options and not runtime.exists(), "Streamlit has read its settings, or started"
    assert tempfile.tempdir is None, "the folder for temporary files was looked up"
    assert len(os.listdir("/proc/self/task")) == 1, "there are threads, which a fork would be without"
    gc.collect()
    for pattern in gc.get_objects():
        if isinstance(pattern, Regex):  # compiled once, where each app would do it at its first questions
            assert pattern.flags
    gc.freeze()


def _begin(order: Mapping[str, Any]) -> None:
    """Be as a process that was started with these arguments and this environment."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for file, number in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(file, number)
    os.close(nothing)
    os.close(log)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    module, *sys.argv[1:] = order["start"]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _main() -> None:
    """Fork until nobody orders any more; then end what was not waited for."""
    _imported()
    running = set[int]()
    for line in sys.stdin:
        order = json.loads(line)
        if "start" in order:
            answer: int | None = os.fork()
            if not answer:
                _begin(order)
                return
            running.add(answer)
        else:
            ended, status = os.waitpid(order["process"], order["how"])
            answer = os.waitstatus_to_exitcode(status) if ended else None
            running.discard(ended)
        print(json.dumps(answer), flush=True)
    for process in running:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        _main()
