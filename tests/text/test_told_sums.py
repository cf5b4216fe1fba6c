"""Accounts of figures with a question about them: the sum, or "" where the account must be left alone."""

from __future__ import annotations

from agent.text.sums.precision import round_expression, rounding_wish
from agent.text.told_sums.accounts import told_account
from agent.text.told_sums.asked_units import problem_asked
from agent.text.told_sums.begin_times import begin
from agent.text.told_sums.recipe_parts import recipe_sums
from agent.text.told_sums.simple_interest import simple_interest
from agent.tools.calculator.calculate import calculate
from tests.support.cases import each

_READERS = (told_account, simple_interest)
SUMS = (
    ("My sister is twice as old as my son, who is 17. How old is my sister?", "34"),
    ("Tom is twice as old as Anna. Tom is 14. How old is Anna?", "7"),
    ("My grandmother is 4 times as old as me. She is 72. How old am I?", "18"),
    ("Tom is half as old as Anna. Anna is 14. How old is Tom?", "7"),
    ("Tom has three times as many marbles as Anna. Anna has 12. How many does Tom have?", "36"),
    ("Tom has three times as many marbles as Anna. Anna has 12 cards. How many marbles does Tom have?", ""),
    ("Tom is twice as old as Anna. She is 14. How old is Tom?", ""),
    ("Tom is twice as old as Anna. Ben is 14. How old is Tom?", ""),
    ("Tom is twice as old as Anna. Anna is 14. How tall is Tom?", ""),
    ("Tom was twice as old as Anna. Anna is 14. How old is Tom?", ""),
    ("In 5 years Tom will be twice as old as Anna. Anna is 14. How old is Tom?", ""),
    ("Tom is 0 times as old as Anna. Tom is 14. How old is Anna?", ""),
    ("A turkey needs 40 minutes a kilo plus 20 minutes extra and weighs 4.2 kg. How many minutes is that?", "188"),
    ("A chicken needs 20 minutes per 500 g plus 20 minutes extra and weighs 2 kg. How long is that?", "100"),
    ("A turkey needs 40 minutes a kilo plus 20 minutes extra per kilo and weighs 4 kg. How many minutes is that?", ""),
    ("A turkey needs 40 minutes a kilo, rests for 20 minutes and weighs 4 kg. How long is it in the oven?", ""),
    ("A turkey needs 40 minutes a kilo and weighs 4 kg with 500 g of stuffing. How many minutes is that?", ""),
    ("A turkey needs 40 minutes a kilo, weighs 4 kg and has been in for an hour. How long is that still?", ""),
    ("bought for 80, sold for 100, profit in percent?", "25"),
    ("I bought a bike for 250 and sold it for 200. What is my loss in percent?", "20"),
    ("Cost price 40, selling price 50. What is the margin in percent?", "20"),
    ("I bought a painting for £800 and sold it for £1,000. How much profit did I make?", "200"),
    ("bought for 80, sold for 60, profit in percent?", ""),
    ("bought 5 for 80, sold for 100, profit in percent?", ""),
    ("bought for $80, sold for 100 euros, profit?", ""),
    ("bought for 80, sold for 100 each, profit in percent?", ""),
    ("bought for 0, sold for 10, profit in percent?", ""),
    ("There were 63 apples, we ate 18 and gave away a third of the rest. How many are left?", "30"),
    ("There were 90 sheep, 20 ran away and half of the rest were sold. How many are left?", ""),
    ("All but 35 of the 120 seats are taken. How many are taken?", "85"),
    ("A bus has 40 people. All but 35 get off. How many are left?", "35"),
    ("All but 12 of the 60 lamps are broken. How many work?", ""),
    ("40 people are on a bus, all but 50 get off. How many are left?", ""),
    ("80 litres. I used 15% on Monday and part of the rest on Tuesday. How much is left?", ""),
    ("There were 80 litres. I used part of it, then 15% and 15% of the rest. How much is left?", ""),
    ("All but 20% of the 50 seats are taken. How many are taken?", ""),
    ("4 painters need 6 days for a house. How long would 3 painters take?", "8"),
    ("6 men dig a hole in 4 days, how long do 8 men take?", "3"),
    ("2 men take 3 hours to drive home. How long would 4 men take?", ""),
    ("6 eggs take 4 minutes. How long do 8 eggs take?", ""),
    ("2 people drive to work in 30 minutes. How long would 4 people take?", ""),
    ("4 men need 6 days for the work. How long would 3 men take?", "8"),
    ("Tim weighs 80 kg, 500 g less than Tom. How much does Tom weigh?", ""),
    ("Ann is 2 years old, 3 months younger than Tom. How old is Tom?", ""),
    ("Ann is 12 years old, 1 year older than Tom. How old is Tom?", "11"),
    ("The pen costs $2, 50 cents more than the pencil. How much does the pencil cost?", ""),
    ("Tim earns $500, $50 more than Tom. How much does Tom earn?", "450"),
    ("Tim earns 500 euros, 10 percent more than Tom. How much does Tom earn?", ""),
    ("Tim has 12, 2 times more than Tom. How many has Tom?", ""),
    ("Tim has 12 marbles, 3 more than Tom. How many has Tom?", "9"),
    ("Tim has 3 more marbles than Tom. Tom has 9. How many does Tim have?", "12"),
    ("Ben is 14. Sue is 5 years younger than him. How old is Sue?", "9"),
    ("Ben is 14 and Sue is 5 years younger than Ben. How old is Ben?", ""),
    ("Tom has 5 more marbles than Anna. How many does Tom have?", ""),
    ("Average of my darts scores please: 45, 60, 26, 85, 100", "63.2"),
    ("Hiya. I marked five tests tonight: 71, 64, 88, 93, 59. Could you tell me the mean?", "75"),
    ("My runs were 8.2 km, 5.5 km and 12.1 km. How far is that in total?", "25.8"),
    ("my splits were 5:12, 5:08 and 4:57, what's that altogether", "917"),
    ("I slept 7:30, 8:15 and 6:45 hours. What's the average?", "450"),
    ("My scores were 45, 60, 26, 85, 100. What's the average of the best three?", ""),
    ("My three kids are 4, 6 and 8 years old. What is the total of their ages in 5 years?", ""),
    ("I have 3 bags with 5, 6 and 7 apples and give 2 away. How many in total?", ""),
    ("I drove 12 km, 30 km and 45 km, what's the total in miles?", ""),
    ("I ran at 5:12, 6:30 and 7:45 today, total?", ""),
    ("my marks: 55 62 71 48. mean and highest?", "59"),
    ("My marks were 55, 62, 71 and 48. What's the difference between the highest and the lowest?", "23"),
    ("I bought 5 apples, 6 pears and 7 plums, total?", ""),
    ("Sum of the even numbers 3, 4, 6, 7", ""),
    ("Total of 45, 60 and 26 when multiplied by 3", ""),
    ("There were 80 litres. I used 15% and kept 15% of the rest. How much is left?", ""),
    ("60 sweets. I ate a third and half of the rest were red. How many are left?", ""),
    ("60 guests. A third go home and half of the rest go to bed. How many have left?", ""),
    ("I've borrowed 6000 at 4.5% simple interest over 3 years. What do I owe after a year?", ""),
    ("I owe 6000 including 4.5% simple interest over 3 years. How much interest is that?", ""),
    ("£6000 at 4.5% simple interest a quarter over 3 years. How much do I pay back?", ""),
    ("6000 at 4.5% simple interest over 3 years. How much interest in total do I pay each year?", "270"),
    ("How much simple interest would £1,800 earn at 4.25% a year over 2 years?", "153"),
    ("How much simple interest do 650 euros earn at 2% per annum in 3 years?", "39"),
    ("How much simple interest a year does £1,800 earn at 4.25% over 2 years?", "76.5"),
    ("2000 at 3% simple interest over 5 years. How much interest do I earn in the last year?", "60"),
    ("312 kWh at 24.6p each and 31 days of standing charge at 53p a day. What is that per day?", ""),
    ("3 coffees at £4 and 2 cakes at £3. My boss covers the drinks. How much do I spend?", ""),
    ("How many 2 m poles are in 10 m of line with one at either end?", ""),
    ("There were 80 litres. I used 15% of it on Monday and 15% of the rest on Tuesday. How much is left?", "57.8"),
    ("There are 600 tickets. Half went to members and 40% of the remainder to schools. How many are left?", "180"),
    ("There were 80 litres. I used 15% on Monday and 15% on Tuesday. How much is left?", ""),
    ("80 litres. I used 15% of it and 15% of the rest on Tuesday. How much did I use on Tuesday?", ""),
    ("Spent 20% on shoes, a quarter of what was left on a coat and have 150 left. How much did I have left?", ""),
    ("I've borrowed 6000 from my aunt at 4.5% simple interest over 3 years. How much do I pay back in total?", "6810"),
    ("My brother lent me £2,400 at 3% simple interest for 18 months. How much interest is that?", "108"),
    ("I've borrowed 6000 at 4.5% simple interest over 3 years. What do I pay each month?", ""),
    ("I've borrowed 6000 at 4.5% interest over 3 years. How much do I pay back in total?", ""),
    ("12 kg at $3 a pound and 2 kg at $4 a kg, what do I pay?", ""),
    ("2 coffees at £2.80 and 3 cakes for £9. What does that come to?", ""),
    ("4 friends buy 12 pens at 85p each and 3 pads at £4.20. What does each person pay?", ""),
    ("We bought 12 stamps at 85p each and 3 parcels at £4.20 and paid with £50. What's our change?", ""),
    ("5 pens at 80p each and 3 pads at £2 each. What did the pens cost?", ""),
    ("Of 200 guests 20% left early and half of the rest at midnight. How many left?", ""),
    ("A 100 g cream lost 20% of its water, and half of the rest evaporated. How much is left?", ""),
    ("My bills: 3 at 12, 15 and 18. Total?", ""),
    ("How many 2 kg melons can a 70 kg man carry?", ""),
    ("We have 2 kg of flour and each loaf takes 400 g. How many cakes can we bake?", ""),
    ("How many 250 ml glasses fit in a 5 kg box?", ""),
    ("How many 20 cm tiles cover a 2 m square floor?", ""),
)
BEGINNINGS = (
    (
        "The beef needs 20 minutes per 500 g plus 20 minutes extra, and then it rests for 15. It weighs 2.25 kg and "
        "we're eating at 1:30 pm. When should it go in the oven?",
        125,
    ),
    ("40 minutes per kilo and rests for 45 minutes. It's 4.5 kg and we eat at 2 pm. What time does it go in?", 225),
    ("The film is 2 hours 20 and I have to be in bed at 11:15 pm. When must it start at the latest?", 140),
    ("It takes 25 minutes to walk to school, which starts at 8:40 am. When should I leave?", 25),
    ("School starts at 8:40 am, I walk 25 minutes and my brother starts then. When does he leave?", 0),
    ("It roasts 1 hour and 30 minutes, rests 20 minutes. Dinner is at 7 pm. When should it go in?", 110),
    ("I want the cake ready at 4 pm. It bakes 45 minutes and cools for an hour. When do I start?", 0),
    ("Dinner starts at 6 pm and lasts 2 hours. When should I start the washing up?", 0),
    ("The party ends at 11 pm and the trip home takes 30 minutes. When should we start?", 0),
    ("The film is 2 hours 20 and starts at 8 pm. When does it end?", 0),
    ("The play starts at 7:30 pm and is 2 hours long. When should I set off?", 0),
    ("Dinner is at 7 pm. The roast takes 90 minutes and the potatoes 45 minutes. When should I start?", 0),
    ("The beef needs 20 minutes per 500 g. It weighs 2.25 kg and goes in at 1:30 pm. When should I start?", 0),
)


