"""Of which kind a figure is said: a year, a count, a price, a number of a head; and what is no step to a figure."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from agent.evidence import Pages
from tests.support.cases import each
from tests.support.traced import verdict

FERRIES = """| Ferry | Route | Built | Length (m) | Passengers | Cars | Crew |
| --- | --- | --- | --- | --- | --- | --- |
| Aurora | Holm–Vik | 1998 | 112 | 640 | 150 | 34 |
| Borea | Holm–Sund | 2006 | 87 | 420 | 96 | 22 |
| Dorado | Sund–Ness | 1987 | 64 | 260 | 38 | 14 |
"""
SONGS = """| Single | Year | NOR | GER | UK |
| --- | --- | --- | --- | --- |
| Glass Rain | 2014 | 3 | 17 | 41 |
| Low Sun | 2015 | 1 | 9 | 22 |
"""
CARDS = """| Model | ResNet (img/s) | Power (W) | Memory (GB) | Price ($) |
| --- | --- | --- | --- | --- |
| G100 | 1,420 | 250 | 16 | 1,199 |
| X40 | 980 | 165 | 12 | 649 |
"""
SURVEY = """| Answer | Men | Women | 18–34 | 55+ |
| --- | --- | --- | --- | --- |
| Agree | 34% | 37% | 33% | 36% |
| Disagree | 29% | 21% | 20% | 30% |
"""
RAIN = """Rainfall in mm

