"""Questions of a table of which no rule reads every word: the rows with what they name, or nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.everyday import Answered, Everyday, Room, everyday_room

pytestmark = pytest.mark.system

FILE = '''question = []
[tables]
festival_appearances = """
Year,Festival,Work,Prize,Result,Notes
2011,Rivermouth Film Festival,The Salt Road,Best Director,Nominated,with Ana Brandão
2013,Rivermouth Film Festival,Glass Harbour,Best Director,Won,
2013,Golden Reel Awards,Glass Harbour,Best Editing,Nominated,
2016,Northlight Festival,A Winter's Ferry,Jury Prize,Won,shared with Tom Rowe
2019,Golden Reel Awards,Quiet Numbers,Best Director,Won,
2021,Rivermouth Film Festival,Quiet Numbers,Audience Prize,Nominated,
2022,São Bento Days,The Last Kiln,Jury Prize,Won,
"""
ferries = """
Ferry,Route,Captain,Built,Seats
Tern,Long Strait,Ingrid Dahl,2020,520
Fulmar,Long Strait,Hamish Orr,1995,430
Petrel,Harbour Isles,Ines Costa,2008,210
Skua,Outer Sound,Pavel Novak,2014,300
Gannet,Harbour Isles,Ingrid Dahl,2001,180
"""
seasons = """
Club,Season,Division,League Apps,League Goals,Cup Apps,Cup Goals,Shield Apps,Shield Goals,Total Apps,Total Goals
Tarn Rovers (First Division),Tarn Rovers (First Division),Tarn Rovers (First Division),,,,,,,,
Tarn Rovers,1951–52,First,38,11,2,1,1,0,41,12
Tarn Rovers,1952–53,First,40,17,3,2,0,0,43,19
Quay Town,1953–54,Second,35,9,1,0,2,2,38,11
Quay Town,1954–55,Second,29,6,4,3,1,0,34,9
"""
sieges = """
Year,Event,Description,Leader,Fell
711 12 March,Siege of Talmar,The walls held,deputy marshal,
719 April,Crossing of Reed,The army crosses in the night,Arno B. Lund,719-04-02
719 November,Fight at Sole Ford,The rear guard is beaten off,Green captain,
720 January,Siege of Kestos,The town burns,Arno C. Brek,
"""
releases = """
Country,Date,Format
United Kingdom,"September 27, 2005",single
Canada,"March 17, 2006",download
New Zealand,"May 2, 2006",disc
"""
vote = """
Party,Votes,Seats
Meadow Party,4210,9
River Union,3950,8
Hill Alliance,2702,5
"""
meets = """
Meet,Venue,Place
Nordic Cup,"Vang, Hedmark",2nd
Winter Days,"Lom, Oppland",1st
Fjell Open,"Otta, Oppland",3rd
"""
wide = """
Who,M1,M2,M3,M4,M5,M6,M7,M8,M9,M10,M11,M12,M13
Ada Fell,1,2,3,4,5,6,7,8,9,10,11,12,13
Ada Fell,2,3,4,5,6,7,8,9,10,11,12,13,14
Bo Lind,3,4,5,6,7,8,9,10,11,12,13,14,15
Cy Marr,4,5,6,7,8,9,10,11,12,13,14,15,16
"""
"選手の成績" = """
シーズン,所属,リーグ,試合
2015,浜松FC,二部,22
2016,浜松FC,二部,30
2017,ヴェント福山,一部,18
"""
"駅の一覧" = """
駅名,路線,所在地
桜台,湾岸線,緑区桜台
大池,湾岸線,緑区大池
潮見,山手支線,港区潮見
"""
'''
FOUND = [
    ("festival_appearances", "When did the director win at the Northlight Festival?", ["2016", "A Winter's Ferry"]),
    ("festival_appearances", "What did A Winter's Ferry win?", ["Jury Prize", "2016"]),
    ("festival_appearances", "How did Quiet Numbers do at the Golden Reel Awards?", ["2019", "Best Director", "Won"]),
    (
        "festival_appearances",
        "What happened in 2013 at the Rivermouth Film Festival?",
        ["Glass Harbour", "Best Director"],
    ),
    ("festival_appearances", "Who did they share the Jury Prize with in 2016?", ["Tom Rowe"]),
    ("festival_appearances", "Did Ana Brandao come along to Rivermouth?", ["2011", "The Salt Road"]),
    ("festival_appearances", "How did things go at Sao Bento?", ["2022", "The Last Kiln"]),
    ("ferries", "Whose boat is the Skua?", ["Pavel Novak"]),
    ("ferries", "Where does Ines Costa sail?", ["Petrel", "Harbour Isles"]),
    ("seasons", "How did he do at Quay Town in 1954–55?", ["Total Apps: 34", "Total Goals: 9"]),
    ("sieges", "What was the fight in November 719?", ["Sole Ford"]),
    ("sieges", "Where did Arno B. Lund fight?", ["Crossing of Reed"]),
    ("sieges", "Where did the deputy marshal and the Green captain fight?", ["Talmar", "Sole Ford"]),
    ("releases", "How did it come out in the UK and Canada?", ["2005-09-27", "download"]),
    ("releases", "How did it come out on March 17, 2006?", ["download"]),
    ("meets", "Which meet was in Oppland?", ["Winter Days", "Fjell Open"]),
    ("駅の一覧", "桜台駅はどの区にありますか？", ["湾岸線", "緑区桜台"]),
]
LEFT = [
    ("festival_appearances", "What shoes did Tom Rowe wear?"),
    ("festival_appearances", "Why did Glass Harbour lose?"),
    ("festival_appearances", "Glass Harbour's budget?"),
    ("festival_appearances", "What happened in 2014 at the Rivermouth Film Festival?"),
    ("ferries", "How much does the Tern burn?"),
    ("ferries", "Which boats on the Long Strait creak?"),
    ("ferries", "Will the Gannet sail next week?"),
    ("ferries", "What colour is the Gannet?"),
    ("ferries", "Who built the Titanic?"),
    ("ferries", "Where does Ines Holm sail?"),
    ("ferries", "Who overtook and defeated Ines Costa?"),
    ("ferries", "Where did Ines Costa sail? Who came in the previous year?"),
    ("ferries", "What was the weather like on the Skua?"),
    ("seasons", "What happened in the First Division?"),
    ("sieges", "Which event was there in May 720?"),
    ("sieges", "What took place in January 719?"),
    ("vote", "Which party did the best?"),
    ("vote", "Who competed with the River Union in the series?"),
    ("選手の成績", "浜松FCの監督は？"),
    ("駅の一覧", "桜台駅の駅長は誰ですか？"),
    ("駅の一覧", "桜台駅の隣の駅は？"),
    ("駅の一覧", "桜台駅には改札がありますか？"),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    file = tmp_path_factory.mktemp("mentioned") / "tables.toml"
    file.write_text(FILE, encoding="utf-8")
    sandbox = Sandbox()
    with everyday_room(sandbox, file) as made:
        yield made
    sandbox.close()


def asked(room: Room, table: str, *questions: str) -> Answered:
    return room.ask(Everyday(0, "", questions, table=table))


@pytest.mark.parametrize(("table", "question", "wanted"), FOUND, ids=[question for _, question, _ in FOUND])
def test_whole_rows_with_what_is_named(room: Room, table: str, question: str, wanted: list[str]) -> None:
    answer = asked(room, table, question).answer
    whole = ("I did not read every word of this.", "言葉の一部は読み飛ばしました。")
    assert answer.startswith(whole) or table == "meets"
    assert all(one in answer for one in wanted), answer


@pytest.mark.parametrize(("table", "question"), LEFT, ids=[question for _, question in LEFT])
def test_what_no_row_can_answer_is_declined(room: Room, table: str, question: str) -> None:
    assert Everyday(0, "", (question,), declines=True).judged(asked(room, table, question).answer) == "right"


def test_what_is_named_and_not_there_is_said(room: Room) -> None:
    answer = asked(room, "festival_appearances", "Did Glass Harbour play with Mira Solano in 2013?").answer
    assert "Not in the table: “Mira Solano”." in answer
    assert answer.count("Glass Harbour") == 2 + 1  # two rows, and how it was looked for


def test_columns_that_are_left_out_are_said(room: Room) -> None:
    answer = asked(room, "wide", "What did Ada Fell measure?").answer
    assert "Columns not shown: M12, M13." in answer


def test_right_words_are_no_slips(room: Room) -> None:
    answer = asked(room, "vote", "What series and films did the River Union appear in 2003, 2005, and 2010?").answer
    assert "I read “" not in answer
    assert "2012" not in answer


def test_the_statements_are_those_of_the_steps(room: Room) -> None:
    found = asked(room, "ferries", "Where does Ines Costa sail?")
    assert len(found.calls) == 3
    assert all(call.startswith("query: SELECT ") for call in found.calls)
    assert "Costa" not in found.calls[0].split("VALUES")[0]


def test_hostile_names_stay_texts(room: Room) -> None:
    answer = asked(room, "ferries", "Where is Skua') OR 1=1 -- sailing, O'Brien \"; DROP TABLE ferries?").answer
    assert "Tern" not in answer
    assert asked(room, "ferries", "How many rows?").answer.endswith("is 5.")


def test_a_value_that_no_row_has_beside_what_is_named_is_told(room: Room) -> None:
    answered = asked(room, "festival_appearances", "When was the director nominated at the Northlight Festival?")
    assert "but not “nominated”" in answered.answer and "2016" in answered.answer


def test_what_a_column_is_called_is_not_missing(room: Room) -> None:
    answered = asked(room, "festival_appearances", "What are the Notes on A Winter's Ferry, please?")
    assert "Tom Rowe" in answered.answer and "Not in the table" not in answered.answer, answered.answer
