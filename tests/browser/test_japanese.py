"""The interface in Japanese, in Chromium: pages, dialogs, the choice of language, the question of the ancestor."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.servers.search_server import SearchServer

pytestmark = pytest.mark.browser

QUESTION = "最新のドル円為替レートを2で割った計算結果を教えてください。"
SOUGHT = "最新のドル円為替レート"
ANSWER = "最新のドル円為替レートは154.32円で、2で割ると77.16円です。"
REPLIES = [
    f"思考: まず為替レートを調べます。\n行動: search\n行動の入力: {SOUGHT}",
    "思考: 154.32円でした。2で割ります。\n行動: calculator\n行動の入力: 154.32 / 2",
    f"思考: 最終的な答えが分かりました。\n最終的な答え: {ANSWER}",
]
RATE = {
    "search_metadata": {"status": "Success"},
    "organic_results": [
        {
            "position": 1,
            "title": "ドル円の為替レート",
            "link": "https://rates.example.com/usd-jpy",
            "date": "2026年11月21日",
            "snippet": "現在のドル円為替レートは1ドル154.32円です。",
        }
    ],
}
# What is the page's own: neither code, nor what a model, a tool or a person wrote, nor the names of files.
_TEXTS = """() => {
    const others = `code, pre, script, style, textarea, iframe, table, svg, [data-testid=stCode], [data-testid=stText],
        [data-testid=stIconMaterial], [data-testid=stDataFrame], .glassbox-page, .glassbox-pair,
        [class*=st-key-examples-], .st-key-handbook-contents`;
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
        if (text && !element.closest(others) && element.checkVisibility({ visibilityProperty: true })) found.add(text);
    }
    for (const field of document.querySelectorAll("[placeholder]")) {
        if (field.checkVisibility()) found.add(field.getAttribute("placeholder"));
    }
    return [...found];
}"""
# The English names that screen readers are told of what is shown, but for those that the style of the page needs.
_LABELS = """() => [...document.querySelectorAll("[aria-label]")]
    .filter(element => element.checkVisibility())
    .map(element => element.getAttribute("aria-label"))
    .filter(name => /^[ -~]*[A-Za-z]{2}[ -~]*$/.test(name) && !name.startsWith("Chat message from"))"""
# The dialog of a page whose server is gone, as Streamlit makes it, and what is read in it.
_AWAY = """state => {
    const app = document.querySelector("[data-test-connection-state]");
    const dialog = document.createElement("section");
    dialog.setAttribute("role", "dialog");
    dialog.innerHTML = "<h2>Connection error</h2><div><div data-testid=stCode>streamlit run</div></div>";
    const portal = document.body.appendChild(document.createElement("div"));
    portal.className = "stDialog";
    portal.append(dialog);
    const before = app.getAttribute("data-test-connection-state");
    app.setAttribute("data-test-connection-state", state);
    const shown = [...dialog.querySelectorAll("h2, h2 + div")].map(part => [
        getComputedStyle(part).fontSize, getComputedStyle(part, "::after").content
    ]);
    const told = dialog.innerText.includes("streamlit");
    app.setAttribute("data-test-connection-state", before);
    portal.remove();
    return [...shown, told];
}"""
_SENTENCE = re.compile(r"[A-Za-z’']{2,}(?:,? [A-Za-z’']{2,}){2,}|^[A-Z][a-z]+(?: [a-z]+)?[.…]?$")
_QUOTED = re.compile(r"「[^」]*」|Model Context Protocol")
# Streamlit's own, names, what a model is told of a field, and a column of the sample with its type.
_NO_WORDS_OF_OURS = re.compile(
    r"Skip to main content|Choose an option|Glassbox|Markdown|English|what to work out, for example .*"
    r"|Open(?:AI|Router)|Python|Ollama|Groq|Gemini|LM Studio|Earth|Jupiter|Mars|Mercury"
    r"|[A-Z][\w ]+ \([\w ]+\) · 数値"
)


@pytest.fixture(scope="module")
def search() -> Iterator[SearchServer]:
    with SearchServer() as server:
        server.answers[SOUGHT] = RATE
        yield server


@pytest.fixture(scope="module")
def app(search: SearchServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    environment = {"GLASSBOX_SERPAPI_URL": search.serpapi_url, "SERPAPI_API_KEY": "planted-key"}
    environment |= {"GLASSBOX_LANGUAGE": "ja", "GLASSBOX_WIRE": "react"}
    with AppServer(tmp_path_factory.mktemp("japanese"), **environment) as server:
        yield server


class Visitor:
    """A person whose browser speaks Japanese."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.page: Page = chat.page
        self.seen: set[str] = set()
        self.english: dict[str, str] = {}

    def look(self, where: str, shown: str = "") -> None:
        """Read all there is on the page, as soon as ``shown`` is on it, for sentences that are not Japanese."""
        if shown:
            expect(self.page.get_by_text(shown).filter(visible=True).first).to_be_visible(timeout=SECONDS)
        self.rest()
        for text in set(self.page.evaluate(_TEXTS)) - self.seen:
            self.seen.add(text)
            if _SENTENCE.search(_QUOTED.sub("", text)) and not _NO_WORDS_OF_OURS.fullmatch(text):
                self.english[text] = where

    def rest(self) -> None:
        expect(self.page.locator(".st-key-stop")).to_have_count(0, timeout=SECONDS)
        self.chat.quiet()

    def button(self, name: str, exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def dialog(self, opener: Locator, shown: str) -> None:
        opener.click()
        self.look(shown, shown)
        self.close()

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.chat.dialog).to_have_count(0, timeout=SECONDS)
        self.chat.idle()

    def open_all(self) -> None:
        """Open all lines that can be opened."""
        lines = self.page.locator("[data-testid=stExpander] summary")
        for index in range(lines.count()):
            lines.nth(index).click()
            self.chat.idle()


