"""What is deleted for good is in no file of the database any more; what is copied as the handbook says is whole."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import time

import pytest

from agent.application.services import SECONDS_TO_RESTORE, empty_bin
from agent.events import Answered, Asked, Observed
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.toolkit.base import artifact

ROOT = Path(__file__).parents[2]
DEPLOYING = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
WORD = "Zanzibar-secret-4242"


def found(folder: Path) -> list[str]:
    """The files of the folder that hold the word."""
    return [
        file.name
        for file in folder.rglob("*")
        if file.is_file() and WORD.lower() in file.read_bytes().decode("latin-1").lower()
    ]


@pytest.mark.parametrize("others", [0, 20])
def test_the_words_of_a_deleted_chat_are_in_no_file(store: Store, tmp_path: Path, others: int) -> None:
    """Beside other chats, and alone; in small events, in ones of several pages, in pictures."""
    chats = Chats(store)
    for number in range(2 * others + 1):
        deleted = number % 2 == 0
        word = WORD if deleted else "harmless"
        conversation = store.add_conversation("anna", f"About {word}")
        run = store.add_run(conversation)
        seen = Observed("1", f"{word} " * 700, artifacts=(artifact("text", "raw", f"{word} {number}".encode() * 900),))
        store.append(run, [Asked(f"What is {word}?", 1.0), seen])
        store.append(run, [Answered(f"It is {word}.")])
        assert chats.rename("anna", conversation, f"{word} again")
        if deleted:
            assert chats.delete("anna", conversation)
    assert found(tmp_path)
    assert empty_bin(chats, (), time() + SECONDS_TO_RESTORE + 1) == others + 1
    assert found(tmp_path) == []
    assert len(chats.conversations("anna")) == others


def test_the_log_is_emptied_later_where_somebody_reads(open_store: Callable[..., Store], tmp_path: Path) -> None:
    """The reader is not disturbed, and the site goes on."""
    store = open_store()
    chats = Chats(store)
    assert chats.delete("anna", store.add_conversation("anna", WORD))
    with sqlite3.connect(tmp_path / "data" / "glassbox.db") as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM conversations").fetchone() == (1,)
        assert empty_bin(chats, (), time() + SECONDS_TO_RESTORE + 1) == 1
        assert reader.execute("SELECT title FROM conversations").fetchone() == (WORD,)
        reader.rollback()
    reader.close()
    assert empty_bin(chats, (), time() + SECONDS_TO_RESTORE + 1) == 0
    assert found(tmp_path) == []


@pytest.mark.slow
@pytest.mark.system
def test_the_backup_of_the_docs_is_whole(store: Store, open_store: Callable[..., Store], tmp_path: Path) -> None:
    """On a small site the file alone is nearly empty: all that is new stands in the log beside it."""
    conversation = store.add_conversation("anna", "t")
    run = store.add_run(conversation)
    store.append(run, [Asked("q", 1.0), Answered("a")])
    commands = re.findall(r"^python (-m agent (?:backup|restore) [^#\n]*)", DEPLOYING, re.MULTILINE)
    assert [command.split()[2] for command in commands] == ["backup", "restore"]
    for command, data in zip(commands, ("data", "restored"), strict=True):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "GLASSBOX_DATA": data}
        subprocess.run([sys.executable, *shlex.split(command)], cwd=tmp_path, env=environment, check=True)
    copied = open_store(f"sqlite:///{tmp_path / 'restored' / 'glassbox.db'}")
    assert copied.events(run) == store.events(run)
    assert [row.id for row in Chats(copied).conversations("anna")] == [conversation]
