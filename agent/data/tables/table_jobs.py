"""Jobs: all that touches a visitor's bytes or somebody's SQL, as JSON in, JSON out, in one folder.

``handle`` runs in a process that is locked up (and the same in a test). It imports nothing of the house but
``agent.data``, opens nothing outside ``folder``, and needs to create, read, rename and remove plain files in it.

A job is ``{"kind": ..., ...}``; the answer is ``{"ok": true, ...}``, or ``{"ok": false, "error": kind, "message":
sentence}`` where it cannot be done. ``tables`` below is a list of ``{"name", "file"}``: what the job may see; their
``columns`` may be there with name, label and unit.

===========  ==========================================================  =============================================
kind         takes                                                       gives
===========  ==========================================================  =============================================
load         source, name, taken, progress, encoding, delimiter,         tables (cards), notes
             header, limits
profile      table (as a card or ``Table.json``)                         card
preview      file, offset, limit, order, descending                      columns, rows, total
query        tables, sql, seconds, rows                                  columns, rows, total, text, seconds, sql,
                                                                         repairs
export       tables, sql, seconds, more (the last line where it is cut)  file (CSV in the folder), rows, bytes, cut
chart        tables, source (a table or SQL), chart, seconds             spec, table, note, repairs
retype       table, column, to                                           table (a card with a new file), lost
repair       table, place, to (on, off, day first, month first)          table (a card with a new file)
bad_rows     file                                                        rows (line, problem, text)
===========  ==========================================================  =============================================
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from agent.data.refusal import Refused, check_room
from agent.data.tables.asking.querying import SECONDS, export_csv, preview, query
from agent.data.tables.cards import card_of
from agent.data.tables.charts.charting import draw, read_chart
from agent.data.tables.columns import Table, read_table
from agent.data.tables.headings import heading_of
from agent.data.tables.identifiers import column_names
from agent.data.tables.loading.formats.period_heads import period_heads
from agent.data.tables.loading.load_work import Limits, Reporter, Work, new_file, unfinished
from agent.data.tables.loading.upload import load
from agent.data.tables.loading.value_forms import candidates, unit_in_label
from agent.data.tables.table_repairs import changed, repaired, retyping
from agent.interface_text import packed
from agent.text.regex import regex

Job = Mapping[str, Any]
Answer = dict[str, Any]
_PLAIN_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}(\.[A-Za-z0-9]{1,12}){0,2}")


def handle(job: Job, folder: Path) -> Answer:
    """Do the job; never raises ``Refused``. A job that makes no sense at all raises ``KeyError`` or ``TypeError``."""
    return done_by(_KINDS, job, folder)


def warm() -> None:
    """Prepare once, for all workers that are forks of this process, what each would prepare for its first table."""
    candidates(["1 x"])  # fits no form, so each pattern is compiled
    unit_in_label("x")
    column_names(["x"])
    period_heads([["x", "2026"], ["x", "1"]], 0, 2)


def done_by(kinds: Mapping[str, Callable[[Job, Path], Answer]], job: Job, folder: Path) -> Answer:
    """As ``handle``, for jobs of other ``kinds``."""
    work = kinds.get(str(job.get("kind", "")))
    if work is None:
        return {"ok": False, "error": "input", "message": "There is no such job."}
    try:
        try:
            return {"ok": True, **work(job, folder)}
        except OSError as error:
            check_room(error)
            raise
    except Refused as refused:
        return {"ok": False, "error": refused.kind, "message": packed(refused.text)}


def within(folder: Path, name: str, new: bool = False) -> Path:
    """The file ``name`` right in ``folder``: never a link, never one elsewhere. Raises ``Refused`` where there is none.

    A ``new`` one need not be there yet.
    """
    path = folder / name if _PLAIN_NAME.fullmatch(name) else folder
    if path.is_symlink() or not (path.is_file() or (new and path != folder and not path.exists())):
        raise Refused("There is no such file.", "file")
    return path


def reporter_of(job: Job, folder: Path) -> Reporter:
    """What writes the progress of a loading to the file that the job names, if it names one."""
    told = job.get("progress")
    return Reporter(within(folder, str(told), new=True) if told else None)


def limits_of(job: Job) -> dict[str, int]:
    """The limits that a loading has of its own."""
    return {str(key): int(value) for key, value in cast("Mapping[str, int]", job.get("limits") or {}).items()}


def _tables(job: Job, folder: Path) -> dict[str, Path]:
    return {str(table["name"]): within(folder, str(table["file"])) for table in job["tables"]}


def _described(job: Job) -> list[Mapping[str, Any]]:
    """The columns of the tables with their headers and units, where these came along."""
    return [column for table in job["tables"] for column in table.get("columns", ())]


def _load(job: Job, folder: Path) -> Answer:
    name, taken = str(job["name"])[:200], {str(name) for name in job.get("taken", ())}
    work = Work(folder, name, reporter_of(job, folder), taken, Limits(**limits_of(job)))
    first, *others = load(work, within(folder, str(job["source"])))
    # What is said of the whole file is seen at a table of it.
    tables = [replace(first, notes=(*first.notes, *work.notes)), *others]
    work.reporter.report("Looking at the values")
    cards = [card_of(table, folder) for table in tables]
    work.reporter.report("Done", 1.0)
    return {"tables": packed(cards), "notes": packed(work.notes)}


def _preview(job: Job, folder: Path) -> Answer:
    file = within(folder, str(job["file"]))
    offset, limit = int(job.get("offset", 0)), int(job.get("limit", 100))
    return preview(file, offset, limit, str(job.get("order") or ""), bool(job.get("descending")))


def _query(job: Job, folder: Path) -> Answer:
    result = query(_tables(job, folder), str(job["sql"]), float(job.get("seconds", SECONDS)))
    told = {"text": result.text, "seconds": round(result.seconds, 4)}
    table = result.json()
    described = _described(job)
    for column in table["columns"]:
        heading = heading_of(column["name"], described)
        column |= {"title": heading.title, "unit": heading.unit}
    return {**table, **told, "sql": result.sql, "repairs": packed(result.repairs)}


def _export(job: Job, folder: Path) -> Answer:
    target = folder / new_file(".csv")
    seconds, more = float(job.get("seconds", 60.0)), str(job.get("more") or "")
    with unfinished(target) as part:
        written = export_csv(_tables(job, folder), str(job["sql"]), part, seconds, more)
    return {"file": target.name, **written}


def _chart(job: Job, folder: Path) -> Answer:
    chart = read_chart(job["chart"])
    seconds = float(job.get("seconds", SECONDS))
    drawn = draw(_tables(job, folder), str(job["source"]), chart, seconds, _described(job))
    table = drawn.result.json()
    return {"spec": drawn.spec, "table": table, "note": drawn.note, "repairs": packed(drawn.repairs)}


def _retype(job: Job, folder: Path) -> Answer:
    before, wanted = retyping(_own_table(job, folder), str(job["column"]), str(job["to"]))
    table = repaired(before, folder, wanted)
    lost = next(repair.count for repair in table.repairs if (repair.kind, repair.column) == ("type", wanted[-1].column))
    return {"table": packed(card_of(table, folder)), "lost": lost}


def _repair(job: Job, folder: Path) -> Answer:
    before = _own_table(job, folder)
    table = repaired(before, folder, changed(before, int(job["place"]), str(job["to"])))
    return {"table": packed(card_of(table, folder))}


def _own_table(job: Job, folder: Path) -> Table:
    """The table of a job, whose files are in the folder."""
    table = read_table(job["table"])
    for file in (table.file, *([table.base.file] if table.base else [])):
        within(folder, file)
    return table


def _bad_rows(job: Job, folder: Path) -> Answer:
    return {"rows": json.loads(within(folder, str(job["file"])).read_bytes())}


_KINDS: Mapping[str, Callable[[Job, Path], Answer]] = {
    "load": _load,
    "preview": _preview,
    "query": _query,
    "export": _export,
    "chart": _chart,
    "retype": _retype,
    "repair": _repair,
    "bad_rows": _bad_rows,
}
