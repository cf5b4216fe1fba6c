"""Small tables, what the demo is asked of them, and the truth, in plain Python: read by ``test_demo_tables``.

A truth is the rows that the last query must give: all its columns from the left, without the count of rows used.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean, median
from typing import Any

Row = Mapping[str, Any]

SALES: list[Row] = [
    {
        "order_id": 1000 + n,
        "order_date": date(2022, 1, 3) + timedelta(days=13 * n),
        "region": ("North", "South", "East", "West", "North East")[n * 7 % 5],
        "product": ("Widget", "Gadget", "Big Box", "O'Neil set")[n * 5 % 4],
        "units": n * 3 % 7 + 1,
        "amount": n * 37 % 101 + 0.5,
        "customer": ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo")[n * 5 % 6],
        "paid": n % 3 != 0,
    }
    for n in range(80)
]
WEATHER: list[Row] = [
    {
        "Date": date(2023, 1, 1) + timedelta(days=n // 3 * 4),
        "City": ("Oslo", "Lima", "Kyoto")[n % 3],
        "Temperature": round((n * 29 % 41) - 8.5, 1),
        "Rain mm": n * 11 % 17,
        "Humidity": n * 7 % 60 + 40,
    }
    for n in range(150)
]
PEOPLE: list[Row] = [
    {
        "Name": name,
        "Age": age,
        "Job title": job,
        "Salary": salary,
        "Hired": date(hired, month, 12),
        "Remote": remote,
        "E-mail": mail,
    }
    for name, age, job, salary, hired, month, remote, mail in (
        ("Ada Stone", 36, "Engineer", 5200, 2015, 3, True, "ada@example.org"),
        ("Ben Ito", 29, "Designer", 4100, 2019, 7, False, ""),
        ("Cleo Park", 51, "Manager", 7300, 2009, 1, False, "cleo@example.org"),
        ("Dan Roux", 44, "Engineer", 6100, 2012, 11, True, "dan@example.org"),
        ("Eli Weiss", 23, "Intern", 1800, 2023, 5, True, ""),
        ("Fay Lund", 38, "Designer", 4650, 2016, 9, True, "fay@example.org"),
        ("Gus Mora", 60, "Manager", 7900, 2001, 2, False, "gus@example.org"),
        ("Hal Kent", 31, "Engineer", 5550, 2018, 4, False, "hal@example.org"),
    )
]
UGLY: list[Row] = [
    {
        '"; drop table t; --': ("red", "blue's", 'gr"een')[n % 3],
        "Total (€)": n * 12.25,
        "  Unit   Price ": n % 5 * 2.5,
        "Größe": n % 4 + 1,
        "select": ("a | b", "c, d")[n % 2],
        "2023": n * 3 % 11,
    }
    for n in range(1, 31)
]
SHOP: list[Row] = [
    {
        "日付": date(2024, 1, 5) + timedelta(days=9 * n),
        "地域": ("東京", "大阪", "福岡")[n % 3],
        "商品": ("りんご", "みかん")[n % 2],
        "売上": n * 130 % 970 + 100,
        "数量": n % 6 + 1,
    }
    for n in range(40)
]
TABLES: dict[str, list[Row]] = {"sales": SALES, "weather": WEATHER, "people": PEOPLE, "ugly": UGLY, "shop": SHOP}


def csv_of(rows: Sequence[Row]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(rows[0])
    writer.writerows(["yes" if v is True else "no" if v is False else v for v in row.values()] for row in rows)
    return text.getvalue().encode()


@dataclass(frozen=True)
class Ask:
    """``truth``: the rows in order; a set where the order is free. ``kind``: of the chart that is drawn."""

    tables: tuple[str, ...]
    asked: str
    truth: list[tuple[Any, ...]]
    kind: str = ""


def of(rows: Iterable[Row], column: str) -> list[Any]:
    return [row[column] for row in rows if row[column] not in ("", None)]


def where(rows: Iterable[Row], fits: Callable[[Row], bool]) -> list[Row]:
    return [row for row in rows if fits(row)]


def by(
    rows: Iterable[Row], key: str | Callable[[Row], Any], worth: Callable[[list[Row]], Any]
) -> list[tuple[Any, Any]]:
    """Groups with the largest figure first, equal ones by name."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row) if callable(key) else row[key]].append(row)
    return sorted(((name, worth(some)) for name, some in groups.items()), key=lambda pair: (-pair[1], str(pair[0])))


