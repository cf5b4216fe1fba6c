"""Questions that colleagues ask of their files: months as they are written, who earns most, units where they belong."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Event as Flag

import pytest

from agent.application.setup import Choice, setup
from agent.data.tables.chat_tables import Tables
from agent.demo.rules.history import followed
from agent.events import Event
from agent.evidence import Evidence
from agent.evidence.verdicts import Claim, Verdict
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import fold

VERDICTS: tuple[Verdict, ...] = ("given", "seen")
CREW = "Sailor,Ship,Pay\nOda,Brisk,€ 41\nPer,Gale,€ 52\nLiv,Brisk,€ 38\nEli,Brisk,€ 30\nUno,Gale,€ 35\n"
WATCHES = "Sailor,Month,Watches\nOda,Jan,4\nPer,Jan,7\nOda,Feb,5\nPer,Feb,6\nOda,Mar,9\nPer,Mar,1\n"
CARGO = "Crate,Mass,Span_cm\nK1,12 kg,40\nK2,7 kg,55\nK3,31 kg,25\n"
FISH = "港,月,水揚げ\n函館,1月,120\n釧路,1月,80\n函館,2月,60\n釧路,2月,90\n"
SHIFTS = "船員,班,残業\n青木,甲,12\n石川,乙,20\n上田,甲,5\n"


@pytest.fixture(scope="module")
def chat(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., list[str]]]:
    """Loads files into a chat of their own, asks the questions after one another, and gives the answers."""
    folder = tmp_path_factory.mktemp("colleagues")
    store = Store(f"sqlite:///{folder}/store.db")

    def asked(files: dict[str, str], *questions: str, language: str = "en") -> list[str]:
        tables = Tables(store.database, folder / "tables", sandbox).open("v", store.add_conversation("v", "c"))
        for name, text in files.items():
            tables.load(f"{name}.csv", io.BytesIO(text.encode()))
        agent = setup(read_settings({}), Choice(), Capabilities(), SearchCache(), tables=tables)
        return _answers(replace(agent, language=language), questions)

    yield asked
    store.close()


def _answers(agent: Agent, questions: Sequence[str]) -> list[str]:
    history: dict[str, list[Event]] = {}
    for number, question in enumerate(questions):
        history[str(number)] = list(answer(Question(question, Before(dict(history))), agent, Flag()))
    return [fold(events).answer for events in history.values()]


def test_a_month_is_that_of_the_column_of_months(chat: Callable[..., list[str]]) -> None:
    files = {"crew": "Sailor,Joined\nOda,2020-02-03\nPer,2021-05-04\n", "watches": WATCHES}
    february, march = chat(files, "How many watches were there in February?", "How many watches in march?")
    assert "where “Month” is “Feb”" in february and " is 11." in february
    assert " is 10." in march
    (none,) = chat({"watches": WATCHES}, "How many watches were there in October?")
    assert "“Oct”" in none and " is 0" not in none


def test_who_earns_the_most(chat: Callable[..., list[str]]) -> None:
    crew = CREW.replace("Pay", "Salary")
    most, least = chat({"crew": crew}, "Who earns the most?", "Who is the worst paid on the Brisk?")
    assert "- Sailor: Per, Salary: 52 €" in most
    assert "- Sailor: Eli, Salary: 30 €" in least


def test_heads_in_german(chat: Callable[..., list[str]]) -> None:
    stock = "Artikelnr;Ware;Preis\n7052;Tau;803,1 €\n1204;Anker;12,25 €\n9981;Segel;1.292,2 €\n3310;Boje;45 €\n"
    more, cost = chat({"lager": stock}, "How many items cost more than 500 €?", "What does the Tau cost?")
    assert " is 2." in more and "- 803.1 €" in cost


def test_means_of_money_have_cents(chat: Callable[..., list[str]]) -> None:
    groups, alone = chat({"crew": CREW}, "average pay by ship", "What is the average pay on the Brisk?")
    assert "| Brisk | 36.33 € |" in groups and "| Gale | 43.50 € |" in groups
    assert "is 36.33 €." in alone


def test_units_stand_apart(chat: Callable[..., list[str]]) -> None:
    heaviest, all_, mean = chat(
        {"cargo": CARGO}, "Which crate is the heaviest?", "top 2 crates by mass", "average span by crate"
    )
    assert "- Crate: K3, Mass: 31 kg" in heaviest
    assert "| Crate | Mass (kg) |" in all_ and "| K3 | 31 |" in all_
    assert "Average Span (cm)" in mean or "Average span (cm)" in mean


def test_a_japanese_follow_up_is_of_the_table_before_it(chat: Callable[..., list[str]]) -> None:
    said = chat(
        {"水産": FISH, "当直": SHIFTS},
        *("水揚げの合計は？", "港別では？", "では残業の合計は？", "水揚げの合計は？", "函館は？"),
        language="ja",
    )
    assert "350" in said[0] and "| 函館 | 180 |" in said[1]
    assert "37" in said[2] and "350" in said[3] and "180" in said[4]
    (of_one,) = chat({"当直": SHIFTS}, "青木さんの残業の合計は？", language="ja")
    assert "12" in of_one
    most, where = chat({"水産": FISH, "当直": SHIFTS}, "残業が一番多い船員は？", "班はどこ？", language="ja")
    assert "石川" in most and "乙" in where


@pytest.mark.parametrize("asked", ["And the average?", "And the highest?", "and the total?", "And the rest?"])
def test_no_place_is_called_so(asked: str) -> None:
    weather = [("What is the weather in Bergen?", "Weather in Bergen, Norway: now 7 °C, rain. [1]")]
    assert followed(asked, weather) == asked
    assert followed("And in Molde?", weather) == "What is the weather in Molde?"


def test_what_was_given_alone_needs_no_line() -> None:
    given, seen = (Claim(0, 2, "12", "number", verdict) for verdict in VERDICTS)
    assert not Evidence((given,), looked_up=True).rests_on_results
    assert Evidence((given, seen), looked_up=True).rests_on_results
    assert not Evidence((given, seen)).rests_on_results


def test_an_article_in_capitals_is_the_figure_one() -> None:
    assert followed("what about 40 songs?", [("Is A day or a week longer?", "That is beyond my rules.")])
