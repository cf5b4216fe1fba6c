"""A chat of somebody's, to be shared with people."""

from __future__ import annotations

from agent.events import Answered, Asked
from agent.sharing.team_shares import Teammate
from agent.store.runs import Store

ANNA = Teammate("a" * 32, "anna@example.com", "Anna")


def chat(store: Store, *questions: str, visitor: str = ANNA.visitor, title: str = "Rivers") -> str:
    conversation, last = store.add_conversation(visitor, title), ""
    for question in questions:
        last = store.add_run(conversation, last)
        store.append(last, [Asked(question, 1.0), Answered(f"answer to {question}")])
    return conversation
