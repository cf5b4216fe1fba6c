"""axe-core on every page and state: nothing serious, in light and dark, on a desk and on a phone."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.application.setup import Choice
from agent.data.tables.charts.vega import Axis, Chart, spec_of
from agent.evals.model_card.card_questions import card_questions, edition
from agent.events import Answered, Asked, Event, Failed, Merged, Observed, Prepared, Replied, Source, ToolCalled
from agent.messages import Usage
from agent.sandbox import client
from agent.store.runs import Store
from agent.toolkit.base import artifact
from tests.support.accessibility import violations
from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, Chat, tab
from tests.support.kept_results import keep_results
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer

_LIGHTNESS = """() => [document.querySelector("[data-testid=stDialog]"), document.body].map(
  one => Math.max(...getComputedStyle(one).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)))"""
pytestmark = pytest.mark.browser
COOKIE, TESTER = "ab" * 16, "cd" * 16
VISITOR = visitor_of(COOKIE)
PREPARED = Prepared("q", "system", (), "native", "m", "https://example.org/v1")
SAID = Replied("x", "", Usage(10, 0, 5), 0.5, 0.1)
TABLE = """| River | km |
|---|---:|
| Nile | 6,650 |

```python
km = {'Nile': 6650}  # long
print(km, True)
```

## Notes

