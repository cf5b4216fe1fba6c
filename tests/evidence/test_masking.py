"""What of an answer is no claim: figures of file names and of formulas that only say how something is worked out."""

from __future__ import annotations

import pytest

from agent.evidence.masking import masked
from tests.support.cases import each
from tests.support.traced import marked


def figures(text: str) -> list[str]:
    blank = masked(text, [])
    assert len(blank) == len(text)
    return [word.strip(".,;") for word in blank.split() if any(character.isdigit() for character in word)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("In sales_2024.csv and Q3-2023.xlsx there are 14 rows.", ["14"]),
        ("See report2024.pdf, v2_final.parquet: 3.5 km.", ["3.5"]),
        ("It was 3.5 km in 2020. The rest is 1.2.", ["3.5", "2020", "1.2"]),
        ("costs $5 and $6", ["$5", "$6"]),
        ("So $x^2 - 5x + 6 = 0$ gives $x = 2$ or $x = 3$.", ["2", "3"]),
        (r"$\frac{24}{2} = 12$ and \(1{,}000 \times 3 = 3000\)", ["24", "2", "12", "1,000", "3", "3000"]),
        (r"About $3 \times 10^{8}$ m/s, $25\%$ of $a_1 + b_2$", ["25"]),
        (r"\(v = s / t = 120 / 2 = 60\), $n = 7$", ["60", "7"]),
        (r"\[x_{1,2} = \frac{-5 \pm 1}{2}\]", []),
        ("`$x = 3$` 5", ["5"]),
        ("Top 10 by moons: Saturn 146. The top-3 are 95, トップ10 and 上位5カ国 too.", ["146", "95"]),
        ("Bottom 3 by moons. First 10 rows, the last 20 entries, 先頭の10行、最後の5件、下位3社", []),
        ("The first 2 goals fell in the last 5 minutes; the bottom 5% won 10 rows.", ["2", "5", "5%", "10"]),
        (
            "The top 5% earn 1.2 million; 上位5％, top 2.5, a stop 12, top 1000",
            ["5%", "1.2", "上位5％", "2.5", "12", "1000"],
        ),
        ("That is beyond me. Try “15% of 80” or “90 days from today”. It is 7.", ["7"]),
        ("Of the table t, ask “Total of 2024?”, or connect a model.", []),
        ("その質問には答えられません。「100円の8%は？」や「2の3乗」を試すか、モデルを接続してください。", []),
        ("I cannot read 80. Did you mean: Total of 2024 where “year” is 1999?\nIt is 7.", ["80", "7"]),
        ("読み取れません。もしかして: 「表」で「年」が2024の行は？", []),
        ("I will try 15% of 80 or 12.", ["15%", "80", "12"]),
        ("They ask “42 what?” and «it» says 5.", ["“42", "5"]),
        ("彼は「100円の8%は8円」と言った。", ["彼は「100円の8%は8円」と言った。"]),
    ],
)
def test_what_is_left(text: str, left: list[str]) -> None:
    assert figures(text) == left


RUNS = {
    "blanks below a line": "x\n" + " " * 300_000 + "x",
    "blanks behind a heading's mark": "x\n# " + " " * 300_000,
    "blanks behind a pipe": "x\n|" + " " * 300_000 + "x",
    "dashes below a line": "x\n" + "-" * 300_000 + "x",
    "bars below a line": "x\n--" + "-|" * 150_000 + "x",
}


@each("text", RUNS.values(), ids=RUNS)
def test_a_long_run_of_one_character_is_read_in_time_that_grows_with_it(text: str) -> None:
    """It would take half an hour, were the time to grow with the square of its length."""
    assert len(masked(text, [])) == len(text)


def test_a_long_item_below_a_count_is_read_in_time_that_grows_with_it() -> None:
    assert marked("There are 3 cities:\n- a" + " " * 100_000 + "x", "Rome, Oslo") == ["3"]


@each(
    ("answer", "left"),
    [
        ("We ran alpha-7b, gpt-4o and Qwen2.5-1.5B.", []),
        ("Llama-3.1-8B-Instruct beat claude-3-opus and text-embedding-3-small.", []),
        ("It was gemma-2-9b-it, phi-3-mini or gemini-1.5-flash.", []),
        ("The GPT-4 and GPT\u20114 models are old.", []),
        ("The iPhone 15 Pro has iOS 17.2, the iPad 9 has not.", []),
        # A count, a span, a sign or a unit is a claim, whatever stands before it.
        ("It fell by -7 % and dropped to -4C.", ["-7 %", "-4C"]),
        ("In 2019-20 it rose.", ["2019", "20"]),
        ("A three-to-5-year plan for under-21s.", ["three", "5-year", "21s"]),
        ("A sub-10km race, about-50km away, up-to-30% off.", ["10km", "50km", "30%"]),
        ("It was a USD-5m deal for 3-4B people.", ["USD-5", "3", "4B"]),
        ("A mid-60s man in a pre-2015 house.", ["60s", "2015"]),
        ("The score was lions-14 at last.", ["14"]),
        ("iPhone 15 million times.", ["15 million times"]),
    ],
)
def test_figures_in_names_of_models_and_products_are_no_claims(answer: str, left: list[str]) -> None:
    assert [
        text for text in marked(answer, "Nothing of note was seen.") if any(map(str.isdigit, text)) or text == "three"
    ] == left
