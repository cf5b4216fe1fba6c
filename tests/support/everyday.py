"""Everyday questions to the demo model, and how its answers are judged: for ``test_everyday`` and the benchmark.

The questions are in ``everyday_questions.toml``, and those that no rule was made for in ``first_sight_questions.toml``,
``plain_questions.toml`` and ``fresh_questions.toml``; in ``worded_questions.toml`` a word turns each, and those of
``shaped_questions.toml`` have the shapes that a stranger's declined ones had; the pieces of those in
``pieced_questions.toml`` stand in any order, and those of ``implied_questions.toml`` leave something to be implied;
those of ``strangers_questions.toml`` are of all kinds, as outside testers word them.
They are asked as the app asks them: its own agent with all usual tools, a real store, tables and documents in the real
sandbox. Only the clock stands still, and nothing is on the web.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag
from time import process_time
from typing import Any, Literal

from agent.application.setup import Choice, setup
from agent.data.documents.chat_documents import Documents
from agent.data.tables.chat_tables import Tables
from agent.demo.model import Demo
from agent.errors import ToolFailed
from agent.events import Event, ToolCalled
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.models.protocol import Delta, Request
from agent.runs.conversation import Question as Asking
from agent.runs.conversation import answer
from agent.sandbox.client import Sandbox
from agent.settings import read_settings
from agent.store.runs import Store
from agent.toolkit.base import Tool, Toolbox, tool
from agent.tools.now.now_tool import now_tool
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import fold

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
QUESTIONS = Path(__file__).with_name("everyday_questions.toml")
FIRST_SIGHT = Path(__file__).with_name("first_sight_questions.toml")
PLAIN = Path(__file__).with_name("plain_questions.toml")
FRESH = Path(__file__).with_name("fresh_questions.toml")
WORDED = Path(__file__).with_name("worded_questions.toml")
SHAPED = Path(__file__).with_name("shaped_questions.toml")
PIECED = Path(__file__).with_name("pieced_questions.toml")
IMPLIED = Path(__file__).with_name("implied_questions.toml")
STRANGERS = Path(__file__).with_name("strangers_questions.toml")
SAMPLES = Path(__file__).parents[2] / "samples"
LONGEST = 1.0  # seconds of the processor for all turns of a question
Verdict = Literal["right", "declined", "wrong"]
Half = Literal["working", "unseen", "later"]
# What every answer that claims nothing has in it.
DECLINED = re.compile(
    r"rules|could not (?:look up|get to|be asked)|I found no|I would rather not guess|That did not work|do not measure|"
    r"do not go together|Without that I cannot|found nothing|switched off|no exact figure|Say which|"
    r"規則|できませんでした|わかりません|推測|見つかりませんでした|読み取れません|答えられません|換算できません|計算できません",
    re.I,
)
_JAPANESE = re.compile(r"[぀-ヿ一-鿿]")
_NUMBER = re.compile(r"(?<![A-Za-z\d.])-?\d+(?:\.\d+)?(?!\.?\d)")


@dataclass(frozen=True, slots=True)
class Everyday:
    """One question with the turns before it; ``figures`` must all stand in the last answer, one of each "a|b".

    ``declines``: it cannot be known. ``declined_now``: it could be, but no rule reads it yet. ``in_order``: the
    figures, words then, follow one another. ``drawn``: a chart is asked for.
    """

    number: int
    kind: str
    asked: tuple[str, ...]
    figures: tuple[str, ...] = ()
    declines: bool = False
    declined_now: bool = False
    in_order: bool = False
    drawn: bool = False
    half: Half = "working"
    table: str = ""
    document: str = ""

    @property
    def language(self) -> str:
        return "ja" if _JAPANESE.search(self.asked[-1]) else "en"

    @property
    def expected(self) -> Verdict:
        return "declined" if self.declined_now else "right"

    def judged(self, said: str, calls: tuple[str, ...] = ()) -> Verdict:
        """Whether the answer is right; one that claims nothing is never wrong."""
        if DECLINED.search(said):
            return "right" if self.declines else "declined"
        held = all(any(stands(said, each) for each in figure.split("|")) for figure in self.figures)
        if self.in_order:
            held = held and sorted(self.figures, key=said.find) == list(self.figures)
        if self.drawn:
            held = held and any(call.startswith("chart:") for call in calls)
        return "right" if held and not self.declines else "wrong"


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a question: the last ``answer``, as what it was ``understood``, and the ``calls`` for it.

    ``seconds``: processor time of this process for all its turns.
    """

    question: Everyday
    answer: str
    understood: str
    calls: tuple[str, ...]
    next_questions: tuple[str, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        return self.question.judged(self.answer, self.calls)


def everyday_questions(file: Path = QUESTIONS) -> tuple[Everyday, ...]:
    read = _material(file)["question"]
    return tuple(_question(number, each, file) for number, each in enumerate(read))


def _question(number: int, read: dict[str, Any], file: Path) -> Everyday:
    asked, figures = tuple(read.pop("asked")), tuple(read.pop("figures", ()))
    later, named = read.pop("later", False), read.pop("half", "")
    drawn = sha256(" / ".join(asked).encode()).digest()[0] % 2 if file == FIRST_SIGHT else number % 2
    half: Half = named or ("later" if later else "unseen" if drawn else "working")
    return Everyday(number, read.pop("kind"), asked, figures, half=half, **read)


def _material(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def stands(said: str, figure: str) -> bool:
    """Whether the answer has that figure: a number to its places, a date or a time in any usual form, else words."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", figure):
        return any(form in said for form in _dates(date.fromisoformat(figure)))
    if re.fullmatch(r"\d\d?:\d\d", figure):
        return any(re.search(rf"(?<![\d:]){form}", said, re.I) for form in _times(*map(int, figure.split(":"))))
    if not re.fullmatch(r"-?\d+(?:\.\d+)?", figure):
        return re.search(rf"(?<![\da-z]){re.escape(figure)}", said, re.I) is not None or (
            bool(_JAPANESE.search(figure)) and figure in said
        )
    places = len(figure.partition(".")[2])
    found = _NUMBER.findall(re.sub(r"(?<=\d),(?=\d{3})", "", said).replace("−", "-"))
    return any(abs(float(each) - float(figure)) <= 0.5000001 * 10**-places * (places > 0) for each in found)


def _dates(day: date) -> Iterator[str]:
    yield day.isoformat()
    yield f"{day.day} {day:%B} {day.year}"
    yield f"{day:%B} {day.day}, {day.year}"
    yield f"{day.year}年{day.month}月{day.day}日"


def _times(hour: int, minute: int) -> Iterator[str]:
    half = "am" if hour < 12 else "pm"
    yield rf"0?{hour}:{minute:02}"
    yield rf"0?{hour % 12 or 12}:{minute:02} ?{half}"
    yield rf"{'午前' if hour < 12 else '午後'}{hour % 12}時" + (f"{minute}分" if minute else "")
    yield rf"{hour}時" + (f"{minute}分" if minute else "")
    if not minute:
        yield rf"{hour % 12 or 12} ?{half}"


class _ThatDay(Demo):
    """The demo model on the day of the questions."""

    def stream(self, request: Request) -> Generator[Delta]:
        facts = replace(request.facts, today=NOON.date().isoformat()) if request.facts else None
        return super().stream(replace(request, facts=facts))


def _offline(name: str) -> Tool:
    @tool(name=name, description="Searches the web.")
    def search(query: str) -> str:
        """Searches.

        Args:
            query: what for
        """
        raise ToolFailed("The search could not reach the internet.", "service")

    return search


@dataclass
class Room:
    """Asks questions, each in a conversation of its own; those of one file share what was loaded."""

    store: Store
    tables: Tables
    documents: Documents
    material: dict[str, Any]
    _chats: dict[str, Agent] = field(default_factory=dict[str, Agent])

    def ask(self, question: Everyday) -> Answered:
        agent = replace(self._agent(question.table, question.document), language=question.language)
        history: dict[str, list[Event]] = {}
        begun = process_time()
        for number, asked in enumerate(question.asked):
            history[str(number)] = list(answer(Asking(asked, Before(dict(history))), agent, Flag()))
        events = history[str(len(question.asked) - 1)]
        view = fold(events)
        calls = tuple(f"{event.tool}: {event.input}" for event in events if isinstance(event, ToolCalled))
        said, seconds = view.answer or str(view.failure), process_time() - begun
        return Answered(question, said, view.understood, calls, view.next_questions, seconds)

    def _agent(self, table: str, document: str) -> Agent:
        name = table or document
        if name not in self._chats:
            chat = self.store.add_conversation("v", name)
            tables, documents = self.tables.open("v", chat), self.documents.open("v", chat)
            if table:
                sample = SAMPLES / f"{table}.csv"
                made = sample.read_bytes() if sample.exists() else self.material["tables"][table].encode()
                tables.load(f"{table}.csv", io.BytesIO(made))
            if document:
                documents.load(f"{document}.txt", io.BytesIO(self.material["documents"][document].encode()))
            made = setup(read_settings({}), Choice(), Capabilities(), SearchCache(), tables=tables, documents=documents)
            self._chats[name] = replace(made, model=_ThatDay(pace=0), tools=still(made.tools))
        return self._chats[name]


def still(tools: Toolbox) -> Toolbox:
    """The tools with a clock that stands still, and without the web."""
    away = ("search", "wikipedia", "weather", "news", "movies", "wolfram", "read_url")
    still = {"now": now_tool(lambda: NOON)} | {name: _offline(name) for name in away}
    return replace(tools, tools=[still.get(each.name, each) for each in tools.tools])


@contextmanager
def everyday_room(sandbox: Sandbox, file: Path = QUESTIONS) -> Iterator[Room]:
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/store.db")
        tables = Tables(store.database, Path(folder) / "tables", sandbox)
        documents = Documents(store.database, Path(folder) / "documents", sandbox)
        yield Room(store, tables, documents, _material(file))
        store.close()
