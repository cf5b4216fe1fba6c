"""An address at which there is no page leads to the chat, which says so in the person's language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import config
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from pages.ui.frame.first_paint import FirstPaint
from tests.support.app_services import services_with

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path)}) as opened:
        yield opened


@pytest.fixture
def visitor() -> TestClient:
    """Of a server that answers as Streamlit's does: every address that is no file's has the one page."""
    page = HTMLResponse('<body><div id="root"></div></body>')
    routes = [
        Route("/part.html", lambda _: HTMLResponse("<body>a part</body>")),
        Route("/plain", lambda _: PlainTextResponse("plain")),
        Route("/{path:path}", lambda _: page),
    ]
    return TestClient(FirstPaint(Starlette(routes=routes)), follow_redirects=False, headers={"accept": "text/html"})


def test_what_is_no_page_leads_to_the_chat_wherever_the_site_is(visitor: TestClient) -> None:
    for address in ("/", "/tools", "/run?r=1", "/part.html", "/plain"):
        assert visitor.get(address).status_code == 200, address
    for address in ("/nothing", "/app", "/nothing/", "/a/b/nothing?c=1"):
        answer = visitor.get(address)
        assert (answer.status_code, answer.content) == (307, b"")
        assert answer.next_request is not None
        assert str(answer.next_request.url) == "http://testserver/?unknown=page"


def test_a_site_below_a_path_stays_there(visitor: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "get_option", lambda name: "glass" if name == "server.baseUrlPath" else "")
    assert visitor.get("/glass/").status_code == visitor.get("/glass/tools").status_code == 200
    answer = visitor.get("/glass/nothing")
    assert answer.next_request is not None
    assert str(answer.next_request.url) == "http://testserver/glass/?unknown=page"


def test_the_chat_says_so_in_the_language_of_the_person(services: Services) -> None:
    opened = AppTest.from_file(APP, default_timeout=60.0)
    opened.session_state["cookie"], opened.query_params["unknown"] = "f" * 32, "page"
    assert [each.value for each in opened.run().info] == [
        "There is no page at that address. This is the chat; all other pages are in the sidebar."
    ]
    opened.session_state["choice"] = {"interface": "ja"}
    assert [each.value for each in opened.run().info] == [
        "そのアドレスにページはありません。ここはチャットです。ほかのページはサイドバーにあります。"
    ]
    del opened.query_params["unknown"]
    assert not opened.run().info
