"""Prices of documents whose first amounts are free, or cost something else: the sum, and what must be left alone."""

from __future__ import annotations

from agent.data.documents.document_sums import quotation
from agent.data.documents.quoted_clauses import Shown, best_clause, clauses
from tests.support.cases import each

YARD = """Tariff for visitors
1. Rowing boats. The first hour costs £14, each additional hour £9.50.
2. Mooring. Free for the first 3 nights, then £6 a night.
3. Car park. Up to 2 hours is free. After that, £1.80 per hour or part of an hour.
4. Laundry. £4.20 a load.
5. Printing. The first 20 pages are free, further pages are 15p each.
6. Towing. Free within 12 miles of the yard. Beyond that, £1.65 for each further mile.
7. Late return. £8 for every hour or part of an hour after 18:00.
8. Four-metre tent. £95 for the first night and £40 for each further night.
9. Five-metre tent. £120 for the first night and £55 for each further night.
10. Putting up. £35 a tent if we do it.
11. Clay is charged at £3.30 a kilo. The first 5 kilos are free.
12. Pots. Further pots cost £2.50 each. A brush can be bought for £4.25.
Session 1: knots and ropes
Session 2: reading the wind"""
HIRE = """レンタルのご案内
自転車は最初の3時間まで800円、以後1時間につき200円です。
駐車場は最初の2時間が無料、そのあとは30分ごとに100円です。
手荷物の預かりは2個まで無料、3個目から1個150円です。
テントサイト：1泊目は3000円、2泊目以降は2500円です。
料金（大人）：片道850円、往復1500円です。
料金（小学生）：片道430円、往復760円です。
15人以上の団体は1割引きになります。
茶屋のおしるこは650円、甘酒は400円です。"""
FOUND = clauses([Shown("1", "yard.txt, part 1", "", YARD), Shown("2", "hire.txt, part 1", "", HIRE)])


@each(
    "question, made",
    [
        ("how much is a rowing boat for 4 hours", "£14 + (4 - 1) * £9.50"),
        ("What would 1 hour in a rowing boat cost?", "1 * £14"),
        ("what do we pay for mooring for eight nights", "(8 - 3) * £6"),
        ("mooring for two nights, how much?", "0 * £6"),
        ("what does the car park cost for 3 hours 20 minutes", "ceil((200 - 120) / 60) * £1.80"),
        ("what's the cost of printing 50 pages", "(50 - 20) * £0.15"),
        ("How much is towing if we live 30 miles away?", "(30 - 12) * £1.65"),
        ("we brought it back at 20:10 instead of 18:00. whats the late charge", "ceil(130 / 60) * £8"),
        ("What do 3 nights in a five metre tent cost?", "£120 + (3 - 1) * £55"),
        ("What would three nights in one four-metre tent cost, with you putting it up?", "£95 + (3 - 1) * £40 + £35"),
        ("ive got 8.5 kg of clay, what will that cost me", "(8.5 - 5) * £3.30"),
        ("What does an extra pot cost; ok and 4 of them?", "4 times £2.50"),
        ("What do 3 extra pots and a brush come to?", "3 * £2.50 + £4.25"),
        ("3 nights in a five-metre tent and a brush come to how much?", ""),
        ("大人16人で往復いくら", ""),  # a price for groups
        ("自転車を5時間借りるといくら", "800円 + (5 - 3) * 200円"),
        ("4時間とめるといくら", "(240 - 120) / 30 * 100円"),
        ("手荷物を5個預けるといくらになりますか", "(5 - 2) * 150円"),
        ("テントサイトに3泊するといくら", "3000円 + (3 - 1) * 2500円"),
        ("大人2人と小学生1人で往復したいのですが、全部でいくらかかりますか?", "2 × 1500円 + 1 × 760円"),
        ("おしるこ2つと甘酒1つでいくら", "2 × 650円 + 1 × 400円"),
        ("how much is mooring for 8 nights without the first one", ""),
        ("how much is mooring for 2 boats for 8 nights", ""),
        ("how much is a tent for 3 nights", ""),  # which of the two
        ("how much are two five-metre tents for 3 nights", ""),
        ("how much is breakfast for 8 nights", ""),
        ("what do 2.5 nights of mooring cost", ""),
        ("how much is printing 50 pages twice", ""),
        ("犬を5時間あずけるといくら", ""),
        ("大人2人と小学生1人でいくら", ""),  # one way, or both
        ("駐車場に4時間20分とめるといくら", ""),  # a begun half hour
    ],
)
def test_a_price_in_two_tiers_is_worked_out_where_all_words_are_told(question: str, made: str) -> None:
    quoted = quotation(question, FOUND)
    assert (quoted.sum if quoted else "") == made


@each(
    "question, held",
    [
        ("What are we doing in session 2?", "reading the wind"),
        ("what's session 1 about", "knots"),
        ("what is session 4 about?", ""),
        ("how much is session 2", ""),
        ("what time is session 2", ""),
        ("what do we do in session 1 and session 2", ""),
    ],
)
def test_a_numbered_line_is_found_by_its_number(question: str, held: str) -> None:
    clause = best_clause(question, FOUND)
    assert held in clause.text if clause and held else not (clause or held)
