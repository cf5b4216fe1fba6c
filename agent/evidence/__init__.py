"""Which observation supports which figure, date, name, quote and link of an answer; no second model.

``marks``        what a mark at a claim says, and where its place is
``verdicts``     the result as values: ``Evidence``, ``Claim``, ``Place``
``checking``     the check, from events to verdicts
``masking``      what of an answer claims nothing
``scanning``     numbers in running text, in one pass
``figures``      numbers as an answer states them: precision, sign, unit
``dates``        dates and times of day
``mentions``     names and quotes of an answer
``sources``      the texts of a run and indexes over them
``numbers``, ``days``, ``names``  looking up in the sources
``derivations``, ``durations``, ``lists``  what follows by one step of arithmetic
``context``, ``swaps``  what is said around a figure
``units``, ``words``, ``written``  tables
"""

from agent.evidence.checking import check
from agent.evidence.verdicts import Claim, Earlier, Evidence, Place

__all__ = ["Claim", "Earlier", "Evidence", "Place", "check"]
