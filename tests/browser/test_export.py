"""What is taken along is whole, says nothing that it should not, and does nothing when it is opened."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import Event as Flag

import pytest
import sqlalchemy as sql
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, expect

from agent.application.setup import Choice, setup
from agent.errors import BadRequest
from agent.events import Answered, Artifact, Asked, Event, Failed, Observed, Prepared, Replied, ToolCalled, dump
from agent.messages import Money, Usage
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, ask
from agent.settings import Secret, read_settings
from agent.sharing.export.answer_html import Mark, answer_html
from agent.sharing.export.checked_answer import checked
from agent.sharing.export.collected import Exported, ExportedRun, take
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown, safe_markdown
from agent.sharing.export.titles import host, money, step_title, verdict_line
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.toolkit.base import artifact
from agent.tools.search.search_tool import SearchCache
from agent.views.fold import StepView
from tests.support.hostile_runs import Fields, hostile_run
from tests.support.hostile_texts import TEXTS, hostile_texts, mixtures
from tests.support.servers.canary_server import Canary
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react
from tests.support.whole_runs import everything, text_run

ANNA = "a" * 32
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "header",
        "article",
        "div",
        "span",
        "details",
        "summary",
    ),
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "dl", "dt", "dd", "pre", "code", "ul", "ol", "li", "a", "br", "hr"),
    *("strong", "em", "del", "s", "mark", "blockquote", "table", "thead", "tbody", "tr", "th", "td"),
}
# Formulas, whose elements and attributes draw and do nothing else.
TAGS |= {"math", "mrow", "mi", "mn", "mo", "mtext", "msup", "msub", "mfrac", "msqrt", "mstyle"}
VOID = {"meta", "br", "hr"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "title", "href", "rel", "target", "start"}
ATTRIBUTES |= {"id", "data-sign", "display", "stretchy", "displaystyle", "scriptlevel"}
ADDRESS = "http://127.0.0.1:9/canary"


class Read(HTMLParser):
    """What a page is made of; it complains about anything that could fetch, run or style, and about crossed tags."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.links: list[str] = []
        self.metas: list[dict[str, str | None]] = []
        self.text: list[str] = []
        self.classes: list[str | None] = []
        # The parts of the page itself, and those of them that links lead to.
        self.ids: set[str] = set()
        self.led: set[str] = set()
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        found = dict(attrs)
        assert len(found) == len(attrs)
        style = found.pop("style", None)
        assert style is None or re.fullmatch(r"text-align:(left|right|center)", style)
        assert found.keys() <= ATTRIBUTES, found
        if tag == "meta":
            self.metas.append(found)
        if "id" in found:
            assert found["id"] not in self.ids
            self.ids.add(found["id"] or "")
        if tag == "a" and (found["href"] or "").startswith("#"):
            assert "a" not in self.open and "target" not in found
            self.led.add((found["href"] or "")[1:])
        elif tag == "a":
            assert re.match(r"https?://[^\\@/?#]+([/?#]|$)", found["href"] or ""), found
            assert found["rel"] == "noopener noreferrer nofollow"
            assert "a" not in self.open
            self.links.append(found["href"] or "")
        self.classes.append(found.get("class"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


def hostile(address: str) -> Exported:
    """Runs and a name of which every text is hostile."""
    fields = Fields(address)
    runs = []
    for number in range(4):
        events = tuple(hostile_run(fields, number))
        made = [made for event in events if isinstance(event, Observed) for made in event.artifacts]
        contents = {one.hash: one.content for one in made}
        runs.append(ExportedRun(str(number), "", events, number % 2, fields.short(), contents))
    return Exported(fields.short(), tuple(runs))


def test_the_page_has_everything_of_the_runs() -> None:
    words = Read(export_html(everything())).words
    for said in (
        *("and in Celsius?", "Understood as: What is 54 °F in Celsius?", "I look it up.", "Action · search"),
        *("high in SF", "[1] 54 °F", "Weather | SF", "(weather.example.org)", "2026-11-20 · 54 °F at noon", "Nowhere"),
        *("whole result (text, 36 bytes)", "The whole page: 54 °F & <b>more</b>", "Made: a picture (image, 8 bytes)"),
        *("The server does not take stop words.", "The action's name was in backticks.", "It is 99 °F."),
        *("A bare text was taken as the query.", "Observation: 99 °F (invented)", "Write an action or an answer."),
        *("from this conversation's earlier searches", "12.222222222222221", "It is 12.2 °C", "And in Kelvin?"),
        *("about 391 tokens in (280 cached), 61 out (5 reasoning)", "$0.0001", "3.6 s", "gpt-x", "2026-11-18"),
        *("The reader found this good: Just right & quick", "The reader found this not good", "refused"),
        *("Taken as typed", "The service is closed.", "You have no steps left.", "In Tokyo it", "東京", "no price"),
        *(
            "Thought · edited by hand",
            "The limit of 2 steps was reached.",
            "This reply was not finished.",
            "Another version of an answer above.",
        ),
        *("4 questions", "There is none.", "The server was stopped", "There was no question."),
    ):
        assert said in words, said
    assert "not kept" not in words


def test_markdown_has_everything_of_the_runs() -> None:
    written = export_markdown(everything())
    read = re.sub(r"<[^>]*>", "", MarkdownIt("commonmark", {"html": False}).render(written))
    words = " ".join(unescape(read).split())
    for said in (
        *("High in SF — 東京 <b>", "and in Celsius? (exactly)", "Understood as: What is 54 °F", "Step 1: Searched"),
        *("I look it up.", "Action: search", "high in SF", "[1] 54 °F", "Weather | SF", "(weather.example.org)"),
        *("Repaired: The action's name", "Note: The server does not take", "It is 99 °F.", "Observation: 99 °F (inv"),
        *("Write an action or an answer.", "It is 12.2 °C, says the page", "And in Kelvin?", "$0.0001", "Made: cities"),
        *(
            "The reader found this good: Just right & quick",
            "failed (unknown_tool)",
            "The limit of 2 steps was reached.",
        ),
        *("Taken as typed", "Note: This reply was not finished.", "Observation: there is none.", "(nothing)"),
    ):
        assert said in words, said


def test_json_lines_are_the_events() -> None:
    exported = everything()
    lines = export_json_lines(exported).removesuffix("\n").split("\n")
    assert json.loads(lines[0]) == {"format": "glassbox", "version": 1, "title": exported.title}
    first = exported.runs[0]
    assert json.loads(lines[1]) == {"run": "1", "follows": "", "verdict": 1, "comment": "Just right & quick"}
    assert lines[2 : 2 + len(first.events)] == [dump(event) for event in first.events]
    assert [json.loads(line)["artifact"] for line in lines if line.startswith('{"artifact"')] == [*first.artifacts]
    assert len(lines) == 1 + sum(1 + len(run.events) + len(run.artifacts) for run in exported.runs)


@pytest.mark.parametrize(
    "exported", [everything(), hostile(ADDRESS), Exported("", ())], ids=["whole", "hostile", "none"]
)
def test_the_page_fetches_and_runs_nothing(exported: Exported) -> None:
    html = export_html(exported)
    page = Read(html)
    assert page.metas[0] == {"charset": "utf-8"}
    assert page.metas[1] == {"http-equiv": "Content-Security-Policy", "content": POLICY}
    assert html.index("Content-Security-Policy") < 300
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html)
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_answers_become_inert(name: str) -> None:
    text = hostile_texts(ADDRESS)[name]
    Read(answer_html(text))
    assert no_fetching(safe_markdown(text))


@pytest.mark.slow
def test_mixtures_become_inert() -> None:
    for text in mixtures(ADDRESS, 4, 1500):
        hostile_marks = [Mark(0, len(text), "seen", '"><script>', '"><b', '"<'), Mark(1, 5, "x", "y", "here", "1")]
        Read(answer_html(text, hostile_marks))
        assert no_fetching(safe_markdown(text)), text


def test_hostile_markdown_fetches_nothing() -> None:
    exported = hostile(ADDRESS)
    assert no_fetching(export_markdown(exported))
    assert no_fetching(export_markdown(exported, checked(exported)))
    assert not no_fetching("![a](http://a.test/)")
    assert not no_fetching("a <img src=x> b")


def no_fetching(markdown: str) -> bool:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    return not kinds & {"image", "html_inline", "html_block"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# A\n###### b", "<h3>A</h3>\n<h6>b</h6>\n"),
        ("a\nb\\\nc", "<p>a\nb<br>\nc</p>\n"),
        ("`<b>` <b>", "<p><code>&lt;b&gt;</code> &lt;b&gt;</p>\n"),
        ("```html\n<b>\n```", "<pre><code>&lt;b&gt;\n</code></pre>\n"),
        ("$5 and $6", "<p>$5 and $6</p>\n"),
        ("[x](javascript:a) [y](data:a) [z](/a)", "<p>[x](javascript:a) [y](data:a) [z](/a)</p>\n"),
        ("[x](http://a@b.test)", "<p>[x](http://a@b.test)</p>\n"),
        ("~~a~~ *b*", "<p><s>a</s> <em>b</em></p>\n"),
        ("|a|\n|:-:|\n|1|", '<th style="text-align:center">a</th>'),
        ("<https://a.test/b>", '">https://a.test/b</a></p>'),
        ("[A.test/x](http://a.test/)", ">A.test/x</a></p>"),
        ("[paypal.com](http://a.test:81/)", '>paypal.com</a> <span class="host">(a.test:81)</span></p>'),
        (
            "![](http://a.test/i.png)",
            '<a href="http://a.test/i.png" rel="noopener noreferrer nofollow" target="_blank">im',
        ),
        ("[![cat](http://a.test/i)](http://b.test)", '>cat</a> <span class="host">(b.test)</span></p>'),
        ("[![](http://a.test/i)](http://b.test)", '>image</a> <span class="host">(b.test)</span></p>'),
        ("\ud800 \u202eabc \x00", "<p>\ufffd abc</p>\n"),
        ("see http://a.test/b_c_d?e=1&f=2. Or", '">http://a.test/b_c_d?e=1&amp;f=2</a>. Or</p>'),
        ("(http://u@a.test/ `http://a.test`)", "<p>(http://u@a.test/ <code>http://a.test</code>)</p>"),
        ("", ""),
    ],
)
def test_answers_as_html(text: str, html: str) -> None:
    assert html in answer_html(text)


