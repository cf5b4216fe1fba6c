"""Everything that can be configured, read once at the edge of the program and frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from agent.errors import BadSettings
from agent.messages import Limits
from agent.prompts import LANGUAGES
from agent.settings.addresses import ServiceAddresses, read_addresses, web_address
from agent.settings.parsing import (
    Secret,
    choice,
    count,
    databases,
    folder,
    key_list,
    methods,
    money,
    most_calls,
    named,
    names,
    places,
    seconds,
    temperature,
    yes,
)

WireChoice = Literal["auto", "react", "native"]
SearchChoice = Literal["auto", "serpapi", "serper", "google", "searxng", "wikipedia"]
OPENAI_URL = "https://api.openai.com/v1"


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
    document_megabytes: int
    tools: tuple[str, ...]
    search: SearchChoice
    services: ServiceAddresses
    searxng_url: str
    serper_key: Secret
    google_key: Secret
    google_cse_id: Secret
    newsapi_key: Secret
    tmdb_key: Secret
    wolfram_key: Secret
    databases: tuple[tuple[str, Secret], ...]
    mcp: tuple[tuple[str, str], ...]
    openapi: tuple[tuple[str, str], ...]
    openapi_methods: tuple[str, ...]
    server_keys: Secret
    visitor_servers: bool
    fetch_private: tuple[str, ...]
    approve: tuple[str, ...]
    tool_limits: Mapping[str, int]
    tools_folder: Path | None
    terminal: bool

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


def _setting(name: str, default: str, meaning: str, parse: Callable[[str], Any] = str) -> Setting:
    return Setting(f"GLASSBOX_{name.upper()}", "glassbox", name, default, meaning, parse)


SETTINGS = (
    _setting("data", "data", "Folder for conversations and runs."),
    _setting("database", "", "SQLAlchemy URL of a PostgreSQL database to use instead of SQLite in the data folder."),
    _setting("base_url", "", "Address of the owner's OpenAI-compatible server; OpenAI's own where only a key is set."),
    _setting("model", "", "Model to use on the owner's server."),
    _setting("wire", "auto", "How tools are called: `auto`, `native` or `react`.", choice("auto", "react", "native")),
    _setting("language", "en", "Language of the prompts: `en` or `ja`.", choice(*LANGUAGES)),
    _setting("temperature", "", "Sampling temperature, 0 to 2; the server's own where empty.", temperature),
    _setting("steps", "15", "Most model calls in a run; 0 for no limit.", count),
    _setting("seconds", "300", "Most seconds a run may take; 0 for no limit.", seconds),
    _setting("tokens", "200000", "Most tokens, in and out, in a run; 0 for no limit.", count),
    _setting("money", "0", "Most US dollars a run may cost, where the model's price is known; 0 for no limit.", money),
    _setting(
        "insist",
        "no",
        "Whether an answer with claims that nothing observed supports is sent back to the model once: `yes` or `no`.",
        yes,
    ),
    _setting("runs", "32", "Most runs at once; further ones wait in a queue.", places),
    _setting("serpapi_url", "https://serpapi.com", "Address of the search service."),
    _setting("wikipedia_url", "", "Address of a MediaWiki `api.php` for keyless search; Wikipedia's where empty."),
    _setting("models", "", "Models allowed on the owner's key, with commas between; any where empty.", names),
    _setting("visitor_messages", "0", "Most messages a day for each visitor on the owner's key; 0 for no cap.", count),
    _setting("visitor_money", "0", "Most US dollars a day for each visitor on the owner's key; 0 for no cap.", money),
    _setting("day_messages", "0", "Most messages a day for all visitors together on the owner's key.", count),
    _setting("day_money", "0", "Most US dollars a day for all visitors together on the owner's key.", money),
    _setting(
        "prices",
        "",
        "Prices of models, US dollars per million tokens: `model=input/cached/output, …`, or a TOML file like "
        "`agent/models/prices.toml`.",
    ),
    _setting(
        "private_addresses",
        "yes",
        "Whether visitors may connect models and databases at private addresses: `yes` or `no`.",
        yes,
    ),
    _setting(
        "table_megabytes",
        "300",
        "Most megabytes of a file of tables; above 300, Streamlit's `server.maxUploadSize` must allow it, too.",
        places,
    ),
    _setting("document_megabytes", "50", "Most megabytes of a document (PDF, Word, Markdown, HTML or text).", places),
    _setting("tools", "", "Tools that visitors may use, with commas between; all of them where empty.", names),
    _setting(
        "search",
        "auto",
        "Service behind the tool `search`: `serpapi`, `serper`, `google`, `searxng`, `wikipedia`, or `auto`, the first "
        "of them that has what it needs.",
        choice(*get_args(SearchChoice)),
    ),
    _setting(
        "services",
        "",
        "Addresses of web services other than the public ones, as `name=address, …`: `geocoding`, `forecast`, "
        "`archive`, `newsapi`, `tmdb`, `wolfram`, `wolfram_short`, `serper`, `google`.",
        read_addresses,
    ),
    Setting(
        "SEARXNG_URL", "glassbox", "searxng_url", "", "Address of a SearXNG that gives JSON, for search.", web_address
    ),
    _setting(
        "databases",
        "",
        "Databases that every visitor may ask, read only: `name=URL, name=URL` with SQLAlchemy URLs. Use accounts that "
        "may only read.",
        databases,
    ),
    _setting(
        "mcp",
        "",
        "Tool servers (MCP) for everybody: `name=address` or `name=command with arguments`, with commas between.",
        named,
    ),
    _setting("openapi", "", "Services described by OpenAPI 3: `name=address or file`, with commas between.", named),
    _setting("openapi_methods", "GET", "Which of their operations become tools, with commas between.", methods),
    _setting(
        "visitor_servers", "yes", "Whether visitors may connect tool servers for their session: `yes` or `no`.", yes
    ),
    Setting(
        "GLASSBOX_SERVER_KEYS",
        "keys",
        "servers",
        "",
        "Keys of the servers of `GLASSBOX_MCP` and `GLASSBOX_OPENAPI`: `name=key`, with commas between.",
        key_list,
    ),
    _setting(
        "fetch_private",
        "",
        "Places of your own network (`host:port`, as in the address) that pages may be read from, with commas between.",
        names,
    ),
    _setting(
        "approve",
        "",
        "Tools that ask the visitor before each call, with commas between; `reaching` for all that reach out; none "
        "where empty.",
        names,
    ),
    _setting(
        "tool_limits",
        "",
        "Most calls of a tool for one question, as in `search=5, python=3`; any number where empty.",
        most_calls,
    ),
    _setting("tools_folder", "", "Folder with tools of your own: Python files, read anew when they change.", folder),
    _setting(
        "terminal",
        "no",
        "Whether the agent may run commands in a shell that bubblewrap locks up, each once the visitor has allowed it: "
        "`yes` or `no`.",
        yes,
    ),
    Setting("OPENAI_API_KEY", "keys", "openai", "", "The owner's key for the model's server.", Secret),
    Setting(
        "SERPAPI_API_KEY", "keys", "serpapi", "", "Key of SerpApi for web search; Wikipedia is used without.", Secret
    ),
    Setting("SERPER_API_KEY", "keys", "serper", "", "Key of Serper (serper.dev) for web search.", Secret),
    Setting("GOOGLE_API_KEY", "keys", "google", "", "Key of Google's Custom Search, with `GOOGLE_CSE_ID`.", Secret),
    Setting("GOOGLE_CSE_ID", "keys", "google_cse_id", "", "Id of the search engine that Google is to ask.", Secret),
    Setting("NEWSAPI_API_KEY", "keys", "newsapi", "", "Key of NewsAPI (newsapi.org) for the tool `news`.", Secret),
    Setting(
        "TMDB_API_KEY",
        "keys",
        "tmdb",
        "",
        "Key or read access token of The Movie Database (themoviedb.org) for the tool `movies`.",
        Secret,
    ),
    Setting("WOLFRAM_APP_ID", "keys", "wolfram", "", "App id of Wolfram Alpha for the tool `wolfram`.", Secret),
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
            values[_field(setting)] = setting.parse(text)
        except ValueError as error:
            reason = str(error) if str(error).startswith("must") else "must be a number"
            problems.append(f"{setting.variable} {reason}")
    if problems:
        raise BadSettings("Settings to correct: " + "; ".join(problems) + ".")
    data = Path(values.pop("data"))
    return Settings(
        data=data,
        database=values.pop("database") or f"sqlite:///{data / 'glassbox.db'}",
        base_url=values.pop("base_url") or (OPENAI_URL if values["openai_key"] else ""),
        limits=Limits(**{name: values.pop(name) for name in Limits.__slots__}),
        **values,
    )


def _field(setting: Setting) -> str:
    """The field of ``Settings`` that holds it: ``openai_key`` for ``OPENAI_API_KEY``."""
    if setting.variable.startswith("GLASSBOX_"):
        return setting.variable.removeprefix("GLASSBOX_").lower()
    if setting.section == "keys" and setting.parse is Secret and not setting.key.endswith("_id"):
        return f"{setting.key}_key"
    return setting.key


def _secret(secrets: Mapping[str, object], setting: Setting) -> str:
    section = secrets.get(setting.section)
    if not isinstance(section, Mapping):
        return ""
    value = cast("Mapping[str, object]", section).get(setting.key)
    if isinstance(value, Mapping):  # a section of its own: a line for each
        lines = cast("Mapping[str, object]", value)
        return ", ".join(f"{name}={line}" for name, line in lines.items())
    return "" if value is None else str(value).strip()
