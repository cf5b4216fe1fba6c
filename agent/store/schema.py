"""The store's tables, and the statements that are run for every event, or for every drawing of a page."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

TABLES = sql.MetaData()
# The steps that brought this store up to date, see ``agent.store.migrations``; ``applied`` in seconds since the epoch.
STORE_VERSIONS = sql.Table(
    "store_versions",
    TABLES,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("oldest", sql.Integer, nullable=False),
    sql.Column("applied", sql.Float, nullable=False),
)
CONVERSATIONS = sql.Table(
    "conversations",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("title", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("updated", sql.Float, nullable=False),
    # Since when, in seconds since the epoch; 0 where it is not.
    sql.Column("pinned", sql.Float, nullable=False, server_default=sql.text("0")),
    sql.Column("deleted", sql.Float, nullable=False, server_default=sql.text("0")),
    # Names of the tools that the visitor has allowed for good in it, as a JSON array.
    sql.Column("allowed", sql.String, nullable=False, server_default=sql.text("'[]'")),
)
RUNS = sql.Table(
    "runs",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("follows", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("process", sql.String, nullable=False),
    sql.Column("alive", sql.Float, nullable=False),
    sql.Column("ended", sql.String, nullable=False, index=True),
    # 1 where somebody asked for it to be stopped, maybe from another process.
    sql.Column("stopping", sql.Integer, nullable=False, server_default=sql.text("0")),
    # 1 while it waits for the person: it then belongs to no process, and is not interrupted.
    sql.Column("waiting", sql.Integer, nullable=False, server_default=sql.text("0")),
    # What is set aside of the owner's money for its next reply, in millionths of a US dollar; none once it has ended.
    sql.Column("held", sql.BigInteger, nullable=False, server_default=sql.text("0")),
    # How often it was taken up from a process that was gone. Whoever works on it says which time: others are refused.
    sql.Column("taken", sql.Integer, nullable=False, server_default=sql.text("0")),
    # Seconds that a process was at work on it, counted as its lease is renewed.
    sql.Column("worked", sql.Float, nullable=False, server_default=sql.text("0")),
    # With what it is answered, as JSON (see ``agent.application.preferences``); never a key, and "" once it has ended.
    sql.Column("choice", sql.Text, nullable=False, server_default=sql.text("''")),
    # The visitor's thumb: 1 up, 0 down; and what was written to it.
    sql.Column("verdict", sql.Integer),
    sql.Column("comment", sql.String, nullable=False, server_default=sql.text("''")),
    # What it took (see ``agent.store.totals``): written when the run ends, ``NULL`` in all of them before.
    sql.Column("calls", sql.Integer),
    sql.Column("unpriced", sql.Integer),
    sql.Column("input", sql.BigInteger),
    sql.Column("output", sql.BigInteger),
    sql.Column("estimated", sql.Integer),
    sql.Column("money", sql.Float),
    sql.Column("seconds", sql.Float),
)
EVENTS = sql.Table(
    "events",
    TABLES,
    sql.Column("run", sql.String, sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
    # The event's name; "" where version 0.1 wrote it.
    sql.Column("kind", sql.String, nullable=False, server_default=sql.text("''")),
    sqlite_with_rowid=False,
)
ARTIFACTS = sql.Table(
    "artifacts",
    TABLES,
    sql.Column("run", sql.String, sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("hash", sql.String, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
# What came of a reply that is not stored yet, in the order of ``number``: JSON arrays of pairs of a channel and a text.
# It belongs to the reply behind the run's first ``stored`` events, and is removed with the next one.
STREAMED = sql.Table(
    "streamed",
    TABLES,
    sql.Column("run", sql.String, sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("stored", sql.Integer, nullable=False),
    sql.Column("body", sql.Text, nullable=False),
)
# What is searched (see ``agent.store.search``): a conversation's title under its own id, a run's texts under the run's.
TEXTS = sql.Table(
    "texts",
    TABLES,
    sql.Column("part", sql.String, primary_key=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("body", sql.Text, nullable=False),
)
# What the owner's key was used for on a day (UTC, as in 2026-11-21); money in millionths of a US dollar.
SPENDING = sql.Table(
    "spending",
    TABLES,
    sql.Column("day", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, primary_key=True),
    sql.Column("messages", sql.Integer, nullable=False),
    sql.Column("tokens", sql.BigInteger, nullable=False),
    sql.Column("micros", sql.BigInteger, nullable=False),
)
# The tables of a conversation (see ``agent.data.tables.chat_tables``); ``file`` is in its folder, ``card`` is JSON.
LOADED = sql.Table(
    "loaded_tables",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("file", sql.String, nullable=False),
    sql.Column("card", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# The documents of a conversation (see ``chat_documents``); ``card`` is JSON, the text is in its folder.
DOCUMENTS = sql.Table(
    "documents",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("card", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# What a visitor chose to be answered with, as JSON (see ``agent.application.preferences``); never a key.
PREFERENCES = sql.Table(
    "preferences",
    TABLES,
    sql.Column("visitor", sql.String, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
)
# What was chosen for one conversation, as JSON by ``kind``: "words" are those of tools (see ``agent.toolkit.wording``),
# "prompts" as in ``agent.application.preferences``.
CHOSEN = sql.Table(
    "conversation_choices",
    TABLES,
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), primary_key=True),
    sql.Column("kind", sql.String, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
)
# What a visitor asked to be remembered (see ``agent.store.notes``), and the conversation that it was taken from, or "".
NOTES = sql.Table(
    "notes",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("conversation", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# What a model's server refuses (see ``agent.store.learned``), as a JSON array; no address here has a key in it.
LEARNED = sql.Table(
    "learned",
    TABLES,
    sql.Column("endpoint", sql.String, primary_key=True),
    sql.Column("model", sql.String, primary_key=True),
    sql.Column("lessons", sql.Text, nullable=False),
    sql.Column("learned", sql.Float, nullable=False, index=True),
)
# The chats that are shared (see ``agent.sharing.shares``). ``address`` is a hash of what the link names, and ``sealed``
# that itself, which only its owner's browser can read; ``shown`` is JSON: the runs that stood there when it was made.
SHARES = sql.Table(
    "shares",
    TABLES,
    sql.Column("conversation", sql.String, primary_key=True),
    sql.Column("address", sql.String, nullable=False, unique=True),
    sql.Column("sealed", sql.String, nullable=False),
    sql.Column("title", sql.String, nullable=False),
    sql.Column("shown", sql.Text, nullable=False),
    sql.Column("updated", sql.Float, nullable=False),
)
# Sets of kept tests (see ``agent.store.evaluations``). Those of a ``kind`` other than "" are the program's: "card" has
# the questions of the card of a model (see ``agent.application.evaluation.card_runs``).
TEST_SETS = sql.Table(
    "test_sets",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("kind", sql.String, nullable=False, server_default=sql.text("''")),
)
# A test. Its runs are in a ``conversation`` of its own, behind the runs of its conversation up to ``follows``, one of
# them the ``recorded`` one; ``source`` is the conversation whose tables and documents it asks, or "". ``body`` is JSON.
KEPT_TESTS = sql.Table(
    "kept_tests",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("test_set", sql.String, sql.ForeignKey("test_sets.id"), nullable=False, index=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("follows", sql.String, nullable=False),
    sql.Column("recorded", sql.String, nullable=False),
    sql.Column("source", sql.String, nullable=False),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# The tests of a set, run by one or more versions; ``body`` is JSON that says how. ``state`` is "" while it is at work,
# "stopped", "spent" (no money was left) or "done"; ``alive`` is when the ``process`` that works on it said so last.
EVALUATIONS = sql.Table(
    "evaluations",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("test_set", sql.String, sql.ForeignKey("test_sets.id"), nullable=False, index=True),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("state", sql.String, nullable=False),
    sql.Column("process", sql.String, nullable=False),
    sql.Column("alive", sql.Float, nullable=False),
)
# One run of a test by a version, which has its result once ``passed`` is 0 or 1. ``body`` is the result as JSON.
ATTEMPTS = sql.Table(
    "attempts",
    TABLES,
    sql.Column("evaluation", sql.String, sql.ForeignKey("evaluations.id"), primary_key=True),
    sql.Column("test", sql.String, sql.ForeignKey("kept_tests.id"), primary_key=True),
    sql.Column("version", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("repeat", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("run", sql.String, nullable=False),
    sql.Column("passed", sql.Integer),
    sql.Column("body", sql.Text, nullable=False),
)
# Cards of models that a visitor took in from files; ``passed`` of ``runs`` are the answers of the better wire,
# ``body`` is a file as ``agent.evals.model_card.card_file`` writes it; ``measured`` (0 where unknown) and ``app``
# are of its first line. ``place`` is that in the file it came with.
MODEL_CARDS = sql.Table(
    "model_cards",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("model", sql.String, nullable=False),
    sql.Column("passed", sql.Integer, nullable=False),
    sql.Column("runs", sql.Integer, nullable=False),
    sql.Column("measured", sql.Float, nullable=False),
    sql.Column("app", sql.String, nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("place", sql.Integer, nullable=False),
)
# Keys that this site signs with, by what for; ``value`` is a secret, and never leaves the server.
SITE_KEYS = sql.Table(
    "site_keys",
    TABLES,
    sql.Column("name", sql.String, primary_key=True),
    sql.Column("value", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# Who has signed in, under the id that their chats have: what others know them by, and when they were last here.
PEOPLE = sql.Table(
    "people",
    TABLES,
    sql.Column("visitor", sql.String, primary_key=True),
    sql.Column("called", sql.String, nullable=False),
    sql.Column("seen", sql.Float, nullable=False),
)
# The processes that are up (see ``agent.application.site.roll_call``); times by the database's clock.
PROCESSES = sql.Table(
    "processes",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("kind", sql.String, nullable=False),
    sql.Column("host", sql.String, nullable=False),
    sql.Column("version", sql.String, nullable=False),
    sql.Column("began", sql.Float, nullable=False),
    sql.Column("alive", sql.Float, nullable=False),
)


class Now(FunctionElement[float]):
    """The database's clock, the same for all processes: seconds since the epoch."""

    type = sql.Float()
    inherit_cache = True


