"""Marks in an answer: each leads to its place, and the text they stand in stays what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Locator, TimeoutError, expect

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.evidence import Claim, Earlier, Evidence, Place, check
from agent.evidence.marks import Excerpt, behind, end_of_link, excerpt, headline, marks
from agent.messages import Usage
from agent.sharing.export.checked_answer import checked
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_page import export_html
from agent.store.runs import Store
from agent.views.timeline import spans
from pages.ui.frame import frame
from pages.ui.run import evidence
from pages.ui.run.seen_text import seen_text
from pages.ui.text.escape import Marking, highlighted, markdown, marked
from tests.support.accessibility import violations
from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, Chat, visit
from tests.support.hostile_texts import TEXTS
from tests.support.servers.app_server import AppServer

OBSERVED = "[1] Weather in San Francisco\nHigh 54 °F, low 47 °F on 20 November 2026.\n" + "Fog. " * 40
RUN = "a" * 32
_LINK = re.compile(r'\[((?:[^\[\]\\]|\\.)*)\]\(#(claim|part)-([\w-]+) "([^"]*)"\)')


def run(answer: str, *observed: str, question: str = "How warm was it?") -> list[Event]:
    """A run that searched, observed that, and answered."""
    events: list[Event] = [Asked(question, 1_795_000_000.0), Prepared(question, "s", (), "react", "m", "http://a")]
    for number, text in enumerate(observed):
        events += [
            Replied("…", "", Usage(), 0.1, 0.1),
            ToolCalled(str(number), "search", "x", {}),
            Observed(str(number), text),
        ]
    return [*events, Replied(answer, "", Usage(), 0.1, 0.1), Answered(answer)]


def drawn(answer: str, *observed: str, earlier: tuple[Earlier, ...] = ()) -> str:
    events = run(answer, *observed)
    return evidence.marked(RUN, answer, events, check(events, earlier), earlier)


def links(safe: str) -> list[tuple[str, str, str]]:
    """The words of every mark, its kind, and what it leads to without the run."""
    return [
        (words.replace("\u2060", ""), kind, target.replace(f"-{RUN}-", " "))
        for words, kind, target, _ in _LINK.findall(safe)
    ]


def without_marks(safe: str) -> str:
    return _LINK.sub(lambda found: "" if found[1] == "\u2060" else found[1], safe).replace("\u2060", "")


class Words(HTMLParser):
    """The words of rendered Markdown, and what its elements are apart from the links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.made = "", list[str]()
        self.feed(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))
        self.words = " ".join(self.words.split())

    def handle_data(self, data: str) -> None:
        self.words += data.replace("\u2060", "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not (tag == "a" and (dict(attrs)["href"] or "").startswith("#")):
            self.made.append(tag)


def test_each_verdict_has_its_mark() -> None:
    earlier = (Earlier("What does a cab cost?", "A cab costs $45.", ()),)
    safe = drawn("It was **54 °F**, or 12.2 °C, and 99 mph; the low was 46 °F.", OBSERVED, earlier=earlier)
    found = {words: target.split("-")[0] for words, _, target in links(safe)}
    assert found == {"54 °F": "seen", "12.2 °C": "worked_out", "99 mph": "not_found", "46 °F": "differs"}
    assert ("54 °F", "claim", "seen-1 0") in links(safe)
    assert without_marks(safe) == markdown("It was **54 °F**, or 12.2 °C, and 99 mph; the low was 46 °F.")


def test_the_hint_has_the_place_and_the_derivation() -> None:
    hints = [hint for _, _, _, hint in _LINK.findall(drawn("It was 54 °F, or 12.2 °C.", 'a | b\n"54 °F" <i>'))]
    assert hints[0].startswith("Seen in step 1 &#40;search&#41;&#10;")
    assert "\u206354 °F\u2063" in hints[0]
    assert "54 °F &#61; 12&#46;222222 °C" in hints[1]
    assert not any(set(hint) & set('|"\\<>[]:`$\n') for hint in hints)


def test_a_step_told_again_on_another_wire_is_counted_once() -> None:
    asked, prepared, *rest = run("54 °F", OBSERVED)
    events = [asked, prepared, Replied("…", "", Usage(), 0.1, 0.1), prepared, *rest]
    claim = check(events).claims[0]
    assert (claim.places[0].step, headline(claim, behind(events))) == (1, "Seen in step 1 (search)")
    assert [span.step for span in spans(events) if span.kind == "model"] == [1, 2]


def test_what_a_person_wrote_is_said_to_be() -> None:
    events = [replace(event, edited=True) if isinstance(event, Observed) else event for event in run("54 °F", OBSERVED)]
    claim = check(events).claims[0]
    assert headline(claim, behind(events)) == "Seen in step 1 (search, edited by hand)"


def test_nothing_looked_up_nothing_marked() -> None:
    assert drawn("It was 54 °F and **99** mph.") == markdown("It was 54 °F and **99** mph.")


def test_names_that_were_seen_have_no_mark() -> None:
    found = links(drawn("In San Francisco it was 54 °F, says Amelia Gustavson.", OBSERVED))
    assert [words for words, _, _ in found] == ["54 °F", "Amelia Gustavson"]


@pytest.mark.parametrize(
    ("answer", "marks"),
    [
        ("- 54 °F\n- low: 47 °F", ["54 °F", "47 °F"]),
        ("| High | Low |\n|---|---|\n| 54 °F | **47 °F** |", ["54 °F", "47 °F"]),
        ("> *54 °F*\n\n1. ~~47 °F~~", ["54 °F", "47 °F"]),
        ("最高気温は**54°F**でした。", ["54°F"]),
        ("كان الأعلى **54 °F** أمس", ["54 °F"]),
        ("`54 °F` and 54 °F\n```\n54 °F\n```\nlow 47 °F", ["54 °F", "47 °F"]),
        ("a ` b 54 °F", ["54 °F"]),
        # What is in a link has its mark behind it.
        ("[High 54 °F](https://a.test/x), 47 °F", ["", "", "47 °F"]),
        ("See https://a.test/x.", [""]),
        ("$54 or 54 °F $x$", ["$54", "54 °F"]),
        (":red[54 °F] :material/check: <b>47 °F</b> ![54](x)", ["54 °F", "47 °F"]),
        ("\ue000\U000f0000 54 °F \ue001\U00100000", ["54 °F"]),
    ],
)
def test_marks_survive_markdown(answer: str, marks: list[str]) -> None:
    safe = drawn(answer, OBSERVED)
    assert [words.replace("\\", "") for words, _, _ in links(safe)] == marks
    assert without_marks(safe) == markdown(answer).replace("\u2060", "")
    plain, with_marks = Words(markdown(answer)), Words(safe)
    assert (plain.words, plain.made) == (with_marks.words, with_marks.made)


def test_a_mark_over_emphasis_is_one_mark_in_pieces() -> None:
    safe = marked("high **54** °F low", [Marking(5, 14, "seen-1-r-0", "t")])
    assert links(safe) == [("54", "part", "seen-1-r-0"), ("°F", "claim", "seen-1-r-0")]
    assert Words(safe).made == ["p", "strong"]


def test_emphasis_stays_emphasis() -> None:
    """Beside a letter, two asterisks before a bracket are none: a character that is not seen keeps them apart."""
    for text in ("は**54度**です", "a**5**b", "x *5* y", "a_5_b", "**$5** a", "5*5*5", "~~5~~a"):
        for found in re.finditer(r"\$?\d+度?", text):
            safe = marked(text, [Marking(*found.span(), "seen-1-r-0", "t")])
            assert Words(safe).made == Words(markdown(text)).made, safe
            assert Words(safe).words == Words(markdown(text)).words, safe


ALPHABET = 'ab5 $*_`[]()<>#|-\n!:/.~\\&;"\ue000\U000f0000は'


@st.composite
def placed(draw: st.DrawFn) -> tuple[str, list[Marking]]:
    text = draw(st.one_of(st.text(ALPHABET, max_size=60), st.sampled_from(sorted(TEXTS.values()))))
    ends = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    places = zip(ends[::2], ends[1::2], strict=False)
    return text, [Marking(*place, f"seen-1-r-{i}", "a hint", draw(st.booleans())) for i, place in enumerate(places)]


@given(placed())
@example(("2024. a", [Marking(0, 4, "seen-1-r-0", "t")]))
@example(("- [x] 5", [Marking(3, 4, "seen-1-r-0", "t")]))
@example(("5\\\n5", [Marking(0, 4, "seen-1-r-0", "t")]))
@example(("&#36;5", [Marking(2, 4, "seen-1-r-0", "t")]))
def test_without_its_marks_the_text_is_what_it_was(case: tuple[str, list[Marking]]) -> None:
    text, markings = case
    safe = marked(text, markings)
    assert without_marks(safe) == markdown(text).replace("\u2060", "")
    assert Words(safe).words == Words(markdown(text)).words
    assert Words(safe).made == Words(markdown(text)).made


@given(placed())
def test_a_hint_says_nothing_to_markdown(case: tuple[str, list[Marking]]) -> None:
    text, markings = case
    hostile = [marking._replace(title=text) for marking in markings]
    assert Words(marked(text, hostile)).words == Words(markdown(text)).words


def test_marking_takes_linear_time() -> None:
    """Counted in steps of the reader, which are the tokens: twice the text, twice the marks."""
    text = "- **54 °F** and `x` [a](https://a.test/b) 7\n" * 2_000
    markings = [Marking(m.start(), m.end(), "seen-1-r-0", "t") for m in re.finditer("54 °F|7", text)]
    assert len(links(marked(text, markings))) == 4_000


CLAIMS = (
    Claim(0, 20, "a quote with 54 in it", "quote", "seen"),
    Claim(5, 7, "54", "number", "seen", (Place("c", 2, 0, 2),)),
    Claim(10, 14, "Anna", "name", "not_found"),
    Claim(30, 35, "Tokyo", "name", "seen"),
    Claim(40, 42, "99", "number", "given", (Place("question", 0, 0, 2),)),
)


def test_no_mark_is_over_another() -> None:
    shown = marks(Evidence(CLAIMS, looked_up=True))
    assert [(mark.number, mark.step) for mark in shown] == [(1, 2), (2, 0), (4, 0)]
    assert marks(Evidence(CLAIMS)) == ()
    assert [mark.number for mark in marks(Evidence(CLAIMS, looked_up=True), most=1)] == [2]


def test_a_place_is_shown_with_what_is_around_it() -> None:
    texts = behind(run("x", "first", OBSERVED), (Earlier("a cab?", "It costs $45 there."),))
    start = OBSERVED.index("54")
    claim = Claim(0, 5, "54 °F", "number", "seen", (Place("1", 2, start, start + 5),))
    shown = excerpt(claim, claim.places[0], texts, around=8)
    assert shown == Excerpt("…co High ", "54 °F", ", low 47…")
    assert headline(claim, texts) == "Seen in step 2 (search)"
    said = Claim(0, 3, "$45", "number", "given", (Place("earlier", 1, 0, 3),))
    assert excerpt(said, said.places[0], texts) == Excerpt("It costs ", "$45", " there.")
    assert headline(said, texts) == "Given earlier in this chat"
    again = replace(said, text="45 dollars", places=(Place("earlier", 1, 9, 12),))
    assert excerpt(again, again.places[0], texts) == Excerpt("It costs ", "$45", " there.")
    other = replace(again, text="46 dollars")
    assert excerpt(other, other.places[0], texts) is None
    today = Claim(0, 4, "2026", "date", "given", (Place("question", 0, 0, 0),), "The day on which this was asked.")
    assert excerpt(today, today.places[0], texts) is None
    assert headline(today, texts) == "Given"


@pytest.mark.parametrize(
    ("answer", "end"),
    [("[a](http://a.b) c", 15), ('[a](http://a.b "t") c', 19), ("[a](<http://a.b>) c", 17), ("(http://a.b) c", 11)],
)
def test_the_end_of_a_link(answer: str, end: int) -> None:
    start = answer.index("http")
    claim = Claim(start, start + len("http://a.b"), "http://a.b", "link", "not_found")
    assert end_of_link(answer, claim) == end


def test_an_observation_is_text_with_marks() -> None:
    assert highlighted('<b> "54" & \u202e\x00', [(5, 7)]) == "&lt;b&gt; &quot;<mark>54</mark>&quot; &amp; "


ANSWER = (
    "It was **54 °F**, or 12.2 °C; the low was 46 °F and the wind 99 mph.\n\n"
    "| High | Low |\n|---|---|\n| 54 °F | 47 °F |\n\n最高気温は**54°F**、`54 °F` in code."
)
HOSTILE = ":red[54 °F] <img src=x onerror=alert(1)> [47 °F](#claim-seen-1-x-0) ![54 °F](http://127.0.0.1:9/x) 99 mph"
LONG = "Fog. \n" * 200 + OBSERVED + "<b>Sun</b>. \n" * 200


NOBODY = "http://127.0.0.1:9/canary"


def every_hostile_text() -> str:
    """Each with a figure before, in and behind it; without the fences, which would hide what follows."""
    texts = (
        text.replace("CANARY", NOBODY) for text in TEXTS.values() if not re.search("```|~~~|[\ud800-\udfff]", text)
    )
    return "\n\n".join(f"54 °F {text.replace('a', '47 °F', 1)} 54 °F" for text in texts)


@pytest.fixture(scope="module")
def app(demo: AppServer) -> tuple[AppServer, str, str]:
    """The app, the visitor's cookie, and a chat of two turns."""
    cookie = uuid4().hex
    store = Store(demo.database)
    visitor = visitor_of(cookie)
    chat = store.add_conversation(visitor, "Weather")
    first = store.add_run(chat)
    store.append(first, run(HOSTILE, OBSERVED))
    store.append(store.add_run(chat, first), run(ANSWER, LONG))
    hostile = store.add_conversation(visitor, "Hostile")
    store.append(store.add_run(hostile), run(every_hostile_text(), OBSERVED))
    store.close()
    return demo, demo.signed(cookie), chat


@pytest.fixture
def chat(browser: Browser, app: tuple[AppServer, str, str]) -> Iterator[Chat]:
    server, cookie, conversation = app
    with visit(browser, f"{server.url}?c={conversation}", cookie) as visited:
        visited.settle()
        yield visited


def mark(chat: Chat, words: str, turn: int = 3) -> Locator:
    return chat.answers.nth(turn).locator('a[href^="#claim-"]', has_text=words).first


def point_at(seen: Locator, card: Locator) -> None:
    """The pointer comes to rest on a mark; again where the end of the chat came into sight beneath it meanwhile."""
    with suppress(TimeoutError):
        seen.hover()
        card.wait_for(timeout=5_000)
    if not card.is_visible():
        seen.page.mouse.move(1, 1)
        seen.hover()
    expect(card).to_contain_text("Seen in step 1 (search)")


@pytest.mark.browser
def test_a_mark_shows_its_place(chat: Chat) -> None:
    """Hover, click and keyboard; the place is in sight in the whole observation, and the focus comes back."""
    seen = mark(chat, "54 °F")
    expect(seen).to_have_role("button")
    expect(seen).to_have_accessible_name(re.compile(r"54 °F\. Seen in step 1 \(search\)"))
    expect(seen).to_have_css("content", "none", pseudo="after")
    card = chat.page.locator(".glassbox-card")
    point_at(seen, card)
    expect(card.locator("mark")).to_have_text("54 °F")
    chat.page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    seen.focus()
    chat.page.keyboard.press("Enter")
    expect(chat.dialog.locator(".glassbox-observation mark").first).to_have_text("54 °F", timeout=SECONDS)
    expect(chat.dialog.locator(".glassbox-observation mark").first).to_be_in_viewport()
    expect(chat.dialog.locator(".glassbox-observation").first).to_have_text(re.compile(r"^Fog.*<b>Sun</b>\.\s*$", re.S))
    chat.idle()
    chat.page.keyboard.press("Escape")
    expect(chat.dialog).to_have_count(0, timeout=SECONDS)
    expect(mark(chat, "54 °F")).to_be_focused()
    chat.page.keyboard.press("Space")
    expect(chat.dialog).to_contain_text("Observation of step 1 · search", timeout=SECONDS)


@pytest.mark.browser
def test_a_card_stays_while_its_mark_is_held(chat: Chat) -> None:
    """The page scrolls by itself, is drawn again, and gives the focus elsewhere, while the pointer rests on a mark."""
    seen, card = mark(chat, "54 °F"), chat.page.locator(".glassbox-card")
    point_at(seen, card)
    # What a scroll of before is told by, after the pointer has come.
    chat.page.evaluate(
        """() => new Promise((resolve) => {
          document.querySelector('[data-testid="stMain"]').dispatchEvent(new Event("scroll"));
          document.querySelector('[data-testid="stChatInputTextArea"]').focus();
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        })"""
    )
    expect(card).to_contain_text("Seen in step 1 (search)")
    chat.page.evaluate("document.activeElement.blur()")
    drawn = chat.page.evaluate_handle("document.querySelector('.glassbox-card')")
    chat.page.keyboard.press("r")
    chat.idle()
    assert drawn.evaluate("card => card.isConnected")
    chat.page.mouse.move(1, 1)
    expect(card).to_have_count(0)


@pytest.mark.browser
def test_every_figure_is_marked_where_a_person_wants_it(chat: Chat) -> None:
    """What is supported has its sign once that is switched on, here and at the next visit; and none after."""
    supported = re.compile('^"1"')
    chat.page.locator("[class*=st-key-evidence-]").last.locator("summary").click()
    chat.click(chat.button("Mark every figure"))
    expect(chat.button("Mark doubts alone")).to_be_visible(timeout=SECONDS)
    chat.idle()
    expect(mark(chat, "54 °F")).to_have_css("content", supported, pseudo="after")
    chat.page.reload()
    chat.settle()
    expect(mark(chat, "54 °F")).to_have_css("content", supported, pseudo="after")
    chat.open_settings()
    expect(chat.dialog.get_by_role("switch", name="Mark every figure")).to_be_checked()
    chat.dialog.locator("label", has_text="Mark every figure").click()
    chat.click(chat.button("Save"))
    chat.closed()
    expect(mark(chat, "54 °F")).to_have_css("content", "none", pseudo="after")


@pytest.mark.browser
def test_doubt_has_a_sign_and_says_why(chat: Chat) -> None:
    doubt = mark(chat, "99 mph")
    assert "underline" in doubt.evaluate("mark => getComputedStyle(mark).textDecorationLine")
    expect(doubt).to_have_css("content", re.compile(r'^"\?"'), pseudo="after")
    doubt.click()
    expect(chat.dialog).to_contain_text("It stands in no observation of this answer", timeout=SECONDS)
    chat.idle()
    chat.page.keyboard.press("Escape")
    expect(chat.dialog).to_have_count(0, timeout=SECONDS)
    chat.quiet()
    differing = mark(chat, "46 °F")
    expect(differing).to_have_css("content", re.compile('^"≠"'), pseudo="after")
    differing.click()
    expect(chat.dialog).to_contain_text("Seen: 47 °F", timeout=SECONDS)
    expect(chat.dialog.locator("mark").first).to_have_text("47 °F")


@pytest.mark.browser
def test_no_line_begins_with_the_sign_of_doubt(chat: Chat) -> None:
    """However wide the answer is: the sign has its room behind the words, and the words alone are as they were."""
    doubt = mark(chat, "99 mph")
    lines = doubt.evaluate("""one => {
      const paragraph = one.closest("p"), found = new Set();
      for (let width = 90; width < 400; width += 1) {
        paragraph.style.width = `${width}px`;
        found.add([...one.getClientRects()].map(({ width }) => width).filter(width => width < 15).length);
      }
      return [...found];
    }""")
    assert lines == [0]
    expect(doubt).to_have_css("position", "relative")
    expect(doubt).to_have_css("position", "absolute", pseudo="after")


@pytest.mark.browser
def test_the_answer_itself_stays_as_it_is(chat: Chat) -> None:
    shown = chat.answers.nth(3)
    expect(shown).to_contain_text("It was 54 °F, or 12.2 °C; the low was 46 °F and the wind 99 mph.")
    expect(shown.locator("td a")).to_have_count(2)
    expect(shown.locator("strong").last).to_have_text(re.compile("^\u2060?54°F\u2060?$"))
    expect(shown.locator("code a, pre a")).to_have_count(0)
    expect(shown.locator("code").last).to_have_text("54 °F")
    hostile = chat.answers.nth(1)
    expect(hostile).to_contain_text(":red[54 °F] <img src=x onerror=alert(1)> [47 °F](#claim-seen-1-x-0)")
    made = hostile.get_by_test_id("stMarkdownContainer").locator('img, a[href="#claim-seen-1-x-0"]')
    expect(made).to_have_count(0)
    expect(mark(chat, "99 mph", turn=1)).to_be_visible()


@pytest.mark.browser
def test_marks_open_no_way_for_hostile_texts(chat: Chat) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url))
    chat.page.get_by_role("link", name="Hostile").click()
    expect(chat.answers.nth(1).locator('a[href^="#claim-"]').nth(100)).to_be_attached(timeout=SECONDS)
    chat.settle()
    made = "img, picture, source, iframe, object, embed, video, audio, script, .katex a, .katex [style*=url]"
    expect(chat.answers.nth(1).get_by_test_id("stMarkdownContainer").locator(made)).to_have_count(0)
    assert not [url for url in asked if "canary" in url]
    # A link that could not be drawn would be read as it is written.
    expect(chat.answers.nth(1)).not_to_contain_text("](#claim-")


