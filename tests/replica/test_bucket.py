"""A bucket: signed as the store asks for, replaced under conditions, and named where it cannot be used."""

import struct
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from kbwork.db.connection import Unusable
from kbwork.replica import keeper, lease, target
from kbwork.replica.lease import Lease
from kbwork.replica.target import BucketTarget, LastTransaction, Outdated, place_settings
from kbwork.settings import ReplicateSettings, Settings
from tests.conftest import World, serving
from tests.modules.calls import eventually
from tests.replica import fake_store
from tests.replica.fake_store import BUCKET, KEY, REGION, SECRET, FakeStore
from tests.replica.leased import figure

FAULTS = [
    ("full", "it is full: make room in kbwork-live"),
    ("broken", "it answers with an error of its own"),
    ("refusing", "it refuses the key"),
    ("slow", "it is too slow"),
]
GENERATION = "0001-20261127T220000Z-0a1b2c"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FakeStore]:
    with fake_store.stored(tmp_path / "store") as running:
        yield running


@pytest.fixture
def at(store: FakeStore, engine: Path, tmp_path: Path) -> ReplicateSettings:
    keys = tmp_path / "s3.keys"
    keys.write_text(f"{KEY}\n{SECRET}\n")
    keys.chmod(0o600)
    return ReplicateSettings(
        to=f"s3://{BUCKET}/live", endpoint=store.url, region=REGION, keys=str(keys), engine=str(engine)
    )


@pytest.fixture
def bucket(at: ReplicateSettings) -> BucketTarget:
    return BucketTarget(place_settings(at), {})


@pytest.fixture
def settings(at: ReplicateSettings, leased: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(keeper, "LATE_S", 0.3)
    monkeypatch.setattr(target, "_QUICK_S", target._QUICK_S / 10)
    monkeypatch.setattr(target, "_SHORT_S", target._SHORT_S / 15)
    monkeypatch.setattr(fake_store, "SLOW_S", 1.5)
    return replace(leased, replicate=at)


def test_objects_are_written_read_listed_and_deleted(bucket: BucketTarget) -> None:
    head = struct.pack(">4s12xQQQ", b"LTX1", 1, 1, 1000) + bytes(60)
    for name in (f"0000/{1:016x}-{1:016x}.ltx", "kbwork-replica"):
        bucket.write(f"{GENERATION}/{name}", head)
    assert bucket.newest(GENERATION) == LastTransaction(1, 1.0)
    assert (bucket.generations(), bucket.read("other")) == ([GENERATION], None)
    bucket.remove(GENERATION)
    assert bucket.generations() == []


def test_an_object_is_replaced_by_whoever_knows_it(bucket: BucketTarget) -> None:
    first = bucket.swap("lease", b"one", None)
    with pytest.raises(Outdated):
        bucket.swap("lease", b"two", None)
    second = bucket.swap("lease", b"two", first)
    with pytest.raises(Outdated):
        bucket.swap("lease", b"three", first)
    found = bucket.tagged("lease")
    assert found is not None
    assert (found.content, found.tag, bucket.tagged("other")) == (b"two", second, None)
    with pytest.raises(Outdated):
        bucket.swap("gone", b"one", first)


def test_a_lease_is_held_in_a_bucket(bucket: BucketTarget, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    one, other = Lease(bucket, tmp_path / "a"), Lease(bucket, tmp_path / "b")
    one.step()
    other.step()
    assert (one.held, other.held) == (True, False)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"region": "us-east-1"},
            r"the bucket kbwork-live is in another region than us-east-1: mend replicate.region",
        ),
        ({"to": "s3://kbwork-none/live"}, r"there is no bucket kbwork-none: make it, or mend replicate.to"),
        ({"keys": f"AKIDOTHER\n{SECRET}\n"}, r"it refuses the key: look at replicate.keys"),
        ({"keys": f"{KEY}\nanother-secret\n"}, r"it refuses the key: look at replicate.keys"),
    ],
)
def test_what_is_wrong_is_named_and_serving_goes_on(
    world: World,
    settings: Settings,
    wrong: dict[str, Any],
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    at = settings.replicate
    if "keys" in wrong:
        Path(at.keys).write_text(wrong.pop("keys"))
    with pytest.raises(Unusable, match=said):
        BucketTarget(place_settings(replace(at, **wrong)), {}).generations()
    with serving(
        World(world.folder.with_name("other"), world.clock, world.people),
        replace(settings, replicate=replace(at, **wrong)),
    ) as other:
        eventually(lambda: figure(other, "refused") == 1)
        assert httpx2.get(f"{other.url}/readyz", timeout=10).status_code == 200
    assert SECRET not in caplog.text


@pytest.mark.parametrize(("fault", "said"), FAULTS)
def test_a_store_that_fails_is_named_counted_and_told_to_admins(
    world: World,
    store: FakeStore,
    fault: str,
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Goes"})
    eventually(
        lambda: world.app is not None and world.app.replica is not None and world.app.replica._held > 0
    )
    seq = world.database.seq
    store.fault = fault
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Waits"})
    eventually(lambda: ("replica.failed", "org:1") in world.events_since(seq))
    assert figure(world, "age_seconds") > 0
    assert httpx2.get(f"{world.url}/readyz", timeout=10).status_code == 200
    assert said in caplog.text
    if fault != "full":  # what is read of it is there
        eventually(lambda: figure(world, "refused") == 1)
    ana = world.session("ana")
    eventually(lambda: ana.call("notifications.list", {})["items"])
    store.fault = ""
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Goes on"})
    eventually(lambda: figure(world, "age_seconds") == 0)


@pytest.mark.parametrize(("fault", "said"), FAULTS)
def test_a_lease_errs_to_no_writes_where_the_store_fails(
    settings: Settings, store: FakeStore, fault: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    one = Lease(BucketTarget(place_settings(settings.replicate), {}), tmp_path / "a")
    one.step()
    assert one.held
    threading.Event().wait(lease.RENEW_S)
    store.fault = fault
    with pytest.raises(Unusable, match=said):
        one.step()
    eventually(lambda: not one.held)
    assert one.trouble is not None
    store.fault = ""
    one.step()
    assert one.held
