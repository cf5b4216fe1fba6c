"""JSON of real services: objects within objects are columns, lists within objects rows of their own."""

from __future__ import annotations

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import verdict

FERRIES = """{"operator": "Nordfjord", "currency": "NOK", "lines": [
 {"name": "Anda", "passengers": {"2031": 48210, "2032": 51940}, "cars": {"2032": 17300}, "crew": 14},
 {"name": "Lote", "passengers": {"2031": 39500, "2032": 36120}, "cars": {"2032": 12250}, "crew": 11}
]}"""
WELLS = """[{"id": 7, "site": {"place": "Ruma", "depth": {"m": 41, "dry": false}}, "flow": 2.5},
{"flow": 3.1, "site": {"place": "Sela", "depth": {"m": 58, "dry": true}}, "id": 9}]"""
SHOPS = """{"shops": [
 {"shop": "Alder", "city": "Oslo", "orders": [{"day": "2031-03-01", "eur": 512}, {"day": "2031-03-02", "eur": 640}],
  "staff": 12},
 {"shop": "Birch", "city": "Rome", "orders": [{"day": "2031-03-01", "eur": 733}, {"day": "2031-03-02", "eur": 698}],
  "staff": 15}
]}"""
QUAKES = """{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"place": "Adak", "mag": 5.1}, "geometry": {"coordinates": [-176.6, 51.8]}},
{"type": "Feature", "properties": {"place": "Hilo", "mag": 4.6}, "geometry": {"coordinates": [-155.1, 19.7]}}]}"""
RATES = (
    '{"base": "EUR", "history": [{"date": "2031-05-02", "rates": {"USD": 1.21, "SEK": 11.4}}, '
    '{"date": "2031-04-02", "rates": {"USD": 1.17, "SEK": 11.6}}]}'
)
BANK = (
    '[{"page": 1, "pages": 1}, [{"country": {"id": "NO", "value": "Norway"}, "date": "2031", "value": 5731000}, '
    '{"country": {"id": "SE", "value": "Sweden"}, "date": "2031", "value": 10900000}]]'
)
CITIES = (
    '{"source": "census", '
    '"cities": {"Oslo": {"people": 709037, "area": 480}, "Rome": {"people": 2748109, "area": 1285}}}'
)
HOURS = (
    '{"place": "Bodø", "hourly": {"time": ["06:00", "07:00", "08:00"], "wind": [11.5, 12.75, 9.25], "rain": [0, 2, 4]}}'
)
CENSUS = '[["NAME", "POP", "state"], ["Alabama", "5024279", "01"], ["Alaska", "733391", "02"]]'
SPLIT = '{"columns": ["lake", "depth_m"], "index": [0, 1], "data": [["Inari", 92], ["Saimaa", 86]]}'
LINES = '{"host": "web1", "load": {"cpu": 12, "disk": 71}}\n{"host": "db1", "load": {"cpu": 64, "disk": 38}}\n'
CUT = (
    '{"lines": [{"name": "Anda", "cars": {"2031": 16100, "2032": 17300}}, {"name": "Lote", "cars": {"2031": 12800, "20'
)


def tables(text: str) -> list[list[list[str]]]:
    return [[list(table.column_heads), *([c.text for c in row] for row in table.body)] for table in tables_in(text)]


@each(
    ("text", "rows"),
    [
        (
            FERRIES,
            [
                ["name", "passengers 2031", "passengers 2032", "cars 2032", "crew"],
                ["Anda", "48210", "51940", "17300", "14"],
                ["Lote", "39500", "36120", "12250", "11"],
            ],
        ),
        (
            WELLS,
            [
                ["id", "site place", "site depth m", "site depth dry", "flow"],
                ["7", "Ruma", "41", "false", "2.5"],
                ["9", "Sela", "58", "true", "3.1"],
            ],
        ),
        (RATES, [["date", "rates usd", "rates sek"], ["2031-05-02", "1.21", "11.4"], ["2031-04-02", "1.17", "11.6"]]),
        (CITIES, [["", "people", "area"], ["Oslo", "709037", "480"], ["Rome", "2748109", "1285"]]),
        (LINES, [["host", "load cpu", "load disk"], ["web1", "12", "71"], ["db1", "64", "38"]]),
        (CUT, [["name", "cars 2031", "cars 2032"], ["Anda", "16100", "17300"], ["Lote", "12800", ""]]),
        (CENSUS, [["name", "pop", "state"], ["Alabama", "5024279", "01"], ["Alaska", "733391", "02"]]),
        (SPLIT, [["lake", "depth m"], ["Inari", "92"], ["Saimaa", "86"]]),
        (HOURS, [["time", "06:00", "07:00", "08:00"], ["wind", "11.5", "12.75", "9.25"], ["rain", "0", "2", "4"]]),
    ],
)
def test_each_named_object_is_one_row(text: str, rows: list[list[str]]) -> None:
    assert rows in tables(text)


