"""Sums, word problems and puzzles by a program of the model's: ``python`` under the names of its ancestors.

``llm_math`` is LangChain's (there a numexpr expression), ``word_problem`` and ``colored_objects`` are program-aided
language models (Gao et al., 2022, arXiv:2211.10435): the program does the reasoning, its ``solution()`` is the answer.
"""

from __future__ import annotations

import ast

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.own_data.python import RunProgram, check_length, shown
from agent.tools.spec import ToolSpec, a_sandbox

_SOLUTION = "solution"


def _spec(
    name: str, title: str, purpose: str, icon: str, verbs: tuple[str, str], told: str, solution: bool = True
) -> ToolSpec:
    """A tool that is told to the model as ``told``; with ``solution`` its program must have a function of that name."""
    return ToolSpec(
        name,
        purpose,
        lambda parts: _program_tool(name, told, solution, parts.chat_tables().run_program),
        title=title,
        icon=icon,
        verbs=verbs,
        subject="code",
        told="lines",
        language="python",
        needs=a_sandbox,
        public=not solution,
        repeats=True,
        usual=False,
    )


LLM_MATH = _spec(
    "llm_math",
    Text("Sums by a program"),
    Text("Works out a sum by a small program."),
    "calculate",
    (Text("Working out a sum ·"), Text("Worked out a sum ·")),
    """Works out a sum by a short Python program that you write (math, statistics, fractions, decimal, numpy can be
    imported). The value of its last line is the result.

    Args:
        code: for example 37593 ** (1 / 5)
    """,
    solution=False,
)
WORD_PROBLEM = _spec(
    "word_problem",
    Text("Word problems"),
    Text("Solves a problem told in words by a program."),
    "functions",
    (Text("Solving a word problem ·"), Text("Solved a word problem ·")),
    """Solves a maths problem told in words by a Python function solution() that you write: a line for each fact
    with a speaking name, then the arithmetic, then return of the result.

    Args:
        code: for example def solution():\\n    apples = 23\\n    eaten = 20\\n    return apples - eaten
    """,
)
COLORED_OBJECTS = _spec(
    "colored_objects",
    Text("Objects and their places"),
    Text("Reasons about objects and places by a program."),
    "category",
    (Text("Reasoning about objects ·"), Text("Reasoned about objects ·")),
    """Answers a question about objects, their colours, number and order by a Python function solution() that you
    write: put the objects into a list in their order, then find what is asked for, then return it.

    Args:
        code: for example def solution():\\n    row = [("pen", "red"), ("cup", "blue")]\\n    return row[0][1]
    """,
)


def _program_tool(name: str, told: str, solution: bool, run: RunProgram, timeout: float = 20.0) -> Tool:
    """The tool. ``run`` and ``timeout`` as for ``python_tool``."""

    def program(code: str) -> ToolResult:
        check_length(code)
        answer, _ = run(_with_call(code) if solution else code, False)
        return shown(answer)

    program.__doc__ = told
    return tool(name=name, timeout=timeout + 5.0)(program)


def _with_call(code: str) -> str:
    """The program with a call of its ``solution()`` at the end, where its last line is none."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # running it says what is wrong, and where
    if not any(isinstance(node, ast.FunctionDef) and node.name == _SOLUTION for node in body):
        raise ToolFailed("The program has no function solution(). Write one that returns the result.", "input")
    return code if isinstance(body[-1], ast.Expr) else f"{code}\n{_SOLUTION}()"
