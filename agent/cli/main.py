"""``python -m agent "question"``: the same run in a terminal, each step as it happens."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from agent.application.setup import DEMO, Choice, default_choice, setup
from agent.cli.asking import run_through
from agent.cli.terminal import Terminal
from agent.context.turns import History
from agent.demo.model import Demo
from agent.errors import BadRequest, GlassboxError
from agent.events import Answered, Artifact, Asked, Event, TextDelta, dump, load
from agent.extensions.folder import OwnTools
from agent.extensions.servers import ToolServers
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question
from agent.settings import Secret, Settings, read_settings
from agent.tools.catalogue import NAMES, check_names, only, own_specs, runs_programs
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.upcasters import NotAnEvent

if TYPE_CHECKING:
    from agent.data.databases.connected import ConversationDatabases
    from agent.data.tables.chat_tables import ConversationTables

ANSWERED, FAILED, USAGE = 0, 1, 2
_CONNECT_SECONDS = 20.0


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
    parser = _parser()
    given = parser.parse_args(words)
    with ExitStack() as stack:
        return _answered(parser, given, stack)


def _answered(parser: argparse.ArgumentParser, given: argparse.Namespace, stack: ExitStack) -> int:
    """As ``main``; what is opened for the run is closed by ``stack``."""
    try:
        settings = read_settings(os.environ)
        servers = ToolServers(settings)
        own = OwnTools(settings.tools_folder, NAMES).look()
        for problem in own.problems:
            print(f"{problem.file}, line {problem.line}: {problem.sentence}", file=sys.stderr)
        choice, databases = _choice(given, settings), _databases(settings)
        tools, more = servers.tools("", _CONNECT_SECONDS), own_specs(own)
        check_names(choice.tools or (), Parts(settings, SearchCache(), servers=tools, more=more))
        found, tables = SearchCache(), _tables(given.file, settings, choice, stack)
        chosen = setup(
            settings, choice, Capabilities(), found, databases=databases, servers=tools, more=more, tables=tables
        )
        images = _images(given.image)
        history = _read_history(given.history) if given.history else []
    except GlassboxError as error:
        parser.exit(USAGE, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.exit(USAGE, f"{parser.prog}: {error.filename}: {error.strerror}.\n")
    model, watched = chosen.model, sys.stdout and sys.stdout.isatty() and not given.json
    if isinstance(model, Demo) and not watched:  # its pace is for people who watch
        model = replace(model, pace=0.0)
    limits = replace(settings.limits, steps=given.max_steps or settings.limits.steps)
    insist = settings.insist if given.insist is None else bool(given.insist)
    chosen = replace(chosen, model=model, limits=limits, insist=insist)
    asked = given.question.encode(errors="replace").decode()  # an argument may have bytes that are no text
    before = Before({str(number): run for number, run in enumerate(_runs(history), 1)})
    question = Question(asked, before, images=images)
    output = sys.stdout
    if given.json and isinstance(output, TextIOWrapper):
        output.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal shows
    try:
        status, events = _print(question, chosen, given.json, given.history)
    finally:
        servers.close()
    _show(given, events, question.before.history, chosen.window_tokens)
    if given.save:
        from agent.cli.table_files import save_made

        for path in save_made(events, given.save):
            print(f"Saved: {path}", file=sys.stderr)
    return status


def _tables(files: Sequence[Path], settings: Settings, choice: Choice, stack: ExitStack) -> ConversationTables | None:
    """Those in the files; without a file a room for programs, where a chosen tool runs some."""
    if not (files or runs_programs(choice.tools or ())):
        return None
    from agent.cli.table_files import opened_tables  # only who has some waits for SQLAlchemy

    return stack.enter_context(opened_tables(files, settings))


def _databases(settings: Settings) -> ConversationDatabases | None:
    """Those of the settings."""
    if not settings.databases:
        return None
    from agent.data.databases.connected import Databases

    return Databases(settings.databases).open("", "")


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
                _add_to_history(history, dump(event) + "\n")
            if as_json:
                print(dump(event), flush=True)
        if not as_json:
            terminal.show(event)
        if isinstance(event, Answered):
            status = ANSWERED
    return status, events


def _read_history(path: Path) -> list[Event]:
    """The events of earlier runs; the file can be written to afterwards, from the start of a line on."""
    if path.exists() and not path.is_file():
        raise BadRequest(f"{path} is not a file.")
    text = path.read_bytes() if path.exists() else b""
    events: list[Event] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            try:
                events.append(load(line))
            except NotAnEvent as error:
                mend = "Update Glassbox, or" if error.newer else "Remove the line, or"
                problem = f"{path}, line {number}: it {error.fault}. {mend} name another file."
                raise BadRequest(problem) from None
    _add_to_history(path, "" if not text or text.endswith(b"\n") else "\n")
    return events


def _add_to_history(path: Path, text: str) -> None:
    try:
        with path.open("ab") as file:
            file.write(text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


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
        model = settings.model if given.base_url == settings.base_url else ""
        choice = replace(choice, endpoint=given.base_url, model=model)
    key = Secret(os.environ.get(given.api_key_env, "")) if given.api_key_env else choice.key
    if given.api_key_env and not key:
        raise BadRequest(f"The environment variable {given.api_key_env} is not set.")
    model = given.model or choice.model
    if choice.endpoint != DEMO and not model:
        raise BadRequest(f"No model is named for {choice.endpoint}. Add --model NAME.")
    if choice.endpoint == DEMO and model:
        raise BadRequest("A model needs a server. Add --base-url ADDRESS.")
    tools = None if given.tools is None else only([name for name in map(str.strip, given.tools.split(",")) if name])
    return replace(choice, model=model, key=key, wire=given.wire or settings.wire, tools=tools)


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
        "`python -m agent serve-mcp` serves the tools to other programs instead, `backup FILE` and `restore FILE` keep "
        "a whole site.",
    )
    parser.add_argument("question")
    parser.add_argument("--base-url", help="address of an OpenAI-compatible server; the demo model where not given")
    parser.add_argument("--model", help="name of the model")
    parser.add_argument("--api-key-env", metavar="NAME", help="environment variable that holds the key")
    parser.add_argument("--wire", choices=("auto", "react", "native"), help="how tools are called")
    parser.add_argument("--tools", metavar="A,B", help="tools to offer, by name; all of them where not given")
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
    parser.add_argument(
        "--file", type=Path, metavar="FILE", action="append", default=[], help="a table to ask about; any number"
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
