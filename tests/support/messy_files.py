"""Twelve files as people have them, what their tables are to look like, and five questions to each with the truth.

All is made here in plain Python, and nothing of it is read back from what the loader says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean
from typing import Any

from tests.support.pdf_files import pdf_of
from tests.support.table_files import excel_file

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """``truth`` are figures and names that the answer must hold, all of them."""

    question: str
    truth: tuple[Any, ...]


@dataclass(frozen=True)
class Messy:
    """``types`` are those of the columns of each table by name, ``rows`` the number of its rows of data.

    ``said`` are words that the person must be told of how it was read.
    """

    name: str
    content: bytes
    types: tuple[Mapping[str, str], ...]
    rows: tuple[int, ...]
    asked: tuple[Asked, ...]
    said: tuple[str, ...] = ()


def _types(text: str) -> dict[str, str]:
    return dict(part.rsplit(" ", 1) for part in text.split(", "))


def _sum(rows: Sequence[Row], column: str, fits: Callable[[Row], bool] = lambda row: True) -> Any:
    return sum(row[column] for row in rows if fits(row))


def _by(rows: Sequence[Row], key: str, column: str) -> dict[str, Any]:
    """The sums of ``column``, the largest first."""
    sums = {name: _sum(rows, column, lambda row, name=name: row[key] == name) for name in {row[key] for row in rows}}
    return dict(sorted(sums.items(), key=lambda pair: -pair[1]))


def _flat(groups: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(part for pair in groups.items() for part in pair)


def _lines(rows: Sequence[Sequence[object]], mark: str) -> str:
    return "".join(mark.join(str(cell) for cell in row) + "\n" for row in rows)


def german(amount: float) -> str:
    """``1234.5`` gives ``1.234,50``."""
    return f"{amount:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def bracketed(amount: float) -> str:
    """``-1234.5`` gives ``(1,234.50)``."""
    return f"({-amount:,.2f})" if amount < 0 else f"{amount:,.2f}"


def merged() -> Messy:
    """Two rows of heads, merged as Excel does it, under a title."""
    regions = ("North", "South", "East", "West", "Centre", "Islands", "Coast", "Hills")
    rows = [
        {"r": name, "m": f"Manager {n}", "ou": 10 + n * 7 % 23, "or": 1200.5 + n * 310, "su": 40 - n * 3, "sr": 990 + n}
        for n, name in enumerate(regions)
    ]
    cells = [
        ["Sales by region", None, None, None, None, None],
        [],
        ["Region", "Manager", "Online", None, "Shops", None],
        [None, None, "Units", "Revenue", "Units", "Revenue"],
        *([row["r"], row["m"], row["ou"], row["or"], row["su"], row["sr"]] for row in rows),
    ]
    best = max(rows, key=lambda row: row["or"])
    types = "region VARCHAR, manager VARCHAR, online_units BIGINT, online_revenue DOUBLE, shops_units BIGINT"
    return Messy(
        "merged.xlsx",
        excel_file({"Sheet1": cells}, merged=("A1:F1", "C3:D3", "E3:F3", "A3:A4", "B3:B4")),
        (_types(f"{types}, shops_revenue BIGINT"),),
        (len(rows),),
        (
            Asked("What is the total online revenue?", (_sum(rows, "or"),)),
            Asked("What is the total of shops units?", (_sum(rows, "su"),)),
            Asked("Which region has the highest online revenue?", (best["r"], best["or"])),
            Asked("What is the average shops revenue?", (fmean(row["sr"] for row in rows),)),
            Asked("What is the total of online units in North?", (_sum(rows, "ou", lambda row: row["r"] == "North"),)),
        ),
        ("2 head rows",),
    )


def dates() -> Messy:
    """Three formats of dates in one column."""
    rows = [
        {"no": 5001 + n, "day": date(2024, 1, 4) + timedelta(days=5 * n), "who": ("Ann", "Bob", "Cy")[n % 3],
         "amount": 20 + n * 13 % 47 + 0.25}
        for n in range(36)
    ]  # fmt: skip
    forms: tuple[Callable[[date], str], ...] = (
        lambda day: day.isoformat(),
        lambda day: f"{day:%d/%m/%Y}",
        lambda day: f"{day.day} {_MONTHS[day.month - 1]} {day.year}",
    )
    cells = [[row["no"], forms[n * 5 // 3 % 3](row["day"]), row["who"], row["amount"]] for n, row in enumerate(rows)]
    months = {
        f"{2024}-{month:02}": _sum(rows, "amount", lambda row, month=month: row["day"].month == month)
        for month in range(1, 7)
    }
    early = [row for row in rows if row["day"].month < 4]
    return Messy(
        "dates.csv",
        _lines([["Order", "Day", "Customer", "Amount"], *cells], ",").encode(),
        (_types("order_ BIGINT, day DATE, customer VARCHAR, amount DOUBLE"),),
        (len(rows),),
        (
            Asked("What is the total amount in March 2024?", (months["2024-03"],)),
            Asked("How many orders before April 2024?", (len(early),)),
            Asked("total amount by month", _flat(months)),
            Asked("What is the latest day?", (rows[-1]["day"].isoformat(),)),
            Asked("total amount by customer in May 2024", _flat(_by([r for r in rows if r["day"].month == 5],
                                                                   "who", "amount"))),
        ),
        ("3 date formats", "day first"),
    )  # fmt: skip


def totals() -> Messy:
    """Sums below each group and below all."""
    rows = [
        {"region": region, "product": product, "units": 3 + n * 5 % 17, "revenue": 110.5 + n * 37}
        for n, (region, product) in enumerate(
            (region, product) for region in ("North", "South", "West") for product in ("Lamp", "Chair", "Desk", "Bed")
        )
    ]
    cells: list[list[object]] = [["Region", "Product", "Units", "Revenue"]]
    for region in ("North", "South", "West"):
        some = [row for row in rows if row["region"] == region]
        cells += [[row["region"], row["product"], row["units"], row["revenue"]] for row in some]
        cells.append([f"Subtotal {region}", None, _sum(some, "units"), _sum(some, "revenue")])
    cells.append(["Grand total", None, _sum(rows, "units"), _sum(rows, "revenue")])
    return Messy(
        "quarter.xlsx",
        excel_file({"Sheet1": cells}),
        (_types("region VARCHAR, product VARCHAR, units BIGINT, revenue DOUBLE"),),
        (len(rows),),
        (
            Asked("What are the total units?", (_sum(rows, "units"),)),
            Asked("What is the average revenue?", (fmean(row["revenue"] for row in rows),)),
            Asked("How many rows are there?", (len(rows),)),
            Asked("Which region has the highest total revenue?", next(iter(_by(rows, "region", "revenue").items()))),
            Asked("total revenue by product", _flat(_by(rows, "product", "revenue"))),
        ),
        ("4 rows of totals",),
    )


def semicolons() -> Messy:
    """Semicolons, decimal commas, points between thousands, and a sum at the end."""
    rows = [
        {"day": date(2024, 2, 1) + timedelta(days=4 * n), "who": ("Müller", "Schmidt", "Weiß", "Koch")[n % 4],
         "n": n * 3 % 11 + 1, "amount": 950.5 + n * 128.25}
        for n in range(25)
    ]  # fmt: skip
    cells = [[f"{row['day']:%d.%m.%Y}", row["who"], row["n"], f"{german(row['amount'])} €"] for row in rows]
    cells.append(["Summe", "", _sum(rows, "n"), f"{german(_sum(rows, 'amount'))} €"])
    return Messy(
        "semicolons.csv",
        ("\ufeff" + _lines([["Datum", "Kunde", "Menge", "Betrag"], *cells], ";")).encode(),
        (_types("datum DATE, kunde VARCHAR, menge BIGINT, betrag DOUBLE"),),
        (len(rows),),
        (
            Asked("What is the total Betrag?", (_sum(rows, "amount"),)),
            Asked("What is the average Menge?", (fmean(row["n"] for row in rows),)),
            Asked("How many rows are there?", (len(rows),)),
            Asked("total Betrag by Kunde", _flat(_by(rows, "who", "amount"))),
            Asked("total Menge in March 2024", (_sum(rows, "n", lambda row: row["day"].month == 3),)),
        ),
        ("1 row of totals",),
    )


def western() -> Messy:
    """Letters in latin-1, and a percentage."""
    regions = ("Île-de-France", "Provence", "Réunion", "Côte-d’Or")
    rows = [{"région": regions[n % 4], "dépense": 1000 + n * 77 % 613, "part": n * 3 % 19 + 0.5} for n in range(24)]
    cells = [[row["région"].replace("’", "'"), row["dépense"], f"{row['part']} %"] for row in rows]
    return Messy(
        "dépenses.csv",
        _lines([["Région", "Dépense", "Part"], *cells], ",").encode("latin-1"),
        (_types("région VARCHAR, dépense BIGINT, part DOUBLE"),),
        (len(rows),),
        (
            Asked("What is the total dépense?", (_sum(rows, "dépense"),)),
            Asked("total dépense by région", tuple(_by(rows, "région", "dépense").values())),
            Asked("total dépense in Réunion", (_by(rows, "région", "dépense")["Réunion"],)),
            Asked("What is the highest part?", (max(row["part"] for row in rows),)),
            Asked("How many rows where région is Provence?", (6,)),
        ),
        ("Windows-1252",),
    )


def two_sheets() -> Messy:
    """Orders on one sheet, the customers whom they name on the other, and notes that are no table on a third."""
    customers = [(101, "Ann", "Oslo"), (102, "Bob", "Bergen"), (103, "Cy", "Oslo"), (104, "Dee", "Tromsø")]
    rows = [{"id": 1 + n, "customer": 101 + n * 3 % 4, "amount": 15.5 + n * 11 % 29} for n in range(30)]
    cities = {id: city for id, _, city in customers}
    by_city = _by([{**row, "city": cities[row["customer"]]} for row in rows], "city", "amount")
    book = {
        "Orders": [["Order ID", "Customer ID", "Amount"], *([r["id"], r["customer"], r["amount"]] for r in rows)],
        "Customers": [["Customer ID", "Name", "City"], *map(list, customers)],
        "Notes": [["Ask Dee before you change anything."]],
    }
    return Messy(
        "two sheets.xlsx",
        excel_file(book),
        (
            _types("order_id BIGINT, customer_id BIGINT, amount DOUBLE"),
            _types("customer_id BIGINT, name VARCHAR, city VARCHAR"),
        ),
        (len(rows), len(customers)),
        (
            Asked("What is the total amount?", (_sum(rows, "amount"),)),
            Asked("How many rows are in customers?", (len(customers),)),
            Asked("How many customers are in Oslo?", (2,)),
            Asked("total amount by city", _flat(by_city)),
            Asked("What is the highest amount?", (max(row["amount"] for row in rows),)),
        ),
        ("Notes",),
    )


def large(count: int = 200_000) -> Messy:
    """Many rows, of which a late one is what the first ones are not."""
    start = date(2022, 1, 1)
    stores = ("Aker", "Bryn", "Carl", "Dal", "Eik")
    rows = [
        {"day": start + timedelta(days=n % 730), "store": stores[n * 7 % 5], "units": n % 13,
         "price": (n % 900 + 100) / 4 if n != 190_000 else 99.125}
        for n in range(count)
    ]  # fmt: skip
    cells = [[n, row["day"], row["store"], row["units"], row["price"]] for n, row in enumerate(rows)]
    return Messy(
        "large.csv",
        _lines([["id", "day", "store", "units", "price"], *cells], ",").encode(),
        (_types("id BIGINT, day DATE, store VARCHAR, units BIGINT, price DOUBLE"),),
        (count,),
        (
            Asked("How many rows are there?", (count,)),
            Asked("What are the total units?", (_sum(rows, "units"),)),
            Asked("total units by store", _flat(_by(rows, "store", "units"))),
            Asked("What is the average price?", (fmean(row["price"] for row in rows),)),
            Asked("total units in 2023", (_sum(rows, "units", lambda row: row["day"].year == 2023),)),
        ),
    )


def japanese() -> Messy:
    """Japanese heads, dates and amounts in Shift-JIS, and a sum at the end."""
    rows = [
        {"日付": date(2024, 1, 5) + timedelta(days=9 * n), "店舗": ("東京", "大阪", "福岡")[n % 3],
         "数量": n % 6 + 1, "売上": n * 1300 % 9700 + 1000}
        for n in range(24)
    ]  # fmt: skip
    cells = [
        [f"{r['日付'].year}年{r['日付'].month}月{r['日付'].day}日", r["店舗"], r["数量"], f'"{r["売上"]:,}円"']
        for r in rows
    ]
    cells.append(["合計", "", _sum(rows, "数量"), f'"{_sum(rows, "売上"):,}円"'])
    by_shop = _by(rows, "店舗", "売上")
    return Messy(
        "売上.csv",
        _lines([["日付", "店舗", "数量", "売上"], *cells], ",").encode("cp932"),
        (_types("日付 DATE, 店舗 VARCHAR, 数量 BIGINT, 売上 BIGINT"),),
        (len(rows),),
        (
            Asked("売上の合計は？", (_sum(rows, "売上"),)),
            Asked("数量の平均を教えて", (fmean(row["数量"] for row in rows),)),
            Asked("店舗別の売上の合計は？", _flat(by_shop)),
            Asked("東京の売上の合計は？", (by_shop["東京"],)),
            Asked("件数は？", (len(rows),)),
        ),
        ("1 row of totals", "Shift-JIS"),
    )


def in_a_pdf() -> Messy:
    """A table on a page of a PDF, with words above and below it."""
    plants = ("Alta", "Brekke", "Cermak", "Dovre", "Evje", "Folla", "Gol")
    rows = [
        {"plant": plant, "country": ("Norway", "Chile")[n % 2], "power": 120 + n * 45, "since": 1987 + n * 4}
        for n, plant in enumerate(plants)
    ]
    lines = [(60, 740, "Power plants at a glance"), (60, 715, "The group runs seven plants in two countries.")]
    for place, cells in enumerate([["Plant", "Country", "Power (MW)", "Since"], *(list(r.values()) for r in rows)]):
        lines += [(x, 680 - 18 * place, str(cell)) for x, cell in zip((60, 180, 300, 420), cells, strict=True)]
    lines.append((60, 500, "All figures as of the end of the year, without plants that are being built."))
    stream = "\n".join(f"BT /F1 11 Tf {x} {y} Td ({text}) Tj ET".replace(" (MW)", r" \(MW\)") for x, y, text in lines)
    return Messy(
        "plants.pdf",
        pdf_of([stream.encode()]),
        (_types("plant VARCHAR, country VARCHAR, power_mw BIGINT, since BIGINT"),),
        (len(rows),),
        (
            Asked("What is the total power?", (_sum(rows, "power"),)),
            Asked("Which plant has the highest power?", (rows[-1]["plant"], rows[-1]["power"])),
            Asked("total power by country", _flat(_by(rows, "country", "power"))),
            Asked("How many rows where country is Chile?", (3,)),
            Asked("What is the average power?", (fmean(row["power"] for row in rows),)),
        ),
        ("page 1",),
    )


def either_order() -> Messy:
    """Dates that are days first or months first: nothing in the file says which. The writer meant days first."""
    days = [(3, 4), (5, 4), (11, 4), (2, 5), (7, 5), (12, 5), (1, 6), (6, 6), (8, 6), (10, 6), (4, 7), (9, 7)]
    rows = [
        {"day": date(2025, m, d), "who": ("Ann", "Bob")[n % 2], "paid": 30 + n * 5} for n, (d, m) in enumerate(days)
    ]
    cells = [[f"{row['day']:%d/%m/%Y}", row["who"], row["paid"]] for row in rows]
    return Messy(
        "either.csv",
        _lines([["Day", "Member", "Paid"], *cells], ",").encode(),
        (_types("day DATE, member VARCHAR, paid BIGINT"),),
        (len(rows),),
        (
            Asked("What is the total paid in April 2025?", (_sum(rows, "paid", lambda row: row["day"].month == 4),)),
            Asked("total paid by member", _flat(_by(rows, "who", "paid"))),
            Asked("What is the latest day?", ("2025-07-09",)),
            Asked("How many rows in June 2025?", (4,)),
            Asked("What is the average paid in May 2025?", (fmean(r["paid"] for r in rows if r["day"].month == 5),)),
        ),
        ("day first",),
    )


def statement() -> Messy:
    """A bank's: lines above the header and below the rows, accountants' brackets for what was spent."""
    rows = [
        {"day": date(2024, 5, 2) + timedelta(days=3 * n), "payee": ("Rent", "Salary", "Grocer", "Energy, gas")[n % 4],
         "amount": round((-1) ** (n % 4 != 1) * (45.5 + n * 120.25), 2)}
        for n in range(18)
    ]  # fmt: skip
    body = "".join(f'"{row["day"]:%m/%d/%Y}","{row["payee"]}","{bracketed(row["amount"])}"\n' for row in rows)
    head = 'First Savings Bank\n"Account","00123"\n"Period","May to June 2024"\n\n"Booked","Payee","Amount"\n'
    return Messy(
        "statement.csv",
        f"{head}{body}\nEnd of statement\n".encode(),
        (_types("booked DATE, payee VARCHAR, amount DOUBLE"),),
        (len(rows),),
        (
            Asked("What is the total amount?", (_sum(rows, "amount"),)),
            Asked("total amount by payee", _flat(_by(rows, "payee", "amount"))),
            Asked("What is the lowest amount?", (min(row["amount"] for row in rows),)),
            Asked("How many rows in June 2024?", (sum(row["day"].month == 6 for row in rows),)),
            Asked("What is the total amount for Salary?", (_by(rows, "payee", "amount")["Salary"],)),
        ),
        ("First Savings Bank",),
    )


def printed() -> Messy:
    """As a report is printed: its header again on each page, the pages' numbers, and units within the cells."""
    rows = [
        {"part": f"P-{n:03}", "hall": ("A", "B", "C")[n % 3], "weight": 2.5 + n * 7 % 41, "stock": n * 9 % 31}
        for n in range(45)
    ]
    head: list[object] = ["Part", "Hall", "Weight", "Stock"]
    cells: list[list[object]] = []
    for start in range(0, 45, 15):
        cells.append(head)
        cells += [[r["part"], r["hall"], f"{r['weight']} kg", r["stock"]] for r in rows[start : start + 15]]
        cells.append([f"Page {start // 15 + 1} of 3", "", "", ""])
        cells.append([""] * 4)
    return Messy(
        "printed.tsv",
        _lines(cells, "\t").encode("utf-16"),
        (_types("part VARCHAR, hall VARCHAR, weight DOUBLE, stock BIGINT"),),
        (len(rows),),
        (
            Asked("What is the total weight?", (_sum(rows, "weight"),)),
            Asked("How many rows are there?", (len(rows),)),
            Asked("total stock by hall", _flat(_by(rows, "hall", "stock"))),
            Asked("What is the highest weight?", (max(row["weight"] for row in rows),)),
            Asked("What is the average stock in hall B?", (fmean(r["stock"] for r in rows if r["hall"] == "B"),)),
        ),
        ("header",),
    )


MADE: Mapping[str, Callable[[], Messy]] = {
    "merged": merged,
    "dates": dates,
    "totals": totals,
    "semicolons": semicolons,
    "western": western,
    "two_sheets": two_sheets,
    "large": large,
    "japanese": japanese,
    "in_a_pdf": in_a_pdf,
    "either_order": either_order,
    "statement": statement,
    "printed": printed,
}
