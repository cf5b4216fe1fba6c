"""The chat page with tables, without a browser: what it draws of a conversation that has some."""

from __future__ import annotations

import io
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.services import SECONDS_TO_RESTORE, Services, open_services
from agent.data.tables.chat_tables import ConversationTables
from agent.data.tables.uploads import Loading
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.toolkit.base import artifact
from agent.views.fold import fold
from tests.support.app_services import services_with, visitor_of

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(client.missing()), reason=client.missing()),
    # Drawn without a server, Streamlit warns of what is only there with one.
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
SALES = b"Region,Total\nNorth,5\nSouth,7.5\nNorth,1\n"
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)
SECONDS = 60.0


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path_factory.mktemp("app") / "data")}, sandbox) as opened:
        yield opened


@pytest.fixture
def chat(services: Services) -> ConversationTables:
    opened = services.tables.open(VISITOR, services.store.add_conversation(VISITOR, "Sales"))
    opened.load("sales.csv", io.BytesIO(SALES))
    return opened


def visit(conversation: str, cookie: str = COOKIE) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = cookie
    if conversation:
        app.query_params["c"] = conversation
    app.run()
    assert not app.exception
    return app


def address(app: AppTest) -> str:
    """The conversation in the address bar."""
    values = app.query_params["c"]
    return values if isinstance(values, str) else values[0]


def texts(app: AppTest) -> str:
    return "\n".join(
        element.value for element in [*app.markdown, *app.caption, *app.subheader, *app.warning, *app.info]
    )


def answered(app: AppTest, services: Services, conversation: str) -> AppTest:
    """The page once every run of the conversation has ended."""
    end = time.monotonic() + SECONDS
    while any(not run.ended for run in services.store.runs(conversation)):
        assert time.monotonic() < end
        time.sleep(0.1)
    app.run()
    assert not app.exception
    return app


