"""Japanese follow-ups to a question of a crosstab: 「2030年3月期は？」「営業利益は？」「何%ですか」."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

from agent.data.tables.crosstabs.crosstab_table import Crosstab
from agent.data.tables.crosstabs.crosstab_wanted import Wanted
from agent.data.tables.crosstabs.japanese_crosstab import japanese_crosstab, periods_named
from agent.data.tables.crosstabs.leaning_on_cells import follow_kind
from agent.text.regex import regex

# How an answer says that a question was read.
_READINGS = (
    ("change", regex(r"(?P<a>.+?)から(?P<b>.+?)への(?P<of>.+)の増減額")),
    ("percent change", regex(r"(?P<a>.+?)から(?P<b>.+?)への(?P<of>.+)の増減率")),
    ("points", regex(r"(?P<a>.+?)から(?P<b>.+?)への(?P<of>.+)の差\(ポイント\)")),
    ("average", regex(r"(?P<of>.+)の平均\((?P<all>[^()]+)\)")),
    ("value", regex(r"(?P<of>.+)\((?P<all>[^()]+)\)")),
)
_ASKED = {
    "change": "はいくら変化したか",
    "percent change": "は何%変化したか",
    "points": "は何ポイント変化したか",
    "average": "の平均は",
    "value": "は",
}
_LEAD = regex(r"^(?:それでは|では|じゃあ|そして)、?")
_NEW_LABEL = regex(r"(?P<of>[^はがを]+)(?:は|については?|の場合は?|だと|なら)")


def japanese_follow_up(parts: Sequence[str], crosstab: Crosstab) -> Wanted | None:
    """What the last of the ``parts`` asks after the readings before it; None where a part of it has no place."""
    told = [_read(part) for part in parts[-3:-1]]
    before = told[-1]
    if before is None:
        return None
    text = _LEAD.sub("", re.sub(r"\s", "", normalize("NFKC", parts[-1])).rstrip("。.?"))
    named = periods_named(text, crosstab)
    if named is None:
        return None
    rest, periods = named
    was, of, held = before
    kind = follow_kind(rest)
    if kind is None:
        found = _NEW_LABEL.fullmatch(rest)
        if found is None or (periods and was == "value"):
            return japanese_crosstab(text, crosstab) if periods else None
        of = found["of"]
    elif not kind and not periods:
        return None
    elif kind == "percent":
        if was != "change":
            return None
        kind = "percent change"
    first = told[0]
    if "change" in (kind or "") and len(told) > 1 and first and first[0] == was == "value" and first[1] == of:
        held = [*dict.fromkeys((*first[2], *held))]
    return japanese_crosstab(f"{'と'.join(periods or held)}の{of}{_ASKED[kind or was]}", crosstab)


def _read(reading: str) -> tuple[str, str, list[str]] | None:
    """What was asked, of which row, for which periods."""
    for kind, pattern in _READINGS:
        if found := pattern.fullmatch(normalize("NFKC", reading).strip()):
            said = found.groupdict()
            return kind, said["of"], said["all"].split("、") if "all" in said else [said["a"], said["b"]]
    return None
