"""The TypeScript client: its own tests, run by Node on the package that the server hands out, and its types."""

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import kbwork
from tests import packages
from tests.conftest import World
from tests.web.conftest import ROOT

CLIENT = ROOT / "static" / "client"
WEB = ROOT / "kbwork" / "web"
MANUAL = ROOT / "kbwork" / "docs" / "typescript.md"
_EXAMPLE = re.compile(r"^```js\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.long
def test_the_client_does_what_it_says(node: str, world: World, tmp_path: Path) -> None:
    packages.install("client", tmp_path)
    shutil.copytree(CLIENT / "test", tmp_path / "test")
    files = [f"test/{path.name}" for path in sorted((CLIENT / "test").glob("*.test.mjs"))]
    files.append(_manual(tmp_path / "test"))
    ana = world.people["ana"]
    done = subprocess.run(
        [node, "--test", "--test-concurrency=4", "--test-reporter=spec", "--test-timeout=60000", *files],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "KBWORK_URL": world.url,
            "KBWORK_KEY": ana.key,
            "KBWORK_SESSION": ana.session,
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"pass (\d+)", done.stdout)[-1]) > 25, done.stdout


def _manual(place: Path) -> str:
    """The examples of the manual as a test: each as it stands, in their order."""
    examples = _EXAMPLE.findall(MANUAL.read_text(encoding="utf-8"))
    for number, example in enumerate(examples):
        (place / f"manual-{number}.mjs").write_text(example)
    runs = "\n".join(f'test("example {n}", () => import("./manual-{n}.mjs"));' for n in range(len(examples)))
    (place / "manual.test.mjs").write_text(f'import {{ test }} from "node:test";\n{runs}\n')
    return "test/manual.test.mjs"


def test_the_manual_names_the_package_of_this_version() -> None:
    found = re.findall(r"kbwork-client-(\d+\.\d+\.\d+)\.(?:tgz|js)", MANUAL.read_text(encoding="utf-8"))
    assert (set(found), len(found)) == ({kbwork.__version__}, 3)


@pytest.mark.parametrize("project", [".", "app", "app/worker", "editor"])
def test_what_fits_compiles_and_nothing_else(node: str, project: str) -> None:
    """In the strictest way: the client with `types.test-d.ts`, with what does not compile, and all else."""
    compiler = ROOT / "static" / "node_modules" / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        [node, str(compiler), "--noEmit", "--project", project],
        cwd=ROOT / "static",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_what_is_in_every_page_is_small(node: str) -> None:
    module = (WEB / "clients" / f"kbwork-client-{kbwork.__version__}.js").read_bytes()
    weights = json.loads((WEB / "sizes.json").read_text(encoding="utf-8"))
    assert len(gzip.compress(module, 9)) <= 5 * 1024
    assert abs(weights["client"] - len(gzip.compress(module, 9))) < 50


def test_no_name_means_two_things() -> None:
    """Of the shapes and what is written by hand."""
    told = {
        name: re.findall(
            r"^export (?:declare )?(?:interface|type|class|const|function) (\w+)",
            (CLIENT / "types" / name).read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        for name in ("index.d.ts", "contract.d.ts")
    }
    every = [one for names in told.values() for one in names]
    assert sorted(every) == sorted(set(every))
    assert {"Kbwork", "Problem", "Issue", "Operations"} <= set(every)
