"""What stands nowhere, worked out from what does, step by step from the surest way to what is only possible."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from agent.evidence.derivation.groups.said_once import SaidOnce
from agent.evidence.derivation.groups.value_counts import ValueCounts
from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.possible.possible_steps import AROUND
from agent.evidence.derivation.possible.possible_ways import PossibleWays
from agent.evidence.derivation.possible.source_lines import SourceLines
from agent.evidence.derivation.spans.clock_spans import ClockSpans
from agent.evidence.derivation.spans.full_years import FullYears
from agent.evidence.derivation.spans.reckoned_times import ReckonedTimes
from agent.evidence.derivation.spans.row_paces import paces
from agent.evidence.derivation.spans.said_years import years_between
from agent.evidence.derivation.spans.shifted_days import ShiftedDays
from agent.evidence.derivation.spans.told_lengths import told_again
from agent.evidence.derivation.steps.column_units import BASIS_POINTS, in_points
from agent.evidence.derivation.steps.conversions import Conversions, moments_of, of_a_month
from agent.evidence.derivation.steps.known_values import Traced
from agent.evidence.derivation.worked.announced_totals import rests_of_all, sums_of_items, sums_of_lists
from agent.evidence.derivation.worked.changed_ends import changed_ends
from agent.evidence.derivation.worked.changed_rates import changed_rates
from agent.evidence.derivation.worked.formulas import factor_of_given
from agent.evidence.derivation.worked.nearby_results import others_counted, possible_results
from agent.evidence.derivation.worked.operands import Operands
from agent.evidence.derivation.worked.own_lists import left_out, listed_count
from agent.evidence.derivation.worked.rates_of_rows import rate_of_row, speed_of_row
from agent.evidence.derivation.worked.scaled_lists import scaled_lists
from agent.evidence.derivation.worked.scores import scores
from agent.evidence.derivation.worked.stated_results import stated_results
from agent.evidence.derivation.worked.workings import Workings
from agent.evidence.drafts import OPEN, Draft, as_span, repeated
from agent.evidence.lookup.days import between_dates, nearest_day, working_days
from agent.evidence.lookup.numbers import nearest
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Sources
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure

_MOST_DERIVED = 60  # figures that may be worked out, and values that they may be worked out from
_MOST_ROUNDS = 3  # in which what was worked out is worked with
_DOUBTED = ("not_found", "differs")
_Way: TypeAlias = Callable[[list[Draft], list[int]], Mapping[int, Finding] | Iterator[tuple[int, Finding]]]


def derived(drafts: list[Draft], standings: Standings, doubted: Container[int]) -> list[Draft]:
    """Figures that were not found: worked out from those that were, near to one that was seen, or nothing.

    What was worked out is worked with in turn: "210 became 240, 30 more (14 %)" of two sums.
    """
    once = SaidOnce(standings)
    drafts = _having(drafts, dict(stated_results(drafts, _of_verdict(drafts, "not_found"), standings.answer)))
    open_ones = _of_verdict(drafts, *OPEN)
    found = _in_rounds(drafts, open_ones, once)
    clocks, ages = ClockSpans(standings, _having(drafts, found)), FullYears(standings, _having(drafts, found))
    for number in open_ones:
        claim = (drafts[number].thing, drafts[number].start, drafts[number].end)
        span = clocks.finding(*claim) or ages.finding(*claim, found.get(number))
        if span is not None:
            found[number] = span
    drafts = _having(drafts, found)
    for verdicts, way in _further_ways(standings):
        drafts = _having(drafts, dict(way(drafts, _of_verdict(drafts, *verdicts))))
    drafts = _having(drafts, _possible(drafts, once, doubted))
    for way in _last_ways(standings):
        drafts = _having(drafts, dict(way(drafts, _of_verdict(drafts, "not_found"))))
    drafts = _having(drafts, _near(drafts, _of_verdict(drafts, "not_found"), standings))
    drafts = _having(drafts, dict(changed_ends(drafts, standings.answer)))
    return repeated(drafts, standings.answer.text)


def _further_ways(standings: Standings) -> Iterator[tuple[Sequence[str], _Way]]:
    """The ways to work out what rows and columns do not give, each with the verdicts of the claims it is tried on."""
    answer, sources = standings.answer, standings.sources
    yield _DOUBTED, lambda drafts, numbers: stated_results(drafts, numbers, answer)
    yield _DOUBTED, lambda drafts, numbers: ShiftedDays(drafts, answer, sources).findings(numbers)
    yield _DOUBTED, lambda drafts, numbers: scaled_lists(drafts, numbers, answer.text, sources)
    yield _DOUBTED, lambda drafts, numbers: ReckonedTimes(drafts, answer, sources).findings(numbers)
    yield _DOUBTED, lambda drafts, numbers: dict(paces(drafts, numbers, standings))
    yield _DOUBTED, lambda drafts, numbers: dict(scores(drafts, numbers, standings))
    yield _DOUBTED, lambda drafts, numbers: dict(changed_rates(drafts, numbers, sources))
    yield ("not_found",), lambda drafts, numbers: told_again(drafts, numbers, answer.text, sources)
    yield OPEN, lambda drafts, numbers: Operands(answer.text, sources).findings(drafts, numbers)
    yield OPEN, lambda drafts, numbers: rests_of_all(drafts, numbers, answer)
    yield ("not_found", "elsewhere"), lambda drafts, numbers: _counts(drafts, numbers, standings)
    yield ("not_found", "elsewhere"), lambda drafts, numbers: sums_of_lists(drafts, numbers, answer, standings.whole)


def _last_ways(standings: Standings) -> Iterator[_Way]:
    """The ways that may work with what is possible, too."""
    answer = standings.answer
    rows = frozenset(len(one.table.parts) for source in standings.sources.texts for one in source.tables)
    yield lambda drafts, numbers: _strangers(drafts, numbers, standings)
    yield lambda drafts, numbers: years_between(drafts, numbers, answer)
    yield lambda drafts, numbers: stated_results(drafts, numbers, answer)
    yield lambda drafts, numbers: sums_of_lists(drafts, numbers, answer, standings.whole)
    yield lambda drafts, numbers: dict(sums_of_items(drafts, numbers, standings.whole))
    yield SourceLines(answer, standings.sources).findings
    yield lambda drafts, numbers: possible_results(drafts, numbers, answer, standings.sources)
    yield lambda drafts, numbers: others_counted(drafts, numbers, answer, rows)


def _in_rounds(drafts: list[Draft], open_ones: list[int], once: SaidOnce) -> dict[int, Finding]:
    """What can be worked out of some figures, and in further rounds from these."""
    conversions = Conversions(once.standings)
    found = dict(_found(drafts, open_ones, once, conversions)) if open_ones else {}
    fresh = found
    for _ in range(_MOST_ROUNDS):
        fresh = {number: finding for number, finding in fresh.items() if _may_go_on(drafts[number], finding)}
        rest = [number for number in open_ones if number not in found and drafts[number].finding.verdict != "elsewhere"]
        if not (fresh and rest):
            break
        drafts = _having(drafts, fresh)
        fresh = dict(_found(drafts, rest, once, conversions, nearby=True))
        found |= fresh
    return found


def _strangers(drafts: Sequence[Draft], numbers: Sequence[int], standings: Standings) -> Iterator[tuple[int, Finding]]:
    """Figures that stand in the sources, with none of their sentence's words."""
    for number in numbers:
        found = standings.stranger(drafts[number].finding) if drafts[number].figure is not None else None
        if found is not None:
            yield number, found


