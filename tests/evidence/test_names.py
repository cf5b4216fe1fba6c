"""Names in other forms than those that were seen: in short and in full, with a kind behind them, of a country."""

from __future__ import annotations

from agent.events import Answered, Asked, Observed, Prepared, ToolCalled
from agent.evidence import check
from agent.evidence.marks import behind, excerpt, headline, marks
from agent.messages import Facts
from tests.support.cases import each
from tests.support.traced import marked, verdict

SEEN = """| Season | Team | League | Country | Label |
| --- | --- | --- | --- | --- |
| 2009 | Halmstad Lynx | NHSL | Hungary | Bluebird |
| 2010 | Vale Cricket Board Colts | Ind. Harbour Party | Thai | Redwing Award |
| 2011 | Ruth Bell | SDK | Venezuela | Anna Moe |
| 2012 | Sun Arena<br>Holmstad | Lund StadiumHolmstad | Freedonian | M210 |
| 2013 | Michaela Berg | Julian Moss | Martinez | JavaScript |
"""


@each(
    ("answer", "name", "seen"),
    [
        ("They joined the National Harbour Swimming League.", "National", True),
        ("They joined the Nordic Hockey Swim Alliance.", "Nordic", False),
        ("They joined the Newer Harbour League.", "Newer", False),
        ("The seat went to the IHP.", "IHP", True),
        ("The seat went to the XHP.", "XHP", False),
        ("It was won by Ruth Bell of SDK.", "Ruth", True),
        ("It was won by Ruth Bell of XYZ.", "Ruth", False),
        ("It was won by Ruth Bell of the Vale Cricket Board.", "Ruth", True),
        ("Last came the VCB Colts.", "VCB", True),
        ("Last came the VXB Colts.", "VXB", False),
        ("It went to the Hungarian side.", "Hungarian", True),
        ("They came from Thailand.", "Thailand", True),
        ("It was sung by the Venezuelan Anna Moe.", "Venezuelan", True),
        ("It was released by Bluebird Records.", "Bluebird", True),
        ("It was released by Whitebird Records.", "Whitebird", False),
        ("It stands beside Bluebird Tower.", "Bluebird", False),
        ("They won two Redwing Awards.", "Redwing", True),
        # A word with a capital that is made of the name; a lost line break parts two words; letters of a code.
        ("The flag is that of Freedonia.", "Freedonia", True),
        ("The flag is that of Freedania.", "Freedania", False),
        ("They played at Lund Stadium.", "Lund", True),
        # Another name, though it begins alike.
        ("It went to Michael Berg.", "Michael", False),
        ("It went to Julia Moss.", "Julia", False),
        ("It went to Martin.", "Martin", False),
        ("It is written in Java.", "Java", False),
    ],
)
def test_a_name_in_another_form(answer: str, name: str, seen: bool) -> None:
    assert (verdict(answer, name, SEEN) == "seen") is seen


FORMS = """| Year | Winner | Of | Label |
| --- | --- | --- | --- |
| 2009 | J. Kerrigan | Netherlands | A&M |
| 2010 | Jean Luc Picard | (POL), as can be seen | Bosch |
| 2011 | Norwegian Parliament | Barcelona | Harbour Centre |
| 2012 | Republican | Thai | Lund |
"""


