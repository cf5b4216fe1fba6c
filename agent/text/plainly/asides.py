"""Politeness, leads, tails and idle remarks cut from a question, and what asks put in a usual form.

Nothing is cut that has a figure, a unit, a negation or a condition: those may turn what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.rewording import is_idle
from agent.text.problems.story_parts import WORDS, stem, unit_named
from agent.text.quantities.dates import MONTH
from agent.text.quantities.spelled_words import spelled_numbers
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.spelling import nearest

_LEAD = regex(
    r"^(?:(?:hi|hiya|hello|hey|yo|good (?:morning|afternoon|evening))(?: (?:there|all|again"
    r"|everyone|mate|guys))?\b[ ,.!:-]*"
    r"|(?:so|ok|okay|right|well|um|uh|erm|hmm+|oh|ah|alright|now|basically|sorry|btw|fyi|please|pls|plz)\b[ ,.!:-]+"
    r"|(?:by the way|one more(?: thing| question)?|another (?:one|question)|(?:a "
    r"|just a )?(?:quick|silly|stupid|dumb|daft"
    r"|random|simple|small|maths?|math)(?: little)? (?:question|one|sum|q|problem))\b[ ,.!:-]*"
    r"|(?:just |i'm just |i am just )?(?:wondering|curious)(?: about)?\b[ ,.!:-]*|i(?: was|'m"
    r"| am|'ve been)? ?(?:just )?wonder(?:ing)?\b,? "
    r"|(?:does anyone|do you(?: happen to)?|would you(?: happen to)?|you) know\b,? |any (?:idea|clue),? |remind me,? "
    r"|(?:can|could|would|will) (?:you|someone|anyone) (?:please |pls |quickly "
    r"|kindly )?(?:tell|help|let|remind|show|work out for|calculate for)"
    r" me(?: know)?(?: (?:with|work out|to work out|figure out))?[ ,:]+"
    r"|(?:can|could|would|will) (?:you|someone|anyone) (?:please |pls |quickly "
    r"|kindly )?(?=(?:work|calculate|convert|add|split|divide|find"
    r"|figure|give|check|count)\b)"
    r"|(?:please |pls )?(?:tell me|let me know|help me (?:with|work out|figure out)|work out"
    r"|figure out|calculate)[ :]+(?=(?:what|how|which|when)\b)"
    r"|i(?:'d like| would like| want|'ve got| need| have)(?: to)? know\b,? |(?:say|suppose|let's say|imagine)[ ,]+"
    r"|(?:i'd like|i would like|i want|i wanna|i need|i have|i've got|we want|we need"
    r"|we'd like|trying|i'm trying|need|want) to (?=(?:cut|split|divide|share|convert|add|know"
    r"|work out|find)\b))+",
    re.I,
)
_TAIL = regex(
    r"(?:[ ,;.!?()-]*(?:[.,;!?(-]|(?<=[ ,.!?])|(?= ))[ ]?(?:\b(?:please|pls|plz|thanks"
    r"|thank you|thx|cheers|ta|many thanks)(?: (?:so|very) much| in advance"
    r"| a lot| a bunch)?|for me|if you (?:don't mind|can|could|would|please)|(?:it|this"
    r"|that)(?:'s| is) for (?:my |a |the |our |his |her )?[a-z'’]+(?: [a-z]+)?"
    r"|asking for a (?:friend|mate)|if possible|no (?:rush|hurry|idea)|i (?:wonder|forgot"
    r"|forget|can't remember|have no idea|need to know)"
    r"|(?:i'm|i am) (?:rubbish|bad|hopeless|terrible|useless|awful|not good) (?:at|with) (?:maths?|numbers|sums|this)"
    r"|just (?:curious|wondering|checking|to be sure|asking)|do you know|can you (?:tell me"
    r"|help(?: me)?|work (?:it|that|this) out|say)"
    r"|lol|haha|tia|mate|buddy|pal|love|dear|anyone|never mind (?:the "
    r"|about (?:the )?)?[a-z]+(?: [a-z]+)?|or so|as a rule|i'd like to know"
    r"|any ideas?|help|quickly|quick|right))+[ ,.!?;:)-]*$",
    re.I,
)
# Who somebody is.
_AGED = regex(
    r",? \(?(?:who(?:'s| is| just turned| turned)|aged?|he's|she's|now) (?:\d{1,2}"
    r"|[a-z]+)\)?(?: years old)?,(?= )|(?<=\b[a-z]{2} )\d{1,2}[- ]years?[- ]old (?=[a-z])"
    r"|(?<=\b[a-z]{3} )\d{1,2}[- ]years?[- ]old (?=[a-z])",
    re.I,
)
_BRACKETS = regex(r" ?\((?P<said>[^()\d%]{8,60})\)")
_ASKED = (
    (
        regex(
            r"\b(?:two|three|four|five|six|seven|eleven|\d{1,2})-(?:a-side|course|bedroom|bed|door"
            r"|star|seater|storey) ",
            re.I,
        ),
        "",
    ),
    (
        regex(
            r"\b(?:one|1|an?) ([a-z]+) (?:per|for each|for every|to every|to each|for"
            r"|to) (\d+) ([a-z]+s|children|people)\b",
            re.I,
        ),
        r"\2 \3 per \1",
    ),
    (
        regex(
            r"\bof (?:my|our|the|a|his|her) (?:class|group|team|total|staff|crew|party|batch|club"
            r"|workforce|budget|audience|family|year) of (?=\d)",
            re.I,
        ),
        "of ",
    ),
    (regex(r"\b(over|in|for) an? (?:whole|full|entire) (day|week|month|year)\b", re.I), r"\1 a \2"),
    (
        regex(
            r"^my [a-z]+(?: [a-z]+)? (?:is|turned|just turned|is only) \d{1,2}(?: years old)?(?:,"
            r"| and)(?: and| but)? (?=(?:he|she|they)\b)",
            re.I,
        ),
        "",
    ),
    # A dash, a colon or a cry between what is told and what asks.
    (regex(r"(?<=[\w)%])(?: +[-–—]+ *| *[!…]+ *| *\.{2,} *| *: )(?=[a-z])", re.I), ", "),
    (regex(r"\bhalf (?:a|of a) dozen\b(?: of)?", re.I), "6"),
    (regex(r"\b(?:an?|one) dozen\b(?: of)?", re.I), "12"),
    (regex(r"\btwo dozen\b(?: of)?", re.I), "24"),
    (regex(r"\bnumber of ([a-z]+(?: [a-z]+)?) (?:needed|required|i need|we need)\b", re.I), r"how many \1 are needed"),
    (regex(r"(?<=\d)( ?(?:minutes?|mins?)) (\d{1,2})(?=$|[,.;?!]| and\b)", re.I), r"\1 \2 seconds"),
    (regex(r"\b(\d[\d.]*) miles (?:to|per|for each|for every|a) (?:the )?gallon\b", re.I), r"\1 miles per gallon"),
    (regex(r"\bquid\b", re.I), "pounds"),
    # "As a percentage that's?", "what share is that in percent?".
    (
        regex(
            r",? (?:(?:and|so) )?(?:as an?|in) (?:percent(?:age)?|per cent|%)(?:,? (?:that's|that is"
            r"|is that|what's that|what is that|that would be))?\W*$",
            re.I,
        ),
        ", what percentage is that",
    ),
    (
        regex(
            r"\b(?:what|which) (?:share|part|proportion|fraction) (?:is|was|of (?:them|us|it"
            r"|the [a-z]+|our [a-z]+|my [a-z]+) (?:is|was)) (?:that|this|it)"
            r"(?:,? (?:in|as an?) (?:percent(?:age)?|per cent|%)| of (?:all|the whole)(?: of (?:it|them))?)*\W*$",
            re.I,
        ),
        "what percentage is that",
    ),
    (
        regex(
            r"[,.;!]? (?:(?:and|so) )?(?:(?:can|could) (?:you|i) (?:please )?)?(?:(?:the |grand |my "
            r"|our )*total|what(?:'s|s| is) the damage|add (?:that|it|them|those|these|everything) up"
            r"|sum (?:it|that) up"
            r"|(?:what|how much)(?:'s|s| is| does| do| would| will)? (?:that|it|they|this|the lot"
            r"|everything|all that|all of that)(?: all)?"
            r" (?:come|comes|add up|adds up|amount|make|makes)(?: to)?(?: (?:altogether|in total"
            r"|in all|all together))?)\W*$",
            re.I,
        ),
        ". How much is that in total",
    ),
    (
        regex(r"\bhow (much|many|long|far|old) (that|it|this|they) (is|was|are|would be|will be)(?=\W*$)", re.I),
        r"how \1 \3 \2",
    ),
    (
        regex(r"\bhow (much|many|long|far|old) (that|it) (costs?|takes?|makes?|comes to)(?=\W*$)", re.I),
        r"how \1 does \2 \3",
    ),
    (
        regex(r"^(?:what do(?:es)?|so what do(?:es)?) (.+?) (?:make|come to|equal|give|amount to)(?=\W*$)", re.I),
        r"what is \1",
    ),
    (
        regex(
            r"\bhow much (?:(?:of (?:it|that|them)|[a-z]+) )?(?P<is>is|will be|do i have|have i got|are) left over\b",
            re.I,
        ),
        r"how much \g<is> left",
    ),
    (
        regex(r"\bhow much (?:of (?:it|that|them) )?(?:is|will be|do i have|have i got) (?:still )?left\b", re.I),
        "how much is left",
    ),
    (
        regex(
            r"\b(how many [a-z]+ (?:per|an?|every|each) [a-z]+) (?:do|does|did|should|would|must|will"
            r"|is|are|am|can)\b[^?.!\d]*",
            re.I,
        ),
        r"\1",
    ),
    (regex(r"\b(?:si|iz) (?=(?:he|she|it|that|this|the|my|there|in|for)\b)", re.I), "is "),
    (regex(r"\bbron\b", re.I), "born"),
    (regex(r"\bpayed\b", re.I), "paid"),
    (regex(r",? (?:(?:with|at) )?(?:no interest|0 ?% interest|interest[- ]free)(?=[ ,.;?!]|$)", re.I), ""),
    (
        regex(
            r"(?<=[,.;] )(?:(?:what(?:'s|s| is) )?(?:the |my |our )?)?(?P<u>month|week"
            r"|year)ly (?:payments?|instal+ments?|amount|cost)(?=\W*$)",
            re.I,
        ),
        r"how much per \g<u>",
    ),
    (regex(r"\b(?:sombody|somebdy|sumone|somone|sumbody)\b", re.I), "someone"),
)
_NOT_PHRASE = (
    "each every other others same rest week weeks month year day days half total end "
    "beginning start first second third fourth last "
    "next nearest whole way return back change tip tax vat discount deposit fee voucher "
    "coupon interest break lunch price bill cost "
    "unpaid morning afternoon evening night weekend weekends remaining original average mean "
    "median most least both all none average "
    "percent percentage hundred thousand million dozen pair couple year's minute hour second "
    "time times rate speed sum product "
    "difference ratio number numbers amount result before after discounted reduced extra "
    "additional power square cube root date "
    "today tomorrow yesterday new old previous following left right sale past future long "
    "short former latter one ones two sales "
    "purchase budget salary wage wages income rent pay payment loan debt profit loss score mark marks grade points per"
)
_KEPT = (
    frozenset(_NOT_PHRASE.split())
    | frozenset(WORDS["among"])
    | {"not", "no", "never", "if", "unless", "except", "without", "only"}
)
_PHRASE = regex(
    r",? \b(?:in|at|for|to|from|on|near|by|around|during|through|into|onto|about) (?:my|our"
    r"|his|her|their|the|an?|your|this|some)"
    r"(?: (?P<words>[a-z'’-]+(?: [a-z'’-]+){0,3}?))(?=[,.;?!]|$| (?:and|so|but|plus|at|for|who"
    r"|which|how|what|when|with|is|are|was|costs?)\b)",
    re.I,
)
_PURPOSE = regex(
    r",? (?:in order )?to (?!(?:the|my|our|his|her|their|an?)\b)(?P<words>[a-z'’-]+(?: up| out"
    r"| off)? (?:the|my|our|his|her|their|an?|some|for|to|it|them|him|us|me|ready)"
    r"\b(?: [a-z'’-]+){0,4})(?=[,.;?!]|$)",
    re.I,
)
_IDLE_CLAUSE = regex(r"(?:^|(?<=[,;] ))(?P<words>[^,;.?!\d]{8,60})[,;] |, (?P<last>[^,;.?!\d]{8,60})(?=[.?!]|$)")
_SENTENCES = regex(r"(?<=[a-z\d)][.!?]) +(?=[A-Za-z\d])")
_ASKS = regex(r"\b(?:what|whats|what's|how|which|when|who|many|much|percent|total|average)\b|\?", re.I)
_TURNS = regex(
    r"\b(?:not|no|never|none|if|unless|except|without|only|but|half|twice|double|each|every"
    r"|per|both|free|or|than|instead|already|again"
    r"|more|less|left|off|before|after|until|since|extra|another|same|rest|share|split|between"
    r"|together|altogether|in total|back|return"
    r"|pays?|paid|costs?|treats?|covers?|gets?|got|gives?|gave|owns?|broken|rotten|lost|spent"
    r"|sold|bought|ate|eaten|used|took|takes|lent|stolen"
    r"|closed|weekdays?|weekends?|average|square|cube|root|roman|binary|prime|factors?|leap"
    r"|age|born|old|time|clock|zone|on top|tax|delivery|postage)\b|n['’]t\b|[%$€£]",
    re.I,
)


def polite_cut(text: str) -> str:
    """``text`` without greetings, politeness and what says for what it is."""
    bare = _LEAD.sub("", text, count=1)
    end = "?" if "?" in bare[-30:] else ""
    tail = _TAIL.search(bare)
    if tail and tail.start() and not re.search(r"\d", tail[0]) and not _holds_unit(tail[0]):
        bare = bare[: tail.start()].rstrip(" ,;.-(") + end
    return bare


_MONTHS = tuple(name for name in MONTH.split("|") if name.isalpha() and len(name) > 3)
_MONTH_TYPED = regex(r"(?<=\d )[A-Z][a-z]{4,}\b|(?<=(?:st|nd|rd|th) )[A-Z][a-z]{4,}\b|\b[A-Z][a-z]{4,}(?= \d)")


def _month(said: re.Match[str]) -> str:
    """A month whose name has a slip."""
    near = [] if said[0].lower() in _MONTHS else nearest(said[0].lower(), _MONTHS)
    return near[0].capitalize() if len(near) == 1 else said[0]


def usual_asking(text: str) -> str:
    """``text`` with what asks in it in a usual form, and who somebody is left out."""
    text = _MONTH_TYPED.sub(_month, text)
    text = _AGED.sub(lambda said: " " if said[0].startswith(",") else "", text)
    text = _BRACKETS.sub(lambda said: said[0] if _says(said["said"]) else "", text)
    for pattern, form in _ASKED:
        text = pattern.sub(form, text)
    return re.sub(r"\s+", " ", text).strip(" ,;")


def without_remarks(text: str) -> str:
    """``text`` without sentences and clauses that tell nothing, and without phrases of places, purposes and persons."""
    sentences = _SENTENCES.split(text)
    kept = [one for one in sentences if _tells(one, text)]
    text = " ".join(kept) if kept else text
    text = _IDLE_CLAUSE.sub(lambda said: said[0] if _tells(said["words"] or said["last"], text) else "", text)
    for pattern in (_PHRASE, _PURPOSE):
        text = _without(pattern, text)
    return re.sub(r"\s+", " ", text).strip(" ,;")


def pared(text: str) -> Iterator[str]:
    """The question in plainer words, the one nearest to it first."""
    polite = polite_cut(text)
    usual = usual_asking(polite)
    again = usual_asking(polite_cut(usual))
    told = {text}
    for way in (polite, usual, again, without_remarks(again)):
        if way and way not in told:
            told.add(way)
            yield way


def _tells(clause: str, text: str) -> bool:
    """Whether a clause asks, counts, turns something, or is of a thing that is named elsewhere."""
    if _ASKS.search(clause) or _says(clause) or not is_idle(clause):
        return True
    every = [stem(word) for word in re.findall(r"[a-z]{4,}", text.lower())]
    return any(every.count(stem(word)) > 1 for word in re.findall(r"[a-z]{4,}", clause.lower()) if word not in _COMMON)


_COMMON = frozenset(
    (
        "have",
        "this",
        "that",
        "with",
        "there",
        "they",
        "them",
        "their",
        "these",
        "those",
        "would",
        "like",
        "just",
        "very",
        "really",
    )
)


def _says(words: str) -> bool:
    """Whether the words may turn what is asked."""
    return bool(_TURNS.search(words)) or any(spelled_numbers(words)) or _holds_unit(words)


def _holds_unit(words: str) -> bool:
    said = re.findall(r"[a-z]+", words.lower())
    return any(unit_named(word) or measure_of(word) for word in said if len(word) > 1 and word not in _NO_UNITS)


def _without(pattern: re.Pattern[str], text: str) -> str:
    def cut(said: re.Match[str]) -> str:
        counted = _COUNTED.search(text[: said.start()])  # 18 girls with a bike are not all girls
        narrows = counted and not measure_of(counted["of"].lower())
        return said[0] if narrows or not _is_idle_phrase(said["words"], text) else ""

    return pattern.sub(cut, text)


_COUNTED = regex(r"\d(?: of (?:them|us|these|those|the [a-z]+))?(?: [a-z]+)? (?P<of>[a-z]+)$", re.I)


_NO_UNITS = frozenset(("in", "to", "at", "us", "me", "am", "as", "love"))


def _is_idle_phrase(words: str, text: str) -> bool:
    """Whether a phrase names a place, a person or a purpose that is named nowhere else, and nothing that counts."""
    said = [word.replace("’s", "").replace("'s", "") for word in words.lower().split()]
    if any(word in _KEPT or unit_named(word) or any(spelled_numbers(word)) for word in said):
        return False
    every = [stem(word) for word in re.findall(r"[a-z]+", text.lower())]
    return every.count(stem(said[-1])) == 1 and not re.search(r"['’]s?$", words) and not _TURNS.search(words)
