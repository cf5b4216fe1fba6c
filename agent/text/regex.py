"""Regular expressions that are compiled at their first use: compiling them all was half of the work of a start."""

from __future__ import annotations

import re
import sys
from typing import Any, AnyStr, cast

from agent.text.atomic_groups import with_atomic_groups

_POSSESSIVE_GROUPS = sys.version_info >= (3, 11, 5)  # whether ``re`` matches them as it should
_ASKED = (
    *("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"),
    *("flags", "groups", "groupindex"),
)


class Regex:
    """Stands for a pattern of ``re``, and compiles it when anything but its source is asked of it."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._given = flags

    def __getattr__(self, name: str) -> Any:
        """One of the compiled pattern's own. All of them are kept, so that the next is found without this."""
        given, flags = self.pattern, self._given
        compiled = compiled_regex(given, flags) if isinstance(given, str) else re.compile(given, flags)
        vars(self).update({each: getattr(compiled, each) for each in _ASKED})
        return getattr(compiled, name)


def compiled_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, at once, and with possessive groups that are matched rightly on each Python."""
    return re.compile(pattern if _POSSESSIVE_GROUPS else with_atomic_groups(pattern), flags)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, for a module's constants; an error in ``pattern`` comes at its first use.

    ``re``'s own functions do not take it (``NAME.sub(…)``, not ``re.sub(NAME, …)``), and no match has it as its ``re``.
    """
    return cast("re.Pattern[AnyStr]", Regex(pattern, flags))
