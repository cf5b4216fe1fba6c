"""Which row a sentence means: by texts said whole, by names, by what is counted; and what no chance explains."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

CENSUS = """| Particulars | Total | Male | Female |
| --- | --- | --- | --- |
| Population | 4,718 | 2,401 | 2,317 |
| Literate | 2,962 | 1,688 | 1,274 |
| Main workers (total) | 1,455 | 1,120 | 335 |
| Other workers (total) | 611 | 204 | 407 |
"""
VOTES = """|  | Party | Candidate | Votes | % |
| --- | --- | --- | --- | --- |
|  | Harbour | Ida B. Lund | 12,430 | 54.3 |
|  | Meadow | Omar Sy | 10,461 | 45.7 |
| Total votes | Total votes | Total votes | 22,891 | 100 |
| Turnout | Turnout | Turnout | 22,891 | 61.2 |
"""
SHOW = """| Night | Singer | Votes given | Share |
| --- | --- | --- | --- |
| Last Night | Nana Holm | 554,906 | 48.9% |
| Last Night | Uwe Berg | 301,112 | 26.5% |
| First vote | All | 711,400 | 100% |
"""
CAREER = """| Club | Season | Games | Goals |
| --- | --- | --- | --- |
| Lynx | 1905–06 | 38 | 0 |
| Lynx | 1906–07 | 25 | 3 |
| Lynx | 1907–08 | 44 | 20 |
| Lynx | 1908–09 | 17 | 13 |
| Total | Total | 124 | 36 |
"""
YEARS = """| £m | 2019 | 2018 |
| --- | --- | --- |
| Sums owed by members | 412 | 388 |
| Sums owed to members | 97 | 61 |
"""
SALES = """| 項目 | 2031年 | 2030年 |
| --- | --- | --- |
| 売上高 | 4,800 | 4,500 |
| 営業利益 | 600 | 520 |
| 売上高営業利益率 | 12.5% | 11.6% |
"""

CHANNELS = """| Channel | Format | Programme |
| --- | --- | --- |
| 21.1 | 1080i | Main KLMN programme |
| 21.2 | 480i | Orbit |
| 21.3 | 480i | Whoosh! |
"""
RECORDS = """| Race | Time | Date | Record |
| --- | --- | --- | --- |
| 50 m butterfly | 24.81 | 4 May 2031 | Nordic |
| 100 m butterfly | 55.10 | 9 June 2031 | Nordic |
| 200 m butterfly | 121.70 | 12 June 2031 | World |
"""
VILLAGE = """| Particulars | Total | Male | Female |
| --- | --- | --- | --- |
| Total houses | 402 | - | - |
| Population | 2,118 | 1,101 | 1,017 |
| Child (0-6) | 240 | 130 | 110 |
"""
WOODS = """| Name | Listed | Owner |
| --- | --- | --- |
| Holm Woods | 1971 | State |
| Birch Woods | 1979 | State |
| Warden Woods Reserve | 1966 | Private |
| Long Marsh | 1974 | State |
| Low Fen | 1975 | State |
| Grey Bog | 1977 | State |
| Salt Dune | 1978 | State |
| Elm Cove | 1980 | State |
"""
ADMITTED = """| Year | 2031 | 2030 |
| --- | --- | --- |
| Applicants | 1,820 | 1,640 |
| Admits | 510 | 488 |
| % Admitted | 28.0 | 29.8 |
"""
REPORT = """| (in millions) | 2031 | 2030 |
| --- | --- | --- |
| Net sales | 812 | 771 |
| Gross margin | 41.2% | 39.8% |

