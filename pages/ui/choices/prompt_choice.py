"""The prompts chosen for all chats and for the open one; and where on the Prompts page it is said which are meant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from agent.application.preferences import PROMPTS, ChatPrompts, text_for_all
from agent.application.setup import Choice, with_own_prompt
from agent.interface_text import Text
from agent.prompts import source
from agent.store.runs import ConversationRow
from pages.ui.session import asking, state
from pages.ui.text.words import say, saying

_PLACES = {"here": Text("In this chat"), "all": Text("In all chats")}
_STYLES = {"react": Text("Step by step"), "conversational": Text("Conversation")}


@dataclass(frozen=True, slots=True)
class Place:
    """Where prompts are changed: in ``conversation``, whose own are ``here``, or in all chats where it is ""."""

    conversation: str
    chosen: Choice
    here: ChatPrompts

    def own(self, name: str) -> str:
        """The copy of a template that is in use in this place, or ""."""
        if self.conversation:
            return self.here.text(self.chosen.language, name)
        mine = text_for_all(self.chosen, name)
        return "" if mine == source(self.chosen.language, name) else mine

    def default(self, name: str) -> str:
        """What holds without such a copy."""
        return text_for_all(self.chosen, name) if self.conversation else source(self.chosen.language, name)

    def keep(self, name: str, text: str) -> None:
        """Use a copy of a template; go back to the default where it is ""."""
        if self.conversation:
            _keep(self.conversation, self.here.with_template(self.chosen.language, name, text))
        else:
            state.choose(prompts=with_own_prompt(self.chosen, name, text))

    def said(self, name: str) -> str:
        """Which one is in use, in a sentence."""
        changed = text_for_all(self.chosen, name) != source(self.chosen.language, name)
        here = bool(self.here.text(self.chosen.language, name))
        if not self.conversation and here:
            return (
                Text("Your copy is in use, but in this chat.")
                if changed
                else Text("The default is in use, but in this chat.")
            )
        if here:
            return Text("This chat's own copy is in use.")
        return Text("Your copy is in use.") if changed else Text("The default is in use.")


def where(conversation: ConversationRow | None) -> Place:
    """The choice between the open chat and all chats."""
    chosen = state.choice()
    if conversation is None:
        st.caption(say("For all chats. Open a chat first to change the prompts of that one alone."))
        return Place("", chosen, ChatPrompts())
    here = asking.runs().prompts(conversation.id)
    key = f"prompt-where-{conversation.id}"
    if state.widget(key) is None:
        state.put(key, "all" if here.empty else "here")
    place = st.segmented_control(say("Where"), list(_PLACES), format_func=saying(_PLACES.get), required=True, key=key)
    return Place(conversation.id if place == "here" else "", chosen, here)


def style(place: Place) -> None:
    """The choice of how the text wire is taught; what is chosen for all chats is not a chat's own."""
    usual = place.chosen.style
    now = place.here.style or usual if place.conversation else usual
    picked = st.segmented_control(
        say("How the model is taught to reason where it writes its steps as text"),
        list(_STYLES),
        default=now,
        format_func=saying(_STYLES.__getitem__),
        required=True,
        key=f"prompt-style-{place.conversation}",
    )
    if not picked or picked == now:
        return
    if place.conversation:
        _keep(place.conversation, replace(place.here, style=None if picked == usual else picked))
    else:
        state.choose(style=picked)
    st.rerun()


def _keep(conversation: str, prompts: ChatPrompts) -> None:
    state.services().chats.choose(state.visitor(), conversation, PROMPTS, prompts.written())
