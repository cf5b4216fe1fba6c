"""What a statement may not name in PostgreSQL, and how the server is asked what the functions in it do.

A transaction that is read only lets functions through that act all the same: they open files, wait, send, end other
sessions, change settings, run SQL out of a text. PostgreSQL says of each function whether it has effects
(``volatile``), so that every name that could be called is looked up in its catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.databases.select_rules import Token, after_dots, called, names
from agent.data.refusal import Refused

# Volatile, and yet nothing but values.
HARMLESS = (
    "random",
    "clock_timestamp",
    "timeofday",
    "gen_random_uuid",
    "pg_relation_size",
    "pg_table_size",
    "pg_total_relation_size",
    "pg_indexes_size",
    "pg_database_size",
    "uuid_generate_v4",
    "uuidv4",
    "uuidv7",
    "random_normal",
)
# Not volatile, and yet they run SQL out of a text, or tell of the server what is none of a reader's business.
_REFUSED = frozenset({
    "crosstab", "crosstab2", "crosstab3", "crosstab4", "crosstabn", "connectby", "xpath_table", "ts_stat",
    "ts_rewrite", "current_setting", "pg_show_all_settings", "txid_current", "pg_current_xact_id", "set_config",
    "pg_stat_get_activity", "pg_config", "pg_hba_file_rules", "pg_show_all_file_settings", "dblink",
    "pg_ls_waldir", "pg_get_wal_summarizer_state", "pg_options_to_table",
})  # fmt: skip
# Passwords, settings, what other sessions do: readable to some roles.
_SECRET = frozenset({
    "pg_authid", "pg_shadow", "pg_user_mapping", "pg_user_mappings", "pg_subscription", "pg_largeobject",
    "pg_settings", "pg_file_settings", "pg_hba_file_rules", "pg_ident_file_mappings", "pg_db_role_setting",
    "pg_stat_activity", "pg_stat_ssl", "pg_stat_replication", "pg_foreign_server", "pg_user", "user_mapping_options",
    "foreign_server_options", "pg_config", "pg_statistic", "pg_stats", "pg_prepared_statements", "pg_cursors",
})  # fmt: skip
# The functions of these names that have effects: called as f(x), or as x.f where they take a whole row.
LOOK_UP = """
SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p
WHERE p.provolatile = 'v' AND p.proname <> ALL (%(harmless)s) AND (
  pg_catalog.lower(p.proname) = ANY (%(called)s)
  OR (pg_catalog.lower(p.proname) = ANY (%(dotted)s) AND p.pronargs = 1 AND EXISTS (
    SELECT 1 FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0] AND t.typtype IN ('c', 'p'))))
LIMIT 5
"""


def check_names(tokens: Sequence[Token]) -> dict[str, list[str]]:
    """What ``LOOK_UP`` is to be asked with; raises ``Refused`` for what is not read or called here at all."""
    found = names(tokens)
    for name in sorted(found & _SECRET):
        raise Refused(f"{name} cannot be read here.", "sql")
    calls = called(tokens)
    for name in sorted(calls):
        if name in _REFUSED or name.endswith(("_to_xml", "_to_xmlschema", "_to_xml_and_xmlschema")):
            raise acting(name)
    return {"harmless": list(HARMLESS), "called": sorted(calls), "dotted": sorted(after_dots(tokens))}


def acting(name: str) -> Refused:
    return Refused(f"{name[:80]}() cannot be used here: it does more than read. Write the SELECT without it.", "sql")
