"""What the page remembers of the open conversation, and what is read for it."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Flag
from threading import Thread
from threading import enumerate as enumerate_threads

import sqlalchemy as sql
import streamlit as st

from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask
from agent.store.branches import path
from agent.store.schema import EVENTS
from pages.ui.session import history, state
from tests.support.app_services import services_with
from tests.support.stories import TOOLS, final


def test_turns_are_plain_values_and_read_once(tmp_path: Path) -> None:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as services:
        store = services.store
        conversation, last, runs = store.add_conversation("v", "t"), "", list[str]()
        for number in range(1, 4):
            last = store.add_run(conversation, last)
            runs.append(last)
            list(ask(store, last, Question(f"Question {number}?"), agent(f"Answer {number}."), Flag()))
        rows = [place.row for place in path(store.runs(conversation), {})]
        turns = history.turns(conversation, rows[:2])
        assert turns == [
            {"run": runs[0], "question": "Question 1?", "answer": "Answer 1."},
            {"run": runs[1], "question": "Question 2?", "answer": "Answer 2."},
        ]
        assert history.turns(conversation, rows[:2]) is st.session_state["history"][conversation]
        assert [turn["run"] for turn in history.turns(conversation, rows)] == runs
        assert [turn.get("answer") for turn in history.turns(conversation, rows[:1])] == ["Answer 1."], "another branch"
        asked = agent("Yes.")
        new = store.add_run(conversation, last)
        list(ask(store, new, Question("And?", past=tuple(runs)), asked, Flag()))
        assert isinstance(asked.model, Scripted)
        told = [message.content for message in asked.model.requests[0].messages]
        assert [text for text in told if text.endswith("?")] == [*(f"Question {n}?" for n in (1, 2, 3)), "And?"]


def test_of_turns_that_are_not_drawn_nothing_is_read(tmp_path: Path) -> None:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as services:
        store = services.store
        conversation, runs = store.add_conversation("v", "t"), list[str]()
        for number in range(state.TURNS + 2):
            runs.append(store.add_run(conversation, runs[-1] if runs else ""))
            list(ask(store, runs[-1], Question(f"Question {number}?"), agent("Yes."), Flag()))
        rows = store.path(conversation)
        turns = history.turns(conversation, rows)
        assert [turn["run"] for turn in turns] == runs
        assert [turn.get("question") for turn in turns[:3]] == [None, None, "Question 2?"]
        state.show_earlier(conversation)
        turns = history.turns(conversation, rows)
        assert [turn.get("question") for turn in turns[:3]] == ["Question 0?", "Question 1?", "Question 2?"]


def test_a_long_chat_is_read_ahead_once(tmp_path: Path) -> None:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as services:
        store = services.store
        conversation, runs = store.add_conversation("v", "t"), list[str]()
        for number in range(state.TURNS + 1):
            runs.append(store.add_run(conversation, runs[-1] if runs else ""))
            list(ask(store, runs[-1], Question(f"Question {number}?"), agent("Yes."), Flag()))
        rows = store.path(conversation)
        st.query_params["c"] = conversation
        past = history.turns(conversation, rows)
        for thread in [read_ahead(past[:-1]), read_ahead(past), read_ahead(past)]:
            if thread:
                thread.join()
        with store.database.begin() as connection:
            connection.execute(sql.delete(EVENTS))
        assert [*store.past(conversation, runs)] == runs, "all of it is in memory"
        assert store.whole(rows[0]) == store.past(conversation, runs)[runs[0]]
        st.query_params.clear()


def read_ahead(past: list[history.Turn]) -> Thread | None:
    """The thread that reads ahead, where one is begun."""
    before = {*enumerate_threads()}
    history.read_ahead(past)
    return next((thread for thread in enumerate_threads() if thread not in before), None)


def agent(said: str) -> Agent:
    return Agent(Scripted([final(said)]), TOOLS, "react")
