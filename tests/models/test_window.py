"""How many tokens a model can be sent at once: told by servers, named in refusals, shown by prompts that were cut."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from agent.errors import ModelFailed
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.model_failures import Failures
from agent.models.openai_chat import OpenAIChat
from agent.models.presets import list_models
from agent.models.prices import read_prices
from agent.models.protocol import Request
from agent.models.refusals.problems import read_problem
from agent.models.window import Window, guessed, number_in, row_window
from agent.models.window_lookup import OLLAMA_DEFAULT, ask_server, find_window
from tests.support.servers.model_server import ModelServer, Native, Reply

KEY = "sk-planted-1234567890abcdef"
LIMIT, SENT = 8_192, 9_876
QUESTION = Request((Message("user", "hi"),))


def rows(*listed: Mapping[str, Any]) -> Reply:
    return Reply(body={"object": "list", "data": list(listed)})


def said(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


# --- rows of lists --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "tokens"),
    [
        ({"max_input_tokens": 1_000_000, "max_tokens": 128_000}, 1_000_000),  # Anthropic
        ({"context_length": 1_048_576, "top_provider": {"context_length": 131_072}}, 131_072),  # OpenRouter
        (
            {"context_length": 200_000, "top_provider": {"context_length": None, "max_completion_tokens": 4_096}},
            200_000,
        ),
        ({"context_window": 131_072, "max_completion_tokens": 32_768}, 131_072),  # Groq
        ({"max_context_length": 32_768, "capabilities": {"vision": False}}, 32_768),  # Mistral
        ({"context_length": 262_144}, 262_144),  # Together, Kimi
        ({"max_model_len": 40_960}, 40_960),  # vLLM, SGLang
        ({"meta": {"n_ctx": 16_384, "n_ctx_train": 131_072}}, 16_384),  # llama.cpp
        ({"meta": {"n_ctx_train": 131_072}}, 0),
        ({"loaded_context_length": 4_096, "max_context_length": 131_072, "state": "loaded"}, 4_096),  # LM Studio
        ({"max_context_length": 131_072, "state": "not-loaded"}, 0),
        ({"model_info": {"max_tokens": 4_096, "max_input_tokens": 128_000}}, 128_000),  # LiteLLM
        ({"inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536}, 1_048_576),  # Gemini's own list
        ({"context_length": "131072"}, 131_072),
        ({"max_tokens": 8_192, "max_completion_tokens": 8_192, "max_output_tokens": 8_192}, 0),  # limits of replies
        ({"id": "gpt-5.4", "object": "model", "owned_by": "openai"}, 0),  # OpenAI
        ({"context_length": 512}, 0),
        ({"context_length": 0, "max_model_len": 8_192}, 8_192),
        ({"context_length": -1}, 0),
        ({"context_length": True}, 0),
        ({"context_length": 1e300}, 0),
        ({"context_length": float("nan")}, 0),
        ({"context_length": {"max": 8_192}, "top_provider": [8_192], "meta": "n_ctx"}, 0),
    ],
)
def test_a_row_of_a_list(row: dict[str, Any], tokens: int) -> None:
    assert row_window({"id": "m", **row}) == (Window(tokens, "server") if tokens else None)


def test_a_list_teaches_the_windows_of_all_its_models() -> None:
    listed = {"id": "a", "max_model_len": 4_096}, {"id": "b"}, {"id": "models/c", "context_length": 65_536}
    capabilities = Capabilities()
    with ModelServer(listing=rows(*listed)) as server:
        assert list_models(server.endpoint, capabilities=capabilities) == ("a", "b", "c")
        known = [capabilities.window(server.endpoint, name) for name in "abc"]
    assert known == [Window(4_096, "server"), None, Window(65_536, "server")]


# --- asking the server ----------------------------------------------------------------------------------------------

OLLAMA_SHOWN = {"details": {"family": "qwen3"}, "model_info": {"qwen3.context_length": 40_960, "qwen3.block_count": 36}}
LM_STUDIO = {"id": "m", "object": "model", "type": "llm", "arch": "llama", "max_context_length": 131_072}
# LM Studio answers what it does not know with status 200.
LM_STUDIO_ELSEWHERE = Reply(body={"error": "Unexpected endpoint or method. (GET /props). Returning 200 anyway"})


def ollama_running(*models: Mapping[str, Any]) -> Reply:
    return Reply(body={"models": list(models)})


def shown(**more: object) -> Native:
    """Ollama's own words for a model that it does not have."""
    missing = Reply(status=404, body={"error": "model 'x' not found"})
    return lambda body: Reply(body={**OLLAMA_SHOWN, **more}) if body == {"model": "m"} else missing


