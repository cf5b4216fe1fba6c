"""Files of tables as people have them, each with what a person expects of it: types and values, or a sentence."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb

Cells = Sequence[Sequence[object]]


@dataclass(frozen=True)
class Good:
    """``types`` are those of the columns by name, in order; ``rows`` all or the first of the rows, in order.

    ``said`` are words of a note of the table or of a column; ``bad`` the number of lines that are no rows.
    """

    name: str
    content: bytes
    types: dict[str, str]
    rows: Cells
    said: str = ""
    bad: int = 0
    units: str = ""
    table: str = ""
    tables: int = 1


@dataclass(frozen=True)
class Bad:
    name: str
    content: bytes
    said: str


def _csv(name: str, text: str, types: str, rows: Cells, encoding: str = "utf-8", **more: Any) -> Good:
    """``types`` as in ``a BIGINT, b VARCHAR``."""
    return Good(name, text.encode(encoding), _types(types), rows, **more)


def _types(text: str) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in text.split(", "))


def sqlite_file(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    content = connection.serialize()
    connection.close()
    return content


def duckdb_file(folder: Path, *statements: str) -> bytes:
    path = folder / "made.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    content = path.read_bytes()
    path.unlink()
    return content


def parquet_file(folder: Path, query: str) -> bytes:
    path = folder / "made.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    content = path.read_bytes()
    path.unlink()
    return content


_SHEET_HEAD = (
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)


class Percent(float):
    """A number that Excel shows in percent: 0.25 as 25%."""


def _cell(place: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
        days = (moment - datetime(1899, 12, 30)).total_seconds() / 86400
        return f'<c r="{place}" s="1"><v>{days!r}</v></c>'
    if isinstance(value, Percent):
        return f'<c r="{place}" s="2"><v>{float(value)!r}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    text = str(value).replace("&", "&amp;").replace("<", "&lt;")
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def excel_file(
    sheets: dict[str, Sequence[Sequence[object]]],
    hidden: Sequence[str] = (),
    merged: Sequence[str] = (),
    percent: str = "0.0%",
) -> bytes:
    """A workbook as Excel writes it, with the parts a reader needs. ``merged`` are ranges of each sheet.

    ``percent`` is the format of ``Percent`` values.
    """
    made = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        entries: list[str] = []
        relations: list[str] = []
        ranges = "".join(f'<mergeCell ref="{cells}"/>' for cells in merged)
        joined = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
        for number, (name, rows) in enumerate(sheets.items(), start=1):
            state = ' state="hidden"' if name in hidden else ""
            entries.append(f'<sheet name="{name}" sheetId="{number}"{state} r:id="rId{number}"/>')
            relations.append(
                f'<Relationship Id="rId{number}" Type="{office}/worksheet" Target="worksheets/sheet{number}.xml"/>'
            )
            body = "".join(
                f'<row r="{y}">'
                + "".join(_cell(f"{chr(64 + x)}{y}", value) for x, value in enumerate(row, start=1))
                + "</row>"
                for y, row in enumerate(rows, start=1)
            )
            archive.writestr(f"xl/worksheets/sheet{number}.xml", f"{_SHEET_HEAD}{body}</sheetData>{joined}</worksheet>")
        relations.append(f'<Relationship Id="rId99" Type="{office}/styles" Target="styles.xml"/>')
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{"".join(entries)}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships">{"".join(relations)}</Relationships>',
        )
        archive.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{main}"><numFmts count="1"><numFmt numFmtId="170" formatCode="{percent}"/></numFmts>'
            '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="170"/></cellXfs></styleSheet>',
        )
    return made.getvalue()


def _zipped(name: str, text: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, text)
    return made.getvalue()


def _day(text: str) -> date:
    return date.fromisoformat(text)


TEXTS: list[Good] = [
    _csv(
        "points.csv",
        "day;steps;km\nMon;8.412;6,1\nTue;11.950;8,7\n",
        "day VARCHAR, steps BIGINT, km DOUBLE",
        [("Mon", 8412, 6.1), ("Tue", 11950, 8.7)],
    ),
    _csv(
        "blanks.csv",
        "parcel,way\na,1 500 km\nb,23 400 km\nc,900 km\n",
        "parcel VARCHAR, way BIGINT",
        [("a", 1500), ("b", 23400), ("c", 900)],
        units="km",
    ),
    _csv(
        "decimals.csv",
        "day;share;km\nMon;8.412;6.1\nTue;11.950;8.7\n",
        "day VARCHAR, share DOUBLE, km DOUBLE",
        [("Mon", 8.412, 6.1), ("Tue", 11.95, 8.7)],
    ),
    _csv(
        "alone.csv", "day;share\nMon;8.412\nTue;11.950\n", "day VARCHAR, share DOUBLE", [("Mon", 8.412), ("Tue", 11.95)]
    ),
    _csv("plain.csv", "a,b\n1,x\n2,y\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("tabs.tsv", "a\tb\n1\tx, y\n2\tz\n", "a BIGINT, b VARCHAR", [(1, "x, y"), (2, "z")]),
    _csv("semicolon.csv", "a;b\n1,5;x\n2,25;y\n", "a DOUBLE, b VARCHAR", [(1.5, "x"), (2.25, "y")]),
    _csv("pipe.txt", "a|b\n1|x\n2|y\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("caret.txt", "a^b\n1^x\n2^y\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("told.csv", "sep=;\na;b\n1;x,y\n2;z,w\n", "a BIGINT, b VARCHAR", [(1, "x,y"), (2, "z,w")]),
    _csv(
        "numbers_of_commas.csv",
        "1,5;2,5\n3,5;4,5\n",
        "column_1 DOUBLE, column_2 DOUBLE",
        [(1.5, 2.5), (3.5, 4.5)],
        said="no header",
    ),
    _csv(
        "quoted.csv", 'a,b\n"x, ""y""",1\n"two\nlines",2\n', "a VARCHAR, b BIGINT", [('x, "y"', 1), ("two\nlines", 2)]
    ),
    _csv("single_quotes.csv", "a,b\n'x,y',2\n'z',3\n", "a VARCHAR, b BIGINT", [("x,y", 2), ("z", 3)]),
    _csv(
        "backslashes.csv",
        'a,b\n"he said \\"hi\\" twice",2\nz,3\n',
        "a VARCHAR, b BIGINT",
        [('he said "hi" twice', 2), ("z", 3)],
    ),
    _csv(
        "windows_path.csv", 'a,b\n"C:\\data\\",2\n"D:\\",3\n', "a VARCHAR, b BIGINT", [("C:\\data\\", 2), ("D:\\", 3)]
    ),
    _csv("inch.csv", 'a,b\n5" pipe,2\n6" pipe,3\n', "a VARCHAR, b BIGINT", [('5" pipe', 2), ('6" pipe', 3)]),
    _csv("windows_lines.csv", "a,b\r\n1,x\r\n2,y\r\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("mac_lines.csv", "a,b\r1,x\r2,y\r", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv(
        "mixed_lines.csv", 'a,b\r\n1,x\n2,y\r\n3,"l\nm"\r\n', "a BIGINT, b VARCHAR", [(1, "x"), (2, "y"), (3, "l\nm")]
    ),
    _csv("no_last_line_end.csv", "a,b\n1,x\n2,y", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("blank_lines.csv", "\n\na,b\n1,x\n\n2,y\n\n\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv(
        "one_column.csv", "city\nParis\nRome, Italy\nBonn\n", "city VARCHAR", [("Paris",), ("Rome, Italy",), ("Bonn",)]
    ),
    _csv(
        "spaced.csv", "a, b, c\n1, x, 2.5\n2, y, 3.5\n", "a BIGINT, b VARCHAR, c DOUBLE", [(1, "x", 2.5), (2, "y", 3.5)]
    ),
    _csv(
        "of_r.txt",
        '"mpg" "cyl" "name"\n"1" 21.5 6 "a b"\n"2" 22.5 4 "c d"\n"3" 20.1 8 "e f"\n',
        "column_1 BIGINT, mpg DOUBLE, cyl BIGINT, name VARCHAR",
        [(1, 21.5, 6, "a b")],
    ),
    _csv("marks_at_ends.csv", "a,b\n1,x,\n2,y,\n", "a BIGINT, b VARCHAR", [(1, "x"), (2, "y")]),
    _csv("long_cell.csv", f"a,b\n1,{'x' * 200_000}\n2,y\n", "a BIGINT, b VARCHAR", [(1, "x" * 200_000), (2, "y")]),
    # Encodings
    _csv("mark.csv", "name,v\nMüller,1\n", "name VARCHAR, v BIGINT", [("Müller", 1)], "utf-8-sig"),
    _csv(
        "utf16.csv",
        "name,v\nMüller,1\nБорис,2\n",
        "name VARCHAR, v BIGINT",
        [("Müller", 1), ("Борис", 2)],
        "utf-16",
        said="UTF-16",
    ),
    _csv("utf16_no_mark.csv", "name,v\nMiller,1\nSmith,2\n", "name VARCHAR, v BIGINT", [("Miller", 1)], "utf-16-le"),
    _csv("utf16_big.csv", "\ufeffname\tv\nMüller\t1\n", "name VARCHAR, v BIGINT", [("Müller", 1)], "utf-16-be"),
    _csv(
        "western.csv",
        "name;price\nMüller;1,50 €\nJosé “x”;2,75 €\n",
        "name VARCHAR, price DOUBLE",
        [("Müller", 1.5), ("José “x”", 2.75)],
        "cp1252",
        said="Windows-1252",
        units="€",
    ),
    _csv(
        "one_accent.csv",
        "Région;Total\nNord;1\nSud;2\n",
        "région VARCHAR, total BIGINT",
        [("Nord", 1), ("Sud", 2)],
        "cp1252",
        said="Windows-1252",
    ),
    _csv(
        "one_kanji.csv",
        "県,Total kg\n京都,1\n奈良,2\n",
        "県 VARCHAR, total_kg BIGINT",
        [("京都", 1), ("奈良", 2)],
        "cp932",
        said="Shift-JIS",
    ),
    _csv(
        "kanji_beside_letters.csv",
        "id,x軸,kwh値,g数\n1,2,a型,4\n",
        "id BIGINT, x軸 BIGINT, kwh値 VARCHAR, g数 BIGINT",
        [(1, 2, "a型", 4)],
        "cp932",
        said="Shift-JIS",
    ),
    _csv(
        "one_apostrophe.csv",
        "a,b\nit’s,1\nso,2\n",
        "a VARCHAR, b BIGINT",
        [("it’s", 1), ("so", 2)],
        "cp1252",
        said="Windows-1252",
    ),
    _csv(
        "japanese.csv",
        '都市,人口\n東京,"13,960,000"\n大阪,"8,800,000"\n',
        "都市 VARCHAR, 人口 BIGINT",
        [("東京", 13960000), ("大阪", 8800000)],
        "cp932",
        said="Shift-JIS",
    ),
    _csv(
        "euc.csv",
        "名前,値\nさくら,1\nもみじ,2\n",
        "名前 VARCHAR, 値 BIGINT",
        [("さくら", 1), ("もみじ", 2)],
        "euc_jp",
        said="EUC-JP",
    ),
    _csv(
        "cyrillic.csv",
        "город;число\nМосква;1\nКазань;2\n",
        "город VARCHAR, число BIGINT",
        [("Москва", 1)],
        "cp1251",
        said="Windows-1251",
    ),
    Good(
        "broken_letter.csv",
        "n,v\nMüller,1\nJosé,2\nŁódź,3\nGöd\xff,4\n".encode().replace("ÿ".encode(), b"\xff"),
        _types("n VARCHAR, v BIGINT"),
        [("Müller", 1), ("José", 2), ("Łódź", 3), ("Göd\ufffd", 4)],
        "shown as",
    ),
    # Numbers
    _csv(
        "thousands.csv", 'a,b\n"1,234",x\n"12,345,678",y\n7,z\n', "a BIGINT, b VARCHAR", [(1234, "x"), (12345678, "y")]
    ),
    _csv(
        "thousands_or_not.csv",
        'a,b\n"1,234",x\n"5,678",y\n',
        "a BIGINT, b VARCHAR",
        [(1234, "x"), (5678, "y")],
        said="between thousands",
    ),
    _csv(
        "german.csv",
        "a;b\n1.234,50;x\n-3,25;y\n1.234.567,00;z\n",
        "a DOUBLE, b VARCHAR",
        [(1234.5, "x"), (-3.25, "y"), (1234567.0, "z")],
    ),
    _csv("swiss.csv", "a;b\n1'234.50;x\n12'345.00;y\n", "a DOUBLE, b VARCHAR", [(1234.5, "x"), (12345.0, "y")]),
    _csv(
        "french.csv",
        "a;b\n1\u202f234,5;x\n12\u00a0345,25;y\n3 000,1;z\n",
        "a DOUBLE, b VARCHAR",
        [(1234.5, "x"), (12345.25, "y"), (3000.1, "z")],
    ),
    _csv(
        "indian.csv",
        'a,b\n"1,23,456",x\n"12,34,567.50",y\n',
        "a DOUBLE, b VARCHAR",
        [(123456.0, "x"), (1234567.5, "y")],
    ),
    _csv(
        "dollars.csv",
        'a,b\n"$1,234.50",x\n$7,y\n($3.25),z\n-$1.00,w\n',
        "a DOUBLE, b VARCHAR",
        [(1234.5, "x"), (7.0, "y"), (-3.25, "z"), (-1.0, "w")],
        units="$",
    ),
    _csv("codes.csv", "a;b\n12,50 EUR;x\n3,00 EUR;y\n", "a DOUBLE, b VARCHAR", [(12.5, "x"), (3.0, "y")], units="EUR"),
    _csv("yen.csv", 'a,b\n"¥1,200",x\n"¥300",y\n', "a BIGINT, b VARCHAR", [(1200, "x"), (300, "y")], units="¥"),
    _csv(
        "currencies.csv",
        "a,b\n$5,x\n€6,y\n",
        "a VARCHAR, b VARCHAR",
        [("$5", "x"), ("€6", "y")],
        said="several currencies",
    ),
    _csv(
        "percent.csv",
        "a,b\n12.5%,x\n-3%,y\n100 %,z\n",
        "a DOUBLE, b VARCHAR",
        [(12.5, "x"), (-3.0, "y"), (100.0, "z")],
        units="%",
    ),
    _csv(
        "header_unit.csv",
        "Total (€),Share in %\n1.5,2\n2.5,3\n",
        "total DOUBLE, share_in BIGINT",
        [(1.5, 2)],
        units="€%",
    ),
    _csv("exponents.csv", "a,b\n1.5e3,1E-2\n-2e10,3\n", "a DOUBLE, b DOUBLE", [(1500.0, 0.01), (-2e10, 3.0)]),
    _csv(
        "no_values.csv",
        "a,b\n1,x\nN/A,y\n-,NA\n3,null\n",
        "a BIGINT, b VARCHAR",
        [(1, "x"), (None, "y"), (None, "NA"), (3, "null")],
    ),
    _csv(
        "ids.csv",
        "id,plz,v\n007,01234,1\n012,99999,2\n",
        "id VARCHAR, plz VARCHAR, v BIGINT",
        [("007", "01234", 1)],
        said="leading zeros",
    ),
    _csv(
        "long_ids.csv",
        "id,v\n12345678901234567890123,1\n22345678901234567890123,2\n",
        "id VARCHAR, v BIGINT",
        [("12345678901234567890123", 1)],
    ),
    _csv("underscores.csv", "id,h\n1_000,0x1F\n2_000,0x2F\n", "id VARCHAR, h VARCHAR", [("1_000", "0x1F")]),
    _csv(
        "one_word.csv",
        "v,n\n" + "".join(f"{i},a\n" for i in range(40)) + "many,b\n",
        "v VARCHAR, n VARCHAR",
        [("0", "a")],
        said="many",
    ),
    _csv("decimals_late.csv", "v\n" + "1\n" * 3000 + "2.5\n", "v DOUBLE", [(1.0,)]),
    _csv("versions.csv", "v,n\n1.2.3,a\n10.0.1,b\n", "v VARCHAR, n VARCHAR", [("1.2.3", "a")]),
    # Booleans
    _csv(
        "booleans.csv",
        "a,b,c,d\ntrue,yes,Y,Ja\nFALSE,No,N,nein\n",
        "a BOOLEAN, b BOOLEAN, c BOOLEAN, d BOOLEAN",
        [(True, True, True, True), (False, False, False, False)],
    ),
    _csv("no_booleans.csv", "a,b\n0,N\n1,N\n", "a BIGINT, b VARCHAR", [(0, "N"), (1, "N")]),
    # Dates
    _csv(
        "iso.csv",
        "d,t\n2023-01-05,2023-01-05T10:30:00\n2023-12-31,2023-12-31 23:59:59.5\n",
        "d DATE, t TIMESTAMP",
        [
            (_day("2023-01-05"), datetime(2023, 1, 5, 10, 30)),
            (_day("2023-12-31"), datetime(2023, 12, 31, 23, 59, 59, 500000)),
        ],
    ),
    _csv(
        "zones.csv",
        "t\n2023-01-05T10:30:00Z\n2023-01-05T10:30:00+02:00\n",
        "t TIMESTAMP",
        [(datetime(2023, 1, 5, 10, 30),), (datetime(2023, 1, 5, 8, 30),)],
        said="UTC",
    ),
    _csv(
        "european.csv",
        "d;v\n31.12.2023;1\n01.02.2023;2\n",
        "d DATE, v BIGINT",
        [(_day("2023-12-31"), 1), (_day("2023-02-01"), 2)],
    ),
    _csv(
        "british.csv",
        "d,v\n25/12/2023,1\n01/02/2023,2\n",
        "d DATE, v BIGINT",
        [(_day("2023-12-25"), 1), (_day("2023-02-01"), 2)],
    ),
    _csv(
        "american.csv",
        "d,v\n12/25/2023,1\n1/2/2023,2\n",
        "d DATE, v BIGINT",
        [(_day("2023-12-25"), 1), (_day("2023-01-02"), 2)],
    ),
    _csv(
        "american_clock.csv",
        "d,v\n12/25/2023 2:30 PM,1\n1/2/2023 11:05 AM,2\n",
        "d TIMESTAMP, v BIGINT",
        [(datetime(2023, 12, 25, 14, 30), 1), (datetime(2023, 1, 2, 11, 5), 2)],
    ),
    _csv(
        "either.csv",
        "d,v\n01/02/2023,1\n03/04/2023,2\n",
        "d DATE, v BIGINT",
        [(_day("2023-02-01"), 1)],
        said="dates read day first; either order fits",
    ),
    _csv(
        "either_settled.csv",
        "d,e\n01/02/2023,25/12/2023\n03/04/2023,01/01/2023\n",
        "d DATE, e DATE",
        [(_day("2023-02-01"), _day("2023-12-25"))],
        said="day first",
    ),
    _csv(
        "either_century.csv",
        "d,v\n01.02.63,1\n31.12.63,2\n",
        "d VARCHAR, v BIGINT",
        [("01.02.63", 1)],
        said="two figures",
    ),
    _csv(
        "short_years.csv",
        "d,v\n01.02.23,1\n31.12.23,2\n",
        "d DATE, v BIGINT",
        [(_day("2023-02-01"), 1)],
        said="from 2000",
    ),
    _csv(
        "months.csv",
        'd,e\n5 Jan 2023,"January 5, 2023"\n28 Feb 2023,"March 1, 2023"\n',
        "d DATE, e DATE",
        [(_day("2023-01-05"), _day("2023-01-05")), (_day("2023-02-28"), _day("2023-03-01"))],
    ),
    _csv(
        "japanese_dates.csv", "d,v\n2023年1月5日,1\n2023年12月31日,2\n", "d DATE, v BIGINT", [(_day("2023-01-05"), 1)]
    ),
    _csv(
        "no_such_day.csv",
        "d,v\n2023-02-30,1\n2023-01-01,2\n",
        "d VARCHAR, v BIGINT",
        [("2023-02-30", 1)],
        said="2023-02-30",
    ),
    _csv("times.csv", "t,v\n14:30,1\n09:05,2\n", "t TIME, v BIGINT", [(time(14, 30), 1), (time(9, 5), 2)]),
    _csv("years.csv", "year,v\n2021,1\n2022,2\n", "year BIGINT, v BIGINT", [(2021, 1)]),
    # Headers
    _csv("blank_header.csv", "a,,c\n1,2,3\n", "a BIGINT, column_2 BIGINT, c BIGINT", [(1, 2, 3)]),
    _csv("doubled.csv", "a,A,a\n1,2,3\n", "a BIGINT, a_2 BIGINT, a_3 BIGINT", [(1, 2, 3)]),
    _csv(
        "ugly.csv",
        '"Total, in €  ","line\nbreak",select,1st,"a""b",🙂\n1,2,3,4,5,6\n',
        "total_in BIGINT, line_break BIGINT, select_ BIGINT, c_1st BIGINT, a_b BIGINT, column_6 BIGINT",
        [(1, 2, 3, 4, 5, 6)],
        units="€",
    ),
    _csv(
        "scripts.csv",
        "売上,Größe,цена,αβγ\n1,2,3,4\n",
        "売上 BIGINT, größe BIGINT, цена BIGINT, αβγ BIGINT",
        [(1, 2, 3, 4)],
    ),
    _csv(
        "wide_years.csv",
        "country,2021,2022\nA,1.5,2.5\nB,3.5,4.5\n",
        "country VARCHAR, c_2021 DOUBLE, c_2022 DOUBLE",
        [("A", 1.5, 2.5)],
    ),
    _csv(
        "years_and_thousands.csv",
        'Region,2000,2001,2002\nNorth,"1,234",2,3\nSouth,4,"5,111",6\n',
        "region VARCHAR, c_2000 BIGINT, c_2001 BIGINT, c_2002 BIGINT",
        [("North", 1234, 2, 3)],
    ),
    _csv(
        "years_alone.csv",
        ",2000,2001,2002\nNorth,1,2,3\nSouth,4,5,6\n",
        "column_1 VARCHAR, c_2000 BIGINT, c_2001 BIGINT, c_2002 BIGINT",
        [("North", 1, 2, 3), ("South", 4, 5, 6)],
    ),
    _csv(
        "repeated_heads.csv",
        "Season,Captain,Season,Captain\n1903-04,Lee,1935-36,Poe\n1904-05,Lee,1937 -38,\n",
        "season VARCHAR, captain VARCHAR, season_2 VARCHAR, captain_2 VARCHAR",
        [("1903-04", "Lee", "1935-36", "Poe"), ("1904-05", "Lee", "1937 -38", None)],
    ),
    _csv(
        "two_heads.csv",
        ",2000,,2001,\n,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\nSouth,5,6,7,8\n",
        "column_1 VARCHAR, c_2000_q1 BIGINT, c_2000_q2 BIGINT, c_2001_q1 BIGINT, c_2001_q2 BIGINT",
        [("North", 1, 2, 3, 4), ("South", 5, 6, 7, 8)],
        said="2 head rows",
    ),
    _csv(
        "two_heads_years.csv",
        "Region,Sales,Sales,Costs,Costs\n,2023,2024,2023,2024\nNorth,10,20,3,4\nSouth,5,6,7,8\n",
        "region VARCHAR, sales_2023 BIGINT, sales_2024 BIGINT, costs_2023 BIGINT, costs_2024 BIGINT",
        [("North", 10, 20, 3, 4), ("South", 5, 6, 7, 8)],
        said="2 head rows",
    ),
    _csv(
        "words_that_repeat.csv",
        "yes,yes,no\nno,yes,no\nyes,no,no\nyes,no,yes\n",
        "column_1 BOOLEAN, column_2 BOOLEAN, column_3 BOOLEAN",
        [(True, True, False)],
        said="no header",
    ),
    _csv(
        "no_header.csv",
        "1,x,2023-01-01\n2,y,2023-01-02\n",
        "column_1 BIGINT, column_2 VARCHAR, column_3 DATE",
        [(1, "x", _day("2023-01-01"))],
        said="no header",
    ),
    _csv(
        "preamble.csv",
        "Report of 2023\nmade by me\n\nname,v\na,1\nb,2\n",
        "name VARCHAR, v BIGINT",
        [("a", 1), ("b", 2)],
        said="Report of 2023",
    ),
    _csv(
        "preamble_marks.csv",
        "Report,,\nBy: me,,\nname,v,w\na,1,2\nb,2,3\n",
        "name VARCHAR, v BIGINT, w BIGINT",
        [("a", 1, 2)],
        said="Report",
    ),
    # Lines that are no rows
    _csv("ragged.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n", "a BIGINT, b BIGINT", [(1, 2), (7, 8)], bad=2),
    _csv("total_below.csv", "a,b\n1,2\n3,4\nTotal: 2 rows\n", "a BIGINT, b BIGINT", [(1, 2), (3, 4)], bad=1),
    _csv("after_quote.csv", 'a,b\n"x"y,1\nz,2\n', "a VARCHAR, b BIGINT", [("z", 2)], bad=1),
    # JSON
    _csv("array.json", '[{"a": 1, "b": "x"}, {"a": 2.5, "b": null}]', "a DOUBLE, b VARCHAR", [(1.0, "x"), (2.5, None)]),
    _csv(
        "lines.jsonl",
        '{"a": 1, "b": {"c": "2023-01-05"}}\n{"a": 2, "b": {"c": "2023-01-06"}}\n',
        "a BIGINT, b_c DATE",
        [(1, _day("2023-01-05"))],
    ),
    _csv(
        "mixed.json",
        '[{"a": 1, "b": 1}, {"a": "x", "b": "2"}, {"a": {"c": "y"}, "b": "N/A"}, {"a": null, "b": 3}]',
        "a VARCHAR, b BIGINT",
        [("1", 1), ("x", 2), ('{"c":"y"}', None), (None, 3)],
    ),
    _csv("held.json", '{"status": "ok", "data": [{"a": 1}, {"a": 2}]}', "a BIGINT", [(1,), (2,)]),
    _csv(
        "ids.json",
        '[{"id": "007", "price": "$5.00"}, {"id": "012", "price": "$6.50"}]',
        "id VARCHAR, price DOUBLE",
        [("007", 5.0)],
        units="$",
    ),
    _csv(
        "lists.json",
        '[{"a": 1, "tags": ["x", "y"]}, {"a": 2, "tags": []}]',
        "a BIGINT, tags VARCHAR[]",
        [(1, ["x", "y"]), (2, [])],
    ),
    _csv("utf16.json", '[{"a": "ü"}]', "a VARCHAR", [("ü",)], "utf-16"),
    Good(
        "packed.csv.gz",
        gzip.compress(b"a,b\n1,x\n2,y\n"),
        _types("a BIGINT, b VARCHAR"),
        [(1, "x"), (2, "y")],
        table="packed",
    ),
    Good("packed.jsonl.gz", gzip.compress(b'{"a": 1}\n{"a": 2}\n'), _types("a BIGINT"), [(1,), (2,)]),
]


