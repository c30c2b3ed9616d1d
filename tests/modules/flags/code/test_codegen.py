"""Typed code of a project's flags: it compiles under the strictest settings, and asks for what it says."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kbwork._build import system_node
from kbwork.cli.command_line import main
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, shop

ROOT = Path(__file__).parents[4]
KINDS: list[tuple[str, list[Any]]] = [
    ("string", ["a", 'b"\\\n*/ alert()']),
    ("number", [1.5, -2]),
    ("json", [{"a": [1, None]}, [True]]),
]


@pytest.fixture
def at_work(world: World) -> World:
    shop(world)
    flag(world, "new-checkout", name='Pay */ "now"', description='"""\\ it\n# is', client_side=True)
    for kind, values in KINDS:
        flag(world, f"a.{kind}", kind=kind, variations=[{"value": value} for value in values])
    for key in ("class", "1st", "newCheckout", "new_checkout", "--", "gone"):
        flag(world, key)
    call(world, "cy", "flags.archive", project="shop", key="gone")
    return world


def made(world: World, folder: Path, lang: str, *more: str) -> Path:
    """The file that the command writes."""
    key, out = folder / "key", folder / ("shop_flags.py" if lang == "python" else "shop.ts")
    key.write_text(world.people["cy"].key)
    where = ["--url", world.url, "--key-file", str(key), "--out", str(out)]
    assert main(["flags", "codegen", "--lang", lang, "--project", "shop", *where, *more]) == 0
    return out


class Asked:
    """A client that answers the default, and says what it was asked for."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, Any]] = []

    def __getattr__(self, kind: str) -> Any:
        def ask(key: str, default: Any, context: object) -> Any:
            self.told.append((kind, key, default))
            return default

        return ask


def test_python_is_strict_and_asks_for_what_it_says(at_work: World, tmp_path: Path) -> None:
    path = made(at_work, tmp_path, "python")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout
    spec = importlib.util.spec_from_file_location("shop_flags", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    client = Asked()
    flags = module.Flags(client)
    assert flags.new_checkout({"key": "ana"}) is False
    assert flags.a_string({"key": "ana"}) == KINDS[0][1][1]
    assert flags.a_number({"key": "ana"}, 7) == 7
    assert flags.a_json({"key": "ana"}) is None
    flags.class_({"key": "ana"})
    flags.flag_1st({"key": "ana"})
    assert [key for _, key, _ in client.told] == [
        "new-checkout",
        "a.string",
        "a.number",
        "a.json",
        "class",
        "1st",
    ]
    assert "gone" not in path.read_text()


def test_typescript_is_strict(at_work: World, tmp_path: Path) -> None:
    node = system_node()
    if node is None:
        pytest.skip("no Node 20 or newer to test with")
    compiler = ROOT / "static" / "node_modules" / "typescript" / "bin" / "tsc"
    settings = {
        "compilerOptions": {
            "strict": True,
            "noEmit": True,
            "target": "es2022",
            "module": "nodenext",
            "moduleResolution": "nodenext",
            "noUnusedLocals": True,
            "noUncheckedIndexedAccess": True,
            "exactOptionalPropertyTypes": True,
            "types": [],
        },
        "include": ["*.ts"],
    }
    library = tmp_path / "node_modules" / "@kbwork" / "flags"
    library.mkdir(parents=True)
    package = json.loads((ROOT / "static" / "flags" / "package.json").read_text())
    (library / "package.json").write_text(json.dumps(package))
    (library / "dist").symlink_to(ROOT / "static" / "flags" / "types")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    made(at_work, tmp_path, "ts").rename(tmp_path / "server.ts")
    made(at_work, tmp_path, "ts", "--browser").rename(tmp_path / "page.ts")
    (tmp_path / "use.ts").write_text(
        'import { createClient } from "@kbwork/flags";\n'
        'import { flagsOf, keys, type FlagKey } from "./server.js";\n'
        'const flags = flagsOf(createClient({ sdkKey: "srv_x" }));\n'
        'export const on: boolean = flags.newCheckout({ key: "ana" });\n'
        'export const text: string = flags.aString({ key: "ana" }, "x");\n'
        "export const key: FlagKey = keys.newCheckout;\n"
        "// @ts-expect-error - it is text\n"
        'export const wrong: number = flags.aString({ key: "ana" });\n'
    )
    done = subprocess.run(
        [node, str(compiler), "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    page = (tmp_path / "page.ts").read_text()
    assert '"new-checkout"' in page
    assert "a.string" not in page


def test_pages_run_no_python(at_work: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--lang", "python", "--browser", "--project", "shop"]
    assert main(["flags", "codegen", *asked]) == 2
    assert "TypeScript" in capsys.readouterr().err
