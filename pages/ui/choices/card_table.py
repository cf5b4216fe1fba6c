"""A card of a model as it is shown: right answers by ability and wire, whose it is, and what can be done with it."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.card_shelf import Score, ShownCard, take_away
from agent.application.teams.card_office import card_office
from agent.errors import GlassboxError
from agent.evals.model_card.card_figures import WIRE_NAMES, CardColumn, ModelCard
from agent.evals.model_card.card_questions import ABILITIES, card_questions
from agent.interface_text import Text, packed, unpacked
from pages.ui.session import people, state
from pages.ui.text.escape import label
from pages.ui.text.words import moment, say, told
from pages.ui.widgets.buttons import button
from pages.ui.widgets.figures import interval

_MOST_MISSES = 40
_PROBLEM = "card-problem"


def beside(score: Score | None) -> str:
    """What stands behind the name of a model that has a card, where one is chosen: its better wire, and whose it is."""
    if score is None:
        return ""
    right = say("{passed} of {runs} right", passed=score.passed, runs=score.runs)
    if score.origin == "measured":
        return f" · {right}"
    if score.origin == "imported":
        return f" · {right} ({say('from a file')})"
    return f" · {right} ({' · '.join([say('the owner’s card'), *_when(score.measured, score.app)])})"


def _when(measured: float, app: str) -> list[str]:
    """The date, and the version of Glassbox, where they are known."""
    said = [moment(measured) if measured else say("date unknown")]
    return [*said, f"Glassbox {app}"] if app else said


def draw(shown: ShownCard, key: str) -> None:
    """The card: a small table, what it took, that it is small, and what was not answered right."""
    card = shown.card
    st.caption(" · ".join([_origin(shown), *_when(card.measured, shown.file.app)]))
    st.markdown(_table(card))
    st.caption(" · ".join(_taken(card)))
    st.caption(f":material/info: {told(card.few)}")
    if not shown.file.current:
        st.caption(say("Measured by questions of an earlier version: do not compare it with others."))
    if card.misses:
        with st.expander(say("{n} wrong answer", "{n} wrong answers", n=len(card.misses)), icon=":material/cancel:"):
            _misses(card)
    _actions(shown, key)


def _origin(shown: ShownCard) -> str:
    match shown.origin:
        case "measured":
            return say("Measured here")
        case "imported":
            return f":material/upload_file: {say('From a file')}"
        case "site":
            return f":material/verified_user: {say('From the owner of this site')}"


def _taken(card: ModelCard) -> list[str]:
    taken = [
        say("{n} minute", "{n} minutes", n=max(1, round(card.seconds / 60))),
        say("{count} tokens", count=f"{card.tokens:,}"),
    ]
    return taken if card.money is None else [*taken, f"\\${card.money:.4f}"]


def _actions(shown: ShownCard, key: str) -> None:
    """Take it along; undo that it was taken in; for an owner, give it to all or take it back."""
    if said := state.widget(_PROBLEM):
        st.error(label(told(unpacked(said)), 300), icon=":material/error:")
        state.put(_PROBLEM, None)
    with st.container(horizontal=True, key=f"card-actions-{key}"):
        st.download_button(
            say("Download"),
            shown.text,
            "card.jsonl",
            "application/jsonl",
            key=f"card-download-{key}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        if shown.origin == "imported":
            button(Text("Undo the import"), f"card-undo-{key}", "undo", _undo, shown.id, quiet=True)
        _of_the_owner(shown, key)


def _of_the_owner(shown: ShownCard, key: str) -> None:
    office = card_office(state.services(), people.person())
    if office is None:
        return
    given = any(each.model == shown.card.model for each in office.all())
    if shown.origin != "site":
        button(
            Text("Give it to everybody"),
            f"card-give-{key}",
            "group_add",
            _give,
            shown,
            quiet=True,
            help=Text("Shown to all visitors beside this model’s name, until you take it back. Figures alone."),
        )
    if given:
        take_back_button(shown.card.model, key)


def take_back_button(model: str, key: str) -> None:
    """The way to have the owner's card of a model shown to nobody any more."""
    button(Text("Take it back from everybody"), f"card-back-{key}", "group_remove", _take_back, model, quiet=True)


def _undo(id: str) -> None:
    try:
        take_away(state.services(), state.visitor(), id)
    except GlassboxError as error:
        state.put(_PROBLEM, packed(error.text))


def _give(shown: ShownCard) -> None:
    """Asked for anew by every click: whoever is no owner any more has no office."""
    office = card_office(state.services(), people.person())
    try:
        if office:
            office.give(shown)
    except GlassboxError as error:
        state.put(_PROBLEM, packed(error.text))


def _take_back(model: str) -> None:
    if office := card_office(state.services(), people.person()):
        office.take_back(model)


def _table(card: ModelCard) -> str:
    """Of each ability, how many questions it answers right on each wire."""
    names = [told(WIRE_NAMES[column.wire]) for column in card.columns]
    lines = ["| " + " | ".join([say("Right answers"), *names]) + " |", "|---" + "|---:" * len(names) + "|"]
    for ability, name in ABILITIES.items():
        counts = [column.abilities.get(ability) for column in card.columns]
        cells = [say("{passed} of {runs}", passed=each.passed, runs=each.runs) if each else "–" for each in counts]
        lines.append("| " + " | ".join([told(name), *cells]) + " |")
    lines.append("| " + " | ".join([f"**{say('All')}**", *map(_whole, card.columns)]) + " |")
    return "\n".join(lines)


def _whole(column: CardColumn) -> str:
    """All questions of a wire, with the interval."""
    if not column.runs:
        return "–"
    counts = say("{passed} of {runs}", passed=column.passed, runs=column.runs)
    return f"**{counts}** {interval(column.share.low, column.share.high)}"


def _misses(card: ModelCard) -> None:
    questions = {each.test.id: each.test.question for each in card_questions()}
    for miss in card.misses[:_MOST_MISSES]:
        question = f"{label(questions.get(miss.question, miss.question), 120)} ({told(WIRE_NAMES[miss.wire])})"
        if miss.run:
            st.page_link("pages/run.py", label=question, icon=":material/timeline:", query_params={"r": miss.run})
        else:
            st.markdown(question)
        for why in miss.why[:1]:
            st.caption(label(told(why), 300))
