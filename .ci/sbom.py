"""Writes the bill of materials, `.ci/sbom.cdx.json` (CycloneDX 1.6), which the wheel carries: what is locked of what
the product needs at run time, with the licences that the installed packages name. `.venv/bin/python .ci/sbom.py` writes
it anew when the lock changed. Nothing in it tells when or where it was made: the same lock gives the same file.
"""

import itertools
import json
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FILE = ROOT / ".ci" / "sbom.cdx.json"
_SYSTEMS = (("linux", "Linux"), ("darwin", "Darwin"), ("win32", "Windows"))
_PLACES = [
    {
        "sys_platform": system,
        "platform_system": name,
        "python_full_version": f"{python}.0",
        "python_version": python,
    }
    for (system, name), python in itertools.product(_SYSTEMS, ("3.11", "3.14"))
]
"""Where it may be installed."""


def locked() -> dict[str, str]:
    """Name -> version of everything in the lock."""
    lines = (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(";")[0].strip().split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version for name, version in pairs}


def render() -> str:
    """The file's text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = locked()
    edges = {"kbwork": _needed(project["dependencies"], frozenset(), versions)}
    waiting = list(edges["kbwork"])
    while waiting:
        name, extras = waiting.pop()
        held = edges.setdefault(name, set())
        found = _needed(_requires(name), extras, versions) - held
        held |= found
        waiting += found
    whole = _component("kbwork", project["version"]) | {"type": "application"}
    whole["licenses"] = [{"license": {"id": project["license"]}}]
    names = sorted(edges.keys() - {"kbwork"})
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": whole},
        "components": [_component(name, versions[name]) for name in names],
        "dependencies": [
            {
                "ref": _purl(name, {**versions, "kbwork": project["version"]}[name]),
                "dependsOn": sorted({_purl(to, versions[to]) for to, _ in edges[name]}),
            }
            for name in ("kbwork", *names)
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def _needed(
    lines: list[str], extras: frozenset[str], versions: dict[str, str]
) -> set[tuple[str, frozenset[str]]]:
    """(name, extras) of what these requirements mean on any system."""
    found: set[tuple[str, frozenset[str]]] = set()
    for requirement in map(Requirement, lines):
        marker, name = requirement.marker, canonicalize_name(requirement.name)
        asked = marker is None or any(
            marker.evaluate({**place, "extra": extra}) for place in _PLACES for extra in ("", *extras)
        )
        if asked and name in versions:
            found.add((name, frozenset(requirement.extras)))
    return found


def _requires(name: str) -> list[str]:
    try:
        return metadata(name).get_all("Requires-Dist") or []
    except PackageNotFoundError:  # it belongs to another system
        return []


def _component(name: str, version: str) -> dict[str, Any]:
    purl = _purl(name, version)
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
    }
    licence = _licence(name)
    return found if licence is None else found | {"licenses": [licence]}


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def _licence(name: str) -> dict[str, Any] | None:
    """As the package says it: an expression, else the classifiers, else one line."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    if "License-Expression" in told:
        return {"expression": told["License-Expression"]}
    ours = [one for one in told.get_all("Classifier") or () if one.startswith("License :: ")]
    named = (
        " or ".join(one.rpartition(" :: ")[2] for one in ours) or (told.get_all("License") or [""])[0].strip()
    )
    return {"license": {"name": named}} if named and len(named) < 100 and "\n" not in named else None


if __name__ == "__main__":
    FILE.write_text(render(), encoding="utf-8", newline="\n")
