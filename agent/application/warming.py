"""What the first question would wait for, done while somebody reads the page.

The demo model's patterns are compiled at their first use, and what reads questions about tables is imported then: a
second and a half of work, which here is done by asking it before anyone does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from importlib import import_module
from threading import Event as Flag
from typing import Any

_ASKED = ("What is 17% of 240?", "What is 18% of 250?")  # a fraction, a whole number
_OF_TABLE = "What is the total amount by city?"
_CARD: Mapping[str, Any] = {
    "name": "sales",
    "source": "sales.csv",
    "rows": 3,
    "columns": [
        {"name": "city", "label": "City", "type": "VARCHAR", "kind": "text", "distinct": 2, "examples": ["Oslo"]},
        {"name": "amount", "label": "Amount", "type": "BIGINT", "kind": "integer", "min": 1, "max": 9, "distinct": 3},
    ],
}


def warm(owner_model: bool) -> None:
    """Import what calls the owner's model; without one, have the demo model answer sums and read of a table.

    Nothing is stored, nothing leaves the process.
    """
    if owner_model:
        import_module("agent.models.http_client")
    else:
        _ask_demo()


def _ask_demo() -> None:
    # Imported by the thread that warms up: whoever starts it need not wait.
    from agent.application.setup import Choice, setup
    from agent.data.tables.card_texts import HEADING, cards_text
    from agent.demo.model import Demo
    from agent.evidence import check
    from agent.loop.agent import Before
    from agent.messages import Facts, Message
    from agent.models.capabilities import Capabilities
    from agent.models.protocol import Request
    from agent.prompts import render
    from agent.runs.conversation import Question, answer
    from agent.settings import read_settings
    from agent.tools.search.search_tool import SearchCache

    agent = setup(read_settings({}), Choice(), Capabilities(), SearchCache())
    for asked in _ASKED:
        check(list(answer(Question(asked, Before({})), agent, Flag())))
    facts = Facts(date.today().isoformat(), ("query", "chart"), (_CARD,))
    told = render("en", "react", today=facts.today, tools="- query", names="query", example="")
    system = Message("system", f"{told}\n\n{HEADING}\n\n{cards_text([_CARD])}")
    request = Request((system, Message("user", _OF_TABLE)), language="en", facts=facts)
    for _ in Demo(pace=0).stream(request):
        pass