def router(query: dict[str, Any]) -> Reply:
    """llama.cpp's router knows nothing without a model, and loads one that is asked about if it may."""
    assert query.get("autoload") == "false"
    running = {"default_generation_settings": {"n_ctx": 24_576}}
    return Reply(body=running if query.get("model") == "m" else {"default_generation_settings": {"n_ctx": 0}})


NATIVE: dict[str, tuple[dict[str, Any], Window | None]] = {
    "vLLM": ({"listing": rows({"id": "m", "max_model_len": 40_960})}, Window(40_960, "server")),
    "another model's row": ({"listing": rows({"id": "n", "max_model_len": 40_960})}, None),
    "a bare list": ({"listing": Reply(body=[{"id": "m", "context_length": 32_768}])}, Window(32_768, "server")),
    "llama.cpp's list": (
        {"listing": rows({"id": "m", "meta": {"n_ctx": 16_384, "n_ctx_train": 131_072}})},
        Window(16_384, "server"),
    ),
    "llama.cpp's properties": (
        {
            "listing": rows({"id": "m", "meta": {"n_ctx_train": 131_072}}),
            "native": {"/props": Reply(body={"default_generation_settings": {"n_ctx": 12_288}, "total_slots": 4})},
        },
        Window(12_288, "server"),
    ),
    "llama.cpp's router": ({"native": {"/props": router}}, Window(24_576, "server")),
    "LM Studio, loaded": (
        {
            "native": {"/api/v0/models": rows({**LM_STUDIO, "state": "loaded", "loaded_context_length": 6_144})},
            "elsewhere": LM_STUDIO_ELSEWHERE,
        },
        Window(6_144, "server"),
    ),
    "LM Studio, not loaded": (
        {
            "native": {"/api/v0/models": rows({**LM_STUDIO, "state": "not-loaded"})},
            "elsewhere": LM_STUDIO_ELSEWHERE,
        },
        Window(8_000, "guess"),
    ),
    "LM Studio, a small model that is not loaded": (
        {"native": {"/api/v0/models": rows({**LM_STUDIO, "state": "not-loaded", "max_context_length": 2_048})}},
        Window(2_048, "guess"),
    ),
    "LM Studio's newer list": (
        {
            "native": {
                "/api/v1/models": Reply(
                    body={
                        "models": [
                            {
                                "key": "m",
                                "max_context_length": 131_072,
                                "loaded_instances": [{"id": "m", "config": {"context_length": 10_240}}],
                            }
                        ]
                    }
                )
            },
            "elsewhere": LM_STUDIO_ELSEWHERE,
        },
        Window(10_240, "server"),
    ),
    "Ollama, running": (
        {
            "native": {
                "/api/ps": ollama_running(
                    {"name": "n:latest", "model": "n:latest", "context_length": 65_536},
                    {"name": "m:latest", "model": "m:latest", "context_length": 8_192},
                ),
                "/api/show": shown(parameters="num_ctx 16384"),
            }
        },
        Window(8_192, "server"),
    ),
    "Ollama, set in the model": (
        {
            "native": {
                "/api/ps": ollama_running(),
                "/api/show": shown(parameters='temperature   0.7\nstop   "num_ctx 9"\nnum_ctx       16384'),
            }
        },
        Window(16_384, "server"),
    ),
    "Ollama, more set than the model can do": (
        {"native": {"/api/ps": ollama_running(), "/api/show": shown(parameters="num_ctx 262144")}},
        Window(40_960, "server"),
    ),
    "Ollama, nothing set": (
        {"native": {"/api/ps": ollama_running(), "/api/show": shown()}},
        Window(OLLAMA_DEFAULT, "guess"),
    ),
    "Ollama, a small model": (
        {
            "native": {
                "/api/ps": Reply(body={"models": None}),
                "/api/show": shown(model_info={"bert.context_length": 2_048}),
            }
        },
        Window(2_048, "guess"),
    ),
    "Ollama's cloud": (
        {"native": {"/api/ps": ollama_running(), "/api/show": shown(remote_host="https://ollama.com:443")}},
        Window(40_960, "server"),
    ),
    "TGI": ({"native": {"/info": Reply(body={"model_id": "m", "max_total_tokens": 20_480})}}, Window(20_480, "server")),
    "LiteLLM": (
        {
            "native": {
                "/model/info": rows(
                    {"model_name": "m", "model_info": {"max_tokens": 4_096, "max_input_tokens": 30_000}}
                )
            }
        },
        Window(30_000, "server"),
    ),
    "nothing told": ({}, None),
    "a list of nonsense": ({"listing": Reply(body=b"<html>"), "elsewhere": Reply(body=b"{[")}, None),
    "odd shapes": ({"listing": Reply(body={"data": {"m": 1}}), "elsewhere": Reply(body=[[], 3, None])}, None),
    "deep nesting": ({"elsewhere": Reply(body=b"[" * 100_000)}, None),
    "endless": ({"listing": Reply(body=b'{"data": [' + b'{"id": "x"},' * 800_000)}, None),
    "errors": ({"listing": Reply(status=500, body=b"no"), "elsewhere": Reply(status=503, body=b"")}, None),
    "sent elsewhere": (
        {"elsewhere": Reply(status=302, body=b"", headers={"Location": "http://127.0.0.1:9/props"})},
        None,
    ),
    "broken off": ({"listing": Reply(body={"data": []}, die_after=1), "elsewhere": Reply(body={}, die_after=1)}, None),
}


