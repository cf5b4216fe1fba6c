"""A time of day elsewhere, told in a story: 「ロンドンで朝9時に始まる会議、日本時間では何時？」."""

from __future__ import annotations

import re

from agent.text.regex import regex

_LONGEST = 100  # characters
_CLOCK = r"(?:午前|午後|朝|昼|夕方|夜)?の?\d{1,2}(?:時(?!間|差)(?:\d{1,2}分|半)?|:\d\d)"
_PLACE = regex(
    r"(?P<name>[ァ-ヶー・]{3,12}|北京|上海|香港|台北|ソウル)(?=時間|に(?:いる|住|留学|出張|赴任|単身|滞在|旅行|い)|で|の|在住|支社|支店|オフィス|本社|は|が|から)"
)
_HERE_ASKED = regex(
    r"(?:日本|東京|こちら|こっち)(?:の)?(?:時間)?(?:では|だと|で|は|の|なら|でいうと|でいえば|から)*、?(?:今日の)?(?:何時|いつ)(?P<end>[^\d]{0,20})"
)
_THERE_ASKED = regex(
    r"(?:(?P<place>[ァ-ヶー・]{3,12}|北京|上海|香港|台北|ソウル)|現地|向こう|むこう|あちら|あっち)(?:の)?(?:時間)?(?:では|だと|で|は|の|なら|でいうと)*、?何時(?P<end>[^\d]{0,20})"
)
_TURNED = regex(
    r"時差|時間後|時間前|分後|分前|かか|飛行|フライト|出発|到着|着く|発の|乗|翌|前日|夏時間|サマータイム|何時間|まで|毎"
)
_HERE = regex(r"日本|東京|こちら|こっち")


def elsewhere(text: str) -> str | None:
    """The plain question; ``None`` where another place may be meant, or more than one time is told."""
    clocks = re.findall(_CLOCK, text)
    if (
        len(text) > _LONGEST
        or len(clocks) != 1
        or _TURNED.search(text)
        or re.search(r"\d", text.replace(clocks[0], ""))
    ):
        return None
    clock, places = clocks[0], {found["name"] for found in _PLACE.finditer(text)}
    before, _, behind = text.partition(clock)
    if asked := _HERE_ASKED.search(behind):
        if len(places) != 1 or _HERE.search(before[-8:]):
            return None
        return f"{places.pop()}の{clock}は日本では何時" if not _HERE.search(behind[: asked.start()]) else None
    asked = _THERE_ASKED.search(behind)
    if asked is None or not _HERE.search(before) or (asked["place"] is None and len(places) != 1):
        return None
    place = asked["place"] or places.pop()
    return f"日本の{clock}は{place}では何時"
