"""Tables with two rows of heads in which merged cells are written out in each column."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.data.tables.asking.querying import query
from agent.data.tables.cards import card_of
from agent.data.tables.loading.formats.spelled_heads import spelled_out
from agent.data.tables.loading.load_work import Reporter, Work
from agent.data.tables.loading.upload import load

CAREER = """Club,Season,League,League,League,Cup,Cup
Club,Season,Division,Apps,Goals,Apps,Goals
Northport,1998–99,Second,14,3,2,0
Northport,1999–00,First,31,9,4,2
Eastham Town,2000–01,First,8,0,-,-
"""
MEASURED = """site\tsoil\tsoil\tair\tair
site\tpH\tdepth\tpH\tdust
A\t6.1\t20\t7.0\t3
B\t5.8\t35\t7.1\t4
C\t7.2\t15\t6.9\t9
"""
NONE = [
    "name,name,team\nAda,Bob,Red\nCy,Dee,Blue\nEd,Flo,Red\n",  # a name that comes twice
    "Party,Party,Votes\nx,Reform,10\ny,Labour,12\nz,Union,9\n",
    "team,score,score\nteam,3,4\nRed,5,6\nBlue,7,8\n",  # a row of figures
    "a,b,b\na,c,c\nx,1,2\ny,3,4\n",  # below one another, the same
    "Club,League,League\nClub,Apps,Goals\n",  # and no row at all
]


def labels(folder: Path, name: str, text: str) -> list[str]:
    (folder / "given").write_text(text, encoding="utf-8")
    made = load(Work(folder, name, Reporter(None), set()), folder / "given")[0]
    return [column["label"] for column in card_of(made, folder)["columns"]]


def test_each_column_is_called_by_both_of_its_heads(tmp_path: Path) -> None:
    assert labels(tmp_path, "career.csv", CAREER) == [
        "Club", "Season", "League Division", "League Apps", "League Goals", "Cup Apps", "Cup Goals",
    ]  # fmt: skip


def test_of_measurements_with_tabs(tmp_path: Path) -> None:
    assert labels(tmp_path, "sites.tsv", MEASURED) == ["site", "soil pH", "soil depth", "air pH", "air dust"]


def test_no_row_is_lost_and_figures_are_figures(tmp_path: Path) -> None:
    (tmp_path / "given").write_text(CAREER, encoding="utf-8")
    made = load(Work(tmp_path, "career.csv", Reporter(None), set()), tmp_path / "given")[0]
    sql = 'SELECT count(*), sum("league_apps"), sum("cup_goals") FROM career'
    assert list(query({made.name: tmp_path / made.file}, sql).rows) == [(3, 53, 2)]


def test_above_a_title_and_below_a_blank_line(tmp_path: Path) -> None:
    assert labels(tmp_path, "career.csv", f"Career of a player,,,,,,\n\n{CAREER}")[3] == "League Apps"


@pytest.mark.parametrize("text", NONE)
def test_other_rows_are_no_such_heads(text: str) -> None:
    rows = [line.split(",") for line in text.splitlines()]
    assert not spelled_out(rows, len(rows[0]))