@each(
    ("answer", "name", "seen"),
    [
        ("It came out on A&M Records.", "A&M", True),
        ("It came out on B&M Records.", "B&M", False),
        ("It went to the Dutch team.", "Dutch", True),
        ("It went to the Danish team.", "Danish", False),
        ("She swam for Poland.", "Poland", True),
        ("She swam for Canada.", "Canada", False),
        ("It was won by John Kerrigan.", "John", False),  # the first name stands nowhere
        ("It was won by Sam Kerrigan.", "Sam", False),
        ("It was won by Jean-Luc Picard.", "Jean", True),
        ("It was won by Jean-Marc Picard.", "Jean", False),
        ("He was signed by FC Barcelona.", "FC", True),
        ("He was signed by FC Madrid.", "FC", False),
        ("He works for Bosch GmbH.", "Bosch", True),
        ("It is in the Harbor Center.", "Harbor", True),
        ("It is in the Castle Center.", "Castle", False),
        ("It is for the Parliament of Norway.", "Parliament", True),
        ("It is for the Parliament of Sweden.", "Parliament", False),
        ("It went to the Republicans.", "Republicans", True),
    ],
)
def test_a_name_of_a_country_a_club_or_in_another_spelling(answer: str, name: str, seen: bool) -> None:
    assert (verdict(answer, name, FORMS) == "seen") is seen


ALIKE = """Start: 10:00 EST, LAT 51.5, GOALS PER GAME 2, MAN CAN FIN 3.

We polish it twice.

| Club | Player |
| --- | --- |
| AC Milan | Robert Hale |
| Harbour Lator | Peter Moss |
"""


@each(
    ("answer", "name"),
    [
        ("It was held in Estonia.", "Estonia"),
        ("It was held in Latvia.", "Latvia"),
        ("It was held in Peru.", "Peru"),
        ("It was held in Canada.", "Canada"),
        ("It was held in Poland.", "Poland"),
        ("He was signed by FC Milan.", "FC"),
        ("It went to Petre Moss.", "Petre"),
    ],
)
def test_a_name_that_only_looks_like_one_that_was_seen(answer: str, name: str) -> None:
    assert verdict(answer, name, ALIKE) != "seen"


SPELLED = """| Nr. | Winner | Of | Town |
| --- | --- | --- | --- |
| 1 | J. P. Ødegård | (NED) | Łęczna |
| 2 | Dr. Fiona Weiß | Belgium | Ste. Anne |
| 3 | M. Aurelio Costa | URS | Bosnia and Herzegovina |
| 4 | Gen. Ho Sai-ling | South Korea | 221 |
| 5 | St. Brannock's Rovers | United States | Rock 'n' Roll Hall |
"""


@each(
    ("answer", "name", "expected"),
    [
        ("It went to J.P. Odegard of Leczna.", "J.P.", "seen"),
        ("It went to J.P. Odegaard's brother.", "J.P.", "not_found"),
        ("Second was Doctor Fiona Weiss.", "Doctor", "seen"),
        ("It went to the Dutchman Odegard.", "Dutchman", "seen"),
        ("It went to the Frenchman Odegard.", "Frenchman", "not_found"),
        ("It went to the Belgian Fiona Weiss.", "Belgian", "seen"),
        ("It went to the USSR.", "USSR", "seen"),
        ("The South Koreans came fourth.", "South Koreans", "seen"),
        ("The Americans came last.", "Americans", "seen"),
        ("The Costas came third.", "Costas", "seen"),
        ("It was held by Summer Costa.", "Costa", "seen"),
        ("It is held in Sainte Anne.", "Sainte", "seen"),
        ("It lies in Bosnia-Herzegovina's north.", "Bosnia", "seen"),
        ("It was lost by Sai Ling.", "Sai", "seen"),
        ("It went to Saint Brannocks Rovers.", "Saint", "seen"),
        ("They met in the Rock'n'Roll Hall.", "Rock", "seen"),
        # An initial may be short for a first name: neither seen nor wrong.
        ("It went to Marco Aurelio Costa.", "Marco", "elsewhere"),
        ("It went to Nico Aurelio Costa.", "Nico", "not_found"),
        ("It went to Nico Costa.", "Nico", "not_found"),
        ("It went to Nico Berg and Aurelio Costa.", "Nico", "not_found"),
    ],
)
def test_a_name_as_other_people_write_it(answer: str, name: str, expected: str) -> None:
    assert verdict(answer, name, SPELLED) == expected


