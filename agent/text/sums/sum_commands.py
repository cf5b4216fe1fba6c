"""Sums as commands, "subtract 5 from 12", and the sum that a whole question asks for."""

from __future__ import annotations

import re

from agent.text.sums.phrases import core
from agent.text.sums.sum_grammar import AMBIGUOUS, single, term
from agent.text.sums.terms import Term
from agent.text.sums.value_words import Language


def read_sum(text: str, language: Language) -> Term | None:
    """The term that the whole question asks for, ``AMBIGUOUS``, or ``None``, as for a number alone."""
    asked = core(text, language)
    found = _as_command(asked, language) or term(asked, language)
    return None if found is None or found.form == "number" else found


_ENGLISH_COMMANDS: tuple[tuple[str, str, tuple[int, int]], ...] = (
    (r"add (.+) (?:and|to) (.+)", "add", (2, 1)),
    (r"(.+) added to (.+)", "add", (2, 1)),
    (r"(.+) (?:subtracted|taken away) from (.+)", "subtract", (2, 1)),
    (r"(?:subtract|take) (.+) from (.+)", "subtract", (2, 1)),
    (r"multiply (.+) (?:by|and|with) (.+)", "multiply", (1, 2)),
    (r"divide (.+) by (.+)", "divide", (1, 2)),
    (r"(?:the )?remainder (?:of|when) (.+?)(?: is)? divided by (.+)", "remainder", (1, 2)),
    (r"(.+) (?:mod|modulo) (.+)", "remainder", (1, 2)),
)
_JAPANESE_COMMANDS: tuple[tuple[str, str, tuple[int, int]], ...] = (
    (r"(.+)[にと](.+)を(?:足す|足した|たす|加える)(?:と|数)?", "add", (1, 2)),
    (r"(.+)から(.+)を(?:引く|引いた|ひく)(?:と|数)?", "subtract", (1, 2)),
    (r"(.+)[にと](.+)を(?:掛ける|かける|掛けた|かけた)(?:と|数)?", "multiply", (1, 2)),
    (r"(.+)を(.+)で(?:割る|わる|割った)(?:と|数)?", "divide", (1, 2)),
    (r"(.+)を(.+)倍に?(?:する|した)(?:と|数)?", "multiply", (1, 2)),
    (r"(.+)を(.+)で割った(?:時の|ときの)?(?:余り|あまり)", "remainder", (1, 2)),
)
_ENGLISH_ALONE = ((r"square (?!root)(.+)", "square"), (r"cube (?!root)(.+)", "cube"), (r"halve (.+)", "half"))
_JAPANESE_ALONE = (
    (r"(.+)を半分に(?:する|した)(?:と|数)?", "half"),
    (r"(.+)を(?:二|2)乗(?:する|した)(?:と|数)?", "square"),
)


def _as_command(text: str, language: Language) -> Term | None:
    """ "subtract 5 from 12", 「12から5を引くと」; both sides must be sums of their own."""
    english = language == "en"
    for pattern, form, order in _ENGLISH_COMMANDS if english else _JAPANESE_COMMANDS:
        if match := re.fullmatch(pattern, text, re.I):
            sides = [single(match[index], language) for index in order]
            if AMBIGUOUS in sides:
                return AMBIGUOUS
            if not all(sides) or (form == "remainder" and not _whole(sides)):
                continue
            return Term(form, tuple(side for side in sides if side))
    for pattern, form in _ENGLISH_ALONE if english else _JAPANESE_ALONE:
        match = re.fullmatch(pattern, text, re.I)
        inner = term(match[1], language) if match else None
        if inner and inner.form == "number" and not inner.text.startswith("-"):
            return Term(form, (inner,))
    return None


def _whole(sides: list[Term | None]) -> bool:
    """People disagree on remainders of anything but whole numbers that are not negative."""
    return all(side is not None and side.form == "number" and side.text.isdigit() for side in sides)
