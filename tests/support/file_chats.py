"""Chats with the demo model that have one file each."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from agent.application.setup import Choice, setup
from agent.data.documents.chat_documents import Documents
from agent.data.tables.chat_tables import Tables
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.tools.search.search_tool import SearchCache
from tests.support.everyday import _ThatDay, still


@contextmanager
def file_chats(sandbox: Sandbox, folder: Path, files: Sequence[tuple[str, str, str]]) -> Iterator[dict[str, Agent]]:
    """By the name of each table, the agent of its chat; ``files`` are names, texts as CSV and languages."""
    store = Store(f"sqlite:///{folder}/store.db")
    made: dict[str, Agent] = {}
    for name, text, language in files:
        chat = store.add_conversation("v", name)
        tables = Tables(store.database, folder / "tables", sandbox).open("v", chat)
        documents = Documents(store.database, folder / "documents", sandbox).open("v", chat)
        tables.load(f"{name}.csv", io.BytesIO(text.encode()))
        agent = setup(read_settings({}), Choice(), Capabilities(), SearchCache(), tables=tables, documents=documents)
        made[name] = replace(agent, model=_ThatDay(pace=0), tools=still(agent.tools), language=language)
    yield made
    store.close()
