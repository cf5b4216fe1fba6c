"""Time zones by IANA name, city, country, abbreviation or offset; a sentence where several could be meant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from unicodedata import combining, normalize
from zoneinfo import ZoneInfo, available_timezones

from agent.errors import ToolFailed

_OFFSET = re.compile(r"(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?", re.I)
_MOST_NAMED = 8
# Cities that no zone is called after, and other names of countries and cities.
_CITIES = """
America/Los_Angeles san francisco|sf|seattle|san diego|las vegas|portland|silicon valley|ロサンゼルス|サンフランシスコ
America/New_York nyc|washington|washington dc|boston|miami|atlanta|philadelphia|ニューヨーク|ワシントン
America/Chicago houston|dallas|austin|san antonio|new orleans|texas|シカゴ
America/Denver salt lake city|boulder
Pacific/Honolulu hawaii|ハワイ|ホノルル
America/Toronto ottawa|montreal|トロント
America/Vancouver バンクーバー
America/Sao_Paulo rio de janeiro|rio|brasilia|サンパウロ
America/Argentina/Buenos_Aires buenos aires
Europe/London uk|great britain|england|scotland|wales|edinburgh|manchester|britain|ロンドン|イギリス|英国
Europe/Paris lyon|marseille|パリ|フランス
Europe/Berlin munich|frankfurt|hamburg|cologne|stuttgart|ベルリン|ドイツ
Europe/Rome milan|naples|florence|venice|ローマ|イタリア
Europe/Zurich geneva|basel|bern
Europe/Madrid barcelona|seville|マドリード
Europe/Istanbul ankara|turkey|türkiye
Europe/Prague czechia|czech republic
Europe/Moscow st petersburg|saint petersburg|モスクワ
Europe/Amsterdam rotterdam|the hague|holland
Asia/Tokyo osaka|kyoto|nagoya|sapporo|fukuoka|yokohama|東京|大阪|京都|日本
Asia/Seoul busan|south korea|korea|ソウル|韓国
Asia/Shanghai beijing|shenzhen|guangzhou|china|北京|上海|中国
Asia/Hong_Kong 香港
Asia/Taipei taiwan|台湾|台北
Asia/Singapore シンガポール
Asia/Bangkok バンコク|タイ
Asia/Ho_Chi_Minh hanoi|saigon|vietnam|ベトナム
Asia/Kolkata mumbai|delhi|new delhi|bangalore|bengaluru|chennai|hyderabad|インド
Asia/Dubai abu dhabi|uae|ドバイ
Asia/Jerusalem tel aviv
Asia/Kathmandu nepal
Asia/Riyadh mecca|jeddah
Africa/Johannesburg cape town|pretoria
Africa/Cairo カイロ|エジプト
Australia/Sydney canberra|シドニー
Australia/Brisbane gold coast
Pacific/Auckland wellington|new zealand|ニュージーランド
UTC z|zulu|utc|gmt|世界標準時|協定世界時
"""
_ABBREVIATIONS = {
    "jst": "Asia/Tokyo", "kst": "Asia/Seoul", "hkt": "Asia/Hong_Kong", "sgt": "Asia/Singapore",
    "cet": "Europe/Paris", "cest": "Europe/Paris", "eet": "Europe/Helsinki", "eest": "Europe/Helsinki",
    "wet": "Europe/Lisbon", "bst": "Europe/London", "msk": "Europe/Moscow",
    "pt": "America/Los_Angeles", "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles",
    "mt": "America/Denver", "mst": "America/Denver", "mdt": "America/Denver",
    "et": "America/New_York", "est": "America/New_York", "edt": "America/New_York",
    "ct": "America/Chicago", "cdt": "America/Chicago",
    "aest": "Australia/Sydney", "aedt": "Australia/Sydney", "nzst": "Pacific/Auckland", "nzdt": "Pacific/Auckland",
}  # fmt: skip
_SEVERAL = {
    "ist": ("Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"),
    "cst": ("America/Chicago", "Asia/Shanghai", "America/Havana"),
    "georgia": ("Asia/Tbilisi", "America/New_York"),
}
_COUNTRIES = {"usa": "US", "us": "US", "united states of america": "US", "america": "US", "アメリカ": "US"}


def zone(name: str) -> tzinfo:
    """The zone that ``name`` stands for. Raises ``ToolFailed`` where there is none, or more than one."""
    wanted = _folded(name)
    if offset := _OFFSET.fullmatch(wanted):
        return _fixed(offset[1], int(offset[2]), int(offset[3] or 0), name)
    if wanted in _SEVERAL:
        raise _ambiguous(name, _SEVERAL[wanted])
    known = _iana().get(wanted) or _ABBREVIATIONS.get(wanted) or _cities().get(wanted)
    if known:
        return ZoneInfo(known)
    found = _of_country(wanted)
    if len(found) < 1:
        raise ToolFailed(
            f"There is no time zone “{name.strip()[:60]}”. Give an IANA name such as Europe/Paris, a large city, or an "
            "offset such as +09:00.",
            "input",
        )
    if len(found) > 1 and not _keep_time_together(found):
        raise _ambiguous(name, found)
    return ZoneInfo(next(iter(found)))


def _keep_time_together(zones: tuple[str, ...]) -> bool:
    """As Germany's two do, summer and winter."""
    days = [datetime(2026, month, 15, 12, tzinfo=UTC) for month in (1, 4, 7, 10)]
    return len({tuple(day.astimezone(ZoneInfo(name)).utcoffset() for day in days) for name in zones}) == 1


