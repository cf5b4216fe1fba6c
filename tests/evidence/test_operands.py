"""Operands of a sum that an answer writes out: traced to the question where they follow from it, and marked else."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict


@each(
    ("question", "answer", "operand", "result"),
    [
        ("A bill of 64 with 15% service, split between 4?", "64 × 1.15 ÷ 4 is 18.4.", "1.15", "18.4"),
        ("Wages 1,900, tax 18%. What is left?", "1900 × 0.82 is 1558.", "0.82", "1558"),
        ("Essay 35%, 60 points. How many count?", "60 × 0.35 is 21.", "0.35", "21"),
        ("A 4 m plank less 65 cm, in metres?", "4 - 65 × 0.01 is 3.35 metres.", "0.01", "3.35"),
        ("How many 40 ml cups in 2 litres?", "2000 ÷ 40 is 50.", "2000", "50"),
        ("9000 steps of 60 cm, in km?", "9000 × 60 ÷ 100000 is 5.4 km.", "100000", "5.4"),
        ("Five elevenths of 77 people?", "5 ÷ 11 × 77 is 35.", "11", "35"),
        ("7 stamps at 95p and 2 at £1.65?", "7 × £0.95 + 2 × £1.65 is £9.95.", "£0.95", "9.95"),
        ("Three friends and I share 72, each?", "72 ÷ 4 is 18.", "4", "18"),
        ("A bill of 99 between me and 8 friends?", "99 split between 9 is 11.", "9", "11"),
        ("Share 77 in the ratio 4:3.", "77 ÷ 7 × 4 is 44.", "7", "44"),
        ("From 1pm to 10pm at 12 an hour?", "(22 - 13) × 12 is 108.", "22", "108"),
        ("18 an hour, 6 hours at time and a half?", "18 × 1.5 × 6 is 162.", "1.5", "162"),
        ("日給9500円で月に17日働くと？", "9500 × 17は161,500円です。", "17", "161500"),
        ("Factors of 26?", "The divisors of 26 are 1, 2, 13 and 26.", "13", "26"),
        ("40問中33問正解。不正解は何%？", "100 - 33 ÷ 40 × 100は17.5%です。", "33", "17.5"),
    ],
)
def test_what_an_operand_is_of(question: str, answer: str, operand: str, result: str) -> None:
    assert verdict(answer, operand, result, question) in ("given", "worked_out")


@each(
    ("question", "answer", "operand", "result"),
    [
        ("A bill of 64 with 15% service, split between 4?", "64 × 1.18 ÷ 4 is 18.88.", "1.18", "18.88"),
        ("Wages 1,900, tax 18%. What is left?", "1900 × 0.72 is 1368.", "0.72", "1368"),
        ("A 4 m plank less 65 cm, in metres?", "4 - 68 × 0.01 is 3.32 metres.", "68", "3.32"),
        ("Two fifths of 85 people?", "2 ÷ 17 × 85 is 10.", "17", "10"),
        ("I have 12 cats at 3 each.", "13 × 3 is 36.", "13", "36"),
        ("From 10:40 to 12:05, times 2?", "50 × 2 is 90.", "50", "90"),
        ("A bill of 64 with 15% service?", "It is **1.15** of that, 73.6.", "1.15", "73.6"),
        ("Factors of 26?", "The divisors of 26 are 1, 2, 14 and 26.", "14", "26"),
        ("The bill has 15% service.", "The table has 1.15 rows.", "1.15", "7 rows"),
    ],
)
def test_an_operand_that_follows_from_nothing_is_marked(question: str, answer: str, operand: str, result: str) -> None:
    assert verdict(answer, operand, result, question) in ("not_found", "differs")
