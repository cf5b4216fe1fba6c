"""What a sentence picks of the rows of a table: those beyond a bound, the largest few, prices times numbers."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked, verdict

MEDALS = """| Country | Medals | Athletes |
| --- | --- | --- |
| Norway | 82 | 210 |
| Chile | 12 | 96 |
| Japan | 64 | 388 |
| Kenya | 51 | 77 |
| Peru | 9 | 41 |
| Italy | 50 | 301 |
| Ghana | 7 | 28 |
"""
PRICES = """product,price,stock
Lamp,12.50,40
Chair,48.00,15
Desk,129.90,6
Shelf,35.25,22
"""
STAEDTE = """| Stadt | Einwohner |
| --- | --- |
| Aue | 12.400 |
| Berga | 48.200 |
| Coswig | 51.900 |
| Döbeln | 9.800 |
| Erfde | 77.000 |
| Summe | 199.300 |
"""
BOOKS = """[{"book": "Tide", "pages": 312, "copies": 1400, "price": 18.5},
{"book": "Stone", "pages": 208, "copies": 950, "price": 12.0},
{"book": "Ember", "pages": 455, "copies": 2300, "price": 24.0},
{"book": "Reed", "pages": 190, "copies": 610, "price": 9.5},
{"book": "Gale", "pages": 350, "copies": 1800, "price": 21.0}]"""
SENSORS = """| Sensor | Max temperature (°C) | Alarms |
| --- | --- | --- |
| A1 | 71.5 | 3 |
| A2 | 88.0 | 14 |
| B1 | 65.2 | 0 |
| B2 | 91.4 | 22 |
| C1 | 79.9 | 8 |
"""
GUESTS = """| 店舗 | 客数 | 単価 |
|---|---|---|
| 東店 | 420 | 900 |
| 西店 | 310 | 750 |
| 南店 | 150 | 1200 |
| 北店 | 120 | 800 |
"""


@each(
    ("observed", "answer", "figure", "found"),
    [
        (MEDALS, "3 countries have more than 50 medals.", "3", "worked_out"),
        (MEDALS, "Three countries have more than 50 medals.", "Three", "worked_out"),
        (MEDALS, "5 countries have more than 50 medals.", "5", "not_found"),
        (MEDALS, "6 countries have at least 12 medals.", "6", "not_found"),
        (MEDALS, "5 countries have at least 12 medals.", "5", "worked_out"),
        (MEDALS, "There are 2 countries with fewer than 10 medals.", "2", "worked_out"),
        (MEDALS, "There are 2 countries with fewer than 10 medals.", "10", "worked_out"),
        (MEDALS, "There are 3 countries with fewer than 10 medals.", "3", "not_found"),
        (MEDALS, "There are 3 countries with fewer than 10 medals.", "10", "not_found"),
        (MEDALS, "Only 3 countries sent over 200 athletes.", "3", "worked_out"),
        (MEDALS, "Only 4 countries sent over 200 athletes.", "4", "not_found"),
        (MEDALS, "Only 3 countries sent over 200 people.", "3", "not_found"),
        (MEDALS, "Norway won 3 gold and more than 50 medals.", "3", "not_found"),
        (MEDALS, "Norway won more than 50 medals, 3 of them gold.", "3", "not_found"),
        (MEDALS, "Norway won over 50 medals in 3 events.", "3", "not_found"),
        (MEDALS, "In 3 events Norway won over 50 medals.", "3", "not_found"),
        (MEDALS, "Countries with more than 50 medals: 3", "3", "worked_out"),
        (PRICES, "2 products cost less than 40.", "2", "not_found"),
        (PRICES, "2 products have a price below 40.", "2", "worked_out"),
        (PRICES, "3 products have a price below 40.", "3", "not_found"),
        (STAEDTE, "2 Städte haben mehr als 50.000 Einwohner.", "2", "worked_out"),
        (STAEDTE, "3 Städte haben mehr als 50.000 Einwohner.", "3", "not_found"),
        (STAEDTE, "2 Städte haben unter 50.000 Einwohner.", "2", "not_found"),
        (STAEDTE, "3 Städte haben unter 50.000 Einwohner.", "3", "worked_out"),
        (PRICES, "The stock is worth 2,774.90 in total.", "2,774.90", "worked_out"),
        (PRICES, "The total value of the stock is 2,774.90.", "2,774.90", "worked_out"),
        (PRICES, "Inventory value: $2,774.90", "$2,774.90", "worked_out"),
        (PRICES, "The total value of the stock is 2,747.90.", "2,747.90", "not_found"),
        (PRICES, "The average stock of the shop is 2,774.90.", "2,774.90", "not_found"),
        (MEDALS, "The total value of the medals is 150,574.", "150,574", "not_found"),
        (MEDALS, "The two largest together have 146 medals.", "146", "worked_out"),
        (MEDALS, "The top three together won 197 medals.", "197", "worked_out"),
        (MEDALS, "The top two together won 197 medals.", "197", "not_found"),
        (MEDALS, "The two smallest together have 16 medals.", "16", "worked_out"),
        (MEDALS, "The two smallest together have 19 medals.", "19", "not_found"),
        (MEDALS, "The two largest together have 164 medals.", "164", "not_found"),
        (MEDALS, "The two largest differ by 146 medals.", "146", "not_found"),
        (BOOKS, "Three books have more than 300 pages.", "Three", "worked_out"),
        (BOOKS, "Two books have more than 300 pages.", "Two", "not_found"),
        (BOOKS, "4 of the books have more than 200 pages.", "4", "worked_out"),
        (BOOKS, "2 of the books have at most 208 pages.", "2", "worked_out"),
        (BOOKS, "3 of the books have at most 208 pages.", "3", "not_found"),
        (BOOKS, "At full price all copies would bring in 136,095 in total.", "136,095", "worked_out"),
        (BOOKS, "The total sales value of all copies is 136,095.", "136,095", "worked_out"),
        (BOOKS, "The total value of all copies is 136,095.00.", "136,095", "worked_out"),
        (SENSORS, "Two sensors went above 80 °C.", "Two", "worked_out"),
        (SENSORS, "Two sensors had a max temperature above 80 °C.", "Two", "worked_out"),
        (SENSORS, "Three sensors had a max temperature above 80 °C.", "Three", "elsewhere"),
        (SENSORS, "4 sensors had fewer than 20 alarms.", "4", "worked_out"),
        (SENSORS, "The two highest numbers of alarms together are 36.", "36", "worked_out"),
        (SENSORS, "The two highest numbers of alarms together are 63.", "63", "not_found"),
        (GUESTS, "客数が200人以上の店舗は2店です。", "2", "worked_out"),
        (GUESTS, "客数が200人以上の店舗は3店です。", "3", "not_found"),
        (GUESTS, "全店の売上は合計886,500円です。", "886,500", "worked_out"),
        (GUESTS, "全店の売上は合計868,500円です。", "868,500", "not_found"),
    ],
)
def test_a_figure_of_the_rows_that_are_picked(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_how_many_are_the_top_is_no_claim() -> None:
    assert marked("The top two together won 146 medals.", MEDALS) == []


RISES = "| Sparte | 2024 | 2025 | Zuwachs |\n|---|---|---|---|\n"
CHANGES = "| Abteilung | 2023 | 2024 | Veränderung |\n|---|---|---|---|\n"
SPARTEN = """| Sparte | Umsatz 2025 | Umsatz 2024 |
| --- | --- | --- |
| Pumpen | 310 | 290 |
| Ventile | 120 | 155 |
| Filter | 95 | 80 |
"""
INCOME = """| (in millions) | 2023 | 2022 |
| --- | --- | --- |
| Revenue | 5,674 | 5,236 |
| Cost of sales | 3,291 | 3,102 |
| Operating income | 823 | 716 |
| Net income | 534 | 477 |
| Total current assets | 1,930 | 1,744 |
| Total current liabilities | 1,105 | 998 |
"""
MEMBERS = """| Name | Team | Score | Notes |
| --- | --- | --- | --- |
| Ann | Red | 12 | ok |
| Bob | Blue |  | late |
| Cid | Red | 17 |  |
| Dan | Blue | 9 | ok |
| Eve | Red |  |  |
"""
AUSGABEN = """| Abteilung | Ausgaben 2023 | Ausgaben 2024 |
|---|---|---|
| Vertrieb | 640 | 702 |
| Technik | 915 | 880 |
| Einkauf | 233 | 251 |
"""
SITES = """site,visitors,fee
Museum,3100,8
Tower,2250,5
Garden,1480,3
Castle,960,12
Cave,410,6
"""
ACCOUNTS = """| £ thousand | FY24 | FY23 |
| --- | --- | --- |
| Net sales | 88,410 | 81,022 |
| Cost of goods sold | 52,300 | 49,117 |
| Net profit | 6,204 | 5,118 |
| Current assets | 30,115 | 28,002 |
| Current liabilities | 17,640 | 18,950 |
"""
CONTACTS = """id,name,email,phone
1,Ola,o@x.no,
2,Pia,,555
3,Rex,r@x.no,
4,Siv,s@x.no,
5,Tor,,
"""


@each(
    ("observed", "answer", "figure", "found"),
    [
        (
            SPARTEN,
            RISES + "| Pumpen | 290 | 310 | 20 |\n| Filter | 80 | 95 | 15 |",
            "20 |",
            "worked_out",
        ),
        (
            SPARTEN,
            RISES + "| Pumpen | 290 | 310 | 30 |\n| Filter | 80 | 95 | 15 |",
            "30 |",
            "not_found",
        ),
        (
            SPARTEN,
            RISES + "| Pumpen | 290 | 310 | 6,9 % |\n| Filter | 80 | 95 | 18,8 % |",
            "6,9",
            "worked_out",
        ),
        (
            SPARTEN,
            RISES + "| Pumpen | 290 | 310 | 9,6 % |\n| Filter | 80 | 95 | 18,8 % |",
            "9,6",
            "not_found",
        ),
        (SPARTEN, "Der Zuwachs der Pumpen betrug 20.", "20.", "worked_out"),
        (PRICES, "| Product | Value |\n|---|---|\n| Lamp | 500.00 |\n| Chair | 720.00 |", "500.00", "worked_out"),
        (PRICES, "| Product | Value |\n|---|---|\n| Lamp | 550.00 |\n| Chair | 720.00 |", "550.00", "not_found"),
        (PRICES, "| Product | Value |\n|---|---|\n| Lamp | 720.00 |\n| Chair | 500.00 |", "720.00", "elsewhere"),
        (
            AUSGABEN,
            CHANGES + "| Vertrieb | 640 | 702 | 62 |\n| Einkauf | 233 | 251 | 18 |",
            "62",
            "worked_out",
        ),
        (
            AUSGABEN,
            CHANGES + "| Vertrieb | 640 | 702 | 26 |\n| Einkauf | 233 | 251 | 18 |",
            "26",
            "not_found",
        ),
        (
            AUSGABEN,
            CHANGES + "| Vertrieb | 640 | 702 | 9,7 % |\n| Einkauf | 233 | 251 | 7,7 % |",
            "9,7",
            "worked_out",
        ),
        (SITES, "| Site | Takings value |\n|---|---|\n| Museum | 24,800 |\n| Tower | 11,250 |", "24,800", "worked_out"),
        (SITES, "| Site | Takings value |\n|---|---|\n| Museum | 28,400 |\n| Tower | 11,250 |", "28,400", "not_found"),
    ],
)
def test_a_change_or_a_product_in_a_table_of_the_answer(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


@each(
    ("observed", "answer", "figure", "found"),
    [
        (MEDALS, "The top two account for 53.1% of all medals.", "53.1", "worked_out"),
        (MEDALS, "The top three account for 53.1% of all medals.", "53.1", "not_found"),
        (MEDALS, "The top three countries won 71.6% of the total medals.", "71.6", "worked_out"),
        (MEDALS, "The top three countries won 76.1% of the total medals.", "76.1", "not_found"),
        (SITES, "The two largest account for 65.2% of the total visitors.", "65.2", "worked_out"),
        (SITES, "The two smallest account for 16.7% of all visitors.", "16.7", "worked_out"),
        (SITES, "The two largest account for 16.7% of all visitors.", "16.7", "not_found"),
    ],
)
def test_a_share_of_the_largest_few(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


@each(
    ("observed", "answer", "figure", "found"),
    [
        (INCOME, "Working capital was $825 million in 2023.", "$825", "worked_out"),
        (INCOME, "Working capital was $852 million in 2023.", "$852", "not_found"),
        (INCOME, "Working capital was $746 million in 2023.", "$746", "not_found"),
        (INCOME, "Gross profit was $2,383 million in 2023.", "$2,383", "worked_out"),
        (INCOME, "Gross profit was $2,338 million in 2023.", "$2,338", "not_found"),
        (INCOME, "Gross profit was $2,134 million in 2023.", "$2,134", "not_found"),
        (INCOME, "Total expenses in 2023 were $4,851 million.", "$4,851", "worked_out"),
        (INCOME, "Total expenses in 2023 were $5,140 million.", "$5,140", "worked_out"),
        (INCOME, "Total expenses in 2023 were $4,581 million.", "$4,581", "not_found"),
        (INCOME, "Travel expenses in 2023 were $4,851 million.", "$4,851", "not_found"),
        (ACCOUNTS, "Gross profit was £36,110 thousand in FY24.", "£36,110", "worked_out"),
        (ACCOUNTS, "Gross profit was £36,101 thousand in FY24.", "£36,101", "not_found"),
        (ACCOUNTS, "The working capital came to £12,475 thousand in FY24.", "£12,475", "worked_out"),
        (ACCOUNTS, "The working capital came to £9,052 thousand in FY24.", "£9,052", "not_found"),
        (ACCOUNTS, "Total costs were £82,206 thousand in FY24.", "£82,206", "worked_out"),
        (ACCOUNTS, "Total assets were £82,206 thousand in FY24.", "£82,206", "not_found"),
    ],
)
def test_a_difference_that_has_a_name(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


@each(
    ("observed", "answer", "figure", "found"),
    [
        (MEMBERS, "3 people have a score.", "3", "worked_out"),
        (MEMBERS, "4 people have a score.", "4", "not_found"),
        (MEMBERS, "2 people have no score.", "2", "worked_out"),
        (MEMBERS, "Ann has a score of 3.", "3", "not_found"),
        (MEMBERS, "Ann has a score of 2.", "2", "not_found"),
        (MEMBERS, "3 people have no score.", "3", "not_found"),
        (MEMBERS, "2 people have a score.", "2", "not_found"),
        (MEMBERS, "3 people have no notes.", "3", "not_found"),
        (MEMBERS, "2 people have no notes.", "2", "worked_out"),
        (CONTACTS, "3 people have an email.", "3", "elsewhere"),
        (CONTACTS, "2 people have no email.", "2", "elsewhere"),
        (CONTACTS, "4 people have no phone.", "4", "elsewhere"),
        (CONTACTS, "3 people have no phone.", "3", "elsewhere"),
        (CONTACTS, "4 people have an email.", "4", "elsewhere"),
    ],
)
def test_rows_with_a_value_in_a_column(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_one_for_every_so_many_is_no_claim() -> None:
    assert marked("That is 1 medal for every 2.6 athletes in Norway.", MEDALS) == []
