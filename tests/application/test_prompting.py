"""A person's own templates: what they must have, where they are used, and that a run keeps them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from threading import Event as Flag

import pytest

from agent.application import preferences
from agent.application.preferences import ChatPrompts, read_prompts, text_for_all
from agent.application.prompt_editing import MOST_CHARACTERS, TEMPLATES, check, filled_in
from agent.application.setup import Choice, own_prompts, setup, with_own_prompt
from agent.errors import BadRequest
from agent.events import Merged, Observed, Prepared, dump, load
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.models.scripted import Scripted
from agent.prompts import LANGUAGES, source
from agent.runs.conversation import Question, answer
from agent.runs.rewind import answering_now
from agent.settings import Limits, read_settings
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.views.event_list import about
from agent.wire.instructions import day_told
from tests.support.stories import final, react

TOOLS = toolbox(Parts(read_settings({}), SearchCache()))
OWN = "Be brief. Today is ${today}. Tools:\n${tools}\nThought: why\nAction: one of ${names}\nAction Input: its input"
OWN += "\nObservation: its result\nFinal Answer: what you say"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [template.name for template in TEMPLATES])
def test_every_default_can_be_used_as_ones_own(language: str, name: str) -> None:
    text = source(language, name)
    check(language, name, text)
    usual = filled_in(language, name, TOOLS, "2026-11-21")
    assert usual and "${" not in usual
    assert filled_in(language, name, TOOLS, "2026-11-21", own={name: f"Mine. {text}"}) == f"Mine. {usual}"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("react", " \n", "There is nothing in it."),
        ("react", "x" * (MOST_CHARACTERS + 1), "at most 8,000 fit"),
        ("react", OWN.replace("${tools}", ""), r"Put in \$\{tools\}, which is filled in"),
        ("react", OWN + "${secret}", r"Take out \$\{secret\}: nothing is known"),
        ("react", OWN.replace("Action Input:", "Input:"), "Teach “Action Input:” at the start of a line"),
        ("conversational", OWN.replace("Final Answer:", "I say:"), "“Final Answer:”"),
        ("native", "Hello", r"\$\{today\}"),
        ("limit", "Stop now.", r"\$\{limit\}"),
        ("nope", "x", "no such prompt"),
        ("merge_input", "x", "no such prompt"),
    ],
)
def test_what_cannot_be_used_says_what_to_mend(name: str, text: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        check("en", name, text)


def test_labels_are_those_of_the_language() -> None:
    with pytest.raises(BadRequest, match="“思考:”, “行動:”"):
        check("ja", "react", OWN)
    with pytest.raises(BadRequest, match="no prompts in this language"):
        check("xx", "react", OWN)


def test_a_run_is_told_in_ones_own_words_and_keeps_them() -> None:
    own = {"react": OWN, "repeat": "Again! ${result}", "limit": "Enough: ${limit}.", "format": "What? ${problem}"}
    step = react("I square it.", "calculator", "5^2")
    model = Scripted([step, step, "Action:", final("25")])
    made = Agent(model, TOOLS, "react", limits=Limits(steps=3), prompts=own)
    events = list(answer(Question("What is 5 squared?"), made, Flag()))
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert prepared.system.startswith(f"Be brief. Today is {day_told('en', date.today().isoformat())}.")
    assert prepared.prompts == own
    assert load(dump(prepared)) == prepared
    said = [event.text for event in events if isinstance(event, Observed)]
    assert said[1].startswith("Again! 25")
    assert said[2].startswith("What? ")
    assert said[3] == "Enough: 3 steps."
    now = answering_now(events[:-4])[-1]
    assert isinstance(now, Observed) and now.text == "Enough: the user wants an answer now."


def test_a_run_with_the_usual_words_writes_nothing_of_it() -> None:
    events = list(answer(Question("Hello"), Agent(Scripted([final("Hi")]), TOOLS, "react"), Flag()))
    assert "prompts" not in dump(next(event for event in events if isinstance(event, Prepared)))


def test_a_follow_up_is_merged_in_ones_own_words() -> None:
    model = Scripted(["What is the cube of 5?", final("125")])
    made = Agent(model, TOOLS, "react", prompts={"merge": "One question, please."}, merge="always")
    before = list(answer(Question("What is 5?"), replace(made, model=Scripted([final("A number.")])), Flag()))
    events = list(answer(Question("and its cube?", Before({"1": before})), made, Flag()))
    merged = next(event for event in events if isinstance(event, Merged))
    assert merged.request[0].content == "One question, please."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_conversational_style_is_chosen_and_read(language: str) -> None:
    choice = Choice(language=language, style="conversational")
    made = setup(read_settings({}), choice, Capabilities(), SearchCache())
    no = "Thought: Do I need to use a tool? No\nFinal Answer: Hello!"
    events = list(answer(Question("Hi"), replace(made, model=Scripted([no]), wire="react"), Flag()))
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert prepared.system.startswith(source(language, "conversational").partition("${today}")[0])
    assert events[-1].text == "Hello!"  # type: ignore[union-attr]


def test_own_prompts_belong_to_a_language_and_are_kept() -> None:
    choice = replace(Choice(), prompts=with_own_prompt(Choice(), "react", OWN))
    assert own_prompts(choice) == {"react": OWN}
    assert own_prompts(replace(choice, language="ja")) == {}
    assert with_own_prompt(choice, "react", "") == ()
    kept = preferences.changed({}, {"prompts": choice.prompts, "style": "conversational"})
    back = preferences.chosen(preferences.read_back(preferences.write_down(kept, "")), Choice())
    assert back == replace(choice, style="conversational")
    with pytest.raises(BadRequest, match="cannot be used"):
        own_prompts(replace(choice, prompts=(("en", "react", "broken"),)))


def test_a_chats_own_prompts_go_before_those_for_all() -> None:
    native = "Today is ${today}. Be native."
    for_all = (("en", "react", "For all."), ("ja", "react", "全部"))
    everywhere = replace(Choice(), prompts=for_all, style="conversational")
    assert ChatPrompts().empty and ChatPrompts().over(everywhere) == everywhere
    mine = ChatPrompts().with_template("en", "react", OWN).with_template("en", "native", native)
    here = mine.over(everywhere)
    assert own_prompts(here) == {"react": OWN, "native": native} and here.style == "conversational"
    assert ("ja", "react", "全部") in here.prompts and ("en", "react", "For all.") not in here.prompts
    assert (mine.text("en", "react"), mine.text("ja", "react"), mine.text("en", "merge")) == (OWN, "", "")
    assert replace(mine, style="react").over(everywhere).style == "react"
    assert text_for_all(everywhere, "react") == "For all."
    assert text_for_all(everywhere, "merge") == source("en", "merge")
    assert mine.with_template("en", "react", "").over(everywhere).prompts[:1] == (("en", "react", "For all."),)
    assert mine.with_template("en", "react", "").with_template("en", "native", "").empty


def test_a_chats_own_prompts_are_kept_and_what_is_none_is_left_out() -> None:
    mine = replace(ChatPrompts().with_template("ja", "react", OWN), style="conversational")
    assert read_prompts(mine.written()) == mine
    assert read_prompts(ChatPrompts(style="react").written()) == ChatPrompts(style="react")
    assert ChatPrompts().written() == "" and read_prompts("") == read_prompts("[") == ChatPrompts()
    assert read_prompts('{"prompts": [["en", "react"]], "style": "shouting", "model": "m"}').empty


def test_runs_of_a_chat_are_told_and_record_its_prompts() -> None:
    own = ChatPrompts().with_template("en", "react", OWN)
    made = setup(read_settings({}), own.over(Choice(wire="react")), Capabilities(), SearchCache())
    events = list(answer(Question("Hello"), replace(made, model=Scripted([final("Hi")])), Flag()))
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert prepared.system.startswith("Be brief.") and prepared.prompts == {"react": OWN}
    assert about(prepared).endswith(", own prompts: react")
