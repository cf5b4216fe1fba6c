"""Replies as real models write them, and how each is read: the reader's table of cases.

In a text, ``✂`` marks where the reply is cut: it is taken out, and its place is the reading's ``cut``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from agent.wire.outcomes import Action, Answer, Malformed

TOOLS = ("search", "calculator", "python", "ask_coworker", "sql-query")

QUOTES = "took the input out of its quotes"
FENCE = "took the input out of its code fence"
BRACKETS = "took the input from the brackets behind the tool's name"
LINE = "took the input from the action's line"
OBJECT = "read the call from a JSON object"
AS_ANSWER = "read the action as the answer"
THINKING = "read the labels among the thinking"
UNCLOSED = "read the labels behind a quote or fence that was never closed"
CIRCLES = "cut a reply that went round in circles"

NO_INPUT = 'It names the action ‘{}’ but has no "Action Input:" line. Add one.'
NO_ACTION = 'It has an "Action Input:" but no "Action:" line that names a tool. Add one.'
NO_CALL = "It calls no tool and gives no answer. If no tool is needed, give the final answer."
NO_ANSWER = "The final answer was empty."
ONLY_THOUGHT = "It has a thought, but neither an action nor an answer."
ONLY_OBSERVATION = "It starts with an observation; only tools give observations."
EMPTY = "It was empty."


def named(written: str, known: str) -> str:
    return f"read the tool name ‘{written}’ as ‘{known}’"


def ignored(tool: str) -> str:
    return f"ignored the action ‘{tool}’ beside the answer"


class Row(NamedTuple):
    name: str
    text: str
    reading: Action | Answer | Malformed
    tools: tuple[str, ...] = TOOLS


def row(
    name: str, text: str, reading: Action | Answer | Malformed, *repairs: str, tools: tuple[str, ...] = TOOLS
) -> Row:
    cut = text.find("✂")
    text = text.replace("✂", "")
    return Row(name, text, replace(reading, cut=cut if cut >= 0 else None, repairs=repairs), tools)


def act(tool: str, given: str, thought: str = "", dropped: str = "") -> Action:
    return Action(tool=tool, input=given, thought=thought, dropped=dropped)


def say(text: str, thought: str = "", *questions: str) -> Answer:
    return Answer(text=text, thought=thought, next_questions=questions)


def plain(text: str, thought: str = "", *questions: str) -> Answer:
    return Answer(text=text, thought=thought, next_questions=questions, reason="plain")


def bad(problem: str, thought: str = "") -> Malformed:
    return Malformed(problem=problem, thought=thought)


CANONICAL = [
    row(
        "action",
        "Thought: I need it.\nAction: search\nAction Input: SF weather",
        act("search", "SF weather", "I need it."),
    ),
    row("action without a thought", "Action: search\nAction Input: x", act("search", "x")),
    row(
        "answer",
        "Thought: I now know the final answer\nFinal Answer: 72 °F",
        say("72 °F", "I now know the final answer"),
    ),
    row("answer without a thought", "Final Answer: 72", say("72")),
    row(
        "answer with next actions",
        "Thought: known\nFinal Answer: 72\nNext Actions:\n- And in Kelvin?\n- And tomorrow?",
        say("72", "known", "And in Kelvin?", "And tomorrow?"),
    ),
    row("Japanese action", "思考: 調べる\n行動: search\n行動の入力: 東京の天気", act("search", "東京の天気", "調べる")),
    row(
        "Japanese answer",
        "思考: 分かった\n最終的な答え: 晴れ\n次の質問:\n- 明日は？",
        say("晴れ", "分かった", "明日は？"),
    ),
    row("multi-line answer", "Final Answer: one\n\n- two\n- three\n", say("one\n\n- two\n- three")),
    row("multi-line thought", "Thought: one\ntwo\n\nAction: search\nAction Input: x", act("search", "x", "one\ntwo")),
    row("Windows line ends", "Thought: a\r\nAction: search\r\nAction Input: x\r\n", act("search", "x", "a")),
    row("trailing blanks", "Thought: a  \nAction: search \nAction Input:  x  \n\n\n", act("search", "x", "a")),
    row("blank lines between", "Thought: a\n\nAction: search\n\nAction Input: x\n\n", act("search", "x", "a")),
    row("empty input", "Action: search\nAction Input:", act("search", "")),
    row("empty input, then a line break", "Action: search\nAction Input: \n", act("search", "")),
    row("no known tools", "Action: Web Search\nAction Input: x", act("Web Search", "x"), tools=()),
    row("unknown tool stays as written", "Action: Serch\nAction Input: x", act("Serch", "x")),
]

LABELS = [
    row("upper case", "THOUGHT: a\nACTION: search\nACTION INPUT: x", act("search", "x", "a")),
    row("lower case", "thought: a\naction: search\naction input: x", act("search", "x", "a")),
    row("numbered", "Thought 2: a\nAction 2: search\nAction Input 2: x", act("search", "x", "a")),
    row("numbered in brackets", "Thought [1]: a\nAction (1): search\nAction Input #1: x", act("search", "x", "a")),
    row(
        "numbered, paper style",
        "Thought 1: a\nAction 1: search[x]\n✂Observation 1: y",
        act("search", "x", "a"),
        BRACKETS,
    ),
    row("bold with the colon", "**Thought:** a\n**Action:** search\n**Action Input:** x", act("search", "x", "a")),
    row("bold without the colon", "**Thought**: a\n**Action**: search\n**Action Input**: x", act("search", "x", "a")),
    row("bold over the whole line", "**Thought: a**\n**Action: search**\n**Action Input: x**", act("search", "x", "a")),
    row("bold answer line", "**Final Answer: 42**", say("42")),
    row("bold value stays", "Final Answer: **42** it is", say("**42** it is")),
    row("bold label, bold value", "**Final Answer:** **42**", say("**42**")),
    row("underscores", "__Thought:__ a\n__Action:__ search\n__Action Input:__ x", act("search", "x", "a")),
    row("italics", "*Thought:* a\n*Action:* search\n*Action Input:* x", act("search", "x", "a")),
    row("backticks", "`Action`: search\n`Action Input`: x", act("search", "x")),
    row("bullets", "- Thought: a\n- Action: search\n- Action Input: x", act("search", "x", "a")),
    row("stars", "* Thought: a\n* Action: search\n* Action Input: x", act("search", "x", "a")),
    row("numbered list", "1. Thought: a\n2. Action: search\n3. Action Input: x", act("search", "x", "a")),
    row(
        "numbered list, bold",
        "1. **Thought:** a\n2. **Action:** search\n3. **Action Input:** x",
        act("search", "x", "a"),
    ),
    row("headed", "### Thought: a\n### Action: search\n### Action Input: x", act("search", "x", "a")),
    row("headed without colons", "## Thought\na\n## Action\nsearch\n## Action Input\nx", act("search", "x", "a")),
    row(
        "bold headings without colons",
        "**Thought**\na\n**Action**\nsearch\n**Action Input**\nx",
        act("search", "x", "a"),
    ),
    row("heading at the very end", "Action: search\nAction Input: x\n✂## Observation", act("search", "x")),
    row("indented", "   Thought: a\n\tAction: search\n    Action Input: x", act("search", "x", "a")),
    row("block quote", "> Thought: a\n> Action: search\n> Action Input: x", act("search", "x", "a")),
    row("pictures before labels", "🤔 Thought: a\n🔧 Action: search\n⌨️ **Action Input:** x", act("search", "x", "a")),
    row("a picture before the answer", "💭 Thought: a\n✅ Final Answer: b", say("b", "a")),
    row("full-width space", "\u3000思考: a\n\u3000行動: search\n\u3000行動の入力: x", act("search", "x", "a")),
    row("full-width colons", "思考：a\n行動：search\n行動の入力：x", act("search", "x", "a")),
    row("full-width colons in English", "Thought：a\nAction：search\nAction Input：x", act("search", "x", "a")),
    row("space before the colon", "Thought : a\nAction : search\nAction Input : x", act("search", "x", "a")),
    row("in brackets", "[Thought]: a\n[Action]: search\n[Action Input]: x", act("search", "x", "a")),
    row("in corner brackets", "【思考】：a\n【行動】：search\n【行動の入力】：x", act("search", "x", "a")),
    row("underscored words", "thought: a\naction: search\naction_input: x", act("search", "x", "a")),
    row("hyphenated words", "Action: search\nAction-Input: x", act("search", "x")),
    row("joined words", "Action: search\nActionInput: x", act("search", "x")),
    row("FinalAnswer", "FinalAnswer: 42", say("42")),
    row("final_answer", "final_answer: 42", say("42")),
    row("value on the next line", "Thought:\na\nAction:\nsearch\nAction Input:\nx", act("search", "x", "a")),
    row(
        "Chinese", "思考：查一下\n行动：search\n行动输入：旧金山天气\n✂观察：晴", act("search", "旧金山天气", "查一下")
    ),
    row("Chinese answer", "思考：知道了\n最终答案：七十二度", say("七十二度", "知道了")),
    row("Chinese, other words", "想法：查\n动作：search\n动作输入：x", act("search", "x", "查")),
    row("Japanese, other words", "考え：a\nアクション：search\nアクション入力：x", act("search", "x", "a")),
    row("Japanese final answer, other word", "最終回答：42", say("42")),
    row("Japanese short answer label", "思考：分かった\n回答：42", say("42", "分かった")),
    row("Answer:", "Thought: a\nAnswer: 42", say("42", "a")),
    row("Input: behind an action", "Action: search\nInput: x", act("search", "x")),
    row("Tool Input: behind an action", "Action: search\nTool Input: x", act("search", "x")),
    row("Arguments: behind an action", 'Action: search\nArguments: {"query": "x"}', act("search", '{"query": "x"}')),
    row("several thoughts", "Thought: a\nThought: b\nAction: search\nAction Input: x", act("search", "x", "a\nb")),
    row("thought between action and input", "Action: search\nThought: b\nAction Input: x", act("search", "x")),
    row(
        "prose before the action",
        "I'll look it up.\n\nAction: search\nAction Input: x",
        act("search", "x", "I'll look it up."),
    ),
    row("prose, then a thought", "Sure!\nThought: a\nAction: search\nAction Input: x", act("search", "x", "Sure!\na")),
    row("action twice", "Action: search\nAction: calculator\nAction Input: 2", act("calculator", "2")),
    row(
        "empty label before the real one",
        "Action Input:\nAction:\nAction: search\nAction Input:\nAction Input: x",
        act("search", "x"),
    ),
    row(
        "label in the middle of a line",
        "Thought: the Action: search is best\nFinal Answer: 4",
        say("4", "the Action: search is best"),
    ),
    row(
        "final answer in a thought",
        "Thought: I could say Final Answer: 42, but no.\nAction: search\nAction Input: x",
        act("search", "x", "I could say Final Answer: 42, but no."),
    ),
    row(
        "code that looks like a label",
        "Thought: a\nthought = 1\nAction: search\nAction Input: x",
        act("search", "x", "a\nthought = 1"),
    ),
    row("word that starts like a label", "Thoughtful: a\nFinal Answer: 42", say("42", "Thoughtful: a")),
]

INPUTS = [
    row("apostrophe first", "Action: search\nAction Input: 'tis it\n✂Observation: it's", act("search", "'tis it")),
    row(
        "triple single quotes", "Action: python\nAction Input: '''\nAction: b\n'''", act("python", "Action: b"), QUOTES
    ),
    row("text behind a fence stays", "Action: python\nAction Input: ```a``` and b", act("python", "```a``` and b")),
    row(
        "code",
        "Action: python\nAction Input: for x in y:\n    print(x)\n\n    print('Action: z')\n",
        act("python", "for x in y:\n    print(x)\n\n    print('Action: z')"),
    ),
    row(
        "code from the next line keeps its indentation",
        "Action: python\nAction Input:\n    a = 1\n    b = 2\n",
        act("python", "    a = 1\n    b = 2"),
    ),
    row(
        "SQL",
        "Action: sql-query\nAction Input: SELECT a\nFROM b\nWHERE c = 'd'\n✂Observation: 1",
        act("sql-query", "SELECT a\nFROM b\nWHERE c = 'd'"),
    ),
    row(
        "SPARQL",
        "Action: sql-query\nAction Input: SELECT ?x WHERE {\n  ?x a <http://a.b/c> .\n}",
        act("sql-query", "SELECT ?x WHERE {\n  ?x a <http://a.b/c> .\n}"),
    ),
    row("fenced", "Action: python\nAction Input: ```python\nprint(1)\n```", act("python", "print(1)"), FENCE),
    row(
        "fenced on the next line",
        "Action: python\nAction Input:\n```\nprint(1)\n```\n✂Observation: 1",
        act("python", "print(1)"),
        FENCE,
    ),
    row("fenced, never closed", "Action: python\nAction Input: ```python\nprint(1)", act("python", "print(1)"), FENCE),
    row("fenced on one line", "Action: python\nAction Input: ```print(1)```", act("python", "print(1)"), FENCE),
    row(
        "labels inside a fence",
        "Action: python\nAction Input: ```\nAction: a\nFinal Answer: b\n```\n✂Observation: c",
        act("python", "Action: a\nFinal Answer: b"),
        FENCE,
    ),
    row(
        "fence never closed, then an observation",
        "Action: python\nAction Input: ```python\nprint(1)\n✂Observation: 1",
        act("python", "print(1)"),
        UNCLOSED,
        FENCE,
    ),
    row(
        "fence inside text",
        "Action: python\nAction Input: run\n```\nAction: a\n```\nnow\n✂Thought: b",
        act("python", "run\n```\nAction: a\n```\nnow"),
    ),
    row("double quotes", 'Action: search\nAction Input: "SF weather"', act("search", "SF weather"), QUOTES),
    row("single quotes", "Action: search\nAction Input: 'SF weather'", act("search", "SF weather"), QUOTES),
    row("curly quotes", "Action: search\nAction Input: “SF weather”", act("search", "SF weather"), QUOTES),
    row("Japanese quotes", "行動: search\n行動の入力: 「東京」", act("search", "東京"), QUOTES),
    row("one pair of backticks", "Action: calculator\nAction Input: `2+2`", act("calculator", "2+2"), QUOTES),
    row("escaped quotes", r"Action: search" + "\n" + r'Action Input: "say \"hi\""', act("search", 'say "hi"'), QUOTES),
    row("two quoted words stay", 'Action: search\nAction Input: "a" or "b"', act("search", '"a" or "b"')),
    row("quote inside stays", 'Action: search\nAction Input: what is "love"', act("search", 'what is "love"')),
    row("apostrophe stays", "Action: search\nAction Input: what's up", act("search", "what's up")),
    row("lone quote stays", 'Action: search\nAction Input: 6" pipe', act("search", '6" pipe')),
    row(
        "triple quotes",
        'Action: python\nAction Input: """\nFinal Answer: a\nAction: b\n"""\n✂Observation: c',
        act("python", "Final Answer: a\nAction: b"),
        QUOTES,
    ),
    row(
        "quoted over lines",
        'Action: search\nAction Input: "a\nFinal Answer: b\nc"\n✂Observation: d',
        act("search", "a\nFinal Answer: b\nc"),
        QUOTES,
    ),
    row("JSON", 'Action: search\nAction Input: {"query": "x", "n": 3}', act("search", '{"query": "x", "n": 3}')),
    row(
        "JSON over lines", 'Action: search\nAction Input: {\n  "query": "x"\n}\n', act("search", '{\n  "query": "x"\n}')
    ),
    row(
        "JSON in a fence",
        'Action: search\nAction Input: ```json\n{"query": "x"}\n```',
        act("search", '{"query": "x"}'),
        FENCE,
    ),
    row("Python dict", "Action: search\nAction Input: {'query': 'x'}", act("search", "{'query': 'x'}")),
    row(
        "labels in a JSON string",
        'Action: search\nAction Input: {"query": "a\nAction: b\nObservation: c"}\n✂Observation: d',
        act("search", '{"query": "a\nAction: b\nObservation: c"}'),
    ),
    row(
        "escaped quote before a label",
        'Action: search\nAction Input: {"q": "a \\" b\nAction: c"}',
        act("search", '{"q": "a \\" b\nAction: c"}'),
    ),
    row(
        "JSON string never closed",
        'Action: search\nAction Input: {"query": "a\n✂Observation: b',
        act("search", '{"query": "a'),
        UNCLOSED,
    ),
    row(
        "label in the middle of an input line",
        "Action: search\nAction Input: what does Final Answer: mean",
        act("search", "what does Final Answer: mean"),
    ),
    row(
        "YAML with weak labels",
        "Action: python\nAction Input: question: a\nanswer: b\nuser: c\ninput: d",
        act("python", "question: a\nanswer: b\nuser: c\ninput: d"),
    ),
    row(
        "HTML",
        "Action: python\nAction Input: <form action='x'><b>hi</b></form>",
        act("python", "<form action='x'><b>hi</b></form>"),
    ),
    row("inner blank lines", "Action: python\nAction Input: a\n\n\nb\n\n", act("python", "a\n\n\nb")),
    row("bold marks inside stay", "Action: python\nAction Input: 2**3**2", act("python", "2**3**2")),
    row("one power inside stays", "Action: calculator\nAction Input: 2**8", act("calculator", "2**8")),
]

NAMES = [
    row("case", "Action: Search\nAction Input: x", act("search", "x"), named("Search", "search")),
    row("backticks around", "Action: `search`\nAction Input: x", act("search", "x"), named("`search`", "search")),
    row("quotes around", 'Action: "search"\nAction Input: x', act("search", "x"), named('"search"', "search")),
    row("brackets around", "Action: [search]\nAction Input: x", act("search", "x"), named("[search]", "search")),
    row("angle brackets around", "Action: <search>\nAction Input: x", act("search", "x"), named("<search>", "search")),
    row("bold name", "Action: **search**\nAction Input: x", act("search", "x"), named("**search**", "search")),
    row("full stop behind", "Action: search.\nAction Input: x", act("search", "x"), named("search.", "search")),
    row(
        "space for underscore",
        "Action: Ask coworker\nAction Input: x",
        act("ask_coworker", "x"),
        named("Ask coworker", "ask_coworker"),
    ),
    row(
        "hyphen in co-worker",
        "Action: ask co-worker\nAction Input: x",
        act("ask_coworker", "x"),
        named("ask co-worker", "ask_coworker"),
    ),
    row(
        "underscore for hyphen",
        "Action: sql_query\nAction Input: x",
        act("sql-query", "x"),
        named("sql_query", "sql-query"),
    ),
    row("camel case", "Action: SqlQuery\nAction Input: x", act("sql-query", "x"), named("SqlQuery", "sql-query")),
    row(
        "namespace",
        "Action: functions.search\nAction Input: x",
        act("search", "x"),
        named("functions.search", "search"),
    ),
    row(
        "use the … tool",
        "Action: Use the search tool\nAction Input: x",
        act("search", "x"),
        named("Use the search tool", "search"),
    ),
    row("… tool", "Action: search tool\nAction Input: x", act("search", "x"), named("search tool", "search")),
    row("empty brackets behind", "Action: search()\nAction Input: x", act("search", "x"), BRACKETS),
    row("unknown, cleaned of decoration", "Action: `Serch`.\nAction Input: x", act("Serch", "x")),
    row("a sentence for a name", "Action: look it up (fast) now\nAction Input: x", act("look it up (fast) now", "x")),
    row("a very long name", f"Action: {'ab' * 80}\nAction Input: x", act("ab" * 80, "x")),
    row("no tools, cleaned of decoration", "Action: **Foo**\nAction Input: x", act("Foo", "x"), tools=()),
]

CALLS = [
    row("paper style", "Thought: a\nAction: search[SF weather]", act("search", "SF weather", "a"), BRACKETS),
    row("paper style, respelled", "Action: Search[x]", act("search", "x"), named("Search", "search"), BRACKETS),
    row("paper style, open", "Action: search[SF weather", act("search", "SF weather"), BRACKETS),
    row("paper style, inner brackets", "Action: python[a[1]]", act("python", "a[1]"), BRACKETS),
    row("paper style, unknown tool", "Action: Lookup[x]", act("Lookup", "x"), BRACKETS),
    row("paper style finish", "Thought: a\nAction: Finish[42]", say("42", "a"), AS_ANSWER),
    row("call with a keyword", 'Action: search(query="x")', act("search", '{"query": "x"}'), BRACKETS),
    row(
        "call with keywords",
        "Action: search(query='x', n=3, exact=True)",
        act("search", '{"query": "x", "n": 3, "exact": true}'),
        BRACKETS,
    ),
    row("call with a string", 'Action: search("SF weather")', act("search", "SF weather"), BRACKETS),
    row("call with an expression", "Action: calculator(sqrt(25))", act("calculator", "sqrt(25)"), BRACKETS),
    row("call with an object", 'Action: search({"query": "x"})', act("search", '{"query": "x"}'), BRACKETS),
    row("call with what is not a literal", "Action: search(query=x)", act("search", "query=x"), BRACKETS),
    row("call without arguments", "Action: search()", act("search", ""), BRACKETS),
    row(
        "call with a namespace",
        'Action: functions.search("x")',
        act("search", "x"),
        named("functions.search", "search"),
        BRACKETS,
    ),
    row("call in backticks", 'Action: `search("x")`', act("search", "x"), BRACKETS),
    row("call over lines", "Action: python(\nprint(1)\n)\n✂Observation: 1", act("python", "print(1)"), BRACKETS),
    row(
        "call with a label in its string",
        'Action: python(code="a\nAction: b")\n✂Observation: c',
        act("python", '{"code": "a\\nAction: b"}'),
        BRACKETS,
    ),
    row("call with its input again", 'Action: search("a")\nAction Input: b', act("search", "b"), BRACKETS),
    row("unlabelled call", "search[SF weather]", act("search", "SF weather"), BRACKETS),
    row("unlabelled call in a thought", "Thought: a\nsearch[SF weather]", act("search", "SF weather", "a"), BRACKETS),
    row("unlabelled call of an unknown tool is prose", "lookup[x]", plain("lookup[x]")),
    row("input on the line", "Action: search: SF weather", act("search", "SF weather"), LINE),
    row("input on the line after for", "Action: search for SF weather", act("search", "SF weather"), LINE),
    row("input on the line after a dash", "Action: search - SF weather", act("search", "SF weather"), LINE),
    row("input on the line, quoted", 'Action: search "SF weather"', act("search", "SF weather"), LINE),
    row(
        "input label on the line",
        "Action: search, Action Input: SF weather",
        act("search", "SF weather"),
        named("search,", "search"),
        LINE,
    ),
    row(
        "input label on the line, no comma",
        "Action: search Action Input: SF weather",
        act("search", "SF weather"),
        LINE,
    ),
    row("input below without a label", "Action: search\nSF weather", act("search", "SF weather"), LINE),
    row("input below, no tools known", "Action: lookup\nSF weather", act("lookup", "SF weather"), LINE, tools=()),
    row("input on the line, no tools known", "Action: lookup: SF weather", act("lookup", "SF weather"), LINE, tools=()),
    row("call, then an invented observation", "Action: search: x\n✂Observation: y", act("search", "x"), LINE),
    row("call, then a second step", "Action: search[x]\n✂Thought: b\nAction: search[y]", act("search", "x"), BRACKETS),
]

OBJECTS = [
    row(
        "objects that are no calls", '{"a": 1} {"b": 2} {"c": 3} {"d": 4}', plain('{"a": 1} {"b": 2} {"c": 3} {"d": 4}')
    ),
    row(
        "object with an empty answer",
        '{"action": "Final Answer", "action_input": ""}',
        bad(ONLY_THOUGHT, '{"action": "Final Answer", "action_input": ""}'),
    ),
    row("object", '{"action": "search", "action_input": "SF weather"}', act("search", "SF weather"), OBJECT),
    row("object in a fence", '```json\n{"action": "search", "action_input": "x"}\n```', act("search", "x"), OBJECT),
    row(
        "object behind a thought",
        'Thought: a\n```json\n{"action": "search", "action_input": "x"}\n```',
        act("search", "x", "a"),
        OBJECT,
    ),
    row(
        "object behind an action label",
        'Thought: a\nAction:\n```\n{"action": "search", "action_input": "x"}\n```\n✂Observation: y',
        act("search", "x", "a"),
        OBJECT,
    ),
    row("object on the action's line", 'Action: {"action": "search", "action_input": "x"}', act("search", "x"), OBJECT),
    row(
        "object with an object",
        '{"action": "search", "action_input": {"query": "天気", "n": 2}}',
        act("search", '{"query": "天気", "n": 2}'),
        OBJECT,
    ),
    row("object with tool and input", '{"tool": "search", "tool_input": "x"}', act("search", "x"), OBJECT),
    row(
        "object with name and arguments",
        '{"name": "search", "arguments": {"query": "x"}}',
        act("search", '{"query": "x"}'),
        OBJECT,
    ),
    row(
        "object with arguments as a string",
        '{"name": "search", "arguments": "{\\"query\\": \\"x\\"}"}',
        act("search", '{"query": "x"}'),
        OBJECT,
    ),
    row(
        "object with name and parameters",
        '{"name": "search", "parameters": {"query": "x"}}',
        act("search", '{"query": "x"}'),
        OBJECT,
    ),
    row(
        "object with a function",
        '{"function": {"name": "search", "arguments": {"query": "x"}}}',
        act("search", '{"query": "x"}'),
        OBJECT,
    ),
    row(
        "object with a thought of its own",
        '{"thought": "a", "action": "search", "action_input": "x"}',
        act("search", "x", "a"),
        OBJECT,
    ),
    row("object without an input", '{"action": "search"}', act("search", ""), OBJECT),
    row("object with null", '{"action": "search", "action_input": null}', act("search", ""), OBJECT),
    row(
        "object with the final answer", '{"action": "Final Answer", "action_input": "42"}', say("42"), OBJECT, AS_ANSWER
    ),
    row("object with a final answer key", '{"thought": "a", "final_answer": "42"}', say("42", "a"), OBJECT, AS_ANSWER),
    row("list of one", '[{"action": "search", "action_input": "x"}]', act("search", "x"), OBJECT),
    row(
        "list of two",
        '[{"action": "search", "action_input": "x"}, {"action": "search", "action_input": "y"}]',
        act("search", "x"),
        OBJECT,
        "took the first of 2 calls",
    ),
    row("Python dict as a call", "{'action': 'search', 'action_input': 'x'}", act("search", "x"), OBJECT),
    row(
        "Python dict with constants",
        "{'action': 'search', 'action_input': {'q': 'it\\'s', 'a': True, 'b': None}}",
        act("search", '{"q": "it\'s", "a": true, "b": null}'),
        OBJECT,
    ),
    row("trailing comma", '{"action": "search", "action_input": "x",}', act("search", "x"), OBJECT),
    row("line break in a string", '{"action": "python", "action_input": "a\nb"}', act("python", "a\nb"), OBJECT),
    row("last brace missing", '{"action": "search", "action_input": "x"', act("search", "x"), OBJECT),
    row("stray backslash", r'{"action": "python", "action_input": "\d+"}', act("python", r"\d+"), OBJECT),
    row(
        "text around",
        'I will search.\n{"action": "search", "action_input": "x"}\nThen I will see.',
        act("search", "x", "I will search."),
        OBJECT,
    ),
    row("text with braces behind", '{"action": "search", "action_input": "x"} {so}', act("search", "x"), OBJECT),
    row(
        "respelled in an object",
        '{"action": "Search", "action_input": "x"}',
        act("search", "x"),
        OBJECT,
        named("Search", "search"),
    ),
    row(
        "tool_call tags",
        '<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>',
        act("search", '{"query": "x"}'),
        OBJECT,
    ),
    row(
        "tool_call never closed",
        'ok\n<tool_call>{"name": "search", "arguments": {"query": "x"}}',
        act("search", '{"query": "x"}', "ok"),
        OBJECT,
    ),
    row("object that is no call is an answer", '{"name": "Bob", "age": 3}', plain('{"name": "Bob", "age": 3}')),
    row(
        "object in an answer stays",
        'Final Answer: {"action": "search", "action_input": "x"}',
        say('{"action": "search", "action_input": "x"}'),
    ),
    row(
        "label in an object's string",
        'Action: {"action": "python", "action_input": "a\nObservation: b"}\n✂Observation: c',
        act("python", "a\nObservation: b"),
        OBJECT,
    ),
]

THINKS = [
    row("think, then an answer", "<think>hm</think>\nFinal Answer: 42", say("42", "hm")),
    row("think, then prose", "<think>hm</think>\n\nIt is 42.", plain("It is 42.", "hm")),
    row(
        "think, then a thought", "<think>hm</think>Thought: a\nAction: search\nAction Input: x", act("search", "x", "a")
    ),
    row(
        "labels inside a think do not act",
        "<think>\nAction: calculator\nFinal Answer: 7\n</think>\nAction: search\nAction Input: x",
        act("search", "x", "Action: calculator\nFinal Answer: 7"),
    ),
    row("thinking tag", "<thinking>hm</thinking>Final Answer: 42", say("42", "hm")),
    row("reasoning tag", "<reasoning>hm</reasoning>Final Answer: 42", say("42", "hm")),
    row("think opened in the prompt", "hm, Action: x\n</think>\nFinal Answer: 42", say("42", "hm, Action: x")),
    row(
        "think opened in the prompt, labels inside",
        "Thought: a\nFinal Answer: 7?\nno\n</think>\nFinal Answer: 42",
        say("42", "a\n7?\nno"),
    ),
    row(
        "think never closed, action inside",
        "<think>hm\nAction: search\nAction Input: x",
        act("search", "x", "hm"),
        THINKING,
    ),
    row("think never closed, answer inside", "<think>hm\nFinal Answer: 42", say("42", "hm"), THINKING),
    row("think closed, all inside", "<think>hm\nFinal Answer: 42</think>", say("42", "hm"), THINKING),
    row("think never closed, nothing inside", "<think>hm, let me see", bad(ONLY_THOUGHT, "hm, let me see")),
    row("empty think", "<think>\n\n</think>\n\nFinal Answer: 42", say("42")),
    row("two thinks", "<think>a</think><think>b</think>Final Answer: 42", say("42", "a\nb")),
    row("think tag named in an answer", "Final Answer: put it in <think> tags", say("put it in <think> tags")),
    row("closing think at the very end", "Final Answer: 42\n</think>", say("42"), THINKING),
]

TOKENS = [
    row(
        "channel with two calls",
        "<|channel|>commentary to=functions.search<|message|>x<|call|>"
        "✂<|start|>assistant<|channel|>commentary to=functions.search<|message|>y",
        act("search", "x"),
    ),
    row(
        "channel with a preamble",
        "<|channel|>commentary<|message|>I look.<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.search<|message|>x",
        act("search", "x", "I look."),
    ),
    row(
        "channels, then an invented result",
        "<|channel|>analysis<|message|>a<|end|>✂<|start|>functions.search to=assistant<|message|>b",
        bad(ONLY_THOUGHT, "a"),
    ),
    row("analysis only, labels inside", "<|channel|>analysis<|message|>a\nFinal Answer: 42", say("42", "a"), THINKING),
    row("a header that never ends", "Final Answer: 42<|channel|>final", say("42")),
    row(
        "channels",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
        say("42", "hm"),
    ),
    row(
        "channels, labels inside the analysis",
        "<|channel|>analysis<|message|>\nAction: x<|end|><|start|>assistant<|channel|>final<|message|>42",
        say("42", "Action: x"),
    ),
    row(
        "channel with a call",
        '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query": "x"}<|call|>',
        act("search", '{"query": "x"}'),
    ),
    row(
        "labels in the final channel",
        "<|channel|>final<|message|>Thought: a\nAction: search\nAction Input: x",
        act("search", "x", "a"),
    ),
    row("end of turn", "Final Answer: 42<|im_end|>", say("42")),
    row("end of turn, then the user's", "Final Answer: 42<|im_end|>\n✂<|im_start|>user\nthanks", say("42")),
    row("start of turn", "<|im_start|>assistant\nThought: a\nFinal Answer: 42<|im_end|>", say("42", "a")),
    row("header ids", "<|start_header_id|>assistant<|end_header_id|>\n\nFinal Answer: 42<|eot_id|>", say("42")),
    row("sentence tokens", "<s>Final Answer: 42</s>", say("42")),
    row("wide tokens", "<｜begin▁of▁sentence｜>Final Answer: 42<｜end▁of▁sentence｜>", say("42")),
    row("turn tokens", "Final Answer: 42<end_of_turn>", say("42")),
    row("instruction token", "[/INST] Thought: a\nFinal Answer: 42", say("42", "a")),
    row("what only looks like a token", "Final Answer: a <| b |> c <|", say("a <| b |> c <|")),
]

TAGS = [
    row(
        "tags", "<thought>a</thought>\n<action>search</action>\n<action_input>x</action_input>", act("search", "x", "a")
    ),
    row(
        "tags on one line",
        "<thought>a</thought><action>search</action><action_input>x</action_input>",
        act("search", "x", "a"),
    ),
    row("half-open tags", "<thought>a\n<action>search\n<action_input>x", act("search", "x", "a")),
    row(
        "only closing tags",
        "Thought: a</thought>\nAction: search</action>\nAction Input: x</action_input>",
        act("search", "x", "a"),
    ),
    row("answer tags", "<thought>a</thought><final_answer>42</final_answer>", say("42", "a")),
    row("answer tag, open", "<final_answer>42", say("42")),
    row("tags in capitals", "<Thought>a</Thought><FINAL_ANSWER>42</FINAL_ANSWER>", say("42", "a")),
    row("answer tag, short", "<answer>42</answer>", say("42")),
    row(
        "observation tag",
        "<action>search</action><action_input>x</action_input>\n✂<observation>y</observation>",
        act("search", "x"),
    ),
    row(
        "tags inside an answer stay",
        "Final Answer: use <action> and </action> here",
        say("use <action> and </action> here"),
    ),
    row("text behind the answer's tag", "<final_answer>42</final_answer>\nHope it helps!", say("42")),
    row(
        "next actions in tags",
        "<final_answer>42</final_answer><next_actions>\n- more?\n</next_actions>",
        say("42", "", "more?"),
    ),
]

ENDS = [
    row(
        "invented observation",
        "Thought: a\nAction: search\nAction Input: x\n✂Observation: y\nThought: b\nFinal Answer: c",
        act("search", "x", "a"),
    ),
    row("invented observation, Japanese", "行動: search\n行動の入力: x\n✂観察: y", act("search", "x")),
    row(
        "second step without an observation",
        "Action: search\nAction Input: x\n✂Thought: b\nAction: search\nAction Input: y",
        act("search", "x"),
    ),
    row("second action", "Action: search\nAction Input: x\n✂Action: search\nAction Input: y", act("search", "x")),
    row("call, then an answer", "Action: search\nAction Input: x\n✂Final Answer: 42", act("search", "x")),
    row(
        "a final answer is the rest: a call in it",
        "Final Answer: 42\nAction: search\nAction Input: x",
        say("42\nAction: search\nAction Input: x"),
    ),
    row(
        "a final answer is the rest: a step in it",
        "Thought: a\nFinal Answer: 42\nThought: b\nAction: search\nAction Input: x\nObservation: y",
        say("42\nThought: b\nAction: search\nAction Input: x\nObservation: y", "a"),
    ),
    row(
        "a final answer is the rest: an observation in it",
        "Final Answer: 42\nObservation: y",
        say("42\nObservation: y"),
    ),
    row(
        "a final answer is the rest: turns in it",
        "Final Answer: Q\nUser: a\nQuestion: b",
        say("Q\nUser: a\nQuestion: b"),
    ),
    row("a final answer is the rest: its label in it", "Final Answer: 42\nFinal Answer: 7", say("42\nFinal Answer: 7")),
    row(
        "a call behind the answer's tag", "<final_answer>42</final_answer>\nAction: search\nAction Input: x", say("42")
    ),
    row("a reply, then a call", "AI: 42\nAction: search\nAction Input: x", act("search", "x", "", "42")),
    row(
        "a reply, thought, call",
        "Thought: a\nAnswer: 42\nThought: b\nAction: search\nAction Input: x\n✂Observation: y",
        act("search", "x", "a\nb", "42"),
    ),
    row(
        "a reply, then a call of an unknown tool",
        "AI: 42\n✂Action: Celebrate\nAction Input: x",
        say("42"),
        ignored("Celebrate"),
    ),
    row("a reply, then the final answer", "AI: Let me think.\nFinal Answer: 42", say("42")),
    row("a reply, then an action without input", "AI: 42\n✂Action: search", say("42"), ignored("search")),
    row("a reply, then a thought", "AI: 42\n✂Thought: done", say("42")),
    row("action without input, then an answer", "Action: search\nFinal Answer: 42", say("42"), ignored("search")),
    row("empty answer, then one", "Final Answer:\nFinal Answer: 42", say("42")),
    row("observation first", "✂Observation: 72\nFinal Answer: 72", bad(ONLY_OBSERVATION)),
    row("observation behind a thought", "Thought: a\n✂Observation: 72", bad(ONLY_THOUGHT, "a")),
    row(
        "labels in a fenced example of an answer",
        "Final Answer: write\n```\nAction: a\nObservation: b\n```\nlike that",
        say("write\n```\nAction: a\nObservation: b\n```\nlike that"),
    ),
    row("whole reply in a fence", "```\nThought: a\nAction: search\nAction Input: x\n```", act("search", "x", "a")),
    row("whole reply in a fence, never closed", "```text\nThought: a\nFinal Answer: 42", say("42", "a")),
    row("whole answer in a fence", "```\nThought: a\nFinal Answer: 42\n```", say("42", "a")),
    row(
        "whole reply in a fence, then an observation",
        "```\nAction: search\nAction Input: x\n```\n✂Observation: y",
        act("search", "x"),
    ),
    row(
        "fence after prose",
        "I'll search.\n```\nAction: search\nAction Input: x\n```",
        act("search", "x", "I'll search."),
    ),
    row(
        "round in circles",
        "Thought: a\n" * 32 + "✂Thought: a\n" * 1 + "Thought: a\n" * 9,
        bad(ONLY_THOUGHT, "\n".join(["a"] * 32)),
        CIRCLES,
    ),
]

ANSWERS = [
    row("plain prose", "It is 72 °F in San Francisco.", plain("It is 72 °F in San Francisco.")),
    row("plain prose over lines", "One.\n\nTwo: three.", plain("One.\n\nTwo: three.")),
    row(
        "plain prose with next actions",
        "It is 72.\n\nNext Actions:\n- And in Kelvin?",
        plain("It is 72.", "", "And in Kelvin?"),
    ),
    row("plain Japanese", "こんにちは。何をお手伝いしましょうか？", plain("こんにちは。何をお手伝いしましょうか？")),
    row("fenced code as an answer", "```python\nprint(1)\n```", plain("```python\nprint(1)\n```")),
    row("AI:", "Thought: Do I need to use a tool? No\nAI: Hello!", say("Hello!", "Do I need to use a tool? No")),
    row("AI: alone", "AI: Hello!", say("Hello!")),
    row(
        "no tool needed, no label",
        "Thought: Do I need to use a tool? No\nHello!",
        plain("Hello!", "Do I need to use a tool? No"),
    ),
    row(
        "tool needed",
        "Thought: Do I need to use a tool? Yes\nAction: search\nAction Input: x",
        act("search", "x", "Do I need to use a tool? Yes"),
    ),
    row("Action: None, then an answer", "Action: None\nFinal Answer: 42", say("42")),
    row(
        "Action: N/A with an input", "Thought: a\nAction: N/A\nAction Input: N/A\n✂Final Answer: 42", bad(NO_CALL, "a")
    ),
    row("Action: None, nothing else", "Thought: I know it.\nAction: None", bad(NO_CALL, "I know it.")),
    row("行動: なし", "思考: 分かった\n行動: なし\n最終的な答え: 42", say("42", "分かった")),
    row("Action: Final Answer", "Action: Final Answer\nAction Input: 42", say("42"), AS_ANSWER),
    row(
        "next actions, numbered",
        "Final Answer: 42\nNext Actions:\n1. a?\n2) b?\n3. c?\n4. d?",
        say("42", "", "a?", "b?", "c?"),
    ),
    row(
        "next actions, stars and quotes",
        'Final Answer: 42\n**Next Actions:**\n* "a?"\n• **b?**',
        say("42", "", "a?", "b?"),
    ),
    row("next actions, none", "Final Answer: 42\nNext Actions: None", say("42")),
    row("next action on the line", "Final Answer: 42\nNext Action: a?", say("42", "", "a?")),
    row("suggested follow-ups", "Final Answer: 42\n\nSuggested follow-ups:\n- a?", say("42", "", "a?")),
    row("次の行動", "最終的な答え：42\n次の行動：\n・a？", say("42", "", "a？")),
    row("next actions, then an invented turn", "Final Answer: 42\nNext Actions:\n- a?\n✂Human: b", say("42", "", "a?")),
    row("colon lines in an answer", "Final Answer: Menu:\nSoup: 3\nTea: 2", say("Menu:\nSoup: 3\nTea: 2")),
    row("headings in an answer", "Final Answer: # Title\n## Part\ntext", say("# Title\n## Part\ntext")),
    row("weak labels in an answer", "Final Answer: quiz\nAnswer: a\nInput: b", say("quiz\nAnswer: a\nInput: b")),
    row("money in an answer", "Final Answer: $5 < $6 & <b>", say("$5 < $6 & <b>")),
]

MALFORMED = [
    row("empty", "", bad(EMPTY)),
    row("blank", " \n\t\n ", bad(EMPTY)),
    row("only a thought", "Thought: I should search.", bad(ONLY_THOUGHT, "I should search.")),
    row("only a label", "Thought:", bad(EMPTY)),
    row("action without an input", "Thought: a\nAction: search", bad(NO_INPUT.format("search"), "a")),
    row(
        "action without an input, then an observation",
        "Action: search\n✂Observation: x",
        bad(NO_INPUT.format("search")),
    ),
    row("empty action", "Action:", bad(EMPTY)),
    row("input without an action", "Thought: a\nAction Input: x", bad(NO_ACTION, "a")),
    row("empty answer", "Thought: a\nFinal Answer:", bad(NO_ANSWER, "a")),
    row("truncated label", "Thought: a\nAction: search\nAction Inp", bad(NO_INPUT.format("search"), "a")),
    row("truncated answer label", "Thought: a\nFinal Ans", bad(ONLY_THOUGHT, "a\nFinal Ans")),
    row("null characters", "\x00\x00", plain("\x00\x00")),
    row("lone surrogate", "Final Answer: \ud800", say("\ud800")),
]

ROWS = CANONICAL + LABELS + INPUTS + NAMES + CALLS + OBJECTS + THINKS + TOKENS + TAGS + ENDS + ANSWERS + MALFORMED
