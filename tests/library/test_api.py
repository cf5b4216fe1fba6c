"""The public API: every name is there and told, and each program of ``docs/api.md`` and the README runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import agent

ROOT = Path(__file__).parents[2]
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", API, re.S)
SAID = (
    r"dice says: \d+",
    r"double \{'number': 21.0\}\n42.0",
    r"4 messages - Children of Dune\.",
    r".*Only France.*'Paris'\] Paris\.",
    r'12 .*The tool itself mended \{"sides": "2d6"\} to \{"count": "2", "sides": "6"\}\..*',
)

pytestmark = [pytest.mark.slow, pytest.mark.system]


def run(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("program", "said"), [*zip(PROGRAMS, SAID, strict=True)])
def test_each_program_of_the_document_runs(program: str, said: str, tmp_path: Path) -> None:
    assert re.fullmatch(said, run(program, tmp_path), re.S)


def test_every_name_is_told_and_there() -> None:
    told = re.findall(r"`(\w+)[`(]", API.split("## A tool")[0].split("|---|---|")[1])
    assert {name for name in told if not hasattr(agent, name) and name != "history"} == set()
    assert {name for name in agent._PLACES if f"`{name}" not in API} == set()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = agent.nothing


def test_the_shortest_program_with_an_own_tool_has_ten_lines_and_is_in_the_readme() -> None:
    shortest = next(program for program in PROGRAMS if "def dice" in program)
    assert shortest in README
    assert len([line for line in shortest.splitlines() if line.strip()]) <= 10


def test_importing_the_package_imports_nothing_of_its_own(tmp_path: Path) -> None:
    program = "import sys, agent; print([name for name in sys.modules if name.startswith('agent.')])"
    assert run(program, tmp_path) == "[]"