1. *Disputed*, see [Britannica](https://www.britannica.com/place/Nile)."""
SQL = "SELECT a FROM t WHERE a IS NOT NULL AND b BETWEEN 1 AND 2"
SOLD = {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1], [2]], "total": 2}
DRAWN = spec_of(Chart("bar", "a"), {"x": Axis("a", "text"), "y": Axis("b", "number")}, [{"x": "c", "y": 1}])
MADE = (
    artifact("chart", "Drawn", json.dumps(DRAWN).encode()),
    artifact("table", "Result", json.dumps(SOLD).encode()),
)
CHATS: dict[str, list[Event]] = {
    "tables": [
        Asked("How many?", 1.0),
        PREPARED,
        SAID,
        ToolCalled("1", "query", SQL, {"sql": SQL}),
        Observed("1", "2 rows:", 0.1, artifacts=MADE),
        SAID,
        Answered("There are 2.", (), "stop"),
    ],
    "steps": [
        Asked("How warm was it?", 1.0),
        Merged("How warm was it in San Francisco yesterday?", (), "", Usage(), 0.1),
        PREPARED,
        Replied("", "I look it up.", Usage(10, 0, 5), 0.5, 0.1, notes=("A note.",), repairs=("A repair.",), cut="cut"),
        ToolCalled("1", "search", "x", {"query": "high temperature"}),
        Observed("1", "54", 0.5, sources=(Source(1, "Weather", "https://example.org/a", "High 54 °F", "today"),)),
        SAID,
        ToolCalled("2", "calculator", "(54-32)*5/9", {"expression": "(54-32)*5/9"}),
        Observed("2", "It could not be worked out.", 0.1, error="input"),
        SAID,
        Answered("It was **54 °F**.", ("And in Celsius?",), "stop"),
    ],
    "table": [Asked("Rivers?", 1.0), PREPARED, SAID, Answered(TABLE, (), "length")],
    "failed": [Asked("What?", 1.0), PREPARED, Failed("model", "Cannot reach the server.", partial="So far")],
    "right to left": [Asked("كم الجذر التربيعي لعدد 25؟", 1.0), PREPARED, SAID, Answered("هو 5.", (), "stop")],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder whose store has the chats of one visitor, and their ids."""
    folder = tmp_path_factory.mktemp("accessible")
    os.makedirs(folder / "data")
    store = Store(f"sqlite:///{folder / 'data' / 'glassbox.db'}")
    ids: dict[str, str] = {}
    for name, events in CHATS.items():
        ids[name] = store.add_conversation(VISITOR, name)
        store.append(store.add_run(ids[name]), events)
    cheap, dear = Choice(endpoint="demo"), Choice(endpoint="https://example.org/v1", model="m")
    half, most = [number % 2 == 0 for number in range(6)], [number > 0 for number in range(6)]
    sums = [f"What is {number} + {number}?" for number in range(6)]
    keep_results(store, visitor_of(TESTER), "Sums", sums, {"small": (cheap, half, 0.001), "large": (dear, most, 0.004)})
    asked = [question.test.id for question in card_questions()]
    right = [number % 3 > 0 for number in range(len(asked))]
    keep_results(store, visitor_of(TESTER), edition(), asked, {"react": (cheap, right, 0.0)}, "card")
    store.close()
    return folder, ids


@pytest.fixture(scope="module")
def app(data: tuple[Path, dict[str, str]]) -> Iterator[AppServer]:
    with (
        ModelServer(["Thought: " + "I think about it. " * 5_000] * 8, delay=0.05) as model,
        AppServer(data[0], GLASSBOX_BASE_URL=model.endpoint, GLASSBOX_MODEL="m", GLASSBOX_WIRE="react") as running,
    ):
        yield running


@pytest.fixture(params=["desk light", "phone dark"])
def page(request: pytest.FixtureRequest, browser: Browser, app: AppServer) -> Iterator[Page]:
    size, scheme = request.param.split()
    viewport = {"width": 390, "height": 844} if size == "phone" else {"width": 1280, "height": 800}
    with tab(browser, viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as page:
        page.context.add_cookies([{"name": "glassbox_visitor", "value": app.signed(COOKIE), "url": app.url}])
        yield page


def test_the_first_screen(app: AppServer, page: Page) -> None:
    Chat(page, app.url).idle()
    assert violations(page) == []


def test_every_kind_of_turn(app: AppServer, page: Page, data: tuple[Path, dict[str, str]]) -> None:
    for name, conversation in data[1].items():
        chat = Chat(page, f"{app.url}?c={conversation}")
        chat.idle()
        # The last first: an opened one may have more of them in it.
        for index in reversed(range(chat.steps.count() if name in ("steps", "tables") else 0)):
            inside = re.compile("See the exact call|Found by rules")
            expect(chat.open_step(index)).to_contain_text(inside, timeout=SECONDS)
        chat.idle()
        assert violations(page) == [], name


@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_a_chat_with_tables_and_their_page(app: AppServer, page: Page) -> None:
    chat = Chat(page, app.url)
    files = [
        {"name": name, "mimeType": "text/csv", "buffer": text}
        for name, text in (
            ("a.csv", b"day,region,sold\n2024-01-02,North,1\n13/02/2024,South,2\n4 Mar 2024,West,3\nTotal,,6\n"),
            ("b.csv", b"\0\1\2"),
        )
    ]
    chat.attach(*files)
    chat.box.press("Enter")
    row = page.locator(".st-key-tables-row")
    expect(row).to_be_visible(timeout=4 * SECONDS)
    expect(page.locator("[class*=st-key-repairs-]").get_by_role("button", name="Undo").first).to_be_visible()
    expect(page.locator("[class*=st-key-first-rows-]").get_by_test_id("stDataFrame")).to_be_visible()
    chat.idle()
    assert violations(page) == []
    page.locator("[class*=st-key-types-]").get_by_role("button").first.click()
    expect(page.get_by_role("radiogroup", name="Read it as")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    row.get_by_role("button").first.click()
    expect(chat.button("Remove")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    row.get_by_role("link").click()
    chat.idle()
    for name in ("Rows", "Columns", "SQL"):
        page.get_by_role("tab", name=name).click()
        chat.idle()
        assert violations(page) == [], name


def test_the_dialogs_and_the_sidebar(app: AppServer, page: Page) -> None:
    chat = Chat(page, app.url)
    chat.click(chat.model)
    expect(page.get_by_role("menuitem", name="Connect another…")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem")).to_have_count(0)
    for name in ("Settings", "m"):
        if name == "m":
            chat.open_connect()
        else:
            page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible(timeout=SECONDS)
        chat.idle()
        assert violations(page) == [], name
        behind, body = page.evaluate(_LIGHTNESS)
        assert behind < body, "what is behind a dialog steps back"
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0, timeout=SECONDS)
    if (page.viewport_size or {})["width"] < 700:
        page.get_by_test_id("stExpandSidebarButton").click()
    chat.click(page.get_by_role("button", name="More").first)
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible(timeout=SECONDS)
    assert violations(page) == []


def test_the_menu_of_an_answer_the_dialog_that_keeps_a_test_and_the_page_of_tests(
    app: AppServer, page: Page, data: tuple[Path, dict[str, str]]
) -> None:
    chat = Chat(page, f"{app.url}?c={data[1]['tables']}")
    chat.click(page.locator("[class*=st-key-more-]").get_by_role("button", name="More"))
    expect(page.get_by_role("menuitem", name="Remember")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem")).to_have_count(0)
    page.get_by_role("button", name="Keep as a test", exact=True).click()
    keep = page.get_by_role("dialog").get_by_role("button", name="Keep", exact=True)
    expect(keep).to_be_visible(timeout=SECONDS)
    chat.idle()
    assert violations(page) == []
    keep.click()
    chat.click(page.get_by_role("button", name="To the tests"))
    chat.click(page.get_by_text("Replay: no model is asked"))
    chat.click(page.get_by_role("button", name=re.compile(r"Run \d+ test")))
    expect(page.locator(".st-key-matrix").get_by_role("link").first).to_be_visible(timeout=SECONDS)
    chat.click(page.locator(".st-key-kept-tests").get_by_text("How many?").first)
    expect(page.get_by_role("button", name="Save").first).to_be_visible(timeout=SECONDS)
    chat.idle()
    assert violations(page) == []
    page.locator(".st-key-set-bar").get_by_role("button", name="Delete").click()
    chat.click(page.get_by_role("button", name="Delete the set"))
    expect(page.get_by_text("No tests here yet.")).to_be_visible(timeout=SECONDS)
    chat.idle()
    assert violations(page) == []


def test_the_chart_of_models_and_the_card_of_one(app: AppServer, page: Page) -> None:
    page.context.add_cookies([{"name": "glassbox_visitor", "value": app.signed(TESTER), "url": app.url}])
    page.goto(f"{app.url}tests")
    expect(page.locator(".st-key-quality-chart").locator("canvas, svg").first).to_be_visible(timeout=SECONDS)
    assert violations(page) == []
    chat = Chat(page, app.url)
    chat.open_connect()
    page.locator(".st-key-card-demo button").click()
    card = page.locator(".st-key-model-card")
    expect(card.get_by_role("table")).to_be_visible(timeout=SECONDS)
    chat.click(card.get_by_text("wrong answers"))
    chat.click(card.get_by_role("button", name="Measure again"))
    expect(card.get_by_role("button", name="Begin")).to_be_visible(timeout=SECONDS)
    chat.idle()
    assert violations(page) == []


def test_a_run_at_work(app: AppServer, page: Page) -> None:
    chat = Chat(page, app.url)
    chat.ask("Think!")
    chat.expect_text("I think about it.")
    assert violations(page) == []
    page.get_by_role("button", name="Stop").click()
    chat.expect_text("Stopped.")
