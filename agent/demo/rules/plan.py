"""What an ability is made of: a question goes in, a plan comes out, its steps are calls, it ends in something said."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from agent.demo.tables.table_schema import Table

Language = Literal["en", "ja"]

CALCULATOR = "calculator"
SEARCH = "search"
WEATHER = "weather"
NOW = "now"
CONVERT = "convert"
DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Question:
    """One question, or one part of a longer one: ``text`` as typed, ``today`` and ``tables`` where the prompt tells.

    ``tools`` are those there are; ``has_documents``: beside the handbook.
    """

    text: str
    language: Language
    today: date | None = None
    tables: tuple[Table, ...] = ()
    tools: tuple[str, ...] = ()
    has_documents: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and the sentence that says why it is made."""

    tool: str
    input: str
    thought: str


@dataclass(frozen=True, slots=True)
class Value:
    """A figure, as the calculator or a source wrote it, and the name of its unit ("" for a bare number).

    ``close``: the figure was told as "about" so much.
    """

    amount: str
    unit: str = ""
    close: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """The end of a plan: a sentence, the value it ends in if there is one, and what could be asked next.

    ``declined`` marks a question that the rules will not answer; ``text`` then says why.
    """

    text: str
    value: Value | None = None
    next_questions: tuple[str, ...] = ()
    declined: bool = False


Steps: TypeAlias = Generator[Call, str, Said]


@dataclass(frozen=True, slots=True)
class Plan:
    """``steps()`` yields calls and is sent what each one gave: a number's text, or the lines that a search found.

    It is started anew for every reply and never sent a failure: a failed call ends the plan before. ``sample`` has
    the unit of the value that the plan ends in, so that a following part can be read before this one is worked out.
    """

    steps: Callable[[], Steps]
    sample: Value | None = None


_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME = str.maketrans(
    {
        "\u3000": " ",
        "\u00a0": " ",
        "’": "'",
        "‘": "'",
        "−": "-",
        "–": "-",
        "·": "*",
        "²": "^2",
        "³": "^3",
        "℃": "°C",
        "℉": "°F",
        "º": "°",
    }
)
_JAPANESE = re.compile(r"[\u3040-\u30ff]|[\u4e00-\u9fff]")
_HIRAGANA = re.compile(r"[ぁ-ん]")
_ENGLISH = re.compile(r"\b(?:the|what|which|how|is|are|of|in|by|for|and|show|list|plot|total|average|top)\b", re.I)
_CHINESE = re.compile(r"[的是吗么呢嗎麼]|多少|什")


def plain(text: str) -> str:
    """``text`` with one form for each wide letter, dash, apostrophe and blank; raised 2 and 3 become ``^2``, ``^3``.

    A sum in backticks or in LaTeX becomes a plain one.

    Deliberately not Unicode's NFKC, which turns "5²" into "52" and "1½" into "11⁄2".
    """
    text = re.sub(r"\s+", " ", text.translate(_WIDE).translate(_SAME)).strip()
    if "\\" in text:
        for pattern, form in _LATEX:
            text = pattern.sub(form, text)
    return _QUOTED_SUM.sub(lambda match: match[1] or match[2], text)


_LATEX = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"\\(?:times|cdot)\b ?", "*"),
        (r"\\div\b ?", "/"),
        (r"\\pi\b", "pi"),
        (r"\\[dt]?frac ?\{([^{}]+)\} ?\{([^{}]+)\}", r"((\1)/(\2))"),
        (r"\\sqrt ?\{([^{}]+)\}", r"sqrt(\1)"),
        (r"\\([%$])", r"\1"),
    )
)
_SUM_INSIDE = r"(?=[^`$]*[+*/^!()-])([\d\s.,a-z()+*/^!=-]*)"
_QUOTED_SUM = re.compile(rf"`{_SUM_INSIDE}`|(?<![\d$])(?<!\d )\${_SUM_INSIDE}\$(?! ?[\d.$])")


def language_of(text: str) -> Language:
    if len(_ENGLISH.findall(text)) > 1 and not _HIRAGANA.search(text):
        # A name from a table in an English question.
        return "en"
    return "ja" if _JAPANESE.search(text) and not (_CHINESE.search(text) and not _HIRAGANA.search(text)) else "en"


def either(language: Language, english: str, japanese: str) -> str:
    return japanese if language == "ja" else english


def sentence(text: str) -> str:
    """With a capital letter, unless it begins with a formula such as ``gcd(12, 18)`` or ``e^2``."""
    return text if re.match(r"[a-z0-9]+\(|e\b", text) else text[:1].upper() + text[1:]
