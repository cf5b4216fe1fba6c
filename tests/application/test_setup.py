from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from threading import Event as Flag

import pytest

from agent.application import preferences
from agent.application.setup import (
    DEMO,
    Alternative,
    Choice,
    api_for,
    as_prepared,
    connect,
    default_choice,
    key_for,
    one_off,
    own_price,
    prices_for,
    setup,
    window_for,
    with_own_price,
)
from agent.application.spending.budget import Budget
from agent.application.spending.paid_model import PaidModel
from agent.demo.model import Demo
from agent.errors import BadRequest
from agent.events import Failed, Prepared, Replied
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.prices import Price, read_prices, typed_price
from agent.models.window import Source, Window
from agent.runs.conversation import Question, answer
from agent.settings import OPENAI_URL, Limits, Secret, ThinkingChoice, WireChoice, read_settings
from agent.store.runs import Store
from agent.tools.catalogue import CATALOGUE, choosing, missing, toolbox, usable
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.servers.model_server import ModelServer, Reply

OWNER = {"OPENAI_API_KEY": "sk-owner", "GLASSBOX_MODEL": "m", "GLASSBOX_TEMPERATURE": "0.3"}


def test_without_an_owner_the_demo_is_on() -> None:
    assert default_choice(read_settings({})) == Choice()
    assert isinstance(connect(read_settings({}), Choice(), Capabilities()), Demo)


def test_with_an_owner_their_model_is_on() -> None:
    settings = read_settings(OWNER | {"GLASSBOX_WIRE": "react"})
    choice = default_choice(settings)
    assert choice == Choice(OPENAI_URL, "m", wire="react", temperature=0.3)
    chosen = setup(settings, choice, Capabilities(), SearchCache())
    assert isinstance(chosen.model, OpenAIChat)
    assert (chosen.wire, chosen.parameters) == ("react", {"temperature": 0.3})
    assert "sk-owner" not in repr(chosen)


def test_the_owners_api_is_that_of_their_own_server() -> None:
    environment = {"GLASSBOX_API": "responses"}
    assert api_for(read_settings(environment), "http://localhost:8080/v1") == "responses"
    settings = read_settings(OWNER | environment)
    assert api_for(settings, f"{OPENAI_URL}/") == "responses"
    assert api_for(settings, "http://localhost:8080/v1") == "auto"
    model = connect(settings, default_choice(settings), Capabilities())
    assert isinstance(model, OpenAIChat)
    assert "+responses" in model.refused


@pytest.mark.parametrize(
    ("endpoint", "typed", "used"),
    [
        (OPENAI_URL, "", "sk-owner"),
        ("https://api.openai.com/v1/", "", "sk-owner"),
        (OPENAI_URL, "sk-visitor", "sk-visitor"),
        ("https://evil.example/v1", "", ""),
        ("https://api.openai.com.evil.example/v1", "", ""),
        ("http://api.openai.com/v1", "", ""),
        ("https://api.openai.com:8443/v1", "", ""),
        ("http://localhost:11434", "", ""),
        (DEMO, "", ""),
    ],
)
def test_the_owners_key_goes_to_the_owners_address_alone(endpoint: str, typed: str, used: str) -> None:
    assert key_for(read_settings(OWNER), Choice(endpoint, "m", Secret(typed))).reveal() == used


def test_without_an_owner_no_key_is_used() -> None:
    assert key_for(read_settings({}), Choice(OPENAI_URL, "m")) == Secret()


def test_an_incomplete_choice_says_what_is_missing() -> None:
    with pytest.raises(BadRequest, match="No model is chosen"):
        connect(read_settings({}), Choice(OPENAI_URL), Capabilities())


def test_tools_are_chosen_by_name() -> None:
    parts = Parts(read_settings({}), SearchCache())
    usual = tuple(entry.name for entry in CATALOGUE if entry.usual and not missing(entry, parts))
    assert toolbox(parts).names == usual
    assert {"search", "calculator", "weather", "now", "ask_user"} <= set(usual)
    assert not {"wikipedia", "news"} & set(usual)
    assert toolbox(parts, ("calculator",)).names == ("calculator",)
    assert toolbox(parts, ()).names == ()
    with pytest.raises(BadRequest, match="There is no tool dice"):
        toolbox(parts, ("dice",))


