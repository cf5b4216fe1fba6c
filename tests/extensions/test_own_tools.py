"""The owner's own tools: read from a folder while the app runs; what is wrong in one is said, and stays its own."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from threading import Event as Flag

import pytest

from agent.cli.main import main
from agent.errors import BadArguments, BadRequest
from agent.events import Answered, Observed
from agent.extensions import folder as own_tools
from agent.extensions.folder import OwnTools, Problem
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.settings import read_settings
from agent.toolkit.base import Toolbox
from agent.tools.catalogue import NAMES, missing, own_specs, toolbox, usable
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.stories import final, react

DICE = '''
from agent.toolkit.base import tool

@tool
def dice(sides: int = 6) -> str:
    """Rolls a die and gives the number."""
    return f"{sides} at most"
'''


class Folder:
    """A folder whose files are each newer than all before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._time = 1_700_000_000_000_000_000
        path.mkdir()

    def write(self, name: str, text: str) -> None:
        self._time += 1_000
        (self.path / name).write_text(text, encoding="utf-8")
        os.utime(self.path / name, ns=(self._time, self._time))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "own")


@pytest.fixture
def own(folder: Folder) -> OwnTools:
    return OwnTools(folder.path, NAMES)


def names(own: OwnTools) -> list[str]:
    return [one.tool.name for one in own.look().tools]


def test_a_file_of_five_lines_is_a_tool_until_it_is_gone(folder: Folder, own: OwnTools) -> None:
    assert own.look() == own_tools.Loaded()
    folder.write("dice.py", DICE)
    (dice,) = own.look().tools
    assert (dice.file, dice.tool.name, dice.tool.description) == (
        "dice.py",
        "dice",
        "Rolls a die and gives the number.",
    )
    ready = dice.tool.prepare('{"sides": "20"}')
    assert dice.tool.call(ready.arguments).text == "20 at most"
    # As it was, as long as the file is.
    assert own.look().tools[0].tool is dice.tool
    folder.write("dice.py", DICE.replace("at most", "at best"))
    assert own.look().tools[0].tool.call({"sides": 3}).text == "3 at best"
    (folder.path / "dice.py").unlink()
    assert own.look() == own_tools.Loaded()


