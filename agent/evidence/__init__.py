"""Which observation supports which figure, date, name, quote and link of an answer; no second model.

``checking`` goes from events to verdicts. It reads an answer (``masking``: what claims nothing; ``mentions``: names,
quotes) and a run (``gathering``: its texts; ``pages``: each read once; ``sources``: indexes; ``tables``: rows).
``lookup`` finds a claim in the sources, ``derivation`` what follows from them. ``contradictions`` compares the answer
with those before it (``assertions``: what each says); ``checked_turns`` checks a chat. ``verdicts`` has the result,
``marks`` what a mark at a claim says.
"""

from agent.evidence.checked_turns import earlier_turns
from agent.evidence.checking import check
from agent.evidence.gathering import earlier_turn, read_ahead
from agent.evidence.pages import Pages
from agent.evidence.verdicts import Claim, Contradiction, Earlier, Evidence, Place

__all__ = [
    "Claim",
    "Contradiction",
    "Earlier",
    "Evidence",
    "Pages",
    "Place",
    "check",
    "earlier_turn",
    "earlier_turns",
    "read_ahead",
]
