"""What a proxy is told that asks whether a process is ready."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from streamlit import config

from agent.sandbox import client
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
            assert asking.get("/_stcore/health").text == "the app"  # containers ask by address
            assert asking.get("/").status_code == 421
            assert asking.post(f"/{READY_PATH}").status_code == 421
        finally:
            config.set_option("server.allowedHosts", hosts)
        (tmp_path / "glassbox.db").rename(tmp_path / "gone.db")
        services.store.close()
        (tmp_path / "glassbox.db").mkdir()
        assert TestClient(gate).get(f"/{READY_PATH}").status_code == 503


def test_what_is_wrong_with_the_settings_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSBOX_DATA", str(tmp_path))
    monkeypatch.setenv("GLASSBOX_DAY_MONEY", "2,50")
    st.cache_resource.clear()
    answer = TestClient(Gate(PlainTextResponse("the app"))).get(f"/{READY_PATH}")
    assert answer.status_code == 503 and "GLASSBOX_DAY_MONEY must be" in answer.text
    st.cache_resource.clear()


def test_secrets_that_are_no_toml_are_no_missing_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".streamlit" / "secrets.toml"
    file.parent.mkdir()
    file.write_text('[glassbox]\nday_money = "0.001\n', encoding="utf-8")
    monkeypatch.setenv("GLASSBOX_DATA", str(tmp_path))
    files = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(file)])
    st.cache_resource.clear()
    try:
        answer = TestClient(Gate(PlainTextResponse("the app"))).get(f"/{READY_PATH}")
        assert (answer.status_code, answer.text) == (503, ".streamlit/secrets.toml cannot be read as TOML.\n")
    finally:
        config.set_option("secrets.files", files)
        st.cache_resource.clear()


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_a_process_is_not_ready_while_the_files_of_its_chats_are_not_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place, away = tmp_path / "mounted", tmp_path / "away"
    place.mkdir()
    settings = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_FILES": str(place)}
    with services_with(settings) as services:
        chat = services.store.add_conversation("v", "Sales")
        services.tables.open("v", chat).load("sales.csv", io.BytesIO(b"a,b\n1,2\n"))
    place.rename(away)
    place.mkdir()
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    st.cache_resource.clear()
    asking = TestClient(Gate(PlainTextResponse("the app")))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            answer = asking.get(f"/{READY_PATH}")
            assert answer.status_code == 503 and "GLASSBOX_FILES" in answer.text and "not mounted" in answer.text
    assert len([each for each in caplog.records if "this process is not ready" in each.getMessage()]) == 1
    assert [*place.iterdir()] == [], "nothing is written where it would hide"
    assert len([*(tmp_path / "data" / "processes").iterdir()]) == 1, "of the process before, and none of the tries"
    place.rmdir()
    away.rename(place)
    with services_with(settings) as services:  # without a restart
        assert asking.get(f"/{READY_PATH}").text == "ready\n"
        assert services.tables.open("v", chat).query("SELECT count(*) FROM sales")["rows"] == [[1]]
