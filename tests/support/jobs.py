"""Jobs of the locked processes, done in this one, with the sentences of their answers in English."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.data.databases import database_worker
from agent.data.documents import document_jobs
from agent.data.tables import table_jobs
from agent.interface_text import Text, is_record


def table_job(job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return told(table_jobs.handle(job, folder))


def document_job(job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return told(document_jobs.handle(job, folder))


def database_job(job: Mapping[str, Any], rooms: list[Any]) -> dict[str, Any]:
    return told(database_worker.handle(job, rooms))


def told(value: Any) -> Any:
    """The value with each record of a text as the sentence it stands for."""
    if is_record(value):
        return str(Text.of_record(value))
    if isinstance(value, Mapping):
        return {name: told(each) for name, each in value.items()}
    return [told(each) for each in value] if isinstance(value, list | tuple) else value
