"""A whole backup is put in the place of the data while the server runs and people write."""

import contextlib
import http.client
import io
import itertools
import json
import os
import shutil
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.base.errors import Busy, StorageFull
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.jobs.kinds import enqueue
from kbwork.db.archives import backup as archives
from kbwork.db.archives.check import check
from kbwork.db.folder import Folder
from kbwork.db.swap import steady
from kbwork.db.tx import Write
from kbwork.modules.backups import creation
from kbwork.modules.backups.model import Backup
from kbwork.settings import Settings
from tests.conftest import PASSWORD, World, serving
from tests.modules.backups.old_archives import aged
from tests.modules.backups.test_backups import archive, taken
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make


def restored(world: World, ident: str, who: str = "ana") -> dict[str, Any]:
    """Restores, and answers the job as it ended."""
    job = call(world, who, "backups.restore", id=ident)["job"]
    return ended(world, job)


def ended(world: World, job: int) -> dict[str, Any]:
    """A job when it is over, for a key, which outlives the exchange.

    Looked for in the data: a client that is told to come back comes in two seconds.
    """

    def over() -> bool:
        with contextlib.suppress(Busy):
            at = world.database.read_now(
                lambda tx: tx.value("select ended_at from job where id = :id", id=job)
            )
            return at is not None
        return False

    eventually(over, seconds=60)
    found: dict[str, Any] = world.key("ana").call("jobs.get", {"id": job})
    return found


def titles(world: World) -> list[str]:
    return sorted(one["title"] for one in world.key("cy").issues.list()["items"])


def sign_in(world: World, handle: str) -> None:
    """Sessions are void after a restore."""
    with Kbwork(world.url, "") as nobody:
        found = nobody.call("auth.login", {"email": f"{handle}@acme.example", "password": PASSWORD})
    name = f"{handle}'s session"
    world.clients.pop(name).close()
    world.clients[name] = Kbwork(world.url, found["token"])


def test_the_data_of_a_backup_are_served_again(world: World) -> None:
    make(world, title="old")
    ident = taken(world)["id"]
    make(world, title="newer")
    seq = world.database.seq
    started = world.database.seq
    found = restored(world, ident)
    assert (found["state"], found["kind"], found["progress"]) == ("done", "backups.restore", 1)
    assert found["by"] == world.people["ana"].id
    told = found["result"]
    assert (told["scope"], told["safety"].split("-")[1]) == ("all", "safety")
    assert titles(world) == ["old"]
    events = world.events_since(seq)
    assert ("backup.restored", "org:1") in events
    assert world.database.seq > started
    assert sorted(path.name for path in world.folder.glob("*")) == [
        "backups",
        "kbwork.db",
        "kbwork.db-shm",
        "kbwork.db-wal",
        "kbwork.lock",
        "kbwork.reserve",
        "master.key",
    ]
    assert list(check(world.folder / "kbwork.db")) == []


def test_the_safety_copy_brings_back_what_was_there(world: World) -> None:
    make(world, title="old")
    ident = taken(world)["id"]
    make(world, title="newer")
    safety = restored(world, ident)["result"]["safety"]
    shelf = [one["id"] for one in call_list(world)]
    assert shelf[0] == safety or safety in shelf
    sign_in(world, "ana")
    assert restored(world, safety)["state"] == "done"
    assert titles(world) == ["newer", "old"]
    running = [one for one in world.key("ana").call("jobs.list", {"all": True}) if one["state"] == "running"]
    assert running == []


def call_list(world: World) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = world.key("bo").call("backups.list", {})["items"]
    return items


def test_what_opened_the_data_is_void_and_who_was_shut_out_stays_out(world: World) -> None:
    ident = taken(world)["id"]
    call(world, "ana", "members.deactivate", id="@di", on=True)
    key = next(one["id"] for one in world.session("cy").call("keys.list", {}))
    call(world, "cy", "keys.revoke", id=key)
    assert restored(world, ident)["state"] == "done"
    for client in (world.session("ana"), world.session("bo"), world.key("cy"), world.key("di")):
        with refused("unauthenticated"):
            client.call("auth.me", {})
    assert world.key("bo").call("auth.me", {})["member"]["id"] == world.people["bo"].id


