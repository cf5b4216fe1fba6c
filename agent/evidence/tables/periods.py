"""Tables whose rows go on in time: between "Balance at June 30, 2021" and "… 2022" stand those of a year."""

from __future__ import annotations

from agent.evidence.tables.digits import YEARS
from agent.evidence.tables.table_model import Table

_FEWEST = 3  # years: two periods


def periods_of(table: Table) -> dict[int, tuple[str, str]]:
    """The rows between two rows whose labels say a year, each with the years where its period starts and ends.

    None where no row of one period is called like one of another.
    """
    if len(YEARS.findall(" ".join([row[0].text for row in table.body]))) < _FEWEST:
        return {}
    found: dict[int, tuple[str, str]] = {}
    between: list[int] = []
    since = ""
    for row in table.body:
        years = YEARS.findall(row[0].text)
        if not years:
            between.append(row[0].row)
            continue
        if since and (len(years) > 1 or years[0] < since):
            return {}
        found.update((number, (since, years[0])) for number in between if since)
        since, between = years[0], []
    labels = [table.rows[number][0].text for number in found]
    return found if len(set(labels)) < len(labels) else {}


def in_period(periods: dict[int, tuple[str, str]], rows: list[int], words: frozenset[str]) -> list[int]:
    """Those of some rows that are of the periods that words say, by both of their years or else by the last."""
    said = {one for one in periods.values() if words.issuperset(one)} or {
        one for one in periods.values() if one[1] in words
    }
    return [row for row in rows if row not in periods or not said or periods[row] in said]
