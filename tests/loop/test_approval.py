"""Which calls ask the person first, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.application.setup import Choice, as_prepared, setup
from agent.errors import UnknownTool
from agent.events import Event, Observed, Prepared, ToolCalled
from agent.loop.approval import ANY, NO_POLICY, ONCE, REACHING, Policy, has_read_untrusted, needs_approval
from agent.loop.provenance import Told
from agent.models.capabilities import Capabilities
from agent.settings import Limits, Secret, read_settings
from agent.toolkit.base import Hints, Toolbox
from agent.tools.catalogue import CATALOGUE, toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.stories import double

READS = replace(double, name="reads")
WEB = replace(double, name="web", effect="reaches", untrusted=True)
FILES = replace(double, name="files", untrusted=True)
SENDS = replace(double, name="sends", effect="acts")
TOOLS = Toolbox([READS, WEB, FILES, SENDS])


def call(name: str) -> ToolCalled:
    return ToolCalled("now", name, "1", {"number": 1})


def read(name: str, error: str = "") -> list[Event]:
    return [ToolCalled("1", name, "1", {"number": 1}), Observed("1", "2", error=error)]


@pytest.mark.parametrize(
    ("name", "asks", "before", "decisions"),
    [
        ("reads", (), [], None),
        ("reads", ("reads",), [], ANY),
        ("reads", ("web", "sends"), [], None),
        ("reads", (REACHING,), read("web"), None),
        ("web", (), [], None),
        ("web", (), read("web"), None),
        ("web", (REACHING,), [], ANY),
        ("web", ("web",), [], ANY),
        ("sends", (), [], None),
        ("sends", (REACHING,), [], ANY),
        ("sends", (), read("reads"), None),
        ("sends", (), read("web"), ONCE),
        ("sends", (), read("files"), ONCE),
        ("sends", ("sends",), read("files"), ONCE),
        # What failed may have said something, and what is gone is not known to be trusted.
        ("sends", (), read("web", "refused"), ONCE),
        ("sends", (), read("gone"), ONCE),
        # Called and not answered yet: nothing was read.
        ("sends", (), read("web")[:1], None),
    ],
)
def test_a_call_asks_first(name: str, asks: tuple[str, ...], before: list[Event], decisions: object) -> None:
    needed = needs_approval(call(name), TOOLS.find(name), Told(before, (), TOOLS), Policy(asks))
    assert (needed and needed.decisions) == decisions
    assert needed is None or needed.reason.endswith(".")


def test_what_is_allowed_for_good_asks_no_more_but_for_acts_after_other_people_s_text() -> None:
    policy = Policy((REACHING,), always=("web", "sends"))
    assert needs_approval(call("web"), TOOLS.find("web"), Told(read("web"), (), TOOLS), policy) is None
    assert needs_approval(call("sends"), TOOLS.find("sends"), Told([], (), TOOLS), policy) is None
    assert needs_approval(call("sends"), TOOLS.find("sends"), Told(read("web"), (), TOOLS), policy) is not None


@pytest.mark.parametrize("hints", [Hints("mine", True, False, False), Hints("mine", True), Hints("mine")])
def test_what_a_server_says_of_its_tool_takes_no_question_away(hints: Hints) -> None:
    made = replace(double, name="mine_get", hints=hints, effect="acts")
    tool = toolbox(Parts(read_settings({}), SearchCache(), servers=(made,))).find("mine_get")
    tools = Toolbox([*TOOLS.tools, tool])
    assert needs_approval(call("mine_get"), tool, Told([], (), tools), NO_POLICY) is None
    needed = needs_approval(call("mine_get"), tool, Told(read("files"), (), tools), NO_POLICY)
    assert needed is not None
    # The person's word for the tool, and the owner's, are what does.
    assert "always" in needed.decisions
    assert needs_approval(call("mine_get"), tool, Told(read("files"), (), tools), Policy(always=("mine_get",))) is None
    vouched = toolbox(Parts(read_settings({}), SearchCache(), servers=(replace(made, effect="reaches"),)))
    assert needs_approval(call("mine_get"), vouched.find("mine_get"), Told(read("files"), (), tools), NO_POLICY) is None


def test_a_tool_that_says_it_destroys_asks_each_time_until_it_is_allowed_for_good() -> None:
    tool = replace(double, name="mine_drop", hints=Hints("mine", True, True), effect="acts")
    needed = needs_approval(call("mine_drop"), tool, Told([], (), Toolbox([tool])), NO_POLICY)
    assert needed is not None and needed.decisions == ANY
    assert needs_approval(call("mine_drop"), tool, Told([], (), Toolbox([tool])), Policy(always=("mine_drop",))) is None


def test_other_people_s_text_of_an_earlier_turn_counts() -> None:
    assert needs_approval(call("sends"), SENDS, Told([], read("web"), TOOLS), NO_POLICY) is not None
    assert needs_approval(call("sends"), SENDS, Told([], read("reads"), TOOLS), NO_POLICY) is None


def test_a_concern_asks_whatever_is_set() -> None:
    def worried(arguments: object, events: object) -> str:
        return "It looks odd." if arguments == {"number": 1} and not events else ""

    tools = Toolbox([replace(tool, concern=worried) if tool is WEB else tool for tool in TOOLS.tools])
    needed = needs_approval(call("web"), tools.find("web"), Told([], (), tools), Policy(always=("web",)))
    assert needed is not None
    assert (needed.reason, needed.decisions) == ("It looks odd.", ONCE)
    assert needs_approval(call("web"), tools.find("web"), Told(read("web"), (), tools), Policy()) is None
    assert needs_approval(call("reads"), tools.find("reads"), Told([], (), tools), Policy()) is None


def test_a_tool_that_is_not_there_is_none() -> None:
    with pytest.raises(UnknownTool):
        needs_approval(call("gone"), TOOLS.find("gone"), Told([], (), TOOLS), NO_POLICY)
    assert not has_read_untrusted([], TOOLS)


def test_the_catalogue_says_what_its_tools_do() -> None:
    parts = Parts(read_settings({}), SearchCache())
    made = {made.name: made for made in toolbox(parts).tools}
    assert (made["search"].effect, made["search"].untrusted) == ("reaches", True)
    assert (made["calculator"].effect, made["calculator"].untrusted) == ("reads", False)
    assert (made["ask_user"].effect, made["ask_user"].untrusted) == ("asks", False)
    assert all(entry.untrusted for entry in CATALOGUE if entry.name in ("query", "python", "chart"))


def test_the_owner_s_wish_and_the_visitor_s_hold_together() -> None:
    settings = read_settings({"GLASSBOX_APPROVE": "reaching, python"})
    chosen = setup(settings, Choice(approve=("calculator",)), Capabilities(), SearchCache(), allowed=("search",))
    assert chosen.policy == Policy(("reaching", "python", "calculator"), ("search",))


def test_a_run_goes_on_as_it_began_and_no_other_server_is_given_the_key() -> None:
    prepared = Prepared("q", "s", (), "react", "m", "http://localhost:1/v1", "ja", {"temperature": 0.5}, Limits(3))
    mine = Choice("http://localhost:1/v1/", "other", Secret("key"), temperature=1.0)
    goes_on = as_prepared(mine, prepared)
    assert (goes_on.model, goes_on.wire, goes_on.language, goes_on.temperature) == ("m", "react", "ja", 0.5)
    assert goes_on.limits == Limits(3)
    assert goes_on.key == mine.key
    moved = as_prepared(replace(mine, endpoint="http://localhost:2/v1"), prepared)
    assert not moved.key
    assert moved.endpoint == "http://localhost:1/v1"
    assert not as_prepared(Choice(key=Secret("key")), prepared).key
    demo = Prepared("q", "s", (), "react", "Demo", "demo")
    assert as_prepared(Choice(), demo).endpoint == "demo"
    assert as_prepared(Choice(), demo).temperature is None
