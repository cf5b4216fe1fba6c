"""Which column a sentence means: by unit, by short heads, by groups of columns, by what its other figures say."""

from __future__ import annotations

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import verdict

GROUPS = """| Club | Season | League | League | FA Cup | FA Cup | Total | Total |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Club | Season | Apps | Goals | Apps | Goals | Apps | Goals |
| Harbour Town | 2011–12 | 31 | 7 | 3 | 1 | 34 | 8 |
| Hill Rovers | 2012–13 | 28 | 11 | 5 | 4 | 33 | 15 |
"""
VOTES = """| Candidate | Votes | % |
| --- | --- | --- |
| Ida Lund | 12,430 | 54.3 |
| Omar Sy | 10,461 | 45.7 |
| Majority | 1,969 | 8.6 |
"""
SHORT = """| Player | GP | G | A | PTS | PIM | AVG |
| --- | --- | --- | --- | --- | --- | --- |
| Nils Berg | 71 | 25 | 31 | 56 | 94 | 4.1 |
| Jon Dahl | 64 | 12 | 40 | 52 | 18 | 3.2 |
"""
YEARS = """|  | Fiscal Year |  | Variance in |  |
| --- | --- | --- | --- | --- |
| (In millions, except percentages) | 2031 | 2030 (2) | Dollar | Percent |
| Net sales | $2,280 | $1,664 | $616 | 37% |
| Operating margin | 49% | 50% |  |  |
"""
CAREER = """| - | - | - | Regular season | Regular season | Regular season | Playoffs | Playoffs | Playoffs |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| Season | Team | League | GP | G | A | GP | G | A |
| 2030–31 | Lynx | NHSL | 61 | 12 | 30 | 9 | 2 | 5 |
| 2031–32 | Lynx | NHSL | 58 | 17 | 22 | 11 | 4 | 6 |
"""
CONTEST = """| Year | Land | Singer | Points |
| --- | --- | --- | --- |
| 2031 | Nordland | Vera Holm | 142 |
| 2032 | Westland | Omar Sy | 118 |
"""
SHELLS = """| Shell | M12 | M15 | M18 |
| --- | --- | --- | --- |
| Load | 24 | 48 | 64 |
| Service date | 1998 | 1987 | 1975 |
"""
DATES = """| Item | June 1, 2031 | June 2, 2030 |
| --- | --- | --- |
| Egg price 1 | 1.23 | 1.49 |
| Feed price 1 | 0.41 | 0.39 |
"""
OVER = """|  | 2031 | 2030 | 2031 over 2030 |
| --- | --- | --- | --- |
| Net sales | $ 3,063,117 | $ 2,244,044 | $ 819,073 |
| Charge | $ 1,344 | $ 723 | $ 621 |
| Interest (net) charge | $ 1,116 | $ 700 | $ 416 |
"""
HEIGHTS = """| Name | Height ft (m) | Floors |
| --- | --- | --- |
| Harbour House | 261 (80) | 17 |
| Mill Tower | 244 (74) | 16 |
"""
BOATS = """| Boat | Crew | Starts | Pop. km² | Weight |
| --- | --- | --- | --- | --- |
| Petrel | 9 | 41 | 3 | 12 kg |
| Tern | 7 | 38 | 5 | 15 kg |
"""
ALONE = """| Boat | Yard | Crew |
| --- | --- | --- |
| Petrel | Holm | 9 |
| Tern | Lund | 7 |
"""
CARS = """| Year | Sedan | Tourer | Total |
| --- | --- | --- | --- |
| 2030 | 21,469 | 1,499 | 22,968 |
| 2031 | 20,422 | 1,893 | 22,315 |
"""
LATE = """|  |  | Segment Assets |  |
| --- | --- | --- | --- |
|  |  | Fiscal Year End |  |
|  | 2029 | 2028 | 2027 |
|  |  | (in millions) |  |
| Transport | $ 4,781 | $  4,707 | $ 4,084 |
| Cables | 849 | 959 | 951 |
"""


