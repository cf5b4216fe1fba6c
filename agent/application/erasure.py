"""Deletes all that is kept of a visitor."""

from __future__ import annotations

from time import time

from agent.application.services import SECONDS_TO_RESTORE, Services

# Runs that are stopped with their chats end in that time, and are removed after it.
_SECONDS_TO_END = 10 * 60.0


def erase(services: Services, visitor: str) -> int:
    """Delete a visitor's chats, notes, tests, cards of models, connections and choices; how many chats it were.

    Nobody reaches them from then on, and nothing brings them back. What chats leave in the store and in files is
    removed with the bin, within two hours. What was spent, and the copies that others made of what was shared with
    them, stay. Raises ``StoreFailed``; what is left then is deleted by another call.
    """
    store = services.store
    services.evaluations.remove_all(visitor)  # the chat of a test stays as long as the test
    deleted = services.chats.delete_all(visitor, time() - SECONDS_TO_RESTORE + _SECONDS_TO_END)
    for conversation in deleted:
        for run in store.runs(conversation):
            if not run.ended:
                services.runs.cancel(run.id)
                services.choices.drop(run.id)
    services.databases.forget_all(visitor)
    services.model_cards.remove_all(visitor)
    services.notes.remove_all(visitor)
    services.chats.prefer(visitor, "")
    return len(deleted)
