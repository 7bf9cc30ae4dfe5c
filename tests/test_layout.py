"""The shape of the code: who may import whom, how long a file may be, and which words name nothing."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.transcripts import ROOT

PACKAGE = ROOT / "proxy"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")
TABLE = {
    row[1]: {name.strip() for name in row[2].split(",")} - {"–"}
    for row in re.finditer(r"^\| `([\w.]+)` \|[^|]*\| ([^|]*) \|$", (ROOT / "docs/rooms.md").read_text(), re.M)
}
CORE = "transcript wire wire.sse wire.spans wire.body wire.plain wire.chat wire.chat_stream wire.messages wire.messages_blocks wire.messages_stream wire.messages_again wire.chat_again wire.buffered wire.responses wire.responses_items wire.responses_stream wire.responses_again turn_id remembered results signatures shell runners dialects natures amounts sums dates spelling roots pairing ledger identity dispatch word_lists lexicon masking prose support support_words wording citations extraction ground told claims readers reading audit declared deeds drafts work reported edits auditors footer policy policy_file tables redaction named_secrets secret_words patterns answers history metrics"


def room(path: Path) -> str:
    """The name that a file goes by in the table: its module, or the package of which it is one of many."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    name = ".".join(part for part in parts if part != "__init__")
    return name if name in TABLE else name.rpartition(".")[0]


def imports(path: Path) -> set[str]:
    """What a file imports: rooms of ours by their name in the table, other packages by theirs."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            inner = [f"{module}.{alias.name}" for alias in node.names]
            names = [
                one if (PACKAGE.parent / one.replace(".", "/")).with_suffix(".py").exists() else module for one in inner
            ]
            names = [one for one in names if one != "proxy"] or ([] if module == "proxy" else names)
        for name in names:
            if name.startswith("proxy."):
                inside = name.removeprefix("proxy.")
                found.add(inside if inside in TABLE else inside.rpartition(".")[0] or inside)
            elif name != "proxy" and name.split(".")[0] not in sys.stdlib_module_names:
                found.add(name.split(".")[0])
    return found


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_rooms_import_only_what_their_row_allows(path: Path) -> None:
    own = room(path)
    assert own in TABLE, f"{path} has no row in docs/rooms.md"
    assert imports(path) - {own} <= TABLE[own]


def test_the_table_has_no_room_that_is_not_there() -> None:
    assert {room(path) for path in FILES} == set(TABLE)


def test_imports_point_one_way() -> None:
    graph = {name: allowed & set(TABLE) - {name} for name, allowed in TABLE.items()}
    done: set[str] = set()
    while ready := {name for name, needs in graph.items() if name not in done and needs <= done}:
        done |= ready
    assert done == set(graph), f"these import each other in a circle: {sorted(set(graph) - done)}"


@pytest.mark.parametrize("name", CORE.split())
def test_the_core_reaches_for_nothing_outside(name: str) -> None:
    outside = {"httpx", "aiohttp", "starlette", "litellm", "uvicorn", "config", "tenants", "upstreams", "sources"}
    assert not TABLE[name] & outside
    for path in (path for path in FILES if room(path) == name):
        names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        modules = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert not names & {"open", "print", "input"}
        assert not modules & {"time", "random", "secrets", "os", "socket", "pathlib", "subprocess", "datetime"}


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_files_say_their_duty_and_stay_small(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    duty = ast.get_docstring(tree)
    assert duty, "the first line says the duty of the file"
    assert text.startswith('"""')
    assert len(text.splitlines()) <= 430
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 50, f"{node.name} does not fit a screen"


def test_names_that_say_nothing_are_not_used() -> None:
    idle = re.compile(r"(?i)\b\w*(?:manager|helper|utils|guardrail|handler)\w*\b")
    for path in FILES:
        names = {
            node.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        }
        assert not [name for name in (*names, path.stem) if idle.search(name)]


def test_no_module_holds_state_that_changes() -> None:
    """A name at module level in lower case, bound to something mutable, would be shared by all tenants."""
    for path in FILES:
        for node in ast.parse(path.read_text()).body:
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(node, (ast.Assign, ast.AnnAssign)):
                    mutable = isinstance(node.value, (ast.Dict, ast.List, ast.Set, ast.ListComp, ast.DictComp))
                    assert not mutable or target.id.isupper() or target.id == "__all__", f"{path}: {target.id}"


def test_every_room_has_its_tests() -> None:
    tested = {path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")}
    beside = {
        *(
            "errors",
            "transcript",
            "patterns",
            "wire",
            "results",
            "signatures",
            "runners",
            "identity",
            "lexicon",
            "prose",
            "answers",
            "reading",
            "readers",
            "tables",
            "policy_file",
            "library",
            "edits",
            "written",
            "support_words",
            "wording",
            "told",
            "named_secrets",
            "secret_words",
            "failed_words",
            "done_words",
            "underway",
        ),
        *(
            "inbound",
            "startup",
            "app",
            "__main__",
            "sources",
            "checks",
            "auditors",
            "wire.body",
            "wire.plain",
            "wire.chat_stream",
            "wire.messages_blocks",
            "wire.messages_stream",
            "wire.responses_items",
            "wire.responses_stream",
            "records",
            "store",
            "links",
            "demo_world",
            "told",
            "support_words",
            "wording",
            "service",
            "wire.chat_again",
            "wire.messages_again",
            "wire.responses_again",
        ),
    }
    """Rooms that are tested through the one room that uses them."""
    assert {name.replace(".", "_") for name in set(TABLE) - beside} - tested == set()
