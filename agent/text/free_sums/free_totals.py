"""All of it, or the share of one: terms added up, raised or cut by percentages, and shared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from agent.text.free_sums.free_items import Item, Told, cue, has, says
from agent.text.free_sums.free_terms import (
    Term,
    are_all,
    before,
    has_sum,
    in_unit,
    one_kind,
    people_of,
    said_beside,
    terms_of,
    with_units,
)
from agent.text.free_sums.free_wishes import asked_measure, asks_of, names_one
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex


def added_up(told: Told, *, shared: bool) -> str | None:
    """The sum of all terms in plain form, ``None`` where a figure would be left over or that is not sure."""
    among = people_of(told.items) if shared else None
    percents = [item for item in told.items if item.kind == "percent"]
    items = [item for item in told.items if item.kind != "percent" and item is not among]
    read = terms_of(items, told.source) if items and (among or not shared) else None
    kind = one_kind(read) if read else None
    if not read or kind is None or any(term.kind == "count" for term in read) != (kind == "count"):
        return None
    terms = with_units(read, kind)
    if not terms or not asks_of(told, terms, kind) or names_one(told, terms) or has_sum(terms, told.source):
        return None
    if (says(told.text, "earns") and says(told.text, "spends")) or (percents and says(told.text, "turns_percent")):
        return None
    if any(item.kind == "bare" and item.said.isdigit() and says(item.after, "does_so") for item in items):
        return None  # "2 are vegetarian"
    fits = _all_share(told, among, terms) if among else _are_a_total(told, terms, kind, percents)
    return _figured(told, terms, kind, percents, among) if fits else None


_MY_OWN = regex(r"\b(?:i|he|she) (?:just |also )?(?:had|ordered|ate|drank|paid|owes?|put|pays?|gets?|got)\b")


def _all_share(told: Told, among: Item, terms: Sequence[Term]) -> bool:
    """Whether all of it is shared, and by nobody else."""
    starts = [term.start for term in terms]
    parted = min(starts) < among.start < max(starts) and says(told.source[: among.start], "split_first")
    by_unit = any(term.items[-1].per and measure_of(term.items[-1].per) and not term.period for term in terms)
    apart = _MY_OWN.search(told.text.removesuffix(told.asked))
    return are_all(among, told.source) and not parted and not by_unit and not apart


def _are_a_total(told: Told, terms: Sequence[Term], kind: str, percents: Sequence[Item]) -> bool:
    """Whether there are several amounts that belong together, none of them what somebody has or pays with."""
    if has(told.text, "paid_with") or any(map(_is_purse, terms)) or (kind != "money" and _is_partly(told, terms, kind)):
        return False
    names = {term.items[-1].names for term in terms if term.items[-1].names}
    several = len(terms) > 1 or bool(percents) or len(terms[0].items) > 1
    return several and (kind != "count" or len(names) < 2)


def _is_purse(term: Term) -> bool:
    """Whether it is money that somebody has, and not what something costs."""
    if term.kind not in ("money", "bare") or len(term.items) > 1:
        return False
    return any(says(item.before, "purse") or says(item.after, "in_purse") for item in term.items)


def _is_partly(told: Told, terms: Sequence[Term], kind: str) -> bool:
    """Whether some of the things may be among the others, or may go."""
    if kind == "bare" and "how many" not in told.asked:
        return False
    named = [bool(term.items[-1].names) for term in terms]
    goes = says(told.source, "goes") or any(before(term, "gained") for term in terms[1:])
    return goes or (kind == "count" and any(named) != all(named))


def _figured(told: Told, terms: Sequence[Term], kind: str, percents: Sequence[Item], among: Item | None) -> str | None:
    parts = dict(zip(terms, in_unit(terms, kind, asked_measure(told)), strict=True))
    steps: list[Term | Item] = sorted([*terms, *percents], key=lambda step: step.start)
    if isinstance(steps[0], Item):  # "20% off a coat of 90"
        if len(percents) > 1 or (len(terms) > 1 and not says(told.text, "all_of_it")):
            return None
        steps = [*terms, *percents]
    made, total, several = "", Fraction(0), False
    for step in steps:
        if isinstance(step, Term):
            less = has(said_beside(step), "taken")
            several = bool(made)
            made = f"{made} {'-' if less else '+'} {parts[step]}" if made else parts[step]
            total += -step.value if less else step.value
            continue
        way = _raised(step)
        if not way or (way < 0 and several and not says(told.text, "all_of_it")):
            return None
        made = f"{_bracketed(made)} * {figure_of(1 + way * step.amount / 100)}"
    made = f"{_bracketed(made)} / {among.said}" if among else made
    return made if total > 0 else None


def _bracketed(made: str) -> str:
    return f"({made})" if " " in made else made


def _raised(percent: Item) -> int:
    """1 where the percentage is put on, -1 where it is taken off, 0 where that is not sure."""
    said = f"{percent.before} § {percent.after}"
    found = [(way, one.span()) for way, name in ((1, "up"), (-1, "down")) for one in cue("cues", name).finditer(said)]
    spans = [span for _, span in found]
    ways = {way for way, span in found if not any(_holds(other, span) for other in spans)}
    return ways.pop() if len(ways) == 1 else 0


def _holds(large: tuple[int, int], small: tuple[int, int]) -> bool:
    return large != small and large[0] <= small[0] and small[1] <= large[1]
