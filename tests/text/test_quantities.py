"""Numbers, dates and units as people write them in several languages: what each may be read as."""

from __future__ import annotations

from fractions import Fraction

from agent.text.quantities.day_mentions import Day, dates_in
from agent.text.quantities.figures import Figure, figures_in
from agent.text.quantities.number_words import exactly, kanji_numbers
from agent.text.quantities.scanning import plain, scale_end, scan
from agent.text.quantities.spelled_words import all_languages, languages_of, spelled_amounts, spelled_numbers
from tests.support.cases import each


def days_of(said: str) -> list[Day]:
    text = plain(said)
    return dates_in(text, text.lower(), scan(text))


def figures_of(said: str) -> list[Figure]:
    text = plain(said)
    scanned = scan(text)
    return figures_in(text, text.lower(), scanned, dates_in(text, text.lower(), scanned), scanned.continental)


def seen_in(said: str) -> set[Fraction]:
    """All values that a source may have meant."""
    text = plain(said)
    scanned = scan(text)
    words = (
        *spelled_numbers(text.lower(), all_languages()),
        *spelled_amounts(text.lower(), all_languages()),
        *kanji_numbers(text),
    )
    values = {Fraction(repr(token.value)) for token in scanned.numbers}
    return values | {reading.value for reading in scanned.others} | {word.value for word in words}


@each(
    ("said", "value", "unit"),
    [
        ("1.234 km", "1.234", "km"),
        ("1.234 km", "1234", "km"),
        ("83.294.633 Menschen", "83294633", ""),
        ("68 373 433 habitants", "68373433", ""),
        ("68\u202f373\u202f433 habitants", "68373433", ""),
        ("1'234 Franken", "1234", "CHF"),
        ("12,34,567 voters", "1234567", ""),
        ("25 lakh voters", "2500000", ""),
        ("5 crore rupees", "50000000", "INR"),
        ("450 Tsd. Euro", "450000", "EUR"),
        ("3,77 Mio. Einwohner", "3770000", ""),
        ("1,25 Mrd. Euro", "1250000000", "EUR"),
        ("1,6 billones de euros", "1600000000000", "EUR"),
        ("12 mil millones de euros", "12000000000", "EUR"),
        ("845 M€", "845000000", "EUR"),
        ("3,2 milliards d'euros", "3200000000", "EUR"),
        ("15 mil pesos", "15000", "MXN"),
        ("2,3 miliardi di euro", "2300000000", "EUR"),
        ("R$ 1,2 bilhão", "1200000000", "BRL"),
        ("$1.2bn", "1200000000", "USD"),
        ("€1.2tn", "1200000000000", "EUR"),
        ("$85K", "85000", "USD"),
        ("1億2,330万人", "123300000", ""),
        ("3.5兆円", "3500000000000", "JPY"),
        ("4,500千円", "4500000", "JPY"),
        ("125,300百万円", "125300000000", "JPY"),
        ("1万2,800円", "12800", "JPY"),
        ("4.72万亿元", "4720000000000", "CNY"),
        ("3조 5천억 원", "3500000000000", "KRW"),
        ("941만 명", "9410000", ""),
        ("1.2e6 cells", "1200000", ""),
        ("1.2 × 10^6 m/s", "1200000", "m/s"),
        ("10⁶ cells", "1000000", ""),
        ("12,5 Prozent", "12.5", "%"),
        ("7,3 pour cent", "7.3", "%"),
        ("0.3 percentage points", "0.3", "pp"),
        ("0,3 Prozentpunkte", "0.3", "pp"),
        ("1.2ポイント", "1.2", "pp"),
        ("0.25%포인트", "0.25", "pp"),
        ("150 bps", "150", "bp"),
        ("35 ‰", "35", "‰"),
        ("1½ inches", "1.5", "in."),
        ("3 1/2 cups", "3.5", ""),
        ("1/3 der Fläche", "100/3", "%"),
        ("two thirds of them", "200/3", "%"),
        ("one and a half years", "1.5", "years"),
        ("5'11\" tall", "71", "in."),
        ("5 ft 11 in", "71", "in."),
        ("2 h 5 min", "125", "min"),
        ("2時間15分", "135", "min"),
        ("1 hour 2 minutes 3 seconds", "3723", "s"),
        ("a loss of (71)", "71", ""),
        ("2019/20", "2020", ""),
        ("FY24", "2024", ""),
        ("'90s", "1990", ""),
        ("١٢٣٤ units", "1234", ""),
        ("२५०० people", "2500", ""),
        ("１２，５００ people", "12500", ""),
        ("3割2分5厘", "0.325", ""),
        ("百分之五点二", "5.2", "%"),
        ("Die zwölf und die dreiundzwanzig Spieler. Es sind zwanzig", "20", ""),
        ("Il y a quatre-vingt-quatre députés", "84", ""),
        ("Costó tres mil quinientos millones de dólares", "3500000000", "USD"),
        ("La provincia ha ventotto comuni", "28", ""),
        ("Eram vinte e cinco deputados", "25", ""),
        ("十二名の委員", "12", ""),
        ("열두 명", "12", ""),
    ],
)  # fmt: skip
def test_a_figure_can_be_read_as(said: str, value: str, unit: str) -> None:
    readings = [reading for figure in figures_of(said) for reading in figure.readings]
    found = {(reading.value, reading.unit.name if reading.unit else "") for reading in readings}
    assert (Fraction(value), unit) in found


