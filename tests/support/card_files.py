"""Files with the card of a model that answers the first so many questions right."""

from __future__ import annotations

from functools import cache

from agent.evals.attempt import Result
from agent.evals.formats.result_lines import Row
from agent.evals.model_card.card_file import CardFile, head_of, write_card
from agent.evals.model_card.card_questions import card_questions


@cache
def asked() -> list[str]:
    """What the questions are known by. They come from a table, which libraries open that take a second to import."""
    return [each.test.id for each in card_questions()]


def file_of(right: int, model: str = "m", measured: float = 1_764_000_000.0) -> bytes:
    """A file of a card on the text wire alone."""
    rows = [
        Row(name, name, f"{model} react", "live", 1, Result(place < right, (), 2, 900, None, 1.5))
        for place, name in enumerate(asked())
    ]
    return write_card(CardFile(head_of(measured), tuple(rows))).encode()
