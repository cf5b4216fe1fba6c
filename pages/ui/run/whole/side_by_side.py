"""Two runs side by side: what they took, their answers, their steps in pairs; what differs has a sign and a tint."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import ceil

import streamlit as st

from agent.interface_text import Text
from agent.views.closing_thought import steps_shown
from agent.views.compare import Figure, Pair, align, figures
from agent.views.decisions import arguments, sentence
from agent.views.fold import CallView, RunView, StepView
from agent.views.two_answers import compared
from pages.ui.run import steps, two_answers
from pages.ui.text.escape import label, markdown, one_line, table_cell
from pages.ui.text.words import say, told
from pages.ui.widgets.differences import texts
from pages.ui.widgets.figures import model

_ON_A_PAGE = 20
_NAMES = "A", "B"
_LONGEST_HEAD = 40
_PARTS = {
    "thought": Text("thought"),
    "action": Text("action"),
    "input": Text("input"),
    "observation": Text("observation"),
    "decision": Text("decision"),
    "told": Text("what it was told"),
}
_NONE = CallView("", "", "", "")


def heads(left: RunView, right: RunView, numbers: tuple[int, int]) -> tuple[str, str]:
    """What the columns of both are called: by their question and model where these differ, else by their numbers."""
    parts = [[name] for name in _NAMES]
    for both in ((left.question, right.question), (model(left), model(right))):
        if both[0] != both[1]:
            parts = [[*part, one_line(one, _LONGEST_HEAD)] for part, one in zip(parts, both, strict=True)]
    if len(parts[0]) == 1:
        parts = [[*part, say("Run {name}", name=number)] for part, number in zip(parts, numbers, strict=True)]
    one, other = (" · ".join(filter(None, part)) for part in parts)
    return one, other


def took(left: RunView, right: RunView, endings: tuple[str, str], names: tuple[str, str]) -> None:
    """What both took, and how much more the second did; ``names`` are their ``heads``."""
    here, there = (label(name) for name in names)
    said = [(say("Ended"), *endings), (say("Model"), model(left), model(right))]
    if left.question != right.question:
        said.insert(0, (say("Question"), left.question, right.question))
    rows = [{"": name, here: one, there: other, "B − A": "" if one != other else "="} for name, one, other in said]
    rows += [
        {"": told(one.name), here: _amount(one, one.left), there: _amount(one, one.right), "B − A": _difference(one)}
        for one in figures(left, right)
    ]
    safe = [{name: table_cell(cell) for name, cell in row.items()} for row in rows]
    with st.container(key="compare-figures"):
        st.table(safe, hide_index=True, border="horizontal")


def _amount(figure: Figure, value: float | None) -> str:
    if value is None:
        return say("no price")
    if figure.unit == "count":
        return f"{value:,.0f}"
    return f"{value:.1f}" if figure.unit == "seconds" else f"{value:.5f} {figure.unit}"


def _difference(figure: Figure) -> str:
    more = figure.difference
    if more is None:
        return ""
    amount = _amount(figure, abs(more))
    if not any(digit in amount for digit in "123456789"):
        return "="
    return f"{'+' if more > 0 else '−'}{amount}"


def answers(left: RunView, right: RunView, behind: tuple[str, str], names: tuple[str, str]) -> None:
    """Both answers, and under each what stands ``behind`` it; ``names`` are their ``heads``."""
    if left.answer == right.answer and left.answer:
        st.caption(f":material/check: {say('The answers are the same, word for word.')}")
    marking = left.answer != right.answer and st.toggle(say("Mark what differs"), key="mark-answers")
    if marking:
        texts(Text("Answer"), left.answer, right.answer)
    places: tuple[Sequence[tuple[int, int]], ...] = ((), ())
    if left.answer and right.answer and not marking:
        found = compared(left.answer, right.answer)
        places = found.left, found.right
        if left.answer != right.answer:
            st.caption(f":material/compare: {label(told(found.summary))}")
    columns = st.columns(2)
    for name, view, lit, summary, column in zip(names, (left, right), places, behind, columns, strict=True):
        with column:
            if not marking:
                st.caption(label(name))
                said = view.answer or told(view.failure) or say("No answer yet.")
                st.markdown(two_answers.lit(said, lit) if lit else markdown(said))
            if summary:
                st.caption(f":material/fact_check: {name[:1]} · {label(told(summary), 300)}")


def pairs(left: RunView, right: RunView) -> None:
    """The steps in pairs, each a line; opened, part by part, word by word."""
    found = align(steps_shown(left), steps_shown(right))
    differing = [pair for pair in found if not pair.same]
    if not found:
        st.caption(say("Neither of them has a step of its own: both answered at once."))
        return
    st.caption(_summary(found, differing))
    only = 0 < len(differing) < len(found) and st.toggle(say("Only what differs"), key="only-differences")
    shown = differing if only else found
    pages = max(1, ceil(len(shown) / _ON_A_PAGE))
    place = st.container(gap=None, key="pairs")
    page = st.pagination(pages, key=f"pairs-{pages}") if pages > 1 else 1
    with place:
        for index, pair in enumerate(shown[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE], start=1):
            _pair(f"{only}-{page}-{index}", pair, pair is differing[0] if differing else False)


def _summary(found: Sequence[Pair], differing: Sequence[Pair]) -> str:
    if not differing:
        return f":material/check: {say('Every step is the same in both.')}"
    return say("{n} of {all} steps differs.", "{n} of {all} steps differ.", n=len(differing), all=len(found))


def _pair(key: str, pair: Pair, first: bool) -> None:
    step = pair.left or pair.right
    if step is None:
        return
    title, icon = _title(pair, step)
    opened = st.expander(title, first, icon=f":material/{icon}:", type="compact", key=f"pair-{key}", on_change="rerun")
    with opened:
        st.empty()
        if opened.open:
            _parts(pair)


def _title(pair: Pair, step: StepView) -> tuple[str, str]:
    title = steps.title(step)
    if pair.left is None or pair.right is None:
        return (
            (say("Only in B: {title}", title=title), "add")
            if pair.left is None
            else (say("Only in A: {title}", title=title), "remove")
        )
    if pair.same:
        return f"{title} :small[:gray[· {say('the same')}]]", "check"
    *first, last = (told(_PARTS[what]) for what in pair.differs)
    what = f"{say(', ').join(first)}{say(' and ')}{last}" if first else last
    return f"{title} :small[:gray[· {say('another {what}', what=what)}]]", "difference"


def _parts(pair: Pair) -> None:
    one, other = pair.left, pair.right
    texts(Text("Thought"), one and one.thought, other and other.thought)
    calls = zip_longest(one.calls if one else (), other.calls if other else (), fillvalue=_NONE)
    for left, right in calls:
        here, there = (left if one else None), (right if other else None)
        texts(Text("Action"), here and _called(here), there and _called(there))
        texts(Text("Decision"), here and _decided(here), there and _decided(there))
        texts(Text("Observation"), here and (here.observation or ""), there and (there.observation or ""))
    texts(Text("Told to the model"), one and _told(one), other and _told(other))


def _called(call: CallView) -> str:
    return f"{call.tool}\n{call.input}".strip()


def _decided(call: CallView) -> str:
    return f"{told(sentence(call.decided))}\n{arguments(call.decided)}".strip() if call.decided else ""


def _told(step: StepView) -> str:
    return "\n".join(text for _, text in step.told)
