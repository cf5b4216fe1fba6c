"""The Movie Database, version 3 of its API (https://developer.themoviedb.org/reference)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.errors import ToolFailed
from agent.events import Source
from agent.text.plain import Fields, fields, first, japanese, objects, packed, plain
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.api_call import Credential, Reply, Service
from agent.web.services.result_cards import Card, card_artifact

_MOST_MOVIES = 6
_MOST_ACTORS = 4
# https://developer.themoviedb.org/docs/errors: of its keys, and of too many requests
_KEY = {3, 7, 10, 14, 16, 30, 31, 32, 33, 35, 36, 38, 39}
_QUOTA = {25, 41}


@dataclass(frozen=True, slots=True)
class Wanted:
    """``title`` or, where it is "", the ``listing``: the last part of its address under ``/movie/``."""

    title: str
    year: int | None
    listing: str
    language: str


def find_movies(key: str, url: str, timeout: float, wanted: Wanted) -> ToolResult:
    """Ask for films, and for more about the best match. Raises ``ToolFailed``: nothing, key, quota, network, …"""
    service = Service("The Movie Database", timeout, _credential(key), "film look-up", "TMDB_API_KEY")
    tongue = "ja-JP" if japanese(wanted.title) or wanted.language == "ja" else "en-US"
    asked: dict[str, str | int] = {"language": tongue}
    if wanted.title:
        asked |= {"query": wanted.title, "include_adult": "false"}
        asked |= {"primary_release_year": wanted.year} if wanted.year else {}
    address = f"{url}/search/movie" if wanted.title else f"{url}/movie/{wanted.listing}"
    content = _content(service, service.get(address, asked))
    found = [one for one in objects(content.get("results")) if first(one, "title", "original_title")][:_MOST_MOVIES]
    if not found:
        of = f" of {wanted.year}" if wanted.year else ""
        message = f"There is no film{of} called ‘{plain(wanted.title, 100)}’. Try its original title, or no year."
        raise ToolFailed(message, "nothing")
    more: Fields = _details(service, url, found[0], tongue) if wanted.title else {}
    return _result(found, more, wanted, content)


def _credential(key: str) -> Credential:
    """A read access token is a JSON Web Token, three parts with dots between them; a key has no dots."""
    if key.count(".") == 2:
        return Credential(key, header="Authorization", scheme="Bearer ")
    return Credential(key, parameter="api_key")


def _content(service: Service, reply: Reply) -> Fields:
    """The answer, or ``ToolFailed`` for ``{"success": false, "status_code": …, "status_message": …}``."""
    told = fields(reply.content)
    code, said = told.get("status_code"), first(told, "status_message", most=200)
    if code in _KEY or reply.status == 401:
        raise service.bad_key()
    if code in _QUOTA or reply.status == 429:
        raise service.used_up(said)
    if reply.status == 404 or code in (6, 34):
        raise ToolFailed("The Movie Database has nothing there. Try another title.", "nothing")
    if told.get("success") is False or reply.status != 200:
        raise service.refused(reply.status, said)
    return service.content(reply)


def _details(service: Service, url: str, movie: Fields, tongue: str) -> Fields:
    """Director, actors, length and genres of a film; nothing where they are not to be had: the film itself is."""
    number = movie.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        return {}
    try:
        reply = service.get(f"{url}/movie/{number}", {"language": tongue, "append_to_response": "credits"})
        return _content(service, reply)
    except ToolFailed:
        return {}


def _result(found: Sequence[Fields], more: Fields, wanted: Wanted, content: Fields) -> ToolResult:
    movies = [_movie(one, more if index == 0 else {}) for index, one in enumerate(found)]
    sources = tuple(
        Source(number, card.title, f"https://www.themoviedb.org/movie/{one.get('id')}")
        for number, (one, card) in enumerate(zip(found, movies, strict=True), 1)
        if isinstance(one.get("id"), int)
    )
    lines = [_line(number, card) for number, card in enumerate(movies, 1)]
    name = f"Films called {plain(wanted.title, 60)}" if wanted.title else f"Films: {wanted.listing.replace('_', ' ')}"
    answers = packed({"films": dict(content), "film": dict(more)})
    made = (card_artifact(name, movies), artifact("json", "answer of The Movie Database", answers))
    return ToolResult("\n".join(lines), made, sources)


def _movie(movie: Fields, more: Fields) -> Card:
    title = first(movie, "title", "original_title", most=120)
    day = first(movie, "release_date", most=10)
    rating, votes = movie.get("vote_average"), movie.get("vote_count")
    rated = isinstance(rating, int | float) and isinstance(votes, int) and votes > 0
    people = objects(fields(more.get("credits")).get("crew"))
    directors = [first(one, "name", most=60) for one in people if one.get("job") == "Director"][:3]
    cast = [first(one, "name", most=60) for one in objects(fields(more.get("credits")).get("cast"))[:_MOST_ACTORS]]
    minutes = more.get("runtime")
    facts = [
        ("Released", day),
        ("Original title", _other(first(movie, "original_title", most=120), title)),
        ("Directed by", ", ".join(directors)),
        ("With", ", ".join(filter(None, cast))),
        ("Length", f"{minutes} minutes" if isinstance(minutes, int) and minutes > 0 else ""),
        ("Genres", ", ".join(first(one, "name", most=40) for one in objects(more.get("genres"))[:5])),
        ("Rated by", f"{votes:,} people" if rated else ""),
    ]
    return Card(
        title=f"{title} ({day[:4]})" if day else title,
        figure=f"{rating:.1f}/10" if rated else "",
        text=first(movie, "overview", most=700),
        facts=tuple(fact for fact in facts if fact[1]),
    )


def _other(original: str, title: str) -> str:
    return original if original != title else ""


def _line(number: int, card: Card) -> str:
    """``[1] Inception (2010): rated 8.4/10, Released 2010-07-15, …. Plot``; the further ones with less of the plot."""
    rating = [f"rated {card.figure}"] if card.figure else []
    told = ", ".join([*rating, *(f"{name[:1].lower()}{name[1:]} {value}" for name, value in card.facts)])
    plot = plain(card.text, 700 if number == 1 else 200)
    return f"[{number}] {card.title}: {'. '.join(filter(None, (told, plot)))}"
