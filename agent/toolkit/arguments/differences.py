"""Says what is wrong with arguments, and what validating them changed."""

from __future__ import annotations

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from agent.toolkit.arguments.repair import Arguments, written


def found_problems(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False)


def tells_more(problem: ErrorDetails) -> bool:
    """Whether pydantic's sentence says what the field's type and bounds do not."""
    return len(problem["loc"]) > 1 or problem["type"].startswith(
        ("value_error", "string_", "too_", "date_", "datetime_")
    )


def changes(given: Arguments, validated: Arguments) -> list[str]:
    """A note for each value that is not what was written."""
    changed = [name for name in given if name in validated and not _is_same(given[name], validated[name])]
    return [f"Read {written(given[name])} as {written(validated[name])} for ‘{name}’." for name in changed]


def _is_same(given: JsonValue, validated: JsonValue) -> bool:
    """Equal as JSON (3 and 3.0 are, 1 and true are not), but for defaults that were filled in."""
    if isinstance(given, dict) and isinstance(validated, dict):
        return all(key in validated and _is_same(value, validated[key]) for key, value in given.items())
    if isinstance(given, list) and isinstance(validated, list):
        return len(given) == len(validated) and all(map(_is_same, given, validated))
    return isinstance(given, bool) == isinstance(validated, bool) and given == validated
