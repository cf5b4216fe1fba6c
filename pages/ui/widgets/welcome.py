"""The first screen: what this is, and questions that work with the model that is on."""

from __future__ import annotations

import streamlit as st

from agent.application.setup import DEMO
from agent.interface_text import Text
from agent.tools import catalogue, search
from pages.ui.choices import model_menu, tool_choice
from pages.ui.session import asking, state
from pages.ui.teams import preset_choice
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

Example = tuple[str, str, str, frozenset[str]]
# Any of these is enough.
_SUMS, _UNITS, _CLOCK = (frozenset({name}) for name in ("calculator", "convert", "now"))
_LOOK_UP = frozenset({spec.name for spec in search.ENGINES} | {"search", "wikipedia"})
# Icon, name, question, and the tools of which one answers it.
FOR_THE_DEMO: tuple[Example, ...] = (
    ("calculate", Text("Percentages"), Text("What is 15% of $84.50?"), _SUMS),
    ("swap_horiz", Text("Units"), Text("Convert 72 °F to Celsius"), _UNITS),
    ("event", Text("Dates"), Text("How many days are there from 1 May to 25 December?"), _CLOCK),
    ("function", Text("Step by step"), Text("What is the square root of 25? And its cube?"), _SUMS),
    ("search", Text("People"), Text("Who was Ada Lovelace?"), frozenset({"search"})),
    ("translate", Text("日本語"), Text("100の15%はいくつですか？"), _SUMS),
)
FOR_A_MODEL: tuple[Example, ...] = (
    (
        "thermostat",
        Text("Look up and convert"),
        Text("What was the high in San Francisco yesterday, in °F and in °C?"),
        _LOOK_UP | {"weather"},
    ),
    ("compare_arrows", Text("Compare"), Text("How many times more people live in Tokyo than in New York?"), _LOOK_UP),
    (
        "calculate",
        Text("Money"),
        Text("What does a loan of $250,000 at 4% over 30 years cost a month?"),
        _SUMS | {"python", "llm_math"},
    ),
    ("history_edu", Text("Check a claim"), Text("Is the Great Wall of China visible from the Moon?"), _LOOK_UP),
    ("event", Text("Dates"), Text("How many days until the next leap day?"), _CLOCK | _SUMS | {"python"}),
    ("translate", "日本語", "最新のドル円為替レートを2で割った計算結果を教えてください。", _LOOK_UP),
)


def draw() -> None:
    choice = state.choice()
    ready = catalogue.ready(tool_choice.parts(), choice.tools)
    examples = FOR_THE_DEMO if choice.endpoint == DEMO else FOR_A_MODEL
    with st.container(key="welcome", horizontal_alignment="center"):
        st.title(say("What shall we *find out*?"), text_alignment="center", anchor=False)
        st.caption(
            say("Glassbox answers by reasoning and using tools, and shows you every step."), text_alignment="center"
        )
        preset_choice.row(model_menu.used())
        with st.container(key="examples", horizontal=True):
            for icon, name, question in [each[:3] for each in examples if each[3] & ready]:
                st.button(
                    f"**{told(name)}** {label(told(question))}",
                    key=f"example-{name}",
                    icon=f":material/{icon}:",
                    on_click=asking.ask,
                    args=(told(question),),
                )
