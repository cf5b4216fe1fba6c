"""Typed calls become charts that hold their data and reach nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from agent.data.tables.charts.charting import title_of
from agent.data.tables.charts.vega import Axis, Chart, ChartKind, safe_title, spec_of
from tests.support.jobs import table_job as handle

pytestmark = pytest.mark.system

UGLY = 'x,"a.b[0]\'c","image","title","href","url(x)",when,group\n'


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, str]]]:
    folder = tmp_path_factory.mktemp("charts")
    rows = "".join(
        f"{i},{i * 1.5},http://127.0.0.1/canary.png,=1,javascript:alert(1),<b>{i % 3}</b>,"
        f"2023-{1 + i % 12:02d}-05,g{i % 4}\n"
        for i in range(120)
    )
    (folder / "up").write_text(UGLY + rows)
    (folder / "many").write_text("k,v\n" + "".join(f"{i},{i % 977}\n" for i in range(20_000)))
    tables: list[dict[str, str]] = []
    for source, name in (("up", "ugly.csv"), ("many", "many.csv")):
        answer = handle({"kind": "load", "source": source, "name": name, "taken": []}, folder)
        tables += [{"name": table["name"], "file": table["file"]} for table in answer["tables"]]
    return folder, tables


def draw(room: tuple[Path, list[dict[str, str]]], source: str = "ugly", **chart: Any) -> dict[str, Any]:
    folder, tables = room
    return handle({"kind": "chart", "tables": tables, "source": source, "chart": chart}, folder)


def parts(node: Any, key: str) -> list[Any]:
    if isinstance(node, dict):
        return [value for name, value in node.items() if name == key] + [
            found for value in node.values() for found in parts(value, key)
        ]
    return [found for value in node for found in parts(value, key)] if isinstance(node, list) else []


@pytest.mark.parametrize(
    "chart",
    [
        {"kind": "bar", "x": "group_", "y": "a_b_0_c", "aggregate": "sum"},
        {"kind": "bar", "x": "image"},
        {"kind": "bar", "x": "title", "colour": "href"},
        {"kind": "line", "x": "when_", "y": "x_2", "aggregate": "mean", "period": "month"},
        {"kind": "line", "x": "when_", "y": "a_b_0_c", "colour": "group_", "aggregate": "max"},
        {"kind": "area", "x": "when_", "y": "a_b_0_c", "aggregate": "sum", "period": "quarter"},
        {"kind": "scatter", "x": "x", "y": "a_b_0_c", "colour": "url_x"},
        {"kind": "histogram", "x": "a_b_0_c"},
        {"kind": "histogram", "x": "when_"},
        {"kind": "histogram", "x": "group_"},
        {"kind": "pie", "x": "group_", "y": "a_b_0_c"},
        {"kind": "heatmap", "x": "when_", "y": "a_b_0_c", "colour": "group_"},
    ],
    ids=lambda chart: f"{chart['kind']}-{chart['x']}",
)
def test_every_kind_is_drawn_and_reaches_nothing(
    room: tuple[Path, list[dict[str, str]]], chart: dict[str, Any]
) -> None:
    if chart.get("y") == "x_2":
        chart = {**chart, "y": "x"}
    answer = draw(room, **chart)
    assert answer["ok"], answer
    spec = answer["spec"]
    values = spec["data"]["values"]
    assert set(spec["data"]) == {"values"}
    assert 1 <= len(values) <= 5_000
    assert set(parts(spec["encoding"], "field")) <= {"x", "x2", "y", "colour"}
    assert all(set(row) <= {"x", "x2", "y", "colour", "share"} for row in values)
    assert not {title.lower() for title in parts(spec, "title")} & {"image", "title"}
    for forbidden in ("url", "href", "name", "lookup", "signal", "expr", "params", "transform", "datasets"):
        assert not parts(spec, forbidden), forbidden
    assert set(parts(spec, "format")) <= {"d", ",d", ",.2~f"}
    assert len(answer["table"]["rows"]) == len(values)
    json.dumps(spec, allow_nan=False)


def test_years_are_written_as_years_and_a_short_legend_stands_above() -> None:
    axes = {"x": Axis("year", "integer"), "y": Axis("sold", "integer"), "colour": Axis("city", "text")}
    values = [{"x": year, "y": 12_000 + year, "colour": "Oslo"} for year in (2018, 2019, 2025)]
    encoding = spec_of(Chart("line", "year", "sold", "city"), axes, values)["encoding"]
    assert encoding["x"]["axis"] == {"format": "d", "tickMinStep": 1} and encoding["y"]["axis"]["format"] == ",d"
    assert [part.get("format") for part in encoding["tooltip"]] == ["d", ",d", None]
    assert encoding["color"]["legend"] == {"orient": "top", "columns": 4}
    many = [{"x": 2018, "y": 1, "colour": f"A city of a long name, number {number}"} for number in range(9)]
    assert "legend" not in spec_of(Chart("line", "year", "sold", "city"), axes, many)["encoding"]["color"]


PLANTS = [{"name": "power_mw", "label": "Power (MW)", "unit": "MW"}, {"name": "plant", "label": "Plant", "unit": ""}]


def plants(tmp_path: Path, count: int, **chart: Any) -> dict[str, Any]:
    lines = "".join(f"p{number},{number * 1000},{number % 7}\n" for number in range(count))
    (tmp_path / "up").write_text(f"plant,power_mw,age\n{lines}")
    table = handle({"kind": "load", "source": "up", "name": "plants.csv", "taken": []}, tmp_path)["tables"][0]
    job = {"tables": [{"name": "plants", "file": table["file"], "columns": PLANTS}], "source": "plants", "chart": chart}
    return handle({"kind": "chart", **job}, tmp_path)


def test_axes_and_title_read_well_and_have_units(tmp_path: Path) -> None:
    spec = plants(tmp_path, 5, kind="bar", x="plant", y="power_mw", aggregate="sum")["spec"]
    assert spec["title"] == "Sum of power by plant"
    assert [spec["encoding"][axis]["title"] for axis in "xy"] == ["Plant", "Sum of Power (MW)"]
    counted = plants(tmp_path, 5, kind="bar", x="age", y="power_mw", aggregate="count", title="Mine")["spec"]
    assert (counted["title"], counted["encoding"]["y"]["title"]) == ("Mine", "Count of Power")
    assert plants(tmp_path, 5, kind="histogram", x="power_mw")["spec"]["title"] == "Number of rows by power"


def test_all_heights_have_the_decimals_that_one_of_them_needs() -> None:
    def written(*heights: float) -> str:
        axes = {"x": Axis("Plant", "text"), "y": Axis("Price", "number")}
        spec = spec_of(Chart("bar", "Plant"), axes, [{"x": str(height), "y": height} for height in heights])
        return spec["layer"][1]["encoding"]["text"]["format"]

    assert [written(2075, 89.9), written(2075, 90), written(0.5, 0.25)] == [",.2f", ",.2~f", ".3~g"]


@pytest.mark.parametrize(("column", "word"), [("Team", "(empty)"), ("部署", "（空）")])
def test_a_missing_name_is_said_to_be_empty(column: str, word: str) -> None:
    axes = {"x": Axis(column, "text"), "y": Axis("y", "number"), "colour": Axis(column, "text")}
    spec = spec_of(
        Chart("bar", column), axes, [{"x": None, "y": 1, "colour": None}, {"x": "a", "y": None, "colour": ""}]
    )
    first, second = spec["data"]["values"]
    assert (first["x"], first["colour"]) == (word, word) and (second["y"], second["colour"]) == (None, word)
    dated = spec_of(Chart("line", "day"), {**axes, "x": Axis("day", "date")}, [{"x": None, "y": 1, "colour": "a"}])
    assert dated["data"]["values"][0]["x"] is None, "a scale of dates has no place for a word"


def test_a_pie_has_the_share_of_each_slice_that_has_room() -> None:
    axes = {"x": Axis("Site", "text"), "y": Axis("Income", "number")}
    values: list[dict[str, Any]] = [{"x": "a", "y": 66}, {"x": "b", "y": 33}, {"x": "c", "y": 1}, {"x": "d", "y": None}]
    spec = spec_of(Chart("pie", "Site", "Income"), axes, values)
    assert [row["share"] for row in spec["data"]["values"]] == ["66%", "33%", "", ""]
    below_zero = spec_of(Chart("pie", "Site", "Income"), axes, [{"x": "a", "y": 3}, {"x": "b", "y": -1}])
    assert "layer" not in below_zero, "what is below nothing has no share"


def test_what_is_summed_already_and_the_only_dates_are_named_once(tmp_path: Path) -> None:
    (tmp_path / "up").write_text("Day,Site,Sold\n2026-01-03,a,1\n2026-02-03,b,2\n")
    table = handle({"kind": "load", "source": "up", "name": "shops.csv", "taken": []}, tmp_path)["tables"][0]

    def titles(sql: str, **chart: str) -> list[str]:
        asked = {"kind": "chart", "tables": [{**table, "name": "shops"}], "source": sql, "chart": chart}
        spec = handle(asked, tmp_path)["spec"]
        return [spec["title"], *(part["title"] for part in spec["encoding"].values() if "title" in part)]

    summed = "SELECT site, sum(sold) AS total_sold FROM shops GROUP BY 1"
    assert titles(summed, kind="pie", x="site", y="total_sold")[0] == "Total sold by site"
    monthly = "SELECT strftime(day, '%Y-%m') AS month_of_day, sum(sold) AS total_sold FROM shops GROUP BY 1"
    drawn = titles(monthly, kind="line", x="month_of_day", y="total_sold")
    assert drawn == ["Total sold by month", "Month", "Total sold"]


def test_a_title_has_headings_in_small_letters_but_for_names() -> None:
    columns = [{"name": name, "label": label} for name, label in (("gdp", "GDP Growth"), ("mon", "Monday"))]
    chart = Chart("bar", "mon", "gdp")
    axes = {"x": Axis("mon", "text"), "y": Axis("gdp", "number", said="Sum of {name}")}
    assert title_of(chart, axes, columns) == "Sum of GDP growth by Monday"


def test_rows_counted_by_a_query_are_told_in_the_language_of_the_names(tmp_path: Path) -> None:
    (tmp_path / "up").write_text("店舗,客数\n渋谷,3\n新宿,4\n")
    table = handle({"kind": "load", "source": "up", "name": "店.csv", "taken": []}, tmp_path)["tables"][0]
    job = {"tables": [{"name": "店", "file": table["file"], "columns": table["columns"]}]}
    asked = 'SELECT "店舗" AS "店舗", count(*) AS "number_of_rows" FROM "店" GROUP BY 1'
    spec = handle(
        {"kind": "chart", **job, "source": asked, "chart": {"kind": "bar", "x": "店舗", "y": "number_of_rows"}},
        tmp_path,
    )["spec"]
    assert (spec["title"], spec["encoding"]["y"]["title"]) == ("店舗ごとの行数", "行数")


def test_few_bars_have_their_heights_and_few_dots_their_names(tmp_path: Path) -> None:
    few = plants(tmp_path, 5, kind="bar", x="plant", y="power_mw", aggregate="sum")["spec"]
    assert few["layer"][1]["encoding"] == {"text": {"field": "y", "type": "quantitative", "format": ",.2~f"}}
    assert "layer" not in plants(tmp_path, 30, kind="bar", x="plant", y="power_mw", aggregate="sum")["spec"]
    dots = plants(tmp_path, 9, kind="scatter", x="power_mw", y="age")
    assert dots["spec"]["title"] == "Age against power"
    assert dots["spec"]["layer"][1]["encoding"] == {"text": {"field": "label", "type": "nominal"}}
    assert {row["label"]: row["x"] for row in dots["spec"]["data"]["values"]}["p4"] == 4000
    assert [column["name"] for column in dots["table"]["columns"]] == ["Power (MW)", "Age", "Plant"]
    many = plants(tmp_path, 60, kind="scatter", x="power_mw", y="age")
    assert "layer" not in many["spec"] and "label" not in many["spec"]["data"]["values"][0]
    assert len(many["table"]["columns"]) == len(many["table"]["rows"][0]) == 2


def test_every_kind_is_tried() -> None:
    assert set(get_args(ChartKind)) == {"bar", "line", "area", "scatter", "histogram", "pie", "heatmap"}


def test_what_is_drawn_is_what_sql_says(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, kind="bar", x="group_", y="x", aggregate="sum", sort="-y", limit=2, title="Totals")
    folder, tables = room
    asked = "SELECT group_, sum(x) FROM ugly GROUP BY 1 ORDER BY 2 DESC LIMIT 2"
    wanted = handle({"kind": "query", "tables": tables, "sql": asked}, folder)["rows"]
    assert [[row["x"], row["y"]] for row in answer["spec"]["data"]["values"]] == wanted
    assert answer["spec"]["title"] == "Totals"
    assert answer["note"] == "Only the first 2 are drawn."
    assert answer["table"]["columns"][1]["name"] == "Sum of x"


def test_a_column_called_x_does_not_take_the_place_of_the_axis(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, kind="bar", x="group_", y="x", aggregate="count")
    assert [row["y"] for row in answer["spec"]["data"]["values"]] == [30, 30, 30, 30]


def test_a_histogram_counts_every_row(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, "many", kind="histogram", x="v")
    assert sum(row["y"] for row in answer["spec"]["data"]["values"]) == 20_000


def test_a_scatter_of_many_is_a_sample_of_all(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, "many", kind="scatter", x="k", y="v")
    values = answer["spec"]["data"]["values"]
    assert len(values) == 5_000
    assert max(row["x"] for row in values) > 15_000
    assert answer["note"] == "A random sample of 5,000 rows is drawn."


def test_a_chart_of_a_select(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, "SELECT group_ AS g, avg(x) AS mean FROM ugly GROUP BY 1 ORDER BY 1; -- of a few", kind="bar",
                  x="g", y="mean")  # fmt: skip
    assert [row["x"] for row in answer["spec"]["data"]["values"]] == ["g0", "g1", "g2", "g3"]


@pytest.mark.parametrize(
    ("period", "first"), [("none", "2023-01-05"), ("month", "2023-01"), ("quarter", "2023 Q1"), ("year", "2023")]
)
def test_bars_of_dates_are_called_by_them(room: tuple[Path, list[dict[str, str]]], period: str, first: str) -> None:
    spec = draw(room, kind="bar", x="when_", period=period)["spec"]
    assert (spec["data"]["values"][0]["x"], spec["encoding"]["x"]["type"]) == (first, "nominal")


def test_dates_are_of_the_place_where_they_are_read(room: tuple[Path, list[dict[str, str]]]) -> None:
    answer = draw(room, kind="line", x="when_", y="x", aggregate="sum")
    assert answer["spec"]["data"]["values"][0]["x"] == "2023-01-05T00:00:00"


@pytest.mark.parametrize(
    ("source", "chart", "said"),
    [
        ("ugly", {"kind": "donut", "x": "x"}, "Choose one of: bar, line"),
        ("ugly", {"kind": "bar"}, "A chart needs a kind and x"),
        ("ugly", {"kind": "bar", "x": "x", "onclick": "x"}, "A chart needs a kind and x"),
        ("ugly", {"kind": "bar", "x": "grup"}, "There is no column “grup”."),
        ("ugyl", {"kind": "bar", "x": "x"}, "Did you mean ugly?"),
        ("/etc/passwd", {"kind": "bar", "x": "x"}, "There is no table"),
        ("SELECT * FROM '/etc/passwd'", {"kind": "bar", "x": "x"}, "There is no table"),
        ("SELECT 1 AS x; DELETE FROM ugly", {"kind": "bar", "x": "x"}, "One statement at a time"),
        ("SELECT 1 AS x) UNION SELECT (2", {"kind": "bar", "x": "x"}, "could not be read"),
        ("ugly", {"kind": "bar", "x": "x", "y": "group_", "aggregate": "sum"}, "has no numbers"),
        ("ugly", {"kind": "line", "x": "x", "y": "a_b_0_c", "period": "year"}, "has no dates"),
        ("ugly", {"kind": "scatter", "x": "x"}, "needs y"),
        ("ugly", {"kind": "heatmap", "x": "x", "y": "a_b_0_c"}, "needs colour"),
        ("many", {"kind": "pie", "x": "k"}, "cannot be read"),
        ("many", {"kind": "scatter", "x": "k", "y": "v", "colour": "k"}, ""),
        ("SELECT * FROM ugly WHERE false", {"kind": "bar", "x": "x"}, "no rows to draw"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_drawn_is_told(
    room: tuple[Path, list[dict[str, str]]], source: str, chart: dict[str, Any], said: str
) -> None:
    answer = draw(room, source, **chart)
    assert answer["ok"] is not bool(said)
    assert said in answer.get("message", "")


@pytest.mark.parametrize("text", ["image", "Title", " IMAGE "])
def test_titles_that_tooltips_would_act_on_are_changed(text: str) -> None:
    assert safe_title(text).endswith("(column)")


@pytest.mark.parametrize(
    ("chart", "title", "x", "y"),
    [
        ({"x": "店舗", "y": "売上_円", "aggregate": "sum"}, "店舗ごとの売上（円）の合計", "店舗", "売上（円）の合計"),
        (
            {"kind": "line", "x": "日付", "y": "売上_円", "aggregate": "mean", "period": "month"},
            "月ごとの売上（円）の平均",
            "日付",
            "売上（円）の平均",
        ),
        ({"x": "店舗"}, "店舗ごとの行数", "店舗", "行数"),
        ({"kind": "histogram", "x": "売上_円"}, "売上（円）ごとの行数", "売上（円）", "行数"),
        ({"kind": "scatter", "x": "売上_円", "y": "客数"}, "売上（円）と客数", "売上（円）", "客数"),
    ],
)
def test_a_chart_of_japanese_columns_is_titled_in_japanese(
    tmp_path: Path, chart: dict[str, str], title: str, x: str, y: str
) -> None:
    rows = "日付,店舗,売上（円）,客数\n2024-01-05,渋谷,1200,3\n2024-01-06,新宿,3400,5\n2024-02-01,渋谷,5600,9\n"
    (tmp_path / "up").write_text(rows, encoding="utf-8")
    (table,) = handle({"kind": "load", "source": "up", "name": "表.csv", "taken": []}, tmp_path)["tables"]
    job = {"tables": [table], "source": table["name"], "chart": {"kind": "bar", **chart}}
    spec = handle({"kind": "chart", **job}, tmp_path)["spec"]
    assert spec["title"] == title
    assert [spec["encoding"][axis]["title"] for axis in "xy"] == [x, y]
