"""What is no value of a sentence: a year that it counts, the mark of a line. What is read beside a table or apart."""

from __future__ import annotations

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Pages, check, read_ahead
from agent.evidence.gathering import gather
from agent.evidence.pages import OWN
from agent.evidence.tables.table_forms import tables_in
from agent.messages import Usage
from tests.support.cases import each
from tests.support.traced import verdict

TRAMS = "Line|Colour|Stops|Opened|Riders per day\n---|---|---|---|---\nT1|red|23|1974|310,000\nT2|blue|18|1983|245,000"
TOWNS = "Town,1990,2000,2010,2020\nErle,45210,48777,52340,50912\nSund,18004,22310,27655,31480"
BOATS = (
    "1. Tern: launched 1972, 3 crew, 12 days\n2. Teal: launched 1975, 2 crew, 28 days\n3. Skua: launched 1981, 5 crew"
)
SONGS = "Song|Peak UK|Peak US|Year\n---|---|---|---\nGlass|3|27|1994\nPaper|1|12|1997"
CROWDS = "Year|Winner|Crowd\n---|---|---\n2018|Ida Lund|54,900\n2019|Mia Sand|58,100\n2020|Ida Lund|61,300"
COINS = "Ville;Année;Prix (€)\nArles;2015;36,50\nNice;2016;24,00\nGap;2018;58,00"
STEEL = "| Land | 2019 | 2020 |\n|---|---|---|\n| Nord | 111.4 | 100.3 |\n| Sud | 99.3 | 83.2 |\n(million tonnes)"
HALLS = "The museum has eight halls on 2 floors, employs 11 guides and counts 882,000 visitors a year, from 44 lands."
SCOPES = (
    '[{"name": "Orla", "mirror_m": 8.2, "altitude_m": 2635, "first_light": 1999},'
    ' {"name": "Tanno", "mirror_m": 3.6, "altitude_m": 4205, "first_light": 1979}]'
)
SCHULEN = "Schule|Schüler|Klassen|Gegründet\n---|---|---|---\nSchule am Markt|842|32|1904\nRealschule|615|25|1968"
SHIPS = "Ship|Built|Tonnage|Crew\n---|---|---|---\nAurora|1998|69,153|850\nStella|2006|112,894|1,100"
COSTS = (
    "Item|2021 budget|2021 actual|2022 budget|2022 actual\n---|---|---|---|---\n"
    "Roads|4,800|5,020|5,100|4,975\nParks|1,250|1,190|1,300|1,342"
)
FARMS = "Farm: Greenacre; cows: 120; sheep: 340; hectares: 210\nFarm: Lowfield; cows: 65; sheep: 0; hectares: 88"
PLAYERS = "Section|Players|Vacancies\n---|---|---\nViolins|28|5\nCellos|10|2\nHorns|8|0"
SOIL = "Plot|pH|Moisture\n---|---|---\nA|6.2|22%\nB|6.9|20%"


