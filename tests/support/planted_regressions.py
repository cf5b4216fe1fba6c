"""Regressions planted one by one: what was kept, what is broken, and in which mode which expectation must find it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from time import sleep
from typing import Any, TypeAlias

from agent.errors import ModelFailed, ToolFailed
from agent.evals.expectations import Expectation
from agent.evals.kept_test import Mode
from agent.loop.agent import Agent
from agent.models.prices import Price, PriceList, Prices
from agent.models.protocol import CallDelta, Delta, Request
from agent.prompts import source
from agent.toolkit.base import Tool, Toolbox, ToolResult, tool
from agent.tools.calculator.calculate import calculator
from agent.tools.convert.convert_tool import convert
from agent.tools.own_data.query import query_tool
from tests.support.minding_model import Minding, Reply, saw, told
from tests.support.stories import final, react

RULE = "Round every result to two decimals and name its unit."
_CHEAP = Prices((PriceList({"minding": Price(Decimal(1), Decimal(1), Decimal(2))}),))
_DEAR = Prices((PriceList({"minding": Price(Decimal(10), Decimal(10), Decimal(20))}),))


@dataclass(frozen=True)
class Planted:
    """``kept`` answers as the test was kept with, ``broken`` as it is now.

    ``found`` has, by mode, types of expectations that must fail; a mode that is not in it must find nothing.
    ``more`` expectations are added to those that are proposed; all of these are switched on.
    """

    name: str
    question: str
    kept: Agent
    broken: Agent
    found: Mapping[Mode, Sequence[str]]
    more: tuple[Expectation, ...] = ()
    patch: tuple[str, Callable[[Any], Any]] | None = None
    off: tuple[str, ...] = field(default=("seconds",))


def rows_of(rows: Sequence[Sequence[Any]]) -> Tool:
    """The ``query`` tool over a table of regions and totals."""

    def run(job: Mapping[str, Any]) -> Mapping[str, Any]:
        text = "\n".join(["region | total", *(f"{region} | {total}" for region, total in rows)])
        columns = [{"name": "region", "type": "VARCHAR"}, {"name": "total", "type": "BIGINT"}]
        return {"ok": True, "columns": columns, "rows": rows, "total": len(rows), "sql": job["sql"], "text": text}

    return query_tool(run)


SALES = rows_of([["North", 1200], ["South", 900]])
LATER = rows_of([["North", 1300], ["South", 900]])
MILES = "How many km are 26.2 miles?"


def by_rules(request: Request) -> Reply:
    """Converts and rounds as it is told."""
    if not saw(request):
        return react("I convert it.", "convert", '{"amount": 26.2, "unit": "miles", "to": "km"}')
    return final("26.2 miles are 42.16 km." if RULE in told(request) else "26.2 miles are 42.")


def sales(request: Request) -> Reply:
    if not saw(request):
        return react("I look.", "query", "SELECT region, sum(total) AS total FROM sales GROUP BY region")
    total = next(line.split("|")[1].strip() for line in saw(request)[-1].splitlines() if line.startswith("North"))
    return final(f"North sold most, with {total}.")


def sums(answer: str) -> Callable[[Request], Reply]:
    """Calculates once, then says ``answer``."""

    def reply(request: Request) -> Reply:
        return final(answer) if saw(request) else react("I calculate.", "calculator", "17 * 4250 / 100")

    return reply


def natively(answer: str) -> Callable[[Request], Reply]:
    def reply(request: Request) -> Reply:
        if saw(request):
            return [Delta(answer), Delta(finish="stop")]
        call = CallDelta(0, "a", "calculator", json.dumps({"expression": "17 * 4250 / 100"}))
        return [Delta(calls=(call,)), Delta(finish="tool_calls")]

    return reply


def by_wording(request: Request) -> Reply:
    """Uses a tool only where its description says what it is for."""
    if saw(request):
        return final("17% of 4250 is 722.5.")
    if "exact" in told(request).lower():
        return react("I calculate.", "calculator", "17 * 4250 / 100")
    return final("17% of 4250 is about 700.")


def by_language(request: Request) -> Reply:
    if request.language == "ja":
        return (
            "最終回答: 大阪は日本の都市で、人口は約二百七十万人です。"
            if "最終" in told(request)
            else "大阪は日本の都市です。"
        )
    return final("Osaka is a large city in the west of Japan, and well known for its food.")


def in_more_steps(request: Request) -> Reply:
    steps = ("17 * 4250", "72250 / 100", "722.5 + 0", "722.5 * 1")
    done = len(saw(request))
    return react("On.", "calculator", steps[done]) if done < len(steps) else final("17% of 4250 is 722.5.")


def says(answer: str) -> Callable[[Request], Reply]:
    return lambda _: final(answer)


def fails(_: Request) -> Reply:
    return ModelFailed("The server is away.", "unreachable")


@tool(name="convert")
def failing_convert(amount: float, unit: str, to: str) -> str:
    """Converts a measure into another unit."""
    raise ToolFailed("No units today.", "network")


@tool(name="calculator", timeout=0.05)
def slow_calculator(expression: str) -> str:
    """Works out a sum exactly."""
    sleep(0.4)
    return "722.5"


@tool(name="calculator")
def rounding_calculator(expression: str) -> str:
    """Works out a sum exactly."""
    return "722"


@tool
def email(text: str) -> ToolResult:
    """Sends nothing, to nobody."""
    return ToolResult("sent")


def also_mails(request: Request) -> Reply:
    done = len(saw(request))
    if done == 1:
        return react("I tell somebody.", "email", "722.5")
    return sums("17% of 4250 is 722.5.")(request) if done != 2 else final("17% of 4250 is 722.5.")


def _agent(reply: Callable[[Request], Reply], *tools: Tool, **more: Any) -> Agent:
    return Agent(Minding(reply, takes_tools=more.get("wire") == "native"), Toolbox(tools), **{"wire": "react", **more})


def _ruled(*extra: str) -> dict[str, str]:
    return {"react": "\n\n".join([source("en", "react"), *extra])}


PERCENT = "What is 17% of 4250?"
SUM = _agent(sums("17% of 4250 is 722.5."), calculator)
RULED = _agent(by_rules, convert, prompts=_ruled(RULE))
QUERY = _agent(sales, SALES)
NATIVE = _agent(natively("17% of 4250 is 722.5."), calculator, wire="native")
MAILS = Toolbox((calculator, email))


def _in_all(types: Sequence[str]) -> dict[Mode, Sequence[str]]:
    return dict.fromkeys(("replay", "frozen", "live"), types)


def _broken_reader(reader: Any) -> Any:
    """The reader of the text wire, which takes a whole reply for the answer."""

    class Broken(reader):  # type: ignore[misc]
        def close(self) -> Any:
            from agent.wire.outcomes import Answer

            read = super().close()
            return Answer(text=read.input) if hasattr(read, "input") else read

    return Broken


def _cut_arguments(reader: Any) -> Any:
    """The reader of native calls, which loses the end of the arguments."""

    class Broken(reader):  # type: ignore[misc]
        def feed(self, delta: Delta) -> Any:
            calls = tuple(replace(call, arguments=call.arguments[:6]) for call in delta.calls)
            return super().feed(replace(delta, calls=calls))

    return Broken


def _blind(_: Any) -> Any:
    """The evidence check, which finds nothing."""
    from agent.evidence import Claim, Evidence

    return lambda events, earlier=(): Evidence((Claim(0, 3, "17%", "number", "not_found"),), True)


# Others are of the model alone: what it replies now.
_Row: TypeAlias = tuple[str, str, Agent, Callable[[Request], Reply], Mapping[Mode, Sequence[str]]]
_OTHER_REPLIES: tuple[_Row, ...] = (
    (
        "the unit is wrong",
        MILES,
        RULED,
        lambda r: final("26.2 miles are 42.16 mi.") if saw(r) else by_rules(r),
        {"frozen": ["figure"], "live": ["figure"]},
    ),
    (
        "the figure is off by ten",
        PERCENT,
        SUM,
        sums("17% of 4250 is 7225."),
        {"frozen": ["figure", "traced"], "live": ["figure"]},
    ),
    (
        "the sign is lost",
        "What is 5 - 17 * 4250 / 100?",
        _agent(sums("It is 722.5, so 5 less is -717.5."), calculator),
        sums("It is 722.5, so 5 less is 717.5."),
        {"frozen": ["figure"], "live": ["figure"]},
    ),
    (
        "a figure is made up beside the right one",
        PERCENT,
        SUM,
        sums("17% of 4250 is 722.5, up from 613.25 last year."),
        {"frozen": ["traced"], "live": ["traced"]},
    ),
    (
        "what cannot be known is made up",
        "How much will gold cost in 2050?",
        _agent(says("That cannot be known today.")),
        says("It will cost 9,400 dollars."),
        {"frozen": ["unknown"], "live": ["unknown"]},
    ),
    (
        "another name is given",
        "Who sold most?",
        QUERY,
        lambda r: final("South sold most, with 1200.") if saw(r) else sales(r),
        {"frozen": ["mentions"], "live": ["mentions"]},
    ),
    (
        "a tool is used that is not needed",
        PERCENT,
        replace(SUM, tools=MAILS),
        also_mails,
        {"frozen": ["only"], "live": ["only"]},
    ),
    (
        "no tool is used any more",
        PERCENT,
        SUM,
        says("17% of 4250 is 722.5."),
        {"frozen": ["uses"], "live": ["uses"]},
    ),
    (
        "the model's server is away",
        PERCENT,
        SUM,
        fails,
        {"frozen": ["no_error"], "live": ["no_error"]},
    ),
)

PLANTED: tuple[Planted, ...] = (
    Planted(
        "a prompt's rule is gone",
        MILES,
        RULED,
        replace(RULED, prompts=_ruled()),
        {"frozen": ["figure"], "live": ["figure"]},
    ),
    Planted(
        "the prompts are in another language",
        "What is Osaka?",
        _agent(by_language),
        _agent(by_language, language="ja"),
        {"frozen": ["language"], "live": ["language"]},
    ),
    Planted(
        "a tool is told in other words",
        PERCENT,
        _agent(by_wording, replace(calculator, description="Works out sums exactly.")),
        _agent(by_wording, replace(calculator, description="A tool.")),
        {"frozen": ["figure", "uses"], "live": ["figure", "uses"]},
    ),
    Planted(
        "a tool has another name",
        PERCENT,
        SUM,
        replace(SUM, tools=Toolbox((replace(calculator, name="sums", own=""),))),
        {"replay": ["uses", "no_error"], "frozen": ["uses", "no_error"], "live": ["uses", "no_error"]},
    ),
    Planted(
        "a tool is gone",
        MILES,
        RULED,
        replace(RULED, tools=Toolbox(())),
        _in_all(["uses"]),
    ),
    Planted(
        "the text wire's reader is broken",
        PERCENT,
        SUM,
        SUM,
        _in_all(["uses", "figure"]),
        patch=("agent.loop.loop.ReactStream", _broken_reader),
    ),
    Planted(
        "the native wire's reader is broken",
        PERCENT,
        NATIVE,
        NATIVE,
        _in_all(["no_error"]),
        patch=("agent.wire.native.NativeReader", _cut_arguments),
    ),
    Planted(
        "the evidence check is broken",
        PERCENT,
        SUM,
        SUM,
        _in_all(["traced"]),
        patch=("agent.evals.grades.check", _blind),
    ),
    Planted(
        "a tool gives less than it did",
        PERCENT,
        SUM,
        replace(SUM, tools=Toolbox((rounding_calculator,))),
        _in_all(["figure"]),
    ),
    Planted(
        "the data changed",
        "Who sold most?",
        QUERY,
        replace(QUERY, tools=Toolbox((LATER,))),
        {"replay": ["figure"], "frozen": ["figure"]},  # live, the answer follows the data, and so does the test
    ),
    Planted(
        "a tool fails",
        MILES,
        RULED,
        replace(RULED, tools=Toolbox((failing_convert,))),
        {"replay": ["no_error", "uses", "figure"], "frozen": ["figure"], "live": ["no_error", "uses", "figure"]},
    ),
    Planted(
        "a tool takes too long",
        PERCENT,
        SUM,
        replace(SUM, tools=Toolbox((slow_calculator,))),
        {"replay": ["no_error", "uses"], "live": ["no_error", "uses"]},
    ),
    Planted(
        "the model is dearer",
        PERCENT,
        replace(SUM, prices=_CHEAP),
        replace(SUM, prices=_DEAR),
        _in_all(["at_most"]),
    ),
    Planted(
        "the prompt is much longer",
        PERCENT,
        SUM,
        replace(SUM, prompts=_ruled("Mind your manners. " * 900)),
        {"frozen": ["at_most"], "live": ["at_most"]},
    ),
    Planted(
        "the model takes more steps",
        PERCENT,
        SUM,
        replace(SUM, model=Minding(in_more_steps)),
        {"frozen": ["at_most", "no_error"], "live": ["at_most"]},
    ),
    *(
        Planted(name, question, kept, replace(kept, model=Minding(reply, takes_tools=kept.model.takes_tools)), found)
        for name, question, kept, reply, found in _OTHER_REPLIES
    ),
)