def test_the_owner_says_which_tools_there_are() -> None:
    parts = Parts(read_settings({"GLASSBOX_TOOLS": "calculator, python"}), SearchCache())
    assert toolbox(parts).names == ("calculator",)
    assert toolbox(parts, ("search",)).names == ()
    reasons = {entry.name: missing(entry, parts) for entry in CATALOGUE}
    assert reasons.pop("calculator") == "" and reasons.pop("python").startswith("Begin a chat first")
    assert set(reasons.values()) == {"Off: the owner of this site does not offer it."}


def test_a_tool_without_its_key_says_which_and_where_to_get_it() -> None:
    reasons = {entry.name: missing(entry, Parts(read_settings({}), SearchCache())) for entry in CATALOGUE}
    assert reasons["news"] == "Needs NEWSAPI_API_KEY: newsapi.org/register."
    assert reasons["movies"] == "Needs TMDB_API_KEY: themoviedb.org/settings/api."
    assert reasons["wolfram"] == "Needs WOLFRAM_APP_ID: developer.wolframalpha.com."
    assert reasons["weather"] == reasons["wikipedia"] == reasons["search"] == ""
    keys = {"keys": {"newsapi": "a", "tmdb": "b", "wolfram": "c"}}
    parts = Parts(read_settings({}, keys), SearchCache())
    assert {"news", "movies", "wolfram"} <= set(toolbox(parts).names)


@pytest.mark.parametrize(
    ("environment", "lacking"),
    [
        ({"GLASSBOX_SEARCH": "serpapi"}, "SERPAPI_API_KEY"),
        ({"GLASSBOX_SEARCH": "serper", "SERPAPI_API_KEY": "k"}, "SERPER_API_KEY"),
        ({"GLASSBOX_SEARCH": "google"}, "GOOGLE_API_KEY"),
        ({"GLASSBOX_SEARCH": "google", "GOOGLE_API_KEY": "k"}, "GOOGLE_CSE_ID"),
        ({"GLASSBOX_SEARCH": "searxng"}, "SEARXNG_URL"),
        ({"GLASSBOX_SEARCH": "wikipedia", "SERPAPI_API_KEY": "k"}, ""),
        ({"GLASSBOX_SEARCH": "auto"}, ""),
    ],
)
def test_a_search_service_that_was_named_says_what_it_lacks(environment: dict[str, str], lacking: str) -> None:
    entry = next(entry for entry in CATALOGUE if entry.name == "search")
    said = missing(entry, Parts(read_settings(environment), SearchCache()))
    assert said.startswith(f"Needs {lacking}") if lacking else said == ""


def test_what_is_not_offered_stays_as_it_was_chosen() -> None:
    offered = usable(Parts(read_settings({}), SearchCache()))
    assert {"search", "calculator"} <= set(offered) and "query" not in offered
    without = choosing(("calculator",), offered, None)
    later = tuple(entry.name for entry in CATALOGUE if entry.usual and entry.name not in offered)
    assert without == ("calculator", *later) and {"query", "chart", "python"} <= set(later)
    assert choosing((), later, without) == ("calculator",)
    assert choosing(("search",), offered, ("calculator",)) == ("search",)


def priced(choice: Choice, *typed: str) -> Choice:
    return replace(choice, prices=with_own_price(choice, typed_price(*typed)))


