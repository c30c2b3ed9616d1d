"""What a server imports and makes before its first answer: little, so that it is soon there."""

import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from importlib.util import find_spec
from urllib.error import URLError

import pytest

NEEDED = {
    "annotated_types",
    "anyio",
    "apsw",
    "click",
    "httptools",
    "jiter",
    "kbwork",
    "pydantic",
    "pydantic_core",
    "starlette",
    "typing_extensions",
    "typing_inspection",
    "uvicorn",
    "uvloop",
    "watchfiles",
}
"""Packages that a start imports, some of them by others. What is needed later is imported by the function that does."""
STAY = ("_", "sitecustomize", "usercustomize", "cython_runtime")
"""How modules begin that come with the interpreter and the environment, or belong to one of those packages."""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that a server has imported when it has answered once."""
    folder = tmp_path_factory.mktemp("start")
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "kbwork",
        "serve",
        "--data",
        str(folder),
        "--port",
        "0",
    ]
    told = folder / "told"
    with (
        told.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[3].rstrip(",")
            assert _answers(f"{url}/healthz")
        finally:
            server.terminate()
            server.communicate(timeout=20)
    return {
        line.rpartition("|")[2].strip() for line in told.read_text().splitlines() if "import time:" in line
    }


def _answers(url: str) -> bool:
    """Once it listens, which is a moment after it has said where."""
    for _ in range(1000):
        with suppress(URLError):
            return bool(urllib.request.urlopen(url, timeout=10).status == 200)
        threading.Event().wait(0.01)
    return False


def test_a_start_imports_the_packages_that_it_needs_and_no_others(imported: set[str]) -> None:
    packages = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names
    others = {name for name in packages - NEEDED if not name.startswith(STAY) and find_spec(name)}
    assert others == set(), "import these where they are first needed"


def test_a_start_leaves_what_has_a_use_of_its_own(imported: set[str]) -> None:
    assert "kbwork.app" in imported
    later = {
        "kbwork.api.mcp.server",
        "kbwork.api.prometheus",
        "kbwork.client.client",
        "kbwork.contract.render.files",
        "kbwork.worker.smtp",
        "html.entities",
        "http.client",
        "statistics",
        "tomllib",
    }
    assert imported & later == set()


def test_a_start_makes_no_validators() -> None:
    """Each is made by the first call of its operation; an example that was checked at the start would make it."""
    asked = (
        "from kbwork.app import registry\n"
        "print([op.id for op in registry().operations.values() if op.input.__pydantic_complete__])"
    )
    found = subprocess.run(
        [sys.executable, "-c", asked], check=True, capture_output=True, text=True, timeout=60
    )
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("package", ["webauthn", "cbor2", "OpenSSL", "jwt", "mcp"])
def test_what_takes_long_to_import_waits_for_who_needs_it(imported: set[str], package: str) -> None:
    assert find_spec(package) is not None
    assert {name for name in imported if name.partition(".")[0] == package} == set()
