"""Words with a capital that are no names: they only open a sentence or a line, or stand before a German noun."""

from __future__ import annotations

from agent.text.quantities.claim_words import OPENERS, OPENERS_DE
from agent.text.quantities.spelled_words import small_words
from agent.text.regex import regex

_EMOJI = "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\u3030\u303d\ufe0e\ufe0f\u200d\U0001f000-\U0001faff"
_OPENING = regex(rf"(?:^|[.!?:;—。！？：|>\n(（\[\"“「•{_EMOJI}]|[-*+][ ]|[0-9]\.|\*\*:?[ ][–-][ ])[ \t*_\"“'‘(]*$")
_MOST = 12  # characters before a word that are looked at
_NO_ADJECTIVE = "Mini|Mei|Schwe|Fen|Mün|Seme|Orche|Regi|Mu|Klo|Clu"  # "Minister"
_ADJECTIVE = regex(  # of German: "Erneuerbare", "Größter", "Verkaufte"
    r"[^\W\d_]{2,30}(?:bar|lich|isch|ig|end|ell|iv|iabl|los|sam)e[nrsm]?|"
    rf"(?!{_NO_ADJECTIVE})[^\W\d_]{{2,30}}(?:st|ßt)e[rsm]?|"
    r"(?:Ge|Be|Ver|Er|Zer|Ent|Ab|An|Auf|Aus|Ein|Um)[a-zäöü]{2,30}(?:[^t]t|en)e[nrsm]?"
)
_WEIGHED = regex(r"[a-z]{3,}(?:[ctdgklpsvz]|[aeiou]n|[aeiou]m|at|ip)ed|[a-z]{3,}est")  # "Blended", "Cheapest"
_NUMBER = regex(r"[0-9][ \u00a0]$")


def opens(text: str, start: int) -> bool:
    """Whether a sentence, a line or a quote starts at a place, an emoji apart."""
    before = text[max(0, start - _MOST) : start]
    return _OPENING.search(before if start > _MOST else "\n" + before) is not None


def only_opens(word: str, after: str, german: bool) -> bool:
    """Whether a word where a sentence begins is none of a name: a verb, an adjective, a pronoun, before "the" any.

    ``after`` is the next word of the sentence, "" where none belongs to it; in ``german`` any noun may be the next.
    """
    lower = word.rstrip(".").lower()
    if not word[1:].islower():
        return False
    if lower in OPENERS or (after == "the") or (len(lower) > 5 and _WEIGHED.fullmatch(lower) is not None):
        return True
    if not german:
        return False
    return lower in OPENERS_DE or lower in small_words() or _ADJECTIVE.fullmatch(word) is not None


def counted(text: str, start: int) -> bool:
    """Whether a number stands right before a place: "12.400 Kunden"."""
    return _NUMBER.search(text, max(0, start - 2), start) is not None