def test_a_very_long_answer_is_shown_as_typed() -> None:
    html = answer_html("**a** <b> " * 2500, [Mark(2, 3, "seen", "step 1")])
    assert html.startswith('<div class="as-typed">**<mark class="seen" title="step 1">a</mark>** &lt;b&gt;')
    Read(html)


A, B = '<mark class="x" title="">', '<mark class="y" title="">'


@pytest.mark.parametrize(
    ("text", "marks", "html"),
    [
        ("a 54 b", [(2, 4, "seen", "step 1")], '<p>a <mark class="seen" title="step 1">54</mark> b</p>'),
        ("**54 °F** b", [(2, 9, "s", "")], '<strong><mark class="s" title="">54 °F</mark></strong> b'),
        (
            "*a 5* b",
            [(3, 7, "s", "")],
            '<em>a <mark class="s" title="">5</mark></em><mark class="s" title=""> b</mark>',
        ),
        ("`54` b", [(1, 3, "s", '"<')], '<code><mark class="s" title="&quot;&lt;">54</mark></code>'),
        ("[54](http://a.test)", [(0, 19, "s", "")], '><mark class="s" title="">54</mark></a>'),
        ("https://a.test, b", [(0, 14, "s", "")], ">https://a.test</a></mark>, b"),
        ("<https://a.test>", [(1, 15, "s", "")], ">https://a.test</a></mark>&gt;"),
        ("[x](http://a.test/5)", [(18, 19, "s", "")], 'href="http://a.test/5"'),
        ("a [x](http://a.test/5) b", [(0, 20, "s", "")], "<p>a <a href"),
        ("[x](http://a.test/5) b", [(18, 22, "s", "")], "</span> b</p>"),
        ("```\n54\n```", [(4, 6, "s", "")], "<pre><code>54\n</code></pre>"),
        (
            "abcd",
            [(0, 3, "x", ""), (1, 4, "y", "")],
            f"{A}a</mark>{B}bc</mark>{B}d</mark>",
        ),
        (
            "ab",
            [(0, 1, "x", ""), (1, 2, "y", "")],
            '<mark class="x" title="">a</mark><mark class="y" title="">b</mark>',
        ),
        ("ab", [(1, 1, "x", ""), (2, 1, "x", ""), (-1, 1, "x", ""), (0, 3, "x", "")], "<p>ab</p>"),
        ("\U000f0000a\U00100000", [(1, 2, "x", "")], '<p>\ufffd<mark class="x" title="">a</mark>\ufffd</p>'),
    ],
)
def test_marks(text: str, marks: list[tuple[int, int, str, str]], html: str) -> None:
    assert html in answer_html(text, [Mark(*mark) for mark in marks])


