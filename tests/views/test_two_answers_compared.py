"""Which figures of two answers are marked: those that one of them alone has, and what stands in their places."""

from __future__ import annotations

from agent.views.two_answers import compared
from tests.support.cases import each

FIRST = (
    "Frozen grew from 33,105 to 37,440, up 13.1%. Bakery has 25.6%.\n\n"
    "| Part | Change |\n|---|---|\n| Frozen | +13.1% |"
)


@each(
    "left, right, marked, differing",
    [
        (FIRST, FIRST, ([], []), 0),
        (FIRST, FIRST.replace("25.6%", "26.5%"), (["25.6%"], ["26.5%"]), 1),
        # The table of the second answer has 13.1%, too: what its sentence says instead is marked in both.
        (FIRST, FIRST.replace("13.1%", "13.4%", 1), (["13.1%"], ["13.4%"]), 1),
        (FIRST.replace("13.1%", "13.4%", 1), FIRST, (["13.4%"], ["13.1%"]), 1),
        ("It cost 5 euros.", "In all it cost 5 euros, so 2 each.", ([], ["2"]), 1),
    ],
)
def test_what_is_marked(left: str, right: str, marked: tuple[list[str], list[str]], differing: int) -> None:
    found = compared(left, right)
    assert ([left[slice(*one)] for one in found.left], [right[slice(*one)] for one in found.right]) == marked
    assert found.differing == differing
