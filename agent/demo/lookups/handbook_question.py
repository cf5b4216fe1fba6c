"""Questions to documents: how this app works, from its handbook, and what the person's own documents say.

The answer is a quotation of the passage that fits best, never a retelling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.data.documents import handbook
from agent.data.documents.document_sums import Quotation, quotation
from agent.data.documents.index import covered, is_vague, wanted
from agent.data.documents.quoted_clauses import (
    FITS,
    Clause,
    best_clause,
    clauses,
    nearest_clause,
    passages_shown,
    topics_of,
)
from agent.data.tables.questions.sentence import says_head
from agent.demo.lookups.day_questions import shift
from agent.demo.phrasebook import forms, phrase
from agent.demo.rules.plan import DOCUMENTS, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import sum_of
from agent.text.sums.phrases import matches

_LONGEST, _LONGEST_PAGE, _MOST_TOPICS = 700, 2_000, 2
POINTS = phrase("points_at_one")  # at somebody or something that nothing was told of
_OURS, _NAMED = phrase("of_the_app"), phrase("named_of_the_app")
_ASKS, _TOPIC = phrase("asks"), phrase("topic_of_the_app")
_OF_ROWS = phrase("asks_of_rows")
_PAGE = forms("page_of_a_document")
_ABOUT = phrase("about_a_document")
_MEANING = "とは"


def handbook_asked(question: Question) -> Plan | None:
    """ "How do I add a tool?", 「ツールを追加するには？」: where the handbook can be searched."""
    of_rows = question.tables and _OF_ROWS.match(question.text)
    rows = of_rows and (not _TOPIC.search(question.text) or any(says_head(question.text, of) for of in question.tables))
    if rows or DOCUMENTS not in question.tools or not _of_the_app(question.text, question.has_documents):
        return None
    return Plan(lambda: _in_handbook(question))


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
    return None if is_vague(question.text) else Plan(lambda: _in_documents(question))


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


def _in_handbook(question: Question) -> Steps:
    where, sought = question.tell("the_handbook"), wanted(question.text, of_documents=False)
    call = _call(question.tell("looking_in", where=where), question=question.text, document="handbook")
    found = passages_shown((yield call))
    fitting = (one for one in found if covered(sought, f"{one.heading} {one.text}") >= FITS)
    if not (best := next(fitting, None)):
        return Said(question.tell("nothing_in", where=where), None, _further(question), declined=True)
    return Said(f"{best.place} [{best.number}]:\n\n{best.text[:_LONGEST]}", None, _further(question))


def _in_documents(question: Question) -> Steps:
    where = question.tell("the_documents")
    seen = yield _call(question.tell("looking_in", where=where), question=question.text)
    # What is asked of the app itself was taken before: passages of its handbook have other people's words by chance.
    ours = set(map(handbook.source_title, handbook.chapters()))
    found = clauses([one for one in passages_shown(seen) if one.title not in ours])
    further = _topics(question, found)
    if not (quoted := quotation(question.text, found)):
        near = nearest_clause(question.text, found)
        told = {"quoted": Quotation((near,)).text} if near else {}
        return Said(
            question.tell("nearest_in" if near else "nothing_in", where=where, **told), None, further, declined=True
        )
    asked = replace(question, text=f"{quoted.sum}?", language="ja" if "円" in quoted.sum else "en", tables=())
    worked = (sum_of(asked) or shift(asked)) if quoted.sum else None
    if isinstance(worked, Plan):
        said = yield from worked.steps()
        return replace(said, text=f"{quoted.text}\n\n{said.text}")
    unmade = quoted.unmade or bool(quoted.sum)
    text = question.tell("sum_not_made") + f" {quoted.text}" if unmade else quoted.text
    return Said(text, None, further, declined=unmade)


_WORKED_ON = phrase("worked_on")  # "and per year?" works on with an answer, and is not to be looked up


def _topics(question: Question, found: Sequence[Clause]) -> tuple[str, ...]:
    """What else the passages are about, as questions that the documents answer."""
    asked: list[str] = []
    for topic in (topic for clause in found for topic in topics_of(clause)):
        if len(asked) == _MOST_TOPICS:
            break
        chip = question.tell("ask_topic", topic=topic)
        if topic.lower() not in question.text.lower() and chip not in asked and best_clause(chip, found):
            asked.append(chip)
    return (*asked, question.tell("ask_page"))


def _page(question: Question, name: str, page: int) -> Steps:
    seen = yield _call(question.tell("reading_page", page=page), question=question.text, document=name, page=page)
    found = passages_shown(seen)
    if not found:
        return Said(seen.split("\n", 1)[0], declined=True)
    text = found[0].text
    cut = f"{text[:_LONGEST_PAGE].rstrip()} …" if len(text) > _LONGEST_PAGE else text
    return Said(f"{found[0].title} [1]:\n\n{cut}", None, _topics(question, clauses(found))[:2])


_CHIPS = {
    "en": ("How do I add a tool?", "How do I connect a model?", "Where is my key kept?"),
    "ja": ("ツールを追加するには？", "モデルを接続するには？"),
}


def _further(question: Question) -> tuple[str, ...]:
    return tuple(chip for chip in _CHIPS[question.language] if chip != question.text)[:2]
