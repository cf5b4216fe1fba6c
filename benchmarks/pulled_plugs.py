"""``python -m benchmarks.pulled_plugs [kills] [seed]``: kills at random places, and what became of every run.

As many with two web processes, two workers and a PostgreSQL of its own, half as many with one process and SQLite.
The tests do the same with fewer kills.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from agent.store.runs import Store
from tests.support.pulled_plugs import Report, play, plugs, pull
from tests.support.servers.model_server import ModelServer
from tests.support.servers.postgres_server import PostgresServer

_CHATS = 30


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with PostgresServer() as postgres:
        reports = {"PostgreSQL": _pull(postgres.url(), 2, 2, kills, seed)}
    reports["SQLite"] = _pull("", 0, 1, kills // 2, seed)
    for name, report in reports.items():
        killed = ", ".join(f"{times} {what}" for what, times in sorted(report.killed.items()))
        print(f"{name}: killed {killed}")
        print(
            f"  {report.runs} runs: {report.answered} answered, {report.waiting} wait, {report.given_up} given up; "
            f"taken up {report.taken_up} times, all done {report.seconds:.1f} s after the last kill"
        )
        print("".join(f"  WRONG {fault}\n" for fault in report.broken), end="")
    return 1 if any(report.broken for report in reports.values()) else 0


def _pull(url: str, workers: int, webs: int, kills: int, seed: int) -> Report:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, ModelServer(play) as model:
        url = url or f"sqlite:///{Path(name) / 'data' / 'glassbox.db'}"
        with plugs(Path(name), model.endpoint, url, workers, webs) as site:
            store = Store(url, site.data / "processes")
            try:
                return pull(site, store, kills, _CHATS, seed)
            finally:
                store.close()


if __name__ == "__main__":
    sys.exit(main())
