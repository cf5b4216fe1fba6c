"""Answers as large models write them over results as tools give them: what is right, and what is not."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

QUAKE = "Bulletin: Magnitude 5.3, depth 20 km, 14 km E of Lima, 2022-10-03 02:47:11. The last one was in May 2019."
INCOME = "(in millions)\n            FY2022   FY2021\nSales         51.0     48.2\nCosts         30.1     29.9\n"
BUDGET = (
    "(en milliers d'euros)\n| Poste | 2024 |\n|---|---|\n| Écoles | 3 200,0 |\n| Voirie | 1 500,0 |\n"
    "| Autres | 7 800,0 |\n| Total | 12 500,0 |"
)
STEPS = "| step | planned | actual |\n|---|---|---|\n| Start | 2023-01-16 | 2023-01-20 |"
PEOPLE = "| area | people_k |\n|---|---|\n| North | 8,210 |\n| South | 8,470 |\n| East | 3,000 |"
BORN = (
    "| Painter | Born | Died |\n|---|---|---|\n| Anna Holm | 3 May 1820 | 2 April 1891 |\n"
    "| Bo Lind | 9 June 1835 | 1 July 1899 |"
)
STAFF = (
    "| name | hired | birth_date |\n|---|---|---|\n| Rita Moss | 2010-03-15 | 1975-08-20 |\n"
    "| Olaf Berg | 2019-10-02 | 1992-11-30 |"
)
RACE = "Zara Obi won in 2:11:04, with Ida Falk second in 2:11:47. The record of 2:10:15 still stands."
LEASE = "1. Rent is $1,200 per month. 2. A deposit of $1,500 is held. 3. A fee of $90 is due on signing."
STOCK = "| sku | on_hand | wanted |\n|---|---|---|\n| Lamp | 34 | 50 |\n| Chair | 12 | 21 |\n| Desk | 7 | 10 |"
SHOPS = (
    "| city | sales_2022 | sales_2023 | staff | floor_m2 |\n|---|---|---|---|---|\n"
    "| Leeds | 4210 | 4585 | 38 | 1420 |\n| York | 2985 | 3340 | 26 | 1010 |\n"
    "| Hull | 2140 | 2275 | 19 | 890 |\n| Derby | 1640 | 1575 | 15 | 690 |"
)
LOSSES = (
    "| city | sales_2022 | sales_2023 |\n|---|---|---|\n| Leeds | 4210 | 4185 |\n| York | 2985 | 2890 |\n"
    "| Hull | 2140 | 2275 |"
)
IN_THOUSANDS = "Sales are in thousands of pounds."
TASKS = (
    "| name | dept | status |\n|---|---|---|\n| Ann | Ops | Done |\n| Bob | Ops | Pending |\n| Cid | IT | Done |\n"
    "| Dee | IT | Done |\n| Eve | HR | Done |\n| Fay | IT | Late |"
)
FILMS = "Year,Title,Budget,Box office\n2008,Glass,$12 million,$48.3 million\n2016,Tide,$60 million,$211.9 million\n"
PAY = "You'll pay **$2,790** in total:\n\n- First month: $1,200\n- Deposit: $1,500\n- Fee: $90\n"
SHORT = (
    "- **Lamp**: 34 on hand vs. 50, short by 16\n- **Chair**: 12 on hand vs. 21, short by 9\n"
    "- **Desk**: 7 on hand vs. 10, short by 3\n\nYou'd need **28 units** in total."
)
LOST = "| Store | Change (£k) |\n|---|---|\n| Leeds | −25 |\n| York | −95 |\n\nThe two together lost £120k."
PER_HEAD = (
    "- **Per employee:** York leads with about £128.5k, followed by Leeds (£120.7k). The lowest is Derby (£105.0k)."
)
BY_DEPT = (
    "4 of 6 (about 67%) are done. By department:\n- **HR:** 1 of 1, the only one done\n- **IT:** 2 of 3 (one late)\n"
    "- **Ops:** 1 of 2\n"
)
MONTHS = (
    "| month | sessions | revenue_eur |\n|---|---|---|\n| Sep | 205,115 | 259,420 |\n| Oct | 214,760 | 281,520 |\n"
    "| Nov | 268,940 | 445,320 |\n| Dec | 251,380 | 387,100 |"
)
DIED, AS_OF = "How old were they when they died?", "How old are they, and how long here, as of 1 June 2024?"


@each(
    "answer, text, observed",
    [
        ("A **magnitude 5.3** earthquake hit 14 km east of Lima.", "5.3", QUAKE),
        ("The last one was the magnitude 4.9 of May 2019.", "4.9", "In May 2019 a quake of magnitude 4.9 was felt."),
        ("Sales had a strong FY2022.", "FY2022", INCOME),
        ("Sales were 51.0 in 2022.", "51.0", INCOME),
        ("Sales were 51.0 in 2022.", "2022", INCOME),
        ("The latest is v3.1.0, out since May.", "3.1.0", '{"tag":"v3.1.0","month":"May"}'),
        ("The latest is 3.1.0, out since May.", "3.1.0", '{"tag":"v3.1.0","month":"May"}'),
    ],
)
def test_a_name_or_a_figure_as_it_stands(answer: str, text: str, observed: str) -> None:
    assert verdict(answer, text, observed) == "seen"


@each(
    "answer, text, expected",
    [
        ("North has nearly caught up with South (8.21 vs. 8.47 million).", "8.21", "seen"),
        ("North has nearly caught up with South (8.21 vs. 8.47 million).", "8.47", "seen"),
        ("North has nearly caught up with South (8.31 vs. 8.47 million).", "8.31", "not_found"),
    ],
)
def test_the_scale_behind_the_second_of_two(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, PEOPLE, "Figures are in thousands.") == expected


def test_a_share_in_brackets_behind_an_amount_is_no_amount() -> None:
    answer = "- **Écoles** : 3,2 M€ (25,6 %)\n- **Voirie** : 1,5 M€ (12 %)"
    assert verdict(answer, "25,6", BUDGET) == "worked_out"


@each(
    "answer, text, call, expected",
    [
        ("The Apollo project slipped by 4 days.", "Apollo", "SELECT * FROM steps WHERE project = 'Apollo'", "given"),
        (
            "The Apollo project slipped by 4 days.",
            "Apollo",
            "SELECT * FROM steps WHERE project = 'Artemis'",
            "not_found",
        ),
        ("It is milestone 7.2.", "7.2", "SELECT * FROM steps WHERE milestone IN ('7.2')", "given"),
        ("It is milestone 7.3.", "7.3", "SELECT * FROM steps WHERE milestone IN ('7.2')", "not_found"),
    ],
)
def test_a_text_that_a_query_asked_for(answer: str, text: str, call: str, expected: str) -> None:
    assert verdict(answer, text, STEPS, call=call) == expected


@each(
    "answer, text, observed, question, expected",
    [
        ("1. **Bo Lind** – 64 (1835–1899)\n2. **Anna Holm** – 70 (1820–1891)", "64", BORN, DIED, "worked_out"),
        ("1. **Bo Lind** – 64 (1835–1899)\n2. **Anna Holm** – 70 (1820–1891)", "70", BORN, DIED, "worked_out"),
        ("1. **Bo Lind** – 64 (1835–1899)\n2. **Anna Holm** – 71 (1820–1891)", "71", BORN, DIED, "not_found"),
        ("1. **Bo Lind** – 70\n2. **Anna Holm** – 64", "70", BORN, DIED, "not_found"),
        ("Moss is the oldest at 48 and Berg the youngest at 31.", "48", STAFF, AS_OF, "worked_out"),
        ("Moss is the oldest at 48 and Berg the youngest at 31.", "31", STAFF, AS_OF, "worked_out"),
        ("Moss is the oldest at 31 and Berg the youngest at 48.", "48", STAFF, AS_OF, "elsewhere"),
        ("Moss is the oldest at 49 and Berg the youngest at 31.", "49", STAFF, AS_OF, "not_found"),
        ("Berg has been here for 4 full years.", "4 full", STAFF, AS_OF, "worked_out"),
    ],
)
def test_an_age_is_worked_out_from_the_days_of_its_row(
    answer: str, text: str, observed: str, question: str, expected: str
) -> None:
    assert verdict(answer, text, observed, question) == expected


@each(
    "answer, text, expected",
    [
        ("Zara Obi won in **2:11:04**, 43 seconds ahead of Ida Falk (2:11:47).", "43", "worked_out"),
        ("Zara Obi won in **2:11:04**. She was 49 seconds off the 2:10:15 of the record.", "49", "worked_out"),
        ("Zara Obi won in **2:11:04**, 34 seconds ahead of Ida Falk (2:11:47).", "34", "not_found"),
    ],
)
def test_times_with_their_seconds_are_apart(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, RACE) == expected


@each(
    "answer, text, observed, expected",
    [
        (PAY, "$2,790", LEASE, "worked_out"),
        (PAY.replace("2,790", "2,970"), "$2,970", LEASE, "not_found"),
        (SHORT, "28", STOCK, "worked_out"),
        (SHORT.replace("28", "29"), "29", STOCK, "not_found"),
        (LOST, "£120k", LOSSES, "worked_out"),
        (LOST.replace("120k", "130k"), "£130k", LOSSES, "not_found"),
    ],
)
def test_what_a_list_of_the_answer_comes_to(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed, IN_THOUSANDS) == expected


@each(
    "answer, text, expected",
    [
        (PER_HEAD, "£128.5k", "worked_out"),
        (PER_HEAD, "£120.7k", "worked_out"),
        (PER_HEAD, "£105.0k", "worked_out"),
        (PER_HEAD.replace("128.5", "138.5"), "£138.5k", "not_found"),
        (PER_HEAD.replace("120.7", "105.7"), "£105.7k", "not_found"),
        ("Three of them grew, and one saw a decline.", "Three", "possible"),
        ("Three are above their 2022 level.", "Three", "possible"),
        ("Two are above their 2022 level.", "Two", "not_found"),
        ("Only Leeds tops 4,500.", "4,500", "possible"),
        ("Only York tops 4,500.", "4,500", "not_found"),
    ],
)
def test_rates_and_counts_of_rows(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, SHOPS, IN_THOUSANDS) == expected


@each(
    "answer, text, expected",
    [
        (BY_DEPT, "4 of", "worked_out"),
        (BY_DEPT, "6 (", "worked_out"),
        (BY_DEPT, "67%", "worked_out"),
        (BY_DEPT, "3 (one", "worked_out"),
        (BY_DEPT, "2\n", "worked_out"),
        (BY_DEPT.replace("67%", "76%"), "76%", "not_found"),
        (BY_DEPT.replace("2 of 3", "2 of 4"), "4 (one", "not_found"),
        (BY_DEPT.replace("one late", "two late"), "two late", "not_found"),
    ],
)
def test_counts_in_a_table_without_numbers(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, TASKS, "How far are we with the training?") == expected


@each(
    "answer, text, expected",
    [
        ("*Glass* (2008): $48.3 million on a $12 million budget, about 4.0×", "4.0", "worked_out"),
        ("*Tide* made $211.9 million on a $60 million budget, about 3.5x.", "3.5", "worked_out"),
        ("*Tide* made $211.9 million on a $60 million budget, about 3.8×.", "3.8", "not_found"),
    ],
)
def test_so_many_times_by_a_sign(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, FILMS) == expected


@each(
    "answer, text, expected",
    [
        ("November had €445,320, 58.2% more than October (€281,520).", "58.2%", "worked_out"),
        ("November had €445,320. That's 58.2% more revenue than October (€281,520).", "58.2%", "worked_out"),
        ("November had €445,320. That's 36.8% more revenue than October (€281,520).", "36.8%", "not_found"),
        ("October had €281,520, 36.8% less than November (€445,320).", "36.8%", "worked_out"),
        ("October had €281,520, 58.2% less than November (€445,320).", "58.2%", "not_found"),
    ],
)
def test_the_base_of_what_is_more_than_another(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, MONTHS) == expected


BANK = (
    "| £m | 2024 | 2023 |\n|---|---|---|\n| Income | 1,986 | 2,104 |\n| Costs | (1,233) | (1,188) |\n"
    "| Margin | 2.86% | 3.07% |"
)
AIR = "| site | NO2 | CO2 |\n|---|---|---|\n| Ring | 63 | 410 |"
MEALS = "Meals are paid with EUR 12 for breakfast, EUR 20 for lunch and EUR 33 for dinner."
FUNDS = "Tickets 62%, grants 18%."
LOANS = (
    "| member | title | due |\n|---|---|---|\n| Chu | Wolf | 2023-05-08 |\n| Ann | Dune | 2023-05-11 |\n"
    "| Bo | Emma | 2023-05-25 |"
)
TEAM = "Player,Pos,PTS\nTild,PG,22.6\nHarg,SG,19.3\nOsi,SG,10.7\nRey,PF,8.8\nVan,PG,6.3\nLo,C,5.1\n"
LATE = (
    "As of May 15, two are late:\n\n1. *Wolf* (Chu), due May 8 – 7 days late\n2. *Dune* (Ann), due May 11 – 4 days late"
)


@each(
    "answer, text, observed, expected",
    [
        ("Costs rose 3.8% to £1,233m.", "3.8%", BANK, "worked_out"),
        ("Costs fell 3.8% to £1,233m.", "3.8%", BANK, "differs"),
        ("The margin narrowed by 21 basis points to 2.86%.", "21", BANK, "worked_out"),
        ("The margin narrowed by 12 basis points to 2.86%.", "12", BANK, "not_found"),
        ("Its NO₂ reading is 63.", "NO₂", AIR, "seen"),
        ("Its SO₂ reading is 63.", "SO₂", AIR, "not_found"),
        ("Meals: €65 a day: €12 for breakfast, €20 for lunch and €33 for dinner.", "€65", MEALS, "worked_out"),
        ("Meals: €56 a day: €12 for breakfast, €20 for lunch and €33 for dinner.", "€56", MEALS, "not_found"),
        ("62% is from tickets and 18% from grants; the remaining 20% is not told.", "20%", FUNDS, "worked_out"),
        ("62% is from tickets and 18% from grants; the remaining 22% is not told.", "22%", FUNDS, "differs"),
        ("The 6-man roster is led by Tild.", "6", TEAM, "possible"),
        ("The 40-man roster is led by Tild.", "40", TEAM, "not_found"),
        (LATE, "7 days", LOANS, "worked_out"),
        (LATE.replace("7 days", "6 days"), "6 days", LOANS, "not_found"),
    ],
)
def test_what_reports_work_out(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed, "What is there as of 15 May?") == expected


QUOTAS = "| rep | annual_quota | closed_won |\n|---|---|---|\n| Dana | 400000 | 512300 |\n| Marcus | 380000 | 391750 |"


@each(
    "answer, text, expected",
    [
        ("**Dana** – $512,300 against $400,000 (128.1%)", "$512,300", "seen"),
        ("**Dana** – $512,300 against $400,000 (128.1%)", "$400,000", "seen"),
        ("**Dana** – $521,300 against $400,000", "$521,300", "not_found"),
    ],
)
def test_a_head_that_says_who_won_is_no_money(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, QUOTAS) == expected


KEUR = (
    "department  budget_keur  actual_keur\n----------  -----------  -----------\nIT                 2400         2655\n"
    "HR                  820          794\nMarketing          1950         2210\nSales              3100         3042\n"
    "Legal               560          731\nR&D                4200         4018\n"
)


@each(
    "answer, text, expected",
    [
        ("Three of the 6 departments stayed within budget, while three exceeded it.", "Three", "possible"),
        ("Three of the 6 departments stayed within budget, while three exceeded it.", "6", "worked_out"),
        ("Three of the 6 departments stayed within budget, while three exceeded it.", "three", "possible"),
        ("Four of the 6 departments stayed within budget.", "Four", "not_found"),
        ("Two departments exceeded their budget.", "Two", "not_found"),
    ],
)
def test_departments_within_their_budgets(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, KEUR) == expected
