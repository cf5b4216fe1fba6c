"""One percentage of one amount, one amount among so many, and what is left of a part, told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from agent.text.plainly.told_words import (
    AFTER_TAX,
    AMOUNT,
    ASKING,
    EACH_ASKED,
    FIGURE,
    PERCENT_TOLD,
    SHARE_TURNS,
    SPANS_TOLD,
    sign_of,
)
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_ON = regex(
    r"\b(?:raise[ds]?|rise|rises|rose|increas\w+|goes up|go up|went up|going up|marks? up"
    r"|marked up|mark-?up|plus|on top|added|adds?|extra|vat|tax|gst|tip|service|surcharge"
    r"|grows?|grew|put up|higher|more)\b"
)


_OFF = regex(
    r"\b(?:off|discount\w*|reduc\w+|sale|fell|falls?|drop\w*|cut|cuts|knock\w*|less|decreas\w+"
    r"|rebate|cheaper|goes down|went down|lower\w*|loses?|lost|depreciat\w+|shrank|shrinks?"
    r"|deduct\w*)\b"
)


_NEW = regex(
    r"\b(?:new|now|selling|sale|final|pay|cost|costs|total|altogether|in all|end up|come to"
    r"|comes to|after (?:that|the)|will (?:it|that|they) be|would (?:it|that) be|be worth"
    r"|worth"
    r"|owe|earn|set me back|charge|price|rent|salary|get for it)\b"
)


_PART = regex(
    r"\bhow much (?:is|are|was|would|will) (?:the|my|our|his|her|that"
    r"|it) ?(?P<k>[a-z]+)?\b(?! (?:now|cost|altogether|after))|\bhow much (?:do|does|did|will"
    r"|would|should|can) (?:i|we|he|she|they|you) "
    r"(?P<verb>save|spend|put|give|tip|lose|set aside|deduct|donate|invest|contribute|get off"
    r"|keep aside|need to (?:save|put|set)|be saving|be putting)\b|\bhow much (?:is"
    r"|does) (?:that|it)(?: (?:in|come to|make|be))?(?: [a-z]+)?\W*$"
    r"|\bwhat(?:'s| is| was) (?:the|my) (?P<j>tip|vat|tax|discount|deposit|commission|saving"
    r"|fee|rent|raise|rise|increase|reduction)\b(?! (?:price|now))"
)


def _one_percent(text: str) -> Iterator[str]:
    """ "The TV is 649 but there's 15% off. New price?", "I spend 38% of 2450 on rent. How much is the rent?"."""
    if (
        (said := _ADD_IT.search(text))
        and len(re.findall(r"\d+(?:\.\d+)?", text)) == 2
        and not SHARE_TURNS.search(re.sub(r"\bnet\b|\bbefore (?:tax|vat)\b", " ", text))
    ):
        amount = next(one for one in AMOUNT.findall(PERCENT_TOLD.sub(" ", text)) or [""])
        yield (
            f"what is {sign_of(text)}{amount} {'plus' if said['way'].startswith('add') else 'minus'} {said['p']}%"
            if amount
            else ""
        )
    if said := _PART_OFF.fullmatch(text.strip(" ?.!")):
        yield f"what is {said['n']} - {said['n']} * {said['a']} / {said['b']}"
    shares, asked = list(PERCENT_TOLD.finditer(text)), ASKING.search(text)
    rest = PERCENT_TOLD.sub(" ", text)
    figures = list(AMOUNT.finditer(rest))
    if len(shares) != 1 or len(figures) != 1 or asked is None or re.search(r"\d", asked[0]) or SHARE_TURNS.search(rest):
        return
    if len(re.findall(r"\d+(?:\.\d+)?", rest)) != 1:
        return
    told = rest[: max(0, len(rest) - len(asked[0]))]
    if set(SPANS_TOLD.findall(asked[0])) - set(SPANS_TOLD.findall(told)):
        return
    amount, percent = f"{sign_of(text)}{figures[0][1]}", shares[0]["p"]
    on, off = _ON.search(told) is not None, _OFF.search(told) is not None
    part, new = _PART.search(asked[0]), _NEW.search(asked[0])
    if part and _is_part(part, text, shares[0]):
        yield f"what is {percent}% of {amount}"
    elif new and not part and on != off:
        yield f"what is {amount} {'plus' if on else 'minus'} {percent}%"


_ADD_IT = regex(
    r"\b(?P<way>add|adding|take off|knock off|deduct|minus|less) (?:an? |the "
    r"|another )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent)(?: (?:vat|tax|gst|tip|service|discount"
    r"|off|on top))?[ .!?]*(?:please)?[ .!?]*$"
)


_PART_OFF = regex(rf"(?:what(?:'s| is) |how much is )?(?P<a>\d)/(?P<b>\d) off (?:of )?[$€£]?(?P<n>{FIGURE})")


def _is_part(part: re.Match[str], text: str, share: re.Match[str]) -> bool:
    """Whether what is asked for stands beside the percentage: 38% goes on the rent, and the rent is asked for."""
    named = part["k"] or part["j"]
    if named in (None, "") or part["verb"]:
        return (
            bool(part["verb"])
            or re.search(r"% (?:of|goes|on|for|is)\b|percent (?:of|goes|on|for|is)\b", text) is not None
        )
    near = text[max(0, share.start() - 25) : share.end() + 25]
    return (re.search(rf"\b{re.escape(named)}\b", near) is not None and text.count(named) > 1) or named in (
        "tip",
        "vat",
        "tax",
        "discount",
        "deposit",
        "commission",
    )


_PEOPLE = (
    r"(?:people|persons?|of us|of them|friends|guests|kids|children|grandchildren|adults"
    r"|players|pupils|students|colleagues|mates|flatmates|housemates|roommates|members"
    r"|families"
    r"|couples|brothers|sisters|siblings|cousins|girls|boys|men|women|neighbours|neighbors"
    r"|lads|ladies|teammates|heirs|sons|daughters|partners|workers|employees|classmates|riders"
    r"|diners)"
)


_COUNT = regex(
    rf"(?<![\w.,$€£])(?P<n>\d+) (?:[a-z]+ )?{_PEOPLE}\b|\bwe(?:'re"
    r"| are) (?P<m>\d+)\b(?! (?:years|km|minutes|hours|days))"
    r"|\b(?:dinner|lunch|breakfast|brunch|meal|bill|pizzas?|drinks|taxi|cab|cottage|takeaway|tickets) for (?P<q>\d+)\b"
    r"(?= (?:came|comes|was|is|cost|costs)\b)"
)


_EQUALLY = regex(
    r"\b(?:equally|evenly|split\w*|shar\w+|divid\w+|between|among|chip in|club together"
    r"|clubbed together|inherit\w*|go(?:es|ing)? halves|each|apiece|per (?:person|head)"
    r"|everyone|one person)\b"
)


_NO_SHARE = regex(
    r"\b(?:not|except|without|half|twice|double|tip|tax|vat|off|discount|only|more|less|left"
    r"|another|other|already|then|after|before|if|or|than|plus|minus|and i|cost(?:s)? each"
    r"|pays? for|treat\w*"
    r"|others|nothing|nobody|no one|of us and|and (?:his|her|my|our|their)|needs?|eats?"
    r"|drinks?|wants?|has|have|costs?|at|per (?:kg|hour|day|week|month|litre|night)|a (?:day"
    r"|night|week|month)|rest|remain\w*|average|ratio|increase|how many)\b|n['’]t\b|%"
)


def _among(text: str) -> Iterator[str]:
    """ "Three brothers inherit 45,000 equally. How much does each get?"."""
    counts, figures = list(_COUNT.finditer(text)), AMOUNT.findall(text)
    asked = ASKING.search(text)
    if (
        len(counts) != 1
        or len(figures) != 2
        or asked is None
        or not EACH_ASKED.search(asked[0])
        or not (_EQUALLY.search(text) or counts[0]["q"])
    ):
        return
    number = counts[0]["n"] or counts[0]["m"] or counts[0]["q"]
    if re.match(r" and (?!how|what|we|they|share|split|each|want)", text[counts[0].end() :]):
        return
    rest = _COUNT.sub(" ", text)
    amount = next((one for one in figures if one != number), "")
    if (
        not amount
        or not int(number)
        or _NO_SHARE.search(re.sub(r"\bdoes each (?:person |one )?(?:have to )?", " ", rest).replace("have to", " "))
    ):
        return
    if re.search(rf"{re.escape(amount)} (?:each|apiece|per)\b", text) or Decimal(amount) < int(number):
        return
    behind = re.search(rf"{re.escape(amount)} ?([a-z]+)", text)
    if behind and measure_of(behind[1]) and behind[1] not in ("pound", "pounds"):
        return
    yield (
        f"what is {sign_of(text)}{amount} / {number}"
        if not sign_of(text)
        else f"split {sign_of(text)}{amount} between {number}"
    )


_OF_ALL = regex(
    r"(?:^|[.;,] ?)(?:out )?of (?:the |my |our |all |these |those "
    r"|a total of )?(?P<b>\d+)(?: [a-z]+){1,4}?,? (?:only |just |there were |i got "
    r"|we got )?(?P<a>\d+)\b"
)


_PERCENT_ASKED = regex(
    r"\b(?:what|how many|in|as an?|which)(?: the)? (?:percent(?:age)?|per cent|%)(?: (?:is|was"
    r"|of) (?:that|it|them|this)| is it| were (?:they|those)| did (?:i|we|they))?[ ?.!]*$"
)


def _of_all(text: str) -> Iterator[str]:
    """ "Of 240 emails 36 were spam, what percentage?"."""
    said = _OF_ALL.search(text)
    if (
        said is None
        or len(AMOUNT.findall(text)) != 2
        or not _PERCENT_ASKED.search(text)
        or re.search(r"\bnot\b|n't\b|\brest\b|\bothers?\b|%.*%", text)
    ):
        return
    if int(said["a"]) <= int(said["b"]):
        yield f"{said['a']} is what percent of {said['b']}"


_BY_HOW_MUCH = regex(
    r"\bby how much\b|\bhow much (?:has|have|had) (?:it|he|she|they|i|that|the [a-z]+"
    r"|my [a-z]+) (?:grown|gained|lost|risen|gone up|gone down|put on|shrunk|changed|fallen"
    r"|dropped|gone)\b|\bhow much (?:more|less|higher|lower|did (?:it|that|they|the [a-z]+"
    r"|my [a-z]+|i) (?:go|rise|fall|drop|increase|grow|lose|gain))\b"
    r"|\bwhat(?:'s| is| was) the (?:difference|increase|rise|drop|decrease|change)\b"
    r"|\bhow much of an? (?:increase|rise|drop|difference)\b"
)


_NO_APART = regex(
    r"\b(?:each|per|every|times|twice|half|percent|percentage|another|third|total|both"
    r"|together|if|average|an? (?:hour|day|week|month|year|kg|kilo)|for \d+|hours?|minutes?"
    r"|after|until|weekly|daily)\b|n['’]t\b|%|\bnot\b"
)


def _apart(text: str) -> Iterator[str]:
    """ "It was 84.20 in October and 97.60 in November, by how much did it go up?"."""
    figures, asked = AMOUNT.findall(text), _BY_HOW_MUCH.search(text)
    if len(figures) != 2 or len(re.findall(r"\d+(?:\.\d+)?", text)) != 2 or asked is None or _NO_APART.search(text):
        return
    behind = [re.search(rf"{re.escape(one)} ?([a-z]+)", text) for one in figures]
    units = {measure_of(found[1])[0] if found and measure_of(found[1]) else None for found in behind}
    units = units - {None} or {None}
    if len(units) != 1:
        return
    less, more = sorted(figures, key=Decimal)
    unit = next(iter(units))
    name = f" {unit.name}" if unit and not sign_of(text) else ""
    yield f"what is {sign_of(text)}{more}{name} - {sign_of(text)}{less}{name}"


_GIVEN_ME = regex(
    rf"\b(?:gave|sent|lent|handed|slipped) me [$€£]?(?P<a>{FIGURE})|\bi (?:found|won|received"
    rf"|earned|got) [$€£]?(?P<b>{FIGURE})"
)


_ALREADY = regex(
    rf"\bi (?:already )?(?:had|have)(?: already)? [$€£]?(?P<c>{FIGURE})"
    rf"|\bi['’]ve (?:already )?(?:got|saved) [$€£]?(?P<d>{FIGURE})"
)


_HAVE_NOW = regex(
    r"\bhow much (?:money )?(?:do i have|have i got|is that|does that make)(?: (?:now|in total"
    r"|altogether|all together|in all|all up))*\W*$"
)


def _together(text: str) -> Iterator[str]:
    """ "Grandma gave me 50 and I already had 35.40. How much do I have?"."""
    given, had = list(_GIVEN_ME.finditer(text)), list(_ALREADY.finditer(text))
    if len(given) != 1 or len(had) != 1 or len(AMOUNT.findall(text)) != 2 or not _HAVE_NOW.search(text):
        return
    if not re.search(
        r"\b(?:spent|spend|gave (?!me)|paid|bought|lost|owe|not|back|each|per|left|lent (?!me))\b|n['’]t\b", text
    ):
        yield f"what is {sign_of(text)}{given[0]['a'] or given[0]['b']} + {sign_of(text)}{had[0]['c'] or had[0]['d']}"


_PARTS = {
    "half": (1, 2),
    "a third": (1, 3),
    "one third": (1, 3),
    "two thirds": (2, 3),
    "2 thirds": (2, 3),
    "a quarter": (1, 4),
    "one quarter": (1, 4),
    "three quarters": (3, 4),
    "3 quarters": (3, 4),
    "a fifth": (1, 5),
}


_GONE = regex(
    rf"\b(?P<part>{'|'.join(_PARTS)}) (?:of )?(?:an?|the|my|our|his"
    rf"|her) (?P<n>{FIGURE}) ?(?P<u>[a-z]+) (?:[a-z]+ )?(?:has|have|is|was|are|were|has been"
    r"|had) (?:already |been )?(?:gone|used(?: up)?|eaten|drunk|sold|spent|empty|missing"
    r"|finished|cut off|poured out)\b"
)


def _part_gone(text: str) -> Iterator[str]:
    """ "Two thirds of a 750 g bag has gone. How many grams are left?"."""
    said = _GONE.search(text)
    if (
        said is None
        or len(AMOUNT.findall(text)) != 1
        or not re.search(r"\bhow (?:much|many(?: [a-z]+)?)\b[^?]*\b(?:left|remain\w*)\W*$", text)
    ):
        return
    above, below = _PARTS[said["part"]]
    yield (
        f"what is {said['n']} {said['u']} * {below - above} / {below}"
        if measure_of(said["u"])
        else f"what is {said['n']} * {below - above} / {below}"
    )


def of_shares(text: str) -> Iterator[str]:
    """The plain questions that the telling of a share or a division may come to."""
    plain = in_digits(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()))
    plain = AFTER_TAX.sub(" ", plain)
    for read in (_part_gone, _one_percent, _among, _of_all, _apart, _together):
        yield from read(plain)