def test_an_own_price_is_that_of_the_chosen_model_at_its_address() -> None:
    local = Choice("http://localhost:1/v1", "qwen3")
    assert own_price(local) is None
    choice = priced(local, "0.1", "0.01", "0.4")
    assert own_price(choice) == Price(Decimal("0.1"), Decimal("0.01"), Decimal("0.4"))
    assert own_price(replace(choice, model="other")) is None
    assert own_price(replace(choice, endpoint=OPENAI_URL)) is None
    both = priced(replace(choice, model="other"), "1", "1", "1")
    again = priced(replace(both, model="qwen3"), "2", "2", "2")
    assert own_price(again) == Price(Decimal(2), Decimal(2), Decimal(2))
    assert own_price(replace(again, model="other")) == Price(Decimal(1), Decimal(1), Decimal(1))
    assert own_price(replace(again, prices=with_own_price(again, None))) is None
    many = local
    for number in range(80):
        many = priced(replace(many, model=str(number)), "1", "1", "1")
    assert len(many.prices) == 50


def test_own_prices_and_insisting_are_kept_with_the_choice() -> None:
    choice = priced(Choice("http://localhost:1/v1", "qwen3", insist=True), "0.1", "0.01", "0.4")
    kept = preferences.changed({}, {"endpoint": choice.endpoint, "model": "qwen3", "insist": True})
    kept = preferences.changed(kept, {"prices": choice.prices})
    assert preferences.chosen(preferences.read_back(preferences.write_down(kept, "")), Choice()) == choice


def test_what_was_kept_may_be_no_price() -> None:
    choice = Choice("http://localhost:1/v1", "qwen3", prices=(("http://localhost:1/v1", "qwen3", "cheap", "0", "0"),))
    assert own_price(choice) is None


@pytest.mark.parametrize(("key", "counts"), [("", "owner"), ("sk-visitor", "visitor")])
def test_where_the_owner_pays_a_visitors_price_does_not_count(key: str, counts: str) -> None:
    prices = read_prices("m=10/10/10")
    settings = read_settings(OWNER | {"GLASSBOX_PRICES": "m=10/10/10", "GLASSBOX_VISITOR_MONEY": "1"})
    choice = priced(replace(default_choice(settings), key=Secret(key)), "0", "0", "0")
    price = prices_for(settings, choice, prices).price(OPENAI_URL, "m")
    assert price is not None
    assert price.input == (10 if counts == "owner" else 0)


def test_a_typed_price_loosens_neither_the_owners_limit_nor_their_cap(store: Store) -> None:
    """A visitor who says that the owner's model costs nothing is stopped and charged as if they had not."""
    usage = {"prompt_tokens": 50_000, "completion_tokens": 0, "total_tokens": 50_000}
    with ModelServer(lambda _: Reply("Action: calculator\nAction Input: 2+2", usage=usage)) as server:
        environment = {"OPENAI_API_KEY": "sk-owner", "GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m"}
        environment |= {"GLASSBOX_PRICES": "m=10/10/10", "GLASSBOX_MONEY": "0.4", "GLASSBOX_VISITOR_MONEY": "1"}
        settings = read_settings(environment | {"GLASSBOX_WIRE": "react"})
        prices = read_prices(settings.prices)
        budget = Budget(store, settings, prices)
        choice = priced(default_choice(settings), "0", "0", "0")
        choice = replace(choice, limits=Limits(100, 0.0, 0, 100.0))
        chosen = setup(settings, choice, Capabilities(), SearchCache(), prices, budget.left("v"))
        chosen = replace(chosen, model=PaidModel(chosen.model, budget, "a run", "v"))
        events = list(answer(Question("q"), chosen, Flag()))
    replied = [event for event in events if isinstance(event, Replied)]
    assert [reply.price.amount for reply in replied if reply.price] == [Decimal("0.5")] * 2
    assert isinstance(events[-1], Failed)
    assert events[-1].reason == "limit"
    assert budget.left("v") == 0.000001


# --- how much the model reads ---------------------------------------------------------------------------------------

LOCAL = "http://127.0.0.1:9/v1"
NOTED = read_prices()


def known_window(choice: Choice, environment: dict[str, str], learned: Window | None = None) -> Window:
    capabilities = Capabilities()
    if learned:
        capabilities.learn_window(choice.endpoint, choice.model, learned)
    return window_for(read_settings(environment), choice, capabilities, NOTED)


