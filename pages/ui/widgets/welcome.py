"""The first screen: what this is, and questions that work with the model that is on."""

from __future__ import annotations

import streamlit as st

from agent.application.setup import DEMO
from agent.interface_text import Text
from pages.ui.choices import model_menu
from pages.ui.session import asking, state
from pages.ui.teams import preset_choice
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

Example = tuple[str, str, str]
FOR_THE_DEMO: tuple[Example, ...] = (
    ("calculate", Text("Percentages"), Text("What is 15% of $84.50?")),
    ("swap_horiz", Text("Units"), Text("Convert 72 °F to Celsius")),
    ("event", Text("Dates"), Text("How many days are there from 1 May to 25 December?")),
    ("function", Text("Step by step"), Text("What is the square root of 25? And its cube?")),
    ("search", Text("People"), Text("Who was Ada Lovelace?")),
    ("translate", "日本語", "100の15%はいくつですか？"),
)
FOR_A_MODEL: tuple[Example, ...] = (
    ("thermostat", Text("Look up and convert"), Text("What was the high in San Francisco yesterday, in °F and in °C?")),
    ("compare_arrows", Text("Compare"), Text("How many times more people live in Tokyo than in New York?")),
    ("calculate", Text("Money"), Text("What does a loan of $250,000 at 4% over 30 years cost a month?")),
    ("history_edu", Text("Check a claim"), Text("Is the Great Wall of China visible from the Moon?")),
    ("event", Text("Dates"), Text("How many days until the next leap day?")),
    ("translate", "日本語", "最新のドル円為替レートを2で割った計算結果を教えてください。"),
)


def draw() -> None:
    examples = FOR_THE_DEMO if state.choice().endpoint == DEMO else FOR_A_MODEL
    with st.container(key="welcome", horizontal_alignment="center"):
        st.title(say("What shall we *find out*?"), text_alignment="center", anchor=False)
        st.caption(
            say("Glassbox answers by reasoning and using tools, and shows you every step."), text_alignment="center"
        )
        preset_choice.row(model_menu.used())
        with st.container(key="examples", horizontal=True):
            for icon, name, question in examples:
                st.button(
                    f"**{told(name)}** {label(told(question))}",
                    key=f"example-{name}",
                    icon=f":material/{icon}:",
                    on_click=asking.ask,
                    args=(told(question),),
                )
