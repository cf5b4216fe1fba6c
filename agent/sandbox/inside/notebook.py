"""A program of the model's, run as a cell of a notebook: state lasts, and the last expression is the result."""

from __future__ import annotations

import ast
import io
import linecache
import re
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from agent.sandbox.inside.showing import Shown, library

MOST_PRINTED = 100_000
MOST_TRACE = 8_000
FILE = "<program %d>"


class Printed(io.TextIOBase):
    """Standard output, kept up to a length."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        room = MOST_PRINTED - self.length
        if room > 0:
            self.parts.append(text[:room])
        self.length += len(text)
        return len(text)

    def answer(self) -> dict[str, Any]:
        return {"prints": "".join(self.parts), "prints_left_out": max(0, self.length - MOST_PRINTED)}


class Tables(dict[str, Any]):
    """``tables["any name"]``: read when it is first asked for."""

    def __init__(self, paths: dict[str, Path]) -> None:
        super().__init__()
        self.paths = paths

    def __missing__(self, name: str) -> Any:
        if name not in self.paths:
            raise KeyError(f"no table {name!r}; there are: {', '.join(self.paths)}")
        self[name] = library("pandas").read_parquet(self.paths[name])
        return self[name]

    def __iter__(self) -> Any:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def keys(self) -> Any:
        return self.paths.keys()


class Notebook:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        # A module of this name, so that classes made by the program can be copied and pickled.
        self.module = ModuleType("__main__")
        self.names: dict[str, Any] = self.module.__dict__
        self.tables = Tables({})

    def run(self, code: str, tables: dict[str, str]) -> dict[str, Any]:
        """Run it. ``tables`` maps a name to the Parquet file of the table, relative to the folder.

        The answer has ``prints`` and ``prints_left_out``, ``value`` (text or ``None``), ``tables``, ``charts`` (see
        ``showing.py``), and ``error``: ``None``, or its ``type``, ``message`` and ``trace``.
        """
        sys.modules["__main__"] = self.module
        self.count += 1
        file = FILE % self.count
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        printed, shown, failed = Printed(), Shown(), Failure(file)
        with redirect_stdout(printed), redirect_stderr(printed), failed:
            tree = ast.parse(code, file)
            self.bind(tree, tables)
            self.names["display"] = shown.display
            body, last = parts(tree, file)
            exec(body, self.names)
            if last is not None:
                shown.display(eval(last, self.names), result=True)
            shown.open_figures()
        return {**printed.answer(), **shown.answer(), "error": failed.answer}

    def bind(self, tree: ast.Module, tables: dict[str, str]) -> None:
        """Give the program the tables it names, in code or inside of a text (a query): as names, and in ``tables``."""
        paths = {name: self.folder / path for name, path in tables.items()}
        if paths != self.tables.paths:
            for name in set(self.tables.paths) - set(paths):
                self.names.pop(name, None)
            kept = {name: table for name, table in self.tables.items() if paths.get(name) == self.tables.paths[name]}
            self.tables = Tables(paths)
            self.tables.update(kept)
        self.names.setdefault("tables", self.tables)
        if isinstance(self.names["tables"], Tables):
            self.names["tables"] = self.tables
        named, quoted = words_of(tree)
        alone = next(iter(paths)) if len(paths) == 1 else None
        for name in [*paths, *(["df"] if alone and "df" not in paths else [])]:
            bound = self.names.get(name)
            if name in named and (bound is None or type(bound).__module__.startswith("pyarrow")):
                self.names[name] = self.tables[alone if alone and name not in paths else name]
            elif name in quoted and bound is None:
                # A query may not mean it: then it does not matter whether it can be read.
                with suppress(OSError, ValueError):
                    self.names[name] = library("pyarrow.dataset").dataset(
                        paths[alone if alone and name not in paths else name]
                    )


class Failure:
    """Takes what the program raises, an exit included, and tells of it as Python would, without our own frames."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.answer: dict[str, str] | None = None

    def __enter__(self) -> Failure:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if error is not None and kind is not None:
            whole = traceback.TracebackException.from_exception(error, limit=-50, compact=True)
            trim(whole)
            text = "".join(whole.format())
            message = "".join(whole.format_exception_only())
            self.answer = {
                "type": kind.__name__,
                "message": message.strip()[-2_000:],
                "trace": text
                if len(text) <= MOST_TRACE
                else f"{text[: MOST_TRACE // 2]}\n…\n{text[-MOST_TRACE // 2 :]}",
            }
        return True


def trim(whole: traceback.TracebackException) -> None:
    """Leave only the frames of programs, in every error of the chain."""
    seen: set[int] = set()
    rest: list[traceback.TracebackException | None] = [whole]
    while rest:
        one = rest.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        own = [frame for frame in one.stack if frame.filename.startswith(FILE.partition("%")[0])]
        one.stack = traceback.StackSummary.from_list(own)
        rest += [one.__cause__, one.__context__]


def parts(tree: ast.Module, file: str) -> tuple[CodeType, CodeType | None]:
    """What to run, and the expression it ends with."""
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), file, "eval")  # type: ignore[attr-defined]
    return compile(tree, file, "exec"), last


def words_of(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Names in the code, and words in its texts."""
    named: set[str] = set()
    quoted: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            named.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            quoted |= set(re.findall(r"\w+", node.value))
    return named, quoted
