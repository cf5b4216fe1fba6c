"""What a proxy is told that asks whether a process is ready."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from streamlit import config

from pages.ui.session.gate import READY_PATH, Gate
from tests.support.app_services import services_with

pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]


def test_a_process_is_ready_while_its_store_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with services_with({"GLASSBOX_DATA": str(tmp_path)}) as services:
        gate = Gate(PlainTextResponse("the app"))
        hosts = config.get_option("server.allowedHosts")
        config.set_option("server.allowedHosts", ["chat.example.com"])
        try:
            asking = TestClient(gate, base_url="http://10.0.0.7:8501")
            assert asking.get(f"/{READY_PATH}").status_code == 200
            assert asking.get(f"/under/{READY_PATH}").text == "ready\n"
            assert asking.get("/").status_code == 421
            assert asking.post(f"/{READY_PATH}").status_code == 421
        finally:
            config.set_option("server.allowedHosts", hosts)
        (tmp_path / "glassbox.db").rename(tmp_path / "gone.db")
        services.store.close()
        (tmp_path / "glassbox.db").mkdir()
        assert TestClient(gate).get(f"/{READY_PATH}").status_code == 503
