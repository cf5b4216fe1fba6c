"""Tables in a real Chromium: dropped by a stranger, asked without a model and by programs, stopped, told apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from agent.sandbox import client
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
UGLY = (
    '\ufeffDatum;" Région de vente ";"売上 (€)";Menge;Menge;"";"Notiz\nfrei";Nr.\r\n'
    "01.01.2022;Nord;1.000,50;10;1;ja;a;0001\r\n"
    "15.02.2022;Süd;2.000,25;20;2;nein;b;0002\r\n"
    "03.03.2023;Nord;3.000,00;30;3;ja;c;0003\r\n"
    "20.05.2023;Ost;500,25;40;4;ja;d;0004\r\n"
    "21.06.2023;Süd;1.500,00;5;5;nein;e;0005\r\n"
    "01.08.2023;Ost;99,00;6;6;ja;f;0006\r\n"
)
MESSY = (
    "Item;Day;Online;;Shops;\n;;Units;Sum;Units;Sum\n"
    "Lamp;03/04/2025;1;2,5;3;4,5\nChair;05/06/2025;2;3,5;4;5,5\n;;;;;\nDesk;06/07/2025;3;4,5;5;6,5\n"
    "Total;;6;10,5;12;16,5\n"
)
PEOPLE = "name,code\nAda,007\nAlan,12\nGrace,040\n"
ASKED = {
    "How many rows are there?": "is 6.",
    "What is the average Menge?": "is 18.5.",
    "What is the total Menge by Région de vente?": "Ost462",
    "Which Région de vente has the highest total Menge?": "Ost: 46 from 2 rows",
    "What is the total 売上 in 2023?": "is 5,099.25 €.",
    "only Nord": "is 3,000 €.",
}
BOMB = "SELECT count(*) FROM range(100000000000) a, range(100) b WHERE a.range % 7 = b.range"
ENDLESS = "big = bytearray(1000)\nopen('left.bin', 'wb').write(big)\nwhile True:\n    pass"
# Cells are painted on a canvas: how a number is written there is known from what is painted alone.
_PAINTED = """() => {
  window.painted = new Set();
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.painted.add(text);
    return paint.call(this, text, ...place);
  };
}"""
LOAD = SECONDS * 4  # the sandbox starts with the first table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps everything, temporary files included, and the files that are dropped."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o755)
    folder.chmod(0o755)
    (folder / "Ugly sales.csv").write_text(UGLY, encoding="utf-8", newline="")
    (folder / "messy.csv").write_text(MESSY, encoding="utf-8")
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (folder / "noise.csv").write_bytes(bytes(range(256)) * 40)
    return folder


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[AppServer]:
    with AppServer(folder, TMPDIR=str(folder / "tmp")) as running:
        yield running


@pytest.fixture(scope="module")
def anna(browser: Browser, app: AppServer, folder: Path) -> Iterator[Chat]:
    """A stranger who dropped the ugly file."""
    with visit(browser, app.url) as chat:
        drop(chat, folder / "Ugly sales.csv")
        yield chat


def drop(chat: Chat, *files: Path, question: str = "") -> None:
    """Put files into the box, send them, and wait until they are tables."""
    chat.attach(*files)
    chat.box.fill(question)
    chat.box.press("Enter")
    expect(row(chat)).to_be_visible(timeout=LOAD)
    chat.idle()


def row(chat: Chat) -> Locator:
    return chat.page.locator(".st-key-tables-row")


def open_data(chat: Chat) -> Page:
    row(chat).get_by_role("link").click()
    expect(chat.page.get_by_role("tab", name="Columns")).to_be_visible(timeout=SECONDS)
    chat.idle()
    return chat.page


def test_a_stranger_asks_an_ugly_file(anna: Chat) -> None:
    page = anna.page
    anna.expect_text("6 rows and 8 columns, from Ugly sales.csv")
    for question, answer in ASKED.items():
        anna.answer_to(question, answer)
    anna.answer_to("Plot total Menge by Région de vente", ", as a chart")
    chart = page.get_by_test_id("stVegaLiteChart")
    expect(chart).to_have_count(1)
    # The SQL of every step, those of the turns before included.
    anna.button("Show 1 earlier turn").click()
    anna.click(anna.button("Steps and more"))
    anna.idle()
    asked = anna.steps.filter(has_text="Asked the tables")
    expect(asked).to_have_count(len(ASKED) + 1)
    for index in range(len(ASKED) + 1):
        anna.click(asked.nth(index).locator("summary").first)
        expect(asked.nth(index).get_by_test_id("stCode").first).to_contain_text("SELECT", timeout=SECONDS)
        expect(asked.nth(index).get_by_role("button", name="Download CSV")).to_be_visible(timeout=SECONDS)
        expect(asked.nth(index).get_by_test_id("stDataFrame")).to_be_visible()
    anna.idle()
    # A picture to keep, and the data behind it.
    chart.last.hover()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as PNG").last.click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    tables = page.get_by_test_id("stDataFrame").count()
    page.get_by_role("button", name="Show data").last.click()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(tables + 1)


def test_a_messy_file_is_previewed_and_put_right_where_it_was_dropped(
    browser: Browser, app: AppServer, folder: Path
) -> None:
    with visit(browser, app.url, viewport={"width": 390, "height": 844}) as chat:
        drop(chat, folder / "messy.csv")
        page = chat.page
        chat.expect_text("3 rows and 6 columns, from messy.csv")
        for words in ("2 head rows were joined.", "1 row without data left out", "1 row of totals left out of sums."):
            chat.expect_text(words)
        expect(page.locator("[class*=st-key-first-rows-]").get_by_test_id("stDataFrame")).to_be_visible(timeout=SECONDS)
        chat.answer_to("How many rows are there?", "is 3.")
        # The lines are in the table's menu, too; each is undone there by itself.
        row(chat).get_by_role("button", name="messy").click()
        expect(page.get_by_text("Online Sum number")).to_be_visible()
        line = page.locator("[class*=st-key-repair-chip-]")
        chat.click(line.filter(has_text="totals").get_by_role("button", name="Undo"))
        expect(line.filter(has_text="1 row of totals counted in sums.")).to_be_visible(timeout=SECONDS)
        chat.click(line.filter(has_text="Day").get_by_role("button", name="Read month first"))
        expect(line.filter(has_text="month first; either")).to_be_visible(timeout=SECONDS)
        page.keyboard.press("Escape")
        chat.idle()
        chat.answer_to("How many rows are in the table messy?", "is 4.")
        row(chat).get_by_role("button", name="messy").click()
        chat.click(chat.button("First rows and types"))
        dialog = page.get_by_role("dialog", name="Table", exact=True)
        expect(dialog.get_by_test_id("stDataFrame")).to_be_visible(timeout=SECONDS)
        chat.click(dialog.get_by_role("button", name="Online Units"))
        chat.idle()
        ring = page.get_by_test_id("stRadioOption").filter(has_text="text").locator("div:has(> div:empty)")
        expect(ring).to_have_css("border-color", "rgba(128, 128, 128, 0.85)")  # seen before it is chosen
        page.get_by_role("radio", name="text").check(force=True)
        expect(dialog).to_contain_text("Online Units: read as text, as you chose.", timeout=SECONDS)
        line = dialog.locator("[class*=st-key-repair-dialog-]")
        chat.click(line.filter(has_text="Online Units").get_by_role("button", name="Undo"))
        expect(line.filter(has_text="Online Units")).to_have_count(0)
        page.keyboard.press("Escape")
        chat.closed()
        # What is dropped later stands below the answers, until something is asked.
        chat.attach(folder / "people.csv")
        chat.box.press("Enter")
        arrived = page.locator("[class*=st-key-arrived-]")
        expect(arrived).to_contain_text("3 rows and 2 columns, from people.csv", timeout=LOAD)
        expect(arrived.get_by_test_id("stDataFrame")).to_be_visible(timeout=SECONDS)
        chat.answer_to("How many rows are in the table people?", "is 3.")
        expect(arrived).to_have_count(0)


def test_what_was_left_out_and_why_a_column_is_text_is_told_where_it_was_dropped(
    browser: Browser, app: AppServer, folder: Path
) -> None:
    (folder / "pantry.csv").write_text(
        "Pantry\nCounted on Monday, by Ada\n\nThing on the long shelf below,Held,Held\n"
        "Flour,12 kg,1\nSalt,800 g,2\nRice,5 kg,3\n\nNo tins yet\n",
        encoding="utf-8",
    )
    with visit(browser, app.url, viewport={"width": 390, "height": 844}) as chat:
        drop(chat, folder / "pantry.csv")
        for words in (
            "Left out above the header: “Pantry · Counted on Monday, by Ada”.",
            "Left out below the rows: “No tins yet”.",
            "Held 2 · whole number",
            "Held: Amounts in several units (g, kg); kept as text.",
        ):
            chat.expect_text(words)
        types = chat.page.locator("[class*=st-key-types-] button p")
        assert types.evaluate_all("all => all.map(one => one.scrollWidth > one.clientWidth)") == [False] * 3
        assert not chat.overflow


def test_the_page_of_the_tables(browser: Browser, app: AppServer, folder: Path) -> None:
    with visit(browser, app.url) as chat:
        drop(chat, folder / "people.csv", folder / "noise.csv", question="How many rows are there?")
        chat.expect_text("is 3.")
        chat.expect_text("noise.csv is not a text or table that can be read here.")
        chat.settle()
        chat.button("Dismiss").click()
        expect(chat.page.get_by_text("noise.csv is not")).to_have_count(0)
        page = open_data(chat)
        page.get_by_role("tab", name="Columns").click()
        expect(page.get_by_text("text · VARCHAR")).to_have_count(2)
        chat.click(page.get_by_role("button", name="Change type").last)
        chat.click(page.get_by_role("combobox", name="Read it as"))
        page.get_by_role("option", name="whole number").click()
        chat.click(page.get_by_role("button", name="Change", exact=True))
        expect(page.get_by_text("whole number · BIGINT")).to_be_visible(timeout=SECONDS)
        chat.click(page.get_by_role("button", name="Rename"))
        page.get_by_role("textbox", name="Name in SQL").fill("folk & all")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="folk_all")).to_be_visible(timeout=SECONDS)
        chat.click(page.get_by_role("tab", name="SQL"))
        box = page.get_by_role("textbox", name="One SELECT")
        box.fill("SELECT sum(code) AS s, 2015 AS year, 1234.5 AS fee, '=1+1' AS f FROM folk_all")
        page.evaluate(_PAINTED)
        page.get_by_role("button", name="Run").click()
        expect(page.get_by_text("Result · 1 row")).to_be_visible(timeout=SECONDS)
        page.wait_for_function("window.painted.has('1,234.5')")
        painted = page.evaluate("[...window.painted]")
        assert "2015" in painted and not any("2014." in cell for cell in painted)
        chat.idle()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Download CSV").click()
        saved_lines = saved.value.path().read_text("utf-8-sig").splitlines()
        assert saved_lines == ["s,year,fee,f", "59,2015,1234.5,'=1+1"]
        box.fill("DROP TABLE folk_all")
        page.get_by_role("button", name="Run").click()
        expect(page.get_by_text("Only SELECT can be run here")).to_be_visible(timeout=SECONDS)
        chat.click(page.get_by_role("button", name="Delete"))
        chat.click(page.get_by_role("button", name="Delete it"))
        expect(page.get_by_role("heading", name="No tables here")).to_be_visible(timeout=SECONDS)


def test_what_was_done_with_one_table_is_not_offered_for_the_next(
    browser: Browser, app: AppServer, folder: Path
) -> None:
    files = [folder / "plums.csv", folder / "pears.csv"]
    for file in files:
        file.write_text("kind,price\na,1\nb,2\n", encoding="utf-8")
    with visit(browser, app.url) as chat:
        page = chat.page
        chat.attach(*files)
        chat.box.press("Enter")
        page.get_by_role("button", name="pears · 2 rows").wait_for()
        chat.click(page.get_by_role("link", name="Data", exact=True))
        chat.click(page.get_by_role("button", name="Rename"))
        page.get_by_role("textbox", name="Name in SQL").fill("fruit")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="fruit")).to_be_visible()
        expect(page.get_by_role("button", name="Save")).to_have_count(0)
        chat.click(page.get_by_role("button", name="Delete"))
        chat.click(page.get_by_role("button", name="Delete it"))
        expect(page.get_by_role("heading", name="pears")).to_be_visible()
        expect(page.get_by_role("button", name="Delete it")).to_have_count(0)


def test_a_reload_while_files_load_loses_nothing(browser: Browser, app: AppServer, folder: Path) -> None:
    many = folder / "many.csv"
    many.write_text("id,day\n" + "".join(f"{i},2024-01-{1 + i % 28:02d}\n" for i in range(200_000)), encoding="utf-8")
    with visit(browser, app.url) as chat:
        chat.attach(many)
        chat.box.press("Enter")
        chat.page.wait_for_url("**/?c=*")
        chat.page.reload()
        expect(row(chat)).to_contain_text("many · 200,000 rows", timeout=LOAD)
        chat.idle()
        chat.answer_to("How many rows are there?", "is 200,000.")


def test_a_stranger_cannot_see_name_or_ask_the_tables_of_another(
    browser: Browser, app: AppServer, folder: Path, anna: Chat
) -> None:
    theirs = ("Ugly", "ugly_sales", "Menge", "Nord")
    with visit(browser, app.url) as ben:
        drop(ben, folder / "people.csv")
        for address in (anna.page.url, anna.page.url.replace("?c=", "data?c=")):
            ben.page.goto(address)
            ben.expect_text("There is no such conversation here" if "data" not in address else "No tables here")
            ben.idle()
            assert [word for word in theirs if word in ben.page.content()] == []
        ben.page.go_back()
        ben.page.go_back()
        expect(row(ben)).to_be_visible(timeout=SECONDS)
        ben.idle()
        ben.answer_to("What is the total Menge in ugly_sales?", "I could not look up")
        page = open_data(ben)
        page.get_by_role("tab", name="SQL").click()
        folders = [entry.name for entry in (folder / "data" / "tables").iterdir()]
        for named in ("ugly", *folders):
            sql = "SELECT * FROM ugly_sales" if named == "ugly" else f"SELECT * FROM '../{named}/*.parquet'"
            page.get_by_role("textbox", name="One SELECT").fill(sql)
            page.get_by_role("button", name="Run").click()
            expect(page.get_by_test_id("stAlert")).to_contain_text(re.compile("no table .*" + named), timeout=SECONDS)
            ben.idle()
            assert "Nord" not in page.content() and "Menge" not in page.content()


# With a model, which is played.


def program(code: str, thought: str = "I compute it.") -> str:
    return react(thought, "python", json.dumps({"code": code}))


PROGRAMS = [
    program("print('rows:', len(df))\ndf.groupby('région_de_vente').menge.agg(['sum', 'mean'])"),
    program("df.nothing", "I look at a column."),
    program("import altair as alt\nalt.Chart(df).mark_bar().encode(x='région_de_vente', y='sum(menge)')"),
    program("import matplotlib.pyplot as plt\n_ = plt.plot(df.menge)"),
    final("Ost sold 46."),
    "What is the median Menge of ugly_sales?",
    program("df.menge.median()"),
    final("The median is 15."),
]


@contextmanager
def played(browser: Browser, folder: Path, *replies: str) -> Iterator[tuple[Chat, AppServer]]:
    """A chat with the ugly file, whose model plays the replies; the server keeps its files in ``folder``."""
    (folder / "tmp").mkdir(parents=True)
    (folder / "Ugly sales.csv").write_text(UGLY, encoding="utf-8", newline="")
    with (
        ModelServer(list(replies)) as model,
        AppServer(
            folder,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="react",
            GLASSBOX_MERGE="always",
            TMPDIR=str(folder / "tmp"),
        ) as app,
        visit(browser, app.url) as chat,
    ):
        drop(chat, folder / "Ugly sales.csv")
        yield chat, app


def test_the_same_through_programs(browser: Browser, tmp_path: Path) -> None:
    with played(browser, tmp_path, *PROGRAMS) as (chat, _):
        chat.answer_to("Who sold most?", "Ost sold 46.")
        printed, wrong, drawn, plotted = [chat.steps.filter(has_text="Ran Python").nth(index) for index in range(4)]
        for step in (printed, wrong, drawn, plotted):
            chat.click(step.locator("summary").first)
            expect(step).to_contain_text("Observation", timeout=SECONDS)
        chat.idle()
        expect(printed).to_contain_text("Ran Python · 2 lines")
        expect(printed.get_by_test_id("stDataFrame")).to_be_visible(timeout=SECONDS)
        printed.get_by_text("As the model was shown it").click()
        expect(printed).to_contain_text("rows: 6", timeout=SECONDS)
        expect(wrong).to_contain_text("AttributeError", timeout=SECONDS)
        expect(wrong).to_contain_text("df.nothing")
        expect(drawn.get_by_test_id("stVegaLiteChart")).to_be_visible(timeout=SECONDS)
        expect(plotted.get_by_test_id("stImage").locator("img")).to_be_visible(timeout=SECONDS)
        # Both stand under the answer, too, and the picture can be kept.
        expect(chat.page.get_by_test_id("stVegaLiteChart")).to_have_count(2)
        chat.idle()
        with chat.page.expect_download() as saved:
            chat.page.get_by_role("button", name="Download PNG").last.click()
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        chat.answer_to("and the median?", "The median is 15.")


def test_stop_ends_what_is_at_work_and_leaves_nothing(browser: Browser, tmp_path: Path) -> None:
    replies = [react("I count.", "query", BOMB), "Run for ever?", program(ENDLESS), "And now?", final("Never.")]
    with played(browser, tmp_path, *replies) as (chat, app):
        before, workers = files_of(tmp_path), app.children()
        for question, doing in (("How many?", "Asking the tables"), ("And for ever?", "Running Python · 4 lines")):
            chat.ask(question)
            chat.expect_text(doing)
            at_work = wait_for(lambda workers=workers: busy(app.children(), workers))
            began = monotonic()
            chat.button("Stop").click()
            wait_for(lambda at_work=at_work: not set(at_work) & set(app.children()))
            ended = monotonic() - began
            chat.expect_text("Stopped.")
            print(f"{doing}: the worker was gone {ended:.2f} s after the click, the page {monotonic() - began:.2f} s")
            chat.settle()
            workers = app.children()
            wait_for(lambda: files_of(tmp_path) == before)
        chat.answer_to("And now?", "Never.")


def files_of(folder: Path) -> set[str]:
    """The tables, and what work on them puts elsewhere for a while."""
    kept = {str(path.relative_to(folder)) for path in (folder / "data" / "tables").rglob("*")}
    return kept | {str(path.relative_to(folder)) for path in (folder / "tmp").rglob("left.bin")}


def busy(now: Mapping[int, float], before: Mapping[int, float]) -> list[int]:
    """The processes that have worked for long since ``before``."""
    return [pid for pid, seconds in now.items() if seconds - before.get(pid, 0.0) > 0.4]


def wait_for(what: Callable[[], Any]) -> Any:
    end = monotonic() + SECONDS / 1000
    while not (found := what()):
        assert monotonic() < end
        sleep(0.02)
    return found