@pytest.fixture
def visitor(browser: Browser, app: AppServer) -> Iterator[Visitor]:
    with visit(browser, app.url, locale="ja-JP") as chat:
        yield Visitor(chat)


def test_the_chat_speaks_japanese(visitor: Visitor) -> None:
    page, chat = visitor.page, visitor.chat
    visitor.look("the first screen", "何を調べましょうか？")
    expect(page).to_have_title("チャット · Glassbox")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    away = "接続が切れました", "サーバーに接続できません。このページは自動的に接続し直します。"
    assert page.evaluate(_AWAY, "PINGING_SERVER") == [*(["0px", f'"{text}"'] for text in away), False]
    *other, told = page.evaluate(_AWAY, "CONNECTED")
    assert told and [content for _, content in other] == ["none", "none"]
    visitor.dialog(visitor.button("設定"), "次の質問から有効になり")
    visitor.dialog(visitor.button("チャットをインポート"), "エクスポートしたイベントのファイル")
    visitor.dialog(visitor.button("ツールサーバー"), "接続しているサーバーはありません")
    visitor.dialog(visitor.button("データベースを接続"), "SELECT を一つずつ")
    chat.open_connect()
    visitor.look("the demo", "キーも要りません")
    visitor.button("別のサーバー", exact=False).click()
    page.get_by_role("textbox", name="アドレス").fill("http://127.0.0.1:9/v1")
    page.get_by_role("textbox", name="アドレス").press("Enter")
    visitor.look("a server that is not there", "サーバーは動いていますか")
    visitor.close()
    chat.ask("100の15%はいくつですか？")
    visitor.look("an answer", "数値 3 件中 3 件を確認。")
    visitor.open_all()
    visitor.look("the steps", "ここから再実行")
    visitor.dialog(visitor.button("呼び出しの詳細").first, "デモのモデルにサーバーはなく")
    visitor.dialog(visitor.button("変更").first, "ここから新しい分岐が進みます")
    visitor.dialog(visitor.button("設定を変えて試す…").first, "今回だけ")
    visitor.dialog(visitor.button("エクスポート"), "キーは決して含みません")
    visitor.button("質問を編集").click()
    visitor.look("the question, edited", "この質問を送る")
    visitor.button("キャンセル").click()
    visitor.rest()
    visitor.button("再試行").click()
    visitor.look("another branch", "2/2")
    page.get_by_role("link", name="実行", exact=True).click()
    visitor.look("the run", "タイムライン")
    visitor.open_all()
    visitor.look("its events", "最初のトークン")
    page.get_by_role("tab", name="再生").click()
    visitor.look("its film", "記録 0 /")
    page.get_by_role("link", name="比較").click()
    visitor.look("two runs", "二つの実行を並べて比較")
    assert visitor.english == {}


