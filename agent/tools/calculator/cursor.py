"""A place in the tokens, and the sentence for what is wrong there."""

from __future__ import annotations

from difflib import get_close_matches

from agent.errors import ToolFailed
from agent.tools.calculator.exact import unable
from agent.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agent.tools.calculator.tokens import Token

CLOSING = {"(": ")", "[": "]", "{": "}"}
HOW_TO = "Write numbers with + - * / ** ( ) and functions such as sqrt(2), log10(50) or round(2.567, 2)."

_ONLY_ARITHMETIC = "I can only work out arithmetic"


class Cursor:
    """Reads ``tokens``, the last of which is of kind ``end`` and never left behind."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._position = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._position]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._position + 1, len(self._tokens) - 1)]

    @property
    def at_end(self) -> bool:
        return self.token.kind == "end"

    def advance(self) -> Token:
        token = self.token
        self._position = min(self._position + 1, len(self._tokens) - 1)
        return token

    def take(self, text: str) -> bool:
        """Whether ``text`` stood here; it is passed if so."""
        found = self.token.text == text
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise unable(f"A closing ‘{text}’ is missing at the end.") if self.at_end else self.misplaced()

    def refuse_neighbours(self) -> None:
        """A number right after a number, a name or a suffix is a forgotten operator; after a bracket, a product."""
        before = self._tokens[self._position - 1]
        if self.token.kind == "number" and before.text not in CLOSING.values():
            raise unable(f"‘{_shown(before)}’ and ‘{_shown(self.token)}’ stand side by side. Put an operator between.")

    def comma(self) -> ToolFailed:
        return unable(
            "The comma is not clear here. Write decimals with a point (1.5), thousands as 1234 or 1,234, and several "
            "numbers only inside a function: max(1, 2)."
        )

    def misplaced(self) -> ToolFailed:
        """The error for the token here, which cannot stand here."""
        token = self.token
        if token.kind == "end":
            return unable("The expression stops too early: something is missing at the end.")
        if token.text == ",":
            return self.comma()
        if token.text in CLOSING.values():
            return unable(f"‘{token.text}’ closes nothing, or closes too early: check the brackets.")
        if token.kind == "unknown" or (token.kind == "name" and token.text not in FUNCTIONS):
            return _unknown(token)
        return unable(f"‘{_shown(token)}’ stands where it makes no sense: check what is before and after it.")


def _unknown(token: Token) -> ToolFailed:
    if token.text in ('"', "'"):
        return unable(f"{_ONLY_ARITHMETIC}, not text in quotes. {HOW_TO}")
    if len(token.text) == 1 and token.kind == "name" and token.text.isascii():
        return unable(f"{_ONLY_ARITHMETIC} with numbers: put the value in place of ‘{token.text}’.")
    near = get_close_matches(token.text[:30], [*FUNCTIONS, *CONSTANTS], n=1)
    hint = f"Did you mean ‘{near[0]}’? " if near else ""
    return unable(f"{_ONLY_ARITHMETIC}, and do not understand ‘{_shown(token)}’. {hint}{HOW_TO}")


def _shown(token: Token) -> str:
    return token.text if len(token.text) <= 30 else token.text[:30] + "…"
