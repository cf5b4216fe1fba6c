"""How long the readers take for 20 KB, whole and in chunks of four characters.

Prints one line a kind of input: milliseconds of CPU time, whole and in chunks, best of several runs. The targets are
1 ms and 10 ms; figures above them are marked. Run it as ``python -m benchmarks.reader``, for the reader of native calls
as ``python -m benchmarks.reader native``. Calls that are written as text are read on the text wire as in the loop, with
the look for them at the end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from agent.events import ToolSchema
from agent.models.protocol import CallDelta, Delta
from agent.wire.native import NativeReader
from agent.wire.react.reader import ReactReader, read
from agent.wire.react_stream import ReactStream

SIZE = 20_000
TOOLS = ("search", "calculator", "python")
_CALL = "Thought: t\nAction: python\nAction Input: "

INPUTS: dict[str, str] = {
    "prose, long lines": "It is a fine day in the city of San Francisco, and the sea is calm as far as one can see. \n",
    "prose, one line": "It is a fine day in the city. ",
    "Japanese prose": "今日の東京は晴れて、気温は二十五度まで上がりました。\n",
    "'Action:' labels": "Action:\n",
    "'Action: x' labels": "Action: x\n",
    "'Thought:' labels": "Thought:\n",
    "'Final Answer:' labels": "Final Answer:\n",
    "'Observation:' labels": "Observation:\n",
    "labels in one line": "Thought: ",
    "calls": "Thought: t\nAction: search\nAction Input: x\n",
    "bold labels": "**Action:**\n",
    "headings": "## Action\n",
    "double quotes": '"',
    "single quotes": "'",
    "backslashes": "\\",
    "fences": "```\n",
    "backticks": "`",
    "braces": "{",
    "brackets": "[",
    "parentheses": "(",
    "spaces": " ",
    "line breaks": "\n",
    "line break, space": "\n ",
    "CR LF": "\r\n",
    "tabs": "\t",
    "'<'": "<",
    "'<|'": "<|",
    "'<t'": "<t",
    "'<t>'": "<t>",
    "'</t'": "</t",
    "'</t>'": "</t>",
    "'<t>' lines": "<t>\n",
    "half tags": "<think",
    "half closing tags": "</think ",
    "half special tokens": "<|im_end|",
    "think tags": "<think></think>",
    "special tokens": "<|im_end|>",
    "channels": "<|channel|>analysis<|message|>a<|end|>",
    "colons": ":",
    "hashes": "#",
    "stars": "*",
    "bullets": "- ",
    "bullet lines": "-\n",
    "'a' lines": "a\n",
    "'a:' lines": "a:\n",
    "'x:' lines": "x:\n",
    "'#' lines": "#\n",
    "numbers": "1. ",
    "half labels": "Though\n",
    "half headings": "## Actio\n",
    "emoji": "🙂",
    "full-width": "：",
    "quoted lines": "> so\n",
    "a numbered list": "1. a\n",
    "comparisons": "a < b\n",
    "HTML lists": "<li>a</li>\n",
    "times": "12:30:01 INFO x\n",
    "half think lines": "<think\n",
    "DSML": '<｜DSML｜invoke name="search">\n',
    "half Japanese labels": "行動\n",
    "full-width bars": "<｜tool▁calls",
    "half ends of thinking": "</thin",
    "long fences": "````\n",
    "fences in one line": "``` ",
    "nested quotes": ">> a\n",
    "half tagged calls": "<function=search>\n",
    "half DSML": "<｜DSML｜",
    "a counted list": "3: a\n",
    "arrows": "=> a\n",
    "YAML": "- a: b\n",
    "closed tags": "</a>\n",
    "fences with a language": "```a\n",
    "fences and blank lines": "```\n\n",
    "blocks of code": "```python\na\n```\n",
    "turns": "<start_of_turn>model\n",
    "starts of turns": "<start_of_turn>",
    "a reply's end": "</s>",
    "prompts of Python": ">>>",
    "thoughts and words": "<think>a</think>b",
    "ends of thinking": "</thinking>",
    "half calls": "<func",
    "arrows in a line": "->",
    "code in words": "a`",
    "half separators": "]<]minimax[",
}
WRAPPED: dict[str, tuple[str, str]] = {
    "quotes in an input": (_CALL, '"'),
    "fences in an input": (_CALL, "```\n"),
    "spaces in an input": (_CALL + "x", " "),
    "short lines in an input": (_CALL, "a\n"),
    "'a:' lines in an input": (_CALL, "a:\n"),
    "code in an input": (_CALL, "for row in table:\n    print(row, end='')\n"),
    "fenced labels in an input": (_CALL + "```\n", "Action: x\n"),
    "quoted labels in an input": (_CALL + '{"a": "', "Action: x\n"),
    "braces in an input": (_CALL, "{"),
    "JSON in an action": ("Action: ", '{"a": "b"}, '),
    "quotes in an object": ('{"action": "', "'"),
    "open objects": ("", '{"a": '),
    "open dicts": ("", "{'a': b, "),
    "objects without a call": ("", '{"a": 1}\n'),
    "a long object": ('{"action": "python", "action_input": "', "x = 1; "),
    "keywords": ("Action: python(", "a=1, "),
    "quoted keywords": ("Action: python(", "a='b', "),
    "an open fence's language": ("```", "a"),
    "spaces behind a fence": ("```", " "),
    "spaces behind [/INST]": ("[/INST]", " "),
    "backslashes in an object": ("{'action': '", "\\'"),
    "spaces before an object": ('{"action": "search"}', " "),
    "spaces in an action": ("Action: search", " "),
    "brackets in an action": ("Action: search", "["),
    "an answer": ("Final Answer: ", "The high was 72 °F, which is 22.2 °C. "),
    "lines in an answer": ("Final Answer: ", "a\n"),
    "thinking": ("<think>", "Action: x\n"),
    "'<t' in thinking": ("<think>", "<t"),
    "'<t>' in an input": (_CALL, "<t>"),
    "labels in an answer": ("Final Answer: ", "Thought: a\n"),
    "blanks behind a label": ("Thought: a\nAction:\n", "\n"),
    "half labels in Japanese": ("思考：", "行動\n"),
    "bullets in a thought": ("Thought: ", "- a\n"),
    "thoughts in thinking": ("<think>", "<think>"),
    "ends of thinking in words": ("Here: ", "</think>"),
    "blanks behind thinking": ("Here: </think>", " "),
    "blocks of JSON": ("Here:\n\n", "```json\n{}\n```\n\n"),
    "a list of objects": ("[", "{}, "),
    "a list of words": ("[", "'a', "),
    "bold labels in an answer": ("Final Answer: ", "**Action:** x\n"),
    "tags in thinking": ("<think>", "a</b>"),
    "blank lines behind a token": ("<|tool_call|>", "\n \n\n"),
    "lines in a fence behind a token": ("```\n<end_of_turn>", "\n"),
    "fences and tokens": ("", "~~~\n<|eot_id|>\n"),
    "tables and fences with tokens": ("|---|---|\n", "```json\n-> <|channel|>"),
    "tables and ends of thinking": ("", "|---|---|\n</think>\n"),
    "thinking and fences": ("", "<thinking> \nso ```json\n"),
}
_WRITTEN = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>'
# Calls that are written as text, and what looks like them.
WRITTEN: dict[str, tuple[str, str]] = {
    "written calls": ("", _WRITTEN),
    "written calls and prose": ("", _WRITTEN + " so "),
    "calls in inline code": ("", f"`{_WRITTEN}` "),
    "calls in fences": ("", f"```\n{_WRITTEN}\n```\nso\n"),
    "openers": ("", "<tool_call>"),
    "openers of objects": ("", "<tool_call>{"),
    "openers with a name": ("", '<tool_call>{"name": "search", '),
    "openers of a list": ("", "[TOOL_CALLS]"),
    "special openers": ("", "<|tool_call_begin|>"),
    "separators": ("", "]<]minimax[>["),
    "fields": ('<invoke name="search">', '<parameter name="query">'),
    "closers in a value": ("<function=search><parameter=query>", "</parameter> a"),
    "keys": ("<tool_call>search", "<arg_key>query</arg_key>"),
    "arguments in Python": ("[search(", "query='x', "),
    "quotes in Python": ("<|tool_call_start|>[search(query='", "It's, "),
    "nested objects": ('<tool_call>{"name": "search", "arguments": ', '{"a": '),
    "nested braces": ("<|tool_call>call:search{query:", "{a:"),
    "a long call": ('{"name": "search", "arguments": {"query": "', "x "),
    "runs of backticks": ("", "` `` ``` ```` "),
    "invented results": ("", _WRITTEN + "<tool_response>"),
    "heads": ("", "<function="),
    "heads in XML": ("", '<invoke name="'),
    "heads of no tool": ("", "<function=x>"),
    "heads of Kimi": ("", "<|open|>call "),
    "code of no tool": ("", "```tool_code\nprint(1)\n```\n"),
    "tags of a tool": ("", '<search query="x"/>'),
    "tags with fields": ("", "<search><query>x</query></search>\n"),
    "tags with an object": ("", '<search>{"query": "x"}</search>\n'),
    "tags that name a tool": ("", '<tool name="search" query="x"/>\n'),
    "ChatGLM3's calls": ("", "search\n```python\ntool_call(query='x')\n```\n"),
    "calls in Python": ("", "search(query='x')\n"),
    "printed calls": ("", "print(search(query='x'))\n"),
    "code with calls": ("", "```tool_code\nprint(search(query='x'))\n```\n"),
    "calls as JSON": ("", '{"name": "search", "arguments": {"query": "x"}}\n'),
    "Gemma's calls": ("", "<|tool_call>call:search{query:x}<tool_call|>"),
    "a list and quotes": ("[", "'"),
    "a list and tags": ("[", "<b>"),
    "tokens in a fence": ("```\n", "\\<|eot_id|><query>x</query></search>"),
}
SCHEMAS = tuple(ToolSchema(name, "", {"type": "object", "properties": {"query": {"type": "string"}}}) for name in TOOLS)


def flood(head: str, piece: str) -> str:
    return (head + piece * (SIZE // len(piece) + 1))[:SIZE]


def in_fragments() -> dict[str, list[Delta]]:
    """20 KB of arguments in 5,000 fragments, by how servers number and name those."""
    prose, objects = (
        [text[start : start + 4] for start in range(0, SIZE, 4)]
        for text in (flood('{"query": "', "so it is "), flood('{"query": [', '{"a": {}}, '))
    )
    first = Delta(calls=(CallDelta(0, "c1", "search"),))

    def all_of(pieces: Sequence[str], id: str = "", name: str = "") -> list[Delta]:
        return [first, *(Delta(calls=(CallDelta(0, id, name, piece),)) for piece in pieces)]

    return {
        "fragments": all_of(prose),
        "id and name in each": all_of(prose, "c1", "search"),
        "the same, of objects": all_of(objects, "c1", "search"),
        "the same, of blanks": all_of(["    "] * len(prose), "c1", "search"),
        "the same, of braces": all_of(["{}{}"] * len(prose), "c1", "search"),
        "a name in each": all_of(prose, name="search"),
        "an id of its own in each": [
            Delta(calls=(CallDelta(0, f"c{place}", "search", piece),)) for place, piece in enumerate(prose)
        ],
        "the whole call in each": all_of(['{"query": "x"}'] * len(prose), "c1", "search"),
        "eight calls in turn": [
            Delta(calls=(CallDelta(place % 8, f"c{place % 8}", "search", piece),))
            for place, piece in enumerate(objects)
        ],
        "a call in each": [Delta(calls=(CallDelta(place, f"c{place}", "search", "{}"),)) for place in range(5_000)],
        "the same, on one index": [Delta(calls=(CallDelta(0, f"c{place}", "search", "{}"),)) for place in range(5_000)],
        "the same, without ids": [Delta(calls=(CallDelta(0, "", "search", "{}"),)) for _ in range(5_000)],
        "a name in pieces": [Delta(calls=(CallDelta(0, name=piece),)) for piece in prose],
    }


def in_chunks(text: str) -> None:
    reader = ReactReader(TOOLS)
    for start in range(0, len(text), 4):
        reader.feed(text[start : start + 4])
    reader.close()


def in_deltas(deltas: Sequence[Delta], kind: type[NativeReader | ReactStream] = NativeReader) -> None:
    reader = kind(SCHEMAS)
    for delta in deltas:
        reader.feed(delta)
    reader.close()


def best(work: Callable[[], object], runs: int) -> float:
    """Milliseconds of CPU time of the fastest run."""
    times: list[float] = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times) * 1000


def main() -> None:
    native = "native" in sys.argv[1:]
    kinds = {name: ("", piece) for name, piece in INPUTS.items()} | WRAPPED | WRITTEN
    print(f"{'20 KB of':28}{'whole ms':>10}{'chunked ms':>12}")
    for name, (head, piece) in kinds.items():
        text = flood(head, piece)
        if native or name in WRITTEN:
            wire = NativeReader if native else ReactStream
            pieces = [Delta(text[start : start + 4]) for start in range(0, SIZE, 4)]
            whole = best(lambda text=text, wire=wire: in_deltas([Delta(text)], wire), 9)
            chunked = best(lambda pieces=pieces, wire=wire: in_deltas(pieces, wire), 5)
        else:
            whole = best(lambda text=text: read(text, TOOLS), 9)
            chunked = best(lambda text=text: in_chunks(text), 5)
        over = "  *" if whole > 1 or chunked > 10 else ""
        print(f"{name:28}{whole:10.2f}{chunked:12.2f}{over}")
    for name, deltas in in_fragments().items() if native else ():
        chunked = best(lambda deltas=deltas: in_deltas(deltas), 5)
        print(f"{name:28}{'':10}{chunked:12.2f}{'  *' if chunked > 10 else ''}")


if __name__ == "__main__":
    main()