class Writers:
    """Four callers who make issues until they are stopped: what was acknowledged, and how the rest was refused."""

    def __init__(self, world: World) -> None:
        self.acknowledged: list[str] = []
        self.refusals: set[tuple[int, bool]] = set()
        """(status, whether it says when to come back)."""
        self._world = world
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(number,)) for number in range(4)]

    def __enter__(self) -> "Writers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=20)

    def _write(self, number: int) -> None:
        token = self._world.people["cy"].key
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(urlsplit(self._world.url).netloc, timeout=20)
        with contextlib.closing(connection):
            for count in itertools.count():
                if self._stop.is_set():
                    return
                title = f"{number}-{count}"
                body = json.dumps({"project": "WEB", "title": title})
                connection.request("POST", "/api/v1/issues.create", body, headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    self.acknowledged.append(title)
                else:
                    self.refusals.add((answer.status, answer.headers["Retry-After"] is not None))


@pytest.mark.long
def test_writers_see_an_answer_or_busy_and_nothing_acknowledged_is_lost(world: World) -> None:
    """Before the exchange it is in the safety copy, after it in the data."""
    ident = taken(world)["id"]
    safeties = []
    with Writers(world) as writers:
        for _ in range(3):
            before = len(writers.acknowledged)
            eventually(lambda before=before: len(writers.acknowledged) > before + 20)  # type: ignore[misc]  # bound by default
            found = restored(world, ident)
            assert found["state"] == "done", found
            safeties.append(found["result"]["safety"])
            sign_in(world, "ana")
    assert writers.refusals <= {(503, True)}
    held = set(titles_of(world.folder / "kbwork.db"))
    for safety in safeties:
        copy = world.folder / "seen.db"
        archives.unpack(archive(world, safety), copy)
        held |= set(titles_of(copy))
        copy.unlink()
    assert set(writers.acknowledged) - held == set()
    assert list(check(world.folder / "kbwork.db")) == []


def titles_of(path: Path) -> Iterator[str]:
    with archives.opened(path) as connection:
        for (title,) in connection.execute("select title from issue"):
            yield title


def test_streams_end_and_who_comes_back_hears_of_it(world: World) -> None:
    ident = taken(world)["id"]
    make(world)
    seq = world.database.seq
    headers = {"Authorization": f"Bearer {world.people['bo'].key}", "Last-Event-ID": str(seq)}
    request = urllib.request.Request(f"{world.url}/api/v1/stream", headers=headers)
    with urllib.request.urlopen(request, timeout=20) as stream:
        assert stream.readline().startswith(b"event: hello")
        job = call(world, "ana", "backups.restore", id=ident)["job"]
        stream.read()  # to its end, which is clean: else this raises IncompleteRead
    assert ended(world, job)["state"] == "done"
    with urllib.request.urlopen(request, timeout=20) as stream:
        lines = [stream.readline() for _ in range(6)]
    assert b"event: backup.restored\n" in lines


def held_up(world: World, kind: str, who: str) -> int:
    """A job that nobody takes up."""

    def begin(tx: Write) -> int:
        job = enqueue(tx, kind, {}, by=world.people[who].id)
        tx.execute("update job set run_at = :at where id = :id", at=tx.now + 3600, id=job)
        return job

    return world.database.write_now(begin)


def test_a_long_poll_does_not_hold_the_exchange_up(world: World) -> None:
    ident = taken(world)["id"]
    waiting = held_up(world, "other.kind", "cy")
    refusals: list[str] = []

    def wait() -> None:
        try:
            with Kbwork(world.url, world.people["cy"].key) as client:
                client.retries = 0
                client.call("jobs.get", {"id": waiting, "wait_seconds": 20})
        except KbworkProblem as problem:
            refusals.append(problem.slug)

    thread = threading.Thread(target=wait)
    thread.start()
    assert restored(world, ident)["state"] == "done"
    thread.join(timeout=20)
    assert refusals == ["busy"]


def test_answers_kept_in_memory_are_void(world: World) -> None:
    key = make(world, title="old")
    ident = taken(world)["id"]
    world.key("cy").call("issues.update", {"key": key, "title": "newer"})
    assert world.key("cy").call("issues.get", {"key": key})["title"] == "newer"
    call(world, "bo", "org.modules_set", off=["labels"])
    assert restored(world, ident)["state"] == "done"
    assert world.key("cy").call("issues.get", {"key": key})["title"] == "old"
    assert isinstance(world.key("cy").call("labels.list", {}), list)


def test_two_restores_at_once_are_one(world: World) -> None:
    ident = taken(world)["id"]
    world.database.doing.add("a backup is being taken")
    with refused("conflict"):
        call(world, "ana", "backups.restore", id=ident)
    world.database.doing.clear()
    job = held_up(world, "backups.restore", "ana")
    with refused("conflict"):
        call(world, "ana", "backups.restore", id=ident)
    call(world, "ana", "jobs.cancel", id=job)
    assert restored(world, ident)["state"] == "done"


def test_only_an_elevated_owner_restores(world: World) -> None:
    ident = taken(world)["id"]
    with refused("insufficient-scope"):
        call(world, "cy", "backups.restore", id=ident)
    with refused("not-allowed"):
        call(world, "bo", "backups.restore", id=ident)
    with refused("elevation-needed"):
        world.key("ana").call("backups.restore", {"id": ident})
    world.clock.advance(3600)
    with refused("elevation-needed"):
        call(world, "ana", "backups.restore", id=ident)


@pytest.mark.parametrize(
    ("args", "slug"),
    [
        ({}, "invalid-input"),
        ({"id": "x", "upload": "y"}, "invalid-input"),
        ({"id": "20260302T090000Z-manual-zzzz"}, "not-found"),
        ({"upload": "u_none"}, "not-found"),
        ({"id": "x", "scope": "everything"}, "invalid-input"),
        ({"id": "x", "scope": "space:HR"}, "invalid-input"),
    ],
)
def test_what_cannot_be_restored_is_refused(world: World, args: dict[str, Any], slug: str) -> None:
    with refused(slug):
        call(world, "ana", "backups.restore", **args)


def sent(world: World, who: str, data: bytes) -> str:
    request = urllib.request.Request(
        f"{world.url}/files/upload?name=archive.zip",
        data=data,
        headers={
            "Authorization": f"Bearer {world.people[who].key}",
            "Content-Type": "application/octet-stream",
        },
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return str(json.load(answer)["upload"])


def test_an_archive_from_elsewhere_is_restored(world: World) -> None:
    make(world, title="old")
    data = archive(world, taken(world)["id"]).read_bytes()
    make(world, title="newer")
    with refused("not-found"):
        call(world, "ana", "backups.restore", upload=sent(world, "bo", data))
    job = call(world, "ana", "backups.restore", upload=sent(world, "ana", data))["job"]
    assert ended(world, job)["state"] == "done"
    assert titles(world) == ["old"]


def test_an_archive_of_an_earlier_version_is_restored(world: World, tmp_path: Path) -> None:
    make(world, title="old")
    old = aged(archive(world, taken(world)["id"]), tmp_path, "202611200038_views")
    make(world, title="newer")
    job = call(world, "ana", "backups.restore", upload=sent(world, "ana", old.read_bytes()))["job"]
    assert ended(world, job)["state"] == "done"
    assert titles(world) == ["old"]
    assert [hit["title"] for hit in world.key("ana").call("search.query", {"q": "old"})["items"]] == [
        "WEB-1 old"
    ]
    assert list(check(world.folder / "kbwork.db")) == []


def _other(told: dict[str, Any]) -> dict[str, Any]:
    return told | {"program": "other"}


def _newer(told: dict[str, Any]) -> dict[str, Any]:
    return told | {"schema": "209901010000_later", "version": "9.9.9"}


def changed(world: World, tmp_path: Path, change: Any, data: bytes | None = None) -> bytes:
    """An archive with another manifest, by somebody who takes the signature away."""
    made = tmp_path / "changed.zip"
    with zipfile.ZipFile(archive(world, taken(world)["id"])) as found:
        told, held = json.loads(found.read("manifest.json")), found.read("kbwork.db")
    del told["made_by"], told["signature"]
    with zipfile.ZipFile(made, "w") as out:
        out.writestr("manifest.json", json.dumps(change(told)))
        out.writestr("kbwork.db", data or held)
    return made.read_bytes()


@pytest.mark.parametrize(
    ("change", "said"), [(_other, "another program"), (_newer, "newer kbwork (9.9.9"), (None, "no backup")]
)
def test_a_foreign_or_newer_archive_is_refused_at_once(
    world: World, tmp_path: Path, change: Any, said: str
) -> None:
    data = changed(world, tmp_path, change) if change else b"nothing"
    with pytest.raises(KbworkProblem) as found:
        call(world, "ana", "backups.restore", upload=sent(world, "ana", data))
    assert (found.value.status, said in found.value.detail) == (409, True), found.value.detail
    assert str(world.folder) not in found.value.detail


def _tampered(data: bytes, at: tuple[int, int], value: int) -> bytes:
    """The archive with these bytes of every header of a member changed: (offset in the local, in the central one)."""
    changed = bytearray(data)
    for sign, offset in zip((b"PK\x03\x04", b"PK\x01\x02"), at, strict=True):
        found = changed.find(sign)
        while found >= 0:
            changed[found + offset] = value
            found = changed.find(sign, found + 4)
    return bytes(changed)


def _named(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("manifest.json", text)
        packed.writestr("kbwork.db", b"x")
    return out.getvalue()


@pytest.mark.parametrize("scope", ["all", "project:WEB"])
def test_an_archive_that_was_made_to_trip_is_refused_in_one_line(world: World, scope: str) -> None:
    with zipfile.ZipFile(archive(world, taken(world)["id"])) as found:
        told = json.loads(found.read("manifest.json"))
    plain = _named(json.dumps(told))
    for data in (
        _named("[" * 400_000),
        _named("[]"),
        _named(json.dumps(told | {"schema": []})),
        _named(json.dumps(told | {"schema": {}, "version": [[]]})),
        _named(json.dumps(told | {"version": 1})),
        _named(json.dumps(told | {"bytes": -1})),
        _named(json.dumps(told | {"at": 10**30})),
        _named(json.dumps(told | {"seq": 1.5})),
        _named(json.dumps(told | {"counts": {"issue": "x"}})),
        _named(json.dumps(told | {"note": None})),
        _named(json.dumps(told | {"note": "\ud800"})),
        _named(json.dumps(told | {"attachments": 1})),
        _named(json.dumps(told | {"format": True})),
        _named(json.dumps({name: told[name] for name in told if name != "kind"})),
        _tampered(plain, (6, 8), 1),  # encrypted
        _tampered(plain, (8, 10), 99),  # packed as nobody packs
        _tampered(plain, (8, 10), 14),  # packed with LZMA
        plain[:-10],
        plain[: len(plain) // 2],
    ):
        with pytest.raises(KbworkProblem) as refusal:
            call(world, "ana", "backups.restore", upload=sent(world, "ana", data), scope=scope)
        assert refusal.value.slug == "conflict"
        assert "The archive that was sent" in refusal.value.detail
        assert ("\n" in refusal.value.detail, len(refusal.value.detail) < 250) == (False, True)


@pytest.mark.parametrize("scope", ["all", "project:WEB"])
def test_a_restore_that_finds_no_room_writes_nothing(world: World, tmp_path: Path, scope: str) -> None:
    data = changed(world, tmp_path, lambda told: told | {"bytes": 10**15})
    world.session("ana").retries = 0
    with refused("storage-full"):
        call(world, "ana", "backups.restore", upload=sent(world, "ana", data), scope=scope)
    assert list(world.folder.rglob("*aside*")) + list(world.folder.glob("restoring")) == []


def test_a_part_that_finds_no_room_any_more_writes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = taken(world)["id"]
    size = archives.read(archive(world, ident)).bytes
    asked = []

    def has_room(self: Folder, more_bytes: int = 0) -> bool:
        if more_bytes < size:
            return True
        asked.append(more_bytes)
        return len(asked) == 1

    monkeypatch.setattr(Folder, "has_room", has_room)
    job = call(world, "ana", "backups.restore", id=ident, scope="project:WEB")["job"]
    eventually(lambda: len(asked) > 1)
    found: dict[str, Any] = {}

    def put_off() -> bool:
        found.update(call(world, "ana", "jobs.get", id=job))
        return bool(found["state"] == "queued")

    eventually(put_off)
    assert "make room" in found["error"]
    assert list(world.folder.rglob("*.aside")) == []


def test_a_damaged_archive_fails_the_job_and_touches_nothing(world: World, tmp_path: Path) -> None:
    make(world, title="mine")
    data = changed(world, tmp_path, lambda told: told, b"SQLite format 3\0" + b"x" * 5000)
    job = call(world, "ana", "backups.restore", upload=sent(world, "ana", data))["job"]
    found = ended(world, job)
    assert (found["state"], found["result"]) == ("failed", None)
    assert "is damaged" in found["error"]
    assert "\n" not in found["error"]
    assert str(world.folder) not in found["error"]
    assert titles(world) == ["mine"]
    assert call(world, "ana", "auth.me")["member"]["id"] == world.people["ana"].id
    assert not (world.folder / "restoring").exists()
    assert make(world) == "WEB-2"


def test_while_another_program_reads_the_file_nothing_is_exchanged(world: World) -> None:
    make(world, title="mine")
    ident = taken(world)["id"]
    with steady(world.folder):
        found = restored(world, ident)
    assert (found["state"], "another program reads" in found["error"]) == ("failed", True)
    assert titles(world) == ["mine"]
    make(world, title="more")
    with archives.opened(world.folder / "kbwork.db", write=True) as connection:
        assert connection.execute("select count(*) from issue").get == 2
        found = restored(world, ident)
    assert (found["state"], "another program has" in found["error"]) == ("failed", True)
    assert titles(world) == ["mine", "more"]
    assert restored(world, ident)["state"] == "done"
    assert titles(world) == ["mine"]


def test_a_cancelled_restore_changes_nothing(world: World) -> None:
    make(world, title="mine")
    ident = taken(world)["id"]
    job = call(world, "ana", "backups.restore", id=ident)["job"]
    make(world, title="more")
    with contextlib.suppress(KbworkProblem):
        call(world, "ana", "jobs.cancel", id=job)
    state = ended(world, job)["state"]
    assert titles(world) == (["mine", "more"] if state == "cancelled" else ["mine"])


def test_a_restore_that_was_cancelled_while_the_data_were_made_ready_leaves_none_of_them(
    world: World,
) -> None:
    ident = taken(world)["id"]
    job = call(world, "ana", "backups.restore", id=ident)["job"]
    aside = world.folder / "restoring"
    eventually(aside.exists)
    call(world, "ana", "jobs.cancel", id=job)
    eventually(lambda: not aside.exists())
    eventually(lambda: not world.database.doing)
    assert world.key("ana").call("jobs.get", {"id": job})["state"] == "cancelled"
    assert not aside.exists()
    assert call(world, "ana", "auth.me")["member"]["id"] == world.people["ana"].id


def test_packing_what_was_there_goes_on_where_it_was_cut_off(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when the copy is packed already and is to be told of."""
    make(world, title="mine")
    ident = taken(world)["id"]
    make(world, title="newer")
    told = creation.told
    kept: list[Path] = []

    def full_at_first(tx: Write, backup: Backup) -> Backup:
        if not kept:
            kept.extend(world.folder.glob("kbwork-replaced-*.db"))
            raise StorageFull("The disk is full.")
        return told(tx, backup)

    monkeypatch.setattr(creation, "told", full_at_first)
    seq = world.database.seq
    job = call(world, "ana", "backups.restore", id=ident)["job"]
    eventually(lambda: kept != [])
    world.clock.advance(60)
    found = ended(world, job)
    assert (found["state"], found["error"]) == ("done", None)
    assert found["result"]["safety"] in [one["id"] for one in call_list(world)]
    assert len(call_list(world)) == 2
    assert world.events_since(seq).count(("backup.created", "org:1")) == 1
    assert [path.exists() for path in kept] == [False]


def test_jobs_of_the_backup_leave_the_number_of_the_one_that_restores(world: World, tmp_path: Path) -> None:
    ident = taken(world)["id"]
    with zipfile.ZipFile(archive(world, ident)) as found:
        found.extract("kbwork.db", tmp_path)
    with archives.opened(tmp_path / "kbwork.db", write=True) as connection:
        last = 50
        for number in range(1, last + 1):
            connection.execute(
                "insert into job (id, kind, state, args, progress, message, by, created_at, run_at, tries)"
                " values (?, 'other.kind', 'done', '{}', 1, '', 'm_x', 1, 1, 1)",
                (number,),
            )
    label = archives.ArchiveLabel(at=1, kind="manual")
    archives.pack(tmp_path / "kbwork.db", tmp_path / "other.zip", label)
    job = call(
        world, "ana", "backups.restore", upload=sent(world, "ana", (tmp_path / "other.zip").read_bytes())
    )
    assert job["job"] <= last
    assert ended(world, job["job"])["kind"] == "backups.restore"
    others = [one for one in world.key("ana").call("jobs.list", {"all": True}) if one["kind"] == "other.kind"]
    assert len(others) == last


def test_the_next_start_packs_what_was_there(world: World, settings: Settings, tmp_path: Path) -> None:
    """Where the server was killed between the exchange and the end of the packing."""
    folder = tmp_path / "killed"
    make(world, title="canary")
    archives.copy(world.folder / "kbwork.db", tmp_path / "old.db")
    shutil.copytree(world.folder, folder, ignore=shutil.ignore_patterns("kbwork.db*"))
    archives.copy(world.folder / "kbwork.db", folder / "kbwork.db")
    shutil.copy(tmp_path / "old.db", folder / "kbwork-replaced-1.db")
    (folder / "restoring").mkdir()
    safety = archives.name(1, "safety")
    args = {
        "step": "keep",
        "kept": "kbwork-replaced-1.db",
        "at": 1,
        "safety": safety,
        "told": {"scope": "all"},
    }
    with archives.opened(folder / "kbwork.db", write=True) as connection:
        connection.execute(
            "insert into job (id, kind, state, args, progress, message, by, created_at, run_at, lease_until, tries)"
            " values (90, 'backups.restore', 'running', ?, 0.8, '', ?, 1, 1, 2, 1)",
            (json.dumps(args), world.people["ana"].id),
        )
    with serving(World(folder, world.clock, world.people), settings) as again:
        found = ended(again, 90)
        assert (found["state"], found["result"]["scope"]) == ("done", "all")
        assert found["result"]["safety"] == safety
        archives.unpack(archive(again, safety), tmp_path / "seen.db")
        assert list(titles_of(tmp_path / "seen.db")) == ["canary"]
        assert not (folder / "kbwork-replaced-1.db").exists()
        assert not (folder / "restoring").exists()


def test_a_restore_that_was_cut_off_before_is_not_taken_up_again(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    make(world, title="canary")
    shutil.copytree(world.folder, folder, ignore=shutil.ignore_patterns("kbwork.db*"))
    archives.copy(world.folder / "kbwork.db", folder / "kbwork.db")
    os.link(folder / "kbwork.db", folder / "kbwork-replaced-1.db")
    args = {"step": "exchange", "source": {"id": None, "upload": "u_x"}, "told": {}}
    with archives.opened(folder / "kbwork.db", write=True) as connection:
        connection.execute(
            "insert into job (id, kind, state, args, progress, message, by, created_at, run_at, lease_until, tries)"
            " values (90, 'backups.restore', 'running', ?, 0.6, '', ?, 1, 1, 2, 1)",
            (json.dumps(args), world.people["ana"].id),
        )
    with serving(World(folder, world.clock, world.people), settings) as again:
        found = ended(again, 90)
        assert (found["state"], "nothing was changed" in found["error"]) == ("failed", True)
        assert titles(again) == ["canary"]
        assert not (folder / "kbwork-replaced-1.db").exists()
