"""`kbwork backup` and `kbwork restore`: from the command line, over folders that are served and such that are not."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbwork import __version__
from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.core.ports import mail
from kbwork.db.archives import backup
from kbwork.db.tx import Write
from kbwork.settings import Settings
from tests.cli.commands.here import kbwork_here
from tests.conftest import NOW, World, serving
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make


def kbwork(*argv: str | Path) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KBWORK_")}
    return subprocess.run(
        [sys.executable, "-m", "kbwork", *map(str, argv)],
        capture_output=True,
        text=True,
        env=environ,
        check=False,
    )


def restored(archive: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    ran = kbwork_here("restore", archive, "--data", folder)
    assert ran.returncode == 0, ran.stderr
    return ran


def rows(folder: Path, sql: str) -> list[Any]:
    with backup.opened(folder / "kbwork.db") as connection:
        return list(connection.execute(sql))


def test_a_served_folder_is_backed_up_and_put_back_elsewhere(world: World, tmp_path: Path) -> None:
    key = make(world, title="canary")
    world.key("cy").call("comments.create", {"subject": key, "body": "said"})
    out = tmp_path / "out.zip"
    ran = kbwork("backup", "--data", world.folder, out, "--note", "Friday")
    assert ran.returncode == 0, ran.stderr
    assert "checked, in" in ran.stdout
    assert "master.key" in ran.stderr
    assert backup.read(out).note == "Friday"
    assert list(tmp_path.glob("copy-*")) == []
    target = tmp_path / "clean"
    ran = kbwork("restore", out, "--data", target)
    assert (ran.returncode, "new master.key" in ran.stderr) == (0, True), ran.stderr
    assert sorted(path.name for path in target.iterdir()) == ["kbwork.db", "kbwork.lock", "master.key"]
    assert rows(target, "select title from issue") == [("canary",)]
    assert rows(target, "select count(*) from session") == [(0,)]
    assert (target / "kbwork.db").stat().st_mode & 0o077 == 0
    database = open_data(target, FixedClock(NOW))
    assert database.read_now(lambda tx: tx.column("select kind from events order by seq desc limit 1")) == [
        "backup.restored"
    ]
    database.close()


def test_what_is_read_is_the_same_before_and_after(world: World, settings: Settings, tmp_path: Path) -> None:
    keys = [make(world, title=f"Issue {number}", body="text " * number) for number in range(20)]
    asked: list[tuple[str, dict[str, Any]]] = [("issues.get", {"key": key}) for key in keys]
    asked += [("issues.history", {"key": keys[0]}), ("labels.list", {}), ("search.query", {"q": "text"})]
    before = [world.key("cy").call(op, args) for op, args in asked]
    out, target = tmp_path / "out.zip", tmp_path / "clean"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    restored(out, target)
    with serving(World(target, world.clock, world.people), settings) as again:
        assert [again.key("cy").call(op, args) for op, args in asked] == before


def test_a_restore_keeps_what_was_there_and_shuts_out_who_was_shut_out(world: World, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    make(world, title="old")
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    make(world, title="newer")
    call(world, "ana", "members.deactivate", id="@di", on=True)
    key = next(one["id"] for one in world.session("cy").call("keys.list", {}))
    call(world, "cy", "keys.revoke", id=key)
    copy = tmp_path / "copy"
    seq = world.database.seq
    assert kbwork("backup", "--data", world.folder, tmp_path / "now.zip").returncode == 0
    restored(tmp_path / "now.zip", copy)
    ran = restored(out, copy)
    (safety,) = (copy / "backups").glob("*-safety-*.zip")
    assert str(safety) in ran.stderr
    assert rows(copy, "select title from issue") == [("old",)]
    assert rows(copy, "select state from member where handle = 'di'") == [("deactivated",)]
    assert rows(copy, f"select revoked_at is not null from key where id = '{key}'") == [(1,)]
    assert rows(copy, "select max(seq) from events")[0][0] > seq
    restored(safety, copy)
    assert rows(copy, "select count(*) from issue") == [(2,)]


def test_a_folder_that_is_served_is_not_restored_into(world: World, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    make(world)
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    ran = kbwork("restore", out, "--data", world.folder)
    assert (ran.returncode, "in use by another kbwork" in ran.stderr) == (2, True)
    assert not (world.folder / "restoring").exists()
    assert len(world.key("cy").issues.list()["items"]) == 1


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda _: b"", "no backup, or it is cut short"),
        (lambda _: b"PK\x03\x04 nothing", "no backup, or it is cut short"),
        (_cut, "no backup, or it is cut short"),
        (_flipped, "is damaged"),
    ],
)
def test_a_damaged_archive_is_refused_before_anything_is_touched(
    world: World, tmp_path: Path, spoil: Callable[[bytes], bytes], said: str
) -> None:
    out, target = tmp_path / "out.zip", tmp_path / "clean"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    restored(out, target)
    before = (target / "kbwork.db").read_bytes()
    out.write_bytes(spoil(out.read_bytes()))
    ran = kbwork_here("restore", out, "--data", target)
    assert (ran.returncode, said in ran.stderr, ran.stderr.count("\n")) == (2, True, 1), ran.stderr
    assert (target / "kbwork.db").read_bytes() == before
    assert not (target / "restoring").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"program": "other"}, "another program"),
        ({"format": 2}, "newer kbwork"),
        ({"schema": "209901010000_later", "version": "9.9.9"}, "newer kbwork (9.9.9; this is " + __version__),
        ({"bytes": "many"}, "manifest cannot be read"),
        ({"bytes": 10}, "is damaged"),
        ({"sha256": "0" * 64}, "is damaged"),
    ],
)
def test_an_archive_of_another_kind_is_refused(
    world: World, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    out = tmp_path / "out.zip"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    with zipfile.ZipFile(out) as found:
        told, data = json.loads(found.read("manifest.json")), found.read("kbwork.db")
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("manifest.json", json.dumps(told | changes))
        made.writestr("kbwork.db", data)
    ran = kbwork_here("restore", out, "--data", tmp_path / "clean")
    assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr


def test_an_archive_with_other_members_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("../../kbwork.db", "x")
    ran = kbwork_here("restore", out, "--data", tmp_path / "clean")
    assert (ran.returncode, "no backup of kbwork" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["backup", "--data", "{tmp}/none", "{tmp}/out.zip"], "holds no data file"),
        (["backup", "--data", "{data}", "{tmp}/none/out.zip"], "is no folder"),
        (["restore", "{tmp}/none.zip", "--data", "{tmp}/clean"], "cannot be read"),
        (["restore", "{tmp}/none.zip"], "--data"),
    ],
)
def test_a_command_line_that_cannot_be_says_why(
    world: World, tmp_path: Path, argv: list[str], said: str
) -> None:
    ran = kbwork(*(part.format(tmp=tmp_path, data=world.folder) for part in argv))
    assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr


def test_an_archive_is_not_written_over_another(world: World, tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_text("mine")
    ran = kbwork("backup", "--data", world.folder, tmp_path / "out.zip")
    assert (ran.returncode, "there already" in ran.stderr) == (1, True)
    ran = kbwork("backup", "--data", world.folder, tmp_path)
    assert (ran.returncode, len(list(tmp_path.glob("kbwork-*.zip")))) == (0, 1)


def test_an_erased_person_is_erased_again(world: World, tmp_path: Path) -> None:
    """By the job that erases, when the server runs."""
    out, target = tmp_path / "out.zip", tmp_path / "clean"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    restored(out, target)
    di = world.people["di"].id
    database = open_data(target, FixedClock(NOW))

    def erase(tx: Write) -> None:
        tx.execute("update member set state = 'erased', name = 'former member' where id = :id", id=di)

    database.write_now(erase)
    database.close()
    restored(out, target)
    assert rows(target, f"select state, name from member where id = '{di}'") == [("deactivated", "Di Park")]
    ((kind, args),) = rows(target, "select kind, args from job where state = 'queued'")
    assert (kind, json.loads(args)["member"]) == ("members.erase", di)


def test_nobody_signs_in_to_restored_data_with_what_was_void(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    out, target = tmp_path / "out.zip", tmp_path / "clean"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    restored(out, target)
    with serving(World(target, world.clock, world.people), settings) as again:
        with refused("unauthenticated"):
            again.session("cy").call("auth.me", {})
        assert again.key("cy").call("auth.me", {})["member"]["id"] == world.people["cy"].id


def test_letters_that_waited_when_the_backup_was_taken_are_not_sent_again(
    world: World, tmp_path: Path
) -> None:
    def write(tx: Write) -> None:
        mail.set_up(tx, mail.SetUp(sends=1, domain="acme.example", origin=world.url))
        mail.to_address(tx, "di@acme.example", mail.Letter(subject="News", text="Once"))

    world.database.write_now(write)
    out, target = tmp_path / "out.zip", tmp_path / "clean"
    assert kbwork("backup", "--data", world.folder, out).returncode == 0
    restored(out, target)
    assert rows(target, "select address, state from mail") == [("di@acme.example", "held")]
