"""A large table: how long its import takes and how much memory, and a question after that; pandas beside it.

    python benchmarks/tables.py [millions of rows]

Each figure is of a process of its own, so that its peak of memory is its own. “Reading once” is what the file costs
any program that looks at its lines: opened, decoded as UTF-8, each line visited.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

ROWS = 5_000_000
QUESTION = "SELECT region, sum(price * quantity) AS total, count(*) AS n FROM sales GROUP BY region ORDER BY total DESC"


def make(folder: Path, rows: int) -> Path:
    """About 60 bytes a row: numbers, a date, words, a decimal, a yes or no."""
    import duckdb

    path = folder / "sales"
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute(
            f"""COPY (
                SELECT i AS "Order No", DATE '2015-01-01' + CAST(i % 3650 AS INTEGER) AS "Day",
                ['North', 'South', 'East', 'West', 'Centre'][1 + i % 5] AS "Region",
                'Customer ' || (i * 7919 % 100000) AS "Customer", 1 + i * 31 % 9 AS "Quantity",
                round((i * 104729 % 100000) / 100.0, 2) AS "Price", (i % 7 = 0) AS "Returned"
                FROM range(1, {rows + 1}) t(i)
            ) TO '{path}' (FORMAT csv, HEADER)"""
        )
    return path


def peak() -> float:
    """MiB of memory this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def processor() -> float:
    """Seconds of processors this process has had: what it costs, also where others work on the machine."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def now() -> float:
    """MiB of memory this process has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def read_once(folder: Path) -> dict[str, float]:
    started, used = time.perf_counter(), processor()
    with (folder / "sales").open(encoding="utf-8") as file:
        lines = sum(1 for _ in file)
    return {"seconds": time.perf_counter() - started, "processor": processor() - used, "lines": lines}


def read_bytes(folder: Path) -> dict[str, float]:
    started = time.perf_counter()
    with (folder / "sales").open("rb", buffering=0) as file:
        while file.read(1 << 20):
            pass
    return {"seconds": time.perf_counter() - started}


def imported(folder: Path) -> dict[str, object]:
    from agent.data.tables.loading.load_work import Reporter, Work
    from agent.data.tables.loading.upload import load

    started, used = time.perf_counter(), processor()
    table = load(Work(folder, "sales.csv", Reporter(None), set()), folder / "sales")[0]
    seconds, cost = time.perf_counter() - started, processor() - used
    before = peak()
    from agent.data.tables.cards import card_of

    started = time.perf_counter()
    card_of(table, folder)
    return {
        "seconds": seconds,
        "processor": cost,
        "peak": before,
        "card": time.perf_counter() - started,
        "file": table.file,
        "rows": table.rows,
        "size": (folder / table.file).stat().st_size,
        "types": [column.type for column in table.columns],
        "whole peak": peak(),
    }


def asked(folder: Path, file: str) -> dict[str, float]:
    """The first question of a process, and those that follow."""
    from agent.data.tables.asking.querying import query

    tables = {"sales": folder / file}
    times: list[float] = []
    costs: list[float] = []
    for _ in range(7):
        started, used = time.perf_counter(), processor()
        result = query(tables, QUESTION)
        times.append(time.perf_counter() - started)
        costs.append(processor() - used)
        assert len(result.rows) == 5
    return {
        "first": times[0],
        "later": sorted(times[1:])[3],
        "processor": sorted(costs)[3],
        "peak": peak(),
        "after": now(),
    }


def pandas(folder: Path) -> dict[str, float]:
    import pandas as pd

    started = time.perf_counter()
    frame = pd.read_csv(folder / "sales", parse_dates=["Day"])
    read = time.perf_counter() - started
    times: list[float] = []
    for _ in range(3):
        started = time.perf_counter()
        frame.assign(total=frame["Price"] * frame["Quantity"]).groupby("Region")["total"].agg(["sum", "count"])
        times.append(time.perf_counter() - started)
    return {"seconds": read, "group": min(times), "peak": peak()}


PARTS = {"read": read_once, "bytes": read_bytes, "import": imported, "pandas": pandas}


def apart(part: str, folder: Path, *more: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--part", part, str(folder), *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    rows = int(float(sys.argv[1]) * 1_000_000) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        path = make(folder, rows)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB")
        apart("bytes", folder)  # into the cache of the system
        bare, read = apart("bytes", folder)["seconds"], apart("read", folder)
        once = read["seconds"]
        print(f"reading once      {once:6.2f} s by lines; {bare:.2f} s the bytes alone")
        done = apart("import", folder)
        print(
            f"import            {done['seconds']:6.2f} s = {done['seconds'] / once:.1f} x reading once "
            f"({done['seconds'] / bare:.0f} x the bytes); peak {done['peak']:.0f} MiB; "
            f"{done['size'] / 1e6:.0f} MB on disk"
        )
        print(
            f"  of processors   {done['processor']:6.2f} s = {done['processor'] / read['processor']:.1f} x reading once"
        )
        print(f"card              {done['card']:6.2f} s; peak {done['whole peak']:.0f} MiB; {done['types']}")
        question = apart("ask", folder, str(done["file"]))
        print(
            f"group by          {question['later'] * 1000:6.0f} ms (first {question['first'] * 1000:.0f}, "
            f"{question['processor'] * 1000:.0f} of processors); "
            f"peak {question['peak']:.0f} MiB of the whole process"
        )
        frames = apart("pandas", folder)
        print(
            f"pandas            {frames['seconds']:6.2f} s to read, {frames['group'] * 1000:.0f} ms to group; "
            f"peak {frames['peak']:.0f} MiB"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        place = Path(sys.argv[3])
        print(json.dumps(asked(place, sys.argv[4]) if sys.argv[2] == "ask" else PARTS[sys.argv[2]](place)))
    else:
        main()
