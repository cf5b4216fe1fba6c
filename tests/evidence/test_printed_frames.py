"""What Python prints one below the other, hours and dates of rows, amounts in pence, and days that calls asked for."""

from __future__ import annotations

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import verdict

STACKED = """(1840, 7)
count    1840.00
mean       83.12
std        48.37
Name: amount, dtype: float64
         orders   revenue     avg  returned
channel                                    
web         857  71016.54  82.866     0.079
app         560  48047.81  85.800     0.086
store       343  27061.64  78.897     0.087
phone        80   6810.52  85.132     0.125
         count       sum
date                    
2025-01    624  53102.18
2025-02    605  49282.26
2025-03    611  50552.07
species  Alder  Birch  Rowan  All
plot                             
A           17     15      7   39
B           20     15      8   43
All         37     30     15   82
"""
HOURLY = """timestamp
3     0.387
7     0.638
12    0.359
19    1.044
Name: kwh, dtype: float64
"""
DUE = """| invoice_no | customer       | amount   | due        |
|------------|----------------|----------|------------|
| INV-71     | Pelham Joinery | 4,180.00 | 2025-01-11 |
| INV-02     | Rook and Sons  | 1,265.50 | 2025-02-02 |
| INV-15     | Estuary Pumps  | 9,740.00 | 2025-02-13 |
| INV-58     | Castell Dental |   688.20 | 2025-03-13 |
"""
OVERDUE = """As of 15 March 2025:

| Invoice | Due | Days overdue |
|---|---|---|
| INV-71 | 11 Jan | 63 |
| INV-02 | 2 Feb | {second} |
| INV-15 | 13 Feb | 30 |
| INV-58 | 13 Mar | 2 |
"""
VISIT = (
    "Opening times. April to October: Tuesday to Sunday, 10.00 to 17.30. Last admission is 45 minutes before closing. "
    "Tickets: adults £11.45. Está prohibido regar entre las 8 y las 22 horas."
)
CHURN = "month,new,churn\n2024-01,6200,-1850\n2024-02,5400,-2400\n2024-03,7900,-2050\n"
PAYOUT = (
    '{"id": "po_7", "amount": 1846372, "currency": "gbp", "refunds": {"count": 11, "gross": -62480}, "net": 1846372}'
)


def test_each_print_is_a_table_of_its_own() -> None:
    heads = [table.column_heads for table in tables_in(STACKED)]
    assert heads == [
        ("", ""),
        ("", "orders", "revenue", "avg", "returned"),
        ("", "count", "sum"),
        ("species", "alder", "birch", "rowan", "all"),
    ]


@each(
    ("answer", "text", "expected", "observed"),
    [
        ("Web brings in 46.4% of all revenue.", "46.4%", "worked_out", STACKED),
        ("Web brings in 44.6% of all revenue.", "44.6%", "not_found", STACKED),
        ("In February there were 605 orders for 49,282.26.", "49,282.26", "seen", STACKED),
        ("Plot B has the most trees (43).", "43", "elsewhere", STACKED),
        ("Use peaks at 7 pm.", "7 pm", "elsewhere", HOURLY),
        ("Use peaks at 9 pm.", "9 pm", "not_found", HOURLY),
        (OVERDUE.format(second="41"), "41", "worked_out", DUE),
        (OVERDUE.format(second="41"), "63", "worked_out", DUE),
        (OVERDUE.format(second="14"), "14 |", "differs", DUE),
        ("Open from 10:00 to 17:30.", "17:30", "seen", VISIT),
        ("Open from 10:00 to 17:30, last admission at 16:45.", "16:45", "possible", VISIT),
        ("Open until 18:30.", "18:30", "not_found", VISIT),
        ("Open from 11:45.", "11:45", "not_found", VISIT),
        ("Prohibido regar de 8:00 a 22:00.", "22:00", "seen", VISIT),
        ("Prohibido regar de 8:00 a 21:00.", "21:00", "not_found", VISIT),
        ("Churn in 2024-02 was 2,400.", "2,400", "seen", CHURN),
        ("New in 2024-02 was -5,400.", "-5,400", "differs", CHURN),
        ("The amount is £18,463.72.", "£18,463.72", "seen", PAYOUT),
        ("The amount is £18,436.72.", "£18,436.72", "not_found", PAYOUT),
        ("The gross of refunds is £624.80.", "£624.80", "seen", PAYOUT),
    ],
)
def test_a_claim_over_what_programs_print(answer: str, text: str, expected: str, observed: str) -> None:
    assert verdict(answer, text, observed, "What of 15 March 2025?") == expected


@each(
    ("answer", "text", "expected"),
    [
        ("Six quakes from 5 May 2025 on.", "5 May", "given"),
        ("Six quakes from 6 May 2025 on.", "6 May", "not_found"),
        ("Six quakes from Mon 5 May to Sun 11 May.", "5 May", "given"),
        ("Six quakes until 11 May 2025.", "11 May", "given"),
        ("Six quakes until 12 May 2025.", "12 May", "given"),
        ("Six quakes in May 2025.", "May 2025", "given"),
        ("Six quakes in Q2 2025.", "Q2 2025", "not_found"),
    ],
)
def test_a_day_that_a_call_asked_for(answer: str, text: str, expected: str) -> None:
    call = "SELECT count(*) FROM quakes WHERE day >= '2025-05-05' AND day < '2025-05-12'"
    assert verdict(answer, text, "six quakes", "?", call) == expected
