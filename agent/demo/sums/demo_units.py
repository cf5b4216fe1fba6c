"""Units of measure with exact factors, and quantities as people write them.

A factor is the number of base units in one unit (metre, kilogram, litre, metre a second, square metre, second, byte,
joule, pascal), exact by definition: the international foot and pound, the US gallon, the thermochemical calorie.
Temperatures have formulas instead. Words that mean several things (ton, month, degree) are left out on purpose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from agent.demo.rules.plan import Language
from agent.demo.sums.number_words import number_at


@dataclass(frozen=True, slots=True)
class Unit:
    """``name`` follows a figure (other than 1) in English, ``ja`` in Japanese; ``aliases`` are read, case and all.

    A name that is lower-case is also read in any case.
    """

    name: str
    kind: str
    factor: str
    one: str
    ja: str
    aliases: tuple[str, ...]


_TABLE = """
km|length|1000|km|km|kilometer kilometers kilometre kilometres km キロメートル キロ
metres|length|1|metre|メートル|meter meters metre metres m メートル
cm|length|0.01|cm|cm|centimeter centimeters centimetre centimetres cm センチメートル センチ
mm|length|0.001|mm|mm|millimeter millimeters millimetre millimetres mm ミリメートル
miles|length|1609.344|mile|マイル|mile miles mi マイル
yards|length|0.9144|yard|ヤード|yard yards yd yds ヤード
feet|length|0.3048|foot|フィート|foot feet ft フィート
inches|length|0.0254|inch|インチ|inch inches インチ
nautical miles|length|1852|nautical mile|海里|nautical_mile nautical_miles nmi 海里
kg|mass|1|kg|kg|kilogram kilograms kilogramme kilogrammes kilo kilos kg キログラム キロ
g|mass|0.001|g|g|gram grams gramme grammes g グラム
mg|mass|0.000001|mg|mg|milligram milligrams mg ミリグラム
pounds|mass|0.45359237|pound|ポンド|pound pounds lb lbs ポンド
ounces|mass|0.028349523125|ounce|オンス|ounce ounces oz オンス
stone|mass|6.35029318|stone|ストーン|stone stones
metric tons|mass|1000|metric ton|トン|tonne tonnes metric_ton metric_tons トン
litres|volume|1|litre|リットル|liter liters litre litres l L リットル
ml|volume|0.001|ml|ml|milliliter milliliters millilitre millilitres ml mL ミリリットル
US gallons|volume|3.785411784|US gallon|米ガロン|gallon gallons gal us_gallon us_gallons 米ガロン ガロン
US quarts|volume|0.946352946|US quart|米クォート|quart quarts us_quart us_quarts 米クォート
US pints|volume|0.473176473|US pint|米パイント|pint pints us_pint us_pints 米パイント
US cups|volume|0.2365882365|US cup|米カップ|cup cups us_cup us_cups 米カップ
US fluid ounces|volume|0.0295735295625|US fluid ounce|米液量オンス|fluid_ounce fluid_ounces fl_oz us_fluid_ounces
US tablespoons|volume|0.01478676478125|US tablespoon|米大さじ|tablespoon tablespoons tbsp us_tablespoon us_tablespoons
US teaspoons|volume|0.00492892159375|US teaspoon|米小さじ|teaspoon teaspoons tsp us_teaspoon us_teaspoons
cubic metres|volume|1000|cubic metre|立方メートル|cubic_meter cubic_meters cubic_metre cubic_metres m^3 立方メートル
km/h|speed|1000 / 3600|km/h|km/h|km/h kmh kph kilometers_per_hour kilometres_per_hour
mph|speed|1609.344 / 3600|mph|マイル毎時|mph miles_per_hour mi/h
m/s|speed|1|m/s|m/s|m/s meters_per_second metres_per_second
knots|speed|1852 / 3600|knot|ノット|knot knots ノット
ft/s|speed|0.3048|ft/s|ft/s|ft/s feet_per_second
m²|area|1|m²|平方メートル|square_meter square_meters square_metre square_metres m^2 sqm 平方メートル 平米
km²|area|1000000|km²|平方キロメートル|square_kilometer square_kilometers square_kilometres km^2 平方キロ
hectares|area|10000|hectare|ヘクタール|hectare hectares ha ヘクタール
acres|area|4046.8564224|acre|エーカー|acre acres エーカー
square feet|area|0.09290304|square foot|平方フィート|square_foot square_feet sq_ft sqft ft^2 平方フィート
square inches|area|0.00064516|square inch|平方インチ|square_inch square_inches sq_in 平方インチ
square yards|area|0.83612736|square yard|平方ヤード|square_yard square_yards
square miles|area|2589988.110336|square mile|平方マイル|square_mile square_miles sq_mi 平方マイル
seconds|time|1|second|秒|second seconds sec secs s 秒
minutes|time|60|minute|分|minute minutes min mins 分
hours|time|3600|hour|時間|hour hours hr hrs h 時間
days|time|86400|day|日|day days 日 日間
weeks|time|604800|week|週間|week weeks 週間 週
milliseconds|time|0.001|millisecond|ミリ秒|millisecond milliseconds ms ミリ秒
years|calendar|12|year|年|year years 年
months|calendar|1|month|か月|month months か月 ヶ月 カ月
decades|calendar|120|decade|十年|decade decades
centuries|calendar|1200|century|世紀|century centuries 世紀
bits|data|1 / 8|bit|ビット|bit bits ビット
bytes|data|1|byte|バイト|byte bytes B バイト
KB|data|1000|KB|KB|kilobyte kilobytes kB KB キロバイト
MB|data|1000000|MB|MB|megabyte megabytes mb MB メガバイト
GB|data|1000000000|GB|GB|gigabyte gigabytes gb GB ギガバイト
TB|data|1000000000000|TB|TB|terabyte terabytes tb TB テラバイト
KiB|data|1024|KiB|KiB|kibibyte kibibytes KiB
MiB|data|1048576|MiB|MiB|mebibyte mebibytes MiB
GiB|data|1073741824|GiB|GiB|gibibyte gibibytes GiB
megabits|data|125000|megabit|メガビット|megabit megabits Mbit メガビット
gigabits|data|125000000|gigabit|ギガビット|gigabit gigabits Gbit ギガビット
joules|energy|1|joule|ジュール|joule joules J ジュール
kJ|energy|1000|kJ|kJ|kilojoule kilojoules kJ キロジュール
kcal|energy|4184|kcal|kcal|kilocalorie kilocalories kcal キロカロリー
Wh|energy|3600|Wh|Wh|watt_hour watt_hours Wh ワット時
kWh|energy|3600000|kWh|kWh|kilowatt_hour kilowatt_hours kwh kWh キロワット時
hPa|pressure|100|hPa|hPa|hectopascal hectopascals hPa ヘクトパスカル
bar|pressure|100000|bar|バール|bar bars バール
atm|pressure|101325|atm|気圧|atmosphere atmospheres atm 気圧
°C|temperature||°C|°C|celsius centigrade C c °C °c degrees_c degrees_celsius degree_celsius degrees_centigrade 摂氏 セ氏
°F|temperature||°F|°F|fahrenheit F f °F °f degrees_f degrees_fahrenheit degree_fahrenheit 華氏 カ氏
kelvin|temperature||kelvin|ケルビン|kelvin kelvins K degrees_kelvin ケルビン
"""
ABSOLUTE_ZERO = {"°C": "-273.15", "°F": "-459.67", "kelvin": "0"}


@cache
def units() -> dict[str, tuple[Unit, ...]]:
    """Each spelling and what it may mean: "キロ" is a length and a mass."""
    found: dict[str, tuple[Unit, ...]] = {}
    for line in _TABLE.strip().splitlines():
        name, kind, factor, one, ja, aliases = line.split("|")
        spellings = tuple(alias.replace("_", " ") for alias in aliases.split(" "))
        unit = Unit(name, kind, factor, one, ja, spellings)
        for spelling in {*spellings, name, one, ja}:
            found[spelling] = (*found.get(spelling, ()), unit)
    return found


@cache
def named(name: str) -> Unit | None:
    """The unit whose values are written with ``name``."""
    return next((unit for meanings in units().values() for unit in meanings if unit.name == name), None)


def unit_of(text: str) -> tuple[Unit, ...]:
    """What ``text``, the whole of it, may mean as a unit."""
    text = re.sub(r"(?<=\w)-(?=\w)", " ", text.strip())
    lower = text.lower()
    return units().get(text) or (units().get(lower) if len(lower) > 1 and text not in _CASE_MATTERS else None) or ()


_CASE_MATTERS = {"Mb", "Gb", "Kb", "Tb", "kb", "Mg", "Ms", "kWH"}  # bits or bytes, mega or milli: not guessed


def multiplier(unit: Unit) -> str:
    """The unit's factor as it can stand in a product."""
    return f"({unit.factor})" if "/" in unit.factor else unit.factor


