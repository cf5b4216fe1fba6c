"""The process all workers are forks of: it imports once what they need, and reads nothing but the app's orders.

Started by ``launcher.py`` as ``python -I zygote.py <settings as JSON>``, so that nothing of the app's memory and
environment is in it. It has one thread, always: a fork of more is not safe, and Landlock holds one thread only.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from agent.sandbox import hostile_folder
from agent.sandbox.inside import worker
from agent.sandbox.inside.showing import library
from agent.sandbox.locks import landlock, privileges, seccomp
from agent.sandbox.locks.kernel import PR_SET_DUMPABLE, machine, prctl

ORDER_BYTES = 1 << 16
QUIET_MILLISECONDS = 30
# What programs import, so that a worker need not: it may, but later and each for itself.
MODULES = """
    numpy pandas pyarrow pyarrow.parquet pyarrow.compute pyarrow.dataset pyarrow.csv pyarrow.json duckdb altair
    matplotlib matplotlib.pyplot matplotlib.dates matplotlib.backends.backend_agg pytz pandas.io.parquet
    pandas.io.excel pandas.io.formats.style numpy.linalg numpy.random numpy.fft array ast base64 bisect calendar
    cmath codecs collections concurrent.futures copy csv ctypes dataclasses datetime decimal difflib
    encodings.idna encodings.utf_16 encodings.cp1252 encodings.latin_1 enum fractions functools glob hashlib
    heapq html importlib.resources io itertools json linecache locale math numbers operator pathlib pickle
    pprint random re secrets shutil signal sqlite3 statistics string struct tempfile textwrap threading time
    timeit tokenize traceback types typing unicodedata uuid warnings zipfile zlib zoneinfo