@compiles(Now, "sqlite")
def _now_of_sqlite(*_: Any, **__: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(Now, "postgresql")
def _now_of_postgresql(*_: Any, **__: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"


_RUN = sql.bindparam("run", type_=sql.String)
# Of those who work on it, or -1 for whoever: see ``taken``.
ANYBODY = -1
_TAKEN = sql.bindparam("taken", type_=sql.Integer)
_OPEN = sql.exists().where(RUNS.c.id == _RUN, RUNS.c.ended == "", sql.or_(_TAKEN == ANYBODY, RUNS.c.taken == _TAKEN))
_NEXT = sql.select(sql.func.coalesce(sql.func.max(EVENTS.c.number), 0) + 1).where(EVENTS.c.run == _RUN)
# Adds one event with the next number, or none at all where the run has ended, or was taken by another process.
ADD_EVENT = sql.insert(EVENTS).from_select(
    ["run", "number", "body", "kind"],
    sql.select(
        *(_RUN, _NEXT.scalar_subquery(), sql.bindparam("body", type_=sql.Text), sql.bindparam("kind", type_=sql.String))
    ).where(_OPEN),
)
END_RUN = sql.update(RUNS).where(RUNS.c.id == _RUN).values(ended=sql.bindparam("ended"), choice="")
WAIT_RUN = sql.update(RUNS).where(RUNS.c.id == _RUN).values(waiting=1)
# Takes a run that waits; at most one of all that try succeeds.
TAKE_RUN = (
    sql.update(RUNS)
    .where(RUNS.c.id == _RUN, RUNS.c.ended == "", RUNS.c.waiting == 1)
    .values(waiting=0, process=sql.bindparam("new_process"), alive=Now())
)
# Takes a run whose process is gone; at most one of all that try succeeds. PostgreSQL lets nobody add an event between.
LOCK_RUN = sql.select(RUNS.c.taken).where(RUNS.c.id == _RUN).with_for_update()
TAKE_LOST_RUN = (
    sql.update(RUNS)
    .where(RUNS.c.id == _RUN, RUNS.c.ended == "", RUNS.c.waiting == 0, RUNS.c.taken == sql.bindparam("lost_taken"))
    .values(taken=RUNS.c.taken + 1, process=sql.bindparam("new_process"), alive=Now(), stopping=0)
)
TOTALS = ("calls", "unpriced", "input", "output", "estimated", "money", "seconds")
TOTAL_RUN = sql.update(RUNS).where(RUNS.c.id == _RUN).values({name: sql.bindparam(name) for name in TOTALS})
REMOVE_STREAMED = sql.delete(STREAMED).where(STREAMED.c.run == _RUN)
FIND_ARTIFACT = sql.select(ARTIFACTS.c.hash).where(
    ARTIFACTS.c.run == sql.bindparam("run"), ARTIFACTS.c.hash == sql.bindparam("hash")
)
INSERT_ARTIFACT = sql.insert(ARTIFACTS)
CHOSEN_BODY = sql.select(CHOSEN.c.body).where(
    CHOSEN.c.conversation == sql.bindparam("id", type_=sql.String),
    CHOSEN.c.kind == sql.bindparam("kind", type_=sql.String),
)
READ_BODIES = sql.select(EVENTS.c.body).where(EVENTS.c.run == _RUN).order_by(EVENTS.c.number)
# Of all that is summed up of a run: a call takes nothing, what came of it does.
READ_SPENT = (
    sql.select(EVENTS.c.body).where(EVENTS.c.run == _RUN, EVENTS.c.kind != "ToolCalled").order_by(EVENTS.c.number)
)
# A row for ``TEXTS``, none where there is no such run.
TEXT_OF_RUN = sql.select(
    RUNS.c.id.label("part"), RUNS.c.conversation, sql.bindparam("body", type_=sql.Text).label("body")
).where(RUNS.c.id == _RUN)