@pytest.mark.parametrize(
    ("choice", "learned", "environment", "window"),
    [
        (Choice(LOCAL, "m", window=5_000), Window(4_096, "refusal"), {"GLASSBOX_WINDOW": "9000"}, (5_000, "setting")),
        (Choice(LOCAL, "m"), Window(4_096, "refusal"), {"GLASSBOX_WINDOW": "9000"}, (9_000, "setting")),
        (Choice(OPENAI_URL, "gpt-5"), Window(4_096, "refusal"), {}, (4_096, "refusal")),
        (Choice(OPENAI_URL, "gpt-5"), Window(300_000, "server"), {}, (300_000, "server")),
        (Choice(OPENAI_URL, "gpt-5"), Window(4_096, "guess"), {}, (272_000, "table")),
        (Choice(OPENAI_URL, "gpt-5"), None, {}, (272_000, "table")),
        (Choice(f"{OPENAI_URL}/", "gpt-5"), None, {}, (272_000, "table")),
        (Choice(LOCAL, "m"), Window(4_096, "guess"), {}, (4_096, "guess")),
        (Choice(LOCAL, "m"), None, {}, (8_000, "guess")),
        (Choice("https://api.example.com/v1", "m"), None, {}, (128_000, "guess")),
        (Choice("no address", "m"), None, {}, (128_000, "guess")),
        (Choice(), None, {"GLASSBOX_WINDOW": "9000"}, (128_000, "guess")),
    ],
)
def test_the_window_that_counts(
    choice: Choice, learned: Window | None, environment: dict[str, str], window: tuple[int, Source]
) -> None:
    assert known_window(choice, environment, learned) == Window(*window)


def test_the_owners_window_is_that_of_their_own_model() -> None:
    owned = {"GLASSBOX_BASE_URL": "https://own.example.org/v1", "GLASSBOX_MODEL": "m", "GLASSBOX_WINDOW": "9000"}
    assert known_window(Choice("https://own.example.org/v1/", "m"), owned) == Window(9_000, "setting")
    assert known_window(Choice("https://other.example.org/v1", "m"), owned) == Window(128_000, "guess")


def test_a_local_server_is_asked_before_the_first_question() -> None:
    row = {"id": "m", "max_model_len": 40_960}
    with ModelServer(listing=Reply(body={"object": "list", "data": [row]}), key="sk-visitor") as server:
        choice, capabilities = Choice(server.endpoint, "m", Secret("sk-visitor")), Capabilities()
        chosen = setup(read_settings({}), choice, capabilities, SearchCache())
        assert chosen.window == Window(40_960, "server")
        setup(read_settings({}), choice, capabilities, SearchCache())
        asked = ["GET /v1/models", "GET /props?model=m&autoload=false"]
        assert server.asked == asked
        setup(read_settings({}), replace(choice, window=4_000), Capabilities(), SearchCache())
        setup(read_settings({"GLASSBOX_WINDOW": "4000"}), choice, Capabilities(), SearchCache())
        assert server.asked == asked
        with pytest.raises(BadRequest):
            setup(read_settings({"GLASSBOX_PRIVATE_ADDRESSES": "no"}), choice, Capabilities(), SearchCache())
        assert server.asked == asked


SHORT = """Most likely needed:
- weather: Gives the weather of a place: now and the next seven days, or the days asked \
for, from 1940 to 15 days ahead.

Question: What is the weather in Rome?"""


@pytest.mark.parametrize(
    ("parameters", "model", "prompt", "short"),
    [
        (1_777_088_000, "m", "auto", True),
        (7_615_616_512, "m", "auto", False),
        (7_615_616_512, "m", "short", True),
        (1_777_088_000, "m", "full", False),
        (None, "made-1.5b", "auto", True),
        (None, "m", "auto", False),
    ],
)
def test_a_small_model_of_ones_own_gets_a_short_prompt(
    parameters: int | None, model: str, prompt: str, short: bool
) -> None:
    row = {"id": model, "meta": {"n_ctx": 16_384, "n_params": parameters}}
    with ModelServer([Reply("Final Answer: 1")], listing=Reply(body={"object": "list", "data": [row]})) as server:
        choice = Choice(server.endpoint, model, wire="react", language="en")
        chosen = setup(read_settings({"GLASSBOX_PROMPT": prompt}), choice, Capabilities(), SearchCache())
        list(answer(Question("What is the weather in Rome?"), chosen, Flag()))
        system, asked = (message["content"] for message in server.requests[-1]["messages"])
    assert ("\n- weather: Gives the weather of a place\n" in system) is short
    assert asked == (SHORT if short else "What is the weather in Rome?")
    assert (len(system) < 2_000) is short