@each(
    ("said", "value"),
    [
        ("3 dozen eggs", "36"), ("2.5 dozen", "30"), ("卵を3ダース", "36"),
        ("A dozen ships", "12"), ("twice as many", "2"), ("half of them", "1/2"), ("half a million", "500000"),
        ("a quarter of a million votes", "250000"), ("in the nineties", "1990"), ("twenty-first in the list", "21"),
        ("anderthalb Stunden", "3/2"), ("Ein Drittel der Fläche", "1/3"), ("une demi-heure", "1/2"),
        ("deux heures et demie", "5/2"), ("une douzaine", "12"), ("un tercio", "1/3"), ("la mitad", "1/2"),
        ("due ore e mezza", "5/2"), ("Circa tremila persone", "3000"), ("dois terços", "2/3"), ("半数が賛成", "1/2"),
        ("七成", "70"), ("1:02:03", "3723"), ("2:11.79", "131.79"), ("平成元年", "1989"), ("慶長5年", "1600"),
    ],
)  # fmt: skip
def test_a_source_may_have_meant(said: str, value: str) -> None:
    assert Fraction(value) in seen_in(said)


@each(
    ("said", "date"),
    [
        ("am 3. Oktober 1990", (1990, 10, 3)), ("le 1er mars 2024", (2024, 3, 1)), ("en mars 2022", (2022, 3, None)),
        ("el 5 de mayo de 1862", (1862, 5, 5)), ("el 1º de septiembre de 1808", (1808, 9, 1)),
        ("il 1° maggio 2004", (2004, 5, 1)), ("em 22 de abril de 1500", (1500, 4, 22)), ("08/1936", (1936, 8, None)),
        ("令和7年4月1日", (2025, 4, 1)), ("昭和64年1月7日", (1989, 1, 7)), ("平成元年", (1989, None, None)),
        ("R7.4.1施行", (2025, 4, 1)), ("二〇二四年三月", (2024, 3, None)), ("一九四九年十月一日", (1949, 10, 1)),
        ("2024년 4월 10일", (2024, 4, 10)), ("2024-03-05T14:30:00Z", (2024, 3, 5)),
    ],
)  # fmt: skip
def test_a_date(said: str, date: tuple[int, int | None, int | None]) -> None:
    assert date in [(day.year, day.month, day.day) for day in days_of(said)]


@each("said", ["Q3 2024", "3Q24", "the third quarter of 2024", "im 3. Quartal 2024", "2024年第3四半期"])
def test_a_quarter_of_a_year(said: str) -> None:
    assert [(day.year, day.quarter) for day in days_of(said)] == [(2024, 3)]