def _near(drafts: Sequence[Draft], numbers: Sequence[int], standings: Standings) -> dict[int, Finding]:
    """What was seen that claims which stand nowhere are near to."""
    sources, conversions = standings.sources, Conversions(standings)
    found: dict[int, Finding] = {}
    for number in numbers:
        thing = drafts[number].thing
        if isinstance(thing, Figure):
            found[number] = conversions.near(thing) or nearest(thing, standings.answer, sources)
        elif isinstance(thing, Day):
            found[number] = nearest_day(thing, standings.answer, sources)
    return found


def _of_verdict(drafts: Sequence[Draft], *verdicts: str) -> list[int]:
    return [number for number, draft in enumerate(drafts) if draft.finding.verdict in verdicts][:_MOST_DERIVED]


def _having(drafts: Sequence[Draft], found: Mapping[int, Finding]) -> list[Draft]:
    """The drafts, each with what was found of it by its number, or as it was."""
    return [draft.having(found.get(number, draft.finding)) for number, draft in enumerate(drafts)]


def _counts(drafts: Sequence[Draft], numbers: Sequence[int], standings: Standings) -> dict[int, Finding]:
    """Counts of the rows that lines are labelled with, then their shares."""
    counts = ValueCounts(standings)
    figures = ((number, drafts[number].figure) for number in numbers if drafts[number].kind == "number")
    fresh = ((number, counts.finding(figure)) for number, figure in figures if figure is not None)
    found = {number: finding for number, finding in fresh if finding is not None}
    rest = [number for number in numbers if number not in found]
    return found | dict(stated_results(_having(drafts, found), rest, standings.answer))


