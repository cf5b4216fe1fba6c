"""The answer of a program, read as what it is: anything a hostile process could write."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from agent.sandbox.inside.showing import MOST_CHARTS, MOST_COLUMNS, MOST_ROWS, MOST_TABLES

PNG = b"\x89PNG\r\n\x1a\n"
EXACTLY = ConfigDict(extra="forbid", strict=True)
Cell = str | bool | int | float | None


def picture(text: str) -> str:
    try:
        content = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not a picture") from error
    if not content.startswith(PNG):
        raise ValueError("not a picture")
    return text


@with_config(EXACTLY)
class Column(TypedDict):
    name: str
    type: str


@with_config(EXACTLY)
class Table(TypedDict):
    columns: Annotated[list[Column], Field(max_length=MOST_COLUMNS)]
    rows: Annotated[list[list[Cell]], Field(max_length=MOST_ROWS)]
    count: Annotated[int, Field(ge=0)]
    columns_count: Annotated[int, Field(ge=0)]


def rectangular(table: Table) -> Table:
    if any(len(row) != len(table["columns"]) for row in table["rows"]):
        raise ValueError("not a row of the table")
    return table


@with_config(EXACTLY)
class Drawing(TypedDict):
    """A Vega-Lite specification, not to be drawn unseen: it can name addresses."""

    kind: Literal["vega"]
    spec: dict[str, Any]


@with_config(EXACTLY)
class Picture(TypedDict):
    """A PNG, known by its signature."""

    kind: Literal["png"]
    base64: Annotated[str, AfterValidator(picture)]


@with_config(EXACTLY)
class Error(TypedDict):
    type: str
    message: str
    trace: str


@with_config(EXACTLY)
class Answer(TypedDict):
    prints: str
    prints_left_out: Annotated[int, Field(ge=0)]
    value: str | None
    tables: Annotated[list[Annotated[Table, AfterValidator(rectangular)]], Field(max_length=MOST_TABLES)]
    charts: Annotated[list[Annotated[Drawing | Picture, Field(discriminator="kind")]], Field(max_length=MOST_CHARTS)]
    left_out: Annotated[int, Field(ge=0)]
    error: Error | None


_ANSWER = TypeAdapter(Answer)


def program_answer(value: object) -> dict[str, Any]:
    """The same answer, with every part of the kind it must be. Raises ``ValueError``."""
    return cast("dict[str, Any]", _ANSWER.validate_python(value))
