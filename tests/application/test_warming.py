"""What the first question to the demo model would wait for is done before: in a process of its own, which is fresh."""

from __future__ import annotations

import subprocess
import sys

_COUNTS = """
import sys
from threading import Event
from agent.application.setup import Choice, setup
from agent.application.warming import warm
from agent.evidence import check
from agent.loop.agent import Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.settings import read_settings
from agent.text.regex import Regex
from agent.tools.search.search_tool import SearchCache

if sys.argv[1] == "warm":
    warm(owner_model=False)
    assert not {"duckdb", "pandas", "openai"} & sys.modules.keys()
compiled, compiles = [], Regex.__getattr__

def counted(one, name):
    compiled.append(one)
    return compiles(one, name)

Regex.__getattr__ = counted
agent = setup(read_settings({}), Choice(), Capabilities(), SearchCache())
check(list(answer(Question("What is 23% of 310?", Before({})), agent, Event())))
print(len(compiled))
"""


def compiled(how: str) -> int:
    """How many patterns the first question compiles."""
    done = subprocess.run([sys.executable, "-c", _COUNTS, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_the_first_question_finds_its_patterns_compiled() -> None:
    assert compiled("cold") > 500
    assert compiled("warm") < 25