def _possible(drafts: list[Draft], once: SaidOnce, doubted: Container[int]) -> dict[int, Finding]:
    """What figures may come from that stand nowhere, or in another unit; also from those of which that was found."""
    found: dict[int, Finding] = {}
    figures = [draft.thing for draft in drafts if isinstance(draft.thing, Figure) and draft.kind == "number"]
    open_ones = [
        number for number, draft in enumerate(drafts) if draft.finding.verdict == "not_found" or number in doubted
    ][:_MOST_DERIVED]
    while open_ones:
        ways = PossibleWays(NearValues(once, _traced(drafts)), figures, drafts)
        fresh: dict[int, Finding] = {}
        for number in open_ones:
            thing = drafts[number].thing
            thing = as_span(thing, once.standings.answer.text) if isinstance(thing, Day) else thing
            if isinstance(thing, Figure) and (finding := ways.finding(thing)) is not None:
                fresh[number] = finding
        drafts = _having(drafts, fresh)
        starts = [drafts[number].start for number in fresh]
        rest = (number for number in open_ones if number not in fresh)
        open_ones = [one for one in rest if any(abs(drafts[one].start - start) < AROUND for start in starts)]
        found |= fresh
    return found


def _traced(drafts: Sequence[Draft]) -> tuple[Traced, ...]:
    """The figures that were found."""
    return tuple(
        Traced(draft.start, draft.end, draft.thing, draft.finding.spots[0], draft.kind == "date")
        for draft in drafts
        if isinstance(draft.thing, Figure) and draft.is_known
    )


def _may_go_on(draft: Draft, finding: Finding) -> bool:
    """Whether other figures may be worked out from what one was; no short one that may be so by chance."""
    figure = draft.figure
    sure = finding.verdict == "worked_out"
    return sure or (finding.verdict == "elsewhere" and figure is not None and figure.digits > 2)


def _found(
    drafts: list[Draft], numbers: list[int], once: SaidOnce, conversions: Conversions, nearby: bool = False
) -> Iterator[tuple[int, Finding]]:
    """Those of some figures that can be worked out from others (``nearby``: of their sentence), or otherwise."""
    standings, sources = once.standings, once.standings.sources
    traced = _traced(drafts)
    stated = {one.figure.value for one in traced}
    workings = Workings(once, traced, nearby)
    dates = [(one.thing, one.finding.spots[0]) for one in drafts if isinstance(one.thing, Day) and one.is_known]
    moments = cache(lambda: moments_of(dates, sources))
    for number, draft in ((number, drafts[number]) for number in numbers):
        if not isinstance(thing := draft.thing, Figure):
            continue
        stands = draft.finding.verdict == "elsewhere" or _is_strange(draft, sources)
        readings = [reading for reading in thing.readings if draft.kind == "number" or reading.unit is not None]
        readings += [in_points(reading) for reading in readings if reading.unit is BASIS_POINTS]
        in_units = thing.readings if draft.finding.verdict != "elsewhere" else ()  # 14 miles of another row
        finding = (
            next(filter(None, (conversions.converted(one, workings.chance) for one in in_units)), None)
            # No year comes from adding up what is none.
            or next(filter(None, (workings.derive(one, draft.start, draft.end, stands) for one in readings)), None)
            or of_a_month(thing, workings.derive, standings.answer, sources)
            or between_dates(thing, moments, standings.answer.text[max(0, thing.start - 40) : thing.start])
            or working_days(thing, moments, standings.answer.lower[max(0, thing.start - 60) : thing.end + 30])
            or next(filter(None, (rate_of_row(one, once) for one in readings)), None)
            or speed_of_row(thing, once)
            or listed_count(thing, standings.answer)
            or left_out(thing, standings.answer, sources)
            or factor_of_given(thing, standings.whole, stated, sources)
        )
        if finding is not None:
            yield number, finding


def _is_strange(draft: Draft, sources: Sources) -> bool:
    """Whether a short figure stands in a cell of other words than its sentence's."""
    figure = draft.figure
    if draft.kind != "number" or figure is None or figure.digits > 2:
        return False
    cells = (sources.texts[spot[0]].page.cell_at(spot[1]) for spot in draft.finding.spots[:1])
    return any(at is not None and at[1].numeric for at in cells)
