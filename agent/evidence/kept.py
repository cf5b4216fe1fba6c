"""Methods whose results are kept with their object, for whoever asks the same again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MethodType
from typing import Any, TypeVar, cast

_Method = TypeVar("_Method", bound=Callable[..., Any])
_FEW = 1_000


class _Kept:
    """Gives way, in an object that is asked for it, to the method with its results."""

    def __init__(self, method: Callable[..., Any], most: int | None) -> None:
        self._method, self._most = method, most

    def __get__(self, one: object, _: type) -> object:
        found = lru_cache(self._most)(MethodType(self._method, one))
        return vars(one).setdefault(self._method.__name__, found)


def kept(method: _Method) -> _Method:
    """A method that keeps all its results: its arguments are places, numbers or words."""
    return cast(_Method, _Kept(method, None))


def kept_last(method: _Method) -> _Method:
    """A method that keeps its last thousand results."""
    return cast(_Method, _Kept(method, _FEW))
