"""What a reply quotes: the same whatever is asked first, though its lines are read only as far as that needs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.wire.react.quotations import Quoting

PIECES = st.sampled_from(
    [
        "So it goes on here.",
        "Here:",
        "",
        "\n",
        "```",
        "```python",
        "~~~",
        "Thought: t",
        "Action: search",
        "Action Input: x",
        "Observation: y",
        "Final Answer: z",
        "> a",
        "| a | b |",
        "-x",
        "    a",
        "<pre>",
        "</pre>",
        "<!--",
        "-->",
        "He said “so",
        "it is”.",
        "It is `<|im_end|>`, so.",
        "<|im_end|>",
        "- <|eot_id|>: ends a turn",
        "`Action: search` is a label.",
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("\n".join)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(TEXTS, st.booleans())
def test_what_quotes_does_not_depend_on_what_was_asked_before(text: str, whole: bool) -> None:
    asked = Quoting(text, whole=whole)
    forward = [asked.quotes(at) for at in range(len(text))]
    again = Quoting(text, whole=whole)
    assert [again.quotes(at) for at in reversed(range(len(text)))] == forward[::-1]


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_what_is_shown_does_not_depend_on_what_was_asked_before(text: str) -> None:
    asked = Quoting(text)
    shown = asked.shown_tokens(0, len(text))
    forward = [shown(at) for at in range(len(text))]
    assert [Quoting(text).shown_tokens(0, len(text))(at) for at in range(len(text))] == forward
    assert all(text.startswith("<", at) for at, is_shown in enumerate(forward) if is_shown)


@pytest.mark.parametrize(
    ("block", "quotes"),
    [
        ("```\nAction: x\n\nso\n```", True),
        ("> Action: x\n> so:\n>", True),
        ("| a |\n| Action: x |\n| b |", True),
        ("-a\n+Action: x\n-b", True),
        ("<details>\nAction: x\n\nso</details>", True),
        ("\n\n \nAction: x", False),
    ],
)
def test_lines_of_one_block_are_one_quote(block: str, quotes: bool) -> None:
    text = f"So it is:\n\n{block}\n\nIt goes on behind that."
    assert [Quoting(text).quotes(at) for at in range(text.index("Action"), text.index(": x"))] == [quotes] * 6