OTHERS = "North Korea met Tesla Motors of New England. Michal Roe met Jörg Föhr and Jon Gothe of the Electric League."


@each(
    ("answer", "name", "expected"),
    [
        ("They met South Korea there.", "South", "not_found"),
        ("They met the English there.", "English", "not_found"),
        ("They met General Motors there.", "General", "not_found"),
        ("They met General Electric there.", "General", "not_found"),
        ("They met Michael Roe there.", "Michael", "differs"),
        ("They met Joerg Foehr there.", "Joerg", "seen"),
        ("They met Jon Goethe there.", "Goethe", "differs"),
    ],
)
def test_a_name_that_has_only_a_word_of_another_one(answer: str, name: str, expected: str) -> None:
    assert verdict(answer, name, OTHERS) == expected


def test_korea_alone_is_the_one_in_the_south() -> None:
    assert verdict("They met South Korea there.", "South", "North Korea lost. Korea met them there.") == "seen"


def test_an_era_is_no_name() -> None:
    events = [Asked("?", 0.0), ToolCalled("c", "read", "", {}), Observed("c", SPELLED), Answered("It was in AD 221.")]
    assert not [claim for claim in check(events).claims if claim.kind == "name"]


GERMAN = "Der Jahresniederschlag von Holmstad beträgt 731 mm, und die Stadt hat 12,5 km² und 8.412 Einwohner."


@each(
    ("answer", "names"),
    [
        ("In Holmstad fällt im Jahr viel Regen, und die Gemeinde hat 8.412 Bewohner.", ["Holmstad"]),
        ("Die Gemeinde liegt bei Holmstad.", ["Holmstad"]),
        ("Die Stadt hat den Bürgermeister Karl Holt.", ["Stadt", "Bürgermeister Karl Holt"]),
    ],
)
def test_a_german_noun_is_no_name(answer: str, names: list[str]) -> None:
    claims = check([Asked("?", 0.0), ToolCalled("c", "read", "", {}), Observed("c", GERMAN), Answered(answer)]).claims
    assert [claim.text for claim in claims if claim.kind == "name"] == names


NORHAVN = """# Faith in Norhavn, New York

| Year | Award | Candidate | Party | Methodists | Interrupt vector | Road |
| --- | --- | --- | --- | --- | --- | --- |
| 2014 | MJ Magazine Awards | Ida Lund | Norhavn Free People's Party | 12 | 25h | NY 454 |
| 2015 | River Champion | Jo Moe | Workers' Union of Norhavn | 14 | 31h | CR 13 |
| 2016 | Hindus of the Year | Capital Carl | Catholic Centre | 9 | 40h | Harbour Road 7 |
"""


@each(
    ("answer", "name", "seen"),
    [
        # The kind of a name in short, and no other word that begins so.
        ("She came in on the MJ Mag list.", "MJ", True),
        ("She came in on the MJ Man list.", "MJ", False),
        ("She came in on the River Champ list.", "River", False),
        ("She came in on the MJ Rec list.", "MJ", False),
        # A faith by those who are of it, and no doctrine by a word of another meaning.
        ("The town is known for Methodism today.", "Methodism", True),
        ("The town is known for Buddhism today.", "Buddhism", False),
        ("The town is known for Capitalism today.", "Capitalism", False),
        ("The town is known for Catholicism today.", "Catholicism", True),
        ("The town is known for Hinduism today.", "Hinduism", True),
        # A party in short beside its candidate.
        ("The seat went to NFPP Lund.", "NFPP", True),
        ("The seat went to NFXP Lund.", "NFXP", False),
        ("The seat went to NFPP Berg.", "NFPP", False),
        ("The seat went to the WUN today.", "WUN", True),
        ("The seat went to the WXN today.", "WXN", False),
        # A name before a number: the head of its column in short, or its first initials before the same number.
        ("The call INT 25h reads a disk.", "INT", True),
        ("The call INT 26h reads a disk.", "INT", False),
        ("The call INF 25h reads a disk.", "INF", False),
        ("The call ROA 25h reads a disk.", "ROA", False),
        ("It ends on County Road 13.", "County", True),
        ("It ends on County Road 14.", "County", False),
        ("It ends on Valley Road 13.", "Valley", False),
        ("It meets New York State Route 454 there.", "York", True),
    ],
)
def test_a_name_by_what_stands_beside_it(answer: str, name: str, seen: bool) -> None:
    assert (verdict(answer, name, NORHAVN) == "seen") is seen