def test_a_table_is_introduced_asked_drawn_and_removed(services: Services, chat: ConversationTables) -> None:
    app = visit(chat.conversation)
    assert "3 rows and 2 columns, from sales" in texts(app)
    questions = [button.label for button in app.button if button.key and button.key.startswith("example-")]
    assert len(questions) == 3
    drawing = next(button for button in app.button if "chart" in button.label)
    drawing.click().run()
    answered(app, services, chat.conversation)
    assert any(expander.label.startswith("Asked the tables: SELECT") for expander in app.expander)
    assert any(expander.label.startswith("Drew a chart") for expander in app.expander)
    assert len(app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")) == 1
    assert [button for button in app.button if str(button.key).startswith("next-")]
    remove = f"remove-{chat.loaded()[0].id}"
    app.button(key=remove).click().run()
    app.button(key=f"{remove}-not").click().run()
    app.button(key=remove).click().run()
    assert chat.loaded(), "it was asked only"
    app.button(key=f"{remove}-now").click().run()
    assert not app.exception and chat.loaded() == ()
    assert "from sales" not in texts(app)
    assert not [button for button in app.button if str(button.key).startswith("next-")], "they ask the table"


def test_a_chart_by_the_month_of_the_only_date_is_called_so(services: Services) -> None:
    chat = services.tables.open(VISITOR, services.store.add_conversation(VISITOR, "Visits"))
    chat.load("visits.csv", io.BytesIO(b"Day,Sold\n2026-01-03,1\n2026-02-03,2\n"))
    monthly = "SELECT strftime(day, '%Y-%m') AS month_of_day, sum(sold) AS total_sold FROM visits GROUP BY 1"
    drawn = {"kind": "line", "x": "month_of_day", "y": "total_sold"}
    spec = chat.run({"kind": "chart", "source": monthly, "chart": drawn})["spec"]
    assert (spec["title"], spec["encoding"]["x"]["title"]) == ("Total sold by month", "Month")


def test_a_question_waits_for_its_files_and_is_then_asked(services: Services) -> None:
    app = visit("")
    app.chat_input[0].upload("sales.csv", SALES).upload("broken.csv", bytes(900)).set_value("How many sales are there?")
    app.run()
    assert not app.exception
    conversation = address(app)
    answered(app, services, conversation)
    (run,) = services.store.runs(conversation)
    said = texts(app)
    assert "How many sales are there?" in said and "3" in fold(services.store.events(run.id)).answer
    assert [element.value.split()[0] for element in app.warning] == ["broken\\.csv"]
    app.button(key="dismiss").click().run()
    assert not app.warning and not app.exception
    # A follow-up, and a file without a question: nothing is asked.
    app.chat_input[0].upload("more.csv", SALES).run()
    assert not app.exception
    assert len(services.store.runs(conversation)) == 1
    assert [table.name for table in services.tables.open(VISITOR, conversation).loaded()] == ["sales", "more"]


def test_a_file_without_a_question_opens_a_conversation(services: Services) -> None:
    app = visit("")
    app.chat_input[0].upload("people.csv", b"name,age\nAda,36\nAlan,41\n").run()
    assert not app.exception
    assert "2 rows and 2 columns, from people" in texts(app)
    assert services.store.runs(address(app)) == []
    app.chat_input[0].set_value("What is the average age?").run()
    answered(app, services, address(app))
    assert "38.5" in "".join(element.value for element in app.markdown)


@pytest.mark.parametrize(("name", "said"), [("planets", "8 rows and 10"), ("apollo_flights", "11 rows and 6")])
def test_a_sample_is_loaded_by_a_click(services: Services, name: str, said: str) -> None:
    app = visit("")
    app.button(key=f"sample-{name}.csv").click().run()
    assert not app.exception
    assert f"{said} columns, from {name}".replace("_", "\\_") in texts(app)
    assert len([button for button in app.button if str(button.key).startswith("example-")]) == 3


def test_the_data_page(services: Services, chat: ConversationTables) -> None:
    chat.load("ids.csv", io.BytesIO(b"id,day\n0012,2024-01-02\n0013,2024-02-03\n0013,\n"))
    app = visit(chat.conversation)
    app.switch_page("pages/data.py").run()
    assert not app.exception
    assert [element.value for element in app.header] == ["sales"] and len(app.dataframe) == 1
    app.segmented_control(key="table-shown").set_value(chat.loaded()[1].id).run()
    assert not app.exception
    assert [element.value for element in app.header] == ["ids"]
    assert "3 rows and 2 columns, from ids" in texts(app)
    app.session_state["data-tabs"] = "Columns"
    app.run()
    assert not app.exception
    assert "2 different · 1 empty · 2024\\-01\\-02 to 2024\\-02\\-03" in texts(app)
    app.session_state["data-tabs"] = "SQL"
    app.run()
    assert not app.exception
    app.text_area(key="own-sql-text").set_value("SELECT nope FROM ids")
    next(button for button in app.button if button.label == "Run").click().run()
    assert "nope" in app.error[0].value
    app.text_area(key="own-sql-text").set_value('SELECT id FROM ids WHERE id = "x1"')
    next(button for button in app.button if button.label == "Run").click().run()
    assert any("Read “x1” in double quotes as a text" in caption.value for caption in app.caption)
    app.text_area(key="own-sql-text").set_value("SELECT count(DISTINCT id) AS n FROM ids")
    next(button for button in app.button if button.label == "Run").click().run()
    assert not app.exception and not app.error
    assert app.dataframe[0].value.to_dict("list") == {"n": [2]}
    chat.load("more.csv", io.BytesIO(SALES))
    chat.remove(chat.loaded()[1].id)  # elsewhere, while it is shown here
    app.run()
    assert not app.exception
    assert [element.value for element in app.header] == ["sales"]


def test_the_rows_of_a_table_stand_under_its_own_heads_with_their_units(services: Services) -> None:
    chat = services.tables.open(VISITOR, services.store.add_conversation(VISITOR, "Shares"))
    chat.load("shares.csv", io.BytesIO(b"Product,Share\nTea,25%\nMilk,12.5%\n"))
    app = visit(chat.conversation)
    app.switch_page("pages/data.py").run()
    assert not app.exception
    assert '"Share (%)"' in app.dataframe[0].proto.columns


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELEC 1", "SQL を読み取れませんでした: Parser Error"),
        ("SELECT nope FROM sales", "列「nope」はありません。"),
        ("SELECT * FROM sale", "表「sale」はありません。sales のことですか？ある表: sales。"),
        ("DROP TABLE sales", "ここで実行できるのは SELECT だけです。"),
        ("SELECT 1; SELECT 2", "一度に実行できるのは一文だけです（2 文あります）。"),
    ],
)
def test_why_sql_is_refused_is_told_in_the_language_of_the_person(
    services: Services, chat: ConversationTables, sql: str, said: str
) -> None:
    app = visit(chat.conversation)
    app.session_state["choice"] = {"interface": "ja"}
    app.switch_page("pages/data.py").run()
    app.session_state["data-tabs"] = "SQL"
    app.run()
    app.text_area(key="own-sql-text").set_value(sql)
    next(button for button in app.button if button.label == "実行").click().run()
    assert not app.exception
    assert said in app.error[0].value.replace("\\", "")


