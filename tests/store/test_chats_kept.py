from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import sleep, time

import pytest
import sqlalchemy as sql
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.events import Answered, Asked, Failed, Merged, Observed, Prepared, Replied, ToolCalled
from agent.messages import Message, Usage
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import, save_import
from agent.store.chats import MOST_COMMENT, Chats, Judgement
from agent.store.migrations import MIGRATIONS
from agent.store.runs import Store
from agent.store.schema import TABLES
from agent.store.search import fold
from agent.toolkit.base import artifact

OpenStore = Callable[..., Store]
ANNA, BERT = "a" * 32, "b" * 32


@pytest.fixture
def library(store: Store) -> Chats:
    return Chats(store)


def ids(library: Chats, visitor: str, matching: str = "", most: int = 200) -> list[str]:
    return [row.id for row in library.conversations(visitor, matching, most)]


def told(store: Store, visitor: str, title: str, *questions: str) -> str:
    """A conversation with a run for each question."""
    conversation = store.add_conversation(visitor, title)
    last = ""
    for question in questions:
        last = store.add_run(conversation, last)
        store.append(last, [Asked(question, 1.0)])
        store.append(last, [Answered(f"answer to {question}")])
    return conversation


def test_pinned_first_then_the_latest(store: Store, library: Chats) -> None:
    first, second, third = (told(store, ANNA, title, title) for title in ("one", "two", "three"))
    assert ids(library, ANNA) == [third, second, first]
    assert library.pin(ANNA, first, True)
    assert ids(library, ANNA) == [first, third, second]
    assert [row.pinned for row in library.conversations(ANNA)] == [True, False, False]
    row = store.conversation(first)
    assert row is not None
    assert row.pinned
    sleep(0.002)
    store.add_run(second)
    assert library.pin(ANNA, second, True)
    assert ids(library, ANNA) == [second, first, third]
    assert ids(library, ANNA, most=1) == [second]
    assert library.pin(ANNA, first, False)
    assert library.pin(ANNA, second, False)
    assert ids(library, ANNA) == [second, third, first]


def test_nobody_reaches_what_is_anothers(store: Store, library: Chats) -> None:
    hers = told(store, ANNA, "Anna's", "secret word")
    run = store.path(hers)[0].id
    nobodys = told(store, "", "from a terminal", "secret word")
    for visitor, conversation in ((BERT, hers), ("", hers), (BERT, nobodys), ("", nobodys), (BERT, "unknown")):
        assert library.conversations(visitor) == []
        assert library.conversations(visitor, "secret") == []
        assert not library.rename(visitor, conversation, "mine now")
        assert not library.pin(visitor, conversation, True)
        assert not library.delete(visitor, conversation)
        assert not library.restore(visitor, conversation)
        assert not library.judge(visitor, run, 0)
    assert library.delete(ANNA, hers)
    assert not library.restore(BERT, hers)
    assert not library.restore("", hers)
    assert library.restore(ANNA, hers)
    row = store.conversation(hers)
    assert row is not None
    assert (row.title, row.visitor, row.pinned) == ("Anna's", ANNA, False)
    assert library.judgement(run).verdict is None


def test_rename(store: Store, library: Chats) -> None:
    conversation = told(store, ANNA, "before", "q")
    for blank in (
        "",
        "  \n\t ",
        "\u200b\u2060",
        "\u3164",
        "\u2800\ufe0f",
        "\u115f\u1160\uffa0",
        "\0",
        "\ud800",
        "\u3000",
    ):
        assert not library.rename(ANNA, conversation, blank), repr(blank)
    assert library.rename(ANNA, conversation, "  Ｈolidays\nin\0 Östersund 👨‍👩‍👧" + "x" * 100)
    row = store.conversation(conversation)
    assert row is not None
    assert row.title.startswith("Ｈolidays in Östersund 👨‍👩‍👧xxx")
    assert len(row.title) == 80
    assert ids(library, ANNA, "HOLIDAYS östersund") == [conversation]
    assert ids(library, ANNA, "before") == []
    assert library.delete(ANNA, conversation)
    assert not library.rename(ANNA, conversation, "after")


def test_a_title_may_hold_anything(store: Store) -> None:
    row = store.conversation(store.add_conversation(ANNA, "a\ud800b\0c"))
    assert row is not None
    assert row.title == "a b c"


