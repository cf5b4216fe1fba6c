"""States of rows that no column tells and two do: unpaid, overdue, late, full, and how many places are left."""

from __future__ import annotations

import re
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Column, Table, id_like
from agent.data.tables.worded.implied_money import of_money
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.states_of_columns import of_one_column
from agent.data.tables.worded.worded_columns import content, holds_money
from agent.data.tables.worded.worded_figures import pieces_and_price
from agent.text.regex import regex

_DONE = frozenset(
    ["paid", "returned", "collected", "delivered", "completed", "closed", "sold", "finished", "received", "settled"]
)
_PLACES = frozenset(["place", "capacity", "seat", "space", "maximum", "max", "slot"])
_TAKEN = frozenset(["booked", "taken", "sold", "filled", "enrolled", "reserved", "booking", "attendee"])
_ALL = r"(?: (?:in total|in all|altogether|overall|all together))?"
_STATE = regex(r"\b(?:unpaid|outstanding)\b", re.I)
_OWED = regex(
    r"how much (?:(?:is|are|am) (?:(?:we|i|they) )?(?:still )?(?:owed|owing|outstanding|unpaid|not paid|to pay)"
    rf"|(?:do|does) (?P<who>.+?) (?:still )?owe)(?: (?:to )?(?:us|me))?{_ALL}",
    re.I,
)
_WHO_OWES = regex(rf"(?P<who>who|which [a-z]+) (?:still )?owes? (?:us |me )?(?:the )?(?P<most>most|least){_ALL}", re.I)
_ALL_OF_THEM = ("they", "people", "everyone", "everybody", "we", "customers", "clients")
_LEFT = regex(
    r"\b(?:(?:free|spare|empty|remaining|available|unsold) (?:places|spaces|seats|spots|slots)"
    r"|(?:places|spaces|seats|spots|slots)(?: (?:are|is|were))?(?: (?:there|still))?"
    r" (?:left|free|available|remaining))\b",
    re.I,
)
_FULL = regex(r"\b(?:full(?:y booked)?|sold out)\b", re.I)


