"""What an answer tells in another form: lengths, times in formulas, working days, columns left out, quotes."""

from __future__ import annotations

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.evidence import check
from agent.messages import Facts, Usage
from tests.support.cases import each
from tests.support.traced import verdict

RULES = """House rules of Holm Harbour
1. Quay. The quay opens at 6.
2. Fees. The fee is 18 euros a night, due on the day of arrival.
3. Dogs. Dogs stay on board."""


@each(
    ("answer", "text", "observed", "question", "wanted"),
    [
        (
            "1:50 and 2:45 are 4 hours 35 minutes, 4.58333 hours.",
            "4 hours",
            "4.58333333333",
            "1h50 + 2h45",
            "worked_out",
        ),
        (
            "1:50 and 2:45 are 4 hours 45 minutes, 4.58333 hours.",
            "4 hours",
            "4.58333333333",
            "1h50 + 2h45",
            "not_found",
        ),
        ("Das sind 6:15 (6 min 15 s) pro km.", "6 min", "6.25", "50 min für 8 km", "worked_out"),
        ("Das sind 6:15 (6,25 Minuten) pro km.", "6:15", "6.25", "50 min für 8 km", "worked_out"),
        ("Das sind 6:25 (6,25 Minuten) pro km.", "6:25", "6.25", "50 min für 8 km", "not_found"),
        ("合わせて3時間20分です。", "3時間20分", "3.33333333333", "1時間50分と1時間30分", "worked_out"),
        ("合わせて3時間25分です。", "3時間25分", "3.33333333333", "1時間50分と1時間30分", "not_found"),
        ("30 km in 2.5 hours are 12 km/h.", "2.5 hours", "12", "30 km in 2:30 hours?", "worked_out"),
        ("(18 + 15 ÷ 60) - (8 + 40 ÷ 60) is 9.58333 hours.", "18", "9.58333333333", "8:40 to 18:15", "given"),
        ("(18 + 15 ÷ 60) - (8 + 40 ÷ 60) is 9.58333 hours.", "40", "9.58333333333", "8:40 to 18:15", "given"),
        ("(18 + 25 ÷ 60) - (8 + 40 ÷ 60) is 9.75 hours.", "25", "9.75", "8:40 to 18:15", "not_found"),
        ("The ferry takes 2 h 35 min.", "2 h 35", "It leaves at 2:35 and costs 155 euros.", "How long?", "not_found"),
    ],
)
def test_a_length_is_the_same_in_hours_and_minutes(
    answer: str, text: str, observed: str, question: str, wanted: str
) -> None:
    assert verdict(answer, text, observed, question) == wanted


@each(
    ("answer", "said"),
    [
        ("80 ÷ (1 + 19 ÷ 100) is 67.23.", ["80", "19", "67.23"]),
        ("70 × (4 + 1) - (64 + 71) is 75.", ["70", "4", "64", "71", "75"]),
        ("14^2 - 11^2 is 75.", ["14", "11", "75"]),
        ("14^12 is much.", ["14", "12"]),
        ("They won 3 + 1 races.", ["3", "1"]),
        ("Please add brackets, as in “√(25 + 11)”.", []),
        ("It stands there, as in “the 25 sails”.", ["the 25 sails", "25"]),
    ],
)
def test_the_whole_and_the_power_of_a_formula_claim_nothing(answer: str, said: list[str]) -> None:
    events: list[Event] = [Asked("?", 1_795_219_200.0), Answered(answer)]
    assert sorted(claim.text for claim in check(events).claims) == sorted(said)


SPAN = "From 2026-03-02 to 2026-03-20: 18 days (2 weeks and 4 days)."


@each(
    ("answer", "text", "wanted"),
    [
        ("From 2 March 2026 to 20 March 2026, Monday to Friday: 15 days.", "15", "worked_out"),
        ("From 2 March 2026 to 20 March 2026 there are 14 working days.", "14", "worked_out"),
        ("From 2 March 2026 to 20 March 2026 there are 13 working days.", "13", "not_found"),
        ("Vom 2. März 2026 bis 20. März 2026 sind es 15 Arbeitstage.", "15", "worked_out"),
        ("2026年3月2日から3月20日までの営業日は15日です。", "15日", "worked_out"),
        ("From 2 March 2026 to 20 March 2026 it rained on 15 days.", "15", "differs"),
    ],
)
def test_working_days_are_counted_where_they_are_spoken_of(answer: str, text: str, wanted: str) -> None:
    assert verdict(answer, text, SPAN) == wanted


@each(
    ("answer", "text", "wanted"),
    [
        ("“2. Fees. The fee is 18 euros a night, due on the day of arrival.”", "2", "seen"),
        ("“3. Fees. The fee is 18 euros a night, due on the day of arrival.”", "3", "elsewhere"),
        ("“2. Fees. The fee is 28 euros a night, due on the day of arrival.”", "28", "not_found"),
    ],
)
def test_a_figure_of_a_quote_stands_where_the_quote_does(answer: str, text: str, wanted: str) -> None:
    claims = check(_run(answer, RULES, "What does a night cost?")).claims
    start = answer.index(text)
    inside = (claim for claim in claims if claim.kind == "number" and claim.start <= start < claim.end)
    assert next(inside).verdict == wanted


def test_japanese_sentences_are_quoted_with_a_space_between() -> None:
    observed = "係留\n係留料は一泊800円です。犬は船内に限ります。"
    assert verdict("“係留料は一泊800円です。 犬は船内に限ります。”", "係留料", observed) == "seen"
    assert verdict("“係留料は一泊900円です。 犬は船内に限ります。”", "係留料", observed) != "seen"


def _run(answer: str, observed: str, question: str) -> list[Event]:
    called = ToolCalled("c", "documents", "", {})
    thought = Replied("t", "thought", Usage(), 1.0, 0.1)
    return [Asked(question, 1_795_219_200.0), thought, called, Observed("c", observed), Answered(answer)]


@each(
    ("more", "wanted"),
    [(2, True), (3, False)],
)
def test_columns_left_out_are_counted(more: int, wanted: bool) -> None:
    names = ["boat", "owner", "length", "berth", "toll"]
    card = {"name": "harbour", "rows": 7, "columns": [{"name": name} for name in names]}
    answer = f"The table is called harbour (7 rows: Boat, Owner, Length and {more} more)."
    prepared = Prepared(
        question="Which boat?", system="", tools=(), wire="react", model="m", endpoint="e", facts=Facts(cards=(card,))
    )
    events: list[Event] = [Asked("Which boat?", 1_795_219_200.0), prepared, Answered(answer)]
    verdicts = {claim.text: claim.verdict for claim in check(events).claims}
    assert (verdicts[str(more)] in ("given", "worked_out")) is wanted


@each(
    ("answer", "text", "question", "wanted"),
    [
        ("8 m/sは28.8 km/hです。", "28.8", "秒速8mは時速何km？", "seen"),
        ("45 km/hで走ります。", "45", "時速45kmで走る", "given"),
        ("45 km/hで走ります。", "45", "道は45km", "differs"),
        ("70 kgです。", "70", "体重70キロ", "given"),
        ("8 × 4.5 is 36.", "8", "Work out 8 x 4.5!", "given"),
        ("7.5 - 20 × 2 is less.", "20", "minus 20 minutes, from 7.5", "given"),
    ],
)
def test_units_of_questions_are_read_as_they_are_meant(answer: str, text: str, question: str, wanted: str) -> None:
    assert verdict(answer, text, "28.8 km/h", question) == wanted
