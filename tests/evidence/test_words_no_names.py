"""Words that are no names: those that open a sentence, German nouns, loanwords, names in letters never observed."""

from __future__ import annotations

from agent.evidence import check
from tests.support.cases import each
from tests.support.observed_answers import run

HOTELS = """hotel,city,rooms,rate_eur,rating
Harbour View,Porto,120,95.00,4.4
Casa Lume,Porto,34,140.00,4.8
Belmonte,Lisbon,210,110.00,4.1
"""
BRANCHES = (
    '{"filialen":[{"name":"Marktplatz","umsatz":412000,"kunden":21400},'
    '{"name":"Bahnhof","umsatz":388500,"kunden":30100},{"name":"Südring","umsatz":201000,"kunden":9800}]}'
)
CLUBS = """club,points,ville
AC Morvan,44,Autun
Union Orne,31,Alençon
AS Escaut,28,Valenciennes
L'Aube,12,Troyes
Les points. Le reste.
"""
SALES = "売上高は2024年度が120億円、2023年度が131億円。店舗は国内45店。"
RICE = "prefecture,harvest\nNiigata,351500\nAkita,327200\n"
TOWNS = "Город,Население\nКазань,1259000\nСамара,1173000\n"
JAPANESE = "都市,人口\n長岡,259000\n上越,180000\n"


def _names(answer: str, observed: str, question: str = "?") -> list[tuple[str, str]]:
    """The names of an answer with their verdicts."""
    claims = check(run(answer, observed, question=question)).claims
    return [(claim.text, claim.verdict) for claim in claims if claim.kind == "name"]


def _marked(answer: str, observed: str, question: str = "?") -> list[str]:
    return [name for name, said in _names(answer, observed, question) if said in ("differs", "not_found")]


@each(
    ("answer", "names"),
    [
        # Behind an emoji, in bold, before a name: verbs and adjectives that a sentence begins with.
        ("⚠️ Keep in mind that rates change daily.", []),
        ("It has 34 rooms.\n\n💡 Ask for a quiet one.", []),
        ("- ❌ **Avoid the Belmonte:** it has 210 rooms.", ["Belmonte"]),
        ("- **Consider Casa Lume** if you like small places.", ["Casa Lume"]),
        ("🏨 Skip Belmonte. Choose Harbour View.", ["Belmonte", "Harbour View"]),
        ("Blended rates rose. Weighted Casa Lume rates fell.", ["Casa Lume"]),
        ("Two fit. Compared with Porto, Lisbon has more.", ["Porto", "Lisbon"]),
        ("Solo Porto tiene dos hoteles, y es la ciudad que más gana.", ["Porto"]),
        ("Selon Belmonte, les prix sont dans la moyenne.", ["Belmonte"]),
        ("Segundo Belmonte, os preços não são para todos.", ["Belmonte"]),
        # A name remains one.
        ("⚠️ Mareta Bay is full.", ["Mareta Bay"]),
        ("- **Avoid the Mareta Bay:** it is full.", ["Mareta Bay"]),
        ("Skip Mareta.", ["Mareta"]),
        ("🥇 Casa Lume leads.", ["Casa Lume"]),
        ("Maria Lume leads.", ["Maria Lume"]),
    ],
)
def test_words_that_a_sentence_begins_with(answer: str, names: list[str]) -> None:
    assert [name for name, _ in _names(answer, HOTELS)] == names


@each(
    "answer",
    [
        "- Größter Gewinner ist der **Marktplatz** mit 412.000 € Umsatz.",
        "Der **Bahnhof** hat mehr Kunden. Ihr Abstand ist groß. Sein Vorsprung wuchs.",
        "Kleinste Filiale ist der Südring. Deutlich Weniger Kunden sind es nicht.",
        "Stärkster Standort: Marktplatz. Schwächster Monat war unklar.",
        "Ihre Umsätze lagen höher. Unsere Empfehlung ist: abwarten. Gute Nachricht für alle.",
        "Besonders Familien kaufen ein. Zweiter Platz: Bahnhof.",
        "Laut Bericht ist es der Bahnhof. Mein Rat: Mehr Personal einstellen.",
        "**Wichtigste Punkte**: Jeder Kunde zählt. Pro Kunde ist es mehr.",
        "Es waren viele.\n\n30.100 Kunden waren da, in der Regel nur am Bahnhof, in der Stadt.",
        "Der Rest sind 30.100 Kunden Laufkundschaft und 21.400 Kunden Stammkundschaft.",
    ],
)
def test_german_nouns_with_what_describes_them(answer: str) -> None:
    assert _marked(answer, BRANCHES) == []


