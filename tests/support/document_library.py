"""A small library, English and Japanese, and questions with the place where each is answered."""

from __future__ import annotations

from tests.support.document_files import pdf, word

STAFF = """# Staff handbook

## Paid vacation

Every employee has 25 days of paid vacation a year. Unused days can be carried over until 31 March.

## Illness

Tell your manager before nine o'clock if you are ill. From the third day on a doctor's certificate is needed.

## Working from home

Remote work is possible on up to three days a week, after the probation period of six months.

## Travel expenses

Train tickets are refunded in second class. Hand in the receipts within 30 days; taxis need approval beforehand.

## Parental leave

Mothers and fathers can take up to 36 months for each child. Apply at least seven weeks before.

## Laptops and phones

Devices stay the property of the company. Report a lost or stolen laptop to security at once.
"""
WASHING = (
    "Installing the machine\nRemove the four transport bolts before the first wash.\n"
    "Level the feet with a spanner so that the drum does not vibrate.",
    "Cleaning\nClean the lint filter every two months. Open the flap at the bottom, put a bowl under it,\n"
    "and unscrew the filter slowly. Descale with vinegar twice a year.",
    "Error codes\nE18: the water does not drain. Check the pump and the hose.\n"
    "E23: water in the base; the leak protection has closed the tap.\nE57: the motor is overheated; let it cool.",
    "Guarantee\nThe guarantee lasts two years from the day of purchase. Damage by frost is not covered.\n"
    "Keep the invoice as proof.",
)
LEASE = (
    (1, "Lease"),
    (2, "Rent"),
    (0, "The monthly rent is 940 euros, due on the third working day of each month."),
    (2, "Deposit"),
    (0, "The tenant pays a deposit of three months' rent, which may be paid in three instalments."),
    (2, "Pets"),
    (0, "Cats and small animals may be kept. Dogs need the landlord's written consent."),
    (2, "Notice"),
    (0, "Either side can end the contract with three months' notice, in writing."),
    (2, "Heating costs"),
    (0, "Heating and hot water are settled once a year by consumption."),
)
COFFEE = """<html><head><title>Coffee</title><style>p { color: red }</style></head><body><h1>Coffee at home</h1>
<h2>French press</h2><p>Use coarse ground beans, 60 grams for a litre, and wait four minutes before pressing.</p>
<h2>Espresso</h2><p>Grind finely. Twenty-five seconds at nine bar give a good shot.</p>
<h2>Storing beans</h2><p>Keep beans airtight and dark, never in the fridge; they stay fresh for about six weeks.</p>
<h2>Decaffeination</h2><p>Caffeine is washed out with water or carbon dioxide before roasting.</p></body></html>"""
RULES = """# 就業規則

## 年次有給休暇

入社から6か月後に10日の有給休暇を与える。未使用の休暇は翌年度に限り繰り越すことができる。

## 遅刻と早退

遅刻する場合は始業前に上司へ電話で連絡すること。月に三回を超える遅刻は給与から控除する。

## 副業

副業を行う場合は、事前に届出書を提出し会社の許可を得なければならない。

## 通勤手当

通勤手当は最も経済的な経路の定期券代とし、月額五万円を上限とする。

## 育児休業

子が二歳に達するまで育児休業を取得できる。申し出は一か月前までに行う。

## 定年退職

従業員の定年は満六十五歳とする。退職金は勤続年数に応じて支払う。
"""
COOKER = [
    (1, "炊飯器 取扱説明書"),
    (2, "お手入れ"),
    (0, "内ぶたは毎回水洗いしてください。蒸気口は週に一度、湿らせた布で拭きます。"),
    (2, "エラー表示"),
    (0, "H03が表示されたときは、底のセンサーに付いた米粒を取り除いてください。"),
    (2, "玄米を炊く"),
    (0, "玄米は六時間以上水に浸してから、玄米コースを選んで炊飯します。"),
    (2, "保温"),
    (0, "保温は二十四時間までにしてください。それを超えると臭いや黄ばみの原因になります。"),
    (2, "予約タイマー"),
    (0, "炊き上がりの時刻を二つまで登録できます。夏場は八時間を超える予約を避けてください。"),
]
KYOTO = """京都観光案内

第1章 金閣寺

金閣寺の拝観時間は午前九時から午後五時までで、拝観料は大人五百円です。

第2章 嵐山

嵐山の竹林は早朝が静かでおすすめです。渡月橋から歩いて十分ほどかかります。

第3章 伏見稲荷

千本鳥居をくぐって山頂まで往復すると約二時間かかります。参拝は無料です。

第4章 交通

市バスの一日乗車券は七百円です。地下鉄と併用できる券もあります。
"""
FILES: dict[str, bytes] = {
    "staff.md": STAFF.encode(),
    "washing machine.pdf": pdf(WASHING),
    "lease.docx": word(LEASE),
    "coffee.html": COFFEE.encode(),
    "就業規則.md": RULES.encode("utf-16"),
    "炊飯器.docx": word(COOKER),
    "京都.txt": KYOTO.encode("cp932"),
}
# A question, the document that answers it, and what its passage holds.
QUESTIONS: tuple[tuple[str, str, str], ...] = (
    ("How many days of vacation do I get?", "staff.md", "25 days"),
    ("Can unused vacation be carried over?", "staff.md", "31 March"),
    ("When do I need a certificate from a doctor?", "staff.md", "third day"),
    ("may I work remotely?", "staff.md", "three days a week"),
    ("Are taxis refunded?", "staff.md", "taxis need approval"),
    ("How long is parental leave?", "staff.md", "36 months"),
    ("my laptop was stolen", "staff.md", "security at once"),
    ("What does E18 mean?", "washing machine.pdf", "does not drain"),
    ("The machine shows E57", "washing machine.pdf", "overheated"),
    ("How often should I clean the filter?", "washing machine.pdf", "two months"),
    ("Which bolts have to be removed?", "washing machine.pdf", "four transport bolts"),
    ("how long is the guarantee of the washing machine", "washing machine.pdf", "two years"),
    ("How much is the rent?", "lease.docx", "940 euros"),
    ("What deposit has to be paid?", "lease.docx", "three months' rent"),
    ("Can I keep a dog?", "lease.docx", "written consent"),
    ("How do I terminate the lease, with how much notice?", "lease.docx", "in writing"),
    ("Who pays for heating?", "lease.docx", "by consumption"),
    ("How much coffee for a French press?", "coffee.html", "60 grams"),
    ("Should beans be stored in the fridge?", "coffee.html", "airtight"),
    ("espresso pressure and time", "coffee.html", "nine bar"),
    ("how is decaf coffee made", "coffee.html", "carbon dioxide"),
    ("有給休暇は何日もらえますか？", "就業規則.md", "10日"),
    ("遅刻するときはどうすればいいですか", "就業規則.md", "上司へ電話"),
    ("副業はできますか？", "就業規則.md", "届出書"),
    ("通勤手当の上限はいくらですか", "就業規則.md", "五万円"),
    ("育休はいつまで取れますか", "就業規則.md", "二歳"),
    ("定年は何歳ですか？", "就業規則.md", "六十五歳"),
    ("炊飯器にH03と表示された", "炊飯器.docx", "米粒"),
    ("玄米の炊き方", "炊飯器.docx", "六時間"),
    ("保温は何時間までできますか", "炊飯器.docx", "二十四時間"),
    ("蒸気口の掃除", "炊飯器.docx", "湿らせた布"),
    ("金閣寺の拝観料はいくらですか？", "京都.txt", "五百円"),
    ("嵐山はいつ行くのがよいですか", "京都.txt", "早朝"),
    ("伏見稲荷の山頂までどのくらいかかりますか", "京都.txt", "二時間"),
    ("バスの一日券の値段", "京都.txt", "七百円"),
    ("鳥居", "京都.txt", "千本鳥居"),
    ("米", "炊飯器.docx", "米"),
)
