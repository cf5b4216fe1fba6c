"""What servers refuse, in their own words: reports of real answers, and answers that refuse something else."""

from __future__ import annotations

from threading import Thread

from agent.models.capabilities import Capabilities, known
from agent.models.refusals.lessons import refused_parameter
from agent.models.refusals.problems import Problem, read_problem
from tests.support.cases import each

SENT = ("stream", "stream_options", "stop", "temperature", "max_tokens", "tools")


def said(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


UNSUPPORTED = {"code": "unsupported_parameter"}
REFUSALS: list[tuple[int, object, str]] = [
    # OpenAI
    (400, said("Unsupported parameter: 'stop' is not supported with this model.", param="stop", **UNSUPPORTED), "stop"),
    (
        400,
        said(
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            param="max_tokens",
            **UNSUPPORTED,
        ),
        "max_tokens",
    ),
    (400, said("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."), "max_tokens"),
    (
        400,
        said(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported.",
            param="temperature",
            code="unsupported_value",
        ),
        "temperature",
    ),
    (400, said("Your organization must be verified to stream this model.", param="stream"), "stream"),
    (400, said("Unrecognized request argument supplied: stop"), "stop"),
    (
        400,
        said("Unknown parameter: 'stream_options'.", param="stream_options", code="unknown_parameter"),
        "stream_options",
    ),
    (400, said("tools is not supported in this model."), "tools"),
    # Ollama, before and after its errors became objects
    (400, said("registry.ollama.ai/library/gemma3:4b does not support tools", type="api_error"), "tools"),
    (400, {"error": "registry.ollama.ai/library/stablelm2 does not support tools"}, "tools"),
    # vLLM
    (
        400,
        {
            "object": "error",
            "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        "tools",
    ),
    (
        400,
        {
            "object": "error",
            "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), "
            "'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
            "code": 400,
        },
        "stream_options",
    ),
    # llama.cpp
    (500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}, "tools"),
    (500, {"error": {"code": 500, "message": "Unsupported param: tools", "type": "server_error"}}, "tools"),
    # OpenRouter
    (
        404,
        {"error": {"message": "No endpoints found that support tool use. To learn more, visit …", "code": 404}},
        "tools",
    ),
    # Gemini
    (400, [said('Invalid JSON payload received. Unknown name "stream_options": Cannot find field.')], "stream_options"),
    (400, said("Function calling is not enabled for models/gemma-3-27b-it"), "tools"),
    # DeepSeek
    (400, said("deepseek-reasoner does not support Function Calling"), "tools"),
    # Mistral: as an object, as text in text, as a list
    (
        422,
        {"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "stop"], "msg": "Extra inputs …"}]}},
        "stop",
    ),
    (
        422,
        {
            "object": "error",
            "message": '{"detail":[{"type":"extra_forbidden","loc":["body","stop"],'
            '"msg":"Extra inputs are not permitted","input":0.0}]}',
            "type": "internal_error_proxy",
            "code": "1000",
        },
        "stop",
    ),
    (422, {"message": [{"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs …"}]}, "tools"),
    # others
    (400, "stop sequences are not supported", "stop"),
    (400, said("This endpoint does not support streaming"), "stream"),
    (400, said("property 'temperature' is unsupported"), "temperature"),
    (400, said("Not supported together with tools: only available without tools", param="temperature"), "temperature"),
]


@each(("status", "body", "name"), REFUSALS)
def test_refusals(status: int, body: object, name: str) -> None:
    assert refused_parameter(read_problem(status, body), SENT) == name


OTHERS: list[tuple[int, object]] = [
    # One tool is at fault, not the model.
    (400, said("Invalid schema for function", param="tools[0].function.parameters")),
    (400, said("maximum context length is 4096 tokens. Please reduce the length; stop is unsupported.")),
    (400, said("'max_tokens' is too large: 99. This model's maximum context length is 50 tokens", param="max_tokens")),
    (400, said("max_tokens is too large", param="max_tokens", code="invalid_value")),
    (400, said("Failed to call a function. tools are not supported", code="tool_use_failed")),
    (400, said("Unsupported value: 'messages[0].role' does not support 'system'", param="messages[0].role")),
    (400, said("The image is not supported", param="messages")),
    (400, said("please do not stop there")),
    (401, said("stop is not supported")),
    (429, said("tools are not supported")),
    (500, said("stop is not supported")),
    (404, said("The model `stop` does not exist")),
    (400, ""),
]


@each(("status", "body"), OTHERS)
def test_other_errors_teach_nothing(status: int, body: object) -> None:
    assert refused_parameter(read_problem(status, body), SENT) == ""


def test_only_what_was_sent_can_be_refused() -> None:
    problem = read_problem(400, said("Unsupported parameter: 'stop'", param="stop"))
    assert refused_parameter(problem, ("temperature",)) == ""
    assert refused_parameter(read_problem(400, said("x does not support tools")), ("stop",)) == ""


def test_tool_choice_before_tools() -> None:
    """OpenRouter's 404 for a model whose providers cannot be told not to call."""
    problem = read_problem(404, said("No endpoints found that support the provided 'tool_choice' value."))
    assert refused_parameter(problem, ("tools", "tool_choice")) == "tool_choice"
    assert refused_parameter(problem, ("tools",)) == "tools"


@each(
    ("model", "reasoning"),
    [
        ("o1", True),
        ("o1-mini", True),
        ("o3-2025-04-16", True),
        ("o4-mini", True),
        ("gpt-5", True),
        ("gpt-5.4-mini", True),
        ("gpt-5-chat-latest", False),
        ("gpt-5.2-chat-latest", False),
        ("gpt-4o", False),
        ("gpt-4.1", False),
        ("o1x", False),
        ("text-o1", False),
    ],
)
def test_known_reasoning_models(model: str, reasoning: bool) -> None:
    refused = known("https://api.openai.com/v1", model)
    assert bool(refused) == reasoning
    if reasoning:
        assert {"stop", "temperature", "max_tokens"} <= refused
        assert known("https://openrouter.ai/api/v1", f"openai/{model}") == refused
        assert known("https://mine.openai.azure.com/openai/v1", model) == refused
    assert known("http://localhost:11434/v1", model) == frozenset()
    assert "tools" not in refused


def test_lessons_are_kept_apart_and_added_up() -> None:
    learned = Capabilities()
    threads = [Thread(target=learned.learn, args=("http://a/v1", "m", f"p{number}")) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert learned.refused("http://a/v1", "m") == {f"p{number}" for number in range(50)}
    assert learned.refused("http://a/v1", "n") == frozenset()
    assert Capabilities().refused("http://a/v1", "m") == frozenset()
    assert learned.takes_tools("http://a/v1", "m")
    learned.learn("http://a/v1", "m", "tools")
    assert not learned.takes_tools("http://a/v1", "m")
    assert learned.takes_tools("http://b/v1", "m")


@each(
    ("body", "message"),
    [
        (None, ""),
        (7, ""),
        ([], ""),
        ({}, ""),
        ("", ""),
        ("<html>not this</html>", ""),
        ("plain words", "plain words"),
        ("{broken", "{broken"),
        ("[" * 100_000, "[" * 100_000),
        ({"message": 7}, "7"),
        ({"error": {"message": None}}, ""),
        ({"error": {"error": {"error": {"error": {"error": {"error": {"error": "too deep"}}}}}}}, ""),
        ({"error": {"message": "outer", "metadata": {"raw": "inner"}}}, "inner"),
        ({"error": {"code": 400, "message": '{\n "error": {"code": 400, "message": "inner"}}'}}, "inner"),
    ],
)
def test_error_bodies_of_any_shape(body: object, message: str) -> None:
    assert read_problem(400, body).message == message


def test_the_status_an_error_names() -> None:
    assert read_problem(200, said("slow down", code=429)).status == 429
    assert read_problem(200, said("oops", code="1000")).status == 200
    assert read_problem(500, said("oops", code=429)).status == 500
    assert read_problem(400, said("x"), 3.0) == Problem(400, "x", "invalid_request_error", "", 3.0)
