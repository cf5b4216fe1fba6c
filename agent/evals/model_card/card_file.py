"""The cards of models as a file: JSON lines, UTF-8, as ``python -m agent eval --card --out`` writes them.

{"format":"glassbox-card","version":1,"edition":"…","app":"…","measured":…}   which questions, which Glassbox, when
{"test":"sums-1","name":"sums-1","version":"MODEL WIRE","mode":"live",…}       an answer a line, as ``result_lines`` has

The first line may be missing, as in files of before there was one. A file may be a stranger's: whatever is read here
can be shown, and is written again as the same bytes where a card wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from agent.evals.formats.result_lines import Row, row_adapter, write_row
from agent.evals.model_card.card_figures import ModelCard, card_of
from agent.evals.model_card.card_questions import ABILITIES, ability_of, edition
from agent.evals.model_card.fixed_tools import WIRES
from agent.interface_text import Text
from agent.messages import Value
from agent.settings import VERSION as APP
from agent.sharing.import_file import lines_of, parsed, refuse
from agent.text.characters import one_line
from agent.text.regex import regex

FORMAT, VERSION = "glassbox-card", 1
MOST_BYTES = 4_000_000
MOST_MODELS = 20
MOST_NAME = 200  # characters of a model's name
_MOST_LINE = 60_000  # characters
_MOST_GRADES = 30
_MOST_SAID = 5_000  # characters
_LAST_TIME = 4_102_444_800.0  # the year 2100
_MOST = {"replies": 10_000, "tokens": 10**9, "money": 10**6, "seconds": 10**6, "missed": 10_000}
_QUESTION = regex(rf"(?:{'|'.join(ABILITIES)})-[1-9]\d?")
_EDITION = regex(r"[0-9a-f]{12}")
_APP = regex(r"[0-9A-Za-z.+-]{1,40}")


@dataclass(frozen=True, slots=True)
class CardHead(Value):
    """``edition`` says which questions were asked, ``app`` by which Glassbox; ``measured`` in seconds since the epoch.

    An ``app`` of "" is not known.
    """

    format: Literal["glassbox-card"]
    version: Literal[1]
    edition: str
    app: str
    measured: float


@dataclass(frozen=True, slots=True)
class CardFile:
    """The answers in a file, of one model or of several; a file of before there was a ``head`` has none."""

    head: CardHead | None
    rows: tuple[Row, ...]

    @property
    def by_model(self) -> Mapping[str, CardFile]:
        """A file for each model, by its name, in their order."""
        names = dict.fromkeys(model_of(row) for row in self.rows)
        return {name: CardFile(self.head, tuple(row for row in self.rows if model_of(row) == name)) for name in names}

    @property
    def current(self) -> bool:
        """Whether its questions are those of today."""
        return self.head is not None and self.head.edition == edition()

    @property
    def app(self) -> str:
        """The version of Glassbox that measured it, "" where that is not known."""
        return self.head.app if self.head else ""

    @property
    def measured(self) -> float:
        """When, 0 where that is not known."""
        return self.head.measured if self.head else 0.0

    @property
    def figures_alone(self) -> CardFile:
        """The same without any sentence: what a stranger's file or a model wrote is not shown to everybody."""
        return replace(
            self, rows=tuple(replace(row, result=replace(row.result, grades=(), steps=())) for row in self.rows)
        )


def head_of(measured: float, asked: str = "", app: str = APP) -> CardHead:
    """The first line of a file that is written now."""
    return CardHead("glassbox-card", VERSION, asked or edition(), app, measured)


def model_of(row: Row) -> str:
    """The name of the model that answered."""
    return row.version.rpartition(" ")[0]


def wire_of(row: Row) -> str:
    """On which wire it was asked."""
    return row.version.rpartition(" ")[2]


def row_of(model: str, row: Row) -> Row:
    """A row of the store, whose version is its wire, as it stands in a file: it names nothing of this store."""
    return replace(row, test=row.name, version=f"{model} {row.version}", run="")


def shown_card(model: str, file: CardFile) -> ModelCard:
    """The card of the answers of one model."""
    wires = [wire for wire in WIRES if any(wire_of(row) == wire for row in file.rows)]
    return card_of(model, {wire: [row for row in file.rows if wire_of(row) == wire] for wire in wires}, file.measured)


