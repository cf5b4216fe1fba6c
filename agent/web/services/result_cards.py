"""What a tool made for the person to look at: cards and tables, and cards read again for the page.

Cards are kept as JSON, ``{"cards": [{"title", "about", "figure", "text", "facts": [[name, value], …]}, …]}``; by the
time they are read their bytes may be anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import JsonValue

from agent.events import Artifact
from agent.text.plain import Fields, fields, objects, packed, plain
from agent.toolkit.base import artifact

_MOST_CARDS = 20
_MOST_FACTS = 12
_MOST_TEXT = 3_000


@dataclass(frozen=True, slots=True)
class Card:
    """``figure`` is what is to be seen first; ``facts`` are names with their values."""

    title: str
    about: str = ""
    figure: str = ""
    text: str = ""
    facts: tuple[tuple[str, str], ...] = ()


def card_artifact(name: str, cards: Sequence[Card]) -> Artifact:
    return artifact("cards", name, packed({"cards": [asdict(card) for card in cards]}))


def read_cards(content: bytes) -> list[Card]:
    """The cards; none where the bytes are none."""
    try:
        whole: JsonValue = json.loads(content)
    except (ValueError, RecursionError):
        return []
    return [_card(one) for one in objects(fields(whole).get("cards"))[:_MOST_CARDS]]


def _card(told: Fields) -> Card:
    facts, text = told.get("facts"), told.get("text")
    listed = facts[:_MOST_FACTS] if isinstance(facts, list) else []
    pairs = [one for one in listed if isinstance(one, list) and len(one) == 2]
    lines = text[:_MOST_TEXT].splitlines() if isinstance(text, str) else []
    return Card(
        title=plain(told.get("title"), 200),
        about=plain(told.get("about"), 300),
        figure=plain(told.get("figure"), 60),
        text="\n".join(plain(line, _MOST_TEXT) for line in lines),
        facts=tuple((plain(name, 60), plain(value, 200)) for name, value in pairs),
    )


def cards_text(content: bytes) -> str:
    """The cards as lines of plain text, for an export."""
    blocks: list[str] = []
    for card in read_cards(content):
        facts = "\n".join(f"{name}: {value}" for name, value in card.facts)
        blocks.append("\n".join(filter(None, (card.title, card.about, card.figure, card.text, facts))))
    return "\n\n".join(blocks)


def table_artifact(name: str, columns: Sequence[str], rows: Sequence[Sequence[str | float | None]]) -> Artifact:
    heads: list[JsonValue] = [{"name": column} for column in columns]
    return artifact("table", name, packed({"columns": heads, "rows": [list(row) for row in rows], "total": len(rows)}))
