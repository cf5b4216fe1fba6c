"""The templates that stand in the code, and the catalogues brought up to them: ``make texts``.

A template is the first argument of ``say``, ``Text``, ``keyed``, ``because`` of an error, ``titled_dialog`` or
``open_page``, its plural the second one; both are written out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from agent.text.regex import regex
from pages.ui.text.words import FOLDER

ROOT = Path(__file__).parents[4]
_SPEAKERS = {"say", "Text", "keyed", "because", "titled_dialog", "open_page"}
_PLACE = regex(r"\{\w+(:,)?\}")


class Template(NamedTuple):
    """A template, its plural or "", and where it stands: a file from the root of the repository, a line."""

    key: str
    plural: str
    place: tuple[str, int]


@cache
def _calls(path: Path) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))


def calls(path: Path, names: Iterable[str]) -> list[ast.Call]:
    """Every call in a file of a function or a method of one of the names. A file is parsed once, and if it has any."""
    source = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in source for name in names):
        return []
    return [call for call in _calls(path) if _name(call) in names]


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def written() -> Iterator[tuple[Path, ast.Call, list[ast.expr]]]:
    """Each call that has a template, with the arguments that are to be one and its plural."""
    for path in [ROOT / "app.py", *sorted(ROOT.glob("pages/**/*.py")), *sorted(ROOT.glob("agent/**/*.py"))]:
        for call in calls(path, _SPEAKERS):
            if call.args:
                yield path, call, call.args[: 1 if _name(call) in ("titled_dialog", "open_page") else 2]


def templates() -> Iterator[Template]:
    """Every template of the code, in the order of files and lines."""
    for path, call, arguments in written():
        texts = [each.value for each in arguments if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if texts and _PLACE.sub("", texts[0]):
            key, plural = (*texts, "")[:2]
            yield Template(key, plural, (path.relative_to(ROOT).as_posix(), call.lineno))


def collected() -> Catalog:
    """All templates as a catalogue without translations. A template with places is marked ``python-brace-format``."""
    catalogue = Catalog(project="Glassbox", fuzzy=False, charset="utf-8")
    for key, plural, (file, _) in templates():
        flags = {"python-brace-format"} if _PLACE.search(key) else set()
        # A line would change with every change of the code above it.
        catalogue.add((key, plural) if plural else key, locations=[(file, 0)], flags=flags)
    return _plain(catalogue)


def _plain(catalogue: Catalog) -> Catalog:
    """Without the mark that Babel gives a text with a per cent sign: none is filled by ``%``."""
    for message in catalogue:
        message.flags.discard("python-format")
    return catalogue


def update(path: Path) -> None:
    """Give a catalogue what is new in the code and take out what is gone. What is new is without a translation."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.stem)
    created = catalogue.creation_date
    catalogue.update(collected(), no_fuzzy_matching=True)
    catalogue.creation_date = created
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, _plain(catalogue), width=0, sort_by_file=True)


if __name__ == "__main__":
    for each in sorted(FOLDER.glob("*.po")):
        update(each)
