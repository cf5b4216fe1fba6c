"""The ``now`` tool: zones, dates, durations, differences; checked against other calculations of the same."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
import pytz

from agent.errors import BadArguments, ToolFailed
from agent.tools.now.durations import duration, shifted
from agent.tools.now.now_tool import now_tool, tell
from tests.support.cases import each

NOW = datetime(2026, 11, 21, 19, 20, 5, tzinfo=UTC)
# What is asked, and what must stand in the answer.
TABLE: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "Saturday, 21 November 2026, 19:20:05 UTC (2026-11-21T19:20:05+00:00). ISO week 2026-W47, day 325"),
    ({"zone": "Asia/Tokyo"}, "Sunday, 22 November 2026, 04:20:05 in Asia/Tokyo (JST, UTC+09:00)"),
    ({"zone": "tokyo"}, "in Asia/Tokyo"),
    ({"zone": "東京"}, "in Asia/Tokyo"),
    ({"zone": "Japan"}, "+09:00"),
    ({"zone": "大阪"}, "in Asia/Tokyo"),
    ({"zone": "San Francisco"}, "11:20:05 in America/Los_Angeles (PST, UTC-08:00)"),
    ({"zone": "new york"}, "14:20:05 in America/New_York (EST"),
    ({"zone": "New_York"}, "America/New_York"),
    ({"zone": "Germany"}, "20:20:05 in Europe/Berlin"),
    ({"zone": "France"}, "Europe/Paris"),
    ({"zone": "the Netherlands"}, "Europe/Amsterdam"),
    ({"zone": "India"}, "00:50:05 in Asia/Kolkata (IST, UTC+05:30)"),
    ({"zone": "Nepal"}, "UTC+05:45"),
    ({"zone": "São Paulo"}, "America/Sao_Paulo"),
    ({"zone": "Zürich"}, "Europe/Zurich"),
    ({"zone": "+05:30"}, "UTC+05:30"),
    ({"zone": "UTC-3"}, "16:20:05 UTC-03:00"),
    ({"zone": "utc"}, "19:20:05 UTC"),
    ({"zone": "JST"}, "Asia/Tokyo"),
    ({"zone": "EST"}, "UTC-05:00"),
    ({"zone": "Kiritimati"}, "Sunday, 22 November 2026, 09:20:05"),
    ({"add": "in 90 days"}, "is Friday, 19 February 2027 (2027-02-19)"),
    ({"add": "90 days from today"}, "2027-02-19"),
    ({"add": "100日後"}, "2027-03-01"),
    ({"add": "3週間前"}, "2026-10-31"),
    ({"add": "2 weeks ago"}, "2026-11-07"),
    ({"add": "3 weeks before 2026-01-05"}, "Monday, 15 December 2025 (2025-12-15). ISO week 2025-W51"),
    ({"add": "a week after 5 January 2026"}, "2026-01-12"),
    ({"add": "-10 days", "date": "2026-01-05"}, "2025-12-26"),
    ({"add": "1 month", "date": "2024-01-31"}, "2024-02-29"),
    ({"add": "1 month", "date": "2023-01-31"}, "2023-02-28"),
    ({"add": "1 year", "date": "2024-02-29"}, "2025-02-28"),
    ({"add": "4 years", "date": "2024-02-29"}, "2028-02-29"),
    ({"add": "-1 month", "date": "2026-03-31"}, "2026-02-28"),
    ({"add": "1 year 2 months and 3 days", "date": "2025-12-30"}, "2027-03-03"),
    ({"add": "P1Y2M3DT4H", "date": "2026-01-01 00:00"}, "2027-03-04T04:00:00"),
    ({"add": "1 quarter", "date": "2026-11-30"}, "2027-02-28"),
    ({"add": "36 hours", "date": "2026-01-01"}, "2026-01-02T12:00:00"),
    ({"add": "1.5 hours", "date": "today"}, "20:50:05"),
    ({"add": "24 hours", "date": "2026-03-28 12:00", "zone": "Europe/Berlin"}, "13:00 in Europe/Berlin (CEST"),
    ({"add": "1 day", "date": "2026-03-28 12:00", "zone": "Europe/Berlin"}, "12:00 in Europe/Berlin (CEST"),
    ({"add": "1 day", "date": "2026-10-31 12:00", "zone": "America/New_York"}, "12:00 in America/New_York (EST"),
    ({"date": "2026-03-29 02:30", "zone": "Europe/Berlin"}, "02:30 does not exist on that day"),
    ({"date": "2026-10-25 02:30", "zone": "Europe/Berlin"}, "comes twice on that day"),
    ({"date": "2026-11-21 09:00 America/New_York", "zone": "Asia/Tokyo"}, "23:00 in Asia/Tokyo"),
    ({"date": "2026-11-21T09:00+01:00", "zone": "UTC"}, "08:00 UTC"),
    ({"date": "2026-01-05 2:30 pm"}, "14:30 UTC"),
    ({"date": "2026-01-05 12:00 am"}, "00:00 UTC"),
    ({"date": "2026-11-21", "add": "10 working days"}, "Friday, 4 December 2026"),
    ({"date": "2026-11-20", "add": "1 business day"}, "Monday, 23 November 2026"),
    ({"date": "2026-11-23", "add": "-6 working days"}, "Friday, 13 November 2026"),
    ({"date": "2026-11-20", "add": "2営業日"}, "Tuesday, 24 November 2026"),
    ({"date": "2026-11-21 15:00 New Yrok", "zone": "lodnon"}, "20:00 in Europe/London"),
    ({"zone": "lodnon"}, "“lodnon” is taken as London."),
    ({"date": "1969-07-20"}, "Sunday, 20 July 1969"),
    ({"date": "July 20, 1969"}, "1969-07-20"),
    ({"date": "20th of July 1969"}, "1969-07-20"),
    ({"date": "Sun, 20 Jul 1969"}, "1969-07-20"),
    ({"date": "1969年7月20日"}, "1969-07-20"),
    ({"date": "2026/1/5"}, "2026-01-05"),
    ({"date": "20260105"}, "2026-01-05"),
    ({"date": "2026-W01"}, "Monday, 29 December 2025"),
    ({"date": "2024-02-29"}, "day 60 of the year; 2024 is a leap year"),
    ({"date": "2024-12-30"}, "ISO week 2025-W01"),
    ({"date": "2020-12-31"}, "ISO week 2020-W53, day 366"),
    ({"date": "1500-01-01"}, "Gregorian"),
    ({"date": "tomorrow"}, "Sunday, 22 November 2026 (2026-11-22)"),
    ({"date": "明日", "zone": "Asia/Tokyo"}, "2026-11-23"),
    ({"date": "2024-01-01", "until": "2024-03-01"}, ": 60 days (8 weeks and 4 days; 2 months)."),
    ({"date": "2023-01-01", "until": "2023-03-01"}, ": 59 days"),
    ({"date": "2024-03-01", "until": "2024-01-01"}, ": -60 days (minus 8 weeks and 4 days"),
    ({"date": "1990-05-01", "until": "2026-11-21"}, "36 years, 6 months and 20 days"),
    ({"until": "2026-12-25"}, ": 34 days"),
    ({"until": "today"}, ": 0 days"),
    ({"date": "2026-01-01 10:00", "until": "2026-01-02 12:30:05"}, "1 day, 2 hours, 30 minutes and 5 seconds"),
    ({"date": "22:45"}, "Saturday, 21 November 2026, 22:45 UTC"),
    ({"date": "10:45 pm", "zone": "Tokyo"}, "Sunday, 22 November 2026, 22:45 in Asia/Tokyo"),
    ({"date": "9pm", "add": "-90 minutes"}, "19:30 UTC"),
    ({"date": "6:30", "add": "-9 hours"}, "Friday, 20 November 2026, 21:30"),
    ({"date": "15:00 New York", "zone": "London"}, "20:00 in Europe/London"),
    ({"date": "22:45", "until": "6:30"}, "to 2026-11-22T06:30:00+00:00: 7 hours and 45 minutes (27,900 seconds)"),
    ({"date": "22:45", "until": "6:30 AM"}, ": 7 hours and 45 minutes"),
    ({"date": "9:00", "until": "17:30"}, ": 8 hours and 30 minutes"),
    ({"date": "2026-03-28 22:00", "until": "6:00", "zone": "Europe/Berlin"}, ": 7 hours (25,200 seconds)"),
    ({"until": "23:20:05"}, "From 2026-11-21T19:20:05+00:00 to 2026-11-21T23:20:05+00:00: 4 hours"),
    ({"until": "7:20"}, "to 2026-11-22T07:20:00+00:00: 11 hours, 59 minutes and 55 seconds"),
    ({"date": "21時30分", "until": "6時"}, ": 8 hours and 30 minutes"),
    ({"date": "2026-03-29 00:00", "until": "2026-03-29 06:00", "zone": "Europe/Berlin"}, ": 5 hours (18,000 seconds)"),
)
REFUSED: tuple[tuple[dict[str, str], str], ...] = (
    ({"zone": "Atlantis"}, "There is no time zone “Atlantis”"),
    ({"zone": "United States"}, "more than one time zone: America/New_York"),
    ({"zone": "IST"}, "Asia/Kolkata, Asia/Jerusalem"),
    ({"zone": "Georgia"}, "Asia/Tbilisi"),
    ({"zone": "+25:00"}, "no offset"),
    ({"date": "3/4/2024"}, "Write the year first"),
    ({"date": "2023-02-29"}, "There is no day"),
    ({"date": "2026-13-01"}, "There is no day"),
    ({"date": "2026-01-05 25:00"}, "cannot be read"),
    ({"date": "25:00"}, "cannot be read"),
    ({"date": "22:45 Atlantis"}, "There is no time zone “Atlantis”"),
    ({"date": "soon"}, "cannot be read as a date"),
    ({"add": "some time"}, "cannot be read as a length of time"),
    ({"add": "half a month", "date": "2026-01-01"}, "cannot be read"),
    ({"add": "9000 years"}, "outside the calendar"),
    ({"add": "99999999999 days"}, "longer than the calendar"),
    ({"add": "1 " * 200}, "too long"),
)


@each(("asked", "told"), TABLE, ids=str)
def test_what_it_tells(asked: dict[str, str], told: str) -> None:
    tool = now_tool(lambda: NOW)
    assert told in tool.call(asked).text


@each(("asked", "reason"), REFUSED, ids=str)
def test_what_it_refuses(asked: dict[str, str], reason: str) -> None:
    with pytest.raises(ToolFailed, match=re.escape(reason)) as refused:
        now_tool(lambda: NOW).call(asked)
    assert refused.value.kind == "input"


@each("year", [1970, 1995, 2010, 2026])
def test_zones_agree_with_another_library(year: int) -> None:
    """As pytz, which reads the time zone database in its own way, has them on days of summer and winter."""
    for zone in ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kolkata", "Australia/Sydney", "Africa/Cairo"):
        for month in (1, 4, 7, 10):
            at = datetime(year, month, 15, 12, tzinfo=UTC)
            there = at.astimezone(pytz.timezone(zone))
            assert there.isoformat() in tell(at, zone)


def test_dates_agree_with_counting() -> None:
    """Weekdays by Zeller's congruence, sums and differences by numbers of days."""
    chance = Random(7)
    for _ in range(300):
        first = date.fromordinal(chance.randrange(600_000, 1_000_000))
        days = chance.randrange(1, 60_000)
        last = first + timedelta(days)
        month, year = (first.month, first.year) if first.month > 2 else (first.month + 12, first.year - 1)
        zeller = (first.day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400) % 7
        name = ("Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")[zeller]
        assert tell(NOW, date=first.isoformat()).startswith(name)
        assert f"({last.isoformat()})" in tell(NOW, date=first.isoformat(), add=f"{days} days")
        told = tell(NOW, date=first.isoformat(), until=last.isoformat())
        assert f": {days:,} day" in told


