"""The check itself: events → claims with verdicts. A pure function, in time linear in the texts; it never raises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.events import Event
from agent.evidence.contradictions import contradictions
from agent.evidence.derivation.steps.column_units import with_units_of_columns
from agent.evidence.derivation.worked.own_series import OwnSeries
from agent.evidence.deriving import derived
from agent.evidence.direction import turned_ends
from agent.evidence.drafts import OPEN, Draft, as_span
from agent.evidence.gathering import Gathered, gather
from agent.evidence.item_numbers import item_numbers, ranks
from agent.evidence.lookup.calls_told import as_calls_tell, name_as_calls_tell
from agent.evidence.lookup.column_ends import column_ends
from agent.evidence.lookup.context import Answer, answer_of
from agent.evidence.lookup.days import kind_of, look_up_day
from agent.evidence.lookup.links import look_up_link
from agent.evidence.lookup.long_numbers import long_numbers
from agent.evidence.lookup.names import NameIndex
from agent.evidence.lookup.numbers import look_up, look_up_all
from agent.evidence.lookup.scripts import Scripts
from agent.evidence.lookup.standing import Standings
from agent.evidence.lookup.swaps import Stated, swapped
from agent.evidence.masking import is_assumed, is_constant, is_in_word, is_month, links_in, masked
from agent.evidence.mentions import Mention, codes_in, is_covered, names_in, quotes_in
from agent.evidence.pages import Pages
from agent.evidence.sources import Finding, Sources
from agent.evidence.verdicts import Claim, Earlier, Evidence
from agent.interface_text import Text
from agent.text.characters import lowered
from agent.text.quantities.day_mentions import Day, dates_in
from agent.text.quantities.figures import Figure, figures_in, is_claim
from agent.text.quantities.number_words import as_float
from agent.text.quantities.scanning import plain, scan

_MOST_LOOKS = 3_000  # places looked at for all figures together
_MANY = 150  # different names and quotes

_SENTENCE = 4  # words of a quote that says a sentence

_OTHERS = (is_constant, is_in_word, is_assumed, is_month)  # than claims


def check(events: Sequence[Event], earlier: Sequence[Earlier] = (), pages: Pages | None = None) -> Evidence:
    """What stands behind each claim of the run's answer (of a failed run: of its partial answer).

    ``earlier`` are the turns before this one, the first one first; what ``pages`` have read of their texts is not read
    again. Offsets are characters of the answer's and of the observations' texts as the events have them.
    """
    pages = pages or Pages()
    gathered = gather(events, earlier, pages)
    if not gathered.answer:
        return Evidence((), gathered.looked_up, gathered.failed, gathered.tried)
    text = plain(gathered.answer)
    links = links_in(text)
    bare = masked(text, links)
    answer = answer_of(bare, lowered(bare), lowered(plain(gathered.question)))
    codes = codes_in(bare)
    drafts = _figures(answer, codes, gathered)
    days = tuple([draft.thing for draft in drafts if isinstance(draft.thing, Day)])
    standings = Standings(answer, text, lowered(plain(gathered.question)), gathered.sources, days)
    drafts = [one.having(standings.settle(one.finding, one.start, one.end, one.figure)) for one in drafts]
    drafts = column_ends(drafts, answer, gathered.sources)
    series = OwnSeries(standings, drafts).findings()
    doubted = {number for number, one in enumerate(drafts) if one.finding.verdict == "differs" and number not in series}
    drafts = [draft.having(series.get(number, draft.finding)) for number, draft in enumerate(drafts)]
    drafts = derived(drafts, standings, doubted)
    series = OwnSeries(standings, drafts).from_own()
    drafts = [draft.having(series.get(number, draft.finding)) for number, draft in enumerate(drafts)]
    drafts = _unswapped(drafts, answer, gathered.sources)
    drafts = _with_quotes(drafts, _mentions(bare, codes, drafts, gathered.sources))
    drafts += [Draft(link.start, link.end, "link", link, look_up_link(link.url, gathered.sources)) for link in links]
    drafts += long_numbers(bare, gathered.sources)
    drafts.sort(key=lambda draft: (draft.start, draft.end))
    claims = tuple(_claim(draft, gathered) for draft in drafts)
    # An answer may rest on what was looked up in a turn before.
    looked_up = gathered.looked_up or any(_on_a_result(draft, gathered.sources) for draft in drafts)
    before = contradictions(gathered.question, gathered.answer, claims, earlier, pages) if earlier else ()
    return Evidence(claims, looked_up, gathered.failed, gathered.tried or looked_up, before)


def _on_a_result(draft: Draft, sources: Sources) -> bool:
    """Whether a claim was seen in, or worked out from, what a tool gave."""
    traced = draft.finding.verdict in ("seen", "worked_out")
    return traced and any(sources.texts[spot[0]].origin == "seen" for spot in draft.finding.spots)


def _figures(answer: Answer, codes: Sequence[Mention], gathered: Gathered) -> list[Draft]:
    """Numbers and dates, looked up in all sources."""
    text, lower, sources = answer.text, answer.lower, gathered.sources
    scanned = scan(text)
    days = dates_in(text, lower, scanned)
    figures = [figure for figure in figures_in(text, lower, scanned, days, scanned.continental) if is_claim(figure)]
    taken = {start for code in codes if code.kind == "number" for start in range(code.start, code.end)}
    taken |= item_numbers(text)
    figures = [one for one in figures if one.number[0] not in taken and not any(other(one, text) for other in _OTHERS)]
    figures = with_units_of_columns(figures, sources)
    most = max(4, min(48, _MOST_LOOKS // max(1, len(figures) + len(days))))
    drafts = [
        Draft(figure.start, figure.end, kind_of(figure, text), *found)
        for figure, found in zip(figures, look_up_all(figures, answer, sources, most), strict=True)
    ]
    drafts += [_day_draft(day, answer, sources, most) for day in days]
    drafts.sort(key=lambda draft: draft.start)
    rows = ranks(plain(gathered.answer))
    drafts = [draft for draft in drafts if draft.start not in rows or draft.finding.verdict in ("seen", "differs")]
    return [draft.having(as_calls_tell(draft, text, sources, gathered.failed_texts)) for draft in drafts]


def _day_draft(day: Day, answer: Answer, sources: Sources, most: int) -> Draft:
    """A date or time looked up; a time that stands nowhere may be a span: "2:05" of 125 minutes."""
    finding = look_up_day(day, answer, sources, most)
    if finding.verdict == "not_found" and (span := as_span(day, answer.text)) is not None:
        found = look_up(span, answer, sources, most)[1]
        finding = found if found.verdict in ("seen", "given") else finding
    return Draft(day.start, day.end, "date", day, finding)


def _unswapped(drafts: list[Draft], answer: Answer, sources: Sources) -> list[Draft]:
    """Figures that stand in the sources with each other's subject, and ends of a turned change, become ``differs``."""
    seen = [
        number
        for number, draft in enumerate(drafts)
        if draft.finding.verdict == "seen" and draft.finding.spots and not _keeps_place(draft, sources)
    ]
    stated = [_stated(drafts[number]) for number in seen]
    settled = list(drafts)
    for one, other in swapped(answer, sources, stated).items():
        number, taken = seen[one], stated[other]
        index, start, end = taken.finding.spots[0]
        note = Text("Seen here: {text}; the two may have changed places", text=sources.texts[index].text[start:end])
        settled[number] = drafts[number]._replace(finding=Finding("differs", (taken.finding.spots[0],), note))
    known = [
        (number, one.thing)
        for number, one in enumerate(drafts)
        if isinstance(one.thing, Figure) and one.kind == "number"
    ]
    ends = [(one.start, one.end, as_float(-one.value if one.negative else one.value)) for _, one in known]
    for index in turned_ends(answer.lower, ends):
        number = known[index][0]
        steps = " → ".join(answer.text[start:end] for start, end, _ in ends[index - 1 : index + 1])
        note = Text("It goes the other way: {steps}", steps=steps)
        settled[number] = drafts[number]._replace(finding=replace(drafts[number].finding, verdict="differs", note=note))
    return settled


