"""What telemetry costs a run: microseconds a step, with a collector on loopback and without.

    python -m benchmarks.telemetry

A step is a reply, a call and what came of it, on a story that takes no time of its own: what is measured is what the
run's thread does for telemetry. A collector that hangs is tried, too: its run must take no longer.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag
from time import perf_counter

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.store.runs import Store
from agent.telemetry.watch import Telemetry
from tests.support.servers.collector import Collector

STEPS = 100
TIMES = 15
ENDPOINT = "http://127.0.0.1:1/v1"
STORY: Sequence[Event] = (
    Prepared("q", "s", (), "native", "m", ENDPOINT),
    *(
        event
        for n in range(STEPS)
        for event in (
            Replied("t", "", Usage(100, 50, 10), 0.001, 0.001, finish="tool_calls"),
            ToolCalled(f"c{n}", "calculator", "{}", {"expression": "1 + 1"}),
            Observed(f"c{n}", "2", 0.001),
        )
    ),
    Answered("done"),
)


def story(_: Flag) -> Iterator[Event]:
    yield from STORY


def a_step(telemetry: Telemetry, store: Store) -> float:
    """Microseconds of the fastest of several runs."""
    took: list[float] = []
    for _ in range(TIMES):
        asked = Asked("q", 1.0)
        _, run = store.unanswered.begin(asked, "v" * 32)
        began = perf_counter()
        for _event in telemetry.watched(run, "m", ENDPOINT, story, [asked])(Flag()):
            pass
        took.append(perf_counter() - began)
    return min(took) / STEPS * 1_000_000


def main() -> None:
    gate = Flag()
    with TemporaryDirectory() as folder, Collector() as well, Collector(gate=gate) as hangs:
        store = Store(f"sqlite:///{Path(folder) / 'glassbox.db'}", Path(folder) / "processes")
        for name, endpoint in (("off", ""), ("on", well.endpoint), ("on, the collector hangs", hangs.endpoint)):
            environ = {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}
            os.environ.update(environ)
            telemetry = Telemetry(store, environ)
            print(f"{name}: {a_step(telemetry, store):.1f} µs a step")
            gate.set()
            telemetry.close()
        store.close()


if __name__ == "__main__":
    main()