| Station | Jan | Mar | Apr | Year |
| --- | --- | --- | --- | --- |
| Harnes | 88 | 64 | 52 | 361 |
| Skara | 51 | 38 | 35 | 266 |
"""
LEAGUE = """| Team | Pld | W | D | L | GF | GA | Pts |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Rovers | 38 | 25 | 8 | 5 | 79 | 31 | 83 |
| Albion | 38 | 17 | 12 | 9 | 58 | 47 | 63 |
"""
STATIONS = """| 駅 | 乗降客数 | 開業年 | ホーム数 |
| --- | --- | --- | --- |
| 青葉 | 48,210 | 1927 | 4 |
| 緑ヶ丘 | 17,440 | 1964 | 2 |
"""
DEPTHS = """Depth (m)\tTemperature (°C)\tOxygen (ml/l)
0\t17.8\t5.62
50\t14.2\t5.10
100\t11.5\t4.22
"""
MONTHS = """| Month | Output MWh | Wind m/s | Alarms |
| --- | --- | --- | --- |
| 2024-01 | 1,842 | 8.9 | 37 |
| 2024-02 | 1,611 | 8.1 | 45 |
"""
QUARTERS = """| Quarter | Revenue | Cost of sales |
| --- | --- | --- |
| Q1 2023 | 48.2 | 29.7 |
| Q2 2023 | 51.9 | 31.0 |
"""
STORES = """| Store | Staff 2023 | Staff 2024 | Share 2024 | Opened |
| --- | --- | --- | --- | --- |
| Airport | 22 | 21 | 31.4% | 2008 |
| Mall | 11 | 12 | 19.4% | 2015 |
"""
SEATS = """| Party | Votes | Seats |
| --- | --- | --- |
| Harbour Party | 2,182 | 96 |
| Meadow Party | 1,933 | 84 |
| Total | 4,115 | 180 |
"""
RIVERS = """river,length_km,basin_km2,dams
Arno,1870,92400,14
Belt,2430,187600,9
"""
FILMS = """| Film | Budget ($ million) | Gross ($ million) | Oscars | Year |
| --- | --- | --- | --- | --- |
| Salt Roads | 34 | 182 | 2 | 2009 |
| Blue Orbit | 125 | 641 | 4 | 2014 |
"""
CAREER = """| Season | Apps | Goals | Yellow cards |
| --- | --- | --- | --- |
| 2017–18 | 31 | 16 | 2 |
| 2018–19 | 18 | 6 | 4 |
"""
ROUTERS = """| Router | Ports | Price (€) | Released |
| --- | --- | --- | --- |
| Nano 2 | 8 | 149 | 2018 |
| Midi 4 | 24 | 520 | 2020 |
| Maxi 8 | 48 | 1,890 | 2022 |
"""
FIRMS = """firm,founded,employees,raised_musd,valuation_musd,customers
Nimbus,2014,230,85,610,1840
Orbitly,2019,64,22,140,320
"""
RUNNERS = """| Place | Runner | Time | Age | Bib |
| --- | --- | --- | --- | --- |
| 1 | P. Kiplag | 2:06:41 | 27 | 4 |
| 2 | A. Desta | 2:07:15 | 24 | 11 |
"""
HOSTS = """| Host | Mem (MB) | Disk (GB) | Uptime d |
| --- | --- | --- | --- |
| web-01 | 2048 | 118 | 212 |
| db-01 | 15360 | 902 | 330 |
"""
CASTLES = """| Castle | Built | Rooms | Visitors |
| --- | --- | --- | --- |
| Hohenfels | 1342 | 84 | 61,300 |
| Rotstein | 1590 | 127 | 142,800 |
"""
PLANTS = r"""[{"plant": "Gaswerk S\u00fcd", "years": "2003\u20132019", "emissions": 710},
{"plant": "Windhof", "years": "2014\u20132020", "emissions": 0}]"""
STAFF = """| Department | FTE | Vacancies | Average age | First hired |
| --- | --- | --- | --- | --- |
| Support | 52.5 | 4 | 41 | 2019-11-02 |
| Finance | 21.0 | 1 | 46 | 2023-06-21 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        # A year of the row is no count, no rank and no price.
        (FERRIES, "The Aurora carries 640 passengers and 150 cars.", "150", "seen"),
        (FERRIES, "The Aurora carries 640 passengers and 1998 cars.", "1998", "elsewhere"),
        (FERRIES, "The Dorado has room for 1987 cars and a crew of 14.", "1987", "elsewhere"),
        (FERRIES, "The Dorado has room for 38 cars and a crew of 1987.", "1987", "elsewhere"),
        (FERRIES, "The Dorado (1987 cars) is small.", "1987", "elsewhere"),
        (FERRIES, "The Dorado, built in 1987, has room for 38 cars.", "1987", "seen"),
        (FERRIES, "The Dorado has only 1987.", "1987", "elsewhere"),
        (SONGS, '"Low Sun" peaked at number 2015 in the UK.', "2015", "elsewhere"),
        (SONGS, '"Low Sun" peaked at number 9 in Germany and 2015 in the UK.', "2015", "elsewhere"),
        (SONGS, '"Low Sun" of 2015 peaked at number 9 in Germany.', "2015", "seen"),
        (STORES, "The Airport store had 22 staff in 2023 and 2008 in 2024.", "2008", "elsewhere"),
        (STATIONS, "青葉駅の乗降客数は1927人です。", "1927", "elsewhere"),
        (STATIONS, "青葉駅は1927年に開業しました。", "1927", "seen"),
        # Where only a year can stand, another number is none.
        (STATIONS, "緑ヶ丘駅は17,440年に開業しました。", "17,440", "elsewhere"),
        (STORES, "The Mall store opened in 12 and had 11 staff in 2023.", "12", "elsewhere"),
        # The year behind a figure is its own.
        (STORES, "Staff at the Mall rose from 11 in 2023 to 12 in 2024.", "11", "seen"),
        (STORES, "The Airport went from 31.4 in 2023 to 21 staff in 2024.", "31.4", "elsewhere"),
        # A number of a head is one only with all of the head.
        (SURVEY, "Of the women, 37 % agree.", "37", "seen"),
        (SURVEY, "Of the women, 18 % agree.", "18", "elsewhere"),
        (SURVEY, "Among men 34% disagree.", "34", "elsewhere"),
        # Units of one letter in brackets, in keys, and of the whole table.
        (CARDS, "The X40 draws 165 W and costs $649.", "165", "seen"),
        (CARDS, "The X40 draws 980 W and costs $649.", "980", "elsewhere"),
        (RIVERS, "The Belt's basin covers 187600 km².", "187600", "seen"),
        (RIVERS, "The Belt's basin covers 2430 km².", "2430", "elsewhere"),
        (RAIN, "Skara received 38 mm in March.", "38", "seen"),
        (RAIN, "Skara received 38 mm in all.", "38", "elsewhere"),
        (FILMS, "Salt Roads (34) was a success.", "34", "elsewhere"),
        # A short head is not said where another one is.
        (LEAGUE, "Rovers won 79 games.", "79", "elsewhere"),
        (LEAGUE, "Rovers finished with 83 points.", "83", "seen"),
        # An age is told in years; a currency stands behind its scale; a scale in a head is of that column.
        (RUNNERS, "The winner, P. Kiplag, is 27 years old.", "27", "seen"),
        (RUNNERS, "The winner, P. Kiplag, is 4 years old.", "4 ", "elsewhere"),
        (FIRMS, "Orbitly has raised 22 million dollars.", "22", "seen"),
        (FIRMS, "Orbitly is worth 320 million dollars.", "320", "elsewhere"),
        # A head that names another measure holds no such value; early years are years; an escape of JSON is no number.
        (HOSTS, "db-01 has been up 330 days.", "330", "seen"),
        (HOSTS, "db-01 has been up 902 days.", "902", "elsewhere"),
        (CASTLES, "Rotstein, built in 1590, has 127 rooms.", "1590", "seen"),
        (CASTLES, "Rotstein has 1590 rooms.", "1590", "elsewhere"),
        (PLANTS, "Windhof closed in 2013.", "2013", "marked"),
        # What is compared with is no subject; both figures of a share are of its noun.
        (FERRIES, "With 87 m the Borea is shorter than the Aurora.", "87", "seen"),
        (FERRIES, "With 112 m the Borea is shorter than the Aurora.", "112", "elsewhere"),
        (SEATS, "The Harbour Party won 96 of the 180 seats.", "96", "seen"),
        # A number names its row where a value of that is said; months and quarters do in words.
        (DEPTHS, "At 100 m the temperature is 11.5 °C.", "100", "seen"),
        (DEPTHS, "At 50 m the temperature is 11.5 °C.", "50", "elsewhere"),
        (MONTHS, "In February 2024 output was 1,611 MWh.", "1,611", "seen"),
        (MONTHS, "In February 2024 output was 1,842 MWh.", "1,842", "elsewhere"),
        (QUARTERS, "The cost of sales was 29.7 in the first quarter of 2023.", "29.7", "seen"),
        (QUARTERS, "The cost of sales was 31.0 in the first quarter of 2023.", "31.0", "elsewhere"),
        # How often, how old, and a head that has the word of a step: no steps.
        (CAREER, "In the 2018–19 season he was booked 3 times.", "3", "marked"),
        (CAREER, "In the 2018–19 season he was booked 6 times.", "6", "elsewhere"),
        (STAFF, "The number of vacancies is 3.", "3", "marked"),
        (STAFF, "Support has 4 vacancies and an average age of 48.", "48", "marked"),
        (ROUTERS, "Nano 2 is the cheapest at 80 €.", "80", "marked"),
        # A percentile is a name.
        (CARDS, "The 95th percentile of the X40 is 165 W.", "165", "seen"),
    ],
)
def test_a_figure_is_of_the_kind_that_it_is_said_to_be(table: str, answer: str, figure: str, found: str) -> None:
    verdicts = ("not_found", "differs") if found == "marked" else (found,)
    assert verdict(answer, figure, table) in verdicts


