"""The store's tables for people who work together: chats shared with them, and what the owner keeps for all."""

from __future__ import annotations

import sqlalchemy as sql

from agent.store.schema import TABLES

# The chats that are shared with people who sign in (see ``agent.sharing.team_shares``); none of them has a row in
# ``shares``, too. ``audience`` is "people", those of ``team_members``, or "site", everyone who signs in. ``branching``
# is 1 where they may go on in a chat of their own. ``sharer`` is what the owner was called when they shared it,
# ``confirmed`` 1 where that is an address that their provider vouches for. ``shown`` and ``updated`` as in ``shares``.
# ``files`` is JSON: what comes along to a chat of their own (see ``agent.sharing.shared_files``), or "".
TEAM_SHARES = sql.Table(
    "team_shares",
    TABLES,
    sql.Column("conversation", sql.String, primary_key=True),
    sql.Column("id", sql.String, nullable=False, unique=True),
    sql.Column("audience", sql.String, nullable=False, index=True),
    sql.Column("branching", sql.Integer, nullable=False),
    sql.Column("sharer", sql.String, nullable=False),
    sql.Column("confirmed", sql.Integer, nullable=False),
    sql.Column("title", sql.String, nullable=False),
    sql.Column("shown", sql.Text, nullable=False),
    sql.Column("updated", sql.Float, nullable=False),
    sql.Column("files", sql.Text, nullable=False, server_default=sql.text("''")),
)
# Whom a chat is shared with: addresses as ``agent.text.mail_addresses`` folds them.
TEAM_MEMBERS = sql.Table(
    "team_members",
    TABLES,
    sql.Column("conversation", sql.String, primary_key=True),
    sql.Column("address", sql.String, primary_key=True, index=True),
)
# When a visitor opened last what is shared with them; nobody else is told.
TEAM_READ = sql.Table(
    "team_read",
    TABLES,
    sql.Column("conversation", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, primary_key=True),
    sql.Column("seen", sql.Float, nullable=False),
)
# What the owner keeps for all to begin with (see ``agent.store.site_presets``). ``id`` follows from all of it, so that
# one that was changed is another; ``body`` is what is chosen, as ``agent.application.preferences`` writes it down.
SITE_PRESETS = sql.Table(
    "site_presets",
    TABLES,
    sql.Column("name", sql.String, primary_key=True),
    sql.Column("id", sql.String, nullable=False, unique=True),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
# The sample files of a preset, which are loaded into chats that begin with it.
PRESET_FILES = sql.Table(
    "preset_files",
    TABLES,
    sql.Column("preset", sql.String, primary_key=True),
    sql.Column("place", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
# The cards of models that the owner gives to all (see ``agent.store.model_cards``), one a model; ``body`` is a file
# without a sentence of anybody's.
SITE_CARDS = sql.Table(
    "site_cards",
    TABLES,
    sql.Column("model", sql.String, primary_key=True),
    sql.Column("passed", sql.Integer, nullable=False),
    sql.Column("runs", sql.Integer, nullable=False),
    sql.Column("measured", sql.Float, nullable=False),
    sql.Column("app", sql.String, nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
)
