"""What units are called here beyond what ``pint`` knows, and which of their names mean several things."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from agent.text.quantities.unit_table import unit_rows

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
    rows = [row for row in unit_rows() if row.pint_name]
    for row in rows:
        for name in (*row.to_convert, *row.in_questions, *row.spellings, *row.names, row.pint_name):
            found.setdefault(name, row.pint_name)
    for row in rows:
        for name in row.in_figures:
            found.setdefault(name, row.pint_name)
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
