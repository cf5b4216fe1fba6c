"""Lists of lines and records of keys: tables like any other, so a value of another line is never called traced."""

from __future__ import annotations

import pytest

from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from tests.support.cases import each
from tests.support.traced import verdict

LAKES = "Lakes\n\n- Upper Mere – 512 ha, 41 m deep\n- Long Water – 388 ha, 67 m deep\n- Tarn – 12 ha, 9 m deep"
FARES = "Fares from May 2025:\nAdults: €14.50\nStudents: €9.00\nFamilies: €32.00"
RUNNERS = "1. Ida Lund 2:31:07\n2. Grace Otieno 2:31:55\n3. Mei Tanaka 2:33:40"
PUMPS = "## Pump A\nFlow: 12.5 m³/h\nWeight: 38 kg\n\n## Pump B\nFlow: 21.0 m³/h\nWeight: 57 kg"
LAMPS = "Model: Sol 1\nPower: 9 W\nPrice: 12 USD\n\nModel: Sol 1 Max\nPower: 14 W\nPrice: 19 USD"
HOSTS = "host=web1 cpu=12 memory_mb=512\nhost=db1 cpu=64 memory_mb=768"
FIRM = "At a glance\n\nEmployees: 4,312 (2023), 4,105 (2022)\nSites: 27 (2023), 25 (2022)"
FRAME = "       name  people\n0      Oslo  709037\n1  New Town   14226"
NESTED = '{"Oslo": {"people": 709037, "area": 480}, "Rome": {"people": 2748109, "area": 1285}}'
YAML = "Oslo:\n  people: 709037\nRome:\n  people: 2748109"
HTML = (
    "<table><caption>Bridges, 2020</caption><tr><th>Bridge</th><th>Length (m)</th></tr>"
    "<tr><td>Old Bridge</td><td>305</td></tr><tr><td><b>Church Bridge</b></td><td>362</td></tr></table>"
)


def only_table(text: str) -> Table:
    (table,) = tables_in(text)
    return table


@each(
    ("text", "heads", "rows"),
    [
        (FARES, ("", ""), [["Adults", "€14.50"], ["Students", "€9.00"], ["Families", "€32.00"]]),
        (LAKES, ("", "", "deep"), [["Upper Mere", "512 ha", "41 m"], ["Long Water", "388 ha", "67 m"]]),
        (RUNNERS, ("", ""), [["Ida Lund", "2:31:07"]]),
        (PUMPS, ("", "flow", "weight"), [["Pump A", "12.5 m³/h", "38 kg"], ["Pump B", "21.0 m³/h", "57 kg"]]),
        (LAMPS, ("model", "power", "price"), [["Sol 1", "9 W", "12 USD"], ["Sol 1 Max", "14 W", "19 USD"]]),
        (HOSTS, ("host", "cpu", "memory mb"), [["web1", "12", "512"], ["db1", "64", "768"]]),
        (FIRM, ("", "2023", "2022"), [["Employees", "4,312", "4,105"], ["Sites", "27", "25"]]),
        (FRAME, ("name", "", "people"), [["Oslo", "0", "709037"], ["New Town", "1", "14226"]]),
        (NESTED, ("", "people", "area"), [["Oslo", "709037", "480"], ["Rome", "2748109", "1285"]]),
        (YAML, ("", "people"), [["Oslo", "709037"], ["Rome", "2748109"]]),
        (HTML, ("bridge", "length (m)"), [["Old Bridge", "305"], ["Church Bridge", "362"]]),
    ],
)
def test_lines_are_rows(text: str, heads: tuple[str, ...], rows: list[list[str]]) -> None:
    table = only_table(text)
    assert tuple(head.strip() for head in table.column_heads) == heads
    assert [[cell.text for cell in row] for row in table.body[: len(rows)]] == rows
    assert all(text[cell.start : cell.end] == cell.text for row in table.body for cell in row)


@each(
    ("text", "answer", "figure", "expected"),
    [
        (LAKES, "Long Water is 67 m deep.", "67 m", "seen"),
        (LAKES, "Upper Mere is 67 m deep.", "67 m", "elsewhere"),
        (LAKES, "Tarn: 388 ha", "388 ha", "elsewhere"),
        (FARES, "Students pay €9.00, families €32.", "32", "seen"),
        (FARES, "Students pay €14.50.", "€14.50", "elsewhere"),
        (RUNNERS, "Grace Otieno needed 2:31:55.", "2:31:55", "seen"),
        (RUNNERS, "Grace Otieno needed 2:33:40.", "2:33:40", "elsewhere"),
        (PUMPS, "Pump B weighs 57 kg.", "57 kg", "seen"),
        (PUMPS, "Pump A weighs 57 kg.", "57 kg", "elsewhere"),
        (LAMPS, "The Sol 1 Max costs 19 USD.", "19 USD", "seen"),
        (LAMPS, "The Sol 1 Max has 9 W.", "9 W", "elsewhere"),
        (HOSTS, "db1 uses 768 MB.", "768", "seen"),
        (HOSTS, "web1 uses 768 MB.", "768", "elsewhere"),
        (FIRM, "In 2022 it had 25 sites.", "25", "seen"),
        (FIRM, "In 2022 it had 27 sites.", "27", "elsewhere"),
        (FRAME, "New Town has 14,226 people.", "14,226", "seen"),
        (FRAME, "Oslo has 14,226 people.", "14,226", "elsewhere"),
        (NESTED, "Rome has 2,748,109 people.", "2,748,109", "seen"),
        (NESTED, "Oslo has 2.7 million people.", "2.7 million", "elsewhere"),
        (YAML, "Oslo has 709,037 people.", "709,037", "seen"),
        (YAML, "Rome has 709,037 people.", "709,037", "elsewhere"),
        (HTML, "The Church Bridge is 362 m long.", "362 m", "seen"),
        (HTML, "The Old Bridge is 362 m long.", "362 m", "elsewhere"),
    ],
)
def test_a_value_stands_with_the_name_of_its_line(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The hall opened in 1962.\nIt was built by two brothers.\nIn 1987 it burned down.",
        "Note: closed on Mondays",
        "Title: A walk\nURL: https://example.org/1\nTitle: A run\nURL: https://example.org/2",
    ],
)
def test_prose_is_no_list(text: str) -> None:
    assert not [table for table in tables_in(text) if table.width > 2 or len(table.body) > 2]


