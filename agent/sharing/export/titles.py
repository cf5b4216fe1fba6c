"""Words of an export that people read: titles of steps, headings, summaries, verdicts, and templates that say them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from agent.events import Source
from agent.messages import Money
from agent.text.characters import one_line
from agent.text.regex import regex
from agent.tools.catalogue import built_in
from agent.views.decisions import arguments, sentence
from agent.views.fold import CallView, RunView, StepView
from agent.views.gauge import cut_short

# An address that a browser takes as a reader does: no user name, no backslash, a host of plain characters.
_WEB = regex(r"https?://((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:.]+\])\.?(:\d{1,5})?([/?#][^\s<>\"'`\\]*)?", re.I)
_MOST_ADDRESS = 4000
_DONE = {"search": "Searched", "calculator": "Calculated"}
_SHORT_RESULT = 24
_VERDICTS = {1: "The reader found this good", 0: "The reader found this not good"}


def host(url: str) -> str:
    """The host of a web address as a browser reads it; "" where it is none that can safely be a link."""
    found = _WEB.fullmatch(url) if len(url) <= _MOST_ADDRESS else None
    return found[1].lower() + (found[2] or "") if found else ""


def moment(seconds: float) -> str:
    """A time in seconds since the epoch, to the minute."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def worth_showing(view: RunView) -> list[StepView]:
    """Steps that hold more than the answer; the reply that only answers is the answer itself."""
    return [step for step in view.steps if _holds_more(step)]


def _holds_more(step: StepView) -> bool:
    said = step.thought or step.calls or step.told or step.notes or step.repairs
    return bool(said or step.cut.strip() or step.dropped or step.unfinished)


def step_title(step: StepView) -> str:
    """Names what a step did and what came of it, on one line."""
    if step.calls:
        return _done(step)
    if step.to_check:
        return "Answered, and was asked to check it"
    if step.unfinished:
        why = "it was stopped" if step.stopped else "the reply broke off"
        return f"Not finished: {one_line(step.thought or why, 100)}"
    return one_line(step.thought, 100) or ("Could not be read" if step.state == "failed" else "Replied")


def _done(step: StepView) -> str:
    call = step.calls[0]
    more = f" and {len(step.calls) - 1} more" if len(step.calls) > 1 else ""
    done = _DONE.get(call.own_name, f"Used {one_line(call.tool, 40)}:")
    about = built_in(call.own_name).about(call.arguments) or call.about
    edited = " · edited by hand" if step.edited or any(call.edited for call in step.calls) else ""
    warned = " · holds instructions" if any(call.instructions for call in step.calls) else ""
    return f"{done} {one_line(about, 70)}{_result(call)}{more}{warned}{edited} · {step.seconds:.1f} s"


def _result(call: CallView) -> str:
    if call.observation is None:
        return " · no result"
    if call.error:
        return " · failed"
    if call.sources:
        return f" · {len(call.sources)} source{'s' if len(call.sources) > 1 else ''}"
    short = 0 < len(call.observation) <= _SHORT_RESULT and "\n" not in call.observation
    return f" → {one_line(call.observation, _SHORT_RESULT)}" if short else ""


def remarks(step: StepView) -> list[tuple[str, str]]:
    """Lists the notes and repairs of a step, as pairs of a heading and a sentence."""
    repairs = [*step.repairs, *(repair for call in step.calls for repair in call.repairs)]
    unfinished = [("Note", "This reply was not finished.")] if step.unfinished else []
    return [*(("Note", note) for note in step.notes), *(("Repaired", repair) for repair in repairs), *unfinished]


def dropped_heading(step: StepView) -> str:
    """Heads an answer that did not become the run's."""
    if step.to_check:
        return "The first answer, which the model was asked to check"
    return "An answer in the same reply, dropped because the call goes first"


def decision_lines(call: CallView) -> list[str]:
    """Says who decided what about a call, and which arguments they gave it."""
    if call.decided is None:
        return ["It waited for the person, who did not decide."] if call.asked else []
    return list(filter(None, (sentence(call.decided, "the person"), arguments(call.decided))))


def observation_heading(call: CallView) -> str:
    """Heads an observation: whether it failed, where it is from, how long it took."""
    parts = [
        "Observation",
        f"failed ({one_line(call.error, 40)})" if call.error else "",
        "edited by hand" if call.edited else "",
        "from this conversation's earlier searches" if call.cached else "",
        f"{call.seconds:.1f} s",
    ]
    return " · ".join(filter(None, parts))


def instruction_lines(call: CallView) -> list[str]:
    """Lists what in a result reads as orders to the agent, each on one line."""
    return [one_line(passage, 300) for passage in call.instructions]


def source_about(source: Source) -> str:
    return " · ".join(filter(None, (one_line(source.date, 40), one_line(source.snippet, 300))))


def summary(view: RunView) -> str:
    """Sums up what a run took: calls, seconds, tokens, money, and which model it asked."""
    calls = sum(len(step.calls) for step in view.steps)
    about = "about " if view.usage.estimated else ""
    cached = f" ({view.usage.cached:,} cached)" if view.usage.cached else ""
    reasoning = f" ({view.usage.reasoning:,} reasoning)" if view.usage.reasoning else ""
    parts = [
        {0: "No tool used", 1: "1 tool call"}.get(calls, f"{calls} tool calls"),
        f"{view.seconds:.1f} s",
        f"{about}{view.usage.input:,} tokens in{cached}, {view.usage.output:,} out{reasoning}",
        money(view.price),
        one_line(view.model, 80),
        moment(view.started),
    ]
    return " · ".join(filter(None, parts))


def money(price: Money | None) -> str:
    if price is None:
        return "no price"
    return f"${price.amount:.4f}" if price.currency == "USD" else f"{price.amount:.4f} {one_line(price.currency, 3)}"


def ending(view: RunView) -> str:
    """Says why an answer is missing or cut short; "" where it is whole."""
    return one_line(view.failure, 600) if view.state == "failed" else cut_short(view)


def verdict_line(verdict: int | None, comment: str) -> str:
    """Says the reader's judgement in a sentence; "" where there is none."""
    said = _VERDICTS.get(verdict, "") if verdict is not None else ""
    return ": ".join(filter(None, (said or ("The reader says" if comment else ""), one_line(comment, 2000))))


_NAMES: tuple[Callable[..., object], ...] = (
    decision_lines,
    dropped_heading,
    ending,
    host,
    instruction_lines,
    observation_heading,
    one_line,
    remarks,
    source_about,
    step_title,
    summary,
    worth_showing,
)


def template(name: str, inert: Callable[[str], str], *more: Callable[..., object]) -> Template:
    """A template of this package, which can call what is above and ``more`` by name.

    What it writes is ours where it is ``Markup``; all else goes through ``inert``.
    """

    def written(value: object) -> Markup:
        return value if isinstance(value, Markup) else Markup(inert(str(value)))

    environment = Environment(
        loader=PackageLoader("agent.sharing.export"),
        autoescape=True,
        finalize=written,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name, globals={part.__name__: part for part in (*_NAMES, *more)})