def test_a_screen_reader_is_told_streamlits_own_controls_in_japanese(visitor: Visitor) -> None:
    """Their names come from Streamlit, which has no words for them."""
    page, chat = visitor.page, visitor.chat
    visitor.look("the first screen", "何を調べましょうか？")
    for name in ("送信", "ファイルを追加", "サイドバーを閉じる"):
        expect(visitor.button(name)).to_have_count(1, timeout=SECONDS)
    skip = page.get_by_test_id("stSkipToContent")
    assert skip.evaluate("link => getComputedStyle(link, '::after').content") == '"本文へ移動"'
    assert skip.evaluate("link => getComputedStyle(link).fontSize") == "0px"
    visitor.button("設定").click()
    expect(chat.dialog.get_by_role("button", name="閉じる", exact=True)).to_have_count(1, timeout=SECONDS)
    page.keyboard.press("Escape")
    chat.closed()
    chat.ask("100の15%はいくつですか？")
    visitor.look("an answer", "数値 3 件中 3 件を確認。")
    expect(page.get_by_role("radio", name="良い", exact=True)).to_have_count(1, timeout=SECONDS)
    assert page.evaluate(_LABELS) == []
    page.get_by_role("link", name="プロンプト", exact=True).click()
    expect(page.get_by_label("ホームへ", exact=True)).to_have_count(1, timeout=SECONDS)
    expect(visitor.button("コピー").first).to_have_count(1, timeout=SECONDS)
    assert page.evaluate(_LABELS) == []


