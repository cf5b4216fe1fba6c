"""A built-in tool is one new file and its line in the catalogue: the pages, the prompt and the steps know it then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.system]
ROOT = Path(__file__).parents[2]
DICE = '''"""The ``dice`` tool."""

from __future__ import annotations

from agent.interface_text import Text
from agent.toolkit.base import tool
from agent.tools.spec import ToolSpec

SPEC = ToolSpec(
    "dice",
    Text("Rolls dice for you."),
    lambda parts: dice,
    icon="casino",
    verbs=(Text("Rolling"), Text("Rolled")),
    subject="die",
    public=True,
)


@tool
def dice(die: str, note: str = "none", count: int = 1) -> str:
    """Rolls a die and gives the number.

    Args:
        die: which, for example d20
    """
    return "11 of 20, which is more than half of what could have come"
'''
LOOK = """
import json, sys
from pathlib import Path

from agent.events import Answered, Asked, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.settings import read_settings
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from streamlit.testing.v1 import AppTest
from tests.support.app_services import services_with, visitor_of

COOKIE = "a" * 32
tools = toolbox(Parts(read_settings({}), SearchCache()))
with services_with({"GLASSBOX_DATA": str(Path("data").absolute())}) as services:
    conversation = services.store.add_conversation(visitor_of(COOKIE), "q")
    run = services.store.add_run(conversation)
    called = ToolCalled("1", "dice", '{"die": "d20"}', {"die": "d20", "note": "none", "count": 1})
    seen = Observed("1", tools.find("dice").call({"die": "d20"}).text)
    prepared = Prepared("q", "s", (), "react", "m", "demo")
    events = [Asked("q", 1.0), prepared, Replied("", "", Usage(), 0.1, 0.1), called, seen, Answered("a")]
    services.store.append(run, events)
    app = AppTest.from_file(str(Path("app.py").absolute()), default_timeout=120)
    app.session_state["cookie"] = COOKIE
    app.query_params["c"] = conversation
    app.run()
    steps = [(step.label, step.proto.icon) for step in app.expander]
    app.switch_page("pages/tools.py").run()
    listed = [(row.label, row.proto.icon) for row in app.expander]
    failed = [str(error.value) for error in app.exception]
print(json.dumps({"usage": tools.usage(), "steps": steps, "listed": listed, "failed": failed}))
"""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the app with one more tool says of it."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("agent", "pages", "handbook", "static"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", copy)
    (copy / "agent" / "tools" / "dice.py").write_text(DICE, encoding="utf-8")
    catalogue = copy / "agent" / "tools" / "catalogue.py"
    text = catalogue.read_text(encoding="utf-8")
    for old, new in (
        ("import ask_user,", "import ask_user, dice,"),
        ("    ask_user.SPEC,", "    dice.SPEC,\n    ask_user.SPEC,"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    catalogue.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}"}
    said = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout.splitlines()[-1])


def test_the_model_is_told_of_it(known: dict[str, Any]) -> None:
    line = next(line for line in known["usage"].splitlines() if "dice" in line)
    assert "Rolls a die and gives the number." in line and "d20" in line


def test_it_is_listed_on_the_page_of_tools_with_its_icon(known: dict[str, Any]) -> None:
    assert ["**dice** · Rolls dice for you\\.", ":material/casino:"] in known["listed"]
    assert known["failed"] == []


def test_a_step_says_what_it_did_and_with_what(known: dict[str, Any]) -> None:
    assert any(label.startswith("Rolled d20") and icon == ":material/casino:" for label, icon in known["steps"])
