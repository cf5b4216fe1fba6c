"""Amounts of money on the pages: never so few places that some is shown as none."""

from __future__ import annotations

from pages.ui.widgets.figures import dollars


def test_small_amounts_and_small_caps_have_places_enough() -> None:
    shown = [
        (dollars(used, most), dollars(most))
        for used, most in ((0.0004, 0.01), (0.01, 0.01), (0.0, 0.01), (0.00002, 0.002), (0.0421, 0.1), (1.239, 5.0))
    ]
    assert shown == [
        ("0.0004", "0.01"),
        ("0.01", "0.01"),
        ("0.00", "0.01"),
        ("0.00002", "0.002"),
        ("0.04", "0.10"),
        ("1.24", "5.00"),
    ]
    assert [dollars(amount) for amount in (0.0, 0.0003, 0.05, 12.5)] == ["0.00", "0.0003", "0.05", "12.50"]
