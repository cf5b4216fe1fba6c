"""Questions about the weather: the place and the days that are read out of them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.weather.place_question import understood

TODAY = date(2026, 11, 23)  # a Monday
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("question", "place", "first", "last"),
    [
        ("Will it rain in Oslo tomorrow?", "Oslo", TODAY + DAY, None),
        ("What is the weather like in New York City, today?", "New York City", TODAY, None),
        ("Is it going to snow on Friday in Reykjavik, Iceland?", "Reykjavik, Iceland", date(2026, 11, 27), None),
        ("Do I need an umbrella in Bergen at 3 pm tomorrow?", "Bergen", TODAY + DAY, None),
        ("what's the temperature in São Paulo", "São Paulo", None, None),
        ("How warm was it in Cairo on 3 May 2020?", "Cairo", date(2020, 5, 3), None),
        ("weather in Paris, France", "Paris, France", None, None),
        ("Will there be sun in Rome this weekend?", "Rome", date(2026, 11, 28), date(2026, 11, 29)),
        ("Weather for Frankfurt am Main in 3 days?", "Frankfurt am Main", TODAY + 3 * DAY, None),
        ("Will Lisbon see rain tomorrow?", "Lisbon", TODAY + DAY, None),
        ("Tokyo weather?", "Tokyo", None, None),
        ("Is it windy in the Hague tomorrow morning?", "Hague", TODAY + DAY, None),
        ("明日のオスロは雨が降りますか？", "オスロ", TODAY + DAY, None),
        ("東京の天気は？", "東京", None, None),
        ("札幌は週末に雪が降る？", "札幌", date(2026, 11, 28), date(2026, 11, 29)),
        ("井の頭の天気を教えて", "井の頭", None, None),
    ],
)
def test_a_question_names_a_place_and_days(question: str, place: str, first: date | None, last: date | None) -> None:
    read = understood(question, TODAY)
    assert read is not None
    assert (read.place, read.first, read.last) == (place, first, last)


@pytest.mark.parametrize(
    "place",
    [
        "Oslo",
        "Paris, France",
        "Frankfurt am Main",
        "Stoke in Teignhead",
        "Rain, Bavaria",
        "St. Louis",
        "東京",
        "雨竜町",
    ],
)
def test_the_name_of_a_place_is_no_question(place: str) -> None:
    read = understood(place, TODAY)
    assert read is None or read.place == place


@given(st.text(max_size=200))
def test_no_text_raises_and_what_is_read_is_of_it(text: str) -> None:
    read = understood(text, TODAY)
    assert read is None or read.place.strip() == read.place != ""