@pytest.mark.usefixtures("asked_again_at_once")
@pytest.mark.parametrize("make", NATIVE)
def test_asking_the_server(make: str) -> None:
    how, window = NATIVE[make]
    with ModelServer(key=KEY, models=("m",), **how) as server:
        assert ask_server(server.endpoint, "m", KEY, 10.0)[0] == window
        assert {sent.get("authorization") for sent in server.headers} == {f"Bearer {KEY}"}
        assert server.asked[0] == "GET /v1/models"


@pytest.mark.parametrize("held", [Reply(silent=True), Reply(body=b"{}", wait=30.0)])
def test_a_silent_server_takes_no_more_than_its_time(held: Reply) -> None:
    with ModelServer(listing=held, elsewhere=held) as server:
        began = time.monotonic()
        assert ask_server(server.endpoint, "m", "", 0.3)[0] is None
        assert time.monotonic() - began < 5


def test_a_server_that_sends_its_head_drop_by_drop_is_left() -> None:
    left = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while True:
                connection.sendall(b"a")
                time.sleep(0.01)
        left.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=(listening,), daemon=True).start()
        assert ask_server(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", "m", "", 0.3)[0] is None
        assert left.wait(10)


def test_nobody_there_and_unusable_keys_are_no_window() -> None:
    assert ask_server("http://127.0.0.1:9/v1", "m", "", 10.0)[0] is None
    assert ask_server("http://127.0.0.1:9/v1", "m", "sk with spaces", 10.0)[0] is None


def test_names_are_quoted() -> None:
    with ModelServer() as server:
        assert ask_server(server.endpoint, "hf.co/a b?x=1&y#z/../", "", 10.0)[0] is None
        assert "GET /props?model=hf.co%2Fa%20b%3Fx%3D1%26y%23z%2F..%2F&autoload=false" in server.asked


def test_a_server_is_asked_once_in_a_while() -> None:
    capabilities = Capabilities()
    with ModelServer(listing=rows({"id": "m", "max_model_len": 40_960})) as server:
        for _ in range(3):
            find_window(capabilities, server.endpoint, "m")
        assert server.asked == ["GET /v1/models", "GET /props?model=m&autoload=false"]
        assert capabilities.window(server.endpoint, "m") == Window(40_960, "server")
        find_window(capabilities, server.endpoint, "n")
        before = len(server.asked)
        find_window(capabilities, server.endpoint, "n")
        assert len(server.asked) == before and capabilities.window(server.endpoint, "n") is None
        capabilities.forget(server.endpoint, "m")
        assert capabilities.window(server.endpoint, "m") is None
        find_window(capabilities, server.endpoint, "m")
        assert len(server.asked) == before + 2


@pytest.mark.parametrize(
    ("caps", "takes"),
    [
        ({"supports_tools": False, "supports_tool_calls": False}, False),
        ({"supports_tools": True, "supports_tool_calls": False}, False),
        ({"supports_tools": True, "supports_tool_calls": True}, True),
        ({}, True),
        (None, True),
    ],
)
def test_a_template_that_drops_tools_is_known_before_the_first_question(caps: object, takes: bool) -> None:
    capabilities = Capabilities()
    props = {"default_generation_settings": {"n_ctx": 8_192}, "chat_template_caps": caps}
    with ModelServer(native={"/props": Reply(body=props)}) as server:
        find_window(capabilities, server.endpoint, "m")
        assert capabilities.takes_tools(server.endpoint, "m") is takes
        assert capabilities.window(server.endpoint, "m") == Window(8_192, "server")


@pytest.mark.parametrize(
    "how",
    [
        {"listing": rows({"id": "m", "meta": {"n_ctx": 8_192, "n_params": 1_777_088_000}})},
        {"native": {"/api/show": shown(details={"parameter_size": "1.5B"})}},
        {"native": {"/api/ps": ollama_running({"name": "m", "details": {"parameter_size": "494.03M"}})}},
        {"native": {"/api/v1/models": Reply(body={"models": [{"key": "m", "params_string": "3B"}]})}},
    ],
    ids=["llama.cpp", "Ollama", "Ollama, loaded", "LM Studio"],
)
def test_that_a_model_is_small_is_known_before_the_first_question(how: dict[str, Any]) -> None:
    capabilities = Capabilities()
    with ModelServer(**how) as server:
        find_window(capabilities, server.endpoint, "m")
        find_window(capabilities, server.endpoint, "n")
        assert capabilities.is_small(server.endpoint, "m") and not capabilities.is_small(server.endpoint, "n")
        assert capabilities.takes_tools(server.endpoint, "m")


def test_ollama_is_asked_again_once_the_model_runs() -> None:
    capabilities = Capabilities()
    with ModelServer(native={"/api/ps": ollama_running(), "/api/show": shown()}) as server:
        find_window(capabilities, server.endpoint, "m")
        assert capabilities.window(server.endpoint, "m") == Window(OLLAMA_DEFAULT, "guess")
        server.native["/api/ps"] = ollama_running({"name": "m:latest", "context_length": 32_768})
        find_window(capabilities, server.endpoint, "m")
        assert capabilities.window(server.endpoint, "m") == Window(32_768, "server")


def test_hosted_servers_are_not_asked_before_a_question() -> None:
    capabilities = Capabilities()
    find_window(capabilities, "https://api.example.invalid/v1", "m")
    assert capabilities.may_ask("https://api.example.invalid/v1", "m")


# --- guesses and the table ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("endpoint", "tokens"),
    [
        ("http://localhost:11434/v1", 8_000),
        ("http://127.0.0.1:8000/v1", 8_000),
        ("http://[::1]:8000/v1", 8_000),
        ("http://192.168.1.7:1234/v1", 8_000),
        ("http://nas.local/v1", 8_000),
        ("http://ollama:11434/v1", 8_000),
        ("https://api.example.com/v1", 128_000),
        ("http://8.8.8.8/v1", 128_000),
        ("demo", 128_000),
    ],
)
def test_a_guess_goes_by_the_address(endpoint: str, tokens: int) -> None:
    assert guessed(endpoint) == Window(tokens, "guess")


