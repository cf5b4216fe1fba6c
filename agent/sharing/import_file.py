"""Reading back what ``agent.sharing.export.json_lines`` wrote, as the hostile file that it may be.

Whatever is accepted has the order of a run, folds to a view, and exports again. A file is refused with one sentence
that says why and where; nothing of the file's own text is in it.
"""

from __future__ import annotations

import json
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from math import isfinite
from typing import Any, NoReturn, TypeAlias, cast

from pydantic import ValidationError

from agent.data.documents.document_places import place_at
from agent.data.pictures import MOST_PICTURES, picture_size
from agent.errors import BadRequest
from agent.events import (
    Artifact,
    Asked,
    Decided,
    Event,
    Merged,
    Observed,
    Prepared,
    Replied,
    Resumed,
    Source,
    Waiting,
    load,
)
from agent.inner_runs import all_events
from agent.interface_text import Text
from agent.messages import Limits, Money, Usage, Value
from agent.prompts import LANGUAGES
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.json_lines import FORMAT, VERSION, ArtifactLine, Header, Line, RunLine, adapter
from agent.sharing.import_order import disorder
from agent.sharing.import_save import save_import
from agent.text.plain import link
from agent.text.regex import regex
from agent.upcasters import NotAnEvent

__all__ = ["MOST_BYTES", "absurdity", "inside", "lines_of", "parsed", "read_import", "refuse", "save_import"]

MOST_BYTES = 10_000_000
MOST_LINES = 20_000
MOST_RUNS = 500
MOST_EVENTS = 2_000
MOST_VALUES = 1_000_000
MOST_DEPTH = 100
_MOST_TITLE = 300
_MOST_COMMENT = 5_000
_LARGEST_NUMBER = 10**300
_TEXT = regex(r'"(?:[^"\\]|\\.)*+"?')
_DEEP = f"Line {{:,}} is nested deeper than {MOST_DEPTH} levels."
NO_CHARACTER = regex("[\0\ud800-\udfff]")
_ID = regex(r"[A-Za-z0-9_-]{1,64}")
# A line of the file with its number.
Numbered: TypeAlias = tuple[int, Line | Event]


def read_import(data: bytes) -> Exported:
    """The export in the bytes of a file. Raises ``BadRequest`` for everything that is none."""
    lines = lines_of(data)
    header = _header(lines[0])
    read = [(number, _read(number, line)) for number, line in enumerate(lines[1:], 2)]
    runs: list[ExportedRun] = []
    for number, line, inner in _runs(read):
        runs.append(_run(number, line, inner, runs))
    return Exported(header.title, tuple(runs))


def refuse(sentence: str) -> NoReturn:
    raise BadRequest.because("This file was not imported. {sentence}", sentence=sentence)