@each(
    "said",
    [
        *(
            "15:30",
            "3:30 pm",
            "3:30 p. m.",
            "15.30 Uhr",
            "15 Uhr 30",
            "15h30",
            "15 h 30",
            "alle 15.30",
            "half past three",
        ),
        *("halb vier", "午後3時半", "下午3点半", "오후 3시 30분", "１５時３０分", "2024-03-05T15:30:00Z"),
    ],
)
def test_a_time_of_day(said: str) -> None:
    assert [day.minute for day in days_of(said) if day.minute is not None][-1] in (15 * 60 + 30, 3 * 60 + 30)


def test_a_time_may_be_a_span() -> None:
    assert [day.length for day in days_of("2h05 or 1:02:03 or 12:30")] == [125, 3723, 750]
    assert [day.length for day in days_of("12:30 pm")] == [None]


@each(
    ("said", "values"),
    [
        ("in World War II", []),
        ("Se sei fortunato, il museo è aperto", []),
        ("un livre neuf est sur la table", []),
        ("die drei Städte sind alt", []),
        ("once upon a time there was a house", []),
        ("32 × 5/9 + 7/8", ["32", "5", "9", "7", "8"]),
        ("rows 12, 345 and 678", ["12", "345", "678"]),
        ("version 3.14.0", ["3", "14", "0"]),
    ],
)  # fmt: skip
def test_what_is_no_other_figure(said: str, values: list[str]) -> None:
    assert [figure.value for figure in figures_of(said)] == [Fraction(value) for value in values]


@each(
    ("said", "value", "unit"),
    [
        ("731 mm", "731", "mm"), ("731mm", "731", "mm"), ("$731 mm", "731000000", "USD"),
        ("731 mm €", "731000000", "EUR"),
        ("731 MM", "731000000", ""),
    ],
)  # fmt: skip
def test_millimetres_are_no_millions(said: str, value: str, unit: str) -> None:
    (figure,) = figures_of(said)
    assert (figure.value, figure.unit.name if figure.unit is not None else "") == (Fraction(value), unit)


@each(
    ("said", "continental", "values"),
    [
        ("1.234 and 5.6", False, ["1.234"]), ("1.234 und 5,6", True, ["1234"]), ("1.234", False, ["1.234", "1234"]),
        ("0.234", False, ["0.234"]), ("1,234", False, ["1234"]), ("1.234,5", True, ["1234.5"]),
        ("1,234 kg bei 12,5 °C und mehr als die Dichte", True, ["1.234"]), ("1,234; 12,5", True, ["1.234", "1234"]),
    ],
)  # fmt: skip
def test_its_text_settles_what_a_point_means(said: str, continental: bool, values: list[str]) -> None:
    first = figures_of(said)[0]
    assert scan(said).continental == continental
    assert [reading.value for reading in first.readings] == [Fraction(value) for value in values]


@each(
    ("said", "languages"),
    [
        ("the house of the year is here", ("en",)),
        ("das haus ist nicht groß und die stadt ist alt", ("en", "de")),
        ("il y a des maisons dans la ville et une église", ("en", "fr")),
        ("12.5", ()),
    ],
)
def test_the_language_of_a_text(said: str, languages: tuple[str, ...]) -> None:
    assert languages_of(said) == languages


def test_a_long_decimal_is_read_with_all_of_its_digits() -> None:
    """A float holds the first 16 or so of them alone; a reading of another size is not meant."""
    assert exactly(1628.8946267774414, "1628.89462677744140625", False) == Fraction("1628.89462677744140625")
    assert exactly(0.5, "1628.89462677744140625", False) == Fraction(1, 2)


def test_a_number_has_at_most_nine_groups() -> None:
    """Else each group of a list of thousands is read to the list's end."""
    nine, ten = ("1" + "\u00a0333" * groups for groups in (8, 9))
    assert scale_end(nine, 0, 1) == len(nine)
    assert scale_end(ten, 0, 1) == 1
