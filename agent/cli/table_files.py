"""Files in the terminal: they become tables of a conversation that ends with the program; what tools made is saved."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.data.tables.card_texts import repairs_told
from agent.data.tables.chat_tables import ConversationTables, TableLimits, Tables
from agent.data.tables.table_artifacts import read_table_artifact
from agent.events import Artifact, Event, Observed
from agent.sandbox.client import Sandbox
from agent.settings import Settings
from agent.store.runs import Store
from agent.text.encodings import MEBIBYTE

_VISITOR = "terminal"
# What is saved of what a tool made, by its kind. A chart is Vega-Lite with its data.
_ENDINGS = {"chart": ".vl.json", "png": ".png", "table": ".csv"}


@contextmanager
def opened_tables(files: Sequence[Path], settings: Settings) -> Generator[ConversationTables]:
    """The tables in those files, in a folder that is gone afterwards. How they were read goes to the standard error.

    Raises ``BadRequest`` for a file that is no table, and ``OSError`` for one that cannot be read.
    """
    sandbox = Sandbox()
    with TemporaryDirectory(prefix="glassbox-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o755)  # a worker of root's becomes nobody, who must be able to walk through to it
        store = Store(f"sqlite:///{folder / 'terminal.db'}")
        try:
            limits = TableLimits(file=settings.table_megabytes * MEBIBYTE)
            tables = Tables(store.database, folder / "tables", sandbox, limits)
            chat = tables.open(_VISITOR, store.add_conversation(_VISITOR, ""))
            sandbox.start()  # up by the first call
            for path in files:
                with path.open("rb") as file:
                    cards, notes = chat.load(path.name, file)
                for note in (*notes, *(told for card in cards for told in repairs_told(card))):
                    print(f"{path.name}: {note}", file=sys.stderr)
            yield chat
        finally:
            sandbox.close()
            store.close()


def save_made(events: Sequence[Event], folder: Path) -> Iterator[Path]:
    """Writes the charts, pictures and tables that tools made, each to a new file in ``folder``; yields the files.

    Raises ``OSError`` where one cannot be written.
    """
    made = [artifact for event in events if isinstance(event, Observed) for artifact in event.artifacts]
    for artifact in made:
        content = _content(artifact)
        if content:
            folder.mkdir(parents=True, exist_ok=True)
            yield _written(folder, artifact, content)


def _content(artifact: Artifact) -> bytes:
    if artifact.kind != "table":
        return artifact.content if artifact.kind in _ENDINGS and artifact.content else b""
    table = read_table_artifact(artifact.content or b"")
    return table.csv() if table else b""


def _written(folder: Path, artifact: Artifact, content: bytes) -> Path:
    """Under the artifact's name, with a number where that is taken: no file is overwritten."""
    name = re.sub(r"\W+", "-", artifact.name).strip("-")[:60] or artifact.kind
    number = 1
    while True:
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}{_ENDINGS[artifact.kind]}"
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
        else:
            return path