def test_no_folder_is_no_tools(tmp_path: Path) -> None:
    assert OwnTools(None).look() == own_tools.Loaded()
    (problem,) = OwnTools(tmp_path / "nowhere").look().problems
    assert problem == Problem("nowhere", 0, "There is no such folder.")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = 1\ny = (\n", 2, "SyntaxError: '(' was never closed."),
        (
            "def f():\nreturn 1\n",
            2,
            "IndentationError: expected an indented block after function definition on line 1.",
        ),
        ("x = 1\nfoo()\n", 2, "NameError: name 'foo' is not defined."),
        ("import nothing_of_the_kind\n", 1, "ModuleNotFoundError: No module named 'nothing_of_the_kind'."),
        (DICE.replace(": int", ""), 4, "TypeError: The tool dice has the parameter sides without a type."),
        (
            DICE.replace('    """Rolls a die and gives the number."""\n', ""),
            4,
            "TypeError: The tool dice needs a docstring",
        ),
        ("x = 1\n", 0, "There is no @tool in it. A file that is not to have one begins with _."),
        ("from agent.tools.calculator.calculate import calculator\n", 0, "There is no @tool in it"),
        ("\nraise RuntimeError('postgresql://me:hunter2@host')\n", 2, "RuntimeError; the log says more."),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit; the log says more."),
        ("raise KeyboardInterrupt\n", 1, "KeyboardInterrupt; the log says more."),
        (DICE.replace("def dice", "def Calculator"), 4, "Another tool is called Calculator already."),
        ("\0", 0, ": source code"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_and_the_others_go_on(
    folder: Folder, own: OwnTools, text: str, line: int, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write("fine.py", DICE.replace("dice", "coin"))
    folder.write("wrong.py", text)
    loaded = own.look()
    assert [one.tool.name for one in loaded.tools] == ["coin"]
    (problem,) = loaded.problems
    assert (problem.file, problem.line) == ("wrong.py", line)
    assert said in problem.sentence
    assert "hunter2" not in problem.sentence
    assert ("hunter2" in caplog.text) == ("hunter2" in text)
    folder.write("wrong.py", DICE)
    assert names(own) == ["coin", "dice"]


def test_a_file_that_hangs_is_given_up(folder: Folder, own: OwnTools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_tools, "_LOAD_SECONDS", 0.05)
    gate = folder.path / "gate"
    os.mkfifo(gate)
    folder.write("hangs.py", f"with open({str(gate)!r}) as gate:\n    gate.read()\n")
    assert own.look().problems == (Problem("hangs.py", 0, "It was not read within 0.05 seconds."),)
    with gate.open("w"):
        pass


def test_names_are_each_used_once(folder: Folder, own: OwnTools) -> None:
    folder.write("a.py", DICE + "\nagain = dice\n")
    folder.write("b.py", "# mine\n" + DICE + DICE.replace("dice", "coin").replace("from", "#"))
    folder.write("_parts.py", "raise RuntimeError\n")
    folder.write("notes.txt", "(")
    folder.write(".#dice.py", "(")
    (folder.path / "gone.py").symlink_to(folder.path / "nowhere")
    loaded = own.look()
    assert [(one.file, one.tool.name) for one in loaded.tools] == [("a.py", "dice"), ("b.py", "coin")]
    assert [(problem.file, problem.line) for problem in loaded.problems] == [("b.py", 5)]


def test_a_bug_is_told_to_the_model_and_the_run_goes_on(
    folder: Folder, own: OwnTools, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "agent.extensions.folder")
    folder.write("dice.py", DICE.replace('return f"{sides} at most"', "return str(1 / (sides - 6))"))
    tools = Toolbox([one.tool for one in own.look().tools])
    model = Scripted([react("a", "dice", '{"sides": 6}'), react("b", "dice", '{"sides": 7}'), final("1.0")])
    events = list(answer(Question("q"), Agent(model, tools, "react"), Flag()))
    seen = [event for event in events if isinstance(event, Observed)]
    assert [event.error for event in seen] == ["tool", ""]
    assert seen[0].text == (
        "The tool dice has a bug in dice.py, line 7: ZeroDivisionError; the log says more. Try another way."
    )
    assert isinstance(events[-1], Answered)


def test_what_a_tool_says_itself_is_told_as_it_is(folder: Folder, own: OwnTools) -> None:
    folder.write(
        "a.py",
        DICE.replace(
            "return", 'from agent.errors import ToolFailed; raise ToolFailed("No die.", "nothing")\n    return'
        ),
    )
    folder.write("b.py", DICE.replace("dice", "count").replace('f"{sides} at most"', "sides"))
    tools = {one.tool.name: one.tool for one in own.look().tools}
    with pytest.raises(Exception, match=r"^No die\.$"):
        tools["dice"].call({})
    assert tools["count"].call({"sides": 4}).text == "4"


def test_dataclasses_and_postponed_annotations_work_in_a_file(folder: Folder, own: OwnTools) -> None:
    above = "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n"
    folder.write("dice.py", above + DICE)
    assert names(own) == ["dice"] and own.look().problems == ()


def test_they_are_tools_like_all_others(folder: Folder, own: OwnTools) -> None:
    folder.write("dice.py", DICE)
    more = own_specs(own.look())
    parts = Parts(read_settings({"GLASSBOX_TOOL_LIMITS": "dice=1"}), SearchCache(), more=more)
    assert usable(parts)[-1] == toolbox(parts).names[-1] == "dice"
    assert toolbox(parts, ("dice",)).tools[0].most == 1
    off = Parts(read_settings({"GLASSBOX_TOOLS": "search"}), SearchCache(), more=more)
    assert missing(more[0], off) == "Off: the owner of this site does not offer it."
    with pytest.raises(BadRequest, match="There is no tool dice"):
        toolbox(Parts(read_settings({}), SearchCache()), ("dice",))


def test_the_terminal_has_them_too(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("dice.py", DICE)
    folder.write("wrong.py", "(\n")
    monkeypatch.setenv("GLASSBOX_TOOLS_FOLDER", str(folder.path))
    assert main(["--tools", "dice,calculator", "What is 2 + 2?"]) == 0
    said = capsys.readouterr()
    assert "wrong.py, line 1: SyntaxError: '(' was never closed." in said.err
    with pytest.raises(SystemExit):
        main(["--tools", "dyce", "What is 2 + 2?"])
    assert "There is no tool dyce." in capsys.readouterr().err


MENDS = """
from agent import tool

def mend(given):
    {body}

@tool(mend=mend)
def roll(sides: int) -> str:
    \"\"\"Rolls a die.\"\"\"
    return str(sides)
"""


def test_the_example_of_the_document_is_a_tool_that_mends(folder: Folder, own: OwnTools) -> None:
    document = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
    (example,) = [code for code in re.findall(r"```python\n(.*?)```", document, re.DOTALL) if "mend" in code]
    folder.write("roll.py", example)
    ready = own.look().tools[0].tool.prepare("2d6")
    assert ready.tool.call(ready.arguments).text == "12"
    assert 'The tool itself mended {"sides": "2d6"} to {"count": "2", "sides": "6"}.' in ready.repairs


@pytest.mark.parametrize("body", ["return 1 / 0", "import threading; threading.Event().wait()"])
def test_a_bug_in_what_mends_leaves_the_refusal(
    body: str, folder: Folder, own: OwnTools, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(own_tools, "_MEND_SECONDS", 0.05)
    folder.write("roll.py", MENDS.replace("{body}", body))
    with pytest.raises(BadArguments, match="‘sides’ is wrong"):
        own.look().tools[0].tool.prepare('{"sides": "many"}')
    assert "what mends the arguments of the tool roll failed" in caplog.text
