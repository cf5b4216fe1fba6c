"""Words of a sentence that say which kind of step its figure may come from."""

from __future__ import annotations

import re

_HINTS = {
    "sum": re.compile(
        r"total|\bsum\b|combin|together|altogether|in all\b|plus|\+|overall|\badd|aggregate|合計|合わせ|総|足|"
        r"gesamt|insgesamt|summe|somme|suma|totale"
    ),
    "difference": re.compile(
        r"differ|more\b|less\b|fewer|older|younger|taller|shorter|higher|lower|larger|bigger|smaller|"
        r"longer|faster|slower|cheaper|warmer|cooler|colder|hotter|milder|heavier|lighter|deeper|greater|earlier|"
        r"wetter|drier|richer|poorer|stronger|weaker|steeper|thicker|thinner|narrower|[a-z]{3}er than\b|"
        r"later|farther|further|wider|long|gap|remain|\bleft\b|after|increas|decreas|\bris[ei]|\brose|\bfell|\bgrew|"
        r"drop|gain|lost|ago|\bage|since|lasted|span|minus|above|below|−| [-–] |chang|declin|fall|net\b|compar|grow|"
        r"reduc|margin|spread|lead\b|behind|ahead|improv|variation|"
        r"差|多|少|違|増|減|残|低|高|長|短|歳|経|変化|mehr|weniger|plus|moins|más|menos"
    ),
    "product": re.compile(r"times|each|\bper\b|×|\*|cost|total|worth|equal|convert|=|\bat\b|\bby\b|乗|掛|で|合計"),
    "ratio": re.compile(
        r"times|ratio|half|twice|double|triple|\bper\b|average|every|each|÷|/|densit|divid|proportion|multiple|倍|比|"
        r"当たり|あたり|平均|率"
    ),
    "mean": re.compile(r"average|mean\b|平均|durchschnitt|schnitt|moyenne|promedio|media\b"),
    "minimum": re.compile(r"min|lowest|smallest|least|最小|最低|最少"),
    "maximum": re.compile(r"max|highest|largest|most|最大|最高|最多"),
    "years": re.compile(r"year|\bage|later|after|before|earlier|since|between|lasted|older|younger|span|年|歳|才"),
}
_UNHINTED = frozenset(("percent", "share", "count"))  # the unit or the noun of the figure says enough


def kinds_hinted(lower: str) -> frozenset[str]:
    """The kinds of steps that a sentence in lower case can speak of."""
    return frozenset(kind for kind, pattern in _HINTS.items() if pattern.search(lower)) | _UNHINTED
