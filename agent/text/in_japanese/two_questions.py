"""A Japanese sentence that asks twice of one thing, as two questions: 「外食は何回で、合計いくら使いましたか」."""

from __future__ import annotations

import re

from agent.text.regex import regex

_ASKED = r"(?:何(?:[一-龯ァ-ヶー]|か所|ヶ所){1,3}?|いくつ|いくら|いつ|どこ|誰|だれ|どれ|どなた)"
_LINK = (
    r"(?:です(?:か)?|ありますか|いますか|ある|あって|あり|いて|の[^、。?？はがを]{1,8})?"
    r"(?:で|、|また|それと|それから|そして|。)+"
)
_FIRST = regex(
    rf"(?P<head>[^。?？]{{1,40}}?)(?P<topic>は|が|って)(?:全部で|合計で?|合わせて)?"
    rf"(?P<asked>{_ASKED}(?P<noun>の[^、。?？はがをで]{{1,8}})?){_LINK}(?P<rest>[^。?？]{{3,40}})[?？。]*"
)
_ASKS = regex(rf"{_ASKED}|教えて|合計は|平均は|[はも][?？]*$")
_OWN_TOPIC = regex(r"[^、。はが]{1,12}(?:は|が|も)(?!いく)")
_PLEASE = regex(r"(?:も|を)?(?:教えて|知りたい|見せて|お願いし)[^、。]{0,6}$")


def two_questions(text: str) -> list[str]:
    """Both, each with what they are of; nothing where it is one question, or the second is of another thing."""
    said = _FIRST.fullmatch(text)
    if said is None or not _ASKS.search(said["rest"]):
        return []
    rest = _PLEASE.sub("は", said["rest"])
    rest = re.sub(r"^(?:その人の|その|それの|それぞれ)", "", rest)
    head = said["head"]
    if not said["asked"].startswith("何") and "の" in head and _OWN_TOPIC.match(rest):
        head = head.rpartition("の")[0]  # 「A205の得意先はどこで、金額は…」
    of_it = f"{head}の{rest}" if _OWN_TOPIC.match(rest) or rest.startswith("平均") else f"{head}は{rest}"
    of_it = re.sub(r"^(.*[たるい])の", r"\1", of_it) if head.endswith("た") else of_it
    return [f"{said['head']}{said['topic']}{said['asked']}？", f"{of_it}？"]
