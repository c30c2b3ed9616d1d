"""What the package says of itself: its bounds, its bill of materials, and how it runs in a container."""

import ast
import json
import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
UNBOUND = {"argon2-cffi", "cmarkgfm", "cryptography", "packaging", "pillow", "tzdata"}
"""They count by the calendar, or are mended in their newest version alone."""


def test_every_dependency_has_a_lowest_version_and_a_highest_unless_it_counts_by_the_calendar() -> None:
    project = PROJECT["project"]
    lines = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    bounds = {one.name: {spec.operator for spec in one.specifier} for one in map(Requirement, lines)}
    assert {name for name, operators in bounds.items() if ">=" not in operators} == set()
    assert {name for name, operators in bounds.items() if "<" not in operators} == UNBOUND


def test_the_bill_of_materials_names_all_that_is_locked_of_what_runs() -> None:
    sbom = runpy.run_path(str(ROOT / ".ci" / "sbom.py"))
    text = (ROOT / ".ci" / "sbom.cdx.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.6", 1)
    product = found["metadata"]["component"]
    assert (product["name"], product["version"]) == ("kbwork", PROJECT["project"]["version"])
    locked = sbom["locked"]()
    parts: list[dict[str, Any]] = found["components"]
    assert {one["name"]: one["version"] for one in parts}.items() <= locked.items()
    direct = {canonicalize_name(Requirement(one).name) for one in PROJECT["project"]["dependencies"]}
    assert direct <= {one["name"] for one in parts}
    assert {one["purl"] for one in parts} == {f"pkg:pypi/{one['name']}@{one['version']}" for one in parts}
    assert [one["name"] for one in parts if "licenses" not in one] == ["pywin32"], "those for another system"
    refs = [product["bom-ref"], *(one["bom-ref"] for one in parts)]
    assert [one["ref"] for one in found["dependencies"]] == refs
    assert {to for one in found["dependencies"] for to in one["dependsOn"]} == set(refs[1:])
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["sbom-files"] == [".ci/sbom.cdx.json"]
    if all(version(one["name"]) == one["version"] for one in parts if "licenses" in one):
        assert text == sbom["render"](), "run .venv/bin/python .ci/sbom.py"


def test_the_command_and_the_health_check_of_the_container_work(tmp_path: Path) -> None:
    page = (ROOT / "kbwork" / "docs" / "operations-manual.md").read_text(encoding="utf-8")
    block = re.search(r"^```dockerfile\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert block is not None
    lines = block[1].replace("\\\n", " ").splitlines()
    told = dict(line.split(" ", 1) for line in lines)
    assert int(told["USER"]) > 0
    assert told["VOLUME"] == "/data"
    command = ast.literal_eval(told["CMD"])
    check = ast.literal_eval(told["HEALTHCHECK"].partition("CMD ")[2])
    assert (command[0], check[0]) == ("kbwork", "python")
    place = [str(tmp_path / "data") if part == "/data" else part for part in command[1:]]
    port = _free_port()
    environ = {"PATH": os.environ["PATH"], "KBWORK_SERVER_BASE_URL": "https://kb.acme.example"}
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "kbwork", *place, "--port", str(port)],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        try:
            assert said.startswith("kbwork is at https://kb.acme.example, data in "), said
            asked = [sys.executable, check[1], check[2].replace(":8080/", f":{port}/")]
            tries = (
                subprocess.run(asked, check=False, timeout=60, stderr=subprocess.DEVNULL) for _ in range(50)
            )
            assert any(done.returncode == 0 for done in tries), "it is asked until it serves"
        finally:
            server.terminate()
            server.communicate(timeout=60)
    assert server.returncode == 0


def test_the_container_is_run_shut_in() -> None:
    page = (ROOT / "kbwork" / "docs" / "operations-manual.md").read_text(encoding="utf-8")
    run = re.search(r"^docker run (.*?[^\\])$", page, re.MULTILINE | re.DOTALL)
    assert run is not None
    words = shlex.split(run[1].replace("\\\n", " "))
    assert {"--read-only", "no-new-privileges", "kbwork:/data", "127.0.0.1:8080:8080"} <= set(words)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
