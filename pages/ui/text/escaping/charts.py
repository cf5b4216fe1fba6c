"""Vega-Lite charts that name no address.

A chart can fetch data, images, maps and style, and compute the addresses from strings: what computes is refused with
what names. A data column called ``image`` becomes an ``<img>`` in the tooltip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

_REFUSED_KEYS = {"url", "href", "image", "usermeta", "expr", "signal", "signals", "calculate", "loader", "baseurl"}
_DATA_KEYS = {"values", "datasets"}
_ADDRESS_PARTS = ("//", "url(", "data:", "javascript:", "@import", "\\")
_SCHEMA = "https://vega.github.io/schema/vega-lite/"
_DEEPEST = 40


def chart_ok(spec: Mapping[str, object]) -> bool:
    """Whether a Vega-Lite ``spec`` with its data can be drawn without fetching anything."""
    schema = spec.get("$schema", _SCHEMA)
    rest = {key: value for key, value in spec.items() if key != "$schema"}
    return isinstance(schema, str) and schema.startswith(_SCHEMA) and _ok(rest, 0)


def _ok(part: object, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    match part:
        case str():
            return not _is_image(part) and not any(name in part.lower() for name in _ADDRESS_PARTS)
        case Mapping():
            pairs = cast("Mapping[object, object]", part).items()
            return all(_pair_ok(str(key), value, depth + 1) for key, value in pairs)
        case list() | tuple():
            return all(_ok(item, depth + 1) for item in cast("Sequence[object]", part))
        case None | bool() | int() | float():
            return True
        case _:
            return False


def _pair_ok(key: str, value: object, depth: int) -> bool:
    if key.strip().lower() in _REFUSED_KEYS or not _ok(key, depth):
        return False
    # Without a scale the values of a column are drawn as colours, which may be ``url(…)``.
    if key == "scale" and (value is None or value is False):
        return False
    return _data_ok(value, depth) if key in _DATA_KEYS else _ok(value, depth)


def _data_ok(value: object, depth: int) -> bool:
    """Rows: their texts are data and may be addresses, their columns may not be called ``image``."""
    if depth > _DEEPEST:
        return False
    match value:
        case Mapping():
            pairs = cast("Mapping[object, object]", value).items()
            return all(not _is_image(key) and _data_ok(item, depth + 1) for key, item in pairs)
        case list() | tuple():
            return all(_data_ok(item, depth + 1) for item in cast("Sequence[object]", value))
        case str():
            return "url(" not in value.lower()
        case _:
            return True


def _is_image(name: object) -> bool:
    return str(name).strip().lower() == "image"
