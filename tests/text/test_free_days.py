"""Days, times and units told in any words: the plain question that they come to, and what must not be read."""

from __future__ import annotations

from datetime import date

from agent.text.free_days.free_day import free_days
from agent.text.free_days.going_on import gone_on_days
from agent.text.plainly.free_conversion import free_conversion
from agent.text.plainly.name_swapped import name_swapped
from agent.text.problems.clock_figures import after_noon
from tests.support.cases import each

TODAY = date(2026, 11, 21)


PLAINLY = (
    ("What date is it if we go back 6 weeks from 14 March 2027?", "what date is 6 weeks before 2027-03-14"),
    ("the skates must go back 8 days from 14 March 2027, what date is that?", "what date is 8 days after 2027-03-14"),
    (
        "if you count 90 days on from 1 december 2026 which weekday do you land on",
        "what day of the week is 90 days after 2026-12-01",
    ),
    (
        "My birthday is the 3rd of October. On what weekday does it fall in 2027?",
        "what day of the week is 2027-10-03",
    ),
    ("Is 5 November 2027 a Friday or a Saturday?", "what day of the week is 2027-11-05"),
    (
        "my nephew was born 14 feb 2009, how old will he be on 1 september 2027",
        "how old is someone born on 2009-02-14 on 2027-09-01",
    ),
    (
        "tulips went in on 1 november, they flower after 20 weeks. when will I see any?",
        "what date is 20 weeks after 2026-11-01",
    ),
    (
        "The exam is on 8 June 2027 and I begin revising ten weeks before. When is that?",
        "what date is 10 weeks before 2027-06-08",
    ),
    ("It's 90 days since I quit smoking. What date did I quit?", "what date is 90 days before 2026-11-21"),
    ("The rent is due on the 28th. How many days from now is that?", "how many days until 2026-11-28"),
    (
        "We're paid on the last Friday of the month. When's that in January 2027?",
        "what date is the last friday of january 2027",
    ),
    (
        "How long is it between 4 July 2026 and 19 September 2026 in weeks?",
        "how many days between 2026-07-04 and 2026-09-19",
    ),
)


@each("asked, plain", PLAINLY)
def test_days_in_any_words(asked: str, plain: str) -> None:
    assert list(free_days(asked, TODAY)) == [plain]


@each(
    "asked",
    (
        "The parcel was posted on 17 November 2026 and takes 5 days, not counting Sunday. When does it come?",
        "The course starts on 11 January 2027 and lasts 8 weeks with a break. What date is it over?",
        "Somebody born on 3 August 1995 bought it. How old is the house on 1 January 2027?",
        "if I start on 3 March and take them for 7 days, what date is the last day",
        "On which day of the week are fires allowed, if we burn branches one Sunday in December?",
        "I got a dog on 1 March. How many days until then?",
        "It costs 12 euros on 3 May. What date is it 3 weeks later?",
        "How many days until 1 January and what weekday is it?",
    ),
)
def test_what_would_be_another_day_is_not_read(asked: str) -> None:
    assert not list(free_days(asked, TODAY))


GOING_ON = (
    (
        "They've just rung and put it off by nine days. Which weekday is it now?",
        "What day of the week is 8 December 2026? I've a hospital appointment.",
        "what day of the week is 9 days after 2026-12-08",
    ),
    (
        "And if it were two months rather than eight weeks?",
        "I give eight weeks' notice on 30 November 2026. When is it up?",
        "i give 2 months' notice on 30 november 2026. when is it up?",
    ),
    ("and in March?", "When is the first Monday of February 2027?", "When is the first Monday of March 2027?"),
    (
        "How many days until her next birthday?",
        "How old is Ann, born on 9 August 1938?",
        "How many days until 9 August?",
    ),
)


@each("asked, before, plain", GOING_ON)
def test_a_follow_up_of_days(asked: str, before: str, plain: str) -> None:
    assert plain in list(gone_on_days(asked, before, TODAY))


CONVERTED = (
    ("how heavy is 25 lbs in kilograms, need it for the flight", "25 lbs in kilograms"),
    ("oven manual only has fahrenheit but the recipe says 220 celsius, so?", "220 celsius in fahrenheit"),
    ("the pool holds 50000 litres, what's that in gallons (imperial)", "50000 litres in UK gallons"),
    ("My grandad weighed 10 stone 7 in the army. How many kilos would that be?", "10 stone 7 pounds in kilos"),
    ("They sell the fabric by the yard, I need 3 metres, how many yards do I ask for", "3 metres in yards"),
    ("I have 3 kg and use 500 g, how many grams left", ""),
    ("I drink 2 litres a day, how many pints is that", ""),
    ("Half of my 3 kg bag, how many pounds is that?", ""),
    ("It costs £3 for 2 kg, how many pounds?", ""),
    ("The doctor wrote 98.6 F. Is that Celsius 37?", ""),
)


@each("asked, plain", CONVERTED)
def test_one_quantity_in_another_unit(asked: str, plain: str) -> None:
    assert next(free_conversion(asked), "") == plain


FACES = (
    ("9:30", "2:15", "14:15"),
    ("12:50", "2:15", "14:15"),
    ("22:00", "6:00", "6:00"),
    ("9:30am", "2:15", "2:15pm"),
    ("9:30", "11:15", "11:15"),
)


@each("first, last, end", FACES)
def test_the_later_of_two_times_on_the_face_of_a_clock(first: str, last: str, end: str) -> None:
    assert after_noon(first, last) == end


@each(
    "asked, plain",
    (
        ("And Maya?", "How much goes on what Maya uses?"),
        ("what about Maya Lee", "How much goes on what Maya Lee uses?"),
        ("and the others?", None),
        ("Maya?", None),
    ),
)
def test_another_name_in_a_declined_question(asked: str, plain: str | None) -> None:
    assert name_swapped(asked, "How much goes on what Priya uses?") == plain
