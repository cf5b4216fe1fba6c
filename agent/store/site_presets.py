"""What the owner keeps for all to begin with: named choices, with sample files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from time import time

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from agent.store.runs import Store
from agent.store.team_tables import PRESET_FILES, SITE_PRESETS


@dataclass(frozen=True, slots=True)
class SampleFile:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class SitePreset:
    """``body`` is what is chosen, as it is kept; ``files`` are the names of its sample files."""

    name: str
    id: str
    body: str
    files: tuple[str, ...] = ()


class SitePresets:
    """The presets of the store. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def named(self) -> list[tuple[str, str]]:
        """Id and name of each, the oldest first: what every drawing of a chat asks for."""
        kept = sql.select(SITE_PRESETS.c.id, SITE_PRESETS.c.name)
        rows = self._database.rows(kept.order_by(SITE_PRESETS.c.created, SITE_PRESETS.c.name))
        return [(id, name) for id, name in rows]

    def all(self) -> list[SitePreset]:
        """All of them, the oldest first."""
        files: dict[str, list[str]] = {}
        listed = sql.select(PRESET_FILES.c.preset, PRESET_FILES.c.name).order_by(PRESET_FILES.c.place)
        for preset, name in self._database.rows(listed):
            files.setdefault(preset, []).append(name)
        kept = sql.select(SITE_PRESETS).order_by(SITE_PRESETS.c.created, SITE_PRESETS.c.name)
        return [
            SitePreset(row.name, row.id, row.body, tuple(files.get(row.name, ()))) for row in self._database.rows(kept)
        ]

    def of(self, id: str) -> SitePreset | None:
        """The preset of that id; ``None`` where it was changed or removed since."""
        return next((preset for preset in self.all() if preset.id == id), None) if id else None

    def files(self, name: str) -> tuple[SampleFile, ...]:
        """The sample files of the preset of that name."""
        kept = sql.select(PRESET_FILES.c.name, PRESET_FILES.c.content).where(PRESET_FILES.c.preset == name)
        return tuple(SampleFile(*row) for row in self._database.rows(kept.order_by(PRESET_FILES.c.place)))

    def keep(self, presets: Sequence[tuple[str, str, Sequence[SampleFile]]]) -> None:
        """Keep these (name, body, files), each in place of the one of its name; all of them, or none."""
        with self._database.begin() as connection:
            for name, body, files in presets:
                self._keep(connection, name, body, files)

    def remove(self, name: str) -> None:
        with self._database.begin() as connection:
            connection.execute(sql.delete(SITE_PRESETS).where(SITE_PRESETS.c.name == name))
            connection.execute(sql.delete(PRESET_FILES).where(PRESET_FILES.c.preset == name))

    def _keep(self, connection: Connection, name: str, body: str, files: Sequence[SampleFile]) -> None:
        row = {"id": _id(name, body, files), "body": body}
        connection.execute(self._database.put(SITE_PRESETS, {"name": name}, row, created=time()))
        connection.execute(sql.delete(PRESET_FILES).where(PRESET_FILES.c.preset == name))
        rows = [
            {"preset": name, "place": place, "name": file.name, "content": file.content}
            for place, file in enumerate(files)
        ]
        if rows:
            connection.execute(sql.insert(PRESET_FILES), rows)


def _id(name: str, body: str, files: Sequence[SampleFile]) -> str:
    """32 hexadecimal digits; each part is told with its length, so that no two presets are one text."""
    parts = [name.encode(), body.encode(), *(part for file in files for part in (file.name.encode(), file.content))]
    found = sha256()
    for part in parts:
        found.update(b"%d " % len(part))
        found.update(part)
    return found.hexdigest()[:32]
