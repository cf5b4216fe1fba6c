"""What a query gives: one row of figures, one column of values, and the answer's own table of them."""

from __future__ import annotations

from agent.events import Answered, Asked, Observed, Replied, ToolCalled
from agent.evidence import check
from agent.messages import Usage
from tests.support.cases import each
from tests.support.traced import verdict

SUM = "1 row:\ntotal_fare HUGEINT | rows_used BIGINT\n1870 | 3"
MEAN = "1 row:\naverage_length DOUBLE | rows_used BIGINT\n1912 | 4"
FIRST = "1 row:\nvessel BIGINT | owner VARCHAR | price BIGINT | berths BIGINT\n2031 | Ida Lund | 1650 | 4"
COUNT = "1 row:\nnumber_of_rows BIGINT\n6"
OPENED = "1 row:\nopened BIGINT | berths BIGINT\n1998 | 42"
DEBUT = "1 row:\ndebut BIGINT | berths BIGINT\n1998 | 42"
SHIPS = "3 rows:\nship VARCHAR\nTern 11\nTern 12\nTern 14"
FARES = "2 rows:\nfare DOUBLE\n12.4\n16.8"
BERTHS = "2 rows:\nberth VARCHAR\n3C\n7F"
WORDY = (
    "1 row:\nrows_named BIGINT | percent_of_rows DOUBLE | total_toll HUGEINT | percent_of_all_toll DOUBLE | "
    "average_toll DOUBLE | lowest_toll BIGINT | highest_toll BIGINT\n4 | 36.4 | 820 | 29.9 | 205 | 190 | 240"
)
OWN = """| | Total | Of all | Average | Lowest | Highest |
| --- | ---: | ---: | ---: | ---: | ---: |
| Toll (£) | 820 | 29.9% | 205 | 190 | 240 |
"""


@each(
    ("answer", "text", "observed", "wanted"),
    [
        # A figure that could be a year is an amount where its head, its type or its own sign say so.
        ("From 3 rows of trips, the total fare is £1,870.", "£1,870", SUM, "seen"),
        ("From 3 rows of trips, the total fare is £1,870.", "3 rows", SUM, "seen"),
        ("The average length is 1,912 m.", "1,912", MEAN, "seen"),
        ("- Vessel: 2031, Owner: Ida Lund, Price: £1,650, Berths: 4", "£1,650", FIRST, "seen"),
        # The value of another column.
        ("The total fare is £3.", "£3", SUM, "elsewhere"),
        ("The average length is 4 m, of 1,912 boats.", "4 m", MEAN, "elsewhere"),
        # Years stay years.
        ("It opened in 1998.", "1998", OPENED, "seen"),
        ("It first sailed in 1998.", "1998", DEBUT, "seen"),
        ("It opened in 1997.", "1997", OPENED, "not_found"),
        # The only figure that was asked for.
        ("Im Juni waren es 6 Boote.", "6 Boote", COUNT, "seen"),
        ("条件に合う船は6隻です。", "6", COUNT, "seen"),
        ("条件に合う船は8隻です。", "8", COUNT, "not_found"),
        # Rows of one column are no names with numbers.
        ("- Tern 11\n- Tern 12\n- Tern 14", "14", SHIPS, "seen"),
        ("- Tern 11\n- Tern 12\n- Tern 15", "15", SHIPS, "not_found"),
        ("2 rows of fares:\n\n- £12.40\n- £16.80", "£16.80", FARES, "seen"),
        ("2 rows of fares:\n\n- £12.40\n- £18.60", "£18.60", FARES, "not_found"),
        ("2 berths are free:\n\n- 3C\n- 7F", "7", BERTHS, "seen"),
    ],
)
def test_one_row_or_one_column_is_what_was_asked_for(answer: str, text: str, observed: str, wanted: str) -> None:
    assert verdict(answer, text, observed) == wanted


@each(
    ("answer", "text", "wanted"),
    [
        (OWN, "820", "seen"),
        (OWN, "205", "seen"),
        (OWN.replace("820", "205 ").replace("| 205 |", "| 820 |"), "205", "elsewhere"),
        (OWN.replace("820", "870"), "870", "not_found"),
    ],
)
def test_a_cell_of_the_answer_is_of_its_own_column(answer: str, text: str, wanted: str) -> None:
    assert verdict(answer, text, WORDY) == wanted


def test_a_figure_is_no_word_of_its_own_cell() -> None:
    observed = "2 rows:\nboat VARCHAR | sail_m2 BIGINT | cabins BIGINT\nTern 11 | 68 | 2\nTern 12 | 74 | 2"
    answer = "| Boat | Sail (m2) | Cabins |\n| --- | --- | --- |\n| Tern 11 | 68 | 2 |\n| Tern 12 | 74 | 2 |\n"
    assert verdict(answer, "2 |\n| Tern 12", observed) == "seen"


def _asked_with(sql: str, answer: str) -> dict[str, str]:
    events = [
        Asked("Which boats are moored there?", 1_795_219_200.0),
        Replied("t", "thought", Usage(), 1.0, 0.1),
        ToolCalled("c", "query", sql, {"sql": sql}),
        Observed("c", SHIPS),
        Answered(answer),
    ]
    return {claim.text: claim.verdict for claim in check(events).claims}


def test_a_text_by_which_rows_were_picked_is_seen() -> None:
    sql = 'SELECT "ship" FROM "fleet" WHERE "berth" = \'North Quay\''
    assert _asked_with(sql, "Rows where berth is “North Quay”: 3 ships")["North Quay"] == "seen"
    assert _asked_with(sql, "Rows where berth is “South Quay”: 3 ships")["South Quay"] == "not_found"
    assert _asked_with(sql, "Rows where berth is “North”: 3 ships")["North"] == "not_found"
