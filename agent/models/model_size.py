"""How many parameters a model has, by what servers and its name tell: small ones are told of tools otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from agent.text.regex import regex

_SMALL = 4.5e9  # models of 4B have up to so many
_LONGEST = 200  # characters of a name
# "1.5b" in qwen2.5-coder:1.5b, "135M" in SmolLM2-135M. A single letter before it says something else: 8x7b, e2b, a3b;
# and 1M is a window.
_SIZE = regex(
    r"(?<![0-9.])(?<!(?<![A-Za-z])[A-Za-z])(?:(\d{1,4}(?:\.\d{1,3})?)[Bb]|(\d{2,4}(?:\.\d{1,3})?)[Mm])(?![A-Za-z0-9])"
)
# Where a row of a list of models, or what is told of one, has its size.
_PLACES = (
    ("meta", "n_params"),  # llama.cpp
    ("details", "parameter_size"),  # Ollama
    ("model_info", "general.parameter_count"),
    ("params_string",),  # LM Studio
)


def is_small(row: Mapping[str, Any], name: str = "") -> bool:
    """Whether the model has 4 billion parameters or fewer, by its ``row``, or else its ``name``; not if none tells."""
    told = tells_small(row)
    return 0 < _written(name[:_LONGEST]) <= _SMALL if told is None else told


def tells_small(row: Mapping[str, Any]) -> bool | None:
    """As ``is_small``, by the ``row`` alone; ``None`` where it tells no size."""
    size = next(filter(None, (_parameters(row, place) for place in _PLACES)), 0)
    return 0 < size <= _SMALL if size else None


def _parameters(value: object, place: tuple[str, ...]) -> float:
    """The parameters at a ``place``, keys from the outside in; 0 where none are told."""
    for key in place:
        value = cast("dict[str, object]", value).get(key) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return _written(value[:_LONGEST])
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _written(text: str) -> float:
    """The largest size in a text, such as 30B in qwen3-30b-a3b; 0 where there is none."""
    found = _SIZE.findall(text)
    return max((float(billions or 0) * 1e9 + float(millions or 0) * 1e6 for billions, millions in found), default=0)