@pytest.mark.parametrize(
    ("parameters", "wire", "native"),
    [(1_777_088_000, "auto", False), (1_777_088_000, "native", True), (7_615_616_512, "auto", True)],
)
def test_a_small_model_of_ones_own_is_asked_for_calls_as_text(parameters: int, wire: WireChoice, native: bool) -> None:
    row = {"id": "m", "meta": {"n_ctx": 16_384, "n_params": parameters}}
    with ModelServer([Reply("Final Answer: 1")], listing=Reply(body={"object": "list", "data": [row]})) as server:
        chosen = setup(read_settings({}), Choice(server.endpoint, "m", wire=wire), Capabilities(), SearchCache())
        list(answer(Question("What is 37*43?"), chosen, Flag()))
        (asked,) = server.requests
    assert ("tools" in asked) is native


def test_the_owners_key_is_not_shown_to_another_server() -> None:
    with ModelServer() as server:
        setup(read_settings(OWNER), Choice(server.endpoint, "m"), Capabilities(), SearchCache())
        assert server.asked and all("authorization" not in sent for sent in server.headers)


@pytest.mark.parametrize(
    ("thinking", "sent"), [("default", None), ("off", "none"), ("low", "low"), ("medium", "medium"), ("high", "high")]
)
def test_thinking_is_sent_as_reasoning_effort(thinking: ThinkingChoice, sent: str | None) -> None:
    with ModelServer([Reply("Final Answer: 1")]) as server:
        choice = Choice(server.endpoint, "m", wire="react", thinking=thinking)
        chosen = setup(read_settings({}), choice, Capabilities(), SearchCache())
        events = list(answer(Question("?"), chosen, Flag()))
        asked = server.requests[-1]
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert asked.get("reasoning_effort") == sent
    assert as_prepared(choice, prepared).thinking == thinking


def test_thinking_is_that_of_its_model() -> None:
    kept = preferences.changed({}, {"endpoint": LOCAL, "model": "m", "key": "", "thinking": "high"})
    back = preferences.read_back(preferences.write_down(kept, ""))
    choice = preferences.chosen(back, Choice())
    assert choice.thinking == "high"
    assert "thinking" not in preferences.changed(back, {"model": "n"})
    assert one_off(choice, Alternative(LOCAL, "n")).thinking == "default"
    assert one_off(choice, Alternative(LOCAL, "m")).thinking == "high"
    assert default_choice(read_settings(OWNER | {"GLASSBOX_THINKING": "low"})).thinking == "low"
    assert default_choice(read_settings({"GLASSBOX_THINKING": "low"})).thinking == "default"


def test_a_window_of_ones_own_is_that_of_its_model() -> None:
    kept = preferences.changed({}, {"endpoint": LOCAL, "model": "m", "key": "", "window": 5_000})
    back = preferences.read_back(preferences.write_down(kept, ""))
    choice = preferences.chosen(back, Choice())
    assert choice.window == 5_000
    assert "window" not in preferences.changed(back, {"model": "n"})
    assert "window" not in preferences.changed(back, {"endpoint": DEMO, "model": ""})
    assert preferences.changed(back, {"model": "n", "window": 7_000})["window"] == 7_000
    assert preferences.changed(back, {"temperature": 0.5})["window"] == 5_000
    assert one_off(choice, Alternative(LOCAL, "n")).window == 0
    assert one_off(choice, Alternative(LOCAL, "m")).window == 5_000
