"""Jobs for the tests of the sandbox: what ``agent.data.tables.table_jobs`` is to the app."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def handle(job: dict[str, Any], folder: Path) -> Any:
    match job["kind"]:
        case "echo":
            return {"said": job["text"]}
        case "files":
            (folder / "new").write_text("1", encoding="utf-8")
            os.replace(folder / "new", folder / "kept")
            (folder / "gone").touch()
            (folder / "gone").unlink()
            return {"files": sorted(os.listdir(folder))}
        case "fill":
            for count in range(job["files"]):
                (folder / str(count)).write_bytes(bytes(1 << 20))
            return {}
        case "not a number":
            return {"value": float("nan")}
        case "half a character":
            return {"value": "a\ud800b"}
        case "memory":
            return {"size": len(bytearray(1 << 40))}
        case "list":
            return []
        case _:
            raise LookupError(job["kind"])
