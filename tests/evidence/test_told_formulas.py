"""What a value comes to at a rate that is said, prices in cents, and formulas of three cells that a line names."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

TICKETS = "ticket,price_eur,sold\nSingle,2.80,48210\nReturn,5.15,20360\nDay pass,7.90,11245\n"
METERS = "Zähler;kWh;Etage\nWerkstatt;1310;1\nBüro;742;2\nLager;811;1\n"
BOATS = "boat,trips,cancelled,fuel_t\nPetrel,318,24,12\nHeron,226,10,15\nDunlin,402,54,29\n"
CASH = "The club took in 214,340 euros from members and grants, and spent 389,500 euros on the hall."
RISE = "What if all prices rise by 6 %?"
CENTS = "Wir zahlen 34 Cent pro kWh. Was kostet uns der Strom?"


@each(
    ("answer", "figure", "observed", "question", "found"),
    [
        # The rate stands in the question, or in the sentence.
        ("With prices up 6 %, a day pass would cost €8.37.", "€8.37", TICKETS, RISE, "possible"),
        ("With prices up 6 %, a day pass would cost €8.73.", "€8.73", TICKETS, RISE, "not_found"),
        ("If sales keep growing at 8%, it would be 52,067 single tickets.", "52,067", TICKETS, "?", "possible"),
        ("If sales keep growing at 8%, it would be 56,027 single tickets.", "56,027", TICKETS, "?", "not_found"),
        # Cents of the question, in euros.
        ("Bei 0,34 € je kWh ist das viel.", "0,34 €", METERS, CENTS, "given"),
        ("Bei 0,43 € je kWh ist das viel.", "0,43 €", METERS, CENTS, "not_found"),
        ("Die Werkstatt kostet 445,40 €.", "445,40 €", METERS, CENTS, "possible"),
        ("Die Werkstatt kostet 454,40 €.", "454,40 €", METERS, CENTS, "not_found"),
        ("Zusammen macht das 973,42 €.", "973,42 €", METERS, CENTS, "possible"),
        # Three cells of a row below heads that the line names.
        ("Without cancelled ones, the Petrel makes 24.5 trips per t of fuel.", "24.5", BOATS, "?", "possible"),
        ("Without cancelled ones, the Petrel makes 25.4 trips per t of fuel.", "25.4", BOATS, "?", "not_found"),
        # Two totals of the lines above a long figure.
        ("- Income: 214,340 euros\n- Costs: 389,500 euros\n- The city pays 175,160 euros", "175,160 euros", CASH, "?",
         "possible"),
        ("- Income: 214,340 euros\n- Costs: 389,500 euros\n- The city pays 171,560 euros", "171,560 euros", CASH, "?",
         "differs"),
    ],
)  # fmt: skip
def test_formula_of_said_values(answer: str, figure: str, observed: str, question: str, found: str) -> None:
    assert verdict(answer, figure, observed, question) == found
