"""Whether a sentence means two values that its figure comes to, or whether these are two of many that fit by chance."""

from __future__ import annotations

from collections.abc import Sequence

from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.lookup.clauses import Words
from agent.evidence.lookup.context import nearest_words
from agent.evidence.sources import Sources
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import is_year


def are_meant(sources: Sources, pair: Sequence[Known], among: Sequence[Known], words: Words) -> bool:
    """Whether words of the sentence, or else of what stands before it, name both of a pair and no third ``among`` all.

    A value is named by words beside it and not beside the other one: its row, its column, its part of a
    sentence. Without a name, two values are meant that are the only ones of their unit, or that the person gave.
    """
    if any(sources.texts[known.operand.spot[0]].origin != "seen" for known in pair):
        return True
    rivals = [known for known in among if known not in pair and known.operand.unit is pair[0].operand.unit]
    if not rivals and pair[0].operand.unit is pair[1].operand.unit:
        return True
    one, other = (_beside(sources, known) for known in pair)
    third = frozenset[str]().union(*(_beside(sources, known) for known in rivals)) - one - other
    for said in (words.around, words.around | words.wide):
        if not said.isdisjoint(one - other) and not said.isdisjoint(other - one):
            return said.isdisjoint(third)
    return False


def _beside(sources: Sources, known: Known) -> frozenset[str]:
    """The words of a value's row and of its column's head; in prose those between the numbers next to it."""
    number, start, end = known.operand.spot
    page = sources.texts[number].page
    if (at := page.cell_at(start)) is not None:
        subjects, cell = at
        said = {word for word, column in subjects.words_of(cell.row).items() if column != cell.column}
        said |= subjects.heads[cell.column] if cell.column < len(subjects.heads) else frozenset[str]()
    else:
        left, right = page.sentence(start)
        before = max((token.end for token in page.numbers_between(left, start)), default=left)
        after = min((token.start for token in page.numbers_between(end, right)), default=right)
        said = tokens(nearest_words(page.lower, before, (start, end), after))
    return frozenset(word for word in said if not word[0].isdigit() or is_year(word))
