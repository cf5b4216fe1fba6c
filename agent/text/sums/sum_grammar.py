"""Reads sums, as commands ("subtract 5 from 12") and as expressions: all tokens become one term, or none do.

What can be read in two ways is not read at all.
"""

from __future__ import annotations

import re

from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.one_unit import in_unit
from agent.text.sums.phrases import Language, core
from agent.text.sums.terms import LIST_ENDINGS, LISTS, TABLES, Term, Token, measures, number, tokens, unit

AMBIGUOUS = Term("ambiguous")
_BINDS = {"add": 1, "subtract": 1, "multiply": 2, "divide": 2, "power": 4}
_BARE = {"number", "pi", "e"}
_SCALES = {"half", "double", "triple", "fraction", "percent"}  # the last part is what is scaled
_WITH_PERCENT = {"add": "increase", "subtract": "decrease", "multiply": "percent"}


class _NotASum(Exception):
    """Inside this file only: the tokens form no sum (``ambiguous``: they form more than one)."""

    def __init__(self, ambiguous: bool = False) -> None:
        super().__init__()
        self.ambiguous = ambiguous


def term(text: str, language: Language) -> Term | None:
    """The sum that ``text``, the whole of it, stands for: a ``Term``, ``AMBIGUOUS``, or ``None``."""
    if language == "ja" and (listed := _japanese_list(text)):
        return listed
    found = tokens(_BY_FRACTION.sub(_bracketed, text), language)
    if not found:
        return None
    reader = _Reader(found)
    try:
        whole = reader.sum(1)
        if reader.kind():
            raise _NotASum
    except _NotASum as problem:
        return AMBIGUOUS if problem.ambiguous else None
    return whole if _angles_clear(whole) else None


_BY_FRACTION = regex(r"(?<![\w.)/^])(\d+(?:/\d+)?) ?(divided by|÷) ?(\d+/\d+)(?![\w./^])", re.I)


def _bracketed(said: re.Match[str]) -> str:
    """ "3/5 divided by 2/3" is a fraction by a fraction, and not all in one row."""
    return f"{f'({said[1]})' if '/' in said[1] else said[1]} {said[2]} ({said[3]})"


def read_sum(text: str, language: Language) -> Term | None:
    """The term that the whole question asks for, ``AMBIGUOUS``, or ``None``, as for a number alone."""
    asked = core(text, language)
    found = _as_command(asked, language) or term(asked, language)
    if found is None and language == "en" and (wanted := _IN_UNIT.fullmatch(asked)):
        found = _asked_in(term(wanted["sum"], language), wanted["unit"])
    return None if found is None or found.form == "number" else found


_IN_UNIT = regex(r"(?P<sum>.+) (?:in|into|to|as) (?P<unit>(?:°|[^\W\d_])[\w ./]*)", re.I)


def _asked_in(found: Term | None, unit_name: str) -> Term | None:
    """ "Half of 3 miles in km": the sum with its figures in that unit; with both units where one is not the other."""
    meanings = measure_of(unit_name)
    if found is None or found.form in ("number", "ambiguous") or not meanings or not measures(found):
        return None
    kinds = {measure.kind for measure in measures(found) if measure}
    target = next((one for one in meanings if {one.kind} == kinds), meanings[0])
    made = in_unit(found, target)
    return made if made and unit(made) == target.name else Term("add", (found, number("0", target.name)))


def _as_command(text: str, language: Language) -> Term | None:
    """ "subtract 5 from 12", 「12から5を引くと」; both sides must be sums of their own."""
    for pattern, form, order in TABLES["commands"][language]:
        if match := re.fullmatch(pattern, text, re.I):
            sides = [single(match[index], language) for index in order]
            if AMBIGUOUS in sides:
                return AMBIGUOUS
            if not all(sides) or (form == "remainder" and not _whole(sides)):
                continue
            return Term(form, tuple(side for side in sides if side))
    for pattern, form in TABLES["commands_alone"][language]:
        match = re.fullmatch(pattern, text, re.I)
        inner = term(match[1], language) if match else None
        if inner and inner.form == "number" and not inner.text.startswith("-"):
            return Term(form, (inner,))
    return None


