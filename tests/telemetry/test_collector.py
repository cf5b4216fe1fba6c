"""Where nothing is to be told nothing is loaded; and no collector, whatever it does, reaches a run."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event as Flag
from time import monotonic

import pytest

from agent.events import Answered, Asked, Event, Prepared, Replied
from agent.messages import Usage
from agent.store.runs import Store
from agent.telemetry.otlp import wanted
from agent.telemetry.watch import Telemetry
from tests.support.servers.collector import Collector

ROOT = Path(__file__).parents[2]
STEPS = 300
OFF = """
import sys
from agent.application.chat_runs import ChatRuns
from agent.application.services import open_services
from agent.application.setup import default_choice
services = open_services({"GLASSBOX_DATA": sys.argv[1], **dict(pair.split("=") for pair in sys.argv[2:])}, {})
runs = ChatRuns(services, "v" * 32, "session", default_choice(services.settings))
run = runs.begin("What is 17 * 23?", "", "")
while not services.runs.follow(run, 1_000).done:
    pass
assert "391" in services.store.events(run)[-1].text
print(sorted(name for name in sys.modules if name.startswith(("opentelemetry", "google"))))
services.tables.sandbox.close()
services.runs.close()
"""


@pytest.mark.system
def test_nothing_is_imported_where_it_is_off(tmp_path: Path) -> None:
    variables = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9", "OTEL_SDK_DISABLED=true"
    ended = subprocess.run(
        [sys.executable, "-c", OFF, str(tmp_path), *variables], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.stdout == "[]\n", ended.stderr


@pytest.mark.parametrize(
    ("environ", "signals"),
    [
        ({}, ()),
        ({"OTEL_SERVICE_NAME": "x"}, ()),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, ("traces", "metrics")),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_METRICS_EXPORTER": "none"}, ("traces",)),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, ("metrics",)),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "TRUE"}, ()),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, ("traces",)),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, ("traces",)),
        ({"OTEL_TRACES_EXPORTER": "console"}, ()),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, ()),
    ],
)
def test_the_usual_variables_say_what_is_sent(environ: dict[str, str], signals: tuple[str, ...]) -> None:
    assert wanted(environ) == signals


def story(_: Flag) -> Iterator[Event]:
    yield Prepared("q", "s", (), "native", "m", "http://127.0.0.1:1/v1")
    for _step in range(STEPS):
        yield Replied("t", "", Usage(1, 0, 1), 0.001, 0.001)
    yield Answered("a secret answer")


def closed_port() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def tell(store: Store, monkeypatch: pytest.MonkeyPatch, endpoint: str, **more: str) -> float:
    """Tell a collector there of a long run; the seconds that its end takes, which waits for what can be sent."""
    variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
        "OTEL_EXPORTER_OTLP_HEADERS": "x-key=sk-of-the-collector-123456",
        "OTEL_BSP_SCHEDULE_DELAY": "1",
        "OTEL_METRIC_EXPORT_INTERVAL": "10",
        **more,
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    telemetry = Telemetry(store, variables)
    asked = Asked("q", 1.0)
    _, run = store.unanswered.begin(asked, "v" * 32)
    told = list(telemetry.watched(run, "m", "http://127.0.0.1:1/v1", story, [asked])(Flag()))
    assert told == list(story(Flag()))
    began = monotonic()
    telemetry.close()
    return monotonic() - began


_SLOW = [pytest.param(collector, marks=pytest.mark.slow) for collector in ("down", "hangs")]


@pytest.mark.parametrize("collector", [*_SLOW, "refuses"])
def test_a_bad_collector_reaches_no_run(
    collector: str,
    open_store: Callable[..., Store],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    gate = Flag()
    with Collector(status=403 if collector == "refuses" else 200, gate=gate if collector == "hangs" else None) as there:
        assert tell(open_store(), monkeypatch, closed_port() if collector == "down" else there.endpoint) < 5
        gate.set()
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("agent.")]
    assert lines in ([], [line for line in lines if "does not take" in line][:1])
    assert not logging.getLogger("opentelemetry").propagate  # which pytest listens to nevertheless
    for thread in threading.enumerate():
        if thread.name.startswith(("Otel", "telemetry")):
            thread.join(5)
            assert not thread.is_alive()
    said = caplog.text + "".join(capfd.readouterr())
    assert "sk-of-the-collector" not in said and "secret" not in said


@pytest.mark.parametrize(("ratio", "spans"), [("0", 0), ("1", STEPS + 1)])
def test_the_end_sends_what_is_left_of_what_is_sampled(
    ratio: str, spans: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = {"OTEL_BSP_SCHEDULE_DELAY": "60000", "OTEL_METRIC_EXPORT_INTERVAL": "60000"}
    sampled = {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": ratio}
    with Collector() as collector:
        tell(store, monkeypatch, collector.endpoint, **patient, **sampled)
        assert len(collector.spans) == spans
        assert len({span.trace for span in collector.spans}) == min(1, spans)
        (point,) = collector.metrics["gen_ai.client.operation.duration"]
        assert point[1].count == STEPS


def test_a_bug_in_telling_reaches_no_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A story with events that no run has: what cannot be told is logged, and the run goes on."""
    with Collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        telemetry = Telemetry(store, {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint})
        store.close()
        told = list(telemetry.watched("r", "m", "http://127.0.0.1:1/v1", story)(Flag()))
        assert told == list(story(Flag()))
        telemetry.close()
