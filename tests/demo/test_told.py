"""Days of deadlines and weekdays, rows in an order, and follow-ups about what was just told."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.worded.value_told import of_told
from agent.data.tables.worded.whole_asking import orders_unsurely, whole_asked
from agent.demo.rules.abilities import understand
from agent.demo.rules.plan import Plan, Question
from agent.tools.now.now_tool import now_tool
from tests.support.cases import each

TODAY = date(2026, 11, 21)
_NOW = now_tool(lambda: datetime(2026, 11, 21, 12, tzinfo=UTC))
DAYS = (
    ("When's the last Friday of next month?", "25 December 2026"),
    ("What date is the first Monday in March 2027?", "1 March 2027"),
    ("When is the fifth Monday of next month?", ""),
    ("How many days until the last Friday of next month?", ""),
    ("How many months from 3 March 2019 to 21 November 2026?", "92 months and 18 days"),
    ("How many years between 1 January 2024 and 15 March 2026?", "2 years, 2 months and 14 days"),
    ("How many weeks from 21 November 2026 to 24 November 2026?", "is 3 days"),
    ("My lad was born on 3 March 2019. How old is he in months now?", "92 months and 18 days"),
    ("Our puppy was born on 2 June 2026, how old is he in weeks now?", "24 weeks and 4 days"),
    ("How many months old is a kid born on 3 March 2019?", "92 months and 18 days"),
    ("how old am I in months if I was born on 1990-05-01", "438 months and 20 days"),
    ("My lad was born on 3 March 2019 and his sister is 2 years older. How old is she in months?", ""),
    ("My lad was born on 3 March 2019. How old will he be in months at Christmas?", ""),
    (
        "My passport runs out on 30 September 2027 and I have to come home with six months still on it. What's the "
        "latest date I can come back?",
        "30 March 2027",
    ),
    ("My visa expires on 20 August 2027 and I must renew two months before. What day is that?", "20 June 2027"),
    ("The lease ends on 31 March 2027 and I give three months' notice. By when must I tell them?", "31 December 2026"),
    ("My visa expires on 20 August 2027 and they want 3 working days notice. What's the latest date?", ""),
    ("My visa expires on 20 August 2027 and was extended two months before. What day is that?", ""),
)


def _answer(question: Question) -> str:
    """What is said of the question, its calls made by the real tool; "" where no plan is made of it."""
    plan = understand(question)
    if not isinstance(plan, Plan):
        return ""
    steps = plan.steps()
    seen, call = "", next(steps)
    while True:
        seen = str(getattr(_NOW.function(**json.loads(call.input)), "text", ""))
        try:
            call = steps.send(seen)
        except StopIteration as end:
            return str(end.value.text)


@each("text, told", DAYS)
def test_a_day(text: str, told: str) -> None:
    said = _answer(Question(text, "en", TODAY))
    assert told in said if told else not said


DOGS = Table(
    "dogs",
    "dogs.csv",
    12,
    (
        Column("name", "name", "text", distinct=12, examples=("Biscuit", "Poppy", "Rufus")),
        Column("breed", "breed", "text", distinct=2, examples=("Beagle", "Terrier")),
        Column("age", "age", "number", distinct=9, least="1", most="9"),
        Column("weight_kg", "weight_kg", "number", distinct=12, least="5.8", most="58.6"),
        Column("arrived", "arrived", "date", distinct=12, least="2026-04-08", most="2026-11-13"),
    ),
)
ORDERS = (
    ("List the terriers please, youngest first", "age up"),
    ("Show me the terriers, heaviest first", "weight_kg down"),
    ("List the terriers, latest first", "arrived down"),
    ("which terrier has been here longest?", "arrived up"),
    ("Who arrived last?", "arrived down"),
    ("newest terrier?", "arrived down"),
    ("List the terriers, prettiest first", ""),
    ("List the terriers, tallest first", ""),
    ("Which terrier barked first?", ""),
    ("List everyone but Poppy, heaviest first", ""),
)


@each("text, order", ORDERS)
def test_rows_in_an_order(text: str, order: str) -> None:
    found = next((wanted for wanted, _ in whole_asked(text, DOGS, TODAY, "en")), None)
    assert (f"{found.column.name} {found.order}" if found and found.column else "") == order
    if found and "terrier" in text:
        assert [one.values for one in found.filters] == [("Terrier",)]


def test_an_order_by_no_column_of_the_table_is_left_alone() -> None:
    assert orders_unsurely("list the top 3, tallest first", DOGS)
    assert not orders_unsurely("list them by age, oldest first", DOGS)


_DATE = "I read this as: List “arrived” in dogs where name is “Biscuit”\n\n1 row of dogs:\n- 2026-09-18"
_FEE = "I read this as: List fee gbp in dogs where name is “Nell”\n\n1 row of dogs:\n- 95"
_AGE = "I read this as: List age in dogs where name is “Nell”\n\n1 row of dogs:\n- 7"
FOLLOWING = (
    ("so how many days has he been here", _DATE, "How many days since 2026-09-18?"),
    ("How long is that ago?", _DATE, "How many days since 2026-09-18?"),
    ("And how many days is that until today?", _DATE, "How many days since 2026-09-18?"),
    ("How many days after that did Otto arrive?", _DATE, None),
    ("and with 20% off?", _FEE, "What is 20% off 95?"),
    ("what about with 10% off?", _FEE, "What is 10% off 95?"),
    ("so what would two like that be?", _FEE, "What is 2 * 95?"),
    ("and with 20% off?", _AGE, None),
    ("and for Duke?", _FEE, None),
    ("and with 20% off?", _FEE + "\n- 120", None),
)


@each("text, answer, whole", FOLLOWING)
def test_a_follow_up_of_what_was_told(text: str, answer: str, whole: str | None) -> None:
    assert of_told(text, answer, TODAY) == whole
