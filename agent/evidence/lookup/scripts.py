"""Whether a name can be compared with what was observed at all: 新潟 with "Niigata" cannot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agent.evidence.sources import Sources
from agent.text.regex import regex

_LATIN = regex(r"[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ]{2,}")
_KANA = regex(r"[\u3041-\u30fa]")
_OF_OTHERS = regex(r"[\u0370-\u052f\u0590-\u0e7f\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
# By a letter of a name: what some observation must have. Among other letters, small Latin ones may be of a unit.
_NEEDED = (
    (_KANA, _KANA),
    (regex(r"[\u3400-\u9fff]"), regex(r"[\u3041-\u30fa\u3400-\u9fff]")),
    (regex(r"[\uac00-\ud7af]"), regex(r"[\uac00-\ud7af]")),
    (regex(r"[\u0400-\u052f]"), regex(r"[\u0400-\u052f]")),
    (regex(r"[\u0370-\u03ff]"), regex(r"[\u0370-\u03ff]")),
    (regex(r"[A-Za-zÀ-ÖØ-öø-ÿ]"), _LATIN),
)


@dataclass(frozen=True)
class Scripts:
    """The scripts of what was observed."""

    sources: Sources

    @cached_property
    def _observed(self) -> tuple[str, ...]:
        """What was observed, with the answers of earlier turns; "" where that was nothing."""
        return tuple(source.text for source in self.sources.texts if source.origin != "given")

    @cached_property
    def _in_latin(self) -> bool:
        """Whether nothing was observed in letters that are not Latin."""
        return not any(_OF_OTHERS.search(text) for text in self._observed if not text.isascii())

    @cached_property
    def _had(self) -> tuple[bool, ...]:
        return tuple(any(needed.search(text) is not None for text in self._observed) for _, needed in _NEEDED)

    def has(self, name: str) -> bool:
        """Whether anything was observed in the script of a name; true where nothing was observed."""
        if not self._observed:
            return True
        script = next((number for number, (letter, _) in enumerate(_NEEDED) if letter.search(name) is not None), None)
        if script == len(_NEEDED) - 1 and self._in_latin:
            return True
        return script is None or self._had[script]
