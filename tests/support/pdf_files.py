"""Small PDF files, written by hand."""

from __future__ import annotations

import zlib


def pdf(*pages: str, title: str = "", packed: bool = False) -> bytes:
    """A PDF with a page for each text, which is ASCII; lines of a text stand below each other."""
    streams = [_stream(text) for text in pages]
    return pdf_of([zlib.compress(stream) if packed else stream for stream in streams], title, packed)


def pdf_of(streams: list[bytes], title: str = "", packed: bool = False) -> bytes:
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, stream in enumerate(streams):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
        filters = " /Filter /FlateDecode" if packed else ""
        objects.append(f"{page}/Resources << /Font << /F1 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(stream), filters.encode(), stream))
    objects.append(f"<< /Title ({title}) >>".encode())
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    start = b"startxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end + start


def _stream(text: str) -> bytes:
    lines = (line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") for line in text.split("\n"))
    shown = "\n".join(f"({line}) Tj 0 -14 Td" for line in lines)
    return f"BT /F1 12 Tf 72 720 Td\n{shown}\nET".encode()