def _keeps_place(draft: Draft, sources: Sources) -> bool:
    """Whether a figure's subject has been compared already: by row and column, or as the name before "II"."""
    number, start, end = draft.finding.spots[0]
    page = sources.texts[number].page
    return page.cell_at(start) is not None or (page.text[start].isupper() and page.text[end - 1] in "IVX")


def _stated(draft: Draft) -> Stated:
    """A traced figure with its group: values of one unit can change places, and so can dates."""
    thing = draft.thing
    if isinstance(thing, Figure):
        group = f"{draft.kind} {thing.unit.name if thing.unit is not None else ''}"
        noun = thing.noun if len(thing.noun) > 3 else ""
        return Stated(draft.start, draft.end, group, draft.finding, noun, thing.edges[1])
    group = "time" if isinstance(thing, Day) and thing.minute is not None else "date"
    return Stated(draft.start, draft.end, group, draft.finding)


def _mentions(bare: str, codes: Sequence[Mention], drafts: list[Draft], sources: Sources) -> list[Draft]:
    """Quotes, and the names outside of quotes and dates that are in letters that were observed."""
    scripts = Scripts(sources)
    quotes = quotes_in(bare)
    taken = sorted([(draft.start, draft.end) for draft in drafts] + [(quote.start, quote.end) for quote in quotes])
    names = [name for name in (*names_in(bare, sources), *codes) if not is_covered(taken, name)]
    index = NameIndex(sources, len({mention.text for mention in (*quotes, *names)}) > _MANY)
    known: dict[tuple[str, str], Finding] = {}
    found: list[Draft] = []
    for mention in (*quotes, *names):
        if (key := (mention.text, mention.number)) not in known:
            known[key] = name_as_calls_tell(mention.text, index.look_up(mention), sources)
        if mention.kind == "name" and known[key].verdict == "not_found" and not scripts.has(mention.text):
            continue
        found.append(Draft(mention.start, mention.end, mention.kind, mention, known[key]))
    return found


