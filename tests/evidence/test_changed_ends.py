"""The ends of a change that is worked out from them, in a row whose words the answer does not say."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

SHARE = '{"symbol": "ORTA", "name": "Orta Inc.", "previous_close": 314.22, "close": 320.8, "volume": 7265084}'
CLUBS = "club,members_old,members_new\nRowing,412,447\nChess,96,81\n"


@each(
    ("answer", "text", "expected", "observed"),
    [
        ("The share rose by 2.1% to $320.80.", "$320.80", "seen", SHARE),
        ("It gained 2.1% from $314.22 to $320.80.", "$314.22", "seen", SHARE),
        ("It gained 2.1% from $314.22 to $320.80.", "$320.80", "seen", SHARE),
        ("It gained 2.1% from $320.80.", "$320.80", "elsewhere", SHARE),
        ("The share rose by 2.1% to $314.22.", "$314.22", "elsewhere", SHARE),
        ("Orta closed at $320.80, after $314.22 the day before.", "$314.22", "seen", SHARE),
        ("Orta closed at $320.80, after $314.22 yesterday.", "$314.22", "seen", SHARE),
        ("Orta closed at $314.22.", "$314.22", "elsewhere", SHARE),
        ("Rowing grew by 8.5%.", "8.5%", "worked_out", CLUBS),
        ("Chess grew by 18.5%.", "18.5%", "not_found", CLUBS),
        ("Chess fell by 18.5%.", "18.5%", "differs", CLUBS),
        ("Chess grew by 15.6%.", "15.6%", "differs", CLUBS),
        ("Chess fell by 15.6%.", "15.6%", "worked_out", CLUBS),
    ],
)
def test_an_end_of_a_change(answer: str, text: str, expected: str, observed: str) -> None:
    assert verdict(answer, text, observed, "How did the share of Orta do?") == expected