@pytest.mark.browser
def test_a_claim_of_the_list_leads_to_its_place(chat: Chat) -> None:
    chat.answers.nth(3).get_by_text("figures traced").click()
    chat.click(chat.answers.nth(3).locator('a[href^="#row-"]', has_text="46 °F"))
    expect(chat.dialog.locator("mark").first).to_have_text("47 °F", timeout=SECONDS)


@pytest.mark.browser
def test_marks_by_touch_and_for_axe(browser: Browser, app: tuple[AppServer, str, str]) -> None:
    server, cookie, conversation = app
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    with visit(browser, f"{server.url}?c={conversation}", cookie, **phone) as chat:
        chat.settle()
        mark(chat, "54 °F").tap()
        expect(chat.dialog.locator(".glassbox-observation mark").first).to_be_in_viewport(timeout=SECONDS)
        expect(chat.page.locator(".glassbox-card")).to_have_count(0)
        assert chat.overflow <= 0
        assert violations(chat.page) == []


@pytest.mark.browser
def test_what_a_row_is_called_stays_in_sight(browser: Browser) -> None:
    """On a phone the dialog is narrower than most tables."""
    rows = ["| Region |" + " Sales |" * 8, "|---|" + "---|" * 8, "| Northern |" + " 1,022,690 |" * 7 + " 25,600 |"]
    text = "\n".join(rows)
    start = text.index("25,600")
    style = (Path(frame.__file__).parent / "style.css").read_text(encoding="utf-8")
    page = browser.new_page(viewport={"width": 300, "height": 400})
    page.set_content(f"<style>{style}</style>{seen_text(text, [(start, start + 6)], '')}")
    page.locator(".glassbox-observation").evaluate("shown => (shown.scrollLeft = 1000)")
    expect(page.get_by_text("25,600")).to_be_in_viewport()
    expect(page.get_by_text("Northern")).to_be_in_viewport(ratio=1)
    page.close()


