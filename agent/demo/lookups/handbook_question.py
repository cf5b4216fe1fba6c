"""Questions to documents: how this app works, from its handbook, and what the person's own documents say.

The answer is a quotation of the passage that fits best, never a retelling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agent.data.documents import handbook
from agent.data.documents.index import Wanted, covered, is_vague, stem, wanted
from agent.data.tables.questions.sentence import says_head
from agent.demo.phrasebook import forms, phrase
from agent.demo.rules.plan import DOCUMENTS, Call, Plan, Question, Said, Steps
from agent.text.regex import regex
from agent.text.sums.phrases import matches

_FITS = 0.5
_LONGEST, _LONGEST_PAGE = 700, 2_000
POINTS = phrase("points_at_one")  # at somebody or something that nothing was told of
_OURS, _NAMED = phrase("of_the_app"), phrase("named_of_the_app")
_ASKS, _TOPIC = phrase("asks"), phrase("topic_of_the_app")
_OF_ROWS = phrase("asks_of_rows")
_PAGE = forms("page_of_a_document")
_ABOUT = phrase("about_a_document")
_OPENED = regex(r"\[(?P<number>\d+)\] (?P<title>.+?)(?: — (?P<heading>.+))?")
_MEANING = "とは"
_SENTENCE = regex(r"(?<=[.!?])\s+(?=[\[A-Z\d“\"(])|(?<=。)|\n+")


@dataclass(frozen=True, slots=True)
class _Passage:
    number: str
    title: str
    heading: str
    text: str


def handbook_asked(question: Question) -> Plan | None:
    """ "How do I add a tool?", 「ツールを追加するには？」: where the handbook can be searched."""
    of_rows = question.tables and _OF_ROWS.match(question.text)
    rows = of_rows and (not _TOPIC.search(question.text) or any(says_head(question.text, of) for of in question.tables))
    if rows or DOCUMENTS not in question.tools or not _of_the_app(question.text, question.has_documents):
        return None
    return Plan(lambda: _looked_up(question, "handbook"))


def documents_asked(question: Question) -> Plan | None:
    """Any question that says what of, where there are documents; and "show me page 3 of the report"."""
    if DOCUMENTS not in question.tools or not question.has_documents or _WORKED_ON.match(question.text):
        return None
    for groups in matches(_PAGE, question.text):
        return Plan(partial(_page, question, groups["name"], int(groups["page"])))
    about = _ABOUT.fullmatch(question.text)
    name = (about["name"] or about["japanese"] or "") if about else ""
    if re.search(r"\.(?:pdf|docx|md|markdown|html?|txt)$", name.strip("“”\"' "), re.I):
        return Plan(partial(_page, question, name.strip("“”\"' "), 1))
    return None if is_vague(question.text) else Plan(lambda: _looked_up(question, ""))


def _of_the_app(text: str, beside_documents: bool) -> bool:
    """A word such as "key" alone is of the app only where there are no documents that may have it, too."""
    if _OURS.search(text) or _NAMED.fullmatch(text):
        return True
    named = not beside_documents and _MEANING not in text and bool(_TOPIC.search(text))
    return bool(_ASKS.search(text)) and (named or (not (POINTS.fullmatch(text) or is_vague(text)) and _told(text)))


def _told(text: str) -> bool:
    """Whether one section of the handbook has all that ``text`` names: three things, or fewer that its headings have.

    「画像とは？」 asks for a meaning, which only a heading of that form gives.
    """
    sought = wanted(text, of_documents=False)
    short = [pair for pair in sought.pairs if not any(pair in phrase for phrase in sought.phrases)]
    several = len(sought.words) + len(sought.phrases) + len(short) > 2
    for hit in handbook.search(text, 1):
        heading = hit.passage.heading
        meant = _MEANING not in text or _MEANING in heading
        return meant and hit.covered == 1 and (several or covered(sought, heading) == 1)
    return False


def _call(thought: str, **arguments: str | int) -> Call:
    return Call(DOCUMENTS, json.dumps(arguments, ensure_ascii=False), thought)


def _looked_up(question: Question, document: str) -> Steps:
    where = question.tell("the_handbook" if document else "the_documents")
    arguments = {"question": question.text} | ({"document": document} if document else {})
    passages = _passages((yield _call(question.tell("looking_in", where=where), **arguments)))
    # What is asked of the app itself was taken before: passages of its handbook have other people's words by chance.
    found = passages if document else [one for one in passages if not one.title.startswith("Handbook, ")]
    fitting = [one for one in found if _covered(question.text, one, bool(document)) >= _FITS]
    if not fitting:
        further = _further(question) if document else _topics(question, found)
        return Said(question.tell("nothing_in", where=where), None, further, declined=True)
    best = fitting[0]
    place = " — ".join(filter(None, (best.title, best.heading)))
    whole = any(best.title == handbook.source_title(chapter) for chapter in handbook.chapters())
    text = best.text[:_LONGEST] if whole else f"“{_sentences(best.text, question.text, best.title)}”"
    further = _further(question) if whole else _topics(question, found)
    return Said(f"{place} [{best.number}]:\n\n{text}", None, further)


def _without_name(sought: Wanted, title: str) -> Wanted:
    """What is sought without the words of the document's name, unless nothing else is."""
    name = {stem(word) for word in re.findall(r"[a-z]+", title.lower().rpartition(",")[0])}
    rest = tuple(word for word in sought.words if stem(word) not in name)
    return replace(sought, words=rest) if rest or sought.pairs else sought


