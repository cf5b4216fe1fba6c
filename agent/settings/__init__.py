"""Everything that can be configured, read once at the edge of the program and frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args

from agent.errors import BadSettings
from agent.messages import Limits
from agent.prompts import LANGUAGES
from agent.settings.misspelt import misspelt
from agent.settings.parsing import KINDS, Secret, ServiceAddresses, choice
from agent.text.word_tables import word_table

WireChoice = Literal["auto", "react", "native"]
ApiChoice = Literal["auto", "chat", "responses"]
MergeChoice = Literal["auto", "always", "never"]
PromptChoice = Literal["auto", "short", "full"]
WorkersChoice = Literal["here", "queue"]
ThinkingChoice = Literal["default", "off", "low", "medium", "high"]
LogChoice = Literal["text", "json"]
SearchChoice = Literal["auto", "serpapi", "serper", "google", "searxng", "wikipedia"]
VERSION = "0.1.0"
OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Settings:
    """See ``settings.toml`` for what each field means and where it is read from."""

    data: Path
    database: str
    files: str
    copy_megabytes: int
    base_url: str
    model: str
    wire: WireChoice
    api: ApiChoice
    language: str
    temperature: float | None
    thinking: ThinkingChoice
    prompt: PromptChoice
    limits: Limits
    runs: int
    outage: int
    resume: bool
    workers: WorkersChoice
    log: LogChoice
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
    window: int
    private_addresses: bool
    frames: tuple[str, ...]
    sharing: bool
    owners: tuple[str, ...]
    insist: bool
    merge: MergeChoice
    table_megabytes: int
    document_megabytes: int
    tools: tuple[str, ...]
    search: SearchChoice
    raw_answers: bool
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
    openapi_hosts: tuple[tuple[str, str], ...]
    trusted: tuple[str, ...]
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
    """A setting: field of ``Settings``, environment variable, place in ``secrets.toml``, reader, default, meaning."""

    field: str
    variable: str
    section: str
    key: str
    parse: Callable[[str], Any]
    default: str
    meaning: str


def _setting(field: str, told: Mapping[str, str]) -> Setting:
    section = "keys" if "key" in told else "glassbox"
    variable = told.get("variable", f"GLASSBOX_{field.upper()}")
    parse = _KINDS[told.get("kind", "text")]
    return Setting(field, variable, section, told.get("key", field), parse, told.get("default", ""), told["meaning"])


_KINDS: Mapping[str, Callable[[str], Any]] = {
    **KINDS,
    "wire": choice(get_args(WireChoice)),
    "thinking": choice(get_args(ThinkingChoice)),
    "api": choice(get_args(ApiChoice)),
    "merge": choice(get_args(MergeChoice)),
    "prompt": choice(get_args(PromptChoice)),
    "workers": choice(get_args(WorkersChoice)),
    "log": choice(get_args(LogChoice)),
    "search": choice(get_args(SearchChoice)),
    "language": choice(LANGUAGES),
}
_TABLES = word_table(__file__, "settings.toml")
SETTINGS = tuple(_setting(field, told) for field, told in _TABLES.items())


def read_settings(environ: Mapping[str, str], secrets: Mapping[str, object] | None = None) -> Settings:
    """Read the environment and ``secrets`` (sections of ``secrets.toml``); the environment wins.

    Raises one ``BadSettings`` that names everything that is wrong. No message holds a value.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    for setting in SETTINGS:
        text = environ.get(setting.variable, "").strip() or _secret(secrets or {}, setting) or setting.default
        try:
            values[setting.field] = setting.parse(text)
        except ValueError as error:
            reason = str(error) if str(error).startswith("must") else "must be a number"
            problems.append(f"{setting.variable} {reason}")
    problems += misspelt(environ, secrets or {}, SETTINGS)
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


def owner_secrets(settings: Settings) -> Iterator[str]:
    """All keys that the owner set up, and the addresses of databases, which may have a password."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, Secret):
            # Several are told as ``name=key, name=key``.
            yield from (part.strip() for text in value.reveal().split(",") for part in {text, text.partition("=")[2]})
    yield from (url.reveal() for _, url in settings.databases)


def _secret(secrets: Mapping[str, object], setting: Setting) -> str:
    section = secrets.get(setting.section)
    if not isinstance(section, Mapping):
        return ""
    value = cast("Mapping[str, object]", section).get(setting.key)
    if isinstance(value, Mapping):  # a section of its own: a line for each
        lines = cast("Mapping[str, object]", value)
        return ", ".join(f"{name}={line}" for name, line in lines.items())
    if isinstance(value, list):  # ["a", "b"]
        return ", ".join(str(one).strip() for one in cast("list[object]", value))
    return "" if value is None else str(value).strip()
