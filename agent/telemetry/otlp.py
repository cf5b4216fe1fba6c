"""The way to an OpenTelemetry collector, over OTLP/HTTP. Nothing else imports OpenTelemetry, and this when it is used.

All that leaves goes through queues of OpenTelemetry's own threads: what a run tells never waits for the collector.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread, local
from time import monotonic
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from agent.telemetry.span_values import PURPOSE, REPLAYED, RunSpan

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram, Meter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.util.types import AttributeValue

log = logging.getLogger(__name__)
_SCOPE = "glassbox"
SCHEMA = "https://opentelemetry.io/schemas/1.41.0"
_CLOSING_SECONDS = 2.0
_SECONDS_BETWEEN_LINES = 600.0
# The buckets that the conventions ask for.
_TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
_FIRST_CHUNK = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0]
_OF_FIGURES = (
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.tool.name",
    "server.address",
    "server.port",
    "error.type",
    PURPOSE,
)


def wanted(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Which signals the environment wants sent, of ``traces`` and ``metrics``, by OpenTelemetry's usual variables.

    Those for which an endpoint is named, or the exporter ``otlp``; none with ``OTEL_SDK_DISABLED=true``.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ()
    everywhere = environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "").strip()
    return tuple(signal for signal in ("traces", "metrics") if _is_wanted(environ, signal, bool(everywhere)))


def _is_wanted(environ: Mapping[str, str], signal: str, everywhere: bool) -> bool:
    exporter = environ.get(f"OTEL_{signal.upper()}_EXPORTER", "").strip().lower()
    names = f"OTEL_EXPORTER_OTLP_{signal.upper()}_"
    named = everywhere or bool(environ.get(f"{names}ENDPOINT", "").strip())
    if not (exporter == "otlp" or (not exporter and named)):
        if exporter not in ("", "none"):
            log.warning("OTEL_%s_EXPORTER can be otlp or none here; nothing is sent.", signal.upper())
        return False
    protocol = environ.get(f"{names}PROTOCOL", "") or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "")
    if protocol.strip() not in ("", "http/protobuf"):
        log.warning("OTEL_EXPORTER_OTLP_PROTOCOL can be http/protobuf here; no %s are sent.", signal)
        return False
    return True


class Otlp:
    """Sends spans and figures. All methods may be called from any thread."""

    def __init__(self, environ: Mapping[str, str], signals: tuple[str, ...]) -> None:
        """The endpoint, its headers, sampling and batches are read by OpenTelemetry from the process's environment."""
        _write_seldom()
        resource = _resource(environ)
        self._traces = _Traces(resource) if "traces" in signals else None
        self._metrics = _Metrics(resource) if "metrics" in signals else None

    @property
    def traced(self) -> bool:
        return self._traces is not None

    def span(self, span: RunSpan) -> None:
        if self._traces:
            self._traces.send(span)
        if self._metrics:
            self._metrics.count(span)

    def queued(self, change: int) -> None:
        """So many more, or less, runs wait for their turn."""
        if self._metrics:
            self._metrics.queued.add(change)

    def working(self, change: int) -> None:
        """So many more, or less, runs are at work."""
        if self._metrics:
            self._metrics.working.add(change)

    def waited(self, seconds: float) -> None:
        """A run has waited so long for its turn."""
        if self._metrics:
            self._metrics.waited.record(seconds)

    def close(self) -> None:
        """Send what is left, for two seconds at most; then what still tries to is told to give up."""
        closing = [
            _Closing(each.provider.shutdown, each.exporter.shutdown) for each in (self._traces, self._metrics) if each
        ]
        until = monotonic() + _CLOSING_SECONDS
        for each in closing:
            each.end_by(until)


class _Exporter(Protocol):
    """What is told to give up."""

    def shutdown(self) -> None: ...


class _Closing:
    """The end of one provider, in a thread of its own."""

    def __init__(self, shut_down: Callable[[], object], give_up: Callable[[], object]) -> None:
        self._shut_down, self._give_up = shut_down, give_up
        self._thread = Thread(target=self._end, name="telemetry: close", daemon=True)
        self._thread.start()

    def _end(self) -> None:
        with suppress(Exception):
            self._shut_down()

    def end_by(self, until: float) -> None:
        self._thread.join(max(0.0, until - monotonic()))
        if self._thread.is_alive():
            with suppress(Exception):
                self._give_up()