def total(column: str) -> Callable[[list[Row]], Any]:
    return lambda rows: sum(of(rows, column))


def average(column: str) -> Callable[[list[Row]], Any]:
    return lambda rows: fmean(of(rows, column))


def in_time(groups: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    return sorted(groups)


def month(column: str) -> Callable[[Row], str]:
    return lambda row: f"{row[column]:%Y-%m}"


def year(column: str) -> Callable[[Row], int]:
    return lambda row: row[column].year


def one(figure: Any) -> list[tuple[Any, ...]]:
    return [(figure,)]


def ask(table: str, asked: str, truth: Any, kind: str = "") -> Ask:
    return Ask((table,), asked, truth if isinstance(truth, list) else one(truth), kind)


def region(*names: str) -> list[Row]:
    return where(SALES, lambda row: row["region"] in names)


def sold_in(*years: int) -> list[Row]:
    return where(SALES, lambda row: row["order_date"].year in years)


SALES_ASKED = (
    ask("sales", "How many rows are there in sales?", len(SALES)),
    ask("sales", "how many orders are there?", len(SALES)),
    ask("sales", "How many orders were there in 2023?", len(sold_in(2023))),
    ask("sales", "number of orders in 2022", len(sold_in(2022))),
    ask("sales", "count the orders in March 2023",
        len(where(SALES, lambda r: f"{r['order_date']:%Y-%m}" == "2023-03"))),
    ask("sales", "how many orders in may", len(where(SALES, lambda r: r["order_date"].month == 5))),
    ask("sales", "What is the total amount?", total("amount")(SALES)),
    ask("sales", "total of the amounts", total("amount")(SALES)),
    ask("sales", "What's the sum of amount in sales?", total("amount")(SALES)),
    ask("sales", "sum of amout", total("amount")(SALES)),
    ask("sales", "What is the average amount?", fmean(of(SALES, "amount"))),
    ask("sales", "mean units", fmean(of(SALES, "units"))),
    ask("sales", "median amount", median(of(SALES, "amount"))),
    ask("sales", "What is the highest amount?", max(of(SALES, "amount"))),
    ask("sales", "lowest amount", min(of(SALES, "amount"))),
    ask("sales", "largest amount in the north", max(of(region("North"), "amount"))),
    ask("sales", "Maximum units for Gadget", max(of(where(SALES, lambda r: r["product"] == "Gadget"), "units"))),
    ask("sales", "earliest order date", min(of(SALES, "order_date"))),
    ask("sales", "latest order date", max(of(SALES, "order_date"))),
    ask("sales", "total amount for Ann", total("amount")(where(SALES, lambda r: r["customer"] == "Ann"))),
    ask("sales", "total amount for flo", total("amount")(where(SALES, lambda r: r["customer"] == "Flo"))),
    ask("sales", "total amount in North East", total("amount")(region("North East"))),
    ask("sales", "total amount for South and West", total("amount")(region("South", "West"))),
    ask("sales", "average amount in East or West", fmean(of(region("East", "West"), "amount"))),
    ask("sales", "total amount where product is “O'Neil set”",
        total("amount")(where(SALES, lambda r: r["product"] == "O'Neil set"))),
    ask("sales", "total amount not in north", total("amount")(where(SALES, lambda r: r["region"] != "North"))),
    ask("sales", "total amount without Widget", total("amount")(where(SALES, lambda r: r["product"] != "Widget"))),
    ask("sales", "how many orders over 50 amount", len(where(SALES, lambda r: r["amount"] > 50))),
    ask("sales", "how many orders have an amount over 50", len(where(SALES, lambda r: r["amount"] > 50))),
    ask("sales", "how many orders with at least 5 units", len(where(SALES, lambda r: r["units"] >= 5))),
    ask("sales", "how many orders where units is 3", len(where(SALES, lambda r: r["units"] == 3))),
    ask("sales", "how many orders with amount between 20 and 40", len(where(SALES, lambda r: 20 <= r["amount"] <= 40))),
    ask("sales", "how many orders are paid", len(where(SALES, lambda r: r["paid"]))),
    ask("sales", "how many are not paid", len(where(SALES, lambda r: not r["paid"]))),
    ask("sales", "total amount of paid orders in 2023",
        total("amount")(where(sold_in(2023), lambda r: r["paid"]))),
    ask("sales", "total amount since March 2023",
        total("amount")(where(SALES, lambda r: r["order_date"] >= date(2023, 3, 1)))),
    ask("sales", "total amount after 2022", total("amount")(where(SALES, lambda r: r["order_date"].year > 2022))),
    ask("sales", "total amount before 2023", total("amount")(sold_in(2022))),
    ask("sales", "total units between 2022 and 2023", total("units")(sold_in(2022, 2023))),
    ask("sales", "how many orders on 2022-01-16", len(where(SALES, lambda r: r["order_date"] == date(2022, 1, 16)))),
    ask("sales", "How many customers are there?", 6),
    ask("sales", "how many different products", 4),
    ask("sales", "How many units were sold?", total("units")(SALES)),
    ask("sales", "how many units of Big Box were sold in 2024?",
        total("units")(where(sold_in(2024), lambda r: r["product"] == "Big Box"))),
    ask("sales", "total amount by region", by(SALES, "region", total("amount"))),
    ask("sales", "What is the average amount per region?", by(SALES, "region", average("amount"))),
    ask("sales", "average units for each customer", by(SALES, "customer", average("units"))),
    ask("sales", "orders by region", by(SALES, "region", len)),
    ask("sales", "how many orders per product?", by(SALES, "product", len)),
    ask("sales", "amount by customer", by(SALES, "customer", total("amount"))),
    ask("sales", "highest amount by product", by(SALES, "product", lambda rows: max(of(rows, "amount")))),
    ask("sales", "total amount by year", in_time(by(SALES, year("order_date"), total("amount")))),
    ask("sales", "yearly total amount", in_time(by(SALES, year("order_date"), total("amount")))),
    ask("sales", "total units by month in 2022", in_time(by(sold_in(2022), month("order_date"), total("units")))),
    ask("sales", "monthly number of orders in 2023", in_time(by(sold_in(2023), month("order_date"), len))),
    ask("sales", "total amount by region in 2024", by(sold_in(2024), "region", total("amount"))),
    ask("sales", "top 3 customers by amount", by(SALES, "customer", total("amount"))[:3]),
    ask("sales", "top two regions by number of orders", by(SALES, "region", len)[:2]),
    ask("sales", "Top 2 products by average amount", by(SALES, "product", average("amount"))[:2]),
    ask("sales", "bottom 2 regions by total amount", by(SALES, "region", total("amount"))[::-1][:2]),
    ask("sales", "Which region has the highest total amount?", by(SALES, "region", total("amount"))[:1]),
    ask("sales", "which product sold the most units?", by(SALES, "product", total("units"))[:1]),
    ask("sales", "which customer has the lowest average amount", by(SALES, "customer", average("amount"))[-1:]),
    ask("sales", "What is the amount of order 1005?", next(r["amount"] for r in SALES if r["order_id"] == 1005)),
    ask("sales", "total amount in the North in 2022 and 2023",
        total("amount")(where(sold_in(2022, 2023), lambda r: r["region"] == "North"))),
    ask("sales", "total amount in march and april",
        total("amount")(where(SALES, lambda r: r["order_date"].month in (3, 4)))),
    ask("sales", "number of orders by year and region",
        sorted((y, n, c) for (y, n), c in Counter((r["order_date"].year, r["region"]) for r in SALES).items())),
    ask("sales", "first order date", min(of(SALES, "order_date"))),
    ask("sales", "show me the first 5 rows", [tuple(list(r.values())[:6]) for r in SALES[:5]]),
    ask("sales", "biggest order",
        [tuple(list(r.values())[:6]) for r in SALES if r["amount"] == max(of(SALES, "amount"))]),
    ask("sales", "most common customer", sorted(by(SALES, "customer", len)[:2])),
    ask("sales", "total sales for Widget in North by customer",
        by(where(region("North"), lambda r: r["product"] == "Widget"), "customer", total("amount"))),
    ask("sales", "how many orders did Ann make in 2023", len(where(sold_in(2023), lambda r: r["customer"] == "Ann"))),
    ask("sales", "total amount in Paris", []),
    ask("sales", "plot amount by region", by(SALES, "region", total("amount")), "bar"),
    ask("sales", "total amount by product as a pie chart", by(SALES, "product", total("amount")), "pie"),
    ask("sales", "line chart of amount over time", in_time(by(SALES, month("order_date"), total("amount"))), "line"),
    ask("sales", "draw a bar chart of orders per customer", by(SALES, "customer", len), "bar"),
    ask("sales", "plot total amount by month", in_time(by(SALES, month("order_date"), total("amount"))), "line"),
    ask("sales", "scatter plot of amount against units", [(r["units"], r["amount"]) for r in SALES], "scatter"),
    ask("sales", "histogram of amount", [(r["amount"],) for r in SALES], "histogram"),
    ask("sales", "top 2 rows by amount",
        [tuple(list(r.values())[:6]) for r in sorted(SALES, key=lambda r: -r["amount"])[:2]]),
)  # fmt: skip


def city(name: str) -> list[Row]:
    return where(WEATHER, lambda row: row["City"] == name)


WEATHER_ASKED = (
    ask("weather", "What is the average temperature?", fmean(of(WEATHER, "Temperature"))),
    ask("weather", "average temperature in Oslo", fmean(of(city("Oslo"), "Temperature"))),
    ask("weather", "What was the highest temperature in Lima?", max(of(city("Lima"), "Temperature"))),
    ask("weather", "lowest temperature in Kyoto in March",
        min(of(where(city("Kyoto"), lambda r: r["Date"].month == 3), "Temperature"))),
    ask("weather", "total rain in Lima", total("Rain mm")(city("Lima"))),
    ask("weather", "total rain by city", by(WEATHER, "City", total("Rain mm"))),
    ask("weather", "average humidity per city", by(WEATHER, "City", average("Humidity"))),
    ask("weather", "average temperature by month", in_time(by(WEATHER, month("Date"), average("Temperature")))),
    ask("weather", "how many days had more than 10 rain mm",
        len({r["Date"] for r in where(WEATHER, lambda r: r["Rain mm"] > 10)})),
    ask("weather", "which city has the highest average temperature?", by(WEATHER, "City", average("Temperature"))[:1]),
    ask("weather", "how many rows where temperature is below 0", len(where(WEATHER, lambda r: r["Temperature"] < 0))),
    ask("weather", "how many rows with humidity at most 50 in Oslo",
        len(where(city("Oslo"), lambda r: r["Humidity"] <= 50))),
    ask("weather", "plot temperature by city", by(WEATHER, "City", average("Temperature")), "bar"),
    ask("weather", "plot average temperature over time",
        in_time(by(WEATHER, month("Date"), average("Temperature"))), "line"),
    ask("weather", "number of rows per city", by(WEATHER, "City", len)),
    ask("weather", "how many cities", 3),
    ask("weather", "maximum temperature until June 2023",
        max(of(where(WEATHER, lambda r: r["Date"] < date(2023, 7, 1)), "Temperature"))),
    ask("weather", "avg temprature in osloo", fmean(of(city("Oslo"), "Temperature"))),
    ask("weather", "total rain mm in 2023 by city", by(WEATHER, "City", total("Rain mm"))),
    ask("weather", "median humidity in Kyoto", median(of(city("Kyoto"), "Humidity"))),
)  # fmt: skip


def job(name: str) -> list[Row]:
    return where(PEOPLE, lambda row: row["Job title"] == name)


PEOPLE_ASKED = (
    ask("people", "How many people are there?", len(PEOPLE)),
    ask("people", "how many engineers are there", 3),
    ask("people", "average salary of designers", fmean(of(job("Designer"), "Salary"))),
    ask("people", "what is the average age", fmean(of(PEOPLE, "Age"))),
    ask("people", "who is the oldest?", [("Gus Mora", 60)]),
    ask("people", "Who has the highest salary?", [("Gus Mora", 7900)]),
    ask("people", "Which name has the lowest salary", [("Eli Weiss", 1800)]),
    ask("people", "average salary by job title", by(PEOPLE, "Job title", average("Salary"))),
    ask("people", "average salary per job", by(PEOPLE, "Job title", average("Salary"))),
    ask("people", "how many people are remote", len(where(PEOPLE, lambda r: r["Remote"]))),
    ask("people", "average age of remote people", fmean(of(where(PEOPLE, lambda r: r["Remote"]), "Age"))),
    ask("people", "how many people were hired after 2015", len(where(PEOPLE, lambda r: r["Hired"].year > 2015))),
    ask("people", "how many people hired in 2018", 1),
    ask("people", "How many people have no e-mail?", 2),
    ask("people", "how many people are older than 40", len(where(PEOPLE, lambda r: r["Age"] > 40))),
    ask("people", "how many people earn over 5000 salary", len(where(PEOPLE, lambda r: r["Salary"] > 5000))),
    ask("people", "What is the salary of Ada Stone?", 5200),
    ask("people", "what is the age of hal kent", 31),
    ask("people", "what is the job title of “Fay Lund”", [("Designer",)]),
    ask("people", "top 3 names by salary", [("Gus Mora", 7900), ("Cleo Park", 7300), ("Dan Roux", 6100)]),
    ask("people", "total salary", total("Salary")(PEOPLE)),
    ask("people", "total salaries of managers", total("Salary")(job("Manager"))),
    ask("people", "how many people per job title", by(PEOPLE, "Job title", len)),
    ask("people", "plot salary by age", [(r["Age"], r["Salary"]) for r in PEOPLE], "scatter"),
    ask("people", "average salary where age is between 30 and 45",
        fmean(of(where(PEOPLE, lambda r: 30 <= r["Age"] <= 45), "Salary"))),
    ask("people", "list the names of engineers", [(r["Name"],) for r in job("Engineer")]),
)  # fmt: skip

DROP = '"; drop table t; --'
UGLY_ASKED = (
    ask("ugly", "total total", total("Total (€)")(UGLY)),
    ask("ugly", "sum of “Total (€)”", total("Total (€)")(UGLY)),
    ask("ugly", "average unit price", fmean(of(UGLY, "  Unit   Price "))),
    ask("ugly", "highest größe", 4),
    ask("ugly", "how many rows where drop table t is “blue's”", len(where(UGLY, lambda r: r[DROP] == "blue's"))),
    ask("ugly", "how many rows where drop table t is 'gr\"een'", len(where(UGLY, lambda r: r[DROP] == 'gr"een'))),
    ask("ugly", "total unit price by “select”", by(UGLY, "select", total("  Unit   Price "))),
    ask("ugly", "number of rows by größe", sorted(Counter(of(UGLY, "Größe")).items())),
    ask("ugly", "sum of “2023”", total("2023")(UGLY)),
    ask("ugly", "how many rows where unit price is more than 5", len(where(UGLY, lambda r: r["  Unit   Price "] > 5))),
    ask("ugly", "how many rows have select “a | b”", len(where(UGLY, lambda r: r["select"] == "a | b"))),
    ask("ugly", "how many rows where “select” is “x'; DROP TABLE ugly; --”", 0),
)  # fmt: skip

JAPANESE_ASKED = (
    ask("shop", "売上の合計は？", total("売上")(SHOP)),
    ask("shop", "売上の平均を教えて", fmean(of(SHOP, "売上"))),
    ask("shop", "最大の売上は？", max(of(SHOP, "売上"))),
    ask("shop", "売上の最小値は？", min(of(SHOP, "売上"))),
    ask("shop", "件数は？", len(SHOP)),
    ask("shop", "地域別の売上の合計は？", by(SHOP, "地域", total("売上"))),
    ask("shop", "商品ごとの件数", by(SHOP, "商品", len)),
    ask("shop", "東京の売上の合計は？", total("売上")(where(SHOP, lambda r: r["地域"] == "東京"))),
    ask("shop", "月別の売上の合計", in_time(by(SHOP, month("日付"), total("売上")))),
    ask("shop", "2024年の数量の合計は？", total("数量")(where(SHOP, lambda r: r["日付"].year == 2024))),
    ask("shop", "2024年3月の売上の合計", total("売上")(where(SHOP, lambda r: f"{r['日付']:%Y-%m}" == "2024-03"))),
    ask("shop", "地域別の売上をグラフにして", by(SHOP, "地域", total("売上")), "bar"),
    ask("shop", "total 売上 by 地域", by(SHOP, "地域", total("売上"))),
)  # fmt: skip

ALL = tuple(TABLES)
SEVERAL_ASKED = (
    Ask(ALL, "average temperature in Lima", one(fmean(of(city("Lima"), "Temperature")))),
    Ask(ALL, "total amount by region", by(SALES, "region", total("amount"))),
    Ask(ALL, "average salary by job title", by(PEOPLE, "Job title", average("Salary"))),
    Ask(ALL, "how many rows are in weather", one(len(WEATHER))),
    Ask(ALL, "how many people are there", one(len(PEOPLE))),
    Ask(("sales", "people"), "how many rows in the table people", one(len(PEOPLE))),
)

ASKED = (*SALES_ASKED, *WEATHER_ASKED, *PEOPLE_ASKED, *UGLY_ASKED, *JAPANESE_ASKED, *SEVERAL_ASKED)

# Asked with the tables loaded, and not to be taken for questions about them: no query is made.
ELSEWHERE = (
    "What is the square root of 25?",
    "What is 15% of 80?",
    "How many days until Christmas?",
    "what is 5 km in miles",
    "What is the capital of France?",
    "who is Ada Lovelace?",
    "hello",
    "thanks",
    "what can you do?",
    "What is the average of 3, 4 and 8?",
    "how many minutes are in 3 hours",
    "what day of the week was 20 July 1969?",
    "25の平方根は？",
    "フランスの首都は？",
)
# Nothing is asked of a table, and nothing is made up.
DECLINED = (
    "why did the amount fall in 2023?",
    "predict the amount for next year",
    "is the amount correlated with units?",
    "which region should I invest in?",
    "write a poem about the region",
    "how do I improve the total amount",
    "total region",
    "average product",
    "total amount minus total units",
    "amount",
    "region",
    "delete all rows from sales",
    "drop table sales",
    "update sales set amount = 0",
    "what is the meaning of the amount column for my business",
    "who approved the orders",
    "compare amount in 2022 with amount in 2023",
    "percentage of orders that are paid twice",
    "the moon and the stars by region",
    "top by",
)


@dataclass(frozen=True)
class Then:
    """A question, a follow-up, and the rows that the follow-up must give."""

    table: str
    first: str
    follow_up: str
    truth: list[tuple[Any, ...]]
    kind: str = ""


def then(table: str, first: str, follow_up: str, truth: Any, kind: str = "") -> Then:
    return Then(table, first, follow_up, truth if isinstance(truth, list) else one(truth), kind)


FOLLOW_UPS = (
    then("sales", "total amount", "and by region?", by(SALES, "region", total("amount"))),
    then("sales", "What is the total amount?", "by product?", by(SALES, "product", total("amount"))),
    then("sales", "total amount", "only 2023", total("amount")(sold_in(2023))),
    then("sales", "total amount by region", "only 2023", by(sold_in(2023), "region", total("amount"))),
    then("sales", "total amount by region", "as a chart", by(SALES, "region", total("amount")), "bar"),
    then("sales", "total amount by region", "show it as a pie chart", by(SALES, "region", total("amount")), "pie"),
    then("sales", "total amount by region", "plot it", by(SALES, "region", total("amount")), "bar"),
    then("sales", "total amount by region", "Make a bar chart", by(SALES, "region", total("amount")), "bar"),
    then("sales", "total amount by region", "Make it a pie chart please", by(SALES, "region", total("amount")), "pie"),
    then("sales", "total amount by region", "and by product?", by(SALES, "product", total("amount"))),
    then("sales", "total amount by region", "and the average?", by(SALES, "region", average("amount"))),
    then("sales", "total amount by region", "what about the units?", by(SALES, "region", total("units"))),
    then("sales", "total amount in 2022", "and in 2023?", total("amount")(sold_in(2023))),
    then("sales", "total amount in 2022", "what about 2024?", total("amount")(sold_in(2024))),
    then("sales", "total amount in 2023", "and in March?",
         total("amount")(where(SALES, lambda r: f"{r['order_date']:%Y-%m}" == "2023-03"))),
    then("sales", "total amount in the north", "what about south?", total("amount")(region("South"))),
    then("sales", "total amount in the north", "and for North East?", total("amount")(region("North East"))),
    then("sales", "total amount for Ann", "only for Widget",
         total("amount")(where(SALES, lambda r: r["customer"] == "Ann" and r["product"] == "Widget"))),
    then("sales", "top 3 customers by amount", "and the top 5?", by(SALES, "customer", total("amount"))[:5]),
    then("sales", "how many orders in 2023", "and by region?", by(sold_in(2023), "region", len)),
    then("sales", "how many orders in 2023", "without the north",
        len(where(sold_in(2023), lambda r: r["region"] != "North"))),
    then("sales", "total amount", "and how many orders?", len(SALES)),
    then("sales", "highest amount", "and the lowest?", min(of(SALES, "amount"))),
    then("sales", "total amount by month", "only since 2024",
         in_time(by(sold_in(2024), month("order_date"), total("amount")))),
    then("sales", "how many orders over 50 amount", "and under 20 amount?",
        len(where(SALES, lambda r: r["amount"] < 20))),
    then("weather", "average temperature in Oslo", "and in Lima?", fmean(of(city("Lima"), "Temperature"))),
    then("weather", "average temperature in Oslo", "and the highest?", max(of(city("Oslo"), "Temperature"))),
    then("weather", "average temperature by city", "only in January",
         by(where(WEATHER, lambda r: r["Date"].month == 1), "City", average("Temperature"))),
    then("weather", "total rain", "per city", by(WEATHER, "City", total("Rain mm"))),
    then("people", "average salary", "and for engineers?", fmean(of(job("Engineer"), "Salary"))),
    then("people", "average salary by job title", "and the average age?", by(PEOPLE, "Job title", average("Age"))),
    then("people", "how many people are remote", "and not remote?", len(where(PEOPLE, lambda r: not r["Remote"]))),
    then("shop", "売上の合計は？", "地域別では？", by(SHOP, "地域", total("売上"))),
)  # fmt: skip
