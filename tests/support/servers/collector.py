"""An OpenTelemetry collector on loopback: takes OTLP over HTTP, with the public messages of the protocol."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.servers.prompt_server import PromptServer

_PATIENCE = 60.0  # seconds


@dataclass(frozen=True)
class Told:
    """A span as it arrived; ids are hexadecimal, ``parent`` is "" for a root, times are seconds since the epoch."""

    name: str
    trace: str
    id: str
    parent: str
    kind: int
    start: float
    end: float
    attributes: dict[str, Any]
    failed: bool


class Collector:
    """Keeps what it is sent. With ``status`` it refuses, with ``gate`` it answers nothing until that is set."""

    def __init__(self, status: int = 200, gate: threading.Event | None = None) -> None:
        self.spans: list[Told] = []
        self.metrics: dict[str, list[Any]] = {}
        self.resource: dict[str, Any] = {}
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self._changed = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if gate:
                    gate.wait(_PATIENCE)
                outer._take(self.path, dict(self.headers), body)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = PromptServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Collector:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait(self, until: Callable[[], bool]) -> None:
        """Until what has arrived is enough; fails after a minute."""
        with self._changed:
            assert self._changed.wait_for(until, _PATIENCE), [span.name for span in self.spans]

    def trace(self, trace: str) -> list[Told]:
        """The spans of a trace once its root is there, by their start."""
        self.wait(lambda: any(span.trace == trace and not span.parent for span in self.spans))
        return sorted((span for span in self.spans if span.trace == trace), key=lambda span: (span.start, -span.end))

    def _take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        plain = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
        with self._changed:
            self.headers.append(headers)
            self.bodies.append(plain)
            if path == "/v1/traces":
                self._take_spans(plain)
            else:
                assert path == "/v1/metrics"
                self._take_metrics(plain)
            self._changed.notify_all()

    def _take_spans(self, body: bytes) -> None:
        for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resource = _attributes(of_resource.resource.attributes)
            for scope in of_resource.scope_spans:
                for span in scope.spans:
                    ids = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                    times = span.start_time_unix_nano / 1e9, span.end_time_unix_nano / 1e9
                    told = _attributes(span.attributes)
                    self.spans.append(Told(span.name, *ids, span.kind, *times, told, span.status.code == 2))

    def _take_metrics(self, body: bytes) -> None:
        for of_resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
            for scope in of_resource.scope_metrics:
                for metric in scope.metrics:
                    points = metric.sum.data_points or metric.histogram.data_points
                    self.metrics[metric.name] = [(_attributes(point.attributes), point) for point in points]


def _attributes(told: Any) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in told}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, kind)
