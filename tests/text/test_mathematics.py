"""Which of the dollars and brackets of a text are mathematics."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.text.mathematics import MOST_CHARACTERS, formula_at
from tests.support.cases import each

FORMULAS = {
    "$x$": ("x", False),
    "$x^2$": ("x^2", False),
    "$n = 10$": ("n = 10", False),
    "$f(x) = 2x + 1$": ("f(x) = 2x + 1", False),
    "$99 = 98 + 1$": ("99 = 98 + 1", False),
    "$2x = 4$": ("2x = 4", False),
    r"$\frac{24}{2} = 12$": (r"\frac{24}{2} = 12", False),
    r"$5\,\text{cm}$": (r"5\,\text{cm}", False),
    r"$\text{5 cm}$": (r"\text{5 cm}", False),
    r"$25\%$ of": (r"25\%", False),
    r"$\{1\}_n$": (r"\{1\}_n", False),
    r"\(a + b\)": ("a + b", False),
    r"\( x \)": ("x", False),
    r"\[x = 5\]": ("x = 5", True),
    "$$x^2$$": ("x^2", True),
    "$$\nx\n= \\sum_{i=1}^n i\n$$": (r"x = \sum_{i=1}^n i", True),
    r"$$\begin{align}a &= 1 \\ b &= 2 \tag{1}\end{align}$$": (
        r"\begin{aligned}a &= 1 \\ b &= 2 \qquad\text{(1)}\end{aligned}",
        True,
    ),
}
NONE = (
    *("$5", "$5 and $6", "$5-$6", "$5 M$", "$5$", "$$8$$", "$1.50/$2", "$ x^2 $", "$x^2 $", "$x$y", "$HOME/$USER_X"),
    *("$A_B and $C_D", "$PATH$", "$x", "$$x^2$", "$x^2$$", "$$$x^2$$$", "$x\\$", r"$a \$ b^2$", "$$\n\nx^2\n$$", "$$"),
    *(
        r"\[1\]",
        r"\[x\]",
        r"\[see below\]",
        r"\(see below\)",
        r"\(5\)",
        r"\(a \(x^2\)",
        "x^2",
        "$x^{2$",
        "$x}^2{$",
        "$`x^2`$",
    ),
    *(r"$\href{https://a.test}{x}$", r"$\includegraphics{a}$", r"$\rule{90em}{90em}$", r"$x\hspace{-9em}$"),
    *(
        r"$\def\x{y}\x$",
        r"$\color{white}x$",
        r"$\llap{over}x$",
        r"$x \\[90em] y$",
        "$x^2 % hidden$",
        r"$\htmlId{a}{x}$",
    ),
    *("$x^2![a](b)$", "$x^2 https://a.test$", "$x" + "^2" * MOST_CHARACTERS + "$"),
)


@each("text", FORMULAS)
def test_mathematics_is_found(text: str) -> None:
    found = formula_at(text, 0)
    assert found and (found.tex, found.display) == FORMULAS[text]
    assert text[found.end - 1] in "$)]"


@each("text", NONE)
def test_money_names_brackets_and_what_could_draw_elsewhere_are_text(text: str) -> None:
    assert formula_at(text, 0) is None


@given(st.text(alphabet="$\\()[]{}^_x1 \n%`=", max_size=40))
def test_a_formula_has_no_delimiter_within_and_its_braces_are_closed(text: str) -> None:
    for start in range(len(text)):
        found = formula_at(text, start)
        if found:
            assert "$" not in found.tex and "\n" not in found.tex and "`" not in found.tex and found.tex.strip()
            assert start < found.end <= len(text)
            bare = found.tex.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
            assert bare.count("{") == bare.count("}")