@each("text, figure", SUMS)
def test_the_sum(text: str, figure: str) -> None:
    found = [problem for read in _READERS if (problem := read(text))]
    assert [calculate(problem.expression) for problem in found] == ([figure] if figure else [])


@each("text, minutes", BEGINNINGS)
def test_how_long_before_it_begins(text: str, minutes: int) -> None:
    found = begin(text)
    assert (found.value if found else 0) == minutes
    assert found is None or float(calculate(found.minutes)) == minutes


@each(
    ("text", "figure", "unit"),
    [
        ("150 miles in 2.5 hours, how fast in km/h?", 96.56064, "km/h"),
        ("150 km in 2 hours, in mph?", 46.6028, "mph"),
        ("2 hours at 50 mph, how far in km?", 160.9344, "km"),
        ("5 km in 25 min in km/h", 12, "km/h"),
        ("How far is 150 km in 2 hours, in mph?", 0, ""),
        ("A box 30 by 20 by 15 cm, what is its volume in litres?", 0, ""),
        ("What is the area of a square with sides of 10 cm?", 100, " square cm"),
        ("What is the area of a square with a diagonal of 10 cm?", 0, ""),
        ("What is the perimeter of a square with an area of 25 metres?", 0, ""),
    ],
)
def test_a_result_in_the_unit_that_is_asked_for(text: str, figure: float, unit: str) -> None:
    found = problem_asked(text, "en")
    assert (found.unit if found else "") == unit
    assert found is None or abs(float(calculate(found.expression)) - figure) < 0.001