def _whole(sides: list[Term | None]) -> bool:
    """People disagree on remainders of anything but whole numbers that are not negative."""
    return all(side is not None and side.form == "number" and side.text.isdigit() for side in sides)


_OF_AN_ANGLE = {"sin", "cos", "tan"}


def _angles_clear(whole: Term) -> bool:
    """Whether each sine says if its angle is in degrees or (as pi / 2) radians, and nothing else is in degrees."""
    for part in whole.parts:
        clear = part.form == "degrees" or _holds(part, "pi") if whole.form in _OF_AN_ANGLE else part.form != "degrees"
        if not clear or not _angles_clear(part):
            return False
    return whole.form != "degrees" or bool(whole.parts and whole.parts[0].form == "number")


def _holds(whole: Term, form: str) -> bool:
    return whole.form == form or any(_holds(part, form) for part in whole.parts)


def single(text: str, language: Language) -> Term | None:
    """As ``term``, but a sum without brackets is ``AMBIGUOUS``: "divide 10 by 2 plus 3" says not what is divided."""
    found = term(text, language)
    if found is None or found.form not in _BINDS:
        return found
    bracketed = text.startswith("(") and term(text[1:-1], language) == found
    return found if bracketed else AMBIGUOUS


def _japanese_list(text: str) -> Term | None:
    """3と5と7の平均; three or more figures, or two and a name that needs two."""
    items, _, ending = text.rpartition("の")
    form = LIST_ENDINGS.get(ending)
    found = tokens(items, "ja") if form else None
    if not (form and found):
        return None
    reader = _Reader(found)
    try:
        parts = reader.items()
    except _NotASum as problem:
        return AMBIGUOUS if problem.ambiguous else None
    return None if reader.kind() else _list_term(form, parts)


def _list_term(form: str, parts: tuple[Term, ...]) -> Term | None:
    if len(parts) < 2 or (form not in LISTS and len(parts) != 2):
        return None
    return Term(form, parts)


