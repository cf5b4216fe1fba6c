"""Weekdays left, working days, paid hours and shares of bills in any words, and lengths in hours and minutes."""

from __future__ import annotations

from datetime import date

from agent.text.plainly.daily_wordings import of_every_day
from agent.text.sums.hours_told import with_hours
from agent.text.sums.phrases import Language, Value
from agent.text.told_sums.span_sums import span_sum
from tests.support.cases import each

TODAY = date(2026, 11, 24)


@each(
    "asked, plain",
    [
        ("how many sundays are left this year", "how many sundays from 2026-11-25 to 2026-12-31"),
        ("How many Wednesdays still to come in November?", "how many Wednesdays from 2026-11-25 to 2026-11-30"),
        ("How many Fridays are left in this month?", "how many Fridays from 2026-11-25 to 2026-11-30"),
        ("Number of Thursdays remaining in 2026", "how many Thursdays from 2026-11-25 to 2026-12-31"),
        (
            "how many more saturdays do we have this year, not counting today",
            "how many saturdays from 2026-11-25 to 2026-12-31",
        ),
        (
            "posted on Thursday 19 November 2026, five working days, on what date",
            "what date is 5 working days after 2026-11-19",
        ),
        (
            "Parcel shipped 27 November 2026, four business days, when does it get here?",
            "what date is 4 working days after 2026-11-27",
        ),
        (
            "I'm on nights: 10:15 pm till 6:45 am with a half hour unpaid break. How many hours do I get paid?",
            "what is 8.5 hours minus 30 minutes",
        ),
        (
            "Shift starts 14:00, ends 22:30, unpaid break one hour. How many hours do I get paid for?",
            "what is 8.5 hours minus 60 minutes",
        ),
        (
            "My shift is 9:00 to 5:20 with a 20 minute lunch that isn't paid. How many hours am I paid for?",
            "what is 8 hours 20 minutes minus 20 minutes",
        ),
        (
            "Rent 1275, internet 42, electric 96, three of us in the flat. What do I owe?",
            "what is (1275 + 42 + 96) / 3",
        ),
        ("Taxi 18, meal 96 and drinks 30, split between six of us. What is my share?", "what is (18 + 96 + 30) / 6"),
        (
            "Rent is £1,200, electricity £84 and broadband £36. We are four people. How much do I owe?",
            "what is (£1200 + £84 + £36) / 4",
        ),
    ],
)
def test_an_everyday_question_comes_to_a_plain_one(asked: str, plain: str) -> None:
    assert list(of_every_day(asked, TODAY)) == [plain]


@each(
    "asked",
    [
        "how many sundays were there this year",
        "how many tuesdays are left this year including today",  # from today on
        "how many sundays are left in March",
        "How many Mondays are left next year?",
        "how many sundays are left before my holiday",
        "how many sundays are left this school year",
        "Posted on Thursday 18 November 2026, five working days, on what date",  # that is a Wednesday
        "Sent on 19 November 2026, arrives within 3 to 5 working days. What date is that?",
        "Sent on 19 November 2026 at 4 pm, takes 3 working days. What date is that?",  # may count from the next day
        "I paid it in on 19 November 2026, 3 working days plus 2 days. What date is that?",
        "10 pm till 6 am with an unpaid break. How many hours do I get paid?",
        "8 am to 4 pm with a half-hour paid break. How many hours do I get paid?",
        "8 am to 6 pm with two unpaid breaks of 15 minutes. How many hours do I get paid?",
        "9 am to 5 pm, half an hour unpaid break and 15 minutes paid break. How many hours do I get paid?",
        "9 am to 5 pm Monday to Friday with a half hour unpaid break. How many hours do I get paid a week?",
        "Rent 1275, discount 42, three of us in the flat. What do I owe?",
        "Rent 1275 a month, internet 42 a year, three of us in the flat. What do I owe?",
        "Rent 1275, gas 12 a week, three of us in the flat. What do I owe?",
        "Rent £1275, internet $42, three of us in the flat. What do I owe?",
        "Rent 1275, internet 42, one of us. What do I owe?",
        "Rent 1275, internet 42, three of us but I pay double. What do I owe?",
        "Rent 1275, internet 42, some of us in the flat. What do I owe?",
    ],
)
def test_what_may_be_meant_otherwise_is_left_alone(asked: str) -> None:
    assert list(of_every_day(asked, TODAY)) == []


@each(
    "asked, told",
    [
        ("add up 1h20, 55 min and 2h35", "1 h 20 min + 55 min + 2 h 35 min is 4 hours 50 minutes, {figure}."),
        ("What is 2h15 plus 1h50 plus 40 min?", "2 h 15 min + 1 h 50 min + 40 min is 4 hours 45 minutes, {figure}."),
        (
            "sum 1 hour 20 minutes, 40 minutes and 2 hours",
            "1 h 20 min + 40 min + 2 h is 4 hours, {figure}.",
        ),
        ("add 45 min to 1h30", "45 min + 1 h 30 min is 2 hours 15 minutes, {figure}."),
        ("add 45 min to 3 km", ""),
    ],
)
def test_lengths_of_time_are_added_in_their_units(asked: str, told: str) -> None:
    found = span_sum(asked, "en")
    assert (found.told if found else "") == told


@each(
    "asked, value, language, told",
    [
        ("45 minutes and 1 hour 10 minutes", Value("115", "minutes"), "en", "1 h 55 min (115)"),
        ("8.5 hours minus 20 minutes", Value("8.166666666667", "hours"), "en", "8 h 10 min (115)"),
        ("3 hours minus 45 minutes", Value("2.25", "hours"), "en", "115"),
        ("1h20 and 40 min", Value("120", "minutes"), "en", "2 h (115)"),
        ("1時間20分と35分", Value("115", "minutes"), "ja", "1時間55分(115)"),
        ("how many minutes are 1h20 and 35 min", Value("115", "minutes"), "en", "115"),
        ("80 minutes and 35 minutes", Value("115", "minutes"), "en", "115"),
        ("1 hour minus 20 minutes", Value("40", "minutes"), "en", "115"),
        ("1 h 20 min at 3 km", Value("115", "km"), "en", "115"),
    ],
)
def test_a_length_is_told_in_hours_and_minutes(asked: str, value: Value, language: Language, told: str) -> None:
    assert with_hours(asked, value, language, "115") == told
