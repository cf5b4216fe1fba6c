"""Documents made for tests: PDF, Word, and what somebody might send to break a reader."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="xml" ContentType="application/xml"/></Types>"""
_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_STYLES = f"""<w:styles {_SPACE}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>"""


def pdf(pages: Sequence[str], outline: Sequence[tuple[str, int]] = (), password: str = "") -> bytes:
    """A PDF with these texts (Latin letters), a line of text a line; ``outline``: titles and pages from 1."""
    from pypdf import PdfReader, PdfWriter

    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for text in pages:
        lines = " T* ".join(f"({_in_brackets(line)}) Tj" for line in text.splitlines())
        stream = f"BT /F1 11 Tf 50 780 Td 14 TL {lines} ET" if text else ""
        number = len(objects) + 1
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {number + 1} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
    content = assembled(objects)
    if not outline and not password:
        return content
    writer = PdfWriter()
    writer.append(PdfReader(io.BytesIO(content)))
    for title, page in outline:
        writer.add_outline_item(title=title, page_number=page - 1)
    if password:
        writer.encrypt(password)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def assembled(objects: Sequence[str]) -> bytes:
    """A PDF file of these objects, the first its catalogue."""
    content = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(content)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return content + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode()


def _in_brackets(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def word(paragraphs: Sequence[tuple[int, str]], table: Sequence[Sequence[str]] = ()) -> bytes:
    """A .docx of paragraphs with the level of their heading (0: none), and a table behind them."""
    body = "".join(_paragraph(level, text) for level, text in paragraphs)
    if table:
        rows = "".join(
            f"<w:tr>{''.join(f'<w:tc>{_paragraph(0, cell)}</w:tc>' for cell in row)}</w:tr>" for row in table
        )
        body += f"<w:tbl>{rows}</w:tbl>"
    return zipped({"word/document.xml": f"<w:document {_SPACE}><w:body>{body}</w:body></w:document>".encode()})


def _paragraph(level: int, text: str) -> str:
    style = f'<w:pPr><w:pStyle w:val="berschrift{level}"/></w:pPr>' if level else ""
    return f"<w:p>{style}<w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def zipped(parts: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {
            "[Content_Types].xml": _TYPES.encode(),
            "word/styles.xml": _STYLES.encode(),
            **parts,
        }.items():
            archive.writestr(name, content)
    return target.getvalue()


def bomb() -> bytes:
    """A .docx of some KB with a text of 400 MB."""
    return zipped({"word/document.xml": b"<w:document>" + b" " * (400 << 20) + b"</w:document>"})


def entities() -> bytes:
    """A .docx whose text would be a thousand million laughs."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    body = f"<w:document {_SPACE}><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:document>"
    text = f'<!DOCTYPE d [<!ENTITY l0 "ha">{laughs}]>{body}'
    return zipped({"word/document.xml": text.encode()})


def crowded() -> bytes:
    """A .docx of a few KB with six million paragraphs."""
    return zipped({"word/document.xml": b"<w:p/>" * 6_000_000})


def deep() -> bytes:
    """A .docx of a million elements, each within the one before."""
    return zipped({"word/document.xml": b"<w:p>" * 1_000_000})