def _with_quotes(drafts: Sequence[Draft], mentions: Sequence[Draft]) -> list[Draft]:
    """Both, the figures and dates inside of quotes that stand word for word in a source with the places of these."""
    quotes = [one for one in mentions if one.kind == "quote" and one.finding.verdict in ("seen", "given")]
    several = [one for one in quotes if isinstance(one.thing, Mention) and len(one.thing.text.split()) >= _SENTENCE]
    settled = list(drafts)
    for number, draft in enumerate(drafts) if several else ():
        quote = next((one for one in several if one.start <= draft.start < one.end), None)
        if quote is not None and draft.finding.verdict in OPEN:
            settled[number] = draft.having(quote.finding)
    return [*settled, *mentions]


def _claim(draft: Draft, gathered: Gathered) -> Claim:
    """The finished claim; one that rests on an earlier answer has that answer's verdict."""
    text = gathered.answer[draft.start : draft.end]
    finding, sources = draft.finding, gathered.sources
    places = finding.places(sources, draft.kind == "number")
    claim = Claim(draft.start, draft.end, text, draft.kind, finding.verdict, places, finding.note)
    if finding.verdict == "seen" and finding.spots and sources.texts[finding.spots[0][0]].origin == "earlier":
        index, start, end = finding.spots[0]
        for old in sources.texts[index].claims:
            if old.start < end and start < old.end:
                return replace(claim, verdict=old.verdict, note=old.note or Text("As in an earlier answer."))
        return replace(claim, verdict="not_found", note=Text("Only an earlier answer says so."))
    return claim
