"""What looks like a setting and is none: a cap must not be left out without a word, misspelt or in a broken file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol, cast

from agent.errors import BadSettings

_PREFIX = "GLASSBOX_"
_ALIKE = 0.8  # of two names, by difflib: "day_mony" and "day_money" are 0.94


def refuse_unreadable(files: Iterable[str]) -> None:
    """Raises ``BadSettings`` where one of the files of secrets is there, though none could be read: it is no TOML.

    Streamlit takes it for none; without its caps, a key of the environment would be anybody's. Visitors are told, too,
    so that its folder is not.
    """
    for file in filter(Path.is_file, map(Path, files)):
        raise BadSettings.because("{file} cannot be read as TOML.", file=f"{file.parent.name}/{file.name}")


class Named(Protocol):
    """What a setting is called in the environment, and in a section of ``secrets.toml``."""

    @property
    def variable(self) -> str: ...
    @property
    def section(self) -> str: ...
    @property
    def key(self) -> str: ...


def misspelt(environ: Iterable[str], secrets: Mapping[str, object], known: Iterable[Named]) -> Iterator[str]:
    """A sentence for each name that is no setting. What may be another program's is told only where it is near to one.

    No sentence has a value.
    """
    names = {one.variable: one for one in known}
    for variable in environ:
        if variable.startswith(_PREFIX) and variable not in names and (near := _near(variable, names)):
            yield f"{variable} is no setting ({near} may be meant)"
    sections: dict[str, set[str]] = {}
    for one in names.values():
        sections.setdefault(one.section, set()).add(one.key)
    homes = {key: section for section, keys in sections.items() for key in keys}
    for name, value in secrets.items():
        if name in sections:
            yield from _in_section(name, value, sections[name], names, complete=name == "glassbox")
        elif name.lower() in sections:
            yield f"the section [{name}] of secrets.toml must be called [{name.lower()}]"
        elif name in homes and not isinstance(value, Mapping):
            yield f"{name} stands above the sections of secrets.toml and belongs into [{homes[name]}]"


def _in_section(
    section: str, value: object, keys: set[str], names: Mapping[str, Named], complete: bool
) -> Iterator[str]:
    """The names in a section that are none of its ``keys``: all of them where these are ``complete``."""
    if not isinstance(value, Mapping):
        if complete:
            yield f"{section} in secrets.toml must be a section, [{section}]"
        return
    for name in cast("Mapping[str, object]", value):
        if name in keys:
            continue
        of_variable = names.get(name.upper())
        near = of_variable.key if of_variable is not None else _near(name.lower(), keys)
        if near:
            yield f"{name} in [{section}] is no setting ({near} may be meant)"
        elif complete:
            yield f"{name} in [{section}] is no setting"


def _near(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name, list(known), 1, _ALIKE)), "")
