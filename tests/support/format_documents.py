"""``docs/events.md`` and ``docs/formats.md``, made from what the code says of itself: ``make docs`` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from decimal import Decimal
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from agent import events, upcasters
from agent.application.backup import archive
from agent.events import EVENTS
from agent.messages import Artifact, Facts, Limits, Message, Money, Source, ToolRequest, ToolSchema, Usage
from agent.sharing.export import json_lines
from agent.store import migrations
from agent.store.schema import TABLES
from agent.upcasters import NEW_FIELDS, UPCASTERS

FOLDER = Path(__file__).parents[2] / "docs"
VALUES = (Message, ToolRequest, Usage, Money, Limits, Facts, Artifact, Source, ToolSchema)
_PLAIN: dict[Any, str] = {
    **{str: "text", int: "whole number", float: "number", bool: "true or false", NoneType: "null"},
    Decimal: "decimal number, as text",
}
_MADE = "<!-- Made of the code by `make docs`; change the docstrings there. -->"


def documents() -> dict[Path, str]:
    """The text of each document by its place."""
    return {FOLDER / "events.md": "\n".join(_events()), FOLDER / "formats.md": "\n".join(_formats())}


def _events() -> Iterator[str]:
    yield from ("# Events", "", _MADE, "", _told(events), "")
    for kind in EVENTS.values():
        yield from _value(kind)
    yield from ("## Values inside them", "")
    for kind in VALUES:
        yield from _value(kind, "###")
    yield from ("## Earlier versions", "", _told(upcasters), "")
    for (name, version), step in UPCASTERS.items():
        new = ", ".join(f"`{field}`" for field in sorted(NEW_FIELDS.get((name, version), ())))
        yield f"- `{name}` {version} to {version + 1}: {_told(step)} New: {new}."
    yield ""


def _formats() -> Iterator[str]:
    yield from ("# What is kept and exported", "", _MADE, "", "## Export", "")
    about, _, form = cast("str", json_lines.__doc__).strip().partition("\n\n")
    yield from (f"{about} An event has its own version, see [events](events.md#earlier-versions).", "")
    yield from ("```text", form.strip(), "```", "", "## Store", "", _told(migrations), "")
    for number, step in enumerate(migrations.MIGRATIONS, 1):
        yield f"{number}. {step.about} Code that knows step {step.oldest} can use the store after it."
    for table in TABLES.sorted_tables:
        yield from ("", f"### {table.name}", "", "| column | type | |", "|---|---|---|")
        for column in table.columns:
            refers = "".join(f"refers to `{key.target_fullname}`" for key in column.foreign_keys)
            key = "key" if column.primary_key else "may be null" if column.nullable else ""
            yield f"| `{column.name}` | {column.type} | {', '.join(filter(None, (key, refers)))} |"
    about, _, form = cast("str", archive.__doc__).strip().partition("\n\n")
    form, _, more = form.removeprefix("```text\n").partition("\n```\n")
    yield from ("", "## Backup", "", about, "", "```text", form, "```", "", more.strip().replace("``", "`"), "")


def _value(kind: type[Any], level: str = "##") -> Iterator[str]:
    hints = get_type_hints(kind)
    yield from (f"{level} {kind.__name__}", "", _told(kind), "", "| field | | default |", "|---|---|---|")
    for field in fields(kind):
        if hints[field.name] is not bytes:
            yield f"| `{field.name}` | {_type(hints[field.name])} | {_default(field)} |"
    yield ""


def _told(of: object) -> str:
    """A docstring as Markdown."""
    lines = (of.__doc__ or "").strip().split("\n")
    return "\n".join(line.strip() for line in lines).replace("``", "`")


def _type(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(f"`{json.dumps(value)}`" for value in inner)
    if origin in (Union, UnionType):
        return " or ".join(map(_type, inner))
    if origin is tuple:
        return f"list of: {_type(inner[0])}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "object"
    if isinstance(hint, type) and is_dataclass(hint):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _PLAIN.get(hint, "any JSON")


def _default(field: Field[Any]) -> str:
    if field.default is MISSING and field.default_factory is MISSING:
        return "required"
    value = field.default if field.default_factory is MISSING else field.default_factory()
    return f"`{json.dumps(value)}`"


if __name__ == "__main__":
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")
