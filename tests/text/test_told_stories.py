"""Small stories of sums, times and days in any words, and what is asked of the figures that were just told."""

from __future__ import annotations

from datetime import date

from agent.demo.rules.history import followed
from agent.text.problems.clock_figures import told_in_figures
from agent.text.problems.clock_questions import Elsewhere, Later, Spans
from agent.text.problems.clock_stories import asks_of_another, clock_story, of_this_year
from agent.text.problems.day_stories import day_stories
from agent.text.sums.phrases import plain
from agent.text.sums.precision import Precision, Wish, rounding_wish
from agent.text.told_sums.accounts import told_account
from agent.text.told_sums.errands import errand
from tests.support.calculated import answered
from tests.support.cases import each
from tests.support.everyday import stands

TODAY = date(2026, 11, 21)
# The figure that the story comes to.
STORIES = (
    ("How many 250 ml glasses can I pour out of a 5 litre keg?", "20"),
    ("How many 330 ml bottles do I need for 10 litres?", "31"),
    ("We have 2 kg of flour and each loaf takes 300 g. How many loaves can we bake?", "6"),
    ("Four friends share a taxi that costs 31 pounds plus a 5 pound tip. How much does each pay?", "9"),
    ("312 kWh at 24.6p each and 31 days of standing charge at 53p a day. What does that come to?", "93.18"),
    ("Hire of the hall is 18 dollars an hour for 5 hours and 60 chairs at 75 cents each. What do we pay?", "135"),
    ("I work 6.5 hours a day at £14 an hour. How much do I earn per day?", "91"),
    ("Batteries are sold in packs of 4 and I need 18 batteries. How many packs must I buy?", "5"),
    ("Each child gets 3 balloons and 22 kids are coming. Balloons come in bags of 20. How many bags do I need?", "4"),
    ("I need 6 screws per shelf for 9 shelves and they come in boxes of 25, how many boxes?", "3"),
    ("52 children and 6 adults are going to the zoo, one coach seats 30. how many coaches do we need?", "2"),
    ("wall 6 m by 2.5 m, one litre of paint covers 12 m2, two coats. how many litres do i need?", "2.5"),
    ("A tin covers 15 m2 and my walls are 52 m2. Two coats. How many tins do I need?", "7"),
    ("I did 6 hours a day from Monday to Thursday and 4 hours on Friday at 12.50 an hour. What do I earn?", "350"),
    (
        "A monthly swim pass is £38. A single swim costs £4.50 and I go 12 "
        "times a month. How much do I save with the pass?",
        "16",
    ),
    (
        "A family pass is 45, adults pay 16 and children 9. We are 2 adults and 2 kids. How much do we save with it?",
        "5",
    ),
    ("Joining fee of 40, then 22.50 a month. What do I pay in total for 12 months?", "310"),
    ("I save £25 a week and already have £140. How much will I have in 10 weeks?", "390"),
    ("A pack of 8 rolls is 2.40 and a pack of 12 is 3.00. How much cheaper is each roll in the bigger pack?", "0.05"),
    ("The invoice is £540 including 20% VAT. What is it before VAT?", "450"),
    ("The price is £84 and that includes 5% VAT. How much is the VAT?", "4"),
    ("I had some marbles, lost 9, won 14 and now I have 40. How many did I have at the start?", "35"),
    ("I think of a number, triple it and subtract 4 and get 26. What is my number?", "10"),
    ("Split £360 between 3 kids in the ratio 1:2:3. How much does the one with the least get?", "60"),
    ("There are twice as many cats as dogs in the shelter, 36 animals in total. How many dogs are there?", "12"),
    ("Mia is 6 years younger than Leo. Together they are 40. How old is Mia?", "17"),
    ("A straight path is 40 m long and has a lamp every 5 m with one at each end. How many lamps do they need?", "9"),
    ("My car does 40 mpg. How many gallons do I need for 300 miles?", "7.5"),
    ("Sold 60 cakes at £2.50 each, the ingredients cost £48. How much profit did we make?", "102"),
    ("Bought a guitar for £120, spent £30 on strings and sold it for £200. What's my profit?", "50"),
    ("The bus is £3.20 each way and the ferry is £8 each way. What's the total for the round trip?", "22.4"),
    ("One tap fills the bath in 12 minutes, the other in 6 minutes. How long with both on?", "4"),
    (
        "Two cyclists are 60 km apart and ride towards each other at 14 and "
        "16 km/h. After how many hours do they meet?",
        "2",
    ),
    ("6 workers take 10 days. How many days do 4 workers take?", "15"),
    ("I paid with a £20 note for 2 sandwiches at £4.50 each. How much change do I get?", "11"),
)
# Stories that one word turns, or that lack a figure.
NEAR = (
    "I need 14 hooks per window and have some windows. They come in packs of 25. How many packs do I buy?",
    "I need 14 hooks per window and I've got 6 windows, 2 of them need no hooks. Packs of 25. How many packs?",
    "rolls come in packs of 6 and I need 45 rolls but already have some. packs to buy?",
    "rolls come in packs of 6 or packs of 8 and I need 45 rolls. how many packs?",
    "rolls come in packs of 6 and I need 45 buns. packs to buy?",
    "room is 4.2 by 3.5 m, how much does the carpet cost",
    "carpet at 22 a square metre for a room thats 4.2 m by 3.5 m, cost with fitting?",
    "living room is 4.2 by 3.5 m with a 1 m square hole for the stairs, how many m2 of carpet",
    "living room is 4.2 m by 350 cm, minus the fireplace. how many m2 of carpet is that",
    "Worked 7.5 hours each day mon to thu and some on friday, at 13.20 an hour. What's my pay?",
    "Worked 7.5 hours each day mon to thu and 5 hours on friday, at £13.20 an hour. What's my pay after tax?",
    "My brother worked 7.5 hours each day mon to thu and 5 hours on friday, I get 13.20 an hour. What does he get?",
    "Worked 7.5 hours each day mon to thu and 5 hours on friday, at "
    "£13.20 an hour and double on friday. What's my pay for the week?",
    "Monthly bus pass is 62. Single rides are 2.90. How much does the pass save me a month?",
    "Monthly bus pass is 62. Single rides are 2.90 and I take 26 a month, "
    "half of them free. How much does the pass save me?",
    "Weekly bus pass is 20. Single rides are 2.90 and I take 26 a month. How much does the pass save me a month?",
    "wall 5 m long. a litre of paint does 10 m2 and i want 2 coats. how many litres exactly",
    "wall 5 m long, 2.4 m high with a door of 2 m2. a litre of paint does 10 m2 and i want 2 coats. how many litres",
    "walls come to 70 sqm, paint tins cover 12 square metres, how much do the tins cost",
    "left home 7:25, at my desk some time later. how many minutes was that",
    "left home 7:25, at my desk 8:12, had a 10 minute stop. how many minutes was i moving",
    "went to bed 22:35, fell asleep 23:10, got up 6:10, how long did i sleep",
    "fell asleep 23:20, woke up 6:55 but was awake for a while. how long did i sleep",
    "went to bed 22:35 got up 6:10, how long did my wife sleep",
    "I've got £20 and buy notebooks at £3.45 each. How much change do I get?",
    "I've got £20 and buy 3 notebooks at £3.45 each and a pen. How much change do I get?",
    "I've got £20 and my friend buys 3 notebooks at £3.45 each. How much do I have left?",
    "I've got £20 and want 9 notebooks at £3.45 each. How much change do I get?",
    "Paid with a twenty. Coffee 3.40, sandwich 5.95, and a slice of cake. How much change?",
    "2 loaves at 1.85 and a pint of milk, how much is that altogether",
    "2 loaves at 1.85 and a pint of milk for 95p, how much is the milk more than a loaf",
    "2 loaves at 1.85 or a pint of milk for 95p, what do i pay",
    "gym sign-up fee 30 once, then some amount a month. what does the first year cost",
    "gym sign-up fee 30 once, then 25.99 a month, first month free. what does the first year cost",
    "phone contract: 18.50 a month for 24 months + 49 upfront. total over the contract if i cancel early?",
    "putting away 35 quid a week on top of what is already in the jar, what will be in there after 16 weeks",
    "putting away 35 quid a week on top of the 120 already in the jar and "
    "taking out 5 now and then, what will be in there after 16 weeks",
    "we have 45 pupils and 3 teachers going on a trip. how many minibuses do we need?",
    "we have 45 pupils and 3 teachers, the teachers drive themselves. each minibus holds 16. how many minibuses?",
    "we have 45 pupils, 3 of them sick at home. each minibus holds 16. how many minibuses do we need?",
    "A pack of 6 yoghurts is £2.70 and a pack of 4 is on offer. How much cheaper is each yoghurt in the 6 pack?",
    "A pack of 6 yoghurts is £2.70 and a tin of 4 peaches is £1.96. How much cheaper is each one?",
    "price is £96 with VAT already in it. what is it without the vat?",
    "price is £96 with 20% VAT to be added. what is it without the vat?",
    "price is £96 with 20% VAT already in it and 5 for postage. what is it without the vat?",
    "if I put 2500 in savings at 3% a year, how much interest do i get?",
    "if I put 2500 in savings at 3% a month, how much interest do i get after 1 year?",
    "if I put 2500 in savings at 3% a year and add 50 each month, how much interest do i get after 1 year?",
    "Boots were 125. The shop took 20% off, and at the till another bit off. What did I pay in the end?",
    "Boots were 125. The shop took 20% off the boots and 10% off my socks "
    "at 5. What did I pay for the boots and socks?",
    "there were 7 of us in the taxi and it came to £44.10, 2 didn't pay. "
    "if the rest split it equally what does each pay?",
    "there were 7 of us in the taxi and it came to £44.10. driver included?",
    "there were 7 of us in the taxi and it came to £44.10, I paid 10. what do the others pay each?",
    "Fence around my garden, 18 metres long. How many metres of fence all the way round?",
    "Fence around my rectangular garden, 18 metres long and 11 metres wide, with a 3 m gate. How many metres of fence?",
    "Fence around three sides of my garden, 18 metres long and 11 metres wide. How many metres of fence?",
    "grandad left 720 to three cousins in the ratio 5:3. How much for the one who gets most?",
    "3 painters need 8 days for the hall, 4 plumbers for the pipes - how many days?",
    "Ben is 4 years older than Lily. How old is Ben?",
    "Ben is 4 years older than Lily. Their ages together with Tom's make 30. How old is Ben?",
    "there's twice as many girls as boys in our choir. how many boys then",
    "thinking of a number.. double it, add something and you get 35. what was it",
    "had some stickers, gave some to Amy, got 8 off Raj and now I've 53. how many did I have to begin with?",
    "A 6 m plank has to be sawn into pieces. How many cuts is that",
    "straight fence, 24 m long, a post every so often. how many posts do i buy",
    "normal pay 14 an hour, overtime is time and a half. did 40 hours. what was my overtime pay",
    "recycling goes every 2 weeks. what are the next two dates",
    "recycling goes every 2 weeks and the last time was tues 17 november, "
    "but they skip christmas. what are the next four dates",
    "I take a tablet every other day for 7 days, today is day 1. What date is day 7?",
    "I take a tablet every day for 7 days, yesterday was the last. What date was day 1?",
    "what weekday is the last day of school in february 2027?",
    "Whats the date this coming payday?",
    "how many days from today till my birthday (in december)?",
    "bus goes every 12 minutes, first one in the morning. which is the first i can catch after 7:30?",
    "My sister in Sydney will ring at 9:30 am on Saturday 5 December 2026. What time is that for me?",
    "My train leaves at 9:47 and the journey takes 2 h 36 min, 10 min late. what time do I arrive?",
    "My train leaves at 9:47 and the journey takes 2 h 36 min, then a bus. what time am I home?",
    "Its 3pm in London, what time is it where my mum lives?",
    "Paid 1.6 kg salmon at 17.25 per kg with a voucher. what did i pay",
    "Train's 42 each way and the taxi is 6.50 one way. what does it cost there and back?",
    "an orchestra has 3 times as many strings as brass. 42 in all with 6 drummers. how many strings?",
    "cat gets one pouch three times a day. A box has some pouches - how many days does that last?",
    "24 pupils pay £3.50 each, 4 of them haven't yet, and the coach costs £60. How much money is left over?",
    "24 pupils pay £3.50 each and the coach costs £60 each way. How much money is left over?",
    "The hall has 12 rows of 14 seats and 9 rows are broken. How many can people use?",
    "I spend £3.20 on coffee most days, 5 days a week sometimes. How much is that over 48 weeks?",
    "I spend £3.20 on coffee every day and my wife £2 on tea, 5 days a week. How much is that over 48 weeks?",
    "we need 3 sandwiches per person for 18 people and each loaf makes 9. how many packs of ham?",
    "flights were £86 each for 4 of us plus £25 per bag. total?",
    "I want to lose 9 kg at half a kilo a week. how many months will it take?",
    "I want to lose 9 kg and have lost 2 already, at half a kilo a week. how many weeks more?",
    "a bottle holds 750 ml and a glass is 125 ml. how many bottles for 24 glasses?",
    "the sofa is £840 and I pay a third now and the rest over 8 months with 5% interest. how much a month?",
    "I have £200 for the month and already spent £73.40. what's left per day?",
    "I have £200 for the month and my son already spent £73.40 of his. what's left?",
    "the sale says 3 for £10, normally £4.20 each. how much do I save on 4?",
    "a swimming pool is 25 m long and 10 m wide. how many lengths for 1.5 km?",
    "my meter went from 4210 to 4388, at 28p a unit plus 50p a day what do I owe?",
    "rent is £950 and bills are £180, split between me and 3 flatmates. how much each?",
    "rent is £950 and bills are £180, split between 3 flatmates but Tom pays no bills. how much each?",
    "kids' party: 14 kids at £8.50 a head plus £30 for each of two cakes. what does it cost?",
    "I get £2,350 a month after tax and rent is £190 a week. what percent goes on rent?",
    "I get £2,350 a month after tax and rent is £850. what percent goes on food?",
    "3 nights at £74 a night plus £12 breakfast each morning for 2 people, total?",
    "I left at 8:40 and Tom left at 9:10. how many minutes was that after me?",
    "I started work at 9:00 and it was 11:30 when the boss came in, how long did the boss work?",
    "I need 18 eggs, they come in boxes of 6 and I have 4. how many boxes to buy?",
    "A coach seats 30 and 52 children and 6 adults are going, 10 by car. how many coaches?",
    "2 teas at 2.10 and a scone, total?",
    "2 teas at 2.10, a scone for 3.25 and 10% off, what's the total?",
    "I paid with a £20 note for 2 sandwiches at £4.50 each and got £10 back. How much change should I get?",
    "We shared 2 pizzas at 9.50 and a salad at 6, how much each?",
    "Shop opens at 9:00 and shuts at 17:30 with an hour for lunch. how long is it open?",
    "Coffee 3.40 and cake 2.75 for me, tea 2.10 for Ann. what do i owe in total?",
    "3 coffees at 3.40 each and 2 cakes at 2.85 each for 5 people, how much is it each?",
    "I bought 2 shirts at 15 each and gave one back. how much did I spend altogether?",
    "paid with a tenner for a cake at 4.50, and my friend gave me 2. change?",
    "I've got £20 and a £5 voucher and buy 3 notebooks at £3.45 each. How much change do I get?",
    "2 loaves at 1.85 each, 3 rolls for a pound, what's the total?",
    "a coffee at 3.40 and a cake at 2.75 every day, what do I pay in total for a week?",
    "I need 45 rolls, they come in packs of 6 at £1.20. how much do I pay?",
    "Each window needs 14 hooks, and there are 6 windows but two have blinds. packs of 25. How many packs do I need?",
    "each child gets 3 balloons, 22 kids are coming and 4 cancelled. Bags of 20. How many bags?",
    "I get 11.80 an hour and worked 22.5 hours, half of them at night for double. what's my pay?",
    "A monthly pass is £38. A single costs £4.50 and I go 2 times a week. How much do I save with the pass?",
    "There are twice as many cats as dogs and three rabbits, 36 animals in total. How many dogs are there?",
    "Sold 60 cakes at £2.50 each and 10 at half price, the ingredients cost £48. profit?",
    "Split £360 between 3 kids in the ratio 1:2:3. How much more does the biggest share get than the smallest?",
    "The meal was £54 with a 12.5% service charge. How much is the service if we only pay half?",
    "I put £1200 in the bank at 2.5% a year. How much interest do I get after one month?",
    "I save £25 a week and have £140. How many weeks until £400?",
    "my meter went from 4388 to 4210, at 28p a unit what do I owe?",
    "The bus is £3.20 each way. What's the total for the round trip for a week?",
    "A car does 40 mpg and the tank holds 12 gallons. How far can I go on half a tank?",
    "5 tickets cost £42. What would one more cost?",
    "4 workers take 10 days. How many days do 4 workers take if 2 leave after 5 days?",
)
TIMES = (
    ("Set off at 8:40 and got to gran's at 10:15. How long was that?", Spans((("8:40", "10:15"),))),
    (
        "The painter came 9:10, he was gone by 11:55. how many minutes was he here?",
        Spans((("9:10", "11:55"),), "minutes"),
    ),
    ("lights out 23:05, kids up at 6:40. how long did they sleep?", Spans((("23:05", "6:40"),))),
    ("alarm at 6:30, I went to sleep at 23:15. how long is that?", Spans((("23:15", "6:30"),))),
    ("the shop shuts at 17:30, it's 15:48 now. how many minutes have I got?", Spans((("15:48", "17:30"),), "minutes")),
    (
        "My bus is at 18:05, walking there takes 17 minutes, when do I have to set off?",
        Later("18:05", "17 minutes", True),
    ),
    ("3 talks of 25 minutes each starting at 9:00, when am I done?", Later("9:00", "75 minutes", False)),
    ("The shop opens at 9 am in London. What time does it close in Paris?", None),
    ("He rings at 8pm in Lima, what time is that in Rome?", Elsewhere("8pm", "Lima", "Rome")),
    ("Set off at 8:40, the satnav said 10:15. How long did it really take?", None),
    ("tram goes at 16:20, i need 25 mins to walk to the stop. when do i leave?", Later("16:20", "25 mins", True)),
    ("Shop opens at 9:00 and shuts at 17:30 with an hour for lunch. how long is it open?", None),
    ("clocked in 23:05, clocked out 6:40, how long was that?", None),
    ("Set off at 8:40, had a break, and got to gran's at 10:15. How long was I driving?", None),
    ("I got up at 6:10. My wife got up at 7:30. How long did my wife sleep?", None),
    ("The plane leaves Rome 9:10 and lands in Cairo 14:20, how long is the flight?", None),
    (
        "The ferry leaves at 7:50 and the crossing takes 95 minutes, when does it arrive?",
        Later("7:50", "95 minutes", False),
    ),
    ("The ferry leaves at 7:50 and the trip takes 95 minutes, mum is waiting. When does it get in?", None),
    (
        "Ferry leaves at 7:50, the trip takes 95 minutes. Mum is there already, when do we arrive?",
        Later("7:50", "95 minutes", False),
    ),
    (
        "The roast needs 3 hours 10 minutes and we eat at 1 pm. What time must it go in?",
        Later("1 pm", "3 hours 10 minutes", True),
    ),
    ("The roast needs 3 hours 10 minutes and then rests, we eat at 1 pm. What time must it go in?", None),
    (
        "My cousin in Toronto rings at 6 pm her time on Friday. What time is that in Paris?",
        Elsewhere("6 pm", "Toronto", "Paris"),
    ),
)
DAYS = (
    (
        "The car was serviced on 4 May 2026, that is due every 12 months. When is the next one?",
        "what date is 12 months after 2026-05-04",
    ),
    ("the DVD was due back on 2 november, how many days late am i?", "how many days since 2 november"),
    (
        "the cat has a jab every 3 months, the last one was 5 October. when is the next?",
        "what date is 3 months after 2026-10-05",
    ),
    ("it's Saturday 21 November. what's the date next thursday?", "what's the date next thursday?"),
    ("I take drops for 10 days, today is day 1. What date is day 10?", "what date is 9 days from today"),
    ("I take drops every other day for 10 days, today is day 1. What date is day 10?", ""),
    ("what weekday is the last day of february 2028?", "what weekday is 29 february 2028?"),
    ("what date is this coming monday?", "what date is the coming monday?"),
    ("what day of the week did the shop open? it was 3 May 2019", "what day of the week was 3 May 2019"),
    ("how many days till christmas day (25 dec)?", "how many days till christmas day?"),
    (
        "My visa runs out on 18 June 2027, apply 3 months before that. Latest date?",
        "what date is 3 months before 18 June 2027",
    ),
    ("when is the first friday in march next year?", "when is the first friday in march 2027?"),
)
_SUM = ("what is 12 times 15?", "12 × 15 is 180.")
FOLLOWED = (
    ("now take 10% off that", (_SUM,), "What is 180 minus 10%?"),
    ("add 15% to that for waste", (_SUM,), "What is 180 plus 15%?"),
    ("and how much change from a hundred?", (("3 at 9 each?", "3 × 9 is £27."),), "What is £100 minus £27?"),
    ("and how much change from a twenty?", (("3 at 9 each?", "3 × 9 is £27."),), "and how much change from a twenty?"),
    (
        "tables seat 8. how many tables do I need for that many",
        (_SUM,),
        "A table holds 8 people. 180 people are going, how many tables?",
    ),
    ("what percentage of 720 is that?", (_SUM,), "180 is what percent of 720?"),
    ("so what's the average of the two?", (_SUM, ("20 times 7?", "20 × 7 is 140.")), "What is (180 + 140) / 2?"),
    (
        "how much less was the second than the first?",
        (_SUM, ("20 times 7?", "20 × 7 is 140.")),
        "What is 180 minus 140?",
    ),
    (
        "how much more was the second than the first?",
        (_SUM, ("20 times 7?", "20 × 7 is 140.")),
        "how much more was the second than the first?",
    ),
    ("and for 4 weeks?", (("12 an hour, 30 hours. weekly pay?", "12 × 30 is 360."),), "What is 360 * 4?"),
    (
        "no wait, the tram is at 16:35",
        (("tram goes at 16:20, i need 25 mins to walk there. when do i leave?", "25 mins before 16:20 is 15:55."),),
        "tram goes at 16:35, i need 25 mins to walk there. when do i leave?",
    ),
    ("and 4?", (("3 coffees at 2.80, what's the total?", "3 × 2.8 is 8.4."),), "4 coffees at 2.80, what's the total?"),
    ("and a dozen?", (("6 eggs cost 1.80. how much is one?", "1.8 ÷ 6 is 0.3."),), "What is 0.3 * 12?"),
    ("so 20 eggs would be", (("12 eggs cost 3.60. price of one egg?", "3.6 ÷ 12 is 0.3."),), "What is 0.3 * 20?"),
    ("so 20 buns would be", (("12 eggs cost 3.60. price of one egg?", "3.6 ÷ 12 is 0.3."),), "so 20 buns would be"),
    (
        "and from 10:40 to 14:00?",
        (("how many minutes from 10:40 to 13:05", "10:40 to 13:05 is 145 minutes."),),
        "how many minutes from 10:40 to 14:00?",
    ),
)


