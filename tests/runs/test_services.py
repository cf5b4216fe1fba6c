"""What all visitors of the process share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from agent.application.services import Services, open_services
from agent.events import Answered, Asked, Event, Observed, ToolCalled
from agent.evidence import Earlier, Evidence, earlier_turn

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


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    opened = open_services({"GLASSBOX_DATA": str(tmp_path)}, {})
    yield opened
    opened.store.close()


def summed(first: int, second: int, answer: str) -> list[Event]:
    """A run that adds two numbers."""
    question = f"What is {first} + {second}?"
    called = ToolCalled("c", "calculator", f"{first} + {second}", {"expression": f"{first} + {second}"})
    return [Asked(question, 1.0), called, Observed("c", str(first + second)), Answered(answer)]


def drawn(services: Services, turns: Sequence[tuple[str, list[Event]]], shared: bool = False) -> list[Evidence]:
    """What stands behind each of some turns, drawn in this order."""
    found: list[Evidence] = []
    earlier: list[Earlier] = []
    for run, events in turns:
        found.append(services.evidence(run, events, earlier, shared))
        earlier.append(earlier_turn(events, found[-1].claims))
    return found


def verdicts(known: Evidence) -> dict[str, str]:
    return {claim.text: claim.verdict for claim in known.claims}


FIRST = ("first", summed(4000, 711, "4,711"))


def test_what_stands_behind_an_answer_depends_on_the_turns_before_it(services: Services) -> None:
    second = ("second", summed(1, 1, "2, then 4,711."))
    (alone,) = drawn(services, [second])
    _, told = drawn(services, [FIRST, second])
    assert (verdicts(alone)["4,711"], verdicts(told)["4,711"]) == ("not_found", "seen")
    assert drawn(services, [FIRST, second])[1] is told


def test_an_answer_is_checked_once_as_its_chat_goes_on(services: Services) -> None:
    """The last six turns are drawn: the first of them is one after which nothing is drawn that it was checked after."""
    turns = [FIRST, *((f"r{n}", summed(1, n, f"{n + 1}, then 4,711.")) for n in range(1, 12))]
    made: dict[str, Evidence] = {}
    for end in range(1, len(turns) + 1):
        shown = turns[max(0, end - 6) : end]
        for (run, _), known in zip(shown, drawn(services, shown), strict=True):
            assert made.setdefault(run, known) is known, f"{run} was checked anew with {end} turns"
    assert verdicts(made["r5"])["4,711"] == "seen"
    assert verdicts(made["r11"])["4,711"] != "not_found", "as an earlier answer said it, which was traced"


def test_an_answer_is_checked_anew_after_other_turns(services: Services) -> None:
    second = ("second", summed(1, 1, "2, then 4,711."))
    _, known = drawn(services, [FIRST, second])
    _, after = drawn(services, [("other", summed(2, 2, "4")), second])
    assert after is not known and verdicts(after)["4,711"] == "not_found"
    assert verdicts(drawn(services, [("zero", summed(0, 0, "0")), FIRST, second])[2])["4,711"] == "seen"


def test_readers_of_a_shared_chat_have_checks_of_their_own(services: Services) -> None:
    (own,), (readers,) = drawn(services, [FIRST]), drawn(services, [FIRST], shared=True)
    assert own is not readers
    assert drawn(services, [FIRST], shared=True)[0] is readers


def test_checks_that_are_kept_are_bounded(services: Services) -> None:
    (known,) = drawn(services, [FIRST])
    for number in range(2_000):
        drawn(services, [(f"of another chat {number}", summed(1, 1, "2"))])
    assert drawn(services, [FIRST])[0] is not known
