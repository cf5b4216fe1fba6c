"""What each row brought in, of a table in Japanese that has how many were sold and what one costs, but not 「売上」."""

from __future__ import annotations

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_schema import Column, Table
from agent.text.regex import regex

SALES = regex(r"売り?上げ?(?!数|個数|点数|件数|本数|枚数)")
_SOLD = regex(r"(?:販売|売上|売り上げ|出荷|注文)(?:個|点|本|枚|冊|件)?数量?(?:[(（].*[)）])?")
_PRICE = regex(r"(?:単価|価格|値段|定価|販売価格)(?:[(（].*[)）])?")


def with_sales(table: Table) -> Table:
    """The table with the product as a column; as it is where it has none or several of either, or 「売上」 itself."""
    columns = table.of_kind("number")
    sold = [one for one in columns if (found := _SOLD.search(one.called)) and found.end() == len(one.called)]
    prices = [one for one in columns if _PRICE.fullmatch(one.called)]
    if table.joined or len(sold) != 1 or len(prices) != 1 or any(SALES.search(one.called) for one in table.columns):
        return table
    sales = Column("売上", "売上", "number", prices[0].unit)
    return table.with_column(sales, f"{quoted(sold[0].name)} * {quoted(prices[0].name)}")