def test_the_table_of_known_models() -> None:
    prices = read_prices()
    assert prices.window("https://api.openai.com/v1", "gpt-5-mini") == Window(272_000, "table")
    assert prices.window("https://api.openai.com/v1", "gpt-4o-mini-2024-07-18") == Window(128_000, "table")
    assert prices.window("https://api.groq.com/openai/v1", "openai/gpt-oss-20b") == Window(131_072, "table")
    gemini = "https://generativelanguage.googleapis.com/v1beta/openai"
    assert prices.window(gemini, "models/gemini-2.5-flash") == Window(1_048_576, "table")
    assert prices.window("https://api.example.com/v1", "gpt-5-mini") is None
    assert prices.window("https://api.openai.com/v1", "gpt-unknown") is None
    owned = read_prices("gpt-5-mini=1/1/1")
    assert owned.window("https://api.openai.com/v1", "gpt-5-mini") == Window(272_000, "table")


# --- refusals -------------------------------------------------------------------------------------------------------

REFUSALS: dict[str, tuple[int, object, int | None]] = {
    "OpenAI": (
        400,
        said(
            f"This model's maximum context length is {LIMIT} tokens. However, your messages resulted in {SENT} tokens. "
            "Please reduce the length of the messages.",
            param="messages",
            code="context_length_exceeded",
        ),
        LIMIT,
    ),
    "OpenAI, newer": (
        400,
        said(
            f"Input tokens exceed the configured limit of {LIMIT} tokens. Your messages resulted in {SENT} tokens.",
            code="context_length_exceeded",
        ),
        LIMIT,
    ),
    "OpenAI, no number": (
        400,
        said("Your input exceeds the context window of this model. Please adjust your input and try again."),
        None,
    ),
    "Gemini": (
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": f"The input token count ({SENT}) exceeds the maximum number of tokens allowed "
                    f"({LIMIT}).",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
        LIMIT,
    ),
    "DeepSeek": (
        400,
        said(
            f"This model's maximum context length is {LIMIT} tokens. However, you requested {SENT} tokens ({SENT - 99} "
            "in the messages, 99 in the completion). Please reduce the length of the messages or completion.",
            code="invalid_request_error",
        ),
        LIMIT,
    ),
    "Anthropic": (
        400,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": f"prompt is too long: {SENT} tokens > {LIMIT} maximum",
            },
            "request_id": "req_x",
        },
        LIMIT,
    ),
    "Anthropic, with the reply": (
        400,
        said(f"input length and `max_tokens` exceed context limit: {SENT} + 4096 > {LIMIT}, decrease either of them"),
        LIMIT,
    ),
    "xAI": (
        400,
        {
            "code": "Client specified an invalid argument",
            "error": f"This model's maximum prompt length is {LIMIT} but the request contains {SENT} tokens.",
        },
        LIMIT,
    ),
    "Groq": (
        400,
        said(
            "Please reduce the length of the messages or completion.", param="messages", code="context_length_exceeded"
        ),
        None,
    ),
    "Kimi": (400, said(f"Your request exceeded model token limit: {LIMIT} (requested: {SENT})"), LIMIT),
    "MiniMax": (400, said("invalid params, context window exceeds limit (2013)"), None),
    "LM Studio": (
        400,
        {
            "error": f"Trying to keep the first {SENT} tokens when context the overflows. However, the model is loaded "
            f"with context length of only {LIMIT} tokens, which is not enough. Try to load the model with a larger "
            "context length, or provide a shorter input"
        },
        LIMIT,
    ),
    "LM Studio, keeping": (400, {"error": f"Cannot truncate prompt with n_keep ({SENT}) >= n_ctx ({LIMIT})"}, LIMIT),
    "LM Studio, no number": (
        400,
        {"error": "The number of tokens to keep from the initial prompt is greater than the context length."},
        None,
    ),
    "llama.cpp": (
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size, try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": SENT,
                "n_ctx": LIMIT,
            }
        },
        LIMIT,
    ),
    "llama.cpp, in words, as an error of its own": (
        500,
        said(f"request ({SENT} tokens) exceeds the available context size ({LIMIT} tokens), try increasing it"),
        LIMIT,
    ),
    "vLLM": (
        400,
        said(
            f"This model's maximum context length is {LIMIT} tokens. However, you requested 1024 output tokens and "
            f"your prompt contains at least {LIMIT - 1023} input tokens, for a total of at least {LIMIT + 1} tokens. "
            "Please reduce the length of the input prompt or the number of requested output tokens. "
            f"(parameter=input_tokens, value={LIMIT - 1023})",
            type="BadRequestError",
            param="input_tokens",
            code=400,
        ),
        LIMIT,
    ),
    "vLLM, the prompt alone": (
        400,
        said(f"The decoder prompt (length {SENT}) is longer than the maximum model length of {LIMIT}."),
        LIMIT,
    ),
    "SGLang": (
        400,
        {
            "object": "error",
            "message": f"The input ({SENT} tokens) is longer than the model's context length ({LIMIT} tokens).",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        LIMIT,
    ),
    "TGI": (
        422,
        {
            "error": f"Input validation error: `inputs` tokens + `max_new_tokens` must be <= {LIMIT}. Given: {SENT} "
            "`inputs` tokens and 100 `max_new_tokens`",
            "error_type": "validation",
        },
        LIMIT,
    ),
    "TGI, the prompt alone": (
        422,
        {
            "error": f"Input validation error: `inputs` must have less than {LIMIT} tokens. Given: {SENT}",
            "error_type": "validation",
        },
        LIMIT,
    ),
    "OpenRouter": (
        400,
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": '{"error":{"message":"This endpoint\'s maximum context length is 8,192 tokens. However, you '
                    'requested about 9,876 tokens (9,000 of text input, 876 in the output)."}}',
                    "provider_name": "Together",
                },
            }
        },
        LIMIT,
    ),
    "Mistral": (
        400,
        {
            "object": "error",
            "message": f"Prompt contains {SENT} tokens and 0 draft tokens, too large for model with {LIMIT} maximum "
            "context length",
            "type": "invalid_request_prompt",
            "code": "3051",
        },
        LIMIT,
    ),
    "Copilot": (400, said(f"prompt token count of {SENT} exceeds the limit of {LIMIT}"), LIMIT),
    "DashScope": (
        400,
        said(f"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, {LIMIT}]"),
        LIMIT,
    ),
    "Bedrock": (400, said("Input is too long for requested model."), None),
    "a proxy": (413, b"<html><h1>413 Request Entity Too Large</h1></html>", None),
}


