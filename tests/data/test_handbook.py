"""The handbook: its chapters, and the demo model that answers from it with no key and no network."""

from __future__ import annotations

import re
from dataclasses import replace
from threading import Event as Flag

import pytest

from agent.application.setup import Choice, setup
from agent.data.documents import handbook
from agent.data.documents.document_places import place_at
from agent.demo.model import Demo
from agent.events import Answered, Observed, ToolCalled
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.settings import read_settings
from agent.tools.own_data.documents_tool import documents_tool
from agent.tools.search.search_tool import SearchCache

# A question, and what the quoted passage holds.
QUESTIONS = (
    ("How do I add a tool?", "def dice(sides: int = 6)"),
    ("What is Glassbox?", "shows you every step"),
    ("Where is my key kept?", "stays in the memory of your session"),
    ("How can I connect a local model?", "Ollama"),
    ("How do I stop a run?", "Esc"),
    ("Can I export a chat?", "**Export**"),
    ("What does the question mark in an answer mean?", "underlined with `?`"),
    ("How do I deploy to Streamlit Cloud?", "share.streamlit.io"),
    ("Who can see my chats?", "cookie"),
    ("What is MCP?", "Model Context Protocol"),
    ("How large may a table be?", "300 MB"),
    ("Can you read scanned PDFs?", "OCR"),
    ("How do I compare branches?", "**Compare**"),
    ("What is insist on evidence?", "goes back to the model once"),
    ("How do I set a budget for visitors?", "GLASSBOX_VISITOR_MESSAGES"),
    ("Which tools are there?", "`calculator`"),
    ("How do I delete a document?", "**Remove**"),
    ("What happens at a limit?", "best answer"),
    ("ツールを追加するには？", "def dice(sides: int = 6)"),
    ("キーはどこに保存されますか？", "セッションのメモリー"),
    ("文書を消すには？", "**削除**"),
    ("実行を止めるには？", "**停止**"),
    ("モデルを接続するには？", "**モデルを接続**"),
    ("Glassboxとは何ですか？", "すべてのステップを見せる"),
    ("デモモデルは何ができますか？", "AIではなく規則で動き"),
    ("会話の名前を変えるには？", "ピン留め"),
    ("モデルに送られた内容を見るには？", "**呼び出しの詳細**"),
    ("実行をもう一度再生できますか？", "**再生**"),
    ("回答の中の≠はどういう意味ですか？", "`≠`"),
    ("根拠のない回答を確かめさせるには？", "**根拠を求める**"),
    ("ステップを書き換えてやり直すには？", "**変更**"),
    ("2つの分岐を比べられますか？", "**比較**"),
    ("Excelのファイルを読み込むには？", "300 MB"),
    ("Wordの文書は読めますか？", ".docx"),
    ("パスワード付きのPDFは読み込めますか？", "OCR"),
    ("どんなツールがありますか？", "`calculator`"),
    ("MCPとは何ですか？", "Model Context Protocol"),
    ("このアプリのツールをほかのプログラムから使うには？", "serve-mcp"),
    ("接続をテストするには？", "**テスト**"),
    ("ステップの上限は何回ですか？", "15ステップ"),
    ("訪問者の予算を決めるには？", "GLASSBOX_VISITOR_MESSAGES"),
    ("Streamlit Cloudにデプロイするには？", "share.streamlit.io"),
    ("Dockerで動かすには？", "docker build"),
    ("私の会話は誰に見えますか？", "Cookie"),
    ("データは外部に送られますか？", "検索サービス"),
    ("画面の言語を変えるには？", "英語か日本語"),
    ("ウェブ検索にはどのサービスが使われますか？", "SearXNG"),
)
NOT_OURS = (
    *("How do I boil an egg?", "What is a database?", "Who was Ada Lovelace?", "What is 2 + 2?", "hello"),
    *("How do I take a picture?", "Is my answer right?", "データベースとは何ですか？", "画像とは何ですか？"),
    *("卵をゆでるには？", "ファイルを速くコピーするには？", "エージェントになるには？"),
)


@pytest.fixture(scope="module")
def chosen() -> Agent:
    settings = read_settings({"GLASSBOX_WIKIPEDIA_URL": "http://127.0.0.1:9"})
    return replace(setup(settings, Choice(), Capabilities(), SearchCache()), model=Demo(pace=0))


def asked(chosen: Agent, question: str) -> tuple[str, list[str], list[Observed]]:
    events = list(answer(Question(question, merging=False), chosen, Flag()))
    said = events[-1]
    assert isinstance(said, Answered)
    tools = [event.tool for event in events if isinstance(event, ToolCalled)]
    return said.text, tools, [event for event in events if isinstance(event, Observed)]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "holds"), QUESTIONS)
def test_the_demo_answers_from_the_handbook(chosen: Agent, question: str, holds: str) -> None:
    text, tools, (seen,) = asked(chosen, question)
    assert tools == ["documents"] and holds in text, text
    number = re.search(r"\[(\d)\]:", text)
    assert number
    place = place_at(seen.sources[int(number[1]) - 1].url)
    chapter = handbook.chapter(place.values["chapter"]) if place else None
    assert chapter and place
    passage = next(one for one in handbook.sections(chapter) if str(one.number) == place.values["p"])
    assert holds in passage.text


@pytest.mark.parametrize("question", NOT_OURS)
def test_other_questions_are_not_looked_up_in_it(chosen: Agent, question: str) -> None:
    assert "documents" not in asked(chosen, question)[1]


@pytest.mark.slow
def test_what_is_not_in_it_is_said(chosen: Agent) -> None:
    text, _, _ = asked(chosen, "How do I delete a branch in git with a rebase?")
    assert text.startswith("I found nothing in the handbook")


def test_without_the_tool_it_is_not_asked(chosen: Agent) -> None:
    without = setup(read_settings({}), Choice(tools=("calculator",)), Capabilities(), SearchCache())
    text, tools, _ = asked(replace(without, model=Demo(pace=0)), "How do I add a tool?")
    assert not tools and "beyond my rules" in text


@pytest.mark.parametrize("chapter", handbook.chapters(), ids=lambda chapter: chapter.id)
def test_every_chapter_is_fit_to_be_quoted(chapter: handbook.Chapter) -> None:
    sections = handbook.sections(chapter)
    assert chapter.text.startswith(f"# {chapter.title}\n") and len(chapter.title) <= 60
    for heading in {section.heading for section in sections}:
        several = [section for section in sections if section.heading == heading]
        # One passage for each section: no code is cut in two.
        assert len(several) == 1 and several[0].text.count("```") % 2 == 0, heading


def test_it_covers_what_people_ask() -> None:
    english = {chapter.id for chapter in handbook.chapters() if chapter.language == "en"}
    assert english >= {
        f"en-{name}"
        for name in (
            "welcome", "asking", "steps", "evidence", "rewind", "tables", "databases", "documents", "tools", "mcp",
            "models", "limits", "deploy", "privacy", "settings",
        )
    }  # fmt: skip


def test_settings_it_names_are_there() -> None:
    from agent.settings import SETTINGS

    known = {setting.variable for setting in SETTINGS}
    for chapter in handbook.chapters():
        assert set(re.findall(r"GLASSBOX_[A-Z_]+[A-Z]", chapter.text)) <= known, chapter.id


def test_the_tool_without_documents() -> None:
    tool = documents_tool()
    result = tool.call({"question": "add a tool"})
    assert result.sources[0].url.startswith("handbook?chapter=en-tools&p=")
    assert len(tool.description) < 160
