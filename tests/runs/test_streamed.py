"""The text of an unfinished reply is there after its process was killed or told to end."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.events import Event, Failed, Prepared, Replied, TextDelta
from agent.store.runs import Store
from agent.store.unanswered import Piece
from agent.views.fold import fold

ROOT = Path(__file__).parents[2]
# Takes the address of a store. A run in it falls silent in mid-reply; says so as soon as what came of it is kept.
SILENT = """
import signal, sys, threading, time
from pathlib import Path
from agent.loop.agent import Agent
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask
from agent.runs.in_flight import Runs
from agent.store.runs import Store
from agent.toolkit.base import Toolbox

class Silent(Scripted):
    def stream(self, request):
        for word in "Thought: I know this.\\nFinal Answer: The sea is deep".split(" "):
            yield Delta(text=word + " ")
        threading.Event().wait()

signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # as Streamlit ends
store = Store(sys.argv[1], Path(sys.argv[2]))
run = store.add_run(store.add_conversation("", "t"))
runs = Runs(store)
runs.start(run, lambda cancel: ask(store, run, Question("q"), Agent(Silent([]), Toolbox([])), cancel))
while "deep" not in "".join(delta.text for delta in store.unanswered.streamed(run, 2)):
    time.sleep(0.01)
print(run, flush=True)
threading.Event().wait()
"""


@pytest.mark.system
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_had_streamed_is_kept_when_the_process_ends(
    database_url: str, open_store: Callable[..., Store], how: signal.Signals, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", SILENT, database_url, str(tmp_path / "processes")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        run = process.stdout.readline().strip()
        process.send_signal(how)
    store = open_store(database_url, tmp_path / "processes")
    assert store.close_interrupted() == ([run] if how is signal.SIGKILL else [])
    *_, replied, failed = events = store.events(run)
    assert isinstance(replied, Replied)
    assert isinstance(failed, Failed)
    assert (replied.unfinished, replied.usage.estimated, failed.reason) == (True, True, "interrupted")
    assert replied.usage.input > 0 < replied.usage.output
    assert failed.partial == "The sea is deep"
    assert "I know this." in fold(events).steps[-1].thought
    assert store.unanswered.streamed(run, 2) == []


def test_a_piece_belongs_to_the_reply_that_comes_next(database_url: str, open_store: Callable[..., Store]) -> None:
    store = open_store(database_url)
    run = store.add_run(store.add_conversation("", "t"))
    prepared: list[Event] = [Prepared("q", "system", (), "react", "m", "e")]
    store.append(run, prepared)
    deltas = [TextDelta("answer", "a"), TextDelta("answer", "b"), TextDelta("thought", "c")]
    store.unanswered.keep_streamed([Piece(run, 3, 1, deltas), Piece(run, 4, 1, deltas[:1]), Piece("no run", 1, 1, [])])
    assert store.unanswered.streamed(run, 1) == [TextDelta("answer", "ab"), TextDelta("thought", "c"), deltas[0]]
    assert store.unanswered.streamed(run, 2) == []
    store.append(run, [Failed("cancelled", "Stopped.")])
    store.unanswered.keep_streamed([Piece(run, 5, 1, deltas)])  # late: the run has ended
    assert store.unanswered.streamed(run, 1) == []