@pytest.mark.browser
def test_an_answer_has_its_marks_when_its_run_ends(browser: Browser, app: tuple[AppServer, str, str]) -> None:
    with visit(browser, app[0].url) as chat:
        chat.answer_to("What is the cube of 17?", "4913")
        expect(mark(chat, "4913", turn=1)).to_have_accessible_name(re.compile("Seen in step 1"))
        chat.ask("What is the square root of 25?")
        chat.settle()
        expect(chat.answers.nth(3).locator('a[href^="#claim-seen-"]')).not_to_have_count(0)
        expect(mark(chat, "4913", turn=1)).to_be_visible()


@pytest.mark.browser
def test_marks_of_an_exported_page_lead_into_its_steps(browser: Browser, tmp_path: Path) -> None:
    """Without a script: the link opens the step, and the place is in sight."""
    exported = Exported("Weather", (ExportedRun("1", "", tuple(run(ANSWER, LONG))),))
    file = tmp_path / "chat.html"
    file.write_text(export_html(exported, checked(exported)), encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto(file.as_uri())
    place = page.locator("article > details pre mark", has_text="54 °F")
    expect(place).to_be_hidden()
    page.locator("a.mark.seen", has_text="54 °F").first.click()
    expect(place).to_be_in_viewport()
    page.locator("a.mark.not_found").click()
    expect(page.locator(".evidence li.not_found")).to_be_in_viewport()
    page.close()
