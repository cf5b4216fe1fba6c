"""A visitor's runs: begun, begun anew from any point of another one, decided about, stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event as Flag
from time import time

from agent.application.preferences import (
    CONTEXT,
    PROMPTS,
    ChatContext,
    ChatPrompts,
    Wish,
    key_gone,
    read_back,
    read_context,
    read_prompts,
    write_choice,
)
from agent.application.services import Services
from agent.application.setup import Choice, as_prepared, on_owners_key, setup, words_for
from agent.application.spending.paid_model import PaidModel
from agent.endings import reason_of
from agent.errors import BadRequest, GlassboxError
from agent.events import Decided, Event, Failed, Prepared, Waiting
from agent.inner_runs import model_calls
from agent.interruptions import Decision
from agent.loop.agent import Agent
from agent.loop.limits import money_of, most_seconds
from agent.models.stop_flag import StopFlag
from agent.runs import rewind
from agent.runs.conversation import Question, ask, check_length, first_event, take_up
from agent.store.runs import NotWaiting, RunRow
from agent.store.schema import ANYBODY
from agent.text.characters import shows
from agent.toolkit.wording import ByTool, from_plain
from agent.tools.catalogue import own_specs
from agent.tools.spec import Belongings, Parts
from agent.views.fold import RunView, fold
from agent.views.timeline import seconds_taken
from agent.wire.outcomes import Action

WORDS = "words"  # what the words of a conversation's tools are kept under (see ``agent.store.chats.Chats.choose``)
MOST_SAID = 4_000  # characters of what a person says to a call that waits
_CONNECT_SECONDS = 3.0  # that a question waits for tool servers that are being connected


@dataclass(frozen=True, slots=True)
class ChatRuns:
    """What a visitor's clicks do with runs; each method that begins a run gives its id.

    ``session`` is what the visitor's own tool servers are kept under. ``choice`` is with what they have questions
    answered; with ``key_missing``, its server was given a key that is not known any more.
    """

    services: Services
    visitor: str
    session: str
    choice: Choice
    key_missing: bool = False

    def begin(
        self,
        text: str,
        conversation: str,
        follows: str,
        question: Question | None = None,
        choice: Choice | None = None,
        queue: Sequence[str] = (),
    ) -> str:
        """Start a run after the run ``follows``, or refuse it where it cannot be: then it has ended with the reason.

        It stands in a conversation of its own where ``conversation`` is "". ``question`` has more to say than ``text``
        where it is given; ``choice`` holds for this run alone; ``queue`` is as in ``Unanswered.begin``. The question is
        stored with its run before anything else is done.
        """
        store, question = self.services.store, question or Question(text, parent=follows)
        if question.at is not None:  # beside the run that it branches from, or on from there
            question = replace(question, images=rewind.pictures_of_run(store, question.parent))
        tables = self.services.tables.open(self.visitor, conversation).cards() if conversation else ()
        question = replace(question, refused=self._refused(conversation, follows))
        asked = first_event(question, tables)
        choice = (self.prompts(conversation) if conversation else ChatPrompts()).over(choice or self.choice)
        written = write_choice(choice, self.services.settings.base_url)
        conversation, run = store.unanswered.begin(asked, self.visitor, conversation, follows, queue, written)
        question, cancel = self._with_wishes(replace(question, asked=asked), conversation), StopFlag()
        try:
            chosen = self.agent(choice, conversation, cancel, run)
        except GlassboxError as error:
            store.append(run, [Failed(reason_of(error), error.text)])
            self.services.telemetry.ended(run)
        else:
            keep = partial(self.services.runs.keep, run)
            story = partial(ask, store, run, question, chosen, keep=keep)
            plain = not (question.so_far or question.first) and question.merging is None
            self.work(run, choice, chosen, story, cancel, [asked], taken=0, here=not plain)
        return run

    def edited(self, row: RunRow, text: str) -> str:
        """Another question in the same place, beside the old one. Raises ``BadRequest``."""
        text = text.strip()
        if not shows(text):
            raise BadRequest.because("There is no question in it yet.")
        check_length(text)
        return self._begin(row, Question(text, parent=row.id, at=0))

    def again(self, row: RunRow, view: RunView, choice: Choice | None = None) -> str:
        """The same question once more, in the same place."""
        return self._begin(row, Question(view.question, parent=row.id, at=0), choice)

    def compared(self, row: RunRow, view: RunView) -> str:
        """The same question by the same model, to compare the answers; by one's own model where it was brought in."""
        begun = next((event for event in reversed(self._events(row)) if isinstance(event, Prepared)), None)
        merging = True if view.understood else None
        question = Question(view.question, parent=row.id, at=0, merging=merging, compares=True)
        return self._begin(row, question, as_prepared(self.choice, begun) if begun and not begun.imported else None)

    def merged(self, row: RunRow, view: RunView) -> str:
        """The same question, made one that stands alone."""
        return self._begin(row, Question(view.question, parent=row.id, at=0, merging=True))

    def unmerged(self, row: RunRow, view: RunView) -> str:
        """The same question in the person's own words."""
        return self._begin(row, Question(view.question, parent=row.id, at=0, merging=False))

    def resumed(self, row: RunRow, view: RunView) -> str:
        """Run on from where it was stopped."""
        return self._from(row, view, rewind.resumed(self._events(row)))

    def answering_now(self, row: RunRow, view: RunView) -> str:
        """No more tools: the best answer from what was observed."""
        return self._from(row, view, rewind.answering_now(self._events(row)))

    def from_step(self, row: RunRow, step: int, choice: Choice | None = None) -> str:
        """Ask the model, or that of ``choice``, once more from before a step on."""
        events = self._events(row)
        return self._from(row, fold(events), rewind.before(events, step), choice=choice)

    def with_action(self, row: RunRow, view: RunView, step: int, thought: str, tool: str, text: str) -> str:
        """Run on with a step in the person's words. Raises ``BadRequest``."""
        so_far, action = rewind.with_action(self._events(row), step, thought, tool, text)
        return self._from(row, view, so_far, (action,))

    def with_observation(self, row: RunRow, view: RunView, call_id: str, text: str) -> str:
        """Run on from an observation in the person's words. Raises ``BadRequest``."""
        return self._from(row, view, rewind.with_observation(self._events(row), call_id, text))

    def decided_anew(self, row: RunRow, call_id: str) -> str:
        """Run on from where the person was asked about a call: they are asked again."""
        events = self._events(row)
        return self._from(row, fold(events), rewind.before_decision(events, call_id))

    def decide(self, row: RunRow, call_id: str, decision: Decision, text: str = "") -> None:
        """Decide about a call that waits, and let the run go on; ``text`` are new arguments where it is ``edited``.

        Raises ``ForTheModel`` or ``ForTheUser`` where that cannot be, and ``NotWaiting`` where the call waits no more;
        then nothing is decided.
        """
        services, events = self.services, self._events(row)
        call = fold(events).waiting
        if call is None or call.asked is None or call.call_id != call_id:
            raise NotWaiting
        begun = next(event for event in reversed(events) if isinstance(event, Prepared))
        choice, cancel = as_prepared(services.choices.get(row.id) or self.choice, begun), StopFlag()
        allow = call.tool if decision == "always" else ""
        chosen = self.agent(choice, row.conversation, cancel, row.id, new=False, allow=allow)
        arguments = chosen.tools.prepare(call.tool, text).arguments if decision == "edited" else None
        said = "" if decision == "edited" else text.strip()[:MOST_SAID]
        decided = Decided(call_id, decision, said, arguments, max(0.0, time() - call.asked.time))
        taken = services.store.take_up(row.id, [decided], call_id)
        if allow:
            services.chats.allow(self.visitor, row.conversation, allow)
        services.choices.drop(row.id)
        self.go_on(row, choice, chosen, cancel, self._events(row), taken)

    def go_on(
        self, row: RunRow, choice: Choice, chosen: Agent, cancel: Flag, so_far: Sequence[Event], taken: int
    ) -> None:
        """Have a run worked on from its last event, which ``so_far`` ends in."""
        wished, keep = self.context(row.conversation), partial(self.services.runs.keep, row.id)
        story = partial(take_up, self.services.store, row.id, chosen, pinned=wished.pinned, out=wished.out, keep=keep)
        self.work(row.id, choice, chosen, story, cancel, so_far, taken)

    def stop(self, run: str) -> None:
        """Stop a run, at work or waiting."""
        services = self.services
        waits = services.telemetry.on and services.store.is_waiting(run)
        services.runs.cancel(run)
        services.choices.drop(run)
        if waits:
            services.telemetry.ended(run)

    def prompts(self, conversation: str) -> ChatPrompts:
        """The prompts chosen for a conversation of the visitor's own."""
        return read_prompts(self.services.chats.chosen(conversation, PROMPTS))

    def context(self, conversation: str) -> ChatContext:
        """The turns that the visitor wants told, or not, in a conversation of their own."""
        return read_context(self.services.chats.chosen(conversation, CONTEXT))

    def wish(self, row: RunRow, wish: Wish) -> None:
        """Pin a turn, leave it out or put it back, from the next question of its conversation on."""
        wished = self.context(row.conversation).with_turn(row.id, wish)
        self.services.chats.choose(self.visitor, row.conversation, CONTEXT, wished.written())

    def _with_wishes(self, question: Question, conversation: str) -> Question:
        wished = self.context(conversation)
        return replace(question, before=replace(question.before, pinned=wished.pinned, out=wished.out))

    def _refused(self, conversation: str, follows: str) -> tuple[str, ...]:
        """Lines on the files that were dropped since that run was asked, and could not be loaded."""
        loading, before = self.services.loading(conversation), self.services.store.run(follows) if follows else None
        new = loading and loading.ended >= (before.created if before else 0.0)
        return loading.refused_told() if loading and new else ()

    def words(self, conversation: str) -> ByTool:
        """The words chosen for tools in a conversation of the visitor's own."""
        body = self.services.chats.chosen(conversation, WORDS) if conversation else ""
        return from_plain(read_back(body).get(WORDS, ()))

    def parts(self, conversation: str, cancel: Flag | None = None) -> Parts:
        """What tools are made with for a conversation of the visitor's own, or for none yet where it is "".

        What a tool finds or does there ends when ``cancel`` is set.
        """
        # What a tool finds for somebody without a conversation is nobody else's.
        found = self.services.search_cache(conversation or f"visitor {self.visitor}")
        parts = Parts(self.services.settings, found, self.choice.language, **self._belongings(conversation, cancel))
        return replace(parts, words=words_for(self.choice, parts.words))

    def _belongings(self, conversation: str, cancel: Flag | None, seconds: float = 0.0) -> Belongings:
        """What the visitor has there; tool servers that are being connected are waited for so many ``seconds``."""
        services, visitor = self.services, self.visitor
        belongings: Belongings = {
            "databases": services.databases.open(visitor, conversation, cancel),
            "servers": services.servers.tools(self.session, seconds),
            "more": own_specs(services.own_tools.look()),
            "words": self.words(conversation),
        }
        if conversation:
            belongings["tables"] = services.tables.open(visitor, conversation, cancel)
            belongings["documents"] = services.documents.open(visitor, conversation, cancel)
            belongings["shell"] = services.shells.open(visitor, conversation, cancel)
        return belongings

    def _events(self, row: RunRow) -> list[Event]:
        return self.services.store.events(row.id)

    def _begin(self, row: RunRow, question: Question, choice: Choice | None = None) -> str:
        return self.begin(question.text, row.conversation, row.follows, question, choice)

    def _from(
        self,
        row: RunRow,
        view: RunView,
        so_far: tuple[Event, ...],
        first: tuple[Action, ...] = (),
        choice: Choice | None = None,
    ) -> str:
        kept, at = rewind.with_contents(self.services.store, row.id, so_far), len(so_far) + 1
        question = Question(view.question, parent=row.id, at=at, so_far=kept, first=first)
        return self._begin(row, question, choice)

    def agent(
        self,
        choice: Choice,
        conversation: str,
        cancel: StopFlag,
        run: str,
        new: bool = True,
        allow: str = "",
        so_far: Sequence[Event] = (),
    ) -> Agent:
        """With what a ``run`` of that conversation is answered; ``allow`` is a tool that needs not ask from now on.

        ``so_far`` are the events of one that is resumed, by which it has used some of its money. A ``new`` run on the
        owner's key is counted. Raises ``ForTheUser`` where the choice cannot be used, or a cap was reached.
        """
        services, visitor = self.services, self.visitor
        self._check_key(choice)
        owner_pays = on_owners_key(services.settings, choice)
        if owner_pays:
            services.budget.check_model(choice.model)
        made = setup(
            services.settings,
            choice,
            services.capabilities,
            services.search_cache(conversation),
            services.prices,
            services.budget.left(visitor) if owner_pays else None,
            (*services.chats.allowed(conversation), *filter(None, [allow])),
            [note.text for note in services.notes.of(visitor)],
            cancel,
            **self._belongings(conversation, cancel, _CONNECT_SECONDS),
        )
        if owner_pays and new:
            services.budget.take(visitor)
        if not owner_pays:
            return made
        spent = money_of(model_calls(so_far))
        return replace(made, model=PaidModel(made.model, services.budget, run, visitor, made.limits.money, spent))

    def _check_key(self, choice: Choice) -> None:
        """Refuse to ask a server without the key that it was given before: least of all is it asked on the owner's."""
        if self.key_missing and choice.endpoint == self.choice.endpoint and not choice.key:
            raise key_gone(choice.endpoint)

    def work(
        self,
        run: str,
        choice: Choice,
        chosen: Agent,
        story: Callable[[Flag], Iterator[Event]],
        cancel: Flag,
        so_far: Sequence[Event] = (),
        taken: int = ANYBODY,
        here: bool = False,
    ) -> None:
        """Work through ``story``, whoever looks; ``so_far`` are the stored events of the run.

        Where there are workers, one of them does, from what is stored: unless it must be ``here``, or what it needs is
        in this process alone, as a visitor's key is.
        """
        services = self.services
        alone = here or bool(choice.key) or services.servers.connected(self.session)
        if services.queue and not alone:
            kept = services.queue.hand(run, taken)
            if kept is None:
                return
            taken = kept

        def worked(cancel: Flag) -> Iterator[Event]:
            for event in story(cancel):
                if isinstance(event, Waiting):
                    services.choices.keep(run, choice)
                yield event

        most = most_seconds(chosen.limits)
        left = max(1.0, most - seconds_taken(so_far)) if most else 0.0
        told = services.telemetry.watched(run, chosen.model.name, chosen.model.endpoint, worked, so_far)
        services.runs.start(run, told, left, cancel, so_far, self.visitor, taken)
