"""Whatever is killed, wherever: no run is lost, no event is doubled, nothing that acts is done twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.store.runs import Store
from tests.support.pulled_plugs import play, plugs, pull
from tests.support.servers.model_server import ModelServer
from tests.support.servers.postgres_server import PostgresServer

pytestmark = pytest.mark.system
SEED = 20_261


def test_workers_web_processes_sandboxes_and_postgresql(open_store: Callable[..., Store], tmp_path: Path) -> None:
    # A server of its own: a killed session ends those of all others.
    with PostgresServer() as postgres, ModelServer(play) as model:
        url = postgres.url()
        with plugs(tmp_path, model.endpoint, url, workers=2, webs=2) as site:
            report = pull(site, open_store(url, site.data / "processes"), kills=12, chats=30, seed=SEED)
    assert report.broken == []
    assert report.runs > 5
    assert report.answered + report.waiting + report.given_up == report.runs


def test_one_process_with_sqlite(open_store: Callable[..., Store], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'data' / 'glassbox.db'}"
    with ModelServer(play) as model, plugs(tmp_path, model.endpoint, url) as site:
        report = pull(site, open_store(url, site.data / "processes"), kills=8, chats=30, seed=SEED)
    assert report.broken == []
    assert report.runs > 5
    assert report.answered + report.waiting + report.given_up == report.runs
