"""What a collector is told of runs of every kind, held against the registry of the conventions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from time import time
from typing import Any

import pytest
from opentelemetry.semconv import schemas
from opentelemetry.semconv._incubating.attributes import error_attributes, gen_ai_attributes, server_attributes

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import Plan, version_of
from agent.application.evaluation.evaluation_run import begin
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.preferences import write_choice
from agent.application.recovery import _resume
from agent.application.services import Services, open_services
from agent.application.setup import DEMO, Choice, default_choice
from agent.evals.kept_test import Mode
from agent.events import Answered, Asked, Event, Failed, Prepared, TextDelta, Waiting
from agent.settings import Limits
from agent.store.leases import Lost
from agent.telemetry.span_values import PURPOSE, REPLAYED
from tests.support.servers.collector import Collector, Told
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.within import done_within

VISITOR = "v" * 32
KEY = "sk-owners-own-0123456789abcdef"
REGISTRY = {
    value
    for module in (gen_ai_attributes, error_attributes, server_attributes)
    for name, value in vars(module).items()
    if name.isupper() and isinstance(value, str)
}
PROVIDERS = {each.value for each in gen_ai_attributes.GenAiProviderNameValues}
OPERATIONS = {each.value for each in gen_ai_attributes.GenAiOperationNameValues}
GATE = Flag()
SUM = Call("calculator", '{"expression": "17 * 23"}', "call_sum")


def play(body: dict[str, Any]) -> Reply:
    """Plays what the question names, once no tool's result stands after it."""
    said = [message for message in body["messages"] if message["role"] == "user"][-1]["content"]
    after = [message["role"] for message in body["messages"]]
    results = after[::-1].index("user")
    if "secret kind: fails" in said and results:
        return Reply(status=401, body={"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}})
    if results or "tools" not in body:
        return Reply("It is 391, a secret answer.")
    if "secret kind: stopped" in said:
        return Reply("The secret beginning.\nThe end.", gate=GATE)
    calls = {
        "native": (SUM, Call("calculator", '{"expression": "2 + 2"}', "call_two")),
        "approval": (SUM,),
        "limit": (SUM,),
        "fails": (SUM,),
        "error": (Call("calculator", '{"expression": "1 / 0"}', "call_zero"),),
        "unknown": (Call("secret_of_the_model", "{}", "call_none"),),
    }
    asked_for = calls.get(said.rpartition("kind: ")[2], ())
    return Reply(calls=asked_for) if asked_for else Reply("A secret answer.")


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


def site(environment: dict[str, str]) -> Iterator[Services]:
    with pytest.MonkeyPatch.context() as patched:
        for name, value in environment.items():
            patched.setenv(name, value)
        services = open_services(environment, {})
        yield services
        services.tables.sandbox.close()
        services.runs.close()
        services.telemetry.close()
        services.store.close()


def environment(folder: Path, collector: Collector, model: ModelServer, **more: str) -> dict[str, str]:
    return {
        "GLASSBOX_DATA": str(folder),
        "GLASSBOX_BASE_URL": model.endpoint,
        "GLASSBOX_MODEL": "gpt-5-mini",
        "GLASSBOX_WIRE": "native",
        "GLASSBOX_TOOLS": "calculator",  # any tool that needs the sandbox starts it
        "GLASSBOX_WINDOW": "8000",
        "GLASSBOX_TEMPERATURE": "0.5",
        "OPENAI_API_KEY": KEY,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20mine",
        "OTEL_BSP_SCHEDULE_DELAY": "20",
        "OTEL_METRIC_EXPORT_INTERVAL": "200",
        "GLASSBOX_DAY_MESSAGES": "100",
        "GLASSBOX_PRICES": "gpt-5-mini=1/0.1/2",
        **more,
    }


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(play) as server:
        yield server
        GATE.set()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, collector: Collector, model: ModelServer) -> Iterator[ChatRuns]:
    for services in site(environment(tmp_path_factory.mktemp("data"), collector, model)):
        yield ChatRuns(services, VISITOR, "session", default_choice(services.settings))


def events(runs: ChatRuns, run: str) -> list[Event]:
    """All of a run, once it has ended or waits."""
    seen: list[Event] = []
    followed = runs.services.runs.follow(run)
    while not followed.done:
        seen += followed.events
        followed = runs.services.runs.follow(run, len(seen))
    return [event for event in [*seen, *followed.events] if not isinstance(event, TextDelta)]


def asked(runs: ChatRuns, kind: str, **choice: Any) -> str:
    run = runs.begin(f"A secret kind: {kind}", "", "", choice=replace(runs.choice, **choice))
    events(runs, run)
    return run


def spans(runs: ChatRuns, collector: Collector, run: str) -> list[Told]:
    """The trace of a run, of which all holds that holds for every run."""
    found = collector.trace(runs.services.telemetry.trace(run))
    root = next(span for span in found if not span.parent)
    row = runs.services.store.run(run)
    ids = {span.id for span in found}
    assert row and len(ids) == len(found)
    for span in found:
        own = {name for name in span.attributes if name.startswith("glassbox.")}
        assert set(span.attributes) - own <= REGISTRY, span
        assert span.attributes["gen_ai.operation.name"] in OPERATIONS
        assert span.parent in ids or span is root
        assert root.start - 0.001 <= span.start <= span.end <= root.end + 0.001, span
        assert span.failed == ("error.type" in span.attributes)
        if span.attributes["gen_ai.operation.name"] != "execute_tool":
            assert span.attributes["gen_ai.conversation.id"] == row.conversation
            assert span.attributes["gen_ai.provider.name"] in PROVIDERS | {"glassbox.demo"}
        if span.attributes["gen_ai.operation.name"] == "chat":
            assert span.kind == 3  # CLIENT
    assert root.attributes["glassbox.run.id"] == run
    told = json.dumps([span.attributes for span in found]) + json.dumps([span.name for span in found])
    assert "secret" not in told and KEY not in told and VISITOR not in told
    return found


def names(found: list[Told]) -> list[str]:
    return [span.name for span in found]


ROOT, CHAT, SUMMED = "invoke_agent Glassbox", "chat gpt-5-mini", "execute_tool calculator"


def test_an_answer(runs: ChatRuns, collector: Collector) -> None:
    run = asked(runs, "plain")
    root, chat = spans(runs, collector, run)
    assert (root.name, chat.name) == (ROOT, CHAT)
    replied = next(event for event in events(runs, run) if event.type == "Replied")
    assert chat.attributes["gen_ai.usage.input_tokens"] == replied.usage.input
    assert chat.attributes["gen_ai.usage.output_tokens"] == replied.usage.output
    assert chat.attributes["gen_ai.response.finish_reasons"] == ["stop"]
    assert chat.attributes["gen_ai.response.time_to_first_chunk"] == replied.first_token
    assert chat.attributes["gen_ai.request.temperature"] == 0.5
    assert chat.attributes["server.address"] == "127.0.0.1"
    assert chat.end - chat.start == pytest.approx(replied.seconds, abs=0.01)
    assert root.attributes["glassbox.run.end"] == "stop"
    assert collector.resource["service.name"] == "glassbox"
    assert all(headers.get("authorization") == "Bearer mine" for headers in collector.headers)


def test_native_calls(runs: ChatRuns, collector: Collector) -> None:
    found = spans(runs, collector, asked(runs, "native"))
    assert sorted(names(found)) == sorted([ROOT, CHAT, SUMMED, SUMMED, CHAT])
    tools = [span for span in found if span.name == SUMMED]
    assert {span.attributes["gen_ai.tool.call.id"] for span in tools} == {"call_sum", "call_two"}
    assert all(span.attributes["gen_ai.tool.name"] == "calculator" for span in tools)


def test_a_tool_that_fails(runs: ChatRuns, collector: Collector) -> None:
    found = spans(runs, collector, asked(runs, "error"))
    assert names(found) == [ROOT, CHAT, SUMMED, CHAT]
    assert [span.failed for span in found] == [False, False, True, False]


def test_a_tool_that_is_not_there(runs: ChatRuns, collector: Collector) -> None:
    found = spans(runs, collector, asked(runs, "unknown"))
    assert "execute_tool unknown" in names(found)
    assert "unknown_tool" in [span.attributes.get("error.type") for span in found]


def test_a_model_that_fails(runs: ChatRuns, collector: Collector) -> None:
    found = spans(runs, collector, asked(runs, "fails"))
    assert names(found) == [ROOT, CHAT, SUMMED, CHAT]
    assert [span.attributes.get("error.type") for span in found] == ["model", None, None, "model"]


def test_a_run_that_is_stopped(runs: ChatRuns, collector: Collector) -> None:
    run = runs.begin("A secret kind: stopped", "", "")
    while not any(isinstance(event, TextDelta) for event in runs.services.runs.follow(run, 2).events):
        """Until its text begins."""
    runs.stop(run)
    assert isinstance(events(runs, run)[-1], Failed)
    root, chat = spans(runs, collector, run)
    assert root.attributes["glassbox.run.end"] == "cancelled" and not root.failed
    assert chat.attributes["glassbox.unfinished"]


def test_a_call_that_is_approved(runs: ChatRuns, collector: Collector) -> None:
    run = asked(runs, "approval", approve=("calculator",))
    waiting, row = events(runs, run)[-1], runs.services.store.run(run)
    assert row and isinstance(waiting, Waiting)
    runs.decide(row, waiting.call_id, "allowed")
    assert isinstance(events(runs, run)[-1], Answered)
    found = spans(runs, collector, run)
    assert names(found) == [ROOT, CHAT, SUMMED, CHAT]
    assert found[2].attributes["glassbox.decision"] == "allowed"


def test_a_run_that_waits_is_stopped(runs: ChatRuns, collector: Collector) -> None:
    run = asked(runs, "approval", approve=("calculator",))
    runs.stop(run)
    assert names(spans(runs, collector, run)) == [ROOT, CHAT]


def test_a_limit(runs: ChatRuns, collector: Collector) -> None:
    found = spans(runs, collector, asked(runs, "limit", limits=Limits(steps=1)))
    assert names(found) == [ROOT, CHAT, SUMMED, CHAT]
    assert found[0].attributes["glassbox.run.end"] == "limit"


def test_a_run_that_another_process_takes_up(runs: ChatRuns, collector: Collector) -> None:
    store = runs.services.store
    first = next(event for event in events(runs, asked(runs, "plain")) if isinstance(event, Prepared))
    asking = Asked("A secret kind: plain", time() - 2)
    _, run = store.unanswered.begin(asking, VISITOR, choice=write_choice(runs.choice, runs.services.settings.base_url))
    store.append(run, [first])
    assert _resume(runs.services, Lost(run, False, 0, 1.5)) is None
    assert isinstance(events(runs, run)[-1], Answered)
    root, lost, chat = spans(runs, collector, run)
    assert names([root, lost, chat]) == [ROOT, CHAT, CHAT]
    assert lost.attributes["error.type"] == "interrupted" and lost.attributes["glassbox.usage.estimated"]
    used = "gen_ai.usage.input_tokens"
    assert root.attributes[used] == lost.attributes[used] + chat.attributes[used]


def test_the_demo_model(runs: ChatRuns, collector: Collector) -> None:
    run = runs.begin("What is 17 * 23?", "", "", choice=Choice(endpoint=DEMO))
    assert isinstance(events(runs, run)[-1], Answered)
    found = spans(runs, collector, run)
    assert names(found) == [ROOT, "chat demo", SUMMED, "chat demo"]
    assert found[1].attributes["gen_ai.provider.name"] == "glassbox.demo"


def test_a_merged_question(runs: ChatRuns, collector: Collector) -> None:
    first = asked(runs, "plain")
    row = runs.services.store.run(first)
    assert row
    run = runs.begin("And twice that?", row.conversation, first, choice=replace(runs.choice, merge="always"))
    events(runs, run)
    found = spans(runs, collector, run)
    assert names(found) == [ROOT, CHAT, CHAT]
    assert found[1].attributes["glassbox.purpose"] == "merge"


def test_a_step_of_another_run_is_told_once(runs: ChatRuns, collector: Collector) -> None:
    run = asked(runs, "native")
    row = runs.services.store.run(run)
    assert row
    again = runs.from_step(row, 2)
    events(runs, again)
    assert names(spans(runs, collector, again)) == [ROOT, CHAT]


def tried(runs: ChatRuns, run: str, mode: Mode) -> str:
    """The run of a test that is kept of ``run``, tried once."""
    services, row = runs.services, runs.services.store.run(run)
    assert row
    test = TestShelf(services, VISITOR).keep(row)
    (test_set,) = services.evaluations.sets(VISITOR)
    evaluation = begin(runs, test_set.id, Plan(mode, (version_of("m", runs.choice, ""),), (test,)))
    done_within(60.0, lambda: not services.evaluations.at_work(evaluation))
    (attempt,) = services.evaluations.attempts(evaluation).values()
    return attempt.run


@pytest.mark.parametrize("mode", ["live", "frozen", "replay"])
def test_runs_of_an_evaluation_are_told_apart(runs: ChatRuns, collector: Collector, mode: Mode) -> None:
    run = asked(runs, "native")
    found = spans(runs, collector, tried(runs, run, mode))
    assert sorted(names(found)) == sorted([ROOT, CHAT, SUMMED, SUMMED, CHAT])
    assert {span.attributes[PURPOSE] for span in found} == {"evaluation"}
    replayed, paid = ({name in span.attributes for span in found} for name in (REPLAYED, "glassbox.cost.usd"))
    assert replayed == {mode == "replay"} and (True in paid) == (mode != "replay")
    assert not any(PURPOSE in span.attributes or REPLAYED in span.attributes for span in spans(runs, collector, run))


def test_an_attempt_that_waits_for_nobody_has_its_end(runs: ChatRuns, collector: Collector) -> None:
    careful = replace(runs, choice=replace(runs.choice, approve=("calculator",)))
    run = tried(careful, asked(runs, "approval"), "live")
    found = spans(runs, collector, run)
    assert names(found) == [ROOT, CHAT] and found[0].attributes["glassbox.run.end"] == "cancelled"
    assert {span.attributes[PURPOSE] for span in found} == {"evaluation"}


def test_a_refusal_and_the_figures(tmp_path: Path, model: ModelServer) -> None:
    with Collector() as other:
        for services in site(environment(tmp_path, other, model, GLASSBOX_DAY_MESSAGES="1")):
            few = ChatRuns(services, VISITOR, "session", default_choice(services.settings))
            asked(few, "plain")
            (refused,) = spans(few, other, asked(few, "plain"))
            assert refused.attributes["error.type"] == "budget"
        (point,) = other.metrics["glassbox.refusals"]
        assert point[1].as_int == 1
        ends = {told["glassbox.run.end"]: point.as_int for told, point in other.metrics["glassbox.runs"]}
        assert ends == {"stop": 1, "budget": 1}
        tokens = {told["gen_ai.token.type"]: point.sum for told, point in other.metrics["gen_ai.client.token.usage"]}
        assert min(tokens.values()) > 0 and set(tokens) == {"input", "output"}
        assert other.metrics["gen_ai.client.operation.duration"][0][1].count == 1
        assert other.metrics["glassbox.cost"][0][1].as_double > 0
        assert [point.as_int for _, point in other.metrics["glassbox.runs.active"]] == [0]
        assert [point.as_int for _, point in other.metrics["glassbox.runs.queued"]] == [0]
        assert not any(b"secret" in body or KEY.encode() in body for body in other.bodies)


def test_what_evaluations_cost_is_counted_for_themselves_and_what_is_replayed_not_at_all(
    tmp_path: Path, model: ModelServer
) -> None:
    with Collector() as other:
        for services in site(environment(tmp_path, other, model)):
            runs = ChatRuns(services, VISITOR, "session", default_choice(services.settings))
            run = asked(runs, "plain")
            modes: tuple[Mode, ...] = ("replay", "live", "replay")
            for mode in modes:
                tried(runs, run, mode)
        counted = {told.get(PURPOSE, ""): point.as_int for told, point in other.metrics["glassbox.runs"]}
        assert counted == {"": 1, "evaluation": 3}
        replies = {told.get(PURPOSE, ""): point.count for told, point in other.metrics["gen_ai.client.token.usage"]}
        assert replies == {"": 1, "evaluation": 1}
        costs = {told.get(PURPOSE, ""): point.as_double for told, point in other.metrics["glassbox.cost"]}
        assert costs[""] == pytest.approx(costs["evaluation"]) and costs[""] > 0


def test_texts_are_told_where_the_owner_wants_it_but_no_keys(tmp_path: Path, model: ModelServer) -> None:
    content = {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}
    found: list[Told] = []
    with Collector() as collector:
        for services in site(environment(tmp_path, collector, model, **content)):
            runs = ChatRuns(services, VISITOR, "session", default_choice(services.settings))
            run = runs.begin(f"My key is {KEY}. A secret kind: native", "", "")
            events(runs, run)
            found += collector.trace(services.telemetry.trace(run))
    root, tool = found[0].attributes, next(span.attributes for span in found if span.name == SUMMED)
    assert set(root) - {name for name in root if name.startswith("glassbox.")} <= REGISTRY
    assert "A secret kind: native" in json.loads(root["gen_ai.input.messages"])[0]["parts"][0]["content"]
    assert "a secret answer" in json.loads(root["gen_ai.output.messages"])[0]["parts"][0]["content"]
    assert json.loads(tool["gen_ai.tool.call.arguments"])["expression"] in ("17 * 23", "2 + 2")
    assert tool["gen_ai.tool.call.result"] in ("391", "4")
    assert not any(KEY.encode() in body for body in collector.bodies)


def test_the_version_of_the_conventions_is_one_that_there_is() -> None:
    from agent.telemetry.otlp import SCHEMA

    assert SCHEMA in {each.value for each in schemas.Schemas}
