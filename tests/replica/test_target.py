"""Folders and buckets: when the newest transaction was written, and what is said where they cannot be used."""

import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kbwork.db.connection import Unusable
from kbwork.replica.target import (
    LastTransaction,
    ReplicaGap,
    ReplicaTarget,
    target_of,
)
from kbwork.settings import ReplicateSettings, SettingsError, load
from tests.buckets import stored

BUCKET = "kbwork-replica-test"
GENERATION = "20261127T220000Z-0a1b2c"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with stored(BUCKET) as url:
        yield url


@pytest.fixture
def at(server: str, tmp_path: Path) -> ReplicateSettings:
    keys = tmp_path / "s3.keys"
    keys.write_text("AKIDEXAMPLE\nsecretsecret\n")
    keys.chmod(0o600)
    return ReplicateSettings(to=f"s3://{BUCKET}/live", endpoint=server, keys=str(keys))


def laid(number: int, at_ms: int) -> bytes:
    return struct.pack(">4s12xQQQ", b"LTX1", number, number, at_ms) + bytes(60)


def lies(target: ReplicaTarget, level: str) -> None:
    """What may be said of either: nothing, one, one more, a gap, what is none of Litestream's."""
    assert target.newest(GENERATION) is None
    target.write(f"{GENERATION}/kbwork-replica", b"mark")
    assert (target.read(f"{GENERATION}/kbwork-replica"), target.read("other")) == (b"mark", None)
    assert target.generations() == [GENERATION]
    for number in (1, 2):
        target.write(f"{GENERATION}/{level}/{number:016x}-{number:016x}.ltx", laid(number, 1000 * number))
        assert target.newest(GENERATION) == LastTransaction(number, number)
    target.write(f"{GENERATION}/{level}/{5:016x}-{5:016x}.ltx", laid(5, 5000))
    with pytest.raises(ReplicaGap, match="are missing in the replica"):
        target.newest(GENERATION)


def test_a_folder_tells_when_its_newest_was_written(tmp_path: Path) -> None:
    (tmp_path / GENERATION / "ltx" / "0").mkdir(parents=True)
    lies(target_of(ReplicateSettings(to=str(tmp_path)), {}), "ltx/0")
    other = "20261127T230000Z-0a1b2c"
    (tmp_path / other / "ltx" / "0").mkdir(parents=True)
    target = target_of(ReplicateSettings(to=str(tmp_path)), {})
    target.write(f"{other}/ltx/0/{1:016x}-{1:016x}.ltx", b"something else, longer than a head")
    with pytest.raises(Unusable, match="is nothing that Litestream lays"):
        target.newest(other)


def test_a_bucket_tells_when_its_newest_was_written(at: ReplicateSettings) -> None:
    lies(target_of(at, {}), "0000")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="is not there: mount it or make it"):
        target_of(ReplicateSettings(to=str(tmp_path / "gone")), {}).generations()


def test_a_bucket_that_cannot_be_used_is_named_with_what_to_do(at: ReplicateSettings) -> None:
    with pytest.raises(Unusable, match=r"there is no bucket kbwork-none: make it, or mend replicate.to"):
        target_of(replace(at, to="s3://kbwork-none/live"), {}).generations()
    with pytest.raises(Unusable, match=r"it cannot be reached: look at replicate.endpoint"):
        target_of(replace(at, endpoint="http://127.0.0.1:1"), {}).generations()
    Path(at.keys).chmod(0o644)
    with pytest.raises(Unusable, match="can be read by others: chmod 600"):
        target_of(at, {}).generations()
    Path(at.keys).chmod(0o600)
    Path(at.keys).write_text("AKIDEXAMPLE\n")
    with pytest.raises(Unusable, match="should hold the id of a key and its secret"):
        target_of(at, {}).secrets()


def test_keys_come_from_the_environment_where_no_file_holds_them(at: ReplicateSettings) -> None:
    environ = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "quiet", "AWS_CA_BUNDLE": "/c"}
    target = target_of(replace(at, keys=""), environ)
    assert target.secrets() == {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "quiet"}
    assert "quiet" not in str(target.engine(GENERATION).values())


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("replica", "should be the whole path of a folder, or s3://bucket/path"),
        ("s3://B/x", "should be the whole path of a folder, or s3://bucket/path"),
        ("s3://acme/x?region=a", "endpoint, region and keys are keys beside it"),
        ("/var/lib/kbwork/replica", "lies in the data folder"),
    ],
)
def test_a_place_that_cannot_be_is_refused(to: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load(None, {"KBWORK_REPLICATE_TO": to, "KBWORK_SERVER_DATA": "/var/lib/kbwork"})
