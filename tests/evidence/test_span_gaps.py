"""How long it is between observed times: of rows, of a row and the best, of lines in turn; and sums of times."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

RELAY = """team,leg_1,leg_2,leg_3,penalty_s
Kestrel,00:41:12,00:39:55,00:44:08,30
Marlin,00:41:50,00:39:20,00:43:31,0
Osprey,00:43:05,00:41:02,00:45:40,60
Plover,00:42:27,00:40:16,00:44:59,0
"""
FERRY = """boat,leaves,arrives
Alba,06:20,07:05
Brise,07:15,08:10
Corail,08:30,09:20
"""
LOG = """2025-03-02 21:14:05 INFO  job=backup-7 started, 4 disks
2025-03-02 22:40:31 WARN  disk 3 slow, retrying
2025-03-02 22:43:10 INFO  disk 3 back
2025-03-03 00:58:20 INFO  job=backup-7 finished, 812 GB
2025-03-03 01:05:00 INFO  job=index-2 started
2025-03-03 03:41:00 INFO  job=index-2 finished
"""
STANDINGS = """| # | Team | Time | Gap |
|---|---|---|---|
| 1 | Marlin | 2:04:41 | – |
| 2 | Kestrel | 2:05:{kestrel} | +1:04 |
| 3 | Plover | 2:07:42 | +3:01 |
| 4 | Osprey | 2:10:47 | +{gap} |
"""


@each(
    ("answer", "figure", "observed", "found"),
    [
        # Sums of three times and a penalty, and how far each is behind the first, row by row.
        (STANDINGS.format(kestrel="45", gap="6:06"), "2:05:45", RELAY, "worked_out"),
        (STANDINGS.format(kestrel="45", gap="6:06"), "6:06", RELAY, "worked_out"),
        (STANDINGS.format(kestrel="54", gap="6:06"), "2:05:54", RELAY, "differs"),
        (STANDINGS.format(kestrel="45", gap="7:16"), "7:16", RELAY, "not_found"),
        # What the table of the answer says is told again.
        ("Kestrel needed 2:05:45.\n\n" + STANDINGS.format(kestrel="45", gap="6:06"), "2:05:45", RELAY, "possible"),
        ("Marlin won, 64 seconds ahead.\n\n" + STANDINGS.format(kestrel="45", gap="6:06"), "64 s", RELAY, "possible"),
        # A row and the best of a column, and two rows.
        ("On leg 1 the Osprey lost 1:53.", "1:53", RELAY, "possible"),
        ("On leg 1 the Osprey lost 2:37.", "2:37", RELAY, "differs"),
        ("On leg 2 Marlin took 35 seconds out of Kestrel.", "35 seconds", RELAY, "possible"),
        ("On leg 2 Marlin took 53 seconds out of Kestrel.", "53 seconds", RELAY, "not_found"),
        # The next row of a timetable, and a row by itself.
        ("The Alba leaves at 06:20, the next boat 55 minutes later.", "55 minutes", FERRY, "possible"),
        ("The Alba leaves at 06:20 and needs 45 minutes.", "45 minutes", FERRY, "worked_out"),
        ("The Alba leaves at 06:20, the next boat 85 minutes later.", "85 minutes", FERRY, "not_found"),
        # Lines of a log, over midnight, too.
        ("- **22:40**: disk 3 was slow, and back 2.7 minutes later", "2.7 minutes", LOG, "possible"),
        ("- **22:40**: disk 3 was slow, and back 7.2 minutes later", "7.2 minutes", LOG, "not_found"),
        ("The backup-7 took 3 h 44 min.", "3 h 44", LOG, "not_found"),
        ("The job index-2 ran for 156 minutes.", "156 minutes", LOG, "not_found"),
        ("It ran from 21:14 to 00:58, so almost 4 hours.", "4 hours", LOG, "worked_out"),
    ],
)
def test_span_between_observed_times(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found
