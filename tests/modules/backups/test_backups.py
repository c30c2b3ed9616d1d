"""Backups: taken while people write, listed, checked, fetched, taken away, and taken by the schedule."""

import datetime
import hashlib
import io
import json
import threading
import urllib.error
import urllib.request
import zipfile
import zoneinfo
from pathlib import Path
from typing import Any

import pytest

from kbwork.db.archives import backup as archives
from tests.conftest import NOW, World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make


def taken(world: World, who: str = "bo", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "backups.create", **more)
    return found


def shelf(world: World) -> list[str]:
    return [one["id"] for one in call(world, "bo", "backups.list")["items"]]


def archive(world: World, ident: str) -> Path:
    return world.folder / "backups" / f"{ident}.zip"


def test_a_backup_is_the_state_of_one_moment(world: World, tmp_path: Path) -> None:
    make(world, title="canary")
    seq = world.database.seq
    made = taken(world, note=" Before ")
    assert made == {
        "id": made["id"],
        "at": NOW,
        "kind": "manual",
        "bytes": archive(world, made["id"]).stat().st_size,
        "sha256": hashlib.sha256(archive(world, made["id"]).read_bytes()).hexdigest(),
        "seq": seq,
        "version": made["version"],
        "verified_at": None,
        "place": "backups",
        "note": "Before",
    }
    assert made["id"].startswith("20270115T080000Z-manual-")
    assert world.events_since(seq) == [("backup.created", "org:1")]
    assert call(world, "bo", "backups.list")["items"] == [made]
    file = tmp_path / "copy.db"
    manifest = archives.unpack(archive(world, made["id"]), file)
    assert (manifest.seq, manifest.note, manifest.counts["issue"]) == (seq, "Before", 1)
    with archives.opened(file) as connection:
        assert connection.execute("select title from issue").get == "canary"
    for path in (archive(world, made["id"]), archive(world, made["id"]).with_suffix(".json")):
        assert path.stat().st_mode & 0o077 == 0
    assert world.database.master_key.hex().encode() not in archive(world, made["id"]).read_bytes()


def test_the_bytes_of_files_may_be_left_out(world: World) -> None:
    key = make(world)
    added = call(
        world, "cy", "attachments.add", subject=f"issue:{key}", name="a.bin", data="//79Y2FuYXJ5LWJ5dGVzAA=="
    )
    whole, bare = taken(world)["id"], taken(world, attachments=False)["id"]
    for ident, there in ((whole, True), (bare, False)):
        file = world.folder / "seen.db"
        archives.unpack(archive(world, ident), file)
        assert (b"canary-bytes" in file.read_bytes()) is there
        with archives.opened(file) as connection:
            assert connection.execute("select name from attachment").get == "a.bin"
        file.unlink()
        assert call(world, "bo", "backups.verify", id=ident)["ok"] is True
    assert added["name"] == "a.bin"


def test_only_admins_have_anything_to_do_with_backups(world: World) -> None:
    ident = taken(world)["id"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("backups.list", {}),
        ("backups.create", {}),
        ("backups.verify", {"id": ident}),
        ("backups.fetch", {"id": ident}),
        ("backups.schedule_set", {"every": "off", "keep": 1}),
        ("backups.delete", {"id": ident}),
    ]
    for op, args in calls:
        with refused("insufficient-scope"):
            world.session("cy").call(op, args)
    with refused("elevation-needed"):
        world.key("bo").call("backups.fetch", {"id": ident})
    world.clock.advance(3600)
    with refused("elevation-needed"):
        call(world, "bo", "backups.fetch", id=ident)


@pytest.mark.parametrize("ident", ["nope", "../kbwork", "20260302T090000Z-manual-zzzz"])
def test_a_backup_that_is_not_there_is_not_found(world: World, ident: str) -> None:
    for op in ("backups.verify", "backups.fetch", "backups.delete"):
        with refused("not-found"):
            call(world, "bo", op, id=ident)


