"""The tables of words and patterns that stand beside a module as TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def word_table(module: str, name: str) -> dict[str, Any]:
    """The table called ``name`` in the folder of the file ``module``."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
