"""Everyday sums told in any words: what they come to, or "" where a word, a figure or a name is left over."""

from __future__ import annotations

from agent.text.free_sums.free_mixes import mixed
from agent.text.free_sums.free_steps import steps_on
from agent.text.free_sums.free_sum import free_sums
from agent.text.plainly.put_in_place import Before, put_in_place
from agent.text.sums.phrases import Value
from agent.text.told_sums.better_buys import better_buy
from agent.text.told_sums.total_and_share import amount_and_price
from tests.support.calculated import TODAY, answered
from tests.support.cases import each

SHARES = (
    (
        "Divide £840 between Ann, Ben and Cal in the ratio 3:2:2.",
        {"ann": "£840 / 7 * 3", "ben": "£840 / 7 * 2", "cal": "£840 / 7 * 2"},
    ),
    ("split 450 between me and my sister, 5:4", {"you": "450 / 9 * 5", "your sister": "450 / 9 * 4"}),
    (
        "Mortar is 1 part cement to 5 parts sand. I need 120 kg, how much of each?",
        {"cement": "120 kg / 6 * 1", "sand": "120 kg / 6 * 5"},
    ),
    ("Flour and butter are in the ratio 3:2. If I use 450 g of flour, how much butter?", {"butter": "450 g / 3 * 2"}),
    ("Ann and Ben share £80 in the ratio 3:5. How much more does Ben get than Ann?", {"ann": "£80 / 8 * 2"}),
    (
        "How much gin and how much tonic for 600 ml in the ratio 1:3?",
        {"gin": "600 ml / 4 * 1", "tonic": "600 ml / 4 * 3"},
    ),
    ("split £500 between Ann, Ben and Cal in the ratio 3:2", {}),
    ("Ann and Ben share £80 in the ratio 3:5. Ben gives Ann £5. How much does Ann have?", {}),
    ("1 part cement to 4 parts sand, how much gravel for 20 kg of sand?", {}),
    ("The score was 3:2 and we split 90 between us", {}),
)
SUMS = (
    (
        "Our troop got £412.50 from bag packing and £87.35 from cakes, but we spent £36. What have we got left?",
        "£463.85",
    ),
    ("I got €300 from my gran and €50 from my aunt but spent €89.99 on shoes. What have I got left?", "€260.01"),
    ("I got £60 from selling my bike but my brother got £20 of it. What have I got left?", ""),
    ("i have 2 metres 40 of ribbon, how many 15cm bits can i cut out of it", "16"),
    ("How many 75 cm shelves can I cut from a 2.4 m board?", "3"),
    ("I've got 5 feet 6 inches of wire, how many 11 inch pieces do I get from it", "6"),
    ("How many 25 cm strips can I cut from 2 metres of felt if each cut wastes 1 cm?", ""),
    ("fish tank takes 126 litres and my bucket holds 9. how many bucketfulls", "14"),
    ("My trough holds 90 litres, a bucket holds 12 litres. How many bucketfuls to fill it?", "8"),
    ("A bucket holds 9 litres. How many litres are 14 bucketfuls?", ""),
    ("A tuner charges £68 for the visit plus £4.25 per broken string, and 3 strings went. What do I owe?", "£80.75"),
    ("A tuner charges £68 plus £4.25 per broken string and £3 per hammer, and 3 strings went. What do I owe?", ""),
    (
        "fruit punch is 2 litres juice to 750 ml lemonade. if i use 5 litres of juice how much lemonade goes in",
        "1,875 ml",
    ),
    ("2 litres of juice to 750 ml of lemonade, how much ice for 5 litres of juice?", ""),
    ("My mix makes 24 cookies with 180 g of butter. How much butter do I need for 60 muffins?", ""),
    ("The sponge needs 225 g of sugar and I want to make one and a half times the amount. How much sugar?", "337.5 g"),
    ("The sponge needs 225 g sugar and 150 g butter, I'm making twice as much. How much flour?", ""),
    (
        "We drive 240 miles at 40 mpg and petrol is £1.45 a litre. What will it cost? (1 gallon = 4.546 litres)",
        "£39.55",
    ),
    ("I'm driving 150 miles and my car does 36 mpg. Petrol's £1.52 a litre. What does the trip cost?", "£28.79"),
    ("150 miles at 36 mpg, petrol 1.52 a litre, what does the trip cost", ""),
    (
        "I borrow £6,000 at 7% simple interest over 5 years, in equal monthly instalments. What is each payment?",
        "£135",
    ),
    ("£2,000 at 4% simple interest for 3 years, but I take £500 out after 1 year. What's the interest?", ""),
    ("I've borrowed 6000 at 4.5% simple interest over 3 years. What do I owe after a year?", ""),
    ("I've borrowed 6000 at 4.5% simple interest over 3 years. What do I pay each month?", ""),
    (
        "Coursework is 30% and I have 80 for it, the exam is the other 70%. What must I get in it for 66 overall?",
        "60",
    ),
    ("Essay 30%, exam 70%. I got 65 in the essay and 50 in the exam. What is my final mark?", "54.5"),
    ("Coursework 30%, exam 60%. I got 80 in coursework. What do I need in the exam for 70 overall?", ""),
    ("Over the last three months our bills were £31, £28 and £37 - what is the mean per month?", "£32"),
    ("I spent 34, 41 and 38 in 2 weeks, what is the average per week?", ""),
    ("average of 12, 19, 7, 23 and 16 without the largest", ""),
    ("A room is 5 m by 4 m with walls 2.5 m high. What is the total area of the four walls?", "45 m²"),
    ("A room is 5 m by 4 m and 2.5 m high with 2 doors of 2 m² each. What's the area of the walls?", ""),
    ("How many tiles 50 cm by 50 cm for a floor 3 m by 4 m?", "48"),
    ("i bought 3 loaves at £1.40 and 2 pints of milk at 95p. what change should i get from a tenner (£10)", "£3.90"),
    ("i paid 68 for shoes that were 80, what percent did i save", "80"),
    ("Rent is 1150 council tax 168 and energy 142 a month and there's 4 of us. how much each", "365"),
    ("A fence needs a post every 2 m and it's 30 m long. how many posts?", ""),
    ("4 bags of crisps for 3 and 2 dips for 2.50, what did i spend altogether", "5.5"),
    ("we got 6 bulbs for £9 and 2 lamps for £31, paid with 50, how much change", "£10"),
    ("4 bags for 3 each and 2 dips for 2.50, what did i spend", ""),
    ("they sell 3 limes for 1 and 2 kiwis for 2. cost of 6 limes?", ""),
    ("6 rolls for 2.40, how much are 9", ""),
)
OFFERS = (
    ("Which is cheaper per 100 g: 750 g of cereal for £3.30 or 500 g for £2.35?", ("3.30 / 7.5", "2.35 / 5")),
    ("Shampoo: £3.60 for 300 ml or £5.50 for 500 ml? Which costs less per 100 ml?", ("3.60 / 3", "5.50 / 5")),
    ("2 apples for 90 cents or 3 pears for 1.20, which is cheaper?", None),
    ("Which is the better deal, 5 kg at 6 euros or 5 kg at 1.10 per kg?", None),
    ("Which is cheaper, 500 g for £3 or 750 g for £4 plus £1 delivery?", None),
)
STEPS = (
    (
        "They'd take off another £25 for the old one, but delivery is £30 on top. What's the total then?",
        "416 £",
        "£416 - £25 + £30",
    ),
    ("plus the first 4 weeks in advance, so what do i need altogether", "1050", "1050 + 4 * 210"),
    ("Mince is £7.20 a kilo, so what does that cost me?", "0.75 kg", "£7.20 * 0.75"),
    ("I might get another £20 off. What's the total then?", "416 £", None),
    ("delivery is £35 unless I spend £500. What's the total now?", "416 £", None),
    ("one tin weighs 12 kg, how many tins do i need", "45 m²", None),
)
IN_PLACE = (
    ("and if sam moves out so theres only 3 of us", "we split 90 and there are 4 of us, how much each", "3 of us"),
    (
        "Now what if Amy doesn't pay and the other five split it?",
        "Six of us had lunch for £150. How much each?",
        "5 of us",
    ),
    (
        "we want to add a 10% tip first",
        "There are 5 of us and the meal was £135. What do we each pay?",
        "Split £135 plus 10% tip between 5",
    ),
    ("we want to add a 10% tip first", "There are 4 of us and the meal is £20 each. What's the total?", ""),
    ("We don't want to add a 15% tip", "There are 5 of us and the meal was £135. What do we each pay?", ""),
    ("50", "100 divided by 5", ""),
)


