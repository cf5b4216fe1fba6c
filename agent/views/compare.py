"""Two runs beside each other: which step of one stands for which of the other, and what differs in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from agent.interface_text import Text
from agent.text.regex import regex
from agent.views.fold import CallView, RunView, StepView

Mark: TypeAlias = Literal["same", "differs"]
_ALIKE = 0.5
_MOST_PAIRS = 400
_MOST_ARGUMENT = 100
_MOST_PARTS = 3_000
# A word with the spaces after it, or one character: of a script that puts no spaces between words, or of punctuation.
_WORDS = regex(r"(?:[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\S)\s*|\s+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A step of each run that stand for each other, or a step that only one of them has.

    ``differs`` names what is not the same in the two: ``thought``, ``action``, ``input``, ``decision``,
    ``observation``, ``told``.
    """

    left: StepView | None
    right: StepView | None
    differs: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        return self.left is not None and self.right is not None and not self.differs


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; one that ``differs`` is not in the other text at this place."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of both runs; ``None`` where it is not known. ``unit``: ``count``, ``seconds`` or a currency."""

    name: str
    left: float | None
    right: float | None
    unit: str

    @property
    def difference(self) -> float | None:
        """How much more the right one has."""
        return None if self.left is None or self.right is None else self.right - self.left


def align(left: Sequence[StepView], right: Sequence[StepView]) -> tuple[Pair, ...]:
    """Every step of both once, in order: what they begin with alike, then by the tools called and what for."""
    shared = 0
    while shared < min(len(left), len(right)) and _content(left[shared]) == _content(right[shared]):
        shared += 1
    both = [Pair(*steps) for steps in zip(left[:shared], right[:shared], strict=True)]
    rest_left, rest_right = left[shared:], right[shared:]
    found = SequenceMatcher(None, [_call(step) for step in rest_left], [_call(step) for step in rest_right], False)
    for kind, start, end, other_start, other_end in found.get_opcodes():
        one, other = rest_left[start:end], rest_right[other_start:other_end]
        both += (
            [_pair(*steps) for steps in zip(one, other, strict=True)] if kind == "equal" else _by_likeness(one, other)
        )
    return tuple(both)


def word_differences(left: str, right: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces, word by word (line by line where they are long); the pieces of each are its whole text."""
    for one, other in (
        (_WORDS.findall(left), _WORDS.findall(right)),
        (left.splitlines(keepends=True), right.splitlines(keepends=True)),
    ):
        begin, end = _ends(one, other)
        inner, other_inner = one[begin : len(one) - end], other[begin : len(other) - end]
        if len(inner) + len(other_inner) <= _MOST_PARTS:
            marked = _marked(inner, other_inner)
            first, last = Piece("same", "".join(one[:begin])), Piece("same", "".join(one[len(one) - end :]))
            return _joined([first, *marked[0], last]), _joined([first, *marked[1], last])
    return _joined([Piece("differs", left)]), _joined([Piece("differs", right)])


def figures(left: RunView, right: RunView) -> tuple[Figure, ...]:
    """What both runs took."""

    def both(name: str, of: Callable[[RunView], float | None], unit: str = "count") -> Figure:
        return Figure(name, of(left), of(right), unit)

    currency = next((view.price.currency for view in (left, right) if view.price), "USD")
    return (
        both(Text("Replies"), lambda view: len(view.steps)),
        both(Text("Tool calls"), lambda view: sum(len(step.calls) for step in view.steps)),
        both(Text("Tokens in"), lambda view: view.usage.input),
        both(Text("of them from the cache"), lambda view: view.usage.cached),
        both(Text("Tokens out"), lambda view: view.usage.output),
        both(Text("Money"), lambda view: float(view.price.amount) if view.price else None, currency),
        both(Text("Seconds"), lambda view: view.seconds, "seconds"),
    )


def _pair(left: StepView, right: StepView) -> Pair:
    parts: tuple[tuple[str, Callable[[StepView], object]], ...] = (
        ("thought", lambda step: step.thought),
        ("action", lambda step: [call.tool for call in step.calls]),
        ("input", lambda step: [call.input for call in step.calls]),
        ("observation", lambda step: [(call.observation, call.error) for call in step.calls]),
        ("decision", lambda step: [_decision(call) for call in step.calls]),
        ("told", lambda step: step.told),
    )
    differs = tuple(name for name, part in parts if part(left) != part(right))
    return Pair(left, right, differs)


def _content(step: StepView) -> tuple[object, ...]:
    """All of a step that a reader would compare: without what it took, and without the ids of its calls."""
    calls = tuple(
        (replace(call, call_id="", seconds=0.0, cached=False, asked=None, decided=None), _decision(call))
        for call in step.calls
    )
    return step.thought, calls, step.told, step.unfinished


def _decision(call: CallView) -> tuple[str, str] | None:
    return (call.decided.decision, call.decided.text) if call.decided else None


def _call(step: StepView) -> Hashable:
    return tuple((call.tool, call.argument) for call in step.calls) or ("", step.thought)


def _by_likeness(left: Sequence[StepView], right: Sequence[StepView]) -> Iterator[Pair]:
    """The pairing whose steps are the most alike in all; steps that are not alike stand alone."""
    if len(left) * len(right) > _MOST_PAIRS:
        middle, other = len(left) // 2, len(right) // 2
        yield from _by_likeness(left[:middle], right[:other])
        yield from _by_likeness(left[middle:], right[other:])
        return
    alike = [[_likeness(one, other) for other in right] for one in left]
    # best[i][j]: how alike the steps from i and from j on can be made.
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], alike[i][j] + best[i + 1][j + 1])
    i = j = 0
    while i < len(left) and j < len(right):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield _pair(left[i], right[j])
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            yield Pair(left[i], None)
            i += 1
        else:
            yield Pair(None, right[j])
            j += 1
    yield from (Pair(step, None) for step in left[i:])
    yield from (Pair(None, step) for step in right[j:])


def _likeness(left: StepView, right: StepView) -> float:
    """0 for steps that do not stand for each other, up to 1 for the same call."""
    one, other = (step.calls[0] if step.calls else CallView("", "", "", "") for step in (left, right))
    if one.tool != other.tool:
        return 0.0
    told, other_told = one.argument[:_MOST_ARGUMENT] or left.thought, other.argument[:_MOST_ARGUMENT] or right.thought
    # Of the same tool with another input is still more alike than another tool.
    return _ALIKE + SequenceMatcher(None, told, other_told, False).ratio() * (1 - _ALIKE)


def _ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many words two texts have in common at the beginning, and at the end."""
    most = min(len(one), len(other))
    begin = next((n for n in range(most) if one[n] != other[n]), most)
    end = next((n for n in range(most - begin) if one[-1 - n] != other[-1 - n]), most - begin)
    return begin, end


def _marked(one: Sequence[str], other: Sequence[str]) -> tuple[list[Piece], list[Piece]]:
    left: list[Piece] = []
    right: list[Piece] = []
    for kind, start, end, other_start, other_end in SequenceMatcher(None, one, other).get_opcodes():
        mark: Mark = "same" if kind == "equal" else "differs"
        left.append(Piece(mark, "".join(one[start:end])))
        right.append(Piece(mark, "".join(other[other_start:other_end])))
    return left, right


def _joined(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].mark == piece.mark:
            joined[-1] = Piece(piece.mark, joined[-1].text + piece.text)
        elif piece.text:
            joined.append(piece)
    return tuple(joined)