def test_a_backup_is_opened_and_checked(world: World) -> None:
    make(world)
    ident = taken(world)["id"]
    world.clock.advance(60)
    found = call(world, "bo", "backups.verify", id=ident)
    assert found["ok"] is True
    assert [check["name"] for check in found["checks"]] == [
        "checksum",
        "archive",
        "origin",
        "schema",
        "integrity",
        "rows",
        "sequence",
        "attachments",
    ]
    assert call(world, "bo", "backups.list")["items"][0]["verified_at"] == NOW + 60
    assert sorted(path.suffix for path in (world.folder / "backups").iterdir()) == [".json", ".zip"]


@pytest.mark.parametrize("at", [0.0, 0.3, 0.6, 0.999])
def test_damage_is_found_wherever_it_is(world: World, at: float) -> None:
    ident = taken(world)["id"]
    path = archive(world, ident)
    data = bytearray(path.read_bytes())
    data[int(at * (len(data) - 1))] ^= 0x40
    path.write_bytes(data)
    found = call(world, "bo", "backups.verify", id=ident)
    assert (found["ok"], found["checks"][0]["ok"]) == (False, False)


def test_a_backup_is_fetched_by_a_link_that_is_over_soon(world: World) -> None:
    made = taken(world)
    found = call(world, "bo", "backups.fetch", id=made["id"])
    assert found == {
        "name": f"kbwork-{made['id']}.zip",
        "url": found["url"],
        "size": made["bytes"],
        "sha256": made["sha256"],
    }
    with urllib.request.urlopen(world.url + found["url"]) as answer:
        assert hashlib.sha256(answer.read()).hexdigest() == made["sha256"]
        assert answer.headers["Content-Type"] == "application/zip"
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert status(world, found["url"].replace("-manual-", "-scheduled-")) == 404
    assert status(world, found["url"][:-1] + ("a" if found["url"][-1] != "a" else "b")) == 404
    world.clock.advance(300)
    assert status(world, found["url"]) == 404


def status(world: World, path: str) -> int:
    try:
        with urllib.request.urlopen(world.url + path) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_backup_goes_for_good(world: World) -> None:
    first = taken(world)["id"]
    world.clock.advance(1)
    second = taken(world)["id"]
    assert shelf(world) == [second, first]
    assert [one["id"] for one in call(world, "bo", "backups.delete", id=first)] == [second]
    assert not archive(world, first).exists()
    assert not archive(world, first).with_suffix(".json").exists()


def test_an_archive_that_was_laid_there_is_listed_and_another_file_is_not(world: World) -> None:
    made = taken(world)
    archive(world, made["id"]).with_suffix(".json").unlink()
    (world.folder / "backups" / "20260302T090000Z-manual-aaaa.zip").write_bytes(b"no archive")
    (world.folder / "backups" / "notes.zip").write_bytes(b"")
    assert call(world, "bo", "backups.list")["items"] == [made]


def test_one_backup_is_taken_at_a_time(world: World) -> None:
    world.database.doing.add("a backup is being taken")
    seq = world.database.seq
    with refused("conflict"):
        taken(world)
    assert world.events_since(seq) == [("backup.failed", "org:1")]
    world.database.doing.clear()
    assert taken(world)["kind"] == "manual"


def test_a_folder_that_cannot_be_written_is_told_of(world: World) -> None:
    (world.folder / "backups").write_text("in the way")
    seq = world.database.seq
    with refused("conflict"):
        taken(world)
    assert world.events_since(seq) == [("backup.failed", "org:1")]


# the schedule


def test_the_schedule_takes_backups_and_keeps_so_many(world: World) -> None:
    by_hand = taken(world)["id"]
    saved = call(world, "bo", "backups.schedule_set", every="hourly", keep=2)
    assert saved == {
        "every": "hourly",
        "keep": 2,
        "target": None,
        "targets": [],
        "next_at": NOW - NOW % 3600 + 3600,
        "last_error": None,
    }
    made: list[str] = []
    for _ in range(3):
        world.advance(3600)
        made.append(newest(world, {by_hand, *made}))
    eventually(lambda: shelf(world) == [made[2], made[1], by_hand])
    assert all("-scheduled-" in one for one in made)
    call(world, "bo", "backups.schedule_set", every="off", keep=2)
    assert call(world, "bo", "backups.list")["schedule"]["next_at"] is None


