"""What a screen reader says of an answer."""

from __future__ import annotations

import pytest

from pages.ui.text.aloud import aloud

TABLE = "I read this as: sales\n\n| City | Average |\n| --- | ---: |\n| Oslo | 1,234.5 |\n| \\*\\*b | $x |"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("15% of 80 is 12.", "15% of 80 is 12."),
        (TABLE, "I read this as: sales\nCity, Average\nOslo, 1,234.5\n**b, $x"),
        ("The **mean** is `2 * 3`, see [the page](http://example.com).", "The mean is 2 * 3, see the page."),
        ("# Steps\n1. one\n2. two\n\n- a\n- b", "Steps\none\ntwo\na\nb"),
        ("```\nx = 1\n```\n<b>as it stands</b>", "x = 1\n<b>as it stands</b>"),
        ("2 * 3 = 6, a_b", "2 * 3 = 6, a_b"),
        ("表です。\n\n| 都市 |\n| --- |\n| 東京 |", "表です。\n都市\n東京"),
        ("[1]: http://example.com", "[1]: http://example.com"),
        ("", ""),
    ],
)
def test_an_answer_is_said_in_its_words_without_the_marks_of_markdown(answer: str, said: str) -> None:
    assert aloud(answer) == said
