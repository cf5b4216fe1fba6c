"""A visitor's sets of tests: an answer is kept, a file is imported, a set is exported, an expectation is changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from agent.application.services import Services
from agent.errors import BadRequest, GlassboxError
from agent.evals.expectations import Expectation, adapter, read_expectations
from agent.evals.formats import read_set
from agent.evals.kept_test import KeptSet, KeptTest, name_of, named
from agent.evals.proposals import proposed
from agent.events import Event
from agent.evidence import earlier_turns
from agent.interface_text import Text
from agent.runs.rewind import with_contents
from agent.sharing.export.collected import Exported, ExportedRun, take
from agent.sharing.import_save import save_import
from agent.store.evaluations import TestRow
from agent.store.runs import RunRow
from agent.text.characters import shows

FIRST_SET = Text("My tests")


@dataclass(frozen=True, slots=True)
class TestShelf:
    """The sets of a visitor. Methods raise ``BadRequest`` for what is not theirs, or cannot be.

    ``first`` is what a set is called that is made for a visitor who has named none.
    """

    __test__ = False

    services: Services
    visitor: str
    first: str = str(FIRST_SET)

    def proposed(self, row: RunRow) -> tuple[Expectation, ...]:
        """What can be expected of the answer of a run."""
        store = self.services.store
        path = [each.id for each in store.path(row.conversation, row.id)]
        past = store.past(row.conversation, path[:-1])
        return proposed(with_contents(store, row.id, store.events(row.id)), earlier_turns([*past.values()][-12:]))

    def keep(self, row: RunRow, test_set: str = "", name: str = "", chosen: Sequence[Expectation] | None = None) -> str:
        """Keep an answer as a test, with its conversation up to there; the id of the test.

        In the visitor's first set, which is made where there is none, where ``test_set`` is "".
        """
        store = self.services.store
        path = [each.id for each in store.path(row.conversation, row.id)]
        exported = take(store, self.visitor, row.conversation, path)
        question = next(iter(store.events(row.id)))
        asked = getattr(question, "question", "")
        test = KeptTest("", named(name, asked), asked, tuple(self.proposed(row) if chosen is None else chosen))
        return self._add(test, test_set or self.first_set(), exported, row.conversation, own=True).id

    def first_set(self) -> str:
        """The id of the visitor's first set, which is made where there is none."""
        sets = self.services.evaluations.sets(self.visitor)
        return sets[0].id if sets else self.services.evaluations.add_set(self.visitor, self.first)

    def import_file(self, file: str, data: bytes) -> str:
        """A new set with the tests of a file; its id."""
        read = read_set(file, data)
        kept = self.services.evaluations
        test_set = kept.add_set(self.visitor, named(read.name, file, self.first))
        try:
            for test in read.tests:
                self.add(test, test_set)
        except GlassboxError:
            kept.remove_set(self.visitor, test_set)  # all of them or none
            raise
        return test_set

    def add(self, test: KeptTest, test_set: str, source: str = "") -> TestRow:
        """Add a test to a set; ``source`` is the conversation whose tables it asks, "" for its own."""
        runs = [*test.history, *([test.recorded] if test.recorded else [])]
        told = tuple(
            ExportedRun(str(number), str(number - 1) if number > 1 else "", tuple(events))
            for number, events in enumerate(runs, 1)
        )
        return self._add(test, test_set, Exported(test.name, told), source, bool(test.recorded))

    def _add(
        self, test: KeptTest, test_set: str, exported: Exported, source: str, recorded: bool = True, own: bool = False
    ) -> TestRow:
        """A test with its runs, the visitor's ``own`` or a file's, in a conversation of its own.

        The last of them is what was recorded.
        """
        store = self.services.store
        if exported.runs:
            conversation = save_import(store, self.visitor, exported, own=own)
            self.services.chats.rename(self.visitor, conversation, test.name)
        else:
            conversation = store.add_conversation(self.visitor, test.name)
        runs = [each.id for each in store.runs(conversation)]
        before = runs[:-1] if recorded else runs
        row = TestRow(
            uuid4().hex,
            test_set,
            conversation,
            before[-1] if before else "",
            runs[-1] if recorded and runs else "",
            source,
            named(test.name, test.question, "?"),
            _written(test.question, test.expectations),
        )
        self.services.evaluations.add_test(self.visitor, row)
        return row

    def tests(self, test_set: str) -> list[TestRow]:
        """The tests of a set."""
        return self.services.evaluations.tests(self.visitor, test_set)

    def lost(self, row: TestRow) -> bool:
        """Whether the chat whose tables and documents a test asks is gone."""
        if not row.source:
            return False
        there = self.services.store.conversation(row.source)
        return there is None or there.visitor != self.visitor

    def read(self, row: TestRow, whole: bool = True) -> KeptTest:
        """The test of a row; without its runs where it need not be ``whole``."""
        body = json.loads(row.body)
        expectations = read_expectations(body["expectations"])
        if not whole:
            return KeptTest(row.id, row.name, body["question"], expectations)
        store = self.services.store
        path = [each.id for each in store.path(row.conversation, row.follows)] if row.follows else []
        history = tuple(store.past(row.conversation, path).values())
        recorded: Sequence[Event] = ()
        if row.recorded:
            recorded = with_contents(store, row.recorded, store.readable(row.recorded))
        return KeptTest(row.id, row.name, body["question"], expectations, history, recorded)

    def change(self, row: TestRow, name: str, expectations: Sequence[Expectation]) -> None:
        """Write a test anew."""
        if not shows(name):
            raise BadRequest.because("A test needs a name.")
        plain = adapter().dump_python(tuple(expectations), mode="json")
        read_expectations(plain)
        body = _written(json.loads(row.body)["question"], expectations)
        self.services.evaluations.change_test(self.visitor, row.id, name_of(name), body)

    def export(self, test_set: str) -> KeptSet:
        """A set with everything, to be written to a file."""
        named = next((each.name for each in self.services.evaluations.sets(self.visitor) if each.id == test_set), "")
        return KeptSet(named, tuple(map(self.read, self.tests(test_set))))


def _written(question: str, expectations: Sequence[Expectation]) -> str:
    plain = adapter().dump_python(tuple(expectations), mode="json")
    return json.dumps({"question": question, "expectations": plain}, ensure_ascii=False)
