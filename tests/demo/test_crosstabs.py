"""Questions of tables with labels down the side and years across the top: answered whole, or declined."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as Flag

import pytest

from agent.events import ToolCalled
from agent.loop.agent import Agent, Before
from agent.runs.conversation import Question, answer
from agent.sandbox.client import Sandbox
from agent.views.fold import fold
from tests.support.everyday import DECLINED
from tests.support.file_chats import file_chats

pytestmark = pytest.mark.slow

FERRIES = """,,Year ended March 31,
,2031,2030,2029
,,(in thousands),
Operating income:,,,
Passenger fares,"$ 4,500","$ 4,000","$ 3,200"
Freight,"1,250","1,000",900
Total operating income,"5,750","5,000","4,100"
Operating expenses:,,,
Fuel,"(2,100)","(1,500)","(1,200)"
Crew,(900),(800),(760)
"Repairs and maintenance, net",(310),—,(150)
Net income,"2,440","2,700","1,990"
"""
LIBRARY = """単位：百万円,2031年3月期,2030年3月期
売上高,"8,000","6,400"
売上原価,"5,000","4,200"
売上総利益,"3,000","2,200"
販売費及び一般管理費,"2,200","1,700"
営業利益,800,500
当期純利益,△150,300
流動資産,"2,500","2,000"
資産合計,"10,000","8,000"
負債合計,"6,000","5,200"
純資産合計,"4,000","2,800"
"""
ENGLISH = (
    ("What was the amount of passenger fares in 2030?", ("4,000 (in thousands)",)),
    ("How much was fuel for the year ended March 31, 2031?", ("-2,100",)),
    ("What was the change in freight from 2030 to 2031?", ("Change: 250",)),
    ("What was the increase / (decrease) in net income between 2030 and 2031?", ("-260", "fall of 260")),
    ("What was the percentage change in passenger fares between 2029 and 2030?", ("25%",)),
    ("What is the percentage change in net income in FY2031?", ("-9.63%",)),
    ("What is the average freight over the years 2029 to 2031?", ("Average: 1,050",)),
    ("What was the average crew for 2030 and 2031?", ("-850",)),
    ("What is the total freight in 2030 and 2031?", ("Sum: 2,250",)),
    ("What were passenger fares in 2031 and 2030 respectively?", ("2031: 4,500", "2030: 4,000")),
    ("What was the ratio of freight to passenger fares in 2030?", ("Ratio: 0.25",)),
    ("What was freight as a percentage of total operating income in 2030?", ("Share: 20%",)),
    ("In which year was net income the highest?", ("Highest in: 2030",)),
    ("In which years was freight less than 1.1 million?", ("Periods: 2029, 2030", "Freight < 1100")),
    ("How many years did passenger fares exceed 3,500 thousand?", ("Periods: 2",)),
    ("What is the difference between passenger fares and freight in 2029?", ("Difference: 2,300",)),
    (
        "What is the difference between freight and passenger fares in 2029?",
        ("2,300 (in thousands); Freight is the lower one",),
    ),
    ("Which years does the table provide information for?", ("2031: 7 figures", "2030: 6 figures", "2029: 7 figures")),
    ("What was the change in crew from 2030 to 2031?", ("Change: -100 (in thousands).",)),
)
JAPANESE = (
    ("2031年3月期の売上高はいくらですか？", ("8,000百万円",)),
    ("前期の営業利益は？", ("500百万円",)),
    ("売上高は2030年3月期から2031年3月期にかけていくら増加したか。", ("増減額：1,600百万円", "1,600の増加")),
    ("2031年3月期の営業利益は前期比で何%変化したか。", ("60%",)),
    ("売上高の伸び率は？", ("増減率：25%",)),
    ("当期の営業利益率は何%か。", ("10%", "営業利益 ÷ 売上高")),
    ("営業利益率は2030年3月期から2031年3月期にかけて何ポイント変化しましたか", ("2.19ポイント",)),
    ("2031年3月期の自己資本比率は何%ですか", ("40%",)),
    ("2031年3月期の負債比率(負債/総資産)は何%か。", ("60%",)),
    ("2031年3月期の売上総利益から販管費を差し引いた額はいくらか。", ("800百万円",)),
    ("2030年3月期の負債合計と純資産合計の合計はいくらか", ("8,000百万円",)),
    ("2030年3月期から2031年3月期にかけて増収か減収か。", ("増収",)),
    ("売上高販管費率は2030年3月期から2031年3月期にかけて改善したか悪化したか。", ("悪化",)),
    ("2031年3月期の流動資産は総資産の何%を占めるか。", ("25%",)),
    ("売上高が最も大きかったのはいつですか", ("2031年3月期",)),
)
REFUSED = (
    ("ferries", "What was the change in harbour dues from 2030 to 2031?"),  # no such row
    ("ferries", "What was freight in 2028?"),  # no such year
    ("ferries", "What was the percentage change in income from 2030 to 2031?"),  # two rows of income
    ("ferries", "What was the change in repairs and maintenance from 2030 to 2031?"),  # no figure
    ("ferries", "Why did fuel rise from 2030 to 2031?"),
    ("ferries", "What was freight without parcels in 2031?"),
    ("ferries", "What was the change in freight in 2029?"),  # no year before
    ("ferries", "In which year was fuel the highest?"),  # all below zero: by size it is another one
    ("ferries", "How many years are highlighted in the table?"),
    ("library", "2029年3月期の売上高はいくらですか？"),  # no such year
    ("library", "2031年3月期の研究開発費はいくらか。"),  # no such row
    ("library", "当期純利益は2030年3月期から2031年3月期にかけて何%変化したか。"),  # from gain to loss
    ("library", "山田工業の2031年3月期の売上高はいくらか。"),  # of another company
)


@pytest.fixture(scope="module")
def chats(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Agent]]:
    with file_chats(
        sandbox, tmp_path_factory.mktemp("crosstabs"), (("ferries", FERRIES, "en"), ("library", LIBRARY, "ja"))
    ) as made:
        yield made


def asked(agent: Agent, question: str) -> tuple[str, list[str]]:
    events = list(answer(Question(question, Before({})), agent, Flag()))
    view = fold(events)
    return view.answer or str(view.failure), [event.tool for event in events if isinstance(event, ToolCalled)]


def test_questions_are_answered_by_a_query_with_how_they_were_read(chats: dict[str, Agent]) -> None:
    wrong: list[tuple[str, str]] = []
    for name, questions, read_as in (("ferries", ENGLISH, "I read this as: "), ("library", JAPANESE, "読み方: ")):
        for question, wanted in questions:
            said, tools = asked(chats[name], question)
            right = said.startswith(read_as) and tools == ["query"] and all(one in said for one in wanted)
            if not right:
                wrong.append((question, said))
    assert not wrong


def test_what_is_not_in_the_table_is_declined(chats: dict[str, Agent]) -> None:
    answers = [(question, asked(chats[name], question)[0]) for name, question in REFUSED]
    assert not [(question, said) for question, said in answers if not DECLINED.search(said)]
