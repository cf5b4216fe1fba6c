"""Tools in a person's own words: told, called, gone back to, and found again in runs that knew them by other names."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event as Flag

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.application import preferences
from agent.application.setup import Choice, setup, words_for
from agent.demo.model import Demo
from agent.errors import BadRequest, BadSettings
from agent.events import Answered, Event, Observed, Prepared, Replied, ToolCalled, dump, load
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs import rewind
from agent.runs.conversation import Question, answer
from agent.settings import Limits, read_settings
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.schema import CHOSEN, STORE_VERSIONS
from agent.toolkit.base import Tool, Toolbox, tool
from agent.toolkit.wording import Words, changed, from_plain, over, to_plain, told, without_names
from agent.tools.catalogue import CATALOGUE, choosing, is_on, known, specs, toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.views.fold import fold
from tests.support.stories import TOOLS, broken, calls, double, final, react, stored

ANNA, BERT = "a" * 32, "b" * 32
JAPANESE = "数を二倍にします。"


def box(**words: Words) -> Toolbox:
    return Toolbox(told(TOOLS.tools, words))


def test_a_tool_is_told_and_called_by_its_new_words() -> None:
    tools = box(double=Words("twice", JAPANESE))
    assert tools.names == ("twice", "broken", "buggy", "slow")
    assert f"- twice: {JAPANESE[:-1]}" in tools.usage()
    assert next((schema.name, schema.description) for schema in tools.schemas()) == ("twice", JAPANESE)
    ready = tools.prepare("twice", '{"number": 4}')
    assert (ready.tool.call(ready.arguments).text, ready.repairs) == ("8", ())
    old = tools.prepare("double", '{"number": 4}')
    assert old.tool.name == "twice"
    assert old.repairs == ("Read the tool ‘double’ as ‘twice’.",)


def test_a_former_name_is_found_unless_another_tool_has_it() -> None:
    tools = box(double=Words("twice", "", ("duplicate", "doppel")), broken=Words("duplicate"))
    assert tools.find("doppel").own_name == "double"
    assert tools.find("Doppel").own_name == "double"
    assert tools.find("duplicate").own_name == "broken"
    assert box(double=Words(former=("twice",))).find("twice").name == "double"


def test_a_clash_leaves_a_tool_its_own_name() -> None:
    tools = box(double=Words("Broken"), slow=Words("pace"), buggy=Words("pace"), broken=Words("not: a name"))
    assert len(set(tools.names)) == 4
    assert tools.names[:2] == ("double", "broken")
    # The first one keeps it.
    assert tools.names[2:] == ("pace", "slow")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("_検索", "begins with a letter"),
        ("1st", "begins with a letter"),
        ("a: b", "begins with a letter"),
        ("x" * 65, "at most 64"),
        ("Broken", "Another tool is called Broken"),
        ("bro_ken", "Another tool is called bro_ken"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        changed({}, "double", name, "", ["broken", "slow"])


def test_a_description_has_an_end() -> None:
    with pytest.raises(BadRequest, match="2,000 characters; this one has 2,001"):
        changed({}, "double", "", "x" * 2001, [])


def test_changing_remembers_the_names_before_and_goes_back() -> None:
    words = changed({}, "double", " twice ", JAPANESE, ["broken"])
    assert words == {"double": Words("twice", JAPANESE)}
    words = changed(words, "double", "duplicate", JAPANESE, ["broken"])
    assert words["double"] == Words("duplicate", JAPANESE, ("twice",))
    back = changed(words, "double", "double", "", ["broken"])
    assert back["double"].empty
    assert back["double"].former == ("duplicate", "twice")
    assert box(**back).names == TOOLS.names
    assert box(**back).find("duplicate").name == "double"


def test_what_a_conversation_says_goes_before_the_default() -> None:
    default = {"double": Words("twice", "By two."), "slow": Words("pace")}
    here = over({"double": Words("zweimal", JAPANESE), "slow": Words(former=("crawl",))}, default)
    assert here["double"] == Words("zweimal", JAPANESE, ("twice",))
    assert here["slow"] == Words("pace", "", ("crawl", "pace"))
    assert over({}, default) == default


words_strategy = st.dictionaries(
    st.sampled_from(["double", "broken", "buggy", "slow", "gone"]),
    st.builds(Words, st.text(max_size=8) | st.sampled_from(["double", "slow", "SLOW", "x"]), st.text(max_size=9)),
)


@given(words_strategy)
def test_any_words_give_a_toolbox_in_which_each_tool_is_found(words: dict[str, Words]) -> None:
    tools = box(**words)
    for one in tools.tools:
        assert tools.find(one.name) is one
        assert one.description
    assert [one.own_name for one in tools.tools] == list(TOOLS.names)


def test_words_are_kept_with_the_choice_without_a_key() -> None:
    plain = to_plain({"search": Words("lookup", "ウェブを検索します。", ("find",))})
    kept = preferences.read_back(preferences.write_down(preferences.changed({}, {"words": plain}), ""))
    assert preferences.chosen(kept, Choice()).words == plain
    assert from_plain(plain) == {"search": Words("lookup", "ウェブを検索します。", ("find",))}
    leaky = {
        "endpoint": "https://x.example/v1",
        "key": "sk-planted-123",
        "words": (("search", "", "sk-planted-123", ()),),
    }
    assert "sk-planted" not in preferences.write_down(leaky, "")
    assert "words" not in preferences.read_back('{"words": [["search", 1, "", []]]}')


def test_words_are_kept_by_conversation_and_go_with_it(store: Store) -> None:
    chats = Chats(store)
    mine = store.add_conversation(ANNA, "Mine")
    assert chats.choose(ANNA, mine, "words", "1")
    assert chats.choose(ANNA, mine, "words", "2")
    assert not chats.choose(BERT, mine, "words", "3")
    assert not chats.choose("", mine, "words", "3")
    assert not chats.choose(ANNA, "unknown", "words", "3")
    assert (chats.chosen(mine, "words"), chats.chosen(mine, "other"), chats.chosen("x", "words")) == ("2", "", "")
    chats.delete(ANNA, mine)
    assert not chats.choose(ANNA, mine, "words", "4")
    assert chats.purge(float("inf")) == 1
    assert chats.chosen(mine, "words") == ""


def test_a_store_of_before_takes_words(open_store: Callable[..., Store]) -> None:
    first = open_store()
    conversation = first.add_conversation(ANNA, "Old")
    with first.database.begin() as connection:
        CHOSEN.drop(connection)
        STORE_VERSIONS.drop(connection)
    assert Chats(open_store()).choose(ANNA, conversation, "words", "1")


def test_a_run_is_told_the_words_and_records_them() -> None:
    settings = read_settings({})
    choice = Choice("http://127.0.0.1:9/v1", "m", words=to_plain({"calculator": Words("sums", "足し算をします。")}))
    mine = {"search": Words("", "ウェブを検索します。")}
    chosen = setup(settings, choice, Capabilities(), SearchCache(), words=mine)
    assert {"search", "sums"} <= set(chosen.tools.names) and "calculator" not in chosen.tools.names
    replies = [react("計算", "sums", "2+2"), final("4")]
    events = stored(list(answer(Question("q"), replace(chosen, model=Scripted(replies), wire="react"), Flag())))
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert "- sums: 足し算をします. " in prepared.system and "- search: ウェブを検索します. " in prepared.system
    called = next(event for event in events if isinstance(event, ToolCalled))
    assert (called.tool, called.own, called.own_name) == ("sums", "calculator", "calculator")
    assert fold(events).steps[0].calls[0].own_name == "calculator"
    assert [load(dump(event)) for event in events] == events
    assert '"own"' not in dump(ToolCalled("1", "search", "x", {}))
    assert isinstance(events[-1], Answered)


def test_the_demo_model_finds_tools_that_were_renamed() -> None:
    settings = read_settings({})
    choice = Choice(words=to_plain({"calculator": Words("sums", "足し算をします。")}))
    assert words_for(choice, {})["calculator"] == Words("", "足し算をします。", ("sums",))
    chosen = setup(settings, choice, Capabilities(), SearchCache())
    assert "calculator" in chosen.tools.names and "sums" not in chosen.tools.names
    events = list(answer(Question("What is 12 * 12?"), replace(chosen, model=Demo(pace=0)), Flag()))
    assert "144" in str(events[-1])
    assert chosen.tools.find("sums").name == "calculator"
    assert without_names({"x": Words("y")}) == {"x": Words("", "", ("y",))}


@pytest.mark.parametrize("wire", ["react", "native"])
def test_an_older_run_goes_on_where_its_tool_was_renamed(wire: str) -> None:
    """The steps told keep the name they had; a call under it, by the model or a person, finds the tool."""
    if wire == "react":
        first, second = [react("a", "double", "1"), final("2")], [react("b", "double", "5"), final("10")]
    else:
        first = [calls(("i1", "double", '{"number": 1}')), [Delta(text="2")]]
        second = [calls(("i2", "double", '{"number": 5}')), [Delta(text="10")]]
    takes = wire == "native"
    old = stored(list(answer(Question("q"), Agent(Scripted(first, takes_tools=takes), TOOLS, wire), Flag())))  # type: ignore[arg-type]
    renamed = box(double=Words("twice", JAPANESE))
    so_far, action = rewind.with_action(old, 1, "mine", "double", "4")
    question = Question("q", so_far=so_far, first=(action,))
    model = Scripted(second, takes_tools=takes)
    new = stored(list(answer(question, Agent(model, renamed, wire), Flag())))  # type: ignore[arg-type]
    made = [event for event in new if isinstance(event, ToolCalled)]
    assert [(call.tool, call.own, call.repairs[0]) for call in made] == [
        ("twice", "double", "Read the tool ‘double’ as ‘twice’.")
    ] * 2
    assert [event.text for event in new if isinstance(event, Observed)] == ["8", "10"]
    assert isinstance(new[-1], Answered)
    kept = rewind.before(old, 2)
    again = Scripted([final("2")] if wire == "react" else [[Delta(text="2")]], takes_tools=takes)
    whole = stored(list(answer(Question("q", so_far=kept), Agent(again, renamed, wire), Flag())))  # type: ignore[arg-type]
    assert [event.tool for event in whole if isinstance(event, ToolCalled)] == ["double"]
    assert "double" in str(again.requests[0].messages[2])
    assert isinstance(whole[-1], Answered)


# Limits of the owner's.


def parts(**environment: str) -> Parts:
    return Parts(read_settings(environment), SearchCache())


def test_the_owner_limits_the_calls_of_a_tool() -> None:
    limited = toolbox(parts(GLASSBOX_TOOL_LIMITS="search=5, calculator = 3"))
    assert {one.name: one.most for one in limited.tools if one.most} == {"search": 5, "calculator": 3}
    renamed = toolbox(replace(parts(GLASSBOX_TOOL_LIMITS="calculator=3"), words={"calculator": Words("sums")}))
    assert {one.name: one.most for one in renamed.tools if one.most} == {"sums": 3}


@pytest.mark.parametrize("text", ["search", "search=", "search=0", "=3", "search=-1", "search=many", "a=1,b"])
def test_a_limit_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(BadSettings, match="GLASSBOX_TOOL_LIMITS must be names of tools"):
        read_settings({"GLASSBOX_TOOL_LIMITS": text})


def limited(most: int) -> Toolbox:
    return Toolbox([replace(double, most=most), broken])


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_call_over_the_limit_is_told_to_the_model(wire: str) -> None:
    numbers = [1, 1, 2, 3]
    if wire == "react":
        replies = [*(react("a", "double", str(n)) for n in numbers), react("b", "broken", "x"), final("done")]
    else:
        together = calls(*((f"i{i}", "double", json.dumps({"number": n})) for i, n in enumerate(numbers[2:])))
        replies = [calls(("a", "double", '{"number": 1}')), calls(("b", "double", '{"number": 1}')), together]
        replies += [calls(("c", "broken", '{"text": "x"}')), [Delta(text="done")]]
    model = Scripted(replies, takes_tools=wire == "native")
    events = stored(list(answer(Question("q"), Agent(model, limited(2), wire), Flag())))  # type: ignore[arg-type]
    seen = [(event.text, event.error) for event in events if isinstance(event, Observed)]
    # The repeated call was not made, so it does not count.
    assert [error for _, error in seen] == ["", "repeat", "", "calls", "refused"]
    assert "‘double’ was called as often as is allowed" in seen[3][0] and "(2)" in seen[3][0]
    assert events[-1] == Answered("done", reason="final_answer" if wire == "react" else "stop")


def test_the_limit_is_told_in_the_language_of_the_prompt() -> None:
    model = Scripted(["思考: a\n行動: double\n行動の入力: 1", "行動: double\n行動の入力: 2", "最終的な答え: 2"])
    events = stored(list(answer(Question("q"), Agent(model, limited(1), "react", "ja"), Flag())))
    assert [event.error for event in events if isinstance(event, Observed)] == ["", "calls"]
    assert "1 回" in [event.text for event in events if isinstance(event, Observed)][1]


# Results that are the answer.


@tool(direct=True)
def print_out(text: str) -> str:
    """Prints a text, which is the answer.

    Args:
        text: What to print.
    """
    return text * 2_000 if text == "long" else "" if text == "none" else f"**{text}**"


def direct_run(replies: Sequence[object], wire: str, **more: object) -> list[Event]:
    model = Scripted(list(replies), takes_tools=wire == "native")  # type: ignore[arg-type]
    tools = Toolbox([print_out, double, replace(broken, direct=True)])
    events = list(answer(Question("q", **more), Agent(model, tools, wire, limits=Limits(steps=2)), Flag()))  # type: ignore[arg-type]
    model.finish()
    assert fold(events) == fold(stored(events))
    return stored(events)


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_direct_result_is_the_answer(wire: str) -> None:
    def reply(name: str, text: str) -> object:
        return react("a", name, text) if wire == "react" else calls(("1", name, json.dumps({"text": text})), text="a")

    def said(text: str) -> object:
        return final(text) if wire == "react" else [Delta(text=text)]

    events = direct_run([reply("print_out", "hello")], wire)
    assert events[-1] == Answered("**hello**", reason="direct")
    assert [type(event) for event in events[-4:]] == [Replied, ToolCalled, Observed, Answered]
    # The whole of it, also where a model would be shown a part.
    assert direct_run([reply("print_out", "long")], wire)[-1] == Answered("long" * 2_000, reason="direct")
    # A failure, or nothing, goes back to the model.
    assert direct_run([reply("broken", "x"), said("No.")], wire)[-1].text == "No."  # type: ignore[union-attr]
    assert direct_run([reply("print_out", "none"), said("No.")], wire)[-1].text == "No."  # type: ignore[union-attr]


def test_direct_results_beside_others() -> None:
    together = calls(
        ("1", "print_out", '{"text": "one"}'), ("2", "double", '{"number": 2}'), ("3", "print_out", '{"text": "two"}')
    )
    events = direct_run([together], "native")
    assert events[-1] == Answered("**one**\n\n**two**", reason="direct")
    assert [event.text for event in events if isinstance(event, Observed)] == ["**one**", "4", "**two**"]


def test_a_step_that_a_person_changed_can_be_the_answer() -> None:
    events = direct_run([react("a", "print_out", "x")], "react")
    so_far, action = rewind.with_action(events, 1, "mine", "print_out", "y")
    assert direct_run([], "react", so_far=so_far, first=(action,))[-1] == Answered("**y**", reason="direct")
    edited = rewind.with_observation(events, "call_1", "mine")
    assert direct_run([], "react", so_far=edited)[-1] == Answered("mine", reason="direct")
    now = rewind.answering_now(events)
    assert direct_run([final("It says x.")], "react", so_far=now)[-1] == Answered("It says x.", reason="limit")


def test_a_direct_answer_is_not_sent_back_to_be_checked() -> None:
    model = Scripted([react("a", "print_out", "9 of 10 in 1887")])
    events = list(answer(Question("q"), Agent(model, Toolbox([print_out]), "react", insist=True), Flag()))
    assert events[-1] == Answered("**9 of 10 in 1887**", reason="direct")
    assert not any(isinstance(event, Observed) and event.error == "insist" for event in events)


# More tools than the catalogue's.


def test_tools_that_are_gone_are_left_out_of_what_was_chosen() -> None:
    here = parts()
    assert known(here, None) is None
    assert known(here, ("dice", "calculator")) == ("calculator",)
    # One that was switched off stays so, for it may come back.
    without = choosing(("calculator",), ("search", "calculator"), ("-dice", "search"))
    assert without == ("calculator", "-dice") and not is_on("dice", without)
    chosen = setup(here.settings, Choice(tools=("dice", "calculator")), Capabilities(), SearchCache())
    assert chosen.tools.names == ("calculator",)
    assert specs(here) == CATALOGUE


def test_a_tool_is_equal_to_itself_only_in_the_same_words() -> None:
    one: Tool = double.told_as("", "")
    assert (one.name, one.description, one.own_name) == ("double", double.description, "double")