def failure_of(reply: Reply, capabilities: Capabilities) -> tuple[ModelFailed, Window | None, int]:
    """How the model fails, what is known of its window afterwards, and how often it was asked."""
    with ModelServer([reply] * 3) as server:
        model = OpenAIChat(server.endpoint, "m", capabilities)
        with pytest.raises(ModelFailed) as caught:
            list(model.stream(QUESTION))
        model.close()
        return caught.value, capabilities.window(server.endpoint, "m"), len(server.requests)


@pytest.mark.parametrize("make", REFUSALS)
def test_a_refused_length_is_known_and_its_number_read(make: str) -> None:
    status, body, most = REFUSALS[make]
    failed, window, asked = failure_of(Reply(status=status, body=body), Capabilities())
    assert (failed.kind, failed.most, asked) == ("context", most, 1)
    assert window == (Window(most, "refusal") if most else None)


@pytest.mark.parametrize("make", [make for make in REFUSALS if make != "a proxy"])
def test_a_length_refused_within_a_stream(make: str) -> None:
    _, body, most = REFUSALS[make]
    failed, window, asked = failure_of(Reply(events=[body]), Capabilities())
    assert (failed.kind, failed.most, asked) == ("context", most, 1)
    assert window == (Window(most, "refusal") if most else None)


