from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import Event as Flag
from threading import Timer

import duckdb
import pytest
from PIL import Image

from agent.cli.main import main
from agent.cli.terminal import Terminal, stoppable
from agent.errors import ModelFailed
from agent.events import Answered, Asked, Event, Failed, TextDelta, dump, load
from agent.sandbox import client
from agent.settings import Limits
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import events_of, final, react

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def away_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSBOX_WIKIPEDIA_URL", "http://127.0.0.1:9/w/api.php")


def test_the_demo_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["What is the square root of 25?"]) == 0
    out = capsys.readouterr().out
    for part in ("Thought: ", "Action: calculator", "Action Input: ", "Observation: 5", "Final Answer: "):
        assert part in out
    assert out.count("The square root of 25 is 5.") == 1


def test_json_is_one_stored_event_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "What is 15% of 80?"]) == 0
    events = [load(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["Asked", "Prepared", "Replied", "ToolCalled", "Observed", "Replied", "Answered"]


PAUSES_OF_A_SUM = """
import time
pauses = []
time.sleep = pauses.append
from agent.cli.main import main
main([*{options}, "2^10"])
print(set(pauses))
"""


@pytest.mark.parametrize("options", [["--json"], []])
def test_the_demo_keeps_no_pace_for_a_pipe(options: list[str]) -> None:
    """In a process of its own: a run that an earlier test began may still keep its pace in this one."""
    program = PAUSES_OF_A_SUM.format(options=options)
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert out.splitlines()[-1] == "{0.0}"


# A library, or a room of ours, that takes long to import, and that a sum by the demo model has no need of.
NOT_FOR_A_SUM = (
    *("sqlalchemy", "httpx2", "asyncio", "pint", "xml.sax"),
    *("agent.wire.native", "agent.wire.dialects", "agent.text.in_japanese", "agent.extensions.servers"),
    *("agent.models.openai_chat", "agent.models.model_failures", "agent.views", "agent.text.injection"),
    "agent.data.tables.loading",
)


def test_a_sum_waits_for_nothing_that_it_does_not_need() -> None:
    asked = "import sys; from agent.cli.main import main; main(['--json', '2^10'])"
    said = f"{asked}; print([name for name in {NOT_FOR_A_SUM} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert out.splitlines()[-1] == "[]"


def test_history_makes_a_follow_up_possible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "chat.jsonl"
    assert main(["--history", str(history), "What is the square root of 25?"]) == 0
    assert main(["--history", str(history), "and its cube?"]) == 0
    out = capsys.readouterr().out
    assert "Understood as: " in out
    assert "125" in out
    lines = history.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["type"] for line in lines].count("Asked") == 2


def test_what_the_model_was_sent_is_shown_beside_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "chat.jsonl"
    main(["--history", str(history), "What is the square root of 25?"])
    capsys.readouterr()
    assert main(["--history", str(history), "--show-context", "--show-prompt", "--json", "What is 2+2?"]) == 0
    told = capsys.readouterr()
    assert [type(load(line)).__name__ for line in told.out.splitlines()][-1] == "Answered"
    assert told.err.count("-- system\n") == 3 and "Observation: 4" in told.err
    table = told.err[told.err.index("Context ") :].splitlines()
    assert [line.split("  ")[0] for line in table[1:]] == [
        "Instructions",
        "1. What is the square root of 25?, in full",
        "This question",
        "Free",
        "Kept free for the reply",
        "Window",
    ]


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_files_are_asked_and_what_is_made_is_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A CSV and a Parquet file; the chart, its data and the result of the query are written, none over another."""
    sales, staff, made = tmp_path / "sales.csv", tmp_path / "staff.parquet", tmp_path / "made"
    sales.write_text("region,total\nNorth,5\nSouth,7.5\nNorth,1\nTotal,13.5\n")
    chart = "Total-total-by-region"
    duckdb.execute(f"COPY (SELECT 'Ann' AS name, 3 AS grade) TO '{staff}'")
    made.mkdir()
    (made / "Result.csv").write_text("kept")
    files = ["--file", str(sales), "--file", str(staff), "--save", str(made), "--show-prompt"]
    assert main([*files, "Plot total by region"]) == 0
    told = capsys.readouterr()
    assert "| South | 7.5 |" in told.out and f"Saved: {made / f'{chart}.vl.json'}" in told.err
    names = {path.name for path in made.iterdir()}
    assert names == {f"{chart}.vl.json", "Result.csv", "Result-2.csv", f"Data-of-{chart}.csv"}
    assert (made / "Result.csv").read_text() == "kept"
    assert json.loads((made / f"{chart}.vl.json").read_bytes())["layer"][0]["mark"]["type"] == "bar"
    assert (made / f"Data-of-{chart}.csv").read_text(encoding="utf-8-sig").splitlines()[1] == "South,7.5"
    assert "staff.parquet" in told.err and "sales.csv: 1 row of totals left out of sums." in told.err


def test_a_file_that_is_no_table_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "a.csv"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    for file, said in ((picture, "a.csv is a picture"), (tmp_path / "none.csv", "none.csv: No such file")):
        with pytest.raises(SystemExit) as caught:
            main(["--file", str(file), "q"])
        assert caught.value.code == 2 and said in capsys.readouterr().err


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_programs_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    programs = {
        "llm_math": ("2**100", str(2**100)),
        "word_problem": ("def solution(): return 23 - 20", "3"),
        "colored_objects": ("def solution(): return [('pen', 'red')][0][1]", "'red'"),
        "python": ("import math; math.comb(52, 5)", "2598960"),
    }
    replies = [react("By a program.", name, code) for name, (code, _) in programs.items()]
    with ModelServer([*replies, final("Done.")]) as server:
        chosen = ["--base-url", server.endpoint, "--model", "m", "--wire", "react", "--tools", ",".join(programs)]
        assert main([*chosen, "Work it out"]) == 0
    out = capsys.readouterr().out
    assert [value for _, value in programs.values() if f"Observation: {value}\n" not in out] == []


@pytest.mark.parametrize(
    "broken",
    ["not an event", '{"type": "Asked", "question": "wh', '{"type": "Answered"}', "\xff", '{"type": "New"}'],
)
def test_a_broken_history_is_told_by_file_and_line(
    broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "chat.jsonl"
    history.write_text(dump(Asked("q", 0.0)) + "\n\n" + broken, encoding="latin-1")
    before = history.read_bytes()
    with pytest.raises(SystemExit) as caught:
        main(["--history", str(history), "q"])
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert f"{history}, line 3: " in said
    assert ("Update Glassbox" in said) == ("New" in broken)
    assert history.read_bytes() == before


def test_a_history_whose_last_line_was_not_ended_goes_on_in_a_line_of_its_own(tmp_path: Path) -> None:
    history = tmp_path / "chat.jsonl"
    # The line separator is no end of a line of the file.
    history.write_text(dump(Asked("one\u2028two", 0.0)) + "\n" + dump(Answered("3")), encoding="utf-8")
    assert main(["--history", str(history), "2+2"]) == 0
    kinds = [json.loads(line)["type"] for line in history.read_text(encoding="utf-8").strip().split("\n")]
    assert kinds[:3] == ["Asked", "Answered", "Asked"]


@pytest.mark.parametrize(("name", "said"), [(".", "is not a file"), ("missing/chat.jsonl", "No such file")])
def test_a_history_that_can_not_be_kept(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--history", str(tmp_path / name), "q"])
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert str(tmp_path / name) in told
    assert said in told


def test_a_server_by_address_and_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MY_KEY", "sk-planted")
    with ModelServer([react("Sum.", "calculator", "2+2"), final("4")], key="sk-planted") as server:
        arguments = [
            "--base-url",
            server.endpoint,
            "--model",
            "m",
            "--wire",
            "react",
            "--api-key-env",
            "MY_KEY",
            "2+2?",
        ]
        assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Observation: 4" in out
    assert "sk-planted" not in out


def test_a_failed_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer([], key="right") as server:
        monkeypatch.setenv("MY_KEY", "wrong")
        assert main(["--base-url", server.endpoint, "--model", "m", "--api-key-env", "MY_KEY", "2+2?"]) == 1
    out = capsys.readouterr().out
    assert "Failed: " in out
    assert "key" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "question"),
        (["--max-steps", "0", "q"], "must be a whole number, 1 or more"),
        (["--max-steps", "abc", "q"], "must be a whole number, 1 or more"),
        (["--max-steps", "9" * 5000, "q"], "must be a whole number, 1 or more"),
        (["--wire", "telegraph", "q"], "telegraph"),
        (["--tools", "nope", "q"], "There is no tool nope"),
        (["--api-key-env", "NOT_SET_ANYWHERE", "q"], "NOT_SET_ANYWHERE is not set"),
        (["--base-url", "http://127.0.0.1:9", "q"], "Add --model NAME."),
        (["--model", "m", "q"], "Add --base-url ADDRESS."),
        (["--base-url", "ftp://127.0.0.1", "--model", "m", "q"], "ftp"),
        (["--unknown", "q"], "--unknown"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert said in capsys.readouterr().err


def test_wrong_settings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GLASSBOX_STEPS", "many")
    with pytest.raises(SystemExit) as caught:
        main(["q"])
    assert caught.value.code == 2
    assert "GLASSBOX_STEPS" in capsys.readouterr().err


def test_tools_and_steps_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tools", "calculator", "--max-steps", "1", "--json", "What is 2+2?"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "search" not in events[1]["system"]
    assert events[-1]["reason"] == "limit"
    assert main(["--tools", "", "--json", "What is 2+2?"]) == 0
    assert "calculator" not in capsys.readouterr().out.splitlines()[1]
    assert main(["--tools", " calculator , ", "--json", "What is 2+2?"]) == 0
    assert "calculator" in capsys.readouterr().out.splitlines()[1]


def test_what_the_terminal_shows_of_each_kind_of_end(capsys: pytest.CaptureFixture[str]) -> None:
    from agent.models.scripted import Scripted

    terminal = Terminal()
    for event in events_of(Scripted(["Thought: hm.", "Just prose.\nNext Actions:\n- More?"])):
        terminal.show(event)
    for event in events_of(Scripted([ModelFailed("Down.", "server")])):
        terminal.show(event)
    out = capsys.readouterr().out
    assert "Told to the model: Your last reply could not be used" in out
    assert "Final Answer: Just prose." in out
    assert "  - More?" in out
    assert "Failed: Down." in out


def test_what_a_model_says_can_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    for event in (TextDelta("answer", "a\x1b]52;c;eA==\x07\r\n\tb"), Failed("model", "Down\x9b2J.")):
        terminal.show(event)
    assert capsys.readouterr().out == "\nFinal Answer: a\ufffd]52;c;eA==\ufffd\n\tb\n\nFailed: Down\ufffd2J.\n"


def test_ctrl_c_ends_a_story_that_is_stuck_and_keeps_what_it_told() -> None:
    told_half, let_go = Flag(), Flag()
    before = signal.getsignal(signal.SIGINT)

    def story(cancel: Flag) -> Iterator[Event]:
        yield Asked("q", 0.0)
        yield TextDelta("answer", "Half an ans")
        told_half.wait(30)
        Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        let_go.wait(30)
        yield Failed("error", "This comes too late." if cancel.is_set() else "Nobody asked it to stop.")

    events = stoppable(story, Limits())
    told = [next(events), next(events)]
    told_half.set()
    replied, failed = events
    assert [type(event).__name__ for event in (*told, replied)] == ["Asked", "TextDelta", "Replied"]
    assert failed == Failed("cancelled", "Stopped.", partial="Half an ans")
    assert signal.getsignal(signal.SIGINT) is before
    let_go.set()


def test_a_run_whose_server_falls_silent_ends_at_the_limit_on_time(capsys: pytest.CaptureFixture[str]) -> None:
    # The last line never comes; before the first word a server has longer, see ``overdue``.
    silent = Reply("Thought: Hm.\nFinal Answer: Never.", gate=Flag())
    with ModelServer([silent]) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLASSBOX_SECONDS", "0.2")
        assert main(at(server)) == 1
    assert "Failed: The limit on time (0.2 s) was reached" in capsys.readouterr().out


@contextmanager
def running(*arguments: str, **more: object) -> Iterator[subprocess.Popen[str]]:
    """``python -m agent`` in a process of its own, ended at the latest after a minute and a half."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | more.pop("env", {})  # type: ignore[operator]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"} | more
    command = [sys.executable, "-m", "agent", *arguments]
    with subprocess.Popen(command, env=environment, **streams) as process:  # type: ignore[call-overload]
        last = Timer(90, process.kill)
        last.start()
        yield process
        process.wait()
        last.cancel()