@each(
    ("table", "answer", "figure", "right"),
    [
        (GROUPS, "He scored 8 goals in 34 games for Harbour Town.", "8 goals", True),
        (GROUPS, "He scored 7 goals in 34 games for Harbour Town.", "7 goals", False),
        (GROUPS, "He scored 8 goals in 31 appearances for Harbour Town.", "8 goals", False),
        (GROUPS, "He made 31 appearances for Harbour Town.", "31", True),
        (GROUPS, "He made 34 appearances for Harbour Town.", "34", True),
        (GROUPS, "He made 3 appearances for Harbour Town.", "3 app", False),
        (GROUPS, "He made 3 FA Cup appearances for Harbour Town.", "3 FA", True),
        (GROUPS, "For Hill Rovers he made 28 league appearances and five in the FA Cup.", "five", True),
        (VOTES, "Ida Lund won with 54.3% of the votes.", "54.3", True),
        (VOTES, "Ida Lund won with 12,430% of the votes.", "12,430", False),
        (VOTES, "Ida Lund won with 12,430 votes, or 54.3 percent.", "12,430", True),
        (VOTES, "Ida Lund won with a majority of 1,969 votes.", "1,969", True),
        (VOTES, "Ida Lund won with a majority of 12,430 votes.", "12,430", False),
        (SHORT, "Nils Berg scored 25 goals and 31 assists for 56 points.", "25", True),
        (SHORT, "Nils Berg scored 25 goals and 31 assists for 56 points.", "31", True),
        (SHORT, "Nils Berg scored 25 goals and 31 assists for 56 points.", "56", True),
        (SHORT, "Nils Berg had 94 penalty minutes in 71 games.", "94", True),
        (SHORT, "Nils Berg had 94 penalty minutes in 71 games.", "71", True),
        (SHORT, "Nils Berg scored 94 goals in 71 games.", "94", False),
        (SHORT, "Nils Berg scored 25 goals in 94 games.", "94", False),
        (SHORT, "Nils Berg scored 4.1 goals.", "4.1", False),
        (SHORT, "Nils Berg scored 25 goals and 31 assists for 94 points.", "94", False),
        (SHORT, "Nils Berg played 71 games.", "71", True),
        (CARS, "Of 20,422 total sedans, 1,893 were tourers in 2031.", "20,422", False),
        (CARS, "Of 22,315 total sedans, 1,893 were tourers in 2031.", "22,315", True),
        (YEARS, "Net sales in 2031 were $2,280 million.", "2,280", True),
        (YEARS, "Net sales in 2030 were $2,280 million.", "2,280", False),
        (YEARS, "Net sales rose by 37%.", "37", True),
        (YEARS, "The operating margin in 2030 was 50%.", "50", True),
        (YEARS, "The operating margin in 2030 was 49%.", "49", False),
        (CAREER, "In 2030–31 the Lynx player scored 12 goals and 30 assists in 61 games.", "12", True),
        (CAREER, "In 2030–31 the Lynx player scored 12 goals and 30 assists in 61 games.", "61", True),
        (CAREER, "In 2030–31 the Lynx player scored 2 goals and 30 assists in 61 games.", "2 goals", False),
        (CAREER, "In 2030–31 the Lynx player scored 2 goals and 5 assists in the playoffs.", "2 goals", True),
        (HEIGHTS, "Harbour House is 261 ft high.", "261", True),
        (HEIGHTS, "Harbour House is 17 ft high.", "17", False),
        (HEIGHTS, "Harbour House has 17 floors.", "17", True),
        (BOATS, "Petrel has 9 people aboard.", "9", False),
        (BOATS, "Petrel has 41 people aboard.", "41", False),
        (BOATS, "Petrel has a crew of 9.", "9", True),
        (BOATS, "Petrel has been at 41 starting lines.", "41", True),
        (BOATS, "Petrel has 9 people aboard and went to sea 41 times.", "9", True),
        (BOATS, "Petrel carries 12 kg.", "12", True),
        (ALONE, "Petrel has 9 people aboard.", "9", True),
        # A noun that the table does not know may be that of a year beside the figure; years are of their columns.
        (CONTEST, "Vera Holm won the 142 contest for Nordland.", "142", False),
        (CONTEST, "Vera Holm won with 142 points for Nordland.", "142", True),
        (SHELLS, "The M12 entered service in 1998.", "1998", True),
        (SHELLS, "The M15 entered service in 1998.", "1998", False),
        # A year tells more than a day; a sign before the figures rivals none without; a head's years are no values.
        (DATES, "Egg price 1 in 2031 was 1.23.", "1.23", True),
        (DATES, "Egg price 1 in 2030 was 1.23.", "1.23", False),
        (OVER, "Net sales in 2031 were 819,073.", "819,073", False),
        (OVER, "Interest (net) charge in 2031 was 1,344.", "1,344", False),
        (OVER, "Net sales in 2030 were 2030.", "2030.", False),
        (LATE, "Cables had assets of 849 million in 2029.", "849", True),
        (LATE, "Cables had assets of 951 million in 2029.", "951", False),
    ],
)
def test_a_figure_stands_in_the_column_that_is_meant_or_elsewhere(
    table: str, answer: str, figure: str, right: bool
) -> None:
    assert verdict(answer, figure, table) == ("seen" if right else "elsewhere")


def test_a_row_of_years_and_words_above_numbers_is_a_head() -> None:
    (years,), (late,) = tables_in(YEARS), tables_in(LATE)
    assert (years.heads, late.heads) == (2, 4)
    assert [path[-1] for path in years.head_paths][1:] == ["2031", "2030 (2)", "dollar", "percent"]


