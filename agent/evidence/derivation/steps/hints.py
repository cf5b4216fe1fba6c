"""Words of a sentence that say which kind of step its figure may come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from agent.evidence.direction import tells_apart
from agent.evidence.tables.cell_words import tokens
from agent.text.regex import regex

_MEAN = r"average|mean\b|平均|schnitt|im mittel\b|moyen|promedio|medi[oa]s?\b"
_PATTERNS = {
    "sum": (
        r"total|\bsum\b|combin|together|altogether|in all\b|plus|\+|overall|\badd|aggregate|合計|合わせ|総|足|累計|"
        r"\bcomes to\b|\bcome to\b|\bcame to\b|over the three|over the four|over the five|"
        r"gesamt|insgesamt|zusammen|summe|in tutto\b|complessiv|"
        r"all told|somme|suma|totale|ensemble|en tout\b|au total|juntos|between them|in sum\b|"
        r"over the (?:whole|entire|full) |includ|inklusive|einschließlich|"
        r"y compris|incluid|込み|juntas|\bsuman?\b|en conjunto|totali[sz]|cumul|addiert|ergeben|ergibt|réunis|合算"
    ),
    "difference": (
        r"differ|older|younger|taller|shorter|longer|faster|slower|cheaper|warmer|cooler|colder|hotter|milder|heavier|"
        r"lighter|deeper|earlier|wetter|drier|richer|poorer|stronger|weaker|steeper|thicker|thinner|narrower|"
        r"[a-z]{3}er than\b|later|farther|further|wider|long|gap|remain|\bleft\b|s after\b|ago|since|lasted|span|minus|"
        r"−| [-–] |\([-–+]|: [-–+][0-9]|"
        r"chang|net\b|compar|\badd|\blose|\bsav|margin|spread|lead (?:of|by|over)|variation|beat|edging|edged|"
        r"apart|surplus|shortfall|\blower|deficit|advantage|trail|gain|below|差|多|少|違|増|減|残|低|高|長|短|歳|経|変化|改善|悪化|"
        r"上回|下回|超過|未達|unter dem|unter plan|über dem|über plan|unterschr|unterschied|überschr|\bstatt\b|"
        r"abstand|vorsprung|einspar|mehrkosten|zurück\b|zuwachs|zunahme|veränder|rückgang|abnahme|anstieg|évolution|"
        r"hausse|baisse|variaci|aumento|profit|\bloss|\blost\b|\bmade [$€£¥]|\bearn|gewinn|verlust|plus von|minus von|"
        r"bénéfice|perte|\bfree\b|vacant|unoccupied|unused|\bfrei\b|\bahead\b|\bbehind\b|de plus que|de moins que|"
        r"günstiger|teurer|billiger|länger|kürzer|älter|jünger|schneller|langsamer|höher|niedriger|größer|kleiner|"
        r"schwerer|leichter|plus cher|moins cher|más caro|más barato|brecha|diferen|différen|écart|\bswing\b|引い|引く|"
        r"安く|安い|schrumpf|verlänger|verkürz|\blegte|\bfehlt|\bfehlen|allong|raccourc|\bgagn|\bperd|recul|repli|"
        r"progress|\bmanque|exceed|réduc|reduc|reduj|dépass|exced|exceso|superávit|ahorr|économi|falta|sobra|ganó|avanz|retroce"
    ),
    "product": (
        r"times|each|\bper\b|×|\*|cost|total|worth|\bvalue|equal|convert|=|price|\bat [$€£¥0-9]|\bby [0-9]|"
        r"乗|掛|で|合計"
    ),
    "ratio": (
        r"times|[0-9]×|[0-9]x\b|ratio|half|twice|double|triple|\bper\b|every|each|÷|/|densi|divid|proportion|multiple|"
        r"\bje\b|\bpro\b|"
        r"\ba game\b|\ba match\b|\ban hour\b|\ba day\b|\ba week\b|\ba month\b|\ba year\b|\ba head\b|apiece|\bfois\b|"
        r"\bpar\b|\bpor\b|\bal año\b|\bal mes\b|\bal día\b|multipli|verdoppel|verdreif|doble|"
        rf"\bveces\b|\bvolte\b|mal so|fache|倍|比|当たり|あたり|率|{_MEAN}"
    ),
    "mean": (
        r"a year\b|per year|a month\b|per month|a day\b|per day|a week\b|per week|pro jahr|pro monat|pro tag|"
        rf"{_MEAN}"
    ),
    "minimum": r"min|lowest|smallest|least|最小|最低|最少",
    "maximum": r"max|highest|largest|most|最大|最高|最多",
    "years": r"year|\bage|later|after|before|earlier|since|between|lasted|older|younger|span|年|歳|才",
}
_OF_CHANGES = regex(  # heads alone
    r"δ|\bdiff|\by(?:oy|/y)|\bq(?:oq|/q)|\bvs\b|\+/[-−]|前年比|前期比|"
    r"profit|gewinn|bénéfice|利益|balance|saldo|残高"
)
Hints: TypeAlias = tuple[tuple[str, re.Pattern[str] | None], ...]
_LONGEST = 300  # characters of a question that are looked at
_UNHINTED = frozenset(("percent", "share", "count", "subtotal"))  # the unit or the noun of the figure says enough


def _alternatives(pattern: str) -> Hints:
    """The letters of each alternative, with its pattern where it has more than letters.

    Texts are searched for letters in a tenth of the time that an alternation takes.
    """
    found: list[tuple[str, re.Pattern[str] | None]] = []
    for one in pattern.split("|"):
        letters = max(re.split(r"\\b|\[[^]]*\](?:\{[0-9]\})?", one), key=len).replace("\\", "")
        found.append((letters, None if letters == one.replace("\\", "") else re.compile(one)))
    return tuple(found)


_HINTS = {kind: _alternatives(pattern) for kind, pattern in _PATTERNS.items()}


def hints_in(lower: str) -> Mapping[str, Hints]:
    """The hints whose letters a text in lower case has: any part of it can have no others."""
    return {kind: tuple(word for word in words if word[0] in lower) for kind, words in _HINTS.items()}


def kinds_hinted(lower: str, hints: Mapping[str, Hints] = _HINTS) -> frozenset[str]:
    """The kinds of steps that a sentence in lower case can speak of: of differences where something rose."""
    kinds = [kind for kind, words in hints.items() if _is_hinted(words, lower)]
    return _UNHINTED.union(kinds, ("difference",) if "difference" not in kinds and tells_apart(lower) else ())


def _is_hinted(words: Hints, lower: str) -> bool:
    found = [pattern for letters, pattern in words if letters in lower]
    return any([pattern is None or pattern.search(lower) is not None for pattern in found])


def says_change(head: str) -> bool:
    """Whether the head of a column, in lower case, says by a sign or in short that it has changes: "Δ", "YoY"."""
    return _OF_CHANGES.search(head) is not None


@dataclass(frozen=True)
class Question:
    """What the person asked, in lower case: a line, or several that each ask for something else."""

    lower: str

    @cached_property
    def _lines(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        return [(tokens(line), kinds_hinted(line)) for line in self.lower.split("\n")]

    def kinds(self, around: Callable[[], frozenset[str]]) -> frozenset[str]:
        """The kinds of steps that those lines speak of which share most words with a sentence: all, if none does."""
        return frozenset[str]().union(*(self._lines[number][1] for number in self._meant(around)))

    def line(self, around: Callable[[], frozenset[str]]) -> str:
        """The line that a sentence answers; "" where several may be meant."""
        meant = self._meant(around)
        return self.lower.split("\n")[meant[0]][:_LONGEST] if len(meant) == 1 else ""

    def _meant(self, around: Callable[[], frozenset[str]]) -> list[int]:
        """The lines that share most words with a sentence: all, if none does."""
        said = around() if len(self._lines) > 1 else frozenset[str]()
        shared = [len(words & said) for words, _ in self._lines]
        return [number for number, count in enumerate(shared) if count == max(shared)]
