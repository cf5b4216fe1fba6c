"""How often the evidence check is right on answers over tables that nobody here wrote, counted by kind.

Reads ``fetaqa_dev.jsonl`` (sentences of people over tables of Wikipedia), ``tatqa_dev.json`` (financial tables with
text) and ``jfinqa_half.json`` (Japanese financial tables) from a folder; what is not there is left out. Right answers
are those of the sets; wrong ones are made from them: a digit changed, the value of another row or column, a turned
direction, another base. A right figure counts as marked where it ``differs`` or is ``not_found``; a wrong one as found
there too, and as green where it is ``seen``, ``given`` or ``worked_out``.

Run it as ``python -m benchmarks.evidence_material FOLDER [--show KIND] [--part 0|1|2]``: ``--show`` prints the claims
that went wrong in a kind, ``--part`` takes half of the questions only (0: all).
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Claim, check
from agent.messages import Usage

MARKED = ("differs", "not_found")
GREEN = ("seen", "given", "worked_out")
_NUMBER = re.compile(r"(?<![\w.,/–-])\d[\d,]*(?:\.\d+)?(?![\w/–-]|[.,]\d)")
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


@dataclass
class Tally:
    total: int = 0
    hits: int = 0
    greens: int = 0
    shown: list[str] = field(default_factory=list[str])


def run_of(case: Case) -> list[Event]:
    events: list[Event] = [Asked(case.question, 1_795_219_200.0)]
    for number, text in enumerate(case.observed):
        call = f"c{number}"
        events += [
            Replied("text", "thought", Usage(), 1.0, 0.1),
            ToolCalled(call, "read_url", "x", {"url": "x"}),
            Observed(call, text),
        ]
    return [*events, Answered(case.answer)]


def markdown(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("\n", " ").replace("|", "/") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


# FeTaQA: sentences of people over tables of Wikipedia.


def wikipedia(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "fetaqa_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def page(row: dict[str, Any]) -> str:
    return f"# {row['table_page_title']}\n\n## {row['table_section_title']}\n\n{markdown(row['table_array'])}"


def people(folder: Path) -> Iterator[Case]:
    for row in wikipedia(folder):
        yield Case("people's sentences", row["question"], (page(row),), row["answer"])


def long_answers(folder: Path, kind: str = "4 KB answers") -> Iterator[Case]:
    rows, answer, pages = wikipedia(folder), "", list[str]()
    for row in rows:
        if len(answer) + len(row["answer"]) > _LONG:
            yield Case(kind, "Tell me about these.", tuple(pages), answer.strip())
            answer, pages = "", []
        answer += f"{row['answer']}\n\n"
        pages.append(page(row))


def altered(raw: str, chance: random.Random) -> str:
    """The number with one digit changed: not the first to nought."""
    places = [index for index, character in enumerate(raw) if character.isdigit()]
    place = chance.choice(places)
    digit = chance.choice([one for one in "0123456789" if one != raw[place] and (one != "0" or place != places[0])])
    return raw[:place] + digit + raw[place + 1 :]


_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def altered_answers(folder: Path) -> Iterator[Case]:
    """One number of a long answer changed to one that stands nowhere in what was seen."""
    chance = random.Random(11)
    for case in long_answers(folder):
        text = "\n".join(case.observed) + case.answer
        known = {float(raw.replace(",", "")) for raw in _NUMBER.findall(text)}
        numbers = list(_NUMBER.finditer(case.answer))
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


def other_cells(folder: Path) -> Iterator[Case]:
    """The value of another row or of another column in place of the right one."""
    chance = random.Random(12)
    for row in wikipedia(folder):
        table, cells = row["table_array"], {tuple(cell) for cell in row["highlighted_cell_ids"]}
        values = {table[i][j] for i, j in cells if i < len(table) and j < len(table[i])}
        for match in _NUMBER.finditer(row["answer"]):
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
                    if _NUMBER.fullmatch(one.strip()) and one.strip() not in values | near and one.strip() != raw
                ]
                fit = [one for one in fit if one not in row["answer"] and one not in row["question"]]
                if kind == "value of another row":
                    fit = [one for one in fit if one not in {cell.strip() for cell in table[i]}]
                if fit:
                    wrong = chance.choice(fit)
                    answer = row["answer"][: match.start()] + wrong + row["answer"][match.end() :]
                    span = (match.start(), match.start() + len(wrong))
                    yield Case(kind, row["question"], (page(row),), answer, span)


# TAT-QA: financial tables whose scale is said once, with text.


def reports(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "tatqa_dev.json").read_text(encoding="utf-8"))


def report(context: dict[str, Any]) -> str:
    text = "\n\n".join(one["text"] for one in sorted(context["paragraphs"], key=lambda one: one["order"]))
    return f"{markdown(context['table']['table'])}\n\n{text}"


def subject(question: str) -> str:
    said = re.sub(r"^(?:what|which|how much) (?:is|was|were|are) ", "", question.strip().rstrip("?"), flags=re.I)
    return said[:1].upper() + said[1:]


def spans(folder: Path) -> Iterator[Case]:
    """Right figures with the scale word that the table gives once."""
    for context in reports(folder):
        for one in context["questions"]:
            answers = one["answer"] if isinstance(one["answer"], list) else [one["answer"]]
            if one["answer_type"] not in ("span", "multi-span") or one["scale"] not in (
                "thousand",
                "million",
                "billion",
            ):
                continue
            if not all(re.fullmatch(r"[$€£]?\s?[\d,]+(?:\.\d+)?", str(text).strip()) for text in answers):
                continue
            said = ", ".join(f"{str(text).strip()} {one['scale']}" for text in answers)
            start = f"{subject(one['question'])}: "
            yield Case(
                "scale said once", one["question"], (report(context),), f"{start}{said}.", None, ((len(start), 9999),)
            )


_OPERAND = re.compile(r"(?<![\w.])\$?\d[\d,]*(?:\.\d+)?%?")


def result_of(one: dict[str, Any]) -> str:
    value = one["answer"]
    text = f"{value:,}" if isinstance(value, int | float) else str(value)
    text = text.replace("-", "")
    return f"{text}%" if one["scale"] == "percent" else f"{text} {one['scale']}".strip()


def worked_out(folder: Path) -> Iterator[Case]:
    """Right results of arithmetic, with the operands said and without, alone and as the tenth sentences of answers."""
    for context in reports(folder):
        sentences: list[str] = []
        for one in context["questions"]:
            said = _said(one)
            if said is None:
                continue
            about, by_words, result = said
            sentences.append(f"{about}: {by_words}{result}.")
            start = len(f"{about}: {by_words}")
            yield Case(
                "worked out, operands said", one["question"], (report(context),), sentences[-1], None, ((start, 9999),)
            )
            alone = f"{about}: {result}."
            yield Case(
                "worked out, operands unsaid",
                one["question"],
                (report(context),),
                alone,
                None,
                ((len(about) + 2, 9999),),
            )
    yield from _many(folder)


def _said(one: dict[str, Any]) -> tuple[str, str, str] | None:
    """What a result is about, its operands in words, and the result; nothing where the set has no plain number."""
    steps = str(one["derivation"])
    if one["answer_type"] != "arithmetic" or not isinstance(one["answer"], int | float) or not steps:
        return None
    operands = _OPERAND.findall(steps)
    form = re.sub(r"\s", "", _OPERAND.sub("n", steps))
    if form in ("(n-n)/n", "n/n-1") and len(operands) >= 2:
        words = f"from {operands[1]} to {operands[0]}, a change of "
    elif form == "n-n":
        words = f"{operands[0]} against {operands[1]}, a difference of "
    elif re.fullmatch(r"\(?n(\+n)+\)?", form):
        words = f"{', '.join(operands[:-1])} and {operands[-1]}, together "
    elif re.fullmatch(r"\(n(\+n)+\)/\d", form):
        words = f"{', '.join(operands[:-1])} and {operands[-1]}, on average "
        words = f"{', '.join(_OPERAND.findall(steps.split(')', maxsplit=1)[0]))}: on average "
    elif form == "n/n":
        words = f"{operands[0]} divided by {operands[1]} is "
    else:
        words = f"{steps} = "
    return subject(one["question"]), words, result_of(one)


def _many(folder: Path) -> Iterator[Case]:
    """The results of many reports in one answer: those from the seventh sentence on count."""
    sentences: list[tuple[str, int, str]] = []
    observed: list[str] = []
    for context in reports(folder):
        for one in context["questions"]:
            if (said := _said(one)) is not None:
                start = f"{said[0]}: {said[1]}"
                sentences.append((f"{start}{said[2]}.", len(start), said[2]))
        observed.append(report(context))
        if len(sentences) >= 14:
            answer, only = "", list[tuple[int, int]]()
            for number, (text, start, result) in enumerate(sentences):
                if number >= 6:
                    only.append((len(answer) + start, len(answer) + start + len(result)))
                answer += f"{text}\n\n"
            yield Case("worked out, seventh sentence on", "Sum it up.", tuple(observed), answer, None, tuple(only))
            sentences, observed = [], []


def chance_steps(folder: Path) -> Iterator[Case]:
    """Results of arithmetic with one digit changed: green only where some other step explains them by chance."""
    chance = random.Random(13)
    for context in reports(folder):
        for one in context["questions"]:
            said = _said(one)
            if said is None:
                continue
            about, words, result = said
            match = _NUMBER.search(result)
            number = match[0] if match else result.split("%")[0].split(" ")[0]
            for _ in range(20):
                wrong = altered(number, chance)
                if wrong not in report(context) and wrong not in words and float(wrong.replace(",", "")):
                    start = f"{about}: {words}"
                    answer = f"{start}{result.replace(number, wrong, 1)}."
                    yield Case(
                        "altered result",
                        one["question"],
                        (report(context),),
                        answer,
                        (len(start), len(start) + len(wrong)),
                    )
                    break


def directions(folder: Path) -> Iterator[Case]:
    """Changes said the wrong way round, of the wrong base, and in percent for percentage points."""
    for context in reports(folder):
        for one in context["questions"]:
            form = re.sub(r"\s", "", _OPERAND.sub("n", str(one["derivation"])))
            operands = _OPERAND.findall(str(one["derivation"]))
            if one["answer_type"] != "arithmetic" or not isinstance(one["answer"], int | float) or not one["answer"]:
                continue
            about, rising = subject(one["question"]), one["answer"] > 0
            observed, result = (report(context),), result_of(one)
            if form == "(n-n)/n" and one["scale"] == "percent":
                for kind, turned in (("direction right", False), ("direction turned", True)):
                    word = "rose" if rising != turned else "fell"
                    thing = about.removeprefix("The ").removeprefix("percentage change in ").strip()
                    start = f"{thing} {word} from {operands[1]} to {operands[0]}, by "
                    span = (start.rfind(" from ") - 4, len(start) + len(result))
                    yield Case(kind, one["question"], observed, f"{start}{result}.", span if turned else None)
                new, old = (float(text.strip("$%").replace(",", "")) for text in operands[:2])
                if new and f"{abs((new - old) / new * 100):.2f}" != f"{abs(one['answer']):.2f}":
                    start = f"{about}: it went from {operands[1]} to {operands[0]}, a change of "
                    wrong = f"{abs((new - old) / new * 100):.2f}%"
                    yield Case(
                        "wrong base",
                        one["question"],
                        observed,
                        f"{start}{wrong}.",
                        (len(start), len(start) + len(wrong)),
                    )
            if form == "n-n" and all(text.endswith("%") for text in operands[:2]):
                start = f"{about}: from {operands[1]} to {operands[0]}, a {'rise' if rising else 'fall'} of "
                number = f"{abs(one['answer']):g}"
                span = (len(start), len(start) + len(number))
                yield Case("percentage points right", one["question"], observed, f"{start}{number} percentage points.")
                yield Case("percent for points", one["question"], observed, f"{start}{number}%.", span)


def cells(folder: Path) -> Iterator[Case]:
    """A plain sentence on one cell, right and with the value of another row or column."""
    chance = random.Random(14)
    for context in reports(folder):
        table = context["table"]["table"]
        text = report(context)
        head = next(
            (row for row in table[:3] if sum(bool(re.search(r"\b20\d\d\b", cell)) for cell in row[1:]) >= 2), None
        )
        body = [row for row in table if row[0].strip() and sum(bool(re.search(r"\d", c)) for c in row[1:]) >= 2]
        if head is None or len(body) < 3:
            continue
        row = chance.choice(body[1:])
        columns = [
            j for j, cell in enumerate(head) if j and j < len(row) and re.search(r"\b20\d\d\b", cell) and _plain(row[j])
        ]
        if not columns:
            continue
        j = chance.choice(columns)
        start = f"{row[0].strip()} in {re.search(r'20[0-9][0-9]', head[j])[0]} was "  # type: ignore[index]
        value = _plain(row[j])
        yield Case("plain cell, right", "What was it?", (text,), f"{start}{value}.", None, ((len(start), 9999),))
        down = [_plain(other[j]) for other in body if other is not row and j < len(other) and other[0] != row[0]]
        across = [_plain(row[k]) for k in columns if k != j]
        for kind, found in (("plain cell of another row", down), ("plain cell of another column", across)):
            fit = [one for one in found if one and one != value and len(one) > 1 and one not in map(_plain, row[:1])]
            fit = [one for one in fit if kind.endswith("column") or one not in map(_plain, row)]
            if fit:
                wrong = chance.choice(fit)
                yield Case(kind, "What was it?", (text,), f"{start}{wrong}.", (len(start), len(start) + len(wrong)))


def _plain(cell: str) -> str:
    found = _NUMBER.search(cell)
    return found[0] if found and "(" not in cell else ""


# JFinQA: Japanese financial tables.


def japanese(folder: Path) -> Iterator[Case]:
    for one in json.loads((folder / "jfinqa_half.json").read_text(encoding="utf-8")):
        table, qa = one["table"], one["qa"]
        if not re.search(r"\d", qa["answer"]):
            continue
        text = "\n".join([*one["pre_text"], "", markdown([table["headers"], *table["rows"]]), "", *one["post_text"]])
        about = re.sub(r"(?:は|で|を)?(?:何|いくら|どれ|求め|計算).*$", "", qa["question"])
        start = f"{about}は"
        only = ((len(start), len(start) + len(qa["answer"]) + 1),)
        yield Case("Japanese, operands unsaid", qa["question"], (text,), f"{start}{qa['answer']}です。", None, only)


KINDS: tuple[Callable[[Path], Iterable[Case]], ...] = (
    people,
    long_answers,
    spans,
    worked_out,
    cells,
    japanese,
    altered_answers,
    other_cells,
    chance_steps,
    directions,
)


def counted(case: Case, claim: Claim) -> bool:
    """Whether a claim of a right answer counts."""
    inside = any(start <= claim.start < end for start, end in case.only) or not case.only
    return inside and claim.kind in ("number", "date", "name")


def measure(folder: Path, part: int, show: str) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for kind in KINDS:
        for case in kind(folder):
            if part and crc32((case.question + case.answer[:200]).encode()) % 2 != part - 1:
                continue
            claims = check(run_of(case)).claims
            (_wrong if case.target else _right)(case, claims, tallies, show)
    return tallies


def _right(case: Case, claims: tuple[Claim, ...], tallies: dict[str, Tally], show: str) -> None:
    mine = [claim for claim in claims if counted(case, claim)]
    if case.kind == "4 KB answers":
        marked = [claim for claim in mine if claim.verdict in MARKED]
        tally = tallies[f"right: {case.kind} with a mark"]
        tally.total, tally.hits = tally.total + 1, tally.hits + bool(marked)
        return
    for claim in mine:
        by_kind = case.kind in ("people's sentences",)
        tally = tallies[f"right: {case.kind}{', ' + claim.kind if by_kind else ''}"]
        tally.total += 1
        tally.greens += claim.verdict in GREEN
        if claim.verdict in MARKED:
            tally.hits += 1
        if claim.verdict not in GREEN and show and show in case.kind:
            _show(case, claim)


def _wrong(case: Case, claims: tuple[Claim, ...], tallies: dict[str, Tally], show: str) -> None:
    assert case.target is not None
    start, end = case.target
    mine = [claim for claim in claims if claim.start < end and start < claim.end and claim.kind in ("number", "date")]
    tally = tallies[f"wrong: {case.kind}"]
    tally.total += 1
    found = any(claim.verdict in MARKED for claim in mine)
    green = bool(mine) and all(claim.verdict in GREEN for claim in mine)
    tally.hits += found
    tally.greens += green
    if (green or not mine) and show and show in case.kind:
        for claim in mine:
            _show(case, claim)
        if not mine:
            print(f"NO CLAIM {case.answer[max(0, start - 80) : end + 20]!r}")


def _show(case: Case, claim: Claim) -> None:
    around = (
        case.answer[max(0, claim.start - 150) : claim.start]
        + "⟦"
        + claim.text
        + "⟧"
        + case.answer[claim.end : claim.end + 60]
    )
    texts = dict(enumerate(case.observed))
    seen = [
        texts[int(place.call_id[1:])][max(0, place.start - 50) : place.end + 30].replace("\n", " ⏎ ")
        for place in claim.places[:1]
        if place.call_id.startswith("c")
    ]
    print(f"{case.kind} · {claim.verdict} · {claim.note} · {around!r} · Q {case.question[:100]!r} · {seen}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", default="")
    parser.add_argument("--part", type=int, default=0)
    given = parser.parse_args()
    tallies = measure(given.folder, given.part, given.show)
    print(f"{'':44} {'claims':>7} {'marked':>16} {'green':>16}")
    for name, tally in tallies.items():
        share = [f"{count:6} {count / tally.total:8.1%}" for count in (tally.hits, tally.greens)]
        print(f"{name:44} {tally.total:7} {share[0]:>16} {share[1]:>16}")


if __name__ == "__main__":
    main()