class _Traces:
    def __init__(self, resource: Resource) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

        class Ids(RandomIdGenerator):
            """Gives the ids that this thread has chosen."""

            def __init__(self) -> None:
                self.chosen = local()

            def generate_trace_id(self) -> int:
                return self.chosen.trace

            def generate_span_id(self) -> int:
                return self.chosen.span

        self._ids = Ids()
        self.provider: TracerProvider = TracerProvider(
            resource=resource, id_generator=self._ids, shutdown_on_exit=False
        )
        exporter = OTLPSpanExporter()
        self.exporter: _Exporter = exporter
        self.provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self.provider.get_tracer(_SCOPE, schema_url=SCHEMA)

    def send(self, span: RunSpan) -> None:
        from opentelemetry.context import Context
        from opentelemetry.trace import (
            NonRecordingSpan,
            SpanContext,
            SpanKind,
            Status,
            StatusCode,
            TraceFlags,
            set_span_in_context,
        )

        # The root's sampler decides for the whole trace: its spans are told before it.
        root = Context()
        if not self.provider.sampler.should_sample(root, span.trace, span.name).decision.is_sampled():
            return
        context = root
        if span.parent:
            above = SpanContext(span.trace, span.parent, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
            context = set_span_in_context(NonRecordingSpan(above), root)
        self._ids.chosen.trace, self._ids.chosen.span = span.trace, span.id
        kind = SpanKind.CLIENT if span.kind == "model" else SpanKind.INTERNAL
        told = self._tracer.start_span(span.name, context, kind, span.attributes, start_time=span.start)
        if span.error:
            told.set_status(Status(StatusCode.ERROR))
        told.end(span.end)


class _Metrics:
    def __init__(self, resource: Resource) -> None:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

        exporter = OTLPMetricExporter()
        self.exporter: _Exporter = exporter
        reader = PeriodicExportingMetricReader(exporter)
        self.provider: MeterProvider = MeterProvider([reader], resource, shutdown_on_exit=False)
        meter = self.provider.get_meter(_SCOPE, schema_url=SCHEMA)
        self.queued = meter.create_up_down_counter("glassbox.runs.queued", "{run}", "Runs that wait for their turn.")
        self.working = meter.create_up_down_counter("glassbox.runs.active", "{run}", "Runs at work.")
        self.waited = _seconds(meter, "glassbox.queue.duration", "How long runs waited for their turn.")
        self._runs = meter.create_counter("glassbox.runs", "{run}", "Runs that have ended, by how.")
        self._refused = meter.create_counter("glassbox.refusals", "{run}", "Runs that were refused or cut by a cap.")
        self._money = meter.create_counter("glassbox.cost", "{USD}", "What replies of models cost, where it is known.")
        self._run_duration = _seconds(meter, "glassbox.run.duration", "How long runs took, with what they waited.")
        self._tool_duration = _seconds(meter, "glassbox.tool.duration", "How long calls of tools took.")
        self._duration = _seconds(meter, "gen_ai.client.operation.duration", "GenAI operation duration.")
        self._first = meter.create_histogram(
            "gen_ai.client.operation.time_to_first_chunk",
            "s",
            "Time to receive the first chunk.",
            explicit_bucket_boundaries_advisory=_FIRST_CHUNK,
        )
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage",
            "{token}",
            "Number of input and output tokens used.",
            explicit_bucket_boundaries_advisory=_TOKENS,
        )

    def count(self, span: RunSpan) -> None:
        kept = {name: span.attributes[name] for name in _OF_FIGURES if name in span.attributes}
        if span.kind == "tool":
            self._tool_duration.record(span.seconds, kept)
        elif span.kind == "model":
            if REPLAYED not in span.attributes:
                self._count_reply(span, kept)
        elif not span.parent:
            ended = str(span.attributes.get("glassbox.run.end", ""))
            kept["glassbox.run.end"] = ended
            self._runs.add(1, kept)
            self._run_duration.record(span.seconds, kept)
            if ended == "budget":
                self._refused.add(1, kept)

    def _count_reply(self, span: RunSpan, kept: Mapping[str, AttributeValue]) -> None:
        self._duration.record(span.seconds, kept)
        first = span.attributes.get("gen_ai.response.time_to_first_chunk")
        if isinstance(first, float):
            self._first.record(first, kept)
        if span.money is not None:
            self._money.add(span.money, kept)
        if "glassbox.usage.estimated" in span.attributes:
            return  # the conventions want the server's figures
        for kind in ("input", "output"):
            used = span.attributes.get(f"gen_ai.usage.{kind}_tokens")
            if isinstance(used, int):
                self._tokens.record(used, {**kept, "gen_ai.token.type": kind})


def _seconds(meter: Meter, name: str, meaning: str) -> Histogram:
    return meter.create_histogram(name, "s", meaning, explicit_bucket_boundaries_advisory=_SECONDS)


def _resource(environ: Mapping[str, str]) -> Resource:
    from opentelemetry.sdk.resources import Resource

    own = {"service.instance.id": uuid4().hex}
    named = "service.name=" in environ.get("OTEL_RESOURCE_ATTRIBUTES", "") or environ.get("OTEL_SERVICE_NAME")
    return Resource.create(own if named else own | {"service.name": "glassbox"})


class _Seldom(logging.Handler):
    """Says in our log that telemetry does not get through, at most every ten minutes, and nothing of what was said."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._next, self._lock = 0.0, Lock()

    def emit(self, record: logging.LogRecord) -> None:
        with self._lock:
            if monotonic() < self._next:
                return
            self._next = monotonic() + _SECONDS_BETWEEN_LINES
        codes = [each for each in record.args or () if isinstance(each, int)] if isinstance(record.args, tuple) else []
        status = f" (status {codes[0]})" if codes else ""
        log.warning("The collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take what it is sent%s.", status)


def _write_seldom() -> None:
    theirs = logging.getLogger("opentelemetry")
    if not any(isinstance(handler, _Seldom) for handler in theirs.handlers):
        theirs.addHandler(_Seldom())
    theirs.propagate = False