ROADS = """| Town | Road | Seat | Left |
| --- | --- | --- | --- |
| Vale | I-77 (Sun Road) | FLN | 1998 |
| Berg | B12 | HMS (N) | 2001 |
| Moe | plan I 31 | Lund, AnnikaAnnika Lund | 2004 |
"""


@each(
    ("answer", "name", "seen"),
    [
        # One letter and the same number right behind it.
        ("It crosses Interstate 77 in Vale.", "Interstate", True),
        ("It crosses Interstate 78 in Vale.", "Interstate", False),
        ("It crosses Autobahn 77 in Vale.", "Autobahn", False),
        ("It crosses Interstate 31 in Moe.", "Interstate", False),
        ("It meets Bundesstrasse 12 in Berg.", "Bundesstrasse", True),
        # Words that hyphens part have letters of their own; brackets part words, too.
        ("The seat went to the Front Libre-Nord in 1998.", "Front", True),
        ("The seat went to the Front Libre-Sud in 1998.", "Front", False),
        ("The seat went to the HMS-N in 2001.", "HMS", True),
        ("The seat went to the HMS-S in 2001.", "HMS", False),
        # A name behind a line break that is lost.
        ("It was left by Annika Lund in 2004.", "Annika", True),
        ("It was left by the Mayor of Vale Annika Lund in 2004.", "Annika", True),
        ("It was left by Anneli Lund in 2004.", "Anneli", False),
        ("It was left by Nika Lund in 2004.", "Nika", False),
    ],
)
def test_a_numbered_road_letters_and_lost_breaks(answer: str, name: str, seen: bool) -> None:
    assert (verdict(answer, name, ROADS) == "seen") is seen


PLACED = """| Event | 2004 | 2008 |
| --- | --- | --- |
| Rowing | 36th | 22nd |
| Sailing | 41st | 30th |
"""


@each(
    ("answer", "place", "expected"),
    [
        ("In 2004, she placed thirty-sixth in rowing.", "thirty", "seen"),
        ("In 2004, she placed thirty-seventh in rowing.", "thirty", "not_found"),
        ("In 2004, she placed forty-first in sailing.", "forty", "seen"),
    ],
)
def test_a_place_in_words(answer: str, place: str, expected: str) -> None:
    assert verdict(answer, place, PLACED) == expected


def test_a_century_in_words_is_no_place() -> None:
    assert not marked("She rowed in the twenty-first century.", PLACED)


ORDERS = (
    "| order_id | unit_price_eur | ship_date |\n|---|---|---|\n| A1 | 12.50 | 2024-03-01 |\n| A2 | 8.20 | 2024-03-04 |"
)


@each(
    ("answer", "name", "seen"),
    [
        ("The lowest Unit-Price is 8.20.", "Unit-Price", True),
        ("The Ship-Date of A2 is 2024-03-04.", "Ship-Date", True),
        ("The lowest Unit-Cost is 8.20.", "Unit-Cost", False),
        ("The Trip-Date of A2 is 2024-03-04.", "Trip-Date", False),
    ],
)
def test_the_head_of_a_column_with_hyphens(answer: str, name: str, seen: bool) -> None:
    assert (verdict(answer, name, ORDERS) == "seen") is seen


CARD = {"name": "fair", "columns": [{"name": "run_by", "label": "Run by"}, {"name": "takings", "label": "Takings (£)"}]}


