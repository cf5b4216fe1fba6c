"""What all visitors of the process share."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Flag

from agent.application.services import open_services
from agent.evidence import Earlier, check
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, Setup, answer
from agent.toolkit.base import Toolbox
from agent.tools.calculator.calculate import calculator
from tests.support.stories import final, react, stored


def test_what_stands_behind_an_answer_depends_on_the_turns_before_it(tmp_path: Path) -> None:
    services = open_services({"GLASSBOX_DATA": str(tmp_path)}, {})
    try:
        tools = Toolbox([calculator])
        first = Setup(Scripted([react("It is a sum.", "calculator", "4000 + 711"), final("4,711")]), tools, "react")
        before = stored(list(answer(Question("What is 4000 + 711?"), first, Flag())))
        second = Setup(Scripted([react("Two.", "calculator", "1 + 1"), final("2, then 4,711.")]), tools, "react")
        events = stored(list(answer(Question("And 1 + 1?"), second, Flag())))
        earlier = [Earlier("What is 4000 + 711?", "4,711", check(before, ()).claims)]
        alone, told = services.evidence("r", events, []), services.evidence("r", events, earlier)
        assert {claim.text: claim.verdict for claim in alone.claims} != {c.text: c.verdict for c in told.claims}
        assert services.evidence("r", events, earlier) is told
        assert services.evidence("r", events, []) is alone
    finally:
        services.store.close()
