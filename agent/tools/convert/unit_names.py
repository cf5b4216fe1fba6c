"""What units are called here beyond what ``pint`` knows, and which of their names mean several things.

A line of ``_NAMES`` is an expression of ``pint``'s (or of ``OWN``) and the spellings it is read from; a spelling in
capitals counts as it is, others in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

# Units that ``pint`` lacks or has otherwise: how many of which of its units. The international acre; the Japanese
# units of the law of 1891 (10/33 m a shaku, 15/4 kg a kan, 2401/1331 litres a shō).
OWN: dict[str, tuple[Fraction, str]] = {
    "acre": (Fraction("4046.8564224"), "meter**2"),
    "tsubo": (Fraction(400, 121), "meter**2"),
    "jo": (Fraction("1.62"), "meter**2"),
    "se": (Fraction(12000, 121), "meter**2"),
    "tan": (Fraction(120000, 121), "meter**2"),
    "chobu": (Fraction(1200000, 121), "meter**2"),
    "sun": (Fraction(1, 33), "meter"),
    "shaku": (Fraction(10, 33), "meter"),
    "ken": (Fraction(20, 11), "meter"),
    "cho": (Fraction(1200, 11), "meter"),
    "ri": (Fraction(43200, 11), "meter"),
    "kan": (Fraction("3.75"), "kilogram"),
    "kin": (Fraction("0.6"), "kilogram"),
    "momme": (Fraction("0.00375"), "kilogram"),
    "go": (Fraction(2401, 13310), "liter"),
    "sho": (Fraction(2401, 1331), "liter"),
    "to_": (Fraction(24010, 1331), "liter"),
    "koku": (Fraction(240100, 1331), "liter"),
    "japanese_cup": (Fraction("0.2"), "liter"),
    "metric_cup": (Fraction("0.25"), "liter"),
    "metric_tablespoon": (Fraction("0.015"), "liter"),
    "metric_teaspoon": (Fraction("0.005"), "liter"),
    "fathom": (Fraction("1.8288"), "meter"),
    "rod": (Fraction("5.0292"), "meter"),
    "chain": (Fraction("20.1168"), "meter"),
    "furlong": (Fraction("201.168"), "meter"),
    "rpm": (Fraction(1, 60), "hertz"),
    "week": (Fraction(7), "day"),
    "fortnight": (Fraction(14), "day"),
}
_NAMES = """
meter: m;metre;metres;meters;メートル
kilometer: km;kilometre;kilometres;キロメートル;キロ
centimeter: cm;centimetre;centimetres;センチメートル;センチ
millimeter: mm;millimetre;millimetres;ミリメートル;ミリ
mile: mi;miles;マイル;statute mile;statute miles
yard: yd;yds;yards;ヤード
foot: ft;feet;フィート;フット;'
inch: in;inches;インチ;"
nautical_mile: nmi;nautical mile;nautical miles;海里
kilogram: kg;kilo;kilos;kilogramme;kilogrammes;キログラム
gram: g;gramme;grammes;グラム
milligram: mg;milligramme;ミリグラム
pound: lb;lbs;pounds;ポンド
ounce: oz;ounces;オンス
stone: stones;st;ストーン
metric_ton: t;tonne;tonnes;metric ton;metric tons;トン
US_ton: short ton;short tons;us ton;us tons;ton;tons
long_ton: long ton;long tons;imperial ton;imperial tons;uk ton
liter: l;litre;litres;liters;リットル
milliliter: ml;millilitre;millilitres;ミリリットル;cc
gallon: gal;gallons;us gallon;us gallons;米ガロン;ガロン
imperial_gallon: uk gallon;uk gallons;imperial gallon;imperial gallons;英ガロン
quart: qt;quarts;us quart;us quarts;米クォート;クォート
imperial_quart: uk quart;imperial quart;imperial quarts
pint: pt;pints;us pint;us pints;米パイント;パイント
imperial_pint: uk pint;imperial pint;imperial pints;uk pints
cup: cups;us cup;us cups;米カップ;カップ
imperial_cup: uk cup;imperial cup
metric_cup: metric cup;metric cups
japanese_cup: japanese cup;japanese cups;日本のカップ;計量カップ
fluid_ounce: fl oz;fl. oz;floz;fluid ounce;fluid ounces;us fluid ounce;us fluid ounces;米液量オンス
imperial_fluid_ounce: uk fluid ounce;imperial fluid ounce;imperial fluid ounces
tablespoon: tbsp;tablespoons;us tablespoon;us tablespoons;米大さじ
teaspoon: tsp;teaspoons;us teaspoon;us teaspoons;米小さじ
metric_tablespoon: metric tablespoon;metric tablespoons;大さじ
metric_teaspoon: metric teaspoon;metric teaspoons;小さじ
oil_barrel: barrel;barrels;bbl;barrel of oil;barrels of oil;oil barrel;oil barrels;バレル
meter**3: cubic meter;cubic meters;cubic metre;cubic metres;m3;m^3;m³;立方メートル;立米
centimeter**3: cubic centimeter;cubic centimeters;cubic centimetre;cubic centimetres;cm3;cm^3;cm³
foot**3: cubic foot;cubic feet;cu ft;ft3;ft^3;ft³
inch**3: cubic inch;cubic inches;cu in
meter**2: square meter;square meters;square metre;square metres;m2;m^2;m²;sqm;sq m;平方メートル;平米
kilometer**2: square kilometer;square kilometers;square kilometre;square kilometres;km2;km^2;km²;平方キロ
centimeter**2: square centimeter;square centimeters;cm2;cm^2;cm²
hectare: ha;hectares;ヘクタール
acre: acres;エーカー
foot**2: square foot;square feet;sq ft;sqft;ft2;ft^2;ft²;平方フィート
inch**2: square inch;square inches;sq in;in2;in²;平方インチ
yard**2: square yard;square yards;sq yd;平方ヤード
mile**2: square mile;square miles;sq mi;mi2;平方マイル
kilometer/hour: km/h;kmh;kph;kmph;kilometers per hour;kilometres per hour;キロ毎時;時速キロ
mile/hour: mph;mi/h;miles per hour;マイル毎時
meter/second: m/s;meters per second;metres per second;メートル毎秒
knot: kn;kt;kts;knots;ノット
foot/second: ft/s;fps;feet per second
year: yr;years;年
month: months;か月;ヶ月
second: s;sec;secs;seconds;秒
minute: min;mins;minutes;分
hour: h;hr;hrs;hours;時間
day: d;days;日;日間
week: weeks;wk;週;週間
millisecond: ms;milliseconds;ミリ秒
bit: bits;ビット
byte: bytes;B;バイト
degC: c;celsius;centigrade;°c;℃;degrees celsius;degree celsius;degrees c;摂氏;セ氏;度
degF: f;fahrenheit;°f;℉;degrees fahrenheit;degree fahrenheit;degrees f;華氏;カ氏
kelvin: k;kelvins;ケルビン;degrees kelvin
degR: rankine;°r;degrees rankine
joule: J;joules;ジュール
kilojoule: kJ;kilojoules;キロジュール
calorie: cal;calories;small calorie;small calories
kilocalorie: kcal;kilocalories;food calorie;food calories;Cal;キロカロリー;カロリー
watt_hour: Wh;watt hour;watt hours;ワット時
kilowatt_hour: kWh;kwh;kilowatt hour;kilowatt hours;キロワット時
international_british_thermal_unit: btu;btus
watt: W;watts;ワット
kilowatt: kW;kilowatts;キロワット
horsepower: hp;bhp;馬力
metric_horsepower: ps;metric horsepower;仏馬力
hectopascal: hPa;hectopascals;ヘクトパスカル
kilopascal: kPa;kilopascals
pascal: Pa;pascals;パスカル
bar: bars;バール
atmosphere: atm;atmospheres;気圧
pound_force_per_square_inch: psi;pounds per square inch
millimeter_Hg: mmhg;mm hg
inch_Hg: inhg;in hg
degree: deg;degrees;°
radian: rad;radians;ラジアン
light_year: ly;light year;light years;light-year;光年
astronomical_unit: au;astronomical unit;astronomical units;天文単位
parsec: pc;parsecs
fathom: fathoms
rod: rods
chain: chains
furlong: furlongs
rpm: revolutions per minute;rev/min;毎分回転数
tsubo: 坪
jo: 畳;帖;tatami;tatami mat;tatami mats;jō
se: 畝
tan: 反
chobu: 町歩;町
sun: 寸
shaku: 尺
ken: 間;ken
cho: 丁
ri: 里
kan: 貫;kanme
kin: 斤
momme: 匁
go: 合;gō
sho: 升;shō
to_: 斗
koku: 石
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name was taken for; ``others`` are what it may also mean, as pairs of unit and words."""

    taken: str
    others: tuple[tuple[str, str], ...]


# Names with several meanings: what each is taken for, and the other units it could be.
_US_UK = "imperial (UK)"
AMBIGUOUS: dict[str, Meaning] = {
    **{
        name: Meaning(f"the US {unit.replace('_', ' ')}", ((f"imperial_{unit}", f"an {_US_UK} one"),))
        for unit, names in {
            "gallon": ("gallon", "gallons", "gal", "ガロン"),
            "quart": ("quart", "quarts", "qt", "クォート"),
            "pint": ("pint", "pints", "pt", "パイント"),
            "fluid_ounce": ("fluid ounce", "fluid ounces", "fl oz", "floz"),
        }.items()
        for name in names
    },
    **{
        name: Meaning("the US cup", (("metric_cup", "a metric one"), ("japanese_cup", "a Japanese one")))
        for name in ("cup", "cups", "カップ")
    },
    **{
        name: Meaning("the US tablespoon", (("metric_tablespoon", "a metric one"),))
        for name in ("tablespoon", "tablespoons", "tbsp")
    },
    **{
        name: Meaning("the US teaspoon", (("metric_teaspoon", "a metric one"),))
        for name in ("teaspoon", "teaspoons", "tsp")
    },
    **{
        name: Meaning("the US (short) ton", (("metric_ton", "a metric one"), ("long_ton", "an imperial (long) one")))
        for name in ("ton", "tons")
    },
    **{
        name: Meaning("the ounce of weight", (("troy_ounce", "a troy ounce (gold, silver)"),))
        for name in ("ounce", "ounces", "oz", "オンス")
    },
    **{
        name: Meaning("a barrel of oil", (("beer_barrel", "a US barrel of beer"),))
        for name in ("barrel", "barrels", "bbl", "バレル")
    },
    **{
        name: Meaning("the small calorie", (("kilocalorie", "a food calorie"),))
        for name in ("calorie", "calories", "cal")
    },
    "カロリー": Meaning("the food calorie (kcal)", (("calorie", "a small calorie"),)),
    **{
        name: Meaning("the mechanical horsepower", (("metric_horsepower", "a metric one (PS)"),))
        for name in ("hp", "horsepower", "馬力")
    },
    **{
        name: Meaning("1.62 m² (as in advertisements for flats)", ())
        for name in ("畳", "帖", "tatami", "tatami mat", "jo")
    },
    "坪": Meaning("400/121 m²", ()),
    "斤": Meaning("600 g", (("gram", "bread is sold by a 斤 of at least 340 g"),)),
    "石": Meaning("180.39 litres", ()),
    "町": Meaning("the area 町歩", (("cho", "the length 町 (丁)"),)),
    "合": Meaning("the measure of volume, 180.39 ml", ()),
    "里": Meaning("the Japanese ri, 3.927 km", ()),
    "ポンド": Meaning("the pound of weight", ()),
    "キロ": Meaning("kilometres", (("kilogram", "kilograms"),)),
    **{name: Meaning("365.25 days, the average", ()) for name in ("year", "years", "yr", "年")},
    **{name: Meaning("30.4375 days, the average", ()) for name in ("month", "months", "か月", "ヶ月")},
}  # fmt: skip
_DECIMAL = {"k": 3, "m": 6, "g": 9, "t": 12, "p": 15, "e": 18}
_BINARY = {"ki": 10, "mi": 20, "gi": 30, "ti": 40, "pi": 50, "ei": 60}
_WORDS = {"kilo": 3, "mega": 6, "giga": 9, "tera": 12, "peta": 15, "exa": 18}
_BINARY_WORDS = {"kibi": 10, "mebi": 20, "gibi": 30, "tebi": 40, "pebi": 50, "exbi": 60}
_KATAKANA = {"キロ": 3, "メガ": 6, "ギガ": 9, "テラ": 12, "ペタ": 15}


@cache
def spellings() -> dict[str, str]:
    """Each spelling and the unit it stands for."""
    found: dict[str, str] = dict(_data_sizes())
    for line in _NAMES.strip().splitlines():
        unit, _, names = line.partition(": ")
        for name in (*names.split(";"), unit):
            found.setdefault(name, unit)
    return found


def unit_called(name: str) -> str:
    """The unit of that name: as it is, else in lower case; "" where it is none of these."""
    known = spellings()
    return known.get(name) or known.get(name.lower(), "")


def _data_sizes() -> dict[str, str]:
    """Sizes of data: KB and kB are 1,000 bytes, KiB 1,024; a small b at the end means bits."""
    found: dict[str, str] = {}
    for powers, base in ((_DECIMAL, 10), (_BINARY, 2)):
        for prefix, power in powers.items():
            unit = prefix.title() if base == 2 else prefix.upper()
            factor = f"{base}**{power}"
            found |= {f"{unit}B": f"{factor} byte", f"{unit}b": f"{factor} bit", f"{unit}bit": f"{factor} bit"}
    found |= {"kB": "10**3 byte", "kb": "10**3 bit", "kbit": "10**3 bit"}
    for words, base in ((_WORDS, 10), (_BINARY_WORDS, 2)):
        for word, power in words.items():
            for what in ("byte", "bit"):
                found |= {f"{word}{what}{end}": f"{base}**{power} {what}" for end in ("", "s")}
    for word, power in _KATAKANA.items():
        found |= {f"{word}バイト": f"10**{power} byte", f"{word}ビット": f"10**{power} bit"}
    return found
