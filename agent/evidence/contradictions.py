"""Figures of an answer that contradict an earlier answer of the same chat.

A remark beside the verdict: the observation behind the new figure may be right. It is made only where both answers
say the same of the same thing with different values, and nothing that was asked between them asks for something else.
Whatever one side says more than the other is taken for another thing; a language whose small words are not known
(see ``assertions``) gets fewer remarks, and no wrong ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.evidence.assertions import Statement, names_in_text
from agent.evidence.pages import Page, Pages
from agent.evidence.sameness import agree, is_time_of_day, kin
from agent.evidence.verdicts import Claim, Contradiction, Earlier
from agent.text.characters import lowered
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import spelled
from agent.text.regex import regex

_MOST_TURNS = 12  # earlier answers that are compared, the latest ones
_MOST_FOUND = 20
_COMMON = 40  # statements of an answer: a word of more tells none of them apart
_YEAR = regex(r"1[0-9]{3}|20[0-9]{2}|2100")
_HAN = regex(r"[\u3040-\u30ff\u3400-\u9fff]")
# What makes a case of its own of a sentence, and so another value no contradiction.
_SUPPOSED = regex(
    r"\b(?:if|would|suppos\w*|assum\w*|instead|wenn|falls|würde\w*|wäre\w*|angenommen|stattdessen|si|serait|supposons|"
    r"serai\w*|sería|fuera|se|sarebbe|fosse|seria|fosse)\b|もし|場合|なら|たら|れば|仮に|如果|假设|만약|라면"
)
# What asks for the same under another condition.
_WITH = regex(
    r"\b(?:with|without|excluding|including|except|only|mit|ohne|außer|nur|avec|sans|hors|sauf|seulement|con|sin|senza|"
    r"com|sem)\b|だけ|のみ|除|込み|抜き"
)
# The stems of rows. How many of them an answer rests on is of its question alone.
_ROWS = frozenset(("row", "行", "行数"))
# What asks for the first or the last of several by their order: another one of these is about another thing.
_RANK = regex(
    r"\b(?:\w{3,}est|best|worst|most|least|first|second|third|last|next|top|bottom|minimum|maximum|min|max|"
    r"\w{3,}ste[nrsm]?|(?:plus|moins|más|menos|più|meno|mais) \w+)\b|(?:一番|最も)\w{1,2}|最[大小高低長短多少新古安]"
)


@dataclass(frozen=True)
class _Turn:
    """A turn with what its question and its answer say; ``topic`` has the words that its question stands on, too."""

    number: int
    question: Page
    answer: Page
    before: _Turn | None = None

    @cached_property
    def asked(self) -> frozenset[str]:
        return self.question.says

    @cached_property
    def said(self) -> frozenset[str]:
        return self.answer.says

    @cached_property
    def statements(self) -> list[Statement]:
        """The figures of the answer; one that is an answer by itself ("8.") says what was asked."""
        found = self.answer.statements
        if len(found) == 1 and not found[0].sentence:
            return [replace(found[0], clause=self.asked, sentence=self.asked)]
        return found

    @cached_property
    def clauses(self) -> frozenset[str]:
        """The words of all clauses that have a figure."""
        return frozenset[str]().union(*[one.clause for one in self.statements])

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, statement in enumerate(self.statements):
            for word in statement.clause:
                found.setdefault(word, []).append(number)
        return found

    def near(self, statement: Statement) -> list[Statement]:
        """The statements that share a word with that one; a word of many of them tells none apart."""
        shared = (self._by_word.get(word, ()) for word in statement.clause)
        numbers = {number for found in shared if len(found) <= _COMMON for number in found}
        return [self.statements[number] for number in sorted(numbers)]

    @cached_property
    def values(self) -> list[Statement]:
        """The figures of the question."""
        return self.question.statements

    @cached_property
    def names(self) -> frozenset[str]:
        """Words of the question that are names, or may be: of a script without capitals all are."""
        return names_in_text(self.question.text) | {word for word in self.asked if _HAN.match(word)}

    @cached_property
    def ranks(self) -> frozenset[str]:
        return frozenset(_RANK.findall(self.question.lower))

    @cached_property
    def goes_on(self) -> bool:
        """Whether the question asks for nothing that was not spoken of in the turn before."""
        return self.before is not None and self.asked <= self.before.topic | self.before.said

    @cached_property
    def topic(self) -> frozenset[str]:
        return self.asked | self.before.topic if self.goes_on and self.before else self.asked


def contradictions(
    question: str, answer: str, claims: Sequence[Claim], earlier: Sequence[Earlier], pages: Pages
) -> tuple[Contradiction, ...]:
    """What of an answer contradicts an earlier one, in the order of the answer; ``claims`` are the answer's own."""
    numbers = {claim.start: number for number, claim in enumerate(claims) if claim.kind in ("number", "date")}
    turns = _turns([*earlier, Earlier(question, answer)], pages)
    if not numbers or len(turns) < 2:
        return ()
    found: list[Contradiction] = []
    for statement in turns[-1].statements:
        number = statement.thing.number[0] if isinstance(statement.thing, Figure) else statement.start
        at = next((start for start in (statement.start, number) if start in numbers), None)
        if at is None or len(found) == _MOST_FOUND or is_time_of_day(statement):
            continue
        if old := _contradicted(statement, turns):
            turn, before = old
            back = turns[-1].number - turn.number
            said = Contradiction(numbers[at], back, before.start, before.end, before.said, statement.said)
            found.append(said)
    return tuple(found)


