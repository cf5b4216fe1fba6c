"""What follows from tables as reports have them: averages of two balances, terms, sections, tables in one another."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

BALANCES = """| | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
|  | £m | £m | £m |
| Pension contributions | 318 | 294 | 257 |
| Severance costs | 61 | 83 | 48 |
| Net borrowings | 2,914 | 3,306 | 3,052 |
"""
CHANGES = """| (In thousands) | 2023 | Change increase (decrease) | 2022 | Change increase (decrease) | 2021 |
| --- | --- | --- | --- | --- | --- |
| Training revenue | $48,317 | $3,926 | $44,391 | $(2,754) | $47,145 |
| Support revenue | 91,642 | 5,118 | 86,524 | 7,961 | 78,563 |
"""
VARIATION = """| | Year ended May 31, | Year ended May 31, | Year ended May 31, | Variation | Variation |
| --- | --- | --- | --- | --- | --- |
| | 2023 | 2022 | 2021 | 2023 vs 2022 | 2022 vs 2021 |
| | (In millions) | (In millions) | (In millions) | | |
| Gross profit | $1,417 | $1,283 | $1,196 | 10.4% | 7.3% |
| Operating profit | $612 | $574 | $498 | 6.6% | 15.3% |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        # An average of a year is that of its start and its end.
        (BALANCES, "The change between 2022 and 2023 average net borrowings: 69 million.", "69 million", "worked_out"),
        (BALANCES, "The change between 2022 and 2023 average net borrowings: 96 million.", "96 million", "not_found"),
        (
            BALANCES,
            "The change between 2022 and 2023 average pension contributions: 30.5 million.",
            "30.5",
            "worked_out",
        ),
        (
            BALANCES,
            "The change between 2022 and 2023 average pension contributions: 36.5 million.",
            "36.5",
            "not_found",
        ),
        (
            BALANCES,
            "The average pension contributions fell by 30.5 million between 2022 and 2023.",
            "30.5",
            "differs",
        ),
        (
            BALANCES,
            "The difference between 2023 average pension contributions and 2023 average severance costs: 234 million.",
            "234",
            "worked_out",
        ),
        (
            BALANCES,
            "The difference between 2022 average pension contributions and 2022 average severance costs: 234 million.",
            "234",
            "not_found",
        ),
        (
            BALANCES,
            "The difference between 2023 average pension contributions and 2023 average severance costs: 243 million.",
            "243",
            "not_found",
        ),
        # The average of a row is of its years, not of the changes between them.
        (CHANGES, "The average annual training revenue: 46,617.67 thousand.", "46,617.67", "worked_out"),
        (CHANGES, "The average annual training revenue: 46,671.67 thousand.", "46,671.67", "not_found"),
        (CHANGES, "The average annual support revenue: 46,617.67 thousand.", "46,617.67", "not_found"),
        (VARIATION, "The average gross profit: 1,298.67 million.", "1,298.67", "worked_out"),
        (VARIATION, "The average gross profit: 1,289.67 million.", "1,289.67", "not_found"),
        (VARIATION, "The average operating profit over the three years: 561.33 million.", "561.33", "worked_out"),
        (VARIATION, "The average operating profit over the three years: 1,298.67 million.", "1,298.67", "not_found"),
    ],
)
def test_averages_of_years(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


TERMS = """| | | Payments due by period | | | |
| --- | --- | --- | --- | --- | --- |
| Commitments | Total | Less than 1 Year | 1-3 Years | 3-5 Years | More than 5 Years |
| Bank loans | $8,214.5 | $312.4 | $1,976.3 | $2,408.9 | $3,516.9 |
| Leases | 941.7 | 118.6 | 207.2 | 184.5 | 431.4 |
| Purchases | 1,306.2 | 874.1 | 291.8 | 96.3 | 44.0 |
| Total | $10,462.4 | $1,305.1 | $2,475.3 | $2,689.7 | $3,992.3 |
"""
TERMS_BELOW = """| £ million | 2023 | 2022 |
| --- | --- | --- |
| Within one year | 214.6 | 198.3 |
| Between one and two years | 176.2 | 181.5 |
| Between two and five years | 402.9 | 377.4 |
| After five years | 655.8 | 701.2 |
| Total | 1,449.5 | 1,458.4 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        (TERMS, "Bank loans that are due within 5 years: $4,697.6.", "$4,697.6", "worked_out"),
        (TERMS, "Bank loans that are due within 5 years: $4,679.6.", "$4,679.6", "not_found"),
        (TERMS, "Bank loans that are due within 3 years: $2,288.7.", "$2,288.7", "worked_out"),
        (TERMS, "Bank loans that are due within 3 years: $4,697.6.", "$4,697.6", "not_found"),
        (TERMS, "Bank loans that are due after 1 year: $7,902.1.", "$7,902.1", "worked_out"),
        (TERMS, "Lease payments due in 5 years or below: 510.3.", "510.3", "worked_out"),
        (TERMS, "Purchases due within five years come to 1,262.2.", "1,262.2", "worked_out"),
        (TERMS, "Leases due within five years come to 1,262.2.", "1,262.2", "not_found"),
        (TERMS, "The proportion of bank loans due in 5 years or less: 0.572.", "0.572", "worked_out"),
        (TERMS, "The proportion of bank loans due in 5 years or less: 0.527.", "0.527", "not_found"),
        (TERMS, "Of all leases, 54.19% are due within 5 years.", "54.19%", "worked_out"),
        (TERMS, "Of all leases, 54.91% are due within 5 years.", "54.91%", "not_found"),
        (TERMS_BELOW, "In 2023, payments due within five years were 793.7 million.", "793.7", "worked_out"),
        (TERMS_BELOW, "In 2022, payments due within five years were 793.7 million.", "793.7", "elsewhere"),
        (TERMS_BELOW, "In 2023, payments due within two years were 390.8 million.", "390.8", "worked_out"),
        (TERMS_BELOW, "In 2023, payments due after one year were 1,234.9 million.", "1,234.9", "worked_out"),
        (TERMS_BELOW, "In 2023, payments due after one year were 1,243.9 million.", "1,243.9", "not_found"),
    ],
)
def test_what_is_due_until_a_time(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


BONDS = """| | June 30, 2023 | | June 30, 2022 | |
| --- | --- | --- | --- | --- |
| (In millions) | Carrying Amount | Fair Value | Carrying Amount | Fair Value |
| Credit line due March 2025 | $ 312.7 | $ 312.7 | $ 290.4 | $ 290.4 |
| 3.25% Secured Bonds due June 2024 | 204.3 | 201.8 | 203.9 | 206.2 |
| 4.50% Secured Bonds due May 2026 | 351.6 | 340.7 | 351.1 | 358.0 |
| 2.875% Secured Bonds due October 2028 | 418.2 | 377.9 | 417.8 | 431.5 |
| 5.75% Secured Bonds due May 2034 | 266.9 | 259.4 | — | — |
| Other loans | 38.5 | 38.5 | 44.1 | 44.1 |
| Total | $ 1,592.2 | $ 1,531.0 | $ 1,307.3 | $ 1,330.2 |
"""
RENTS = """| | 2024 | 2025 | 2026 | 2027 | 2028 | Thereafter | Total |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Offices | 41.3 | 38.7 | 30.2 | 22.6 | 17.9 | 64.8 | 215.5 |
| Warehouses | 12.8 | 12.4 | 9.7 | 9.1 | 5.6 | 11.3 | 60.9 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        (
            BONDS,
            "The total carrying amount of secured bonds due by May 2026 as of June 30, 2023: 555.9 million.",
            "555.9",
            "worked_out",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due by May 2026 as of June 30, 2023: 595.5 million.",
            "595.5",
            "not_found",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due by October 2028 as of June 30, 2023: 974.1 million.",
            "974.1",
            "worked_out",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due by May 2026 as of June 30, 2023: 974.1 million.",
            "974.1",
            "not_found",
        ),
        (
            BONDS,
            "The total fair value of secured bonds due by 2026 as of June 30, 2023: 542.5 million.",
            "542.5",
            "worked_out",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due by 2026 as of June 30, 2022: 555.0 million.",
            "555.0",
            "worked_out",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due after 2026 as of June 30, 2023: 685.1 million.",
            "685.1",
            "worked_out",
        ),
        (
            BONDS,
            "The total carrying amount of secured bonds due after 2024 as of June 30, 2023: 685.1 million.",
            "685.1",
            "elsewhere",
        ),
        (RENTS, "Office rents due by 2026 come to 110.2 million.", "110.2", "worked_out"),
        (RENTS, "Office rents due by 2027 come to 110.2 million.", "110.2", "not_found"),
        (RENTS, "Office rents due after 2026 come to 105.3 million.", "105.3", "worked_out"),
        (RENTS, "Office rents due after 2026 come to 40.5 million.", "40.5", "elsewhere"),
        (RENTS, "Of the warehouse rents, 57.3% are due through 2026.", "57.3%", "worked_out"),
        (RENTS, "Of the warehouse rents, 53.7% are due through 2026.", "53.7%", "not_found"),
    ],
)
def test_what_is_due_until_a_year(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


SECTIONS = """| | As reported | Adjustments | Restated |
| --- | --- | --- | --- |
| Assets | | | |
| Trade receivables | $31,482 | (2,316) | $29,166 |
| Deferred tax | 17,925 | (814) | 17,111 |
| Other current items | 12,067 | (1,549) | 10,518 |
| Liabilities | | | |
| Deferred income | $21,903 | (3,105) | $18,798 |
| Provisions | 9,641 | (627) | 9,014 |
"""
TITLES = """| | | Percent Change | | |
| --- | --- | --- | --- | --- |
| (Dollars in millions) | 2023 | Actual | Constant | 2022 |
| | Fees and Royalties: | | | |
| Europe (1) | $9,263 | 4% | 5% | $8,907 |
| Africa (1) | 3,118 | 6% | 9% | 2,941 |
| | Expenses: | | | |
| Europe (1) | $4,082 | 2% | 3% | $4,002 |
| Africa (1) | 1,527 | 1% | 2% | 1,512 |
| | % of Fees by Region: | | | |
| Europe | 75% | | | 75% |
| Africa | 25% | | | 25% |
"""
RIGHT = """| | As reported | Adjustments | Restated |
| --- | --- | --- | --- |
| Assets | | | |
| Trade receivables | $31,482 | (2,316) | $29,166 |
| Other assets | 17,925 | (814) | 17,111 |
| | Debts and Equity | | |
| Deferred income | $21,903 | (3,105) | $18,798 |
| Provisions | 9,641 | (627) | 9,014 |
"""
UNNAMED = """| | 2023 | 2022 |
| --- | --- | --- |
| Basic earnings per unit (cents) | | |
| Going concerns | 87.3 | 92.6 |
| Sold businesses | 41.8 | 6.9 |
| | 129.1 | 99.5 |
| Diluted earnings per unit (cents) | | |
| Going concerns | 86.4 | 91.7 |
| Sold businesses | 41.5 | 6.8 |
| | 127.9 | 98.5 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        (SECTIONS, "The total assets as reported: 61,474.", "61,474", "worked_out"),
        (SECTIONS, "The total assets as reported: 61,447.", "61,447", "not_found"),
        (SECTIONS, "The total assets as restated: 56,795.", "56,795", "worked_out"),
        (SECTIONS, "The total liabilities as restated: 27,812.", "27,812", "worked_out"),
        (SECTIONS, "The total liabilities as reported: 61,474.", "61,474", "not_found"),
        (TITLES, "In 2022, Europe brought 5,966 million more fees and royalties than Africa.", "5,966", "worked_out"),
        (TITLES, "In 2022, Europe brought 6,145 million more fees and royalties than Africa.", "6,145", "elsewhere"),
        (TITLES, "In 2022, the expenses of Europe were 2,490 million above those of Africa.", "2,490", "worked_out"),
        (TITLES, "In 2022, the expenses of Europe were 2,940 million above those of Africa.", "2,940", "not_found"),
        (RIGHT, "The total assets as reported: 49,407.", "49,407", "worked_out"),
        (RIGHT, "The total debts and equity as reported: 31,544.", "31,544", "worked_out"),
        (RIGHT, "The total debts and equity as reported: 49,407.", "49,407", "elsewhere"),
        (RIGHT, "The total debts and equity as restated: 27,812.", "27,812", "worked_out"),
        (UNNAMED, "The average total basic earnings per unit for 2022 and 2023: 114.3.", "114.3", "worked_out"),
        (UNNAMED, "The average total basic earnings per unit for 2022 and 2023: 113.4.", "113.4", "not_found"),
        (UNNAMED, "The average total diluted earnings per unit for 2022 and 2023: 113.2.", "113.2", "worked_out"),
        (UNNAMED, "Total basic earnings per unit rose by 29.75% from 2022 to 2023.", "29.75%", "worked_out"),
        (UNNAMED, "Total diluted earnings per unit rose by 29.85% from 2022 to 2023.", "29.85%", "worked_out"),
        (UNNAMED, "Total basic earnings per unit fell by 29.75% from 2022 to 2023.", "29.75%", "differs"),
    ],
)
def test_what_sections_come_to(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


STACKED = """| | | As of June 30, 2023 | | |
| --- | --- | --- | --- | --- |
| | Amortized | Unrealized | Unrealized | Fair |
| | Cost | Gains | Losses | Value |
| City bonds | $84,316 | $2,917 | $1,204 | $86,029 |
| State bonds | 61,509 | 733 | 2,461 | 59,781 |
| Total | $145,825 | $3,650 | $3,665 | $145,810 |
| | | As of June 30, 2022 | | |
| | Amortized | Unrealized | Unrealized | Fair |
| | Cost | Gains | Losses | Value |
| City bonds | $79,640 | $5,382 | $467 | $84,555 |
| State bonds | 58,127 | 914 | 1,836 | 57,205 |
| Total | $137,767 | $6,296 | $2,303 | $141,760 |
"""


@each(
    ("answer", "figure", "found"),
    [
        ("The unrealized gains of state bonds in 2022 were 914.", "914", "seen"),
        ("The unrealized gains of state bonds in 2023 were 914.", "914", "elsewhere"),
        ("The unrealized gains of state bonds in 2023 were 733.", "733", "seen"),
        ("Of the total unrealized gains in 2022, 14.52% came from state bonds.", "14.52%", "worked_out"),
        ("Of the total unrealized gains in 2023, 20.08% came from state bonds.", "20.08%", "worked_out"),
        ("Of the total unrealized gains in 2022, 15.42% came from state bonds.", "15.42%", "not_found"),
        ("Of the total unrealized gains in 2022, 20.08% came from state bonds.", "20.08%", "elsewhere"),
        # From one of the tables to the other.
        ("The unrealized gains of state bonds fell by 181 from 2022 to 2023.", "181", "worked_out"),
        ("The unrealized gains of state bonds rose by 181 from 2022 to 2023.", "181", "differs"),
        ("The unrealized gains of state bonds fell by 118 from 2022 to 2023.", "118", "not_found"),
        ("The unrealized gains of state bonds fell by 19.8% from 2022 to 2023.", "19.8%", "worked_out"),
        ("The unrealized gains of state bonds fell by 18.9% from 2022 to 2023.", "18.9%", "not_found"),
        ("The fair value of city bonds rose by 1,474 from 2022 to 2023.", "1,474", "worked_out"),
        ("The fair value of state bonds rose by 1,474 from 2022 to 2023.", "1,474", "not_found"),
        ("The unrealized losses of city bonds rose by 1,474 from 2022 to 2023.", "1,474", "not_found"),
        ("The average amortized cost of city bonds in 2022 and 2023 was 81,978.", "81,978", "worked_out"),
    ],
)
def test_tables_below_one_another_in_one(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, STACKED) == found


RATES = """| | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| | % | % | % |
| Discount rate | 3.1 | 2.7 | 2.2 |
| Expected growth of pensions | 1.8 | 1.8 | 1.9 |
"""


@each(
    ("answer", "figure", "found"),
    [
        ("The change in the expected growth of pensions between 2022 and 2023: 0%.", "0%", "worked_out"),
        ("The expected growth of pensions changed by 0 percentage points from 2022 to 2023.", "0", "worked_out"),
        ("The change in the expected growth of pensions between 2021 and 2022: 0%.", "0%", "not_found"),
        ("The change in the discount rate between 2022 and 2023: 0%.", "0%", "not_found"),
        ("The expected growth of pensions in 2023 was 0%.", "0%", "not_found"),
    ],
)
def test_no_change(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, RATES) == found


ORDER = """Item,Quantity,Unit price
Desk lamps,14,38.50
Office chairs,9,129.90
Whiteboards,4,84.75
Filing cabinets,6,212.40
"""
OPTIONS = """| | Number of Options | Average Price |
| --- | --- | --- |
| Outstanding at March 31, 2021 | 612,400 | $4.15 |
| Granted | 88,300 | $7.02 |
| Exercised | (51,250) | $3.48 |
| Forfeited | (12,940) | $4.33 |
| Outstanding at March 31, 2022 | 636,510 | $4.58 |
| Granted | 110,720 | $8.14 |
| Exercised | (74,365) | $3.77 |
| Forfeited | (19,180) | $5.05 |
| Outstanding at March 31, 2023 | 653,685 | $5.21 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        (ORDER, "Desk lamps and whiteboards cost 878.00 together.", "878.00", "worked_out"),
        (ORDER, "Desk lamps and office chairs cost 878.00 together.", "878.00", "not_found"),
        (ORDER, "Desk lamps and whiteboards cost 887.00 together.", "887.00", "not_found"),
        (
            ORDER,
            "The total cost of office chairs, whiteboards and filing cabinets is 2,782.50.",
            "2,782.50",
            "worked_out",
        ),
        (ORDER, "The total cost of the order is 3,321.50.", "3,321.50", "worked_out"),
        (ORDER, "The total cost of desk lamps and whiteboards is 3,321.50.", "3,321.50", "not_found"),
        (
            OPTIONS,
            "The total price of options exercised or forfeited between 2021 and 2022: 234,380.20.",
            "234,380.20",
            "worked_out",
        ),
        (
            OPTIONS,
            "The total price of options exercised or forfeited between 2021 and 2022: 234,830.20.",
            "234,830.20",
            "not_found",
        ),
        (
            OPTIONS,
            "The total price of options exercised or forfeited between 2022 and 2023: 377,215.05.",
            "377,215.05",
            "worked_out",
        ),
        (
            OPTIONS,
            "The total price of options exercised or forfeited between 2022 and 2023: 234,380.20.",
            "234,380.20",
            "not_found",
        ),
    ],
)
def test_prices_times_numbers_of_named_rows(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found
