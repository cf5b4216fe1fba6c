"""Files of tests and of results: JSON lines, pydantic-evals' YAML, CSV, JUnit's XML."""

from __future__ import annotations

from pathlib import PurePath

from agent.evals.kept_test import KeptSet


def read_set(file: str, data: bytes) -> KeptSet:
    """The set in a file, by the ending of its name. Raises ``BadRequest``."""
    path = PurePath(file)
    match path.suffix.lower():
        case ".yaml" | ".yml":
            from agent.evals.formats.pydantic_yaml import read_yaml

            return read_yaml(data, path.stem)
        case ".csv" | ".tsv" | ".txt":
            from agent.evals.formats.question_csv import read_csv

            return read_csv(data, path.stem)
        case _:
            from agent.evals.formats.test_lines import read_lines

            return read_lines(data, path.stem)