def at(server: ModelServer) -> list[str]:
    return ["--base-url", server.endpoint, "--model", "m", "--wire", "react", "q"]


def wait_for_request(server: ModelServer) -> None:
    ends = time.monotonic() + 60
    while not server.requests and time.monotonic() < ends:
        time.sleep(0.01)
    assert server.requests


def test_ctrl_c_stops_the_run_and_keeps_what_it_had() -> None:
    with ModelServer([final("so " * 400)], delay=0.02) as server, running("--json", *at(server)) as process:
        wait_for_request(server)
        process.send_signal(signal.SIGINT)
        events = [json.loads(line) for line in process.communicate()[0].splitlines()]
    assert process.returncode == 1
    assert [event["type"] for event in events] == ["Asked", "Prepared", "Replied", "Failed"]
    assert events[-1]["reason"] == "cancelled"


def test_ctrl_c_stops_a_run_whose_server_says_nothing(tmp_path: Path) -> None:
    history = tmp_path / "chat.jsonl"
    with ModelServer([Reply(silent=True)]) as server, running("--history", str(history), *at(server)) as process:
        wait_for_request(server)
        process.send_signal(signal.SIGINT)
        out, told = process.communicate()
    assert process.returncode == 1
    assert (out, told) == ("\nStopped.\n", "")
    kinds = [type(load(line)).__name__ for line in history.read_bytes().splitlines()]
    assert kinds == ["Asked", "Prepared", "Failed"]


