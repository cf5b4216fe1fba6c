"""The steps of an agent that was called as a tool are drawn within the step that called it, live and afterwards."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def drawn() -> None:
    import streamlit as st

    from agent import Agent, Scripted, TextDelta, Toolbox, agent_tool, ask, fold, tool
    from pages.ui.run.steps import Timeline

    @tool
    def price(item: str) -> str:
        """Gives a price."""
        return f"{item}: 4.20 EUR"

    replies = ["Action: buyer\nAction Input: A bolt?", "Action: price\nAction Input: bolt"]
    model = Scripted([*replies, "Final Answer: A bolt costs 4.20 EUR.", "Final Answer: It is 4.20 EUR."])
    agent = Agent(model, Toolbox([agent_tool("buyer", "Finds what things cost.", [price])]), "react")
    events = [event for event in ask(agent, "How much is a bolt?") if not isinstance(event, TextDelta)]
    st.session_state.setdefault("step-run-1", True)
    timeline = Timeline("run", lambda _: None, quick=0)
    for told in range(2, int(st.session_state["told"]) + 1 or len(events) + 1):
        timeline.draw(fold(events[:told]))


def page(told: int) -> AppTest:
    """The page once so many events were told; all of them at once where it is -1."""
    app = AppTest.from_function(drawn, default_timeout=60)
    app.session_state["told"] = told
    app.run()
    assert not app.exception
    return app


def test_while_it_works_its_steps_are_there_and_cannot_be_acted_on() -> None:
    app = page(8)  # up to what its own call brought
    assert [expander.label.partition(" →")[0] for expander in app.expander][:2] == [
        "1 step of buyer",
        "Used price: bolt",
    ]
    assert "bolt: 4.20 EUR" in [code.value for code in app.code]
    assert not app.button


def test_afterwards_each_of_its_calls_can_be_opened() -> None:
    app = page(-1)
    names = [expander.label.partition(" →")[0] for expander in app.expander]
    assert names[:3] == ["Used buyer: A bolt?", "1 step of buyer", "Used price: bolt"]
    assert [button.label for button in app.button].count("See the exact call") == 2
    assert "call-run:call_1/1" in [button.key for button in app.button]


def followed() -> None:
    import streamlit as st

    from agent import Agent, Scripted, TextDelta, Toolbox, ask, fold, tool
    from pages.ui.run.steps import Timeline

    @tool
    def price(item: str) -> str:
        """Gives a price."""
        return f"{item}: 4.20 EUR"

    replies = ["Thought: I look it up.\nAction: price\nAction Input: bolt", "Final Answer: It is 4.20 EUR."]
    agent = Agent(Scripted(replies), Toolbox([price]), "react")
    events = [event for event in ask(agent, "How much is a bolt?") if not isinstance(event, TextDelta)]
    timeline = Timeline("run", lambda _: None)
    # Each event is seen by itself, and a page that is drawn anew begins with all that has been seen.
    for told in range(st.session_state.setdefault("seen", 2), len(events) + 1):
        st.session_state["seen"] = told
        timeline.draw(fold(events[:told]))


def test_a_reply_that_is_seen_before_its_call_is_drawn_once() -> None:
    app = AppTest.from_function(followed, default_timeout=60).run()
    assert not app.exception
    assert [expander.label.partition(" →")[0] for expander in app.expander] == ["Used price: bolt"]