def _fixed(sign: str, hours: int, minutes: int, name: str) -> tzinfo:
    if hours > 14 or minutes > 59:
        raise ToolFailed(f"There is no offset {name.strip()[:20]}: they lie between -12:00 and +14:00.", "input")
    shift = timedelta(hours=hours, minutes=minutes)
    return timezone(-shift if sign == "-" else shift)


def _ambiguous(name: str, zones: tuple[str, ...]) -> ToolFailed:
    more = len(zones) - _MOST_NAMED
    named = ", ".join(zones[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return ToolFailed(f"“{name.strip()[:60]}” has more than one time zone: {named}. Choose one of them.", "input")


def _folded(name: str) -> str:
    """Without case, accents, underscores and dots."""
    plain = "".join(letter for letter in normalize("NFKD", name.strip()) if not combining(letter))
    text = normalize("NFC", plain).replace("−", "-").casefold()
    return " ".join(text.replace("_", " ").replace(".", "").removeprefix("the ").split())


@cache
def _iana() -> dict[str, str]:
    """Each zone under its name, and under its last part where no other has it."""
    names = sorted(name for name in available_timezones() if not name.startswith(("posix", "right", "SystemV")))
    found = {_folded(name): name for name in names}
    last: dict[str, list[str]] = {}
    for name in names:
        if name.partition("/")[0] not in ("Etc", "US", name):
            last.setdefault(_folded(name.rpartition("/")[2]), []).append(name)
    countries = {place for places in _tables()[1].values() for place in places}
    for short, several in last.items():
        # Of links to the same place, the one that a country names.
        chosen = [name for name in several if name in countries] or several
        if len(chosen) == 1:
            found.setdefault(short, chosen[0])
    return found


@cache
def _cities() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _CITIES.strip().splitlines():
        name, _, others = line.partition(" ")
        found.update({_folded(other): name for other in others.split("|")})
    return found


def _of_country(wanted: str) -> tuple[str, ...]:
    codes, zones = _tables()
    return zones.get(_COUNTRIES.get(wanted, codes.get(wanted, "")), ())


@cache
def _tables() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """From country to its code, from code to its zones: tables of the time zone database itself."""
    folder = files("tzdata") / "zoneinfo"
    codes = {_folded(name): code for code, name, *_ in _lines((folder / "iso3166.tab").read_text(encoding="utf-8"))}
    zones: dict[str, tuple[str, ...]] = {}
    for code, _, name, *_ in _lines((folder / "zone.tab").read_text(encoding="utf-8")):
        zones[code] = (*zones.get(code, ()), name)
    return codes, zones


def _lines(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