def test_cerebras_says_it_with_a_status_alone() -> None:
    for status in (400, 413):
        failed = Failures("https://api.cerebras.ai/v1", "m").answered(read_problem(status, ""))
        assert (failed.kind, failed.most) == ("context", None)
    assert Failures("https://api.example.com/v1", "m").answered(read_problem(400, "")).kind == "refused"


def test_a_window_that_is_full_ends_a_reply_or_is_a_refusal() -> None:
    """Z.ai's ``finish_reason``."""
    full = "model_context_window_exceeded"
    failed, window, asked = failure_of(Reply("", finish=full), Capabilities())
    assert (failed.kind, failed.most, window, asked) == ("context", None, None, 1)
    with ModelServer([Reply("Once upon a", finish=full)]) as server:
        model = OpenAIChat(server.endpoint, "m", Capabilities())
        deltas = list(model.stream(QUESTION))
        model.close()
    assert "".join(delta.text for delta in deltas) == "Once upon a"
    assert [delta.finish for delta in deltas if delta.finish] == ["length"]


@pytest.mark.parametrize("stream", [False, True])
def test_the_tokens_of_a_minute_are_no_window(stream: bool) -> None:
    body = said(
        "Request too large for model `openai/gpt-oss-120b` in organization `org_x` service tier `on_demand` on tokens "
        "per minute (TPM): Limit 8000, Requested 9876, please reduce your message size and try again. Need more "
        "tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
        type="tokens",
        code="rate_limit_exceeded",
    )
    reply = Reply(events=[body]) if stream else Reply(status=413, body=body)
    failed, window, _ = failure_of(reply, Capabilities())
    assert (failed.kind, failed.reason, failed.most, window) == ("rate", "minute", None, None)
    assert "in a minute or a day" in str(failed) and "takes no more requests" not in str(failed)


