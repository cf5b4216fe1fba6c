"""What is made of a signature is made once, and nothing of one tool is another's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from agent.settings import read_settings
from agent.toolkit.base import Tool, tool
from agent.tools.catalogue import CATALOGUE, toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts


def typed(annotation: Any, *default: Any, description: str = "Does.", about: str = "It.") -> Tool:
    """A tool of one parameter, of a function made now."""

    def made(it: Any = default[0] if default else None) -> str:
        return repr(it)

    made.__annotations__["it"] = annotation
    made.__defaults__ = default or None
    made.__doc__ = f"{description}\n\nArgs:\n    it: {about}\n"
    return tool(made)


def around(what: str) -> Tool:
    @tool(description=f"About {what}.")
    def same(text: str, count: int = 1) -> str:
        """Does.

        Args:
            text: What is said.
        """
        return f"{what}: {text * count}"

    return same


def test_tools_around_different_things_share_a_model_and_nothing_else() -> None:
    mine, theirs = around("mine"), around("theirs")
    assert mine.model is theirs.model
    assert (mine.description, theirs.description) == ("About mine.", "About theirs.")
    assert mine.call({"text": "a", "count": 2}).text == "mine: aa"
    assert theirs.call({"text": "a"}).text == "theirs: a"
    assert mine.parameters == theirs.parameters
    fields: Any = mine.parameters["properties"]
    fields["text"]["description"] = "changed"
    assert "changed" not in str(theirs.parameters) + str(around("a third").parameters)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: typed(int | str), lambda: typed(str | int)),
        (lambda: typed(Literal["a", "b"]), lambda: typed(Literal["b", "a"])),
        (lambda: typed(Literal[1]), lambda: typed(Literal[True])),
        (lambda: typed(int, 1), lambda: typed(float, 1)),
        (lambda: typed(bool | int, 1), lambda: typed(bool | int, True)),
        (lambda: typed(float, 1), lambda: typed(float, 1.0)),
        (lambda: typed(int), lambda: typed(int, 1)),
        (lambda: typed(int | None), lambda: typed(int | None, None)),
        (lambda: typed(int, about="It."), lambda: typed(int, about="Another.")),
    ],
)
def test_what_is_nearly_the_same_is_kept_apart(one: Callable[[], Tool], other: Callable[[], Tool]) -> None:
    first, second, again = one(), other(), one()
    assert first.model is again.model is not second.model
    assert repr(first.parameters) == repr(again.parameters)
    assert repr(first.parameters) != repr(second.parameters) or first.call({}) != second.call({})


ALARM = """
from __future__ import annotations

@tool
def alarm(level: Level) -> str:
    "Raises the alarm."
    return level
"""


def alarm(*levels: str) -> Tool:
    """Of a file that was read once more, and says the same of another type."""
    names: dict[str, Any] = {"Level": Literal[*levels], "tool": tool}
    exec(compile(ALARM, "alarm.py", "exec"), names)
    return names["alarm"]


def test_a_type_of_the_same_name_is_another_one() -> None:
    assert alarm("low", "high").prepare("high").arguments == {"level": "high"}
    assert alarm("off", "on").parameters["properties"] == {"level": {"enum": ["off", "on"], "type": "string"}}
    assert alarm("low", "high").prepare("low").arguments == {"level": "low"}


def test_a_default_that_cannot_be_told_apart_is_not_kept() -> None:
    first, second = typed(list[str], ["a"]), typed(list[str], ["a"])
    assert first.model is not second.model and first.parameters == second.parameters
    assert first.call({}).text == second.call({}).text == "['a']"


def test_a_failure_is_told_each_time() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="not of its type: it"):
            typed(int, "x")


def test_the_tools_of_the_next_question_are_not_made_anew() -> None:
    parts = Parts(read_settings({}), SearchCache())
    names = [entry.name for entry in CATALOGUE if entry.needs(parts) is None]
    first, second = toolbox(parts, names).tools, toolbox(parts, names).tools
    assert len(first) >= 9
    for one, other in zip(first, second, strict=True):
        assert one.model is other.model and one.parameters == other.parameters
