"""What a newcomer meets first: `make run`, and the page that says how to deploy."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from agent.settings import read_settings
from agent.tools.catalogue import CATALOGUE
from agent.tools.spec import a_sandbox, a_table

ROOT = Path(__file__).parents[2]
DEPLOYING = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

# Stands in for Python: makes an environment whose programs say what they are asked and install nothing.
PROGRAM = """#!/bin/sh
case "$*" in
  *--version*) echo Python 3.99 ;;
  *"-m venv"*) mkdir -p .venv/bin .venv/lib; for name in python uv streamlit; do cp "$0" .venv/bin/$name; done ;;
esac
case "$0 $*" in
  */uv*) echo "Resolved 2 packages"; echo " + altair==6.3.0"; exit {uv} ;;
  *pip*-r*) echo "pip installs" ;;
  */streamlit*) echo "Streamlit starts" ;;
esac
"""


def copied(place: Path, uv: int) -> Path:
    """A folder to run `make` in, where the program uv ends with that status."""
    shutil.copy(ROOT / "Makefile", place)
    (place / "requirements.txt").write_text("altair==6.3.0\n", encoding="utf-8")
    program = place / "python"
    program.write_text(PROGRAM.replace("{uv}", str(uv)), encoding="utf-8")
    program.chmod(0o755)
    return place


def said(place: Path) -> list[str]:
    """What `make run` prints."""
    command = ["make", "--no-print-directory", f"PYTHON={place / 'python'}", "run"]
    environment = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_make_run_says_what_it_does_before_it_does_it(tmp_path: Path) -> None:
    place = copied(tmp_path, uv=0)
    assert said(place) == [
        "Preparing Glassbox, once: about a minute.",
        "Making the environment .venv with Python 3.99.",
        "Getting uv, which installs packages quickly.",
        "Installing the packages of requirements.txt. What is not on this machine yet is downloaded.",
        "Resolved 2 packages",
        "Compiling them, so that every start is quick. This takes half a minute.",
        "Starting Glassbox. It opens in your browser; Ctrl+C ends it.",
        "Streamlit starts",
    ]
    assert said(place) == ["Starting Glassbox. It opens in your browser; Ctrl+C ends it.", "Streamlit starts"]


def test_where_uv_cannot_install_pip_does_and_that_is_said(tmp_path: Path) -> None:
    lines = said(copied(tmp_path, uv=1))
    assert "uv did not install them. pip does, which takes a few minutes." in lines
    assert lines[lines.index("pip installs") + 1].startswith("Compiling")


def secrets() -> list[str]:
    """The examples of secrets that hold a key of a model."""
    blocks = re.findall(r"^ *```toml\n(.*?)^ *```", DEPLOYING, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if "openai" in block]


def test_the_caps_stand_before_the_key_and_are_settings() -> None:
    assert len(secrets()) == 2
    for block in secrets():
        assert block.index("day_money") < block.index("openai")
        settings = read_settings({}, tomllib.loads(block))
        assert (settings.visitor_messages, settings.day_money) == (20, 2.5)
        assert not settings.private_addresses
        assert settings.openai_key
    assert read_settings({}, tomllib.loads(secrets()[0])).table_megabytes == 50


def test_the_page_names_every_tool_that_needs_a_locked_process() -> None:
    rows = [row.split("|") for row in DEPLOYING.splitlines() if row.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[1])}
    assert {spec.name for spec in CATALOGUE if spec.needs in (a_sandbox, a_table)} <= named
    assert named <= {spec.name for spec in CATALOGUE}
