"""What the demo can do, in the order in which it is tried.

To add an ability:

1. Write ``def tides(question: Question) -> Plan | Said | None`` in a file of this folder.
2. Return ``None`` unless the whole question is understood: a part left over is a wrong answer in the making.
3. Otherwise return ``Plan(steps)``, where ``steps`` yields a ``Call``, is sent its result and returns what is ``Said``.
4. Put what it says into ``sentences.toml``, long forms of questions into ``questions.toml``, and the function into
   ``SURE``, into ``TOLD`` where it reads a story, or into ``LOOKED_UP``.
5. Put its questions, and the tempting ones that it must decline, into ``tests/support/demo_questions.py``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from agent.demo.lookups.clock_answers import times
from agent.demo.lookups.counted_days import counted_days, days_with_both_ends, nth_weekday, thirteenth
from agent.demo.lookups.day_questions import (
    age,
    between,
    era_year_asked,
    length,
    named_day,
    shift,
    time_asked,
    today,
    week,
    weekday,
)
from agent.demo.lookups.handbook_question import POINTS, documents_asked, handbook_asked
from agent.demo.lookups.live import exchange, forecast, weather
from agent.demo.lookups.lookup import lookup
from agent.demo.phrasebook import phrase, replacements
from agent.demo.rules.otherwise import Ability, doubted, first_call, otherwise, spelled
from agent.demo.rules.plan import Plan, Question, Said
from agent.demo.rules.talk import named_tool, small_talk
from agent.demo.sums.arithmetic import conversion, sum_of
from agent.demo.sums.comparing import as_wished, changed, comparison, fraction, rounding
from agent.demo.sums.everyday_sums import problem, shares, story, told_begin, told_sum
from agent.text.plainly.plain_questions import plain_questions
from agent.text.regex import regex
from agent.text.sums.phrases import plain

_FIGURE_OF_TWO = phrase("figure_of_two")
_OF_ROWS_TOLD = phrase("of_rows_told")
_OF_THOSE_UNTOLD = phrase("of_those_untold")
_OF_NO_ROW = phrase("of_no_row")
_RATE = phrase("rate_mean")
_WHO_IS = regex(r"\bwho['’]s\b", re.I)
_MOST = regex(r"\b(?:[a-z]{3,}est|most|least)\b", re.I)
_WE_HAVE = regex(
    r" (?:that )?(?:we|i)(?:['’]ve got|['’]ve| have(?: got)?| own| keep| sell| stock| offer)(?=\W*$)", re.I
)


def tables_asked(question: Question) -> Plan | Said | None:
    """What is asked of loaded tables; without any, nothing of what reads such questions is imported."""
    untold = _OF_ROWS_TOLD.search(question.text)  # "of them", "and in May?": what they lean on was not found
    if not question.tables or untold or POINTS.fullmatch(question.text) or _OF_THOSE_UNTOLD.match(question.text):
        return _of_pieces(question) if untold and ";" in question.text else None
    from agent.data.tables.worded.follow_ups import of_another_table
    from agent.data.tables.worded.plainly_of_rows import plainly_of_rows
    from agent.data.tables.worded.rates_and_debts import names_only_a_unit
    from agent.data.tables.worded.whole_asking import of_one_alone
    from agent.data.tables.wordings.japanese_openings import without_honorific
    from agent.demo.tables import ability
    from agent.demo.tables.selections_asked import selection_asked

    if names_only_a_unit(question.text, question.tables):
        return None
    text = _WHO_IS.sub("who is", question.text)
    text = _WE_HAVE.sub("", text) if _MOST.search(text) else text
    text = plainly_of_rows(text, question.tables)
    question = replace(question, text=of_another_table(text, question.tables))
    if question.language == "ja":
        text = _FIGURE_OF_TWO.sub(r"\1は?", question.text)
        question = replace(question, text=without_honorific(text, question.tables))
    if len(question.tables) > 1 and (plan := selection_asked(question)):
        return plan
    if len(question.tables) == 1:
        return _of_one_alone(question)
    wanted = of_one_alone(question.text, question.tables, question.today) if question.language == "ja" else None
    return ability.told_of(question, wanted, whole=True) if wanted else _plainly(question)


def _of_one_alone(question: Question) -> Plan | Said | None:
    """What is asked of the one table, in the words that its readers know."""
    from agent.data.tables.pieced.implied_asking import in_known_words
    from agent.data.tables.questions.sentence import is_settled
    from agent.data.tables.worded.whole_asking import whole_asked
    from agent.demo.tables import ability

    if question.language == "en":
        text, table, asked = in_known_words(question.text, question.tables[0], question.today)
        if asked:
            return ability.told_of(question, asked, whole=True)
        question = replace(question, text=text, tables=(table,))
    for wanted, sure in whole_asked(question.text, question.tables[0], question.today, question.language):
        if sure or is_settled(wanted):
            return ability.told_of(question, wanted, not sure)
        if not ability.settles(question):
            return _of_pieces(question) or ability.told_of(question, wanted, whole=True)
    return _of_one_table(question)


def _of_one_table(question: Question) -> Plan | Said | None:
    """What no reader has read whole: by its parts, by its pieces in any order, or as a selection."""
    from agent.data.tables.worded.rates_and_debts import is_of_some_money
    from agent.data.tables.worded.whole_asking import orders_unsurely
    from agent.data.tables.worded.wrapping import without_wrapping
    from agent.demo.tables import ability
    from agent.demo.tables.selections_asked import selection_asked

    table = question.tables[0]
    bare = replace(question, text=without_wrapping(question.text, table, question.today, question.language))
    unsure = question.language == "en" and orders_unsurely(question.text, table)
    found = None if unsure else _plainly(bare)
    if _is_rate(bare) or (found and ability.settles(bare)):
        return found
    refused = unsure or _refuses(bare) or is_of_some_money(bare.text, table)
    return _of_pieces(question) or found or (None if refused else selection_asked(bare))


def _of_pieces(question: Question) -> Plan | None:
    """What an English question of the one table comes to by its pieces, in any order."""
    if question.language != "en" or len(question.tables) != 1:
        return None
    from agent.data.tables.pieced.pieced_asking import pieced_asked
    from agent.demo.tables import ability

    wanted = pieced_asked(question.text, question.tables[0], question.today)
    return ability.told_of(question, wanted, whole=True) if wanted else None


def _refuses(question: Question) -> bool:
    """Whether what has been done to the rows is no name of one, "it" is no table, or a mean rate may be two."""
    return bool(_OF_NO_ROW.search(question.text)) or _is_rate(question)


def _is_rate(question: Question) -> bool:
    from agent.data.tables.worded.rates_and_debts import is_mean_rate

    return is_mean_rate(_RATE.search(question.text), question.tables)


def _plainly(question: Question) -> Plan | Said | None:
    from agent.demo.tables import ability, pairs

    found = _in_words(question, f"plainer_{question.language}")
    if found or _refuses(question):
        return found
    return pairs.pair_asked(question) or ability.tables_asked(question) or _in_words(question, "plainer_at_last")


def _in_words(question: Question, name: str) -> Plan | Said | None:
    """What is read in other words, which those called ``name`` give."""
    from agent.data.tables.wordings.plainer_forms import plainer
    from agent.demo.tables import ability

    ways = plainer(question.text, question.tables, replacements(name), whole=name == "plainer_ja")
    return next(filter(None, (ability.tables_asked(replace(question, text=way)) for way in ways)), None)


def reports_asked(question: Question) -> Plan | Said | None:
    """What is asked of a table with labels down the side and periods across the top, where each word is of it."""
    if not question.tables:
        return None
    from agent.data.tables.crosstabs.crosstab_asking import crosstab_asked, is_of_crosstab
    from agent.demo.tables.ability import told_of_cells, unread

    if wanted := crosstab_asked(question.text, question.tables, question.language):
        return Plan(lambda: told_of_cells(question, wanted), both=True)
    return unread(question, question.tables[0]) if is_of_crosstab(question.text, question.tables) else None


def table_hint(question: Question) -> Said | None:
    """What there is to ask of the tables that a question names."""
    if not question.tables:
        return None
    from agent.demo.tables import ability

    return ability.table_hint(question)


# What can be told from the question alone, or from a table: tried in other words before anything is looked up.
SURE: tuple[Ability, ...] = (
    small_talk, named_tool, reports_asked, today, comparison, rounding, fraction, changed, thirteenth,
    counted_days, days_with_both_ends, nth_weekday, between, weekday, age, era_year_asked, shift, length, week,
    named_day, times, conversion, sum_of, problem, time_asked, tables_asked,
)  # fmt: skip
TOLD: tuple[Ability, ...] = (told_sum, told_begin, story, shares)
LOOKED_UP: tuple[Ability, ...] = (handbook_asked, documents_asked, exchange, forecast, weather, lookup, table_hint)


@lru_cache(maxsize=1024)  # a question is read again at each step of its answer, and so are the next questions of one
def understand(question: Question) -> Plan | Said | None:
    """What the first ability that knows the question makes of it. ``Said``: it needs no tool, or is declined."""
    found = as_wished(question, understand) or _read(question)
    if not found and question.language == "en" and not question.tables:
        found = _in_any_words(question) or spelled(question, _in_any_words, of_real=False)
    doubt = _doubted(question, found) if isinstance(found, Plan) else None
    return doubt or found or _first(LOOKED_UP, question)


def _in_any_words(question: Question) -> Plan | None:
    ways = (_read(replace(question, text=way)) for way in plain_questions(question.text, question.today))
    return next((way for way in ways if isinstance(way, Plan)), None)


def _read(question: Question) -> Plan | Said | None:
    found = _first(SURE, question) or otherwise(question, surely) or _first(TOLD, question)
    return found or spelled(question, lambda other: _first(TOLD, other))


@lru_cache(maxsize=256)
def _doubted(question: Question, plan: Plan) -> Said | None:
    return doubted(question, plan, lambda other: surely(other) or _first(TOLD, other))


def surely(question: Question) -> Plan | Said | None:
    """As ``understand``, without what is looked up, and in its own words."""
    return _first(SURE, question)


def can_answer(asked: str, about: Question) -> bool:
    """Whether it is understood and its first tool is there, asked in the language of ``about``, with the same data."""
    found = understand(replace(about, text=plain(asked)))
    if not isinstance(found, Plan):
        return found is not None and not found.declined
    call = first_call(found)
    return call is None or call[0] in about.tools


@lru_cache(maxsize=1024)
def _first(abilities: tuple[Ability, ...], question: Question) -> Plan | Said | None:
    return next((found for ability in abilities if (found := ability(question))), None)