def _covered(question: str, passage: _Passage, of_handbook: bool) -> float:
    """The share of what is asked for that a passage holds; the name of its document says nothing of what is in it."""
    sought = wanted(question, of_documents=not of_handbook)
    kept = sought if of_handbook else _without_name(sought, passage.title)
    there = f"{passage.heading} {passage.text}"
    head = None if of_handbook else _HEAD.search(question)
    if head and not covered(wanted(head["of"] or head["whose"]), there):
        return 0.0
    return covered(kept, there)


_WORKED_ON = phrase("worked_on")  # "and per year?" works on with an answer, and is not to be looked up
_HEAD = phrase("head_of")  # "the price of the machine" and "the landlord's lawyer" are a price and a lawyer
_LEAD = regex(r"(?:^|\n|(?<=[.!?。] ))(?:\d+[.)] ?)?(?P<topic>[^\W\d_][^.:。：\n]{1,30}?)[.:。：](?=\s)")
_MOST_TOPIC_WORDS = 4


def _topics(question: Question, found: Sequence[_Passage]) -> tuple[str, ...]:
    """What else the passages are about, by their headings, as questions that the documents answer."""
    asked: list[str] = []
    for passage in found:
        if passage.title.startswith("Handbook, "):
            continue
        for topic in _named_in(passage):
            chip = question.tell("ask_topic", topic=topic)
            new = topic.lower() not in question.text.lower() and chip not in asked
            if new and _covered(chip, passage, False) >= _FITS:
                asked.append(chip)
    return (*asked[:2], question.tell("ask_page"))


def _named_in(passage: _Passage) -> Iterator[str]:
    """Its heading, and what its paragraphs begin with: "3. Deposit. The deposit is …"."""
    leads = (lead["topic"] for lead in _LEAD.finditer(f"{passage.text}\n"))
    for topic in (passage.heading.rpartition("›")[2].strip(), *leads):
        if topic and len(topic.split()) <= _MOST_TOPIC_WORDS:
            yield topic


def _page(question: Question, name: str, page: int) -> Steps:
    seen = yield _call(question.tell("reading_page", page=page), question=question.text, document=name, page=page)
    found = _passages(seen)
    if not found:
        return Said(seen.split("\n", 1)[0], declined=True)
    text = found[0].text
    cut = f"{text[:_LONGEST_PAGE].rstrip()} …" if len(text) > _LONGEST_PAGE else text
    return Said(f"{found[0].title} [1]:\n\n{cut}", None, _topics(question, found)[:2])


def _passages(seen: str) -> list[_Passage]:
    """Each passage under its numbered head, up to the next one."""
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in seen.splitlines():
        opened = _OPENED.fullmatch(line)
        if opened and opened["number"] == str(len(found) + 1):
            found.append((opened, []))
        elif found:
            found[-1][1].append(line)
    return [
        _Passage(head["number"], head["title"], head["heading"] or "", "\n".join(lines).strip())
        for head, lines in found
    ]


def _sentences(text: str, asked: str, title: str) -> str:
    """The sentence that says most of what was asked, and the one after it; "the total of the invoice" is a total."""
    sought, head = _without_name(wanted(asked), title), _HEAD.search(asked)
    first = wanted(head["of"] or head["whose"]) if head else sought
    sentences = list(_under_topics(text))
    scores = [(covered(first, f"{topic} {one}"), covered(sought, f"{topic} {one}")) for topic, one in sentences]
    best = scores.index(max(scores))
    topic = sentences[best][0]
    said = " ".join(one for its, one in sentences[best : best + 2] if its == topic)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST].rstrip()} …"


def _under_topics(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence after the topic that its paragraph begins with: all of "Fee. It is 9 euros. Students pay 5." is of
    the fee.
    """
    for paragraph in filter(None, map(str.strip, text.split("\n"))):
        lead = _LEAD.match(paragraph)
        topic = lead["topic"] if lead and len(lead["topic"].split()) <= _MOST_TOPIC_WORDS else ""
        begun = lead.end() if lead and topic else 0
        sentences = [one.strip() for one in _SENTENCE.split(paragraph[begun:]) if one.strip()]
        if not sentences:
            yield "", paragraph
            continue
        yield topic, f"{paragraph[:begun]} {sentences[0]}".strip()
        yield from ((topic, one) for one in sentences[1:])


_CHIPS = {
    "en": ("How do I add a tool?", "How do I connect a model?", "Where is my key kept?"),
    "ja": ("ツールを追加するには？", "モデルを接続するには？"),
}


def _further(question: Question) -> tuple[str, ...]:
    return tuple(chip for chip in _CHIPS[question.language] if chip != question.text)[:2]
