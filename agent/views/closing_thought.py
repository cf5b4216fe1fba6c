"""Which steps of a run a reader is shown: those that did or thought something."""

from __future__ import annotations

from agent.text.regex import regex
from agent.views.values import RunView, StepView

_MOST_CHARACTERS = 80
_LONG_WORD = regex(r"[^\W\d_]{4,}")
# Within a sentence a capital begins a name; "I" is a word. A figure is one, too.
_NAME = regex(r"(?<=[^\s.!?…] )(?!I\b)[^\W\d_a-zß-ÿ](?=\w)|\d")
# Where words are not set apart, two characters of a kind that writes meaning, not grammar, stand for one.
_PAIR = regex(r"(?=([\u3400-\u9fff\u30a1-\u30fa\uac00-\ud7a3]{2}))")


def steps_shown(view: RunView) -> list[StepView]:
    """The steps that hold more than the answer; the reply that only answers is the answer itself.

    A closing thought that only announces the answer ("I now know the final answer.") is left out once the answer
    comes. The run's own page has it, with the whole reply.
    """
    shown = [step for step in view.steps if step.calls or step.thought or _holds_more(step)]
    return shown[:-1] if shown and shown[-1] is view.steps[-1] and _only_announces(view) else shown


def _holds_more(step: StepView) -> bool:
    return bool(step.told or step.notes or step.unfinished)


def _only_announces(view: RunView) -> bool:
    """Whether the last thought, after tools were used, is short and has nothing of the question, no name, no figure."""
    last = view.steps[-1]
    bare = not (last.calls or _holds_more(last) or last.repairs or last.cut.strip() or last.dropped or last.edited)
    used = any(step.calls for step in view.steps)
    thought = last.thought.strip()
    if not (view.answer and bare and used) or len(thought) > _MOST_CHARACTERS or _NAME.search(thought):
        return False
    return not _meant(thought) & _meant(f"{view.question} {view.understood}")


def _meant(text: str) -> set[str]:
    return {word.casefold() for word in (*_LONG_WORD.findall(text), *_PAIR.findall(text))}