@each(
    ("answer", "name", "found"),
    [
        ("青葉駅の乗降客数は48,210人です。", "青葉駅", "seen"),
        ("白浜駅の乗降客数は48,210人です。", "白浜駅", "not_found"),
    ],
)
def test_a_name_with_its_kind_stands_where_the_head_says_the_kind(answer: str, name: str, found: str) -> None:
    assert verdict(answer, name, STATIONS) == found


def test_threads_that_read_a_page_at_once_share_what_is_kept_under_keys() -> None:
    """From Python 3.12 on ``cached_property`` takes no lock: two threads could make, and fill, a store each."""
    page = Pages().page(FERRIES, True)
    (subjects,) = page.tables
    together = Barrier(4)

    def read(row: int) -> tuple[object, ...]:
        together.wait()
        page.read()
        said = sorted(subjects.words_of(row)), sorted(page.years_around(row)), page.unit_at(row, row + 1)
        return *map(repr, said), id(vars(subjects)["_read"]), *(id(vars(page)[one]) for one in ("_years_in", "unit_at"))

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(read, [2] * 4))) == 1


RACE = """| Rank | Lane | Rider | Time | Prize share | Points |
| --- | --- | --- | --- | --- | --- |
| 1 | 4 | Åse Ødegård | 4h 12' 08" | 51.7% | 27½ |
| 2 | 6 | Bo Lind | + 1' 17" | 31.2% | 19 |
| 3 | 5 | Cy Marsh | 59'34.76 | 17.1% | 8 |
"""
INCOME = """| (in millions) | 2031 | 2030 |
| --- | --- | --- |
| Sales | $ 812.6 | $ 705.1 |
| Cost of sales | 430.4 | 401.7 |
| Income | 78.6 | 49.1 |
"""
PATHS = """| House | Hall | Built | Path | Height (m) | Wait (days) |
| --- | --- | --- | --- | --- | --- |
| Two Rivers Inn | Elm | 1844 | 14 miles (23 km) | 42 | 7.15 |
| Rhu Lodge | Oak | 1857 | 31 miles (50 km) | 25 | 1.41 |
"""
HTML = (
    "<h1>Visitors (thousands)</h1><table><tr><th>Museum</th><th>2031</th></tr><tr><td>Orsec</td><td>3,871</td></tr>"
    "<tr><td>Holm</td><td>1,620</td></tr></table>"
)
DEATHS = """| Place | Notes |
| --- | --- |
| Rusk | 11 deaths; 140 people were injured |
| Elm | 2 deaths; 17 people were injured |
"""
TEAMS = """| Team | Rating | Held |
| --- | --- | --- |
| Netherlands | 2576 | 11 April 2031 |
| BEL | 2524 | 14 May 2031 |
"""
NAMED = """| Nationality of Freedonia | People | Members % | Seen in |
| --- | --- | --- | --- |
| Freedonians | 198,740 | 76.8 | Elm Quest II |
| Hungarians | 214,302 | 13.7 | Oak Quest |
"""
DEBT = (
    "Fernhill plc said on Tuesday that its sales rose. Net debt fell to £402m from £455m, and its shares closed higher."
)
QUESTS = "Elm Quest II has 12 levels, Elm Quest III has 15. It was made in Oak Row."
GOALS = "Goals: Bo Lind 27' 34', Cy Marsh 45'. The gate is 6'08\" high, and the first goal came 1'05\" after that."
HOURS = "The old mill near Elm is open on Sunday from 10:30 to 17:30, and the ticket for it is £9.50 for each visitor."


