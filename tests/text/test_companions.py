"""Those who share with people that are counted: the text with all of them, or ``None`` where somebody more may."""

from __future__ import annotations

from agent.text.in_japanese.japanese_percent import part_asked
from agent.text.problems.companions import with_all
from agent.text.problems.problem_reader import read_problem
from agent.text.problems.story_percent import english_part_asked
from tests.support.cases import each

TEXTS = (
    ("Me and 2 friends split 96 dollars equally. How much each?", "3 people split 96 dollars equally. How much each?"),
    (
        "A bill of 80 by Ann and her three friends. How much does each pay?",
        "A bill of 80 by 4 people. How much does each pay?",
    ),
    ("My 3 friends and I share 80. How much each?", "4 people share 80. How much each?"),
    ("I split 96 dollars with 2 friends. How much each?", "I split 96 dollars with 3 people. How much each?"),
    (
        "I ate with 4 friends and the bill was 75. How much each?",
        "I ate with 5 people and the bill was 75. How much each?",
    ),
    ("24 sweets are shared among 4 kids and me. How many does each get?", None),
    ("Ann, Bob and 3 friends share 80. How much each?", None),
    ("We split 96 dollars with 2 friends. How much each?", None),
    ("I ate with 4 friends and my sister, 75 in all. How much each?", None),
    ("4 friends split 80. How much each?", "4 friends split 80. How much each?"),
    (
        "I met 3 friends and bought 2 pens at 4. What did I pay?",
        "I met 3 friends and bought 2 pens at 4. What did I pay?",
    ),
    ("友達3人と食事して6000円。一人いくら？", "4人で食事して6000円。一人いくら？"),
    ("2人の友達と割り勘で3000円。一人いくら？", "3人で割り勘で3000円。一人いくら？"),
    ("私と友達2人で9000円。一人いくら？", "3人で9000円。一人いくら？"),
    ("友達3人と私の4人で6000円。一人いくら？", None),
    ("夫婦と子ども2人で8000円。一人当たりいくら？", None),
    ("My brother and 2 friends split a $90 bill.", None),
    ("Ben and 3 friends each have 5. How many altogether?", "4 people each have 5. How many altogether?"),
    ("友達と3人で9000円。一人いくら？", "友達と3人で9000円。一人いくら？"),
    ("妻と2人の友達と8000円。一人いくら？", None),
    ("友達3人と4個入りのパンを2袋。全部で何個？", "友達3人と4個入りのパンを2袋。全部で何個？"),
    ("友達3人に6000円を分けると一人いくら？", "友達3人に6000円を分けると一人いくら？"),
)


@each(("text", "counted"), TEXTS)
def test_all_who_share_are_counted(text: str, counted: str | None) -> None:
    assert with_all(text, "en" if text.isascii() else "ja") == counted


@each(
    ("text", "part"),
    (
        ("20 of 80 doors are unlocked. What percent are locked?", "rest"),
        ("12 of 30 kids are boys and wear glasses. What percent are girls?", ""),
        ("30 of 120 students failed last year. What percent passed this year?", ""),
        ("40人中30人が参加しなかった。参加したのは何%？", "rest"),
    ),
)
def test_the_part_that_is_asked_for(text: str, part: str) -> None:
    assert (english_part_asked if text.isascii() else part_asked)(text) == part


@each(
    "text",
    ("I treated 3 friends to lunch at $15 each, how much was it?", "友達3人に500円ずつあげました。全部でいくら？"),
)
def test_what_each_gets_is_not_shared_out(text: str) -> None:
    found = read_problem(text, "en" if text.isascii() else "ja")
    assert found is None or found.name != "split"
