"""``python -m agent "question"``: the same run in a terminal, each step as it happens."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

from agent.conversation import Question, Setup, answer, turn
from agent.errors import GlassboxError
from agent.events import Answered, Asked, Event, TextDelta, dump, load
from agent.models.capabilities import Capabilities
from agent.settings import Limits, Secret, Settings, read_settings
from agent.setup import Choice, default_choice, setup
from agent.terminal import Terminal
from agent.tools.search import SearchCache

ANSWERED, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question; the exit status is 0 for an answer, 1 for a failed run, 2 for wrong usage."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        settings = read_settings(os.environ)
        chosen = setup(settings, _choice(given, settings), Capabilities(), SearchCache())
        history = _read_history(given.history)
        if given.history:
            given.history.open("a", encoding="utf-8").close()
    except (GlassboxError, OSError, ValueError) as error:
        parser.exit(USAGE, f"{parser.prog}: {error}\n")
    chosen = replace(chosen, limits=_limits(given, settings))
    question = Question(given.question, tuple(turn(run) for run in _runs(history)))
    return _print(question, chosen, given.json, given.history)


def _print(question: Question, chosen: Setup, as_json: bool, history: Path | None) -> int:
    cancel = Flag()
    status = FAILED
    terminal = Terminal()
    _stop_on_interrupt(cancel)
    for event in answer(question, chosen, cancel):
        if not isinstance(event, TextDelta):
            if history:
                with history.open("a", encoding="utf-8") as file:
                    file.write(dump(event) + "\n")
            if as_json:
                print(dump(event), flush=True)
        if not as_json:
            terminal.show(event)
        if isinstance(event, Answered):
            status = ANSWERED
    return status


def _stop_on_interrupt(cancel: Flag) -> None:
    """Ctrl-C stops the run, which ends with what it had; a second one ends the program."""

    def stop(*_: object) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, stop)


def _read_history(path: Path | None) -> list[Event]:
    if path is None or not path.exists():
        return []
    return [load(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _runs(events: Sequence[Event]) -> Iterator[list[Event]]:
    run: list[Event] = []
    for event in events:
        if isinstance(event, Asked) and run:
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _choice(given: argparse.Namespace, settings: Settings) -> Choice:
    choice = default_choice(settings)
    if given.base_url:
        choice = Choice(given.base_url, settings.model if given.base_url == settings.base_url else "")
    key = Secret(os.environ.get(given.api_key_env, "")) if given.api_key_env else choice.key
    if given.api_key_env and not key:
        raise ValueError(f"the environment variable {given.api_key_env} is not set")
    tools = tuple(name for name in given.tools.split(",") if name) if given.tools is not None else None
    return replace(choice, model=given.model or choice.model, key=key, wire=given.wire or settings.wire, tools=tools)


def _limits(given: argparse.Namespace, settings: Settings) -> Limits:
    return settings.limits if given.max_steps is None else replace(settings.limits, steps=given.max_steps)


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return count


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agent", description="Ask, and watch every step of the answer.")
    parser.add_argument("question")
    parser.add_argument("--base-url", help="address of an OpenAI-compatible server; the demo model where not given")
    parser.add_argument("--model", help="name of the model")
    parser.add_argument("--api-key-env", metavar="NAME", help="environment variable that holds the key")
    parser.add_argument("--wire", choices=("auto", "react", "native"), help="how tools are called")
    parser.add_argument("--tools", metavar="A,B", help="tools to offer, by name; all of them where not given")
    parser.add_argument("--max-steps", type=_count, metavar="N", help="most model calls")
    parser.add_argument("--history", type=Path, metavar="FILE", help="earlier runs as JSON lines; this run is added")
    parser.add_argument("--json", action="store_true", help="print one stored event a line")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader has seen enough; nothing is left to say, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
