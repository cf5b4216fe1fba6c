"""The owner's own tools: Python files in a folder, read anew as soon as they change.

    from agent.toolkit.base import tool

    @tool
    def dice(sides: int = 6) -> str:
        \"\"\"Rolls a die and gives the number.\"\"\"
        return str(random.randint(1, sides))

They are the owner's code and run in this process. What is wrong in a file is a ``Problem`` of that file, and no more.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, wraps
from inspect import unwrap
from pathlib import Path
from threading import Lock
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import Any, cast

from agent.errors import ForTheModel, ToolFailed
from agent.interface_text import Text
from agent.loop.workers import Outcome, Workers
from agent.toolkit.arguments.repair import Arguments
from agent.toolkit.base import Mend, Tool, ToolResult, folded

log = logging.getLogger(__name__)
_MEND_SECONDS = 2.0
_LOAD_SECONDS = 10.0
_MOST_FILES = 200
# Their texts speak of the code alone; what others say could hold an address with a password in it.
_OF_THE_CODE = (SyntaxError, NameError, AttributeError, ImportError, TypeError)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a file; ``line`` is 0 where it is in no line."""

    file: str
    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class OwnTool:
    tool: Tool
    file: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The tools that can be used, by file and place in it, and what is wrong with others."""

    tools: tuple[OwnTool, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it was when it was read: a version of it, and what came of it."""

    version: tuple[int, int]
    tools: tuple[Tool, ...]
    problem: Problem | None


class OwnTools:
    """The tools of a folder. Safe between threads."""

    def __init__(self, folder: Path | None, taken: Collection[str] = ()) -> None:
        """No tools without a folder; ``taken`` are the names of the other tools."""
        self._folder = folder
        self._taken = frozenset(taken)
        self._files: dict[str, _File] = {}
        self._workers = Workers()
        self._lock = Lock()

    def look(self) -> Loaded:
        """What is in the folder now. Only files that changed since the last look are read."""
        if self._folder is None:
            return Loaded()
        with self._lock:
            files: dict[str, _File] = {}
            for path, version in _versions(self._folder):
                known = self._files.get(path.name)
                files[path.name] = known if known and known.version == version else self._read(path, version)
            self._files = files
            if not self._folder.is_dir():
                return Loaded((), (Problem(self._folder.name, 0, Text("There is no such folder.")),))
            return _without_clashes(files, self._taken)

    def _read(self, path: Path, version: tuple[int, int]) -> _File:
        module = ModuleType(f"glassbox_own_tools.{path.stem}")
        module.__file__ = str(path)
        outcome = self._workers.submit(partial(_run, module, path))
        problem = _problem(outcome, path)
        if problem:
            return _File(version, (), problem)
        made = [one for one in list(vars(module).values()) if isinstance(one, Tool)]
        # Each once, under whatever names it stands there; one file may import another.
        mine = {id(tool): tool for tool in made if getattr(tool.function, "__module__", "") == module.__name__}
        tools = tuple(
            replace(self._safe(tool, path.name), within=tuple(self._safe(each, path.name) for each in tool.within))
            for tool in mine.values()
        )
        nothing = Text("There is no @tool in it. A file that is not to have one begins with _.")
        return _File(version, tools, None if tools else Problem(path.name, 0, nothing))

    def _safe(self, tool: Tool, file: str) -> Tool:
        return replace(tool, function=self._guarded(tool, file), mends=tool.mends and self._mending(tool))

    def _guarded(self, tool: Tool, file: str) -> Callable[..., str | ToolResult]:
        """The function; a bug in it is a tool's failure, told to the model, and is in the log."""

        @wraps(tool.function)
        def call(**arguments: Any) -> str | ToolResult:
            outcome = self._workers.submit(partial(tool.function, **arguments))
            error = outcome.exception()
            if error is None:
                result: Any = outcome.result()
                return result if isinstance(result, (str, ToolResult)) else str(result)
            if isinstance(error, ForTheModel):
                raise error
            log.error("the tool %s failed", tool.name, exc_info=error)
            where = f"{file}, line {_line(error, _code(tool).co_filename)}"
            raise ToolFailed(f"The tool {tool.name} has a bug in {where}: {_said(error)} Try another way.")

        return call

    def _mending(self, tool: Tool) -> Mend:
        """What mends arguments; a bug in it, or work without end, is in the log, and nothing is mended then."""

        def mend(given: Arguments) -> Arguments | None:
            outcome = self._workers.submit(partial(cast("Mend", tool.mends), given))
            try:
                error = outcome.exception(_MEND_SECONDS)
            except NotYet:
                error = TimeoutError(f"it took longer than {_MEND_SECONDS:g} seconds")
            if isinstance(error, ForTheModel):
                raise error
            if error:
                log.error("what mends the arguments of the tool %s failed", tool.name, exc_info=error)
            return None if error else outcome.result()

        return mend


def _versions(folder: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    """The files to read, and what tells one state of each from another."""
    for path in sorted(folder.glob("*.py"))[:_MOST_FILES]:
        if path.name[0] not in "._":
            with suppress(OSError):  # it was removed just now
                status = path.stat()
                yield path, (status.st_mtime_ns, status.st_size)


def _run(module: ModuleType, path: Path) -> None:
    sys.modules[module.__name__] = module
    source = path.read_bytes()
    if b"\0" in source:  # Python before 3.11.4 has another error for it
        raise SyntaxError("source code cannot contain null bytes")
    exec(compile(source, str(path), "exec"), vars(module))


def _code(tool: Tool) -> CodeType:
    return unwrap(tool.function).__code__


def _problem(outcome: Outcome[None], path: Path) -> Problem | None:
    try:
        error = outcome.exception(_LOAD_SECONDS)
    except NotYet:
        return Problem(
            path.name, 0, Text("It was not read within {load_seconds} seconds.", load_seconds=f"{_LOAD_SECONDS:g}")
        )
    if error is None:
        return None
    if not isinstance(error, _OF_THE_CODE):
        log.error("%s cannot be read", path, exc_info=error)
    return Problem(path.name, _line(error, str(path)), _said(error))


def _line(error: BaseException, file: str) -> int:
    """The last line of the file that led to the error."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    return next((frame.lineno or 0 for frame in reversed(extract_tb(error.__traceback__)) if frame.filename == file), 0)


def _said(error: BaseException) -> str:
    kind = type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{kind}: {error.msg}."
    return (
        f"{kind}: {str(error).rstrip('.')}."
        if isinstance(error, _OF_THE_CODE)
        else Text("{kind}; the log says more.", kind=kind)
    )


def _without_clashes(files: dict[str, _File], taken: Collection[str]) -> Loaded:
    tools: list[OwnTool] = []
    problems = [file.problem for file in files.values() if file.problem]
    names = {folded(name) for name in taken}
    for name, tool in [(name, tool) for name, file in files.items() for tool in file.tools]:
        if folded(tool.name) in names:
            said = Text("Another tool is called {name} already. Choose another name.", name=tool.name)
            problems.append(Problem(name, _code(tool).co_firstlineno, said))
        else:
            names.add(folded(tool.name))
            tools.append(OwnTool(tool, name))
    return Loaded(tuple(tools), tuple(sorted(problems, key=lambda problem: (problem.file, problem.line))))
