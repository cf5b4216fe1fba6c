"""Everything that can be configured, read once at the edge of the program and frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from agent.errors import BadSettings
from agent.messages import Limits
from agent.prompts import LANGUAGES

WireChoice = Literal["auto", "react", "native"]
OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Secret:
    """A key. Only ``reveal`` gives it away; printing it says whether it is set."""

    _value: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret(set)" if self._value else "Secret(empty)"

    def reveal(self) -> str:
        return self._value


@dataclass(frozen=True, slots=True)
class Settings:
    """See ``SETTINGS`` for what each field means and where it is read from."""

    data: Path
    database: str
    base_url: str
    model: str
    wire: WireChoice
    language: str
    temperature: float | None
    limits: Limits
    runs: int
    openai_key: Secret
    serpapi_key: Secret
    serpapi_url: str
    wikipedia_url: str
    visitor_messages: int
    visitor_money: float
    day_messages: int
    day_money: float
    models: tuple[str, ...]
    prices: str
    private_addresses: bool
    insist: bool
    table_megabytes: int
    tools: tuple[str, ...]
    tool_limits: Mapping[str, int]
    tools_folder: Path | None

    @property
    def allowed_models(self) -> tuple[str, ...]:
        """Models that visitors may use on the owner's key; any where it is empty."""
        return tuple(dict.fromkeys(filter(None, (self.model, *self.models)))) if self.models else ()

    @property
    def owner_model(self) -> bool:
        """Whether the owner of this installation has set up a model of their own."""
        return bool(self.openai_key) or bool(self.base_url)


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the settings table: environment variable, place in ``secrets.toml``, default, meaning."""

    variable: str
    section: str
    key: str
    default: str
    meaning: str
    parse: Callable[[str], Any] = str


def _choice(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text

    return parse


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("must be a whole number")
    return int(text)


def _places(text: str) -> int:
    if not _count(text):
        raise ValueError("must be 1 or more")
    return _count(text)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < 1e9:
        raise ValueError("must be a number of seconds")
    return seconds


def _money(text: str) -> float:
    dollars = float(text)
    if not 0 <= dollars < 1e9:
        raise ValueError("must be an amount in US dollars")
    return dollars


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _most_calls(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for pair in _names(text):
        name, _, most = (part.strip() for part in pair.partition("="))
        if not (name and most.isdecimal() and int(most)):
            raise ValueError("must be names of tools with the most calls of each, as in search=5, python=3")
        found[name] = int(most)
    return found


def _folder(text: str) -> Path | None:
    return Path(text) if text else None


def _yes(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError("must be yes or no")
    return text.lower() == "yes"


def _temperature(text: str) -> float | None:
    if not text:
        return None
    if not 0 <= float(text) <= 2:
        raise ValueError("must lie between 0 and 2")
    return float(text)


def _setting(name: str, default: str, meaning: str, parse: Callable[[str], Any] = str) -> Setting:
    return Setting(f"GLASSBOX_{name.upper()}", "glassbox", name, default, meaning, parse)


SETTINGS = (
    _setting("data", "data", "Folder for conversations and runs."),
    _setting("database", "", "SQLAlchemy URL of a PostgreSQL database to use instead of SQLite in the data folder."),
    _setting("base_url", "", "Address of the owner's OpenAI-compatible server; OpenAI's own where only a key is set."),
    _setting("model", "", "Model to use on the owner's server."),
    _setting("wire", "auto", "How tools are called: `auto`, `native` or `react`.", _choice("auto", "react", "native")),
    _setting("language", "en", "Language of the prompts: `en` or `ja`.", _choice(*LANGUAGES)),
    _setting("temperature", "", "Sampling temperature, 0 to 2; the server's own where empty.", _temperature),
    _setting("steps", "15", "Most model calls in a run; 0 for no limit.", _count),
    _setting("seconds", "300", "Most seconds a run may take; 0 for no limit.", _seconds),
    _setting("tokens", "200000", "Most tokens, in and out, in a run; 0 for no limit.", _count),
    _setting("money", "0", "Most US dollars a run may cost, where the model's price is known; 0 for no limit.", _money),
    _setting(
        "insist",
        "no",
        "Whether an answer with claims that nothing observed supports is sent back to the model once: `yes` or `no`.",
        _yes,
    ),
    _setting("runs", "32", "Most runs at once; further ones wait in a queue.", _places),
    _setting("serpapi_url", "https://serpapi.com", "Address of the search service."),
    _setting("wikipedia_url", "", "Address of a MediaWiki `api.php` for keyless search; Wikipedia's where empty."),
    _setting("models", "", "Models allowed on the owner's key, with commas between; any where empty.", _names),
    _setting("visitor_messages", "0", "Most messages a day for each visitor on the owner's key; 0 for no cap.", _count),
    _setting("visitor_money", "0", "Most US dollars a day for each visitor on the owner's key; 0 for no cap.", _money),
    _setting("day_messages", "0", "Most messages a day for all visitors together on the owner's key.", _count),
    _setting("day_money", "0", "Most US dollars a day for all visitors together on the owner's key.", _money),
    _setting(
        "prices",
        "",
        "Prices of models, US dollars per million tokens: `model=input/cached/output, …`, or a TOML file like "
        "`agent/models/prices.toml`.",
    ),
    _setting(
        "private_addresses", "yes", "Whether visitors may connect models at private addresses: `yes` or `no`.", _yes
    ),
    _setting(
        "table_megabytes",
        "300",
        "Most megabytes of a file of tables; above 300, Streamlit's `server.maxUploadSize` must allow it, too.",
        _places,
    ),
    _setting("tools", "", "Tools that visitors may use, with commas between; all of them where empty.", _names),
    _setting(
        "tool_limits",
        "",
        "Most calls of a tool for one question, as in `search=5, python=3`; any number where empty.",
        _most_calls,
    ),
    _setting("tools_folder", "", "Folder with tools of your own: Python files, read anew when they change.", _folder),
    Setting("OPENAI_API_KEY", "keys", "openai", "", "The owner's key for the model's server.", Secret),
    Setting(
        "SERPAPI_API_KEY", "keys", "serpapi", "", "Key of SerpApi for web search; Wikipedia is used without.", Secret
    ),
)


def read_settings(environ: Mapping[str, str], secrets: Mapping[str, object] | None = None) -> Settings:
    """Read the environment and ``secrets`` (sections of ``secrets.toml``); the environment wins.

    Raises one ``BadSettings`` that names everything that is wrong. No message holds a value.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    for setting in SETTINGS:
        text = environ.get(setting.variable, "").strip() or _secret(secrets or {}, setting) or setting.default
        try:
            values[setting.variable.removeprefix("GLASSBOX_").lower()] = setting.parse(text)
        except ValueError as error:
            reason = str(error) if str(error).startswith("must") else "must be a number"
            problems.append(f"{setting.variable} {reason}")
    if problems:
        raise BadSettings("Settings to correct: " + "; ".join(problems) + ".")
    data = Path(values.pop("data"))
    return Settings(
        data=data,
        database=values.pop("database") or f"sqlite:///{data / 'glassbox.db'}",
        base_url=values.pop("base_url") or (OPENAI_URL if values["openai_api_key"] else ""),
        limits=Limits(**{name: values.pop(name) for name in Limits.__slots__}),
        openai_key=values.pop("openai_api_key"),
        serpapi_key=values.pop("serpapi_api_key"),
        **values,
    )


def _secret(secrets: Mapping[str, object], setting: Setting) -> str:
    section = secrets.get(setting.section)
    if not isinstance(section, Mapping):
        return ""
    value = cast("Mapping[str, object]", section).get(setting.key)
    return "" if value is None else str(value).strip()