def _turns(all_turns: Sequence[Earlier], pages: Pages) -> list[_Turn]:
    """The last turns, with the one that is checked as the last of them."""
    turns: list[_Turn] = []
    first = max(0, len(all_turns) - 1 - _MOST_TURNS)
    for number, turn in enumerate(all_turns[first:], first + 1):
        question, answer = pages.page(turn.question, False), pages.page(turn.answer, False)
        turns.append(_Turn(number, question, answer, turns[-1] if turns else None))
    return turns


def _contradicted(new: Statement, turns: Sequence[_Turn]) -> tuple[_Turn, Statement] | None:
    """The latest statement of the same thing, where that has another value and nobody gave the new one."""
    now = turns[-1]
    for place in range(len(turns) - 2, -1, -1):
        turn, between = turns[place], turns[place + 1 :]
        near = turn.near(new)
        if any(kin(new, one) and agree(new, one) for one in near):
            return None  # said before: what contradicts it was remarked on then
        if any(kin(new, one, strictly=False) and agree(new, one) for later in between for one in later.values):
            return None
        for old in (old for old in near if new.clause <= old.clause or old.clause <= new.clause):
            if kin(new, old) and _same_thing(new, old, now, turn, between[:-1]) and not _taken_up(old, now):
                return turn, old
    return None


def _taken_up(old: Statement, now: _Turn) -> bool:
    """Whether the new answer has the old value as well: it then speaks of the two itself."""
    return any(kin(old, one) and agree(old, one) for one in now.near(old))


def _same_thing(new: Statement, old: Statement, now: _Turn, turn: _Turn, between: Sequence[_Turn]) -> bool:
    """Whether two statements of different values, one clause in the other, say the same of the same thing."""
    if (new.clause | old.clause) & _ROWS and not (_ROWS & now.topic and _ROWS & turn.topic):
        return False
    if now.ranks and turn.ranks and now.ranks.isdisjoint(turn.ranks):
        return False
    known = old.sentence | turn.topic
    spoken_for = _spoken_for(new, now) if old.clause <= new.clause else frozenset[str]()
    extra = new.sentence - known - spoken_for
    if new.clause - known or any(word in new.names or _is_sure(word) for word in extra):
        return False
    inherited = known if _years(now.asked) else turn.topic if now.goes_on else frozenset[str]()
    if _years(known) != _years(new.sentence | now.topic | inherited):
        return False
    more = now.asked - known - turn.said - _units(now.asked)
    return _follows(new, old, now, turn, between) if not more else _in_passing(new, old, now, turn, more)


def _follows(new: Statement, old: Statement, now: _Turn, turn: _Turn, between: Sequence[_Turn]) -> bool:
    """Whether a question that asks for nothing new can have been answered by the same statement."""
    own = new.sentence | now.asked
    missing = old.clause - own
    dropped = turn.asked - own - old.sentence
    if now.asked & old.clause:  # it names again what it asks for, and so all of it: "how far" may be "what distance"
        reworded = len(dropped) == 1 and bool(now.asked - turn.asked) and not dropped & turn.names
        return not missing and (not dropped or reworded)
    return not (missing or dropped) or all(one.goes_on for one in (*between, now))


def _in_passing(new: Statement, old: Statement, now: _Turn, turn: _Turn, more: frozenset[str]) -> bool:
    """Whether an answer to another question says the whole statement again, and not under another condition."""
    if any(not _is_known(one, turn) for one in now.values) or _WITH.search(now.question.lower):
        return False
    around = now.answer.text[max(0, new.start - 200) : new.end + 100]
    if _SUPPOSED.search(now.question.lower) or _SUPPOSED.search(lowered(around)):
        return False
    lost = turn.asked - old.sentence - new.sentence - now.asked
    if not old.clause <= new.sentence or any(word in turn.names or _is_sure(word) for word in lost):
        return False
    rest = more - _spoken_for(new, now)
    if not rest:
        return True  # what else was asked for has its own figure
    if not (now.asked & (old.clause | turn.asked) or _is_recap(now, turn)) or old.clause <= now.asked:
        return False
    return not (rest & now.said) and not any(word in now.names or _is_sure(word) for word in rest)


def _is_recap(now: _Turn, turn: _Turn) -> bool:
    """Whether an answer repeats another statement of that turn as it was."""
    return any(
        one.clause == other.clause and kin(one, other) and agree(one, other)
        for one in now.statements
        for other in turn.statements
    )


def _units(words: frozenset[str]) -> frozenset[str]:
    """Those of the words that are units: "in miles" asks for the same value."""
    return frozenset(word for word in words if spelled(word) or spelled(f"{word}s"))


def _spoken_for(new: Statement, now: _Turn) -> frozenset[str]:
    """The words of clauses that have a figure of their own."""
    return now.clauses - new.clause


def _is_known(value: Statement, turn: _Turn) -> bool:
    said = (*turn.statements, *turn.values)
    return any(kin(value, one, strictly=False) and agree(value, one) for one in said)


def _is_sure(word: str) -> bool:
    """Whether a word is one that always tells things apart: a year, or of a script without capitals."""
    return _YEAR.fullmatch(word) is not None or _HAN.match(word) is not None


def _years(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if _YEAR.fullmatch(word))
