"""The extension for editors: its own tests, run by Node on the package that the server hands out."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import kbwork
from tests.conftest import World
from tests.modules.flags.flag_project import flag, shop
from tests.web.conftest import ROOT

EDITOR = ROOT / "static" / "editor"
PACKAGE = ROOT / "kbwork" / "web" / "clients" / "kbwork.vsix"


def test_the_extension_does_what_it_says(node: str, world: World, tmp_path: Path) -> None:
    shop(world)
    flag(world, "banner")
    with zipfile.ZipFile(PACKAGE) as packed:
        packed.extractall(tmp_path)
    shutil.copytree(EDITOR / "test", tmp_path / "test")
    ana = world.people["ana"]
    done = subprocess.run(
        [node, "--test", "--test-reporter=spec", "--test-timeout=40000", "test/editor.test.mjs"],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "KBWORK_URL": world.url,
            "KBWORK_KEY": ana.key,
            "KBWORK_SESSION": ana.session,
            "KBWORK_OTHER_KEY": world.people["bo"].key,
            "KBWORK_EXTENSION": str(tmp_path / "extension" / "extension.js"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"pass (\d+)", done.stdout)[-1]) >= 12, done.stdout


def test_an_editor_finds_in_the_package_what_it_looks_for(node: str) -> None:
    with zipfile.ZipFile(PACKAGE) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        told = json.loads(packed.read("extension/package.json"))
        manifest = packed.read("extension.vsixmanifest").decode()
        kinds = packed.read("[Content_Types].xml").decode()
        code = packed.read("extension/extension.js").decode()
    assert told["version"] == kbwork.__version__
    assert f'Id="kbwork" Version="{kbwork.__version__}" Publisher="kbwork"' in manifest
    assert {f"extension/{path}" for path in ("extension.js", "package.json", "media/kbwork.svg")} < set(names)
    assert set(re.findall(r'Path="([^"]+)"', manifest)) < set(names)
    assert all(f'Extension=".{name.rpartition(".")[2]}"' in kinds for name in names[2:])
    assert set(re.findall(r'require\("([^"]+)"\)', code)) == {"vscode"}


def test_the_package_is_small_and_the_same_each_time(node: str, tmp_path: Path) -> None:
    assert PACKAGE.stat().st_size <= 50_000
    subprocess.run([node, "build.mjs", str(tmp_path)], cwd=ROOT / "static", check=True)
    again = (tmp_path / "clients" / "kbwork.vsix").read_bytes()
    assert hashlib.sha256(again).digest() == hashlib.sha256(PACKAGE.read_bytes()).digest()
    assert json.loads((tmp_path / "sizes.json").read_text(encoding="utf-8"))["editor"] == len(again)
