"""The documents of the formats say what the code says."""

from __future__ import annotations

from tests.support.format_documents import documents


def test_the_formats_are_documented_as_they_are() -> None:
    for path, text in documents().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run `make docs`"
