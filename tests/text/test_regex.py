"""Patterns that are compiled at their first use: each of the project's compiles, and answers as one of ``re`` does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent.text.atomic_groups import with_atomic_groups
from agent.text.regex import regex

# All modules that a start does not lock up or that need what is not installed.
_COMPILED = """
import gc, importlib, pkgutil, agent, pages
from agent.text.regex import Regex
gc.disable()
for room in (agent, pages):
    for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
found = [each for each in gc.get_objects() if isinstance(each, Regex)]
for each in found:
    each.flags
print(len(found))
"""


def test_it_answers_as_the_pattern_does() -> None:
    later, at_once = regex(r"(?P<word>[a-z]+)\d", re.I), re.compile(r"(?P<word>[a-z]+)\d", re.I)
    text = "Ab1 cd2"
    assert later.pattern == at_once.pattern
    assert later.findall(text) == at_once.findall(text) == ["Ab", "cd"]
    assert later.sub("x", text) == at_once.sub("x", text)
    assert (later.flags, later.groups, later.groupindex) == (at_once.flags, at_once.groups, at_once.groupindex)
    match = later.search(text)
    assert match and match["word"] == "Ab"
    assert regex(rb"\d").findall(b"a1") == [b"1"]


def test_an_error_in_it_is_told_where_it_is_used() -> None:
    later = regex("(")
    with pytest.raises(re.error, match="missing"):
        later.search("a")


@pytest.mark.parametrize(
    ("possessive", "atomic"),
    [
        (r"(?:a|ab)*+c", r"(?>(?:a|ab)*)c"),
        (r"((?:x(y)?+)++[)\]]*+)+?\)?+", r"((?>(?:x(?>(y)?))+)[)\]]*+)+?\)?+"),
        (r"(?P<one>[]a(])(?=b){2,3}+(?P=one)", r"(?P<one>[]a(])(?>(?=b){2,3})(?P=one)"),
        (r"[(a)*+]\(b\)*+c++", r"[(a)*+]\(b\)*+c++"),
    ],
)
def test_possessive_groups_as_atomic_ones(possessive: str, atomic: str) -> None:
    assert with_atomic_groups(possessive) == atomic
    assert re.compile(possessive).groups == re.compile(atomic).groups


@pytest.mark.slow
def test_every_pattern_of_the_project_compiles() -> None:
    root = Path(__file__).parents[2]
    told = subprocess.run([sys.executable, "-c", _COMPILED], cwd=root, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert int(told.stdout) > 1000