SIGN = '<span class="sign s" data-sign="2"></span>'


@pytest.mark.parametrize(
    ("text", "place", "html"),
    [
        ("a 54 b", (2, 4), f'a <a class="s" title="t" href="#x">54</a>{SIGN} b'),
        (
            "**54** °F",
            (2, 9),
            f'<a class="s" title="t" href="#x">54</a></strong><a class="s" title="t" href="#x"> °F</a>{SIGN}',
        ),
        # A link holds no other link, and code no sign that could be read as code.
        ("[a 54 b](http://a.test) c", (3, 5), f'a <mark class="s" title="t">54</mark>{SIGN} b</a>'),
        ("see http://a.test b", (4, 17), 'see <mark class="s" title="t"><a href="http://a.test"'),
    ],
)
def test_marks_lead_to_their_place(text: str, place: tuple[int, int], html: str) -> None:
    assert html in answer_html(text, [Mark(*place, "s", "t", "x", "2")])


@pytest.mark.parametrize("written", ["[x]()", "![x]()", "[x]( <> )", "![x](javascript:x)"])
def test_a_link_to_nowhere_is_its_words(written: str) -> None:
    """An empty address would be that of the page itself."""
    drawn = answer_html(f"[a](https://a.test/) {written} [c](https://c.test/)")
    assert drawn.count("<a ") == drawn.count("</a>") == drawn.count(' href="https://') == 2
    assert " x " in drawn or "[x]" in drawn


