"""Where code names flags: what is pushed, and what a scan finds."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kbwork.cli.command_line import main
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import agent, flag, shop

Json = dict[str, Any]
COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def ref(key: str = "checkout", line: int = 1, path: str = "a.ts", text: str = "x") -> Json:
    return {"key": key, "path": path, "line": line, "text": text}


def push(world: World, *refs: Json, who: str = "cy", **more: Any) -> Json:
    asked = {
        "project": "shop",
        "repository": "acme/shop",
        "branch": "main",
        "commit": COMMIT,
        "refs": list(refs),
    }
    done: Json = call(world, who, "flags.refs_push", **asked | more)
    return done


def refs(world: World, who: str = "cy", **more: Any) -> list[Json]:
    found: list[Json] = call(world, who, "flags.refs", project="shop", **more)
    return found


@pytest.fixture
def at_work(world: World) -> World:
    shop(world)
    flag(world)
    flag(world, "banner")
    return world


def test_what_is_pushed_takes_the_place_of_its_branch(at_work: World) -> None:
    world, seq = at_work, at_work.database.seq
    assert push(world, ref(), ref(line=9), ref("none")) == {
        "refs": 2,
        "unknown": ["none"],
        "unused": ["banner"],
    }
    assert world.events_since(seq) == [("flag.refs_pushed", "flag_project:shop")]
    push(world, ref("banner"), branch="next")
    assert refs(world)[0] == {
        "key": "banner",
        "repository": "acme/shop",
        "branch": "next",
        "path": "a.ts",
        "line": 1,
        "text": "x",
        "seen_at": world.clock.now(),
    }
    assert [one["line"] for one in refs(world, "di", key="checkout")] == [1, 9]
    seq = world.database.seq
    world.clock.advance(60)
    push(world, ref(line=9), ref())
    assert world.events_since(seq) == []
    assert {one["seen_at"] for one in refs(world, key="checkout")} == {world.clock.now()}
    push(world, ref(line=3), dry_run=True)
    push(world)
    assert [one["branch"] for one in refs(world)] == ["next"]


def test_a_renamed_flag_is_found_by_both_keys(at_work: World) -> None:
    world = at_work
    push(world, ref())
    call(world, "cy", "flags.rename", project="shop", key="checkout", new_key="pay")
    assert [one["key"] for one in refs(world, key="pay")] == ["checkout"]
    assert push(world, ref(), ref("pay", 2)) == {"refs": 2, "unknown": [], "unused": ["banner"]}


def test_what_cannot_be_pushed_is_refused(at_work: World) -> None:
    world = at_work
    for wrong in (ref(line=0), ref(path=""), ref(text="x" * 201)):
        with refused("invalid-input"):
            push(world, wrong)
    with refused("unknown-field"):
        push(world, ref() | {"more": 1})
    with refused("not-found"):
        push(world, project="none")
    with refused("not-found"):
        refs(world, key="none")
    for number in range(200):
        push(world, ref(), branch=f"b{number}")
    with refused("invalid-input"):
        push(world, ref())
    push(world, branch="b0")
    push(world, ref())
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    call(world, "ana", "flags.project_save", project="shop", work_project="SECR")
    with refused("not-found"):
        refs(world)
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    assert refs(world)
    with refused("not-allowed"):
        push(world, ref())
    with refused("insufficient-scope"):
        agent(world, "ana", "flags:read").call(
            "flags.refs_push",
            {"project": "shop", "repository": "r", "branch": "b", "commit": "c", "refs": []},
        )


def test_of_two_at_once_one_stands_whole(at_work: World) -> None:
    world = at_work
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda line: push(world, ref(line=line), ref("banner", line)), (1, 2)))
    assert len(refs(world)) == 2
    assert len({one["line"] for one in refs(world)}) == 1


# Scanning.


def scan(world: World, folder: Path, *more: str) -> int:
    key = folder.parent / "key"
    key.write_text(world.people["cy"].key)
    return main(
        [
            "flags",
            "refs",
            "scan",
            str(folder),
            "--project",
            "shop",
            "--url",
            world.url,
            "--key-file",
            str(key),
            *more,
        ]
    )


def tree(folder: Path) -> Path:
    """Files that name flags, and some that are not looked at."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "cart.ts").write_text(
        'a\nif (flags.boolean("checkout", false, x)) {}\nconst b = "checkouts"\n'
    )
    (folder / "pay.py").write_text("flags.boolean('banner', False, who) or flags.string(`checkout`)\n")
    (folder / "ignored").mkdir()
    (folder / "ignored" / "made.js").write_text('"checkout"')
    (folder / ".gitignore").write_text("ignored/\n")
    (folder / "picture").write_bytes(b'\0"checkout"')
    (folder / "large.js").write_text('"checkout"\n' + "x" * 1024 * 1024)
    (folder / "link.ts").symlink_to(folder / "pay.py")
    return folder


def test_a_work_tree_is_scanned_as_git_sees_it(
    at_work: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tree(tmp_path / "shop")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    for words in (
        ["init", "-q", "-b", "main"],
        ["remote", "add", "origin", "https://me:secret@git.example.com/acme/shop.git"],
        ["add", "src"],
        ["commit", "-q", "-m", "Begin"],
    ):
        subprocess.run([*git, *words], check=True)
    flag(at_work, "unused")
    assert scan(at_work, folder, "--dry-run") == 0
    assert "src/cart.ts:2: checkout" in capsys.readouterr().out
    assert refs(at_work) == []
    assert scan(at_work, folder) == 0
    assert capsys.readouterr().out == "3 places pushed, 1 flags named nowhere\n  unused\n"
    assert [(one["key"], one["path"], one["line"]) for one in refs(at_work)] == [
        ("banner", "pay.py", 1),
        ("checkout", "pay.py", 1),
        ("checkout", "src/cart.ts", 2),
    ]
    assert {(one["repository"], one["branch"]) for one in refs(at_work)} == {("acme/shop", "main")}
    assert refs(at_work)[2]["text"] == 'if (flags.boolean("checkout", false, x)) {}'


def test_a_folder_without_git_is_scanned_too(
    at_work: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    folder = tree(tmp_path / "shop")
    assert scan(at_work, folder) == 2
    assert "--branch says what git does not know" in capsys.readouterr().err
    assert scan(at_work, folder, "--branch", "main", "--commit", COMMIT) == 0
    assert {one["path"] for one in refs(at_work)} == {"src/cart.ts", "pay.py", "ignored/made.js"}
    assert {one["repository"] for one in refs(at_work)} == {"shop"}


def test_help_lists_what_is_no_operation_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flags", "--help"]) == 0
    told = capsys.readouterr().out
    for verb in ("test", "import", "refs scan", "codegen", "rollout", "plan_save"):
        assert f"\n  {verb} " in told
