"""Years of Japanese eras: 「平成10年は西暦何年？」, 「1998年は平成何年？」, by the tool ``calculator``."""

from __future__ import annotations

import re
from functools import partial

from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculation
from agent.text.quantities.eras import era_of

_TO_WEST = re.compile(
    r"(?P<era>明治|大正|昭和|平成|令和)(?P<year>元|\d{1,2})年?(?:は|って|を|の)、?西暦(?:だと|では|で|に|の|は|と)?"
    r"(?:言うと|いうと|すると|直すと|直す|した|換算すると)?(?:何年|いつ)?"
    r"(?:です|になります|でした|だっけ|なの)?か?[?？。 ]*"
)
_FROM_WEST = re.compile(
    r"(?:西暦)?(?P<year>\d{4})年(?:は|って|を)、?(?P<era>明治|大正|昭和|平成|令和)(?:だと|では|で|に|の)?"
    r"(?:言うと|いうと|すると|直すと)?何年(?:です|になります|でした|だっけ|なの)?か?[?？。 ]*"
)
_LAST = {"明治": 45, "大正": 15, "昭和": 64, "平成": 31}


def era_year_asked(question: Question) -> Plan | None:
    for pattern, way in ((_TO_WEST, 1), (_FROM_WEST, -1)):
        said = pattern.fullmatch(question.text)
        base = era_of(said["era"]) if said else None
        if said is None or base is None:
            continue
        number = 1 if said["year"] == "元" else int(said["year"])
        of_era = number if way > 0 else number - base
        last = _LAST.get(said["era"], question.today.year - base if question.today else of_era)
        if not 0 < of_era <= last:
            return None
        return Plan(partial(_told, question, said["era"], base, number, way))
    return None


def _told(question: Question, era: str, base: int, number: int, way: int) -> Steps:
    name = f"{era}{number}年" if way > 0 else f"{number}年"
    year = yield calculation(question, name, f"{number} {'+' if way > 0 else '-'} {base}")
    return Said(f"{name}は西暦{year}年です。" if way > 0 else f"{name}は{era}{year}年です。")
