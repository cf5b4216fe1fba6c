"""The log as JSON: one object a line, with nothing in it that a person wrote."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from agent.telemetry.json_log import JsonLines

ROOT = Path(__file__).parents[2]
PROGRAM = """
import logging, sys
from streamlit.logger import get_logger
theirs = get_logger("streamlit.somewhere")
from agent.application.services import open_services
services = open_services({"GLASSBOX_DATA": sys.argv[1], "GLASSBOX_LOG": "json"}, {})
theirs.error("of Streamlit")
log = logging.getLogger("agent.somewhere")
try:
    try:
        {}["a visitor's words"]
    except KeyError as error:
        raise ValueError("other words") from error
except ValueError:
    log.exception("run %s failed\\nwith %s", "abc", "sk-abcdefghijklmnop0123456789")
services.tables.sandbox.close()
services.runs.close()
"""


@pytest.mark.system
def test_each_line_is_an_object_without_words_of_people(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    theirs, ours = (
        next(line for line in lines if "somewhere" in line["logger"] and word in line["logger"])
        for word in ("streamlit", "agent")
    )
    assert theirs["message"] == "of Streamlit" and theirs["level"] == "error"
    assert ours["message"] == f"run abc failed\nwith {'*' * 29}"
    assert ours["error"] == ["ValueError", "KeyError"] and ours["at"]
    assert "words" not in ran.stderr


def test_times_are_those_of_the_world() -> None:
    record = logging.makeLogRecord({"created": 0.25, "levelname": "INFO", "name": "a", "msg": "é"})
    line = JsonLines().format(record)
    assert json.loads(line)["time"] == "1970-01-01T00:00:00.250+00:00" and "é" in line
