"""The sandbox: what it is for, what it must not let through, and that it refuses where a protection is missing."""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas
import pytest

from agent.sandbox import client, frames
from agent.sandbox.answers import program_answer
from agent.sandbox.client import PYTHON, ROOT_ALONE, TABLES, Sandbox
from agent.sandbox.inside import zygote
from agent.sandbox.inside.notebook import Notebook
from agent.sandbox.inside.worker import in_words
from agent.sandbox.locks import kernel, privileges, seccomp
from agent.sandbox.sandbox_errors import SandboxBusy, SandboxOff, WorkerFailed, WorkerKilled
from agent.sandbox.session import Session, resident
from agent.shell.bubblewrap import ROOT_ALONE as NO_SHELL
from tests.support.sandbox_attacks import FIND, LIES, NOT_LOOSE, PRELUDE, QUIET, RESOURCES, ROLE

ROOT = Path(__file__).parents[2]
LOOSE = ROOT / "tests" / "support" / "servers" / "loose_zygote.py"
EXPLOITED = LOOSE.with_name("exploited_zygote.py")
JOBS = "tests.support.sandbox_jobs"
FILES = replace(TABLES, handler=JOBS)
NOBODY = 65534
pytestmark = [pytest.mark.system, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    one = Sandbox(handlers=(JOBS,))
    yield one
    one.close()


@pytest.fixture
def session(sandbox: Sandbox, tmp_path: Path) -> Iterator[Session]:
    folder = tmp_path / "visitor"
    folder.mkdir()
    yield sandbox.session(folder, replace(ROLE, seconds=30))
    sandbox.forget(folder)


def run(session: Session, code: str, **tables: str) -> dict[str, Any]:
    return session.call({"kind": "python", "code": code, "tables": tables})


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])


def scratches(sandbox: Sandbox) -> list[Path]:
    launcher = sandbox._launcher
    return [one for one in launcher.base.iterdir() if one.is_dir()] if launcher else []


# What nobody gets through ---------------------------------------------------------------------------------------


def python_of_all(folder: Path) -> str | None:
    """An interpreter with our libraries that every user can start: this one, or the system's of the same version."""
    if all(map(privileges.reachable, [Path(sys.executable), *privileges.needed_paths(), ROOT])):
        return sys.executable
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    system = Path("/usr/bin") / name
    libraries = Path(sysconfig.get_paths()["purelib"])
    if not system.exists() or not all(map(privileges.reachable, [libraries, ROOT])):
        return None
    for one in (folder / "bin", folder / "lib" / name):
        one.mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(system)
    (folder / "lib" / name / "site-packages").symlink_to(libraries)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    return str(folder / "bin" / "python")


