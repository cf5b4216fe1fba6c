"""What the page tells the address bar, and when: over Streamlit's own protocol."""

from __future__ import annotations

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.support.page_socket import PageSocket
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.system


def told(page: PageSocket, back: bool = False) -> list[str]:
    """The words that were drawn before each time that a drawing told the address bar something."""
    drawn = list[str]()

    def ended(page: PageSocket, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            drawn.append(page.drawn)
        return kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY

    page.drawn = ""
    page.send(back=back)
    page.until(ended)
    assert "New chat" in page.drawn
    return drawn


def test_the_address_is_told_where_it_may_be_another_and_before_the_page_is_drawn(demo: AppServer) -> None:
    with PageSocket(demo.port, {}) as page:
        page.draw()
        page.draw(page.question("What is 2+2?"))
        mine = page.query
        assert mine.startswith("c=")
        told(page)
        assert told(page) == []
        # As a link of the sidebar does: Streamlit's page leaves the address as it was.
        page.query = "c=another"
        (before,) = told(page)
        assert "New chat" not in before
        # Back: the address is there already, and Back may be pressed again before a word of it arrives.
        page.query = mine
        assert told(page, back=True) == []
        page.query = "c=another"
        assert len(told(page)) == 1
        # A link from another page comes with its address.
        page.page, page.query = "tools", "c=another"
        assert told(page) == []
        page.page, page.query = "", mine
        assert told(page) == []