@pytest.mark.parametrize(
    ("zone", "every", "days"),
    [("UTC", "daily", {1}), ("Europe/Berlin", "daily", {1}), ("UTC", "weekly", {0})],
)
def test_daily_ones_are_taken_at_night_where_the_org_is(
    world: World, zone: str, every: str, days: set[int]
) -> None:
    call(world, "bo", "org.update", zone=zone)
    at = call(world, "bo", "backups.schedule_set", every=every, keep=1)["next_at"]
    local = datetime.datetime.fromtimestamp(at, zoneinfo.ZoneInfo(zone))
    assert (local.hour, local.minute, at > NOW) == (3, 0, True)
    assert every != "weekly" or local.weekday() in days


@pytest.mark.parametrize(
    "bad", [{"keep": 0}, {"keep": 366}, {"every": "yearly"}, {"target": "nas"}, {"target": "backups"}]
)
def test_a_schedule_that_cannot_be_is_refused(world: World, bad: dict[str, Any]) -> None:
    with refused("invalid-input"):
        call(world, "bo", "backups.schedule_set", **{"every": "daily", "keep": 7} | bad)


def test_what_went_wrong_with_the_last_one_is_told(world: World) -> None:
    (world.folder / "backups").write_text("in the way")
    call(world, "bo", "backups.schedule_set", every="hourly", keep=1)
    seq = world.database.seq
    world.advance(3600)
    eventually(lambda: call(world, "bo", "backups.list")["schedule"]["last_error"] is not None)
    assert ("backup.failed", "org:1") in world.events_since(seq)


def test_the_schedule_waits_for_a_backup_that_is_being_taken(world: World) -> None:
    call(world, "bo", "backups.schedule_set", every="hourly", keep=1)
    world.database.doing.add("a backup is being taken")
    seq = world.database.seq
    world.advance(3600)
    eventually(lambda: _tried(world) == [("queued", 1)])
    world.database.doing.clear()
    world.clock.advance(10)
    assert newest(world, set())
    assert call(world, "bo", "backups.list")["schedule"]["last_error"] is None
    assert ("backup.failed", "org:1") not in world.events_since(seq)


def _tried(world: World) -> list[tuple[str, int]]:
    jobs = world.database.write_now(
        lambda tx: tx.all("select state, tries from job where kind = 'backups.take' and error is not null")
    )
    return [(job["state"], job["tries"]) for job in jobs]


def newest(world: World, known: set[str]) -> str:
    """The one that is not known yet, once it is there."""
    eventually(lambda: bool(set(shelf(world)) - known))
    (found,) = set(shelf(world)) - known
    return found


# while people write


def test_each_of_several_backups_holds_what_was_acknowledged_before_it_began(world: World) -> None:
    stop = threading.Event()
    acknowledged: list[str] = []

    def write() -> None:
        while not stop.is_set():
            acknowledged.append(make(world))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(5):
            before = list(acknowledged)
            made = taken(world)
            file = world.folder / "seen.db"
            archives.unpack(archive(world, made["id"]), file)
            with archives.opened(file) as connection:
                keys = {
                    f"{key}-{number}"
                    for key, number in connection.execute(
                        "select p.key, i.number from issue i join project p on p.id = i.project"
                    )
                }
                last = connection.execute("select max(seq) from events").get
            file.unlink()
            assert set(before) <= keys
            assert last == made["seq"]
    finally:
        stop.set()
        writer.join(timeout=20)
    assert len(acknowledged) > 5


def test_a_manifest_says_what_is_inside(world: World) -> None:
    data = archive(world, taken(world)["id"]).read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        told = json.loads(found.read("manifest.json"))
    assert (told["format"], told["program"], told["attachments"]) == (1, "kbwork", True)
    assert told["counts"]["member"] == len(world.people)


def test_the_metrics_tell_when_the_last_one_was_taken(world: World) -> None:
    def last() -> float:
        with urllib.request.urlopen(f"{world.url}/metrics", timeout=20) as answer:
            lines = answer.read().decode().splitlines()
        (found,) = [line for line in lines if line.startswith("kbwork_backup_last_success_seconds ")]
        return float(found.split()[1])

    assert last() == 0
    seq = world.database.seq
    call(world, "ana", "backups.create")
    eventually(lambda: ("backup.created", "org:1") in world.events_since(seq))
    assert last() == world.clock.now()
