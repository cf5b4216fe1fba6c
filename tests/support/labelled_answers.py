"""A labelled set of answers over observations as tools give them; half of the answers are altered in one claim.

A family draws facts, writes observations and a true answer in which each claim to be altered stands between ``⟦`` and
``⟧`` after a letter for its kind (``n`` number, ``d`` date, ``a`` name). Figures are worked out here with plain
arithmetic. Nothing in this file knows of ``agent.evidence``.
"""

from __future__ import annotations

import json
import re
from calendar import month_name
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

MARK = re.compile(r"⟦([nda]):(.+?)⟧")
MONTHS = tuple(month_name)[1:]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
KINDS = {"n": "number", "d": "date", "a": "name"}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a family writes: ``answer`` has marks."""

    question: str
    observations: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """``altered`` are the spans of the answer that are not true; empty for a true answer."""

    family: str
    question: str
    observations: tuple[str, ...]
    answer: str
    kind: str = ""
    how: str = ""
    altered: tuple[tuple[int, int], ...] = ()


CITIES = (
    ("Lisbon", "Portugal"),
    ("Osaka", "Japan"),
    ("Valparaíso", "Chile"),
    ("Krakow", "Poland"),
    ("Toronto", "Canada"),
    ("Nairobi", "Kenya"),
    ("Bergen", "Norway"),
    ("Adelaide", "Australia"),
    ("Lyon", "France"),
    ("Montevideo", "Uruguay"),
    ("Denver", "United States"),
    ("Porto", "Portugal"),
    ("Gdansk", "Poland"),
    ("Zagreb", "Croatia"),
    ("Busan", "South Korea"),
)
PEOPLE = (
    ("Maria Albrecht", "chemist", "Graz"),
    ("John Okafor", "architect", "Lagos"),
    ("Elena Petrova", "physicist", "Tver"),
    ("Samuel Whitfield", "painter", "Leeds"),
    ("Ingrid Solberg", "composer", "Bergen"),
    ("Carlos Mendoza", "poet", "Quito"),
    ("Hannah Goldstein", "mathematician", "Breslau"),
    ("Kenji Morikawa", "engineer", "Nagoya"),
    ("Amara Diallo", "novelist", "Dakar"),
    ("Thomas Lindqvist", "botanist", "Uppsala"),
    ("Rosa Ferreira", "sculptor", "Porto"),
    ("David Kessler", "surgeon", "Basel"),
)
COMPANIES = (
    "Nordwind",
    "Helix Foods",
    "Quantara",
    "Bluepeak",
    "Ostrava Steel",
    "Lumen Optics",
    "Kitano Motors",
    "Verdant",
    "Sunridge",
)
MOUNTAINS = (
    "Kestrel Peak",
    "Mount Hadley",
    "Cerro Blanco",
    "Piz Verda",
    "Storhorn",
    "Mount Ikari",
    "Aiguille Noire",
    "Grey Tor",
)
CITIES_JA = ("仙台市", "金沢市", "松本市", "高松市", "熊本市", "函館市", "浜松市", "姫路市")
FILMS = (
    "The Silent Harbor",
    "Northern Lights",
    "A Winter in Ghent",
    "Paper Lanterns",
    "The Last Cartographer",
    "Red Orchard",
)
TEAMS = ("Rovers", "United", "Albion", "Wanderers", "Athletic", "Harriers", "Dynamo", "Corinthians")


def english(day: date, form: int = 0) -> str:
    month = MONTHS[day.month - 1]
    return (
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{month[:3]} {day.day}, {day.year}",
        str(day),
    )[form % 4]


def some_day(random: Random, first: int, last: int) -> date:
    return date(first, 1, 1) + timedelta(days=random.randrange((last - first) * 365))


def padding(random: Random, count: int) -> list[str]:
    """Lines of other search results, with figures of their own."""
    lines = [
        f"Top {random.randint(5, 90)} things to do this weekend, picked by our {random.randint(3, 30)} editors.",
        f"Updated {random.randint(2, 58)} minutes ago · {random.randint(100, 9000)} reviews · rated "
        f"{random.randint(30, 50) / 10}",
        f"Compare prices from ${random.randint(20, 900)} a night at {random.randint(100, 999)} hotels.",
        f"Subscribe for ${random.randint(2, 19)}.99 a month; cancel within {random.choice((14, 30))} days.",
        f"Read more: archive {random.randint(1995, 2023)}, page {random.randint(2, 40)} of {random.randint(41, 99)}.",
        "Cookies help us deliver our services. By using our services, you agree to our use of cookies.",
        f"Photo gallery ({random.randint(6, 60)} pictures) and a map of the region.",
        f"Copyright {random.randint(2001, 2025)} The Daily Ledger. All rights reserved.",
    ]
    random.shuffle(lines)
    return lines[:count]


def results(random: Random, *lines: str, more: int = 4) -> str:
    every = [*lines, *padding(random, more)]
    return "\n".join(f"[{number}] {line}" for number, line in enumerate(every, 1))


def weather(random: Random) -> Draft:
    city, country = random.choice(CITIES)
    warm, cold = random.randint(61, 99), random.randint(30, 60)
    wind, wet = random.randint(3, 29), random.randint(20, 97)
    celsius = (warm - 32) * 5 / 9
    seen = results(
        random,
        f"{city}, {country}: partly cloudy, {warm} °F, wind {wind} mph, humidity {wet}%, low {cold} °F.",
        f"10-day weather forecast for {city}: highs near {warm + 3}°F by the weekend.",
    )
    answer = (
        f"It is ⟦n:{warm}°F⟧ in ⟦a:{city}⟧ right now, with a low of ⟦n:{cold}°F⟧ tonight. Winds blow "
        f"at ⟦n:{wind} mph⟧.",
        f"**{city}** has ⟦n:{warm} °F⟧ (about ⟦n:{celsius:.1f} °C⟧), humidity of ⟦n:{wet}%⟧ and wind "
        f"of ⟦n:{wind} mph⟧.",
        f"The temperature in ⟦a:{city}⟧, {country}, is ⟦n:{warm} degrees Fahrenheit⟧, which is ⟦n:{celsius:.0f} °C⟧.",
    )
    return Draft(f"What is the weather in {city}?", (seen,), random.choice(answer))


def city_table(random: Random) -> Draft:
    picked = random.sample(CITIES, 6)
    rows = [(city, country, random.randint(200_000, 9_900_000), random.randint(60, 2400)) for city, country in picked]
    table = "| City | Country | Population | Area (km²) |\n|---|---|---|---|\n"
    table += "\n".join(f"| {city} | {country} | {people:,} | {area:,} |" for city, country, people, area in rows)
    one, other = random.sample(rows, 2)
    more, less = max(one, other, key=lambda row: row[2]), min(one, other, key=lambda row: row[2])
    answer = (
        f"⟦a:{one[0]}⟧ has ⟦n:{one[2]:,}⟧ inhabitants on ⟦n:{one[3]:,} km²⟧, ⟦a:{other[0]}⟧ has "
        f"⟦n:{other[2]:,}⟧ on ⟦n:{other[3]:,} km²⟧.",
        f"- **{one[0]}**: ⟦n:{one[2] / 1e6:.2f} million⟧ people\n- **{other[0]}**: "
        f"⟦n:{other[2] / 1e6:.2f} million⟧ people",
        f"⟦a:{more[0]}⟧ is larger than {less[0]} by ⟦n:{more[2] - less[2]:,}⟧ people; together they "
        f"have ⟦n:{more[2] + less[2]:,}⟧.",
        f"The area of ⟦a:{one[0]}⟧ is ⟦n:{one[3]:,} square kilometers⟧ and its population is ⟦n:{one[2]:,}⟧.",
    )
    return Draft(f"Compare {one[0]} and {other[0]}.", (table,), random.choice(answer))


def company_json(random: Random) -> Draft:
    names = random.sample(COMPANIES, 4)
    rows = [
        {
            "company": name,
            "revenue_usd": random.randint(100_000, 99_999_999) * 100,
            "profit_margin": f"{random.randint(-90, 300) / 10}%",
            "employees": random.randint(120, 48_000),
            "founded": random.randint(1890, 2015),
            "ceo": person[0],
        }
        for name, person in zip(names, random.sample(PEOPLE, 4), strict=True)
    ]
    text = json.dumps(rows, indent=random.choice((None, 2)), ensure_ascii=False)
    one, other = random.sample(rows, 2)
    revenue = one["revenue_usd"]
    short = f"${revenue / 1e9:.2f} billion" if revenue >= 1e9 else f"${revenue / 1e6:.1f}M"
    answer = (
        f"⟦a:{one['company']}⟧, founded in ⟦d:{one['founded']}⟧, had a revenue of ⟦n:{short}⟧ and "
        f"employs ⟦n:{one['employees']:,}⟧ people.",
        f"The CEO of {one['company']} is ⟦a:{one['ceo']}⟧. Its margin was ⟦n:{one['profit_margin']}⟧.",
        f"{one['company']} has ⟦n:{one['employees']:,}⟧ employees and {other['company']} has "
        f"⟦n:{other['employees']:,}⟧.",
        f"{one['company']} was founded in ⟦d:{one['founded']}⟧, {other['company']} in ⟦d:{other['founded']}⟧.",
    )
    return Draft(f"Tell me about {one['company']}.", (text,), random.choice(answer))


def exchange(random: Random) -> Draft:
    code, word, rate = random.choice(
        (("JPY", "yen", 134.85), ("EUR", "euros", 0.9213), ("GBP", "pounds", 0.7904), ("INR", "rupees", 83.12))
    )
    rate = round(rate * random.uniform(0.9, 1.1), 2 if rate > 1 else 4)
    amount = random.choice((50, 120, 250, 300, 750))
    day = some_day(random, 2022, 2026)
    seen = results(
        random,
        f"1 United States Dollar = {rate} {code} on {english(day, 2)}.",
        f"USD to {code}: charts of the last 5 years.",
    )
    worth = rate * amount
    answer = (
        f"On ⟦d:{english(day, random.randint(0, 3))}⟧ one US dollar was worth ⟦n:{rate} {word}⟧.",
        f"The rate is ⟦n:{rate} {code}⟧ per dollar, so ${amount} is ⟦n:{worth:,.2f} {word}⟧.",
    )
    return Draft(f"How much is {amount} dollars in {word}?", (seen,), random.choice(answer))


def biography(random: Random) -> Draft:
    name, work, town = random.choice(PEOPLE)
    born = some_day(random, 1840, 1930)
    died = born + timedelta(days=random.randint(14_000, 32_000))
    age = died.year - born.year - ((died.month, died.day) < (born.month, born.day))
    books, prize = random.randint(3, 24), random.randint(born.year + 25, died.year)
    seen = results(
        random,
        f"{name} ({english(born, 1)} – {english(died, 1)}) was a {work} born in {town}, who won the "
        f"Halden Prize in {prize}.",
        f"{name.split()[1]} published {books} books and was married to {random.choice(PEOPLE)[0]}.",
    )
    last = name.split()[1]
    answer = (
        f"⟦a:{name}⟧ was born on ⟦d:{english(born, random.randint(0, 2))}⟧ in ⟦a:{town}⟧ and died on "
        f"⟦d:{english(died, 0)}⟧.",
        f"The {work} ⟦a:{name}⟧ died on ⟦d:{english(died, 1)}⟧ at the age of ⟦n:{age}⟧.",
        f"⟦a:{last}⟧ won the Halden Prize in ⟦d:{prize}⟧ and published ⟦n:{books} books⟧.",
        f"{name} ({born.year}–{died.year}) came from ⟦a:{town}⟧ and won the Halden Prize in ⟦d:{prize}⟧.",
    )
    return Draft(f"Who was {name}?", (seen,), random.choice(answer))


def city_japanese(random: Random) -> Draft:
    city, other = random.sample(CITIES_JA, 2)
    people, area = random.randint(15, 150), random.randint(100, 900)
    day = some_day(random, 1889, 1950)
    wards, height = random.randint(3, 24), random.randint(100, 1900)
    seen = (
        f"{city}は、日本の都市である。人口は約{people}万人、面積は{area}.{random.randint(10, 99)}平方キロメートル。"
        f"{day.year}年{day.month}月{day.day}日に市制を施行した。市内には{wards}の区があり、"
        f"最高峰の標高は{height}メートルである。\n"
        f"{other}の人口は{people + random.randint(11, 60)}万人で、観光客は年間{random.randint(200, 900)}万人。"
    )
    answer = (
        f"{city}の人口は約⟦n:{people}万人⟧、"
        f"面積は約⟦n:{area + (1 if int(seen.split('平方', maxsplit=1)[0][-2:]) >= 50 else 0)}km²⟧です。",
        f"⟦a:{city}⟧は⟦d:{day.year}年{day.month}月{day.day}日⟧に市制を施行しました。最高峰は⟦n:{height}m⟧です。",
        f"⟦a:{city}⟧の人口は⟦n:{people * 10_000:,}人⟧ほどで、市制施行は⟦d:{day.year}年⟧です。",
        f"{city} has about ⟦n:{people * 10_000:,}⟧ inhabitants; it became a city on ⟦d:{english(day)}⟧.",
    )
    return Draft(f"{city}について教えて", (seen,), random.choice(answer))


def weather_japanese(random: Random) -> Draft:
    city = random.choice(CITIES_JA)
    high, low, rain, wind = (
        random.randint(-4, 34),
        random.randint(-15, -5),
        random.randint(1, 9) * 10,
        random.randint(2, 14),
    )
    start = random.randint(8, 17)
    seen = (
        f"{city}の天気 11月21日（土）\n晴れ時々曇り 最高気温 {high}℃ 最低気温 {low}℃ 降水確率 {rain}% 風速 {wind}m/s\n"
        f"{start}時から雨の見込み。湿度{random.randint(30, 95)}％。\n週間予報 22日 "
        f"{high + 2}/{low + 1} 23日 {high - 3}/{low - 1}"
    )
    answer = (
        f"{city}の最高気温は⟦n:{high}度⟧、最低気温は⟦n:{low}度⟧、降水確率は⟦n:{rain}％⟧です。",
        f"{city}は晴れ時々曇りで、最高⟦n:{high}℃⟧、風速は⟦n:{wind}メートル毎秒⟧です。",
        f"⟦d:11月21日⟧の{city}は、降水確率⟦n:{rain}%⟧、最低気温⟦n:{low}℃⟧の予報です。",
    )
    return Draft(f"{city}の天気は?", (seen,), random.choice(answer))


def sales_csv(random: Random) -> Draft:
    regions = random.sample(("North", "South", "East", "West", "Central", "Coast", "Islands"), 5)
    rows = [(region, random.randint(100, 999), random.randint(10_000, 99_999)) for region in regions]
    text = "region,units,revenue_eur\n" + "\n".join(f"{region},{units},{revenue}" for region, units, revenue in rows)
    units, revenue = sum(row[1] for row in rows), sum(row[2] for row in rows)
    best = max(rows, key=lambda row: row[2])
    one, other = random.sample(rows, 2)
    answer = (
        f"The five regions sold ⟦n:{units:,}⟧ units in total, for a revenue of ⟦n:€{revenue:,}⟧.",
        f"On average a region made ⟦n:€{revenue / 5:,.2f}⟧; the best was {best[0]} with ⟦n:€{best[2]:,}⟧.",
        f"| Region | Revenue |\n|---|---|\n| {one[0]} | ⟦n:€{one[2]:,}⟧ |\n| {other[0]} | ⟦n:€{other[2]:,}⟧ |",
        f"{one[0]} sold ⟦n:{one[1]}⟧ units and {other[0]} ⟦n:{other[1]}⟧ units.",
    )
    return Draft("Summarise the sales.", (text,), random.choice(answer))


def counts(random: Random) -> Draft:
    words = WORDS
    museum = random.choice(("Harbor Museum", "Glass Museum", "Museum of Maps", "Railway Museum"))
    halls, floors, guides = random.sample(range(2, 12), 3)
    visitors = random.randint(20, 900) * 1_000
    seen = results(
        random,
        f"The {museum} has {words[halls]} halls on {floors} floors and employs {guides} guides.",
        f"{museum}: {visitors:,} visitors a year. Open Tuesday to Sunday, 10:00 to 17:30.",
    )
    answer = (
        f"The {museum} has ⟦n:{words[halls]} halls⟧ and ⟦n:{guides} guides⟧.",
        f"It has ⟦n:{halls} halls⟧ on ⟦n:{words[floors]} floors⟧, and about "
        f"⟦n:{visitors // 1000} thousand⟧ visitors come each year.",
        f"The ⟦a:{museum}⟧ closes at ⟦d:5:30 pm⟧ and opens at ⟦d:10:00⟧.",
        f"There are ⟦n:{guides} guides⟧ at the {museum}, which has ⟦n:{visitors:,}⟧ visitors a year.",
    )
    return Draft(f"How large is the {museum}?", (seen,), random.choice(answer))


def mountains(random: Random) -> Draft:
    one, other = random.sample(MOUNTAINS, 2)
    high, low = random.randint(3_000, 7_900), random.randint(900, 2_900)
    climbed = some_day(random, 1850, 1960)
    climber = random.choice(PEOPLE)[0]
    seen = results(
        random,
        f"{one} is a mountain of {high:,} metres. It was first climbed on {english(climbed, 1)} by {climber}.",
        f"{other} - elevation {low:,} m ({low / 0.3048:,.0f} ft), prominence {random.randint(100, 800)} m.",
    )
    answer = (
        f"⟦a:{one}⟧ is ⟦n:{high:,} m⟧ high, {other} is ⟦n:{low:,} m⟧ high: a difference of ⟦n:{high - low:,} m⟧.",
        f"{one} stands ⟦n:{high / 1000:.1f} km⟧ tall (⟦n:{high / 0.3048:,.0f} feet⟧).",
        f"The first ascent of {one} was by ⟦a:{climber}⟧ on ⟦d:{english(climbed, 0)}⟧.",
        f"At ⟦n:{low:,} metres⟧, ⟦a:{other}⟧ is lower than {one} (⟦n:{high:,} metres⟧).",
    )
    return Draft(f"How high are {one} and {other}?", (seen,), random.choice(answer))


def films(random: Random) -> Draft:
    film = random.choice(FILMS)
    day, director = some_day(random, 1985, 2024), random.choice(PEOPLE)[0]
    gross, budget, minutes = random.randint(20, 890), random.randint(3, 200), random.randint(81, 189)
    seen = json.dumps(
        {
            "title": film,
            "release_date": str(day),
            "director": director,
            "box_office": f"${gross}.{random.randint(0, 9)} million",
            "budget_usd": budget * 1_000_000,
            "runtime_min": minutes,
            "imdb": random.randint(40, 92) / 10,
        },
        indent=1,
    )
    answer = (
        f"*{film}* was directed by ⟦a:{director}⟧ and released on ⟦d:{english(day)}⟧. It runs ⟦n:{minutes} minutes⟧.",
        f"{film} cost ⟦n:${budget} million⟧ and came out in ⟦d:{MONTHS[day.month - 1]} {day.year}⟧.",
        f"The film by ⟦a:{director}⟧ had a budget of ⟦n:${budget},000,000⟧.",
    )
    return Draft(f"Tell me about the film {film}.", (seen,), random.choice(answer))


def matches(random: Random) -> Draft:
    (home, _), (away, _) = random.sample(CITIES, 2)
    host, guest = random.sample(TEAMS, 2)
    goals, against = random.sample(range(0, 7), 2)
    crowd, day = random.randint(4_000, 79_999), some_day(random, 2015, 2026)
    scorer = random.choice(PEOPLE)[0]
    seen = results(
        random,
        f"{home} {host} {goals}–{against} {away} {guest}. {english(day, 1)}, attendance {crowd:,}. "
        f"Man of the match: {scorer}.",
        f"League table: {home} {host} lead with {random.randint(40, 80)} points after "
        f"{random.randint(20, 34)} matches.",
    )
    answer = (
        f"⟦a:{home} {host}⟧ played against {away} {guest} on ⟦d:{english(day, 0)}⟧ before ⟦n:{crowd:,}⟧ people.",
        f"The man of the match was ⟦a:{scorer}⟧; ⟦n:{crowd / 1000:.1f}k⟧ people watched.",
        f"The match of ⟦d:{english(day, 2)}⟧ had an attendance of ⟦n:{crowd:,}⟧.",
    )
    return Draft(f"How did {home} {host} play?", (seen,), random.choice(answer))


def election(random: Random) -> Draft:
    people = [name for name, _, _ in random.sample(PEOPLE, 3)]
    day = some_day(random, 1998, 2026)
    first = random.randint(380, 520)
    second = random.randint(250, first - 15)
    third = random.randint(30, 120)
    turnout, votes = random.randint(480, 840), random.randint(300_000, 8_000_000)
    seen = (
        f"The election was held on {english(day, 1)}. {people[0]} won with {first / 10}% of the vote, ahead of "
        f"{people[1]} ({second / 10}%) and {people[2]} ({third / 10}%). Turnout was {turnout / 10}%, down from "
        f"{turnout / 10 + 2.5:.1f}% four years before; {votes:,} ballots were cast in "
        f"{random.randint(12, 99)} districts.\n\n"
        f"The previous election took place in {day.year - 4}."
    )
    lead = (first - second) / 10
    answer = (
        f"⟦a:{people[0]}⟧ won the election of ⟦d:{english(day, 0)}⟧ with ⟦n:{first / 10}%⟧; turnout "
        f"was ⟦n:{turnout / 10}%⟧.",
        f"{people[0]} got ⟦n:{first / 10}%⟧ and {people[1]} got ⟦n:{second / 10}%⟧, a difference of "
        f"⟦n:{lead:.1f} percentage points⟧.",
        f"About ⟦n:{votes / 1e6:.1f} million⟧ ballots were cast. The winner was ⟦a:{people[0]}⟧, who beat {people[1]}.",
        f"## Result\n\n1. **{people[0]}** – ⟦n:{first / 10} %⟧\n2. **{people[1]}** – ⟦n:{second / 10} %⟧\n"
        f"3. **{people[2]}** – ⟦n:{third / 10} %⟧\n\nTurnout: ⟦n:{turnout / 10} %⟧ [1]",
    )
    return Draft("Who won the election?", (seen,), random.choice(answer))


def shares(random: Random) -> Draft:
    company = random.choice(COMPANIES)
    old, new = random.randint(2_000, 39_999) / 100, random.randint(2_000, 39_999) / 100
    day = some_day(random, 2023, 2026)
    change = (new - old) / old * 100
    word = "rose" if new > old else "fell"
    seen = json.dumps(
        {
            "symbol": company[:4].upper(),
            "name": f"{company} Inc.",
            "currency": "USD",
            "previous_close": old,
            "close": new,
            "date": str(day),
            "volume": random.randint(100_000, 9_000_000),
            "market_cap": random.randint(1_000, 90_000) * 1_000_000,
        }
    )
    cap = json.loads(seen)["market_cap"]
    answer = (
        f"{company} closed at ⟦n:${new:.2f}⟧ on ⟦d:{english(day, 2)}⟧, after ⟦n:${old:.2f}⟧ the day before.",
        f"The share {word} by ⟦n:{abs(change):.1f}%⟧ to ⟦n:${new:.2f}⟧.",
        f"The market capitalisation of ⟦a:{company}⟧ is ⟦n:${cap / 1e9:.1f} billion⟧; the share "
        f"{word} by ⟦n:${abs(new - old):.2f}⟧.",
    )
    return Draft(f"How did the share of {company} do?", (seen,), random.choice(answer))


def flights(random: Random) -> Draft:
    (here, _), (there, _) = random.sample(CITIES, 2)
    rows = []
    for _ in range(4):
        hour, minute = random.randint(5, 20), random.choice((0, 5, 10, 15, 25, 35, 40, 50, 55))
        rows.append(
            (f"{random.choice(('KX', 'LO', 'TZ'))}{random.randint(100, 999)}", hour, minute, random.randint(59, 640))
        )
    table = "flight\tdeparture\tfrom\tto\tprice_eur\n"
    table += "\n".join(f"{code}\t{hour:02}:{minute:02}\t{here}\t{there}\t{price}" for code, hour, minute, price in rows)
    cheap = min(rows, key=lambda row: row[3])
    early = min(rows, key=lambda row: row[1:3])
    half = "am" if early[1] < 12 else "pm"
    answer = (
        f"The cheapest flight is {cheap[0]} at ⟦n:€{cheap[3]}⟧, leaving ⟦a:{here}⟧ at ⟦d:{cheap[1]:02}:{cheap[2]:02}⟧.",
        f"The first flight leaves at ⟦d:{(early[1] - 1) % 12 + 1}:{early[2]:02} {half}⟧ and costs "
        f"⟦n:{early[3]} euros⟧.",
        f"The average price from {here} to {there} is ⟦n:€{sum(row[3] for row in rows) / 4:.2f}⟧; "
        f"the lowest is ⟦n:€{cheap[3]}⟧.",
    )
    return Draft(f"Flights from {here} to {there}?", (table,), random.choice(answer))


def budget_japanese(random: Random) -> Draft:
    company = random.choice(("東北電機", "みなと食品", "青葉製薬", "大和重工", "北陸電鉄"))
    sales, profit = random.randint(1_100, 98_000), random.randint(20, 990)
    people, rate = random.randint(1_200, 48_000), random.randint(11, 299) / 10
    day = some_day(random, 2022, 2026)
    seen = (
        f"[1] {company}は{day.month}月{day.day}日、{day.year}年度の決算を発表した。"
        f"売上高は前年比{rate}％増の{sales:,}億円、"
        f"純利益は{profit}億円だった。\n[2] {company} - 従業員数 {people:,}名、設立 {random.randint(1900, 1990)}年。\n"
        f"[3] 関連記事 {random.randint(3, 40)}件 ランキング {random.randint(2, 50)}位"
    )
    trillion = f"{sales // 10_000}兆{sales % 10_000:,}億円" if sales >= 10_000 else f"{sales}億円"
    answer = (
        f"{company}の売上高は⟦n:{trillion}⟧（前年比⟦n:{rate}%⟧増）、純利益は⟦n:{profit}億円⟧でした。",
        f"{company}は⟦d:{day.month}月{day.day}日⟧に決算を発表し、純利益は⟦n:{profit}億円⟧、"
        f"従業員は⟦n:{people:,}人⟧です。",
        f"Sales were ⟦n:{sales / 10:,.1f} billion yen⟧, up ⟦n:{rate}%⟧; the profit was "
        f"⟦n:{profit / 10:.1f} billion yen⟧.",
    )
    return Draft(f"{company}の決算は？", (seen,), random.choice(answer))


def releases(random: Random) -> Draft:
    product = random.choice(("Heron", "Basalt", "Quill", "Tundra"))
    days = sorted(some_day(random, 2019, 2026) for _ in range(4))
    rows = [(f"{major}.{random.randint(0, 9)}", day, random.randint(4, 95)) for major, day in enumerate(days, 1)]
    seen = "\n".join(
        f"- {product} {version} ({day}): {fixes} bugs fixed, {random.randint(2, 9)} new features"
        for version, day, fixes in rows
    )
    one = random.choice(rows)
    total = sum(row[2] for row in rows)
    apart = (rows[-1][1] - rows[0][1]).days
    answer = (
        f"{product} {one[0]} came out on ⟦d:{english(one[1], random.randint(0, 3))}⟧ and fixed ⟦n:{one[2]}⟧ bugs.",
        f"In total, the four releases fixed ⟦n:{total}⟧ bugs. The first came out on ⟦d:{english(rows[0][1], 1)}⟧.",
        f"Between the first release ({english(rows[0][1], 1)}) and the last "
        f"({english(rows[-1][1], 1)}) lie ⟦n:{apart:,} days⟧.",
    )
    return Draft(f"When was {product} {one[0]} released?", (seen,), random.choice(answer))


def nutrition(random: Random) -> Draft:
    food = random.choice(("lentil soup", "rye bread", "almond cake", "barley salad"))
    values = [
        random.randint(30, 620),
        random.randint(11, 400) / 10,
        random.randint(11, 600) / 10,
        random.randint(1, 30) / 10,
    ]
    grams = random.choice((30, 50, 250))
    seen = (
        f"Nutrition facts for {food} (per 100 g)\n\nEnergy | {values[0]} kcal |\nProtein | {values[1]} g |\n"
        f"Carbohydrates | {values[2]} g |\nSalt | {values[3]} g |\nServing size | {grams} g |"
    )
    answer = (
        f"100 g of {food} have ⟦n:{values[0]} kcal⟧, ⟦n:{values[1]} g⟧ of protein and ⟦n:{values[3]} g⟧ of salt.",
        f"Per 100 g: ⟦n:{values[0]} calories⟧ and ⟦n:{values[2]} grams⟧ of carbohydrates. A serving is ⟦n:{grams} g⟧.",
        f"The energy is ⟦n:{values[0] * 4.184:,.0f} kJ⟧ (⟦n:{values[0]} kcal⟧) per 100 g.",
    )
    return Draft(f"What is in {food}?", (seen,), random.choice(answer))


def article(random: Random) -> Draft:
    """A long answer with a heading, paragraphs, bullets and source marks over two observations."""
    city, country = random.choice(CITIES)
    (person, work, _), (founder, _, _) = random.sample(PEOPLE, 2)
    founded, opened = random.randint(1100, 1700), random.randint(1850, 2010)
    people, stops, lines, length = (
        random.randint(200, 4_000) * 1_000,
        random.randint(20, 140),
        random.randint(2, 12),
        random.randint(9, 180),
    )
    bridge = random.randint(110, 1_900)
    first = results(
        random,
        f"{city} is a city in {country}, founded in {founded} by {founder}. Its population is {people:,}.",
        f"The old bridge of {city} is {bridge} metres long and was designed by the {work} {person}.",
    )
    second = (
        f"{city} tramway. Opened: {opened}. Lines: {lines}. Stops: {stops}. System length: {length} km "
        f"({length / 1.609344:.0f} mi). Daily riders: {people // 7:,}."
    )
    answer = (
        f"# {city}\n\n**{city}**, in {country}, was founded in ⟦d:{founded}⟧ by ⟦a:{founder}⟧ and "
        f"has ⟦n:{people:,}⟧ inhabitants [1]. "
        f"Its old bridge, ⟦n:{bridge} m⟧ long, was designed by ⟦a:{person}⟧ [2].\n\n### Tramway\n\n"
        f"- opened in ⟦d:{opened}⟧\n- ⟦n:{lines} lines⟧ and ⟦n:{stops} stops⟧\n- ⟦n:{length} km⟧ long",
        f"The tramway of {city} opened in ⟦d:{opened}⟧. Today it has ⟦n:{stops} stops⟧ on "
        f"⟦n:{lines} lines⟧, with a length of "
        f"⟦n:{length} kilometres⟧ (⟦n:{length / 1.609344:.0f} miles⟧). Step 2 of the search gave the "
        f"population: nearly "
        f"⟦n:{people / 1e6 + 0.005:.2f} million⟧."
        if people % 10_000 > 5_000
        else f"The tramway of {city} opened in ⟦d:{opened}⟧ and has ⟦n:{stops} stops⟧. "
        f"{city} has ⟦n:{people // 1000} thousand⟧ inhabitants.",
        f"According to the sources, {city} was founded in ⟦d:{founded}⟧, and its tramway is ⟦n:{length} km⟧ long. "
        f"The bridge by {person} measures ⟦n:{bridge} metres⟧, or ⟦n:{bridge / 0.3048:,.0f} feet⟧.",
    )
    return Draft(f"Tell me about {city} and its tramway.", (first, second), random.choice(answer))


def german(random: Random) -> Draft:
    city = random.choice(("Oldenburg", "Freiburg", "Rostock", "Erfurt", "Kassel"))
    people, area, rent = (
        random.randint(100_000, 690_000),
        random.randint(5_000, 40_000) / 100,
        random.randint(700, 1_900) / 100,
    )
    day = some_day(random, 1950, 2020)

    def comma(value: float, places: int) -> str:
        return f"{value:,.{places}f}".translate(str.maketrans(",.", ".,"))

    seen = (
        f"{city} hat {comma(people, 0)} Einwohner auf einer Fläche von {comma(area, 2)} km². Die Miete liegt bei "
        f"{comma(rent, 2)} € pro Quadratmeter. Das Theater wurde am {day.day}.{day.month}.{day.year} eröffnet."
    )
    answer = (
        f"{city} has ⟦n:{people:,}⟧ inhabitants and covers ⟦n:{area:.1f} km²⟧.",
        f"{city} hat ⟦n:{comma(people, 0)}⟧ Einwohner; die Miete beträgt ⟦n:{comma(rent, 2)} €⟧.",
        f"The theatre opened on ⟦d:{english(day, 0)}⟧. The rent is ⟦n:€{rent:.2f}⟧ per square metre.",
    )
    return Draft(f"Was ist mit {city}?", (seen,), random.choice(answer))


FAMILIES: tuple[Callable[[Random], Draft], ...] = (
    weather,
    city_table,
    company_json,
    exchange,
    biography,
    city_japanese,
    weather_japanese,
    sales_csv,
    counts,
    mountains,
    films,
    matches,
    election,
    shares,
    flights,
    budget_japanese,
    releases,
    nutrition,
    article,
    german,
)


def labelled(families: Sequence[Callable[[Random], Draft]] = FAMILIES, each: int = 30, seed: int = 4) -> list[Labelled]:
    """``each`` answers of every family, every second one altered in one claim, the ways of altering taking turns."""
    made: list[Labelled] = []
    for family in families:
        random = Random(f"{seed} {family.__name__}")
        for number in range(each):
            draft = family(random)
            made.append(altered(family.__name__, draft, random) if number % 2 else true(family.__name__, draft))
    return made


def true(family: str, draft: Draft) -> Labelled:
    return Labelled(family, draft.question, draft.observations, MARK.sub(r"\2", draft.answer))


def altered(family: str, draft: Draft, random: Random) -> Labelled:
    """The draft's answer with one claim (or two, changed with each other) made untrue."""
    marks = list(MARK.finditer(draft.answer))
    ways = [(mark, how) for mark in marks for how in WAYS[mark[1]]]
    random.shuffle(ways)
    for mark, how in ways:
        if how == "swapped":
            others = [
                other for other in marks if other[1] == mark[1] and other[2] != mark[2] and _like(mark[2], other[2])
            ]
            if others and (mark[1] != "n" or _two_subjects(draft.answer)):
                new = {mark.start(): others[0][2], others[0].start(): mark[2]}
                return _written(family, draft, new, KINDS[mark[1]], how)
            continue
        text = WAYS[mark[1]][how](mark[2], random)
        if text not in (None, mark[2]) and not _still_true(text, draft):
            return _written(family, draft, {mark.start(): text}, KINDS[mark[1]], how)
    return true(family, draft)


