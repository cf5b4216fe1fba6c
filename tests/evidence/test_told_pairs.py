"""A change of two years is that of the years that the sentence says, and of no other pair."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

TRADE = """| (€ million) | 2023 | 2022 | 2021 | 2020 |
| --- | --- | --- | --- | --- |
| Domestic sales | 1,318.6 | 1,207.5 | 1,144.9 | 1,096.3 |
| Exports | 742.1 | 689.4 | 701.8 | 655.2 |
| Headcount | 5,214 | 5,087 | 4,936 | 4,951 |
"""


@each(
    ("answer", "figure", "found"),
    [
        ("Domestic sales rose by 9.2% from 2022 to 2023.", "9.2%", "worked_out"),
        ("Domestic sales rose by 9.2% from 2021 to 2022.", "9.2%", "not_found"),
        ("Domestic sales rose by 9.2% from 2021 to 2023.", "9.2%", "elsewhere"),
        ("Domestic sales rose by 9.2% between 2020 and 2022.", "9.2%", "differs"),
        ("Domestic sales rose by 9.2% in 2023.", "9.2%", "worked_out"),
        ("Domestic sales rose by 9.2% in 2022.", "9.2%", "differs"),
        ("In 2022 domestic sales rose by 9.2%.", "9.2%", "differs"),
        ("Compared with 2022, domestic sales rose by 9.2%.", "9.2%", "worked_out"),
        ("Domestic sales rose by 5.5% from 2021 to 2022, and by 9.2% from 2022 to 2023.", "9.2%", "worked_out"),
        ("Domestic sales rose by 5.5% from 2021 to 2022, and by 9.2% from 2022 to 2023.", "5.5%", "worked_out"),
        ("Domestic sales rose by 9.2% from 2021 to 2022, and by 5.5% from 2022 to 2023.", "9.2%", "elsewhere"),
        ("Domestic sales rose by 9.2% from 2021 to 2022, and by 5.5% from 2022 to 2023.", "5.5%", "elsewhere"),
        ("Domestic sales rose by 5.5% in 2022 and by 9.2% in 2023.", "9.2%", "worked_out"),
        ("Domestic sales rose by 5.5% in 2022 and by 9.2% in 2023.", "5.5%", "worked_out"),
        ("Domestic sales rose by 9.2% in 2022 and by 5.5% in 2023.", "9.2%", "elsewhere"),
        ("Exports grew by 52.7 million between 2022 and 2023.", "52.7", "worked_out"),
        ("Exports grew by 52.7 million between 2021 and 2022.", "52.7", "not_found"),
        ("Exports fell by 12.4 million from 2021 to 2022.", "12.4", "worked_out"),
        ("Exports fell by 12.4 million from 2022 to 2023.", "12.4", "not_found"),
        (
            "Domestic sales went from 1,207.5 million in 2022 to 1,318.6 million in 2023, a rise of 9.2%.",
            "9.2%",
            "worked_out",
        ),
        ("The percentage change in headcount between 2021 and 2023: 5.63%.", "5.63%", "worked_out"),
        ("The percentage change in headcount between 2021 and 2022: 5.63%.", "5.63%", "not_found"),
        ("The average headcount of 2021 and 2022: 5,011.5.", "5,011.5", "worked_out"),
        ("The average headcount of 2022 and 2023: 5,011.5.", "5,011.5", "elsewhere"),
        ("The headcount grew by 127 people in 2023, after 151 in 2022.", "127", "worked_out"),
        ("Over three years, from 2020 to 2023, exports gained 13.3%.", "13.3%", "worked_out"),
        ("Exports gained 13.3% from 2021 to 2023.", "13.3%", "not_found"),
        ("Verglichen mit 2022 stiegen die Domestic sales um 9,2 %.", "9,2 %", "worked_out"),
        ("Domestic sales were up 9.2% on 2022.", "9.2%", "worked_out"),
        ("Domestic sales were 9.2% above those of 2022.", "9.2%", "worked_out"),
        ("Domestic sales were 9.2% ahead of 2022.", "9.2%", "worked_out"),
        ("Domestic sales have grown by 9.2% since 2022.", "9.2%", "worked_out"),
        ("In the year to 2023, domestic sales grew by 9.2%.", "9.2%", "worked_out"),
        ("In the three years to 2023, exports gained 13.3%.", "13.3%", "worked_out"),
        ("Growth of domestic sales 2022–2023: 9.2%.", "9.2%", "worked_out"),
        ("Growth of domestic sales 2021–2022: 9.2%.", "9.2%", "not_found"),
        ("Les domestic sales ont augmenté de 9,2 % par rapport à 2022.", "9,2 %", "worked_out"),
        ("Las domestic sales crecieron un 9,2 % respecto a 2022.", "9,2 %", "worked_out"),
        ("Le domestic sales sono aumentate del 9,2 % rispetto al 2022.", "9,2 %", "worked_out"),
        ("Domestic salesは2022年比で9.2%増加した。", "9.2%", "worked_out"),
        ("Domestic salesは2022年から2023年にかけて9.2%増加した。", "9.2%", "worked_out"),
        ("Domestic salesは2021年から2023年にかけて9.2%増加した。", "9.2%", "elsewhere"),
        ("Domestic sales at December 31, 2023 were up 9.2% on the year before.", "9.2%", "worked_out"),
        ("Domestic sales at December 31, 2022 were up 9.2% on the year before.", "9.2%", "differs"),
    ],
)
def test_years_of_a_change(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, TRADE) == found


ROWS = """Year,Visitors,Members
2020,48230,1912
2021,51744,1987
2022,55391,2140
2023,61278,2206
"""


@each(
    ("answer", "figure", "found"),
    [
        ("Visitors rose by 10.63% from 2022 to 2023.", "10.63%", "worked_out"),
        ("Visitors rose by 10.63% from 2021 to 2022.", "10.63%", "elsewhere"),
        ("Visitors rose by 10.63% from 2021 to 2023.", "10.63%", "elsewhere"),
        ("From 2021 to 2022 there were 3,647 more visitors.", "3,647", "worked_out"),
        ("From 2020 to 2022 there were 3,647 more visitors.", "3,647", "elsewhere"),
        ("From 2022 to 2023 there were 3,647 more visitors.", "3,647", "elsewhere"),
        ("The average number of visitors in 2021 and 2022 was 53,567.5.", "53,567.5", "worked_out"),
        ("The average number of visitors in 2022 and 2023 was 53,567.5.", "53,567.5", "elsewhere"),
    ],
)
def test_years_of_rows(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, ROWS) == found


@each(
    ("question", "found"),
    [
        ("By how much did exports change from 2020 to 2023?", "worked_out"),
        ("By how much did exports change from 2021 to 2023?", "elsewhere"),
        ("By how much did exports change?", "worked_out"),
    ],
)
def test_years_of_the_question(question: str, found: str) -> None:
    assert verdict("Exports rose by 13.3%.", "13.3%", TRADE, question) == found


@each(
    ("answer", "figure", "found"),
    [
        # 1,318.6 is 109.2 % of 1,207.5, and 9.2 % more.
        ("The percentage change in domestic sales from 2022 to 2023: 109.2%.", "109.2%", "not_found"),
        ("Domestic sales rose by 109.2% from 2022 to 2023.", "109.2%", "not_found"),
        ("Domestic sales grew 109.2% from 2022 to 2023.", "109.2%", "not_found"),
        ("Domestic sales in 2023 were 109.2% of those in 2022.", "109.2%", "worked_out"),
        ("As a percentage of 2022, domestic sales in 2023 were 109.2%.", "109.2%", "worked_out"),
        ("Domestic sales rose to 109.2% of those of 2022.", "109.2%", "worked_out"),
        ("The percentage growth in domestic sales from 2022 to 2023: 9.2%.", "9.2%", "worked_out"),
        ("In 2023 domestic sales grew; exports were 56.3% of them.", "56.3%", "worked_out"),
        # The difference of two years is no share.
        ("The change in exports between 2022 and 2023: 1.0%.", "1.0%", "not_found"),
        ("Headcount grew between 2022 and 2023 by 1%.", "1%", "not_found"),
    ],
)
def test_shares_are_no_changes(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, TRADE) == found
