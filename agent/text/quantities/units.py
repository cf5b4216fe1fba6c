"""Units of measure, currencies and percent: how they are written, and what they are in the base of their dimension.

Factors are the exact ones of the international definitions (inch, pound, US gallon, thermochemical calorie).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """``value × factor + offset`` is the value in the base unit of ``dimension``; currencies convert into nothing.

    ``rate`` and ``shift`` are the same two as floats.
    """

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    rate: float = 1.0
    shift: float = 0.0


# name | dimension | factor | offset | spellings beside the name, in lower case unless only capitals are meant
_TABLE = """
m|length|1|0|meter,meters,metre,metres,メートル,米
km|length|1000|0|kilometer,kilometers,kilometre,kilometres,kms,キロメートル,公里,キロ
cm|length|1/100|0|centimeter,centimeters,centimetre,centimetres,センチメートル,センチ
mm|length|1/1000|0|millimeter,millimeters,millimetre,millimetres,ミリメートル,ミリ
mi|length|1609344/1000|0|mile,miles,マイル
ft|length|3048/10000|0|foot,feet,フィート
in.|length|254/10000|0|inch,inches,インチ,″
yd|length|9144/10000|0|yard,yards,ヤード
nmi|length|1852|0|nautical mile,nautical miles,海里
ly|length|9460730472580800|0|light-year,light-years,light year,light years,光年
g|mass|1/1000|0|gram,grams,gramme,grammes,グラム
kg|mass|1|0|kilogram,kilograms,kilo,kilos,kgs,キログラム,公斤
mg|mass|1/1000000|0|milligram,milligrams,ミリグラム
t|mass|1000|0|ton,tons,tonne,tonnes,metric ton,metric tons,トン,吨
lb|mass|45359237/100000000|0|lbs,ポンド
oz|mass|28349523125/1000000000000|0|ounce,ounces,オンス
°C|temperature|1|0|℃,degrees celsius,degree celsius,celsius,degrees centigrade,degrees c,C,deg c,摂氏,° c
°F|temperature|5/9|-160/9|℉,degrees fahrenheit,degree fahrenheit,fahrenheit,degrees f,F,deg f,華氏,° f
K|temperature|1|-5463/20|kelvin,kelvins,ケルビン
degrees|degree|1|0|degree,°,度
s|time|1|0|sec,secs,second,seconds,秒,秒間
min|time|60|0|mins,minute,minutes,分,分間,分钟
h|time|3600|0|hr,hrs,hour,hours,時間,小时
days|time|86400|0|day,日間,日,天
weeks|time|604800|0|week,週間,週
months|month|1|0|month,か月,ヶ月,カ月,ヵ月,ケ月,个月
years|month|12|0|year,years old,year-old,year old,yrs,yr,年,年間,歳,才,years ago
km/h|speed|1000/3600|0|kph,kmh,kilometers per hour,kilometres per hour,キロメートル毎時
km/s|speed|1000|0|kilometers per second,kilometres per second,km per second
mi/s|speed|1609344/1000|0|miles per second
mph|speed|1609344/3600000|0|miles per hour
m/s|speed|1|0|meters per second,metres per second,メートル毎秒
knots|speed|1852/3600|0|kn,knot,kt,ノット
l|volume|1/1000|0|liter,liters,litre,litres,L,リットル
ml|volume|1/1000000|0|milliliter,milliliters,millilitre,millilitres,mL,ミリリットル
gal|volume|3785411784/1000000000000|0|gallon,gallons,ガロン
m³|volume|1|0|cubic meters,cubic metres,cubic meter,cubic metre,m3,立方メートル
km²|area|1000000|0|square kilometers,square kilometres,square kilometer,sq km,km2,平方キロメートル,平方キロ,㎢
m²|area|1|0|square meters,square metres,square meter,square metre,sq m,m2,平方メートル,㎡
ha|area|10000|0|hectare,hectares,ヘクタール
acres|area|40468564224/10000000|0|acre,エーカー
sq mi|area|2589988110336/1000000|0|square miles,square mile,mi²,mi2,平方マイル
sq ft|area|9290304/100000000|0|square feet,square foot,ft²,ft2
kB|data|1000|0|KB,kilobyte,kilobytes
MB|data|1000000|0|megabyte,megabytes,メガバイト
GB|data|1000000000|0|gigabyte,gigabytes,ギガバイト
TB|data|1000000000000|0|terabyte,terabytes,テラバイト
W|power|1|0|watt,watts,ワット
kW|power|1000|0|kilowatt,kilowatts,キロワット
MW|power|1000000|0|megawatt,megawatts,メガワット
GW|power|1000000000|0|gigawatt,gigawatts
hp|power|7456998715822702/10000000000000|0|horsepower,馬力
kWh|energy|3600000|0|kilowatt-hours,kilowatt hours
MWh|energy|3600000000|0|megawatt-hours,megawatt hours
TWh|energy|3600000000000000|0|terawatt-hours,terawatt hours
GWh|energy|3600000000000|0|gigawatt-hours,gigawatt hours
kcal|energy|4184|0|calories,kilocalories,キロカロリー,カロリー
kJ|energy|1000|0|kilojoule,kilojoules
Hz|frequency|1|0|hertz
MHz|frequency|1000000|0|megahertz
GHz|frequency|1000000000|0|gigahertz
hPa|pressure|100|0|hectopascals,mbar,millibars,ヘクトパスカル
%|share|1/100|0|percent,per cent,percentage points,percentage point,pp,パーセント,ポイント,pct
割|share|1/10|0|
times|ratio|1|0|x,×,倍,fold,-fold
USD|USD|1|0|$,us$,dollar,dollars,us dollars,us dollar,u.s. dollars,ドル,米ドル,美元,usd
cents|USD|1/100|0|cent,セント
EUR|EUR|1|0|€,euro,euros,ユーロ,eur
GBP|GBP|1|0|£,british pounds,pounds sterling,英ポンド,gbp
pounds|pound|1|0|pound
¥|¥|1|0|
JPY|JPY|1|0|yen,円,jpy,japanese yen,日本円
CNY|CNY|1|0|yuan,元,人民元,cny,rmb,cn¥
KRW|KRW|1|0|₩,won,ウォン,krw
INR|INR|1|0|₹,rupee,rupees,ルピー,inr
CHF|CHF|1|0|swiss francs,スイスフラン,chf
AUD|AUD|1|0|a$,au$,australian dollars,豪ドル,aud
CAD|CAD|1|0|c$,ca$,canadian dollars,カナダドル,cad
"""
# Each word of the first column may mean any of the units behind it.
_AMBIGUOUS = {"pounds": ("GBP", "lb"), "degrees": ("°C", "°F"), "¥": ("JPY", "CNY")}
_MONEY = frozenset(("USD", "EUR", "GBP", "JPY", "¥", "CNY", "KRW", "INR", "CHF", "AUD", "CAD", "pound"))


def _read_table() -> tuple[dict[str, Unit], dict[str, tuple[Unit, ...]]]:
    spellings: dict[str, Unit] = {}
    dimensions: dict[str, list[Unit]] = {}
    for line in _TABLE.strip().splitlines():
        name, dimension, factor, offset, words = line.split("|")
        exactly = Fraction(factor), Fraction(offset)
        unit = Unit(name, dimension, *exactly, *map(float, exactly))
        dimensions.setdefault(dimension, []).append(unit)
        for word in (name, *filter(None, words.split(","))):
            spellings[word] = unit
    return spellings, {name: tuple(units) for name, units in dimensions.items()}


SPELLINGS, DIMENSIONS = _read_table()
PERCENT = SPELLINGS["%"]
YEARS = SPELLINGS["years"]
_PER = ("/", " per ", " a ")
_BOTH_CASES = frozenset(word for word in SPELLINGS if len(word) == 1)  # "m" is metres, "M" is not
_LATIN = re.compile(r"[ \u00a0*_]{0,4}-?([A-Za-zµ°º℃℉%″€£$₩₹¥]+[²³23]?(?:/(?:h|s|km|m)\b[²³]?)?\.?)")
_MORE = re.compile(r"[ -]([A-Za-z]+)(?:[ -]([A-Za-z]+))?")
_CJK = re.compile(r"[ \u00a0*_]{0,4}([\u3041-\u30ff\u3400-\u9fff㎡㎢]{1,9})")
_PART = re.compile(r"[a-z°℃℉%$€£¥²³]+|[\u30a0-\u30ff\u3400-\u9fff]+", re.I)
_BEFORE = re.compile(
    r"(US\$|A\$|AU\$|C\$|CA\$|CN¥|[$€£¥₩₹]|\b(?:USD|EUR|GBP|JPY|CNY|KRW|INR|CHF|AUD|CAD)|摂氏|華氏)\s?[-−+]?$", re.I
)


def unit_at(text: str, start: int, end: int) -> tuple[Unit | None, int, int]:
    """The unit of the number at ``start`` to ``end``, and where number and unit together start and end."""
    if (before := _BEFORE.search(text, max(0, start - 6), start)) is not None:
        return SPELLINGS[before[1].lower()], before.start(), end
    unit, after = unit_after(text, end)
    return unit, start, after


def unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """The unit that starts at ``end`` (a space, a hyphen or bold marks may stand before it), and where it ends."""
    if (latin := _LATIN.match(text, end)) is not None:
        return _latin_unit(text, latin, end)
    if (cjk := _CJK.match(text, end)) is not None:
        run = cjk[1]
        for size in range(len(run), 0, -1):
            if run[:size] in SPELLINGS:
                return SPELLINGS[run[:size]], cjk.start(1) + size
    return None, end


def _latin_unit(text: str, first: re.Match[str], end: int) -> tuple[Unit | None, int]:
    word = first[1].rstrip(".")
    stop = first.start(1) + len(word)
    if (more := _MORE.match(text, stop)) is not None:
        words = f"{word} {more[1]} {more[2] or ''}".lower().split()
        for count in (3, 2):
            unit = SPELLINGS.get(" ".join(words[:count])) if len(words) >= count else None
            if unit is not None:
                return unit, more.end(count - 1)
    unit = spelled(word)
    return (unit, stop) if unit is not None else (None, end)


def spelled(word: str) -> Unit | None:
    """The unit that a word is, exactly as written or, from two letters on, in any case."""
    unit = SPELLINGS.get(word)
    if unit is None and len(word) > 1:
        unit = SPELLINGS.get(word.lower())
    return unit


def named_in(text: str) -> list[Unit]:
    """The units that a heading, a key or a row in lower case names: "temp_f", "area (km²)", "revenue_usd"."""
    words = [match[0].upper() if match[0] in ("f", "c") else match[0] for match in _PART.finditer(text)]
    return [unit for word in words if (unit := spelled(word)) is not None]


def alike(one: Unit, other: Unit) -> bool:
    """Whether two units can be the same: "pounds" may be money or mass, "degrees" any temperature."""
    if one.name == other.name:
        return True
    return one.name in _AMBIGUOUS.get(other.name, ()) or other.name in _AMBIGUOUS.get(one.name, ())


def comparable(one: Unit, other: Unit) -> bool:
    """Whether two units measure the same: of one dimension, or both money."""
    return (
        one.dimension == other.dimension or (one.dimension in _MONEY and other.dimension in _MONEY) or alike(one, other)
    )


def convert(value: Fraction, unit: Unit, into: Unit) -> Fraction:
    """``value`` in another unit of the same dimension."""
    return (value * unit.factor + unit.offset - into.offset) / into.factor


def rough(value: float, unit: Unit, into: Unit) -> float:
    """``convert`` in floats."""
    return (value * unit.rate + unit.shift - into.shift) / into.rate
