"""So much for so many, asked for another number: 「20枚で薄力粉150gのレシピ。32枚だと薄力粉は何g？」."""

from __future__ import annotations

import re
from fractions import Fraction

from agent.text.in_japanese.japanese_parts import plainer, shortened
from agent.text.problems.story_totals import StorySum
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_LONGEST = 160  # characters
_N = r"\d+(?:\.\d+)?"
_COUNTER = r"人(?:分|前)?|枚|個|本|杯|切れ|回分|皿|食分|膳|名分|合"
_OF = r"(?:大さじ|小さじ|カップ)"
_RECIPE = regex(
    rf"(?P<lead>[^\d。]{{0,24}}?)(?P<a>{_N})(?P<c>{_COUNTER})(?:分)?(?:を)?"
    r"(?:作るのに|つくるのに|焼くのに|炊くのに|に(?:つき|対して|は)|あたり|で|に|、|は|の)*"
    rf"(?P<thing>[^\d、。]{{0,12}}?)(?:が|を|は|の|に)?(?P<spoon>{_OF})?(?P<b>{_N}) ?"
    r"(?P<u>[a-zA-Z]+|グラム|キロ|リットル|ミリリットル|合|個|本|枚|杯|カップ|粒|丁|玉|束)?"
    r"(?:を)?(?:使う|使います|使って|必要|入れる|入れます|要る|いる)?(?:の|な)?"
    r"(?:レシピ|分量|割合|材料|作り方|もの)?"
    r"(?:です|でした|だ|と書いてあり|なの|なん|の|が|で|けど|けれど|から|、|。| )*"
    rf"(?P<mid>[^\d。]{{0,8}}?)(?P<d>{_N})(?P=c)?(?P<c2>{_COUNTER})?(?:分)?(?P<rest>[^\d]{{2,40}})"
)
_ASKS = regex(
    r"(?:を)?(?:作る|つくる|焼く|炊く|作り|焼き)?"
    r"(?:たい|には|なら|だったら|だと|では|とき|場合|ときは|に(?:は|する)?|と|のとき|は|で|ん|です|が|けど|の|、|。)*"
    r"(?P<thing>[^\d、。何はがをどい]{0,10}?)(?:は|が|を|の量は)?(?P<spoon>大さじ|小さじ|カップ)?(?:は|で|に)?、?"
    r"(?:何 ?(?P<u>[a-zA-Z]+|[一-龯ァ-ヶー]+?)|いくつ|どれくらい|どのくらい|どれだけ|いくら)"
    r"(?:が|を|に)?(?:必要|要り|いり|要る|いる|使|用意|入れ|なり|になる|なる|です|でしょう|すれば|いい"
    r"|ますか|ます|か|の|ん|る|い|え|ば|よ|し|た|ら|れ|う)*[?？。]*"
)
_REFUSED = regex(r"半|倍|残|余|ずつ|だけ|円|時間|分間|人で(?:\d+日)|%|休|減ら|増や|以上|以下|オーブン|度")


def recipe(text: str) -> StorySum | None:
    """``None`` where the two numbers count different things, or what is asked for is not what was told."""
    if len(text) > _LONGEST:
        return None
    text = plainer(shortened(text))
    told = _RECIPE.fullmatch(text)
    asks = _ASKS.fullmatch(told["rest"]) if told else None
    if told is None or asks is None or _REFUSED.search(text):
        return None
    if told["c2"] and told["c2"][:1] != told["c"][:1]:
        return None
    thing, wanted = _bare(told["thing"]), _bare(asks["thing"])
    if wanted and wanted not in thing and wanted not in told["lead"] and (thing and thing not in wanted):
        return None
    unit, asked = told["u"] or "", asks["u"] or ""
    if (asked and unit and not _alike(unit, asked)) or (asks["spoon"] and asks["spoon"] != told["spoon"]):
        return None
    if told["spoon"] and asked and not asks["spoon"]:
        return None
    if not told["u"] and not told["spoon"]:
        return None
    value = Fraction(told["b"]) / Fraction(told["a"]) * Fraction(told["d"]) if Fraction(told["a"]) else None
    if value is None or (unit in ("本", "枚") and value.denominator != 1):
        return None
    return StorySum(f"{told['b']} / {told['a']} * {told['d']}", unit if not told["spoon"] else "")


def _bare(thing: str) -> str:
    return re.sub(r"^(?:で|に|は|、)+|(?:が|を|は|の|に|も)+$", "", thing or "")


def _alike(unit: str, asked: str) -> bool:
    if unit.lower() == asked.lower() or unit in asked or asked in unit:
        return True
    return bool({one.name for one in measure_of(unit)} & {one.name for one in measure_of(asked)})
