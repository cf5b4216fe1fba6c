"""What models' servers turned out to refuse, by address and model, from one start of the app to the next."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from time import time
from typing import cast

import sqlalchemy as sql

from agent.errors import StoreFailed
from agent.store.runs import Store
from agent.store.schema import LEARNED

MOST_MODELS = 1_000
# Servers are set up anew: what they refused is tried again in the end.
KEPT_SECONDS = 30 * 24 * 60 * 60.0
_LONGEST_NAME, _LONGEST_LESSONS = 500, 4_000


class Learned:
    """The lessons of the store: ``lessons`` and ``keep`` are what ``agent.models.capabilities`` asks of a keeper.

    They are the same for all visitors and hold no keys. A lesson can be learned again, so none of it is worth a
    failure: where the database fails, nothing is known, and nothing kept.
    """

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def lessons(self, endpoint: str, model: str) -> frozenset[str]:
        """What was kept for that model of that address in the last 30 days."""
        mine = (LEARNED.c.endpoint == endpoint, LEARNED.c.model == model)
        kept = sql.select(LEARNED.c.lessons).where(*mine, LEARNED.c.learned > time() - KEPT_SECONDS)
        try:
            rows = self._database.rows(kept)
            found: object = json.loads(rows[0][0]) if rows else []
        except (StoreFailed, ValueError):
            return frozenset()
        names = cast("list[object]", found) if isinstance(found, list) else []
        return frozenset(name for name in names if isinstance(name, str))

    def keep(self, endpoint: str, model: str, lessons: Collection[str]) -> None:
        """Keep these in place of what was kept; none at all forgets them. The oldest models give way."""
        body = json.dumps(sorted(lessons), ensure_ascii=False)
        if len(endpoint) + len(model) > _LONGEST_NAME or len(body) > _LONGEST_LESSONS:
            return
        mine = sql.delete(LEARNED).where(LEARNED.c.endpoint == endpoint, LEARNED.c.model == model)
        row = {"endpoint": endpoint, "model": model, "lessons": body, "learned": time()}
        newest = sql.select(LEARNED.c.learned).order_by(LEARNED.c.learned.desc())
        with suppress(StoreFailed), self._database.begin() as connection:
            connection.execute(mine)
            if lessons:
                connection.execute(sql.insert(LEARNED).values(row))
                oldest = connection.execute(newest.offset(MOST_MODELS).limit(1)).scalar()
                if oldest is not None:
                    connection.execute(sql.delete(LEARNED).where(LEARNED.c.learned <= oldest))
