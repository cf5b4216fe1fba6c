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

LLM_MATH = ToolSpec(
    "llm_math",
    Text("Works out a sum by a small program."),
    lambda parts: llm_math_tool(parts.chat_tables().run_program),
    icon="calculate",
    verbs=(Text("Working out a sum ·"), Text("Worked out a sum ·")),
    subject="code",
    told="lines",
    language="python",
    needs=a_sandbox,
    public=True,
    repeats=True,
    usual=False,
)
WORD_PROBLEM = ToolSpec(
    "word_problem",
    Text("Solves a problem told in words by a program."),
    lambda parts: word_problem_tool(parts.chat_tables().run_program),
    icon="functions",
    verbs=(Text("Solving a word problem ·"), Text("Solved a word problem ·")),
    subject="code",
    told="lines",
    language="python",
    needs=a_sandbox,
    repeats=True,
    usual=False,
)
COLORED_OBJECTS = ToolSpec(
    "colored_objects",
    Text("Reasons about objects and places by a program."),
    lambda parts: colored_objects_tool(parts.chat_tables().run_program),
    icon="category",
    verbs=(Text("Reasoning about objects ·"), Text("Reasoned about objects ·")),
    subject="code",
    told="lines",
    language="python",
    needs=a_sandbox,
    repeats=True,
    usual=False,
)

_SOLUTION = "solution"


def llm_math_tool(run: RunProgram, timeout: float = 20.0) -> Tool:
    """Any sum as an expression or a few lines. ``run`` and ``timeout`` as for ``python_tool``."""

    @tool(timeout=timeout + 5.0)
    def llm_math(code: str) -> ToolResult:
        """Works out a sum by a short Python program that you write (math, statistics, fractions, decimal, numpy can be
        imported). The value of its last line is the result.

        Args:
            code: for example 37593 ** (1 / 5)
        """
        return _run(run, code)

    return llm_math


def word_problem_tool(run: RunProgram, timeout: float = 20.0) -> Tool:
    """Problems told in words, as a function."""

    @tool(timeout=timeout + 5.0)
    def word_problem(code: str) -> ToolResult:
        """Solves a maths problem told in words by a Python function solution() that you write: a line for each fact
        with a speaking name, then the arithmetic, then return of the result.

        Args:
            code: for example def solution():\\n    apples = 23\\n    eaten = 20\\n    return apples - eaten
        """
        return _run(run, code, solution=True)

    return word_problem


def colored_objects_tool(run: RunProgram, timeout: float = 20.0) -> Tool:
    """Questions about objects, their colours and places, as a function."""

    @tool(timeout=timeout + 5.0)
    def colored_objects(code: str) -> ToolResult:
        """Answers a question about objects, their colours, number and order by a Python function solution() that you
        write: put the objects into a list in their order, then find what is asked for, then return it.

        Args:
            code: for example def solution():\\n    row = [("pen", "red"), ("cup", "blue")]\\n    return row[0][1]
        """
        return _run(run, code, solution=True)

    return colored_objects


def _run(run: RunProgram, code: str, solution: bool = False) -> ToolResult:
    check_length(code)
    if solution:
        code = _with_call(code)
    answer, _ = run(code, False)
    return shown(answer)


def _with_call(code: str) -> str:
    """The program with a call of its ``solution()`` at the end, where its last line is none."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # running it says what is wrong, and where
    if not any(isinstance(node, ast.FunctionDef) and node.name == _SOLUTION for node in body):
        raise ToolFailed("The program has no function solution(). Write one that returns the result.", "input")
    return code if isinstance(body[-1], ast.Expr) else f"{code}\n{_SOLUTION}()"