class _Reader:
    """Precedence climbing. ``loose``: what was read last is a phrase in words whose end is not marked."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._next = 0
        self._loose = False

    def kind(self) -> str:
        """The kind of the next token, "" at the end."""
        return self._tokens[self._next].kind if self._next < len(self._tokens) else ""

    def _take(self, *kinds: str) -> Token:
        if self.kind() not in kinds:
            raise _NotASum
        self._next += 1
        return self._tokens[self._next - 1]

    def sum(self, least: int) -> Term:
        left = self._operand(bare_before=False)
        scales = self._loose and left.form in _SCALES
        while self.kind() == "infix" and _BINDS[self._tokens[self._next].form] >= least:
            within = scales and self._tokens[self._next].form in ("multiply", "divide")
            if self._loose and not within and not (scales and self._scales_beside()):
                raise _NotASum(ambiguous=True)
            sign = self._take("infix")
            if within:
                left = self._scaled(left, sign)
                continue
            if self.kind() == "percent" and sign.form in _WITH_PERCENT and not self._percent_of():
                left = self._with_percent(left, sign)
                continue
            right = self._right(sign, bare=left.form in _BARE)
            left = Term(sign.form, (left, right))
            self._loose = self._loose or (sign.spoken and sign.form == "power")
        return left

    def _scales_beside(self) -> bool:
        """Whether another such phrase is added or taken away: "5% of 200 plus 10% of 50"."""
        sign, *following = self._tokens[self._next : self._next + 3]
        percent_of = [token.kind for token in following] == ["percent", "of"]
        return sign.form in ("add", "subtract") and (percent_of or any(one.form in _SCALES for one in following[:1]))

    def _scaled(self, left: Term, sign: Token) -> Term:
        """Half of 3 / 4 is the same whether the half is taken first or last."""
        *factors, whole = left.parts
        right = self.sum(_BINDS[sign.form] + 1)
        if self._loose:
            raise _NotASum(ambiguous=True)
        self._loose = True
        return Term(left.form, (*factors, Term(sign.form, (whole, right))))

    def _right(self, sign: Token, bare: bool) -> Term:
        binds = _BINDS[sign.form]
        if sign.form == "power":
            right = self._operand(bare_before=bare)
            if self.kind() == "infix" and self._tokens[self._next].form == "power":
                raise _NotASum(ambiguous=True)
            return right
        start = self._next
        right = self.sum(binds + 1)
        after = self._tokens[start + 1 : start + 2]
        if bare and after and after[0].kind == "postfix" and after[0].spoken:
            raise _NotASum(ambiguous=True)
        return right

    def _percent_of(self) -> bool:
        following = self._tokens[self._next + 1 : self._next + 2]
        return bool(following) and following[0].kind == "of"

    def _with_percent(self, left: Term, sign: Token) -> Term:
        """80 * 15%; 80 + 15%, where the percentage is of what stands before it, which must be a single figure."""
        if sign.form == "multiply":
            return Term("percent", (self._take("percent").parts[0], left))
        if left.form != "number":
            raise _NotASum(ambiguous=True)
        percent = self._take("percent").parts[0]
        self._loose = True
        return Term(_WITH_PERCENT[sign.form], (left, percent))

    def _operand(self, bare_before: bool) -> Term:
        found = self._signed() if self.kind() == "infix" else self._primary()
        while self.kind() == "postfix":
            postfix = self._take("postfix")
            if postfix.spoken and (bare_before or self._loose or found.form == "negate"):
                raise _NotASum(ambiguous=True)
            if found.form == postfix.form == "factorial" and self._tokens[self._next - 2].kind == "postfix":
                raise _NotASum(ambiguous=True)  # 5!! is a function of its own
            found = Term(postfix.form, _postfixed(postfix, found))
        return found

    def _signed(self) -> Term:
        if self._take("infix").form != "subtract":
            raise _NotASum
        inner = self._primary()
        if self.kind() in {"infix", "postfix"} and self._tokens[self._next].form in {
            "power",
            "square",
            "cube",
            "factorial",
        }:
            raise _NotASum(ambiguous=True)
        if inner.form == "number" and not inner.text.startswith("-"):
            return number(f"-{inner.text}", inner.unit)
        return Term("negate", (inner,))

    def _primary(self) -> Term:
        token = self._take("number", "percent", "open", "prefix", "list", "function")
        self._loose = False
        match token.kind:
            case "number":
                return token.parts[0]
            case "percent":
                return self._phrase(token, "percent", of=True)
            case "prefix":
                return self._phrase(token, token.form)
            case "list":
                parts = self.items()
                self._loose = True
                return self._listed(token.form, parts)
            case "function":
                return self._function(token.form)
            case _:
                inner = self.sum(1)
                self._take("close")
                self._loose = False
                return inner

    def _phrase(self, token: Token, form: str, of: bool = False) -> Term:
        """A word and what it is of; without brackets nobody can say how far it reaches."""
        if of and self.kind() == "infix" and self._tokens[self._next].form == "multiply":
            self._take("infix")
        elif of:
            self._take("of")
        bracketed = self.kind() in {"open", "function"}
        operand = self._operand(bare_before=token.spoken)
        self._loose = token.spoken and not bracketed
        return Term(form, (*token.parts, operand))

    def _listed(self, form: str, parts: tuple[Term, ...]) -> Term:
        listed = _list_term(form, parts)
        if listed is None:
            raise _NotASum
        return listed

    def items(self) -> tuple[Term, ...]:
        parts = [self._operand(bare_before=False)]
        while self.kind() == "and":
            if self._loose:
                raise _NotASum(ambiguous=True)
            self._take("and")
            bare = all(part.form in _BARE for part in parts)  # "the average of 3 and 5 squared"
            parts.append(self._operand(bare_before=bare))
        return tuple(parts)

    def _function(self, form: str) -> Term:
        self._take("open")
        parts = [self.sum(1)]
        while self.kind() == "and":
            self._take("and")
            parts.append(self.sum(1))
        self._take("close")
        self._loose = False
        if form in LISTS:
            return self._listed(form, tuple(parts))
        if len(parts) > 1:
            raise _NotASum
        return Term(form, tuple(parts))


def _postfixed(postfix: Token, operand: Term) -> tuple[Term, ...]:
    """の8% and の10乗 carry their own figure; the form says on which side it stands."""
    return (*postfix.parts, operand) if postfix.form in {"percent", "fraction"} else (operand, *postfix.parts)
