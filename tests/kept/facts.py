"""Plain facts of what a store keeps, as ``expected.json`` has them: what must be the same in every later version."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from agent.data.documents.chat_documents import document_rows
from agent.data.tables.chat_tables import table_rows
from agent.events import Event, Observed
from agent.messages import Message
from agent.sharing.export.checked_answer import checked
from agent.sharing.export.collected import take
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.tool_uses import last_uses
from agent.views.decisions import sentence
from agent.views.fold import fold
from agent.views.request import model_calls
from agent.views.values import CallView, RunView, StepView

FOLDER = Path(__file__).parent
VERSIONS = tuple(sorted(path.parent for path in FOLDER.glob("*/glassbox.db")))


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def stored_lines(folder: Path) -> dict[str, list[str]]:
    """The lines of each run's events as they were written, read without any code of ours."""
    kept = sqlite3.connect(f"file:{folder / 'glassbox.db'}?immutable=1", uri=True)
    try:
        lines: dict[str, list[str]] = {run: [] for (run,) in kept.execute("SELECT id FROM runs ORDER BY created")}
        for run, body in kept.execute("SELECT run, body FROM events ORDER BY run, number"):
            lines[run].append(body)
    finally:
        kept.close()
    return lines


def run_facts(store: Store, run: str) -> dict[str, Any]:
    """A run: its place, its events by name, what a reader sees, what its models were sent."""
    row = store.run(run)
    assert row is not None
    events, judgement = store.events(run), Chats(store).judgement(run)
    named = {made.hash for event in events if isinstance(event, Observed) for made in event.artifacts}
    contents = {hash: store.artifact(run, hash) for hash in sorted(named)}
    return {
        "id": row.id,
        "conversation": row.conversation,
        "follows": row.follows,
        "ended": row.ended,
        "waiting": store.is_waiting(run),
        "verdict": judgement.verdict,
        "comment": judgement.comment,
        "events": [event.type for event in events],
        "shown": shown(fold(events)),
        "prompts": prompts(events),
        "artifacts": {hash: content and sha256(content).hexdigest() for hash, content in contents.items()},
    }


def conversation_facts(store: Store, conversation: str) -> dict[str, Any]:
    """A conversation that is not deleted: title, runs, and what is kept beside them."""
    row = store.conversation(conversation)
    assert row is not None
    chats = Chats(store)
    return {
        "id": row.id,
        "visitor": row.visitor,
        "title": row.title,
        "pinned": row.pinned,
        "waiting": row.waiting,
        "runs": [run.id for run in store.runs(conversation)],
        "path": [run.id for run in store.path(conversation)],
        "totals": asdict(chats.totals(conversation)),
        "allowed": list(chats.allowed(conversation)),
        "chosen": {kind: chats.chosen(conversation, kind) for kind in ("words", "prompts")},
        "tables": [[table.name, table.source, table.rows] for table in table_rows(store.database).of(conversation)],
        "documents": [[document.name, document.pages] for document in document_rows(store.database).of(conversation)],
    }


def shown(view: RunView) -> dict[str, Any]:
    """What a reader sees of a run."""
    return {
        "question": view.question,
        "understood": view.understood,
        "merge_error": view.merge_error,
        "model": view.model,
        "wire": view.wire,
        "state": view.state,
        "reason": view.reason,
        "answer": view.answer,
        "next_questions": list(view.next_questions),
        "failure": view.failure,
        "reference": view.reference,
        "tokens": [view.usage.input, view.usage.output],
        "price": str(view.price.amount) if view.price else "",
        "waited": view.waited,
        "steps": [_step(step) for step in view.steps],
    }


def _step(step: StepView) -> dict[str, Any]:
    return {
        "state": step.state,
        "thought": step.thought,
        "cut": step.cut,
        "dropped": step.dropped,
        "repairs": list(step.repairs),
        "notes": list(step.notes),
        "told": [list(told) for told in step.told],
        "edited": step.edited,
        "unfinished": step.unfinished,
        "calls": [_call(call) for call in step.calls],
    }


def _call(call: CallView) -> dict[str, Any]:
    return {
        "tool": call.tool,
        "own": call.own,
        "input": call.input,
        "observation": call.observation,
        "error": call.error,
        "cached": call.cached,
        "edited": call.edited,
        "asked": call.asked.text if call.asked else "",
        "decided": sentence(call.decided) if call.decided else "",
        "sources": [[source.number, source.title, source.url] for source in call.sources],
        "artifacts": [[made.kind, made.name, made.size] for made in call.artifacts],
    }


def prompts(events: Sequence[Event]) -> list[str]:
    """A hash of the messages of each model call: they follow from the events alone."""
    return [
        hashed(json.dumps([_message(message) for message in call.messages], ensure_ascii=False))
        for call in model_calls(events)
    ]


def _message(message: Message) -> list[Any]:
    requests = [[request.id, request.name, request.arguments] for request in message.requests]
    return [message.role, message.content, requests, message.call_id]


def uses(store: Store, visitor: str, tool: str) -> list[list[str]]:
    """The latest calls of a tool."""
    return [[use.run, use.input, use.error] for use in last_uses(store.database, visitor, tool, most=20)]


def exports(store: Store, visitor: str, conversation: str) -> dict[str, str]:
    """A conversation in each form in which it can be taken along, by the ending of the file."""
    taken = take(store, visitor, conversation)
    known = checked(taken)
    return {
        "jsonl": export_json_lines(taken),
        "md": export_markdown(taken, known),
        "html": export_html(taken, known),
    }
