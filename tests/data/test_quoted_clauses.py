"""What of a document is quoted for a question, which sums are made over its figures, and which are not."""

from __future__ import annotations

from agent.data.documents.document_sums import Quotation, gone_on, quotation
from agent.data.documents.quoted_clauses import Shown, clauses, nearest_clause, passages_shown
from tests.support.cases import each

LEASE = """LEASE
Landlord: Mr B. Oake.
1. The tenancy begins on 1 May 2027 and runs for one year.
2. The rent is £640 a month, due on the 3rd.
3. A deposit of £900 is paid before moving in.
4. If rent is more than 7 days late, a late fee of £20 each time may be charged.
5. Lost keys are replaced for £15 per key.
6. The tenant may end the tenancy by giving two months' notice in writing.
7. The stairs are swept by each flat in turn.
8. Smoking is not allowed in the flat.
9. No loud noise in the flat between 11 pm and 7 am.
10. The flat must be left clean.
11. A locker costs £12 a week. A garage is £9 a week.
12. A tenant of 3 years or more pays no late fee.
13. Damage must be reported within 5 days of moving in, and repairs take 10 days.
If the panel shows F3, the heating has no water.
A small bicycle is £4 a day and a large bicycle is £6 a day.
The sauna is €5 per hour in winter and €8 per hour in summer."""
FOUND = clauses([Shown("1", "lease.txt, part 1", "", LEASE)])


def _quoted(question: str) -> Quotation | None:
    return quotation(question, FOUND)


@each(
    "question, held",
    [
        ("when does the tenancy start", "1 May 2027"),
        ("how high is the rent?", "£640"),
        ("what happens to keys i have lost", "£15"),
        ("is smoking ok in the flat?", "Smoking"),
        ("who is the landlord", "B. Oake"),
        ("what does F3 mean", "no water"),
    ],
)
def test_the_sentence_that_holds_what_is_asked_is_quoted(question: str, held: str) -> None:
    found = _quoted(question)
    assert found is not None and not (found.sum or found.unmade)
    assert held in found.text and found.text.startswith("lease.txt, part 1 [1]:")


@each(
    "question",
    [
        "which parking space comes with the flat",  # "flat" stands in many sentences
        "what colour is the flat",
        "how long is the large bicycle?",  # an answer would be a length
        "how many keys are there",  # and here a number of keys
        "who is the landlord's lawyer",
        "may I smoke a pipe on the balcony?",
    ],
)
def test_a_sentence_with_a_common_word_only_is_no_answer(question: str) -> None:
    assert _quoted(question) is None


@each(
    "question, made",
    [
        ("How much rent will I have paid in total by the end of the twelve months?", "12 times £640"),
        ("what is the rent for a year", "12 times £640"),
        ("what do I pay for two lost keys", "2 times £15"),
        ("what's the late fee; so if i was late three times?", "3 times £20"),
        ("The deposit plus the first month: what does that add up to?", "£900 plus £640"),
        ("how much more is the large bicycle per day than the small one?", "£6 minus £4"),
        ("a large bicycle for 3 days, how much?", "3 times £6"),
        ("how much is the sauna for 2 hours in winter", "2 times €5"),
        (
            "How much notice must I give; if I hand it in on 1 June 2027, when can I be out?",
            "2 months after 1 june 2027",
        ),
        ("What do I pay a week for a locker and a garage together?", "£12 plus £9"),
        ("I moved in on 3 May 2027, until when must I report damage?", "5 days after 3 may 2027"),
    ],
)
def test_a_sum_is_made_of_the_figures_that_are_named(question: str, made: str) -> None:
    found = _quoted(question)
    assert found is not None and found.sum == made and not found.unmade


@each(
    "question",
    [
        "how much is the rent for 3 weeks",
        "how much is the rent per week",
        "how much rent do I pay in total for 12 months without the last two",
        "what do two large bicycles cost for 3 days",
        "what does the sauna cost for 3 hours",  # in winter or in summer
        "how much rent is it for the first 6 months if my brother pays half",
        "what do the rent and 3 lost keys come to?",
        "I have been a tenant for 4 years, what is the late fee",  # another sentence tells of such tenants
        "I moved in on 3 May 2027, until when do repairs take?",
    ],
)
def test_what_is_not_accounted_for_is_no_sum(question: str) -> None:
    found = _quoted(question)
    assert found is None or (found.unmade and not found.sum)


@each(
    "question, held",
    [
        ("which window does the sauna have, and does it open?", "The sauna"),
        ("what colour is the flat", ""),
    ],
)
def test_the_nearest_sentence_holds_a_word_that_few_have(question: str, held: str) -> None:
    found = nearest_clause(question, FOUND)
    assert (held in found.text if held else False) if found else not held


def test_what_is_quoted_of_one_passage_stands_under_its_place_once() -> None:
    found = _quoted("The deposit plus the first month: what does that add up to?")
    assert found and found.text.count("lease.txt, part 1 [1]:") == 1 and found.text.count("“") == 2


def test_a_follow_up_with_a_count_goes_on_with_what_was_quoted() -> None:
    quoted = "lease.txt, part 1 [1]:\n\n“5. Lost keys are replaced for £15 per key.”"
    assert (
        gone_on("and for three?", "what does a lost key cost?", quoted) == "what does a lost key cost; and for three?"
    )
    assert gone_on("and who sweeps the stairs?", "what does a lost key cost?", quoted) is None
    assert gone_on("and for three?", "what does a key cost?", "A key is £15.") is None


def test_a_line_above_is_the_topic_of_what_follows() -> None:
    (shown,) = passages_shown(
        "[1] van.txt, part 1\nDeposit\nWe take £200. It is released within five days.\nFuel\nFull."
    )
    first, second, last = clauses([shown])
    assert (first.topic, second.topic, last.topic) == ("Deposit", "Deposit", "Fuel")
    assert first.quoted == "“We take £200. It is released within five days.”" and second.further == ""
