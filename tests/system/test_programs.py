"""Sums, word problems and puzzles by a program, in a real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.data.tables.chat_tables import ConversationTables, Tables
from agent.errors import ToolFailed, UnknownTool
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.tools.catalogue import CATALOGUE, choosing, missing, to_switch, toolbox, usable
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts

pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
NAMES = ("llm_math", "word_problem", "colored_objects")
APPLES = "def solution():\n    apples = 23\n    eaten = 20\n    bought = 6\n    return apples - eaten + bought"
ROW = """def solution():
    row = [("pen", "red"), ("cup", "blue"), ("book", "green")]
    return [colour for name, colour in row if name == "cup"][0]"""


@pytest.fixture
def chat(store: Store, tmp_path: Path, sandbox: Sandbox) -> ConversationTables:
    return Tables(store.database, tmp_path / "tables", sandbox).open("v", store.add_conversation("v", "Sums"))


@pytest.fixture
def tools(chat: ConversationTables) -> Toolbox:
    found = toolbox(Parts(read_settings({}), SearchCache(), tables=chat), NAMES)
    assert found.names == NAMES
    return found


@pytest.mark.parametrize(
    ("name", "code", "result"),
    [
        ("llm_math", "37593 ** (1 / 5)", "8.222831614237718"),
        ("llm_math", "import math\nmath.comb(52, 5)", "2598960"),
        ("llm_math", "print(2 ** 100)", str(2**100)),
        ("word_problem", APPLES, "9"),
        ("word_problem", APPLES + "\n\nsolution()", "9"),
        ("word_problem", APPLES + "\nresult = solution()", "9"),
        ("colored_objects", ROW, "'blue'"),
    ],
)
def test_a_program_gives_its_result(tools: Toolbox, name: str, code: str, result: str) -> None:
    ready = tools.prepare(name, code)
    assert ready.tool.call(ready.arguments).text == result


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("llm_math", "1 / 0", "ZeroDivisionError"),
        ("llm_math", "open('/etc/passwd').read()", "Error"),
        ("llm_math", "import urllib.request as u\nu.urlopen('http://127.0.0.1:9')", "Error"),
        ("word_problem", "def solution(:", "SyntaxError"),
        ("word_problem", "3 + 4", r"no function solution\(\)"),
        ("colored_objects", "x" * 20_001, "at most 20,000 can run"),
    ],
)
def test_a_program_that_cannot_says_why(tools: Toolbox, name: str, code: str, said: str) -> None:
    with pytest.raises(ToolFailed, match=said):
        tools.find(name).call({"code": code})


def test_nothing_of_a_chat_without_tables_stays(chat: ConversationTables, tools: Toolbox) -> None:
    tools.find("llm_math").call({"code": "open('left', 'w').write('x') if False else 1"})
    assert list(chat.folder.iterdir()) == []


def test_they_are_chosen_and_need_a_chat() -> None:
    parts = Parts(read_settings({}), SearchCache())
    assert not set(NAMES) & set(toolbox(parts).names)
    assert not set(NAMES) & set(usable(parts)) and toolbox(parts, NAMES).names == ()
    # They can be switched on before there is a chat, as python can, which needs no table.
    assert {*NAMES, "python"} <= set(to_switch(parts))
    with pytest.raises(UnknownTool, match="‘llm_math’ cannot be used now"):
        toolbox(parts, NAMES).find("llm_math")
    chosen = choosing(NAMES, to_switch(parts), None)
    assert set(NAMES) <= set(chosen)
    assert {missing(entry, parts) for entry in CATALOGUE if entry.name in NAMES} == {
        "Begin a chat first: its programs and tables have a room of their own."
    }
