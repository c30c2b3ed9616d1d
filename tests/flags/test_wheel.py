"""The Python library as a wheel of its own, as a server hands it out."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import kbwork
from kbwork.api.sdk import wheel
from tests.flags.service import SDK_KEY, served

NEEDED = ("cryptography*", "google_re2*", "re2", "_re2*", "cffi*", "_cffi_backend*", "pycparser*")
PROGRAM = """
import json, sys
from kbwork.flags import Client, TestData
with Client(sdk_key=sys.argv[1], base_url=sys.argv[2]) as flags:
    assert flags.ready()
    value = flags.boolean("on", False, {"key": "mira"})
clause = {"op": "matches", "attribute": "key", "values": ["^m.r"]}
flag = {"on": True, "variations": [{"value": 1}, {"value": 2}], "fallthrough": {"variation": 0}}
tests = TestData()
tests.put("p", flag | {"rules": [{"clauses": [clause], "variation": 1}]})
with Client(source=tests) as flags:
    matched = flags.number("p", 0, {"key": "mira"})
print(json.dumps([value, matched, [name for name in sys.argv[3:] if name in sys.modules]]))
"""
TYPED = """
from kbwork.flags import Client
with Client(sdk_key="srv_a") as flags:
    found: bool = flags.boolean("on", False, {"key": "a"})
    reveal_type(flags.string("on", "", {}))
    Client(sdk=7)
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing in it but what the wheel says that it needs, and the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / wheel.NAME).write_bytes(wheel.flag_wheel())
    venv.create(folder / "venv", with_pip=False)
    site = next((folder / "venv" / "lib").glob("python*")) / "site-packages"
    here = Path(sysconfig.get_path("platlib"))
    for pattern in NEEDED:
        for path in here.glob(pattern):
            if path.suffix == ".dist-info":
                shutil.copytree(path, site / path.name)  # uv looks behind no link for what is installed
            else:
                (site / path.name).symlink_to(path)
    python = ["--python", str(folder / "venv" / "bin" / "python")]
    install, check = _installer(python)
    subprocess.run([*install, "--quiet", "--no-index", str(folder / wheel.NAME)], check=True)
    subprocess.run(check, check=True, capture_output=True)
    return folder


def _installer(python: list[str]) -> tuple[list[str], list[str]]:
    """What installs and what checks: uv where it is, since an environment that it made may have no pip."""
    if (uv := shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")) is not None:
        return [uv, "pip", "install", *python, "--offline"], [uv, "pip", "check", *python]
    pip = [sys.executable, "-m", "pip", *python]
    return [*pip, "install"], [*pip, "check"]


def run(room: Path, *args: str) -> Any:
    python = room / "venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-I", "-W", "error", *args], capture_output=True, text=True, check=True, cwd=room
    )
    return json.loads(done.stdout)


def test_it_follows_a_service_in_an_environment_of_its_own(room: Path) -> None:
    servers = ("apsw", "pydantic", "starlette", "uvicorn", "kbwork.base", "kbwork.flagengine.patch")
    with served() as service:
        assert run(room, "-c", PROGRAM, SDK_KEY, service.url, *servers) == [True, 2, []]
    assert sum(one["count"] for batch in service.batches for one in batch["events"]) == 1


def test_it_says_what_it_is_and_is_the_same_each_time(room: Path) -> None:
    code = (
        "import json; from importlib.metadata import distribution as d; m = d('kbwork-flags');"
        "print(json.dumps([m.version, m.requires, bool(m.read_text('licenses/LICENSE'))]))"
    )
    version, requires, licensed = run(room, "-c", code)
    assert (version, licensed) == (kbwork.__version__, True)
    assert [Requirement(line).name for line in requires] == [
        "cryptography",
        "google-re2",
        "openfeature-sdk",
    ]
    assert wheel.flag_wheel() == (room / wheel.NAME).read_bytes()
    with zipfile.ZipFile(room / wheel.NAME) as packed:
        assert "kbwork/__init__.py" not in packed.namelist()


def test_it_brings_its_types(room: Path) -> None:
    (room / "typed.py").write_text(TYPED)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(room / "cache"), "--python-executable",
         str(room / "venv" / "bin" / "python"), "typed.py"],
        capture_output=True, text=True, check=False, cwd=room,
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert said[0].endswith('note: Revealed type is "str"'), done.stdout
    assert said[1].endswith('error: Unexpected keyword argument "sdk" for "Client"  [call-arg]')
    assert said[-1] == "Found 1 error in 1 file (checked 1 source file)"
