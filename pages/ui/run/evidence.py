"""What stands behind an answer: a mark at each figure, a line that sums up, and the places, to be looked at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.application.readership import Readership
from agent.application.setup import DEMO
from agent.events import Event
from agent.evidence import Claim, Contradiction, Earlier, Evidence, Place, earlier_turn
from agent.evidence.marks import Behind, Mark, behind, end_of_link, excerpt, headline, is_earlier, marks
from agent.interface_text import Text
from agent.store.runs import RunRow
from pages.ui.run.seen_text import seen_text
from pages.ui.session import asking, reading, state
from pages.ui.text.escape import JOINER, Marking, highlighted, label, markdown, one_line
from pages.ui.text.escape import marked as with_links
from pages.ui.text.words import say, titled_dialog, told

# In a hint, what stands between two of these (they are not seen) is the value.
_VALUE = "\u2063"
_MOST_ROWS = 100
_AFTER = "checked-after-"  # and a run: after how many turns its answer, as it is drawn, was checked
_MOST_REMARKS = 3
_ICONS = {
    "seen": ":material/check:",
    "given": ":material/person:",
    "worked_out": ":material/calculate:",
    "possible": ":material/function:",
    "elsewhere": ":material/arrow_split:",
    "differs": ":material/difference:",
    "not_found": ":material/help:",
}
_NOWHERE = Text(
    "It stands in no observation of this answer, in no question and in no earlier answer, and does not "
    "follow from what stands there by one step of arithmetic."
)
_BY_RULES = Text("Found by rules, not by a model: it says where a figure stands, not that it is true.")


def marked(run: str, answer: str, events: Sequence[Event], evidence: Evidence, earlier: Sequence[Earlier]) -> str:
    """The answer as safe Markdown, with a mark at each claim: a link that ``marks.js`` makes a button of.

    What the person gave needs none.
    """
    state.put(f"{_AFTER}{run}", len(earlier))
    shown = [mark for mark in marks(evidence) if evidence.claims[mark.number].verdict != "given"]
    if not shown:
        return markdown(answer)
    texts = behind(events, earlier)
    return with_links(answer, [_marking(run, answer, mark, evidence.claims[mark.number], texts) for mark in shown])


def _marking(run: str, answer: str, mark: Mark, claim: Claim, texts: Behind) -> Marking:
    target, title = _target(run, mark.number, mark.step, claim), _hint(claim, texts)
    if claim.kind == "link":
        return Marking(mark.start, end_of_link(answer, claim), target, title, behind=True)
    return Marking(mark.start, mark.end, target, title)


def _target(run: str, number: int, step: int, claim: Claim) -> str:
    return f"{claim.verdict}-{step}-{run}-{number}"


def _hint(claim: Claim, texts: Behind) -> str:
    """Lines for the card that is shown while the pointer is on a mark."""
    lines = [told(headline(claim, texts)), told(claim.note)]
    for place in claim.places[:1]:
        found = excerpt(claim, place, texts)
        if found:
            before, value, after = (part.replace(_VALUE, "") for part in (found.before, found.value, found.after))
            lines.append(f"{before}{_VALUE}{value}{_VALUE}{after}")
    return "\n".join(" ".join(line.split()) for line in lines if line)


def draw(run: str, events: Sequence[Event], evidence: Evidence, earlier: Sequence[Earlier]) -> None:
    """The line under an answer; opened, every claim with its verdict, each a way to the place it rests on."""
    doubtful = any(claim.doubtful for claim in evidence.claims)
    icon = ":material/fact_check:" if evidence.looked_up and not doubtful else ":material/help:"
    opened = st.expander(
        label(told(evidence.summary), 300), icon=icon, type="compact", key=f"evidence-{run}", on_change="rerun"
    )
    with opened:
        st.empty()
        if not opened.open:
            return
        texts = behind(events, earlier)
        rows = sorted(enumerate(evidence.claims), key=lambda row: (not row[1].doubtful, row[1].traced))
        with st.container(key=f"claims-{run}"):
            st.markdown("\n".join(_row(run, number, claim, texts) for number, claim in rows[:_MOST_ROWS]))
        if len(rows) > _MOST_ROWS:
            st.caption(say("And {count:,} more.", count=len(rows) - _MOST_ROWS))
        st.caption(told(_BY_RULES))
        if reading.token():
            return
        every = state.choice().marks
        st.button(
            say("Mark doubts alone") if every else say("Mark every figure"),
            key=f"marks-{run}",
            icon=":material/format_underlined:",
            type="tertiary",
            on_click=state.choose,
            kwargs={"marks": not every},
        )


def remarks(run: str, evidence: Evidence) -> None:
    """What the answer says otherwise than an earlier one: a line for each, that opens the figure and its place."""
    lines: dict[tuple[str, str], str] = {}
    for one in evidence.contradictions:
        target = _target(run, one.claim, 0, evidence.claims[one.claim])
        lines.setdefault((one.said, one.now), f"[{label(told(one.text), 300)}](#row-{target})")
    if not lines:
        return
    with st.container(key=f"remarks-{run}", gap="small"):
        for line in list(lines.values())[:_MOST_REMARKS]:
            st.caption(f":material/history: {line}")
        if len(lines) > _MOST_REMARKS:
            st.caption(say("And {count:,} more.", count=len(lines) - _MOST_REMARKS))


def _row(run: str, number: int, claim: Claim, texts: Behind) -> str:
    name = label(claim.text, 80) or say("(nothing)")
    said = label(told(headline(claim, texts)))
    row = f"- {_ICONS[claim.verdict]} [{name}](#row-{_target(run, number, 0, claim)}) · {said}"
    note = f" · {label(told(claim.note), 200)}" if claim.note else ""
    found = excerpt(claim, claim.places[0], texts) if claim.places else None
    if not found:
        return row + note
    before, after = " " * found.before.endswith(" "), " " * found.after.startswith(" ")
    value = f"{before}**{JOINER}{label(found.value)}{JOINER}**{after}"
    return f"{row}{note}  \n  :small[:gray[{label(found.before)}{value}{label(found.after)}]]"


@titled_dialog("What stands behind it", width="medium", icon=":material/fact_check:", on_dismiss=state.close_dialog)
def dialog() -> None:
    run, _, number = state.dialog_about().rpartition("-")
    reader = reading.reader()
    row = reader.run(run)
    events = reader.events(row) if row else []
    earlier = _checked_before(reader, row, state.widget(f"{_AFTER}{run}") or 0) if row else []
    known = reader.evidence(row, earlier) if row and events else Evidence()
    if not row or not number.isdecimal() or len(number) > 6 or int(number) >= len(known.claims):
        st.write(say("This answer is not kept any more."))
        return
    claim, texts = known.claims[int(number)], behind(events, earlier)
    _verdict(claim, texts)
    for one in known.contradictions:
        if one.claim == int(number) and len(before := _before(reader, row, one.back)) == one.back:
            _contradiction(one, *before[0])
    _places(claim, texts)
    st.caption(told(_BY_RULES))
    here = state.page() == state.CHAT and state.conversation_id() == row.conversation
    if here and claim.doubtful and state.choice().endpoint != DEMO:
        _ask_back(claim)


def _ask_back(claim: Claim) -> None:
    """The way out of a doubt: the model is asked for the source, or for the sum that a tool can do again."""
    if st.button(say("Ask where it comes from"), icon=":material/contact_support:"):
        state.close_dialog()
        asking.ask(
            say(
                "Where does “{figure}” in your answer come from? Look it up, or work it out with a tool.",
                figure=one_line(claim.text, 80),
            )
        )
        st.rerun()


def _before(reader: Readership, row: RunRow, most: int) -> list[tuple[RunRow, list[Event]]]:
    """The last ``most`` runs before one that can be read, the first one first."""
    found: list[tuple[RunRow, list[Event]]] = []
    other = reader.run(row.follows) if row.follows else None
    while other and len(found) < most:
        if events := reader.readable(other):
            found.append((other, events))
        other = reader.run(other.follows) if other.follows else None
    return found[::-1]


def _checked_before(reader: Readership, row: RunRow, most: int) -> list[Earlier]:
    """The same as turns, checked as the page checks them."""
    turns: list[Earlier] = []
    for other, events in _before(reader, row, most):
        turns.append(earlier_turn(events, reader.evidence(other, turns).claims))
    return turns


def _contradiction(one: Contradiction, row: RunRow, events: Sequence[Event]) -> None:
    """What an earlier answer says instead, with the question that it answered, and the way to that."""
    turn = earlier_turn(events)
    st.markdown(f":material/history: {label(told(one.text), 400)}")
    name = say("The answer to: {question}", question=one_line(turn.question, 120))
    st.caption(label(name))
    region = f'tabindex="0" role="region" aria-label="{highlighted(name, ())}" dir="auto"'
    text = highlighted(turn.answer, [(one.start, one.end)])
    st.html(f'<pre class="glassbox-observation" {region}>{text}</pre>')
    there = reading.address(r=row.id)
    st.page_link("pages/run.py", label=say("Open that question"), icon=":material/timeline:", query_params=there)


def _verdict(claim: Claim, texts: Behind) -> None:
    said = label(told(headline(claim, texts)))
    st.markdown(f"{_ICONS[claim.verdict]} **{JOINER}{label(claim.text, 300)}{JOINER}** · {said}")
    if claim.note:
        st.markdown(label(told(claim.note), 400))
    if claim.verdict == "not_found":
        looked = dict.fromkeys(tool for tool, _ in texts.observations.values() if tool)
        st.markdown(
            told(_NOWHERE)
            + (f" {say('Looked through: what came from {tools}.', tools=label(', '.join(looked)))}" if looked else "")
        )


def _places(claim: Claim, texts: Behind) -> None:
    """Each text that the claim rests on, once, with all its places in it."""
    shown: dict[str, tuple[str, list[tuple[int, int]]]] = {}
    for place in claim.places:
        text, start, end = texts.spot(claim, place)
        if text:
            _, places = shown.setdefault(text, (_name(place, texts), []))
            if start < end and all(end <= left or right <= start for left, right in places):
                places.append((start, end))
    for text, (name, places) in shown.items():
        st.caption(label(name))
        # A name in an attribute is escaped as a text without places is.
        region = f'tabindex="0" role="region" aria-label="{highlighted(name, ())}" dir="auto"'
        st.html(seen_text(text, places, region))
    if not shown and any(is_earlier(place) for place in claim.places):
        st.caption(say("It was said in an earlier turn of this chat."))


def _name(place: Place, texts: Behind) -> str:
    if is_earlier(place):
        return say("Earlier in this chat")
    if not texts.tool(place):
        return say("The question")
    return f"{say('Observation of step {step}', step=place.step)} · {told(texts.tool(place))}"
