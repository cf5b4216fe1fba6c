"""Tools, typed once: a Python function's signature gives name, description, schema, validation and repair."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from agent.events import Artifact, Source


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives back. ``text`` is for the model (the loop caps it), the rest is for the person."""

    text: str
    artifacts: tuple[Artifact, ...] = ()
    sources: tuple[Source, ...] = ()
    cached: bool = False


def artifact(kind: str, name: str, content: bytes) -> Artifact:
    return Artifact(kind, name, sha256(content).hexdigest(), len(content), content)
