"""Backups in an S3-compatible store: sent, listed, checked, fetched, rotated, taken away and restored from there."""

import hashlib
import json
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from obstore.store import S3Store

from kbwork.base.errors import Busy
from kbwork.db.archives import bucket
from kbwork.db.connection import Unusable
from kbwork.db.tx import Write
from kbwork.modules.backups import creation
from kbwork.settings import BackupSettings, LimitSettings, Settings
from tests.buckets import stored
from tests.conftest import World
from tests.modules.backups.test_restore_all import ended, titles
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make

BUCKET = "kbwork-test"
DAY_S = 86400


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A store, with one bucket."""
    with stored(BUCKET) as url:
        yield url


@pytest.fixture
def endpoint(server: str) -> Iterator[str]:
    """The store, empty again afterwards."""
    yield server
    for name in held(server):
        store(server).delete(name)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "s3.keys"
    path.write_text("AKIDEXAMPLE\nsecretsecret\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def settings(endpoint: str, keys: Path) -> Settings:
    place = f"far=s3://{BUCKET}/team/a?endpoint={endpoint}&keys={keys}"
    return Settings(limits=LimitSettings(enabled=False), backup=BackupSettings(places=(place,)))


def store(endpoint: str) -> S3Store:
    return S3Store(
        BUCKET,
        endpoint=endpoint,
        region="us-east-1",
        access_key_id="a",
        secret_access_key="b",
        virtual_hosted_style_request=False,
        client_options={"allow_http": True},
    )


def held(endpoint: str) -> list[str]:
    return sorted(str(found["path"]) for page in store(endpoint).list() for found in page)


patiently = partial(eventually, seconds=60, every=0.1)
"""Wait for what the worker does by processes of its own."""


def sent_home(world: World, there: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    """The list once it is so, and nothing is under way any more: then the clock may be set on.

    A busy machine may be late to answer itself, for which the schedule tries again later: the clock moves while it
    waits. A job that still ran when a day passed would be taken for one whose worker died.
    """
    found: dict[str, Any] = {}

    def so() -> bool:
        waiting = jobs(world)
        if "queued" in waiting:
            world.advance(20)
        if waiting:  # a list starts a process that asks the store
            return False
        found.update(world.key("bo").call("backups.list", {}))
        return there(found["items"])

    patiently(so)
    items: list[dict[str, Any]] = found["items"]
    return items


def jobs(world: World) -> list[str]:
    """How those of the schedule stand that have not ended."""
    return world.database.write_now(
        lambda tx: tx.column(
            "select state from job where kind = 'backups.take' and state in ('queued', 'running')"
        )
    )


def scheduled(world: World, known: int) -> list[dict[str, Any]]:
    """A day later there is one more in the store."""
    world.advance(DAY_S)
    items = sent_home(world, lambda items: len([one for one in items if one["place"] == "far"]) == known + 1)
    return [one for one in items if one["place"] == "far"]


@pytest.mark.long
def test_the_schedule_sends_to_the_store_and_keeps_so_many_there(world: World, endpoint: str) -> None:
    saved = call(world, "bo", "backups.schedule_set", every="daily", keep=2, target="far")
    assert (saved["target"], saved["targets"]) == ("far", ["far"])
    for known in (0, 1):
        (newest, *_) = scheduled(world, known)
        assert (newest["place"], newest["kind"]) == ("far", "scheduled")
    world.advance(DAY_S)
    sent_home(world, lambda items: len(items) == 2 and items[0]["id"] > newest["id"])
    assert held(endpoint) == sorted(
        f"team/a/{ident}.{end}" for ident in _ids(world) for end in ("json", "zip")
    )
    assert list((world.folder / "backups").glob("*.zip")) == []


def test_sending_that_was_cut_off_behind_the_sending_is_done(
    world: World, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive lies in the store and no more at home when it is to be told of."""
    call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
    told, tries = creation.told, []

    def cut_at_first(tx: Write, backup: Any) -> Any:
        tries.append(backup["place"])
        if len(tries) == 1:
            raise Busy("Wait a moment.")
        return told(tx, backup)

    monkeypatch.setattr(creation, "told", cut_at_first)
    seq = world.database.seq
    (made,) = scheduled(world, 0)
    assert (made["place"], tries) == ("far", ["far", "far"])
    assert call(world, "bo", "backups.list")["schedule"]["last_error"] is None
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert (kinds.count("backup.created"), kinds.count("backup.failed")) == (1, 0)


