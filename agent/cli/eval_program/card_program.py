"""``python -m agent eval --card``: measures what a model can do here, and prints its card."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import time
from typing import TextIO

from agent.application.setup import DEMO
from agent.cli.agent_options import add_options, choice_of, opened
from agent.cli.eval_program.terminal_attempts import Attempts, Version, amount, attempts, tell, whole_number
from agent.cli.table_files import opened_tables
from agent.data.tables.chat_tables import ConversationTables
from agent.errors import BadRequest, GlassboxError
from agent.evals.formats.result_lines import Row, write_row
from agent.evals.model_card.card_cost import expected
from agent.evals.model_card.card_figures import WIRE_NAMES, ModelCard, card_of
from agent.evals.model_card.card_file import head_of, read_card, write_head
from agent.evals.model_card.card_questions import ABILITIES, CardQuestion, card_questions, samples
from agent.evals.model_card.fixed_tools import LIMITS, WIRES, card_agent
from agent.loop.agent import Agent
from agent.settings import Settings, WireChoice, read_settings
from agent.text.characters import readable

_WHOLE, _PART, _USAGE = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Measure; the exit status is 0 where the card is whole, 1 where money did not do, 2 for wrong usage."""
    parser = _parser()
    given = parser.parse_args(arguments)
    with ExitStack() as stack:
        try:
            settings = read_settings(os.environ)
            versions = _versions(given, settings)
            before = _before(given)
            wires: tuple[WireChoice, ...] = tuple(version.choice.wire for version in versions)
            measured = attempts("live", opened(settings, versions[0].choice, (), stack), versions, given.max_money)
            _tell_cost(wires, versions, measured)
            tables = stack.enter_context(opened_tables(samples(), settings))
            out = stack.enter_context(_opened(given.out)) if given.out else None
            rows = [*before, *_told(_rows(given.parallel, versions, measured, tables, before), len(before), given, out)]
        except GlassboxError as error:
            parser.exit(_USAGE, f"{parser.prog}: {error}\n")
        except OSError as error:
            parser.exit(_USAGE, f"{parser.prog}: {error.filename}: {error.strerror}.\n")
    cards = _cards(versions, rows)
    for card in cards:
        told = "\n".join(card_lines(card))
        if given.json:
            tell(told)
        else:
            print(readable(told))
    return _WHOLE if all(card.done == card.of for card in cards) else _PART


def _versions(given: argparse.Namespace, settings: Settings) -> list[Version]:
    """Every model on each wire, all of a wire after each other: what a server keeps of a prompt serves the next one."""
    found: list[Version] = []
    for model in given.model or [None]:
        plain = choice_of(given, settings, model, None)
        for wire in given.wire or (WIRES if plain.endpoint != DEMO else WIRES[:1]):
            choice = choice_of(given, settings, model, wire)
            found.append(Version(f"{choice.model or choice.endpoint} {wire}", choice))
    return found


def _before(given: argparse.Namespace) -> list[Row]:
    """The rows that are kept of an earlier call. A file that is there is only written on where that is asked for.

    A last line that was not written whole, as its program was killed, is taken off. Raises ``BadRequest`` where they
    answer other questions than those of today.
    """
    there = given.out.read_bytes() if given.out and given.out.exists() else b""
    if there and given.resume:
        whole = there[: there.rfind(b"\n") + 1]
        if whole != there:
            given.out.write_bytes(whole)
        begun = whole.count(b"\n") == 1 and b'"format"' in whole  # it has its first line and no answer yet
        card = read_card(whole) if whole and not begun else None
        if card and card.head and not card.current:
            raise BadRequest(f"{given.out} was measured by questions of another version. Begin a new file.")
        return list(card.rows) if card else []
    if there:
        raise FileExistsError(0, "is there already; --resume goes on with it", str(given.out))
    return []


def _opened(path: Path) -> TextIO:
    """The file that rows are written to, with its first line. Raises ``OSError``."""
    out = path.open("a", encoding="utf-8")
    if not out.tell():
        print(write_head(head_of(time())), file=out, flush=True)
    return out


