"""SerpApi's direct answers as one line each (https://serpapi.com/direct-answer-box-api).

Any field may be missing or of another type than documented; what cannot be read is left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from agent.text.plain import Fields, fields, first, objects, plain, rows, texts

MOST_ANSWER = 1_200
_DEGREES = {"fahrenheit": "°F", "f": "°F", "celsius": "°C", "c": "°C", "kelvin": "K"}
_MAIN = ("answer", "result", "snippet", "snippet_highlighted_words", "list")
_UNTOLD = ("link", "url", "thumbnail", "image", "icon", "logo", "token", "kgmid", "_id", "audio", "html", "ludocid")
_UNTOLD_NAMES = {"type", "title", "source", "sources", "chart", "about_this_result", "extensions", "position"}


def answer(box: Fields) -> str:
    """What an answer box says, of whatever kind it is; ``""`` for nothing."""
    text = _known(kind(box), box) or everything(box)
    return text if len(text) <= MOST_ANSWER else text[: MOST_ANSWER - 1].rstrip() + "…"


def kind(box: Fields) -> str:
    """``weather`` of ``weather_result``; ``""`` where the box does not say."""
    name = plain(box.get("type"), 40).lower()
    return name.removesuffix("_results").removesuffix("_result").replace("_", " ")


def _known(name: str, box: Fields) -> str:
    match name:
        case "weather":
            return _weather(box)
        case "finance":
            return _finance(box)
        case "currency converter" | "unit converter":
            return _conversion(box)
        case "population":
            return _population(box)
        case "dictionary":
            return _dictionary(box)
        case "translation":
            return _translation(box)
        case "sports":
            return sports(box)
        case "calculator":
            return first(box, "result", "answer")
        case _:
            return ""


def _join(parts: Iterable[str], separator: str = ", ") -> str:
    return separator.join(part for part in parts if part)


def _sentences(parts: Iterable[str]) -> str:
    told = list(filter(None, parts))
    return " ".join([*(one if one.endswith((".", "!", "?", "。")) else f"{one}." for one in told[:-1]), *told[-1:]])


def _after(label: str, text: str) -> str:
    return f"{label} {text}" if text else ""


def _in_brackets(*parts: str) -> str:
    inside = _join(parts)
    return f"({inside})" if inside else ""


def _weather(box: Fields) -> str:
    unit = first(box, "unit", most=20)
    degrees = _DEGREES.get(unit.lower(), unit)
    now = [
        _degrees(first(box, "temperature", most=20), degrees),
        *(first(box, name, most=60) for name in ("weather", "location", "date")),
        *(_after(name, first(box, name, most=20)) for name in ("precipitation", "humidity", "wind")),
    ]
    days = [_day(day, degrees) for day in objects(box.get("forecast"))[:7]]
    return _sentences([_join(now), _after("Forecast:", _join(days, "; "))])


def _degrees(figure: str, degrees: str) -> str:
    """``54 °F``; a figure that has its unit already stays as it is."""
    bare = figure.lstrip("-−+").replace(".", "", 1).isdigit()
    return f"{figure} {degrees}".strip() if bare else figure


def _day(day: Fields, degrees: str) -> str:
    range_ = fields(day.get("temperature"))
    parts = [_after(name, _degrees(first(range_, name, most=20), degrees)) for name in ("high", "low")]
    return _join([first(day, "day", "date", most=20), *parts, first(day, "weather", most=40)])


def _finance(box: Fields) -> str:
    if not (price := first(box, "price", "extracted_price", most=40)):
        return ""
    change = fields(box.get("price_movement"))
    percentage = first(change, "percentage", most=20)
    moved = _join(
        [
            first(change, "movement", most=20).lower(),
            first(change, "value", most=20),
            _in_brackets(percentage if percentage.endswith("%") else f"{percentage}%") if percentage else "",
            first(change, "date", most=40).lower(),
        ],
        " ",
    )
    name = _join([first(box, "title", most=100), _in_brackets(first(box, "stock"), first(box, "exchange"))], " ")
    market = fields(box.get("market"))
    table = [f"{first(row, 'name')} {first(row, 'value')}" for row in objects(box.get("table"))[:8]]
    rest = [
        moved,
        first(box, "date", most=40) or first(market, "trading", "closed", most=60),
        _after("previous close", first(box, "previous_close", most=20)),
        *table,
    ]
    now = f"{price} {first(box, 'currency', most=20)}".strip()
    return _join([name and f"{name}:", _join([now, *rest])], " ")


def _conversion(box: Fields) -> str:
    """Units and currencies: both have ``from`` and ``to``, currencies one level deeper."""
    inner = fields(box.get("currency_converter")) or box
    left, right = (_amount(fields(inner.get(side))) for side in ("from", "to"))
    right = right or first(box, "result", "answer") or _amount(box)
    text = f"{left} = {right}" if left and right else right
    return _join([text, _in_brackets(first(box, "formula"), first(box, "date", most=40))], " ") if text else ""


def _amount(side: Fields) -> str:
    figure = first(side, "value", "price", most=60)
    return f"{figure} {first(side, 'unit', 'currency', most=60)}".strip() if figure else ""


def _population(box: Fields) -> str:
    def one(row: Fields) -> str:
        figure = first(row, "population", "result", "answer", most=60)
        return _join([first(row, "place", most=80) + ":", figure, first(row, "year", most=20)], " ") if figure else ""

    return _join([one(box), *(one(row) for row in objects(box.get("other"))[:4])], "; ")


def _dictionary(box: Fields) -> str:
    meanings = [f"{number}. {text}" for number, text in enumerate(texts(box.get("definitions"))[:5], 1)]
    examples = _after("Example:", first(box, "examples"))
    head = [first(box, name, most=80) for name in ("word", "syllables", "phonetic", "word_type")]
    return _sentences([_join(head), _join(meanings, " "), examples]) if meanings else ""


def _translation(box: Fields) -> str:
    inner = fields(box.get("translation")) or box
    sides = [fields(inner.get(side)) for side in ("source", "target")]
    told = [_join([first(side, "text"), _in_brackets(first(side, "language", most=40))], " ") for side in sides]
    return _join(told, " → ") if first(sides[1], "text") else ""


def sports(box: Fields) -> str:
    """``sports_results``, as an answer box or on its own (https://serpapi.com/sports-results)."""
    spotlight = box.get("game_spotlight")
    games = [_game(game) for game in [fields(spotlight), *objects(box.get("games"))[:5]]]
    told = _join([plain(spotlight), *games], "; ")
    return _join([_join([first(box, "title", most=100), first(box, "rankings", most=100)]), told], ": ") if told else ""


def _game(game: Fields) -> str:
    teams = [
        f"{first(team, 'name', most=60)} {_score(team)}".strip() for team in objects(game.get("teams"))[:2] if team
    ]
    names = ("status", "date", "time", "tournament", "league", "stage", "stadium")
    return _join([_join(teams, " – "), *(first(game, name, most=60) for name in names)]) if teams else ""


def _score(team: Fields) -> str:
    """A figure, or an object of figures by period whose total stands under ``T``."""
    return first(team, "score", most=20) or first(fields(team.get("score")), "T", "total", "score", most=20)


def everything(box: Fields) -> str:
    """A box of no known kind: what is named as the answer first, then its other fields, two levels deep."""
    rest = {name: value for name, value in box.items() if name not in _MAIN}
    main = [
        first(box, "answer", "result"),
        _join(texts(box.get("snippet_highlighted_words"), 100)[:3]),
        first(box, "snippet", most=600),
        _join(texts(box.get("list"), 150)[:8], "; "),
    ]
    title = first(box, "title", most=150)
    told = [_join(main, " — "), _join(facts(rest, 12), "; ")]
    return _sentences([title, *told]) if any(told) else ""


def facts(source: Fields, most: int) -> list[str]:
    """``Name: value`` of up to ``most`` fields; addresses, pictures and ids are left out."""
    told: list[str] = []
    for name, value in source.items():
        lowered = name.lower()
        if lowered in _UNTOLD_NAMES or any(part in lowered for part in _UNTOLD):
            continue
        inner = [_flat(item) for item in ([fields(value)] if isinstance(value, dict) else objects(value)[:3])]
        text = _join(texts(value, 150)[:6]) or _join(inner, "; ") or rows(value)
        if text:
            told.append(f"{plain(name.replace('_', ' '), 40).capitalize()}: {plain(text, 300)}")
        if len(told) == most:
            break
    return told


def _flat(source: Fields) -> str:
    told = [name for name in list(source)[:20] if not any(part in name.lower() for part in _UNTOLD)]
    return _join([_join(texts(source[name], 100)[:4]) or rows(source[name]) for name in told])
