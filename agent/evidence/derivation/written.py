"""Numbers and units as a derivation shows them."""

from __future__ import annotations

from fractions import Fraction

from agent.text.quantities.units import Unit

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_LARGEST = Fraction(10**21)


def written(value: Fraction, unit: Unit | None = None) -> str:
    """At most six digits behind the point, with thousands in groups: "1,243,500", "12.222222 °C", "18%"."""
    if abs(value) >= _LARGEST:
        text = f"about 10^{len(str(int(abs(value)))) - 1}" if abs(value) < 10**300 else "a huge number"
    else:
        text = f"{float(value):,.6f}" if value.denominator != 1 else f"{int(value):,}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    text = text.replace("-", "−")
    if unit is None:
        return text
    if unit.name in _SIGNS:
        return f"{_SIGNS[unit.name]}{text}"
    return f"{text}{unit.name}" if unit.name in ("%", "割") else f"{text} {unit.name}"
