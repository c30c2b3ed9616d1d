"""`kbwork backup --url`: a backup of a server elsewhere, fetched and checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kbwork.db.archives import backup
from tests.conftest import PASSWORD, World
from tests.modules.calls import call
from tests.modules.issues.test_issues import make


def kbwork(
    world: World, *argv: str | Path, who: str = "bo", given: str = ""
) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KBWORK_")}
    key_file = world.folder.parent / "key"
    key_file.write_text(world.people[who].key + "\n")
    return subprocess.run(
        [sys.executable, "-m", "kbwork", "backup", "--key-file", str(key_file), *map(str, argv)],
        capture_output=True,
        text=True,
        input=given,
        env=environ,
        check=False,
        timeout=60,
    )


def test_a_server_elsewhere_is_backed_up(world: World, tmp_path: Path) -> None:
    make(world, title="canary")
    out = tmp_path / "out.zip"
    argv = ("--url", world.url, out, "--note", "Friday", "--password-stdin")
    ran = kbwork(world, *argv, given=PASSWORD + "\n")
    assert ran.returncode == 0, ran.stderr
    assert "checked, in" in ran.stdout
    manifest = backup.unpack(out, tmp_path / "copy.db")
    assert (manifest.note, manifest.counts["issue"]) == ("Friday", 1)
    assert out.stat().st_mode & 0o077 == 0
    assert list(tmp_path.glob("*.part")) == []
    (there,) = call(world, "bo", "backups.list")["items"]
    assert there["note"] == "Friday"
    assert [one for one in call(world, "bo", "auth.sessions") if one["kind"] != "app"] == []


@pytest.mark.parametrize(
    ("who", "given", "more", "said"),
    [
        ("bo", "wrong password\n", "--password-stdin", (3, "do not open anything")),
        ("bo", "", "--note=x", (1, "--password-stdin")),
        ("cy", PASSWORD + "\n", "--password-stdin", (1, "for owners and admins")),
        ("bo", "", "--data=/tmp", (2, "--data is a folder on this machine")),
    ],
)
def test_what_cannot_be_says_why(
    world: World, tmp_path: Path, *, who: str, given: str, more: str, said: tuple[int, str]
) -> None:
    ran = kbwork(world, "--url", world.url, tmp_path / "out.zip", more, who=who, given=given)
    assert (ran.returncode, said[1] in ran.stderr) == (said[0], True), ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out.zip").exists()
    assert call(world, "bo", "backups.list")["items"] == []


def test_a_server_that_is_not_there_is_told_of(world: World, tmp_path: Path) -> None:
    ran = kbwork(world, "--url", "http://127.0.0.1:9", tmp_path / "out.zip", "--password-stdin", given="x\n")
    assert (ran.returncode, "cannot be reached" in ran.stderr) == (4, True), ran.stderr


def test_an_archive_is_not_written_over_another(world: World, tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_text("mine")
    ran = kbwork(world, "--url", world.url, tmp_path / "out.zip")
    assert (ran.returncode, "there already" in ran.stderr) == (1, True)
