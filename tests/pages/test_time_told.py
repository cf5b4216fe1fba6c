"""How long a run has taken, as it is told while it goes on."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from time import time
from typing import Any

import pytest

from agent.interface_text import Text
from agent.messages import Money
from agent.settings import Limits
from agent.views.fold import RunView
from agent.views.gauge import gauge
from agent.views.values import StepView
from pages.ui.run.render import Turn
from pages.ui.text.words import in_language

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


class Foot:
    """The place below a turn, which keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def progress(self, _: float, text: str) -> None:
        self.told.append(text)

    def caption(self, text: str) -> None:
        self.told.append(text)


def test_the_time_that_a_prompt_is_read_counts_for_no_limit_also_while_the_reply_is_written() -> None:
    reads = RunView(state="running", model="m", limits=Limits(15, 300.0, 0, 0.0), started=time() - 40.5)
    turn, foot = Turn("r", dict[str, Any]().get), Foot()
    turn.foot = foot
    turn.draw(reads)
    turn.since -= 30.0  # it has read for so long
    turn.draw(replace(reads, steps=(StepView(1),)))
    turn.draw(replace(reads, steps=(StepView(1, "done"),), read=30.0))
    assert all("10 s of 300 s" in said for said in foot.told[1:]), foot.told
    assert len(foot.told) == 3


def test_what_was_used_of_the_limits_is_told_in_the_language_of_the_person() -> None:
    view = RunView(state="running", limits=Limits(15, 120, 50_000, 0.1), price=Money(Decimal("0.008")))
    used = gauge(view, 12.7)
    assert used and isinstance(used.text, Text)
    told = in_language(used.text, "ja")
    assert told == "ステップ 1 / 15 · 12 / 120 s · 0 / 50,000 トークン · $0.0080 / $0.10"