def with_states(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """The question, and the table with the states that it speaks of."""
    for way in (of_one_column, of_money, _unpaid, _overdue, _late, _places, _free, _valid, _out, _had, _owing):
        text, table = way(text, table, today)
    return text, table


def _is_own(table: Table, *names: str) -> bool:
    """Whether a column, or a value, has one of these names itself."""
    own = {word for one in table.columns for word in content(one)}
    return bool({*names} & (own | {value.casefold() for one in table.of_kind("text") for value in one.known}))


def _done(table: Table) -> Column | None:
    """When something was done, empty where it was not yet."""
    several = [one for one in table.columns if one.kind in ("date", "text") and one.nulls and content(one) & _DONE]
    dates = [one for one in several if one.kind == "date"]
    return (dates or several)[0] if len(dates or several) == 1 else None


def _unpaid(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    done, checked = _done(table), [one for one in table.of_kind("boolean") if "paid" in content(one)]
    of_day = done is not None and "paid" in content(done)
    if not (of_day or len(checked) == 1) or _is_own(table, "unpaid", "outstanding", "owed"):
        return text, table
    text = _of_paid_ones(text, table)
    text = _STATE.sub("unpaid", text)
    if "unpaid" not in text.lower() or done is None or not of_day:
        return text, table
    told = f"Unpaid: {done.called} is empty"
    return text, table.with_implied(Column("unpaid", "Unpaid", "boolean"), f"{quoted(done.name)} IS NULL", told)


def _of_paid_ones(text: str, table: Table) -> str:
    """ "How much are we owed" as the total of what is not paid, "how much have we been paid" as that of what is."""
    money = [one for one in table.of_kind("number") if holds_money(one) and not id_like(one)]
    amount = "value" if pieces_and_price(table) else money[0].called if len(money) == 1 else ""
    said, people = text.strip(" ?.!"), people_in(table)
    if not amount:
        return text
    if owed := _OWED.fullmatch(said):
        who = "" if (owed["who"] or "they").lower() in _ALL_OF_THEM else f" for {owed['who']}"
        return f"total {amount} of the unpaid ones{who}"
    if _WAS_PAID.fullmatch(said):
        return f"total {amount} of the paid ones"
    if owes := _WHO_OWES.fullmatch(said):
        who = f"which {people[0].called}" if owes["who"].lower() == "who" and len(people) == 1 else owes["who"]
        end = "highest" if owes["most"].lower() == "most" else "lowest"
        return f"{who} has the {end} total {amount} of the unpaid ones"
    return text


_WAS_PAID = regex(
    r"how much (?:have (?:we|i)|has) (?:already |so far )*(?:been paid|come in|been collected)"
    rf"(?: (?:already|so far|yet))*{_ALL}",
    re.I,
)


def _overdue(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    due = [one for one in table.of_kind("date") if "due" in content(one)]
    if "overdue" not in text.lower() or today is None or len(due) != 1 or _is_own(table, "overdue"):
        return text, table
    done, checked = _done(table), [one for one in table.of_kind("boolean") if content(one) & _DONE]
    worked_out, told = f"{quoted(due[0].name)} < DATE '{today}'", f"Overdue: {due[0].called} before {today}"
    if done:
        worked_out, told = f"{worked_out} AND {quoted(done.name)} IS NULL", f"{told}, {done.called} is empty"
    elif len(checked) == 1:
        worked_out, told = f"{worked_out} AND NOT {quoted(checked[0].name)}", f"{told}, not {checked[0].called}"
    return text, table.with_implied(Column("overdue", "Overdue", "boolean"), worked_out, told)


def _late(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    due, done = [one for one in table.of_kind("date") if "due" in content(one)], _done(table)
    said = re.search(r"\blate\b", text, re.I)
    if not said or len(due) != 1 or done is None or done.kind != "date" or _is_own(table, "late"):
        return text, table
    names = "|".join(sorted(map(re.escape, content(done) & _DONE)))
    text = re.sub(
        rf"\b(?:{names}|paying|pay) (?:them |it |his |her |their [a-z]+ )?late\b", "are late", text, flags=re.I
    )
    worked_out = f"{quoted(done.name)} > {quoted(due[0].name)}"
    told = f"Late: {done.called} after {due[0].called}"
    return text, table.with_implied(Column("late", "Late", "boolean"), worked_out, told)


def _places(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """How many places are left, and what is full, of the places that there are and those that are taken."""
    numbers = table.of_kind("number")
    all_, taken = ([one for one in numbers if content(one) & names] for names in (_PLACES, _TAKEN))
    if len(all_) != 1 or len(taken) != 1 or all_ == taken or _is_own(table, "left", "full", "free"):
        return text, table
    both = [quoted(one.name) for one in (*all_, *taken)]
    if _LEFT.search(text):
        told = f"Places left: {all_[0].called} less {taken[0].called}"
        text = _LEFT.sub("“Places left”", text, count=1)
        return text, table.with_implied(Column("places_left", "Places left", "number"), " - ".join(both), told)
    if _FULL.search(text) and not re.search(r"\bhow full\b", text, re.I):
        told = f"Full: {taken[0].called} is all of {all_[0].called}"
        text = _FULL.sub("full", text)
        return text, table.with_implied(Column("full", "Full", "boolean"), f"{both[1]} >= {both[0]}", told)
    return text, table


def _free(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """ "Which were free", of the one price that may be nothing."""
    costs = [one for one in table.of_kind("number") if holds_money(one) and one.least in ("0", "0.0", "0.00")]
    if len(costs) != 1 or not _FREE.search(text) or _is_own(table, "free"):
        return text, table
    told = f"Free: {costs[0].called} is 0"
    return text, table.with_implied(Column("free", "Free", "boolean"), f"{quoted(costs[0].name)} = 0", told)


_FREE = regex(r"(?<!for )\bfree\b(?! (?:places?|spaces?|seats?|spots?|slots?))", re.I)


def _valid(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """ "Still under warranty", and "out of warranty", by the day until which there is one."""
    for column in table.of_kind("date") if today else ():
        name = " ".join(word for word in words(column.called) if word not in _UNTIL)
        if not name or not {*words(column.called)} & _UNTIL or not re.search(rf"\b{re.escape(name)}\b", text, re.I):
            continue
        name = re.escape(name)
        valid = re.compile(rf"\b(?:still )?(?:under|in|within|has a|have a|with a) (?:its |their |the )?{name}\b", re.I)
        over = re.compile(
            rf"\bout of {name}\b|\b{name} (?:is|has|have|had)? ?(?:already )?(?:expired|run out|ended|lapsed|over)\b",
            re.I,
        )
        for way, sign, said, before in ((valid, ">=", "valid", "from"), (over, "<", "expired", "before")):
            if way.search(text):
                implied = Column(said, said.capitalize(), "boolean")
                worked_out = f"{quoted(column.name)} {sign} DATE '{today}'"
                told = f"{implied.label}: {column.called} {before} {today}"
                return way.sub(said, text, count=1), table.with_implied(implied, worked_out, told)
    return text, table


_UNTIL = frozenset(["until", "till", "expiry", "expire", "expires", "end", "ends", "valid"])


_OUT = regex(
    r"(?<=\bis )(?:still |currently )?out\b(?! of\b| for\b)|(?<=\bare )(?:still |currently )?out\b(?! of\b| for\b)"
    r"|\bstill out\b|\bout(?= (?:at the moment|right now|now|currently)\b)|\b(?:currently )?on loan\b"
    r"|(?<=\bmost )(?P<noun>[a-z]+ )out(?=\W*$)",
    re.I,
)


def _out(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """ "Which books are out", of a column that tells when each came back."""
    back = [one for one in table.columns if "returned" in content(one) and one.kind in ("date", "boolean")]
    if len(back) != 1 or not _OUT.search(text) or _is_own(table, "out"):
        return text, table
    worked_out = f"{quoted(back[0].name)} IS NULL" if back[0].kind == "date" else f"NOT {quoted(back[0].name)}"
    told = f"Lent: {back[0].called} is {'empty' if back[0].kind == 'date' else 'no'}"
    text = re.sub(r" (?:at the moment|right now|now|currently)\b", "", text, flags=re.I)
    return _OUT.sub(lambda found: f"{found['noun'] or ''}lent", text, count=1), table.with_implied(
        Column("lent", "Lent", "boolean"), worked_out, told
    )


_HAD = regex(
    r"how (?:many (?P<unit>years|months|weeks|days)|long) (?:have|has|had) (?:(?:we|i|they|you) (?:had|owned|got|kept)"
    r" (?:the |our |my )?(?P<what>.+?)|(?P<who>.+?) (?:been|worked|sung|played|lived)\b.*?)(?: now| for)*",
    re.I,
)
_SINCE = frozenset(["bought", "purchased", "acquired", "since", "joined", "hired", "started", "employed"])


def _had(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """ "How many years have we had the piano", by the one day when it came."""
    said, since = _HAD.fullmatch(text.strip(" ?.!")), [one for one in table.of_kind("date") if content(one) & _SINCE]
    if said is None or today is None or len(since) != 1 or (said["who"] or "").lower() in _ALL_OF_THEM:
        return text, table
    unit = (said["unit"] or "years").lower()
    column = Column("time_since", f"{unit.capitalize()} since {since[0].called}", "number")
    worked_out = f"datesub('{unit.removesuffix('s')}', {quoted(since[0].name)}, DATE '{today}')"
    asked = f"“{column.label}” of {said['what'] or said['who']}"
    return asked, table.with_implied(column, worked_out, f"{column.label}: up to {today}")


_OWES = regex(r"\b(?:still )?owes?(?: (?:us|me))?(?: (?:any|some|their))?(?: (?P<what>[a-z]+))?\b", re.I)


def _owing(text: str, table: Table, today: date | None) -> tuple[str, Table]:
    """ "Who owes subs", of a column with what is owed."""
    owed = [one for one in table.of_kind("number") if content(one) & {"owed", "owing", "outstanding", "arrear"}]
    said = _OWES.search(text)
    if not said or len(owed) != 1 or re.search(r"\d|how much|\bmost\b|\bleast\b", text, re.I):
        return text, table
    own = content(owed[0]) | {"money", "anything", "any"}
    what = said["what"] or ""
    end = said.start("what") if what and what.lower() not in own else said.end()
    return f"{text[: said.start()]}has {owed[0].called} over 0 {text[end:].lstrip()}".rstrip(), table