def test_lists_within_objects_are_rows_with_the_name_of_theirs() -> None:
    shops, orders = tables(SHOPS)
    assert shops == [["shop", "city", "staff"], ["Alder", "Oslo", "12"], ["Birch", "Rome", "15"]]
    assert orders[:3] == [
        ["shop", "city", "day", "eur"],
        ["Alder", "Oslo", "2031-03-01", "512"],
        ["Alder", "Oslo", "2031-03-02", "640"],
    ]


@each("text", [FERRIES, WELLS, SHOPS, QUAKES, RATES, BANK, CITIES, HOURS, CENSUS, SPLIT, LINES, CUT])
def test_cells_know_their_places(text: str) -> None:
    for table in tables_in(text):
        cells = [cell for row in table.body for cell in row if cell.end > cell.start]
        assert cells and all(text[cell.start : cell.end] == cell.text for cell in cells)
        assert all(table.cell_at(cell.start) is cell for cell in cells)


@each(
    ("text", "answer", "figure", "expected"),
    [
        (FERRIES, "Lote carried 36,120 passengers in 2032.", "36,120", "seen"),
        (FERRIES, "Anda carried 36,120 passengers in 2032.", "36,120", "elsewhere"),
        (FERRIES, "Lote carried 39,500 passengers in 2032.", "39,500", "elsewhere"),
        (FERRIES, "Lote carried 36,121 passengers in 2032.", "36,121", "differs"),
        (FERRIES, "Anda grew by 3,730 passengers from 2031 to 2032.", "3,730", "worked_out"),
        (WELLS, "The well of Sela is 58 m deep.", "58 m", "seen"),
        (WELLS, "The well of Ruma is 58 m deep.", "58 m", "elsewhere"),
        (SHOPS, "Birch sold for 698 euros on 2031-03-02.", "698", "seen"),
        (SHOPS, "Alder sold for 698 euros on 2031-03-02.", "698", "elsewhere"),
        (SHOPS, "Birch employs 15 people.", "15", "seen"),
        (SHOPS, "Alder employs 15 people.", "15", "elsewhere"),
        (QUAKES, "Hilo had a quake of 4.6.", "4.6", "seen"),
        (QUAKES, "Adak had a quake of 4.6.", "4.6", "elsewhere"),
        (BANK, "Sweden had 10.9 million people in 2031.", "10.9 million", "seen"),
        (BANK, "Norway had 10.9 million people in 2031.", "10.9 million", "elsewhere"),
        (HOURS, "At 07:00 the wind was 12.75.", "12.75", "seen"),
        (CENSUS, "Alaska has 733,391 people.", "733,391", "seen"),
        (CENSUS, "Alabama has 733,391 people.", "733,391", "elsewhere"),
        (SPLIT, "Inari is 92 m deep.", "92 m", "seen"),
        (SPLIT, "Saimaa is 92 m deep.", "92 m", "elsewhere"),
    ],
)
def test_a_value_stands_with_the_name_of_its_object(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


def test_hostile_nesting_is_read_in_bounded_steps() -> None:
    for text in ("[" * 50_000, '{"a":' * 50_000, '{"a": {"b": 1}, ' * 5_000, '[1] "' * 20_000, '[{"a": 1}' * 9_000):
        assert all(len(table.rows) <= 2_001 and table.width <= 60 for table in tables_in(text))