def lines_of(data: bytes) -> list[str]:
    """The lines of a file within bounds. Raises ``BadRequest``."""
    if not data:
        refuse(Text("It is empty."))
    if len(data) > MOST_BYTES:
        refuse(Text("It has more than {most} MB.", most=MOST_BYTES // 1_000_000))
    if data.count(b"\n") > MOST_LINES:
        refuse(Text("It has more than {most:,} lines.", most=MOST_LINES))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        refuse(Text("It is not UTF-8 text. Choose a file that was exported as JSON lines."))
    # Counted without those inside texts, which costs more, only where there may be too many. What a text that is never
    # closed would hide is not reached: its line is no JSON.
    if text.count(",") > MOST_VALUES and _TEXT.sub("", text).count(",") > MOST_VALUES:
        refuse(Text("It has more than {most:,} values.", most=MOST_VALUES))
    return text.removesuffix("\n").split("\n")


def _header(line: str) -> Header:
    """Everything but the version is checked after it, so that a file of a later version is told from another file."""
    value = parsed(1, line)
    if value.get("format") != FORMAT:
        refuse(Text("It is not an export of Glassbox as JSON lines: its first line does not say so."))
    version = value.get("version")
    if type(version) is not int or version != VERSION:
        if type(version) is int and version > VERSION:
            refuse(
                Text(
                    "It has another version of the format than {version}, the one that can be read here: a newer "
                    "version of Glassbox may have written it.",
                    version=VERSION,
                )
            )
        refuse(
            Text("It has another version of the format than {version}, the one that can be read here.", version=VERSION)
        )
    header = _valid(1, line, Header)
    assert isinstance(header, Header)
    if len(header.title) > _MOST_TITLE:
        refuse(Text("Its title has more than {most} characters.", most=_MOST_TITLE))
    return header


def _read(number: int, line: str) -> Line | Event:
    value = parsed(number, line)
    if "run" in value:
        return _valid(number, line, RunLine)
    if "artifact" in value:
        return _valid(number, line, ArtifactLine)
    if "type" not in value:
        refuse(Text("Line {number:,} is neither a run nor an event nor an artifact.", number=number))
    try:
        event = load(line)
    except NotAnEvent as error:
        refuse(_unread(number, error))
    if fault := absurdity(event):
        refuse(Text("Line {number:,} {fault}.", number=number, fault=fault))
    return event


def _valid(number: int, line: str, kind: type[Line]) -> Line:
    try:
        return adapter(kind).validate_json(line, strict=True)
    except ValidationError as error:
        refuse(_unread(number, NotAnEvent("line", error.errors()[0]["type"])))


def _unread(number: int, error: NotAnEvent) -> str:
    if error.newer:
        return Text(
            "Line {number:,} {fault}: a newer version of Glassbox may have written it.",
            number=number,
            fault=error.fault,
        )
    return Text("Line {number:,} {fault}.", number=number, fault=error.fault)


def parsed(number: int, line: str) -> dict[str, Any]:
    """The line's JSON object, its texts and numbers looked through. Raises ``BadRequest``."""
    try:
        value = json.loads(line, object_pairs_hook=_object)
    except RecursionError:
        refuse(_DEEP.format(number))
    except ValueError:
        refuse(Text("Line {number:,} is not JSON.", number=number))
    if not isinstance(value, dict):
        refuse(Text("Line {number:,} is not a JSON object.", number=number))
    named = cast("dict[str, Any]", value)
    for inner, depth in inside(named):
        if depth > MOST_DEPTH:
            refuse(_DEEP.format(number))
        if isinstance(inner, str):
            if NO_CHARACTER.search(inner):
                refuse(Text("Line {number:,} has a text with a character that no text may have.", number=number))
        elif isinstance(inner, int | float) and (abs(inner) > _LARGEST_NUMBER or not isfinite(inner)):
            refuse(Text("Line {number:,} has a number that cannot be.", number=number))
    return named


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice")
    return made


def inside(value: dict[str, Any]) -> Iterator[tuple[Any, int]]:
    """Everything in a value of JSON, names included, with how deep it lies: the value itself at 1."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        inner, depth = waiting.pop()
        yield inner, depth
        if isinstance(inner, dict):
            named = cast("dict[str, Any]", inner)
            waiting.extend((name, depth) for name in named)
            waiting.extend((part, depth + 1) for part in named.values())
        elif isinstance(inner, list):
            waiting.extend((part, depth + 1) for part in cast("list[Any]", inner))


def _runs(read: Sequence[Numbered]) -> Iterator[tuple[int, RunLine, list[Numbered]]]:
    """The line of each run, with those that follow up to the next run's."""
    starts = [place for place, (_, line) in enumerate(read) if isinstance(line, RunLine)]
    if not read:
        refuse(Text("There is no run in it."))
    if not isinstance(read[0][1], RunLine):
        refuse(Text("Its second line is not that of a run."))
    if len(starts) > MOST_RUNS:
        refuse(Text("It has more than {most} runs.", most=MOST_RUNS))
    for start, end in zip(starts, [*starts[1:], len(read)], strict=True):
        number, line = read[start]
        assert isinstance(line, RunLine)
        yield number, line, list(read[start + 1 : end])


def _run(number: int, line: RunLine, inner: Sequence[Numbered], earlier: Sequence[ExportedRun]) -> ExportedRun:
    known = {run.id: run for run in earlier}
    if not _ID.fullmatch(line.run):
        refuse(Text("The run of line {number:,} has an impossible id.", number=number))
    if line.run in known:
        refuse(Text("The run of line {number:,} has the id of an earlier one.", number=number))
    if line.follows and line.follows not in known:
        refuse(Text("The run of line {number:,} follows one that does not stand before it.", number=number))
    if len(line.comment) > _MOST_COMMENT:
        refuse(
            Text("The comment of line {number:,} has more than {most:,} characters.", number=number, most=_MOST_COMMENT)
        )
    kept = [place for place, (_, found) in enumerate(inner) if isinstance(found, ArtifactLine)]
    events = tuple(event for _, event in inner if not isinstance(event, Header | RunLine | ArtifactLine))
    if kept and kept[0] != len(events):
        refuse(Text("The run of line {number:,} has an event behind its artifacts.", number=number))
    if len(events) > MOST_EVENTS:
        refuse(Text("The run of line {number:,} has more than {most:,} events.", number=number, most=MOST_EVENTS))
    if found := disorder(events):
        place, fault = found
        refuse(Text("Line {number:,} {fault}.", number=number + 1 + place, fault=fault))
    _check_branch(number, events, known)
    return ExportedRun(line.run, line.follows, events, line.verdict, line.comment, _contents(inner, events))


def _check_branch(number: int, events: Sequence[Event], known: dict[str, ExportedRun]) -> None:
    asked = events[0]
    assert isinstance(asked, Asked)
    parent = known.get(asked.parent)
    if asked.parent and parent is None:
        refuse(Text("The run of line {number:,} branches from one that does not stand before it.", number=number))
    most = len(parent.events) if parent else -1
    if asked.at is not None and not 0 <= asked.at <= most:
        refuse(Text("The run of line {number:,} branches from an event that is not there.", number=number))


def _contents(inner: Sequence[Numbered], events: Sequence[Event]) -> dict[str, bytes]:
    seen = [event for event in all_events(events) if isinstance(event, Asked | Observed)]
    pictures = {artifact.hash for event in events if isinstance(event, Asked) for artifact in event.artifacts}
    sizes = {artifact.hash: artifact.size for event in seen for artifact in event.artifacts}
    contents: dict[str, bytes] = {}
    for number, line in inner:
        if isinstance(line, ArtifactLine):
            content = _decoded(number, line.content)
            if line.artifact not in sizes or line.artifact in contents:
                refuse(
                    Text("Line {number:,} is an artifact that no event names, or that was there before.", number=number)
                )
            if sha256(content).hexdigest() != line.artifact or len(content) != sizes[line.artifact]:
                refuse(Text("The artifact of line {number:,} is not the one that its event names.", number=number))
            if line.artifact in pictures and not picture_size(content):
                refuse(Text("The artifact of line {number:,} is no picture that a question may have.", number=number))
            contents[line.artifact] = content
    return contents


def _decoded(number: int, content: str) -> bytes:
    try:
        return b64decode(content, validate=True)
    except (BadBase64, ValueError):
        refuse(Text("The artifact of line {number:,} is not in base64.", number=number))


# The last second of the year 9999, behind which there is no date to show.
_LAST_TIME = 253_402_300_799
_MOST_SECONDS = 1e9
_MOST_COUNT = 10**12
_MOST_MONEY = 10**9
# The numbers of a value that are between 0 and the most there can be.
_MOST: Mapping[type[Value], Mapping[str, float]] = {
    Asked: {"time": _LAST_TIME},
    Waiting: {"time": _LAST_TIME},
    Decided: {"seconds": _LAST_TIME},
    Resumed: {"time": _LAST_TIME, "seconds": _MOST_SECONDS},
    Merged: {"seconds": _MOST_SECONDS},
    Replied: {"seconds": _MOST_SECONDS, "first_token": _MOST_SECONDS},
    Observed: {"seconds": _MOST_SECONDS},
    Usage: dict.fromkeys(("input", "cached", "output", "reasoning"), _MOST_COUNT),
    Limits: dict.fromkeys(Limits.__slots__, _MOST_COUNT),
    Source: {"number": _MOST_COUNT},
    Artifact: {"size": _MOST_COUNT},
}
_HASH = regex(r"[0-9a-f]{64}")
_CURRENCY = regex(r"[A-Z]{3}")
# The models that are built in have a word for an address.
_BUILT_IN = regex(r"[a-z]{0,20}")
_NUMBER = "has a number that cannot be"


def absurdity(value: Value) -> str:
    """The first thing in an event, or in a value of it, that cannot be, as the end of a sentence about it, or ""."""
    numbers = _MOST.get(type(value), {})
    if any(not 0 <= getattr(value, name) <= most for name, most in numbers.items()):
        return _NUMBER
    held: list[Any] = [getattr(value, each.name) for each in fields(cast("Any", value))]
    inner = [
        part for each in held for part in (cast("tuple[object, ...]", each) if isinstance(each, tuple) else (each,))
    ]
    return _fault(value) or next(filter(None, (absurdity(each) for each in inner if isinstance(each, Value))), "")


def _fault(value: Value) -> str:
    match value:
        case Asked() if len(value.artifacts) > MOST_PICTURES or any(each.kind != "image" for each in value.artifacts):
            return "is a question with something attached that cannot be"
        case Prepared() if value.language not in LANGUAGES:
            return "was prepared in a language for which there are no prompts"
        case Prepared():
            known = _BUILT_IN.fullmatch(value.endpoint) or link(value.endpoint)
            return "" if known else "names a model's server by something that is no web address"
        case Money():
            # Sums of amounts stay within what decimal arithmetic takes.
            exponent = value.amount.as_tuple().exponent
            if not isinstance(exponent, int) or exponent < -60 or not 0 <= value.amount <= _MOST_MONEY:
                return _NUMBER
            return "" if _CURRENCY.fullmatch(value.currency) else "has a currency that is none"
        case Source() if value.url and not link(value.url) and place_at(value.url) is None:
            return "has a link that is no web address"
        case Artifact() if value.content:
            return "has an artifact with its content, which has a line of its own"
        case Artifact() if not _HASH.fullmatch(value.hash):
            return "names an artifact by something that is no hash"
        case _:
            return ""
