from __future__ import annotations

import pytest

from agent.errors import BadPrompt
from agent.prompts import FOLDER, LANGUAGES, render, source, variables_of
from agent.prompts.labels import LABELS

NAMES = sorted(path.stem for path in (FOLDER / "en").glob("*.txt"))


def test_every_language_has_every_template_with_the_same_variables() -> None:
    assert set(LANGUAGES) == set(LABELS) == {"en", "ja"}
    for language in LANGUAGES:
        assert sorted(path.stem for path in (FOLDER / language).glob("*.txt")) == NAMES
        for name in NAMES:
            assert variables_of(source(language, name)) == variables_of(source("en", name)), (language, name)


@pytest.mark.parametrize("style", ["react", "conversational"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_prompts_teach_the_labels_the_reader_is_told_of(language: str, style: str) -> None:
    lines = source(language, style).splitlines()
    for label in (getattr(LABELS[language], slot) for slot in LABELS[language].__slots__):
        assert any(line.startswith(f"{label}:") for line in lines), label


def test_missing_and_unused_variables_fail() -> None:
    with pytest.raises(BadPrompt, match="missing question; not used nothing"):
        render("en", "merge_input", history="h")
    with pytest.raises(BadPrompt, match="missing nothing; not used more"):
        render("en", "native", today="t", more="m")
    assert render("en", "limit_steps", count="3") == "3 steps"
    assert render("en", "limit_steps_one") == "1 step"


def test_values_are_not_read_as_templates() -> None:
    assert render("en", "format", problem="${today}").startswith("Your last reply could not be used: ${today}")


@pytest.mark.parametrize(
    ("language", "name"), [("xx", "react"), ("en", "nope"), ("en", "../en/react"), ("../en", "react")]
)
def test_unknown_templates_are_named(language: str, name: str) -> None:
    with pytest.raises(BadPrompt, match="no prompt"):
        source(language, name)