def test_months_there_and_back() -> None:
    chance = Random(8)
    for _ in range(300):
        start = datetime.combine(date.fromordinal(chance.randrange(600_000, 800_000)), datetime.min.time())
        months = chance.randrange(1, 500)
        there, note = shifted(start, duration(f"{months} months"))
        assert (there.year * 12 + there.month) - (start.year * 12 + start.month) == months
        assert there.day == start.day or (note and (there + timedelta(days=1)).day == 1)


def test_the_tables_are_as_large_as_promised() -> None:
    assert len(TABLE) >= 60


@each(
    ("words", "said"),
    [
        ("days until Christmas", "From 2026-11-21 to 2026-12-25: 34 days"),
        ("what day of the week was 20 July 1969?", "Sunday, 20 July 1969"),
        ("90 days after 2024-01-01", "is Sunday, 31 March 2024"),
        ("2024年1月1日から2024年3月1日まで何日？", ": 60 days"),
        ("3pm New York in London", "20:00 in Europe/London"),
        ("9am to 5:30pm", "8 hours and 30 minutes"),
        ("2 hours before noon", "10:00 UTC"),
        ("what date is next Friday?", "Friday, 27 November 2026"),
        ("when is Easter 2027?", "Sunday, 28 March 2027"),
        ("ニューヨークの午後3時は東京では何時？", "05:00 in Asia/Tokyo"),
        ("{}", "19:20:05 UTC"),
        # What small models write where fields are asked for.
        ("Nairobi", "22:20:05 in Africa/Nairobi"),
        ("Nairobi, Kenya", "22:20:05 in Africa/Nairobi"),
        ("What time is it in Nairobi right now?", "22:20:05 in Africa/Nairobi"),
        ("current time in Nairobi, Kenya", "22:20:05 in Africa/Nairobi"),
        ("Nairobi time", "22:20:05 in Africa/Nairobi"),
        ("now('Nairobi')", "22:20:05 in Africa/Nairobi"),
        ('{"location": "Nairobi"}', "22:20:05 in Africa/Nairobi"),
        ('{"thought": "A city.", "city": "Nairobi"}', "22:20:05 in Africa/Nairobi"),
        ('{"format": "%A"}', "19:20:05 UTC"),
        ("東京は今何時？", "04:20:05 in Asia/Tokyo"),
        ("東京", "04:20:05 in Asia/Tokyo"),
        ("What day is it today?", "Saturday, 21 November 2026, 19:20:05 UTC"),
        ("current date and time", "19:20:05 UTC"),
        ("now()", "19:20:05 UTC"),
        ("今日", "19:20:05 UTC"),
        ("tomorrow", "Sunday, 22 November 2026"),
        ("2026-01-05", "Monday, 5 January 2026"),
        # Days that are called like a place.
        ("Christmas", "Friday, 25 December 2026"),
        ("Christmas Day", "Friday, 25 December 2026"),
        ("what is the date for Christmas", "Friday, 25 December 2026"),
        ('{"query": "christmas"}', "Friday, 25 December 2026"),
    ],
)
def test_plain_words_are_read(words: str, said: str) -> None:
    tool = now_tool(lambda: NOW)
    assert said in tool.call(tool.prepare(words).arguments).text


@each("words", ["moon landing", "weather in Paris", "capital of France", "5 apples", "USA", "x" * 9000])
def test_words_that_are_no_time_are_sent_back(words: str) -> None:
    with pytest.raises(BadArguments, match="could not be read"):
        now_tool(lambda: NOW).prepare(words)
