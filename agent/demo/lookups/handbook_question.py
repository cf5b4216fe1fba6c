"""Questions to documents: how this app works, from its handbook, and what the person's own documents say.

The answer is a quotation of the passage that fits best, never a retelling.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial

from agent.data.documents.index import covered, wanted
from agent.demo.rules.plan import DOCUMENTS, Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import either

_FITS = 0.5
_LONGEST = 700
_LONGEST_PAGE = 2_000
_OURS = re.compile(
    r"\b(?:glassbox|(?:this|the) (?:app|site|handbook|program))\b|グラスボックス|このアプリ|ハンドブック", re.I
)
_ASKS = re.compile(
    r"^(?:(?:please|and|so|ok(?:ay)?)[, ]+)*(?:how (?:do|can|should|would|could) (?:i|you|we|one|visitors)|"
    r"(?:can|could|may) (?:i|we|you|visitors|others|anybody|anyone)|where (?:do|can|is|are) (?:i|my|the|you)|"
    r"who (?:can|may|sees)|what (?:happens|leaves|does the)|(?:is|are) (?:my|there|it)|do (?:i|you) |does (?:it|the)|"
    r"how (?:large|big|long|much|many)|which|tell me (?:about|how)|explain|is there)\b|"
    r"(?:には|方法|やり方|使い方|ですか|ますか|どこ|できる|とは)[?。]*$|^(?:どう|どこ)",
    re.I,
)
_TOPIC = re.compile(
    r"\b(?:tools?|mcp|models?|keys?|steps?|evidence|rewind|branch(?:es)?|tables?|csv|excel|databases?|documents?|"
    r"pdfs?|uploads?|limits?|budgets?|deploy|docker|streamlit cloud|private|privacy|settings?|export|import|prompts?|"
    r"chats?|conversations?|a run|runs|replay|demo|ollama|question mark|passages?|scanned|web search|sign in)\b|"
    r"ツール|キー|モデル|ステップ|根拠|枝|文書|ドキュメント|予算|上限|費用|デプロイ|設置|設定|書き出|エクスポート|会話|"
    r"プライバシー|実行|スキャン",
    re.I,
)
_NAMED = re.compile(
    r"(?:what(?:'s| is| are)|explain|tell me about) (?:the |an? )?(?:mcp(?: servers?)?|rewind|branch(?:es)?|"
    r"insist on evidence|exact call|demo(?: model)?|handbook|limits(?: of a run)?|settings)[ ?.!]*",
    re.I,
)
_PAGE = (
    re.compile(
        r"(?:(?:please )?(?:show|read|give|open|tell)(?: me)? |what (?:is|stands) on |what does )?(?:the )?"
        r"(?:page|part) (?P<page>\d{1,5})(?: (?:of|in|from) (?:the )?(?P<name>.+?))?(?: say)?[ ?.!]*",
        re.I,
    ),
    re.compile(
        r"(?:(?P<name>.+?)の)?(?P<page>\d{1,5})ページ(?:目)?(?:を|は|の内容)?(?:見せて|読んで|教えて|何)?(?:ください)?[?。]*"
    ),
)
_ABOUT = re.compile(
    r"(?:(?:please )?summari[sz]e|what (?:is|does)|what's) (?:the |this |my )?(?P<name>.+?)(?: about| say)?[ ?.!]*|"
    r"(?P<japanese>.+?)を?(?:要約|まとめ)(?:して)?(?:ください)?[?。]*",
    re.I,
)
_OPENED = re.compile(r"\[(?P<number>\d+)\] (?P<title>.+?)(?: — (?P<heading>.+))?")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\[A-Z\d“\"(])|(?<=。)|\n+")


@dataclass(frozen=True, slots=True)
class _Passage:
    number: str
    title: str
    heading: str
    text: str


def handbook_asked(question: Question) -> Plan | None:
    """ "How do I add a tool?", 「ツールを追加するには？」: where the handbook can be searched."""
    if DOCUMENTS not in question.tools or not _of_the_app(question.text):
        return None
    return Plan(lambda: _looked_up(question, "handbook"))


def documents_asked(question: Question) -> Plan | None:
    """Any question, where there are documents; and "show me page 3 of the report"."""
    if DOCUMENTS not in question.tools or not question.has_documents:
        return None
    for pattern in _PAGE:
        if match := pattern.fullmatch(question.text):
            name, page = match["name"] or "", int(match["page"])
            return Plan(partial(_page, question, name, page))
    about = _ABOUT.fullmatch(question.text)
    name = (about["name"] or about["japanese"] or "") if about else ""
    if re.search(r"\.(?:pdf|docx|md|markdown|html?|txt)$", name.strip("“”\"' "), re.I):
        return Plan(partial(_page, question, name.strip("“”\"' "), 1))
    return Plan(lambda: _looked_up(question, ""))


def _of_the_app(text: str) -> bool:
    if _OURS.search(text) or _NAMED.fullmatch(text):
        return True
    return bool(_ASKS.search(text) and _TOPIC.search(text))


def _call(thought: str, **arguments: str | int) -> Call:
    return Call(DOCUMENTS, json.dumps(arguments, ensure_ascii=False), thought)


def _looked_up(question: Question, document: str) -> Steps:
    where = either(question.language, "the handbook", "ハンドブック") if document else ""
    where = where or either(question.language, "the documents", "文書")
    thought = either(question.language, f"I look in {where} for this.", f"{where}を調べます。")
    arguments = {"question": question.text} | ({"document": document} if document else {})
    found = _passages((yield _call(thought, **arguments)))
    sought = wanted(question.text, of_documents=not document)
    fitting = [one for one in found if covered(sought, f"{one.heading} {one.text}") >= _FITS]
    if not fitting:
        return Said(_nothing(question, where), None, _further(question), declined=True)
    best = fitting[0]
    place = " — ".join(filter(None, (best.title, best.heading)))
    whole = best.title.startswith("Handbook, ")
    text = best.text[:_LONGEST] if whole else f"“{_sentences(best.text, question.text)}”"
    return Said(f"{place} [{best.number}]:\n\n{text}", None, _further(question) if whole else ())


def _page(question: Question, name: str, page: int) -> Steps:
    thought = either(question.language, f"I read page {page}.", f"{page}ページを読みます。")
    seen = yield _call(thought, question=question.text, document=name, page=page)
    found = _passages(seen)
    if not found:
        return Said(seen.split("\n", 1)[0], declined=True)
    text = found[0].text
    cut = f"{text[:_LONGEST_PAGE].rstrip()} …" if len(text) > _LONGEST_PAGE else text
    return Said(f"{found[0].title} [1]:\n\n{cut}")


def _passages(seen: str) -> list[_Passage]:
    found: list[_Passage] = []
    lines: list[str] = []

    def take() -> None:
        if found:
            found[-1] = _Passage(found[-1].number, found[-1].title, found[-1].heading, "\n".join(lines).strip())

    for line in seen.splitlines():
        opened = _OPENED.fullmatch(line)
        if opened and opened["number"] == str(len(found) + 1):
            take()
            found.append(_Passage(opened["number"], opened["title"], opened["heading"] or "", ""))
            lines = []
        else:
            lines.append(line)
    take()
    return found


def _sentences(text: str, asked: str) -> str:
    """The sentence that says most of what was asked, and the one after it."""
    sought = wanted(asked)
    sentences = [one.strip() for one in _SENTENCE.split(text) if one.strip()]
    best = max(range(len(sentences)), key=lambda place: (covered(sought, sentences[place]), -place))
    said = " ".join(sentences[best : best + 2])
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST].rstrip()} …"


def _nothing(question: Question, where: str) -> str:
    return either(
        question.language,
        f"I found nothing in {where} that clearly answers this. Other words may help.",
        f"{where}には、はっきりした答えが見つかりませんでした。別の言葉で試してください。",
    )


_CHIPS = {
    "en": ("How do I add a tool?", "How do I connect a model?", "Where is my key kept?"),
    "ja": ("ツールを追加するには？", "モデルを接続するには？"),
}


def _further(question: Question) -> tuple[str, ...]:
    return tuple(chip for chip in _CHIPS[question.language] if chip != question.text)[:2]
