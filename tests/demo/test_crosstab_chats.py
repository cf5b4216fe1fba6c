"""Chats about reports: what follows a question leans on its row and its periods, as the answer told them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as Flag

import pytest

from agent.events import Event
from agent.loop.agent import Agent, Before
from agent.runs.conversation import Question, answer
from agent.sandbox.client import Sandbox
from agent.views.fold import fold
from tests.support.everyday import DECLINED
from tests.support.file_chats import file_chats

pytestmark = pytest.mark.slow

MILL = """,,"Years ended 31 December,",
,2031,2030,2029
,,(in millions),
Revenues:,,,
Flour sales,420.5,400.0,380.0
Bran sales,60.0,48.0,40.0
Total revenues,480.5,448.0,420.0
Costs:,,,
Grain purchased,(210.0),(200.0),(190.0)
Wages and salaries,(90.0),(75.0),(60.0)
Depreciation expense,(30.0),(25.0),(20.0)
Net profit,150.5,148.0,150.0
"""
ZOO = """(in thousands),"Three months ended June 30, 2031","Three months ended June 30, 2030"
Ticket income,"1,200","1,000"
Shop income,300,250
Total income,"1,500","1,250"
Keepers,(400),(320)
Feed,(150),(200)
"""
RINK = """,FY2030,FY2031
Skate hire,"$1,000","$1,500"
Lessons,"$2,000","$1,800"
Café takings,$500,$700
Visitors,"40,000","44,000"
"""
YARD = """単位：百万円,2030年3月期,2031年3月期
売上高,"5,000","6,000"
売上原価,"3,000","3,300"
売上総利益,"2,000","2,700"
営業利益,400,900
当期純利益,250,500
資産合計,"8,000","9,000"
純資産合計,"3,200","4,500"
"""
TABLES = (("mill", MILL, "en"), ("zoo", ZOO, "en"), ("rink", RINK, "en"), ("yard", YARD, "ja"))
# Each question with what its answer has, none where it must be declined.
CHATS = (
    ("mill", ("What were flour sales in 2031?", "420.5"), ("and in 2029?", "Flour sales, 2029: 380")),
    ("mill", ("What was net profit in 2030?", "148"), ("And in 2031?", "Net profit, 2031: 150.5")),
    ("mill", ("Bran sales in 2031?", "60"), ("what about wages and salaries?", "Wages and salaries, 2031: -90")),
    ("zoo", ("How much was ticket income in 2031?", "1,200"), ("How about feed?", "Feed, 2031: -150")),
    (
        "mill",
        ("Bran sales in 2031?", "60"),
        ("how did it change from 2030 to 2031?", "Change: 12"),
        ("in percent?", "25%"),
    ),
    (
        "rink",
        ("What was skate hire in FY2031?", "1,500"),
        ("How did it change from FY2030 to FY2031?", "Change: 500"),
        ("In percent?", "50%"),
    ),
    (
        "mill",
        ("What was the change in wages and salaries between 2029 and 2031?", "-30"),
        ("and bran sales?", "Change: 20"),
    ),
    (
        "zoo",
        ("What was the percentage change in shop income from 2030 to 2031?", "20%"),
        ("and for ticket income?", "20%"),
    ),
    ("mill", ("What was bran sales as a percentage of total revenues in 2029?", "9.52%"), ("and in 2030?", "10.71%")),
    ("rink", ("What was the ratio of skate hire to lessons in FY2030?", "0.5"), ("And in FY2031?", "0.8333")),
    ("yard", ("2031年3月期の売上高はいくらですか？", "6,000"), ("2030年3月期は？", "5,000")),
    ("yard", ("2030年3月期の営業利益はいくらですか？", "400"), ("2031年3月期は？", "900")),
    ("yard", ("2031年3月期の売上高はいくらですか？", "6,000"), ("営業利益は？", "900")),
    ("yard", ("2030年3月期の売上原価は？", "3,000"), ("当期純利益は？", "250")),
    (
        "yard",
        ("2031年3月期の営業利益は？", "900"),
        ("前期比でいくら増加しましたか？", "500の増加"),
        ("何%ですか？", "125%"),
    ),
    (
        "yard",
        ("2031年3月期の売上高は？", "6,000"),
        ("前期と比べていくら増えましたか？", "1,000の増加"),
        ("何%増加しましたか？", "20%"),
    ),
    ("zoo", ("How much was ticket income in 2031?", "Ticket income, 2031: 1,200 (in thousands)")),
    ("zoo", ("What was the change in feed from 2030 to 2031?", "Feed, 2030: -200", "Feed, 2031: -150")),
    ("mill", ("What was the average depreciation expense over the years 2029 to 2031?", "-25", "2029, 2030, 2031")),
    ("mill", ("In which year was net profit the highest?", "2031"), ("and the lowest?", "2030")),
    ("mill", ("Bran sales in 2031?", "60"), ("and in 2027?",)),
    ("zoo", ("Ticket income in 2031?", "1,200"), ("and in 2029?",)),
    ("mill", ("Bran sales in 2031?", "60"), ("what about oat sales?",)),
    ("yard", ("2031年3月期の売上高は？", "6,000"), ("研究開発費は？",)),
    ("rink", ("What were lessons in FY2031?", "1,800"), ("why did they fall?",)),
    ("mill", ("Flour sales in 2031?", "420.5"), ("and without bran?",)),
    ("rink", ("Visitors in FY2030?", "40,000"), ("and in FY2031?", "44,000"), ("what was the increase?", "4,000")),
    ("mill", ("Net profit in 2029?", "150"), ("and in 2031?", "150.5"), ("and the difference?", "0.5")),
    (
        "mill",
        ("What was the total of flour sales and bran sales in 2030?", "448"),
        ("What was grain purchased in 2030?", "-200"),
    ),
    ("rink", ("What were café takings in FY2030 and FY2031?", "500", "700"), ("and lessons?", "2,000", "1,800")),
)


@pytest.fixture(scope="module")
def reports(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Agent]]:
    with file_chats(sandbox, tmp_path_factory.mktemp("reports"), TABLES) as made:
        yield made


def test_a_follow_up_is_of_the_row_and_the_periods_told_before(reports: dict[str, Agent]) -> None:
    wrong: list[tuple[str, str]] = []
    for name, *turns in CHATS:
        history: dict[str, list[Event]] = {}
        for number, (question, *wanted) in enumerate(turns):
            events = list(answer(Question(question, Before(dict(history))), reports[name], Flag()))
            history[str(number)] = events
            view = fold(events)
            said = view.answer or str(view.failure)
            right = all(one in said for one in wanted) if wanted else DECLINED.search(said) is not None
            if not right:
                wrong.append((question, said))
    assert not wrong