@given(st.text("ab1 *_`[]()<>#|-\n!:/.", max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))))
def test_marks_anywhere_leave_good_html(text: str, places: list[tuple[int, int]]) -> None:
    Read(answer_html(text, [Mark(start, end, "x", "y", "here", "1") for start, end in places]))


def test_marks_leave_the_words_alone() -> None:
    exported = everything()
    marked = export_html(exported, checked(exported))
    listed = re.compile(r'<details class="evidence">.*?</details>|<p class="quiet">From the model.*?</p>', re.S)
    assert 'class="mark' in marked and listed.search(marked)
    assert Read(listed.sub("", marked)).words == Read(export_html(exported)).words


def test_marks_lead_into_the_steps() -> None:
    """What was seen leads to its observation, what was not found to the list of all claims."""
    exported = weather()
    html = export_html(exported, checked(exported))
    read = Read(html)
    assert read.led and read.led <= read.ids
    place = re.search(r'<a class="mark seen" title="Seen in step 1 \(search\)" href="#(.+?)">54 °F</a>', html)
    assert (
        place
        and f'High <mark id="{place[1]}">54 °F</mark>, low <mark id="t1-o1-16">47 °F</mark> &amp; &lt;b&gt;' in html
    )
    assert 'data-sign="1"' in html and 'data-sign="="' in html and 'data-sign="?"' in html
    assert re.search(
        r'<a class="mark not_found" title="Not found in what was observed" href="#t1-c\d+">99 mph</a>', html
    )
    assert "3 of 4 figures traced; 1 not found." in read.words
    assert "Worked out · 54 °F = 12.222222 °C" in read.words