WEATHER = (
    "Weather in Bergen\n"
    "2026-11-21 (Saturday): low 4.2 °C, high 11 °C, light rain, chance of rain 70 %, wind up to 25 km/h\n"
    "2026-11-22 (Sunday): low 5.2 °C, high 12 °C, clear sky, wind up to 31 km/h"
)
RACES = "Year|Meeting|Place|Event|Notes\n---|---|---|---|---\n1994|World Cup|4th|400 m|51.36"
NAMES = "| Runner | Town |\n| --- | --- |\n| Ada Brandt | New York City |"


def test_parts_of_lines_of_different_lengths_stand_under_their_wording() -> None:
    heads = tuple(head.strip() for head in only_table(WEATHER).column_heads)
    assert heads == ("", "low", "high", "", "chance of rain", "wind up to")


SALES = "department,2021,2022,2023\nRoads,1450,1520,1610\nParks,310,295,342\nSchools,5210,5388,5605"
UNITS = "| | 2024 | 2023 |\n| --- | --- | --- |\n| Employees | 4,312 | 4,105 |\n| Sites | 27 | 25 |"
RAIN = "Rainfall in Bergen, 2021 (mm)\n\n| Month | Rain |\n| --- | --- |\n| January | 221 |\n| February | 174 |"
VOTES = "Name|Votes|%\n---|---|---\nLund|812|40.6\nEik|1,188|59.4\nTotal votes|2,000|100"
CLUBS = (
    "| Club | Season | Goals |\n| --- | --- | --- |\n| Viking | 2019 | 12 |\n| Viking | 2020 | 19 |\n"
    "| Viking | Total | 31 |\n| Brann | 2021 | 8 |"
)
ASKED = "Car: 412\nBicycle: 251\nBus: 163\nAnswers: 826"
SEASONS = "| Season | Club |\n| --- | --- |\n| 2010–11 | Brann |\n| 2011–12 | Viking |"
WINS = "Year|Race|Place\n---|---|---\n1986|Osaka|1st\n1987|Osaka|1st\n1989|Osaka|1st"


@each(
    ("text", "answer", "figure", "expected"),
    [
        (WEATHER, "On 2026-11-22 it is between 5.2 and 12 °C.", "12 °C", "seen"),
        (WEATHER, "On 2026-11-21 it is between 4.2 and 12 °C.", "12 °C", "elsewhere"),
        (WEATHER, "On Saturday the wind blows with 25 km/h, with a chance of rain of 70 %.", "25 km/h", "seen"),
        (WEATHER, "On Sunday the wind blows with 25 km/h.", "25 km/h", "elsewhere"),
        (RACES, "At the World Cup of 1994 she finished the 400 metres in 51.36.", "51.36", "seen"),
        (SALES, "Spending on roads rose by 160 between 2021 and 2023.", "160", "worked_out"),  # 1520 is no year here
        (UNITS, "In 2024 the firm had 4,312 employees.", "4,312", "seen"),
        (UNITS, "The firm has 4,105 employees.", "4,105", "elsewhere"),
        (UNITS, "In 2023 the firm had 4,312 employees.", "4,312", "elsewhere"),
        (RAIN, "174 mm fell in February 2021.", "February 2021", "seen"),
        (RAIN, "174 mm fell in March 2021.", "March 2021", "not_found"),
        (VOTES, "Eik won with 59.4% of total votes.", "59.4%", "seen"),
        (VOTES, "Lund won with 59.4% of total votes.", "59.4%", "elsewhere"),
        (CLUBS, "For Viking he scored 31 goals.", "31", "seen"),
        (CLUBS, "For Brann he scored 31 goals.", "31", "elsewhere"),
        (ASKED, "163 of the 826 take the bus.", "826", "seen"),
        (SEASONS, "In the 2011-12 season he played for Viking.", "2011-12", "seen"),
        (SEASONS, "In the 2008-09 season he played for Viking.", "2008-09", "not_found"),
        (WINS, "She won in Osaka three times (1986, 87 and 89).", "89", "seen"),
        (WINS, "She won in Osaka three times (1986, 87 and 88).", "88", "not_found"),
    ],
)
def test_what_the_table_says_without_words(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


@each(
    ("answer", "name", "expected"),
    [
        ("The race was won by Ada Maria Brandt.", "Ada Maria Brandt", "seen"),
        ("The race was won by Champion Ada Brandt.", "Champion Ada Brandt", "elsewhere"),
        ("The race was won by Yusuf Ada Brandt.", "Yusuf Ada Brandt", "elsewhere"),
        ("The race was won by Ada Maria Berger.", "Ada Maria Berger", "not_found"),
        ("She lives in Port York City.", "Port York City", "not_found"),
    ],
)
def test_a_name_with_one_word_more(answer: str, name: str, expected: str) -> None:
    assert verdict(answer, name, NAMES) == expected