@each(
    ("answer", "names"),
    [
        ("Der Standort ist der von Jana Kessler.", ["Jana Kessler"]),
        ("Das ist gut. Jana Kessler leitet den Südring.", ["Jana Kessler"]),
        ("Der Südring gehört der Firma Nordwind Logistik.", ["Firma Nordwind Logistik"]),
    ],
)
def test_german_names_that_stand_nowhere(answer: str, names: list[str]) -> None:
    assert _marked(answer, BRANCHES) == names


@each(
    "answer",
    [
        "売上は120億円でした。前年の131億円からマイナスです。",
        "プラス要因はなく、トレンドとしてシェアが下がり、ペースも鈍化しました。",
        "メリットとデメリットのバランスを見て、ポジティブなサプライズはありません。",
        "コストダウンやキャンペーンの影響で、マイナス成長となりました。",
    ],
)
def test_japanese_loanwords(answer: str) -> None:
    assert _names(answer, SALES) == []


def test_a_name_in_katakana_is_one() -> None:
    assert _marked("ホシノフーズの売上は120億円でした。", SALES) == ["ホシノフーズ"]


@each(
    ("answer", "observed"),
    [
        ("新潟は351,500トン、秋田は327,200トン、長岡市は不明。コシヒカリが多いです。", RICE),
        ("У Ниигаты 351 500, у Акиты 327 200.", RICE),
        ("In 2024 Kazan had 1,259,000 people and Samara 1,173,000.", TOWNS),
        ("In the list Nagaoka has 259,000 people and Joetsu 180,000.", JAPANESE),
    ],
)
def test_a_name_in_letters_that_were_not_observed_is_no_claim(answer: str, observed: str) -> None:
    assert _names(answer, observed) == []


@each(
    ("answer", "observed", "question", "verdict"),
    [
        ("新潟は351,500トンです。", RICE, "新潟の米は?", ("新潟", "given")),
        ("札幌の人口は259,000人です。", JAPANESE, "?", ("札幌", "not_found")),
        ("In the list Nagaoka has 259,000 people.", JAPANESE + "Joetsu,180000\n", "?", ("Nagaoka", "not_found")),
        ("Самым большим городом стал город Омск.", TOWNS, "?", ("Омск", "not_found")),
    ],
)
def test_a_name_in_letters_that_were_observed(
    answer: str, observed: str, question: str, verdict: tuple[str, str]
) -> None:
    assert _names(answer, observed, question) == [verdict]


@each(
    ("answer", "names"),
    [
        ("L'AC Morvan a 44 points, et l'AS Escaut est dans la course.", ["AC Morvan", "AS Escaut"]),
        ("L’Union Orne est à 31 points.", ["Union Orne"]),
        ("Les joueurs d'Alençon sont dans le haut, jusqu'à Autun.", ["Alençon", "Autun"]),
        ("La ville qu'Autun a battue est dans le bas.", ["Autun"]),
        ("Il livello dell'Escaut è di 28 punti, nell'Orne di 31.", ["Escaut", "Orne"]),
        ("L'Aube a 12 points.", ["L'Aube"]),
        ("El AC Morvan tiene 44 puntos. Le AS Escaut en a 28.", ["AC Morvan", "AS Escaut"]),
        ("Les points de l'Escaut sont dans le tableau. Le reste est connu.", ["Escaut"]),
        ("Le club d'Union Orne est dans le bas.", ["Union Orne"]),
    ],
)
def test_an_article_without_its_vowel_is_no_part_of_a_name(answer: str, names: list[str]) -> None:
    assert _names(answer, CLUBS) == [(name, "seen") for name in names]


def test_a_name_behind_an_article_that_stands_nowhere() -> None:
    assert _marked("L'AC Beaune a 44 points, et les joueurs d'Avallon 31.", CLUBS) == ["AC Beaune", "Avallon"]


@each(
    "answer",
    [
        "Tickets rose over the quarter to 1,325 in March.",
        "A quarter to 10% of them are late.",
        "They fell over the last quarter to 12 a day.",
    ],
)
def test_a_quarter_of_a_year_is_no_time(answer: str) -> None:
    claims = check(run(answer, "month,tickets\nJan,1201\nMar,1325\n")).claims
    assert not any(claim.kind == "date" and claim.text.startswith("quarter") for claim in claims)


def test_a_quarter_to_an_hour_is_a_time() -> None:
    claims = check(run("The 7 leaves at a quarter to ten.", "line,departs\n7,09:45\n8,10:30\n")).claims
    assert any(claim.text == "quarter to ten" and claim.verdict != "not_found" for claim in claims)