@each(("text", "figure"), STORIES)
def test_a_story_comes_to_its_figure(text: str, figure: str) -> None:
    assert stands(answered(text), figure)


@each("text", NEAR)
def test_a_story_that_is_only_near_is_left_alone(text: str) -> None:
    assert (errand(plain(text), "en"), told_account(plain(text), "en")) == (None, None)


@each(("text", "read"), TIMES)
def test_times_of_a_story_are_read_or_left_alone(text: str, read: object) -> None:
    assert clock_story(text) == read


@each(("text", "asked"), DAYS)
def test_a_day_told_in_a_roundabout_way_comes_to_a_plain_question(text: str, asked: str) -> None:
    assert next(day_stories(text, TODAY), "") == asked


@each(("asked", "turns", "meant"), FOLLOWED)
def test_a_follow_up_of_a_figure_is_put_in_full(asked: str, turns: tuple[tuple[str, str], ...], meant: str) -> None:
    assert followed(asked, turns) == meant


@each(
    ("text", "other"),
    [
        ("I left at 7:25 and my sister got in at 8:12. how long was I away?", True),
        ("We eat at 1 pm, the roast needs 3 hours. When do the guests leave?", True),
        ("We eat at 1 pm, the roast needs 3 hours. When does the roast go in?", False),
        ("Buses leave every 20 minutes from 8:10. When does the fourth bus leave?", False),
        ("Buses leave every 20 minutes from 8:10. What time is the fourth bus?", False),
        ("When does the film end, it starts at 19:50 and takes 2 hours?", False),
        ("I left at 7:25 and got in at 8:12. how long was I away?", False),
    ],
)
def test_what_is_asked_of_another_is_told(text: str, other: bool) -> None:
    assert asks_of_another(text) == other


