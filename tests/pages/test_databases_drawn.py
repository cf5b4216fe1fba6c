"""The chips and the list of databases, without a browser: hostile names are shown and never acted on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from tests.support.app_services import services_with, visitor_of

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
COOKIE = "c" * 32
VISITOR = visitor_of(COOKIE)
HOSTILE = "![x](https://evil.example/a.png) :material/home: **b** <img src=https://evil.example/b.png>"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("drawn")
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.execute(f'CREATE TABLE "{HOSTILE}" ("{HOSTILE}" int)')
    connection.close()
    databases = f"shop=sqlite:///{folder / 'shop.db'}, gone=sqlite:///{folder / 'no.db'}"
    with services_with({"GLASSBOX_DATA": str(folder / "data"), "GLASSBOX_DATABASES": databases}) as opened:
        yield opened


def visit(page: str) -> AppTest:
    app = AppTest.from_file(page, default_timeout=60.0)
    app.session_state["cookie"] = COOKIE
    app.run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.markdown, *app.caption, *app.error, *app.success])


def test_databases_of_the_owner_are_listed_by_name(services: Services) -> None:
    services.databases.open(VISITOR, "").cards()
    app = visit("../../app.py")
    said = texts(app)
    assert "Given by this site: SQLite" in said and "1 table" in said
    assert "The file of this database is not there" in said
    assert "](https" not in said and "<img" not in said.replace("\\<img", "") and "evil" in said
    assert "sqlite:" not in said and "shop.db" not in said
    app.switch_page("pages/data.py").run()
    assert not app.exception
    assert "**shop** · SQLite" in texts(app) and not [b for b in app.button if b.label == "Disconnect"]
    app.button(key="test-shop").click().run()
    assert next(element.value for element in app.success).startswith("It answers: SQLite")
    app.button(key="test-gone").click().run()
    assert "The file of this database is not there" in app.error[0].value


def test_the_dialog_says_what_is_wrong(services: Services) -> None:
    app = visit("../../app.py")
    app.button(key="connect-database-first").click().run()
    assert not app.exception
    app.text_input(key="database-name").set_value("mine")
    app.text_input(key="database-url").set_value("sqlite:////etc/hidden")
    next(button for button in app.button if button.label == "Test").click().run()
    assert "Drop the file into the question box" in app.error[0].value and "hidden" not in texts(app)
    app.text_input(key="database-url").set_value("postgresql://u:hidden@127.0.0.1:9/d")
    next(button for button in app.button if button.label == "Connect").click().run()
    assert "Nothing answers at that address" in app.error[0].value and "hidden" not in texts(app)
    assert services.databases.mine(VISITOR, "") == {}
