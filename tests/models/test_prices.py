from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from agent.errors import BadSettings
from agent.messages import Money, Usage
from agent.models import prices as room
from agent.models.prices import OWNER, VISITOR, Listed, Price, read_prices, typed_price

OPENAI = "https://api.openai.com/v1"
GROQ = "https://api.groq.com/openai/v1"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai"
USAGE = Usage(input=1_000_000, cached=400_000, output=100_000, reasoning=50_000)


def dollars(amount: str) -> Money:
    return Money(Decimal(amount))


def test_a_price_is_exact() -> None:
    prices = read_prices()
    assert prices.of(OPENAI, "gpt-4o", USAGE) == dollars("3")  # 0.6 at 2.50, 0.4 at 1.25, 0.1 at 10
    assert prices.of(OPENAI, "gpt-4o-mini", Usage(input=1, output=1)) == dollars("0.00000075")
    assert prices.of(OPENAI, "gpt-4o", Usage()) == dollars("0")
    assert prices.of(GROQ, "openai/gpt-oss-20b", USAGE) == dollars("0.09")
    assert prices.of(GROQ, "llama-3.1-8b-instant", USAGE) == dollars("0.058"), "without a discount for cached input"


def test_more_cached_than_sent_is_no_gift() -> None:
    assert read_prices().of(OPENAI, "gpt-4o", Usage(input=10, cached=1000)) == dollars("0.0000125")


@pytest.mark.parametrize(
    ("endpoint", "model", "base"),
    [
        (OPENAI, "gpt-4o-2024-08-06", "gpt-4o"),
        (OPENAI, " GPT-4o ", "gpt-4o"),
        (OPENAI, "gpt-5-mini-2025-08-07", "gpt-5-mini"),
        (GEMINI, "models/gemini-2.5-flash", "gemini-2.5-flash"),
        (GEMINI, "gemini-2.5-flash-001", "gemini-2.5-flash"),
    ],
)
def test_other_names_of_a_model(endpoint: str, model: str, base: str) -> None:
    prices = read_prices()
    assert prices.of(endpoint, model, USAGE) == prices.of(endpoint, base, USAGE) is not None


def test_a_dated_model_with_a_price_of_its_own_keeps_it() -> None:
    assert read_prices().of(OPENAI, "gpt-4o-2024-05-13", Usage(1_000_000)) == dollars("5")


@pytest.mark.parametrize(
    ("endpoint", "model"),
    [
        (OPENAI, "gpt-4o-audio-preview"),
        (OPENAI, "gpt-4"),
        (OPENAI, "gpt-4o-2024"),
        (OPENAI, ""),
        (OPENAI, "llama-3.1-8b-instant"),
        ("https://my-gateway.example/v1", "gpt-4o"),
        ("https://api.openai.com.evil.example/v1", "gpt-4o"),
        ("http://localhost:11434/v1", "qwen3"),
        ("http://127.0.0.1:8000/v1", "gpt-4o"),
        ("http://[::1]:8000/v1", "gpt-4o"),
        ("demo", "demo"),
        ("", "gpt-4o"),
    ],
)
def test_what_is_not_known_has_no_price(endpoint: str, model: str) -> None:
    assert read_prices().of(endpoint, model, USAGE) is None


def test_long_prompts_cost_more() -> None:
    prices = read_prices()
    assert prices.of(GEMINI, "gemini-2.5-pro", Usage(200_000, output=10_000)) == dollars("0.35")
    assert prices.of(GEMINI, "gemini-2.5-pro", Usage(200_001, 1, 10_000)) == dollars("0.65000025")
    part = Usage(100_000)
    assert prices.of(GEMINI, "gemini-2.5-pro", part, prompt=200_001) == dollars("0.25")
    assert prices.of(GEMINI, "gemini-2.5-pro", part, prompt=200_000) == dollars("0.125")


def test_prices_change_on_their_day() -> None:
    usage = Usage(1_000_000)
    assert read_prices(today=date(2026, 12, 31)).of(GEMINI, "gemini-3.8-flash", usage) == dollars("0.75")
    assert read_prices(today=date(2027, 1, 1)).of(GEMINI, "gemini-3.8-flash", usage) == dollars("1.5")


