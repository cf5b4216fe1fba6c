"""Stories of quantities: the one sum that uses every figure, and those that are left alone."""

from __future__ import annotations

from agent.text.problems.story_sums import story_sum
from agent.tools.calculator.calculate import calculate
from tests.support.cases import each

# The figure, or "" where the story must be left alone.
STORIES = (
    (
        "There are 24 pupils in my class and each needs 3 exercise books and 2 pencils. How many items altogether?",
        "120",
    ),
    ("I had 15 apples, gave 4 to my neighbour and ate 3. How many are left?", "8"),
    ("eggs come in boxes of 12, I need 50 eggs. how many boxes?", "5"),
    ("5 boxes with 8 bottles each and 3 bottles are broken, how many bottles are ok?", "37"),
    ("I read 30 pages a day. How long for a 420 page book?", "14"),
    ("A bus holds 52 people. 310 people are going on the trip, how many buses?", "6"),
    ("20 euros minus 3.40 minus 7.15", "9.45"),
    ("How much change do I get from 50 if I buy two tickets at 18.50?", "13"),
    ("three pizzas at 9.50 and a salad at 6, split by 4", "8.63"),
    ("A jumper costs 65, it's reduced by 20% and I have a voucher of 10. What do I pay?", "42"),
    ("If I save 250 a month how much is that after 3 years?", "9000"),
    ("my electricity bill of 78 goes up 12 percent next year. new bill?", "87.36"),
    ("what's 7.5% of 1 million", "75000"),
    ("60% of the 45 guests said yes, how many is that?", "27"),
    ("monthly salary 2450, yearly?", "29400"),
    ("I earn 15.20 an hour and work 37.5 hours a week. How much is that per week?", "570"),
    ("2 litres of milk cost 2.38, how much is half a litre?", "0.595"),
    ("my car does 6.2 l per 100 km. How much for 450 km?", "27.9"),
    ("Fuel costs 1.85 a litre, I fill 42 litres. Price?", "77.7"),
    ("paint 1 litre covers 10 square metres, how many litres for 65 square metres?", "6.5"),
    (
        "hi there, I hope you're well! My sister (she's 34) and I went out yesterday, the bill was "
        "84 euros and we want to give 10 percent tip. How much is the tip?",
        "8.4",
    ),
    ("so basically my landlord wants 5% more and I pay 820 at the moment, what will the new rent be?", "861"),
    ("ok I need help, I have a piece of wood 2.4 m long and need pieces of 35 cm. how many can I get?", "6"),
    ("My phone is at 64 percent and loses 8 percent per hour, how many hours left?", "8"),
    ("4 workers need 6 days to build a wall. How many days do 8 workers need?", ""),
    ("If 3 cats catch 3 mice in 3 minutes, how many cats catch 100 mice in 100 minutes?", ""),
    ("A painter takes 6 hours for a room. How long do 2 painters take?", ""),
    ("It takes 5 towels 2 hours to dry. How long do 10 towels take?", ""),
    ("There are 12 birds on a tree, 3 fly away and 2 come back. How many are there?", "11"),
    ("I have 20 apples and eat half of them. How many are left?", ""),
    ("I have 3 apples and 4 pears. How many apples do I have?", ""),
    ("A shirt costs 20 and a tie costs 15. How much more is the shirt?", "5"),
    ("I buy 3 books at 12 each, the third one is free. How much?", ""),
    ("There are 30 pupils, 18 of them girls. How many boys?", ""),
    ("Anna is 12 and her brother is 3 years younger. How old is he?", ""),
    ("A train travels 60 miles in 2 hours. How many miles is it to London?", ""),
    ("5 friends order 3 pizzas with 8 slices each and 2 slices are left over. How many slices did each eat?", ""),
    ("A pack has 12 pens and costs 6 euros. How much is one pen?", "0.5"),
    ("A pack has 12 pens and costs 6 euros. How much are 30 packs?", ""),
    ("I run 5 km in 25 minutes. How long for 10 km?", "50"),
    ("There were 40 people on the bus, 12 got off and 7 got on. How many now?", "35"),
    ("I have 2 brothers and 3 sisters, how many children are there?", ""),
    ("My book has 300 pages and I have read 120. How many pages are left?", "180"),
    ("I earn 2000 and pay 700 rent and 300 for food, how much is left?", "1000"),
    ("A box weighs 2 kg and I have 5 boxes and 3 bags. How heavy is it all?", ""),
    ("We are 6, the taxi costs 42 and the driver gets a 3 euro tip, how much each?", "7.5"),
    ("My car uses 7 litres per 100 km and petrol costs 1.80 per litre. How much does a 250 km trip cost?", "31.5"),
    ("A pizza costs 9 and a drink 3. We buy 4 pizzas and 5 drinks. How much is it?", "51"),
    ("The room is 5 m long, 4 m wide. How many tiles of 50 cm?", ""),
    ("A flight of 3 hours costs 120 euros and the hotel is 80 euros per night for 3 nights. Total?", ""),
    ("I have 100 euros, spend 30 percent on books and 20 euros on food. How much is left?", ""),
    ("I get 20 euros pocket money a week and spend 5 euros a day. How much is left?", ""),
    ("The museum has 3 floors and 45 visitors per hour. How many visitors in 8 hours?", ""),
    ("A recipe for 4 people needs 300 g of rice. How much for 10 people?", "750"),
    ("A hotel costs 90 per night per person. How much for 2 people and 3 nights?", "540"),
    ("I bought 2 kg of apples at 3.20 per kg and 3 melons at 2 each. Total?", "12.4"),
    ("12 eggs cost 3 euros, what do 20 eggs cost?", "5"),
    ("A tank holds 200 litres and loses 4 litres an hour. When is it empty?", ""),
    ("A tank with 200 litres loses 4 litres an hour. How many litres are left after 10 hours?", "160"),
    ("A plant is 20 cm tall and grows 3 cm a week. How tall is it after 6 weeks?", "38"),
    ("I save 50 a month and already have 200. How much do I have after 10 months?", ""),
    ("How many weeks do I need to save 600 if I save 40 a week?", "15"),
    ("A car costs 15000 and loses 10 percent a year. What is it worth after 2 years?", ""),
    ("There are 5 shelves with 20 books each. 10 books are lent. How many books are there?", "90"),
    ("15 percent of the 200 pupils come by bus and 40 walk. How many walk?", ""),
    ("I drink 2 coffees a day at 2.50 each. How much is that in 30 days?", "150"),
    ("I sleep 8 hours a day. How many hours is that a year?", ""),
    ("one euro is 1.08 dollars, how many dollars are 50 euros?", ""),
    ("A bottle costs 2 euros, with 0.25 deposit. What do 6 bottles cost?", ""),
    ("The rope is 20 m. I cut off 3 pieces of 4 m. How much is left?", "8"),
    ("Tickets: adults 12, children 7. We are 2 adults and 3 children. Total?", "45"),
    ("My phone plan is 15 euros a month plus 0.10 per minute. I talk 200 minutes. Cost for the month?", "35"),
    ("3 shirts cost 45, how much is one?", "15"),
    ("A farmer has 17 sheep, all but 9 die. How many are left?", ""),
    ("I paid 20 for 4 kg of cherries, what is the price per kg?", "5"),
    ("I have 5 coins of 2 euros and 3 coins of 50 cents, how much is that?", "11.5"),
    ("A jar holds 300 sweets. 25 children get the same number. How many does each get?", ""),
    ("A jar of 300 sweets is shared by 25 children, how many each?", "12"),
    ("I read 20 pages in 30 minutes. How many pages in 2 hours?", "80"),
    ("A machine makes 120 parts in an hour, how many in 8 hours?", "960"),
    ("The tap fills 12 litres in 3 minutes. How long for 60 litres?", "15"),
    ("Two trains of 200 m and 150 m, how long together?", ""),
    ("A dozen eggs costs 3.60. What does one egg cost?", "0.3"),
    ("I put 50 litres of petrol at 1.79 and a coffee at 2.50 on my card, how much is that?", "92"),
    ("Lunch was 14.50 and I gave 20. What change do I get?", "5.5"),
    ("My dog eats 250 g a day. How long does a 5 kg bag last?", "20"),
    ("There are 4 boxes. Each box has 6 bags. Each bag has 5 sweets. How many sweets in total?", "120"),
    ("I need 3 kg of flour, the packs are 500 g. How many packs?", "6"),
    ("Out of 250 people 40% are women. How many men?", ""),
    ("A class of 28, 4 are ill. How many are here?", "24"),
    ("I walk 4000 steps a day, how many in a week?", "28000"),
    ("long night on ward 6... patient gets 75 mg every 6 hours, how many mg is that in 24 hours?", "300"),
    ("Planted 7 rows of 45 cabbages and the slugs ate 19 of them. How many cabbages remain?", "296"),
    ("the tank holds 60 litres and its 35 percent full, how many litres are in there", "21"),
    ("i earn 17.50 an hour and worked 36 hours this week. whats my gross pay", "630"),
    ("a bike costs 480, first 25% off and then another 10% off the reduced price. final price?", "324"),
    ("Hi! If I save 35 a week, how many weeks until I have at least 500?", "15"),
)


@each("story", STORIES, ids=lambda story: story[0])
def test_a_story_of_quantities(story: tuple[str, str]) -> None:
    asked, figure = story
    found = story_sum(asked)
    if not figure:
        assert found is None
        return
    assert found is not None
    assert abs(float(calculate(found.expression)) - float(figure)) < 0.006
