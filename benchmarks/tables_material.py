"""Tables as people keep them: how many of a folder of CSV files are loaded in the right shape.

    python benchmarks/tables_material.py FOLDER [--half 0|1]

``FOLDER`` (or the environment variable TABLES_MATERIAL) holds ``*.csv`` whose first line is the header, with quotation
marks in cells escaped by a backslash. The shape is right where there are as many columns as cells of the first line,
and as many rows as lines after it that have a cell with something in it. ``--half`` takes every other file.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.data.refusal import Refused
from agent.data.tables.loading.load_work import Reporter, Work
from agent.data.tables.loading.upload import load


def right(path: Path) -> tuple[int, int, list[str]]:
    """Columns, rows and the header of the file."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, escapechar="\\", doublequote=False))
    return len(rows[0]), sum(1 for row in rows[1:] if any(cell.strip() for cell in row)), rows[0]


def shape(path: Path) -> tuple[int, int, list[str]]:
    """Columns, rows and labels of the table that it becomes. Raises ``Refused``."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "given"
        copy.write_bytes(path.read_bytes())
        table = load(Work(Path(folder), path.name, Reporter(None), set()), copy)[0]
    return len(table.columns), table.rows, [column.label for column in table.columns]


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", nargs="?", default=os.environ.get("TABLES_MATERIAL", ""))
    read.add_argument("--half", type=int, choices=(0, 1))
    given = read.parse_args()
    if not given.folder:
        read.error("name the folder of the material, or set TABLES_MATERIAL")
    files = sorted(Path(given.folder).glob("*.csv"))
    files = files if given.half is None else files[given.half :: 2]
    wrong = 0
    for path in files:
        wanted = right(path)
        try:
            found = shape(path)
        except Refused as refused:
            found = (0, 0, [str(refused)])
        if wanted[:2] != found[:2]:
            wrong += 1
            print(f"{path.name}: {wanted[0]} × {wanted[1]}, ours {found[0]} × {found[1]}")
            print(f"    {wanted[2]}\n    {found[2]}")
    print(f"{len(files)} tables, {len(files) - wrong} in the right shape ({(len(files) - wrong) / len(files):.1%})")


if __name__ == "__main__":
    main()
