"""Events as Parquet by day: all of them once, in a folder and a bucket, and what is said where that cannot be."""

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from arro3.io import read_parquet

from kbwork.core import org_settings
from kbwork.db.archives import event_days
from kbwork.db.archives.place import FolderPlace, place_of
from kbwork.db.connection import Unusable
from kbwork.db.folder import PlaceSettings
from kbwork.modules.events import jobs
from kbwork.settings import ExportSettings, LimitSettings, Settings
from tests.buckets import stored
from tests.conftest import NOW, World
from tests.modules.backups.test_restore_all import ended
from tests.modules.calls import call, eventually, refused

BUCKET = "kbwork-lake-test"
DAY = datetime.fromtimestamp(NOW, UTC).date().isoformat()
DAY_S = 86_400


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (path := tmp_path / "lake").mkdir()
    return path


@pytest.fixture
def settings(place: Path) -> Settings:
    return Settings(limits=LimitSettings(enabled=False), export=ExportSettings(to=str(place)))


def rows(content: bytes) -> list[dict[str, Any]]:
    table = read_parquet(io.BytesIO(content)).read_all()
    columns = {name: table[name].to_pylist() for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def exported(world: World, **asked: Any) -> dict[str, Any]:
    """The job that did it, when it has ended."""
    job = call(world, "bo", "events.export", **asked)["job"]
    return ended(world, job)


def told(day: str = DAY) -> dict[str, Any]:
    """What is asked for one day alone: by itself the server begins with all of them."""
    return {"from": day, "to": day}


def by_hand(world: World) -> None:
    """The server does nothing by itself."""
    world.database.write_now(lambda tx: org_settings.put(tx, "org.created_at", 0))


def test_each_day_is_a_file_of_all_its_events(world: World, place: Path) -> None:
    by_hand(world)
    with refused("invalid-input"):
        call(world, "bo", "events.export", **told())
    call(world, "bo", "issues.create", project="WEB", title="Löwe\nand 'more'")
    held = world.database.write_now(
        lambda tx: tx.all(
            "select seq, at, kind, subject, actor, actor_kind, via, origin, json(payload) as payload from events"
            " where audience <> 'audit' order by at, seq"
        )
    )
    seq = world.database.seq
    world.clock.advance(DAY_S)
    job = exported(world, **told())
    assert (job["state"], job["result"]) == ("done", {"days": 1, "events": len(held)})
    (path,) = place.glob("day=*/events.parquet")
    assert path.parent.name == f"day={DAY}"
    found = rows(path.read_bytes())
    assert [row["time"] for row in found] == [datetime.fromtimestamp(row["at"], UTC) for row in held]
    assert [{**row, "time": None} for row in found] == [
        {"time": None} | {name: row[name] for name in row if name != "at"} for row in held
    ]
    assert ("events.exported", "org:1") in world.events_since(seq)
    (event,) = [
        one
        for one in call(world, "bo", "api.changes", since=seq)["events"]
        if one["kind"] == "events.exported"
    ]
    assert event["payload"] == {"from": DAY, "to": DAY, "days": 1, "events": len(held)}
    assert json.loads((place / f"days-{DAY[:4]}.json").read_bytes()) == {
        DAY: {"events": len(held), "last": held[-1]["seq"]}
    }

    path.write_bytes(b"ours")
    assert exported(world, **told())["result"] == {"days": 0, "events": 0}, "it lies there"
    assert path.read_bytes() == b"ours"
    assert exported(world, **told(), again=True)["result"] == {"days": 1, "events": len(held)}
    world.database.write_now(
        lambda tx: tx.execute("update events set at = :at where seq = :seq", at=NOW, seq=seq + 1)
    )
    assert exported(world, **told())["result"] == {"days": 1, "events": len(held) + 1}, (
        "an import wrote of then"
    )
    world.database.write_now(lambda tx: tx.execute("delete from events where seq <= 3"))
    assert exported(world, **told())["result"] == {"days": 0, "events": 0}, (
        "what is kept no longer stays there"
    )


def test_only_admins_of_the_whole_org_take_events_out(world: World) -> None:
    by_hand(world)
    world.clock.advance(DAY_S)
    with refused("insufficient-scope"):
        call(world, "cy", "events.export", **told())
    world.database.set_export_place(None)
    with refused("conflict"):
        call(world, "bo", "events.export", **told())


def test_the_server_does_so_each_day_by_itself(world: World, place: Path) -> None:
    seq = world.database.seq
    for number in (1, 2):
        world.advance(DAY_S)
        eventually(lambda: world.events_since(seq).count(("events.exported", "org:1")) == number)  # noqa: B023 - called here
        assert len(list(place.glob("day=*/events.parquet"))) == number
    call(world, "ana", "org.modules_set", off=["events"])
    world.advance(DAY_S)
    assert not world.database.read_now(jobs._is_missing)
    metrics = httpx2.get(f"{world.url}/metrics", timeout=10).text
    assert "kbwork_events_export_failing 0.0" in metrics


def test_a_place_that_cannot_be_used_is_told_and_tried_again(
    world: World, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    by_hand(world)
    world.clock.advance(DAY_S)
    place.rename(place.with_name("unmounted"))
    ident = call(world, "bo", "events.export", **told())["job"]
    said = f"the folder {place} is not there: mount it or make it, or mend export.to"

    def checks() -> dict[str, Any]:
        found = call(world, "ana", "maintenance.check")["checks"]
        return {one["name"]: (one["ok"], one["detail"]) for one in found}

    eventually(lambda: "events-export" in checks())
    assert checks()["events-export"] == (False, f"no events lie as files yet; the last try failed: {said}")
    assert f"events cannot be laid: {said}" in caplog.text
    assert "kbwork_events_export_failing 1.0" in httpx2.get(f"{world.url}/metrics", timeout=10).text
    with refused("conflict"):
        call(world, "bo", "events.export", **told())
    place.with_name("unmounted").rename(place)
    world.advance(60)
    assert ended(world, ident)["state"] == "done"
    assert checks()["events-export"] == (True, f"events lie as files until {DAY}")


def test_a_run_that_is_cut_off_goes_on_where_it_was(world: World, place: Path) -> None:
    by_hand(world)
    for number in range(3):
        world.clock.advance(DAY_S)
        call(world, "bo", "issues.create", project="WEB", title=f"Day {number}")
    world.settle()
    at = {
        "section": "export", "what": "events", "extra": "s3", "to": str(place), "endpoint": "", "region": "",
        "path_style": True, "keys": "",
    }  # fmt: skip
    since = NOW - NOW % DAY_S
    span = {"since": since, "until": since + 4 * DAY_S, "again": False, "seconds": -1.0}
    file = str(world.folder / "kbwork.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.nice", lambda _: 0)
        assert event_days.export(file, at, span) == {"next": since, "days": 0, "events": 0}
        laid = event_days._lay
        patch.setattr(
            event_days, "_lay", lambda *given: _lost() if given[2] * DAY_S > since else laid(*given)
        )
        with pytest.raises(Unusable, match="lost"):
            event_days.export(file, at, {**span, "seconds": 60.0})
        assert set(json.loads((place / f"days-{DAY[:4]}.json").read_bytes())) == {DAY}
        patch.setattr(event_days, "_lay", laid)
        assert event_days.export(file, at, {**span, "seconds": 60.0})["days"] == 3
        (place / f"days-{DAY[:4]}.json").write_bytes(b"[1]")
        with pytest.raises(Unusable, match="is damaged: delete it"):
            event_days.export(file, at, {**span, "seconds": 60.0})


def _lost() -> None:
    raise Unusable("lost")


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with stored(BUCKET) as url:
        yield url


def bucket(url: str, keys: Path, seconds: int = 15) -> PlaceSettings:
    keys.write_text("AKIDEXAMPLE\nsecretsecret\n")
    keys.chmod(0o600)
    at = ("export", "events", "s3", f"s3://{BUCKET}/events", url, "us-east-1")
    return PlaceSettings(*at, path_style=True, keys=str(keys), seconds=seconds)


def test_a_bucket_takes_large_files_whole(store: str, tmp_path: Path) -> None:
    found = place_of(bucket(store, tmp_path / "keys"), {})
    large = b"x" * 6_000_000
    found.write_file("day=2026-11-01/events.parquet", io.BytesIO(large))
    found.write("days-2026.json", b"{}")
    assert found.read("days-2026.json") == b"{}"
    assert found.read("days-2025.json") is None
    assert found.read("day=2026-11-01/events.parquet") == large[: 64 * 1024]


@contextmanager
def refusing(status: int | None) -> Iterator[str]:
    """A store that answers this status, or nothing at all."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            if status is None:
                over.wait(20)
                return
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}"
    finally:
        over.set()
        running.shutdown()
        thread.join()
        running.server_close()


@pytest.mark.parametrize(
    ("status", "said"),
    [(507, "it is full: make room in "), (None, "it is too slow: it did not answer in time")],
)
def test_a_bucket_that_is_full_or_slow_says_so(tmp_path: Path, status: int | None, said: str) -> None:
    with refusing(status) as url, pytest.raises(Unusable, match=said):
        place_of(bucket(url, tmp_path / "keys", seconds=1), {}).write("days-2026.json", b"{}")


def test_a_disk_that_is_full_leaves_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = PlaceSettings("export", "events", "s3", str(tmp_path), "", "", path_style=True, keys="")
    monkeypatch.setattr("kbwork.db.archives.place.os.fsync", _full)
    with pytest.raises(Unusable, match="cannot be written: No space left on device"):
        FolderPlace(at).write_file("day=1/events.parquet", io.BytesIO(b"much"))
    assert list((tmp_path / "day=1").iterdir()) == []


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")