RECIPES = (
    (
        "My pancake recipe feeds 6 and takes 225g flour, 450ml milk and 3 eggs, but it's just the two of us tonight",
        {"flour": "225 g / 6 * 2", "milk": "450 ml / 6 * 2", "eggs": "3 / 6 * 2"},
    ),
    (
        "This mix makes 16 and takes 320g oats and 200g brown sugar. I need 40.",
        {"oats": "320 g / 16 * 40", "brown sugar": "200 g / 16 * 40"},
    ),
    ("My recipe makes 12 and takes 225g flour and 3 eggs, but it's for 6 people", {}),
    ("My recipe feeds 6 and takes 225g flour each, but it's just the two of us", {}),
    ("My recipe feeds 6 and takes 225g flour, 450ml milk and 3 eggs, but I only have 300 g flour", {}),
    ("My recipe feeds 6 and takes 225g flour and 3 eggs, but we are 2 and want double portions", {}),
    ("My recipe for 4 needs 250 g of flour and 3 eggs. How much for 10 people?", {}),
)


@each("text, sums", RECIPES)
def test_a_recipe_for_another_number(text: str, sums: dict[str, str]) -> None:
    assert dict(recipe_sums(text)) == sums


WISHES = (
    ("12 oz to the nearest gram please", "12 oz", "340", "gram"),
    ("11 stone 4 in kilos, to one decimal place", "11 stone 4 in kilos", "340.2", ""),
    ("Split 200 between 7 people, to the penny.", "Split 200 between 7 people.", "340.19", "penny"),
    ("Roughly what would that be to the nearest ten?", "what would that be?", "340", ""),
    ("how many km is 5 miles, roughly?", "how many km is 5 miles?", "", ""),
    ("which is the nearest station?", "", "", ""),
    ("5 km to the nearest parsnip", "", "", ""),
)


@each("text, bare, rounded, unit", WISHES)
def test_a_wish_for_a_rounded_figure(text: str, bare: str, rounded: str, unit: str) -> None:
    wish = rounding_wish(text)
    assert (wish.bare, wish.unit) == (bare, unit) if wish else not bare
    told = calculate(round_expression("340.194", wish.to)) if wish and wish.to else ""
    assert told == rounded


def test_a_wish_fits_figures_of_its_unit() -> None:
    gram, penny = rounding_wish("12 oz to the nearest gram"), rounding_wish("a third of £10 to the nearest penny")
    assert gram and gram.fits("g") and not gram.fits("kg") and gram.ways == ("12 oz", "12 oz in gram")
    assert penny and penny.fits("£") and penny.fits("") and not penny.fits("kg")
