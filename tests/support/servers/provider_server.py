"""A loopback server that answers as Open-Meteo, NewsAPI, TMDB, Wolfram Alpha, Serper, Google, SearXNG and MediaWiki do.

``with ProviderServer() as server`` gives ``server.environment`` (settings that point at it, with planted keys),
``server.asked`` (every request) and ``server.pages``: what is answered at a path, as in ``SearchServer.answers``. The
answers that are there from the start are shaped as the services' documentation shows them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support.servers.search_server import Answer, Handler, SearchServer

KEY = "planted0123456789abcdef"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ"
SERVICES = {
    "geocoding": "/geocoding/v1/search",
    "forecast": "/meteo/v1/forecast",
    "archive": "/archive/v1/archive",
    "newsapi": "/news/v2",
    "tmdb": "/tmdb/3",
    "wolfram": "/wolfram/api/v1/llm-api",
    "wolfram_short": "/wolfram/v1/result",
    "serper": "/serper/search",
    "google": "/google/customsearch/v1",
}
KEYS = ("NEWSAPI_API_KEY", "TMDB_API_KEY", "WOLFRAM_APP_ID", "SERPER_API_KEY", "GOOGLE_API_KEY")


def place(name: str, country: str, code: str, state: str, people: int, at: tuple[float, float]) -> dict[str, Any]:
    """One entry of the geocoding API."""
    return {
        "id": 2988507,
        "name": name,
        "latitude": at[0],
        "longitude": at[1],
        "elevation": 42.0,
        "feature_code": "PPLC",
        "country_code": code,
        "timezone": "Europe/Paris",
        "population": people,
        "country": country,
        "admin1": state,
    }


PARIS = place("Paris", "France", "FR", "Île-de-France", 2138551, (48.85341, 2.3488))
PARIS_TEXAS = place("Paris", "United States", "US", "Texas", 24782, (33.66094, -95.55551))
TOKYO = place("東京", "日本", "JP", "東京都", 9733276, (35.6895, 139.69171))
PLACES = {"paris": [PARIS, PARIS_TEXAS], "東京": [TOKYO], "tokyo": [{**TOKYO, "name": "Tokyo", "country": "Japan"}]}


def geocode(handler: Handler) -> None:
    asked = parameters(handler)
    found = PLACES.get(asked["name"].casefold())
    handler.reply(200, {"results": found, "generationtime_ms": 0.6} if found else {"generationtime_ms": 0.3})


def forecast(handler: Handler) -> None:
    """The days asked for (seven from 2026-11-21 where none were), warmer by a degree each day."""
    asked = parameters(handler)
    start = date.fromisoformat(asked.get("start_date", "2026-11-21"))
    last = date.fromisoformat(asked["end_date"]) if "end_date" in asked else start + timedelta(days=6)
    days = [start + timedelta(days=number) for number in range((last - start).days + 1)]
    metric = asked.get("temperature_unit") != "fahrenheit"
    degrees, fast, wet = ("°C", "km/h", "mm") if metric else ("°F", "mp/h", "inch")
    daily: dict[str, list[Any]] = {
        "time": [day.isoformat() for day in days],
        "weather_code": [(61, 3, 0, 95)[number % 4] for number in range(len(days))],
        "temperature_2m_max": [11.0 + number for number in range(len(days))],
        "temperature_2m_min": [4.2 + number for number in range(len(days))],
        "precipitation_sum": [(3.1, 0.0, 0.0, 12.4)[number % 4] for number in range(len(days))],
        "precipitation_probability_max": [(70, 10, None, 95)[number % 4] for number in range(len(days))],
        "wind_speed_10m_max": [25.6 for _ in days],
    }
    fast = {"ms": "m/s", "mph": "mp/h"}.get(asked.get("wind_speed_unit", ""), fast)
    names = ["time", *asked["daily"].split(",")]
    units = {"time": "iso8601", "weather_code": "wmo code", "precipitation_sum": wet, "wind_speed_10m_max": fast}
    answer: dict[str, Any] = {
        "latitude": 48.86,
        "longitude": 2.3399997,
        "generationtime_ms": 0.1,
        "utc_offset_seconds": 3600,
        "timezone": "Europe/Paris",
        "timezone_abbreviation": "GMT+1",
        "elevation": 42.0,
        "daily_units": {name: units.get(name, degrees) for name in names},
        "daily": {name: daily[name] for name in names},
    }
    if "current" in asked:
        measured = {
            "temperature_2m": (7.4, degrees),
            "apparent_temperature": (4.9, degrees),
            "relative_humidity_2m": (81, "%"),
            "precipitation": (0.2, wet),
            "weather_code": (61, "wmo code"),
            "wind_speed_10m": (14.3, fast),
            "wind_direction_10m": (262, "°"),
        }
        answer["current_units"] = {"time": "iso8601", "interval": "seconds"}
        answer["current_units"] |= {name: unit for name, (_, unit) in measured.items()}
        answer["current"] = {"time": "2026-11-21T20:15", "interval": 900}
        answer["current"] |= {name: value for name, (value, _) in measured.items()}
    handler.reply(200, answer)


NEWS = {
    "status": "ok",
    "totalResults": 2,
    "articles": [
        {
            "source": {"id": "bbc-news", "name": "BBC News"},
            "author": "A Reporter",
            "title": "Comet seen over Europe - BBC News",
            "description": "A bright comet was seen on Friday evening.",
            "url": "https://news.example.com/comet",
            "urlToImage": "https://news.example.com/comet.jpg",
            "publishedAt": "2026-11-20T18:04:00Z",
            "content": "A bright comet… [+2011 chars]",
        },
        {
            "source": {"id": None, "name": "The Verge"},
            "author": None,
            "title": "Batteries get cheaper by 12%",
            "description": None,
            "url": "https://tech.example.org/batteries",
            "urlToImage": None,
            "publishedAt": "2026-11-19T07:30:00Z",
            "content": "Prices fell again.",
        },
    ],
}
FILMS = {
    "page": 1,
    "results": [
        {
            "adult": False,
            "backdrop_path": "/s3TBrRGB1iav7gFOCNx3H31MoES.jpg",
            "genre_ids": [28, 878, 12],
            "id": 27205,
            "original_language": "en",
            "original_title": "Inception",
            "overview": "Cobb, a skilled thief, is offered a chance at redemption by planting an idea.",
            "popularity": 83.9,
            "poster_path": "/oYuLEt3zVCKq57qu2F8dT7NIa6f.jpg",
            "release_date": "2010-07-15",
            "title": "Inception",
            "video": False,
            "vote_average": 8.369,
            "vote_count": 36542,
        },
        {
            "id": 64956,
            "original_title": "Inception: The Cobol Job",
            "overview": "",
            "release_date": "2010-12-07",
            "title": "Inception: The Cobol Job",
            "vote_average": 0.0,
            "vote_count": 0,
        },
    ],
    "total_pages": 1,
    "total_results": 2,
}
FILM = {
    "id": 27205,
    "title": "Inception",
    "runtime": 148,
    "genres": [{"id": 28, "name": "Action"}, {"id": 878, "name": "Science Fiction"}],
    "credits": {
        "cast": [{"name": "Leonardo DiCaprio", "character": "Dom Cobb", "order": 0}, {"name": "Elliot Page"}],
        "crew": [{"name": "Hans Zimmer", "job": "Composer"}, {"name": "Christopher Nolan", "job": "Director"}],
    },
}
WOLFRAM = """Query:
"distance from Earth to the Moon in km"

