"""``python -m agent "question"``: the same run in a terminal, each step as it happens."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path

from agent.cli.agent_options import add_options, choice_of, in_a_hurry, opened
from agent.cli.asking import run_through
from agent.cli.history_file import add_to_history, read_history, runs_of
from agent.cli.terminal import Terminal
from agent.context.turns import History
from agent.errors import GlassboxError
from agent.events import Answered, Artifact, Event, TextDelta, dump
from agent.loop.agent import Agent, Before
from agent.runs.conversation import Question
from agent.settings import read_settings

ANSWERED, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question; the exit status is 0 for an answer, 1 for a failed run, 2 for wrong usage.

    Raises ``OSError`` where the output or the history (then its ``filename``) cannot be written.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["serve-mcp"]:
        from agent.cli.serve_mcp import main as serve  # only who serves waits for asyncio

        return serve(words[1:])
    if words[:1] == ["worker"]:
        from agent.cli.worker_program import main as work  # and only who works for the store, and the queue

        return work(words[1:])
    if words[:1] in (["backup"], ["restore"]):
        from agent.cli.backup_programs import main as keep

        return keep(words)
    if words[:1] == ["eval"]:
        from agent.cli.eval_program.evaluate import main as evaluate  # and only who evaluates for what judges answers

        return evaluate(words[1:])
    parser = _parser()
    given = parser.parse_args(words)
    with ExitStack() as stack:
        return _answered(parser, given, stack)


def _answered(parser: argparse.ArgumentParser, given: argparse.Namespace, stack: ExitStack) -> int:
    """As ``main``; what is opened for the run is closed by ``stack``."""
    try:
        settings = read_settings(os.environ)
        choice = choice_of(given, settings, given.model, given.wire)
        chosen = opened(settings, choice, given.file, stack).agent(choice)
        images = _images(given.image)
        history = read_history(given.history) if given.history else []
    except GlassboxError as error:
        parser.exit(USAGE, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.exit(USAGE, f"{parser.prog}: {error.filename}: {error.strerror}.\n")
    if not (sys.stdout and sys.stdout.isatty()) or given.json:
        chosen = in_a_hurry(chosen)
    limits = replace(settings.limits, steps=given.max_steps or settings.limits.steps)
    insist = settings.insist if given.insist is None else bool(given.insist)
    chosen = replace(chosen, limits=limits, insist=insist)
    asked = given.question.encode(errors="replace").decode()  # an argument may have bytes that are no text
    before = Before({str(number): run for number, run in enumerate(runs_of(history), 1)})
    question = Question(asked, before, images=images)
    output = sys.stdout
    if given.json and isinstance(output, TextIOWrapper):
        output.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal shows
    status, events = _print(question, chosen, given.json, given.history)
    _show(given, events, question.before.history, chosen.window_tokens)
    if given.save:
        from agent.cli.table_files import save_made

        for path in save_made(events, given.save):
            print(f"Saved: {path}", file=sys.stderr)
    return status


def _images(files: Sequence[Path]) -> tuple[Artifact, ...]:
    """The pictures in those files. Raises ``BadRequest``, and ``OSError`` where one cannot be read."""
    if not files:
        return ()
    from agent.data.pictures import PictureTray
    from agent.sandbox.client import Sandbox

    sandbox = Sandbox()
    try:
        tray = PictureTray(sandbox)
        for path in files:
            with path.open("rb") as file:
                tray.add(path.name, file)
    finally:
        sandbox.close()
    return tray.take()


def _show(given: argparse.Namespace, events: Sequence[Event], history: History, window: int) -> None:
    """Print what the model was sent, where that is asked for, to the standard error: the output stays what it is."""
    if not (given.show_prompt or given.show_context):
        return
    from agent.cli.context_table import context_lines, prompt_lines  # only who wants to see it waits for it

    if given.show_prompt:
        print(*prompt_lines(events, history), sep="\n", file=sys.stderr)
    if given.show_context:
        print(*context_lines(events, history, window), sep="\n", file=sys.stderr)


def _print(question: Question, chosen: Agent, as_json: bool, history: Path | None) -> tuple[int, list[Event]]:
    """Print a run; the exit status and its events."""
    status, events = FAILED, list[Event]()
    terminal = Terminal()
    for event in run_through(question, chosen):
        if not isinstance(event, TextDelta):
            events.append(event)
            if history:
                add_to_history(history, dump(event) + "\n")
            if as_json:
                print(dump(event), flush=True)
        if not as_json:
            terminal.show(event)
        if isinstance(event, Answered):
            status = ANSWERED
    return status, events


def _count(text: str) -> int:
    if not (text.isdecimal() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agent",
        description="Ask, and watch every step of the answer.",
        epilog="Ctrl-C stops the run and keeps what it had; a second one ends the program at once. "
        "Exit status: 0 for an answer, 1 without one, 2 for wrong usage. "
        "`python -m agent serve-mcp` serves the tools to other programs instead, `eval` runs tests, `backup FILE` and "
        "`restore FILE` keep a whole site.",
    )
    parser.add_argument("question")
    add_options(parser)
    parser.add_argument("--model", help="name of the model")
    parser.add_argument("--wire", choices=("auto", "react", "native"), help="how tools are called")
    parser.add_argument("--max-steps", type=_count, metavar="N", help="most model calls")
    parser.add_argument(
        "--insist",
        action=argparse.BooleanOptionalAction,
        help="have the model check an answer with claims that nothing observed supports, once",
    )
    parser.add_argument("--history", type=Path, metavar="FILE", help="earlier runs as JSON lines; this run is added")
    parser.add_argument(
        "--image", type=Path, metavar="FILE", action="append", default=[], help="a picture for the model; up to four"
    )
    saved = "where charts (Vega-Lite), pictures and tables that tools made are saved"
    parser.add_argument("--save", type=Path, metavar="FOLDER", help=saved)
    shown = "print the exact messages of each model call, after the answer, to the standard error"
    parser.add_argument("--show-prompt", action="store_true", help=shown)
    shown = "print what filled the model's window, after the answer, to the standard error"
    parser.add_argument("--show-context", action="store_true", help=shown)
    parser.add_argument("--json", action="store_true", help="print one stored event a line")
    return parser


def program() -> int:
    """``main`` for a shell: neither Ctrl-C nor an output that takes no more ends in a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # there is none where the shell has closed it
            stream.reconfigure(errors="replace")
    try:
        try:
            return main()
        finally:
            print(end="", flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # whoever reads through a pipe may have seen enough
            with suppress(OSError):
                where = error.filename or "the output"
                print(f"python -m agent: {where} could not be written: {error.strerror}.", file=sys.stderr)
        # What is left in the buffer must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
