"""The plain sum that an account in any words and any order comes to; nothing where a figure of it would be left over.

What is read: the quantities with what each belongs to, what the question wishes, and cues that take away, put on,
share, or come before or after. Clauses without any of these say nothing; a word that may turn the sum ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from agent.text.free_sums.free_amounts import amount_asked
from agent.text.free_sums.free_areas import area_asked, walls_asked
from agent.text.free_sums.free_balances import profit_asked
from agent.text.free_sums.free_fits import needs_asked, pieces_asked, share_asked, tiles_asked
from agent.text.free_sums.free_interest import interest_asked
from agent.text.free_sums.free_items import WORDS, read_told
from agent.text.free_sums.free_lumps import lumps_alone
from agent.text.free_sums.free_marks import marks_asked
from agent.text.free_sums.free_means import mean_asked
from agent.text.free_sums.free_mixes import mix_asked
from agent.text.free_sums.free_plainer import plainly_told, with_parts_in_figures
from agent.text.free_sums.free_proportions import multiple_asked, proportion_asked
from agent.text.free_sums.free_rates import rated
from agent.text.free_sums.free_shares import part_asked
from agent.text.free_sums.free_times import clock_asked, length_asked
from agent.text.free_sums.free_turns import is_turned
from agent.text.problems.companions import with_all
from agent.text.regex import regex
from agent.text.told_sums.original_prices import asks_original

_LONGEST, _MOST = 300, 8  # characters, quantities
_NAMES = regex(
    r"\b(?!(?:I|It|He|She|We|They|You|There|That|This|The|My|Our|Who|What|How|When|Mum|Dad)\b)[A-Z][a-z]+ "
    rf"(?:{'|'.join(WORDS['told']['has_verb'])})\b"
)


def free_sums(text: str) -> Iterator[str]:
    """The plain questions that an English ``text`` may come to, one at most."""
    whole = with_all(text, "en") if len(text) <= _LONGEST else None
    if (
        whole is None
        or asks_original(text)
        or not re.search(r"\d|half|quarter|dozen|two|three|tenner|fiver", text, re.I)
    ):
        return
    yield from islice(chain(mix_asked(whole), _read(text, lumps_alone(plainly_told(whole)))), 1)


# Those that tell which words they were read by, so that these turn nothing.
_BY_WORDS = (pieces_asked, part_asked, proportion_asked, interest_asked, marks_asked, mean_asked, walls_asked)
_TOLD = (needs_asked, tiles_asked, share_asked, area_asked, clock_asked, length_asked, profit_asked, amount_asked)


def _read(typed: str, plain: str) -> Iterator[str]:
    told = read_told(plain)
    ways = [multiple_asked(plain)]
    if _NAMES.search(typed) is None and told and 2 <= len(told.items) <= _MOST:
        ways += [read(told) for read in _BY_WORDS]
        ways += [((made, told) for made in read(told)) for read in (*_TOLD, rated)] if not is_turned(told) else []
    yield from (made for way in ways for made, bare in way if bare is told or not is_turned(bare))


def in_figures(text: str) -> Iterator[str]:
    """ "How many ml is three quarters of a litre" with 0.75."""
    made = with_parts_in_figures(text.lower())
    if made != text.lower():
        yield made
