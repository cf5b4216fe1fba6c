"""Which models are small ones, by what servers tell and by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.models.capabilities import Capabilities
from agent.models.model_size import is_small
from agent.models.refusals.lessons import SMALL, note
from tests.support.cases import each

HOME = "http://127.0.0.1:8080/v1"


@each(
    ("name", "small"),
    [
        ("qwen2.5-coder:1.5b", True),
        ("qwen1.5b", True),
        ("Llama-3.2-3B-Instruct-Q4_K_M.gguf", True),
        ("gemma-3-4b-it", True),
        ("SmolLM2-135M", True),
        ("llama3.1:8b", False),
        ("Qwen/Qwen1.5-7B-Chat", False),
        ("qwen3-30b-a3b", False),
        ("mixtral-8x7b", False),
        ("gemma3n:e2b", False),
        ("qwen2.5-7b-instruct-1m", False),
        ("kimi-1M", False),
        ("phi-3-mini-4k-instruct-4bit", False),
        ("", False),
    ],
)
def test_a_name_tells_the_size(name: str, small: bool) -> None:
    assert is_small({}, name) is small
    assert Capabilities().is_small(HOME, name) is small
    assert not Capabilities().is_small("https://api.example.com/v1", name)


@each(
    ("row", "small"),
    [
        ({"meta": {"n_params": 1_777_088_000}}, True),
        ({"meta": {"n_params": 7_615_616_512}}, False),
        ({"details": {"parameter_size": "494.03M"}}, True),
        ({"details": {"parameter_size": "7.6B"}}, False),
        ({"model_info": {"general.parameter_count": 494_032_768}}, True),
        ({"params_string": "3B"}, True),
        ({"meta": {"n_params": True}}, False),
        ({"meta": {"n_params": -5}}, False),
        ({"meta": {"n_params": 10**400}}, False),
        ({"meta": {"n_params": float("nan")}}, False),
        ({"meta": None, "details": [], "params_string": "?"}, False),
        ({"details": {"parameter_size": "9" * 100_000}}, False),
    ],
)
def test_a_row_tells_the_size(row: Mapping[str, Any], small: bool) -> None:
    assert is_small(row) is small


def test_what_a_server_tells_goes_before_the_name() -> None:
    assert is_small({"meta": {"n_params": 1_777_088_000}}, "made-70b")
    assert not is_small({"meta": {"n_params": 7_615_616_512}}, "made-1b")
    assert is_small({"meta": {"n_params": None}}, "made-1b")


def test_what_was_learned_of_a_model_is_said_in_a_sentence() -> None:
    capabilities = Capabilities()
    capabilities.learn(HOME, "m", SMALL)
    assert capabilities.is_small(HOME, "m") and not capabilities.is_small(HOME, "n")
    assert "small" in note(SMALL)
    capabilities.forget(HOME, "m")
    assert not capabilities.is_small(HOME, "m")
