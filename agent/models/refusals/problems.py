"""Error answers of model servers, of any shape, read into one value.

The bodies are those of OpenAI, Azure, Ollama, vLLM, llama.cpp, LM Studio, OpenRouter, Groq, Mistral, DeepSeek and
Gemini; each was taken from a report of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent.text.regex import regex

_DEEPEST = 6
_LONGEST_TEXT = 4_000

CONTEXT = regex(
    r"context[ _](?:length|window|size|limit)|context the overflows|exceed_context|\bn_ctx\b|\bn_keep\b|"
    r"prompt is too long|too many (?:input )?tokens|token (?:count|limit)\b.{0,40}exceed|reduce the length|"
    r"input is too long|maximum (?:prompt|model|input) length|exceeded model token limit|"
    r"maximum number of tokens allowed|tokens exceed the (?:configured )?limit|"
    r"max_new_tokens\W{1,3}must be <=|inputs\W{1,3}must have less than|input length should be",
    re.I,
)
# A request that is larger than the tokens of a minute (Groq: status 413; OpenAI: 429) says nothing of the window.
_MINUTE = regex(r"tokens per (?:min(?:ute)?|day)\b|\bTP[MD]\b", re.I)
_TOO_LARGE = regex(r"request (?:is )?too large", re.I)
# llama.cpp and vLLM tell with 500 what will be the same at the next try: template, tools, images, an unreadable call.
_LASTS = regex(
    r"jinja|roles must alternate|must be at the beginning|role not supported|unsupported param|image input is not|"
    r"failed to parse input|insufficient_quota|exceeded your current quota",
    re.I,
)
_UNREADABLE = regex(r"failed to parse input at pos \d+: ", re.I)
# OpenAI, Groq: "Please try again in 7m12.5s", "in 20ms"; Gemini's RetryInfo: "retryDelay": "27s".
_PAUSE = regex(
    r"(?:try again|retry) in (?:(?P<h>\d{1,3})h)?(?:(?P<m>\d{1,3})m(?!s))?"
    r"(?:(?P<s>\d{1,6}(?:\.\d{1,9})?)(?P<unit>m?s))?|"
    r"\"retryDelay\": ?\"(?P<delay>\d{1,6}(?:\.\d{1,9})?)s\"",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error answer, read.

    ``status`` is the HTTP status; for an error inside a reply it is the one the error names, else 200. ``code`` has the
    error's codes and types with spaces between, ``wait`` is what the server asks to wait, in seconds. ``param`` is the
    first part of ``path``, the place in the request that is wrong. ``most`` is how many tokens a prompt may have, where
    the error has that as a field of its own. ``written`` is what the model wrote, where the server could not read that
    and tells it, maybe "". ``inside`` says that the error came in place of a reply, or in it.
    """

    status: int
    message: str = ""
    code: str = ""
    param: str = ""
    wait: float = 0.0
    most: int = 0
    path: str = ""
    written: str | None = None
    inside: bool = False

    @property
    def words(self) -> str:
        """The message for looking for words in it: of a long one the beginning and the end."""
        return _ends(self.message)

    @property
    def text(self) -> str:
        """The codes, too."""
        return f"{self.code} {self.words}"

    @property
    def is_of_a_minute(self) -> bool:
        """Whether the request alone has more tokens than the account may send in a minute or a day."""
        in_time = self.status in (200, 400, 413) or (self.status == 429 and bool(_TOO_LARGE.search(self.text)))
        return in_time and bool(_MINUTE.search(self.text))

    @property
    def is_unreadable_call(self) -> bool:
        """Whether the server could not read what the model wrote as a call."""
        return "tool_use_failed" in self.text or bool(_UNREADABLE.search(self.words))


def lasts(said: str) -> bool:
    """Whether an error that may pass by its status will be the same when the request is sent again."""
    text = _ends(said)
    return bool(CONTEXT.search(text) or _LASTS.search(text))


def _ends(text: str) -> str:
    """Servers put conversations, templates and what a model wrote into their errors."""
    return text if len(text) <= 2 * _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}\n{text[-_LONGEST_TEXT:]}"


def pause_in(said: str) -> float:
    """Seconds to wait that the text of an error names; 0 where it names none."""
    found = _PAUSE.search(_ends(said))
    if not found:
        return 0.0
    if found["delay"]:
        return float(found["delay"])
    seconds = float(found["s"] or 0) / (1_000 if (found["unit"] or "").lower() == "ms" else 1)
    return int(found["h"] or 0) * 3600 + int(found["m"] or 0) * 60 + seconds


def read_problem(status: int, body: object, wait: float = 0.0) -> Problem:
    """Read an error body of any of the known shapes, parsed or not; whatever else it is gives an empty message.

    The innermost message counts (proxies wrap the error of the server behind them). ``path`` is such as
    ``messages[0].role``, or from a validation error's ``loc``.
    """
    message = code = path = ""
    most, written = 0, None
    for part in _walk(body, 0):
        message = _word(part, "message", "msg", "detail") or message
        # An error that only has its type names it there: "exceed_context_size_error", "extra_forbidden".
        code = " ".join(word for word in (code, _word(part, "code"), _word(part, "type", "status")) if word)
        location = part.get("loc")
        if isinstance(location, list):
            names = [str(name) for name in cast("list[object]", location) if name != "body"]
            path = ".".join(names) or path
        path = _word(part, "param") or path
        held = part.get("n_ctx")  # llama.cpp
        most = held if isinstance(held, int) and not isinstance(held, bool) and held > 0 else most
        held = part.get("failed_generation")  # Groq
        written = held if isinstance(held, str) else written
    inside = next((int(word) for word in code.split() if status == 200 and re.fullmatch("[45][0-9]{2}", word)), status)
    if unread := _UNREADABLE.search(message):
        written = message[unread.end() :]
    param = re.split(r"[.\[]", path)[0]
    wait = wait or (pause_in(message) if status == 200 else 0.0)
    return Problem(inside, message, code, param, wait, most, path, written, status == 200)


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
            yield {name: held for name, held in part.items() if name == "failed_generation" or not _nested(held)}
            for name in ("error", "errors", "message", "detail", "metadata", "raw"):
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