@each(
    ("answer", "verdict"),
    [
        ("The highest “Takings (£)” in “fair” is 40.", ["given", "given", "seen"]),
        ("By “run_by”, the most is 40.", ["given", "seen"]),
        ("The highest “costs” is 40.", ["not_found", "seen"]),
    ],
)
def test_heads_of_the_tables_that_the_model_was_told_are_given(answer: str, verdict: list[str]) -> None:
    told = Prepared("?", "…", (), "react", "m", "e", facts=Facts(cards=(CARD,)))
    events = [Asked("?", 0.0), told, ToolCalled("c", "query", "", {}), Observed("c", "max\n40"), Answered(answer)]
    evidence = check(events)
    assert [claim.verdict for claim in evidence.claims] == verdict
    first = evidence.claims[0]
    assert marks(evidence)[0].step == 0
    if first.verdict == "given":
        assert str(headline(first, behind(events))) == "Given in the head of a table"
        place = excerpt(first, first.places[0], behind(events))
        assert place is not None and place.value in ("Takings (£)", "Run by")


@each(
    ("named", "verdict"),
    [
        ("Takings (£) per hour", "given"),
        ("Takings (£) less 20%", "given"),
        ("Takings (£) times Run by", "given"),
        ("Years since Run by", "given"),
        ("Costs less 20%", "not_found"),
        ("Years since Costs", "not_found"),
    ],
)
def test_what_is_worked_out_of_heads_is_named_by_them(named: str, verdict: str) -> None:
    told = Prepared("?", "…", (), "react", "m", "e", facts=Facts(cards=(CARD,)))
    events = [Asked("?", 0.0), told, ToolCalled("c", "query", "", {}), Observed("c", "max\n40")]
    claims = check([*events, Answered(f"The highest “{named}” is 40.")]).claims
    assert next(claim.verdict for claim in claims if claim.kind == "quote") == verdict


@each(
    ("answer", "verdict"),
    [
        ("The highest price in “orders + customers” is 40.", ["given", "seen"]),
        ("The highest price in “orders + suppliers” is 40.", ["not_found", "seen"]),
    ],
)
def test_two_tables_that_the_model_was_told_are_given_as_one(answer: str, verdict: list[str]) -> None:
    cards = tuple({"name": name, "columns": [{"name": "id"}]} for name in ("orders", "customers"))
    told = Prepared("?", "…", (), "react", "m", "e", facts=Facts(cards=cards))
    events = [Asked("?", 0.0), told, ToolCalled("c", "query", "", {}), Observed("c", "max\n40"), Answered(answer)]
    assert [claim.verdict for claim in check(events).claims] == verdict


def test_heads_of_tables_are_no_text_that_a_figure_could_be_of() -> None:
    rows = "| 売上高 | 2,019,254 |\n| 当期純利益 | 82,484 |\n| 資産合計 | 2,932,991 |\n| 純資産合計 | 1,654,338 |\n"
    head = "ZBT(IFRS適用)の主要項目を以下に示す。\n\n| 項目 | 金額(百万円) |\n| --- | --- |\n"
    seen = f"{head}{rows}\n{'同社は資本効率の改善に取り組んでいる。' * 20}"
    asked = "ZBTのROEをDuPont分解(純利益率×総資産回転率×財務レバレッジ)で求めると何%か。"
    answer = "ZBTのROEをDuPont分解(純利益率×総資産回転率×財務レバレッジ)は4.99%です。"
    for cards in ((), (CARD,)):
        told = Prepared(asked, "…", (), "react", "m", "e", facts=Facts(cards=cards))
        events = [Asked(asked, 0.0), told, ToolCalled("c", "read_url", "", {}), Observed("c", seen), Answered(answer)]
        (figure,) = [claim for claim in check(events).claims if claim.text == "4.99%"]
        assert figure.verdict == "worked_out", cards
