"""What the demo is asked, the tools it must call, and what it must say: read by ``test_demo``.

A conversation is a tuple of turns; the later ones are follow-ups. Figures in answers come from Python's own
``Fraction`` and ``date``, not from the calculator under test.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction as F
from math import factorial

TODAY = date(2026, 11, 21)


@dataclass(frozen=True, slots=True)
class Turn:
    """``calls`` are inputs of the calculator, or of another tool after its name.

    ``says`` is the answer, or a part of it with ``…``.

    ``merged`` is the standalone question of a follow-up, "" where it must stay as asked.
    """

    asked: str
    says: str
    calls: tuple[str, ...] = ()
    merged: str = ""
    declined: bool = False


def ask(asked: str, calls: str | tuple[str, ...], says: str, *figures: F | int | str) -> Turn:
    several = (calls,) if isinstance(calls, str) else calls
    return Turn(asked, says.format(*map(shown, figures)), tuple(call for call in several if call))


def then(asked: str, merged: str, calls: str | tuple[str, ...], says: str, *figures: F | int | str) -> Turn:
    turn = ask(asked, calls, says, *figures)
    return Turn(asked, turn.says, turn.calls, merged)


def no(asked: str, says: str = "", merged: str = "") -> Turn:
    """Declined without a tool; ``says`` names a reason other than the general one."""
    return Turn(asked, says, (), merged, True)


def shown(figure: F | int | str) -> str:
    """Exactly where 30 digits do, else rounded to 12; with commas between thousands from five digits on."""
    if isinstance(figure, str):
        return figure
    if isinstance(figure, int) or figure.denominator == 1:
        return f"{figure}" if abs(figure) < 10_000 else f"{int(figure):,}"
    exact = Context(prec=30).divide(Decimal(figure.numerator), Decimal(figure.denominator))
    if F(exact) != figure:
        exact = Context(prec=12).divide(Decimal(figure.numerator), Decimal(figure.denominator))
    text = f"{exact:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if len(whole) >= 5 else text


def about(figure: F | int, word: str = "about ") -> str:
    """To six digits or to the unit; ``word`` before it where that cuts something off."""
    places = max(5 - Decimal(float(figure)).adjusted(), 0)
    rounded = F(round(figure * 10**places), 10**places)
    return (word if rounded != figure else "") + shown(rounded)


def celsius(fahrenheit: F | int) -> F:
    return F(fahrenheit - 32) * 5 / 9


def days(first: tuple[int, int, int], last: tuple[int, int, int]) -> int:
    return (date(*last) - date(*first)).days


OFFLINE = (
    "The search could not reach the internet (Wikipedia). Answer from other tools or say that the search "
    "was not possible."
)
SEARCHES = {
    "high temperature in SF yesterday": "Answer (weather): 54 °F, San Francisco, yesterday, sunny [1]\n[2] SF "
                                        "weather — x: mild",
    "temperature in Paris": "Answer (weather): 12 °C, Cloudy, Paris, Saturday [1]",
    "high temperature in Oslo yesterday": "Answer (weather): 3 °C, Snow, Oslo [1]",
    "high temperature in Rome": "Answer (weather): 20 °C, Rome. Forecast: Saturday, high 22 °C, low 11 °C [1]",
    "temperature in Lima": "Answer (weather): 18 °C, Lima. Forecast: high 22 °C, low 11 °C [1]",
    "temperature in Bonn": "[1] Bonn — Wikipedia (en): Bonn is a city. In July 2019 it had 40.9 °C.",
    "昨日の東京の最高気温": "Answer (weather): 20 °C, 東京, 昨日 [1]",
    "東京の最高気温": "Answer (weather): 20 °C, 東京 [1]",
    "capital of France": "[1] Paris — Wikipedia (en): Paris is the capital of France. It lies on the Seine.\n[2] "
                         "Lyon — Wikipedia (en): Lyon is a city.",
    "capital of Germany": "Knowledge graph: Germany (Country): A country. Capital: Berlin [1]\n[2] Berlin — "
                          "Wikipedia (en): Berlin is the capital of Germany.",
    "population of Japan": "Answer (population): Japan: 124.5 million 2023 [1]",
    "Ada Lovelace": "[1] Ada Lovelace — Wikipedia (en): Augusta Ada King, Countess of Lovelace (1815-1852), "
                    "known as Ada Lovelace, was a mathematician.",
    "Ada Lovelace born": "[1] Ada Lovelace — Wikipedia (en): Ada Lovelace was born in London in 1815.",
    "telephone invented": "[1] Telephone — Wikipedia (en): The telephone was invented in the 1870s.",
    "radio invented": "- Radio was invented by several people.",
    "weather in Paris": "Answer (weather): 12 °C, Cloudy, Paris [1]",
    "weather in London": "Answer (weather): 9 °C, Rain, London [1]",
    "currency of France": "[1] Euro — Wikipedia (en): The euro is the currency of France.",
    "currency of Germany": "[1] Euro — Wikipedia (en): The euro is the currency of Germany.",
    "$4.50 in euros": "Answer (currency converter): 4.5 USD = 4.1 EUR [1]",
    "フランス 人口": "[1] フランス — Wikipedia (ja): フランスの人口は約6800万人。",
    "photosynthesis": OFFLINE,
    "quantum computing": "[1] Quantum computing — Wikipedia (en): A quantum computer uses quantum states.",
    "Eiffel Tower height": "Nothing was found in Wikipedia for ‘Eiffel Tower height’. Try other or fewer words.",
    "owner of Zorblax": "[1] Blorx — Wikipedia (en): Something else entirely.",
    "100 USD in EUR": "Answer (currency converter): 100 USD = 92.1 EUR [1]",
    "50 euros in dollars": "[1] Euro — Wikipedia (en): The euro is a currency.",
    "100ドルは何円": "[1] 円 — Wikipedia (ja): 円は日本の通貨。",
    "日本 人口": "[1] 日本 — Wikipedia (ja): 日本は島国である。人口は約1億2千万人。",
    "フランス 首都": "[1] パリ — Wikipedia (ja): パリはフランスの首都である。",
    "ドイツ 首都": "[1] ベルリン — Wikipedia (ja): ベルリンはドイツの首都である。",
    "富士山": "[1] 富士山 — Wikipedia (ja): 富士山は日本の山である。",
    "夏目漱石": OFFLINE,
    "Marie Curie": "[1] Marie Curie — Wikipedia (en): Marie Curie was a physicist.",
    "Marie Curie born": "[1] Marie Curie — Wikipedia (en): Marie Curie was born in Warsaw in 1867.",
    "Marie Curie die": "[1] Marie Curie — Wikipedia (en): She did die in 1934.",
}  # fmt: skip

ARITHMETIC = (
    (
        ask("What is the square root of 25?", "sqrt(25)", "The square root of 25 is 5."),
        then("and its cube?", "What is the cube of 5?", "5^3", "The cube of 5 is {}.", 5**3),
        then("double it", "What is double 125?", "125 * 2", "Double 125 is 250."),
        then("what about 36?", "What is double 36?", "36 * 2", "Double 36 is 72."),
        then("plus 10", "What is 72 plus 10?", "72 + 10", "72 + 10 is 82."),
        then("What is half of that?", "What is half of 82?", "82 / 2", "Half of 82 is 41."),
    ),
    (
        ask("10 + 5", "10 + 5", "10 + 5 is 15."),
        then("minus 3", "What is 15 minus 3?", "15 - 3", "15 - 3 is 12."),
        then("times 2", "What is 12 times 2?", "12 * 2", "12 × 2 is 24."),
        then("squared", "What is 24 squared?", "24^2", "The square of 24 is 576."),
        then(
            "Round it to the nearest ten",
            "Round 576 to the nearest ten.",
            "round(576, -1)",
            "576, rounded to the nearest 10, is 580.",
        ),
        then("what is 10% of that?", "What is 10% of 580?", "580 * 10 / 100", "10% of 580 is 58."),
        then("divide it by 4", "What is 58 split between 4?", "58 / 4", "58 split between 4 is {}.", F(58, 4)),
        then(
            "and its square root?",
            "What is the square root of 14.5?",
            "sqrt(14.5)",
            "The square root of 14.5 is {}.",
            "3.80788655293",
        ),
    ),
    (
        ask(
            "What is the square root of 25? And its cube?",
            ("sqrt(25)", "5^3"),
            "The square root of 25 is 5. The cube of 5 is 125.",
        ),
    ),
    (
        ask(
            "what is 12 times 7 and the square root of 16?",
            ("12 * 7", "sqrt(16)"),
            "12 × 7 is 84. The square root of 16 is 4.",
        ),
    ),
    (
        ask(
            "What is the square root of 25 and 36?",
            ("sqrt(25)", "sqrt(36)"),
            "The square root of 25 is 5. The square root of 36 is 6.",
        ),
    ),
    (ask("what is 3 plus 4? And times 2?", ("3 + 4", "7 * 2"), "3 + 4 is 7. 7 × 2 is 14."),),
    (ask("What is 12% of 300 and half of that?", ("300 * 12 / 100", "36 / 2"), "12% of 300 is 36. Half of 36 is 18."),),
    (ask("What is 5 + 5? And what is 5 + 5?", "5 + 5", "5 + 5 is 10. 5 + 5 is 10."),),
    (ask("what is twelve times seven", "12 * 7", "12 × 7 is 84."),),
    (ask("5 factorial", "factorial(5)", "5! is {}.", factorial(5)),),
    (ask("What is 20!?", "factorial(20)", "20! is {}.", factorial(20)),),
    (ask("2 to the power of 10", "2^10", "2^10 is {}.", 2**10),),
    (ask("2 to the 10th power", "2^10", "2^10 is 1024."),),
    (ask("5²", "5^2", "5^2 is 25."),),
    (ask("what is 2^100", "2^100", "2^100 is {}.", 2**100),),
    (ask("3 squared plus 4 squared", "3^2 + 4^2", "3^2 + 4^2 is 25."),),
    (ask("What is the square root of (16 + 9)?", "sqrt(16 + 9)", "The square root of (16 + 9) is 5."),),
    (ask("12 plus the square root of 25", "12 + sqrt(25)", "12 + sqrt(25) is 17."),),
    (ask("the cube root of 27", "cbrt(27)", "The cube root of 27 is 3."),),
    (ask("fourth root of 81", "sqrt(sqrt(81))", "The fourth root of 81 is 3."),),
    (ask("what is the reciprocal of 8", "1 / 8", "The reciprocal of 8 is 0.125."),),
    (ask("absolute value of -7", "abs(-7)", "The absolute value of -7 is 7."),),
    (ask("what is 5 - -3", "5 - (-3)", "5 - (-3) is 8."),),
    (ask("10 - (3 - 2)", "10 - (3 - 2)", "10 - (3 - 2) is 9."),),
    (ask("-(3 + 4) * 2", "(-(3 + 4)) * 2", "(-(3 + 4)) × 2 is -14."),),
    (ask("10 - 3 - 2", "10 - 3 - 2", "10 - 3 - 2 is 5."),),
    (ask("1/3 + 1/4", "1 / 3 + 1 / 4", "1 ÷ 3 + 1 ÷ 4 is {}.", F(7, 12)),),
    (ask("0.1 + 0.2", "0.1 + 0.2", "0.1 + 0.2 is 0.3."),),
    (ask("1,000 * 3.5", "1000 * 3.5", "1000 × 3.5 is 3500."),),
    (ask("one hundred and five times two", "105 * 2", "105 × 2 is 210."),),
    (ask("What is two point five times four?", "2.5 * 4", "2.5 × 4 is 10."),),
    (ask("one and a half plus two", "1.5 + 2", "1.5 + 2 is 3.5."),),
    (ask("two million divided by four", "2000000 / 4", "2,000,000 ÷ 4 is 500,000."),),
    (ask("1.5 million divided by 3", "1500000 / 3", "1,500,000 ÷ 3 is 500,000."),),
    (ask("two hundred thousand and twelve minus twelve", "200012 - 12", "200,012 - 12 is 200,000."),),
    (ask("a dozen times 3", "12 * 3", "12 × 3 is 36."),),
    (ask("two thirds of 90", "90 * 2 / 3", "2/3 of 90 is 60."),),
    (ask("a quarter of 10", "10 * 1 / 4", "1/4 of 10 is 2.5."),),
    (ask("twice 21", "21 * 2", "Double 21 is 42."),),
    (ask("triple 7", "7 * 3", "Triple 7 is 21."),),
    (ask("the average of 3, 5 and 10", "(3 + 5 + 10) / 3", "The average of 3, 5 and 10 is 6."),),
    (ask("average of 1, 2, 4", "(1 + 2 + 4) / 3", "The average of 1, 2 and 4 is {}.", F(7, 3)),),
    (ask("mean of 3,5,7", "(3 + 5 + 7) / 3", "The average of 3, 5 and 7 is 5."),),
    (ask("sum of 3, 5, and 9", "3 + 5 + 9", "The sum of 3, 5 and 9 is 17."),),
    (ask("the largest of 3, 17 and 9", "max(3, 17, 9)", "The largest of 3, 17 and 9 is 17."),),
    (ask("min(4, 2, 8)", "min(4, 2, 8)", "The smallest of 4, 2 and 8 is 2."),),
    (ask("product of 6 and 7", "6 * 7", "The product of 6 and 7 is 42."),),
    (ask("difference between 4 and 10", "abs(4 - 10)", "The difference between 4 and 10 is 6."),),
    (ask("greatest common divisor of 12 and 18", "gcd(12, 18)", "The greatest common divisor of 12 and 18 is 6."),),
    (ask("least common multiple of 4 and 6", "lcm(4, 6)", "The least common multiple of 4 and 6 is 12."),),
    (ask("gcd(12, 18) + floor(2.5)", "gcd(12, 18) + floor(2.5)", "gcd(12, 18) + floor(2.5) is 8."),),
    (ask("subtract 5 from 12", "12 - 5", "12 - 5 is 7."),),
    (ask("Add 5 and 7", "7 + 5", "7 + 5 is 12."),),
    (ask("what is 6 multiplied by 7?", "6 * 7", "6 × 7 is 42."),),
    (ask("multiply 6 by 7", "6 * 7", "6 × 7 is 42."),),
    (ask("square 12", "12^2", "The square of 12 is 144."),),
    (ask("17 mod 5", "17 - 5 * floor(17 / 5)", "The remainder of 17 divided by 5 is 2."),),
    (ask("what does 5 times 3 equal?", "5 * 3", "5 × 3 is 15."),),
    (ask("Tell me what 2+2 is", "2 + 2", "2 + 2 is 4."),),
    (ask("what is 2 + 2 = ?", "2 + 2", "2 + 2 is 4."),),
    (ask("Can you calculate 15*3 please?", "15 * 3", "15 × 3 is 45."),),
    (ask("5 feet plus 3 feet", "5 + 3", "5 feet + 3 feet is 8 feet."),),
    (ask("what is 7 divided by 0", "7 / 0", "The calculator could not work out 7 / 0: Division by zero …"),),
    (ask("square root of -4", "sqrt(-4)", "The calculator could not work out sqrt(-4): …"),),
    (ask("Which is larger, 2^10 or 10^3?", ("2^10", "10^3"), "2^10 (1024) is larger than 10^3 (1000)."),),
    (ask("is 5 less than 12?", "max(5, 12)", "Yes: 5 is less than 12."),),
    (ask("which is bigger, 2^3 or 8", "2^3", "They are equal: 2^3 (8) and 8."),),
    (
        ask(
            "which is smaller 1/3 or 2/6",
            ("1 / 3", "2 / 6"),
            "1 ÷ 3 (0.333333333333) and 2 ÷ 6 (0.333333333333) are too close for me to tell.",
        ),
    ),
    (
        ask(
            "round 3.14159 to 2 decimals",
            "round(3.14159, 2)",
            "3.14159, rounded to 2 decimals, is 3.14.",
        ),
    ),
    (ask("round 2.5", "round(2.5)", "2.5, rounded, is 3."),),
    (ask("round -2.5 to the nearest integer", "round(-2.5)", "-2.5, rounded, is -3."),),
    (
        ask(
            "round the square root of 2 to 3 decimal places",
            ("sqrt(2)", "round(1.41421356237, 3)"),
            "The square root of 2, rounded to 3 decimals, is 1.414.",
        ),
    ),
)

GROWN = F(101, 100) ** 12 * 1000
PERCENT = (
    (
        ask("what's 15% of 80?", "80 * 15 / 100", "15% of 80 is 12."),
        then("and 20%?", "what's 20% of 80?", "80 * 20 / 100", "20% of 80 is 16."),
        then("and of 90?", "what's 20% of 90?", "90 * 20 / 100", "20% of 90 is 18."),
    ),
    (
        ask("15% of $80", "80 * 15 / 100", "15% of $80 is $12."),
        then("What is half of that?", "What is half of $12?", "12 / 2", "Half of $12 is $6."),
    ),
    (ask("5 percent of 200", "200 * 5 / 100", "5% of 200 is 10."),),
    (ask("80 + 15%", "80 * (1 + 15 / 100)", "80 plus 15% is 92."),),
    (ask("1000 minus 20%", "1000 * (1 - 20 / 100)", "1000 minus 20% is 800."),),
    (ask("What percent of 80 is 12?", "12 / 80 * 100", "12 is 15% of 80."),),
    (ask("12 is what percent of 80", "12 / 80 * 100", "12 is 15% of 80."),),
    (ask("a 15% tip on $80", "80 * 15 / 100", "A 15% tip on $80 is $12."),),
    (ask("20% off $50", "50 * (1 - 20 / 100)", "$50 less 20% is $40."),),
    (ask("$50 with a 20% discount", "50 * (1 - 20 / 100)", "$50 less 20% is $40."),),
    (ask("increase 80 by 25%", "80 * (1 + 25 / 100)", "80 plus 25% is 100."),),
    (ask("200 reduced by 15%", "200 * (1 - 15 / 100)", "200 less 15% is 170."),),
    (ask("80 increased by 25%", "80 * (1 + 25 / 100)", "80 plus 25% is 100."),),
    (ask("add 8% sales tax to $100", "100 * (1 + 8 / 100)", "$100 plus 8% is $108."),),
    (ask("increase 80 kg by 25%", "80 * (1 + 25 / 100)", "80 kg plus 25% is 100 kg."),),
    (ask("30% off (120 + 30)", "(120 + 30) * (1 - 30 / 100)", "120 + 30 less 30% is 105."),),
    (
        ask(
            "compound interest on 1000 at 5% for a year",
            ("1000 * (1 + 5 / 100)^1", "1050 - 1000"),
            "1000 at 5% a year, compounded once a year, after 1 year, is 1050. The interest is 50.",
        ),
    ),
    (ask("percent increase between 40 and 50", "(50 - 40) / 40 * 100", "From 40 to 50 is a rise of 25%."),),
    (ask("percentage change from 50 to 60", "(60 - 50) / 50 * 100", "From 50 to 60 is a rise of 20%."),),
    (
        ask(
            "compound interest on $1000 at 5% for 10 years",
            ("1000 * (1 + 5 / 100)^10", "1628.89462677744140625 - 1000"),
            "$1,000 at 5% a year, compounded once a year, after 10 years, is about $1,628.89. The interest is about "
            "$628.89.",
        ),
    ),
    (
        ask(
            "compound interest on 1000 at 12% for 1 year compounded monthly",
            ("1000 * (1 + 12 / 100 / 12)^(12 * 1)", f"{shown(GROWN)} - 1000"),
            "…compounded 12 times a year, after 1 year, is about 1126.83. The interest is about 126.83.",
        ),
    ),
    (
        ask(
            "simple interest on 1000 at 5% for 3 years",
            "1000 * 5 / 100 * 3",
            "The simple interest on 1000 at 5% a year for 3 years is 150.",
        ),
    ),
)

UNITS = (
    (
        ask("5 km in miles", "convert: 5 km in miles", "5 km is {} miles.", about(F(5000) / F("1609.344"))),
        then(
            "and in feet?",
            "What is 5 km in feet?",
            "convert: 5 km in feet",
            "5 km is {} feet.",
            about(F(5000) / F("0.3048")),
        ),
        then(
            "how many inches is that?",
            "What is 5 km in inches?",
            "convert: 5 km in inches",
            "5 km is {} inches.",
            about(F(5000) / F("0.0254")),
        ),
        then(
            "double it",
            "What is double 196850 inches?",
            "196850 * 2",
            "Double 196,850 inches is 393,700 inches.",
        ),
    ),
    (
        ask("Convert 100 F to C", "convert: 100 °F in °C", "100 °F is {} °C.", about(celsius(100))),
        then(
            "what is that in Kelvin?",
            "What is 100 F in Kelvin?",
            "convert: 100 °F in kelvin",
            "100 °F is {} kelvin.",
            about(celsius(100) + F("273.15")),
        ),
        no("And in km?"),
    ),
    (
        ask(
            "What was the high temperature in SF yesterday in Fahrenheit? And the same value in Celsius?",
            ("search: high temperature in SF yesterday", "convert: 54 °F in °C"),
            "The search gives 54 °F: “54 °F, San Francisco, yesterday, sunny” [1]. 54 °F is {} °C.",
            about(celsius(54)),
        ),
        then(
            "what is that in kelvin?",
            "What is 12.2222 °C in kelvin?",
            "convert: 12.2222 °C in kelvin",
            "12.2222 °C is about 285.372 kelvin.",
        ),
    ),
    (
        ask(
            "What is the temperature in Paris?",
            "search: temperature in Paris",
            "The search gives 12 °C: “12 °C, Cloudy, Paris, Saturday” [1].",
        ),
        then("and in Fahrenheit?", "What is 12 °C in Fahrenheit?", "convert: 12 °C in °F", "12 °C is 53.6 °F."),
    ),
    (
        ask(
            "What was the high temperature in Oslo yesterday in Fahrenheit?",
            ("search: high temperature in Oslo yesterday", "convert: 3 °C in °F"),
            "…(It does not say that this is for yesterday.) 3 °C is 37.4 °F.",
        ),
    ),
    (ask("What is the high temperature in Rome?", "search: high temperature in Rome", "The search gives 22 °C: …"),),
    (
        ask(
            "What is the temperature in Lima?",
            "search: temperature in Lima",
            "The search gave no single temperature that I can rely on. …",
        ),
    ),
    (
        ask(
            "What is the temperature in Bonn? And in Fahrenheit?",
            "search: temperature in Bonn",
            "The search gave no single temperature that I can "
            "rely on. …Without that I cannot answer “And in "
            "Fahrenheit?”.",
        ),
    ),
    (
        ask(
            "What is 100 F in C? And in Kelvin?",
            ("convert: 100 °F in °C", "convert: 100 °F in kelvin"),
            "100 °F is {} °C. 100 °F is {} kelvin.",
            about(celsius(100)),
            about(celsius(100) + F("273.15")),
        ),
    ),
    (ask("how many feet are in a mile?", "convert: 1 mile in feet", "1 mile is 5,280 feet."),),
    (ask("how many seconds in 2 hours", "convert: 2 hours in seconds", "2 hours is 7,200 seconds."),),
    (ask("How many minutes are in a day?", "convert: 1 day in minutes", "1 day is 1,440 minutes."),),
    (ask("98.6 fahrenheit to celsius", "convert: 98.6 °F in °C", "98.6 °F is 37 °C."),),
    (ask("-40 C in F", "convert: -40 °C in °F", "-40 °C is -40 °F."),),
    (ask("0 kelvin in Celsius", "convert: 0 kelvin in °C", "0 kelvin is -273.15 °C."),),
    (ask("300 K in Fahrenheit", "convert: 300 kelvin in °F", "300 kelvin is 80.33 °F."),),
    (ask("5 feet 11 inches in cm", "convert: 5 feet 11 inches in cm", "5 feet 11 inches is 180.34 cm."),),
    (ask("what's 5 ft in m", "convert: 5 feet in metres", "5 feet is 1.524 metres."),),
    (ask("1 gallon in litres", "convert: 1 US gallon in litres", "1 US gallon is about 3.78541 litres."),),
    (ask("how many ounces in a pound", "convert: 1 pound in ounces", "1 pound is 16 ounces."),),
    (ask("60 mph in km/h", "convert: 60 mph in km/h", "60 mph is about 96.5606 km/h."),),
    (ask("2 acres in square metres", "convert: 2 acres in m²", "2 acres is about 8,093.71 m²."),),
    (ask("what is 1 GB in MB", "convert: 1 GB in MB", "1 GB is 1,000 MB."),),
    (ask("2 GiB in MiB", "convert: 2 GiB in MiB", "2 GiB is 2,048 MiB."),),
    (ask("16 bits in bytes", "convert: 16 bits in bytes", "16 bits is 2 bytes."),),
    (ask("1 kWh in joules", "convert: 1 kWh in joules", "1 kWh is 3,600,000 joules."),),
    (ask("10 stone in kg", "convert: 10 stone in kg", "10 stone is about 63.5029 kg."),),
    (ask("3 years in months", "convert: 3 years in months", "3 years is 36 months."),),
)

DATES = (
    (
        ask(
            "how many days between 2024-01-01 and 2024-03-01",
            'now: {"date": "2024-01-01", "until": "2024-03-01"}',
            "From 1 January 2024 to 1 March 2024 is {} days.",
            days((2024, 1, 1), (2024, 3, 1)),
        ),
        then(
            "How many weeks is that?",
            "How many weeks is 60 days?",
            "convert: 60 days in weeks",
            "60 days is {} weeks.",
            about(F(60, 7)),
        ),
    ),
    (
        ask(
            "days until Christmas",
            'now: {"date": "2026-11-21", "until": "2026-12-25"}',
            "From 21 November 2026 to 25 December 2026 is {} days.",
            days((2026, 11, 21), (2026, 12, 25)),
        ),
        then(
            "and until New Year?",
            "days until New Year?",
            'now: {"date": "2026-11-21", "until": "2027-01-01"}',
            "From 21 November 2026 to 1 January 2027 is {} days.",
            days((2026, 11, 21), (2027, 1, 1)),
        ),
    ),
    (
        ask(
            "How many weeks until Christmas?",
            'now: {"date": "2026-11-21", "until": "2026-12-25"}',
            "From 21 November 2026 to 25 December 2026 is 4 weeks and 6 days.",
        ),
    ),
    (
        ask(
            "how many days since 2026-01-01",
            'now: {"date": "2026-01-01", "until": "2026-11-21"}',
            "From 1 January 2026 to 21 November 2026 is {} days.",
            days((2026, 1, 1), (2026, 11, 21)),
        ),
    ),
    (
        ask(
            "how many days until July 4",
            'now: {"date": "2026-11-21", "until": "2027-07-04"}',
            "From 21 November 2026 to 4 July 2027 is {} days.",
            days((2026, 11, 21), (2027, 7, 4)),
        ),
    ),
    (
        ask(
            "how many days from March 1st, 2024 to the 5th of April 2024",
            'now: {"date": "2024-03-01", "until": "2024-04-05"}',
            "From 1 March 2024 to 5 April 2024 is 35 days.",
        ),
    ),
    (
        ask(
            "what day of the week is christmas in 2030",
            'now: {"date": "2030-12-25"}',
            "25 December 2030 is a Wednesday.",
        ),
    ),
    (ask("What day of the week was 20 July 1969?", 'now: {"date": "1969-07-20"}', "20 July 1969 was a Sunday."),),
    (
        ask(
            "what day of the week is tomorrow?",
            'now: {"date": "2026-11-22"}',
            "22 November 2026 is a {}.",
            date(2026, 11, 22).strftime("%A"),
        ),
    ),
    (
        ask(
            "what day is christmas?",
            'now: {"date": "2026-12-25"}',
            "25 December 2026 is a {}.",
            date(2026, 12, 25).strftime("%A"),
        ),
    ),
    (
        ask(
            "How old is someone born on 1990-05-01?",
            'now: {"date": "1990-05-01", "until": "2026-11-21"}',
            "Someone born on 1 May 1990 is 36 years old today.",
        ),
    ),
    (
        ask(
            "I was born on December 31, 2000. How old am I?",
            'now: {"date": "2000-12-31", "until": "2026-11-21"}',
            "Someone born on 31 December 2000 is 25 years old today.",
        ),
    ),
    (
        ask(
            "what date is 90 days after 2024-01-01?",
            'now: {"date": "2024-01-01", "add": "90 days"}',
            "90 days after 1 January 2024 is Sunday, 31 March 2024.",
        ),
    ),
    (
        ask(
            "What date is it in 100 days?",
            'now: {"date": "2026-11-21", "add": "100 days"}',
            "100 days after 21 November 2026 is Monday, 1 March 2027.",
        ),
    ),
    (
        ask(
            "2 weeks before Christmas",
            'now: {"date": "2026-12-25", "add": "-2 weeks"}',
            "2 weeks before 25 December 2026 is Friday, 11 December 2026.",
        ),
    ),
    (
        ask(
            "what date was 10 days ago",
            'now: {"date": "2026-11-21", "add": "-10 days"}',
            "10 days before 21 November 2026 is Wednesday, 11 November 2026.",
        ),
    ),
    (
        ask(
            "Is 2024 a leap year?",
            'now: {"date": "2024-02-01", "until": "2024-03-01"}',
            "2024 is a leap year: its February has 29 days.",
        ),
    ),
    (
        ask(
            "was 1900 a leap year",
            'now: {"date": "1900-02-01", "until": "1900-03-01"}',
            "1900 is not a leap year: its February has 28 days.",
        ),
    ),
    (
        ask(
            "how many days are in February 2024?",
            'now: {"date": "2024-02-01", "until": "2024-03-01"}',
            "February 2024 has 29 days.",
        ),
    ),
    (ask("how many days in 2024", 'now: {"date": "2024-01-01", "until": "2025-01-01"}', "2024 has 366 days."),),
    (ask("What is today's date?", "", "Today is Saturday, 21 November 2026."),),
    (ask("What time is it?", "now: {}", "In UTC it is 12:00 on Saturday, 21 November 2026."),),
    (
        ask(
            "What time is it in Tokyo?",
            'now: {"zone": "Tokyo"}',
            "In Tokyo it is 21:00 on Saturday, … (JST, UTC+09:00).",
        ),
    ),
)

LOOKUPS = (
    (
        ask(
            "What is the capital of France?",
            "search: capital of France",
            "The search says: “Paris — Wikipedia (en): Paris is the capital of France.” [1]…",
        ),
        then(
            "what about Germany?",
            "What is the capital of Germany?",
            "search: capital of Germany",
            "The search says: “…Berlin…",
        ),
    ),
    (
        ask("who is Ada Lovelace?", "search: Ada Lovelace", "…“Ada Lovelace — …was a mathematician.” [1]"),
        then(
            "When was she born?",
            "When was Ada Lovelace born?",
            "search: Ada Lovelace born",
            "…born in London in 1815.” [1]",
        ),
    ),
    (
        ask("Who was Marie Curie?", "search: Marie Curie", "…was a physicist.” [1]"),
        then("and when did she die?", "When did Marie Curie die?", "search: Marie Curie die", "…1934.” [1]"),
    ),
    (
        ask("Who invented the telephone?", "search: telephone invented", "…1870s.” [1]"),
        then(
            "and the radio?",
            "Who invented the radio?",
            "search: radio invented",
            "The search says: “Radio was invented by several people.”",
        ),
    ),
    (
        ask("What is the weather in Paris?", "search: weather in Paris", "The search says: “12 °C, Cloudy, Paris” [1]"),
        then(
            "and in London?",
            "What is the weather in London?",
            "search: weather in London",
            "The search says: “9 °C, Rain, London” [1]",
        ),
    ),
    (ask("population of Japan", "search: population of Japan", "The search says: “Japan: 124.5 million 2023” [1]"),),
    (
        ask(
            "search for quantum computing", "search: quantum computing", "…A quantum computer uses quantum states.” [1]"
        ),
    ),
    (
        ask(
            "what is photosynthesis?",
            "search: photosynthesis",
            "I could not look up “photosynthesis”: The search could not reach the internet (Wikipedia).",
        ),
    ),
    (
        ask(
            "How tall is the Eiffel Tower?",
            "search: Eiffel Tower height",
            "I could not look up “Eiffel Tower height”: Nothing was found in Wikipedia for ‘Eiffel Tower height’.",
        ),
    ),
    (
        ask(
            "who is the owner of Zorblax?",
            "search: owner of Zorblax",
            "The search found nothing that clearly answers this. Its first result is: “Blorx — Wikipedia (en): "
            "Something else entirely.” [1]",
        ),
    ),
    (ask("100 USD in EUR", "search: 100 USD in EUR", "The search says: “100 USD = 92.1 EUR” [1]"),),
    (
        ask(
            "50 euros in dollars",
            "search: 50 euros in dollars",
            "The search gave no exchange rate, and rates change by the minute, so I will not guess one.",
        ),
    ),
    (
        ask(
            "What is the capital of France? And what is 2+2?",
            ("search: capital of France", "2 + 2"),
            "The search says: “Paris — Wikipedia (en): Paris is the capital of France.” [1] 2 + 2 is 4.",
        ),
    ),
)

JAPANESE = (
    (
        ask("25の平方根は？", "sqrt(25)", "25の平方根は5です。"),
        then("その立方は？", "5の立方は？", "5^3", "5の三乗は125です。"),
        then("36は？", "36の立方は？", "36^3", "36の三乗は{}です。", 36**3),
    ),
    (
        ask("100円の8%は？", "100 * 8 / 100", "100円の8%は8円です。"),
        then("では200円は？", "200円の8%は？", "200 * 8 / 100", "200円の8%は16円です。"),
        then("10%は？", "200円の10%は？", "200 * 10 / 100", "200円の10%は20円です。"),
        then("それの半分は？", "20円の半分は？", "20 / 2", "20円の半分は10円です。"),
    ),
    (
        ask("華氏100度は摂氏何度？", "convert: 100 °F in °C", "100 °Fは{} °Cです。", about(celsius(100), "約")),
        then(
            "それをケルビンで？",
            "華氏100度をケルビンで？",
            "convert: 100 °F in kelvin",
            "100 °Fは{}ケルビンです。",
            about(celsius(100) + F("273.15"), "約"),
        ),
    ),
    (
        ask(
            "5キロは何マイル？", "convert: 5 km in miles", "5 kmは{}マイルです。", about(F(5000) / F("1609.344"), "約")
        ),
        then(
            "それを2倍にすると？",
            "3.10686マイルを2倍にすると？",
            "3.10686 * 2",
            "3.10686マイル × 2は6.21372マイルです。",
        ),
        then("半分は？", "6.21372マイルの半分は？", "6.21372 / 2", "…3.10686マイルです。"),
    ),
    (
        ask("2の10乗は？", "2^10", "2^10は1024です。"),
        then("それを3で割ると？", "1024を3で割ると？", "1024 / 3", "1024 ÷ 3は{}です。", F(1024, 3)),
        then(
            "それに10を足すと？",
            "(1024 / 3)に10を足すと？",
            "1024 / 3 + 10",
            "1024 ÷ 3 + 10は{}です。",
            F(1054, 3),
        ),
    ),
    (
        ask(
            "フランスの首都は？",
            "search: フランス 首都",
            "検索結果: “パリ — Wikipedia (ja): パリはフランスの首都である。” [1]",
        ),
        then(
            "ドイツは？",
            "ドイツの首都は？",
            "search: ドイツ 首都",
            "検索結果: “ベルリン — Wikipedia (ja): ベルリンはドイツの首都である。” [1]",
        ),
    ),
    (
        ask(
            "昨日の東京の最高気温は？",
            "search: 昨日の東京の最高気温",
            "検索結果では20 °Cです: “20 °C, 東京, 昨日” [1]。",
        ),
        then("それを華氏で？", "20 °Cを華氏で？", "convert: 20 °C in °F", "20 °Cは68 °Fです。"),
    ),
    (
        ask(
            "東京の最高気温は華氏で何度？",
            ("search: 東京の最高気温", "convert: 20 °C in °F"),
            "検索結果では20 °Cです: “20 °C, 東京” [1]。 20 °Cは68 °Fです。",
        ),
    ),
    (ask("25の平方根は？その立方は？", ("sqrt(25)", "5^3"), "25の平方根は5です。 5の三乗は125です。"),),
    (ask("12かける7は？", "12 * 7", "12 × 7は84です。"),),
    (ask("12÷4を計算してください", "12 / 4", "12 ÷ 4は3です。"),),
    (ask("十二足す三十は？", "12 + 30", "12 + 30は42です。"),),
    (ask("100から25を引くと？", "100 - 25", "100 - 25は75です。"),),
    (ask("5の階乗は？", "factorial(5)", "5の階乗は120です。"),),
    (ask("27の立方根は？", "cbrt(27)", "27の立方根は3です。"),),
    (ask("３万÷４", "30000 / 4", "30,000 ÷ 4は7500です。"),),
    (ask("1億2000万たす５", "120000000 + 5", "120,000,000 + 5は120,000,005です。"),),
    (ask("二百五かける二", "205 * 2", "205 × 2は410です。"),),
    (ask("3と5と10の平均は？", "(3 + 5 + 10) / 3", "3と5と10の平均は6です。"),),
    (ask("4と10の差は？", "abs(4 - 10)", "4と10の差は6です。"),),
    (ask("1000円の2割引は？", "1000 * (1 - 20 / 100)", "1,000円から20%を引いた値は800円です。"),),
    (ask("1000円の3割は？", "1000 * 30 / 100", "1,000円の30%は300円です。"),),
    (ask("1000円に10%の消費税を足すと？", "1000 * (1 + 10 / 100)", "1,000円に10%を足した値は1,100円です。"),),
    (ask("12は80の何%？", "12 / 80 * 100", "12は80の15%です。"),),
    (ask("17を5で割った余りは？", "17 - 5 * floor(17 / 5)", "17を5で割った余りは2です。"),),
    (ask("2の10乗と1000ではどちらが大きいですか？", "2^10", "2^10 (1024)は1000より大きいです。"),),
    (ask("3.14159を小数第2位まで四捨五入", "round(3.14159, 2)", "3.14159を四捨五入すると3.14です。"),),
    (ask("摂氏20度は華氏何度ですか？", "convert: 20 °C in °F", "20 °Cは68 °Fです。"),),
    (
        ask(
            "5キログラムをポンドに換算して",
            "convert: 5 kg in pounds",
            "5 kgは{}ポンドです。",
            about(F(5) / F("0.45359237"), "約"),
        ),
    ),
    (ask("2時間は何分？", "convert: 2 hours in minutes", "2時間は120分です。"),),
    (
        ask(
            "クリスマスまであと何日？",
            'now: {"date": "2026-11-21", "until": "2026-12-25"}',
            "2026年11月21日から2026年12月25日までは34日です。",
        ),
    ),
    (
        ask(
            "2024年1月1日から2024年3月1日まで何日ですか？",
            'now: {"date": "2024-01-01", "until": "2024-03-01"}',
            "2024年1月1日から2024年3月1日までは60日です。",
        ),
    ),
    (ask("1969年7月20日は何曜日でしたか？", 'now: {"date": "1969-07-20"}', "1969年7月20日は日曜日でした。"),),
    (ask("2024年の元日は何曜日？", 'now: {"date": "2024-01-01"}', "2024年1月1日は月曜日でした。"),),
    (ask("100から30を引いて2で割ると？", "(100 - 30) / 2", "(100 - 30) ÷ 2は35です。"),),
    (
        ask(
            "1990年5月1日生まれは何歳？",
            'now: {"date": "1990-05-01", "until": "2026-11-21"}',
            "1990年5月1日生まれの人は今日で満36歳です。",
        ),
    ),
    (
        ask(
            "100日後は何月何日？",
            'now: {"date": "2026-11-21", "add": "100 days"}',
            "2026年11月21日の100日後は2027年3月1日(月曜日)です。",
        ),
    ),
    (ask("今日は何日？", "", "今日は2026年11月21日(土曜日)です。"),),
    (ask("日本の人口は？", "search: 日本 人口", "検索結果: “…人口は約1億2千万人。” [1]"),),
    (
        ask(
            "富士山について調べて",
            "search: 富士山",
            "検索結果: “富士山 — Wikipedia (ja): 富士山は日本の山である。” [1]",
        ),
    ),
    (
        ask(
            "夏目漱石とは？",
            "search: 夏目漱石",
            "「夏目漱石」を調べることができませんでした: インターネットに接続できませんでした。",
        ),
    ),
    (ask("100ドルは何円", "search: 100ドルは何円", "為替レートは見つかりませんでした。…"),),
    (no("5足す3の二乗は？", "二通り"),),
    (no("100から25足す5を引くと？", "二通り"),),
    (ask("1000円の1.5割引は？", "1000 * (1 - 15 / 100)", "1,000円から15%を引いた値は850円です。"),),
    (ask("1000円の1.5割は？", "1000 * 15 / 100", "1,000円の15%は150円です。"),),
    (ask("-100の8%は？", "(-100) * 8 / 100", "-100の8%は-8です。"),),
    (
        ask("4の5倍は？", "4 * 5", "4 × 5は20です。"),
        then("10を引くと？", "20から10を引くと？", "20 - 10", "20 - 10は10です。"),
    ),
    (
        ask("3引く5は？", "3 - 5", "3 - 5は-2です。"),
        then("その三乗は？", "(-2)の三乗は？", "(-2)^3", "-2の三乗は-8です。"),
    ),
    (
        ask("昨日の東京の最高気温は？", "search: 昨日の東京の最高気温", "検索結果では20 °Cです: …"),
        then("華氏では？", "20 °Cを華氏で？", "convert: 20 °C in °F", "20 °Cは68 °Fです。"),
    ),
    (ask("25度(摂氏)は華氏で何度？", "convert: 25 °C in °F", "25 °Cは77 °Fです。"),),
    (no("足すの平均は？"),),
    (no("1万2億足す3は？"),),
    (no("1万20000足す3は？"),),
    (no("万二足す3は？"),),
    (no("二二十足す3は？"),),
    (no("3の平均は？"),),
    (no("1年は何日？", "長さが一定"),),
    (ask("〇足す二万三千は？", "0 + 23000", "0 + 23,000は23,000です。"),),
    (ask("3万5000足す1は？", "35000 + 1", "35,000 + 1は35,001です。"),),
    (ask("5の2乗根は？", "sqrt(5)", "5の平方根は2.2360679775です。"),),
    (no("詩を書いて"),),
    (no("おすすめの本は？"),),
    (no("私の年齢に5を足すと？"),),
    (no("100度は華氏何度？"),),
    (no("バナナの平方根は？"),),
    (no("5キロは何リットル？", "同じ種類"),),
    (no("人生の意味って何だと思う？"),),
)

TWO_WAYS = "two ways"
DECLINED = tuple(
    (no(asked, reason),)
    for asked, reason in (
        ("average of 3 and 5 squared", TWO_WAYS),
        ("sum of 3 and 4 squared", TWO_WAYS),
        ("difference between 10 and 4 squared", TWO_WAYS),
        ("3 plus 5 doubled", TWO_WAYS),
        ("sum of 3, 4 and 5 squared", TWO_WAYS),
        ("the largest of 3, 7 and 2 plus 1", TWO_WAYS),
        ("a third of 10 doubled", TWO_WAYS),
        ("max of 3 and -4 squared", TWO_WAYS),
        ("3と5の二乗の平均は？", "二通り"),
        ("20 C + 5 C", "units"),
        ("20度(摂氏)足す5度(摂氏)は？", ""),
        ("90° + 5", ""),
        ("0x10 + 1", ""),
        ("1/3/4 of 12", ""),
        ("1/2 of 10 + 6", TWO_WAYS),
        ("sin 30", ""),
        ("pi times 5 squared", TWO_WAYS),
        ("円周率かける5の2乗は？", "二通り"),
        ("3 plus 5 subtracted from 30", TWO_WAYS),
        ("5$ * 3$", "units"),
        ("$5 + 3", "units"),
        ("5 km times 3 km", "units"),
        ("min(1,500,2,000)", ""),
        ("max(1,200)", ""),
        ("sum of 1,200,3,400", ""),
        ("tell me about yourself", ""),
        ("how many days until my birthday", ""),
        ("100000000 days from now", ""),
        ("12345を百の位で四捨五入すると？", ""),
        ("3と4の和の二乗は？", ""),
        ("20度は華氏で何度？", ""),
        ("10 % 3", ""),
        ("increase 50 by 10% and then decrease by 10%", ""),
        ("6/2 of 3/4 of 8 squared", TWO_WAYS),
        ("what is the temperature in Paris plus 5", ""),
        ("what is the capital of France and its population?", ""),
        ("print(2+2)", ""),
        ("is 2 + 2 = 4", ""),
        ("5(3)", ""),
        ("100/10/2", ""),
        ("sin(30 + 5°)", ""),
        ("tan(2)", ""),
        ("days between 29 February and 1 March 2023", ""),
        ("日本の首都は？その人口は？", ""),
        ("5 hundred plus 1", ""),
        ("e5", ""),
        ("2e", ""),
        ("5 kg in hours and minutes", ""),
        ("what is 5 plus my age", ""),
        ("how many r in strawberry", ""),
        ("what is 2+2 in binary", ""),
        ("convert 5 miles to dollars", ""),
        ("solve x^2=4", ""),
        ("square root of banana", ""),
        ("What is the square root of 16 plus 9?", TWO_WAYS),
        ("half of 10 plus 6", TWO_WAYS),
        ("3 plus 4 squared", TWO_WAYS),
        ("2 to the power of 3 plus 1", TWO_WAYS),
        ("-2^2", TWO_WAYS),
        ("2^3^2", TWO_WAYS),
        ("20% of 50 plus 10", TWO_WAYS),
        ("100 - 10 + 15%", TWO_WAYS),
        ("sum of 3 and 5 times 2", TWO_WAYS),
        ("what is 50% + 20%", ""),
        ("6/2(1+2)", ""),
        ("2+2=5", ""),
        ("1½ + 1", ""),
        ("01 + 2", ""),
        ("5 apples plus 3 oranges", ""),
        ("5 feet plus 3 kg", "units"),
        ("5 kg in km", "same thing"),
        ("-300 C in F", "absolute zero"),
        ("3 tons in kg", ""),
        ("72 degrees in celsius", ""),
        ("1 month in days", "differ in length"),
        ("100 Mb in GB", ""),
        ("log of 100", ""),
        ("sin(30)", ""),
        ("-17 mod 5", ""),
        ("what day of the week is 3/4/2024", ""),
        ("days between 03/04/2024 and 05/06/2024", ""),
        ("how many days until 2020-01-01", ""),
        ("how many days since 2030-01-01", ""),
        ("what day of the week was 2024-02-30", ""),
        ("how many working days until Christmas", ""),
        ("what day of the week was 12 March 1204", ""),
        ("how old is someone born on 2030-01-01", ""),
        ("what is the 17th prime?", ""),
        ("what is the derivative of x^2", ""),
        ("what is 5 times", ""),
        ("twenty fifteen plus 1", ""),
        ("average of 5", ""),
        ("what's the best phone?", ""),
        ("What is your name?", ""),
        ("tell me a joke", ""),
        ("write a poem about the sea", ""),
        ("def f(x): return x", ""),
        ("I feel sad", ""),
        ("how are you?", ""),
        ("asdf", ""),
        ("What is 2+2? Also tell me a joke.", ""),
        ("divide 10 by 2 plus 3", TWO_WAYS),
        ("5!!", TWO_WAYS),
        ("square root of 3 squared", TWO_WAYS),
        ("how many days until June 31", ""),
        ("round 5 to the nearest banana", ""),
        ("increase banana by 10%", ""),
        ("half of 100 C", "units"),
        ("one hundred ten five plus 1", ""),
        ("sum of half of 4 and 3", TWO_WAYS),
        ("2 plus -3 squared", TWO_WAYS),
        ("how many weeks in a year", "differ in length"),
        ("what is half of the population of Japan", ""),
        ("what is the temperature", ""),
        ("sqrt(4, 9)", ""),
        ("difference between 5, 3 and 1", ""),
        ("average of one hundred and five and three", ""),
        ("+5 * 2", ""),
        ("$10 times $3", "units"),
        ("İ plus 2", ""),
        ("1,2345 + 1", ""),
        ("two thousand million thousand plus 1", ""),
        ("zero hundred plus 1", ""),
        ("three thousand five thousand plus 1", ""),
        ("twenty fifteen hundred plus 1", ""),
        ("is 5 ft 6 in larger than 2", ""),
        ("percentage of 50 kg is 10 g", ""),
        ("compound interest on 1000 at 5%", ""),
        ("how many days in Foo 2024", ""),
        ("what day of the week was January 32, 2024", ""),
        ("a 15% tip on 80 plus 20", TWO_WAYS),
        ("8 of 40 apples are red. What percent are green?", ""),
        ("percentage difference between 50 and 60", ""),
        ("What is the square root of 25 in km?", ""),
        ("combien font 2 et 2 ?", ""),
        ("25的平方根是多少", ""),
        ("2 + 2 " * 150, ""),
    )
)

FOLLOW_UPS = (
    (
        ask("When was Ada Lovelace born?", "search: Ada Lovelace born", "…1815.” [1]"),
        then("and Marie Curie?", "When was Marie Curie born?", "search: Marie Curie born", "…1867.” [1]"),
        no("and the currency?"),
        no("and for 36 km?"),
        no("and for 36 bananas?"),
    ),
    (
        ask("What is 3 minus 5?", "3 - 5", "3 - 5 is -2."),
        then("squared?", "What is (-2) squared?", "(-2)^2", "The square of -2 is 4."),
    ),
    (ask("$10 / $5", "10 / 5", "$10 ÷ $5 is 2."),),
    (ask("fifty plus fifty-five", "50 + 55", "50 + 55 is 105."),),
    (ask("5! + (3!)!", "factorial(5) + factorial(factorial(3))", "factorial(5) + factorial(factorial(3)) is 840."),),
    (
        ask("What is the capital of France?", "search: capital of France", "…[1]"),
        then("and the currency?", "What is the currency of France?", "search: currency of France", "…The euro…"),
        no("and its population?"),
        no("and yesterday?"),
        no("and you?"),
        no("and in Rome tomorrow?"),
        then("the same for Germany", "What is the currency of Germany?", "search: currency of Germany", "…euro…"),
    ),
    (
        ask("What is 12 times 7?", "12 * 7", "12 × 7 is 84."),
        no("and in words?"),
        no("and 5% of that plus 1?"),
        no("and in km?"),
        then("is it larger than 80?", "Is 84 larger than 80?", "max(84, 80)", "Yes: 84 is larger than 80."),
        no("double it"),
        no("is it prime?"),
    ),
    (
        ask("What is the square root of 2?", "sqrt(2)", "The square root of 2 is 1.41421356237."),
        then(
            "Round that to 3 decimals",
            "Round (sqrt(2)) to 3 decimals.",
            ("sqrt(2)", "round(1.41421356237, 3)"),
            "…is 1.414.",
        ),
        then("so, add 1?", "What is 1.414 plus 1?", "1.414 + 1", "1.414 + 1 is 2.414."),
        then("and subtract 2", "What is 2.414 minus 2?", "2.414 - 2", "2.414 - 2 is 0.414."),
        then("then multiply by three", "Multiply 0.414 by three.", "0.414 * 3", "0.414 × 3 is 1.242."),
        then("rounded", "Round 1.242.", "round(1.242)", "1.242, rounded, is 1."),
        then("half", "What is half 1?", "1 / 2", "Half of 1 is 0.5."),
        then("and the cube", "What is the cube of 0.5?", "0.5^3", "The cube of 0.5 is 0.125."),
    ),
    (
        ask("What is 25 squared?", "25^2", "The square of 25 is 625."),
        then("and thirty?", "What is 30 squared?", "30^2", "The square of 30 is 900."),
    ),
    (ask("What is 10 plus 20?", "10 + 20", "10 + 20 is 30."), no("what about 30?")),
    (ask("What is 10 squared?", "10^2", "The square of 10 is 100."), no("what about 3 bananas?")),
    (
        ask("5 kg in pounds", "convert: 5 kg in pounds", "5 kg is {} pounds.", about(F(5) / F("0.45359237"))),
        then(
            "and 7 kg?",
            "7 kg in pounds",
            "convert: 7 kg in pounds",
            "7 kg is {} pounds.",
            about(F(7) / F("0.45359237")),
        ),
        then("and 3 stone?", "3 stone in pounds", "convert: 3 stone in pounds", "3 stone is 42 pounds."),
        then("plus 2", "What is 42 pounds plus 2 pounds?", "42 + 2", "42 pounds + 2 pounds is 44 pounds."),
    ),
    (
        ask("What is 5% of $80?", "80 * 5 / 100", "5% of $80 is $4."),
        then("and of $90?", "What is 5% of $90?", "90 * 5 / 100", "5% of $90 is $4.50."),
        then(
            "and in euros?",
            "What is $4.50 in euros?",
            "search: $4.50 in euros",
            "The search says: “4.5 USD = 4.1 EUR” [1]",
        ),
    ),
    (
        ask("25の平方根は？", "sqrt(25)", "25の平方根は5です。"),
        no("それは？"),
        then("では三十六は？", "三十六の平方根は？", "sqrt(36)", "36の平方根は6です。"),
        then("10を足すと？", "6に10を足すと？", "6 + 10", "6 + 10は16です。"),
        then("2倍すると？", "16を2倍すると？", "16 * 2", "16 × 2は32です。"),
        then("それを半分にすると？", "32を半分にすると？", "32 / 2", "32の半分は16です。"),
    ),
    (
        ask("フランスの首都は？", "search: フランス 首都", "検索結果: …"),
        then("人口は？", "フランスの人口は？", "search: フランス 人口", "検索結果: …"),
        no("その人口は？"),
    ),
    (
        ask("How many days until Christmas?", 'now: {"date": "2026-11-21", "until": "2026-12-25"}', "…34 days."),
        then(
            "and until tomorrow?",
            "How many days until tomorrow?",
            'now: {"date": "2026-11-21", "until": "2026-11-22"}',
            "…is 1 day.",
        ),
        then(
            "what about Halloween?",
            "How many days until Halloween?",
            'now: {"date": "2026-11-21", "until": "2027-10-31"}',
            "…is {} days.",
            days((2026, 11, 21), (2027, 10, 31)),
        ),
    ),
)

TALK = (
    (
        ask("hi", "", "Hello! I am the demo: rules, not AI. …"),
        then("thanks", "", "", "You are welcome!"),
        then("what can you do?", "", "", "I am a demo that works by rules, without AI. …‘Connect a model’…Ollama."),
        no("and its cube?"),
    ),
    (
        ask("What is 2 + 2?", "2 + 2", "2 + 2 is 4."),
        then("thanks!", "", "", "You are welcome!"),
        then("double it", "What is double 4?", "4 * 2", "Double 4 is 8."),
    ),
    (
        ask("What is 2 + 2?", "2 + 2", "2 + 2 is 4."),
        then(
            "What is 12 times 7? And its square root?",
            "",
            ("12 * 7", "sqrt(84)"),
            "12 × 7 is 84. The square root of 84 is {}.",
            "9.16515138991",
        ),
    ),
    (
        ask("What is 2 + 2?", "2 + 2", "2 + 2 is 4."),
        no("why is that?"),
    ),
    (ask("What is the capital of France?", "search: capital of France", "…"), no("what is half of that?")),
    (ask("What is 15% of 80?", "80 * 15 / 100", "15% of 80 is 12."), no("what about Germany?")),
    (ask("3 + 4", "3 + 4", "3 + 4 is 7."), no("and for 36?")),
    (
        ask("こんにちは", "", "こんにちは。デモです。…"),
        then("何ができますか？", "", "", "AI ではなく規則で動くデモです。…"),
        then("ありがとう", "", "", "どういたしまして。"),
    ),
)

NOTATION = (
    (ask("sin(pi/2)", "sin(pi / 2)", "sin(pi ÷ 2) is 1."),),
    (ask("sine of 30 degrees", "sin(30°)", "sin(30°) is 0.5."),),
    (ask("cos(60°) * 2", "cos(60°) * 2", "cos(60°) × 2 is 1."),),
    (ask("log2(8)", "log2(8)", "The base-2 logarithm of 8 is 3."),),
    (ask("pi times 2", "pi * 2", "Pi × 2 is 6.28318530718."),),
    (ask("円周率かける2は？", "pi * 2", "pi × 2は6.28318530718です。"),),
    (ask("e^2", "e^2", "e^2 is 7.38905609893."),),
    (ask("what is `2+2`?", "2 + 2", "2 + 2 is 4."),),
    (ask("$2+2$", "2 + 2", "2 + 2 is 4."),),
    (ask(r"What is $\frac{1}{2} + \frac{1}{4}$?", "1 / 2 + 1 / 4", "1 ÷ 2 + 1 ÷ 4 is 0.75."),),
    (ask(r"\sqrt{16} \times 2", "sqrt(16) * 2", "sqrt(16) × 2 is 8."),),
    (ask("$5+$3", "5 + 3", "$5 + $3 is $8."),),
    (ask("80 * 15%", "80 * 15 / 100", "15% of 80 is 12."),),
    (ask("15% * 80", "80 * 15 / 100", "15% of 80 is 12."),),
    (ask("5 doubled", "5 * 2", "Double 5 is 10."),),
    (ask("15% more than 80", "80 * (1 + 15 / 100)", "80 plus 15% is 92."),),
    (ask("what is 20% less than $50", "50 * (1 - 20 / 100)", "$50 less 20% is $40."),),
    (ask("hundred plus one", "100 + 1", "100 + 1 is 101."),),
    (ask("90の三分の一は？", "90 * 1 / 3", "90の3分の1は30です。"),),
    (ask("5'11\" in cm", "convert: 5 feet 11 inches in cm", "5 feet 11 inches is 180.34 cm."),),
    (ask("6' in metres", "convert: 6 feet in metres", "6 feet is 1.8288 metres."),),
    (ask("double 5 km in miles", "5 * 1000 / 1609.344 * 2", "Double 5 km is about 6.21371 miles."),),
    (ask("2 hours plus 30 minutes in minutes", "2 * 3600 / 60 + 30", "2 hours + 30 minutes is 150 minutes."),),
    (ask("1h30m in minutes", "convert: 1 hour 30 minutes in minutes", "1 hour 30 minutes is 90 minutes."),),
    (
        ask(
            "90 minutes in hours and minutes",
            "convert: 90 minutes in hours and minutes",
            "90 minutes is 1 hour and 30 minutes.",
        ),
    ),
    (
        ask(
            "180 cm in feet and inches",
            "convert: 180 cm in feet and inches",
            "180 cm is 5 feet and {} inches.",
            about(F(180) / F("2.54") - 60),
        ),
    ),
    (
        ask(
            "90 minutes in minutes and hours",
            ("convert: 90 minutes in minutes", "convert: 90 minutes in hours"),
            "90 minutes is 90 minutes. 90 minutes is 1.5 hours.",
        ),
    ),
    (
        ask(
            "5 km in miles and feet",
            ("convert: 5 km in miles", "convert: 5 km in feet"),
            "5 km is {} miles. 5 km is {} feet.",
            about(F(5000) / F("1609.344")),
            about(F(5000) / F("0.3048")),
        ),
    ),
    (
        ask(
            "20 C in F and then K",
            ("convert: 20 °C in °F", "convert: 20 °C in kelvin"),
            "20 °C is 68 °F. 20 °C is 293.15 kelvin.",
        ),
    ),
    (
        ask(
            "1000000000000000000000 km in m",
            "convert: 1,000,000,000,000,000,000,000 km in metres",
            "… km is {} metres.",
            10**24,
        ),
    ),
    (ask("90分は何時間何分？", "convert: 90 minutes in hours and minutes", "90分は1時間30分です。"),),
    (ask("3/4 of 12", "12 * 3 / 4", "3/4 of 12 is 9."),),
    (ask("half of 1/2", "1 / 2 / 2", "Half of (1 ÷ 2) is 1/4, which is 0.25."),),
    (ask("half of 3/4", "3 / 4 / 2", "Half of (3 ÷ 4) is 3/8, which is 0.375."),),
    (ask("1.000,50 + 1", "1000.50 + 1", "1000.50 + 1 is 1001.5."),),
    (ask("3 1/2 + 1", "3 + 1 / 2 + 1", "3 + 1 ÷ 2 + 1 is 4.5."),),
    (ask("1 000 + 1", "1000 + 1", "1000 + 1 is 1001."),),
    (ask("fifty dozens plus 1", "600 + 1", "600 + 1 is 601."),),
    (ask("100 - 1/2 of 10", "100 - 10 * 1 / 2", "100 - 10 × 1 ÷ 2 is 95."),),
    (ask("sin 30 degrees", "sin(30°)", "sin(30°) is 0.5."),),
    (ask("5 added to 6", "6 + 5", "6 + 5 is 11."),),
    (ask("10 subtracted from 30", "30 - 10", "30 - 10 is 20."),),
    (ask("5$ + 3$", "5 + 3", "$5 + $3 is $8."),),
    (ask("5 € times 3", "5 * 3", "€5 × 3 is €15."),),
    (ask("average of 10,000, 20,000", "(10000 + 20000) / 2", "The average of 10,000 and 20,000 is 15,000."),),
    (ask("a 15% tip on $33.33", "33.33 * 15 / 100", "A 15% tip on $33.33 is about $5.00."),),
    (
        ask(
            "5 feet 11 in metres",
            "convert: 5 feet 11 inches in metres",
            "5 feet 11 inches is 1.8034 metres.",
        ),
    ),
    (ask("5m30s in seconds", "convert: 5 minutes 30 seconds in seconds", "5 minutes 30 seconds is 330 seconds."),),
    (ask("5 m 30 cm in cm", "convert: 5 metres 30 cm in cm", "5 metres 30 cm is 530 cm."),),
    (ask("6 ft 2 in in cm", "convert: 6 feet 2 inches in cm", "6 feet 2 inches is 187.96 cm."),),
    (
        ask(
            "100 m² in square feet",
            "convert: 100 m² in square feet",
            "100 m² is about 1,076.39 square feet.",
        ),
    ),
    (ask("2 m3 in litres", "convert: 2 cubic metres in litres", "2 cubic metres is 2,000 litres."),),
    (ask("8^(1/3)", "8^(1 / 3)", "8^(1 ÷ 3) is 2."),),
    (ask("tan(90°)", "tan(90°)", "The calculator could not work out tan(90°): The tangent of 90° …"),),
    (ask("12万円の8%は？", "120000 * 8 / 100", "120,000円の8%は9,600円です。"),),
    (ask("2の3乗の2乗は？", "(2^3)^2", "(2^3)の二乗は64です。"),),
    (ask("5kg足す300gは？", "5 + 300 * 0.001 / 1", "5 kg + 300 gは5.3 kgです。"),),
    (
        ask(
            "max of 3 feet and 1 meter",
            "max(3, 1 * 1 / 0.3048)",
            "The largest of 3 feet and 1 metre is {} feet.",
            about(1 / F("0.3048")),
        ),
    ),
    (
        ask("1/7", "1 / 7", "1 ÷ 7 is 0.142857142857."),
        then("is it larger than 0.14?", "Is (1 / 7) larger than 0.14?", "1 / 7", "Yes: 1 ÷ 7 (0.142857142857) is …"),
    ),
    (
        ask("5 miles in km", "convert: 5 miles in km", "5 miles is 8.04672 km."),
        no("in litres"),
        then("plus 5 km", "What is 8.04672 km plus 5 km?", "8.04672 + 5", "8.04672 km + 5 km is 13.04672 km."),
    ),
    (
        ask("$100 / 7", "100 / 7", "$100 ÷ 7 is about $14.29."),
        then("and half of that", "What is half of ($100 ÷ 7)?", "100 / 7 / 2", "Half of ($100 ÷ 7) is about $7.14."),
        then(
            "times 7",
            "What is (half of ($100 ÷ 7)) times 7?",
            "100 / 7 / 2 * 7",
            "100 ÷ 7 ÷ 2 × 7 is $50.",
        ),
    ),
    (
        ask("100を3で割ると？", "100 / 3", "100 ÷ 3は33.3333333333です。"),
        then("その3倍は？", "(100 / 3)の3倍は？", "100 / 3 * 3", "(100 ÷ 3)の3倍は100です。"),
    ),
    (
        ask("22/7", "22 / 7", "22 ÷ 7 is 3.14285714286."),
        then("minus pi", "What is (22 / 7) minus pi?", "22 / 7 - pi", "22 ÷ 7 - pi is 0.00126448926735."),
    ),
    (
        ask(
            "What is 5 + 1? Minus 1/3?",
            ("5 + 1", "6 - 1 / 3"),
            "5 + 1 is 6. 6 - 1 ÷ 3 is {}.",
            F(17, 3),
        ),
    ),
    (ask("is 5 km more than 3 miles?", "3 * 1609.344 / 1000", "Yes: 5 km is more than 3 miles (about 4.82803 km)."),),
    (ask("is $5 less than $4.50", "max(5, 4.50)", "No: $4.50 is less than $5."),),
    (
        ask(
            "is 1/3 less than 0.3333333333333333",
            "1 / 3",
            "1 ÷ 3 (0.333333333333) and 0.3333333333333333 are too close for me to tell.",
        ),
    ),
    (ask("which is larger, 5 km or 5000 m", "5000 * 1 / 1000", "They are equal: 5 km and 5,000 metres (5 km)."),),
    (ask("is pi less than 22/7", ("pi", "22 / 7"), "Yes: pi (3.14159265359) is less than 22 ÷ 7 (3.14285714286)."),),
    (ask("1 GB + 500 MB", "1 + 500 * 1000000 / 1000000000", "1 GB + 500 MB is 1.5 GB."),),
    (ask("5 million km in miles", "convert: 5,000,000 km in miles", "5,000,000 km is about 3,106,856 miles."),),
    (
        ask(
            "is 123456789012345 less than 123456789012346",
            "max(123456789012345, 123456789012346)",
            "Yes: 123,456,789,012,345 is less than 123,456,789,012,346.",
        ),
    ),
    (ask("which is bigger, 2^60 or 2^59", ("2^60", "2^59"), "2^60 ({}) is bigger than 2^59 ({}).", 2**60, 2**59),),
    (no("1 month + 1 day", "units"),),
    (no("is 5 km more than 3 kg?"),),
    (no("is 20 C more than 60 F?"),),
    (ask("5 km + 300 m", "5 + 300 * 1 / 1000", "5 km + 300 metres is 5.3 km."),),
    (ask("5 minutes plus 30 seconds", "5 + 30 * 1 / 60", "5 minutes + 30 seconds is 5.5 minutes."),),
    (ask("3 hours minus 45 minutes", "3 - 45 * 60 / 3600", "3 hours - 45 minutes is 2.25 hours."),),
    (ask("average of 20 C and 30 C", "(20 + 30) / 2", "The average of 20 °C and 30 °C is 25 °C."),),
    (ask("sum of 3 squared and 4 squared", "3^2 + 4^2", "The sum of (3^2) and (4^2) is 25."),),
    (ask("£2.5 plus £1", "2.5 + 1", "£2.50 + £1 is £3.50."),),
    (ask("is -1 less than 0", "max(-1, 0)", "Yes: -1 is less than 0."),),
    (ask("is 2^3 more than 9?", "2^3", "No: 9 is more than 2^3 (8)."),),
    (ask("is 8 greater than 8", "max(8, 8)", "No: they are equal: 8 and 8."),),
    (ask("which is smaller, 7 or 3?", "max(7, 3)", "3 is smaller than 7."),),
    (ask("3は5より大きいですか？", "max(3, 5)", "いいえ、5は3より大きいです。"),),
    (ask("3は5より小さい？", "max(3, 5)", "はい、3は5より小さいです。"),),
    (ask("5割る0は？", "5 / 0", "計算機は 5 / 0 を計算できませんでした: 0で割ることはできません。"),),
    (ask("-4の平方根は？", "sqrt(-4)", "計算機は sqrt(-4) を計算できませんでした: 実数の範囲には答えがありません。"),),
    (ask("12は36の何%？", "12 / 36 * 100", "12は36の{}%です。", about(F(100, 3), "約")),),
    (
        ask("1/3", "1 / 3", "1 ÷ 3 is 0.333333333333."),
        then("times 3", "What is (1 / 3) times 3?", "1 / 3 * 3", "1 ÷ 3 × 3 is 1."),
    ),
    (
        ask("$10 / 3", "10 / 3", "$10 ÷ 3 is about $3.33."),
        then("times 3", "What is ($10 ÷ 3) times 3?", "10 / 3 * 3", "$10 ÷ 3 × 3 is $10."),
    ),
    (
        ask("100円を3で割ると？", "100 / 3", "100円 ÷ 3は33.3333333333円です。"),
        then("それを3倍すると？", "(100円 ÷ 3)を3倍すると？", "100 / 3 * 3", "100円 ÷ 3 × 3は100円です。"),
    ),
    (
        ask("sqrt(2)", "sqrt(2)", "The square root of 2 is 1.41421356237."),
        then("squared", "What is (sqrt(2)) squared?", "sqrt(2)^2", "The square of sqrt(2) is 2."),
    ),
)

SPANS = (
    (
        "how many days from November 1 to December 1",
        'now: {"date": "2026-11-01", "until": "2026-12-01"}',
        (2026, 11, 1),
        (2026, 12, 1),
    ),
    (
        "how many days from Halloween to Christmas",
        'now: {"date": "2026-10-31", "until": "2026-12-25"}',
        (2026, 10, 31),
        (2026, 12, 25),
    ),
    (
        "how many days from 25 December to 1 January",
        'now: {"date": "2026-12-25", "until": "2027-01-01"}',
        (2026, 12, 25),
        (2027, 1, 1),
    ),
    (
        "days between 1 November and 1 December 2024",
        'now: {"date": "2024-11-01", "until": "2024-12-01"}',
        (2024, 11, 1),
        (2024, 12, 1),
    ),
    (
        "days between 1 January 2024 and 1 March",
        'now: {"date": "2024-01-01", "until": "2024-03-01"}',
        (2024, 1, 1),
        (2024, 3, 1),
    ),
    (
        "how many days from 1 December to 1 January 2025",
        'now: {"date": "2024-12-01", "until": "2025-01-01"}',
        (2024, 12, 1),
        (2025, 1, 1),
    ),
    (
        "how many days from 1 December 2024 to 1 January",
        'now: {"date": "2024-12-01", "until": "2025-01-01"}',
        (2024, 12, 1),
        (2025, 1, 1),
    ),
    (
        "how many days from 1 November to today",
        'now: {"date": "2026-11-01", "until": "2026-11-21"}',
        (2026, 11, 1),
        (2026, 11, 21),
    ),
    (
        "how many days between Feb 29 and March 1",
        'now: {"date": "2028-02-29", "until": "2028-03-01"}',
        (2028, 2, 29),
        (2028, 3, 1),
    ),
)
WEEKDAYS = (
    (
        ask("What day of the week was 20 July 1969?", 'now: {"date": "1969-07-20"}', "20 July 1969 was a Sunday."),
        then(
            "and 21 July?",
            "What day of the week was 21 July, 1969?",
            'now: {"date": "1969-07-21"}',
            "21 July 1969 was a Monday.",
        ),
        no("and Christmas?"),
    ),
    (ask("What day was Christmas", 'now: {"date": "2025-12-25"}', "25 December 2025 was a Thursday."),),
    (ask("7月4日は何曜日でしたか？", 'now: {"date": "2026-07-04"}', "2026年7月4日は土曜日でした。"),),
    (ask("7月4日は何曜日ですか？", 'now: {"date": "2027-07-04"}', "2027年7月4日は日曜日です。"),),
    (ask("what day is today", "", "Today is Saturday, 21 November 2026."),),
    (ask("tomorrow's date", "", "Tomorrow is Sunday, 22 November 2026."),),
    (ask("昨日は何月何日でしたか？", "", "昨日は2026年11月20日(金曜日)でした。"),),
    (
        ask(
            "30 days from today",
            'now: {"date": "2026-11-21", "add": "30 days"}',
            "30 days after 21 November 2026 is Monday, 21 December 2026.",
        ),
    ),
    (
        ask(
            "what is the date next monday",
            'now: {"date": "2026-11-23"}',
            "Next monday is Monday, 23 November 2026.",
        ),
    ),
    (ask("先週の月曜日は何日？", 'now: {"date": "2026-11-09"}', "先週の月曜日は2026年11月9日(月曜日)でした。"),),
    (
        ask(
            "how many months between January and March 2024",
            'now: {"date": "2024-01-01", "until": "2024-03-01"}',
            "From 1 January 2024 to 1 March 2024 is 2 months.",
        ),
    ),
    (
        ask(
            "11月1日から12月1日まで何日？",
            'now: {"date": "2026-11-01", "until": "2026-12-01"}',
            "2026年11月1日から2026年12月1日までは30日です。",
        ),
    ),
    *(
        (ask(asked, call, "…is {}.", f"{days(first, last)} day{'s' * (days(first, last) > 1)}"),)
        for asked, call, first, last in SPANS
    ),
)

CONVERSATIONS = (
    *NOTATION,
    *WEEKDAYS,
    *ARITHMETIC,
    *PERCENT,
    *UNITS,
    *DATES,
    *LOOKUPS,
    *JAPANESE,
    *DECLINED,
    *TALK,
    *FOLLOW_UPS,
)
