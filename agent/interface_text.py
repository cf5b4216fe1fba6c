"""A sentence for people: English, with the key that it was filled from, so that a page can say it in another language.

The key is the English template. A catalogue has its translation, which is filled with the same values. What came from
a person, a model, a tool or a file is a plain ``str``, or a value: it has no key, so nothing ever looks it up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, LiteralString, TypeAlias, TypeGuard, cast

from pydantic_core import core_schema

Filling: TypeAlias = "str | int | float"
Templates: TypeAlias = "tuple[LiteralString, LiteralString]"
_PLACE = re.compile(r"\{(\w+)(:,)?\}")
_MOST_DEPTH = 8
_MOST_FILLED = 1_000_000  # characters that the values of a record may come to in it


class Text(str):
    """``key`` filled with ``values``: ``Text("{file} is empty.", file=name)``.

    A plural has both English forms, and its count as ``n``: ``Text("{n} row", "{n} rows", n=2)``. A place is
    ``{name}``, or ``{name:,}`` for a number with marks between thousands. A value may be a text with a key itself.
    Whatever makes another string of it, such as ``+`` or an f-string, gives a plain ``str``.
    """

    __slots__ = ("key", "plural", "values")
    key: str
    plural: str
    values: Mapping[str, Filling]

    def __new__(cls, key: LiteralString, plural: LiteralString = "", /, **values: Filling) -> Text:
        return cls.of(key, plural, values)

    @classmethod
    def of(cls, key: str, plural: str, values: Mapping[str, Filling]) -> Text:
        """As the constructor, with a key that may be worked out."""
        text = super().__new__(cls, filled(plural if plural and values.get("n") != 1 else key, values))
        text.key, text.plural, text.values = key, plural, values
        return text

    @classmethod
    def of_record(cls, record: object) -> Text:
        """The text of ``record``'s value. Raises ``ValueError`` for anything else."""
        return cls._read(record, 0)

    @classmethod
    def _read(cls, record: object, depth: int) -> Text:
        if depth > _MOST_DEPTH or not is_record(record):
            raise ValueError("not the record of a text")
        values = {
            name: cls._read(cast("object", value), depth + 1) if isinstance(value, dict) else value
            for name, value in record.get("values", {}).items()
        }
        key, plural = record["key"], record.get("plural", "")
        # A place may stand many times, with a value that has it many times itself: the size is known before it is made.
        longest = max((len(str(value)) for value in values.values()), default=0)
        if max(key.count("{"), plural.count("{")) * longest > _MOST_FILLED:
            raise ValueError("a text that is too long")
        return cls.of(key, plural, values)

    @property
    def template(self) -> str:
        """The English form that it was filled from."""
        return self.plural if self.plural and self.values.get("n") != 1 else self.key

    def changed(self, change: Callable[[str], str]) -> Text:
        """The same with ``change`` made to each value that is a ``str``, those of inner texts included."""

        def made(value: Filling) -> Filling:
            if isinstance(value, Text):
                return value.changed(change)
            return change(value) if isinstance(value, str) else value

        return Text.of(self.key, self.plural, {name: made(value) for name, value in self.values.items()})

    def record(self) -> dict[str, Any]:
        """As JSON: the key and the values, which make the sentence again."""
        values = {name: value.record() if isinstance(value, Text) else value for name, value in self.values.items()}
        return (
            {"key": self.key}
            | ({"plural": self.plural} if self.plural else {})
            | ({"values": values} if values else {})
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Text.of_record, (self.record(),)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> core_schema.CoreSchema:
        reading = core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, Text) else cls.of_record(value),
            serialization=core_schema.plain_serializer_function_ser_schema(cls.record),
        )
        return reading


def is_record(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether ``value`` is shaped like the record of a text."""
    if not isinstance(value, dict):
        return False
    record = cast("dict[str, Any]", value)
    values = record.get("values", {})
    return (
        record.keys() <= {"key", "plural", "values"}
        and isinstance(record.get("key"), str)
        and isinstance(record.get("plural", ""), str)
        and isinstance(values, dict)
        and all(isinstance(each, str | int | float | dict) for each in cast("dict[str, Any]", values).values())
    )


def filled(template: str, values: Mapping[str, Filling]) -> str:
    """``template`` with its places filled; a place without a value stays as it is."""

    def put_in(place: re.Match[str]) -> str:
        value = values.get(place[1], place[0])
        return f"{value:,}" if place[2] and isinstance(value, int | float) else str(value)

    return _PLACE.sub(put_in, template)


def keyed(key: LiteralString, plural: LiteralString = "", /) -> Templates:
    """The templates of a text that is filled later: ``Text(*keyed("{n} row", "{n} rows"), n=2)``."""
    return key, plural


def joined(separator: str, parts: Iterable[str]) -> Text:
    """Several texts as one, each said by itself; ``separator`` is the same in every language."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    if len(values) == 1 and isinstance(only := values["part0"], Text):
        return only
    return Text.of(separator.join(f"{{{name}}}" for name in values), "", values)


def unpacked(value: object) -> str:
    """A text that may have come as a record: with its key if so, else as it is."""
    if is_record(value):
        return Text.of_record(value)
    return value if isinstance(value, str) else str(value)


def packed(value: Any) -> Any:
    """``value`` for JSON, with every text in it as its record."""
    if isinstance(value, Text):
        return value.record()
    if isinstance(value, Mapping):
        return {key: packed(each) for key, each in cast("Mapping[str, Any]", value).items()}
    return [packed(each) for each in cast("Sequence[Any]", value)] if isinstance(value, list | tuple) else value
