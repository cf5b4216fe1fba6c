"""Days from one column of a row to another: 「K103は申請日から支払日まで何日かかりましたか」."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_schema import Asked, Column, Table
from agent.data.tables.wordings.japanese_rows import naming
from agent.text.regex import regex

_SPAN = regex(
    r"(?P<row>[^、。?？]{0,20}?)(?:は|の|が|って|で)?、?(?P<a>[^\dはのがをで、。?？]{1,10})から(?P<b>[^\dはのがをで、。?？]{1,10})まで"
    r"(?:に|で|は|の|って|、)*(?:かかった|かかる)?(?:期間|日数)?(?:は|に|で|って|が)?(?P<mean>平均(?:で|して|は)?)?、?"
    r"(?:かかった(?:日数|期間)は|日数は)?(?:何日(?:間)?|どのくらい|どれくらい|どれだけ|[?？]|$)"
    r"(?:かかり|あり|空き|あき)?(?:ました|ます|かかった|かかる|あった|ある|かかって(?:い)?(?:る|ます)|です|でした|の)*か?[?？。]*"
)


def days_between(
    text: str, table: Table, today: date | None, read: Callable[[str, Table, date | None], Asked | None]
) -> Asked | None:
    """``read`` reads 「K103は？」 as the rows that it names; ``None`` where an end is no column of days."""
    said = _SPAN.fullmatch(text)
    ends = [_day_called(said[name], table) for name in "ab"] if said else []
    if said is None or len(ends) != 2 or table.joined:
        return None
    first, last = ends
    if first is None or last is None or first is last:
        return None
    name, filters = naming(table), ()
    if row := re.sub(r"(?:さん|くん|ちゃん)$", "", said["row"]):
        rows = read(f"{row}の{first.called}は？", table, today)
        if rows is None or rows.measure != "rows" or not rows.filters:
            return None
        filters = rows.filters
    elif not said["mean"]:
        return None
    called = f"{first.called}から{last.called}までの日数"
    days = Column(f"{first.name}_{last.name}_days", called, "number", least="0", most="1000")
    widened = table.with_column(days, f"date_diff('day', {quoted(first.name)}, {quoted(last.name)})")
    if said["mean"]:
        return Asked(widened, "avg", days, (), filters)
    return Asked(widened, "rows", filters=filters, shown=(name, days))


def _day_called(said: str, table: Table) -> Column | None:
    days = table.of_kind("date")
    bare = re.sub(r"(?:(?:さ|わ|ら)れ(?:て|る|た)?|し(?:て|た)|する)$", "", said)
    bare = re.sub(r"(?<=[一-龯])[ぁ-ん]{1,2}(?=[一-龯]|$)", "", bare)  # 引き渡し
    fits = [one for one in days if {said, bare} & {one.called, one.called.removesuffix("日")}]
    return fits[0] if len(fits) == 1 else None
