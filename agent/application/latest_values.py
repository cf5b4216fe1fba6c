"""The latest values of a kind, by name, within a bound."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")


class _Latest(LRUCache[str, T]):
    def __init__(self, most: int, end: Callable[[T], object]) -> None:
        super().__init__(most)
        self._end = end

    def popitem(self) -> tuple[str, T]:
        name, value = super().popitem()
        self._end(value)
        return name, value


class Kept(Generic[T]):
    """The ``most`` latest values, by name, for any thread. What is dropped for another is given to ``end``."""

    def __init__(self, most: int, end: Callable[[T], object] = id) -> None:
        # A cache is no safer between threads than a dictionary.
        self._values = _Latest(most, end)
        self._lock, self._end = RLock(), end

    def get(self, name: str) -> T | None:
        with self._lock:
            return self._values.get(name)

    def keep(self, name: str, value: T) -> None:
        with self._lock:
            self.drop(name)
            self._values[name] = value

    def made(self, name: str, make: Callable[[], T]) -> T:
        """The value of that name, made where there is none yet."""
        with self._lock:
            value = self.get(name)
            if value is None:
                self.keep(name, value := make())
            return value

    def take(self, name: str) -> T | None:
        """The value, which is not kept any more."""
        with self._lock:
            return self._values.pop(name, None)

    def drop(self, name: str) -> None:
        value = self.take(name)
        if value is not None:
            self._end(value)
