"""The rules by which an instruction to a model is known; they stand in ``rules.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PART = re.compile(r"\{([A-Z_]+)\}")
# Two of the labels of the text wire, one of which nobody writes who does not mean it.
LABELS = re.compile(
    r"^[ \t>*#-]*(?:(?:Thought|Action|Observation|思考|行動|観察)[ \t]*[:：].*\n(?:.*\n){0,4}?[ \t>*#-]*"
    r"(?:Action Input|Final Answer|行動の入力|最終的な答え)[ \t]*[:：].*"
    r"|(?:Action Input|行動の入力)[ \t]*[:：].*)",
    re.I | re.M,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """``needs``: a text fits only with a word of each of these lists in it."""

    kind: str
    needs: tuple[tuple[str, ...], ...]
    pattern: re.Pattern[str]

    def may_fit(self, text: str) -> bool:
        """Whether a text has the words without which it, and any part of it, does not fit."""
        for words in self.needs:
            for word in words:
                if word in text:
                    break
            else:
                return False
        return True

    def fits(self, text: str) -> bool:
        return self.may_fit(text) and self.pattern.search(text) is not None


@cache
def rules() -> tuple[Rule, ...]:
    read = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    parts: dict[str, str] = read["parts"]
    return tuple(
        Rule(
            rule["kind"],
            tuple(map(tuple, rule["needs"])),
            re.compile(_PART.sub(lambda found: parts[found[1]], rule["pattern"])),
        )
        for rule in read["rules"]
    )


def matching(text: str, among: Sequence[Rule]) -> str:
    """The kind of the first of these rules that ``text``, in lower case with single spaces, fits, or ""."""
    for rule in among:
        if rule.fits(text):
            return rule.kind
    return ""
