"""What the demo can do, in the order in which it is tried.

To add an ability:

1. Write ``def tides(question: Question) -> Plan | Said | None`` in a file of this folder.
2. Return ``None`` unless the whole question is understood: a part left over is a wrong answer in the making.
3. Otherwise return ``Plan(steps)``, where ``steps`` yields a ``Call``, is sent its result and returns what is ``Said``.
4. Put the function into ``ABILITIES``.
5. Put its questions, and the tempting ones that it must decline, into ``tests/demo_questions.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.models.demo_rules.arithmetic import sum_of
from agent.models.demo_rules.calendar import between, length, today, weekday
from agent.models.demo_rules.clock import time_asked
from agent.models.demo_rules.comparing import comparison, rounding
from agent.models.demo_rules.conversion import conversion, in_two_units
from agent.models.demo_rules.forecast import forecast
from agent.models.demo_rules.handbook import documents_asked, handbook_asked
from agent.models.demo_rules.live import exchange, weather
from agent.models.demo_rules.lookup import lookup
from agent.models.demo_rules.percent import change, changed, interest, share
from agent.models.demo_rules.plan import Plan, Question, Said
from agent.models.demo_rules.shifts import age, shift
from agent.models.demo_rules.tables.ability import table_hint, tables_asked
from agent.models.demo_rules.talk import small_talk

ABILITIES: tuple[Callable[[Question], Plan | Said | None], ...] = (
    small_talk,
    today,
    comparison,
    rounding,
    share,
    change,
    changed,
    interest,
    between,
    weekday,
    age,
    shift,
    length,
    in_two_units,
    conversion,
    sum_of,
    time_asked,
    tables_asked,
    handbook_asked,
    documents_asked,
    exchange,
    forecast,
    weather,
    lookup,
    table_hint,
)


def understand(question: Question) -> Plan | Said | None:
    """What the first ability that knows the question makes of it. ``Said``: it needs no tool, or is declined."""
    for ability in ABILITIES:
        if found := ability(question):
            return found
    return None
