"""Sums of named quantities, and Japanese days and times in other words: read whole, or left alone."""

from __future__ import annotations

from datetime import date

from agent.text.in_japanese.japanese_wordings import both_ends, japanese_wordings
from agent.text.sums.phrases import language_of, plain
from agent.text.told_sums.accounts import told_account
from agent.text.told_sums.errands import errand
from agent.tools.calculator.calculate import calculate
from tests.support.cases import each

TODAY = date(2026, 11, 21)
# The figure with its unit, or "" where the question must be left alone.
ERRANDS = (
    ("部屋が縦4メートル、横3.5メートルです。広さは何平方メートルですか", "14 平方メートル"),
    ("縦25センチ、横40センチの板の面積は何平方センチ？", "1000 平方センチメートル"),
    ("税込価格が1,296円で消費税は8%です。税抜きだといくらになりますか", "1200 円"),
    ("5,500円は税込みです。消費税10%として、本体価格は？", "5000 円"),
    ("税込1980円で消費税10%、消費税はいくら？", "180 円"),
    ("ガソリン1L175円、燃費14km/Lの車で210km走るといくらかかりますか", "2625 円"),
    ("昼に650円の弁当を買うのをやめます。月18日買っていたので、年間いくら節約できますか", "140400 円"),
    ("一括だと12万円の冷蔵庫を、月々10,800円の12回払いで買った。いくら余分に払う？", "9600 円"),
    ("大さじ3と小さじ2で何ミリリットル？", "55 ml"),
    ("9時から17時半まで働いて、休憩が1時間、時給1200円です。今日の給料はいくら？", "9000 円"),
    ("時給1,100円で午前10時から午後6時まで勤務、休憩45分。日給はいくらになりますか", "7975 円"),
    ("I work from 7:30 to 16:00 with a 30 minute break, 5 days a week. How many hours a week?", "40 hours"),
    ("Open from 9:00 to 18:00 from Monday to Saturday. How many hours a week?", "54 hours"),
    ("My shift is 22:00 to 6:00, four nights a week. How many hours is that?", "32 hours"),
    ("I work from 7:30 to 16:00 with a paid 30 minute break, 5 days a week. How many hours am I paid for?", ""),
    ("Open from 10:00 to 17:30, closed on Mondays. How many hours a week?", ""),
    ("From 9:00 to 17:00 every other day, 3 days a week. How many hours?", ""),
    ("A sitter charges 14 an hour and was here from 6:30pm to 11pm. What do I owe?", "63 "),
    ("The train leaves at 6:12 and gets in at 9:47, how long is the ride?", "3.58333333333 hours"),
    ("The plane leaves at 6:12 and gets in at 9:47, how long is the flight?", ""),
    ("I earn $13.50 an hour and work 4 shifts of 6 hours. How much do I make?", "324 $"),
    ("I earn $13.50 an hour, work 4 shifts of 6 hours and get a bonus of 20. How much do I make?", ""),
    ("If a pill is taken every 8 hours, how many pills do I need for 10 days?", "30 "),
    ("A pill every 8 hours for 10 days and two more on the first day. How many pills?", ""),
    ("My gross pay is 3,000. I pay 22% tax. What is my net pay?", "2340 "),
    ("My net pay is 3,000 after 22% tax. What is my gross pay?", ""),
    ("A shirt is reduced from 45 to 36, how many percent off is that", "20 %"),
    ("A shirt is reduced from 36 to 45, how many percent off is that", ""),
    ("A baby was 3.2 kg at birth and is now 4.0 kg. By how many percent did it grow?", "25 %"),
    ("Split 90 dollars between 3, then each adds 5 dollars. How much each?", "35 $"),
    ("600 dollars split between 5, minus 20 dollars each", "100 $"),
    ("Four friends share a taxi that costs 31 pounds plus a 5 pound tip. How much does each pay?", "9 £"),
    ("Four friends and I share a taxi that costs 31 pounds plus a 5 pound tip. How much does each pay?", ""),
    ("A farmer packs 438 eggs into boxes of 12. How many full boxes, and how many eggs left over?", "36 "),
    ("I save 75 a month. How long until I have 1,200?", "16 months"),
    ("Buy 2 get 1 free on socks at $6 a pair. What do 3 pairs cost?", "12 $"),
    ("How much is 3 for 2 on tins at 1.80 if I take 6 tins?", "7.2 "),
    ("時給1250円で1日6時間、月に18日働くと月給はいくら？", "135000 円"),
    ("時給1250円で1日6時間、月に18日働き、交通費が1日300円。月給はいくら？", ""),
    ("22時30分に寝て6時に起きると睡眠時間は？", "7.5 hours"),
    ("50人中32人が賛成しました。反対は何人？", "18 "),
    ("飴が200個あります。28人の子どもに同じ数ずつ配ると、何個余りますか？", "4 "),
    ("70個のあめを9人で同じ数ずつ分けると、1人何個で何個余る？", "7 "),
    ("生徒30人、女子12人。女子は何％？", "40 %"),
    ("会員60人、男性24人、子ども6人。女性は何％？", ""),
    ("22時から翌6時まで働き休憩1時間、時給1200円。給料はいくら？", ""),
    ("9時から17時まで働き休憩1時間、時給1200円で週5日。給料はいくら？", ""),
    ("9時から17時まで働き休憩1時間、時給1200円と交通費500円。合計はいくら？", ""),
    ("縦4メートル、横3メートル、高さ2メートルの箱の面積は？", ""),
    ("縦4m横3mの三角形の面積は？", ""),
    ("縦10m、横20mの畑に幅1mの道を作ると残りの面積は？", ""),
    ("縦4m横3mの部屋2つの面積は？", ""),
    ("税込1980円の本を3冊、消費税10%なら税抜きはいくら？", ""),
    ("税込1100円のペンと税込550円のノート、税率10%で税抜きはいくら？", ""),
    ("税抜1800円、消費税10%なら税込はいくら？", ""),
    ("ガソリンが1リットル168円、1リットルで15キロ走る車で270キロを往復するといくら？", ""),
    ("ガソリンが168円から180円に上がった。1リットルで15キロ走る車で270キロだといくら？", ""),
    ("毎朝280円のコーヒーをやめて120円のお茶にします。月22日、1年でいくら節約できる？", ""),
    ("月に22日280円のコーヒーを半分やめたら年間いくら節約？", ""),
    ("月々8900円の24回払い、頭金1万円、一括198000円よりいくら余計に払う？", ""),
    ("月々8900円の24回払い、一括なら230000円。いくら余計に払う？", ""),
    ("大さじ2と小さじ1の差は何cc", ""),
    ("大さじ2と小さじ1を3人分、何cc？", ""),
    ("額面25万円で、税金と保険で2割引かれます。手取りは？", "200000 円"),
    ("30万円の給料から2割引かれた。手取りは何円？", "240000 円"),
    ("手取り24万円で、引かれたのは20%です。額面は？", "300000 円"),
    ("手取り24万円です。額面は？", ""),
    ("月給30万円から20%と5000円引かれると手取りはいくら？", ""),
    ("月給30万円から20%引かれると年収はいくら？", ""),
    ("800円で仕入れて1000円で売った。利益は何%？", "25 %"),
    ("仕入れ値800円、売値1000円。利益は売値の何%？", "20 %"),
    ("800円で5個仕入れて1000円で売った。利益は何%？", ""),
    ("仕入れ値600円に4割の利益をのせた売値は？", "840 円"),
    ("仕入れ値600円に4割の利益をのせた値段から1割引きした売値は？", ""),
)
# A plain question, or "" for none of days, units or times.
ACCOUNTS = (
    ("Adults pay 14, children 8. What do 2 adults and 4 children pay?", "60"),
    ("A coffee is 3.20 and a bagel 4.50. What do 4 coffees and 2 bagels come to?", "21.8"),
    ("Adults pay 14, children 8. How much more do 3 adults pay than 3 children?", ""),
    ("Adults pay 14, students 8. What do 2 adults and 3 children pay?", ""),
    ("Adults pay 14, children half. What do 2 adults and 3 children pay?", ""),
    ("大人2000円、学生1200円です。大人1人と学生3人で一万円出したらおつりはいくら？", "4400"),
    ("大人1500円、子ども700円。大人3人と子ども4人で、大人は全部でいくら？", ""),
    ("500 g of pasta for 1.45 or 750 g for 2.10, which is the better deal?", "0.0029 or 0.0028"),
    ("500 g of pasta for 1.45 or 6 eggs for 2.10, which is the better deal?", ""),
    ("Which is heavier, 500 g for 1.45 or 750 g for 2.10?", ""),
    ("牛乳500mlが120円、1リットルが210円。どちらがお得？", "0.24 or 0.21"),
    ("Is 143 a prime number?", "No, 143 is not a prime number: it is 11 × 13."),
    ("97は素数ですか？", "はい、97は素数です。平方根までのどの素数でも割り切れません。"),
    ("prime factors of 84", "84 is 2 × 2 × 3 × 7."),
    ("255 to hex", "255 is FF in hexadecimal."),
    ("101101 binary to decimal", "101101 in binary is 45 in decimal."),
    ("102 binary to decimal", ""),
    ("How many prime numbers are there between 1 and 30?", ""),
    ("is 1 prime?", ""),
)
WORDINGS = (
    ("30坪の土地は何平方メートル？", "30坪は何平方メートル"),
    ("55インチのテレビって対角線は何センチになるの？", "55インチは何センチ"),
    ("55インチのテレビの横幅は何センチ？", ""),
    ("30坪の土地の半分は何平方メートル？", ""),
    ("ホノルルにいる姉に、向こうの夜8時に電話したい。日本では何時？", "ホノルルの夜8時は日本では何時"),
    ("ホノルルにいる姉に、こちらの夜8時に電話したい。向こうは何時？", ""),
    ("母は平成7年6月12日生まれです。いま何歳でしょう？", "1995年6月12日生まれは今何歳"),
    ("母は平成7年6月12日生まれです。結婚したのは何歳？", ""),
    ("75かける28わいくつてすか", "75かける28はいくつ?"),
)


