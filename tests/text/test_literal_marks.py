"""Text of data within Markdown is shown as it stands."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent.text.literal_marks import literal, unmarked
from tests.support.cases import each

_TEXT = st.text(st.sampled_from("a1 *_`[]()~\\&;|#->.!$"), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split())
)


def shown(markdown: str) -> str:
    """The text of one paragraph, as a reader of Markdown shows it; tags stand for marks that acted."""
    return "".join(
        child.content if child.type in ("text", "text_special") else f"<{child.tag or child.type}>"
        for token in MarkdownIt("commonmark").enable("strikethrough").parse(markdown)
        for child in token.children or ()
    )


@given(_TEXT)
@example("$x^2$ `code`")
@example("[link](http://x)")
@example("a\\*b*")
@example("C:\\")
@example("&amp; ~~gone~~")
def test_a_text_is_shown_as_it_stands(text: str) -> None:
    assert shown(f"- {literal(text)}") == text or not text
    assert unmarked(literal(text)) == text


@each("text", ["R&D", "snake_case", "$52,000", "61,500 $", "C:\\temp", "2 * 3", "5 > 4", "1.5", "-5", "see [1", "a_1"])
def test_what_does_not_act_stays(text: str) -> None:
    assert literal(text) == text


@each(("text", "marked"), [("$x^2$", "\\$x^2\\$"), ("**Ann**", "\\*\\*Ann\\*\\*"), ("1. one", "1\\. one")])
def test_what_acts_is_marked(text: str, marked: str) -> None:
    assert literal(text) == marked
