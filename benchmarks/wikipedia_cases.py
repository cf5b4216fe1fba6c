"""Answers of people over tables of Wikipedia, right and made wrong: material of ``evidence_material``."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

NUMBER = re.compile(r"(?<![\w.,/–-])\d[\d,]*(?:\.\d+)?(?![\w/–-]|[.,]\d)")
_LONG = 4_000  # characters of a long answer


@dataclass(frozen=True)
class Case:
    """An answer over observations. ``target``: the characters that were made wrong; ``None`` in a right answer."""

    kind: str
    question: str
    observed: tuple[str, ...]
    answer: str
    target: tuple[int, int] | None = None
    only: tuple[tuple[int, int], ...] = ()  # the figures that count, all where there are none


@dataclass(frozen=True)
class Material:
    """The folder of the sets, and which half of each is read: 1 or 2, 0 for both.

    A sentence of Wikipedia with its table, a financial report with all of its questions and a Japanese question each
    belong to one half whole, so that no answer that is put together of several, right or altered, has any of the other.
    """

    folder: Path
    part: int = 0

    def has(self, key: str) -> bool:
        return not self.part or crc32(key.encode()) % 2 == self.part - 1


def markdown(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("\n", " ").replace("|", "/") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


# FeTaQA: sentences of people over tables of Wikipedia.


def wikipedia(material: Material) -> list[dict[str, Any]]:
    lines = (material.folder / "fetaqa_dev.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row for row in rows if material.has(row["question"] + row["answer"][:200])]


def page(row: dict[str, Any]) -> str:
    return f"# {row['table_page_title']}\n\n## {row['table_section_title']}\n\n{markdown(row['table_array'])}"


def people(material: Material) -> Iterator[Case]:
    for row in wikipedia(material):
        yield Case("people's sentences", row["question"], (page(row),), row["answer"])


def long_answers(material: Material, kind: str = "4 KB answers") -> Iterator[Case]:
    """Sentences in one answer, over their pages; the person asked all of their questions, in one message."""
    answer, asked, pages = "", list[str](), list[str]()
    for row in wikipedia(material):
        if len(answer) + len(row["answer"]) > _LONG:
            yield Case(kind, "\n".join(asked), tuple(pages), answer.strip())
            answer, asked, pages = "", [], []
        answer += f"{row['answer']}\n\n"
        asked.append(row["question"])
        pages.append(page(row))


def altered(raw: str, chance: random.Random) -> str:
    """The number with one digit changed: not the first to nought."""
    places = [index for index, character in enumerate(raw) if character.isdigit()]
    place = chance.choice(places)
    digit = chance.choice([one for one in "0123456789" if one != raw[place] and (one != "0" or place != places[0])])
    return raw[:place] + digit + raw[place + 1 :]


_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def altered_answers(material: Material) -> Iterator[Case]:
    """One number of a long answer changed to one that stands nowhere in what was seen, nor in the question."""
    chance = random.Random(11)
    for case in long_answers(material):
        text = "\n".join((*case.observed, case.question, case.answer))
        known = {float(raw.replace(",", "")) for raw in NUMBER.findall(text)}
        numbers = list(NUMBER.finditer(case.answer))
        for match in chance.sample(numbers, min(30, len(numbers))):
            raw = match[0]
            for _ in range(20):
                wrong = altered(raw, chance)
                if float(wrong.replace(",", "")) not in known and wrong not in text:
                    answer = case.answer[: match.start()] + wrong + case.answer[match.end() :]
                    size = "counts below 100" if float(raw.replace(",", "")) < 100 and "." not in raw else "nowhere"
                    yield replace(case, kind=f"altered: {size}", answer=answer, target=match.span())
                    break
        spelled = list(re.finditer(rf"\b(?:{'|'.join(_WORDS)})\b", case.answer))
        for match in chance.sample(spelled, min(5, len(spelled))):
            absent = [word for number, word in enumerate(_WORDS, 2) if float(number) not in known]
            if absent:
                wrong = chance.choice(absent)
                answer = case.answer[: match.start()] + wrong + case.answer[match.end() :]
                span = (match.start(), match.start() + len(wrong))
                yield replace(case, kind="altered: spelled", answer=answer, target=span)


def other_cells(material: Material) -> Iterator[Case]:
    """The value of another row or of another column in place of the right one."""
    chance = random.Random(12)
    for row in wikipedia(material):
        table, cells = row["table_array"], {tuple(cell) for cell in row["highlighted_cell_ids"]}
        values = {table[i][j] for i, j in cells if i < len(table) and j < len(table[i])}
        for match in NUMBER.finditer(row["answer"]):
            raw = match[0]
            homes = [(i, j) for i, j in cells if i < len(table) and j < len(table[i]) and table[i][j].strip() == raw]
            if len(homes) != 1 or row["question"].find(raw) >= 0:
                continue
            i, j = homes[0]
            near = {table[k][m] for k, m in cells if k == i and k < len(table) and m < len(table[k])}
            down = [table[k][j] for k in range(1, len(table)) if k != i and j < len(table[k])]
            across = [cell for m, cell in enumerate(table[i]) if m != j]
            for kind, choices in (("value of another row", down), ("value of another column", across)):
                fit = [
                    one.strip()
                    for one in choices
                    if NUMBER.fullmatch(one.strip()) and one.strip() not in values | near and one.strip() != raw
                ]
                fit = [one for one in fit if one not in row["answer"] and one not in row["question"]]
                if kind == "value of another row":
                    fit = [one for one in fit if one not in {cell.strip() for cell in table[i]}]
                if fit:
                    wrong = chance.choice(fit)
                    answer = row["answer"][: match.start()] + wrong + row["answer"][match.end() :]
                    span = (match.start(), match.start() + len(wrong))
                    yield Case(kind, row["question"], (page(row),), answer, span)
