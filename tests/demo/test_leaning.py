"""Which follow-ups the demo model takes to lean on what was said before, and which to stand alone."""

from __future__ import annotations

from agent.demo.rules.leaning import leans
from tests.support.cases import each

LEANING = """
and its cube?
What is that in Kelvin?
what is it in celsius
double it
half of that
And Tokyo?
What about Germany?
how about 36?
in Kelvin?
as a chart
plus 10
add 3
multiply by 3
divide by two
round to 2 places
10 kg?
36?
Why?
why not?
What was his first name?
Who did she marry?
Which of them is larger?
Is it larger than Paris?
the same for London
And the other one?
only 2023
Then multiply the result by 3
Show me another example
Tokyo?
How far is it in miles?
What is the population there?
それを摂氏で？
その立方は？
同じことを東京で
では、ケルビンでは？
它的平方根呢？
add 2/3
rounded to 2 decimals
Explain that
""".strip().splitlines()

STANDING = """
hi
Hello there!
thanks
Thank you so much!
こんにちは
What is the square root of 25?
What is 15% of 80?
Who wrote the novel Dune?
What is the capital of France?
What was the high temperature in SF yesterday in Fahrenheit? And the same value in Celsius?
How many days are there between 2024-01-01 and 2024-12-25?
Is it raining in Paris right now?
What time is it in Tokyo?
In which year did Apollo 11 land on the moon?
In 1969, who was the president of the United States of America?
How much did the dollar fall this year?
Convert 72 °F to Celsius
2+2
5!
multiply 3 by 4
add 3 and 4
Which country that has a coast is the smallest?
Search for the tallest building in Dubai
25の平方根はいくつですか？
Write an essay on the French Revolution and its causes
Explain quicksort
What's the weather in Rome this weekend?
""".strip().splitlines()


@each("question", LEANING)
def test_leaning_questions(question: str) -> None:
    assert leans(question)


@each("question", STANDING)
def test_questions_that_stand_alone(question: str) -> None:
    assert not leans(question)
