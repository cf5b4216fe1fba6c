"""Sums over the counts of a sentence of a document, and what must not be worked out."""

from __future__ import annotations

from agent.data.documents.document_sums import quotation
from agent.data.documents.quoted_clauses import Shown, clauses
from tests.support.cases import each

RULES = """RULES
No more than 6 picture hooks in each room.
Up to 4 visitors per flat, but never more than 10 in total.
Adults may borrow up to 5 books per visit.
There is room for 30 stalls and 22 have been booked.
The course has 14 places. 9 are taken.
The hall has 40 chairs and 12 tables.
Tutors work 4 lessons a week and get £32 a lesson.
Assistants work from 5 to 8 hours a week at £10 an hour.
Cleaners work 7 hours a week at £12.85 an hour."""
PRICES = """料金案内
大人1人500円、小学生1人200円です。交換用フィルターは1枚2480円です。回数券は1冊2000円です。
幼児は1回100円、老人は300円です。"""
FOUND = clauses([Shown("1", "rules.txt, part 1", "", RULES), Shown("2", "prices.txt, part 1", "", PRICES)])


@each(
    "question, made",
    [
        ("What is the most picture hooks I can put up in 3 rooms?", "3 times 6"),
        ("How many picture hooks may I have in four rooms?", "4 times 6"),
        ("How many books may I borrow in 3 visits?", "3 times 5"),
        ("How many stalls are still free?", "30 minus 22"),
        ("How many stalls have not been booked yet?", "30 minus 22"),
        ("How many places are left on the course?", "14 minus 9"),
        ("How much does a tutor earn per week?", "4 times £32"),
        ("How much does a tutor earn in 3 weeks?", "3 times 4 times £32"),
        ("What do cleaners earn in a week?", "7 times £12.85"),
        ("フィルターを3枚買うといくらですか", "3 × 2480円"),
        ("回数券を2冊買ったらいくらになりますか", "2 × 2000円"),
        ("幼児2人と老人3人でいくらですか", "2 × 100円 + 3 × 300円"),
        ("How many visitors can come in 3 flats?", ""),  # no more than 10 in total
        ("How many picture hooks may I have in 3 halls?", ""),
        ("How many picture hooks may I have in 3 rooms if I paint the walls?", ""),
        ("How many chairs are still free?", ""),
        ("How many stalls are still free if 3 more are booked?", ""),
        ("How much does an assistant earn in a week?", ""),  # from 5 to 8 hours
        ("How much does a tutor earn in a year?", ""),
        ("学生3人でいくらですか", ""),  # not 小学生
        ("回数券を2枚買うといくら", ""),  # priced by the 冊
    ],
)
def test_counts_are_worked_out_where_all_words_are_told(question: str, made: str) -> None:
    quoted = quotation(question, FOUND)
    assert (quoted.sum if quoted else "") == made
