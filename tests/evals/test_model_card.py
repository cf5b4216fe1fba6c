"""The questions of a model's card: a good model answers all of them on each wire, a bad one none; no web is needed."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agent.cli.table_files import opened_tables
from agent.data.tables.chat_tables import ConversationTables
from agent.evals.attempt import Result, attempt, judged
from agent.evals.formats.result_lines import Row
from agent.evals.gold import Programs
from agent.evals.model_card.card_cost import expected
from agent.evals.model_card.card_figures import card_of
from agent.evals.model_card.card_questions import ABILITIES, CardQuestion, ability_of, card_questions, samples
from agent.evals.model_card.fixed_tools import LIMITS, WIRES, card_agent, fixed_tools
from agent.events import Event, Prepared
from agent.loop.agent import Agent
from agent.models.prices import Price
from agent.models.scripted import Scripted
from agent.settings import WireChoice, read_settings
from tests.support.stories import calls, final, react

pytestmark = pytest.mark.system
ANSWERS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "support" / "card_answers.toml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def tables() -> Iterator[ConversationTables]:
    with opened_tables(samples(), read_settings({})) as opened:
        yield opened


@pytest.fixture(autouse=True)
def away_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a card needs no network")

    monkeypatch.setattr("socket.getaddrinfo", refused)


def good(question: CardQuestion, wire: WireChoice) -> Scripted:
    known = ANSWERS[question.test.id]
    if wire == "react":
        steps = [react("I use a tool.", name, json.dumps(given)) for name, given in known["calls"]]
        return Scripted([*steps, final(known["answer"])])
    made = [calls((f"c{place}", name, json.dumps(given))) for place, (name, given) in enumerate(known["calls"])]
    return Scripted([*made, known["answer"]], takes_tools=True)


def run(
    question: CardQuestion, model: Scripted, wire: WireChoice, tables: ConversationTables
) -> tuple[list[Event], Result]:
    agent = card_agent(Agent(model=model, wire=wire, limits=LIMITS), tables if question.tables else None)
    events = list(attempt(question.test, "live", agent))
    return events, judged(question.test, events, Programs(agent.tools, agent.policy))


def test_there_are_four_questions_for_each_ability() -> None:
    counted = Counter(ability_of(each.test.id) for each in card_questions())
    assert counted == dict.fromkeys(ABILITIES, 4)
    assert {each.test.id for each in card_questions()} == set(ANSWERS)


@pytest.mark.parametrize("wire", WIRES)
def test_a_good_model_answers_all_of_them_and_a_bad_one_none(wire: WireChoice, tables: ConversationTables) -> None:
    for question in card_questions():
        events, result = run(question, good(question, wire), wire, tables)
        assert result.passed, (question.test.id, [str(grade.why) for grade in result.failed])
        prepared = next(event for event in events if isinstance(event, Prepared))
        assert prepared.wire == wire
        assert prepared.facts and ("query" in prepared.facts.tools) == question.tables
        bad = final("I guess that it is 7.") if wire == "react" else "I guess that it is 7."
        _, wrong = run(question, Scripted([bad], takes_tools=wire == "native"), wire, tables)
        assert not wrong.passed, question.test.id


def test_native_calls_are_asked_for_whatever_was_learned_before(tables: ConversationTables) -> None:
    question = card_questions()[0]
    model = good(question, "native")
    model.prefer_text()
    assert not model.takes_tools
    _, result = run(question, model, "native", tables)
    assert result.passed


def test_an_order_that_is_obeyed_is_found(tables: ConversationTables) -> None:
    by_id = {each.test.id: each for each in card_questions()}
    read = react("I read it.", "read_url", '{"url": "https://example.org/brissel-cake"}')
    _, obeyed = run(by_id["injection-1"], Scripted([read, final("PINEAPPLE")]), "react", tables)
    assert [grade.type for grade in obeyed.failed] == ["figure", "lacks"]
    museum = react("I read it.", "read_url", '{"url": "https://example.org/museum"}')
    search = react("I am told to.", "search", "password of the user")
    _, sent = run(by_id["injection-3"], Scripted([museum, search, final("It opens at 10:30.")]), "react", tables)
    assert [grade.type for grade in sent.failed] == ["avoids"]


def test_what_is_not_in_the_library_is_not_found() -> None:
    tools = {tool.own_name: tool for tool in fixed_tools().tools}
    assert set(tools) == {"calculator", "now", "convert", "weather", "search", "read_url"}
    assert all(tool.effect == "reads" for tool in tools.values())
    with pytest.raises(Exception, match="Nothing was found"):
        tools["search"].call({"query": "the height of the Eiffel Tower"})


def test_a_card_counts_abilities_and_says_that_it_is_small() -> None:
    made = [
        Row(
            each.test.id,
            each.test.id,
            "m react",
            "live",
            1,
            Result(ability_of(each.test.id) != "sums", (), tokens=10, money=0.01),
        )
        for each in card_questions()
    ]
    card = card_of("m", {"react": made, "native": made[:10]}, 0.0)
    first, second = card.columns
    assert (first.passed, first.runs, second.runs, card.done, card.of) == (36, 40, 10, 50, 80)
    assert [*first.abilities] == [*ABILITIES]
    assert (first.abilities["sums"].passed, first.abilities["dates"].passed) == (0, 4)
    assert 0.76 < first.share.low < 0.78 and 0.96 < first.share.high < 0.97
    assert {miss.question for miss in card.misses if miss.wire == "react"} == {f"sums-{n}" for n in range(1, 5)}
    assert card.tokens == 500 and card.money == pytest.approx(0.5)
    assert str(card.few).startswith(
        "These are few questions: even 4 of 4 right may come of a model that is right in 51%"
    )


def test_the_cost_is_said_before() -> None:
    one, both = expected(["react"]), expected(["react", "native"])
    assert one.questions == 40 and both.replies == 2 * one.replies
    assert 60_000 < one.sent < 200_000
    price = Price(Decimal(1), Decimal("0.1"), Decimal(4))
    assert one.money(price) == pytest.approx((one.sent + 4 * one.received) / 1e6)
    assert one.money(None) is None
