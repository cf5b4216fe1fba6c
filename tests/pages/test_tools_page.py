"""The page of tools, without a browser: its lines, what opens in them, tries, words, switches, broken files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.preferences import read_back
from agent.application.services import Services
from agent.events import Answered, Asked, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.sandbox.client import Sandbox
from tests.support.app_services import services_with, visitor_of

pytestmark = [
    pytest.mark.system,
    # Drawn without a server, Streamlit warns of what is only there with one.
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)
SECONDS = 60.0
MANY = '''
from datetime import date
from typing import Literal
from agent.toolkit.base import tool

@tool(icon="casino")
def many(word: str, count: int = 3, ratio: float = 0.5, loud: bool = False, unit: Literal["km", "mi"] = "km",
         day: date | None = None, tags: list[str] | None = None, more: dict[str, int] | None = None) -> str:
    """Takes all there is.

    Args:
        word: A [word](https://evil.example/), for example fog.
    """
    return f"{word} {count} {ratio} {loud} {unit} {day} {tags} {more}"

@tool
def nothing_asked() -> str:
    """Asks for nothing."""
    return "done"
'''


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("app")
    (folder / "own").mkdir()
    (folder / "own" / "many.py").write_text(MANY, encoding="utf-8")
    environment = {
        "GLASSBOX_DATA": str(folder / "data"),
        "GLASSBOX_TOOLS_FOLDER": str(folder / "own"),
        "GLASSBOX_VISITOR_MESSAGES": "1",
        "GLASSBOX_WIKIPEDIA_URL": "http://127.0.0.1:9/w/api.php",
    }
    with services_with(environment, sandbox) as opened:
        yield opened


def visit(conversation: str = "", cookie: str = COOKIE) -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = cookie
    if conversation:
        app.query_params["c"] = conversation
    app.run()
    app.switch_page("pages/tools.py").run()
    assert not app.exception
    return app


def open_tool(app: AppTest, name: str) -> None:
    app.session_state[f"tool-{name}"] = True
    app.run()
    assert not app.exception


def press(app: AppTest, name: str) -> None:
    next(button for button in app.button if button.label == name).click().run()
    assert not app.exception


def texts(app: AppTest) -> str:
    shown = [*app.markdown, *app.caption, *app.text, *app.subheader, *app.info, *app.error, *app.code]
    return "\n".join(str(element.value) for element in shown)


def tried(app: AppTest) -> str:
    """What a try has come to."""
    while ":material/hourglass_top:" in texts(app):
        app.run()
    return texts(app)


def test_all_tools_are_listed_by_what_they_need(services: Services) -> None:
    app = visit()
    groups = ["In use", "Switched off", "Need something first", "Not offered here", "Tool servers"]
    assert [group.value for group in app.subheader] == groups
    titles = [line.label.split("**")[-2].replace("\\", "").casefold() for line in app.expander]
    in_use = titles[: titles.index("nothing_asked") + 1]
    assert {"search", "calculator", "many"} < set(in_use)
    assert "wikipedia" in titles and "wikipedia" not in in_use
    assert "python" in titles and "python" not in in_use
    assert {"Calculator", "Weather", "Python"} < {line.label.split("**")[1] for line in app.expander}
    assert "2 are this site's own" in texts(app)
    app.text_input(key="search-tools").set_value("SQL").run()
    assert len(app.expander) == 2
    app.text_input(key="search-tools").set_value("zebra").run()
    assert len(app.expander) == 0 and "No tool has all of these words." in texts(app)


def test_a_tool_opens_to_all_there_is_to_say_of_it(services: Services) -> None:
    conversation = services.store.add_conversation(VISITOR, "q")
    run = services.store.add_run(conversation)
    called = ToolCalled("1", "search", "fog", {}), Observed("1", "x", 0.5, "quota")
    ended = Replied("", "", Usage(), 0.1, 0.1), *called, Answered("a")
    services.store.append(run, [Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), *ended])
    app = visit(conversation)
    open_tool(app, "search")
    said = texts(app)
    assert "Searches Wikipedia" in said and "| query | text |" in said
    assert "sent to somebody else's server" in said and "tokens**" in said
    link = next(one for one in app.get("page_link") if "fog" in one.proto.label)
    assert "failed \\(quota\\)" in link.proto.label and link.proto.query_string == f"r={run}"
    open_tool(app, "query")
    assert [info.value for info in app.info] == ["Drop a table into the question box first\\."]
    open_tool(app, "many")
    assert "This site's own, from many" in texts(app)
    assert "](https://evil" not in texts(app)
    # Another visitor sees nothing of it.
    other = visit(conversation, "b" * 32)
    open_tool(other, "search")
    assert not any("fog" in one.proto.label for one in other.get("page_link"))


def test_what_telling_of_tools_takes_goes_by_the_wire_that_the_model_is_asked_on(services: Services) -> None:
    app = visit(cookie="d" * 32)
    open_tool(app, "calculator")

    def told(model: str, endpoint: str = "http://127.0.0.1:9/v1", wire: str = "auto") -> tuple[int, ...]:
        """Tokens of all tools, and of the calculator."""
        app.session_state["choice"] = {"endpoint": endpoint, "model": model, "wire": wire}
        assert not app.run().exception
        found = re.findall(r"takes about ([\d,]+) tokens|\*\*([\d,]+) tokens\*\*", texts(app))
        return tuple(sorted((int((of_all or of_one).replace(",", "")) for of_all, of_one in found), reverse=True))

    small, large = told("qwen2.5:1.5b"), told("qwen2.5:32b")
    assert len(small) == len(large) == 2
    assert all(0 < 2 * fewer < more for fewer, more in zip(small, large, strict=True))
    assert told("qwen2.5:1.5b", wire="react") == small
    assert told("m", "http://[::1") == large


def test_a_tool_is_tried_by_a_form_and_by_text(services: Services) -> None:
    app = visit()
    open_tool(app, "many")
    app.button(key="try-many").click().run()
    app.text_input(key="field-many-word").set_value("fog")
    app.number_input(key="field-many-count").set_value(7)
    app.toggle(key="field-many-loud").set_value(True)
    app.selectbox(key="field-many-unit").set_value("mi")
    app.text_area(key="field-many-tags").set_value("one\ntwo")
    app.text_area(key="field-many-more").set_value('{"a": 1}')
    press(app, "Run")
    said = tried(app)
    assert "fog 7 0.5 True mi None ['one', 'two'] {'a': 1}" in said
    assert "evil" in said and "](https://evil" not in said
    app.segmented_control(key="how-many").set_value("As the model writes it").run()
    app.text_area(key="raw-many").set_value("```\n{'word': 'rain', 'count': '4'}\n```")
    press(app, "Run")
    said = tried(app)
    assert "rain 4 0.5 False" in said
    assert ":material/build: Read" in said
    app.text_area(key="raw-many").set_value('{"word": "x", "count": "several"}')
    press(app, "Run")
    said = tried(app)
    assert ":red[:material/error: Failed]" in said and "whole number was expected" in said


def test_a_tool_without_input_is_tried(services: Services) -> None:
    app = visit()
    open_tool(app, "nothing_asked")
    assert "It takes no input." in texts(app)
    app.button(key="try-nothing_asked").click().run()
    press(app, "Run")
    assert "done" in tried(app)


def test_a_failing_tool_says_why_and_tries_that_reach_out_count(services: Services) -> None:
    app = visit(cookie="c" * 32)
    open_tool(app, "search")
    app.button(key="try-search").click().run()
    app.text_input(key="field-search-query").set_value("fog")
    press(app, "Run")
    assert ":material/error: Failed" in tried(app)
    press(app, "Run")
    assert "You have used your 1 message for today" in texts(app)
    assert services.budget.meter(sha256(("browser " + "c" * 32).encode()).hexdigest()[:32]).messages_used == 1
    assert services.budget.meter(VISITOR).messages_used == 0


def test_words_are_changed_for_all_chats_and_for_one(services: Services) -> None:
    cookie = "d" * 32
    visitor = visitor_of(cookie)
    conversation = services.store.add_conversation(visitor, "q")
    app = visit(cookie=cookie)
    open_tool(app, "calculator")
    app.button(key="words-calculator").click().run()
    app.text_input[-1].set_value("search")
    press(app, "Save")
    assert app.error[-1].value == "Another tool is called search already\\. Choose another name\\."
    app.text_input[-1].set_value("keisan")
    app.text_area[-1].set_value("計算をします。")
    press(app, "Save")
    kept = read_back(services.chats.preferences(visitor))
    assert kept["words"] == (("calculator", "keisan", "計算をします。", ()),)
    app = visit(conversation, cookie)
    open_tool(app, "calculator")
    # The demo model knows tools by their own names, so it is told the description alone.
    assert "計算をします。" in texts(app)
    app.button(key="words-calculator").click().run()
    app.segmented_control[-1].set_value("In this chat").run()
    app.text_area[-1].set_value("Rechnet.")
    press(app, "Save")
    assert '"Rechnet."' in services.chats.chosen(conversation, "words")
    app = visit(conversation, cookie)
    open_tool(app, "calculator")
    assert "Rechnet." in texts(app) and "計算をします。" not in texts(app)
    app.button(key="words-calculator").click().run()
    press(app, "Back to its own words")
    open_tool(app, "calculator")
    assert "Rechnet." not in texts(app) and "計算をします。" in texts(app)


def test_words_of_another_visitors_chat_are_not_touched(services: Services) -> None:
    theirs = services.store.add_conversation(VISITOR, "q")
    services.chats.choose(VISITOR, theirs, "words", '{"words": [["calculator", "", "Secret words.", []]]}')
    app = visit(theirs, "e" * 32)
    open_tool(app, "calculator")
    assert "Secret words." not in texts(app)
    app.button(key="words-calculator").click().run()
    assert not app.segmented_control


def test_a_tool_is_switched_off_and_on(services: Services) -> None:
    cookie = "f" * 32
    app = visit(cookie=cookie)
    open_tool(app, "calculator")
    app.toggle(key="use-calculator-ready").set_value(False).run()
    assert not app.exception
    app.toggle(key="use-calculator-off").set_value(True).run()
    assert app.toggle(key="use-calculator-ready").value


def test_tool_servers_have_a_section_that_says_what_they_are() -> None:
    app = visit(cookie="9" * 32)
    assert "Other programs can bring tools of their own (Model Context Protocol). None is connected." in texts(app)
    press(app, "Connect a server")
    assert "They are offered to the model beside ours." in texts(app)


def test_a_file_that_breaks_is_shown_with_its_line(services: Services, tmp_path: Path) -> None:
    folder = services.settings.tools_folder
    assert folder
    broken = folder / "zzz.py"
    broken.write_text("x = 1\ny = **bold** (\n", encoding="utf-8")
    os.utime(broken, ns=(1, 1))
    app = visit()
    assert len(app.error) == 1 and app.error[0].value.startswith("**zzz\\.py, line 2** · SyntaxError")
    broken.unlink()
    app.run()
    assert not app.error
