"""The prompts: each template beside what the model reads, and a copy of one's own in its place."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from difflib import unified_diff

import streamlit as st

from agent.application import prompt_editing as prompting
from agent.application.prompt_editing import Template
from agent.application.setup import Choice, with_own_prompt
from agent.errors import BadRequest
from agent.tools.catalogue import toolbox
from pages.ui.choices import prompt_choice, tool_choice
from pages.ui.choices.prompt_choice import Place
from pages.ui.evals import tests_offer
from pages.ui.frame import frame
from pages.ui.session import open_chat, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets import browser, problems

_HEIGHT = 460


def main() -> None:
    frame.open_page("Prompts", wide=True)
    browser.attend(False)
    conversation = state.conversation()
    frame.way_back()
    st.header(say("Prompts"), anchor=False)
    st.caption(
        say("What the model is told, word for word. Write your own copy of any of it; every run keeps what it used.")
    )
    place = prompt_choice.where(conversation)
    prompt_choice.style(place)
    names = [template.name for template in prompting.TEMPLATES]
    name = st.selectbox(
        say("Prompt"),
        names,
        format_func=lambda name: _title(name, bool(place.own(name))),
        key="prompt-shown",
    )
    template = prompting.template(name or names[0])
    st.caption(told(template.purpose))
    written, read = st.columns(2)
    with written:
        text = _written(place, template)
    with read:
        _read(place.chosen, template, text)


def _title(name: str, own: bool) -> str:
    title = told(prompting.template(name).title)
    return f"{title} · {say('your own')}" if own else title


def _written(place: Place, template: Template) -> str:
    """The field with the template, and what can be done with it; what is in it now."""
    own, default = place.own(template.name), place.default(template.name)
    key = f"prompt-{place.conversation}-{place.chosen.language}-{template.name}"
    if state.widget(key) is None:
        state.put(key, own or default)
    text = st.text_area(say("Template"), key=key, height=_HEIGHT, max_chars=prompting.MOST_CHARACTERS)
    changed = text.strip() != default.strip()
    with st.container(horizontal=True, vertical_alignment="center"):
        saving = changed and text != own
        if st.button(say("Use my copy"), type="primary", icon=":material/check:", disabled=not saving):
            _save(place, template, text)
        if saving:
            _offer(place, template, text)
        st.button(
            (say("As in all chats") if place.conversation else say("Back to the default")),
            icon=":material/undo:",
            disabled=not (own or changed),
            on_click=_reset,
            args=(place, template, key, default),
        )
    st.caption(told(place.said(template.name)))
    if changed:
        with st.expander(say("What differs from the default"), icon=":material/difference:"):
            lines = unified_diff(default.splitlines(), text.splitlines(), "default", "yours", lineterm="", n=1)
            st.code("\n".join(lines), language="diff", wrap_lines=True)
    return text


def _save(place: Place, template: Template, text: str) -> None:
    try:
        prompting.check(place.chosen.language, template.name, text)
    except BadRequest as error:
        problems.tell(error, 600)
        return
    place.keep(template.name, text)
    st.rerun()


def _offer(place: Place, template: Template, text: str) -> None:
    """The visitor's tests, run with a copy that can be used, before it is."""
    try:
        prompting.check(place.chosen.language, template.name, text)
    except BadRequest:
        return
    changed = with_own_prompt(place.chosen, template.name, text)
    tests_offer.button(replace(place.chosen, prompts=changed), "tests-first")


def _reset(place: Place, template: Template, key: str, default: str) -> None:
    place.keep(template.name, "")
    state.put(key, default)


def _read(chosen: Choice, template: Template, text: str) -> None:
    """What the model reads, with the tools and tables of the open chat."""
    chat = open_chat.tables()
    cards = chat.cards() if chat else ()
    tools = toolbox(tool_choice.parts(), chosen.tools)
    st.markdown(f":small[{say('As the model reads it today')}]")
    try:
        own = {template.name: text} if text.strip() else {}
        filled = prompting.filled_in(chosen.language, template.name, tools, date.today().isoformat(), cards, own)
    except BadRequest as error:
        st.info(label(told(error.text), 600), icon=":material/edit:")
        return
    st.code(filled, language=None, wrap_lines=True, height=_HEIGHT)


frame.page(main)
