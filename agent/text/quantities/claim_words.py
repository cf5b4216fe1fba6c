"""Words that the check knows: numbers, months, and the words that are no names."""

from __future__ import annotations


def several(words: str) -> tuple[str, ...]:
    """The words of a text that lists them."""
    return tuple(words.split())


SCALES: dict[str, int] = {
    word: 10**power
    for power, words in {
        2: "hundred",
        3: "k thousand thousands tausend mille mil",
        5: "lakh lakhs",
        6: "m mm mn mln mio million millions millionen millones",
        7: "crore crores",
        9: "b bn billion billions mrd milliard milliards milliarden",
        12: "t tn trn trillion trillions",
    }.items()
    for word in words.split()
}
KANJI_SCALES: dict[str, int] = {
    "十": 10,
    "百": 100,
    "千": 1_000,
    "万": 10**4,
    "萬": 10**4,
    "만": 10**4,
    "億": 10**8,
    "亿": 10**8,
    "억": 10**8,
    "兆": 10**12,
    "조": 10**12,
}
KANJI_DIGITS: dict[str, int] = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0}

_UNITS = several(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS: dict[str, int] = {
    word: 10 * value for value, word in enumerate(several("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
SPELLED: dict[str, int] = {word: value for value, word in enumerate(_UNITS)} | TENS | {"dozen": 12}
ORDINALS: dict[str, int] = {
    word: value
    for value, word in enumerate(
        several(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        1,
    )
}

MONTHS: dict[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "jan january januar janvier enero",
            "feb february februar février febrero",
            "mar march märz mars marzo",
            "apr april avril abril",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august août agosto",
            "sep sept september septembre septiembre",
            "oct october oktober octobre octubre",
            "nov november novembre noviembre",
            "dec december dezember décembre diciembre",
        ),
        1,
    )
    for word in words.split()
}

STOP: frozenset[str] = frozenset(
    several(
        "the and for are was were has have had with from that this these those its their there here which who whom "
        "whose what when where why how than then also but not all any can could may might will would should about "
        "into over under between after before during per each both more most less least some such only very just "
        "other one two according result results source found shows show says said according based following "
        "information answer question equal equals value approximately around roughly nearly almost makes made "
        "being been"
    )
)

# Capitalised where they start a sentence, and no names.
STARTERS: frozenset[str] = frozenset(
    several(
        "a an the this that these those it its he she they we you i my your his her their our there here if in on "
        "at by for from of to as with without within into over under between among after before during since until "
        "while when where which who what why how and or but so yes no not both each every all any some most many "
        "much more few several other another one two three four five six seven eight nine ten however therefore "
        "thus hence also additionally furthermore moreover finally first second third last next then now today "
        "yesterday tomorrow currently recently overall although though because despite given unlike like "
        "unfortunately sorry please note according based using see source sources result results answer question "
        "summary conclusion total average maximum minimum sum difference approximately about around roughly nearly "
        "almost exactly only just let here's it's that's there's i'm you're population area temperature weather "
        "price rate value date time year month day week hour name number count list table step steps key main top "
        "best fact facts figure figures example details information data report search website page article "
        "official converted conversion calculation formula currency exchange wind humidity forecast high low rain "
        "snow sun sunny cloudy clear height length width depth weight mass speed distance duration cost revenue "
        "profit sales income growth increase decrease change ratio percent percentage share city country capital "
        "founded born died released published updated located known together combined compared meanwhile instead "
        "still even once again per via new old good great big small long short early late same different following "
        "would could should can may might must will shall do does did is are was were be been being has have had "
        "get got make made take say said find found show shown shows check observation action thought final tool "
        "tools reply model error failed none nothing everything something people person men women children company "
        "companies team game match score season points goals winner result's status type category description "
        "title author authors publisher language genre rating rank ranking position items item left right north "
        "south east west northern southern eastern western central am pm gdp ceo usa utc gmt est pst jst api url "
        "json csv html pdf ok faq tv id ai"
    )
)
CALENDAR: frozenset[str] = frozenset(
    several(
        "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun christmas celsius "
        "fahrenheit kelvin"
    )
) | frozenset(MONTHS)
# Words of titles that may be left out of a name or added to it.
TITLES: frozenset[str] = frozenset(
    several(
        "mr mrs ms dr sir president prime minister king queen prince princess professor prof the of and de la le "
        "van von der den di da dos del al st saint mount mt lake river city university inc ltd co corp corporation "
        "company group jr sr"
    )
)
ALIASES: tuple[frozenset[str], ...] = (
    frozenset(
        ("us", "usa", "u.s", "u.s.", "u.s.a.", "united states", "united states of america", "america", "american")
    ),
    frozenset(("uk", "u.k", "u.k.", "united kingdom", "britain", "great britain", "british")),
    frozenset(("eu", "european union")),
    frozenset(("un", "united nations")),
    frozenset(("uae", "united arab emirates")),
)
LOANWORDS: frozenset[str] = frozenset(
    several(
        "データ サイト ページ ツール モデル ユーロ ドル ポンド キロ メートル センチ パーセント ポイント グラム "
        "トン リットル マイル フィート インチ ニュース インターネット ウェブ メール ファイル リスト テーブル "
        "グラフ システム サービス プログラム コード ユーザー ステップ エラー メッセージ チーム ゲーム シーズン "
        "レベル ランキング スコア ゴール スポーツ チャンピオン メートルの キログラム キロメートル ヘクタール "
        "カロリー タイプ サイズ スピード コスト トータル レート グループ メンバー リーダー センター エリア ホテル "
        "レストラン ビル タワー クラス テスト イベント シリーズ アルバム ドラマ アニメ マンガ キャラクター "
        "ジャンル タイトル バージョン リリース オープン スタート ピーク ケース ベース トップ ソース コメント "
        "プロジェクト エネルギー セルシウス アクセス サポート"
    )
)
PLACES_JA: frozenset[str] = frozenset(
    several(
        "北海道 青森 岩手 宮城 秋田 山形 福島 茨城 栃木 群馬 埼玉 千葉 東京 神奈川 新潟 富山 石川 福井 山梨 長野 "
        "岐阜 静岡 愛知 三重 滋賀 京都 大阪 兵庫 奈良 和歌山 鳥取 島根 岡山 広島 山口 徳島 香川 愛媛 高知 福岡 "
        "佐賀 長崎 熊本 大分 宮崎 鹿児島 沖縄 札幌 仙台 横浜 川崎 名古屋 神戸 日本 中国 韓国 米国 英国 台湾 北京 "
        "上海"
    )
)
FAILURE: tuple[str, ...] = (
    "fail", "error", "unable", "could not", "couldn't", "couldn’t", "cannot", "can't", "can’t", "did not work",
    "not available", "unavailable", "no result", "timed out", "not be found", "not found", "did not "
    "find", "without success",
    "失敗", "エラー", "できません", "できなかっ", "見つかりません", "見つからな", "取得でき", "利用でき", "不明",
)  # fmt: skip
