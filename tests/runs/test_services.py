"""What all visitors of the process share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event as Flag

import pytest

from agent.application.services import open_services
from agent.evidence import Earlier, check
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.toolkit.base import Toolbox
from agent.tools.calculator.calculate import calculator
from tests.support.stories import final, react, stored

LIMITED = """
import resource, sys
from agent.application.services import allow_files
soft, hard = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(allow_files(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.system
@pytest.mark.parametrize(("soft", "hard", "few"), [(256, 5_000, False), (256, 1_024, True), (5_000, 5_000, False)])
def test_as_many_files_as_the_system_allows(soft: int, hard: int, few: bool) -> None:
    command = [sys.executable, "-c", LIMITED, str(soft), str(hard)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert ended.stdout.split() == [str(hard)] * 3
    assert ("Only 1024 files can be open at once" in ended.stderr) == few


def test_what_stands_behind_an_answer_depends_on_the_turns_before_it(tmp_path: Path) -> None:
    services = open_services({"GLASSBOX_DATA": str(tmp_path)}, {})
    try:
        tools = Toolbox([calculator])
        first = Agent(Scripted([react("It is a sum.", "calculator", "4000 + 711"), final("4,711")]), tools, "react")
        before = stored(list(answer(Question("What is 4000 + 711?"), first, Flag())))
        second = Agent(Scripted([react("Two.", "calculator", "1 + 1"), final("2, then 4,711.")]), tools, "react")
        events = stored(list(answer(Question("And 1 + 1?"), second, Flag())))
        earlier = [Earlier("What is 4000 + 711?", "4,711", check(before, ()).claims)]
        alone, told = services.evidence("r", events, []), services.evidence("r", events, earlier)
        assert {claim.text: claim.verdict for claim in alone.claims} != {c.text: c.verdict for c in told.claims}
        assert services.evidence("r", events, earlier) is told
        assert services.evidence("r", events, []) is alone
    finally:
        services.store.close()
