"""Evaluating flags by the JavaScript library, beside LaunchDarkly's SDK and flagd's core in one run: questions in a
second of processor time, ours with details and counting on.

python -m tests.bench flagsjs [--seconds S]

Fetches the peers by npm, into a folder that goes again; they send nothing.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import kbwork
from kbwork._build import system_node
from tests import packages

_PEERS = ("@launchdarkly/node-server-sdk@9", "@openfeature/flagd-core@4", "@openfeature/core@1")
_ROOT = Path(kbwork.__file__).parents[1]
_TESTS = _ROOT / "static" / "flags" / "test"
_NAMES = ("raw", "prepared", "launchdarkly", "flagd")


def main(argv: list[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="flagsjs")
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="of processor time, for each of five rounds"
    )
    asked = parser.parse_args(argv)
    node, npm = system_node(), shutil.which("npm")
    if node is None or npm is None:
        raise SystemExit("flagsjs needs Node 20 or newer with npm.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _installed(npm, folder)
        run = subprocess.run(
            [node, "bench.mjs", str(asked.seconds)], cwd=folder, check=True, capture_output=True, text=True
        )
    found: dict[str, dict[str, float]] = json.loads(run.stdout)
    print(f"{'millions a second':20}" + "".join(f"{name:>22}" for name in _NAMES))
    for workload, rates in found.items():
        base = rates["launchdarkly"]
        cells = (
            f"{rates[name] / 1e6:.3f} ({rates[name] / base:.1f}x)" if name in rates else "" for name in _NAMES
        )
        print(f"{workload:20}" + "".join(f"{cell:>22}" for cell in cells))
    print(json.dumps(found))


def _installed(npm: str, folder: Path) -> None:
    """A program with the peers and our package as it is handed out."""
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    subprocess.run([npm, "install", "--silent", "--ignore-scripts", *_PEERS], cwd=folder, check=True)
    packages.install("flags", folder)
    for name in ("bench.mjs", "far.mjs"):
        shutil.copy(_TESTS / name, folder)
