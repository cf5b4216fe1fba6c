"""Times that a question names by their distance from the day on which it was asked, a Saturday in November 2026."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

ROWS = "2 rows:\nname | hired\nMoira | 7\nAnselm | 12"


@each(
    ("question", "answer", "figure", "found"),
    [
        ("How many were hired last year?", "In 2025, Moira hired 7.", "2025", "given"),
        ("How many were hired last year?", "In 2024, Moira hired 7.", "2024", "not_found"),
        ("How many were hired next year?", "In 2025, Moira hired 7.", "2025", "not_found"),
        ("Wie viele waren es letztes Jahr?", "2025 waren es bei Moira 7.", "2025", "given"),
        ("去年は何人？", "2025年はMoiraが7人です。", "2025", "given"),
        ("How many were hired last month?", "In October 2026, Moira hired 7.", "October 2026", "given"),
        ("How many were hired this month?", "In October 2026, Moira hired 7.", "October 2026", "not_found"),
        ("How many were hired yesterday?", "On 20 November 2026, Moira hired 7.", "20 November", "given"),
        ("How many were hired yesterday?", "On 22 November 2026, Moira hired 7.", "22 November", "differs"),
        ("How many did the lastyear club hire?", "In 2025, Moira hired 7.", "2025", "not_found"),
    ],
)
def test_named_by_the_distance_from_today(question: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, ROWS, question) == found


def test_the_end_of_a_year_is_no_day_of_the_month_behind_it() -> None:
    assert verdict("The 2026 of March 2026 is 140.", "March 2026", "1 row:\nmonth | 2026\nMarch 2026 | 140") == "seen"
