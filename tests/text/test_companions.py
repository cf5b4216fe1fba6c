"""Those who share with people that are counted: the text with all of them, or ``None`` where somebody more may."""

from __future__ import annotations

from agent.text.problems.companions import with_all
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
    ("友達3人に6000円を分けると一人いくら？", "友達3人に6000円を分けると一人いくら？"),
)


@each(("text", "counted"), TEXTS)
def test_all_who_share_are_counted(text: str, counted: str | None) -> None:
    assert with_all(text, "en" if text.isascii() else "ja") == counted