def test_names_and_values_of_a_file_are_never_acted_on(services: Services) -> None:
    picture = "![x](https://evil.example/a.png)"
    rows = f'"{picture}","<img src=https://evil.example/b.png>"\n"{picture}",1\n"**b** :material/home:",2\n'
    app = visit("")
    app.chat_input[0].upload(f"{picture.replace('/', ':')}.csv", rows.encode()).upload(f"{picture[:9]}.csv", b"").run()
    assert not app.exception and len(app.warning) == 1
    (table,) = services.tables.open(VISITOR, address(app)).loaded()
    labels = "\n".join(button.label for button in app.button)
    assert "](https" not in texts(app) + labels
    app.switch_page("pages/data.py").run()
    app.session_state["data-tabs"] = "Columns"
    app.run()
    assert not app.exception
    assert "<img" not in texts(app).replace("\\<img", "") and "](https" not in texts(app)
    assert "evil" in texts(app)
    assert services.tables.open(VISITOR, address(app)).query(f"SELECT count(*) FROM {table.name}")["rows"] == [[2]]


def test_what_was_deleted_long_ago_goes_when_the_process_starts(tmp_path: Path) -> None:
    database = tmp_path / "glassbox.db"
    store = Store(f"sqlite:///{database}")
    old, kept = store.add_conversation(VISITOR, "old"), store.add_conversation(VISITOR, "kept")
    for conversation in (old, kept):
        (tmp_path / "tables" / conversation).mkdir(parents=True)
        (tmp_path / "tables" / conversation / "t.parquet").write_bytes(b"x")
        Chats(store).delete(VISITOR, conversation)
    store.close()
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE conversations SET deleted = deleted - ? WHERE id = ?", (2 * SECONDS_TO_RESTORE, old))
    connection.close()
    opened = open_services({"GLASSBOX_DATA": str(tmp_path)}, {})
    end = time.monotonic() + SECONDS
    while (tmp_path / "tables" / old).exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    assert (tmp_path / "tables" / kept / "t.parquet").exists()
    assert not opened.chats.restore(VISITOR, old) and opened.chats.restore(VISITOR, kept)
    opened.runs.close()
    opened.store.close()


def test_another_visitor_is_shown_nothing_of_it(services: Services, chat: ConversationTables) -> None:
    # Also what is being loaded, or was refused, is theirs alone.
    services.keep_loading(chat.conversation, Loading(chat, [("secret.csv", io.BytesIO(b""))]))
    app = visit(chat.conversation, "b" * 32)
    assert not app.warning
    assert "There is no such conversation" in texts(app)
    assert "sales" not in texts(app) and "region" not in texts(app)


def test_what_steps_made_is_drawn_or_refused() -> None:
    table = {"columns": [{"name": "a", "type": "BIGINT"}], "rows": [[1]] * 20, "total": 30_000}
    picture = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + bytes(100)
    made = [
        artifact("table", "Result", json.dumps(table).encode()),
        artifact("table", "Broken", b"{}"),
        artifact("chart", "Fine", json.dumps({"mark": "bar", "data": {"values": [{"x": 1}]}}).encode()),
        artifact("chart", "Evil", json.dumps({"mark": "bar", "data": {"url": "https://evil.example/"}}).encode()),
        artifact("png", "Bad", picture),
        artifact("png", "Begins well", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09\x08\x06\0\0\0<svg>"),
    ]
    contents = {one.hash: one.content for one in made}

    def page(made, contents):  # type: ignore[no-untyped-def]
        from pages.ui.widgets import artifacts

        artifacts.draw("k", made, contents.get)

    app = AppTest.from_function(page, kwargs={"made": made, "contents": contents}, default_timeout=SECONDS).run()
    assert not app.exception
    said = texts(app)
    assert "Result · 30,000 rows, the first 20 of them here" in said
    assert "This table cannot be shown." in said
    assert "could fetch something from elsewhere" in said
    assert said.count("This picture cannot be shown.") == 2
    assert len(app.dataframe) == 1