@each("text, shares", SHARES)
def test_shares_in_a_ratio(text: str, shares: dict[str, str]) -> None:
    assert dict(mixed(text)) == shares


@each("text, figure", SUMS)
def test_a_sum_in_any_words(text: str, figure: str) -> None:
    made = next(free_sums(text), "")
    said = answered(made) if made else ""
    assert said.endswith(f" {figure}.") if figure else not said


@each("text, sums", OFFERS)
def test_the_better_of_two_offers(text: str, sums: tuple[str, str] | None) -> None:
    found = better_buy(text, "en")
    assert (found and (found.expression, found.other)) == sums


@each("text, value, made", STEPS)
def test_steps_added_to_a_figure(text: str, value: str, made: str | None) -> None:
    amount, _, unit = value.partition(" ")
    before = "the rent is 210 a week. how much is 5 weeks rent"
    assert steps_on(text, Value(amount, unit), before) == (made and f"What is {made}?")


@each("text, before, made", IN_PLACE)
def test_a_follow_up_of_other_people(text: str, before: str, made: str) -> None:
    found = next(put_in_place(text, Before(before, None), TODAY), "")
    assert found.find(made) >= 0 if made else not found


def test_so_much_and_its_price() -> None:
    asked = "It uses 6.2 litres per 100 km. How much do I need for 450 km, and what does it cost at £1.52 a litre?"
    first, price = amount_and_price(asked)
    assert (first.endswith("for 450 km?"), price) == (True, "what is that at £1.52 a litre?")
    assert not amount_and_price("What do 3 apples cost at £1.52 a kilo?")
