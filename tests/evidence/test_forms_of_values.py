"""Values of three things in whatever form a source writes them, and in whatever form an answer does: converted or not,
what is given to another thing is never called seen or worked out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias

from agent.evidence import check
from tests.support.cases import each
from tests.support.observed_answers import run

_Three: TypeAlias = tuple[str, str, str]
NAMES = ("Alder", "Birch", "Cedar")
GREEN, MARKED = {"seen", "given", "worked_out"}, {"not_found", "differs"}

TIMES: Sequence[_Three] = (
    ("14:30", "9:05", "18:45"),
    ("14:30:00", "09:05:00", "18:45:00"),
    ("2:30 PM", "9:05 AM", "6:45 PM"),
    ("14h30", "9h05", "18h45"),
    ("14:30 Uhr", "9:05 Uhr", "18:45 Uhr"),
    ("午後2時30分", "午前9時05分", "午後6時45分"),
    ("2025-09-08T14:30:00", "2025-09-08T09:05:00", "2025-09-08T18:45:00"),
    ("2025-09-08 14:30", "2025-09-08 09:05", "2025-09-08 18:45"),
    ("14:30:00+02:00", "09:05:00+02:00", "18:45:00+02:00"),
)
SAID_TIMES = (
    *(TIMES[0], TIMES[3], TIMES[5], ("2:30 pm", "9:05 am", "6:45 pm"), ("2.30pm", "9.05am", "6.45pm")),
    ("14.30 Uhr", "9.05 Uhr", "18.45 Uhr"),
)
SPANS: Sequence[_Three] = (
    ("95 min", "42 min", "130 min"),
    ("1h 35m", "42m", "2h 10m"),
    ("1 h 35 min", "42 min", "2 h 10 min"),
    ("1:35", "0:42", "2:10"),
    ("PT1H35M", "PT42M", "PT2H10M"),
    ("1 hr 35 mins", "42 mins", "2 hrs 10 mins"),
    ("1時間35分", "42分", "2時間10分"),
)
SAID_SPANS = (*SPANS[:1], *SPANS[2:4], SPANS[-1], ("1 Stunde 35 Minuten", "42 Minuten", "2 Stunden 10 Minuten"))
LENGTHS: Sequence[_Three] = (
    ("1250 m", "980 m", "2310 m"),
    ("1,250 metres", "980 metres", "2,310 metres"),
    ("1.25 km", "0.98 km", "2.31 km"),
    ("125000 cm", "98000 cm", "231000 cm"),
    ("1 250 m", "980 m", "2 310 m"),
    ("1250メートル", "980メートル", "2310メートル"),
)
SAID_LENGTHS = (*LENGTHS[:3], ("1.250 Meter", "980 Meter", "2.310 Meter"), ("0.78 miles", "0.61 miles", "1.44 miles"))
PRICES: Sequence[_Three] = (
    ("$1,250.00", "$980.50", "$2,310.00"),
    ("1250.00 USD", "980.50 USD", "2310.00 USD"),
    ("1.250,00 $", "980,50 $", "2.310,00 $"),
    ("125000 cents", "98050 cents", "231000 cents"),
)
SAID_PRICES = (PRICES[0], ("1,250 dollars", "980.50 dollars", "2,310 dollars"), ("$1.25k", "$0.98k", "$2.31k"))
SHARES: Sequence[_Three] = (
    ("0.256", "0.104", "0.387"),
    ("25.6%", "10.4%", "38.7%"),
    ("25,6 %", "10,4 %", "38,7 %"),
    ("256‰", "104‰", "387‰"),
)
SAID_SHARES = (SHARES[1], SHARES[2], ("26%", "10%", "39%"), ("25.6 per cent", "10.4 per cent", "38.7 per cent"))

_Source: TypeAlias = Callable[[str, _Three], str]


def _csv(head: str, values: _Three) -> str:
    rows = zip(NAMES, values, (34, 116, 28), strict=True)
    return f"name;{head};rooms\n" + "".join(f"{name};{value};{rooms}\n" for name, value, rooms in rows)


def _list(_: str, values: _Three) -> str:
    return "".join(f"- {name}: {value}\n" for name, value in zip(NAMES, values, strict=True))


def _json(head: str, values: _Three) -> str:
    return json.dumps(
        [{"name": name, head: value} for name, value in zip(NAMES, values, strict=True)], ensure_ascii=False
    )


SOURCES: Sequence[_Source] = (_csv, _list, _json)
KINDS = {
    "opens": (TIMES, SAID_TIMES),
    "lasts": (SPANS, SAID_SPANS),
    "length": (LENGTHS, SAID_LENGTHS),
    "price": (PRICES, SAID_PRICES),
    "share": (SHARES, SAID_SHARES),
}
CASES = [
    (source, head, there, said)
    for source, (head, (forms, answers)) in product(SOURCES, KINDS.items())
    for there, said in product(forms, answers)
    if source is not _list or there[0] != "PT1H35M"  # no list of people is written by a program
]


def _verdicts(observed: str, answer: str) -> list[set[str]]:
    """What the check says of the values of each line of an answer."""
    claims = [one for one in check(run(answer, observed)).claims if one.kind in ("number", "date")]
    ends = [place for place, sign in enumerate(answer) if sign == "\n"]
    starts = [0, *(end + 1 for end in ends)]
    return [
        {one.verdict for one in claims if start <= one.start < end} for start, end in zip(starts, ends, strict=False)
    ]


@each(("source", "head", "there", "said"), CASES)
def test_each_value_with_its_thing(source: _Source, head: str, there: _Three, said: _Three) -> None:
    observed = source(head, there)
    assert not MARKED & set().union(*_verdicts(observed, _list(head, said)))
    swapped = _verdicts(observed, _list(head, (said[1], said[0], said[2])))
    assert not swapped[0] & GREEN and not swapped[1] & GREEN