@pytest.mark.parametrize(
    "text",
    [
        "the request has 9876 tokens",
        "max_tokens must be <= 4096",
        "n_ctx_train 131072",
        "context length exceeded: 9876 tokens were sent",
        "",
    ],
)
def test_other_numbers_are_not_read(text: str) -> None:
    assert number_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "maximum context length is " * 200_000,
        "exceed context limit: " + "9" * 300_000,
        "context length of only " + "1," * 200_000,
        "tokens" + "`" * 300_000 + "must be <= ",
        "input length should be [" * 100_000,
        "> " * 300_000 + "maximum",
    ],
)
def test_hostile_refusals_are_read_at_once(text: str) -> None:
    began = time.monotonic()
    number_in(text)
    Failures("http://127.0.0.1:9/v1", "m").answered(read_problem(400, {"error": text[:65_536]}))
    assert time.monotonic() - began < 2


# --- what counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("learned", "counts"),
    [
        ([Window(128_000, "server"), Window(8_192, "refusal")], Window(8_192, "refusal")),
        ([Window(8_192, "refusal"), Window(128_000, "server")], Window(8_192, "refusal")),
        ([Window(8_192, "refusal"), Window(4_096, "server")], Window(4_096, "server")),
        ([Window(8_192, "refusal"), Window(16_384, "refusal")], Window(8_192, "refusal")),
        ([Window(4_096, "server"), Window(8_192, "server")], Window(8_192, "server")),  # started anew
        ([Window(4_096, "guess"), Window(32_768, "server")], Window(32_768, "server")),
        ([Window(32_768, "server"), Window(4_096, "guess")], Window(32_768, "server")),
        ([Window(4_096, "guess"), Window(131_072, "refusal")], Window(131_072, "refusal")),
        ([Window(256, "refusal")], None),
    ],
)
def test_of_two_facts_the_smaller_one_counts(learned: list[Window], counts: Window | None) -> None:
    capabilities = Capabilities()
    for window in learned:
        capabilities.learn_window("e", "m", window)
    assert capabilities.window("e", "m") == counts
    assert capabilities.window("e", "n") is None


def test_a_prompt_that_was_cut_teaches_the_window() -> None:
    """Ollama reads 2,050 tokens of a longer prompt; what it runs the model with is asked for the next question."""
    text = "The quick brown fox jumps over the lazy dog. " * 500
    cut = Reply("a", usage={"prompt_tokens": 2_050, "completion_tokens": 1})
    capabilities = Capabilities()
    with ModelServer([cut], native={"/api/ps": ollama_running(), "/api/show": shown()}) as server:
        find_window(capabilities, server.endpoint, "m")
        model = OpenAIChat(server.endpoint, "m", capabilities)
        told = [delta.note for delta in model.stream(Request((Message("user", text),))) if delta.note]
        model.close()
        assert len(told) == 1 and "read only about 2,050" in told[0]
        assert capabilities.window(server.endpoint, "m") == Window(2_050, "server")
        server.native["/api/ps"] = ollama_running({"model": "m:latest", "context_length": 4_096})
        find_window(capabilities, server.endpoint, "m")
        assert capabilities.window(server.endpoint, "m") == Window(4_096, "server")
