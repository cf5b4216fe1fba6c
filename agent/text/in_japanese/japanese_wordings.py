"""A Japanese question as the plain one that it comes to: without what is polite, its days in figures.

Nothing is guessed: around dates and lengths only words may stand that such questions have (``question_words.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from agent.text.in_japanese.japanese_forms import japanese_forms
from agent.text.in_japanese.japanese_parts import mentions, patterns_in, plainer
from agent.text.in_japanese.japanese_times import times_asked
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.dates import day, stretch, written
from agent.text.quantities.eras import era_year
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_PATTERNS = patterns_in("question_words.toml")
_DAYS = _PATTERNS["days"]
_ERA_DATE = regex(r"([^\d]{2}(?:元|\d{1,2})年)(\d{1,2}月\d{1,2}日)")
_KANA: dict[str, str] = dict(zip(("げつ", "か", "すい", "もく", "きん", "ど", "にち"), "月火水木金土日", strict=True))
_KANA_WEEKDAY = regex(rf"({'|'.join(_KANA)})ようび")
_OPERATIONS = {"足": "+", "た": "+", "加": "+", "引": "-", "ひ": "-", "掛": "*", "か": "*", "割": "/", "わ": "/"}
_FIRST_TWO = regex(
    r"(?P<a>-?\d[\d.]*)(?P<to>と|に|から|を)(?P<b>\d[\d.]*)(?:を|で)?(?P<verb>足し|たし|加え|引い|ひい|掛け|かけ|割っ|わっ)て"
)
_AND_THEN = regex(
    r"(?:から)?[、。 ]*(?:それ|これ|そこ|その(?:答え|結果|数)|答え|結果|さらに)?(?:に|を|から)?、?(?:さらに)?"
    r"(?P<b>\d[\d.]*)(?:を|で)(?P<verb>足|た[しす]|加え|引|ひ[いく]|掛け|かけ|割|わ[るっ])"
    r"(?:して|し?た|す|えて|え|いて|いた|く|て|る|って|った|れば|ると|すと|くと|と|ら|数|り){0,3}"
)
_ASKS = regex(r"(?:は|の?答えは|、)?(?:いくつ|いくら|何|どう)?(?:に)?(?:なりますか|なる|です)?か?[?。 ]*")
_LONGEST = 120  # characters
_DAY_TWICE = regex(
    r"(?:クリスマス(?:イブ|イヴ)?|元日|元旦|大[晦み]日|バレンタイン(?:デー)?|[一-龯]{2,4}の日)[（(、](?P<day>\d{1,2}月\d{1,2}日)[)）]?"
)


def japanese_wordings(text: str, today: date | None) -> Iterator[str]:
    """The plain questions that a Japanese one may come to, the likeliest first."""
    if len(text) > _LONGEST:
        return
    yield from japanese_forms(text, today)
    bare = without_chat(text)
    if bare != text:
        yield from japanese_forms(bare, today)
        yield bare
    if (percent := plainer(bare)) != bare:
        yield percent
    if (once := _DAY_TWICE.sub(r"\g<day>", bare)) != bare:
        yield once
    if (
        found := _chained(bare)
        or _listed(bare)
        or _of_units(text)
        or _of_thing(bare)
        or times_asked(bare)
        or _of_era(text)
    ):
        yield found
    if today and (found := _of_days(bare, today) or _of_nights(bare, today)):
        yield found


def without_chat(text: str) -> str:
    """The question without greetings, politeness and 「っけ」."""
    chat = _PATTERNS["chat"]
    for meant, slip in _PATTERNS["slips"].items():
        text = slip.sub(meant, text)
    text = _KANA_WEEKDAY.sub(lambda found: f"{_KANA[found[1]]}曜日", text)
    bare = chat["around"].sub("は", chat["topic"].sub("は", chat["lead"].sub("", text)))
    if chat["tail"].search(bare):
        return chat["tail"].sub("は?", bare)
    return chat["end"].sub("?", bare)


def _chained(text: str) -> str | None:
    """「1250から386を引いて、それに3をかける」 as (1250 - 386) * 3."""
    first = _FIRST_TWO.match(text.replace(",", ""))
    if first is None or (first["to"] == "から") != (_OPERATIONS[first["verb"][0]] == "-"):
        return None
    text, wanted = text.replace(",", ""), f"({first['a']} {_OPERATIONS[first['verb'][0]]} {first['b']})"
    position = first.end()
    while following := _AND_THEN.match(text, position):
        wanted = f"({wanted} {_OPERATIONS[following['verb'][0]]} {following['b']})"
        position = following.end()
    steps = wanted.count("(") > 1
    return wanted[1:-1] if steps and _ASKS.fullmatch(text, position) else None


_PUT_TOGETHER = regex(
    r"(?:、|。|は|を|の|です|でした|ので|ときの)*(?P<how>平均|中央値|合計|(?:を)?(?:全部)?(?:足す|たす|足し|合わせる)(?:と|た?ら)|全部で)(?:点|値|金額|気温)?(?:は|を)?(?:何[^\d]{1,2}|いくつ|いくら)?(?:です|になります)?か?[?。]*"
)
_BARE_ROW = regex(r"(?<![\d.])(?:\d+(?:\.\d+)?、)+\d+(?:\.\d+)?(?P<unit>[点円人個本枚度])")
_FIGURE = r"\d+(?:\.\d+)?"
_ROW_OF_FIGURES = regex(
    rf"(?P<lead>[^\d]{{0,30}}?)"
    rf"(?P<row>{_FIGURE}点?(?:(?:、|, ?|と|・| |で、)(?:[一-龯ァ-ヶー]{{1,6}}[がは]?)?{_FIGURE}点?){{2,}})"
    r"(?P<unit>[^\d、。]{0,3}?)"
    r"(?:だった|です|でした|という結果|の|が|で|と|、|。|[!！ ])*(?:これ|この|その)?(?:ら)?(?:の)?(?:と|を)?"
    r"(?P<how>平均|中央値|合計|(?:を)?(?:全部)?(?:足す|たす|足し|合わせる)(?:と|た?ら)|全部で)(?:点|値|金額|気温|体重|タイム)?(?:は|を|って)?"
    r"(?:何[^\d]{1,3}|いくつ|いくら)?(?:ですか|です|でしょうか|になりますか|になる|だ|か)*[?？。]*"
)
_TURNS_ROW = regex(r"以外|除|うち|ない|番|位|年|月|日目")
_NAMED = regex(r"^[一-龯ァ-ヶー]{1,6}[がは]?$")  # 「国語が68点、算数が90点」
_FEWEST, _LONGEST_NAME = 3, 12


def _listed(text: str) -> str | None:
    """「テストが72点、85点、91点でした。平均点は？」 as 「72、85、91の平均」."""
    if (row := _ROW_OF_FIGURES.fullmatch(text)) and not _TURNS_ROW.search(row["lead"]):
        how = row["how"] if row["how"] in ("平均", "中央値") else "合計"
        return f"{'、'.join(re.findall(_FIGURE, row['row']))}の{how}"
    text = _BARE_ROW.sub(lambda row: row[0].replace("、", f"{row['unit']}、"), text)
    found = mentions(text) or []
    if len(found) < _FEWEST or len({(one.part.names, one.part.unit) for one in found}) > 1:
        return None
    end = _PUT_TOGETHER.fullmatch(text, found[-1].end)
    between = (_NAMED.sub("", one.before.strip(" 、,と")) for one in found[1:])
    if end is None or any(between) or len(found[0].before) > _LONGEST_NAME:
        return None
    how = end["how"] if end["how"] in ("平均", "中央値") else "合計"
    return f"{'、'.join(figure_of(one.part.amount) for one in found)}の{how}"


_SPOONS = regex(r"(大さじ|小さじ|カップ)(\d+(?:\.\d+)?)杯?")
_KILOS = regex(r"(?<=\d)キロ(?![グメ])|(?<=何)キロ(?![グメ])")
_DEGREES = regex(
    r"[^\d摂華]{0,8}?(?P<given>(?:華氏|摂氏)-?\d[\d.]*度?|-?\d[\d.]*度)(?:は|って|を)、?(?P<to>摂氏|華氏)"
    r"[^\d]{0,16}[?。 ]*"
)
_UNIT_ASKED = regex(
    r"何 ?(?P<to>[^\d、。?？にでくはをが]{1,10})"
    r"|(?P<into>[^\d、。?？はをが]{1,10}?)(?:に(?:直す|換算する|する|変換する)と|で(?:いう|言う|表す)と|でいえば|で言えば|だと|では|なら)、?"
    r"(?:どれ|どの|いくつ|いくら|何杯|何(?=[?？でか]|$)|$|[?？])"
)
_MADE_MORE = regex(
    r"走|進|歩|かか|使|残|あと|まで|半|倍|割|引|足[すし]|増|減|売|買|食|飲|働|休|寝|過|経|遅|早|以外|平均|ごと|あたり|当たり|毎|うち|から|入[るりれ]|必要|要[るり]|後|前|円|横|縦|幅|高さ|厚|奥行|周|縁"
)


def _of_units(text: str) -> str | None:
    """「土地が30坪あります。平方メートルに直すとどのくらい？」 as 「30坪は何平方メートル」."""
    if said := _DEGREES.fullmatch(text):
        return f"{said['given']}は{said['to']}で何度"
    text = plainer(text)
    kilos = (_KILOS.sub(unit, text) for unit in ("kg", "km")) if _KILOS.search(text) else ()
    return next((made for one in (text, *kilos) if (made := _of_one_measure(one))), None)


def _of_one_measure(text: str) -> str | None:
    spoons, found = list(_SPOONS.finditer(text)), mentions(_SPOONS.sub("", text))
    if found is None or len(spoons) + len(found) != 1 or _MADE_MORE.search(text):
        return None
    start, end = spoons[0].span() if spoons else (found[0].start, found[0].end)
    measure = None if spoons else found[0].part.measure
    asks = _UNIT_ASKED.search(text, end)
    if asks is None or (not spoons and measure is None):
        return None
    kind, to = measure.kind if measure else "volume", asks["to"] or asks["into"]
    to = {"volume": "ミリリットル", "length": "ミリメートル"}.get(kind, to) if to.startswith("ミリ") else to
    starts = range(len(to)) if asks["into"] else (0,)
    names = (to[first:last] for last in range(len(to), 0, -1) for first in starts if first < last)
    others = (name for name in names if any(one.kind == kind and one != measure for one in measure_of(name)))
    name = next(others, "")
    return f"{text[start:end].removesuffix('杯')}は何{name}" if name else None


_YEAR = regex(
    r"(?:西暦)?(?P<year>\d{4})年|(?P<era>(?:明治|大正|昭和|平成|令和)(?:元|\d{1,2})年)(?P<day>\d{1,2}月\d{1,2}日)?"
)
_YEAR_ASKED = regex(r"(?P<to>西暦|和暦|元号|明治|大正|昭和|平成|令和)[^\d、。何]{0,8}何年")
_NO_YEAR = regex(r"生まれ|歳|才|前|後|間|目|から|まで|引|足|ぶり|経")
_ERAS = ((2020, "令和"), (1990, "平成"), (1927, "昭和"), (1913, "大正"), (1869, "明治"))


def _of_era(text: str) -> str | None:
    """「書類に和暦で書きたい。2026年は何年？」 as 「2026年は令和何年」; a year of two eras only by its name."""
    years, asks = list(_YEAR.finditer(text)), _YEAR_ASKED.search(text)
    if len(years) != 1 or asks is None or re.search(r"\d", _YEAR.sub("", text)) or _NO_YEAR.search(text):
        return None
    said, to = years[0], asks["to"]
    if said["era"]:
        year = era_year(said["era"])
        day_asked = f"{year}年{said['day']}はいつ" if said["day"] and year else f"{said['era']}は西暦何年"
        return day_asked if to == "西暦" else None
    year = int(said["year"])
    if to in ("和暦", "元号"):
        to = next((name for first, name in _ERAS if first <= year), "")
        to = "" if year + 1 in dict(_ERAS) else to
    return f"{year}年は{to}何年" if to and to != "西暦" else None


_NIGHTS = regex(r"(?P<n>\d{1,2})泊(?:(?P<days>\d{1,2})日)?")
_COMES_BACK = regex(r"(?:帰|戻|チェックアウト|最終日|最後の日)[^\d]*(?P<asks>何日|何月何日|いつ|何曜)")


def _of_nights(text: str, today: date) -> str | None:
    """「明日から3泊4日の旅行。帰るのは何日？」 as the day three days after it."""
    nights, named = list(_NIGHTS.finditer(text)), [found[0] for found in _DAYS["date"].finditer(text)]
    rest = _NIGHTS.sub("", _DAYS["date"].sub("", text))
    asks = _COMES_BACK.search(rest)
    start = _dated(named[0], today, True) if len(named) == 1 == len(nights) else None
    if start is None or asks is None or re.search(r"\d", rest):
        return None
    if nights[0]["days"] and int(nights[0]["days"]) != int(nights[0]["n"]) + 1:
        return None
    return f"{written(start, 'ja')}の{nights[0]['n']}日後は{'何曜日' if asks['asks'] == '何曜' else 'いつ'}"


def _of_thing(text: str) -> str | None:
    """「30坪の土地は何平方メートル？」 as 「30坪は何平方メートル」."""
    said = _PATTERNS["thing"]["whole"].fullmatch(text)
    if said is None:
        return None
    kinds, wanted = ({one.kind for one in measure_of(said[name])} for name in ("unit", "to"))
    return f"{said['given']}は何{said['to']}" if len(kinds) == 1 and kinds == wanted else None


def both_ends(text: str, today: date) -> tuple[date, date] | None:
    """The stretch whose days are asked for with both its ends, where nothing else is asked of it."""
    ends = _PATTERNS["both"]["ends"]
    if len(text) > _LONGEST or not ends.search(text):
        return None
    rest = _PATTERNS["both"]["of"].sub("", ends.sub("、", without_chat(text))).replace("全部で", "")
    named = [found[0] for found in _DAYS["date"].finditer(rest)]
    rest = _DAYS["date"].sub(" ", rest)
    count = _DAYS["count"].search(rest)
    if len(named) != 2 or not _DAYS["around"].fullmatch(rest) or count is None or count["unit"] != "日":
        return None
    found = stretch(named[0], named[1], today)
    return found if found and found[0] <= found[1] else None


def _of_days(text: str, today: date) -> str | None:
    """「1995年7月20日生まれなんだけど、今何歳？」 as 「1995年7月20日生まれは今何歳」."""
    lengths = list(_DAYS["length"].finditer(text))
    rest = _DAYS["length"].sub(" ", text)
    named = [found[0] for found in _DAYS["date"].finditer(rest)]
    rest = _DAYS["date"].sub(" ", rest)
    if not _DAYS["around"].fullmatch(rest or " ") or len(named) > 2 or len(lengths) > 1 or not named + lengths:
        return None
    past = _DAYS["past"].search(rest) is not None or "でした" in rest or "ました" in rest
    if lengths:
        return _shifted(lengths[0], named, rest, today)
    if len(named) == 2:
        return _between(named, rest, today)
    found = _dated(named[0], today, not past)
    return _of_one(found, rest, today, past, re.search(r"\d{4}年|和|成|正|治", named[0]) is not None) if found else None


def _dated(name: str, today: date, ahead: bool) -> date | None:
    if (era := _ERA_DATE.fullmatch(name)) and (year := era_year(era[1])):
        name = f"{year}年{era[2]}"
    return day(name, today, ahead)


def _shifted(length: re.Match[str], named: Sequence[str], rest: str, today: date) -> str | None:
    """「今日から2週間後の日付」."""
    start = _dated(named[0], today, True) if named else today
    if len(named) > 1 or start is None or _DAYS["born"].search(rest):
        return None
    unit = length["unit"]
    unit = "日" if unit == "日間" else unit if unit == "週間" else unit.removesuffix("間")
    way = "前" if length["way"] == "前" else "後"
    ends = "何曜日" if _DAYS["weekday"].search(rest) else "いつ"
    return f"{written(start, 'ja')}の{length['n']}{unit}{way}は{ends}"


def _between(named: Sequence[str], rest: str, today: date) -> str | None:
    count = _DAYS["count"].search(rest)
    both = stretch(named[0], named[1], today) if count else None
    if count is None or both is None or both[0] > both[1]:
        return None
    unit = "週間" if count["unit"] == "週" else "日"
    return f"{written(both[0], 'ja')}から{written(both[1], 'ja')}まで何{unit}"


def _of_one(found: date, rest: str, today: date, past: bool, sure: bool) -> str | None:
    name = written(found, "ja")
    if _DAYS["age"].search(rest):
        return f"{name}生まれは今何歳" if _DAYS["born"].search(rest) and sure and found <= today else None
    if "生まれ" in rest:
        return None
    if _DAYS["weekday"].search(rest):
        return f"{name}は何曜日"
    count = _DAYS["count"].search(rest)
    unit = "週間" if count and count["unit"] == "週" else "日"
    if count and past and found <= today:
        return f"{name}から何{unit}経った"
    if count and not past and found >= today and re.search(r"まで|あと|残り", rest):
        return f"{name}まであと何{unit}"
    return f"{name}はいつ" if _DAYS["when"].search(rest) and not re.search(r"まで|から|あと|間", rest) else None
