"""What a chat began with: what somebody shared, or a preset that the owner keeps for all."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

# What it is kept under (see ``agent.store.chats.Chats.choose``).
BEGINNING = "beginning"


@dataclass(frozen=True, slots=True)
class Beginning:
    """``sharer`` is who shared it, ``confirmed`` as in ``Sharer``; ``preset`` is what that was called then.

    ``left`` are the names of tables and documents that were shared and could not come along.
    """

    sharer: str = ""
    confirmed: bool = False
    preset: str = ""
    left: tuple[str, ...] = ()

    def written(self) -> str:
        """As ``read_beginning`` reads it."""
        return json.dumps(asdict(self))


def read_beginning(body: str) -> Beginning:
    """What ``Beginning.written`` wrote; what is no such thing is nothing special."""
    try:
        return _adapter().validate_json(body, strict=True) if body else Beginning()
    except ValidationError:
        return Beginning()


@cache
def _adapter() -> TypeAdapter[Beginning]:
    return TypeAdapter(Beginning)