@each(("text", "figure"), ERRANDS)
def test_an_errand_gives_its_sum_or_none(text: str, figure: str) -> None:
    found = errand(plain(text), language_of(text))
    assert (f"{calculate(found.expression)} {found.unit}" if found else "") == figure, found


@each(("text", "said"), ACCOUNTS)
def test_an_account_of_either_language_gives_its_sum_or_none(text: str, said: str) -> None:
    found = told_account(plain(text), language_of(text))
    other = f" or {calculate(found.other)}" if found and found.other else ""
    assert (found.told or f"{calculate(found.expression)}{other}" if found else "") == said, found


@each(("text", "plainer"), WORDINGS)
def test_a_wording_comes_to_the_plain_question_or_to_none(text: str, plainer: str) -> None:
    assert (list(japanese_wordings(text, TODAY)) or [""])[-1] == plainer


@each(
    ("text", "ends"),
    [
        (
            "冬休みは12月24日から1月7日まで。初日と最終日も入れて全部で何日ある？",
            (date(2026, 12, 24), date(2027, 1, 7)),
        ),
        ("出張は12月3日から12月9日までです。両端を含めて何日間ですか", (date(2026, 12, 3), date(2026, 12, 9))),
        ("冬休みは12月24日から1月7日まで。初日と最終日を除いて何日？", None),
        ("冬休みは12月24日から1月7日まで。初日と最終日も入れて何週間？", None),
    ],
)
def test_days_with_both_ends_are_told_from_others(text: str, ends: tuple[date, date] | None) -> None:
    assert both_ends(text, TODAY) == ends