def test_the_other_pages_speak_japanese(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("link", name="ツール", exact=True).click()
    visitor.look("the tools", "個を使用中です")
    for tool in ("calculator", "movies", "query"):
        page.get_by_test_id("stExpander").filter(has_text=re.compile(rf" {tool} · ")).locator("summary").click()
        visitor.rest()
    visitor.look("three tools", "モデルに伝える説明")
    page.locator(".st-key-try-calculator").get_by_role("button").click()
    page.get_by_role("textbox", name="expression").fill("1 / 0")
    visitor.rest()
    visitor.chat.dialog.get_by_role("button", name="実行").click()
    visitor.look("a try that fails", "失敗")
    visitor.close()
    visitor.dialog(page.locator(".st-key-words-calculator").get_by_role("button"), "モデルに伝える言葉です")
    page.get_by_role("link", name="プロンプト").click()
    visitor.look("the prompts", "モデルに伝える言葉そのものです")
    page.get_by_role("link", name="ハンドブック").click()
    visitor.look("the handbook", "ハンドブック")
    page.get_by_role("textbox", name="ハンドブックを検索").fill("zzzz")
    page.get_by_role("textbox", name="ハンドブックを検索").press("Enter")
    visitor.look("nothing in the handbook", "該当する記述がありません")
    visitor.button("新しいチャット").click()
    visitor.look("a new chat", "何を調べましょうか？")
    visitor.button("惑星").click()
    visitor.look("a table", "8 行 10 列")
    page.get_by_role("link", name="データ", exact=True).click()
    visitor.look("its rows", "並べ替え")
    for tab, shown in (("列", "型を変更"), ("SQL", "SELECT 文を一つ")):
        page.get_by_role("tab", name=tab).click()
        visitor.look(tab, shown)
    page.get_by_role("link", name="チャットへ戻る").click()
    visitor.look("its chat", "8 行 10 列")
    notes: FilePayload = {
        "name": "霧.md",
        "mimeType": "text/markdown",
        "buffer": "# 霧\n\n霧の日は電車が遅れます。\n".encode(),
    }
    page.locator("[data-testid=stChatInput] input[type=file]").set_input_files([notes])
    page.get_by_test_id("stChatInputSubmitButton").click()
    document = visitor.button("霧.md · 1 部分", exact=False)
    expect(document).to_be_visible(timeout=SECONDS)
    visitor.rest()
    document.click()
    visitor.rest()
    page.get_by_role("link", name="読む").click()
    visitor.look("a document", "電車が遅れます")
    assert visitor.english == {}


@pytest.mark.parametrize("own", ["Star Trek · Data", "SELECT 1 · Run", "Compare A · Run"])
def test_own_words_that_look_like_ours_stay_as_they_are(visitor: Visitor, own: str) -> None:
    page, chat = visitor.page, visitor.chat
    visitor.look("the first screen", "何を調べましょうか？")
    chat.ask(own)
    visitor.rest()
    expect(page.locator(".st-key-conversation-bar")).to_contain_text(own, timeout=SECONDS)
    expect(page.get_by_role("link", name=own).first).to_be_visible(timeout=SECONDS)
    page.get_by_role("link", name="実行", exact=True).click()
    visitor.look("the run", "タイムライン")
    expect(page.get_by_role("heading", name=own)).to_be_visible(timeout=SECONDS)


def test_english_can_be_chosen(visitor: Visitor) -> None:
    page, chat = visitor.page, visitor.chat
    visitor.look("the first screen", "何を調べましょうか？")
    visitor.button("設定").click()
    visitor.look("the settings", "画面の言語")
    field = chat.dialog.get_by_label("画面の言語")
    field.scroll_into_view_if_needed()  # a list that is open closes when what it is in scrolls
    visitor.rest()
    field.click()
    page.get_by_role("option", name="English").click()
    visitor.rest()
    visitor.button("保存").click()
    expect(visitor.button("New chat")).to_be_visible(timeout=SECONDS)
    expect(chat.box).to_have_attribute("placeholder", "Ask anything")
    expect(visitor.button("Send message")).to_have_count(1)  # as Streamlit calls it, in the page that was Japanese
    page.reload()
    expect(visitor.button("New chat")).to_be_visible(timeout=SECONDS)
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_question_of_the_japanese_ancestor(visitor: Visitor, search: SearchServer) -> None:
    """Japanese prompt, labels and description of a tool: search, calculator, an answer in Japanese."""
    page, chat = visitor.page, visitor.chat
    with ModelServer(REPLIES) as model:
        page.get_by_role("link", name="ツール", exact=True).click()
        page.get_by_test_id("stExpander").filter(has_text="ウェブで調べます").locator("summary").click()
        visitor.rest()
        page.locator(".st-key-words-search").get_by_role("button").click()
        page.get_by_label("説明").fill("最新の情報をウェブで検索します。")
        visitor.button("保存").click()
        chat.closed()
        page.get_by_role("link", name="チャットへ", exact=True).click()
        chat.open_connect()
        visitor.button("別のサーバー", exact=False).click()
        field = page.get_by_role("textbox", name="アドレス")
        expect(field).to_have_value("", timeout=SECONDS)
        field.fill(model.endpoint)
        field.press("Enter")
        expect(visitor.button("このモデルを使う")).to_be_enabled(timeout=SECONDS)
        visitor.rest()
        visitor.button("このモデルを使う").click()
        chat.closed()
        visitor.button(QUESTION, exact=False).click()
        visitor.look("the answer", ANSWER)
        expect(chat.steps.nth(0)).to_contain_text(f"検索: 「{SOUGHT}」 · 情報源 1 件")
        expect(chat.steps.nth(1)).to_contain_text("計算: 154.32 / 2 → 77.16")
        visitor.look("what stands behind it", "数値 3 件中 3 件を確認")
        system = model.requests[0]["messages"][0]["content"]
    assert "最新の情報をウェブで検索します" in system
    assert "行動の入力:" in system and "Action Input" not in system
    assert [request.query for request in search.requests] == [SOUGHT]
    assert visitor.english == {}
