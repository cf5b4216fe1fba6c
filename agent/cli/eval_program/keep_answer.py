"""``python -m agent eval keep``: makes a test of a run in a file of runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from agent.application.setup import default_choice
from agent.cli.agent_options import add_options, opened
from agent.cli.history_file import read_events, runs_of
from agent.errors import BadRequest, GlassboxError
from agent.evals.formats.test_lines import read_lines, write_lines
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptSet, KeptTest, name_of
from agent.evals.proposals import proposed
from agent.evidence import earlier_turns
from agent.settings import read_settings
from agent.text.characters import readable
from agent.views.fold import fold


def main(arguments: Sequence[str]) -> int:
    """Add a test to a file, which is made where there is none; the exit status is 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m agent eval keep",
        description="Keep an answer as a test, with what is expected of it taken from its run.",
        epilog="The test is added to the file. Edit its expectations there: `on` says whether one is judged.",
    )
    parser.add_argument("history", type=Path, help="runs as JSON lines, as --history of `python -m agent` writes them")
    parser.add_argument("--to", type=Path, required=True, metavar="FILE", help="the file of tests")
    parser.add_argument("--turn", type=int, default=-1, metavar="N", help="which run, from 1; the last where not given")
    parser.add_argument("--name", default="", help="what the test is called; its question where not given")
    add_options(parser)
    given = parser.parse_args(arguments)
    try:
        with ExitStack() as stack:
            test = _kept(given, stack)
        kept = read_lines(given.to.read_bytes()) if given.to.exists() else KeptSet(name_of(given.to.stem))
        ids = {other.id for other in kept.tests}
        test = replace(test, id=next(str(number) for number in range(1, len(ids) + 2) if str(number) not in ids))
        given.to.write_text(write_lines(replace(kept, tests=(*kept.tests, test))), encoding="utf-8")
    except GlassboxError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.exit(2, f"{parser.prog}: {error.filename}: {error.strerror}.\n")
    print(readable(f"Kept: {test.name}"), file=sys.stderr)
    for each in test.expectations:
        print(readable(f"  [{'x' if each.on else ' '}] {each.said}"), file=sys.stderr)
    return 0


def _kept(given: argparse.Namespace, stack: ExitStack) -> KeptTest:
    """The test. Tables are read anew for the programs of its figures: a file of runs has no contents of theirs."""
    runs = list(runs_of(read_events(given.history)))
    place = given.turn - 1 if given.turn > 0 else len(runs) - 1
    if not 0 <= place < len(runs):
        raise BadRequest(f"There is no such run in {given.history}.")
    events, before = runs[place], runs[:place]
    question = fold(events).question
    if given.file:
        settings = read_settings(os.environ)
        choice = default_choice(settings)
        events = Programs(opened(settings, choice, given.file, stack).agent(choice).tools).completed(events)
    return KeptTest(
        "", name_of(given.name or question), question, proposed(events, earlier_turns(before)), tuple(before), events
    )
