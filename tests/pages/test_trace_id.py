"""The id of a run's trace on its page, where runs are traced. Without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.events import Answered, Asked, Prepared
from tests.support.app_services import services_with, visitor_of

pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
COOKIE = "a" * 32


@pytest.mark.parametrize("traced", [True, False])
def test_the_id_of_the_trace_can_be_copied(traced: bool, tmp_path: Path) -> None:
    there = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_METRICS_EXPORTER": "none"} if traced else {}
    with services_with({"GLASSBOX_DATA": str(tmp_path), **there}) as services:
        run = services.store.add_run(services.store.add_conversation(visitor_of(COOKIE), "q"))
        prepared = Prepared("q", "s", (), "react", "m", "http://127.0.0.1:9/v1")
        services.store.append(run, [Asked("q", 1_795_000_000.0), prepared, Answered("a")])
        app = AppTest.from_file("../../app.py", default_timeout=60)
        app.session_state["cookie"] = COOKIE
        app.query_params["r"] = run
        app.switch_page("pages/run.py").run()
        assert not app.exception
        trace = services.telemetry.trace(run)
        assert bool(trace) is traced
        assert [each.value for each in app.caption if each.value.startswith("Trace")] == [f"Trace {trace}"] * traced
        drawn = "".join(each.proto.body for each in app.get("html"))
        assert f'data-text="{trace}"' in drawn or not traced
        services.telemetry.close()
