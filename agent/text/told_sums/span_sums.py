"""Hours, minutes and seconds added up: "1h 25m + 2h 50m + 45m", 「1時間25分と45分を足すと？」."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_LARGEST = 60
_LONGEST = 300  # characters
_HOURS, _MINUTES, _SECONDS = r"h(?:ou)?r?s?(?![a-z])", r"m(?:in(?:ute)?s?)?\b", r"s(?:ec(?:ond)?s?)?\b"
_SPAN = (
    rf"(?:\d{{1,3}} ?{_HOURS}(?:,? (?:and )?| ?)\d{{1,2}}"
    rf"(?: ?{_MINUTES}(?: ?\d{{1,2}} ?{_SECONDS})?|(?![\d.:]|\s*(?!(?:plus|and)\b)[a-z]))"
    rf"|\d{{1,3}} ?{_MINUTES}(?: (?:and )?| ?)\d{{1,2}} ?{_SECONDS}|\d{{1,3}} ?(?:{_HOURS}|{_MINUTES}|{_SECONDS}))"
)
_BETWEEN = r"(?: ?\+ ?| plus |, ?and |, ?| and )"
_TOLD = regex(
    r"(?:what(?:['’]?s| is| do)? |how (?:long|much) (?:is|are) |calculate |work out )?"
    r"(?P<lead>(?:add|sum|total)(?: up| together)? |(?:the )?(?:total|sum) (?:time )?(?:of|for) "
    r"|(?:i|we|he|she) [a-z]+(?: for)? )?"
    rf"(?P<list>{_SPAN}(?:{_BETWEEN}{_SPAN})+)"
    r"(?P<tail>(?:[.,;:]? (?:so )?(?:how (?:long|much(?: time)?|many hours(?: and minutes)?)|what)"
    r"(?:['’]s| is| was| did| does| have)?(?: (?:that|it|this|i|we|he|she|the|all|make|work"
    r"|come|to|worked|spend|in total|total))*"
    r"|,? (?:in total|in all|altogether|all together|together|added (?:up|together)|total))*)[ =?.!]*",
    re.I,
)
_ADDED_TO = regex(r"^(add \d[^?]*?) to (?=\d)", re.I)
_PART = regex(r"(\d+) ?([hms])", re.I)
_BARE = regex(r"(?<=[a-z]) ?(?:and )?(\d{1,2})$", re.I)
_TIMES = {"h": 3600, "m": 60, "s": 1}
_ONE = r"(?:\d{1,3}時間(?:半|\d{1,2}分)?|\d{1,3}分(?:間)?(?:\d{1,2}秒)?|\d{1,3}秒)"
_JAPANESE = regex(
    rf"(?P<list>{_ONE}(?:(?:と|、|\+){_ONE})+)(?:を|の)?(?:全部|すべて|全て)?(?:足す|足したら|合計|合わせる|合わせて|たす|加える|足し合わせる)"
    r"(?:と|する|すると|で|して|した|したら|は|時間)*、?(?:何時間何分|何分何秒|何時間|何分|いくら|いくつ|どのくらい|どれくらい)?"
    r"(?:です|になります|になる)?か?[??。]*"
)
_JAPANESE_PART = regex(r"(\d+)(時間|分|秒)(半)?")


def span_sum(text: str, language: Language) -> Problem | None:
    """The lengths of time added up, where all that stands beside them asks for their total."""
    if len(text) > _LONGEST:
        return None
    if language == "ja":
        said = _JAPANESE.fullmatch(text)
        return _added([_read(one) for one in re.findall(_ONE, said["list"])], language) if said else None
    said = _TOLD.fullmatch(_ADDED_TO.sub(r"\1 and ", text))
    if said is None or not (said["lead"] or said["tail"].strip() or re.search(r"\+|\bplus\b", said["list"])):
        return None
    if said["lead"] and re.match(r"(?:i|we|he|she)\b", said["lead"], re.I) and not said["tail"].strip():
        return None
    low = said["list"].lower()
    if not re.search(r"\d ?(?:h|s|min)", low):
        return None  # 5 m + 3 m are metres
    return _added([_spelled(one[0]) for one in regex(_SPAN).finditer(low)], language)


def _spelled(span: str) -> dict[str, int]:
    parts = {unit.lower(): int(n) for n, unit in _PART.findall(span)}
    bare = _BARE.search(span)
    return parts | {"m": int(bare[1])} if bare and "h" in parts else parts


def _read(span: str) -> dict[str, int]:
    parts: dict[str, int] = {}
    for n, unit, half in _JAPANESE_PART.findall(span):
        parts[{"時間": "h", "分": "m"}.get(unit, "s")] = int(n)
        if half:
            parts["m"] = 30
    return parts


def _added(spans: list[dict[str, int]], language: Language) -> Problem | None:
    """In the smallest unit that is told, and in whole hours, minutes and seconds."""
    if len(spans) < 2 or any(
        len(one) > 1 and amount >= _LARGEST for one in spans for key, amount in one.items() if key != "h"
    ):
        return None
    small = next(unit for unit in "smh" if any(unit in one for one in spans))
    factors = {unit: times // _TIMES[small] for unit, times in _TIMES.items() if times >= _TIMES[small]}

    def sum_of(one: dict[str, int]) -> str:
        parts = (f"{n} * {factors[unit]}" if factors[unit] > 1 else str(n) for unit, n in one.items())
        return " + ".join(parts)

    seconds = sum(n * _TIMES[unit] for one in spans for unit, n in one.items())
    units = {"h": "hours", "m": "minutes", "s": "seconds"}
    japanese = {"h": "時間", "m": "分", "s": "秒"}
    whole = {"h": seconds // 3600, "m": seconds // 60 % 60, "s": seconds % 60}
    if language == "ja":
        called = "と".join("".join(f"{n}{japanese[unit]}" for unit, n in one.items()) for one in spans) + "の合計"
        told = "".join(f"{n}{japanese[unit]}" for unit, n in whole.items() if n) or "0"
        told = f"{called}は{told}({{figure}})です。"
    else:
        called = " + ".join(
            " ".join(f"{n} {unit if unit != 'm' else 'min'}" for unit, n in one.items()) for one in spans
        )
        named = [f"{n} {units[unit] if n != 1 else units[unit][:-1]}" for unit, n in whole.items() if n]
        told = f"{called} is {' '.join(named)}, {{figure}}."
    return Problem("span_sum", " + ".join(map(sum_of, spans)), called, units[small], told=told)
