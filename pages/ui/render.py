"""From view values to widgets: one drawing of a turn, for a run as it happens and for one that has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from agent.events import Artifact
from agent.view import CallView, RunView, StepView
from pages.ui.escape import label, markdown, plain

ReadArtifact = Callable[[str], bytes | None]
_ICONS = {"search": ":material/search:", "calculator": ":material/calculate:"}
_VERBS = {"search": ("Searching", "Searched"), "calculator": ("Calculating", "Calculated")}
_SHORT_RESULT = 24
LOGO = "static/logo.svg"
_OTHER_ICON = ":material/build:"
_THOUGHT_ICON = ":material/psychology:"
_ERROR_ICON = ":material/error:"


def question(view: RunView) -> None:
    with st.chat_message("user"):
        st.markdown(plain(view.question))


def assistant() -> Any:
    """The container of an answer and its steps."""
    return st.chat_message("assistant", avatar=LOGO)


def ended(run: str, view: RunView, read: ReadArtifact) -> None:
    """An ended turn, inside its chat message. A closed step costs a line; its body is drawn when it is opened."""
    for step in _worth_showing(view):
        key = f"step-{run}-{step.number}"
        with st.expander(_title(step), icon=_icon(step), type="step", key=key, on_change="rerun") as opened:
            # A step without anything in it cannot be opened.
            st.empty()
            if opened.open:
                _body(step)
                for call in step.calls:
                    _artifacts(f"{run}-{step.number}-{call.call_id}", call, read)
    if view.answer:
        st.markdown(markdown(view.answer))
    if view.failure:
        _failure(view)
    st.caption(_summary(view))


@dataclass
class Live:
    """A turn as it happens, inside its chat message: what has not changed is not drawn again."""

    understood: Any = field(default_factory=st.empty)
    steps: Any = field(default_factory=st.container)
    answer: Any = field(default_factory=st.empty)
    waiting: Any = field(default_factory=st.empty)
    drawn: list[tuple[StepView, Any, Any]] = field(default_factory=list)
    last: RunView | None = None

    def draw(self, view: RunView, place: int) -> None:
        if view.understood and (self.last is None or not self.last.understood):
            with self.understood.container():
                understood(view)
        for index, step in enumerate(_worth_showing(view)):
            self._draw_step(index, step)
        if view.answer and (self.last is None or view.answer != self.last.answer):
            self.answer.markdown(markdown(view.answer))
        self.waiting.caption(_doing(view, place))
        self.last = view

    def _draw_step(self, index: int, step: StepView) -> None:
        if index == len(self.drawn):
            with self.steps:
                status = st.status(_title(step), expanded=True, type="step")
            self.drawn.append((StepView(0), status, status.empty()))
        before, status, slot = self.drawn[index]
        if step == before:
            return
        with slot.container():
            _body(step)
        state = {"done": "complete", "failed": "error"}.get(step.state, "running")
        status.update(label=_title(step), state=state, expanded=state == "running")
        self.drawn[index] = (step, status, slot)


def understood(view: RunView) -> None:
    if view.understood:
        st.caption(f"Understood as: {label(view.understood, 500)}")
    if view.merge_error:
        st.caption(f"Taken as typed: it could not be merged with the conversation. {label(view.merge_error, 300)}")


def _worth_showing(view: RunView) -> list[StepView]:
    """Steps that did or thought something; the reply that only answers is the answer itself."""
    return [step for step in view.steps if step.thought or step.calls or step.told or step.notes or step.unfinished]


def _title(step: StepView) -> str:
    """What was done and what came of it, on one line."""
    if not step.calls:
        return "Thinking…" if step.state == "thinking" else label(step.thought or "Thought")
    call = step.calls[0]
    more = f" and {len(step.calls) - 1} more" if len(step.calls) > 1 else ""
    doing, done = _VERBS.get(call.tool, (f"Using {label(call.tool, 40)}:", f"Used {label(call.tool, 40)}:"))
    about = label(call.argument, 70)
    if call.observation is None:
        return f"{doing} {about}{more}"
    return f"{done} {about}{_result(call)}{more}"


def _result(call: CallView) -> str:
    if call.error:
        return " · failed"
    if call.sources:
        return f" · {len(call.sources)} source{'s' if len(call.sources) > 1 else ''}"
    result = call.observation or ""
    return f" → {label(result)}" if 0 < len(result) <= _SHORT_RESULT and "\n" not in result else ""


def _icon(step: StepView) -> str:
    if step.state == "failed":
        return _ERROR_ICON
    return _ICONS.get(step.calls[0].tool, _OTHER_ICON) if step.calls else _THOUGHT_ICON


def _body(step: StepView) -> None:
    if step.thought:
        st.markdown(f"**Thought** {markdown(step.thought)}")
    for call in step.calls:
        _call(call)
    for _, text in step.told:
        st.caption("Told to the model")
        st.text(text)
    for note in (*step.notes, *step.repairs, *(repair for call in step.calls for repair in call.repairs)):
        st.caption(label(note, 400))
    if step.dropped:
        st.caption("An answer in the same reply was dropped, because the call goes first:")
        st.code(step.dropped, language=None, wrap_lines=True)
    if step.cut.strip():
        st.caption("Cut off, because the model went on to write what only a tool may say:")
        st.code(step.cut.strip(), language=None, wrap_lines=True)
    if step.unfinished:
        st.caption("This reply was not finished.")


def _call(call: CallView) -> None:
    st.markdown(f"**Action** {label(call.tool)}")
    st.code(call.input or "(nothing)", language=None, wrap_lines=True)
    if call.observation is None:
        return
    st.markdown("**Observation** (failed)" if call.error else "**Observation**")
    st.code(call.observation or "(nothing)", language=None, wrap_lines=True)
    for source in call.sources:
        host = source.url.split("/")[2] if source.url.count("/") > 1 else ""
        st.markdown(f"{source.number}\\. [{label(source.title or source.url)}](<{source.url}>) {label(host)}")
    if call.cached:
        st.caption("From this conversation's earlier searches.")


def _artifacts(key: str, call: CallView, read: ReadArtifact) -> None:
    for artifact in call.artifacts:
        if st.toggle(f"Show {label(artifact.name)}", key=f"{key}-{artifact.hash[:8]}"):
            _artifact(artifact, read(artifact.hash))


def _artifact(artifact: Artifact, content: bytes | None) -> None:
    if content is None:
        st.caption("It is no longer kept.")
    elif artifact.kind == "json":
        st.json(content.decode("utf-8", "replace"), expanded=1)
    else:
        st.code(content.decode("utf-8", "replace"), language=None, wrap_lines=True)


def _failure(view: RunView) -> None:
    icon = ":material/stop_circle:" if view.reason == "cancelled" else ":material/error:"
    st.markdown(f"{icon} {label(view.failure, 600)}")


def _doing(view: RunView, place: int) -> str:
    if place:
        return f"Waiting for a free place: number {place} in the queue."
    if view.answer:
        return "Answering…"
    calling = [call.tool for step in view.steps[-1:] for call in step.calls if call.observation is None]
    return f"Using {label(', '.join(calling))}…" if calling else "Thinking…"


def _summary(view: RunView) -> str:
    steps = sum(len(step.calls) for step in view.steps)
    about = "about " if view.usage.estimated else ""
    calls = {0: "No tool used", 1: "1 tool call"}.get(steps, f"{steps} tool calls")
    used = f"{calls} · {view.seconds:.1f} s · {about}{view.usage.total:,} tokens"
    return f"{used} · {label(view.model, 60)}" if view.model else used