def test_entries_of_the_owner_win_at_any_address() -> None:
    prices = read_prices(" gpt-4o=1.25/0.125/10, qwen/qwen3:8b = 0.1/0.1/0.4 ,")
    assert prices.of(OPENAI, "gpt-4o", USAGE) == dollars("1.8")
    assert prices.of(OPENAI, "gpt-4o-2024-08-06", USAGE) == dollars("1.8")
    assert prices.of("http://localhost:8000/v1", "Qwen/Qwen3:8b", USAGE) == dollars("0.14")
    assert prices.of(OPENAI, "gpt-4o-mini", Usage(1_000_000)) == dollars("0.15"), "the noted ones still hold"


FILE = """
[anywhere.models]
"own" = { input = 1, output = "2.5" }
[there]
hosts = ["Gateway.example"]
models = { "gpt-4o" = { input = 7.1, cached = 0.7, output = 9 } }
"""


def test_a_file_of_the_owner_wins_where_it_says(tmp_path: Path) -> None:
    path = tmp_path / "own prices.toml"
    path.write_text(FILE, encoding="utf-8")
    prices = read_prices(str(path))
    assert prices.of("http://127.0.0.1/v1", "own", USAGE) == dollars("1.25")
    assert prices.of("https://gateway.example/v1", "gpt-4o", Usage(1_000_000)) == dollars("7.1")
    assert prices.of(OPENAI, "gpt-4o", Usage(1_000_000)) == dollars("2.5")


@pytest.mark.parametrize(
    "text",
    [
        "gpt-x",
        "gpt-x=",
        "gpt-x=1",
        "gpt-x=1/2",
        "gpt-x=1/2/3/4",
        "gpt-x=1/2/x",
        "gpt-x=1/2/-3",
        "gpt-x=1/2/NaN",
        "gpt-x=1/2/Infinity",
        "=1/2/3",
        "a=1/2/3;b=1/2/3",
        "prices.json",
    ],
)
def test_an_entry_that_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(BadSettings, match=r"GLASSBOX_PRICES has an entry that cannot be read\. It looks like gpt-x="):
        read_prices(text)


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "[a]\nhosts = []",
        "a = 1",
        "[a]\nmodels = 3",
        "[a.models]\nb = { input = 1 }",
        "[a.models]\nb = { input = -1, output = 1 }",
        "[a.models]\nb = { input = 1, output = 'x' }",
        "[a.models]\nb = { input = 1, output = 1, long = { input = 1, output = 2 } }",
        "[a.models]\nb = { input = 1, output = 1, until = 3, then = 4 }",
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=r"GLASSBOX_PRICES names a file that is not written like"):
        read_prices(str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSettings, match=r"GLASSBOX_PRICES names a file that is not written like"):
        read_prices(str(path))


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="GLASSBOX_PRICES names a file that cannot be read"):
        read_prices(str(tmp_path / "none.toml"))


def test_every_noted_price_says_when_and_where_from() -> None:
    text = Path(room.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for table in tomllib.loads(text).values():
        assert isinstance(table["noted"], date)
        assert table["source"].startswith("https://")
        assert table["hosts"]
        for figures in table["models"].values():
            assert 0 < figures.get("cached", figures["input"]) <= figures["input"] <= figures["output"]


def test_a_price_says_when_and_where_from() -> None:
    listed = read_prices().listed(OPENAI, "gpt-5-mini-2025-08-07")
    expected = Price(Decimal("0.25"), Decimal("0.025"), Decimal("2.00"))
    assert listed == Listed(expected, date(2026, 6, 30), "https://developers.openai.com/api/docs/pricing")
    given = read_prices("gpt-5-mini=1/1/1").listed(OPENAI, "gpt-5-mini")
    assert given == Listed(Price(Decimal(1), Decimal(1), Decimal(1)), None, OWNER)
    assert read_prices().listed(OPENAI, "gpt-4") is None


def test_a_visitors_own_price_goes_before_all_others() -> None:
    mine = typed_price("0.5", "0.05", "4")
    assert mine is not None
    prices = read_prices("gpt-5-mini=1/1/1").with_own("models/GPT-5-mini", mine)
    assert prices.listed(OPENAI, "gpt-5-mini") == Listed(mine, None, VISITOR)
    assert prices.of("http://localhost:1/v1", "gpt-5-mini", USAGE) == dollars("0.72")
    assert prices.of(OPENAI, "gpt-4o-mini", Usage(1_000_000)) == dollars("0.15"), "of other models nothing changes"


@pytest.mark.parametrize(
    "texts", [("", "", ""), ("1", "x", "1"), ("-1", "0", "0"), ("NaN", "0", "0"), ("1e9", "0", "0")]
)
def test_what_was_typed_may_be_no_price(texts: tuple[str, str, str]) -> None:
    assert typed_price(*texts) is None