def test_deleted_ones_are_gone_until_restored(store: Store, library: Chats) -> None:
    conversation, other = told(store, ANNA, "one", "tangerine"), told(store, ANNA, "two", "q")
    assert not library.restore(ANNA, conversation)
    assert library.delete(ANNA, conversation)
    assert not library.delete(ANNA, conversation)
    assert not library.pin(ANNA, conversation, True)
    assert ids(library, ANNA) == [other]
    assert ids(library, ANNA, "tangerine") == []
    assert store.conversation(conversation) is None
    assert [row.id for row in library.conversations(ANNA)] == [other]
    assert library.restore(ANNA, conversation)
    assert ids(library, ANNA, "tangerine") == [conversation]
    assert store.conversation(conversation) is not None


def test_purge_removes_what_was_deleted_before(store: Store, library: Chats, tmp_path: Path) -> None:
    old, kept = told(store, ANNA, "old", "q", "r"), told(store, ANNA, "kept", "q")
    run = store.add_run(old)
    store.append(run, [Asked("q", 1.0), Observed("1", "o", artifacts=(artifact("json", "raw", b"{}"),))])
    library.delete(ANNA, old)
    library.delete(ANNA, kept)
    library.restore(ANNA, kept)
    assert library.purge(time() - 60) == 0
    assert library.restore(ANNA, old)
    assert library.delete(ANNA, old)
    assert library.purge(time() + 1) == 1
    assert library.purge(time() + 1) == 0
    assert not library.restore(ANNA, old)
    assert store.path(old) == []
    assert store.run(run) is None
    assert ids(library, ANNA) == [kept]
    assert ids(library, ANNA, "answer") == [kept]
    with sqlite3.connect(tmp_path / "data" / "glassbox.db") as connection:
        counts = {table: connection.execute(f"select count(*) from {table}").fetchone()[0] for table in TABLES.tables}
    connection.close()
    gone = (
        "artifacts",
        "spending",
        "preferences",
        "loaded_tables",
        "documents",
        "conversation_choices",
        "notes",
        "learned",
        "site_keys",
        "streamed",
        "shares",
        "team_shares",
        "team_members",
        "team_read",
        "site_presets",
        "preset_files",
        "people",
        "processes",
        "test_sets",
        "kept_tests",
        "evaluations",
        "attempts",
        "model_cards",
        "site_cards",
    )
    rest: dict[str, int] = dict.fromkeys(gone, 0)
    rest["store_versions"] = len(MIGRATIONS)
    assert counts == {"conversations": 1, "runs": 1, "events": 2, "texts": 2, **rest}


def test_a_verdict_is_kept_with_the_run(store: Store, library: Chats) -> None:
    run = store.path(told(store, ANNA, "t", "q"))[0].id
    assert library.judgement(run).verdict is None
    assert library.judge(ANNA, run, 1)
    assert library.judgement(run).verdict == 1
    assert library.judge(ANNA, run, 0)
    assert library.judgement(run).verdict == 0
    assert library.judge(ANNA, run, None)
    assert library.judgement(run).verdict is None
    assert library.judgement("unknown").verdict is None


def test_search_looks_at_what_was_said_and_nothing_else(store: Store, library: Chats) -> None:
    conversation = store.add_conversation(ANNA, "titleword")
    run = store.add_run(conversation)
    usage = Usage(1, 0, 1)
    store.append(run, [Asked("typedword", 1.0)])
    assert ids(library, ANNA, "typedword") == [conversation], "before the run has ended"
    store.append(run, [Merged("mergedword", (Message("user", "mergeprompt"),), "mergereply", usage, 0.1)])
    store.append(run, [Prepared("mergedword", "systemword", (), "react", "modelword", "http://endpointword")])
    store.append(run, [Replied("replyword", "thoughtword", usage, 0.1, 0.1)])
    store.append(run, [ToolCalled("1", "toolword", "inputword", {"key": "argumentword"})])
    store.append(run, [Observed("1", "observedword"), Observed("", "loopword", error="format")])
    store.append(run, [Answered("answeredword", ("nextword",))])
    failed = store.add_run(conversation, run)
    store.append(failed, [Asked("againword", 1.0), Failed("model", "messageword", partial="partialword")])
    for word in ("title", "typed", "merged", "observed", "answered", "again", "partial"):
        assert ids(library, ANNA, f"{word}word") == [conversation], word
    for word in ("systemword", "modelword", "endpointword", "replyword", "thoughtword", "toolword", "inputword"):
        assert ids(library, ANNA, word) == [], word
    for word in ("argumentword", "loopword", "nextword", "messageword", "mergeprompt", "mergereply", '"Asked"'):
        assert ids(library, ANNA, word) == [], word


