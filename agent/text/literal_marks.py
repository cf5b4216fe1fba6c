"""Text from data within Markdown: marked so that it is read as it stands, and without those marks again."""

from __future__ import annotations

from agent.text.mathematics import formulas
from agent.text.regex import regex

_PUNCTUATION = r"!-/:-@\[-`{-~"
# What acts: a backslash before a mark, code, emphasis beside a word, links, entities; and what begins a block.
_ACTS = regex(
    rf"\\(?=[{_PUNCTUATION}]|$)|`|\*(?=\S)|(?<=\S)\*|(?<![^\W_])_(?=\S)|~(?=[\S])|(?<=\S)~"
    r"|!?\[(?=[^\]]*\])|&(?=#?\w{1,32};)|\A(?:[#>*]|[-+](?![\w.,]))"
)
_NUMBERED = regex(r"\A(\d{1,9})([.)])(?=\s|$)")
_MARKED = regex(rf"\\([{_PUNCTUATION}])")


def literal(text: str) -> str:
    """``text``, one line, with a backslash before each character that Markdown or TeX would act on."""
    text = _NUMBERED.sub(r"\1\\\2", _ACTS.sub(lambda found: f"\\{found[0]}" if found[0] != "![" else "\\!\\[", text))
    return text.replace("$", "\\$") if next(formulas(text), None) else text


def unmarked(text: str) -> str:
    """The text that ``literal`` marked."""
    return _MARKED.sub(r"\1", text) if "\\" in text else text
