"""Counts of a given text, lengths of time, births, terms, recipes and growth in everyday words."""

from __future__ import annotations

from agent.demo.model import _question
from agent.demo.rules.abilities import understand
from agent.demo.rules.otherwise import first_call
from agent.demo.rules.plan import Plan
from agent.messages import Facts
from tests.support.calculated import TODAY, answered
from tests.support.cases import each


def called(asked: str) -> str:
    """What the first tool is asked, "" where the question is declined."""
    found = understand(_question(asked, Facts(TODAY.isoformat(), ("calculator", "convert", "now"))))
    call = first_call(found) if isinstance(found, Plan) else None
    return call[1] if call else ""


@each(
    ("asked", "told"),
    [
        ("How many r's are in the word strawberry?", "The letter “r” appears 3 times in “strawberry”."),
        ('how many times does the letter t occur in "that little kettle"', "The letter “t” appears 6 times"),
        ("how many letters are in the word encyclopedia?", "“encyclopedia” has 12 letters."),
        ("How many vowels does the word education have", "“education” has 5 vowels."),
        ('How many words are in "the cat sat on the mat"?', "has 6 words."),
        ("word count: We will meet at the station at noon", "has 8 words."),
        ("how many words is this: I would rather walk than wait", "has 6 words."),
        ('How many characters are in "hello world"', "has 11 characters, 10 without the spaces."),
        ("「すもももももももものうち」に「も」は何回出てくる?", "「も」は8回出てきます。"),
        ("「東京特許許可局」は何文字?", "7文字です。"),
    ],
)
def test_letters_and_words_of_a_given_text_are_counted(asked: str, told: str) -> None:
    assert told in answered(asked)


@each(
    ("asked", "told"),
    [
        ("1h 20m + 2h 50m + 35m", "is 4 hours 45 minutes, 285 minutes."),
        ("add 45 min, 1 h 20 min and 2 h 10 min", "is 4 hours 15 minutes, 255 minutes."),
        ("total of 35 min, 50 min and 1h 15", "is 2 hours 40 minutes, 160 minutes."),
        ("I worked 7h 30m, 8h 15m and 6h 45m. How long is that in total?", "is 22 hours 30 minutes"),
        ("3m 20s + 4m 50s", "is 8 minutes 10 seconds, 490 seconds."),
        ("1時間25分と2時間50分と40分を足すと?", "4時間55分"),
    ],
)
def test_lengths_of_time_are_added(asked: str, told: str) -> None:
    assert told in answered(asked)


@each(
    ("asked", "told"),
    [
        ("My dad was born in July 1961, how old is he?", "has turned 65 in 2026 already, and is 65."),
        ("I was born in December 1990. How old am I now?", "turns 36 later in 2026, and is 35 now."),
        ("she was born in november 1975, what age is she", "51 from the birthday on, 50 before it."),
        ("how old would mozart be if born in january 1756", "and is 270."),
        ("平成5年12月生まれの人は何歳ですか?", "33歳になり、今は32歳です。"),
        ("1988年11月生まれの人は今いくつ?", "誕生日の前は37歳"),
        ("1995年3月生まれは今何歳", "今は31歳です。"),
    ],
)
def test_an_age_is_told_by_the_month_of_birth(asked: str, told: str) -> None:
    assert told in answered(asked)


@each(
    ("asked", "until"),
    [
        ("My licence was issued on 3 June 2022 and is valid for 5 years. How many days are left?", "2027-06-03"),
        ("visa issued 1 september 2026, valid 90 days. how many days left", "2026-11-30"),
        ("The guarantee runs 3 years from 20 December 2023. How many days are left on it?", "2026-12-20"),
        ("My insurance started on 1 July 2026 and runs for 6 months. How long is left?", "2027-01-01"),
    ],
)
def test_days_are_counted_to_the_end_of_a_term(asked: str, until: str) -> None:
    assert f'"until": "{until}"' in called(asked)


@each(
    ("asked", "sum_"),
    [
        ("how many minutes is 1 and three quarter hours", "1.75 hours in minutes"),
        ("how many minutes are there in 2 and a third hours", "140 minutes in minutes"),
        ("My pancake recipe makes 8 and needs 250ml milk. I want to make 20 pancakes. How much milk?", "250 / 8 * 20"),
        ("My recipe makes 10 and takes 200g sugar and 100g butter. I want 15. How much sugar?", "200 / 10 * 15"),
        ("what will £5,000 be worth after 3 years at 4% compounded annually?", "5000 * (1 + 4 / 100)^3"),
        ("avg 10 20 30 45", "(10 + 20 + 30 + 45) / 4"),
        ("What was the original price if I paid 68 after 15% off?", "68 / (1 - 15 / 100)"),
        ("I paid 68 with 15% off, what was the original price?", "68 / (1 - 15 / 100)"),
        ("buy at 20% off, original price 89.90, what do i pay", "89.90 * (1 - 20 / 100)"),
        ("3/5 divided by 2/3", "3 / 5 / (2 / 3)"),
        ("It's 14:20 now. What time was it 95 minutes ago?", '{"date": "2026-11-21 14:20", "add": "-95 minutes"}'),
    ],
)
def test_everyday_wordings_come_to_their_sum(asked: str, sum_: str) -> None:
    assert called(asked) == sum_


@each(
    "asked",
    [
        "how many letters are in it",
        "count the words in this sentence",
        "how many times does the letter e appear in the bible",
        "how many consonants in rhythm",
        "how many words begin with t in: two tall trees",
        "gran was born in may 1938 and died in 2001. how old was she",
        "gran was born in may 2038. how old is she now",
        "my passport was issued on 12 May 2019. How many days left?",
        "My passport was issued on 12 May 2019 and runs for 10 years. How many days have I used it?",
        "My visa was issued on 12 May 2019 and was valid for 1 year. How many days left?",
        "recipe makes 24 and takes 180g butter, only want 16, how much sugar?",
        "recipe makes 24 and takes 180g butter. I want 16 and half the butter, how much butter?",
        "what will £8,000 be worth after 5 years at 3.2%?",
        "what will £8,000 be worth after 5 years at 3.2% compounded yearly if I add £50 a month?",
        "1h 25m + 2h 50m + 45 kg",
        "average of 12, 19, 7, 23 and 16 without the largest",
        "average of 4, 5 and some others",
        "How many 2 kg melons can a 70 kg man carry?",
        "How many 20 cm tiles cover a 2 m square floor?",
    ],
)
def test_what_is_not_told_stays_declined(asked: str) -> None:
    assert not called(asked)