def test_all_words_must_occur_anywhere_in_the_conversation(store: Store, library: Chats) -> None:
    both = told(store, ANNA, "Fruit", "about apples", "about pears")
    one = told(store, ANNA, "Fruit", "about apples")
    assert ids(library, ANNA, "apples") == [one, both]
    assert ids(library, ANNA, "pears  APPLES\tfruit\u3000about") == [both]
    assert ids(library, ANNA, "apples plums") == []
    assert ids(library, ANNA, "ples") == [one, both]
    assert ids(library, ANNA, "   ") == [one, both]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Die Straße nach Köln", "STRASSE köln"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("Москва и область", "МОСКВА"),
        ("東京タワーの高さは?", "タワー"),
        ("ﾀﾜｰ", "タワー"),
        ("ＡＢＣ１２３", "abc123"),
        ("가나다", "나다"),
        ("القاهرة", "قاهر"),
        ("İstanbul", "İSTANBUL"),
        ("cafe\u0301", "CAFÉ"),
        ("50% of it", "50%"),
        ("a_b", "a_b"),
        ("C:\\dir /x", "\\dir"),
        ('it\'s "quoted"', '\'s "quoted"'),
        ("a/b//c", "b//c"),
        ("x\0y", "y"),
        ("🍊 tangerine", "🍊"),
    ],
)
def test_any_script_and_any_character(store: Store, library: Chats, text: str, query: str) -> None:
    conversation = told(store, ANNA, "t", text)
    assert ids(library, ANNA, query) == [conversation]


def test_wildcards_are_plain_characters(store: Store, library: Chats) -> None:
    told(store, ANNA, "t", "plain letters")
    for query in ("%", "_", "pl%n", "pl_in", "'", "' or 1=1 --", '"', "\\", "/", "pl/ain", "[a-z]", "*"):
        assert ids(library, ANNA, query) == [], query


def test_a_query_may_be_of_any_length(store: Store, library: Chats) -> None:
    conversation = told(store, ANNA, "t", "x" * 2000)
    assert ids(library, ANNA, "x" * 100_000) == [conversation]
    assert ids(library, ANNA, "y" * 100_000) == []
    assert ids(library, ANNA, " ".join(f"x{number}" for number in range(5000))) == []
    assert ids(library, ANNA, "\ud800 %" * 3) == []


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30), st.text(max_size=8))
def test_found_is_what_contains_all_words(open_store: OpenStore, text: str, query: str) -> None:
    """Against an oracle in Python, for texts and queries of any characters."""
    store = open_store("sqlite://")
    try:
        conversation = told(store, ANNA, "title", text)
        haystacks = [fold("title"), fold(f"{text}\nanswer to {text}")]
        expected = all(any(word in hay for hay in haystacks) for word in fold(query).split())
        assert (ids(Chats(store), ANNA, query) == [conversation]) == expected
    finally:
        store.close()


OLD_TABLES = """
CREATE TABLE conversations (id VARCHAR NOT NULL, visitor VARCHAR NOT NULL, title VARCHAR NOT NULL,
    created FLOAT NOT NULL, updated FLOAT NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_conversations_visitor ON conversations (visitor);
CREATE TABLE runs (id VARCHAR NOT NULL, conversation VARCHAR NOT NULL, follows VARCHAR NOT NULL,
    created FLOAT NOT NULL, process VARCHAR NOT NULL, alive FLOAT NOT NULL, ended VARCHAR NOT NULL,
    PRIMARY KEY (id), FOREIGN KEY(conversation) REFERENCES conversations (id));
CREATE TABLE events (run VARCHAR NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, number),
    FOREIGN KEY(run) REFERENCES runs (id)) WITHOUT ROWID;
CREATE TABLE artifacts (run VARCHAR NOT NULL, hash VARCHAR NOT NULL, content BLOB NOT NULL, PRIMARY KEY (run, hash),
    FOREIGN KEY(run) REFERENCES runs (id));
INSERT INTO conversations VALUES ('c', 'anna', 'Old title', 1.0, 2.0);
INSERT INTO runs VALUES ('r', 'c', '', 1.0, 'elsewhere:1', 1.0, 'Answered');
INSERT INTO runs VALUES ('open', 'c', 'r', 2.0, 'elsewhere:1', 1.0, '');
INSERT INTO events VALUES ('r', 1, '{"question":"Old question","time":1.0,"type":"Asked"}');
INSERT INTO events VALUES ('r', 2, '{"text":"Old answer","reason":"final_answer","type":"Answered"}');
"""