@each(
    ("text", "answer", "figure", "expected"),
    [
        (TEAMS, "The Dutch have a rating of 2576.", "2576", "seen"),
        (TEAMS, "The Dutch have a rating of 2524.", "2524", "elsewhere"),
        (TEAMS, "The Belgian team has a rating of 2524, ahead of nobody.", "2524", "seen"),
        (HOURS, "A ticket for the old mill is £9.50 for each visitor.", "£9.50", "seen"),
        (HOURS, "A ticket for the old mill is £17 for each visitor.", "£17", "not_found"),
        (TEAMS, "It was held on 11 April 2031, with 2576 for the Netherlands.", "11 April", "seen"),
        (NAMED, "In Elm Quest 2 she plays Commander Vance.", "2", "seen"),
        (NAMED, "In Elm Quest 3 she plays Commander Vance.", "3", "not_found"),
        (NAMED, "There were 214,302 Hungarians in Freedonia.", "214,302", "seen"),
        (NAMED, "There were 198,740 Hungarians in Freedonia.", "198,740", "elsewhere"),
        (NAMED, "The Hungarians had 13.7 members.", "13.7", "elsewhere"),
        (NAMED, "The Hungarians had 13.7 percent.", "13.7", "seen"),
        (DEBT, "Net debt dropped from £455m to £402m in that year.", "£455m", "seen"),
        (DEBT, "Net debt dropped from £455m to £402m in that year.", "£402m", "seen"),
        (RACE, "Ase Odegard won in 4 hours, 12 minutes and 8 seconds.", "4 hours", "seen"),
        (RACE, "Ase Odegard won in 4 hours, 12 minutes and 9 seconds.", "4 hours", "differs"),
        (RACE, "Bo Lind came in 77 seconds later.", "77", "seen"),
        (RACE, "Bo Lind came in 1 second later.", "1", "elsewhere"),
        (RACE, "Cy Marsh rode it in 59 minutes and 34.76 seconds.", "59", "seen"),
        (RACE, "Odegard had 27.5 points.", "27.5", "seen"),
        (RACE, "Odegard had 26.5 points.", "26.5", "not_found"),
        # A bare number of a column that nothing names is no share, and no lane where only a time can stand.
        (RACE, "Bo Lind finished in 6.", "6", "elsewhere"),
        (RACE, "Bo Lind was in lane 6.", "6", "seen"),
        (RACE, "Bo Lind was given 31.2, the second most.", "31.2", "elsewhere"),
        (RACE, "Bo Lind was given a share of 31.2, the second most.", "31.2", "seen"),
        # The sign of a currency in the first row holds for all of them.
        (INCOME, "Income came to $78.6 million in 2031.", "$78.6", "seen"),
        (INCOME, "Income came to $812.6 million in 2031.", "$812.6", "elsewhere"),
        (PATHS, "The path to Two Rivers Inn has 14 miles.", "14", "seen"),
        (PATHS, "The path to Two Rivers Inn has 31 miles.", "31", "elsewhere"),
        (PATHS, "Two Rivers Inn has 2 halls.", "2", "elsewhere"),
        (PATHS, "Rhu Lodge was built in 1.41.", "1.41", "elsewhere"),
        (PATHS, "At 42 metres, Two Rivers Inn is the tallest, before Rhu Lodge.", "42", "seen"),
        (PATHS, "At 25 metres, Two Rivers Inn is the tallest, before Rhu Lodge.", "25", "elsewhere"),
        (HTML, "Some 3.871 million people came to Orsec in 2031.", "3.871", "seen"),
        (DEATHS, "In Rusk it killed 11 people.", "11", "seen"),
        # A numeral behind its name does not change places with a figure beside it.
        (QUESTS, "Elm Quest 2 has 12 levels.", "2", "seen"),
        (QUESTS, "Elm Quest 3 has 15 levels, Elm Quest 2 has 12.", "3", "seen"),
        (QUESTS, "Elm Quest 4 has 12 levels.", "4", "not_found"),
        # Minutes of a match are no times, and primes may be feet as well as minutes.
        (GOALS, "Bo Lind scored in the 27th minute.", "27", "seen"),
        (GOALS, "The gate is 80 inches high.", "80", "seen"),
        (GOALS, "The gate is 6 feet 8 inches high.", "6", "seen"),
        (GOALS, "The gate is 6 feet 9 inches high.", "6", "differs"),
        (GOALS, "The first goal came 65 seconds after that.", "65", "seen"),
        (GOALS, "The first goal came 75 seconds after that.", "75", "differs"),
    ],
)
def test_a_figure_is_of_the_kind_of_its_cell(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


def test_numbers_of_four_hundred_digits_are_no_error() -> None:
    nines = "9" * 400
    assert verdict("It has 1e308 members.", "1e308", f"It has {nines} members.") == "not_found"
    assert verdict("It is 1e308 miles long.", "1e308", f"It is {nines} km long.") in ("not_found", "differs")
