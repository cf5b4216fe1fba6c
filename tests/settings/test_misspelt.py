"""Names that look like a setting and are none: they are refused, so that no cap is left out without a word."""

from __future__ import annotations

import pytest

from agent.errors import BadSettings
from agent.settings import read_settings
from tests.support.cases import each


@each(
    ("environ", "secrets", "told"),
    [
        ({"GLASSBOX_DAY_MONY": "0.001"}, {}, "GLASSBOX_DAY_MONY is no setting (GLASSBOX_DAY_MONEY may be meant)"),
        ({}, {"glassbox": {"day_mony": 0.001}}, "day_mony in [glassbox] is no setting (day_money may be meant)"),
        ({}, {"glassbox": {"DAY_MONEY": 0.001}}, "DAY_MONEY in [glassbox] is no setting (day_money may be meant)"),
        ({}, {"glassbox": {"nosuch": 1}}, "nosuch in [glassbox] is no setting"),
        ({}, {"Glassbox": {"day_money": 1}}, "the section [Glassbox] of secrets.toml must be called [glassbox]"),
        ({}, {"day_money": 1}, "day_money stands above the sections of secrets.toml and belongs into [glassbox]"),
        ({}, {"glassbox": "x"}, "glassbox in secrets.toml must be a section, [glassbox]"),
        ({}, {"keys": {"OPENAI_API_KEY": "k"}}, "OPENAI_API_KEY in [keys] is no setting (openai may be meant)"),
    ],
)
def test_a_misspelt_setting_is_refused(environ: dict[str, str], secrets: dict[str, object], told: str) -> None:
    with pytest.raises(BadSettings) as refused:
        read_settings(environ, secrets)
    assert str(refused.value) == f"Settings to correct: {told}."
    assert "0.001" not in str(refused.value)


def test_what_other_programs_are_told_is_theirs() -> None:
    settings = read_settings({"GLASSBOX_RELEASE_OF_OUR_IMAGE": "7"}, {"auth": {}, "keys": {"of_own_tool": "k"}})
    assert settings.day_money == 0


def test_lists_of_toml() -> None:
    settings = read_settings({}, {"glassbox": {"models": ["a", "b"], "approve": ["search"], "tools": ["now"]}})
    assert (settings.models, settings.approve, settings.tools) == (("a", "b"), ("search",), ("now",))