def test_markdown_says_what_is_doubtful() -> None:
    exported = weather()
    written = export_markdown(exported, checked(exported))
    assert "*3 of 4 figures traced; 1 not found.*" in written
    assert "- **99 mph**: Not found in what was observed" in written
    assert "54 °F**:" not in written
    assert "traced" not in export_markdown(exported)


def weather() -> Exported:
    answer = "It was **54 °F**, that is 12.2 °C, at most, and 47 °F at least; wind 99 mph."
    events = (
        Asked("How warm was it?", 1_795_000_000.0),
        Prepared("How warm was it?", "s", (), "react", "m", "http://localhost"),
        Replied("…", "I look.", Usage(1, 0, 1), 0.1, 0.1),
        ToolCalled("c", "search", "high", {"query": "high"}),
        Observed("c", "High 54 °F, low 47 °F & <b>fog</b>", 0.1),
        Replied(answer, "", Usage(1, 0, 1), 0.1, 0.1),
        Answered(answer),
    )
    return Exported("Weather", (ExportedRun("1", "", events),))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://A.test./x?y#z", "a.test"),
        ("http://[::1]:80", "[::1]:80"),
        ("http://a.test:80", "a.test:80"),
        *((bad, "") for bad in ("", "ftp://a.test", "//a.test", "http://", "http://a b", "http://a.test\\@b.test")),
        *((bad, "") for bad in ("http://u@a.test", "http://a.test/\n", "http://a.test/'", "http://a/" + "x" * 5000)),
    ],
)
def test_hosts(url: str, shown: str) -> None:
    assert host(url) == shown


def test_wording_of_what_is_rare() -> None:
    assert money(Money(Money(0).amount + 1, "EUR")) == "1.0000 EUR"  # type: ignore[arg-type]
    assert verdict_line(None, "a\nb") == "The reader says: a b"
    assert verdict_line(None, "") == ""
    assert step_title(StepView(1, unfinished=True)) == "Not finished: the reply broke off"
    assert step_title(StepView(1, unfinished=True, stopped=True)) == "Not finished: it was stopped"
    assert step_title(StepView(1, "done")) == "Replied"


def test_broken_off_answers_say_so() -> None:
    for reason, said in (("limit", "A limit was reached"), ("length", "cut the answer here")):
        run = ExportedRun("1", "", (Asked("q", 1.0), Answered("a", reason=reason)))
        assert said in export_html(Exported("t", (run,)))
        assert said in export_markdown(Exported("t", (run,)))


def test_an_answer_that_was_sent_back_is_called_the_first_one() -> None:
    asked, prepared = Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo")
    sent_back = Replied("Final Answer: 7", "", Usage(), 0.1, 0.1, dropped="It is 7.")
    told = Observed("", "Check these:\n- 7", error="insist", claims=1)
    run = ExportedRun("1", "", (asked, prepared, sent_back, told, Answered("It is 8.")))
    for text in (export_html(Exported("t", (run,))), export_markdown(Exported("t", (run,)))):
        assert "The first answer, which the model was asked to check" in text
        assert "was asked to check it" in text
        assert "It is 7." in text


def test_a_large_artifact_is_cut_on_the_page() -> None:
    made = artifact("text", "big", b"x" * 200_100)
    events: tuple[Event, ...] = (Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), *text_run()[3:5])
    run = ExportedRun(
        "1", "", (*events, Observed("call_1", "o", artifacts=(made,))), artifacts={made.hash: made.content}
    )
    assert "… 100 characters left out" in export_html(Exported("t", (run,)))


