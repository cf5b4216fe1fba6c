"""What the model knows of a chat: the prompt of a question within the window, and what of each turn is told."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.application.preferences import ChatContext, Wish
from agent.application.setup import as_prepared, prices_for, window_for
from agent.context.turns import History
from agent.errors import RunUnreadable
from agent.events import Event, Prepared
from agent.interface_text import Text
from agent.messages import Usage
from agent.models.window import Window
from agent.store.runs import RunRow
from agent.views.context_map import ContextMap, MappedCall, MappedTurn, calls_told, context_map
from agent.views.fold import RunView, fold
from agent.views.gauge import room_made
from pages.ui.choices.connect import SOURCES
from pages.ui.frame import frame
from pages.ui.run.whole import window_bar
from pages.ui.run.whole.window_bar import PriceOf
from pages.ui.session import asking, reading, state
from pages.ui.text.escape import label, plain
from pages.ui.text.words import say, told
from pages.ui.widgets import browser, problems
from pages.ui.widgets.buttons import button
from pages.ui.widgets.figures import figure, money

_AT_ONCE = 10  # turns that are listed on a page
_LABEL = 120  # characters of a question in the list


def main() -> None:
    frame.open_page("Context")
    browser.attend(False)
    reader = reading.reader()
    row = reader.run(state.named("r"))
    if row is None:
        frame.no_such_run()
        return
    reading.lead_back_to(row)
    _links(row)
    try:
        events = reader.events(row)
    except RunUnreadable as error:
        problems.tell(error)
        return
    view = fold(events)
    st.header(say("What the model knows of this chat"), anchor=False)
    st.caption(say("For the question: {question}", question=label(view.question, 200)))
    before = reader.before(row)
    found = _mapped(events, before)
    if found is None:
        st.write(say("The model was told nothing: the run ended before its first prompt."))
        return
    price = _price(events, found[0])
    _prompt(view, *found, price)
    _turns(row, view, events, before, found[0], price)


def _links(row: RunRow) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="run-links"):
        frame.to_chat(row.conversation)
        there = reading.address(r=row.id)
        st.page_link("pages/run.py", label=say("Run"), icon=":material/timeline:", query_params=there)


def _mapped(events: Sequence[Event], before: History) -> tuple[ContextMap, Window] | None:
    """What fills the window of the run's own model, and how that is known; ``None`` before the run was prepared."""
    prepared = next((event for event in reversed(events) if isinstance(event, Prepared)), None)
    if prepared is None:
        return None
    services = state.services()
    choice = as_prepared(reading.reader().choice(state.choice()), prepared)
    window = window_for(services.settings, choice, services.capabilities, services.prices)
    found = context_map(events, before, window.tokens)
    if found is None:
        return None
    return found, window if window.tokens == found.window else Window(found.window, "refusal")


def _price(events: Sequence[Event], found: ContextMap) -> PriceOf:
    """What tokens of the prompt cost with the run's own model."""
    services = state.services()
    prepared = next(event for event in reversed(events) if isinstance(event, Prepared))
    prices = prices_for(
        services.settings, as_prepared(reading.reader().choice(state.choice()), prepared), services.prices
    )
    return lambda tokens, cached: prices.of(
        prepared.endpoint, prepared.model, Usage(tokens, cached), prompt=found.tokens
    )


def _prompt(view: RunView, found: ContextMap, window: Window, price: PriceOf) -> None:
    if sentence := room_made(view):
        st.caption(f":material/compress: {label(told(sentence), 300)}")
    with st.container(horizontal=True, key="run-figures"):
        full = window_bar.percent(found.share(found.tokens))
        name = Text("Last prompt") if found.sent else Text("Next prompt")
        figure(name, say("{tokens:,} tokens", tokens=found.tokens), Text("{share} of the window", share=full))
        figure(Text("Window"), say("{tokens:,} tokens", tokens=window.tokens), SOURCES[window.source])
        if found.cached:
            share = f"{found.cached / found.tokens:.0%}"
            figure(Text("From the cache"), f"{found.cached:,}", Text("{share} of the prompt", share=share))
        if cost := price(found.tokens, found.cached):
            figure(Text("Cost of the prompt"), money(cost))
    window_bar.draw(found, price)


