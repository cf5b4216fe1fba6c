"""The two-tool question and its follow-up over real loopback servers, on both wires, streamed and whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.cli.main import main
from agent.events import Answered, Failed, Merged, Observed, Prepared, Replied, ToolCalled
from agent.views.fold import fold
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.search_server import SearchServer
from tests.support.stories import final, react
from tests.support.story import (
    ANSWER,
    FOLLOW_UP,
    KEY,
    LAST,
    MODES,
    QUESTION,
    SEARCH,
    STANDALONE,
    replies_of_the_story,
    tell,
)


@pytest.mark.parametrize("wire", ["react", "native", "auto"])
@pytest.mark.parametrize("mode", MODES)
def test_search_then_calculator_then_follow_up(mode: str, wire: str) -> None:
    refuses_tools = "tools" in MODES[mode].get("refuse", ())
    if refuses_tools and wire == "native":
        expected_wire = "none"
    else:
        expected_wire = "react" if refuses_tools or wire == "react" else "native"
    with (
        SearchServer() as search,
        ModelServer(replies_of_the_story(expected_wire), key="sk-planted", **MODES[mode]) as model,
    ):
        first, *rest = tell(model, search, wire, [QUESTION, FOLLOW_UP] if expected_wire != "none" else [QUESTION])
        if expected_wire == "none":
            assert isinstance(first[-1], Failed)
            assert "tools" in first[-1].message
            return
        (second,) = rest
        assert model.unexpected == 0
    called = [(event.tool, event.arguments) for event in first if isinstance(event, ToolCalled)]
    assert called == [("search", {"query": SEARCH}), ("calculator", {"expression": "(54 - 32) * 5 / 9"})]
    found, sum_ = (event for event in first if isinstance(event, Observed))
    assert "54 °F" in found.text or "54" in found.text
    assert found.sources
    assert sum_.text.startswith("12.2222")
    assert first[-1] == Answered(ANSWER, reason="final_answer" if expected_wire == "react" else "stop")
    merged = next(event for event in second if isinstance(event, Merged))
    assert merged.question == STANDALONE
    assert isinstance(second[-1], Answered)
    assert second[-1].text == LAST
    assert fold(second).understood == STANDALONE
    assert [event.wire for event in first if isinstance(event, Prepared)][-1] == expected_wire
    assert not any(KEY in repr(event) or "sk-planted" in repr(event) for event in first + second)


def test_refusals_are_learned_once() -> None:
    with SearchServer() as search, ModelServer(replies_of_the_story("react"), refuse=("stop", "tools")) as model:
        first, second = tell(model, search, "auto", [QUESTION, FOLLOW_UP])
        assert sum("stop" in request for request in model.requests) == 1
        assert sum("tools" in request for request in model.requests) == 1
    notes = [note for event in first if isinstance(event, Replied) for note in event.notes]
    assert any("stop" in note for note in notes)
    assert not any(event.notes for event in second if isinstance(event, Replied))


@pytest.mark.usefixtures("asked_again_at_once")
@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply("Thought: hm\nFinal Answer: The answer is", die_after=8, chunk=4), "in the middle"),
        (Reply(body=b"<html>hello</html>", content_type="text/html"), "OpenAI"),
        (Reply(status=500, body={"error": {"message": "boom"}}), "Try again"),
        (Reply(events=[b"this is not JSON"]), "OpenAI"),
    ],
)
def test_a_half_dead_server_ends_in_a_sentence(reply: Reply, said: str) -> None:
    with SearchServer() as search, ModelServer(lambda _: reply) as model:
        (events,) = tell(model, search, "react", [QUESTION])
    failed = events[-1]
    assert isinstance(failed, Failed)
    assert failed.reason == "model"
    assert said.lower() in failed.message.lower()


def test_the_second_search_comes_from_the_conversation_cache() -> None:
    replies = [react("a", "search", SEARCH), final("54"), react("a", "search", SEARCH), final("54")]
    with SearchServer() as search, ModelServer(replies) as model:
        first, second = tell(
            model, search, "react", ["How warm was San Francisco?", "How cold was San Francisco?"], False
        )
        assert len(search.requests) == 1
    assert [event.cached for run in (first, second) for event in run if isinstance(event, Observed)] == [False, True]


@pytest.mark.parametrize("wire", ["react", "native"])
def test_in_a_terminal(
    wire: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SERPAPI_API_KEY", KEY)
    monkeypatch.setenv("GLASSBOX_MERGE", "always")
    with SearchServer() as search, ModelServer(replies_of_the_story(wire)) as model:
        monkeypatch.setenv("GLASSBOX_SERPAPI_URL", search.serpapi_url)
        history = str(tmp_path / "chat.jsonl")
        options = ["--base-url", model.endpoint, "--model", "m", "--wire", wire, "--history", history]
        assert main([*options, QUESTION]) == 0
        assert main([*options, FOLLOW_UP]) == 0
    out = capsys.readouterr().out
    assert out.index("Action: search") < out.index("Action: calculator") < out.index(ANSWER)
    assert out.index(f"Understood as: {STANDALONE}") < out.index(LAST)
    assert KEY not in out
