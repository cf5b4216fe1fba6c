"""Tables with years across the top load with their heads, however many rows these take, and with figures below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.jobs import table_job

pytestmark = pytest.mark.slow

TWO_HEADS = (
    ',"Years ended March 31,",\n,2031,2030\nTolls,"$ 1,452.4","$ 1,146.2"\nFerries,(71),—\n'
    'Total income,"1,381.4","1,146.2"\n'
)
UNITS = ",2031,2030\n,£m,£m\nOperating costs:,,\nTrack,12.5,(3.4)\nTrains,$—,7\n"
LONE_UNIT = (
    ',,Year ended,\n,"January 3, 2031","December 28, 2029","December 29, 2028"\n,,(in millions),\n'
    'Rent,$(55),$(7),$10\nPower,"(1,110 )",2,3\n'
)
CENTRED = ",,June 30,,Change\n,2031,2030,$,%\nSales,$ 93,$ 103,$ (10),(9.7%)\nGrants,5,4,1,25.0%\n"
GROUPS = ",Members,,Fees (€),\n,2030,2031,2030,2031\nNorth,10,12,1.5,1.7\nSouth,20,25,2.5,2.9\n"
JAPANESE = (
    '単位：百万円,2031年3月期,2030年3月期\n売上高,"5,202,919","4,908,199"\n当期純利益,△152,"△1,300"\n資産合計,100,90\n'
)
RECORDS = "Name,Born,Town\nAnn,1990,Oslo\nBob,1985,Rome\nCleo,2001,Bonn\n"
PLAIN_UNITS = ",North Sea,Baltic\n,(km),(km)\nRoutes,120,80\nCables,35,12\n"


def card_of(folder: Path, text: str) -> dict[str, Any]:
    (folder / "upload").write_text(text, encoding="utf-8")
    answer = table_job({"kind": "load", "source": "upload", "name": "report.csv", "taken": []}, folder)
    assert answer["ok"], answer
    return answer["tables"][0]


@pytest.mark.parametrize(
    ("text", "labels", "rows"),
    [
        (
            TWO_HEADS,
            ["", "Years ended March 31, 2031", "Years ended March 31, 2030"],
            [("Tolls", 1452.4, 1146.2), ("Ferries", -71.0, None), ("Total income", 1381.4, 1146.2)],
        ),
        (
            UNITS,
            ["", "2031 £m", "2030 £m"],
            [("Operating costs:", None, None), ("Track", 12.5, -3.4), ("Trains", None, 7.0)],
        ),
        (
            LONE_UNIT,
            [
                "(in millions)",
                "Year ended January 3, 2031",
                "Year ended December 28, 2029",
                "Year ended December 29, 2028",
            ],
            [("Rent", -55, -7, 10), ("Power", -1110, 2, 3)],
        ),
        (
            CENTRED,
            ["", "2031", "2030", "$", "%"],
            [("Sales", 93, 103, -10, -9.7), ("Grants", 5, 4, 1, 25.0)],
        ),
        (
            GROUPS,
            ["", "Members 2030", "Members 2031", "Fees (€) 2030", "Fees (€) 2031"],
            [("North", 10, 12, 1.5, 1.7), ("South", 20, 25, 2.5, 2.9)],
        ),
        (
            JAPANESE,
            ["単位：百万円", "2031年3月期", "2030年3月期"],
            [("売上高", 5202919, 4908199), ("当期純利益", -152, -1300), ("資産合計", 100, 90)],
        ),
        (RECORDS, ["Name", "Born", "Town"], [("Ann", 1990, "Oslo"), ("Bob", 1985, "Rome"), ("Cleo", 2001, "Bonn")]),
        (PLAIN_UNITS, ["", "North Sea (km)", "Baltic (km)"], [("Routes", 120, 80), ("Cables", 35, 12)]),
    ],
)
def test_heads_of_periods(tmp_path: Path, text: str, labels: list[str], rows: list[tuple[Any, ...]]) -> None:
    card = card_of(tmp_path, text)
    assert [column["label"] for column in card["columns"]] == labels
    with duckdb.connect() as connection:
        assert connection.execute(f"FROM read_parquet('{tmp_path / card['file']}')").fetchall() == rows


def test_a_total_that_says_of_what_stays_in_the_table(tmp_path: Path) -> None:
    text = ",2031,2030\nTrams,5,4\nBuses,7,6\nTotal fleet,12,10\n"
    card = card_of(tmp_path, text)
    assert card["rows"] == 3 and [(each["kind"], each["on"]) for each in card["repairs"]] == [("totals", False)]
    bare = card_of(tmp_path, text.replace("Total fleet", "Total"))
    assert bare["rows"] == 2 and [(each["kind"], each["on"]) for each in bare["repairs"]] == [("totals", True)]


def test_the_labels_of_few_rows_are_told_with_what_is_a_heading(tmp_path: Path) -> None:
    card = card_of(tmp_path, UNITS)
    assert [*map(tuple, card["labels"])] == [("Operating costs:", False), ("Track", True), ("Trains", True)]
    assert [column["unit"] for column in card["columns"]] == ["", "£m", "£m"]