def _tell_cost(wires: Sequence[WireChoice], versions: Sequence[Version], measured: Attempts) -> None:
    will = expected(wires)
    prices = [
        expected([version.choice.wire]).money(measured.prices.price(version.choice.endpoint, version.choice.model))
        for version in versions
    ]
    known = [each for each in prices if each is not None]
    money = f", about {sum(known):.2f} US dollars" if known and len(known) == len(prices) else ""
    said = f"{will.questions} questions, {len(versions)} times: about {will.replies} replies"
    tell(f"{said}, {will.tokens:,} tokens{money}.")


def _rows(
    parallel: int, versions: Sequence[Version], measured: Attempts, tables: ConversationTables, before: Sequence[Row]
) -> Iterator[Row]:
    """The rows that are not there yet, as they come."""
    there = {(row.version, row.test) for row in before}
    jobs = [job for job in product(versions, card_questions()) if (job[0].name, job[1].test.id) not in there]

    def row(version: Version, question: CardQuestion) -> Row | None:
        def with_its_tools(agent: Agent) -> Agent:
            return replace(card_agent(agent, tables if question.tables else None), limits=LIMITS)

        return measured.row(question.test, version, 1, with_its_tools)

    with ThreadPoolExecutor(parallel) as pool:
        begun = [pool.submit(row, *job) for job in jobs]
        yield from filter(None, (each.result() for each in begun))


def _told(rows: Iterator[Row], done: int, given: argparse.Namespace, out: TextIO | None) -> Iterator[Row]:
    """The rows, each told and written as it comes."""
    for number, row in enumerate(rows, done + 1):
        line = write_row(row)
        if out:
            print(line, file=out, flush=True)
        if given.json:
            print(line, flush=True)
        tell(f"{number} {'right' if row.passed else 'WRONG'}  {row.version}  {row.name}  ({row.result.seconds:.1f} s)")
        for grade in row.result.failed:
            tell(f"    {grade.said}: {grade.why}")
        yield row


def _cards(versions: Sequence[Version], rows: Sequence[Row]) -> list[ModelCard]:
    by_model: dict[str, dict[str, list[Row]]] = {}
    for version in versions:
        mine = [row for row in rows if row.version == version.name]
        by_model.setdefault(version.choice.model or version.choice.endpoint, {})[version.choice.wire] = mine
    return [card_of(model, by_wire, time()) for model, by_wire in by_model.items()]


def card_lines(card: ModelCard) -> Iterator[str]:
    """The card as a table in text."""
    names = [str(WIRE_NAMES[column.wire]) for column in card.columns]
    yield f"What {card.model} can do here"
    yield _line("", names)
    for ability, name in ABILITIES.items():
        counts = [column.abilities.get(ability) for column in card.columns]
        yield _line(str(name), [f"{each.passed} of {each.runs}" if each else "-" for each in counts])
    yield _line("All", [f"{column.passed} of {column.runs}" for column in card.columns])
    yield _line("95 % interval", [f"{each.share.low:.0%} to {each.share.high:.0%}" for each in card.columns])
    yield _line("minutes", [f"{column.seconds / 60:.1f}" for column in card.columns])
    yield _line("tokens", [f"{column.tokens:,}" for column in card.columns])
    if card.money is not None:
        yield _line("US dollars", ["-" if each.money is None else f"{each.money:.4f}" for each in card.columns])
    yield str(card.few)


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:<32}" + "".join(f"{cell:>18}" for cell in cells)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agent eval --card",
        description="Measure what a model can do here, by forty small questions whose tools need no web.",
        epilog="Exit status: 0 where the card is whole, 1 where the money did not do, 2 for wrong usage. Progress "
        "goes to the standard error.",
    )
    parser.add_argument("--card", action="store_true", required=True, help="measure the card of a model")
    add_options(parser, tools=False)
    parser.add_argument("--model", action="append", help="name of a model; several have a card each")
    parser.add_argument("--wire", action="append", choices=WIRES, help="how tools are called; both where not given")
    parser.add_argument("--parallel", type=whole_number, default=1, metavar="N", help="questions at once")
    parser.add_argument("--max-money", type=amount, default=0.0, metavar="USD", help="the most that it may cost")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where results are written as they come, a JSON line each"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the results that FILE has")
    parser.add_argument(
        "--json", action="store_true", help="print a JSON line a result; the card on the standard error"
    )
    return parser
