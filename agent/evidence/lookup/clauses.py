"""What an answer says around a claim: in its clause, in its sentence, before it, in the question."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from agent.evidence.kept import kept
from agent.evidence.lookup.abbreviations import abbreviations_in, in_full
from agent.evidence.lookup.context import NAME, Answer, label_before
from agent.evidence.sources import Sources
from agent.evidence.tables.cell_words import stems_in, token_places, tokens, words_of_said_day
from agent.evidence.tables.digits import YEARS, is_year
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from agent.text.quantities.claim_words import ALIASES, MONTHS
from agent.text.quantities.day_mentions import Day
from agent.text.regex import regex

_BEFORE = 300  # characters before a sentence that may name what it speaks of
_EARLIER = regex(r"\b(?:day|week|month|quarter|year) (?:before|earlier)\b|\byesterday\b")
_PREVIOUS = tokens("previous prev prior")  # as heads say it
_WHOLE = tokens("total overall career record altogether combined")
_PICKS = regex(
    r"\b(?:(?:first|last)(?! quarter| half)|"
    r"(?!west|east|rest|best known|latest\b|interest|forest|guest|test|request|invest|harvest|contest)"
    r"[a-z]{3,12}est|erste\w*|letzte\w*|premi[eè]re?|derni[eè]re?|primer[oa]?|últim[oa])\b|最"
)
_OF_ALL = regex(r"[0-9] (?:out )?of (?:the|its|their|all|a total of) $")
_PART_OF = regex(r"[0-9] (?:out )?(?:of|von|sur) $")  # "27 of 29 passed": what stands behind is of the first
_OUT_OF = regex(r" (?:out )?of (?:(?:the|its|their|all|a total of) )?")  # "96 of the 212 seats": both are of seats
_OF_WHOLE = regex(r"(?<=%|t) of ((?:the |its |their )*(?:total|overall|whole) [^\W\d_]+|all [^\W\d_]+)")  # a share
_DIGIT = regex(r"[0-9]")
_BEHIND = regex(r"[0-9][0-9.,]{0,20}[ \u00a0-]?((?:[^\W\d_]{1,40} ?){0,3})")
_NOUN = regex(r"[ \u00a0-]([^\W\d_]{1,40})")
_NUMBER_OF = regex(r"([^\W\d_]{4,40}) of (?:(?:only|just|about|nearly|over) )?[$€£¥]?$")
_NUMBER = regex(r"(?<![0-9.,])[0-9][0-9.,]{0,20}(?:[ \u00a0-]?[^\W\d_]{1,40}[²³]?|[ ]?%)?")
_COUNTED = regex(r"(?<![0-9.,])(?!(?:1[5-9]|20)[0-9]{2}(?![0-9]))[0-9][0-9.,]{0,20}[ \u00a0-]?([^\W\d_]{1,40})")
_SEVERAL = regex(
    r"[ \u00a0](?:[^\W\d_]{3,}s|people|men|women|children)\b(?<! this)(?<! does)(?<! dans)|"
    r"[人名本台件回円個冊匹社店軒戸枚頭]"
)
_OF_YEARS = regex(  # "in 1974 people", "the 1974 games", "in 1973 and 1974"
    r"\b(?:in|since|until|till|from|by|of|to|year|between|[0-9]{4} (?:and|or)|during|before|after|early|late|mid|for|"
    r"the|an?|his|her|its|their|our|this|that|season|im|seit|ab|en|depuis|desde|[^\W\d_]+['’]s?)[ ]$|^$|"
    r"(?:[(.\n–-]|[0-9],)[ ]?$",
    re.I,
)
_OF_ONE_TIME = regex(  # before a year with several things behind it: "in 1974 people", "the 1974 games"
    r"\b(?:in|by|since|until|till|from|between|[0-9]{4} (?:and|or|to)|during|before|after|year|early|late|mid|season|"
    r"the|his|her|its|their|our|this|that|im|seit|ab|en|depuis|desde|[^\W\d_]+['’]s?)[ ]$",
    re.I,
)
_SHORTEST = 3  # letters of a country, and one more
_HAS = regex(r"\b(?:has|have|had|only)[ ]$", re.I)
_APART = regex(  # behind what two are apart: "12 more crew than", "25 m longer than"
    r" (?:(?!is |was |are |were |has |and )[^\s,.;]+ ){0,2}"
    r"(?:more|fewer|less|(?!number|other|over|under)[a-z]{3,}er)\b(?: [^\s,.;]+){0,3} than "
)
_THAN = regex(r" (?:than|that of|those of) ")
_NUMBERED = regex(r"\b(?:number|no\.|nr\.?|ranked|position)[ ]$", re.I)  # "number 1998" is no year
_YEAR_BEHIND = regex(r"年(?![間後前生以連ぶ物分目齢半])")
_IN_YEAR = regex(r"[^0-9.;,\n]{0,25}?\b(?:in|en|im Jahr) ((?:1[5-9]|20)[0-9]{2})\b")
_RIGHT_IN_YEAR = regex(r" (?:in|en|im Jahr) (?:1[5-9]|20)[0-9]{2}\b")  # "2008 in 2024" is no year
_WHEN = regex(  # "in 1998", "May 1998", "14 May, 1998"
    r"\b(?:in|since|until|till|seit|bis|depuis|en|desde|"
    r"(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)(?: [0-9]{1,2},)?) $",
    re.I,
)
_ENDS = regex(r"[.,;)]?(?:\s|$)(?! ?of\b)(?:and |und |et |y |with |s?he |it |they |$|(?<=[.,;)] ))")
_INITIALS = regex(r"\b[A-Z][a-z]+(?: (?:of |and )?[A-Z][a-z]+){1,3}\b")  # "United States" of a column "US"
_OPENS = regex(r"\s*[^\W\d_]+ ")  # one word before a claim
_MOST_OF = 16  # characters of an "of" with what may stand behind it: "of a total of "
_FEW = 2  # spaces behind a claim, before its unit
_PEOPLES = {  # what rows call the country of "Dutch": "Netherlands", "NED"
    name.capitalize(): tokens(" ".join(names).lower())
    for names in ALIASES
    for name in names
    if name.isalpha() and name.islower() and len(name) > _SHORTEST
}
_QUARTER = regex(  # of a row or a column "Q1"
    r"\b(?:(first|1st|erste[nrs]?|1\.|premier|1er|primer)|(second|2nd|zweite[nrs]?|2\.|deuxième|2e|segundo)|"
    r"(third|3rd|dritte[nrs]?|3\.|troisième|3e|tercer)|(fourth|4th|vierte[nrs]?|4\.|quatrième|4e|cuarto)) "
    r"(?:quarter|quartal|trimestre)\b|第(?:([1一])|([2二])|([3三])|([4四]))四半期",
    re.I,
)
_PART = regex(r"[;:()（）\n、。；]|,(?![0-9])| (?:and|while|but|whereas|versus|vs\.?|compared|und|et|y|e) ")
_NEXT = regex(  # "68.5% of the vote to Lund's 31.3%", "540 votes against Lund's 310", "shorter than the Heron"
    _PART.pattern + r"| to (?=[^\W\d_][^0-9.]{2,40}[0-9])|(?<= )[^\W\d_]+['’]s? (?=[$€£¥]?[0-9])|"
    r" than (?!(?:\S+ ){0,2}[$€£¥]?[0-9])"
)
_ASIDE = regex(
    r"%?(?: ?[^\W\d_(（]{1,40}){0,2} ?[(（]([^()（）\n]{1,120})[)）]"
)  # "1,240 hives (in 2015)", "54% (620 votes)"


class Words(NamedTuple):
    """What an answer says around a claim.

    In its ``sentence`` (``sentence_names`` are those with a capital); in its clause (``near``, ``names``), in that and
    the one before it (``back``), and up to the next numbers there (``close``); right behind other numbers, months apart
    (``counted``); before the sentence or in the question (``wide``). ``told`` stand before the claim in its clause,
    ``noun`` stands right behind it and its unit, ``behind`` are the first words behind its digits as they stand,
    ``head`` is the noun that it is the number of ("a majority of 540"). ``whole`` tells whether it is said to be all
    ("96 of the 212", "a career record of"), ``of_all`` as in the first. ``picks`` is the word that picks one of several
    ("the lowest", "the first"), ``shared`` say what it is a share of ("5% of total sales").
    ``counts`` tells that more than one thing stands right behind it, so that it is no year ("1974 people"),
    ``years`` is the year right behind it ("12 in 2019"), else what its sentence says;
    ``dated`` that a word before it may say that it is one ("in 1974", "the 1974 games"), ``when`` that it must be.
    ``around`` are all words of its sentence, with those that it is compared with ("shorter than the Heron"), ``aside``
    stand in brackets right behind it ("1,240 hives (in 2015)"), ``label`` in bold at the start of its paragraph
    ("**Profit.** Frozen made 4,860"). ``in_cell``: in a table of the answer.
    """

    sentence: frozenset[str]
    near: frozenset[str]
    close: frozenset[str]
    counted: frozenset[str]
    wide: frozenset[str]
    told: frozenset[str] = frozenset()
    noun: frozenset[str] = frozenset()
    behind: tuple[str, ...] = ()
    head: frozenset[str] = frozenset()
    whole: bool = False
    of_all: bool = False
    back: frozenset[str] = frozenset()
    sentence_names: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    picks: str = ""
    shared: frozenset[str] = frozenset()
    counts: bool = False
    dated: bool = False
    when: bool = False
    years: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    in_cell: bool = False

    @property
    def stated(self) -> frozenset[str]:
        """The other numbers of its sentence."""
        return frozenset(word for word in self.sentence if word[:1].isdigit())

    @property
    def stated_near(self) -> frozenset[str]:
        """Those that the words near it may be of as well; none in a cell, whose head is of it alone."""
        return frozenset[str]() if self.in_cell else self.stated


_NONE = frozenset[str]()
NO_WORDS = Words(_NONE, _NONE, _NONE, _NONE, _NONE)


@dataclass(frozen=True)
class Clauses:
    """The words of an answer, ``whole`` is it with its headings, and the ``days`` that it says."""

    answer: Answer
    whole: str
    question: str
    sources: Sources
    days: tuple[Day, ...] = ()

    @cached_property
    def _places(self) -> tuple[list[int], list[frozenset[str]]]:
        found = token_places(self.whole)
        for start, end, _ in [one for one in found if self.whole[one[0]].isupper()]:
            if words := _PEOPLES.get(self.whole[start:end]) or _PEOPLES.get(self.whole[start : end - 1]):
                found.append((start, end, words))
        letters = ((match.span(), "".join(filter(str.isupper, match[0]))) for match in _INITIALS.finditer(self.whole))
        found += [(*span, stems_in(said.lower())) for span, said in letters]
        for match in _QUARTER.finditer(self.whole):
            found.append((*match.span(), frozenset(("q", str(((match.lastindex or 1) - 1) % 4 + 1)))))
        found += [(*match.span(), _PREVIOUS) for match in _EARLIER.finditer(self.whole)]
        for match in abbreviations_in(self.whole):
            said = {tokens(words) for _, words in in_full(match[0], self.sources)}
            if len(said) == 1:  # of several rows the letters say none
                found.append((*match.span(), said.pop()))
        for one in self.days:  # as data writes it, at its end: "2." seems to end a sentence
            found.append((one.end - 1, one.end, words_of_said_day(one, one.year or self.sources.year_of(one))))
        found.sort(key=lambda one: one[0])
        return [start for start, _, _ in found], [words for _, _, words in found]

    @cached_property
    def _tables(self) -> list[Table]:
        return [one for one in tables_in(self.whole) if one.heads] if "|" in self.whole else []

    def _in_table(self, start: int, end: int) -> tuple[frozenset[str], ...] | None:
        """For a claim in a table of the answer the words of its row's label, of its column's head and around it."""
        table = next((one for one in self._tables if one.start <= start < one.end), None)
        cell = table.cell_at(start) if table is not None else None
        if table is None or cell is None or cell.row < table.heads or not cell.column:
            return None
        first, head = table.rows[cell.row][0], tokens(table.column_heads[cell.column])
        return (
            self._between(first.start, first.end),
            head,
            self._between(cell.start, start) | self._between(end, cell.end),
        )

    @cached_property
    def _asked(self) -> frozenset[str]:
        return tokens(self.question)

    @cached_property
    def _counted(self) -> list[tuple[int, int, int]]:
        """Where numbers start, and the words right behind them, years apart."""
        found = _COUNTED.finditer(self.whole)
        return [(match.start(), *match.span(1)) for match in found if match[1].lower() not in MONTHS]

    def _between(self, start: int, end: int) -> frozenset[str]:
        starts, rest = self._places
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        return _NONE.union(*rest[first:last])

    @kept
    def words(self, start: int, end: int) -> Words:
        """The words around a claim."""
        left, right = self.answer.sentence(start)
        left, right = max(left, start - _BEFORE), min(right, end + _BEFORE)
        ahead = self._between(left, start)
        behind_it, around = self._behind(end, right)
        before, begin, stop = _clause(self.whole, start, end, left, right)
        told = self._between(begin, start)
        near, close = told | self._between(end, stop), self._close(start, end, begin, stop)
        if (headed := self._in_table(start, end)) is not None:
            near, close = _NONE.union(*headed), headed[-1]
        counted = frozenset(
            word
            for number, first, last in self._counted[
                bisect_left(self._counted, (left,)) : bisect_left(self._counted, (right,))
            ]
            if not (start <= number < end or _OUT_OF.fullmatch(self.whole, end, number))
            for word in self._between(first, last)
        )
        wide = self._between(max(0, left - _BEFORE), left) | self._asked
        behind = tuple(after[1].lower().split()) if (after := _BEHIND.match(self.whole, start)) is not None else ()
        before_it = self.whole[max(left, start - _MOST_OF) : start]
        of = _NUMBER_OF.search(self.whole, left, start) if " of " in before_it else None
        head = tokens(of[1].lower()) if of is not None else _NONE
        noun = tokens(word[1].lower()) if (word := _NOUN.match(self.whole, end)) is not None else _NONE
        if _PART_OF.search(before_it) is not None:
            near, close, behind_it, noun = near - noun, close - noun, behind_it - noun, _NONE
        of_all = "of " in before_it and _OF_ALL.search(self.whole, left, start) is not None
        earlier = self._between(before, begin)
        years = frozenset(filter(is_year, earlier))
        back = near | (earlier - years if len(years) > 1 else earlier)  # "from 1917 to 1932" names no row of a year
        of_whole = _OF_WHOLE.match(self.whole, end)
        sentence_names, picks = self._of_sentence(left, right)
        dated, counts = self._dated(start, end)
        return Words(
            sentence=(sentence := ahead | behind_it),
            around=ahead | around,
            near=near,
            aside=self._between(*aside.span(1)) if (aside := _ASIDE.match(self.whole, end, right)) else _NONE,
            label=self._between(*label_before(self.whole, left, start)),
            close=close,
            counted=counted - close,
            wide=wide,
            told=told,
            noun=noun,
            behind=behind,
            head=head,
            whole=of_all or bool(near & _WHOLE),
            of_all=of_all,
            back=back,
            sentence_names=sentence_names,
            names=self._names(begin, stop) & near,
            picks=picks,
            shared=tokens(of_whole[1].lower()) if of_whole is not None else frozenset(),
            counts=counts,
            dated=dated,
            in_cell=headed is not None,
            when=self._is_when(start, end),
            years=frozenset((year[1],)) if (year := _IN_YEAR.match(self.whole, end)) else sentence,
        )

    @kept
    def _of_sentence(self, left: int, right: int) -> tuple[frozenset[str], str]:
        """The words with a capital of a sentence, and the one that picks one of several; claims share a sentence."""
        picks = _PICKS.search(self.answer.lower, left, right)
        return self._names(left, right), picks[0] if picks is not None else ""

    def _behind(self, end: int, right: int) -> tuple[frozenset[str], frozenset[str]]:
        """The words behind a claim up to the end of its sentence but for what it is compared with, and all of them."""
        around = self._between(end, right)
        than = _THAN.search(self.whole, end, right)
        if than is None:
            return around, around
        rest = _PART.search(self.whole, than.end(), right)
        behind = self._between(end, than.start()) | (self._between(rest.end(), right) if rest is not None else _NONE)
        return behind, around

    def _dated(self, start: int, end: int) -> tuple[bool, bool]:
        """Whether a word before a claim may say that it is a year, and whether it counts or numbers something."""
        blank, begin = self.whole[start - 1 : start] == " ", max(0, start - 12)
        numbered = blank and (_NUMBERED.search(self.whole, begin, start) or _HAS.search(self.whole, begin, start))
        if numbered or _RIGHT_IN_YEAR.match(self.whole, end) is not None:
            return False, True
        several = _SEVERAL.match(self.whole, end) is not None and self.whole[end - 1 : end] != "年"
        dated = _OF_YEARS.search(self.whole, max(0, start - 24), start) is not None
        dated = dated or self.whole.startswith(("'s ", "’s "), end)  # "2009's best film"
        amount = several and _OF_ONE_TIME.search(self.whole, max(0, start - 24), start) is None  # "room for 1987 cars"
        return dated and not amount, several and not dated

    def _is_when(self, start: int, end: int) -> bool:
        """Whether only a year can stand there: "in 1998.", 1998年に."""
        if self.whole[end - 1 : end] == "年":
            end -= 1
        if _YEAR_BEHIND.match(self.whole, end) is not None:
            return True
        blank = self.whole[start - 1 : start] == " "
        before = _WHEN.search(self.whole, max(0, start - 16), start) if blank else None
        return before is not None and _ENDS.match(self.whole, end) is not None

    def _names(self, start: int, end: int) -> frozenset[str]:
        """The words with a capital between two places."""
        found = NAME.finditer(self.whole, start, end)
        return frozenset(word for match in found for word in self._between(*match.span()))

    def _close(self, start: int, end: int, begin: int, stop: int) -> frozenset[str]:
        """The words of the clause that stand between the numbers next to the claim."""
        before = max((match.end() for match in _NUMBER.finditer(self.whole, begin, start)), default=begin)
        after = _DIGIT.search(self.whole, end, stop)
        return self._between(before, start) | self._between(end, after.start() if after is not None else stop)

    def years(self, position: int) -> frozenset[str]:
        """The years that the sentence around a place says."""
        return self._years_in(*self.answer.sentence(position))

    @kept
    def _years_in(self, left: int, right: int) -> frozenset[str]:
        return frozenset(YEARS.findall(self.whole, left, right))


def _clause(text: str, start: int, end: int, left: int, right: int) -> tuple[int, int, int]:
    """The piece of a sentence between the signs and linking words next to a claim, and where the one before starts."""
    before = begin = left
    for match in _PART.finditer(text, left, start - (text[start - 1 : start] in "((（")):
        before, begin = begin, match.end()
    apart = _APART.match(text, end, right)
    stop = _NEXT.search(text, apart.end() if apart is not None else end, right)
    if stop is not None and _OPENS.fullmatch(text, left, start) and text[end : stop.start()].count(" ") < _FEW:
        stop = _NEXT.search(text, stop.end(), right)  # "At 640 m, Grey Tor is lower": of what comes behind
    return before, begin, stop.start() if stop is not None else right
