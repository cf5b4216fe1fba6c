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
from agent.views.fold import RunView, StepView

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for path in [ROOT / "app.py", *ROOT.glob("agent/**/*.py"), *ROOT.glob("pages/**/*.py")]
    if "__pycache__" not in path.parts
)
# The rooms of ``agent`` from the ground up: a room imports only rooms above it in this list, and itself.
ROOMS = (
    *(
        "interface_text",
        "errors",
        "messages",
        "upcasters",
        "interruptions",
        "events",
        "so_far",
        "inner_runs",
        "endings",
        "text",
        "prompts",
        "settings",
    ),
    *("sandbox", "toolkit", "evidence", "store", "web", "models", "data", "wire", "context", "demo", "shell", "loop"),
    *("views", "extensions", "tools", "runs", "sharing", "evals", "telemetry", "application", "cli", "__main__"),
)
MOST_LINES = 350
DRAWING = (
    "app.py",
    "agent/views/gauge.py",
    "pages/ui/run/offers.py",
    "pages/ui/run/render.py",
    "pages/ui/run/steps.py",
    "pages/ui/run/two_answers.py",
)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def statements(path: Path) -> Iterator[ast.AST]:
    """Every statement of a file, however deep. Not the expressions, which are ten times as many and hold none."""
    found: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in found:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, [])
            found += inner if isinstance(inner, list) else []


@cache
def read(path: Path) -> tuple[set[str], list[str]]:
    """What a file imports, and its long functions. A tree that is kept costs the collector more than the parser."""
    found: set[str] = set()
    long: list[str] = []
    for node in statements(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            found |= {f"{module}.{alias.name}" for alias in node.names} if module in PACKAGES else {module}
        elif isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 60:
            long.append(node.name)
    return found, long


def imports(path: Path) -> set[str]:
    return read(path)[0]


PACKAGES = {name_of(path) for path in FILES if path.name == "__init__.py"} - {"agent.prompts"}


def row(module: str) -> int:
    """The place of a module of ``agent`` in the order of rooms."""
    room = module.split(".")[1]
    assert room in ROOMS, f"{module} is in no room of the list"
    return ROOMS.index(room)


def wrong_imports(path: Path) -> Iterator[str]:
    module = name_of(path)
    for imported in sorted(imports(path)):
        if module.startswith("agent"):
            if imported.startswith(("streamlit", "pages", "app")):
                yield f"{module} imports {imported}"
            if imported.startswith("agent.") and module != "agent" and row(imported) > row(module):
                yield f"{module} imports {imported}, which stands below it"
        elif imported == "app":
            yield f"{module} imports {imported}"


def too_large(path: Path) -> Iterator[str]:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MOST_LINES:
        yield f"{name_of(path)} has {lines} lines"
    yield from (f"{name_of(path)}: {name} is too long" for name in read(path)[1])


def test_imports_point_one_way() -> None:
    assert [offence for path in FILES for offence in wrong_imports(path)] == []


def test_derivation_is_built_from_the_ground_up() -> None:
    folders = ("steps", "groups", "spans", "possible", "worked")
    place = {folder: number for number, folder in enumerate(folders)}
    within = "agent.evidence.derivation."
    found = {
        f"{name_of(path)} imports {module}"
        for path in FILES
        if name_of(path).startswith(within)
        for module in imports(path)
        if module.startswith(within) and place[module.split(".")[3]] > place[name_of(path).split(".")[3]]
    }
    assert found == set()


def test_names_of_modules_occur_once() -> None:
    named = [path.stem for path in FILES if path.is_relative_to(ROOT / "agent") and not path.stem.startswith("__")]
    assert sorted({name for name in named if named.count(name) > 1}) == []


def test_rooms_stay_small() -> None:
    assert [offence for path in FILES for offence in too_large(path)] == []


def test_no_import_circles() -> None:
    modules = {name_of(path): path for path in FILES}
    graph = {name: {other for other in imports(path) if other in modules} for name, path in modules.items()}
    TopologicalSorter(graph).prepare()


def test_no_test_module_imports_another() -> None:
    """What several of them need is in ``tests/support``."""
    of_a_test = re.compile(r"(?m)^ *(?:(?:from|import) tests[.\w]*\.test_|from tests[.\w]* import .*\btest_).*")
    found = {
        f"{name_of(path)}: {line}"
        for path in ROOT.glob("tests/**/test_*.py")
        for line in of_a_test.findall(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_every_event_has_its_place_in_the_view() -> None:
    source = (ROOT / "agent" / "views" / "fold.py").read_text(encoding="utf-8")
    for name in EVENTS:
        assert f"case {name}(" in source, name


def test_every_value_of_the_view_is_drawn() -> None:
    drawn = "".join((ROOT / place).read_text(encoding="utf-8") for place in DRAWING)
    not_for_the_page = {"endpoint", "wire", "reply", "reference"}
    for kind in (RunView, StepView):
        for field in fields(kind):
            assert field.name in not_for_the_page or f".{field.name}" in drawn, f"{kind.__name__}.{field.name}"


def test_every_reason_to_fail_is_in_use() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("agent/**/*.py"))
    for reason in get_args(Failed.__annotations__["reason"]) or ("model", "limit", "cancelled", "interrupted"):
        assert f'"{reason}"' in sources


def test_only_one_file_touches_the_session() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if name_of(path) != "pages.ui.session.state":
            for word in ("session_state", "st.query_params", "st.context.cookies", "st.secrets", "st.cache_"):
                assert word not in text, f"{path} uses {word}"


def test_every_page_does_what_only_the_browser_can() -> None:
    """Its language, the keys, the sidebar on a phone; the run's page does so in a part of its own as well."""
    pages = [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]
    assert [page.name for page in pages if "browser.attend(" not in page.read_text(encoding="utf-8")] == []


def test_no_catch_all_but_at_the_edges() -> None:
    allowed = {
        "agent.application.queue.queue_worker",
        "agent.application.recovery",
        "agent.application.services",
        "agent.loop.workers",
        "agent.runs.conversation",
        "agent.runs.in_flight",
        "agent.telemetry.otlp",
        "agent.telemetry.watch",
    }
    allowed |= {"agent.store.runs"}
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
    table = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for pin in direct:
        assert any(line.startswith(pin) for line in pins), pin
        assert f"| `{pin.split('==')[0]}` |" in table, pin
    for other in ("uv.lock", "Pipfile", "environment.yml"):
        assert not (ROOT / other).exists()