def _like(one: str, other: str) -> bool:
    """Whether two figures are of the same kind, so that they can be taken for each other."""
    return re.sub(r"[\d.,\s]+", "", one) == re.sub(r"[\d.,\s]+", "", other)


def _two_subjects(answer: str) -> bool:
    return any(sign in answer for sign in (" and ", ", ⟦a", "\n", "、"))


def _still_true(text: str, draft: Draft) -> bool:
    """Whether the altered words happen to stand in the question or an observation all the same."""
    return any(
        re.search(rf"(?<![\w.,]){re.escape(text)}(?![\w.,]?\d)", whole)
        for whole in (draft.question, *draft.observations)
    )


def _written(family: str, draft: Draft, new: dict[int, str], kind: str, how: str) -> Labelled:
    answer, spans, position = "", [], 0
    for mark in MARK.finditer(draft.answer):
        answer += draft.answer[position : mark.start()]
        if mark.start() in new:
            spans.append((len(answer), len(answer) + len(new[mark.start()])))
        answer += new.get(mark.start(), mark[2])
        position = mark.end()
    answer += draft.answer[position:]
    return Labelled(family, draft.question, draft.observations, answer, kind, how, tuple(spans))


def _digit(text: str, random: Random) -> str | None:
    """Another digit, not the last one behind a point and not a leading one into zero."""
    places = [match.start() for match in re.finditer(r"\d", text)]
    words = WORDS[2:]
    if not places:
        first, _, rest = text.partition(" ")
        return f"{random.choice([word for word in words if word != first])} {rest}".strip() if first in words else None
    place = random.choice(places)
    digit = random.choice([figure for figure in "123456789" if figure != text[place]])
    return text[:place] + digit + text[place + 1 :]


