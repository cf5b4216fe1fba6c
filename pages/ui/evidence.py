"""What stands behind an answer: a line that sums up, the places, and marks where nothing does."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.events import Event, Observed
from agent.evidence import Claim, Evidence, Place
from pages.ui.escape import label, markdown

_AROUND = 60
# Two characters of the private use area stand for the marks while the text is made safe.
_OPEN, _CLOSE = "\ue000", "\ue001"
_VERDICTS = {
    "seen": (":material/check:", "seen"),
    "given": (":material/person:", "given by you"),
    "worked_out": (":material/calculate:", "worked out"),
    "differs": (":material/difference:", "differs from what was seen"),
    "not_found": (":material/help:", "not found in what was observed"),
}


def marked(answer: str, evidence: Evidence) -> str:
    """The answer as safe Markdown, with a mark at each claim that nothing stands behind."""
    text = answer.replace(_OPEN, "").replace(_CLOSE, "")
    if text != answer or not evidence.looked_up:
        return markdown(answer)
    for claim in reversed(_doubtful(evidence)):
        text = f"{text[: claim.start]}{_OPEN}{text[claim.start : claim.end]}{_CLOSE}{text[claim.end :]}"
    safe = markdown(text)
    if safe.count(_OPEN) != safe.count(_CLOSE) or "`" in safe:
        # Inside code a mark would be shown as it is written.
        return markdown(answer)
    return safe.replace(_OPEN, ":orange[").replace(_CLOSE, ":small[ (?)]]")


def draw(run: str, events: Sequence[Event], evidence: Evidence) -> None:
    """The line under an answer; opened, every claim with its verdict and the place it rests on."""
    icon = ":material/fact_check:" if not _doubtful(evidence) and evidence.looked_up else ":material/help:"
    opened = st.expander(
        label(evidence.summary, 300), icon=icon, type="compact", key=f"evidence-{run}", on_change="rerun"
    )
    with opened:
        st.empty()
        if not opened.open:
            return
        observed = {event.call_id: event.text for event in events if isinstance(event, Observed)}
        for claim in sorted(evidence.claims, key=lambda claim: claim.traced):
            _claim(claim, observed)
        st.caption("Found by rules, not by a model: it says where a figure stands, not that it is true.")


def _doubtful(evidence: Evidence) -> list[Claim]:
    return [claim for claim in evidence.claims if not claim.traced]


def _claim(claim: Claim, observed: dict[str, str]) -> None:
    icon, words = _VERDICTS[claim.verdict]
    note = f" · {label(claim.note, 200)}" if claim.note else ""
    st.markdown(f"{icon} **{label(claim.text, 80)}** {words}{note}")
    for place in claim.places[:2]:
        where = _where(place, observed)
        if where:
            st.caption(where)


def _where(place: Place, observed: dict[str, str]) -> str:
    text = observed.get(place.call_id)
    if text is None:
        return "In the question" if place.call_id == "question" else "In an earlier answer"
    before = label(text[max(0, place.start - _AROUND) : place.start], _AROUND)
    after = label(text[place.end : place.end + _AROUND], _AROUND)
    return f"Step {place.step}: …{before} **{label(text[place.start : place.end])}** {after}…"
