"""What comes in through the box of a chat: a question, the answer to one, files. Questions are kept before all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from threading import Event as Flag
from typing import BinaryIO

from agent.application.chat_runs import ChatRuns
from agent.application.teams.beginning import BEGINNING, Beginning
from agent.data.documents.intake import Intake
from agent.data.tables.uploads import Loading
from agent.errors import BadRequest
from agent.runs.conversation import Question, check_length
from agent.store.branches import path
from agent.store.runs import NotWaiting, RunRow
from agent.store.unanswered import MOST_IN_QUEUE, short_title
from agent.text.characters import shows
from agent.views.fold import fold


@dataclass(frozen=True, slots=True)
class ChatBox:
    """The box of a conversation of the visitor's own, of a new one where ``conversation`` is "".

    ``picks`` say which of its branches is shown (see ``agent.store.branches``); ``past`` are the runs on it that the
    page remembers, oldest first. A new conversation begins with the ``preset`` of that id, where there is one.
    """

    runs: ChatRuns
    conversation: str = ""
    picks: Mapping[str, str] = field(default_factory=dict[str, str])
    past: Sequence[str] = ()
    preset: str = ""

    def take(self, text: str, files: Sequence[tuple[str, BinaryIO]] = ()) -> tuple[str, str]:
        """Take what was typed, with the names and contents of what was dropped; the ids of conversation and run.

        It answers the question of a run that waits for that. Else it is asked: at once, or, while a run is at work or
        files are loaded, as soon as the conversation is free (the run is then ""). Raises ``ForTheUser``, and
        ``ForTheModel`` for an answer that cannot be taken.
        """
        check_length(text)  # before it is kept: as a turn that failed it would fill the chat, its failure far below
        if self.preset and not self.conversation:
            return self._begun_with_preset(text, files)
        if files:
            return self._load(text, files), ""
        if not shows(text):
            raise BadRequest.because("There is no question in it yet.")
        last = self._last()
        if last and self._answers(last, text):
            return self.conversation, last.id
        return self.ask(text)

    def too_long(self, text: str) -> str:
        """Why the text cannot be asked for its length, "" where it can."""
        try:
            check_length(text)
        except BadRequest as error:
            return error.text
        return ""

    def ask(self, text: str) -> tuple[str, str]:
        """As ``take``, of a question that nobody typed: it answers none."""
        if self.preset and not self.conversation:
            return self._begun_with_preset(text, ())
        last, services = self._last(), self.runs.services
        if self.conversation:
            loading = services.loading(self.conversation)
            busy = (last and not last.ended) or (loading and not loading.done)
            if busy or services.store.unanswered.queue(self.conversation):
                self._wait(self.conversation, text)
                return self.conversation, ""
        run = self._begin(text, last.id if last else "")
        row = services.store.run(run)
        return row.conversation if row else self.conversation, run

    def retitle(self, title: str = "") -> None:
        """Call a chat whose first files were refused after the first that was loaded; where none was, by ``title``."""
        services = self.runs.services
        row, loading = services.store.conversation(self.conversation), services.loading(self.conversation)
        if row is None or loading is None or not loading.done:
            return
        refused = {short_title(file.name) for file in loading.files if file.state == "refused"}
        loaded = next((file.name for file in loading.files if file.state == "loaded"), title)
        if row.title in refused and loaded:
            services.chats.rename(self.runs.visitor, row.id, loaded)

    def ask_next(self) -> str:
        """Begin a run with the question whose turn it is, the conversation being free: its id, "" for none."""
        queue, last = self.runs.services.store.unanswered.queue(self.conversation), self._last()
        try:
            return self._begin(queue[0], last.id if last else "", queue) if queue else ""
        except NotWaiting:  # another tab was faster
            return ""

    def _begun_with_preset(self, text: str, files: Sequence[tuple[str, BinaryIO]]) -> tuple[str, str]:
        """As ``take``, with the sample files of the preset loaded first; one that is gone has none."""
        services = self.runs.services
        preset = services.presets.of(self.preset)
        samples = services.presets.files(preset.name) if preset else ()
        loaded: list[tuple[str, BinaryIO]] = [(sample.name, BytesIO(sample.content)) for sample in samples]
        conversation, run = replace(self, preset="").take(text, [*loaded, *files])
        if preset:
            services.chats.choose(self.runs.visitor, conversation, BEGINNING, Beginning(preset=preset.name).written())
        return conversation, run

    def _begin(self, text: str, follows: str, queue: Sequence[str] = ()) -> str:
        self.retitle(text)
        tray = self.runs.services.trays.get(self.conversation)
        question = Question(text, parent=follows, past=tuple(self.past), images=tray.pictures if tray else ())
        run = self.runs.begin(text, self.conversation, follows, question, queue=queue)
        if tray:
            tray.take()
        return run

    def _last(self) -> RunRow | None:
        """The last run on the branch that is shown."""
        shown = path(self.runs.services.store.runs(self.conversation), self.picks) if self.conversation else []
        return shown[-1].row if shown else None

    def _answers(self, last: RunRow, text: str) -> bool:
        """Whether the text answered what the last run asks."""
        call = fold(self.runs.services.store.readable(last.id)).waiting if not last.ended else None
        if call is None or call.asked is None or call.asked.kind != "question":
            return False
        try:
            self.runs.decide(last, call.call_id, "answered", text)
        except NotWaiting:
            return False
        return True

    def _wait(self, conversation: str, text: str) -> None:
        if not self.runs.services.store.unanswered.enqueue(conversation, text):
            raise BadRequest.because(
                "{most} questions wait already. Remove one, or send this later.", most=MOST_IN_QUEUE
            )

    def _load(self, text: str, files: Sequence[tuple[str, BinaryIO]]) -> str:
        """Begin to load files, and have the text wait until they are there; the id of the conversation."""
        services, visitor = self.runs.services, self.runs.visitor
        text = text if shows(text) else ""
        self.retitle(text or files[0][0])
        conversation = self.conversation or services.store.add_conversation(visitor, text or files[0][0])
        before, stopped = services.loading(conversation), Flag()
        tables = services.tables.open(visitor, conversation, stopped)
        documents = services.documents.open(visitor, conversation, stopped)
        intake = Intake(tables, documents, services.tray(visitor, conversation))
        after = before if before and not before.done else None
        services.keep_loading(conversation, Loading(intake, files, after, stopped))
        if text:
            self._wait(conversation, text)
        return conversation
