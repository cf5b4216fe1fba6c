"""The card of a model of a visitor's: measured in the background, as tests are, and found again by its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import Plan, read_plan, rows_of, version_of
from agent.application.evaluation.evaluation_run import begin
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.preferences import chosen, read_back
from agent.application.services import Services
from agent.application.setup import DEMO, Choice, comparable, default_choice
from agent.data.tables.chat_tables import ConversationTables
from agent.errors import BadRequest, GlassboxError
from agent.evals.formats.result_lines import Row
from agent.evals.model_card.card_figures import ModelCard, card_of
from agent.evals.model_card.card_questions import card_questions, edition, samples
from agent.evals.model_card.fixed_tools import LIMITS, WIRES
from agent.interface_text import Text
from agent.settings import VERSION, Settings, WireChoice
from agent.store.evaluations import CountRow, EvaluationRow

# By a model's address, as it is compared, and name: when its card was begun, how many questions it answered right, and
# of how many.
Scores: TypeAlias = Mapping[tuple[str, str], tuple[float, int, int]]
_KIND = "card"
_MOST_LOOKED = 200  # of the latest cards of a visitor's
_BUSY = Text("A model's card is being measured already. Wait for it, or stop it first.")


@dataclass(frozen=True, slots=True)
class CardRun:
    """A card as it was measured, or is being, with its ``rows``; ``asked`` is the edition of its questions.

    ``app`` is the version of Glassbox that began it, "" where that was not written down.
    """

    row: EvaluationRow
    card: ModelCard
    rows: tuple[Row, ...]
    asked: str
    app: str

    @property
    def current(self) -> bool:
        """Whether its questions are those of today."""
        return self.asked == edition()

    @property
    def whole(self) -> bool:
        return self.card.done >= self.card.of


def wires_for(endpoint: str) -> tuple[WireChoice, ...]:
    """The wires that a model there is measured on: the demo model knows the text wire alone."""
    return WIRES[:1] if endpoint == DEMO else WIRES


def measure(runs: ChatRuns) -> str:
    """Measure the card of the chosen model in the background; the id of its evaluation. Raises ``GlassboxError``."""
    services, choice = runs.services, runs.choice
    kept = services.evaluations
    if any(row.working for each in kept.sets(runs.visitor, _KIND) for row in kept.evaluations(runs.visitor, each.id)):
        raise BadRequest(_BUSY)
    test_set = _questions(services, runs.visitor)
    asked = Choice(
        choice.endpoint, choice.model, choice.key, temperature=choice.temperature, limits=LIMITS, window=choice.window,
        thinking=choice.thinking, prices=choice.prices,
    )  # fmt: skip
    versions = tuple(
        version_of(wire, replace(asked, wire=wire), services.settings.base_url) for wire in wires_for(choice.endpoint)
    )
    tests = tuple(row.id for row in kept.tests(runs.visitor, test_set))
    return begin(runs, test_set, Plan("live", versions, tests, card=True, app=VERSION))


def card_run(services: Services, visitor: str, endpoint: str, model: str) -> CardRun | None:
    """The latest card of a model that has results or is at work; the one begun last where none has."""
    found = list(_cards(services, visitor, endpoint, model))
    return next((each for each in found if each.row.working or each.card.done), next(iter(found), None))


def measured_scores(services: Services, visitor: str) -> Scores:
    """Of each model with a card that was measured here, what came of its better wire."""
    latest: dict[tuple[str, str], float] = {}
    best: dict[tuple[str, str], tuple[float, int, int]] = {}
    for count in services.evaluations.counts(visitor, _KIND):
        about = _about(services.settings, count)
        if about is None or latest.setdefault(about, count.created) != count.created:
            continue
        if about not in best or count.passed >= best[about][1]:
            best[about] = count.created, count.passed, count.runs
    return best


def _cards(services: Services, visitor: str, endpoint: str, model: str) -> Iterator[CardRun]:
    """Those of a model, the latest first."""
    kept = services.evaluations
    for test_set in reversed(kept.sets(visitor, _KIND)):
        names = {row.id: row.name for row in kept.tests(visitor, test_set.id)}
        for row in kept.evaluations(visitor, test_set.id, _MOST_LOOKED):
            if _about(services.settings, row) != (comparable(endpoint), model):
                continue
            plan = read_plan(row)
            rows = rows_of(plan, names, [*kept.attempts(row.id).values()])
            by_wire = {each.name: [row for row in rows if row.version == each.name] for each in plan.versions}
            card = card_of(model, by_wire, row.created)
            yield CardRun(row, card, tuple(rows), test_set.name, plan.app)


def _about(settings: Settings, row: EvaluationRow | CountRow) -> tuple[str, str] | None:
    """The address, as it is compared, and the name of the model that an evaluation is of."""
    version = next(iter(read_plan(row).versions), None)
    if version is None:
        return None
    choice = chosen(read_back(version.written), default_choice(settings))
    return comparable(choice.endpoint), choice.model


def _questions(services: Services, visitor: str) -> str:
    """The visitor's own copy of the questions of today, made where there is none."""
    kept, shelf = services.evaluations, TestShelf(services, visitor)
    for each in kept.sets(visitor, _KIND):
        if each.name == edition() and each.tests == len(card_questions()):
            return each.id
    test_set = kept.add_set(visitor, edition(), _KIND)
    try:
        first = ""  # the conversation that has the tables
        for question in card_questions():
            row = shelf.add(question.test, test_set, first if question.tables else "")
            if question.tables and not first:
                first = row.conversation
                _load(services.tables.open(visitor, first))
    except GlassboxError:
        kept.remove_set(visitor, test_set)
        raise
    return test_set


def _load(chat: ConversationTables) -> None:
    for path in samples():
        with path.open("rb") as file:
            chat.load(path.name, file)
