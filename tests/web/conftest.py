"""What is built from `static`, for tests of it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import kbwork
from kbwork._build import build, is_of_today, system_node
from tests import packages

ROOT = Path(kbwork.__file__).parents[1]
TESTS = ROOT / "static" / "flags" / "test"
"""Of the flag library, for Node."""


@pytest.fixture(scope="session")
def node() -> str:
    """The system's Node. What is built from `static` is built here where it is not of today."""
    found = system_node()
    if found is None:
        pytest.skip("no Node 20 or newer to test with")
    if not (ROOT / "static" / "node_modules" / "typescript").exists():
        pytest.skip("static was not installed whole: pip install -e . does it")
    if not is_of_today(ROOT):
        build(ROOT, whole=True)
    return found


@pytest.fixture(scope="session")
def flag_library(node: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a program that has installed the flag library as the server hands it out."""
    folder = tmp_path_factory.mktemp("flags")
    packages.install("flags", folder)
    needs = {"@kbwork/flags": "*", "@openfeature/server-sdk": "*", "@openfeature/web-sdk": "*"}
    made = {"type": "module", "dependencies": needs | {"react": "*", "react-dom": "*"}}
    (folder / "package.json").write_text(json.dumps(made), encoding="utf-8")
    for name in ("@openfeature", "react", "react-dom"):
        (folder / "node_modules" / name).symlink_to(ROOT / "static" / "node_modules" / name)
    (folder / "answers.mjs").write_bytes((TESTS / "answers.mjs").read_bytes())
    return folder


@pytest.fixture(scope="session")
def react_18(flag_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same program with the React of before."""
    folder = tmp_path_factory.mktemp("react")
    ours = Path("node_modules", "@kbwork")
    shutil.copytree(flag_library / ours, folder / ours)
    for name in ("react", "react-dom"):
        (folder / "node_modules" / name).symlink_to(TESTS / "react18" / "node_modules" / name)
    return folder


def library_answers(node: str, flag_library: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the flag library answers to questions about worlds, in their order: see `static/flags/test/answers.mjs`."""
    done = subprocess.run(
        [node, "answers.mjs"],
        cwd=flag_library,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
