"""One percentage of one amount, one amount among so many, and bills of one price, told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_N = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_FIGURE = regex(rf"(?<![\w.,:/-])[$€£]?({_N})(?!\.?\d|[:/]\d)")
_PERCENT = regex(r"(?<![\d.])(?P<p>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)(?! of \d)", re.I)
_ASKED = regex(r"\b(?:how (?:much|many)|by how much|what|whats|what's|(?:new|selling|sale|final|reduced) (?:price|rent|salary|total)|total)\b(?:[^?.!]|\.(?=\d))*[?.! ]*$")
_AFTER_TAX = regex(r"\b(?:after|before) tax\b|\btake[- ]home\b|\bon (?:black friday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\bnow(?= \d)|\bthis (?:week|month|year)\b")
_TURNS = regex(
    r"\b(?:not|never|no|except|without|half|twice|double|triple|second|third|another|other|others|again|rest|remain\w*|original\w*|already|before|after|was reduced to"
    r"|reduced to|down to|up to|incl\w*|each|per|every|apiece|if not|unless|or|than|between|split|shared?|years|compound\w*|interest|monthly payments?|first|last|then"
    r"|points?|used to|both|also|difference|more expensive|average|until|since|ago|times|voucher|coupon|left over|loss|profit|commission and|whole|full|out of|of which|of them|of these|of whom)\b|n['’]t\b"
)
_ON = regex(r"\b(?:raise[ds]?|rise|rises|rose|increas\w+|goes up|go up|went up|going up|marks? up|marked up|mark-?up|plus|on top|added|adds?|extra|vat|tax|gst|tip|service|surcharge|grows?|grew|put up|higher|more)\b")
_OFF = regex(r"\b(?:off|discount\w*|reduc\w+|sale|fell|falls?|drop\w*|cut|cuts|knock\w*|less|decreas\w+|rebate|cheaper|goes down|went down|lower\w*|loses?|lost|depreciat\w+|shrank|shrinks?|deduct\w*)\b")
_NEW = regex(
    r"\b(?:new|now|selling|sale|final|pay|cost|costs|total|altogether|in all|end up|come to|comes to|after (?:that|the)|will (?:it|that|they) be|would (?:it|that) be|be worth|worth"
    r"|owe|earn|set me back|charge|price|rent|salary|get for it)\b"
)
_PART = regex(
    r"\bhow much (?:is|are|was|would|will) (?:the|my|our|his|her|that|it) ?(?P<k>[a-z]+)?\b(?! (?:now|cost|altogether|after))|\bhow much (?:do|does|did|will|would|should|can) (?:i|we|he|she|they|you) "
    r"(?P<verb>save|spend|put|give|tip|lose|set aside|deduct|donate|invest|contribute|get off|keep aside|need to (?:save|put|set)|be saving|be putting)\b|\bhow much (?:is|does) (?:that|it)(?: (?:in|come to|make|be))?(?: [a-z]+)?\W*$"
    r"|\bwhat(?:'s| is| was) (?:the|my) (?P<j>tip|vat|tax|discount|deposit|commission|saving|fee|rent|raise|rise|increase|reduction)\b(?! (?:price|now))"
)


def of_shares(text: str) -> Iterator[str]:
    """The plain questions that the telling of a share, a bill or a division may come to."""
    plain = in_digits(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()))
    plain = _AFTER_TAX.sub(" ", plain)
    for read in (_chain, _delivered, _each_pays, _part_gone, _one_percent, _among, _of_all, _apart, _together, _change, _with_fixed, _spans):
        yield from read(plain)


def _sign(text: str) -> str:
    signs = (("$", r"\$|\bdollars?\b|\bbucks\b"), ("€", r"€|\beuros?\b"), ("£", r"£|\bpounds?\b|\bquid\b"))
    return next((sign for sign, pattern in signs if re.search(pattern, text)), "")


def _one_percent(text: str) -> Iterator[str]:
    """ "The TV is 649 but there's 15% off. New price?", "I spend 38% of 2450 on rent. How much is the rent?"."""
    if (said := _ADD_IT.search(text)) and len(re.findall(r"\d+(?:\.\d+)?", text)) == 2 and not _TURNS.search(re.sub(r"\bnet\b|\bbefore (?:tax|vat)\b", " ", text)):
        amount = next(one for one in _FIGURE.findall(_PERCENT.sub(" ", text)) or [""])
        yield f"what is {_sign(text)}{amount} {'plus' if said['way'].startswith('add') else 'minus'} {said['p']}%" if amount else ""
    if said := _PART_OFF.fullmatch(text.strip(" ?.!")):
        yield f"what is {said['n']} - {said['n']} * {said['a']} / {said['b']}"
    shares, asked = list(_PERCENT.finditer(text)), _ASKED.search(text)
    rest = _PERCENT.sub(" ", text)
    figures = list(_FIGURE.finditer(rest))
    if len(shares) != 1 or len(figures) != 1 or asked is None or re.search(r"\d", asked[0]) or _TURNS.search(rest):
        return
    if len(re.findall(r"\d+(?:\.\d+)?", rest)) != 1:
        return
    told = rest[: max(0, len(rest) - len(asked[0]))]
    if set(_SPANS_TOLD.findall(asked[0])) - set(_SPANS_TOLD.findall(told)):
        return
    amount, percent = f"{_sign(text)}{figures[0][1]}", shares[0]["p"]
    on, off = _ON.search(told) is not None, _OFF.search(told) is not None
    part, new = _PART.search(asked[0]), _NEW.search(asked[0])
    if part and _is_part(part, text, shares[0]):
        yield f"what is {percent}% of {amount}"
    elif new and not part and on != off:
        yield f"what is {amount} {'plus' if on else 'minus'} {percent}%"


_ADD_IT = regex(r"\b(?P<way>add|adding|take off|knock off|deduct|minus|less) (?:an? |the |another )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent)(?: (?:vat|tax|gst|tip|service|discount|off|on top))?[ .!?]*(?:please)?[ .!?]*$")
_PART_OFF = regex(rf"(?:what(?:'s| is) |how much is )?(?P<a>\d)/(?P<b>\d) off (?:of )?[$€£]?(?P<n>{_N})")
_SPANS_TOLD = regex(r"\b(?:an?|per|each|every|the|this|one) (day|week|month|year|hour)\b")


def _is_part(part: re.Match[str], text: str, share: re.Match[str]) -> bool:
    """Whether what is asked for stands beside the percentage: 38% goes on the rent, and the rent is asked for."""
    named = part["k"] or part["j"]
    if named in (None, "") or part["verb"]:
        return bool(part["verb"]) or re.search(r"% (?:of|goes|on|for|is)\b|percent (?:of|goes|on|for|is)\b", text) is not None
    near = text[max(0, share.start() - 25) : share.end() + 25]
    return re.search(rf"\b{re.escape(named)}\b", near) is not None and text.count(named) > 1 or named in ("tip", "vat", "tax", "discount", "deposit", "commission")


_PEOPLE = (
    r"(?:people|persons?|of us|of them|friends|guests|kids|children|grandchildren|adults|players|pupils|students|colleagues|mates|flatmates|housemates|roommates|members|families"
    r"|couples|brothers|sisters|siblings|cousins|girls|boys|men|women|neighbours|neighbors|lads|ladies|teammates|heirs|sons|daughters|partners|workers|employees|classmates|riders|diners)"
)
_COUNT = regex(rf"(?<![\w.,$€£])(?P<n>\d+) (?:[a-z]+ )?{_PEOPLE}\b|\bwe(?:'re| are) (?P<m>\d+)\b(?! (?:years|km|minutes|hours|days))")
_EQUALLY = regex(r"\b(?:equally|evenly|split\w*|shar\w+|divid\w+|between|among|chip in|club together|clubbed together|inherit\w*|go(?:es|ing)? halves|each|apiece|per (?:person|head)|everyone|one person)\b")
_EACH_ASKED = regex(r"\b(?:each|per (?:person|head|child|guest)|apiece|everyone|everybody|every one of|one person|one of (?:us|them))\b")
_NO_SHARE = regex(
    r"\b(?:not|except|without|half|twice|double|tip|tax|vat|off|discount|only|more|less|left|another|other|already|then|after|before|if|or|than|plus|minus|and i|cost(?:s)? each|pays? for|treat\w*"
    r"|others|nothing|nobody|no one|of us and|and (?:his|her|my|our|their)|needs?|eats?|drinks?|wants?|has|have|costs?|at|per (?:kg|hour|day|week|month|litre|night)|a (?:day|night|week|month)|rest|remain\w*|average|ratio|increase|how many)\b|n['’]t\b|%"
)


def _among(text: str) -> Iterator[str]:
    """ "Three brothers inherit 45,000 equally. How much does each get?"."""
    counts, figures = list(_COUNT.finditer(text)), _FIGURE.findall(text)
    asked = _ASKED.search(text)
    if len(counts) != 1 or len(figures) != 2 or asked is None or not _EACH_ASKED.search(asked[0]) or not _EQUALLY.search(text):
        return
    number = counts[0]["n"] or counts[0]["m"]
    if re.match(r" and (?!how|what|we|they|share|split|each|want)", text[counts[0].end() :]):
        return
    rest = _COUNT.sub(" ", text)
    amount = next((one for one in figures if one != number), "")
    if not amount or not int(number) or _NO_SHARE.search(re.sub(r"\bdoes each (?:person |one )?(?:have to )?", " ", rest).replace("have to", " ")):
        return
    if re.search(rf"{re.escape(amount)} (?:each|apiece|per)\b", text) or Decimal(amount) < int(number):
        return
    behind = re.search(rf"{re.escape(amount)} ?([a-z]+)", text)
    if behind and measure_of(behind[1]) and behind[1] not in ("pound", "pounds"):
        return
    yield f"what is {_sign(text)}{amount} / {number}" if not _sign(text) else f"split {_sign(text)}{amount} between {number}"


_OF_ALL = regex(rf"(?:^|[.;,] ?)(?:out )?of (?:the |my |our |all |these |those |a total of )?(?P<b>\d+)(?: [a-z]+){{1,4}}?,? (?:only |just |there were |i got |we got )?(?P<a>\d+)\b")
_PERCENT_ASKED = regex(r"\b(?:what|how many|in|as an?|which)(?: the)? (?:percent(?:age)?|per cent|%)(?: (?:is|was|of) (?:that|it|them|this)| is it| were (?:they|those)| did (?:i|we|they))?[ ?.!]*$")


def _of_all(text: str) -> Iterator[str]:
    """ "Of 240 emails 36 were spam, what percentage?"."""
    said = _OF_ALL.search(text)
    if said is None or len(_FIGURE.findall(text)) != 2 or not _PERCENT_ASKED.search(text) or re.search(r"\bnot\b|n't\b|\brest\b|\bothers?\b|%.*%", text):
        return
    if int(said["a"]) <= int(said["b"]):
        yield f"{said['a']} is what percent of {said['b']}"


_BY_HOW_MUCH = regex(
    r"\bby how much\b|\bhow much (?:more|less|higher|lower|did (?:it|that|they|the [a-z]+|my [a-z]+|i) (?:go|rise|fall|drop|increase|grow|lose|gain))\b"
    r"|\bwhat(?:'s| is| was) the (?:difference|increase|rise|drop|decrease|change)\b|\bhow much of an? (?:increase|rise|drop|difference)\b"
)
_NO_APART = regex(r"\b(?:each|per|every|times|twice|half|percent|percentage|another|third|total|both|together|if|average|an? (?:hour|day|week|month|year|kg|kilo)|for \d+|hours?|minutes?|after|until|weekly|daily)\b|n['’]t\b|%|\bnot\b")
_IN_PERCENT = regex(r"\b(?:in percent|percentage(?:[- ]wise)?|by what percent(?:age)?|how many percent|in %|as a percentage|percent)\b|%")


def _apart(text: str) -> Iterator[str]:
    """ "It was 84.20 in October and 97.60 in November, by how much did it go up?"."""
    figures, asked = _FIGURE.findall(text), _BY_HOW_MUCH.search(text)
    if len(figures) != 2 or len(re.findall(r"\d+(?:\.\d+)?", text)) != 2 or asked is None or _NO_APART.search(text):
        return
    behind = [re.search(rf"{re.escape(one)} ?([a-z]+)", text) for one in figures]
    units = {measure_of(found[1])[0] if found and measure_of(found[1]) else None for found in behind}
    if len(units) != 1:
        return
    less, more = sorted(figures, key=Decimal)
    unit = next(iter(units))
    name = f" {unit.name}" if unit and not _sign(text) else ""
    yield f"what is {_sign(text)}{more}{name} - {_sign(text)}{less}{name}"


_GIVEN_ME = regex(rf"\b(?:gave|sent|lent|handed|slipped) me [$€£]?(?P<a>{_N})|\bi (?:found|won|received|earned|got) [$€£]?(?P<b>{_N})")
_ALREADY = regex(rf"\bi (?:already )?(?:had|have)(?: already)? [$€£]?(?P<c>{_N})|\bi['’]ve (?:already )?(?:got|saved) [$€£]?(?P<d>{_N})")
_HAVE_NOW = regex(r"\bhow much (?:money )?(?:do i have|have i got|is that|does that make)(?: (?:now|in total|altogether|all together|in all|all up))*\W*$")


def _together(text: str) -> Iterator[str]:
    """ "Grandma gave me 50 and I already had 35.40. How much do I have?"."""
    given, had = list(_GIVEN_ME.finditer(text)), list(_ALREADY.finditer(text))
    if len(given) != 1 or len(had) != 1 or len(_FIGURE.findall(text)) != 2 or not _HAVE_NOW.search(text):
        return
    if not re.search(r"\b(?:spent|spend|gave (?!me)|paid|bought|lost|owe|not|back|each|per|left|lent (?!me))\b|n['’]t\b", text):
        yield f"what is {_sign(text)}{given[0]['a'] or given[0]['b']} + {_sign(text)}{had[0]['c'] or had[0]['d']}"


_AT = regex(rf"(?<![\w.,$€£])(?P<n>\d+) (?:[a-z]+ ){{1,3}}?(?:at|for|costing|@) [$€£]?(?P<p>{_N})(?: (?:euros?|dollars?|pounds?|quid))?(?: each| apiece| a piece| per [a-z]+)?")
_HAS = regex(rf"\b(?:have|has|had|got|with|budget of|note|from)\b(?: [a-z]+){{0,2}}? [$€£]?(?P<m>{_N})\b|[$€£]?(?P<k>{_N})(?: ?(?:euro|dollar|pound|quid))? note\b")
_LEFT = regex(r"\b(?:left|change|remain\w*|get back)\b")
_NO_BILL = regex(
    r"\b(?:not|except|without|half|twice|double|tip|tax|vat|off|discount|another|other|already|if|or|than|minus|share|split|free|third|second|first|deal|offer|voucher|coupon|only"
    r"|return\w*|refund\w*|shared|everyone|rest|pays|treats|spent|lost|gave|owe\w*|borrow\w*|more|less)\b|n['’]t\b|%"
)


def _change(text: str) -> Iterator[str]:
    """ "I've got 20. Two pints at 5.40 each, what's left?"."""
    items, asked = list(_AT.finditer(text)), _ASKED.search(text)
    rest = _AT.sub(" § ", text)
    has = list(_HAS.finditer(rest))
    if len(has) != 1 or not 1 <= len(items) <= 3 or asked is None or len(_FIGURE.findall(rest)) != 1:
        return
    if not _LEFT.search(asked[0]) or _NO_BILL.search(rest):
        return
    money = has[0]["m"] or has[0]["k"]
    total = sum(Decimal(one["n"]) * Decimal(one["p"]) for one in items)
    if Decimal(money) >= total:
        spent = " - ".join(f"{one['n']} * {_sign(text)}{one['p']}" for one in items)
        yield f"what is {_sign(text)}{money} - {spent}"


_EACH_PRICE = regex(rf"[$€£]?(?P<p>{_N})(?: (?:euros?|dollars?|pounds?|quid))? (?:each|apiece|a head|per (?:person|head|child|pupil|guest|ticket|adult|kid|student|player))\b|\b(?:tickets?|entry|admission) (?:is|are|costs?|at) [$€£]?(?P<k>{_N})")
_FIXED = regex(rf"\b(?:plus|and|on top of)(?: there(?:'s| is))? (?:an?|the|for the|for a)? ?(?:[a-z]+ (?:of|for|is|costs|at) )?[$€£]?(?P<f>{_N})(?: ?(?:euro|dollar|pound|quid|€|£)s?)?(?! (?:each|per|apiece|[a-z]+ at|people|of us|guests|kids|children|friends|persons)\b)")
_TOTAL = regex(r"\b(?:total|altogether|in all|cost|costs|pay|come to|bill|all together)\b")


def _with_fixed(text: str) -> Iterator[str]:
    """ "28 pupils, entry is 6.50 each, plus a 90 euro coach. What is the total?"."""
    each, asked, figures = list(_EACH_PRICE.finditer(text)), _ASKED.search(text), _FIGURE.findall(text)
    if len(each) != 1 or len(figures) != 3 or asked is None or not _TOTAL.search(asked[0]) or _NO_BILL.search(text):
        return
    if _EACH_ASKED.search(asked[0]) or re.search(r"\b(?:pa(?:y|id) with|for \d+ (?:people|of us|guests))\b", text) or re.search(r"\b(?:an? (?:hour|day|night|week|month)|per (?:hour|day|night|week|month)|hours|days|nights|weeks)\b", text):
        return
    price = each[0]["p"] or each[0]["k"]
    fixed = [one for one in _FIXED.finditer(_EACH_PRICE.sub(" § ", text))]
    if len(fixed) != 1:
        return
    counts = [one for one in figures if one not in (price, fixed[0]["f"])]
    if len(counts) == 1 and counts[0].isdigit():
        yield f"what is {counts[0]} * {_sign(text)}{price} + {_sign(text)}{fixed[0]['f']}"


_PER_SPAN = regex(rf"[$€£]?(?P<m>{_N})(?: ?(?:euros?|dollars?|pounds?|quid|€|£))? ?(?:an?|per|each|every|/) ?(?P<u>day|week|month|year|night|hour)\b|[$€£]?(?P<k>{_N})(?: ?(?:euros?|dollars?|pounds?|quid))? (?P<often>daily|weekly|monthly|yearly|annually|nightly|hourly)\b")
_SO_MANY = regex(r"(?<![\w.])(?P<n>\d+)[ -](?P<u>day|week|month|year|night|hour)s?\b(?! old)")
_OFTEN = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year", "nightly": "night", "hourly": "hour"}
_FACTORS = {("month", "year"): 12, ("week", "year"): 52, ("day", "week"): 7}


def _spans(text: str) -> Iterator[str]:
    """ "The plan is 18.99 monthly for 24 months, total cost?"."""
    rates, asked = list(_PER_SPAN.finditer(text)), _ASKED.search(text)
    rest = _PER_SPAN.sub(" ", text)
    spans = list(_SO_MANY.finditer(rest))
    if len(rates) != 1 or len(spans) != 1 or asked is None or len(_FIGURE.findall(rest)) != 1 or _NO_BILL.search(text) or _TURNS.search(_TOTAL.sub(" ", rest)):
        return
    if not re.search(r"\bhow much\b|\btotal\b|\bwhat\b.*\b(?:cost|pay|come|total|spend|earn|make)\b", asked[0]):
        return
    one = rates[0]["u"] or _OFTEN[rates[0]["often"]]
    factor = 1 if one == spans[0]["u"] else _FACTORS.get((one, spans[0]["u"]), 0)
    amount = rates[0]["m"] or rates[0]["k"]
    if factor:
        yield f"what is {_sign(text)}{amount} * {int(spans[0]['n']) * factor}"


_LINK = regex(rf"(?<![\w.,])[$€£]?(?P<n>{_N})(?: ?(?P<of>[a-z]+))??(?: ?(?:an?|per|each|every|/) ?)(?P<by>hour|day|week|month|year|minute|session|lesson|shift|trip|visit)\b")
_RATE_END = regex(r"(?<![\w.])(?P<n>\d+) (?P<of>hours|days|weeks|months|years|minutes|sessions|lessons|shifts|trips|visits)\b")
_AMOUNT_ASKED = regex(r"\bhow (?:much|many|far)\b|\bwhat(?:'s| is)\b|\bwhat do(?:es)?\b|\bpay\b|\btotal\b")


def _chain(text: str) -> Iterator[str]:
    """ "13.20 an hour, 6 hours a day, 5 days a week. What's my weekly pay?": each rate is by what the next one counts."""
    links, asked = list(_LINK.finditer(text)), _ASKED.search(text)
    rest = _LINK.sub(" ", text)
    ends = list(_RATE_END.finditer(rest))
    if not 2 <= len(links) + len(ends) <= 4 or len(links) < 2 or len(ends) > 1 or asked is None or _PERCENT.search(text):
        return
    if len(_FIGURE.findall(rest)) != len(ends) or not _AMOUNT_ASKED.search(text) or _NO_BILL.search(text) or _TURNS.search(_PER_WORDS.sub(" ", text)):
        return
    for before, after in pairwise(links):
        if (after["of"] or "").rstrip("s") != before["by"]:
            return
    last = links[-1]["by"]
    if ends and ends[0]["of"].rstrip("s") != last:
        return
    wanted = {*_SPANS_TOLD.findall(asked[0]), *(_OFTEN[word] for word in _OFTEN if word in asked[0])}
    factor = 1
    if wanted and not ends and wanted != {last}:
        factor = _FACTORS.get((last, next(iter(wanted))), 0) if len(wanted) == 1 else 0
    figures = [link["n"] for link in links] + [end["n"] for end in ends] + ([str(factor)] if factor != 1 else [])
    if factor and (wanted or ends):
        yield f"what is {_sign(text)}{' * '.join(figures)}"


_PER_WORDS = regex(r"\b(?:each|per|every)\b")
_DELIVERY = regex(rf"\b(?:delivery|shipping|postage|booking fee|handling|installation|deposit|call-?out fee|entry|parking)(?: (?:fee|charge|cost))?(?:,? (?:is|costs?|of|at|for|comes to|a flat))*:? [$€£]?(?P<f>{_N})|[$€£]?(?P<g>{_N})(?: (?:euros?|dollars?|pounds?|quid))? (?:for )?(?:the )?(?:delivery|shipping|postage|handling|parking|installation)\b")
_UNIT_PRICE = regex(rf"\b(?:cost|costs|are|is|at|for|priced at) [$€£]?(?P<p>{_N})\b")


def _delivered(text: str) -> Iterator[str]:
    """ "Chairs cost 24.90, we need 12, delivery is 30 flat. Total bill?"."""
    fixed, asked = list(_DELIVERY.finditer(text)), _ASKED.search(text)
    rest = _DELIVERY.sub(" ", text)
    prices, figures = list(_UNIT_PRICE.finditer(rest)), _FIGURE.findall(rest)
    if len(fixed) != 1 or len(prices) != 1 or len(figures) != 2 or asked is None or not _TOTAL.search(asked[0]) or _NO_BILL.search(text):
        return
    counts = [one for one in figures if one != prices[0]["p"]]
    if len(counts) == 1 and counts[0].isdigit() and not re.search(r"\b(?:each way|an? (?:hour|day|night|week|month)|for (?:all|the lot)|together)\b", text):
        yield f"what is {counts[0]} * {_sign(text)}{prices[0]['p']} + {_sign(text)}{fixed[0]['f'] or fixed[0]['g']}"


_EACH_PAYS = regex(rf"\b(?:each|every one|all|everyone|everybody)(?: of (?:them|us))?(?: [a-z]+)? (?:pays?|gives?|puts? in|saves?|brings?|donates?|contributes?|earns?|eats?|drinks?|uses?) [$€£]?(?P<m>{_N})(?: [a-z]+)? (?:an?|per|each|every) (?P<u>day|week|month|year)\b")


def _each_pays(text: str) -> Iterator[str]:
    """ "38 singers, each pays 15 a month. What comes in over a year?"."""
    said, asked, figures = _EACH_PAYS.search(text), _ASKED.search(text), _FIGURE.findall(text)
    if said is None or asked is None or len(figures) != 2 or _NO_BILL.search(text) or _EACH_ASKED.search(asked[0]):
        return
    counts = [one for one in figures if one != said["m"]]
    wanted = set(_SPANS_TOLD.findall(asked[0])) | {_OFTEN[word] for word in _OFTEN if word in asked[0]}
    factor = 1 if wanted <= {said["u"]} else _FACTORS.get((said["u"], next(iter(wanted))), 0) if len(wanted) == 1 else 0
    if len(counts) == 1 and counts[0].isdigit() and factor and wanted:
        yield f"what is {_sign(text)}{counts[0]} * {said['m']} * {factor}"


_PARTS = {"half": (1, 2), "a third": (1, 3), "one third": (1, 3), "two thirds": (2, 3), "2 thirds": (2, 3), "a quarter": (1, 4), "one quarter": (1, 4), "three quarters": (3, 4), "3 quarters": (3, 4), "a fifth": (1, 5)}
_GONE = regex(
    rf"\b(?P<part>{'|'.join(_PARTS)}) (?:of )?(?:an?|the|my|our|his|her) (?P<n>{_N}) ?(?P<u>[a-z]+) (?:[a-z]+ )?(?:has|have|is|was|are|were|has been|had) (?:already |been )?(?:gone|used(?: up)?|eaten|drunk|sold|spent|empty|missing|finished|cut off|poured out)\b"
)


def _part_gone(text: str) -> Iterator[str]:
    """ "Two thirds of a 750 g bag has gone. How many grams are left?"."""
    said = _GONE.search(text)
    if said is None or len(_FIGURE.findall(text)) != 1 or not re.search(r"\bhow (?:much|many(?: [a-z]+)?)\b[^?]*\b(?:left|remain\w*)\W*$", text):
        return
    above, below = _PARTS[said["part"]]
    yield f"what is {said['n']} {said['u']} * {below - above} / {below}" if measure_of(said["u"]) else f"what is {said['n']} * {below - above} / {below}"
