"""A Japanese follow-up to a figure: 「それを3倍すると？」, 「ドルでは？」."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.regex import regex

_AMOUNT_MORE = regex(
    r"(?:(?:そこ|それ)(?:から|に))?、?(?:さらに|もう)?、?(?P<amount>\d[\d,.]*[^\d\s、。]{0,3}?を?(?P<verb>引|ひ[いく]|足|た[しす]|加え).*)"
)


def figure_put(said: str, figure: str) -> Iterator[str]:
    """``said`` with the figure that was told in the place of 「それ」, before it, or behind it."""
    text = re.sub(r"^(?:では|じゃあ|それでは|そして|また|ちなみに|次に)、?", "", said)
    thing = r"(?:値|数|数字|結果|答え|温度|気温)"
    text = re.sub(rf"(?:その|この|同じ){thing}|^(?:結果|答え)|それ|これ", "それ", text)
    if more := _AMOUNT_MORE.fullmatch(text):
        yield f"{figure}{'から' if more['verb'][0] in '引ひ' else 'に'}{more['amount']}"
    if "それ" in text:
        yield text.replace("それ", figure, 1)
    if re.match(r"その", text):
        yield f"{figure}の{text.removeprefix('その')}"
    if into := re.fullmatch(r"(.+?)(?:で|に|では)(?:は|すると|直すと|換算すると|変換して)?[?。]*", text):
        yield f"{figure}を{into[1]}で？"
    if re.match(r"[\d.%]+(?:を|で|倍|乗)", text):
        yield f"{figure}に{text}"
        yield f"{figure}から{text}"
        yield f"{figure}を{text}"
    if re.match(r"小数|整数|四捨五入|[十百千]の位", text):
        yield f"{figure}を{text}"
    if not re.match(r"[\d,.]+ ?%?(?:は|の場合)", text):
        yield f"{figure}の{text}"