@each(
    ("text", "answer", "figure", "expected"),
    [
        (TRAMS, "Every day 1974 people ride the red line.", "1974", "elsewhere"),
        (TRAMS, "In 1974 people first rode the red line.", "1974", "seen"),
        (TRAMS, "The 1974 lines were red.", "1974", "seen"),
        (TRAMS, "The red line has run since 1974.", "1974", "seen"),
        (TRAMS, "The blue line opened in 18.", "18", "elsewhere"),
        (TRAMS, "The blue line opened in 1983.", "1983", "seen"),
        (TRAMS, "The blue line opened with 18 stops.", "18", "seen"),
        (TOWNS, "In 2010 Erle counted 2000 people.", "2000", "elsewhere"),
        (TOWNS, "In 2000 Erle counted 48,777 people.", "2000", "seen"),
        (BOATS, "Skua had a crew of 2.", "2", "elsewhere"),
        (BOATS, "Skua had a crew of 5.", "5", "seen"),
        (SONGS, "Glass peaked at 27 in the United States.", "27", "seen"),
        (SONGS, "Glass peaked at 3 in the United States.", "3", "elsewhere"),
        (CROWDS, "In 2019 the crowd was 58,100.", "2019", "seen"),
        (CROWDS, "In 2018 the crowd was 58,100.", "2018", "elsewhere"),
        (COINS, "Le prix à Nice est de 24,00 €.", "24,00 €", "seen"),
        (COINS, "Le prix à Nice est de 58,00 €.", "58,00 €", "elsewhere"),
        (STEEL, "Sud made 83.2 million tonnes in 2020.", "83.2", "seen"),
        (STEEL, "Sud made 83.2 million tonnes in 2019.", "83.2", "elsewhere"),
        (HALLS, "The museum has 2 halls on two floors.", "2 halls", "differs"),
        (HALLS, "The museum has eight halls on 2 floors.", "2 floors", "seen"),
        (TRAMS, "The red line has 1974 stops.", "1974", "elsewhere"),
        (SCOPES, "Orla saw first light in 8.2.", "8.2", "elsewhere"),
        (SCOPES, "Orla has worked since 2635.", "2635", "elsewhere"),
        (SCOPES, "Orla has worked since 1999.", "1999", "seen"),
        (SCOPES, "Orla stands 8.2 metres above the sea.", "8.2 metres", "elsewhere"),
        (SCOPES, "The mirror of Orla is 8.2 metres wide.", "8.2 metres", "seen"),
        (SCHULEN, "Die Schule am Markt hat 1904 Schüler.", "1904", "elsewhere"),
        (SCHULEN, "Die Schule am Markt hat 842 Schüler.", "842", "seen"),
        (SHIPS, "The Aurora measures 1998 tons.", "1998 tons", "elsewhere"),
        (COSTS, "Roads spent 5,100 in 2021 against a budget of 4,800.", "5,100", "elsewhere"),
        (COSTS, "Roads spent 5,020 in 2021 against a budget of 4,800.", "5,020", "seen"),
        (COSTS, "Between 2021 and 2022 the roads budget rose from 4,800 to 5,100.", "4,800", "seen"),
        (FARMS, "Greenacre keeps 120 sheep.", "120", "elsewhere"),
        (FARMS, "Greenacre keeps 340 sheep.", "340", "seen"),
        (FARMS, "Lowfield covers 210 hectares.", "210", "elsewhere"),
        (PLAYERS, "The cellos have 3 vacancies.", "3", "not_found"),  # three rows are no count of them
        (SOIL, "Plot A has a moisture of 35%.", "35%", "not_found"),  # 34.5 is 6.9 ÷ 20 %, and no share
    ],
)
def test_a_figure_is_a_value_of_its_row_and_column_or_none(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


def test_semicolons_part_cells_and_not_what_a_line_says() -> None:
    (table,) = tables_in(COINS)
    assert [cell.text for cell in table.rows[2]] == ["Nice", "2016", "24,00"]
    assert tables_in("It rained; it snowed; it was dark.\nThey sang; they ate; they slept.") == []


def test_a_unit_that_is_not_known_is_no_name() -> None:
    claims = check(run(("Transport: 98.9 Mt in 2020",), "Transport emitted 98.9 Mt in 2020.")).claims
    assert [claim.text for claim in claims if claim.kind == "name"] == ["Transport"]


def run(observed: tuple[str, ...], answer: str) -> list[Event]:
    events: list[Event] = [Asked("?", 1_795_219_200.0)]
    for number, text in enumerate(observed):
        call = f"c{number}"
        events += [Replied("t", "thought", Usage(), 1.0, 0.1), ToolCalled(call, "query", "", {}), Observed(call, text)]
    return [*events, Answered(answer)]


def test_a_text_that_comes_again_is_read_once_and_keeps_its_own_places() -> None:
    answer = "T1 has 23 stops, and T2 has 18 stops; together they have 41."
    twice = run((TRAMS, TOWNS, TRAMS), answer)
    first, _, again = gather(twice, (), Pages()).sources.texts[:3]
    assert again.tables is first.tables
    assert again.scan is first.scan
    claims = {claim.text: claim for claim in check(twice).claims}
    assert {place.call_id for place in claims["23"].places} == {"c0", "c2"}
    once = {claim.text: claim.verdict for claim in check(run((TRAMS, TOWNS), answer)).claims}
    assert {text: claim.verdict for text, claim in claims.items()} == once


def test_what_was_read_ahead_is_not_read_again_and_says_the_same() -> None:
    events = run((TRAMS, TOWNS), "T1 has 23 stops, and T2 has 18 stops; together they have 41.")
    pages = Pages()
    read_ahead(events[:-1], pages)
    read = [pages.page(text, True) for text in (TRAMS, TOWNS)]
    before = [vars(page)["scan"] for page in read]
    assert check(events, (), pages) == check(events)
    assert all(one.scan is other for one, other in zip(read, before, strict=True))


def test_only_so_much_is_kept_of_what_was_read() -> None:
    pages = Pages(most=2 * (len(TRAMS) + OWN) + len(TOWNS))  # all but a little of what two and TOWNS count for
    first = pages.page(TRAMS, True)
    assert pages.page(TRAMS, True) is first
    assert pages.page(TRAMS, False) is not first  # an answer of the same text has no tables
    pages.page(TOWNS, True)
    assert pages.page(TRAMS, True) is not first