def made(folder: Path) -> list[Good]:
    """Those that are made by a program."""
    sheet = [["Name", "When", "Done", "Sum"], ["a", date(2023, 1, 5), True, 1], ["b", date(2023, 2, 6), False, 2.5]]
    return [
        Good(
            "book.xlsx",
            excel_file({"Sheet1": sheet}),
            _types("name VARCHAR, when_ DATE, done BOOLEAN, sum DOUBLE"),
            [("a", _day("2023-01-05"), True, 1.0), ("b", _day("2023-02-06"), False, 2.5)],
            table="book",
        ),
        Good(
            "two.xlsx",
            excel_file({"First": [["a", "b"], [1, 2]], "Second": [["c", "d"], ["x", "y"]], "Empty": []}),
            _types("a BIGINT, b BIGINT"),
            [(1, 2)],
            tables=2,
            table="first",
        ),
        Good(
            "hidden.xlsx",
            excel_file({"Shown": [["a", "b"], [1, 2]], "Secret": [["c"], [3]]}, hidden=["Secret"]),
            _types("a BIGINT, b BIGINT"),
            [(1, 2)],
        ),
        Good(
            "moments.xlsx",
            excel_file({"S": [["t", "id"], [datetime(2023, 1, 5, 10, 30), "007"], [datetime(2023, 1, 6), "008"]]}),
            _types("t TIMESTAMP, id VARCHAR"),
            [(datetime(2023, 1, 5, 10, 30), "007"), (datetime(2023, 1, 6), "008")],
        ),
        Good(
            "titled.xlsx",
            excel_file({"S": [["Report"], [], ["a", "b"], [1, "x"], [2, "y"]]}),
            _types("a BIGINT, b VARCHAR"),
            [(1, "x"), (2, "y")],
            said="Report",
        ),
        Good(
            "typed.parquet",
            parquet_file(folder, "SELECT 1 AS \"Order ID\", 'x' AS t, DATE '2023-01-05' AS d, 1.5::DECIMAL(9,2) AS m"),
            _types("order_id INTEGER, t VARCHAR, d DATE, m DECIMAL(9,2)"),
            [(1, "x", _day("2023-01-05"))],
            table="typed",
        ),
        Good(
            "nested.parquet",
            parquet_file(folder, "SELECT {'city': 'Rome', 'geo': {'lat': 1.5::DOUBLE}} AS address, 'ab'::BLOB AS raw"),
            _types("address_city VARCHAR, address_geo_lat DOUBLE, raw VARCHAR"),
            [("Rome", 1.5, "(2 bytes)")],
        ),
        Good(
            "shop.sqlite",
            sqlite_file(
                "CREATE TABLE sales (id TEXT, amount REAL, day TEXT)",
                "INSERT INTO sales VALUES ('001', 1.5, '2023-01-05'), ('002', NULL, '2023-01-06')",
                "CREATE TABLE empty (a)",
                "CREATE VIEW v AS SELECT * FROM sales",
            ),
            _types("id VARCHAR, amount DOUBLE, day DATE"),
            [("001", 1.5, _day("2023-01-05")), ("002", None, _day("2023-01-06"))],
            table="sales",
        ),
        Good(
            "shop.duckdb",
            duckdb_file(
                folder,
                "CREATE TABLE sales AS SELECT 1 AS a, 'x' AS b",
                'CREATE TABLE "Odd Name" AS SELECT 2 AS c',
                "CREATE VIEW v AS SELECT * FROM sales",
                "CREATE TABLE nothing (a INT)",
            ),
            _types("c INTEGER"),
            [(2,)],
            tables=2,
            table="odd_name",
        ),
    ]


