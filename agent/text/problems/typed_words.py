"""Words as they are typed in chats, in full, and short ways to ask."""

from __future__ import annotations

import re

from agent.text.regex import regex

TYPED_SHORT = (
    # A letter alone only where nothing else is written so.
    (regex(r"\bhw (?=(?:many|much|long|far|old)\b)", re.I), "how "),
    (regex(r"(?<=[a-z]{3} )r(?= (?:in|there|they|we|left)\b)", re.I), "are"),
    (regex(r"(?<=[a-z] )n(?= \d)", re.I), "and"),
    (regex(r"\b(?:wats|wots|whts|wht's|wat's|waht's|wahts)\b", re.I), "what's"),
    (regex(r"^(?:wat|wut|waht|wht)\b", re.I), "what"),
    (regex(r"\b(?:prcnt|procent|percnt|persent|pct|percent age)\b", re.I), "percent"),
    (regex(r"\btomm?orr?ow\b", re.I), "tomorrow"),
    (regex(r"\b(?:wich|witch|whitch) (?=day of\b|weekday\b|date\b)", re.I), "which "),
    (regex(r"\b(?<=day of the )(?:weak|wek|weeek)\b", re.I), "week"),
    (regex(r"\bfrm\b", re.I), "from"),
    (regex(r"\bdozens\b(?! of)", re.I), "dozen"),
    (regex(r"\bwhat time's (?=it\b)", re.I), "what time is "),
    (regex(r"\bhow much (?=(?:pounds|kilos|miles|grams|litres|metres|hours|minutes|days|weeks)\b)", re.I), "how many "),
    (regex(r"\bhalf (?=\d{1,2}(?![\d:./]| ?%))(?<=(?:at|by) half )", re.I), "half past "),
    (regex(r"\btil\b", re.I), "till"),
    (regex(r"(?<=\d)ft(?=\d)", re.I), " ft "),
    (regex(r"(?<![\d.:])(\d{1,2})\.([0-5]\d)(?= ?[ap]m\b)", re.I), r"\1:\2"),
    (regex(r"(?<![\w.])(\d{1,2}) ?h(?:rs?)? ?([0-5]\d)(?!\w| ?min)", re.I), r"\1 h \2 min"),
    (regex(r"\bFahrenheit\b"), "fahrenheit"),
    (regex(r"\bCelsius\b"), "celsius"),
    (regex(r"\boven (?:is )?(?:set )?(?:at|to) (?=\d)", re.I), "oven "),
    (regex(r"\bone and a half (?=[a-z]+s\b)", re.I), "1.5 "),
    (
        regex(r"\bthat(?:'s| is) an? (rise|increase|fall|drop|decrease) of how many (percent|%)", re.I),
        r"what is the percentage \1",
    ),
    (
        regex(r"\badd up (?:every|all(?: of)?(?: the)?)(?: whole)? numbers? (?=from \d)", re.I),
        "what is the sum of whole numbers ",
    ),
    (regex(r" \((?:incl\.?|including|inclusive of) both\)", re.I), ""),
    (
        regex(r"^[^\d?]*\b([MDCLXVI]{4,15})\b[^\d?]*\b(?:which|what) (?:year|number)\b[^\d?]*\W*$"),
        r"roman numeral \1 in numbers",
    ),
    # "18 of 24 won. What's our win rate?"
    (
        regex(
            r"^(?!.*\b(?:lost|lose|missed|failed|absent|not)\b|.*n't\b)(.*)\bwhat(?:'s| was| is) (?:the|our|my|their) "
            r"(?:turnout|response rate|hit rate|win rate|success rate|pass rate|share)(?=\W*$)",
            re.I,
        ),
        r"\1what percentage is that",
    ),
)
