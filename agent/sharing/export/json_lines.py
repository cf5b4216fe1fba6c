"""The file that can be imported again: JSON lines, UTF-8.

{"format":"glassbox","version":1,"title":"…"}
{"run":"1","follows":"","verdict":1,"comment":"…"}      a run, then
{"question":"…", … ,"type":"Asked"}                     its events as ``agent.events.dump`` writes them, then
{"artifact":"<SHA-256>","content":"<base64>"}           the contents of its artifacts that are kept
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

from agent.events import Asked, Prepared, dump
from agent.messages import Value
from agent.sharing.export.collected import Exported, ExportedRun, artifact_hashes

FORMAT = "glassbox"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Header(Value):
    format: str
    version: int
    title: str


@dataclass(frozen=True, slots=True)
class RunLine(Value):
    run: str
    follows: str
    verdict: Literal[0, 1] | None
    comment: str


@dataclass(frozen=True, slots=True)
class ArtifactLine(Value):
    artifact: str
    content: str


Line: TypeAlias = Header | RunLine | ArtifactLine


@cache
def adapter(kind: type[Line]) -> TypeAdapter[Line]:
    """Reads and writes lines of that kind."""
    return TypeAdapter(kind)


def export_json_lines(exported: Exported) -> str:
    """All there is of the runs. ``agent.sharing.import_file.read_import`` reads it back to an equal value.

    That some of it was brought in here is no part of it.
    """
    lines = [_line(Header(FORMAT, VERSION, exported.title))]
    for run in exported.runs:
        lines.extend(_run(run))
    return "".join(f"{line}\n" for line in lines)


def _run(run: ExportedRun) -> Iterator[str]:
    verdict = None if run.verdict is None else (1 if run.verdict else 0)
    yield _line(RunLine(run.id, run.follows, verdict, run.comment))
    for event in run.events:
        yield dump(replace(event, imported=False) if isinstance(event, Asked | Prepared) else event)
    for hash in artifact_hashes(run.events):
        if hash in run.artifacts:
            yield _line(ArtifactLine(hash, b64encode(run.artifacts[hash]).decode("ascii")))


def _line(line: Line) -> str:
    return adapter(type(line)).dump_json(line).decode()