def stored(store: Store, visitor: str = ANNA, title: str = "A title") -> tuple[str, list[str]]:
    """A conversation with the runs of ``everything``; its id and theirs."""
    conversation, ids = store.add_conversation(visitor, title), dict[str, str]()
    for run in everything().runs:
        ids[run.id] = store.add_run(conversation, ids.get(run.follows, ""))
        asked = run.events[0]
        assert isinstance(asked, Asked)
        contents = run.artifacts
        events = [replace(asked, parent=ids.get(asked.parent, "")), *run.events[1:]]
        store.append(ids[run.id], [with_content(event, contents) for event in events])
        if run.verdict is not None:
            Chats(store).judge(visitor, ids[run.id], run.verdict, run.comment)
    return conversation, [*ids.values()]


def with_content(event: Event, contents: object) -> Event:
    assert isinstance(contents, dict)
    if not isinstance(event, Observed):
        return event
    made = (Artifact(one.kind, one.name, one.hash, one.size, contents.get(one.hash, b"")) for one in event.artifacts)
    return replace(event, artifacts=tuple(made))


def test_a_conversation_is_taken_whole_under_names_of_its_own(store: Store) -> None:
    conversation, ids = stored(store)
    store.append(store.add_run(conversation, ids[-1]), [Asked("still at work", 1.0)])
    taken = take(store, ANNA, conversation)
    wanted = everything()
    assert taken.runs == wanted.runs
    assert taken.title == "A title"
    for written in (export_json_lines(taken), export_html(taken), export_markdown(taken)):
        assert not any(known in written for known in [conversation, ANNA, *ids])


def test_a_part_of_a_conversation(store: Store) -> None:
    conversation, ids = stored(store)
    taken = take(store, ANNA, conversation, only=[ids[0], ids[2]])
    assert [(run.id, run.follows) for run in taken.runs] == [("1", ""), ("2", "1")]
    branch = taken.runs[1].events[0]
    assert isinstance(branch, Asked)
    assert (branch.parent, branch.at) == ("", None)
    last = store.add_run(conversation, ids[1])
    store.append(last, [Asked("q", 1.0, parent=ids[1]), Failed("model", "m")])
    assert [run.follows for run in take(store, ANNA, conversation, only=[ids[0], last]).runs] == ["", "1"]
    alone = take(store, ANNA, conversation, only=[last]).runs[0]
    assert (alone.id, alone.follows, alone.events[0]) == ("1", "", Asked("q", 1.0))


def test_what_cannot_be_taken(store: Store) -> None:
    conversation, ids = stored(store)
    for visitor, wanted in (("b" * 32, conversation), ("", conversation), (ANNA, "unknown")):
        with pytest.raises(BadRequest, match="not there any more"):
            take(store, visitor, wanted)
    with pytest.raises(BadRequest, match="nothing to export yet"):
        take(store, ANNA, conversation, only=["unknown"])
    empty = store.add_conversation(ANNA, "t")
    store.append(store.add_run(empty), [Failed("interrupted", "The server was stopped.")])
    with pytest.raises(BadRequest, match="nothing to export yet"):
        take(store, ANNA, empty)
    Chats(store).delete(ANNA, conversation)
    with pytest.raises(BadRequest, match="not there any more"):
        take(store, ANNA, conversation)
    assert ids


def test_runs_that_follow_each_other_in_a_circle_are_taken(store: Store) -> None:
    conversation, ids = stored(store)
    with store.database.begin() as connection:
        for run, follows in ((ids[0], ids[1]), (ids[1], ids[0])):
            connection.execute(sql.update(RUNS).where(RUNS.c.id == run).values(follows=follows))
    assert [run.follows for run in take(store, ANNA, conversation, only=ids[2:]).runs] == ["", ""]


def test_nul_characters_stay_out(store: Store) -> None:
    conversation = store.add_conversation(ANNA, "t")
    said = "a\0b \\u0000 \\\0"
    store.append(store.add_run(conversation), [Asked(said, 1.0), Answered("\0")])
    events = take(store, ANNA, conversation).runs[0].events
    assert events == (Asked("a\ufffdb \\u0000 \\\ufffd", 1.0), Answered("\ufffd"))


