"""The shell of each conversation: a folder of its own, in which one command at a time is run."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from threading import Event as Flag
from time import monotonic

from agent.data.folder_lock import FolderLock
from agent.data.folders import Folders
from agent.errors import ToolFailed
from agent.sandbox.client import Sandbox
from agent.sandbox.hostile_folder import empty
from agent.shell import bubblewrap
from agent.shell.launch import MB, ShellLimits
from agent.shell.shell_process import Ended, run
from agent.store.database import Database

log = logging.getLogger(__name__)
_SECONDS_TO_WAIT = 5.0
_SECONDS_TO_TRY = 10.0
_LOOK_SECONDS = 0.05
_BUSY = "Too many shells are at work at once. Try again in a moment."
_TAKEN = "The shell of this chat is at work on another command. Try again when that is done."


class Shells(Folders):
    """The shells of all conversations. One for the process; nothing is started before one is asked for."""

    def __init__(
        self,
        database: Database,
        place: Path,
        sandbox: Sandbox,
        hidden: Sequence[Path] = (),
        limits: ShellLimits | None = None,
    ) -> None:
        """``hidden`` are folders that no shell sees, even where they lie among the system's programs."""
        super().__init__(database, place, sandbox)
        self.limits = limits or ShellLimits()
        self.hidden = (*hidden, place)
        self.places = BoundedSemaphore(self.limits.at_once)
        self._trying = Lock()
        self._tried: str | None = None

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationShell:
        """That of a conversation; its command ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        return ConversationShell(self, *self.of(visitor, conversation), cancel)

    def available(self) -> str:
        """Empty, or one sentence why there is no shell here. The first time a trial is made, which takes a moment."""
        if sentence := bubblewrap.missing():
            return sentence
        with self._trying:
            if self._tried is None:
                self._tried = self._try()
            return self._tried

    def make(self, folder: Path) -> None:
        super().make(folder)
        own(folder)

    def _try(self) -> str:
        with tempfile.TemporaryDirectory(prefix="glassbox-shell-") as place:
            folder = Path(place)
            limits = ShellLimits(seconds=_SECONDS_TO_TRY)
            try:
                tried = run(bubblewrap.PROBE, folder, own(folder), self.hidden, limits)
            except OSError as error:  # a root who may not give a folder away, say
                log.warning("no shell can be confined here: %s", error)
                return bubblewrap.NO_NAMESPACES
        if tried.begun and tried.code == 0 and not tried.text:
            return ""
        log.warning("no shell can be confined here: %s", tried.text[:2_000] or f"exit code {tried.code}")
        if tried.begun:
            return bubblewrap.LEAKS
        return bubblewrap.TOO_OLD if "Unknown option" in tried.text else bubblewrap.NO_NAMESPACES

    def _remove(self, folder: Path) -> None:
        empty(folder)
        super()._remove(folder)


@dataclass(frozen=True, slots=True)
class ConversationShell:
    """The shell of one conversation."""

    shells: Shells
    folder: Path
    _lock: FolderLock
    cancel: Flag | None = None

    @property
    def seconds(self) -> float:
        """That a command may take."""
        return self.shells.limits.seconds

    def available(self) -> str:
        """As that of ``Shells``."""
        return self.shells.available()

    def command(self, command: str) -> tuple[str, int]:
        """What a command prints, and its exit code, for a tool.

        Raises ``ToolFailed`` where it cannot be run, or was ended.
        """
        if sentence := self.shells.available():
            raise ToolFailed(sentence, "refused")
        limits = self.shells.limits
        try:
            with self._place():
                self.shells.make(self.folder)
                ran = run(command, self.folder, own(self.folder), self.shells.hidden, limits, self.cancel)
                if ran.ended == "disk":
                    empty(self.folder)
        except OSError as error:  # the disk is full, say
            log.error("a shell could not be started: %s", error)
            raise ToolFailed("The shell could not be started just now. Try again later.") from error
        if not ran.begun and not ran.ended:
            log.error("a shell was not confined: %s", ran.text[:2_000])
            raise ToolFailed(bubblewrap.NO_NAMESPACES, "refused")
        if ran.ended or ran.code is None:
            kind = {"stopped": "stopped", "time": "timeout"}.get(ran.ended, "input")
            raise ToolFailed("\n".join(filter(None, (_why(ran.ended, limits), ran.text))), kind)
        return ran.text, ran.code

    @contextmanager
    def _place(self) -> Generator[None]:
        """This chat's turn, and one of the places for all. Raises ``ToolFailed``."""
        if not self._wait_for(self._lock):
            raise ToolFailed(_TAKEN, "refused")
        try:
            if not self._wait_for(self.shells.places):
                raise ToolFailed(_BUSY, "refused")
            try:
                yield
            finally:
                self.shells.places.release()
        finally:
            self._lock.release()

    def _wait_for(self, turn: FolderLock | BoundedSemaphore) -> bool:
        end = monotonic() + _SECONDS_TO_WAIT
        while not turn.acquire(timeout=_LOOK_SECONDS):
            if monotonic() > end or (self.cancel is not None and self.cancel.is_set()):
                return False
        return True


def own(folder: Path) -> int:
    """Give the folder to whom its shell runs as: where we are root a user nobody is, always the same, else 0: us."""
    if os.name != "posix" or os.geteuid():
        return 0
    from agent.sandbox.locks.privileges import SPARE_USERS, spare_user

    owner = folder.stat().st_uid
    if owner not in SPARE_USERS:
        owner = spare_user(folder)
        os.chown(folder, owner, owner)
    return owner


def _why(ended: Ended, limits: ShellLimits) -> str:
    folder = f"{limits.folder_bytes // MB} MB or {limits.folder_entries:,} files"
    sentences: dict[Ended, str] = {
        "": "The shell ended on its own.",
        "time": f"It took longer than {limits.seconds:g} seconds and was stopped. Do less at once.",
        "memory": f"It needed more than {limits.memory // MB} MB of memory and was stopped. Do less at once.",
        "disk": f"It wrote more than {folder}, or folders too deep or closed, and was stopped. The folder was emptied.",
        "printed": f"It printed more than {limits.printed // MB} MB and was stopped. Print less.",
        "stopped": "It was stopped.",
    }
    return sentences[ended]
