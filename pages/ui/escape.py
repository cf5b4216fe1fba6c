"""Text of a model, a tool or a person, made safe to hand to Streamlit's Markdown.

Money stays money (``$`` would start LaTeX), images are not fetched, and Streamlit's own ``:directives:`` stay text.
Code spans and blocks are left alone: nothing in them is interpreted.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"(```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`)", re.S)
_WORD_JOINER = "\u2060"
_LABEL_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$])")
# Streamlit looks for these even where the colon is escaped.
_DIRECTIVE = re.compile(r":(?=[a-z0-9_+-]+(?:/[a-z0-9_]+:|\[|:))", re.I)


def markdown(text: str) -> str:
    """``text`` as Markdown without LaTeX, images and directives."""
    parts = _CODE.split(text)
    parts[::2] = [_prose(part) for part in parts[::2]]
    return "".join(parts)


def plain(text: str) -> str:
    """``text`` as it was typed, line breaks included."""
    return "  \n".join(_inert(line) for line in text.splitlines())


def label(text: str, most: int = 100) -> str:
    """``text`` on one line with nothing in it that Markdown would act on."""
    line = " ".join(text.split())
    short = line if len(line) <= most else line[: most - 1] + "…"
    return _inert(short)


def _inert(line: str) -> str:
    return _LABEL_MARKS.sub(r"\\\1", _DIRECTIVE.sub(f":{_WORD_JOINER}", line))


def _prose(text: str) -> str:
    without_images = re.sub(r"!(?=\[)", f"! {_WORD_JOINER}", text)
    without_math = re.sub(r"(?<!\\)\$", r"\\$", without_images)
    return _DIRECTIVE.sub(f":{_WORD_JOINER}", without_math)
