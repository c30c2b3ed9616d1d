"""An archive says who made it: this server, another one or nobody knows who, and whether it was changed since."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.db.archives.origin import key_of, signed
from tests.cli.commands.here import kbwork_here
from tests.conftest import World
from tests.modules.backups.test_backups import archive, taken
from tests.modules.backups.test_restore_all import ended, sent
from tests.modules.calls import call
from tests.modules.issues.test_issues import make

Manifest = dict[str, Any]


def _same(told: Manifest) -> Manifest:
    return told


def _elsewhere(told: Manifest) -> Manifest:
    return signed({name: told[name] for name in told if name != "signature"}, key_of(b"another"))


def _unsigned(told: Manifest) -> Manifest:
    return {name: told[name] for name in told if name not in ("made_by", "signature")}


def _changed(told: Manifest) -> Manifest:
    return told | {"note": "other"}


def _half_signed(told: Manifest) -> Manifest:
    return {name: told[name] for name in told if name != "signature"}


def rewritten(path: Path, to: Path, change: Callable[[Manifest], Manifest]) -> Path:
    """The same archive with another manifest."""
    with zipfile.ZipFile(path) as found, zipfile.ZipFile(to, "w") as out:
        out.writestr("manifest.json", json.dumps(change(json.loads(found.read("manifest.json")))))
        out.writestr("kbwork.db", found.read("kbwork.db"))
    return to


ORIGINS: list[tuple[Callable[[Manifest], Manifest], str]] = [
    (_same, "here"),
    (_elsewhere, "elsewhere"),
    (_unsigned, "unsigned"),
]


@pytest.mark.parametrize(("change", "named"), ORIGINS)
def test_a_restore_names_where_an_archive_was_made(
    world: World, tmp_path: Path, change: Callable[[Manifest], Manifest], named: str
) -> None:
    make(world)
    made = rewritten(archive(world, taken(world)["id"]), tmp_path / "made.zip", change)
    job = ended(
        world, call(world, "ana", "backups.restore", upload=sent(world, "ana", made.read_bytes()))["job"]
    )
    assert (job["state"], job["result"]["origin"]) == ("done", named)


@pytest.mark.parametrize("change", [_changed, _half_signed])
@pytest.mark.parametrize("scope", ["all", "project:WEB"])
def test_one_that_was_changed_is_refused_and_nothing_is_changed(
    world: World, tmp_path: Path, change: Callable[[Manifest], Manifest], scope: str
) -> None:
    make(world)
    made = rewritten(archive(world, taken(world)["id"]), tmp_path / "made.zip", change)
    seq = world.database.seq
    upload = sent(world, "ana", made.read_bytes())
    with pytest.raises(KbworkProblem, match="changed since this server made it: use another") as refusal:
        call(world, "ana", "backups.restore", upload=upload, scope=scope)
    assert refusal.value.slug == "conflict"
    assert world.events_since(seq) == []


@pytest.mark.parametrize(
    ("change", "ok", "said"),
    [
        (_same, True, "made by this server"),
        (_elsewhere, True, "made elsewhere"),
        (_unsigned, True, "not signed"),
        (_changed, False, "changed since this server made it"),
    ],
)
def test_a_check_says_who_made_it(
    world: World, tmp_path: Path, change: Callable[[Manifest], Manifest], ok: bool, said: str
) -> None:
    ident = taken(world)["id"]
    path = archive(world, ident)
    rewritten(path, tmp_path / "made.zip", change).replace(path)
    path.with_suffix(".json").unlink()
    checks = {one["name"]: one for one in call(world, "bo", "backups.verify", id=ident)["checks"]}
    assert (checks["origin"]["ok"], said in checks["origin"]["detail"]) == (ok, True), checks


def test_the_command_line_restores_on_another_machine_and_says_so(world: World, tmp_path: Path) -> None:
    made, clean = archive(world, taken(world)["id"]), tmp_path / "clean"
    ran = kbwork_here("restore", made, "--data", clean)
    assert (ran.returncode, f"{made} is made elsewhere" in ran.stderr) == (0, True), ran.stderr
    (clean / "master.key").write_bytes((world.folder / "master.key").read_bytes())
    ran = kbwork_here("restore", made, "--data", clean)
    assert (ran.returncode, "made elsewhere" in ran.stderr) == (0, False), ran.stderr
    (safety,) = (clean / "backups").glob("*-safety-*.zip")
    assert "is made elsewhere" not in kbwork_here("restore", safety, "--data", clean).stderr
    here = tmp_path / "here.zip"
    assert kbwork_here("backup", "--data", clean, here).returncode == 0
    assert "is made elsewhere" not in kbwork_here("restore", here, "--data", clean).stderr
    changed = rewritten(made, tmp_path / "changed.zip", _changed)
    ran = kbwork_here("restore", changed, "--data", clean)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert f"{changed} was changed since this server made it" in ran.stderr


def test_a_backup_of_a_folder_without_its_key_is_unsigned_and_makes_none(
    world: World, tmp_path: Path
) -> None:
    """As where the key is in the environment of the server alone."""
    clean, out = tmp_path / "clean", tmp_path / "out.zip"
    made = archive(world, taken(world)["id"])
    assert kbwork_here("restore", made, "--data", clean).returncode == 0
    (clean / "master.key").unlink()
    assert kbwork_here("backup", "--data", clean, out).returncode == 0
    assert not (clean / "master.key").exists()
    again = kbwork_here("restore", out, "--data", tmp_path / "again")
    assert f"{out} is not signed" in again.stderr