def _ole(*parts: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + b"".join(part.encode("utf-16-le") for part in parts)


def _damaged_sqlite() -> bytes:
    content = bytearray(sqlite_file("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"))
    content[100:4096] = b"\xff" * 3996
    return bytes(content)


def bad_files(folder: Path) -> list[Bad]:
    parquet = parquet_file(folder, "SELECT 1 AS a")
    book = excel_file({"S": [["a"], [1]]})
    return [
        Bad("empty.csv", b"", "is empty"),
        Bad("blanks.csv", b"\n \n\t\n", "nothing in this file but blanks"),
        Bad("only_header.csv", b"a,b,c\n", "no rows"),
        Bad("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture"),
        Bad("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(100), "a picture"),
        Bad("paper.pdf", b"%PDF-1.7\n%", "damaged"),
        Bad("page.csv", b"<!DOCTYPE html><html><body>Sign in</body></html>", "a web page"),
        Bad("page_with_table.xls", b"<html><table><tr><td>1</td></tr></table></html>", "a web page"),
        Bad("feed.xml", b"<?xml version='1.0'?><rows/>", "XML"),
        Bad("program.csv", b"\x7fELF" + bytes(100), "a program"),
        Bad("random.bin", bytes(range(256)) * 8, "not a text or table"),
        Bad("pickle.csv", b"\x80\x04\x95" + bytes(20), "not a table"),
        Bad("letter.docx", _zipped("[Content_Types].xml", "<x/>"), "Word or PowerPoint"),
        Bad("archive.zip", _zipped("a.csv", "a,b\n1,2\n"), "an archive"),
        Bad("cut.xlsx", book[: len(book) // 2], "damaged"),
        Bad("secret.xlsx", _ole("EncryptionInfo", "EncryptedPackage"), "protected by a password"),
        Bad("letter.doc", _ole("WordDocument"), "without sheets"),
        Bad("no_cells.xlsx", excel_file({"S": []}), "no sheet with rows"),
        Bad("cut.parquet", parquet[:-20], "end is missing"),
        Bad("wrong.parquet", parquet[:4] + b"\xff" * (len(parquet) - 12) + parquet[-8:], "could not be read"),
        Bad("cut.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 1000)[:-20], "damaged"),
        Bad("twice.csv.gz", gzip.compress(gzip.compress(b"a,b\n1,2\n")), "packed twice"),
        Bad("cut.json", b'[{"a": 1}, {"a": ', "could not be read"),
        Bad("scalar.json", b"[]", "no rows"),
        Bad("deep.json", b"[" * 200 + b"]" * 200, "recursion depth"),
        Bad("damaged.sqlite", _damaged_sqlite(), "cannot be read"),
        Bad("cut.sqlite", sqlite_file("CREATE TABLE t (a)")[:60], "cannot be read"),
        Bad("bare.sqlite", sqlite_file("CREATE TABLE t (a)"), "no table with rows"),
        Bad("cut.duckdb", b"\0" * 8 + b"DUCK" + b"\0" * 100, "cannot be read"),
        Bad("long_row.csv", b"a,b\n1," + b"x" * 600_000 + b"\n2,y\n", "The first row of this file is longer"),
        Bad("open_quote.csv", b'a,b\n1,"x\n2,y\n3,z\n', "open quotation mark"),
        Bad("film.avi", b"RIFF\0\0\0\0AVI " + bytes(50), "a film"),
    ]


def numbered(files: Sequence[Good | Bad]) -> list[str]:
    return [file.name for file in files]