def _sign(text: str, random: Random) -> str | None:
    if text.startswith("-"):
        return text[1:]
    return f"-{text}" if re.match(r"\d+(?:\.\d+)?(?:%|[ ]?°|℃|度)", text) else None


def _unit(text: str, random: Random) -> str | None:
    others = (
        ("°F", "°C"),
        ("℃", "℉"),
        ("km²", "m²"),
        ("mph", "km/h"),
        (" m", " ft"),
        ("%", "°C"),
        ("€", "$"),
        (" metres", " feet"),
        ("degrees Fahrenheit", "degrees Celsius"),
        ("minutes", "hours"),
        ("yen", "euros"),
        ("feet", "metres"),
        ("$", "£"),
    )
    for one, other in others:
        if one in text and not (one == " m" and not text.endswith(" m")):
            return text.replace(one, other)
    return None


def _scale(text: str, random: Random) -> str | None:
    for one, other in (
        ("million", "billion"),
        ("billion", "million"),
        ("thousand", "million"),
        ("万", "億"),
        ("M", "B"),
        ("k", "M"),
    ):
        if one in text and re.search(rf"\d ?{one}(?![a-z])", text):
            return text.replace(one, other)
    return re.sub(r",(\d{3})(?!.*,)", "", text, count=1) if re.search(r"\d,\d{3}(?!\d|,)", text) else None