def test_a_second_ctrl_c_ends_the_program_without_a_traceback() -> None:
    with ModelServer([Reply(silent=True)]) as server, running(*at(server)) as process:
        wait_for_request(server)
        for _ in range(200):
            process.send_signal(signal.SIGINT)
            time.sleep(0.002)
        out, told = process.communicate()
    assert process.returncode == -signal.SIGINT
    assert (out, told) == ("", "")


@pytest.mark.parametrize("arguments", [["2+2"], ["--json", "2+2"], ["--help"]])
def test_an_output_that_is_full(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full, running(*arguments, stdout=full) as process:
        told = process.communicate()[1]
    assert process.returncode == 1
    assert told == "python -m agent: the output could not be written: No space left on device.\n"


def test_a_history_that_grows_too_large(tmp_path: Path) -> None:
    history = tmp_path / "chat.jsonl"

    def keep_files_small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    whole = {"PYTHONDONTWRITEBYTECODE": "1"}  # bytecode that is cut off breaks its module for everybody
    with running("--history", str(history), "2+2", preexec_fn=keep_files_small, env=whole) as process:
        told = process.communicate()[1]
    assert process.returncode == 1
    assert told == f"python -m agent: {history} could not be written: File too large.\n"


def test_a_reader_that_has_seen_enough_and_an_output_that_was_closed() -> None:
    with running("2+2") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        told = process.stderr.read()
    assert (process.returncode, told) == (1, "")
    closed = subprocess.run(
        ["sh", "-c", 'exec "$0" -m agent 2+2 >&-', sys.executable], stderr=subprocess.PIPE, timeout=30, check=False
    )
    assert (closed.returncode, closed.stderr) == (0, b"")


def test_a_terminal_that_knows_few_characters() -> None:
    narrow = {"PYTHONIOENCODING": "ascii"}
    with running("What is 20 °C in °F?", env=narrow) as process:
        out, told = process.communicate()
    assert (process.returncode, told) == (0, "")
    assert "20 ?C is 68 ?F." in out
    with running("--json", "What is 20 °C in °F?", env=narrow) as process:
        first = process.communicate()[0].splitlines()[0]
    assert json.loads(first)["question"] == "What is 20 °C in °F?"


def test_a_question_with_bytes_that_are_no_text() -> None:
    with running("--json", b"2+\xff2") as process:  # type: ignore[arg-type]
        out, told = process.communicate()
    assert (process.returncode, told) == (0, "")
    assert json.loads(out.splitlines()[0])["question"] == "2+?2"


def test_pictures_go_with_the_question(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad = tmp_path / "red.png", tmp_path / "bad.svg"
    file = BytesIO()
    Image.new("RGB", (9, 7), "red").save(file, "PNG")
    good.write_bytes(file.getvalue())
    bad.write_text("<svg/>")
    with ModelServer(["Red."]) as server:
        told = ["--base-url", server.endpoint, "--model", "m", "--wire", "native"]
        assert main([*told, "--image", str(good), "What is it?"]) == 0
        parts = server.requests[0]["messages"][-1]["content"]
        assert [part["type"] for part in parts] == ["text", "image_url"]
    for wrong, said in ((bad, "PNG, JPEG, WebP or GIF"), (tmp_path / "gone.png", "gone.png")):
        with pytest.raises(SystemExit) as ended:
            main(["--image", str(wrong), "What is it?"])
        assert ended.value.code == 2 and said in capsys.readouterr().err