RACES = """| Rank | Name | Time | Heats |
| --- | --- | --- | --- |
| 1 | Ida Lund | 4:08.91 | 110 |
| 2 | Ana Sol | 1:49.71 | 12 |
"""


@each(
    ("answer", "figure", "found"),
    [
        ("Ida Lund ran 4:08.91.", "4:08", "seen"),
        ("Ida Lund ran 4:08.99.", "4:08", "marked"),
        ("Ana Sol needed 109.71 seconds.", "109.71", "seen"),
        ("Ana Sol has 109 dogs.", "109", "marked"),
    ],
)
def test_the_time_of_a_race_is_one_figure(answer: str, figure: str, found: str) -> None:
    verdicts = ("differs", "not_found") if found == "marked" else (found,)
    assert verdict(answer, figure, RACES) in verdicts


@each(
    ("answer", "found"),
    [
        ("Three points stand out. They are these.\n\n- Sales rose.\n- Costs fell.\n- Nobody left.", "worked_out"),
        ("Four points stand out. They are these.\n\n- Sales rose.\n- Costs fell.\n- Nobody left.", "not_found"),
        ("Three songs stayed: “Low Tide”, “Salt” and “North Pier”.", "worked_out"),
        ("Five songs stayed, “Low Tide”, “Salt” and “North Pier” among them.", "not_found"),
        ("Three were nominated for “Low Tide”, “Salt” and “North Pier”.", "worked_out"),
    ],
)
def test_a_count_is_of_what_the_answer_lists(answer: str, found: str) -> None:
    assert verdict(answer, answer[:3], YEARS) == found


RUNS = """| Year | Club | Best time | Span | Best | % | Worst | % |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 2031 | Holm | 2:08:41 | 2011–2016 | 31 | 12.5 | 14 | 40.1 |
| 2032 | Lund | 2:09:14 | 2013–2019 | 55 | 10.4 | 23 | 33.9 |
"""
LEAGUE = "Team,P,Won,GD,Pts\nHolm,6,4,+6,13\nLund,6,3,+3,11"
SHOPS = """|  | Shop B | Shop C |
| --- | --- | --- |
| Floor (m²) | 820 | 640 |
| Rent in thousands of euros | 96 | 71 |
| Staff in January | 12 | 14 |
"""
HOUSES = 'Found:\n[{"id": 1, "street": "12 Mill Lane", "rooms": 3}, {"id": 2, "street": "7 Oak Lane", "rooms": 4}]'


@each(
    ("table", "answer", "figure", "found"),
    [
        (RUNS, "In 2031, Holm ran 2:08:41.", "2:08:41", "seen"),
        (RUNS, "In 2031, Holm ran 2:09:14.", "2:09:14", "elsewhere"),
        (RUNS, "In 2032, Lund ran 2:09:41.", "2:09:41", "marked"),
        (RUNS, "Holm played from 2011 to 2016.", "2016", "seen"),
        (RUNS, "Holm played from 2011 to 2019.", "2019", "elsewhere"),
        (RUNS, "The worst share of Holm was 40.1%.", "40.1", "seen"),
        (RUNS, "The worst share of Holm was 12.5%.", "12.5", "elsewhere"),
        (LEAGUE, "Holm is first with 13 points.", "13", "seen"),
        (LEAGUE, "Lund was third, 6 points behind.", "6", "elsewhere"),
        (SHOPS, "Shop B has 820 m² of floor.", "820", "seen"),
        (SHOPS, "Shop B has 640 m² of floor.", "640", "elsewhere"),
        (SHOPS, "In Jan. shop C had 14 staff.", "14", "seen"),
        (SHOPS, "Shop B pays €25,000 more rent than Shop C.", "25,000", "worked_out"),
        (SHOPS, "Shop B pays €26,000 more rent than Shop C.", "26,000", "marked"),
        (HOUSES, "The house at 12 Mill Lane has 3 rooms.", "12", "seen"),
        (HOUSES, "The house at 12 Mill Lane has 4 rooms.", "4", "elsewhere"),
        (SHOPS, "Rents fell from 71 to 96.", "96", "marked"),
        (SHOPS, "Rents rose from 71 to 96.", "96", "elsewhere"),
    ],
)
def test_tables_of_other_shapes(table: str, answer: str, figure: str, found: str) -> None:
    verdicts = ("differs", "not_found") if found == "marked" else (found,)
    assert verdict(answer, figure, table) in verdicts


def test_a_sum_is_of_the_table_that_the_paragraph_is_about() -> None:
    answer = "Shop B has 820 m². The floor is 1,460 m² in total.\n\nIn 2031 Holm ran 2:08:41. In all, 75.9 percent."
    tables = "\n\n".join((RUNS, LEAGUE, SHOPS, CAREER, CARS))
    assert [verdict(answer, figure, tables) for figure in ("1,460", "75.9")] == ["worked_out", "not_found"]
