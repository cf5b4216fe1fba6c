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
    ],
)
def test_many_values_explain_a_short_figure_by_chance(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, OBSERVED) == found