@pytest.mark.slow
def test_no_key_gets_into_an_export(store: Store) -> None:
    planted = ("sk-owner-1234567890", "sk-visitor-1234567890", "serp-1234567890")
    environment = {"OPENAI_API_KEY": planted[0], "SERPAPI_API_KEY": planted[2]}
    with ModelServer([react("Add.", "calculator", "1+1"), final("2")], key=planted[1]) as server:
        settings = read_settings(environment | {"GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m"})
        choice = Choice(server.endpoint, "m", Secret(planted[1]), wire="react")
        conversation = store.add_conversation(ANNA, "t")
        chosen = setup(settings, choice, Capabilities(), SearchCache())
        assert list(ask(store, store.add_run(conversation), Question("1+1?"), chosen, Flag()))
        assert server.requests
    taken = take(store, ANNA, conversation)
    assert taken.runs[0].events[-1] == Answered("2")
    for written in (export_json_lines(taken), export_html(taken), export_markdown(taken)):
        assert "1+1" in written
        assert not any(key in written for key in planted)


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    server = Canary()
    yield server
    server.close()


@pytest.fixture(params=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    size = {"width": 390, "height": 844} if request.param == "phone" else {"width": 1280, "height": 900}
    context = browser.new_context(viewport=size, color_scheme="dark" if request.param == "phone" else "light")  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


@pytest.mark.browser
def test_the_page_opens_without_a_network(page: Page, canary: Canary, tmp_path: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    file = tmp_path / "whole.html"
    file.write_text(export_html(everything()), encoding="utf-8")
    page.goto(file.as_uri())
    step = page.locator("article").first.locator("details").first
    observation = page.get_by_text("[1] 54 °F", exact=True)
    expect(observation).to_be_hidden()
    step.locator("summary").first.click()
    expect(observation).to_be_visible()
    expect(page.get_by_text("The whole page: 54 °F & <b>more</b>")).to_be_hidden()
    step.get_by_text("whole result (text, 36 bytes)").click()
    expect(page.get_by_text("The whole page: 54 °F & <b>more</b>")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    shades = page.evaluate("['color', 'backgroundColor'].map(part => getComputedStyle(document.body)[part])")
    assert len({*shades}) == 2
    assert asked == [file.as_uri()]
    assert complaints == []


@pytest.mark.browser
def test_steps_are_open_in_print(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "whole.html"
    file.write_text(export_html(everything()), encoding="utf-8")
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    for text in ("[1] 54 °F", "The whole page: 54 °F & <b>more</b>"):
        expect(page.get_by_text(text, exact=True)).to_be_visible()
        assert page.get_by_text(text, exact=True).evaluate("part => part.getBoundingClientRect().height > 5")


@pytest.mark.browser
def test_hostile_pages_reach_nobody(page: Page, canary: Canary, tmp_path: Path) -> None:
    canary.hits.clear()
    file = tmp_path / "hostile.html"
    exported = hostile(canary.address)
    file.write_text(export_html(exported, checked(exported)), encoding="utf-8")
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    made = page.locator("img, picture, iframe, object, embed, video, audio, script, link, svg, base, form, input")
    assert made.count() == 0
    page.mouse.wheel(0, 100_000)
    page.wait_for_timeout(500)
    assert canary.hits == []
    assert page.url == file.as_uri()
    # What makes this able to fail: the policy's other half is that nothing was there to be stopped by it.
    file.write_text(f'<img src="{canary.address}/seen">', encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_load_state("networkidle")
    assert canary.hits == ["/seen"]


@pytest.mark.browser
def test_the_policy_stops_what_would_get_through(page: Page, canary: Canary, tmp_path: Path) -> None:
    canary.hits.clear()
    inside = f'<img src="{canary.address}/image"><script>fetch("{canary.address}/script")</script></body>'
    file = tmp_path / "leak.html"
    file.write_text(export_html(everything()).replace("</body>", inside), encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_timeout(500)
    assert page.locator("img").count() == 1
    assert canary.hits == []


def test_usage_of_nothing_is_not_about() -> None:
    run = ExportedRun("1", "", (Asked("q", 1.0), Replied("", "", Usage(), 0.0, 0.0), Answered("a")))
    assert "0 tokens in, 0 out" in export_html(Exported("t", (run,)))
