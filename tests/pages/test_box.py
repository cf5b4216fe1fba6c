"""What was sent by the chat's box is kept although Streamlit ends the script at its very next step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import Event as Flag
from threading import current_thread
from typing import BinaryIO, NoReturn

import pytest
import streamlit as st
from streamlit.elements.widgets.chat import ChatInputValue
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import StopException, add_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import SCRIPT_RUN_CONTEXT_ATTR_NAME
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from agent.application.chat_box import ChatBox
from agent.application.chat_runs import ChatRuns
from agent.application.services import Services
from agent.application.setup import default_choice
from agent.data.tables.uploads import Loading
from agent.errors import BadRequest
from agent.events import Asked, Failed
from agent.store.unanswered import MOST_IN_QUEUE
from pages.ui.data import tables
from pages.ui.frame import sidebar
from pages.ui.session import asking, state
from tests.support.app_services import services_with, visitor_of
from tests.support.servers.model_server import ModelServer, Reply

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
COOKIE = "c" * 32
VISITOR = visitor_of(COOKIE)
SECONDS = 60.0
APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path)}) as opened:
        yield opened


@pytest.fixture
def stopping(services: Services) -> Iterator[SessionState]:
    """The state of a session whose script is to end: so it does wherever Streamlit looks whether it should."""

    def stop() -> None:
        raise StopException

    with in_session(stop) as kept:
        yield kept


@contextmanager
def in_session(stop: Callable[[], None], address: str = "") -> Iterator[SessionState]:
    """The state of a session at that address; ``stop`` is called wherever Streamlit looks whether to end its script."""
    kept = SessionState()
    kept["cookie"], kept["choice"] = COOKIE, {}
    files, fragments, pages = MemoryUploadedFileManager("/"), MemoryFragmentStorage(), PagesManager(str(APP))
    safe = SafeSessionState(kept, stop)
    context = ScriptRunContext("session", lambda _: stop(), address, safe, files, str(APP), {}, fragments, pages)
    add_script_run_ctx(current_thread(), context)
    yield kept
    delattr(current_thread(), SCRIPT_RUN_CONTEXT_ATTR_NAME)


def test_a_question_is_kept_before_streamlit_can_end_the_script(services: Services, stopping: SessionState) -> None:
    stopping["draft-servers-of"] = {"session": "s"}
    stopping[asking.BOX] = ChatInputValue("What is 2+2?", files=[], _include_files=True)
    with pytest.raises(StopException):
        state.visitor()
    with pytest.raises(StopException):
        asking.submit()
    (chat,) = services.chats.conversations(VISITOR)
    (run,) = services.store.runs(chat.id)
    begun = services.store.events(run.id)[0]
    assert isinstance(begun, Asked)
    assert begun.question == "What is 2+2?"


def test_a_question_asked_in_a_chat_that_is_gone_says_that_it_began_a_new_one(services: Services) -> None:
    chat = services.store.add_conversation(VISITOR, "t")
    for address, said in ((f"c={chat}", ""), ("", ""), ("c=gone", "not there any more, so a new one was begun")):
        with in_session(lambda: None, address) as kept:
            kept["draft-servers-of"] = {"session": "s"}
            kept[asking.BOX] = ChatInputValue("What is 2+2?", files=[], _include_files=True)
            asking.submit()
            assert said in asking.box_notice() and bool(said) == bool(asking.box_notice())
    assert len(services.chats.conversations(VISITOR)) == 3


def test_the_box_asks_for_a_follow_up_only_where_something_was_asked(services: Services) -> None:
    chat = services.store.add_conversation(VISITOR, "table.csv")
    opened = AppTest.from_file(APP, default_timeout=SECONDS)
    opened.session_state["cookie"], opened.query_params["c"] = COOKIE, chat
    hints = [opened.run().chat_input[0].placeholder]
    services.store.append(services.store.add_run(chat), [Asked("q", 1.0), Failed("model", "It broke.")])
    hints.append(opened.run().chat_input[0].placeholder)
    assert hints == ["Ask anything", "Ask a follow-up"]


def test_the_first_screen_offers_what_the_tools_that_are_on_can_answer(services: Services) -> None:
    offered: list[set[str]] = []
    for tools in (["calculator", "now", "convert", "search"], ["now"], ["-*"]):
        opened = AppTest.from_file(APP, default_timeout=SECONDS)
        opened.session_state["cookie"], opened.session_state["choice"] = COOKIE, {"tools": tools}
        opened.run()
        offered.append({str(button.key) for button in opened.button if str(button.key).startswith("example-")})
    everything, dates, nothing = offered
    assert {"example-Percentages", "example-Dates", "example-People"} <= everything
    assert dates == {"example-Dates"}
    assert nothing == set()


@pytest.mark.slow
def test_what_is_asked_next_survives_a_reload_and_is_asked_in_its_turn(tmp_path: Path) -> None:
    gate = Flag()
    with ModelServer(lambda _: Reply("First.\nSecond.", gate=gate)) as server:
        environment = {"GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_DATA": str(tmp_path)}
        with services_with(environment | {"GLASSBOX_WIRE": "native", "GLASSBOX_WINDOW": "8000"}) as services:
            chat, _ = ChatBox(runs := ChatRuns(services, VISITOR, "s", default_choice(services.settings))).take("q0")
            box = ChatBox(runs, chat)
            for number in range(MOST_IN_QUEUE):
                assert box.take(f"q{number + 1}") == (chat, "")
            with pytest.raises(BadRequest, match="10 questions wait already"):
                box.take("one too many")
            gate.set()
            opened = AppTest.from_file(APP, default_timeout=SECONDS)
            opened.session_state["cookie"], opened.query_params["c"] = COOKIE, chat
            while services.store.unanswered.queue(chat):
                opened.run()
            asked = [services.store.events(row.id)[0] for row in services.store.runs(chat)]
            assert [each.question for each in asked if isinstance(each, Asked)] == [f"q{n}" for n in range(11)]


def test_what_shows_nothing_is_no_question(services: Services) -> None:
    box = ChatBox(ChatRuns(services, VISITOR, "s", default_choice(services.settings)))
    for blank in (" ", "\u200b", "\u3164\u2800"):
        with pytest.raises(BadRequest, match="no question in it"):
            box.take(blank)
    assert services.chats.conversations(VISITOR) == []


def test_what_is_too_long_for_a_question_is_in_the_box_again(services: Services) -> None:
    """As a turn that failed it would fill the chat, its failure out of sight below it."""
    pasted = "word and 12 more. " * 6_000
    with in_session(lambda: None) as kept:
        kept["draft-servers-of"] = {"session": "s"}
        kept[asking.BOX] = ChatInputValue(pasted, files=[], _include_files=True)
        asking.submit()
        notice = asking.box_notice()
        assert "A question may have 20,000 characters; this one has 108,000." in notice
        assert notice.endswith("save it as a file and drop it here."), "a way out is told"
        assert asking.given_back()[1] == pasted
    assert services.chats.conversations(VISITOR) == []


def test_files_are_loaded_whose_question_is_too_long(services: Services) -> None:
    pasted = "word and 12 more. " * 6_000
    with in_session(lambda: None) as kept:
        kept["draft-servers-of"] = {"session": "s"}
        dropped = UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", b"a\n1\n"), FileURLs())
        kept[asking.BOX] = ChatInputValue(pasted, files=[dropped], _include_files=True)
        asking.submit()
        (chat,) = services.chats.conversations(VISITOR)
        st.query_params["c"] = chat.id
        assert "this one has 108,000." in asking.box_notice()
        assert asking.given_back()[1] == pasted
    loading = services.loading(chat.id)
    assert loading is not None
    assert [file.name for file in loading.files] == ["a.csv"]
    assert services.store.unanswered.queue(chat.id) == ()
    assert services.store.runs(chat.id) == []


def test_a_question_that_waited_for_files_is_in_the_box_again_where_a_person_stops_loading(services: Services) -> None:
    chat, gate = services.store.add_conversation(VISITOR, "t"), Flag()
    queue = services.store.unanswered
    for question in ("How many rows?", "And columns?"):
        queue.enqueue(chat, question)
    loading = Loading(Refusing(gate), [("a.csv", BytesIO(b"a\n"))])
    with in_session(lambda: None):
        st.query_params["c"] = chat
        assert asking.given_back() == ("", "")
        asking.stop_loading(chat, loading)
        mark, text = asking.given_back()
        assert mark
        assert text == "How many rows?\nAnd columns?"
        assert queue.queue(chat) == ()
        st.query_params["c"] = services.store.add_conversation(VISITOR, "another")
        assert asking.given_back() == ("", ""), "it is of its own chat"
    gate.set()


def test_a_question_is_asked_where_its_files_were_there_before_the_click_on_stop(services: Services) -> None:
    chat = services.store.add_conversation(VISITOR, "t")
    services.store.unanswered.enqueue(chat, "How many rows?")
    with in_session(lambda: None):
        st.query_params["c"] = chat
        asking.stop_loading(chat, Loading(services.tables.open(VISITOR, chat), ()))
        assert asking.given_back() == ("", "")
    assert services.store.unanswered.queue(chat) == ("How many rows?",)


def test_no_question_is_lost_where_the_script_ends_as_loading_is_stopped(
    services: Services, stopping: SessionState
) -> None:
    chat, gate = services.store.add_conversation(VISITOR, "t"), Flag()
    services.store.unanswered.enqueue(chat, "How many rows?")
    loading = Loading(Refusing(gate), [("a.csv", BytesIO(b"a\n"))])
    with pytest.raises(StopException):
        asking.stop_loading(chat, loading)
    assert services.store.unanswered.queue(chat) == ("How many rows?",)
    gate.set()


def test_a_notice_at_the_box_is_of_the_chat_in_which_it_was_asked(services: Services) -> None:
    chats = [services.store.add_conversation(VISITOR, name) for name in ("one", "two")]
    with in_session(lambda: None, f"c={chats[0]}") as kept:
        kept["draft-servers-of"] = {"session": "s"}
        st.query_params["c"] = chats[0]
        kept[asking.BOX] = ChatInputValue("\u200b", files=[], _include_files=True)
        asking.submit()
        assert "no question in it" in asking.box_notice()
        for other in (chats[1], ""):
            st.query_params["c"] = other
            assert asking.box_notice() == ""
        state.open_conversation(chats[1])
        state.open_conversation(chats[0])
        assert asking.box_notice() == "", "it is not told again"


def test_a_chat_that_is_deleted_has_what_is_at_work_in_it_stopped(tmp_path: Path) -> None:
    gate = Flag()
    with ModelServer(lambda _: Reply("First.\nSecond.", gate=gate)) as server:
        environment = {"GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_DATA": str(tmp_path)}
        with services_with(environment | {"GLASSBOX_WIRE": "native", "GLASSBOX_WINDOW": "8000"}) as services:
            state.put("cookie", COOKIE)
            runs = ChatRuns(services, VISITOR, "s", default_choice(services.settings))
            chat, run = ChatBox(runs).take("What is 2+2?")
            (row,) = services.chats.conversations(VISITOR)
            state.put("menu", "Delete")
            sidebar.chosen(row, "menu")
            while not services.runs.follow(run, 1_000).done:
                pass
            gate.set()
            failed = services.store.events(run)[-1]
            assert isinstance(failed, Failed)
            assert failed.reason == "cancelled"
            assert services.chats.conversations(VISITOR) == []
            assert services.chats.restore(VISITOR, chat)


def test_chats_that_are_deleted_one_after_the_other_have_an_undo_each(services: Services) -> None:
    state.put("cookie", COOKIE)
    chats = [services.store.add_conversation(VISITOR, title) for title in "abcd"]
    for row in reversed(services.chats.conversations(VISITOR)):
        state.put("menu", "Delete")
        sidebar.chosen(row, "menu")
    opened = AppTest.from_file(APP, default_timeout=SECONDS)
    opened.session_state["cookie"], opened.session_state["deleted"] = COOKIE, state.deleted()
    undo = [key for key in (str(button.key) for button in opened.run().button) if key.startswith("undo-")]
    assert undo == [f"undo-{chat}" for chat in reversed(chats[1:])], "the last three, the last one first"
    for key in (undo[1], undo[0], undo[2]):
        opened.button(key=key).click().run()
    assert {row.title for row in services.chats.conversations(VISITOR)} == {"b", "c", "d"}
    assert not [button.key for button in opened.button if str(button.key).startswith("undo-")]


def test_a_file_is_told_by_its_name_while_it_loads_and_where_it_is_refused(services: Services) -> None:
    state.open_dialog("shortcuts")  # the page stands still behind it
    gate, said = Flag(), list[str]()
    loading = Loading(Refusing(gate), [("my_sales [2024].csv", BytesIO(b"a\n"))])
    tables.follow(loading, said.append)
    state.close_dialog()
    assert said == ["Loading my_sales [2024].csv"], "as it is: a screen reader reads what Markdown escapes"
    gate.set()
    while not loading.wait(1.0):
        pass
    assert loading.refused == ("my_sales [2024].csv: There is nothing in this file but blanks.",)


class Refusing:
    """Refuses any file, once the gate is open, with a sentence that does not name it."""

    def __init__(self, gate: Flag) -> None:
        self._gate = gate

    def load(self, name: str, source: BinaryIO, progress: object = None) -> NoReturn:
        self._gate.wait()
        raise BadRequest.because("There is nothing in this file but blanks.")


def test_a_run_of_an_earlier_version_without_a_question_says_so(services: Services) -> None:
    chat = services.store.add_conversation(VISITOR, "t")
    services.store.append(services.store.add_run(chat), [Failed("interrupted", "The server was stopped.")])
    opened = AppTest.from_file(APP, default_timeout=SECONDS)
    opened.session_state["cookie"], opened.query_params["c"] = COOKIE, chat
    opened.run()
    assert not opened.exception
    assert any("was not kept" in caption.value for caption in opened.caption)
    assert not [button for button in opened.button if button.label == "Try again"]
