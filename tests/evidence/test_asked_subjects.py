"""What a figure is of, where only the question says it."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

ACCOUNTS = """| (in millions) | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Net sales | 812.4 | 765.9 | 701.2 |
| Cost of sales | 503.7 | 481.3 | 452.8 |
| Operating income | 96.3 | 88.1 | 71.5 |
| Total current assets | 294.6 | 271.8 | 240.3 |
| Total current liabilities | 151.2 | 160.7 | 139.9 |
"""
KESSAN = """| 項目 | 2023年3月期(百万円) | 2024年3月期(百万円) |
| --- | --- | --- |
| 売上高 | 48,210 | 52,374 |
| 売上原価 | 31,905 | 33,841 |
| 当期純利益 | 2,907 | 3,488 |
| 資産合計 | 88,415 | 93,602 |
| 純資産合計 | 39,774 | 42,190 |
"""
TOWNS = """| Town | Schools | Visitors |
| --- | --- | --- |
| Lundby | 28 | 91,240 |
| Vikmo | 11 | 32,805 |
| Soldal | 19 | 57,318 |
| Hareid | 5 | 12,047 |
"""


@each(
    ("table", "question", "answer", "figure", "found"),
    [
        # The name of a ratio or of a difference.
        (ACCOUNTS, "What was the operating margin in 2021?", "It came to 10.2%.", "10.2%", "worked_out"),
        (ACCOUNTS, "What was the operating margin in 2021?", "It came to 10.7%.", "10.7%", "not_found"),
        (ACCOUNTS, "What was the operating margin in 2021?", "It came to 11.9%.", "11.9%", "elsewhere"),
        (ACCOUNTS, "What was the working capital in 2022?", "It was $111.1 million.", "$111.1", "worked_out"),
        (ACCOUNTS, "What was the working capital in 2022?", "It was $111.7 million.", "$111.7", "not_found"),
        (KESSAN, "2023年3月期の自己資本比率は何%か。", "計算すると44.99%になります。", "44.99%", "worked_out"),
        (KESSAN, "2023年3月期の自己資本比率は何%か。", "計算すると44.96%になります。", "44.96%", "not_found"),
        (KESSAN, "2023年3月期の当期純利益を総資産で割ると何%か。", "3.29%です。", "3.29%", "worked_out"),
        (KESSAN, "2023年3月期の当期純利益を総資産で割ると何%か。", "3.39%です。", "3.39%", "not_found"),
        (KESSAN, "2024年3月期の売上総利益はいくらか。", "18,533百万円です。", "18,533百万円", "worked_out"),
        (KESSAN, "2024年3月期の売上総利益はいくらか。", "18,538百万円です。", "18,538百万円", "not_found"),
        # Of all: only where the sentence says next to nothing itself.
        (TOWNS, "What share of all schools are in Lundby?", "44.4%.", "44.4%", "worked_out"),
        (TOWNS, "What share of all schools are in Lundby?", "45.4%.", "45.4%", "not_found"),
        (
            TOWNS,
            "What share of all went to Vikmo?",
            "Vikmo raised its old ticket price by 17.0%.",
            "17.0%",
            "elsewhere",
        ),
        # A ratio that the sentence itself names comes first, and of several lines the one that it answers.
        (ACCOUNTS, "What was the working capital?\nHow much was won?", "It was $8.1 million.", "$8.1", "not_found"),
    ],
)
def test_the_question_says_the_subject(table: str, question: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table, question) == found