def _date(text: str, random: Random) -> str | None:
    """Another day, month, year or hour, still a date."""
    way = random.randrange(3)
    if way == 0 and (match := re.search(r"\d{4}", text)):
        year = int(match[0]) + random.choice((-30, -10, -3, -2, -1, 1, 2, 3, 7, 10))
        return text.replace(match[0], str(year))
    for month in MONTHS if way == 1 else ():
        if re.search(rf"\b{month[:3]}", text):
            other = random.choice([name for name in MONTHS if name != month])
            return re.sub(rf"\b{month[:3]}\w*", other if month in text else other[:3], text)
    if (match := re.search(r"(?<![\d:])\d{1,2}(?=日|:| [A-Z]|,|$)", text)) is not None:
        other = random.choice([number for number in range(1, 13 if ":" in text else 29) if number != int(match[0])])
        return text[: match.start()] + (f"{other:02}" if match[0][0] == "0" else str(other)) + text[match.end() :]
    return None


def _name(text: str, random: Random) -> str | None:
    pools: list[list[str]] = [
        [city for city, _ in CITIES],
        [person for person, _, _ in PEOPLE],
        list(COMPANIES),
        list(MOUNTAINS),
        list(CITIES_JA),
        [town for _, _, town in PEOPLE],
        [person.split()[1] for person, _, _ in PEOPLE],
    ]
    for pool in pools:
        if text in pool:
            return random.choice([name for name in pool if name != text])
    first, _, rest = text.partition(" ")
    return f"{random.choice([city for city, _ in CITIES if city != first])} {rest}" if rest else None


Way = Callable[[str, Random], "str | None"]
WAYS: dict[str, dict[str, Way]] = {
    "n": {"digit": _digit, "sign": _sign, "unit": _unit, "scale": _scale, "swapped": _digit},
    "d": {"date": _date, "swapped": _date},
    "a": {"name": _name, "swapped": _name},
}