In 2031 the gross margin rose to 41.2%, and 37 stores were opened. In 2030 a grant of 644 was made.
"""
QUARTERS = """|  | 2031 Q1 | 2031 Q2 | 2030 Q4 |
| --- | --- | --- | --- |
| Dividends per share | 0.35 | 0.41 | 0.33 |
"""
AWARDS = """| Year | Prize | Pilot | List | Rank |
| --- | --- | --- | --- | --- |
| 2013 | Sky Awards | Nils Berg | Top 100 Pilots | 30 |
| 2014 | Sky Awards | Nils Berg | Top 100 Pilots | 27 |
| 2016 | Sky Awards | Nils Berg | Top 100 Pilots | 93 |
"""
CLUBS = """| Season | Team | Goals |
| --- | --- | --- |
| 2030–31 | Harbour Seals | 5 |
| 2031–32 | Harbour Seals | 8 |
| 2032–33 | Grey Gulls | 6 |
"""
SEATS = """| Party | Votes | Seats |
| --- | --- | --- |
| Harbour Party | 2,182 | 96 |
| Meadow Party | 1,933 | 84 |
| Hill Party | 649 | 32 |
| Total | 4,764 | 212 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        # A text of a row said whole means that row, and no other that shares a frequent word.
        (CENSUS, "There are in total 2,962 literate people.", "2,962", "seen"),
        (CENSUS, "There are in total 1,455 literate people.", "1,455", "elsewhere"),
        (CENSUS, "Main workers are 1,455 in total.", "1,455", "seen"),
        (CENSUS, "It has a population of 4,718, of which 2,401 are male and 2,317 female.", "2,317", "seen"),
        (SALES, "2031年の営業利益率は12.5%です。", "12.5", "seen"),
        # A value between others that no word gives to a row is of any; of a group with a total, the total is meant.
        (CAREER, "They scored 3 goals.", "3", "elsewhere"),
        (CAREER, "They scored 36 goals in total.", "36", "seen"),
        # A row that names no name of the clause is not meant, but where its own label is said.
        (VOTES, "Ida Lund beat Omar Sy with 12,430 votes or 54.3% of the votes.", "54.3", "seen"),
        (VOTES, "Ida Lund beat Omar Sy with 12,430 votes or 100% of the votes.", "100", "elsewhere"),
        (VOTES, "Ida Lund beat Omar Sy at a turnout of 61.2%.", "61.2", "seen"),
        # An initial ends no sentence; a name in the genitive goes with its own figure.
        (VOTES, "Ida B. Lund beat Omar Sy of Meadow with 54.3% of the votes.", "54.3", "seen"),
        (VOTES, "Lund won, with 12,430 votes against Sy's 10,461 votes.", "12,430", "seen"),
        (VOTES, "Lund won, with 12,430 votes against Sy's 10,461 votes.", "10,461", "seen"),
        # What is counted is of a column, and names no row.
        (SHOW, "Nana Holm won the Last Night and received 554,906 votes.", "554,906", "seen"),
        # A sign before a word that begins small ends no sentence.
        (CHANNELS, "KLMN has Orbit on channel 21.2 and Whoosh! on channel 21.3.", "21.3", "seen"),
        (CHANNELS, "KLMN has Orbit on channel 21.2 and Whoosh! on channel 21.1.", "21.1", "elsewhere"),
        # A clause that names no row is of the row that the one before it names.
        (RECORDS, "She set a Nordic record in the 50 m butterfly, with a time of 24.81.", "24.81", "seen"),
        (RECORDS, "She set a Nordic record in the 50 m butterfly, with a time of 55.10.", "55.10", "elsewhere"),
        # A cell without a figure rivals none.
        (VILLAGE, "It has 402 houses with 1,101 males and 1,017 females.", "1,017", "seen"),
        # What rows share tells none apart: the rare word does.
        (WOODS, "Warden Woods State Park was listed in 1966.", "1966", "seen"),
        (WOODS, "Warden Woods State Park was listed in 1979.", "1979", "elsewhere"),
        # A share is said to be one.
        (ADMITTED, "In 2031, 1,820 applied and 28.0 percent were admitted.", "28.0", "seen"),
        (ADMITTED, "In 2031, 1,820 applied and 28.0 were taken.", "28.0", "elsewhere"),
        (REPORT, "The gross margin in 2031 was 41.2%.", "41.2", "seen"),
        (REPORT, "The net sales in 2031 were 41.2.", "41.2", "elsewhere"),
        # Prose says a value of its own year, and a year said twice is no value.
        (REPORT, "The grant in 2030 was 644.", "644", "seen"),
        (REPORT, "The grant in 2031 was 644.", "644", "elsewhere"),
        (REPORT, "Net sales in 2031 were 2031.", "2031.", "elsewhere"),
        # Of columns that are named alike, none is meant.
        (QUARTERS, "Dividends per share were 0.33 in 2030.", "0.33", "seen"),
        (QUARTERS, "Dividends per share were 0.35 in 2031.", "0.35", "elsewhere"),
        # "No." ends no sentence: the year before it names the row.
        (AWARDS, "In 2014, Nils Berg ranked No. 27 on the list of Top 100 Pilots.", "27", "seen"),
        (AWARDS, "In 2014, Nils Berg ranked No. 93 on the list of Top 100 Pilots.", "93", "elsewhere"),
        # Of rows that are named alike, none is meant; a name says more than a year; a part is of the total.
        (AWARDS, "Nils Berg ranked 93rd among the Top 100 Pilots.", "93rd", "elsewhere"),
        (CLUBS, "In his years with the Harbour Seals (2030–2032) he had 6 goals.", "6", "elsewhere"),
        (CLUBS, "In his years with the Grey Gulls (2030–2032) he had 6 goals.", "6", "seen"),
        (SEATS, "The Meadow Party won 84 of the 212 seats.", "212", "seen"),
        (SEATS, "The Meadow Party won 84 of the 96 seats.", "96", "elsewhere"),
        # The largest of a column is of no row that is named.
        (WOODS, "The park was listed in 1966.", "1966", "elsewhere"),
        (ADMITTED, "There were 1,820.", "1,820", "elsewhere"),
        # The second half of a season counts nothing.
        (CAREER, "Ida Lund played 9 games for Lynx.", "9", "marked"),
        # The head of a column, said once, is no value.
        (YEARS, "Sums owed by members in 2019 were 412.", "2019", "seen"),
        (YEARS, "Sums owed by members in 2019 were 2019.", "2019.", "elsewhere"),
        # The end of a season is no operand, a quotient rounded to one digit no count, a range from nought no range.
        (CAREER, "He played 38 games for Lynx in 1905–06 and made 31 more in 1906–07.", "31", "marked"),
        (
            CAREER,
            "In each season he played 25 games and scored 8 goals with three misses.",
            "8 goals",
            "marked",
        ),
        (CAREER, "After 1907 he had 20 goals in 17 games for Lynx in 1908–09.", "20", "elsewhere"),
    ],
)
def test_a_figure_stands_in_the_row_that_is_meant_or_elsewhere(
    table: str, answer: str, figure: str, found: str
) -> None:
    verdicts = ("not_found", "differs") if found == "marked" else (found,)
    assert verdict(answer, figure, table) in verdicts


@each("called", ["(empty)", "（空）", "NULL"])
def test_a_row_without_a_name_is_the_one_that_is_called_empty(called: str) -> None:
    seen = "2 rows:\nteam VARCHAR | average_pay DOUBLE | rows_used BIGINT\nNULL | 45100 | 1\nDev | 41300 | 1"
    table = "Read as: average pay by team\n\n| Team | Average pay | Rows |\n| --- | ---: | ---: |"
    answer = f"{table}\n| {called} | 45,100 | 1 |\n| Dev | 41,300 | 1 |"
    assert verdict(answer, "45,100", seen) == verdict(answer, "41,300", seen) == "seen"
    swapped = f"{table}\n| {called} | 41,300 | 1 |\n| Dev | 45,100 | 1 |"
    assert verdict(swapped, "45,100", seen) == verdict(swapped, "41,300", seen) == "elsewhere"
