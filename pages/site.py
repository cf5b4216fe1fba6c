"""The site, for its owner alone: what is at work, caps, who uses how much, errors, processes, versions."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.card_shelf import Score
from agent.application.site.overview import Cap, OpenRun, Overview, RunState, Who
from agent.application.teams.card_office import card_office
from agent.events import FailedReason
from agent.interface_text import Text
from pages.ui.choices import card_table
from pages.ui.frame import frame
from pages.ui.session import people, state
from pages.ui.teams import preset_keeping
from pages.ui.text.escape import column_names, label, table_cell
from pages.ui.text.words import moment, say, told
from pages.ui.widgets import browser, figures
from pages.ui.widgets.buttons import button

_STATES: dict[RunState, Text] = {
    "working": Text("At work"),
    "queued": Text("In the queue"),
    "waiting": Text("Waits for the person"),
}
_REASONS: dict[FailedReason, Text] = {
    "model": Text("The model’s server"),
    "limit": Text("A limit was reached"),
    "budget": Text("Budget reached"),
    "cancelled": Text("Stopped"),
    "interrupted": Text("The server was stopped"),
    "error": Text("An error here"),
}
_NO_BREAK_SPACE = "\u00a0"
_KINDS = {"web": Text("Web"), "worker": Text("Worker")}


def main() -> None:
    frame.open_page("Site")
    browser.attend(False)
    frame.way_back()
    office = people.office()
    if office is None:
        st.header(say("This page is for the owner of this site"), anchor=False)
        st.write(say("If it is yours, sign in with an address that GLASSBOX_OWNERS names."))
        return
    seen = office.look()
    with st.container(horizontal=True, vertical_alignment="center", key="site-head"):
        st.header(say("Site"), anchor=False, width="stretch")
        st.button(say("Refresh"), key="site-refresh", icon=":material/refresh:", type="tertiary")
    st.caption(say("What people write and read is not shown here."))
    _figures(seen)
    _runs(seen)
    _caps(seen)
    _visitors(seen)
    _errors(seen)
    _processes(seen)
    preset_keeping.draw()
    _cards()


def _figures(seen: Overview) -> None:
    with st.container(horizontal=True, gap="large", key="site-figures"):
        for name, title in _STATES.items():
            figures.figure(title, f"{seen.counts[name]:,}")
        figures.figure(Text("Processes"), f"{len(seen.processes):,}")
        figures.figure(Text("On the site’s key today"), f"${figures.dollars(seen.used.money)}")


def _runs(seen: Overview) -> None:
    st.subheader(say("Questions at work"), anchor=False)
    if not seen.runs:
        st.caption(say("Nothing is at work, and nothing waits."))
    with st.container(gap="xsmall", key="site-runs"):
        for run in seen.runs:
            _run(run)
    _left_out(seen.runs_left_out)


def _run(run: OpenRun) -> None:
    key = f"site-run-{run.run}"
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", border=True, key=key):
        st.markdown(f"**{_name(run.who)}** · {told(_STATES[run.state])} · {_span(run.seconds)}", width="stretch")
        button(Text("Stop"), f"site-stop-{run.run}", "stop_circle", _stop, run.run)


def _stop(run: str) -> None:
    office = people.office()
    if office:
        office.stop(run)


def _caps(seen: Overview) -> None:
    st.subheader(say("Caps of today"), anchor=False)
    for cap in seen.caps:
        st.progress(min(1.0, cap.used / cap.most), text=_cap(cap))
    if seen.caps:
        st.caption(say("For all visitors together, on the site’s key, until midnight UTC."))
    else:
        st.caption(say("None is set: see GLASSBOX_DAY_MESSAGES and GLASSBOX_DAY_MONEY in the settings."))


def _cap(cap: Cap) -> str:
    if cap.kind == "messages":
        return say("{used:,} of {most:,} messages", used=int(cap.used), most=int(cap.most))
    return say("{used} of {most} USD", used=figures.dollars(cap.used, cap.most), most=figures.dollars(cap.most))


def _visitors(seen: Overview) -> None:
    st.subheader(say("Who used how much today"), anchor=False)
    if not seen.visitors:
        st.caption(say("Nobody has asked anything today (UTC)."))
        return
    rows = [
        (_name(use.who), f"{use.questions:,}", f"{use.tokens:,}", f"${use.paid.money:.4f}") for use in seen.visitors
    ]
    _table((Text("Visitor"), Text("Questions"), Text("Tokens"), Text("Cost")), rows, "visitors")
    st.caption(say("Cost is what the site’s key paid; other keys and the demo model cost the site nothing."))
    _left_out(seen.visitors_left_out)


def _errors(seen: Overview) -> None:
    st.subheader(say("Errors of the last seven days"), anchor=False)
    if not seen.errors:
        st.caption(say("There were none."))
        return
    rows = [
        (moment(error.when), _name(error.who), told(_REASONS[error.reason]), error.reference or "–")
        for error in seen.errors
    ]
    _table((Text("When"), Text("Visitor"), Text("What failed"), Text("Reference")), rows, "errors")
    st.caption(say("The log has more about an error under its reference."))


def _processes(seen: Overview) -> None:
    st.subheader(say("Processes"), anchor=False)
    rows = [
        (told(_KINDS.get(up.kind, up.kind)), table_cell(up.host, 60), f"{up.at_work:,}", moment(up.began),
         table_cell(up.version, 60))
        for up in seen.processes
    ]  # fmt: skip
    _table((Text("Kind"), Text("Machine"), Text("At work"), Text("Since"), Text("Version")), rows, "processes")
    st.caption(" · ".join(f"{label(told(name))} {label(number)}" for name, number in seen.versions))


def _table(titles: tuple[str, ...], rows: list[tuple[str, ...]], key: str) -> None:
    columns = dict(zip(column_names(map(told, titles)), map(list, zip(*rows, strict=True)), strict=True))
    with st.container(key=f"site-{key}"):
        st.table(columns, hide_index=True, border="horizontal")


def _left_out(count: int) -> None:
    if count:
        st.caption(say("and {n:,} more", "and {n:,} more", n=count))


def _name(who: Who) -> str:
    return table_cell(who.called, 60) if who.called else say("Visitor {short}", short=who.short)


def _span(seconds: float) -> str:
    """How long, in the largest unit of which there is a whole one; on one line."""
    if seconds < 60:
        told_span = say("{n} s", n=int(seconds))
    else:
        told_span = say("{n} min", n=int(seconds / 60)) if seconds < 3600 else say("{n} h", n=int(seconds / 3600))
    return told_span.replace(" ", _NO_BREAK_SPACE)


def _cards() -> None:
    """The cards of models that everybody is shown, each taken back by a click."""
    office = card_office(state.services(), people.person())
    if office is None:
        return
    st.subheader(say("Cards of models for all"), anchor=False)
    given = office.all()
    if not given:
        st.caption(say("There is none yet. Open a card on the page Tests, and give it to everybody."))
    for place, each in enumerate(given):
        with st.container(horizontal=True, vertical_alignment="center", key=f"site-card-{place}"):
            score = Score("site", each.passed, each.runs, each.measured, each.app)
            st.markdown(f"**{label(each.model, 60)}**{card_table.beside(score)}", width="stretch")
            card_table.take_back_button(each.model, f"site-{place}")


frame.page(main)
