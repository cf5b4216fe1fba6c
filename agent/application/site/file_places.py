"""Where the site keeps the files of chats, by its settings."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sql

from agent.application.visitor_ids import FILES_KEY, site_key
from agent.data.kept_files.copies import Copies, KeptFiles
from agent.data.kept_files.file_store import FileStore
from agent.data.kept_files.shared_folder import SharedFolder
from agent.data.tables.loading.load_work import MEBIBYTE
from agent.sandbox.client import Sandbox
from agent.settings import Settings
from agent.store.database import Database
from agent.store.schema import DOCUMENTS, LOADED


def kept_files(
    settings: Settings, database: Database, sandbox: Sandbox, new: bool = False
) -> tuple[KeptFiles | None, KeptFiles | None]:
    """Where tables and documents are kept that other processes work on, too; ``None`` for the data folder.

    ``new`` is for who puts files into a place that has none yet. Raises ``BadSettings``, ``StoreFailed``.
    """
    if not settings.files:
        return None, None
    # What another database knows of is none of ours, even where it has the same place.
    site = site_key(database, FILES_KEY)[0][:32]
    if settings.files.startswith("s3://"):
        from agent.data.kept_files.s3_store import S3Store  # only who has one waits for its library

        kept: FileStore = S3Store(settings.files, site)
    else:
        used = not new and any(database.rows(sql.select(table.c.id).limit(1)) for table in (LOADED, DOCUMENTS))
        kept = SharedFolder(Path(settings.files), site, used)
    copies = Copies(settings.data / "copies", sandbox.forget, settings.copy_megabytes * MEBIBYTE)
    return KeptFiles(kept, "tables", copies), KeptFiles(kept, "documents", copies)
