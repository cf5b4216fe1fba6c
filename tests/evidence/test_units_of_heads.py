"""A quantity that a head has in its name is no unit of its column: "temperature_2m", "price_60kg"."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

STATION = '{"station": "Vik", "now": {"temperature_2m": 11.4, "wind_speed_10m": 7.2, "soil_depth_cm": 18}}'
RICE = "region,price_eur_60kg,harvest_t\nVal,81.50,12040\nRiva,79.20,9870\n"
RUNS = "runner,time_100m,weight_kg\nIda,11.42,58\nMei,11.87,54\n"


@each(
    ("text", "answer", "figure", "expected"),
    [
        (STATION, "It is 11.4 °C in Vik.", "11.4", "seen"),
        (STATION, "In Vik the wind blows at 7.2 m/s.", "7.2", "seen"),
        (STATION, "The wind blows at 11.4 m/s.", "11.4", "elsewhere"),
        (STATION, "The soil is 18 cm deep.", "18", "seen"),
        (STATION, "The soil is 11.4 cm deep.", "11.4", "differs"),
        (RICE, "In Val the price is €81.50 for 60 kg.", "81.50", "seen"),
        (RICE, "In Val the price is €79.20 for 60 kg.", "79.20", "elsewhere"),
        (RICE, "Val harvested 12,040 t.", "12,040", "seen"),
        (RUNS, "Ida ran 100 m in 11.42 seconds.", "11.42", "seen"),
        (RUNS, "Ida weighs 58 kg.", "58", "seen"),
        (RUNS, "Ida weighs 11.42 kg.", "11.42", "elsewhere"),
    ],
)
def test_what_a_head_measures_is_not_what_it_is_measured_at(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected
