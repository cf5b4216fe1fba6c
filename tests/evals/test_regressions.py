"""Each planted regression is found, in the modes that can find it, by the expectations that are about it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import pytest

from agent.evals.kept_test import MODES
from tests.support.kept_tests import failed, kept, tried
from tests.support.planted_regressions import PLANTED, Planted


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_regression_is_found_where_it_can_be(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    test = kept(planted)
    for mode in MODES:
        before = tried(test, mode, planted.kept)
        assert before.passed, (mode, [(str(grade.said), str(grade.why)) for grade in before.failed])
        assert before.missed == 0
    if planted.patch:
        place, made = planted.patch
        module, _, name = place.rpartition(".")
        monkeypatch.setattr(place, made(getattr(import_module(module), name)))
    for mode in MODES:
        wanted: Sequence[str] = planted.found.get(mode, ())
        now = tried(test, mode, planted.broken)
        assert failed(now) >= set(wanted), (mode, failed(now))
        assert bool(failed(now)) == bool(wanted), (mode, [(str(grade.said), str(grade.why)) for grade in now.failed])
