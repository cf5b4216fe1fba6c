"""Error answers of model servers, read into one value.

The bodies are those of OpenAI, Azure, Ollama, vLLM, llama.cpp, LM Studio, OpenRouter, Groq, Mistral, DeepSeek and
Gemini; each was taken from a report of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Problem:
    """An error answer, read.

    ``status`` is the HTTP status; for an error inside a reply it is the one the error names, else 200. ``code`` has the
    error's codes and types with spaces between, ``wait`` is what the server asks to wait, in seconds.
    """

    status: int
    message: str = ""
    code: str = ""
    param: str = ""
    wait: float = 0.0

    @property
    def text(self) -> str:
        """All that was said, for looking for words in it."""
        return f"{self.code} {self.message}"


def read_problem(status: int, body: object, wait: float = 0.0) -> Problem:
    """Read an error body of any of the known shapes, parsed or not; whatever else it is gives an empty message.

    The innermost message counts (proxies wrap the error of the server behind them). ``param`` is the first part of a
    path such as ``messages[0].role`` or of a validation error's ``loc``.
    """
    message = code = param = ""
    for part in _walk(body, 0):
        message = _word(part, "message", "msg", "detail") or message
        # An error that only has its type names it there: "exceed_context_size_error", "extra_forbidden".
        code = " ".join(word for word in (code, _word(part, "code"), _word(part, "type", "status")) if word)
        location = part.get("loc")
        if isinstance(location, list):
            names = [str(name) for name in cast("list[object]", location) if name != "body"]
            param = names[0] if names else param
        param = _word(part, "param") or param
    inside = next((int(word) for word in code.split() if status == 200 and re.fullmatch("[45][0-9]{2}", word)), status)
    return Problem(inside, message, code, re.split(r"[.\[]", param)[0], wait)


def _walk(value: object, depth: int) -> Iterator[dict[str, Any]]:
    if depth > _DEEPEST:
        return
    match value:
        case str() if value.lstrip().startswith(("{", "[")):
            try:
                inner = json.loads(value)
            except (ValueError, RecursionError):
                yield {"message": value}
            else:
                yield from _walk(inner, depth + 1)
        case str() if not value.lstrip().startswith("<"):
            yield {"message": value}
        case list() if value:
            yield from _walk(cast("list[object]", value)[0], depth + 1)
        case dict():
            part = cast("dict[str, Any]", value)
            yield {name: held for name, held in part.items() if not _nested(held)}
            for name in ("error", "message", "detail", "metadata", "raw"):
                held = part.get(name)
                if _nested(held) or (name in ("error", "raw") and isinstance(held, str)):
                    yield from _walk(held, depth + 1)
        case _:
            return


def _nested(value: object) -> bool:
    """A part of an error that has parts of its own; a validation error's ``loc`` is a plain list of names."""
    if isinstance(value, list):
        return any(isinstance(item, dict) for item in cast("list[object]", value))
    return isinstance(value, dict) or (isinstance(value, str) and value.lstrip().startswith(("{", "[{")))


def _word(part: Mapping[str, Any], *names: str) -> str:
    return next((str(part[name]) for name in names if isinstance(part.get(name), (str, int))), "")
