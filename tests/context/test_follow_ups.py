"""252 follow-ups in twelve languages arrive at a real server with the whole conversation before them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.services import Services
from agent.application.setup import Choice
from agent.cli.main import main
from agent.events import Answered, Event, TextDelta, dump
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask
from agent.settings import WireChoice
from agent.store.runs import Store
from agent.toolkit.base import Tool, Toolbox, tool
from tests.support.app_services import services_with
from tests.support.servers.model_server import ModelServer
from tests.support.stories import calls, final, react
from tests.support.told_before import Earlier, FollowUp, follow_ups

pytestmark = pytest.mark.slow
BY_LANGUAGE = {language: list(rows) for language, rows in groupby(follow_ups(), lambda row: row.language)}
VISITOR = "v"


def tool_of(turn: Earlier) -> Tool:
    @tool(name=turn.tool)
    def called(text: str) -> str:
        """Finds it.

        Args:
            text: What to find.
        """
        return turn.observation

    return called


def replies(turn: Earlier, wire: str) -> list[Any]:
    if not turn.tool:
        return [final(turn.answer) if wire == "react" else turn.answer]
    if wire == "react":
        return [react("I look.", turn.tool, turn.input), final(turn.answer)]
    return [calls(("c1", turn.tool, turn.input)), turn.answer]


def lived(store: Store, row: FollowUp, wire: WireChoice) -> tuple[str, str]:
    """A stored conversation with the turns of ``row``: its id, and that of its last run."""
    conversation, last = store.add_conversation(VISITOR, "t"), ""
    for turn in row.turns:
        tools = Toolbox([tool_of(turn)] if turn.tool else [])
        model = Scripted(replies(turn, wire), takes_tools=wire == "native")
        last = store.add_run(conversation, last)
        list(ask(store, last, Question(turn.question), Agent(model, tools, wire), Flag()))
    return conversation, last


def arrived(sent: dict[str, Any], row: FollowUp) -> None:
    """The request has all that was said and seen, in order, and ends in the follow-up as it was typed."""
    said = [str(message.get("content") or "") for message in sent["messages"]]
    assert said[-1] == row.follow_up or said[-1].endswith(f"\n\n{row.follow_up}")
    whole, place = "\n".join(said), 0
    for turn in row.turns:
        for part in filter(
            None, (turn.question, turn.observation.splitlines()[0] if turn.observation else "", turn.answer)
        ):
            found = whole.find(part.strip(), place)
            assert found >= 0, f"{part!r} is not told before {row.follow_up!r}"
            place = found
    assert row.figure in whole


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    data = tmp_path_factory.mktemp("app") / "data"
    with services_with({"GLASSBOX_DATA": str(data), "GLASSBOX_PRIVATE_ADDRESSES": "yes"}) as opened:
        yield opened


def ended(services: Services, run: str) -> list[Event]:
    events: list[Event] = []
    while not (followed := services.runs.follow(run, len(events))).done:
        events.extend(followed.events)
    return [*events, *followed.events]


@pytest.mark.parametrize("wire", ["react", "native"])
@pytest.mark.parametrize("language", BY_LANGUAGE)
def test_in_the_page(language: str, wire: WireChoice, services: Services) -> None:
    answered = final("Yes.") if wire == "react" else "Yes."
    with ModelServer(lambda _: answered) as server:
        mine = ChatRuns(services, VISITOR, "s", Choice(server.endpoint, "m", wire=wire, window=32_000))
        for row in BY_LANGUAGE[language]:
            conversation, last = lived(services.store, row, wire)
            events = ended(services, mine.begin(row.follow_up, conversation, last))
            assert isinstance(events[-1], Answered), events[-1]
            arrived(server.requests[-1], row)
        assert len(server.requests) == len(BY_LANGUAGE[language]), "one call each: nothing is merged away"


@pytest.mark.parametrize("language", BY_LANGUAGE)
def test_in_the_terminal(
    language: str, tmp_path: Path, open_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("GLASSBOX_")]:
        monkeypatch.delenv(name)
    store = open_store()
    with ModelServer(lambda _: final("Yes.")) as server:
        for number, row in enumerate(BY_LANGUAGE[language]):
            conversation, last = lived(store, row, "react")
            events = [event for each in store.path(conversation, last) for event in store.events(each.id)]
            history = tmp_path / f"{number}.jsonl"
            history.write_text(
                "".join(f"{dump(e)}\n" for e in events if not isinstance(e, TextDelta)), encoding="utf-8"
            )
            options = ["--base-url", server.endpoint, "--model", "m", "--wire", "react", "--history", str(history)]
            assert main([*options, row.follow_up]) == 0
            arrived(server.requests[-1], row)