Input interpretation:
convert Moon | distance from Earth to kilometers

Result:
379300 km (kilometers)
image: https://www6b3.wolframalpha.com/Calculate/MSP/MSP1

Additional conversions:
235700 miles
1.265 light seconds

Wolfram|Alpha website result for "distance from Earth to the Moon in km":
https://www6.wolframalpha.com/input?i=distance+from+Earth+to+the+Moon+in+km
"""
SERPER = {
    "searchParameters": {"q": "tallest mountain", "type": "search", "engine": "google"},
    "answerBox": {"title": "Mount Everest", "snippet": "Its height is 8,849 m.", "link": "https://peaks.example.com/e"},
    "knowledgeGraph": {
        "title": "Mount Everest",
        "type": "Mountain",
        "imageUrl": "https://pictures.example.com/e.jpg",
        "description": "Earth's highest mountain above sea level.",
        "descriptionSource": "Wikipedia",
        "descriptionLink": "https://en.wikipedia.org/wiki/Mount_Everest",
        "attributes": {"Elevation": "8,849 m", "First ascent": "29 May 1953"},
    },
    "organic": [
        {
            "title": "Everest",
            "link": "https://everest.example.org/",
            "snippet": "All about it.",
            "date": "Mar 3, 2026",
            "position": 1,
        }
    ],
    "peopleAlsoAsk": [],
    "credits": 1,
}
GOOGLE = {
    "kind": "customsearch#search",
    "searchInformation": {"searchTime": 0.2, "totalResults": "1"},
    "items": [
        {
            "kind": "customsearch#result",
            "title": "Everest",
            "link": "https://everest.example.org/",
            "displayLink": "everest.example.org",
            "snippet": "The tallest mountain is 8,849 m high.",
        }
    ],
}
SEARXNG = {
    "query": "tallest mountain",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://everest.example.org/",
            "title": "Everest",
            "content": "The tallest mountain is 8,849 m high.",
            "publishedDate": "2026-03-03T00:00:00",
            "engine": "duckduckgo",
            "score": 2.0,
            "category": "general",
        }
    ],
    "answers": [{"answer": "8,849 m", "url": None, "engine": "answerer"}],
    "corrections": [],
    "infoboxes": [
        {
            "infobox": "Mount Everest",
            "content": "Mountain in the Himalayas",
            "urls": [{"title": "Wikipedia", "url": "https://en.wikipedia.org/wiki/Mount_Everest"}],
        }
    ],
    "suggestions": [],
    "unresponsive_engines": [["google", "timeout"]],
}
LOVELACE = (
    "Augusta Ada King, Countess of Lovelace (10 December 1815 – 27 November 1852), was an English mathematician.\n\n\n"
    "== Biography ==\n\n\n=== Childhood ===\nLord Byron expected his child to be a boy.\n\n\n=== Adult years ===\n"
    "She married in 1835.\n\n\n== Work ==\nIn 1843 she translated an article about the Analytical Engine.\n\n\n"
    "== See also ==\n"
)

JAPANESE = "エイダ・ラブレスは19世紀の数学者である。\n\n\n== 生涯 ==\n1815年に生まれた。"


def encyclopedia(handler: Handler) -> None:
    """Articles by title, and a search that finds Ada Lovelace by "lovelace"."""
    asked = parameters(handler)
    if asked.get("list") == "search" or asked.get("generator") == "search":
        words = asked.get("srsearch", asked.get("gsrsearch", ""))
        hits = [{"ns": 0, "title": title} for title in ("Ada Lovelace", "Lovelace (crater)")]
        found = hits if "lovelace" in words.casefold() else []
        if asked.get("generator") != "search":
            handler.reply(200, {"batchcomplete": True, "query": {"search": found}})
            return
        pages = [
            {**article(hit["title"], LOVELACE.split("\n", maxsplit=1)[0]), "index": at}
            for at, hit in enumerate(found, 1)
        ]
        handler.reply(200, {"batchcomplete": True, "query": {"pages": pages}} if pages else {"batchcomplete": True})
        return
    title = asked["titles"]
    pages = {
        "Ada Lovelace": article("Ada Lovelace", LOVELACE),
        "Mercury": {
            **article("Mercury", "Mercury may refer to:\n\n== Science ==\nMercury (planet)\nMercury (element)"),
            "pageprops": {"disambiguation": ""},
        },
        "エイダ・ラブレス": article(
            "エイダ・ラブレス", "エイダ・ラブレスは19世紀の数学者である。\n\n\n== 生涯 ==\n1815年に生まれた。"
        ),
    }
    missing = {"ns": 0, "title": title, "missing": True}
    handler.reply(200, {"batchcomplete": True, "query": {"pages": [pages.get(title, missing)]}})


def article(title: str, extract: str) -> dict[str, Any]:
    address = f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}"
    return {"pageid": 974, "ns": 0, "title": title, "extract": extract, "fullurl": address}


def parameters(handler: Handler) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(handler.path).query))


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    body: Any


class ProviderHandler(Handler):
    def do_GET(self) -> None:
        owner = self.owner
        assert isinstance(owner, ProviderServer)
        path = urlsplit(self.path).path
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        owner.asked.append(Asked(self.command, path, parameters(self), dict(self.headers), body))
        answer = owner.pages.get(path, (404, {"detail": "no such page"}))
        if callable(answer):
            answer(self)
            return
        status, content = answer if isinstance(answer, tuple) else (200, answer)
        self.reply(status, content)

    do_POST = do_GET


class ProviderServer(SearchServer):
    """See the module."""

    handler = ProviderHandler

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Asked] = []
        self.pages: dict[str, Answer] = {
            SERVICES["geocoding"]: geocode,
            SERVICES["forecast"]: forecast,
            SERVICES["archive"]: forecast,
            "/news/v2/everything": NEWS,
            "/news/v2/top-headlines": NEWS,
            "/tmdb/3/search/movie": FILMS,
            "/tmdb/3/movie/popular": FILMS,
            "/tmdb/3/movie/27205": FILM,
            SERVICES["wolfram"]: (200, WOLFRAM),
            SERVICES["wolfram_short"]: (200, "about 379300 kilometers"),
            SERVICES["serper"]: SERPER,
            SERVICES["google"]: GOOGLE,
            "/searxng/search": SEARXNG,
            "/en/w/api.php": encyclopedia,
            "/ja/w/api.php": encyclopedia,
        }

    @property
    def environment(self) -> dict[str, str]:
        keys = dict.fromkeys(KEYS, KEY)
        services = ", ".join(f"{name}={self.serpapi_url}{path}" for name, path in SERVICES.items())
        return {
            **keys,
            "GOOGLE_CSE_ID": "a1b2c3:engine",
            "SEARXNG_URL": f"{self.serpapi_url}/searxng",
            "GLASSBOX_SERVICES": services,
            "GLASSBOX_WIKIPEDIA_URL": self.wikipedia_url,
        }

    def __enter__(self) -> ProviderServer:
        super().__enter__()
        return self
