"""A forked process of the app is as one that a person starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.app_process import ROOT, ForkedApp, forking

pytestmark = pytest.mark.system
SERVING = ["http.server", "0", "--bind=127.0.0.1"]
STATE = ["tests.support.process_state", "run", "app.py", "--server.port=1"]


def environment(folder: Path) -> dict[str, str]:
    named = {"HOME": str(folder), "TMPDIR": str(folder), "TZ": "Asia/Tokyo", "GLASSBOX_STEPS": "3", "LC_ALL": "C.UTF-8"}
    of_python = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}  # the fork has those
    return {"PATH": os.environ["PATH"], **of_python, **named}


def forked(log: Path) -> dict[str, Any]:
    app = ForkedApp(forking(), STATE, environment(log.parent), log)
    assert app.wait() == 0, log.read_text(encoding="utf-8")
    return json.loads(log.read_text(encoding="utf-8"))


def test_it_finds_what_a_fresh_one_finds(tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    found = forked(log)
    log.unlink()
    with log.open("ab") as file:
        command = [sys.executable, "-m", *STATE]
        subprocess.run(
            command, cwd=ROOT, env=environment(tmp_path), stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=True
        )
    fresh = json.loads(log.read_text(encoding="utf-8"))
    assert found["state"] == fresh["state"]
    assert found["chance"] != fresh["chance"]


def test_no_two_draw_the_same_chance(tmp_path: Path) -> None:
    assert forked(tmp_path / "1")["chance"] != forked(tmp_path / "2")["chance"]


def test_it_says_how_it_ended(tmp_path: Path) -> None:
    app = ForkedApp(forking(), ["asyncio"], environment(tmp_path), tmp_path / "app.log")
    assert app.wait() == 0  # nothing stands in its input
    app.kill()  # which nobody gets

    waiting = ForkedApp(forking(), SERVING, environment(tmp_path), tmp_path / "app.log")
    assert waiting.poll() is None
    waiting.terminate()
    assert waiting.wait() == waiting.poll() == -signal.SIGTERM
    assert not Path(f"/proc/{waiting.pid}").exists()


def test_none_outlives_the_process_that_was_forked(tmp_path: Path) -> None:
    program = forking.__wrapped__()
    app = ForkedApp(program, SERVING, environment(tmp_path), tmp_path / "app.log")
    program.communicate()
    assert program.returncode == 0
    assert not Path(f"/proc/{app.pid}").exists()