def _ids(world: World) -> list[str]:
    return [one["id"] for one in world.key("bo").call("backups.list", {})["items"]]


def test_one_in_the_store_is_checked_fetched_restored_and_taken_away(world: World, endpoint: str) -> None:
    make(world, title="old")
    call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
    (made,) = scheduled(world, 0)
    make(world, title="newer")
    world.clock.advance(-DAY_S)  # who signed in did so a moment ago
    assert call(world, "bo", "backups.verify", id=made["id"])["ok"] is True
    link = call(world, "bo", "backups.fetch", id=made["id"])
    assert link["url"].startswith(endpoint)
    with urllib.request.urlopen(link["url"], timeout=20) as answer:
        assert hashlib.sha256(answer.read()).hexdigest() == made["sha256"]
    job = call(world, "ana", "backups.restore", id=made["id"])["job"]
    assert ended(world, job)["state"] == "done"
    assert titles(world) == ["old"]
    assert list((world.folder / "backups").glob("fetched-*")) == []
    left = world.key("bo").call("backups.delete", {"id": made["id"]})
    assert [one["kind"] for one in left] == ["safety"]
    assert held(endpoint) == []


def test_what_another_server_sent_is_listed(world: World, endpoint: str) -> None:
    call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
    (made,) = scheduled(world, 0)
    for path in (world.folder / "backups" / "far").glob("*"):
        path.unlink()
    store(endpoint).put("team/a/notes.txt", b"mine")
    store(endpoint).put("team/a/20260302T090000Z-manual-aaaa.zip", b"half sent")
    (found,) = world.key("bo").call("backups.list", {})["items"]
    assert found == made


def test_one_that_was_changed_in_the_store_is_not_restored(world: World, endpoint: str) -> None:
    call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
    (made,) = scheduled(world, 0)
    world.clock.advance(-DAY_S)
    store(endpoint).put(f"team/a/{made['id']}.zip", b"other")
    with refused("conflict"):
        call(world, "ana", "backups.restore", id=made["id"])


def laid(endpoint: str, name: str, note: Any) -> None:
    """What anybody may lay there who can write: an archive and its note."""
    text = note if isinstance(note, bytes) else json.dumps(note).encode()
    store(endpoint).put(f"team/a/{name}.zip", b"")
    store(endpoint).put(f"team/a/{name}.json", text)


def test_no_note_in_the_store_reaches_beyond_its_archive(world: World, endpoint: str, tmp_path: Path) -> None:
    home = call(world, "bo", "backups.create")
    victim = tmp_path / "victim.zip"
    victim.write_text("mine")
    before = sorted(path for path in tmp_path.rglob("*") if "kbwork.db" not in path.name)
    fitting = home | {"kind": "scheduled", "note": "theirs"}
    for number, evil in enumerate((f"../{home['id']}", str(victim)[:-4], str(tmp_path / "new"), "../../new")):
        laid(endpoint, f"n{number}", fitting | {"id": evil})
        laid(endpoint, f"20260302T09000{number}Z-manual-aaaa", fitting | {"id": evil, "place": "backups"})
    for _ in range(2):
        items = world.key("bo").call("backups.list", {})["items"]
    theirs = [one for one in items if one["place"] == "far"]
    assert [one["id"] for one in theirs] == [
        f"20260302T09000{number}Z-manual-aaaa" for number in (3, 2, 1, 0)
    ]
    assert [one for one in items if one["place"] == "backups"] == [home]
    after = sorted(path for path in tmp_path.rglob("*") if "kbwork.db" not in path.name)
    assert {path.parent.name for path in set(after) - set(before)} == {"backups", "far"}
    assert set(before) <= set(after)
    assert call(world, "bo", "backups.verify", id=home["id"])["ok"] is True


UNFIT: tuple[Any, ...] = (
    b"no JSON",
    b"[" * 15_000,
    b'{"a": "' + b"x" * 20_000 + b'"}',
    b"\xff\xfe",
    [],
    "text",
    {"at": "1"},
    {"at": 10**30},
    {"at": -1},
    {"at": True},
    {"bytes": 1 << 70},
    {"seq": None},
    {"kind": "other"},
    {"sha256": "../x"},
    {"note": "\ud800"},
    {"note": ["x"]},
)
"""Notes, or what makes one of a note that fits."""