@contextmanager
def attackers(folder: str, python: str, user: int | None, zygote: str = "", left_out: tuple[str, ...] = ()) -> Any:
    """All attacks, in a process of their own; ``()`` waits for what came of them."""
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755 if user is None else 0o777)
        process = subprocess.Popen(
            [python, "-m", "tests.support.sandbox_attacks", f"{root}/{folder}", zygote, json.dumps(left_out)],
            cwd=ROOT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

        def wait() -> dict[str, Any]:
            said, errors = process.communicate(timeout=400)
            assert process.returncode == 0, errors
            return json.loads(said)

        try:
            yield wait
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def attacks() -> Iterator[dict[str, Any]]:
    """All runs at once, while the other tests of this file go on."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        python = python_of_all(Path(place))
        warm = Path(place) / "warm.py"
        warm.symlink_to(LOOSE)
        with (
            attackers("visitor", sys.executable, None) as own,
            attackers("without-all", sys.executable, None, str(warm), NOT_LOOSE) as loose,
        ):
            # Where root may become somebody else, it is again an ordinary user: a third will do.
            most = tuple(name for count, name in enumerate(QUIET) if count % 3)
            if python is None or os.geteuid():
                yield {"own": own, "loose": loose}
                return
            with (
                attackers("visitor", python, NOBODY) as nobody,
                attackers("visitor", python, None, left_out=most) as spare,
            ):
                yield {"own": own, "loose": loose, "nobody": nobody, "spare": spare}


@pytest.fixture(scope="module")
def page_attacks() -> Iterator[dict[str, Any]]:
    """The same by pages that ``read_url`` reads."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        unlocked = Path(place) / "without-all-exploited.py"
        unlocked.symlink_to(EXPLOITED)
        with (
            attackers("visitor", sys.executable, None, str(EXPLOITED)) as locked,
            attackers("visitor", sys.executable, None, str(unlocked), NOT_LOOSE) as loose,
        ):
            yield {"locked": locked(), "loose": loose()}


@pytest.mark.usefixtures("attacks")
def test_resources(sandbox: Sandbox, tmp_path: Path) -> None:
    """Placed first: the attacks run beside it."""
    folder = tmp_path / "visitor"
    folder.mkdir()
    session = sandbox.session(folder, ROLE)
    most = ROLE.memory + 300 * (1 << 20)
    for name, (code, reasons) in RESOURCES.items():
        peaks, done = [0], threading.Event()
        watching = threading.Thread(target=watch_peak, args=(session, peaks, done))
        watching.start()
        try:
            run(session, f"{PRELUDE}\n{code}")
            reason = ""
        except WorkerKilled as killed:
            reason = killed.reason
        done.set()
        watching.join()
        # On a busy machine, time may be up before something else is.
        assert reason in reasons | {"time"}, (name, reason)
        assert max(peaks) <= most, (name, peaks)
        if name in ("threads that stay", "file kept open"):
            session.close()
        assert len(scratches(sandbox)) <= 1, name
    sandbox.forget(folder)
    assert list(folder.iterdir()) == []


def watch_peak(session: Session, peaks: list[int], done: threading.Event) -> None:
    """The most memory that the session's worker has beyond what it started with."""
    while not done.wait(0.005):
        worker = session._worker
        if worker is not None and worker.memory < 1 << 60:
            peaks[0] = max(peaks[0], resident(worker.process.pid) - (worker.memory - worker.role.memory))


def test_lies(session: Session) -> None:
    for name, code in LIES.items():
        lie = f"{PRELUDE}\n{FIND}\n" + re.sub(r"(?m)^ {8}", "", code)
        with pytest.raises(WorkerKilled):
            session.call({"kind": "python", "code": lie}, 2)
            pytest.fail(name)
        assert not session.running, name
    assert run(session, "1 + 1")["value"] == "2"


@pytest.mark.parametrize("who", ["own", "nobody", "spare"])
def test_no_attack_gets_through(attacks: dict[str, Any], who: str) -> None:
    if who not in attacks:
        pytest.skip("needs root, and an interpreter that every user may start")
    result = attacks[who]()
    assert result["off"] == ""
    assert result["hits"] == {}
    assert len(QUIET) >= 200
    assert result["tried"] == (len(QUIET) + 2) // 3 if who == "spare" else len(QUIET)
    user = int(result["worker"])
    assert {"own": user == os.getuid() or user > 60000, "nobody": user == NOBODY, "spare": user > 60000}[who]


def test_the_canaries_are_not_blind(attacks: dict[str, Any]) -> None:
    """Where nothing protects, most attacks reach something; the rest fails for want of rights, or of the network."""
    check_that_most_hit(attacks["loose"]())


def check_that_most_hit(result: dict[str, Any]) -> None:
    assert len(result["hits"]) >= 140
    for group in ("reading", "environment", "network", "writing", "processes"):
        assert any(name.startswith(group) for name in result["hits"])


def test_no_page_that_takes_the_parser_over_gets_through(page_attacks: dict[str, Any]) -> None:
    locked = page_attacks["locked"]
    assert (locked["off"], locked["hits"], locked["tried"]) == ("", {}, len(QUIET))
    check_that_most_hit(page_attacks["loose"])


# What refuses ---------------------------------------------------------------------------------------------------


def test_each_missing_protection_refuses(tmp_path: Path) -> None:
    from tests.support.servers import loose_zygote

    sandbox = Sandbox(zygote=LOOSE)
    try:
        for name in loose_zygote.CHANGES:
            if name == "user-silent" and os.geteuid():
                continue  # an ordinary user has nothing to give up
            folder = tmp_path / f"without-{name}"
            folder.mkdir()
            session = sandbox.session(folder, replace(PYTHON, writable=True))
            if name == "all":
                run(session, "open('ran', 'w')")
                assert (folder / "ran").exists()
                continue
            with pytest.raises(SandboxOff, match="not safe"):
                run(session, "open('ran', 'w')")
            assert not session.running
            assert list(folder.iterdir()) == []
        assert run(sandbox.session(tmp_path, PYTHON), "1")["value"] == "1"
    finally:
        sandbox.close()


WITHOUT = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from agent.sandbox.locks import kernel, seccomp
from agent.sandbox.client import PYTHON, Sandbox
from agent.sandbox.sandbox_errors import SandboxOff
steps = [(seccomp.LOAD, 0, 0, 0)]
for number in map(int, sys.argv[2].split()):
    steps += [(seccomp.EQUAL, 0, 1, number), seccomp.refusal(38)]
packed = seccomp.packed([*steps, seccomp.answer(seccomp.ALLOW)])
text = ctypes.create_string_buffer(packed, len(packed))
class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.c_void_p))
kernel.prctl(38, 1)
kernel.LIBC.prctl(22, 2, ctypes.byref(Program(len(packed) // 8, ctypes.addressof(text))), 0, 0)
sandbox = Sandbox()
print(sandbox.available())
try:
    sandbox.session(Path(sys.argv[3]), PYTHON).call({"kind": "python", "code": "open('ran', 'w')"})
except SandboxOff as error:
    print(error)
"""


@pytest.mark.parametrize(("word", "numbers"), [("Landlock", kernel.LANDLOCK), ("seccomp", kernel.SECCOMP)])
def test_a_kernel_without_it_is_named(word: str, numbers: tuple[int, ...], tmp_path: Path) -> None:
    """A real kernel's answer: a filter of the test's own makes the calls unknown."""
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(ROOT), " ".join(map(str, numbers)), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()
    assert len(said) == 2
    assert said[0] == said[1]
    assert word in said[0]
    assert list(tmp_path.iterdir()) == []


def test_another_processor_or_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert "needs Linux" in client.missing()
    assert "needs Linux" in Sandbox().available()
    monkeypatch.undo()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "needs Linux" in client.missing()


NO_LINUX = """
import sys
sys.path.insert(0, sys.argv[1])
import contextlib, tempfile, threading, time, typing
from pathlib import Path
sys.platform = "win32"
sys.modules.update(resource=None, fcntl=None)
from agent.sandbox.client import PYTHON, Sandbox
from agent.sandbox.sandbox_errors import SandboxOff
print(Sandbox().available())
try:
    Sandbox().session(Path("."), PYTHON)
except SandboxOff as error:
    print(error)
"""


def test_it_is_imported_everywhere() -> None:
    said = subprocess.run(
        [sys.executable, "-c", NO_LINUX, str(ROOT)], capture_output=True, text=True, check=True
    ).stdout
    assert said == f"{client.WRONG_MACHINE}\n" * 2


def test_it_says_so_before_anybody_asks(tmp_path: Path) -> None:
    """A machine whose workers are not safe is known for it soon after the start."""
    script = tmp_path / "without-seccomp-silent.py"
    script.symlink_to(LOOSE)
    sandbox = Sandbox(zygote=script)
    try:
        assert sandbox.available() == ""
        for _ in range(3000):
            if sandbox.available():
                break
            time.sleep(0.01)
        assert "not safe on this machine" in sandbox.available()
    finally:
        sandbox.close()


def test_a_zygote_that_does_not_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    script = tmp_path / "zygote.py"
    script.write_text("raise SystemExit('no')", encoding="utf-8")
    sandbox = Sandbox(zygote=script)
    assert "did not start" in sandbox.available(30)
    assert "no" in caplog.text
    with pytest.raises(SandboxOff):
        sandbox.session(tmp_path, PYTHON).call({"kind": "python", "code": ""})
    sandbox.close()


# The filter -----------------------------------------------------------------------------------------------------


def verdict(program: bytes, architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel would answer."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("HBBI", program))
    value = at = 0
    while True:
        code, true, false, operand = steps[at]
        at += 1
        match code:
            case seccomp.LOAD:
                value = struct.unpack_from("<I", data, operand)[0]
            case seccomp.AND:
                value &= operand
            case seccomp.RETURN:
                return operand
            case _:
                tests = {
                    seccomp.EQUAL: value == operand,
                    seccomp.AT_LEAST: value >= operand,
                    seccomp.ANY_BIT: value & operand,
                }
                at += true if tests[code] else false


@pytest.mark.parametrize("machine", kernel.MACHINES)
@pytest.mark.parametrize("removes", [False, True])
def test_filter(machine: str, removes: bool) -> None:
    column, architecture = kernel.MACHINES[machine]
    program = seccomp.program(column, architecture, 1234, removes)
    assert len(program) // 8 < 4096
    plain = {*seccomp.numbers("plain", column).values()}
    plain |= {*seccomp.numbers("removing", column).values()} if removes else set()
    ruled = seccomp.numbers("ruled", column)
    for number in set(range(600)) - set(ruled.values()):
        allowed = verdict(program, architecture, number) == seccomp.ALLOW
        assert allowed == (number in plain), number
    assert verdict(program, architecture, seccomp.X32 | 39) == seccomp.KILL
    assert verdict(program, architecture ^ 0x80000000, 39) == seccomp.KILL
    allowed = {
        "kill": [((1234, 9), True), ((0, 9), False), ((2**64 - 1, 9), False), ((1, 0), False)],
        "tgkill": [((1234, 1, 6), True), ((1, 1, 6), False)],
        "prlimit64": [
            ((0, 7, 0, 5), True),
            ((1234, 7, 0, 5), True),
            ((0, 7, 5), False),
            ((0, 7, 1 << 32), False),
            ((9,), False),
        ],
        "prctl": [((15,), True), ((1,), False), ((4, 1), False), ((22,), False), ((38,), False)],
        "ioctl": [((1, 0x5401), True), ((0, 0x5412), False), ((0, 0x541C), False)],
        "fcntl": [
            ((1, 3), True),
            ((1, 8), False),
            ((1, 10), False),
            ((1, 1024), False),
            ((1, 1026), False),
            ((1, 15), False),
        ],
        "clone": [((0x3D0F00,), True), ((17,), False), ((0x10000 | 0x10000000,), False), ((0x4111,), False)],
        "clone3": [((0,), False)],
        "openat2": [((0,), False)],
        "openat": [((0, 0, 0), True), ((0, 0, os.O_TRUNC), False), ((0, 0, os.O_TRUNC | os.O_WRONLY), True)],
    }
    for name, cases in allowed.items():
        for arguments, fine in cases:
            assert (verdict(program, architecture, ruled[name], arguments) == seccomp.ALLOW) == fine, (name, arguments)


@pytest.mark.parametrize(
    ("header", "column"),
    [("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0), ("/usr/include/asm-generic/unistd.h", 1)],
)
def test_numbers_are_the_kernels(header: str, column: int) -> None:
    if not Path(header).exists():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text(encoding="utf-8"))
    known = {name: int(number) for name, number in found}
    known.setdefault("newfstatat", known.get("fstatat", -1))
    for table in seccomp.TABLES:
        for name, number in seccomp.numbers(table, column).items():
            assert known[name] == number, name
    assert known["seccomp"] == kernel.SECCOMP[column]
    assert known["capset"] == kernel.CAPSET[column]


# A notebook -----------------------------------------------------------------------------------------------------


def test_values_prints_and_state(session: Session) -> None:
    answer = run(session, "x = 20\nprint('hello')\nx + 1")
    assert (answer["value"], answer["prints"], answer["error"]) == ("21", "hello\n", None)
    assert session.fresh
    assert run(session, "x * 2")["value"] == "40"
    assert not session.fresh
    assert run(session, "None")["value"] is None
    assert run(session, "")["value"] is None
    assert run(session, "'a'; x = 3")["value"] is None
    assert run(session, "import sys; print('oh', file=sys.stderr)")["prints"] == "oh\n"
    assert run(session, "class A:\n  y: int = 1\nimport pickle; pickle.loads(pickle.dumps(A())).y")["value"] == "1"
    assert run(session, "for i in range(3): display(i)")["prints"] == "0\n1\n2\n"


def test_errors_are_those_of_the_program(session: Session) -> None:
    error = run(session, "def f(a):\n    return 1 / a\n\nprint('before')\nf(0)")["error"]
    assert error["type"] == "ZeroDivisionError"
    assert error["message"] == "ZeroDivisionError: division by zero"
    assert "return 1 / a" in error["trace"]
    assert "notebook.py" not in error["trace"]
    assert "SyntaxError" in run(session, "1 +")["error"]["trace"]
    answer = run(session, "import pandas\nprint('kept')\npandas.DataFrame({'a': [1]})['b']")
    assert answer["prints"] == "kept\n"
    assert answer["error"]["message"] == "KeyError: 'b'"
    assert "site-packages" not in answer["error"]["trace"]
    assert run(session, "raise KeyboardInterrupt")["error"]["type"] == "KeyboardInterrupt"
    assert run(session, "x = bytes(1 << 40)")["error"]["type"] == "MemoryError"
    assert run(session, "raise ValueError('y' * 10**6)")["error"]["message"].endswith("yyy")


def tables(session: Session) -> dict[str, str]:
    frame = pandas.DataFrame(
        {
            "Größe in cm": [1.5, None, float("inf")],
            "day": pandas.to_datetime(["2026-01-01 00:00", None, "2026-01-03 10:00"]),
            "kind": ["a", "b", None],
            "count": pandas.array([1, None, 2**60], dtype="Int64"),
            "yes": [True, False, True],
        }
    )
    frame.to_parquet(session.folder / "t1.parquet")
    frame[["kind"]].to_parquet(session.folder / "t2.parquet")
    return {"sales": "t1.parquet", "my kinds": "t2.parquet"}


def test_tables_in_and_out(session: Session) -> None:
    given = tables(session)
    shown = run(session, "sales", **given)["tables"][0]
    assert [column["name"] for column in shown["columns"]] == ["Größe in cm", "day", "kind", "count", "yes"]
    assert shown["rows"][0] == [1.5, "2026-01-01 00:00:00", "a", 1, True]
    assert shown["rows"][1] == [None, None, "b", None, False]
    assert shown["rows"][2][0] == "inf"
    assert shown["rows"][2][3] == str(2**60)
    assert run(session, "sorted(tables), len(tables['my kinds'])", **given)["value"] == "(['my kinds', 'sales'], 3)"
    assert run(session, "import duckdb; duckdb.sql('select count(*) as n from sales')", **given)["tables"][0][
        "rows"
    ] == [[3]]
    assert "NameError" in run(session, "df", **given)["error"]["message"]
    assert run(session, "len(df)", only="t2.parquet")["value"] == "3"
    assert run(session, "df = df.head(1); len(df)", only="t2.parquet")["value"] == "1"
    assert run(session, "len(df)", only="t2.parquet")["value"] == "1"
    grouped = run(session, "sales.groupby('kind')['yes'].sum()", **given)["tables"][0]
    assert [column["name"] for column in grouped["columns"]] == ["kind", "yes"]
    many = run(session, "import numpy, pandas; pandas.DataFrame({'a': numpy.arange(5000)})")["tables"][0]
    assert (len(many["rows"]), many["count"]) == (1000, 5000)
    assert "no table 'x'" in run(session, "tables['x']", **given)["error"]["message"]


def test_queries_before_frames(sandbox: Sandbox, session: Session) -> None:
    given = tables(session)
    code = "import duckdb; duckdb.connect().sql('select kind, count(*) as n from sales group by all order by 1')"
    assert run(session, code, **given)["tables"][0]["rows"] == [["a", 1], ["b", 1], [None, 1]]
    assert run(session, "len(sales)", **given)["value"] == "3"


def test_charts(session: Session) -> None:
    given = tables(session)
    drawn = run(session, "import altair\naltair.Chart(sales).mark_bar().encode(x='kind', y='count()')", **given)
    assert drawn["charts"][0]["spec"]["mark"]["type"] == "bar"
    drawn = run(session, "from matplotlib import pyplot\npyplot.plot([1, 2])\npyplot.title('$x^2$')\npyplot.show()")
    assert [chart["kind"] for chart in drawn["charts"]] == ["png"]
    assert run(session, "1")["charts"] == []
    drawn = run(session, "sales['yes'].astype(int).plot()", **given)
    assert len(drawn["charts"]) == 1
    many = run(session, "for i in range(5): pyplot.figure(); pyplot.plot([i])")
    assert (len(many["charts"]), many["left_out"]) == (3, 2)


def test_a_notebook_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a process around it: every kind of value ends in an answer that can be read."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    notebook = Notebook(tmp_path)
    frame = pandas.DataFrame({"a": [1.5, float("nan")], "day": pandas.to_datetime(["2026-01-02", None])})
    frame.to_parquet(tmp_path / "t.parquet")

    def cell(code: str) -> dict[str, Any]:
        answer = notebook.run(code, {"t": "t.parquet"})
        return program_answer(frames.unpacked(frames.packed({"answer": answer})[frames.HEAD.size :])["answer"])

    assert cell("1 + 1")["value"] == "2"
    assert cell("df")["tables"][0]["rows"] == [[1.5, "2026-01-02 00:00:00"], [None, None]]
    assert cell("t['a']")["tables"][0]["columns"] == [{"name": "a", "type": "float64"}]
    assert cell("import duckdb; duckdb.sql('select sum(a)::decimal(9, 2) as s from t where a > 0')")["error"] is None
    assert cell("import pyarrow; pyarrow.table({'x': [[1, 2]], 'y': [b'z']})")["tables"][0]["rows"][0][0] in (
        "[1 2]",
        "[1, 2]",
    )
    assert cell("df.set_index('day')")["tables"][0]["columns"][0]["name"] == "day"
    assert cell("import altair; altair.Chart(df).mark_line()")["charts"][0]["kind"] == "vega"
    assert cell("from matplotlib import pyplot; pyplot.plot([1, 2])")["charts"][0]["kind"] == "png"
    values = "[d.time(1), 2**70, d.timedelta(1), pandas.NA, 'x' * 9999]"
    odd = f"import datetime as d; pandas.DataFrame({{'o': {values}}}, dtype=object)"
    rows = cell(f"import pandas; {odd}")["tables"][0]["rows"]
    assert [row[0] for row in rows[:4]] == ["01:00:00", str(2**70), "1 day, 0:00:00", None]
    assert rows[4][0].endswith("more characters)")
    assert cell("display(1, None, df); display(df); display(df); display(df)")["left_out"] == 1
    assert cell("raise SystemExit('bye')")["error"]["type"] == "SystemExit"
    assert (
        cell("try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  raise ValueError('y' * 9999) from e")["error"]["type"]
        == "ValueError"
    )
    assert (
        "too much data"
        in cell("altair.Chart(pandas.DataFrame({'a': ['y' * 1000] * 4000})).mark_bar()")["error"]["message"]
    )
    assert cell("tables['none']")["error"]["type"] == "KeyError"
    assert cell("list(tables), len(tables), list(tables.keys())")["value"] == "(['t'], 1, ['t'])"


WORKS = """
import pandas, numpy, io, zoneinfo, sqlite3, duckdb, threading, statistics, json, pathlib, tempfile, colorsys
from concurrent.futures import ThreadPoolExecutor
days = pandas.date_range('2026-01-01', periods=50, tz='Asia/Tokyo')
frame = pandas.DataFrame({'t': days, 'v': numpy.random.rand(50)})
assert len(frame.merge(frame, on='t').groupby(frame.t.dt.month).sum(numeric_only=True)) == 2
buffer = io.BytesIO(); frame.to_parquet(buffer); assert len(pandas.read_parquet(buffer)) == 50
frame.to_csv('x.csv'); assert len(pandas.read_csv('x.csv', engine='pyarrow')) == 50
assert duckdb.sql("select count(*) from 'x.csv'").fetchall() == [(50,)]
assert duckdb.sql("select now()").fetchall()
assert sqlite3.connect('x.db').execute('select 1').fetchall() == [(1,)]
assert numpy.linalg.inv(numpy.eye(300)).sum() == 300
assert list(ThreadPoolExecutor(8).map(abs, range(20))) == list(range(20))
assert str(zoneinfo.ZoneInfo('Europe/Berlin')) == 'Europe/Berlin'
assert pathlib.Path('x.csv').exists()
from matplotlib import pyplot; pyplot.plot([1]); pyplot.savefig('x.svg'); pyplot.close('all')
'fine'
"""


def test_what_works(session: Session) -> None:
    answer = run(session, WORKS)
    assert (answer["error"], answer["value"]) == (None, "'fine'")


FONTS = """
from matplotlib import font_manager, pyplot
listed, anew = font_manager.fontManager, font_manager.FontManager()
kinds = lambda one: [sorted(map(str, fonts)) for fonts in (one.afmlist, one.ttflist)]
assert len(anew.afmlist) > 50 and len(anew.ttflist) > 30
assert kinds(listed) == kinds(anew)
with pyplot.rc_context({'pdf.use14corefonts': True}):
    pyplot.title('A figure with Helvetica')
    pyplot.savefig('x.pdf')
pyplot.close('all')
'fine'
"""


def test_the_fonts_are_those_that_matplotlib_would_list(session: Session) -> None:
    answer = run(session, FONTS)
    assert (answer["error"], answer["value"]) == (None, "'fine'")


@pytest.mark.parametrize("afm", [ModuleType("matplotlib._afm"), None])
def test_a_matplotlib_of_other_private_names_lists_its_fonts_itself(
    afm: ModuleType | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib._afm", afm)
    zygote.list_fonts()


def test_floods_are_cut(session: Session) -> None:
    answer = run(session, "print('y' * 300_000); 'z' * 100_000")
    assert len(answer["prints"]) == 100_000
    assert answer["prints_left_out"] == 200_001
    assert answer["value"].endswith("more characters)")


# A session ------------------------------------------------------------------------------------------------------


def test_stop_leaves_nothing(sandbox: Sandbox, session: Session) -> None:
    cancel = threading.Event()
    run(session, "1")
    pid = session._worker.process.pid  # type: ignore[union-attr]
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(WorkerKilled) as stopped:
        session.call({"kind": "python", "code": "open('x', 'w')\nwhile True: pass"}, 60, cancel)
    assert stopped.value.reason == "stopped"
    assert str(stopped.value) == "It was stopped."
    with suppress(FileNotFoundError, ProcessLookupError):  # it may go while it is looked at
        assert Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    assert list(session.folder.iterdir()) == []
    assert scratches(sandbox) == []
    with pytest.raises(WorkerKilled):
        session.call({"kind": "python", "code": "1"}, 60, cancel)
    assert run(session, "1")["value"] == "1"
    assert session.fresh


def test_nothing_runs_between_calls(session: Session) -> None:
    run(session, "import threading\ndef f():\n  while True: pass\nthreading.Thread(target=f, daemon=True).start()")
    pid = session._worker.process.pid  # type: ignore[union-attr]
    for _ in range(100):
        if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "T":
            break
        time.sleep(0.01)
    else:
        pytest.fail("it still runs")
    assert run(session, "1")["value"] == "1"


def test_what_is_said_unasked_is_not_an_answer(session: Session) -> None:
    run(session, f"{PRELUDE}\n{FIND}\nx = 5")
    late = "def late():\n  time.sleep(0.05)\n  answer(value='forged')"
    run(session, f"{late}\nthreading.Thread(target=late).start()\ntime.sleep(0.01)")
    session._worker.process.signal(signal.SIGCONT)  # type: ignore[union-attr]
    time.sleep(0.2)
    answer = run(session, "'x' in globals()")
    assert (answer["value"], session.fresh) == ("False", True)


def test_processor_seconds_bound_all_calls(sandbox: Sandbox, tmp_path: Path) -> None:
    """Also where nobody watches any more: the kernel ends it."""
    session = sandbox.session(tmp_path, replace(PYTHON, processor_seconds=1))
    with pytest.raises(WorkerKilled) as killed:
        run(session, "while True: pass")
    assert killed.value.reason == "time"
    sandbox.forget(tmp_path)


def test_close_ends_a_call(session: Session) -> None:
    ended: list[str] = []

    def work() -> None:
        try:
            session.call({"kind": "python", "code": "while True: pass"}, 60)
        except WorkerKilled as killed:
            ended.append(killed.reason)

    thread = threading.Thread(target=work)
    thread.start()
    while not session.running:
        time.sleep(0.01)
    time.sleep(0.1)
    session.close()
    thread.join(10)
    assert ended == ["stopped"]
    assert not session.running


def test_most_and_idle(tmp_path: Path) -> None:
    sandbox = Sandbox(most=2, idle=60, zygote=LOOSE, wait=0.0)
    try:
        sessions = []
        for name in "abc":
            (tmp_path / name).mkdir()
            sessions.append(sandbox.session(tmp_path / name, PYTHON))
            run(sessions[-1], "x = 1")
        assert [one.running for one in sessions] == [False, True, True]
        busy = [threading.Thread(target=lambda one=one: quietly(one)) for one in sessions[1:]]
        for thread in busy:
            thread.start()
        time.sleep(0.3)
        with pytest.raises(SandboxBusy):
            run(sessions[0], "1")
        for one in sessions[1:]:
            one.close()
        for thread in busy:
            thread.join()
        assert run(sessions[0], "1")["value"] == "1"
        sandbox._idle = 0.0
        while sessions[0].running:
            sandbox._tidy()
            time.sleep(0.01)
        assert sandbox.session(tmp_path / "a", PYTHON) is not sessions[0]
    finally:
        sandbox.close()
    with pytest.raises(SandboxOff):
        run(sandbox.session(tmp_path / "a", PYTHON), "1")


def test_one_visitor_never_has_all_places(tmp_path: Path) -> None:
    """Eight places, so two for each: what is idle makes room, what is at work is waited for, then it is said."""
    sandbox = Sandbox(most=8, zygote=LOOSE, wait=0.0)

    def session(name: str, visitor: str) -> Session:
        (tmp_path / name).mkdir()
        return sandbox.session(tmp_path / name, PYTHON, visitor)

    try:
        idle, *busy = [session(name, "anna") for name in "abc"]
        run(idle, "x = 1")
        working = [threading.Thread(target=quietly, args=(one,)) for one in busy]
        for thread in working:
            thread.start()
        while not all(one.running for one in busy):
            time.sleep(0.01)
        assert not idle.running
        with pytest.raises(SandboxBusy, match=r"Your other questions and files are using all the places that one"):
            run(idle, "1")
        with pytest.raises(SandboxBusy):
            sandbox.once(PYTHON, {"kind": "python", "code": "1"}, {}, 5.0, "anna")
        assert run(session("d", "bert"), "1")["value"] == "1"
        assert sandbox.once(PYTHON, {"kind": "python", "code": "1"}, {}, 5.0)["value"] == "1"
        sandbox._wait = 60.0
        waits = threading.Thread(target=lambda: run(idle, "1"))
        waits.start()
        busy[0].close()
        waits.join(30)
        assert idle.running, "it had waited for the place"
        for one in busy:
            one.close()
        for thread in working:
            thread.join()
    finally:
        sandbox.close()


def quietly(session: Session) -> None:
    with suppress(WorkerKilled):
        session.call({"kind": "python", "code": "import time; time.sleep(60)"}, 60)


DIES = """
import sys, threading, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from agent.sandbox.client import PYTHON, Sandbox
sandbox = Sandbox(zygote=Path(sys.argv[3]))
session = sandbox.session(Path(sys.argv[2]), PYTHON)
session.call({"kind": "python", "code": "1"})
threading.Thread(target=session.call, args=({"kind": "python", "code": "while True: pass"}, 60), daemon=True).start()
time.sleep(0.2)
print(sandbox._launcher.base, session._worker.process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_the_app(tmp_path: Path, end: signal.Signals) -> None:
    app = subprocess.Popen(
        [sys.executable, "-c", DIES, str(ROOT), str(tmp_path), str(LOOSE)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert app.stdout is not None
    base, pid = app.stdout.readline().split()
    zygote = parent_of(int(pid))
    assert list(Path(base).iterdir())
    app.send_signal(end)
    app.communicate()
    for _ in range(500):
        if not alive(int(pid)) and not alive(zygote):
            break
        time.sleep(0.01)
    assert not alive(int(pid))
    assert not alive(zygote)
    assert not Path(base).exists()  # the app's probe and what a program kept lie there


def test_a_zygote_that_dies_is_replaced(tmp_path: Path) -> None:
    sandbox = Sandbox(zygote=LOOSE)
    session = sandbox.session(tmp_path, PYTHON)
    run(session, "1")
    pid = session._worker.process.pid  # type: ignore[union-attr]
    zygote = parent_of(int(pid))
    os.kill(zygote, signal.SIGKILL)
    while not sandbox._launcher.gone:  # type: ignore[union-attr]
        time.sleep(0.01)
    for _ in range(500):
        if not alive(pid):
            break
        time.sleep(0.01)
    assert not alive(pid)
    assert run(session, "2")["value"] == "2"
    assert session.fresh
    sandbox.close()


# Jobs -----------------------------------------------------------------------------------------------------------


def test_jobs(sandbox: Sandbox, tmp_path: Path) -> None:
    session = sandbox.session(tmp_path, FILES)
    assert session.call({"kind": "echo", "text": "é"}) == {"said": "é"}
    assert session.call({"kind": "files"}) == {"files": ["kept"]}
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "1"
    assert session.call({"kind": "not a number"}) == {"value": None}
    assert session.call({"kind": "half a character"}) == {"value": "a?b"}
    with pytest.raises(WorkerFailed, match="LookupError") as failed:
        session.call({"kind": "nothing"})
    assert "sandbox_jobs.py" in failed.value.trace
    with pytest.raises(WorkerKilled) as killed:
        session.call({"kind": "memory"})
    assert killed.value.reason == "memory"
    with pytest.raises(WorkerKilled):
        session.call({"kind": "list"})
    session.close()
    full = sandbox.session(tmp_path, replace(FILES, folder_bytes=4 << 20))
    with pytest.raises(WorkerKilled) as killed:
        full.call({"kind": "fill", "files": 8})
    assert killed.value.reason == "disk"
    assert str(killed.value).endswith("The limit is 4 MB in 2000 files.")
    sandbox.forget(tmp_path)


def test_what_the_app_adds_can_be_read(sandbox: Sandbox, session: Session) -> None:
    run(session, "1")
    late = session.folder / "late.txt"
    late.write_text("here", encoding="utf-8")
    late.chmod(0o600)
    assert run(session, f"open({str(late)!r}).read()")["value"] == "'here'"


def test_messages() -> None:
    with pytest.raises(ValueError):
        frames.unpacked(b'{"a":[' + b"[]," * 2_000_000 + b"[]]}")
    assert frames.unpacked(b'{"a": NaN}') == {"a": None}
    assert frames.unpacked(b'{"a": "\\ud83d\\ude00\\uD800"}') == {"a": "😀?"}
    for body in (
        b"",
        b"[]",
        b"\xff",
        b'{"a":' + b"[" * 150 + b"]" * 150 + b"}",
        b"[" * 10**6,
        b'{"a":' + b"9" * 9999 + b"}",
    ):
        with pytest.raises(ValueError):
            frames.unpacked(body)
    with pytest.raises(ValueError):
        frames.packed("y" * frames.MOST_BYTES)


def test_a_refusal_names_no_path_of_the_machine() -> None:
    with pytest.raises(OSError, match="No such file") as caught:
        Path("/nowhere/of/the/server").read_text(encoding="utf-8")
    assert in_words(caught.value) == "No such file or directory"
    assert in_words(OSError("Landlock is missing")) == "Landlock is missing"


def test_root_where_there_are_no_other_users_is_refused_in_a_sentence() -> None:
    code = (
        "from agent.sandbox.client import Sandbox; from agent.shell.bubblewrap import missing;"
        "sandbox = Sandbox(); print(sandbox.available(20)); print(missing()); sandbox.close()"
    )
    alone = ["unshare", "--user", "--map-root-user", sys.executable, "-c", code]
    done = subprocess.run(alone, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60)
    assert done.stdout.splitlines() == [ROOT_ALONE, str(NO_SHELL)]
    assert done.stderr == ""