@each(
    ("text", "figures"),
    [
        ("from quarter past 9 to half past eleven", "from 9:15 to 11:30"),
        ("quarter to nine", "8:45"),
        ("from 23:20 to 6:50", "from 23:20 to 6:50"),
        ("I work from 10 to 5", "I work from 10 to 5"),
        ("call her at nine tonight", "call her at 9pm"),
        ("this evening at half past seven", "at 7:30pm"),
        ("at half nine tomorrow evening", "at 9:30pm tomorrow"),
        ("half past nine in Rome tonight", "9:30pm in Rome"),
        ("at 12:30 at night", "at 12:30am"),
        ("18:30 this evening", "18:30"),
        ("3 in the morning and 2 in the evening", "3 in the morning and 2 in the evening"),
        ("at two tonight", "at two tonight"),
    ],
)
def test_times_in_words_are_put_in_figures(text: str, figures: str) -> None:
    assert told_in_figures(text) == figures


def test_a_time_elsewhere_on_a_day_is_of_this_year() -> None:
    assert of_this_year("3pm in Rome on 21 November, in Oslo?", TODAY) == "3pm in Rome on 21 November 2026, in Oslo?"


def test_what_a_figure_is_rounded_to_stands_apart() -> None:
    wish = rounding_wish("what is 26.2 miles in km, to one decimal please")
    assert wish == Wish("what is 26.2 miles in km", Precision(1))
