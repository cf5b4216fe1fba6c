"""The ``convert`` tool against definitions: exact factors as laws and standards have them, written down anew."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction as F
from typing import Any, cast

import pytest

from agent.errors import ToolFailed
from agent.text.quantities.units import measures, unit_rows
from agent.tools.convert.convert_tool import convert, told, written
from agent.tools.convert.unit_registry import unit
from tests.support.cases import each

INCH, POUND, GALLON = F("0.0254"), F("0.45359237"), F("3.785411784")
# Units that the app's table does not have; who asks for one waits for a library.
OF_THE_LIBRARY = {"MW", "carat", "eV", "kWh", "kg m/s^2", "liters per minute", "rpm"}
# Amount, unit, other unit, and the factor between them by definition.
FACTORS: tuple[tuple[str, str, str, F], ...] = (
    ("5", "km", "miles", 1000 / (63360 * INCH)),
    ("1", "mile", "m", 63360 * INCH),
    ("6", "ft", "cm", 12 * INCH * 100),
    ("1", "inch", "mm", INCH * 1000),
    ("100", "yards", "metres", 36 * INCH),
    ("1", "nautical mile", "km", F("1.852")),
    ("1", "light year", "km", F(9460730472580800, 1000)),
    ("1", "au", "km", F("149597870.7")),
    ("2", "furlongs", "m", 7920 * INCH),
    ("1", "fathom", "ft", F(6)),
    ("1", "KM", "m", F(1000)),
    ("70", "kg", "lb", 1 / POUND),
    ("12", "stone", "kg", 14 * POUND),
    ("16", "oz", "g", POUND / 16 * 1000),
    ("1", "tonne", "lb", 1000 / POUND),
    ("1", "short ton", "kg", 2000 * POUND),
    ("1", "long ton", "kg", 2240 * POUND),
    ("1", "carat", "g", F("0.2")),
    ("1", "troy ounce", "g", F("31.1034768")),
    ("1", "beer barrel", "US gallons", F(31)),
    ("1", "psi", "Pa", POUND * F("9.80665") / INCH**2),
    ("2", "years", "days", F("365.25")),
    ("1", "US gallon", "l", GALLON),
    ("1", "imperial gallon", "l", F("4.54609")),
    ("2", "US pints", "ml", GALLON / 8 * 1000),
    ("1", "UK pint", "ml", F("4.54609") / 8 * 1000),
    ("8", "fl oz", "ml", GALLON / 128 * 1000),
    ("3", "tbsp", "tsp", F(3)),
    ("1", "m³", "litres", F(1000)),
    ("1", "cubic foot", "l", (12 * INCH) ** 3 * 1000),
    ("1", "barrel of oil", "US gallons", F(42)),
    ("1", "metric cup", "ml", F(250)),
    ("1", "acre", "m²", 4840 * (36 * INCH) ** 2),
    ("2", "hectares", "acres", 10000 / (4840 * (36 * INCH) ** 2)),
    ("1", "sq ft", "m²", (12 * INCH) ** 2),
    ("1", "square mile", "km²", (63360 * INCH) ** 2 / 10**6),
    ("100", "km/h", "mph", 1000 / (63360 * INCH)),
    ("10", "m/s", "km/h", F("3.6")),
    ("1", "knot", "km/h", F("1.852")),
    ("10", "liters per minute", "m³/h", F("0.06")),
    ("1", "week", "hours", F(168)),
    ("90", "minutes", "hours", F(1, 60)),
    ("1", "fortnight", "days", F(14)),
    ("3", "GB", "MiB", F(10**9, 2**20)),
    ("1", "GiB", "bytes", F(2**30)),
    ("100", "Mbit", "MB", F(1, 8)),
    ("1", "kB", "bytes", F(1000)),
    ("100", "Mbps", "MB/s", F(1, 8)),
    ("1", "MBps", "mbps", F(8)),
    ("12", "megabytes per second", "Mbit/s", F(8)),
    ("36", "GB/h", "MB per minute", F(1000, 60)),
    ("1", "bps", "B/s", F(1, 8)),
    ("1", "terabyte", "GB", F(1000)),
    ("8", "bits", "byte", F(1, 8)),
    ("5", "メガバイト", "キロバイト", F(1000)),
    ("1", "kWh", "MJ", F("3.6")),
    ("1", "kcal", "kJ", F("4.184")),
    ("1", "BTU", "J", POUND * F(5, 9) * F("4186.8")),
    ("1", "eV", "J", F("1.602176634e-19")),
    ("1", "hp", "W", POUND * F("9.80665") * 550 * 12 * INCH),
    ("1", "PS", "W", 75 * F("9.80665")),
    ("1", "MW", "kW", F(1000)),
    ("1", "atm", "hPa", F("1013.25")),
    ("1", "bar", "kPa", F(100)),
    ("32", "psi", "Pa", POUND * F("9.80665") / INCH**2),
    ("60", "rpm", "Hz", F(1, 60)),
    ("1", "kg m/s^2", "newton", F(1)),
    ("1", "坪", "m²", F(400, 121)),
    ("30", "坪", "平米", F(400, 121)),
    ("6", "畳", "m²", F("1.62")),
    ("1", "尺", "cm", F(1000, 33)),
    ("10", "寸", "尺", F(1, 10)),
    ("1", "間", "尺", F(6)),
    ("1", "升", "合", F(10)),
    ("1", "合", "ml", F(2401, 13310) * 1000),
    ("1", "石", "升", F(100)),
    ("1", "貫", "kg", F("3.75")),
    ("1", "匁", "g", F("3.75")),
    ("1", "斤", "匁", F(160)),
    ("1", "町歩", "反", F(10)),
    ("1", "反", "坪", F(300)),
    ("1", "里", "km", F(43200, 11) / 1000),
)
OTHERS: tuple[tuple[str, str, str, F], ...] = (
    ("72", "°F", "°C", (F(72) - 32) * 5 / 9),
    ("-40", "C", "F", F(-40)),
    ("100", "celsius", "kelvin", F("373.15")),
    ("0", "K", "°F", F("-459.67")),
    ("37", "摂氏", "華氏", F("98.6")),
    ("491.67", "rankine", "°C", F(0)),
    ("30", "mpg", "l/100km", 100 / (30 * F("1.609344") / GALLON)),
    ("6", "L/100km", "UK mpg", (F(100) / 6) * F("4.54609") / F("1.609344")),
    ("15", "km/l", "L/100 km", F(100, 15)),
)
REFUSED = (
    ("1", "MB/s", "km/h", "do not measure the same thing: data per time and speed"),
    ("1", "kg/s", "MB/s", "do not measure the same thing"),
    ("1", "kg", "km", "mass and length"),
    ("1", "kg", "l", "mass and volume"),
    ("1", "byte", "metre", "do not measure the same thing"),
    ("-300", "C", "K", "absolute zero"),
    ("-1", "kelvin", "C", "absolute zero"),
    ("0", "mpg", "l/100km", "above 0"),
    ("100", "USD", "EUR", "Search for today's rate"),
    ("100", "円", "ドル", "Search for today's rate"),
    ("1", "zork", "m", "no unit “zork”"),
    ("1", "", "m", "no unit"),
    ("1", "m**(10**10)", "m", "no unit"),
    ("1", "m**99999999", "m", "no unit"),
    ("1", "(" * 50, "m", "no unit"),
    ("1", "m" * 500, "m", "no unit"),
    ("1", "__import__('os')", "m", "no unit"),
    ("1", "delta_degC", "kelvin", "no unit"),
)


@each(("amount", "unit", "to", "factor"), FACTORS, ids=lambda value: str(value)[:20])
def test_factors(amount: str, unit: str, to: str, factor: F) -> None:
    figure, exact = written(F(amount) * factor)
    assert told(F(amount), unit, to).split("\n")[0] == f"{amount} {unit} {'=' if exact else '≈'} {figure} {to}"


@each(("amount", "unit", "to", "wanted"), OTHERS, ids=lambda value: str(value)[:20])
def test_scales_and_fuel(amount: str, unit: str, to: str, wanted: F) -> None:
    figure, exact = written(wanted)
    assert told(F(amount), unit, to) == f"{amount} {unit} {'=' if exact else '≈'} {figure} {to}"


@each(("amount", "unit", "to", "reason"), REFUSED, ids=lambda value: str(value)[:20])
def test_what_it_refuses(amount: str, unit: str, to: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=re.escape(reason)):
        convert.call({"amount": float(amount), "unit": unit, "to": to})


@each(
    ("unit", "to", "notes"),
    [
        ("ton", "kg", ("the US (short) ton", "a metric one it would be 1000;", "1016.0469088")),
        ("gallon", "l", ("the US gallon", "an imperial (UK) one it would be 4.54609")),
        ("cup", "ml", ("the US cup", "250", "a Japanese one it would be 200")),
        ("oz", "g", ("the ounce of weight", "troy", "31.1034768")),
        ("calorie", "J", ("the small calorie", "4184")),
        ("坪", "m²", ("taken as 400/121 m²",)),
        ("year", "days", ("365.25",)),
    ],
)
def test_names_with_several_meanings_are_named(unit: str, to: str, notes: tuple[str, ...]) -> None:
    text = told(F(1), unit, to)
    assert all(note in text for note in notes), text


def test_no_note_where_nothing_is_in_doubt() -> None:
    assert "\n" not in told(F(1), "US gallon", "l") + told(F(1), "metric ton", "kg") + told(F(1), "Cal", "J")


def test_it_knows_every_unit_of_the_demo() -> None:
    for meanings in measures().values():
        for one in meanings:
            if one.kind not in ("temperature", "month"):
                top, _, bottom = one.factor.partition(" / ")
                bases = {"volume": F(1, 1000), "data": F(8), "data rate": F(8)}
                base = bases.get(one.kind, F(1)) * F(top) / F(bottom or 1)
                reference = F(1000 if one.kind in ("mass", "energy", "pressure") else 1)  # grams are the base of mass
                assert unit(one.name).base == base * reference, one.name


def test_numbers_as_they_are_written() -> None:
    assert [written(value)[0] for value in (F(1, 3), F(10**6), F("0.1"), F(1, 10**9), F(10**30), F(0))] == [
        "0.333333333333", "1000000", "0.1", "1e-9", "1e+30", "0",
    ]  # fmt: skip


def test_the_tables_are_as_large_as_promised() -> None:
    assert len(FACTORS) + len(OTHERS) >= 60


@pytest.mark.slow
def test_the_unit_library_is_not_loaded_with_the_app() -> None:
    program = (
        "import sys, pages.ui.frame.frame, agent.application.setup, agent.tools.catalogue, "
        "agent.tools.convert.convert_tool, agent.tools.now.now_tool, "
        "agent.tools.own_data.documents_tool\nprint([name for name in ('pint', 'pypdf') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


@pytest.mark.slow
def test_the_table_of_units_is_as_the_library_has_it() -> None:
    """But for units of the US survey foot there, turns in radians there, and a Japanese unit of another name."""
    import pint  # not at the top: the next test looks who imports it

    otherwise = {"acre", "chain", "fathom", "furlong", "kin", "rod", "rpm"}
    library = cast("Any", pint.UnitRegistry)(non_int_type=F, cache_folder=None)
    compared = 0
    for row in unit_rows():
        name = row.pint_name
        if row.factor and row.kind != "temperature" and name and name not in otherwise and name in library:
            there = library.Quantity(F(1), library.parse_units(name)).to_root_units()
            assert unit(name).base == F(there.magnitude), name
            compared += 1
    assert compared >= 80


@pytest.mark.slow
def test_everyday_units_do_not_wait_for_the_unit_library() -> None:
    program = (
        "import sys, tests.tools.test_convert as here\n"
        "for amount, unit, to, _ in here.FACTORS:\n"
        "    if unit not in here.OF_THE_LIBRARY: here.told(here.F(amount), unit, to)\n"
        "print('pint' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "False"


@each(
    ("words", "said"),
    [
        ("5 miles in km", "5 miles = 8.04672 km"),
        ("convert 1,500 kcal to kJ", "1500 kcal = 6276 kJ"),
        ("5 feet 11 inches in cm", "71 inches = 180.34 cm"),
        ("26.2 miles; to kilometers", "26.2 miles = 42.1648128 km"),
        ("26.2 miles; km; km", "26.2 miles = 42.1648128 km"),
        ("90 minutes in hours and minutes", "90 minutes = 1 hours and 30 minutes"),
        ("100 Mbps to MB/s", "100 Mbps = 12.5 MB/s"),
        ("1升は何リットル", "1 升 ≈ 1.80390683696 リットル"),
        ("2.5貫をkgに", "2.5 貫 = 9.375 kg"),
        ("2里をkmに換算すると？", "2 里 ≈ 7.85454545455 km\n“里” is taken as the Japanese ri, 3.927 km."),
        ("華氏212度は摂氏何度？", "212 °F = 100 °C"),
        ('{"amount": 1, "unit": "mile", "to": "m"}', "1 mile = 1609.344 m"),
    ],
)
def test_plain_words_are_read(words: str, said: str) -> None:
    assert convert.call(convert.prepare(words).arguments).text == said