def test_a_database_of_an_earlier_version_opens(open_store: OpenStore, tmp_path: Path) -> None:
    path = tmp_path / "glassbox.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(OLD_TABLES)
    connection.close()

    def opened() -> tuple[Store, Chats]:
        store = open_store(f"sqlite:///{path}")
        library = Chats(store)
        (row,) = library.conversations("anna")
        assert (row.id, row.title, row.pinned) == ("c", "Old title", False)
        assert ids(library, "anna", "old ANSWER question title") == ["c"]
        assert store.events("r") == [Asked("Old question", 1.0), Answered("Old answer")]
        assert library.judgement("r").verdict is None
        return store, library

    opened()
    store, library = opened()
    assert library.pin("anna", "c", True)
    store.leases.ask_to_stop("open")
    assert store.leases.renew(["open"]).taken == {"open"}
    assert library.delete("anna", "c")
    assert library.purge(time() + 1) == 1


def test_a_run_that_was_cut_can_be_searched(open_store: OpenStore, tmp_path: Path) -> None:
    """What a run had said when its server was killed is found once the run is closed."""
    store = open_store(f"sqlite:///{tmp_path / 'glassbox.db'}")
    conversation = store.add_conversation(ANNA, "t")
    run = store.add_run(conversation)
    store.append(run, [Asked("q", 1.0)])
    store.append(run, [Observed("1", "tangerine")])
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'glassbox.db'}")
    with engine.begin() as connection:
        connection.execute(sql.text("update runs set alive = 0, process = 'elsewhere:1'"))
    engine.dispose()
    assert store.close_interrupted() == [run]
    assert ids(Chats(store), ANNA, "tangerine") == [conversation]


def test_a_word_is_kept_with_a_verdict(store: Store, library: Chats) -> None:
    conversation = told(store, ANNA, "t", "q")
    run = store.path(conversation)[0].id
    assert library.judgement(run) == Judgement()
    assert library.judge(ANNA, run, 0, "  Wrong\nyear,\0 \x1b[1mby two\ud800 ")
    assert library.judgement(run) == Judgement(0, "Wrong year, [1mby two")
    assert library.judge(ANNA, run, 1)
    assert library.judgement(run) == Judgement(1, "Wrong year, [1mby two"), "the other thumb keeps the word"
    assert not library.judge(BERT, run, 1, "mine")
    assert not library.judge("", run, 1, "mine")
    assert library.judge(ANNA, run, 1, "x" * 5000)
    assert len(library.judgement(run).comment) == MOST_COMMENT
    assert library.judge(ANNA, run, 1, "")
    assert library.judgement(run) == Judgement(1)
    assert library.judge(ANNA, run, 1, "fine")
    assert library.judge(ANNA, run, None)
    assert library.judgement(run) == Judgement(), "without a thumb there is no word"
    assert library.judge(ANNA, run, None, "stray")
    assert library.judgement(run) == Judgement()


def test_a_word_travels_and_comes_back_byte_for_byte(store: Store, library: Chats) -> None:
    conversation, words = store.add_conversation(ANNA, "t"), ("Just <b>right</b> & 速い", "")
    for word in words:
        run = store.add_run(conversation)
        prepared = Prepared("q", "s", (), "react", "m", "http://m/v1")
        store.append(run, [Asked("q", 1.0), prepared, Replied("a", "", Usage(1, 0, 1), 0.1, 0.1), Answered("a")])
        library.judge(ANNA, run, 1, word)
    first = export_json_lines(take(store, ANNA, conversation))
    assert words[0] in first
    again = save_import(store, BERT, read_import(first.encode()))
    assert export_json_lines(take(store, BERT, again)) == first
    assert [library.judgement(row.id) for row in store.runs(again)] == [Judgement(1, word) for word in words]