def _turns(
    row: RunRow, view: RunView, events: Sequence[Event], before: History, found: ContextMap, price: PriceOf
) -> None:
    st.subheader(say("What is told of each question"), anchor=False)
    if found.turns and not reading.token():
        st.caption(say("Pin a question, leave it out or put it back: that holds from the next question on."))
    elif not found.turns:
        st.caption(say("Nothing was said before this question. The next one will be told of it."))
    own = next(part for part in found.parts if part.name == "question")
    last = MappedTurn(len(found.turns) + 1, row.id, view.question, "full", own.tokens, own.cached)
    turns = [*found.turns, last]
    wished = ChatContext() if reading.token() else asking.runs().context(row.conversation)
    for turn in _page_of(turns):
        with st.container(gap=None, key=f"told-{turn.run}"):
            _turn(turn, _said(turn, turn is last, wished, price), wished, events, before)


def _page_of(turns: Sequence[MappedTurn]) -> Sequence[MappedTurn]:
    """The turns that are listed: the last ones, or those that were asked for."""
    pages = -(-len(turns) // _AT_ONCE)
    if pages < 2:
        return turns
    page = st.pagination(pages, default=pages, key="told-page")
    return turns[(page - 1) * _AT_ONCE : page * _AT_ONCE]


def _turn(turn: MappedTurn, said: str, wished: ChatContext, events: Sequence[Event], before: History) -> None:
    name = f"{turn.number}. {label(turn.question, _LABEL)}"
    opened = st.expander(name, key=f"turn-{turn.run}", type="compact", on_change="rerun")
    with opened:
        st.empty()
        if opened.open:
            _opened(turn, calls_told(events, turn.number, before))
    with st.container(horizontal=True, vertical_alignment="center", key=f"wish-{turn.run}"):
        st.caption(said, width="stretch")
        with st.container(horizontal=True, width="content", key=f"wishes-{turn.run}"):
            _wishes(turn, wished)


def _said(turn: MappedTurn, this: bool, wished: ChatContext, price: PriceOf) -> str:
    """How a turn is told, in how many tokens, for how much, and how it will be told where that differs."""
    said = [say("this question") if this else told(window_bar.TOLD[turn.told])]
    if turn.tokens:
        said.append(say("{tokens:,} tokens", tokens=turn.tokens))
        if cost := price(turn.tokens, turn.cached):
            said.append(plain(money(cost)))
    out = turn.run in wished.out
    if out and turn.told != "out":
        said.append(f":material/visibility_off: {say('left out from the next question on')}")
    elif turn.told == "out" and not out:
        said.append(f":material/visibility: {say('in full from the next question on')}")
    elif turn.run in wished.pinned:
        will = say("pinned") if turn.told == "full" else say("pinned: in full from the next question on")
        said.append(f":material/keep: {will}")
    return " · ".join(said)


def _wishes(turn: MappedTurn, wished: ChatContext) -> None:
    if reading.token():
        return
    if turn.run in wished.out:
        _button(turn, "put_back", Text("Put back"), "undo", Text("Told again, in full."))
        return
    if turn.run in wished.pinned:
        _button(turn, "put_back", Text("Unpin"), "keep_off", Text("It may be shortened when the window is full."))
    else:
        _button(turn, "pin", Text("Pin"), "keep", Text("Told in full, also when the window is full."))
    _button(turn, "leave_out", Text("Leave out"), "visibility_off", Text("The model is told nothing of it."))


def _button(turn: MappedTurn, wish: Wish, name: str, icon: str, hint: str) -> None:
    button(name, f"{wish}-{turn.run}", icon, _wish, turn.run, wish, quiet=True, help=hint)


def _wish(run: str, wish: Wish) -> None:
    if row := state.own_run(run):
        ChatRuns.wish(asking.runs(), row, wish)


def _opened(turn: MappedTurn, calls: Sequence[MappedCall]) -> None:
    """What of a turn is told: its question, its calls, its answer."""
    if label(turn.question, _LABEL) != label(turn.question, len(turn.question) + 1):
        st.markdown(plain(turn.question))
    lines = [_call(call) for call in calls] or [say("No tool was called.")]
    answer = say("The answer is told.") if turn.told in ("full", "shortened", "answer") else say("No answer is told.")
    st.markdown("\n".join(f"- {line}" for line in [*lines, answer]))
    there = reading.address(r=turn.run)
    st.page_link("pages/run.py", label=say("Run"), icon=":material/timeline:", query_params=there)


def _call(call: MappedCall) -> str:
    step = say("Step {number}", number=call.step)
    return f"{step} · {label(call.tool, 40)} {label(call.about, 80)} — **{told(_how(call))}**"


def _how(call: MappedCall) -> Text:
    if call.told == "full":
        return Text("told whole")
    if call.told == "shortened":
        return Text("told by its beginning; the model can recall it as {handle}", handle=call.handle)
    if call.handle:
        return Text("not told; the model can recall it as {handle}", handle=call.handle)
    return Text("not told")


frame.page(main)