def test_notes_that_do_not_fit_are_left_out_and_break_nothing(world: World, endpoint: str) -> None:
    home = call(world, "bo", "backups.create")
    for number, note in enumerate(UNFIT):
        unfit = home | note if isinstance(note, dict) else note
        laid(endpoint, f"20260302T0900{number:02}Z-manual-aaaa", unfit)
    laid(endpoint, "20260302T080000Z-manual-aaaa", home | {"note": "theirs"})
    laid(endpoint, "20260302T100000Z-manual-aaaa", home | {"note": "theirs"})
    items = world.key("bo").call("backups.list", {})["items"]
    assert [one for one in items if one["place"] == "backups"] == [home]
    assert [one["id"] for one in items if one["place"] == "far"] == [
        f"20260302T{hour}0000Z-manual-aaaa" for hour in ("10", "08")
    ]
    assert call(world, "bo", "backups.verify", id=home["id"])["ok"] is True


def test_a_store_full_of_other_things_is_no_place(
    endpoint: str, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket, "_MOST_OBJECTS", 2)
    for number in range(3):
        store(endpoint).put(f"team/a/{number}.txt", b"x")
    at = {"name": "far", "bucket": BUCKET, "prefix": "team/a", "endpoint": endpoint, "keys": str(keys)}
    with pytest.raises(Unusable, match="more than 2 objects"):
        bucket.listed(at, [])


def test_an_archive_that_grew_in_the_store_is_not_fetched(endpoint: str, keys: Path, tmp_path: Path) -> None:
    laid(endpoint, "20260302T090000Z-manual-aaaa", {})
    at = {"name": "far", "bucket": BUCKET, "prefix": "team/a", "endpoint": endpoint, "keys": str(keys)}
    store(endpoint).put("team/a/20260302T090000Z-manual-aaaa.zip", b"x" * 100)
    with pytest.raises(Unusable, match="not the archive that was sent"):
        bucket.get(at, "20260302T090000Z-manual-aaaa", str(tmp_path / "x.zip"), 99, "0" * 64)
    assert not (tmp_path / "x.zip").exists()


def test_while_the_store_is_away_the_archive_stays_home_and_is_sent_later(
    world: World, endpoint: str, keys: Path
) -> None:
    call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
    right = keys.read_text()
    keys.write_text("only one line\n" * 3)
    seq = world.database.seq
    world.advance(DAY_S)

    def schedule() -> dict[str, Any]:
        found: dict[str, Any] = world.key("bo").call("backups.list", {})["schedule"]
        return found

    patiently(lambda: schedule()["last_error"] is not None)
    assert "should hold the id of a key" in schedule()["last_error"]
    (home,) = world.key("bo").call("backups.list", {})["items"]
    assert home["place"] == "backups"
    assert world.events_since(seq).count(("backup.failed", "org:1")) == 1
    keys.write_text(right)
    world.clock.advance(3600)
    sent_home(world, lambda items: [one["place"] for one in items] == ["far"])
    assert schedule()["last_error"] is None
    assert held(endpoint) == [f"team/a/{home['id']}.json", f"team/a/{home['id']}.zip"]


def test_a_store_that_cannot_be_used_is_told_in_one_line(
    world: World, keys: Path, tmp_path: Path, endpoint: str
) -> None:
    at: dict[str, Any] = {"name": "far", "bucket": BUCKET, "endpoint": endpoint, "keys": str(keys)}
    for wrong, said in (
        ({"endpoint": "http://127.0.0.1:9"}, "it cannot be reached"),
        ({"bucket": "another-bucket"}, "no such bucket|NoSuchBucket"),
        ({"keys": str(tmp_path / "none")}, "cannot be read"),
    ):
        with pytest.raises(Unusable, match=said) as found:
            bucket.listed(at | wrong, [])
        assert "\n" not in str(found.value)
    keys.chmod(0o644)
    with refused("conflict"):
        call(world, "bo", "backups.schedule_set", every="daily", keep=5, target="far")
