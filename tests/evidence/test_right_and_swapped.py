"""Right figures keep their mark, and the wrong ones beside them get none: both of the same tables."""

from __future__ import annotations

from agent.events import Answered, Observed
from agent.evidence import check
from tests.support.cases import each

FERRIES = """| Ferry | Route | Built | Length (m) | Passengers | Cars | Crew |
| --- | --- | --- | --- | --- | --- | --- |
| Aurora | Holm–Vik | 1998 | 112 | 640 | 150 | 34 |
| Borea | Holm–Sund | 2006 | 87 | 420 | 96 | 22 |
| Dorado | Sund–Ness | 1987 | 64 | 260 | 38 | 14 |
"""


@each(
    ("table", "answer"),
    [
        (FERRIES, "It is 1e400 and 1e912 = 5 times more than 12."),
        ("a,b\nx,1e400\n", "From 12 to 1e400 km, about 1e400%, over 3e400."),
        (
            "| a | b |\n|---|---|\n| x | 1e912 |\n| y | 12 |\n",
            "The sum is 1e912 times 12, the mean 1e400 m = 1e397 km.",
        ),
    ],
)
def test_a_number_that_no_float_holds_is_checked_like_any_other(table: str, answer: str) -> None:
    claims = check([Observed("c", table), Answered(answer)]).claims
    assert any("e400" in claim.text or "e912" in claim.text for claim in claims)
