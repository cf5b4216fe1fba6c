"""What was put right in a table, in a sentence, and what a click can do about it. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.interface_text import Text

Repair = Mapping[str, Any]
_TYPES = {
    "text": Text("text"),
    "whole number": Text("whole number"),
    "number": Text("number"),
    "date": Text("date"),
    "date, day first": Text("date, day first"),
    "date, month first": Text("date, month first"),
    "time": Text("time"),
    "time stamp": Text("time stamp"),
    "yes or no": Text("yes or no"),
}
_ORDERS = {"day first": Text("day first"), "month first": Text("month first")}


def type_word(choice: str) -> str:
    """One of ``CHOICES`` in words for a person."""
    return _TYPES.get(choice, Text("other"))


def repair_told(repair: Repair) -> str:
    """The sentence for a repair of a card (see ``agent.data.tables.columns.Repair``)."""
    match repair["kind"]:
        case "heads":
            return (
                Text("2 head rows were joined.") if repair["on"] else Text("2 head rows: the lower one names columns.")
            )
        case "furniture":
            return _furniture(repair)
        case "totals":
            return _totals(repair)
        case "dates":
            return _dates(repair)
        case _:
            return _type(repair)


def repair_offers(repair: Repair) -> tuple[tuple[str, str], ...]:
    """The words of buttons, and what the repair is to be then: ``on``, ``off`` or an order of dates."""
    if not repair["on"]:
        return ((_DONE.get(repair["kind"], Text("Do it")), "on"),)
    undo = (Text("Undo"), "off")
    if repair["kind"] != "dates" or repair["sure"]:
        return (undo,)
    other = "month first" if repair["to"] == "day first" else "day first"
    return ((Text("Read month first") if other == "month first" else Text("Read day first"), other), undo)


_DONE = {
    "heads": Text("Join them"),
    "furniture": Text("Leave out"),
    "totals": Text("Leave out"),
    "dates": Text("Make dates"),
}


def _furniture(repair: Repair) -> str:
    count = int(repair["count"])
    if repair["on"] and repair["to"] == "notes":
        return Text(
            "{n:,} row without data left out: blank, or notes below the table.",
            "{n:,} rows without data left out: blank, or notes below the table.",
            n=count,
        )
    if repair["on"]:
        return Text(
            "{n:,} row without data left out: blank, or the header again.",
            "{n:,} rows without data left out: blank, or the header again.",
            n=count,
        )
    return Text("{n:,} row without data is kept.", "{n:,} rows without data are kept.", n=count)


def _totals(repair: Repair) -> str:
    count = int(repair["count"])
    if repair["on"]:
        return Text("{n:,} row of totals left out of sums.", "{n:,} rows of totals left out of sums.", n=count)
    if repair["sure"]:
        return Text("{n:,} row of totals counted in sums.", "{n:,} rows of totals counted in sums.", n=count)
    return Text("{n:,} row may be totals, and is counted.", "{n:,} rows may be totals, and are counted.", n=count)


def _dates(repair: Repair) -> str:
    label, count, order = repair["label"], int(repair["count"]), str(repair["to"])
    if not repair["on"]:
        return Text("{column}: dates kept as text.", column=label)
    if not order:
        return Text("{column}: {n} date formats, read as dates.", column=label, n=count)
    if repair["sure"]:
        return Text("{column}: {n} date formats, read {order}.", column=label, n=count, order=_ORDERS[order])
    if count > 1:
        return Text("{column}: {n} date formats, read {order}; either order fits.", column=label, n=count,
                    order=_ORDERS[order])  # fmt: skip
    return Text("{column}: dates read {order}; either order fits.", column=label, order=_ORDERS[order])


def _type(repair: Repair) -> str:
    label, lost, to = repair["label"], int(repair["count"]), type_word(str(repair["to"]))
    if not lost:
        return Text("{column}: read as {type}, as you chose.", column=label, type=to)
    return Text(
        "{column}: read as {type}, as you chose; {n:,} value does not fit.",
        "{column}: read as {type}, as you chose; {n:,} values do not fit.",
        column=label,
        type=to,
        n=lost,
    )
