from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import BadSettings
from agent.settings import OPENAI_URL, SETTINGS, Limits, Secret, read_settings

KEY = "sk-planted-4242"


def test_defaults_need_nothing() -> None:
    settings = read_settings({})
    assert settings.data == Path("data")
    assert settings.database == "sqlite:///data/glassbox.db"
    assert settings.limits == Limits(15, 300.0, 200_000, 0.0)
    assert (settings.visitor_messages, settings.visitor_money, settings.day_messages, settings.day_money) == (
        0,
        0,
        0,
        0,
    )
    assert (settings.models, settings.prices, settings.private_addresses) == ((), "", True)
    assert not settings.owner_model
    assert not settings.openai_key


def test_a_key_alone_means_openai() -> None:
    settings = read_settings({"OPENAI_API_KEY": KEY})
    assert settings.base_url == OPENAI_URL
    assert settings.owner_model
    assert settings.openai_key.reveal() == KEY


def test_environment_wins_over_secrets() -> None:
    secrets = {"keys": {"openai": "from-secrets", "serpapi": "s"}, "glassbox": {"model": "a", "steps": 7}, "other": 1}
    settings = read_settings({"OPENAI_API_KEY": KEY, "GLASSBOX_MODEL": "b"}, secrets)
    assert (settings.openai_key.reveal(), settings.serpapi_key.reveal()) == (KEY, "s")
    assert (settings.model, settings.limits.steps) == ("b", 7)
    assert not read_settings({}, {"keys": "not a section"}).openai_key


def test_keys_of_services_and_their_addresses() -> None:
    keys = {"serper": "a1", "google": "b2", "google_cse_id": "c3", "newsapi": "d4", "tmdb": "e5", "wolfram": "f6"}
    settings = read_settings({"SEARXNG_URL": "http://x/"}, {"keys": keys, "glassbox": {"services": "tmdb=http://y"}})
    read = (settings.serper_key, settings.google_key, settings.google_cse_id, settings.newsapi_key)
    assert [key.reveal() for key in (*read, settings.tmdb_key, settings.wolfram_key)] == list(keys.values())
    assert (settings.searxng_url, settings.services.tmdb) == ("http://x", "http://y")


def test_keys_do_not_print() -> None:
    settings = read_settings({"OPENAI_API_KEY": KEY})
    assert KEY not in repr(settings)
    assert KEY not in str(settings.openai_key)
    assert repr(Secret()) == "Secret(empty)"
    assert repr(Secret(KEY)) == "Secret(set)"


def test_one_error_names_everything_wrong_and_no_value() -> None:
    wrong = {
        "GLASSBOX_STEPS": "many",
        "GLASSBOX_SECONDS": "-1",
        "GLASSBOX_TOKENS": "1.5",
        "GLASSBOX_TEMPERATURE": "hot",
        "GLASSBOX_WIRE": "telegraph",
        "GLASSBOX_API": "soap",
        "GLASSBOX_LANGUAGE": "fr",
        "GLASSBOX_RUNS": "0",
        "GLASSBOX_MONEY": "-0.5",
        "GLASSBOX_VISITOR_MESSAGES": "a few",
        "GLASSBOX_VISITOR_MONEY": "nan",
        "GLASSBOX_DAY_MESSAGES": "1e3",
        "GLASSBOX_DAY_MONEY": "5 USD",
        "GLASSBOX_PRIVATE_ADDRESSES": "maybe",
        "GLASSBOX_SEARCH": "altavista",
        "GLASSBOX_SERVICES": "newsapi=gopher://x",
        "SEARXNG_URL": "ftp://x",
    }
    with pytest.raises(BadSettings) as caught:
        read_settings(wrong)
    for variable, value in wrong.items():
        assert variable in str(caught.value)
        assert f" {value}" not in str(caught.value)


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), ("", None), ("0", 0.0)])
def test_temperature(text: str, value: float | None) -> None:
    assert read_settings({"GLASSBOX_TEMPERATURE": text}).temperature == value


def test_temperature_out_of_range() -> None:
    with pytest.raises(BadSettings, match="must lie between 0 and 2"):
        read_settings({"GLASSBOX_TEMPERATURE": "3"})


@pytest.mark.parametrize("text", ["", "s3://chats", "s3://chats/site/a-1", "s3://my.bucket/x/", "/mnt/shared files"])
def test_where_files_are_kept(text: str) -> None:
    assert read_settings({"GLASSBOX_FILES": text}).files == text


@pytest.mark.parametrize(
    "text",
    [
        *("s3://", "s3://A", "s3://key:secret@bucket/x", "s3://bucket/../x", "s3://bucket/a b", "s3://bucket//x"),
        *("s3://bucket?x=1", "shared", "./shared", "gs://bucket", "https://host/bucket", "/x://y"),
    ],
)
def test_files_are_kept_nowhere_else(text: str) -> None:
    with pytest.raises(BadSettings, match="must be s3://bucket/prefix or the full path of a folder") as caught:
        read_settings({"GLASSBOX_FILES": text})
    assert "secret" not in str(caught.value)


def test_the_owners_budget() -> None:
    settings = read_settings(
        {
            "GLASSBOX_VISITOR_MESSAGES": "20",
            "GLASSBOX_VISITOR_MONEY": "0.25",
            "GLASSBOX_DAY_MESSAGES": "",
            "GLASSBOX_MONEY": "0.05",
            "GLASSBOX_PRICES": "gpt-x=1/1/1",
            "GLASSBOX_PRIVATE_ADDRESSES": "No",
        },
        {"glassbox": {"day_money": 5, "visitor_messages": 7, "day_messages": 0}},
    )
    assert (settings.visitor_messages, settings.visitor_money) == (20, 0.25)
    assert (settings.day_messages, settings.day_money) == (0, 5.0)
    assert settings.limits.money == 0.05
    assert settings.prices == "gpt-x=1/1/1"
    assert not settings.private_addresses


def test_allowed_models() -> None:
    assert read_settings({"GLASSBOX_MODEL": "a"}).allowed_models == ()
    assert read_settings({"GLASSBOX_MODELS": " b, ,c,b "}).allowed_models == ("b", "c")
    assert read_settings({"GLASSBOX_MODEL": "a", "GLASSBOX_MODELS": "b,a"}).allowed_models == ("a", "b")


def test_every_setting_is_documented() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    for setting in SETTINGS:
        default = f"`{setting.default}`" if setting.default else ""
        assert f"\n| `{setting.variable}` | {default} | {setting.meaning} |\n" in documented, setting.variable
