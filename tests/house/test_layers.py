"""Imports go along the arrows of the house, and modules know each other by their fronts only."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kbwork
from kbwork.modules import MODULES

ROOT = Path(kbwork.__file__).parent
MAY = {
    "base": set(),
    "flagengine": set(),
    "issuefields": set(),
    "flags": {"flagengine"},
    "tql": {"base"},
    "pagefiles": {"base"},
    "sentfiles": set(),
    "db": {"base"},
    "core": {"base", "db", "tql"},
    "modules": {"base", "db", "core", "tql", "flagengine", "issuefields", "pagefiles"},
    "settings": {"base", "core"},
    "client": set(),
    "launchdarkly": {"base", "client", "flagengine"},
    "contract": {"base", "core", "client", "tql"},
    "api": {"base", "core", "contract", "flagengine", "settings"},
    "cli": {
        "base",
        "client",
        "core",
        "contract",
        "launchdarkly",
        "settings",
        "db",
        "app",
        "modules",
        "api",
        "restore",
        "replica",
        "edge",
        "outbox",
        "cells",
        "demo",
        "flagengine",
    },
    "demo": {"base", "core", "db", "app", "modules"},
    "restore": {"base", "db", "app", "modules"},
    "worker": {"base", "core", "db"},
    "edge": {"api", "base", "core", "flagengine", "flags", "settings"},
    "replica": {"base", "core", "db", "modules", "settings", "worker"},
    "cells": {"base", "core", "db", "settings", "worker"},
    "outbox": {"base", "core", "db", "modules", "settings", "worker"},
}
"""Room -> rooms it may import. Commands that need no server (`cli`) open the data file and start the doors."""
TYPES_ONLY = {("api", "db"): {"kbwork.db.tx", "kbwork.db.database"}}
"""Doors name the types of the database room; they run no SQL."""


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, whole."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(room: str) -> list[Path]:
    folder = ROOT / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [ROOT / f"{room}.py"]


@pytest.mark.parametrize("room", MAY)
def test_a_room_imports_along_the_arrows_only(room: str) -> None:
    wrong = []
    for path in files(room):
        if path.name == "kbwork_client.py":
            continue
        for name in imports(path):
            parts = name.split(".")
            if parts[0] != "kbwork" or len(parts) == 1 or parts[1] in {room, "__version__"}:
                continue
            typed = any(name.startswith(known) for known in TYPES_ONLY.get((room, parts[1]), ()))
            if parts[1] not in MAY[room] and not typed:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


@pytest.mark.parametrize("room", [room for room in MAY if room not in {"db", "cli"}])
def test_only_the_database_room_imports_apsw(room: str) -> None:
    assert [str(path) for path in files(room) if "apsw" in set(imports(path))] == []


def test_no_pattern_has_a_possessive_group() -> None:
    """Python before 3.11.5 matches them wrongly (gh-106052), and pages were taken for text."""
    possessive = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
    found = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and re.match(r"re\.|pattern$", ast.unparse(call.func))
        for text in ast.walk(call)
        if isinstance(text, ast.Constant) and possessive.search(ast.unparse(text))
    ]
    assert found == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_uses_whom_it_names_and_no_door(module: str) -> None:
    front = importlib.import_module(f"kbwork.modules.{module}")
    used = set()
    for path in (ROOT / "modules" / module).rglob("*.py"):
        found = set(imports(path))
        assert not {
            name for name in found if name.split(".")[0] in {"starlette", "asyncio", "socket", "apsw"}
        }, path
        used |= {
            name.split(".")[2]
            for name in found
            if name.startswith("kbwork.modules.") and name.count(".") >= 2
        }
    assert used - {module} == set(front.USES)


def test_uses_has_no_cycle() -> None:
    uses = {module: importlib.import_module(f"kbwork.modules.{module}").USES for module in MODULES}
    left = dict(uses)
    while left:
        free = [module for module, used in left.items() if not set(used) & set(left)]
        assert free, f"a cycle among {sorted(left)}"
        for module in free:
            del left[module]


def test_every_table_has_one_owner() -> None:
    owners: dict[str, list[str]] = {}
    for module in MODULES:
        for table in importlib.import_module(f"kbwork.modules.{module}").TABLES:
            owners.setdefault(table, []).append(module)
    assert {table: who for table, who in owners.items() if len(who) > 1} == {}


@pytest.mark.parametrize(
    ("reader", "with_it"),
    [("modules.imports.sources.reader", ["attachments", "imports"]), ("pagefiles.reader", [])],
)
def test_what_reads_files_starts_without_the_rest_of_the_modules(reader: str, with_it: list[str]) -> None:
    """It is a process for each file, which would take twice the time to start and half as much memory again."""
    code = (
        f"import sys, kbwork.{reader};"
        " print(*sorted({name.split('.')[2] for name in sys.modules if name.startswith('kbwork.modules.')}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.split() == with_it
