"""Japanese sums of named quantities, and days and times in other words: read whole, or left alone."""

from __future__ import annotations

from datetime import date

from agent.text.in_japanese.japanese_errands import japanese_errand
from agent.text.in_japanese.japanese_wordings import both_ends, japanese_wordings
from agent.text.sums.phrases import plain
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
)
# A plain question, or "" for none of days, units or times.
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
    found = japanese_errand(plain(text))
    assert (f"{calculate(found.expression)} {found.unit}" if found else "") == figure, found


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
