"""A short figure that some step between many values meets by chance is no proof; the step that stands beside it is."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

OBSERVED = """ferry,cars,lorries,coaches,crew
Alba,412,141,37,29
Brise,385,92,44,31
Corail,268,117,23,26
Delfin,530,208,61,38
"""


@each(
    ("answer", "figure", "found"),
    [
        # 141 ÷ 412 is one of many shares of these eight values: 34 % may as well be a wrong one.
        (
            "Alba carried 412 cars and 141 lorries, Brise 385 and 92, Corail 268 and 117, Delfin 530 and 208, "
            "where night crossings make up 34% of all.",
            "34%",
            "possible",
        ),
        ("Alba carried 412 cars and 141 lorries (34% as many).", "34%", "worked_out"),
        # With four digits hardly any other step comes to it.
        (
            "Alba carried 412 cars and 141 lorries, Brise 385 and 92, Corail 268 and 117, Delfin 530 and 208, "
            "where the share of Alba is 34.22%.",
            "34.22%",
            "worked_out",
        ),
        ("Alba carried 412 cars and 141 lorries (39% as many).", "39%", "not_found"),
        # The sentence names both rows and the column.
        ("Alba carried 7% more cars than Brise.", "7%", "worked_out"),
        # 412 − 385 are cars, and no share.
        ("The Alba carried 27.0% more cars than the Brise.", "27.0%", "elsewhere"),
    ],
)
def test_many_values_explain_a_short_figure_by_chance(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, OBSERVED) == found


def test_no_share_is_worked_out_from_what_other_sentences_say() -> None:
    told = (
        "Alba carried 412 cars and 141 lorries. Brise had 385 and 92. Corail had 268 and 117. Delfin had 530 and 208."
    )
    answers = {share: f"{told}\n\nBookings by telephone rose by {share}%." for share in range(20, 90)}
    assert not [share for share, answer in answers.items() if verdict(answer, f"{share}%", OBSERVED) == "worked_out"]


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Easter", "Whitsun", "Lent")
HIGHS = "day,high\n" + "".join(f"{day},{8 + 2 * number} °C\n" for number, day in enumerate(DAYS))
SHOPS = "| Shop | Orders | Late |\n| --- | --- | --- |\n| Nord | 1,250 | 75 |\n| Ost | 910 | 41 |\n"


@each(
    ("answer", "figure", "observed", "found"),
    [
        # One of ten temperatures comes to almost any such figure, and no day is named.
        ("It may reach 54 °F.", "54 °F", HIGHS, "elsewhere"),
        ("The high on Wednesday is 54 °F.", "54 °F", HIGHS, "worked_out"),
        ("The Orso makes 410 hp.", "410 hp", "The Orso makes 306 kW and weighs 1.9 t.", "worked_out"),
        ("The Orso makes 410 hp.", "410 hp", "The Orso makes 306 kW (411 hp) and weighs 1.9 t.", "differs"),
        ("Nord sent 75 of 1,250 orders late: 6.0%, or 6.0 in 100.", "6.0 in", SHOPS, "worked_out"),
        ("- Nord sent 6.0% of 1,250 orders late.\n- Ost has a score of 6.0.", "6.0.", SHOPS, "possible"),
    ],
)
def test_what_is_told_or_said_near_by_is_no_chance(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found