"""
LIBRARIES = ("altair", "duckdb", "numpy", "pandas", "pyarrow", "matplotlib.pyplot")


@dataclass(frozen=True, slots=True)
class Spare:
    """A child that waits to be told what it is for; ``end`` is a file that tells of its end."""

    pid: int
    end: int
    orders: socket.socket


@dataclass(slots=True)
class Zygote:
    """``ended`` maps the file that tells of a child's end to the child.

    To fork takes longer than all the rest of a worker's start, so one child is forked ahead, in a quiet moment.
    """

    control: socket.socket
    of_all: int
    ended: dict[int, int] = field(default_factory=dict[int, int])
    poll: select.poll = field(default_factory=select.poll)
    spare: Spare | None = None

    def serve(self) -> None:
        """A worker for each order until the app is gone."""
        self.poll.register(self.control, select.POLLIN)
        while True:
            events = self.poll.poll(None if self.spare else QUIET_MILLISECONDS)
            if not events:
                self.spare = self.fork()
            for number, _ in events:
                if number != self.control.fileno():
                    self.bury(number)
                    continue
                order, files, _, _ = socket.recv_fds(self.control, ORDER_BYTES, 1)
                if not order:
                    return
                self.obey(order, files[0])

    def fork(self) -> Spare:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        zygote = os.getpid()
        child = os.fork()
        if child == 0:
            self.become_worker(theirs, zygote)
        theirs.close()
        end = os.pidfd_open(child)
        self.ended[end] = child
        self.poll.register(end, select.POLLIN)
        return Spare(child, end, ours)

    def obey(self, order: bytes, channel: int) -> None:
        """Let a child become the worker that was ordered, to talk over ``channel``; the app gets its ``end``, too."""
        spare, self.spare = self.spare or self.fork(), None
        while not told(spare, order, channel):
            spare = self.fork()
        os.close(channel)
        answer = {"turn": json.loads(order)["turn"], "pid": spare.pid}
        socket.send_fds(self.control, [json.dumps(answer).encode("ascii")], [spare.end])

    def become_worker(self, orders: socket.socket, zygote: int) -> None:
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            privileges.die_with(zygote)
            order, files, _, _ = socket.recv_fds(orders, ORDER_BYTES, 1)
            if order:
                worker.work(worker.Cell.from_json(json.loads(order)), zygote, files[0], self.of_all)
        finally:
            os._exit(1)

    def bury(self, end: int) -> None:
        self.poll.unregister(end)
        if self.spare is not None and self.spare.end == end:
            self.spare.orders.close()
            self.spare = None
        child = self.ended.pop(end)
        _, status = os.waitpid(child, 0)
        os.close(end)
        self.control.send(json.dumps({"pid": child, "status": status}).encode("ascii"))

    def kill_all(self) -> None:
        """Each dies with its parent anyway; this waits for it."""
        for end, child in self.ended.items():
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(end)


def told(spare: Spare, order: bytes, channel: int) -> bool:
    """``False`` where it has died meanwhile."""
    with spare.orders, suppress(ConnectionError):
        socket.send_fds(spare.orders, [order], [channel])
        return True
    return False


def list_fonts() -> None:
    """Import what lists the fonts for matplotlib. Raises ``ImportError``.

    It reads AFM files whole, and takes their heads alone into its list: to skip the rest saves a third of a second.
    Where matplotlib has other names for that, nothing is done: its list is made with the other imports.
    """

    def skip(_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {}

    try:
        afm: Any = importlib.import_module("matplotlib._afm")
        whole = afm._parse_char_metrics, afm._parse_optional
    except (ImportError, AttributeError):
        return
    afm._parse_char_metrics = afm._parse_optional = skip
    try:
        importlib.import_module("matplotlib.font_manager")
    finally:
        afm._parse_char_metrics, afm._parse_optional = whole


def warm(handlers: Sequence[str]) -> None:
    """Import everything, and use once what prepares itself on first use. No thread starts. Raises ``ImportError``."""
    gc.disable()  # nothing of this is garbage before it is all there
    list_fonts()
    for name in MODULES.split():
        importlib.import_module(name)
    altair, duckdb, numpy, pandas, pyarrow, pyplot = map(library, LIBRARIES)
    # The libraries start this many threads when they first work, in the worker.
    pyarrow.set_cpu_count(2)
    pyarrow.set_io_thread_count(2)
    duckdb.connect(config={"threads": 1}).close()
    # Numbers in results read 1.5, not np.float64(1.5).
    numpy.set_printoptions(legacy="1.25")
    frame = pandas.read_csv(io.StringIO("day,kind,amount\n2026-01-01,a,1.5\n2026-01-02,b,2\n"), parse_dates=["day"])
    repr(frame)
    frame.groupby("kind").sum(numeric_only=True).merge(frame, on="kind")
    altair.Chart(frame).mark_bar().encode(x="kind", y="amount").to_dict()
    figure, axes = pyplot.subplots()
    axes.plot([1, 2], [1, 4])
    figure.savefig(io.BytesIO(), format="png")
    pyplot.close(figure)
    for handler in handlers:
        getattr(importlib.import_module(handler), "warm", lambda: None)()
    landlock.readable_everywhere()
    for removes in (False, True):
        seccomp.program(*(machine() or (0, 0)), 0, removes)


def main(settings: dict[str, Any]) -> None:
    """``settings``: the number of the control socket, the app's process, the handlers of jobs, the base folder.

    However the app ends, even killed, its base folder is removed here: people's files may be in it.
    """
    control = socket.socket(fileno=settings["control"])
    signal.signal(signal.SIGTERM, lambda number, frame: hang_up(control))
    privileges.die_with(settings["app"], signal.SIGTERM)
    prctl(PR_SET_DUMPABLE, 0)
    try:
        run(control, settings["handlers"])
    except ConnectionError:
        pass  # the app is gone
    finally:
        with suppress(OSError):  # the app removes it, too, where it lives
            hostile_folder.empty(Path(settings["base"]))
            os.rmdir(settings["base"])


def hang_up(control: socket.socket) -> None:
    """Whoever reads there next finds the end."""
    with suppress(OSError):
        control.shutdown(socket.SHUT_RDWR)


def run(control: socket.socket, handlers: Sequence[str]) -> None:
    """Prepare, say so, and serve until the app is gone. Raises ``ConnectionError`` where it is gone before."""
    try:
        warm(handlers)
    except ImportError as error:
        control.send(json.dumps({"failed": f"the module {error.name or '?'} is missing"}).encode("ascii"))
        return
    # Only the font list and the like were written there, which are in memory now.
    shutil.rmtree(os.environ["MPLCONFIGDIR"], ignore_errors=True)
    threads = len(os.listdir("/proc/self/task"))
    if threads > 1:
        control.send(json.dumps({"failed": f"it has {threads} threads"}).encode("ascii"))
        return
    gc.collect()
    gc.freeze()
    gc.enable()
    control.send(b'{"ready":true}')
    zygote = Zygote(control, privileges.memory_of_all())
    try:
        zygote.serve()
    finally:
        zygote.kill_all()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
