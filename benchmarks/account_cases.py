"""Answers over financial tables, English and Japanese, right and made wrong: material of ``evidence_material``."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from benchmarks.wikipedia_cases import NUMBER, Case, Material, altered, markdown

# TAT-QA: financial tables whose scale is said once, with text.


def reports(material: Material) -> list[dict[str, Any]]:
    found = json.loads((material.folder / "tatqa_dev.json").read_text(encoding="utf-8"))
    return [one for one in found if material.has(one["table"]["uid"])]


def report(context: dict[str, Any]) -> str:
    text = "\n\n".join(one["text"] for one in sorted(context["paragraphs"], key=lambda one: one["order"]))
    return f"{markdown(context['table']['table'])}\n\n{text}"


def subject(question: str) -> str:
    said = re.sub(r"^(?:what|which|how much) (?:is|was|were|are) ", "", question.strip().rstrip("?"), flags=re.I)
    return said[:1].upper() + said[1:]


def spans(material: Material) -> Iterator[Case]:
    """Right figures with the scale word that the table gives once."""
    for context in reports(material):
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


def worked_out(material: Material) -> Iterator[Case]:
    """Right results of arithmetic, with the operands said and without, alone and as the tenth sentences of answers."""
    for context in reports(material):
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
    yield from _many(material)


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


def _many(material: Material) -> Iterator[Case]:
    """The results of many reports in one answer: those from the seventh sentence on count."""
    sentences: list[tuple[str, int, str]] = []
    observed: list[str] = []
    for context in reports(material):
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


def chance_steps(material: Material) -> Iterator[Case]:
    """Results of arithmetic with one digit changed: green only where some other step explains them by chance."""
    chance = random.Random(13)
    for context in reports(material):
        for one in context["questions"]:
            said = _said(one)
            if said is None:
                continue
            about, words, result = said
            match = NUMBER.search(result)
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


def directions(material: Material) -> Iterator[Case]:
    """Changes said the wrong way round, of the wrong base, and in percent for percentage points."""
    for context in reports(material):
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


def cells(material: Material) -> Iterator[Case]:
    """A plain sentence on one cell, right and with the value of another row or column."""
    chance = random.Random(14)
    for context in reports(material):
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


def changes(material: Material) -> Iterator[Case]:
    """How a row changed from one year to the next, told of these two years and of another two."""
    chance = random.Random(15)
    for context in reports(material):
        table, observed = context["table"]["table"], (report(context),)
        heads = [
            (j, cell.strip())
            for row in table[:3]
            for j, cell in enumerate(row)
            if re.fullmatch(r"20\d\d", cell.strip())
        ]
        if len(heads) < 3 or len({year for _, year in heads}) < len(heads):
            continue
        columns = [j for j, _ in sorted(heads, key=lambda one: one[1])]
        years = sorted(year for _, year in heads)
        for row in table:
            values = [float(_plain(row[j]).replace(",", "") or 0) if j < len(row) else 0 for j in columns]
            if not row[0].strip() or not all(values) or chance.random() < 0.5:
                continue
            said = [(new - old) / old * 100 for old, new in pairwise(values)]
            if any(abs(one) < 0.1 for one in said):
                continue
            at = chance.randrange(len(said))
            word, number = "rose" if said[at] > 0 else "fell", f"{abs(said[at]):.1f}%"
            others = [i for i in range(len(said)) if i != at and (said[i] > 0) == (said[at] > 0)]
            for kind, i in (
                ("change of its years", at),
                ("change of other years", chance.choice(others) if others else at),
            ):
                if kind.endswith("its years") or (i != at and f"{abs(said[i]):.1f}%" != number):
                    start = f"{row[0].strip()} {word} by "
                    span = (len(start), len(start) + len(number))
                    answer = f"{start}{number} from {years[i]} to {years[i + 1]}."
                    right = kind.endswith("its years")
                    yield Case(
                        kind, "How did it change?", observed, answer, None if right else span, (span,) if right else ()
                    )


def _plain(cell: str) -> str:
    found = NUMBER.search(cell)
    return found[0] if found and "(" not in cell else ""


# JFinQA: Japanese financial tables.


def japanese(material: Material) -> Iterator[Case]:
    for one in json.loads((material.folder / "jfinqa_half.json").read_text(encoding="utf-8")):
        table, qa = one["table"], one["qa"]
        if not material.has(qa["question"] + qa["answer"]) or not re.search(r"\d", qa["answer"]):
            continue
        text = "\n".join([*one["pre_text"], "", markdown([table["headers"], *table["rows"]]), "", *one["post_text"]])
        about = re.sub(r"(?:は|で|を)?(?:何|いくら|どれ|求め|計算).*$", "", qa["question"])
        start = f"{about}は"
        only = ((len(start), len(start) + len(qa["answer"]) + 1),)
        yield Case("Japanese, operands unsaid", qa["question"], (text,), f"{start}{qa['answer']}です。", None, only)
