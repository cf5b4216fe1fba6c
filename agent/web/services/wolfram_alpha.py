"""Wolfram Alpha: its LLM API, and where that has no answer its short answers.

https://products.wolframalpha.com/llm-api/documentation and https://products.wolframalpha.com/short-answers-api/documentation
Both answer in plain text: 200 with the answer, 501 where the question is not understood, 403 for the app id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote_plus

from agent.errors import ToolFailed
from agent.events import Source
from agent.text.plain import link, plain
from agent.text.regex import regex
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.api_call import Credential, Reply, Service
from agent.web.services.result_cards import Card, card_artifact

_MOST_CHARACTERS = 3_500
_MOST_PODS = 12
_LINK = regex(r"^Wolfram\|Alpha website result for .*?:?\s*$", re.I)
_PICTURE = regex(r"^\s*image:\s*\S+\s*$|https?://\S*wolframalpha\.com/files/\S+", re.I)
_PAGE = "https://www.wolframalpha.com/input?i="


def ask_wolfram(app_id: str, url: str, short_url: str, timeout: float, question: str) -> ToolResult:
    """Ask once or twice. Raises ``ToolFailed``: nothing, key, quota, network, timeout or refused."""
    long = Service("Wolfram Alpha", timeout, _in_header(app_id), "computation", "WOLFRAM_APP_ID")
    reply = long.get_text(url, {"input": question, "maxchars": _MOST_CHARACTERS})
    if reply.status == 200 and (pods := list(_pods(_text(reply)))):
        return _result(question, pods, _page(_text(reply), question), reply)
    if reply.status == 429:
        raise long.used_up()
    # An app id may be good for one of the two only; and what the one does not understand the other may.
    short = Service("Wolfram Alpha", timeout, Credential(app_id, parameter="appid"), "computation", "WOLFRAM_APP_ID")
    answer = short.get_text(short_url, {"i": question})
    text = plain(_text(answer), 1_000)
    if answer.status == 200 and text:
        return _result(question, [("Result", text)], _PAGE + quote_plus(question), answer)
    if answer.status == 403:
        raise short.bad_key()
    if answer.status == 429:
        raise short.used_up()
    if answer.status in (200, 400, 501):
        hint = _hint(_text(reply)) if reply.status == 501 else ""
        raise ToolFailed(
            f"Wolfram Alpha did not understand that.{hint} Ask in fewer, simpler English words.", "nothing"
        )
    raise short.refused(answer.status, plain(_text(answer), 120) if answer.status < 500 else "")


def _in_header(app_id: str) -> Credential:
    return Credential(app_id, header="Authorization", scheme="Bearer ")


def _text(reply: Reply) -> str:
    return reply.content if isinstance(reply.content, str) else ""


def _pods(text: str) -> Iterator[tuple[str, str]]:
    """The parts of an answer: a line that ends with a colon, and the lines below it; pictures are left out."""
    title, lines = "", list[str]()
    for line in [*text[: 2 * _MOST_CHARACTERS].splitlines(), "end:"]:
        if not (line.rstrip().endswith(":") and line[:1].strip()):
            if not _PICTURE.search(line) and (told := plain(line, 600)):
                lines.append(told)
            continue
        if lines and not _LINK.match(title):
            yield plain(title.rstrip(": "), 80) or "Result", "\n".join(lines)
        title, lines = line, []


def _page(text: str, question: str) -> str:
    """The address of the answer's own page, which stands at its end."""
    last = text.rstrip().rpartition("\n")[2].strip()
    host = re.match(r"https://(?:\w+\.)*wolframalpha\.com/", last)
    return link(last) if host and link(last) else _PAGE + quote_plus(question)


def _hint(text: str) -> str:
    """What the LLM API suggests with a 501: "Things to try instead: …"."""
    _, found, rest = text.partition("Things to try instead:")
    told = plain(rest, 200).rstrip(".")
    return f" It suggests: {told}." if found and told else ""


def _result(question: str, pods: list[tuple[str, str]], page: str, reply: Reply) -> ToolResult:
    shown = [pod for pod in pods if pod[0].casefold() != "query"][:_MOST_PODS] or pods[:1]
    text = "\n".join(f"{title}: {told}" if "\n" not in told else f"{title}:\n{told}" for title, told in shown)
    whole = artifact("text", "answer of Wolfram Alpha", _text(reply).encode("utf-8", "replace"))
    cards = card_artifact("Wolfram Alpha", [Card(title, text=told) for title, told in shown])
    return ToolResult(f"{text}\n[1]", (cards, whole), (Source(1, f"Wolfram Alpha: {question}", page),))
