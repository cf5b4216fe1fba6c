"""One model call, whole: the exact request, the raw reply, tokens, money and time; and the call to take along."""

from __future__ import annotations

import json
from urllib.parse import unquote

import streamlit as st

from agent.context.turns import NO_HISTORY
from agent.demo.model import NAME as DEMO_NAME
from agent.inner_runs import of_call
from agent.interface_text import Text
from agent.runs.conversation import history
from agent.store.runs import RunRow
from agent.views.request import (
    ModelCall,
    as_curl,
    as_json,
    as_python,
    model_calls,
    prompt_tokens,
    returned_unread,
)
from pages.ui.session import reading, state
from pages.ui.text.escape import label, unformatted
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets.figures import figure


def tokens_being_read(row: RunRow) -> int:
    """Tokens of the prompt that a run's model has been sent, as we estimate them."""
    store = state.services().store
    return prompt_tokens(store.readable(row.id), history(store, row.conversation, row.follows))


@titled_dialog("Model call", width="large", icon=":material/manage_search:", on_dismiss=state.close_dialog)
def dialog() -> None:
    run, _, step = state.dialog_about().partition(":")
    reader = reading.reader()
    row = reader.run(run)
    *within, step = step.split("/")
    events = reader.events(row) if row else []
    for call_id in within:
        events = of_call(events, unquote(call_id))
    calls = model_calls(events, reader.before(row) if row and not within else NO_HISTORY)
    # Where a run was prepared anew, the last one of a number is the one that is shown.
    call = next((call for call in reversed(calls) if str(call.step) == step), None)
    if call is None:
        st.write(say("This call is not kept any more."))
        return
    where = (
        Text("Rewriting the follow-up as a question of its own")
        if call.step == 0
        else Text("Step {number}", number=call.step)
    )
    model = label(call.model if call.url else told(DEMO_NAME), 60)
    st.caption(" · ".join(filter(None, (told(where), model, label(call.url, 120)))))
    _figures(call)
    sent, came, along = st.tabs([say("What was sent"), say("What came back"), say("Take along")])
    with sent:
        _sent(call)
    with came:
        _came(call)
    with along:
        _along(call)


def _figures(call: ModelCall) -> None:
    usage = call.usage

    def counted(count: int) -> str:
        return say("about {count}", count=f"{count:,}") if usage.estimated else f"{count:,}"

    cached = Text("{count:,} from the cache", count=usage.cached) if usage.cached else ""
    with st.container(horizontal=True, key="call-figures"):
        figure(Text("Tokens in"), counted(usage.input), cached)
        figure(
            Text("Tokens out"),
            counted(usage.output),
            Text("{count:,} of reasoning", count=usage.reasoning) if usage.reasoning else "",
        )
        first = Text("first token after {seconds}", seconds=f"{call.first_token:.2f}")
        figure(Text("Seconds"), f"{call.seconds:.2f}", first)
        speed = call.tokens_per_second
        figure(Text("Tokens a second"), f"{speed:,.0f}" if speed else "–", "")
        price = f"{call.price.amount:.5f} {call.price.currency}" if call.price else Text("no price")
        figure(Text("Cost"), price, "" if call.price else Text("of this model is known"))


def _sent(call: ModelCall) -> None:
    if not call.url:
        st.caption(say("The demo model has no server: nothing went over the network. It was given these messages."))
    first_new = len(call.messages) - call.new
    for index, message in enumerate(call.messages):
        new = f" · :green-badge[{say('new since the call before')}]" if 0 < first_new <= index else ""
        st.markdown(f"**{message.role}**{new}")
        requests = "".join(f"\n→ {request.name}({request.arguments})" for request in message.requests)
        pictures = "".join(f"\n[{image.name}, {image.size:,} bytes]" for image in message.images)
        text = unformatted(f"{message.content}{requests}{pictures}".strip())
        st.code(text or say("(empty)"), language=None, wrap_lines=True)
        if unread := returned_unread(call, message):
            st.caption(say("Returned unread, as the server had sent it: {count} bytes.", count=f"{unread:,}"))
    if call.body:
        rest = {name: value for name, value in json.loads(call.body).items() if name not in ("messages", "input")}
        st.markdown(say("**Everything else in the request**"))
        st.code(json.dumps(rest, ensure_ascii=False, indent=2), language="json", wrap_lines=True)


def _came(call: ModelCall) -> None:
    if call.reasoning:
        st.markdown(say("**Reasoning**"))
        st.code(unformatted(call.reasoning), language=None, wrap_lines=True)
    st.markdown(say("**Reply**"))
    st.code(unformatted(call.text) or say("(no text)"), language=None, wrap_lines=True)
    if call.cut:
        st.markdown(say("**Cut off**, because only a tool may say what came here"))
        st.code(unformatted(call.cut), language=None, wrap_lines=True)
    if call.unread:
        st.caption(say("Kept unread, to be returned to this model: {count} bytes.", count=f"{call.unread:,}"))
    for tool, text in call.calls:
        st.markdown(say("**Read as a call of** {tool}", tool=label(tool)))
        st.code(unformatted(text), language=None, wrap_lines=True)


def _along(call: ModelCall) -> None:
    if not call.url:
        st.caption(say("There is no request to take along: the demo model has no server."))
        return
    st.caption(say("The key is not part of it: it is read from OPENAI_API_KEY where you run it."))
    form = st.segmented_control(say("As"), ("curl", "Python", "JSON"), default="curl", label_visibility="collapsed")
    if form == "Python":
        st.code(as_python(call), language="python", wrap_lines=True)
    elif form == "JSON":
        st.code(as_json(call), language="json", wrap_lines=True)
    else:
        st.code(as_curl(call), language="bash", wrap_lines=True)