@dataclass(frozen=True, slots=True)
class Quantity:
    """A sum of measures, as in 5 feet 11 inches: each has its figure and what its unit may mean."""

    measures: tuple[tuple[str, tuple[Unit, ...]], ...]


_PRIMES = re.compile(r"^(\d+) ?['′](?: ?(\d+(?:\.\d+)?) ?(?:\"|″|'')?)?$")
_ONE = re.compile(r"(?:an?|one) (?=[a-zA-Z])")
_SIGN = re.compile(r"(?:-|minus |negative |マイナス)(?=\S)")
_AFTER = re.compile(r"([^\d,]+?)(?:,? and |, ?| )?(?=\d|$)")
_JAPANESE_SCALE = re.compile(r"(摂氏|セ氏|華氏|カ氏) ?(.+?) ?度?")
_JAPANESE_DEGREES = re.compile(r"(.+?)度 ?\(?(摂氏|セ氏|華氏|カ氏)\)?")


def quantity(text: str, language: Language) -> Quantity | None:
    """Read ``text``, the whole of it, as a quantity; ``None`` where it is none."""
    text = _PRIMES.sub(r"\1 feet \2 inches", text.strip()).replace(" feet  inches", " feet")
    if match := _JAPANESE_SCALE.fullmatch(text):
        text = f"{match[2]} {match[1]}"
    elif match := _JAPANESE_DEGREES.fullmatch(text):
        text = f"{match[1]} {match[2]}"
    sign = _SIGN.match(text)
    position = sign.end() if sign else 0
    if one := _ONE.match(text, position):
        meanings = unit_of(text[one.end() :])
        return Quantity((("1", meanings),)) if meanings and not sign else None
    measures: list[tuple[str, tuple[Unit, ...]]] = []
    while position < len(text):
        measure = _measure_at(text, position, language)
        if measure is None:
            return None
        amount, meanings, position = measure
        measures.append((f"-{amount}" if sign else amount, meanings))
    return Quantity(_of_time(measures)) if measures and not (sign and len(measures) > 1) else None


def _of_time(measures: list[tuple[str, tuple[Unit, ...]]]) -> tuple[tuple[str, tuple[Unit, ...]], ...]:
    """Beside hours or seconds, as in 1h30m, an m is no metre."""
    timed = any(unit.kind == "time" for _, units in measures for unit in units)
    metres, minutes = unit_of("m"), unit_of("min")
    return tuple((amount, minutes if timed and units == metres else units) for amount, units in measures)


def _measure_at(text: str, position: int, language: Language) -> tuple[str, tuple[Unit, ...], int] | None:
    number = number_at(text, position, language) or number_at(text.lower(), position, "en")
    after = _AFTER.match(text, number[1]) if number else None
    meanings = unit_of(after[1]) if after else ()
    return (number[0], meanings, after.end()) if number and after and meanings else None


CURRENCIES = {
    "$": "$",
    "€": "€",
    "£": "£",
    "¥": "¥",
    "円": "円",
    "dollars": "$",
    "dollar": "$",
    "euros": "€",
    "yen": "¥",
}
