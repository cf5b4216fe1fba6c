"""Questions of tables in the plain words that their reader knows: "the ones that sold", 「～のはどこ？」."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.data.tables.questions.table_schema import Table

_LONGEST = 400  # characters
_PRICES = re.compile(r"price|revenue|sales|amount|total|cost", re.I)
_WHICH = r"(?:どこ|どれ|誰|だれ|何|どの[^はがの？?]{1,6})(?:です|でした)?か?"
_MOST = r"(?:いちばん|一番|最も)"
_DEGREE = r"(多い|少ない|高い|低い|大きい|小さい|長い|短い|重い|軽い|古い|新しい)"
_JAPANESE = (
    (rf"([^、。はが]+)が{_MOST}{_DEGREE}のは{_WHICH}[？?]*", r"一番\1が\2{name}は？"),
    (
        rf"([^、。]+)ごとに([^、。]+)を合計(?:すると|したら|した時)、?{_MOST}{_DEGREE}のは{_WHICH}[？?]*",
        r"\1ごとの\2の合計で一番\3\1は？",
    ),
    (r"(.+?)(?:って|は)(?:いつ|どれ|どこ|誰|何)?(?:だ|だった|でした|です)っけ[？?]*", r"\1は？"),
    (
        r"(.+(?:以上|以下|未満|以降|以前))の(?:ところ|もの|やつ)を?(?:全部|すべて)?(?:を)?(?:知りたい|教えて|見せて|見たい)?(?:です|ください)?[？?。]*",
        r"\1の{name}は？",
    ),
    (r"(.+)を(?:知りたい|教えて|見せて|見たい)(?:です|ください)?[？?。]*", r"\1は？"),
    (r"(.+?)(?:は|が)?何[軒社校](?:あります|です|ある)?か?[？?]*", r"\1は何件？"),
)
_THE_ONES = re.compile(
    r"\bthe (?:ones|things|items|rows|pieces) (?:that|which) (?:(?:have been|were|was|are|got|has been) )?([a-z]+)\b",
    re.I,
)
_MONEY = re.compile(
    r"^how much (?:money )?(?:did (?:we|i|they|it|you) (?:take|make|get|earn|bring in)"
    r"|came in|was made|do (?:we|i) get)"
    r" (?:for|from|with|by) ",
    re.I,
)
_GAVE = re.compile(
    r"^(which [a-z]+) (?:gave|gives|made|makes|produced|produces|got|brought) the (most|least|fewest)\b", re.I
)
_HEAVIER = re.compile(r"\bheavier than (?=\d)", re.I)
_SOLD_LAST = re.compile(
    r"^(number of|how many) ([a-z]+) (.*\d.*?) that (?:have been|has been|were|are|got) ([a-z]+)\W*$", re.I
)
_THINGS = re.compile(r"^how many (?:things|items|ones|pieces)\b", re.I)


def plainer(text: str, tables: tuple[Table, ...], japanese: bool) -> Iterator[str]:
    """What ``text`` may be in such words; nothing where there are several tables or it has none of those forms."""
    if len(tables) != 1 or len(text) > _LONGEST:
        return
    columns = tables[0].columns
    if japanese:
        for pattern, form in _JAPANESE:
            if found := re.fullmatch(pattern, text):
                yield found.expand(form).replace("{name}", columns[0].label)
        return
    bare = _THE_ONES.sub(r"the \1 ones", re.sub(r"^(?:so|and|ok|well),? ", "", text, flags=re.I))
    priced = [column for column in columns if _PRICES.search(column.label)]
    if len(priced) == 1:
        bare = _MONEY.sub(f"total {priced[0].label} of ", bare)
    bare = re.sub(r" (?:altogether|in total|in all)(?=\W*$)", "", bare) if bare.startswith("total ") else bare
    bare = _THINGS.sub("how many rows", bare)
    bare = _GAVE.sub(r"\1 has the \2", _HEAVIER.sub("with weight over ", bare))
    bare = _SOLD_LAST.sub(r"\1 \4 \2 \3", bare)
    if bare.startswith("total "):
        bare = re.sub(r"\b([a-z]+) (?:pieces|things|items|ones)(?=\W*$)", r"\1 ones", bare)
    if bare != text:
        yield bare
