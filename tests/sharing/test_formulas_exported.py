"""Formulas in an exported answer: MathML of known elements, and nothing of what a formula's author could smuggle in."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.sharing.export.answer_html import Mark, answer_html

KNOWN = {"p", "code", "math", "mark", "span", "em", "strong", "ul", "ol", "li", "br", "a", "div", "table", "thead"}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    return Tags(answer_html(text)).seen


def test_a_formula_is_mathml_and_money_is_money() -> None:
    html = answer_html(r"It is $x^2$, costs $5 and \[\frac{a}{b} = 2\]")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in html
    assert "<mfrac>" in html and '<math display="block">' in html
    assert "costs $5 and" in html


def test_lines_of_equations_are_a_table() -> None:
    html = answer_html("$$\n\\begin{align}a &= 1 \\\\\nb &= 2\\end{align}\n$$")
    assert html.count("<mtr>") == 2 and "&amp;" not in html


def test_code_is_no_formula() -> None:
    assert "<math" not in answer_html("`$x^2$`\n\n```\n$$x^2$$\n```")


def test_what_cannot_be_read_is_shown_as_typed() -> None:
    assert r"<code>\left( x^2</code>" in answer_html(r"$\left( x^2$")


def test_a_mark_in_a_formula_does_not_cut_it() -> None:
    text = "So $x = 12$ and 13."
    at = text.index("12")
    html = answer_html(
        text, [Mark(at, at + 2, "mark differs", "t", "c1", "≠"), Mark(16, 18, "mark seen", "t", "c2", "1")]
    )
    assert "<mn>12</mn>" in html and ">13</a>" in html


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{<script>alert(1)</script>}^2$",
        r"$\text{&lt;img src=x onerror=alert(1)&gt;}^2$",
        r"$\style{background:url(x)}{y}^2$ $\class{a}{x}_1$ $\href{javascript:1}{x}^2$ $\mathrm{<b>}^2$",
        r"$\text{\"><iframe src=x>}^2$",
    ],
)
def test_nothing_in_a_formula_is_markup(text: str) -> None:
    for tag, attributes in tags(text):
        assert tag.startswith("m") or tag in KNOWN, tag
        assert not {"href", "src", "style", "class", "onerror", "id"} & set(attributes)


@given(st.text(alphabet=r"\{}^_&<>\"' xabtexfrclign12[]", max_size=40))
def test_no_formula_breaks_the_page(tex: str) -> None:
    for tag, attributes in tags(f"${tex}^2$"):
        assert tag.startswith("m") or tag in KNOWN, tag
        assert not {"href", "src", "style", "onerror"} & set(attributes)