def write_head(head: CardHead) -> str:
    """A line without its end."""
    return _head_adapter().dump_json(head).decode()


def write_card(file: CardFile) -> str:
    """The file; ``read_card`` reads it back to an equal value."""
    lines = ([write_head(file.head)] if file.head else []) + [write_row(row) for row in file.rows]
    return "".join(f"{line}\n" for line in lines)


def is_card(data: bytes) -> bool:
    """Whether a file of JSON lines means to be a card: whether it can be read is another matter."""
    first = data[:_MOST_LINE].lstrip().partition(b"\n")[0]
    return b'"glassbox-card"' in first or (b'"mode"' in first and b'"result"' in first and b'"version"' in first)


def read_card(data: bytes) -> CardFile:
    """The cards in a file. Raises ``BadRequest`` for everything that is none."""
    if len(data) > MOST_BYTES:
        refuse(Text("It has more than {most} MB.", most=MOST_BYTES // 1_000_000))
    head, rows = None, dict[tuple[str, str], Row]()
    for number, line in enumerate(lines_of(data), 1):
        if not line.strip():
            continue
        if len(line) > _MOST_LINE:
            refuse(Text("Line {number:,} is too long for an answer of a card.", number=number))
        value = parsed(number, line)
        if not rows and head is None and "format" in value:
            head = _head(line, value)
            continue
        row = _row(number, line)
        if (row.version, row.name) in rows:
            refuse(Text("Line {number:,} answers a question that an earlier one answered.", number=number))
        rows[row.version, row.name] = row
    if not rows:
        refuse(Text("There is no answer in it."))
    if len({model_of(row) for row in rows.values()}) > MOST_MODELS:
        refuse(Text("It has cards of more than {most} models.", most=MOST_MODELS))
    return CardFile(head, tuple(rows.values()))


@cache
def _head_adapter() -> TypeAdapter[CardHead]:
    return TypeAdapter(CardHead)


def _head(line: str, value: Mapping[str, object]) -> CardHead:
    """The version is looked at first, so that a file of a later one is told from another file."""
    version = value.get("version")
    if value["format"] != FORMAT or type(version) is not int:
        refuse(Text("It is no card of a model."))
    if version > VERSION:
        refuse(Text("A newer version of Glassbox may have written it."))
    try:
        head = _head_adapter().validate_json(line, strict=True)
    except ValidationError:
        refuse(Text("Its first line is not that of a card."))
    known = _EDITION.fullmatch(head.edition) and (not head.app or _APP.fullmatch(head.app))
    if not known or not 0 <= head.measured <= _LAST_TIME:
        refuse(Text("Its first line is not that of a card."))
    return head


def _row(number: int, line: str) -> Row:
    try:
        row = row_adapter().validate_json(line, strict=True)
    except (ValidationError, RecursionError):
        refuse(Text("Line {number:,} is no answer of a card.", number=number))
    if fault := next(_faults(row), None):
        refuse(Text("Line {number:,} {fault}.", number=number, fault=fault))
    return replace(row, run="")


def _faults(row: Row) -> Iterator[Text]:
    """What cannot be in an answer, as the end of a sentence about it."""
    result, model = row.result, model_of(row)
    if not _QUESTION.fullmatch(row.name) or row.test != row.name or ability_of(row.name) not in ABILITIES:
        yield Text("is about a question that no card has")
    if not model or one_line(model, MOST_NAME) != model or wire_of(row) not in WIRES:
        yield Text("does not name a model and the way it was asked")
    if row.mode != "live" or row.repeat != 1:
        yield Text("is no answer of a card")
    numbers = {name: getattr(result, name) for name in _MOST}
    if any(value is not None and not 0 <= value <= _MOST[name] for name, value in numbers.items()):
        yield Text("has a number that cannot be")
    if result.grades and result.passed != all(grade.held for grade in result.grades):
        yield Text("says that it is right, and why it is not")
    said: Sequence[object] = [text for grade in result.grades for text in (grade.said, grade.why, grade.type)]
    if len(result.grades) > _MOST_GRADES or any(len(str(text)) > _MOST_SAID for text in said):
        yield Text("has more to say than an answer of a card has")
