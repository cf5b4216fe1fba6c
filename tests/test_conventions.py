"""The laws of the house, as tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import get_args

from agent.events import EVENTS, Failed
from agent.view import RunView, StepView

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path
    for path in [ROOT / "app.py", *ROOT.glob("agent/**/*.py"), *ROOT.glob("pages/**/*.py")]
    if "__pycache__" not in path.parts
)
# Rooms in the order in which they may know of each other: a file imports only from rows above its own,
# and from files of its own row when that row is a folder.
ROOMS = (
    "characters",
    "errors",
    "data",
    "documents",
    "shell",
    "messages",
    "events",
    "prompts",
    "services",
    "settings",
    "fetching",
    "tools",
    "models.base",
    "wire.labels",
    "models",
    "databases",
    "wire.reading",
    "wire.observation",
    "wire.prompt",
    "wire.react",
    "wire.native",
    "merge",
    "workers",
    "models.trial",
    "models.diagnosis",
    "models.check",
    "approval",
    "calls",
    "limits",
    "prompting",
    "loop",
    "inspection",
    "injection",
    "view",
    "decisions",
    "gauge",
    "timeline",
    "event_list",
    "replaying",
    "comparison",
    "evidence",
    "endings",
    "schema",
    "database",
    "texts",
    "totals",
    "store",
    "data.folders",
    "data.tables",
    "documents.conversation",
    "shell.conversation",
    "chats",
    "bin",
    "exporting",
    "importing",
    "budget",
    "branches",
    "rewind",
    "insisting",
    "conversation",
    "runs",
    "mcp_client",
    "openapi",
    "tool_servers",
    "own_tools",
    "catalogue",
    "setup",
    "preferences",
    "chat_prompts",
    "tool_forms",
    "tool_list",
    "tool_uses",
    "tool_trial",
    "alternatives",
    "terminal",
    "serving",
    "__main__",
)
MOST_LINES = 300
DRAWING = (
    "app.py",
    "agent/gauge.py",
    "pages/ui/offers.py",
    "pages/ui/render.py",
    "pages/ui/steps.py",
    "pages/ui/asking.py",
)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            found |= {f"{module}.{alias.name}" for alias in node.names} if module in PACKAGES else {module}
    return found


PACKAGES = {name_of(path) for path in FILES if path.name == "__init__.py"} - {"agent.prompts"}


def row(module: str) -> int:
    """The row of a module of ``agent``: that of the longest name that covers it."""
    inner = module.removeprefix("agent.")
    fitting = [room for room in ROOMS if inner == room or inner.startswith((f"{room}.", f"{room}_"))]
    assert fitting, f"{module} has no row in the import table"
    return ROOMS.index(max(fitting, key=len))


def wrong_imports(path: Path) -> Iterator[str]:
    module = name_of(path)
    for imported in sorted(imports(path)):
        if module.startswith("agent"):
            if imported.startswith(("streamlit", "pages", "app")):
                yield f"{module} imports {imported}"
            if imported.startswith("agent.") and module not in PACKAGES and row(imported) > row(module):
                yield f"{module} imports {imported}, which stands below it"
        elif imported == "app":
            yield f"{module} imports {imported}"


def too_large(path: Path) -> Iterator[str]:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MOST_LINES:
        yield f"{name_of(path)} has {lines} lines"
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 60:
            yield f"{name_of(path)}: {node.name} is too long"


def test_imports_point_one_way() -> None:
    assert [offence for path in FILES for offence in wrong_imports(path)] == []


def test_rooms_stay_small() -> None:
    assert [offence for path in FILES for offence in too_large(path)] == []


def test_no_import_circles() -> None:
    modules = {name_of(path): path for path in FILES}
    graph = {name: {other for other in imports(path) if other in modules} for name, path in modules.items()}
    TopologicalSorter(graph).prepare()


def test_every_event_has_its_place_in_the_view() -> None:
    source = (ROOT / "agent" / "view.py").read_text(encoding="utf-8")
    for name in EVENTS:
        assert f"case {name}(" in source, name


def test_every_value_of_the_view_is_drawn() -> None:
    drawn = "".join((ROOT / place).read_text(encoding="utf-8") for place in DRAWING)
    not_for_the_page = {"endpoint", "wire", "reply", "reference"}
    for kind in (RunView, StepView):
        for field in fields(kind):
            assert field.name in not_for_the_page or f".{field.name}" in drawn, f"{kind.__name__}.{field.name}"


def test_every_reason_to_fail_is_in_use() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("agent/*.py"))
    for reason in get_args(Failed.__annotations__["reason"]) or ("model", "limit", "cancelled", "interrupted"):
        assert f'"{reason}"' in sources


def test_only_one_file_touches_the_session() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if name_of(path) != "pages.ui.state":
            for word in ("session_state", "st.query_params", "st.context.cookies", "st.secrets", "st.cache_"):
                assert word not in text, f"{path} uses {word}"


def test_no_catch_all_but_at_the_edges() -> None:
    allowed = {"agent.conversation", "agent.workers"}
    for path in FILES:
        if re.search(r"except (?:Base)?Exception\b|except:", path.read_text(encoding="utf-8")):
            assert name_of(path) in allowed, path


def test_a_process_that_may_write_little_writes_no_bytecode() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if re.search(r"lower\(resource\.RLIMIT_FSIZE|\(resource\.RLIMIT_FSIZE, ", text) and "agent" in path.parts:
            assert "sys.dont_write_bytecode = True" in text, path


def test_requirements_are_complete_and_pinned() -> None:
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"[a-z0-9-]+==[\w.]+( ; .+)?$", pin) for pin in pins)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    direct = re.findall(r'^    "([\w-]+==[\w.]+)",$', project.split("[dependency-groups]")[0], re.M)
    assert len(direct) >= 5
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for pin in direct:
        assert any(line.startswith(pin) for line in pins), pin
        assert f"| `{pin.split('==')[0]}` |" in readme, pin
    for other in ("uv.lock", "Pipfile", "environment.yml"):
        assert not (ROOT / other).exists()
