"""A server has its replica filled, knows how far it is behind, and serves whatever becomes of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.cli.commands.doctor import doctor
from kbwork.db.folder import CUT, ENGINE_LOCK
from kbwork.replica import child, keeper
from kbwork.replica.epoch import COPIED
from kbwork.settings import LimitSettings, ReplicateSettings, Settings
from tests.conftest import World, serving
from tests.modules.backups.test_restore_all import ended
from tests.modules.calls import eventually
from tests.replica.leased import copied, figure

SECRET = "never-to-be-told-to-anybody"


@pytest.fixture
def settings(engine: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(keeper, "_EVERY_S", 0.05)
    monkeypatch.setenv("AWS_CA_BUNDLE", "/nowhere")
    monkeypatch.setenv("KBWORK_MASTER_KEY_OF_NOBODY", SECRET)
    return Settings(
        limits=LimitSettings(enabled=False), replicate=ReplicateSettings(to=str(place), engine=str(engine))
    )


def lives(world: World) -> list[dict[str, Any]]:
    """What each life of the engine told of its start."""
    told = world.folder / "fake-engine.jsonl"
    return [json.loads(line) for line in told.read_text().splitlines()] if told.exists() else []


def age(world: World) -> float:
    found: float = httpx2.get(f"{world.url}/readyz", timeout=10).json()["replica_age_seconds"]
    return found


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Since the server started, which is before the test does."""
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    return "\n".join(record.getMessage() for record in records)


def filled(world: World) -> bool:
    assert world.app is not None
    assert world.app.replica is not None
    return world.app.replica._held > 0 and age(world) == 0


def try_it(world: World) -> None:
    """Have the replica tried in the next round, if it is time."""
    assert world.app is not None
    assert world.app.replica is not None
    world.app.replica._drill_from = 0.0


def test_a_server_keeps_its_replica_filled(
    world: World, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Far away"})
    eventually(lambda: filled(world))
    (life,) = lives(world)
    assert (set(life["environ"]) & {"AWS_CA_BUNDLE", "KBWORK_MASTER_KEY_OF_NOBODY"}, life["argv"][1]) == (
        set(),
        "replicate",
    )
    text = httpx2.get(f"{world.url}/metrics", timeout=10).text
    assert "\nkbwork_replica_age_seconds " in text
    assert "kbwork_replica_running 1.0" in text
    eventually(lambda: "the replica's engine says: the store: does not answer" in logged(caplog))
    (config,) = json.loads((world.folder / "replica.yml").read_text())["dbs"]
    assert (config["min-checkpoint-page-count"], config["truncate-page-n"]) == (4_000, 0)
    assert SECRET not in logged(caplog) + (world.folder / "replica.yml").read_text()

    os.kill(life["pid"], signal.SIGKILL)
    eventually(lambda: len(lives(world)) == 2)
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Farther away"})
    eventually(lambda: filled(world))

    (first,) = place.glob("2*")
    shutil.rmtree(first)
    eventually(lambda: len(list(place.glob("2*/kbwork-replica"))) == 1)
    eventually(lambda: filled(world))
    assert [one.name for one in place.glob("2*/kbwork-replica")]
    assert not (first / "kbwork-replica").exists()
    assert "begins anew with all of the data" in logged(caplog)


def test_a_log_that_is_shortened_here_begins_the_replica_anew(
    world: World, settings: Settings, place: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At work, and at the next start where it was killed before: Litestream goes on over the gap by itself."""
    eventually(lambda: filled(world))
    assert world.app is not None
    assert world.app.replica is not None
    killed = copied(world, tmp_path / "killed")
    ahead = place / "20990101T000000Z-ffffff"
    ahead.mkdir()  # the clock of another life was
    world.database.write_now(lambda _: world.app.replica._cut("a test"))  # type: ignore[union-attr]
    assert (world.folder / CUT).exists()
    eventually(lambda: len(list(place.glob("2*"))) == 3)
    eventually(lambda: filled(world))
    assert max(place.glob("2*")).name == world.app.replica._generation != ahead.name
    assert not (world.folder / CUT).exists()
    assert "the replica begins anew with all of the data: a test" in logged(caplog)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(place, elsewhere)
    (killed / CUT).touch()
    own = replace(settings, replicate=replace(settings.replicate, to=str(elsewhere)))
    with serving(World(killed, world.clock, world.people), own) as again:
        eventually(lambda: filled(again))
        assert not (killed / CUT).exists()
    assert len(list(elsewhere.glob("2*"))) == 4


_LEFT_BEHIND = """
import fcntl, os, signal, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
lock = os.open(sys.argv[1], os.O_RDWR)
fcntl.flock(lock, fcntl.LOCK_EX)
os.ftruncate(lock, 0)
os.pwrite(lock, b"%d\\n" % os.getpid(), 0)
print("up", flush=True)
time.sleep(60)
"""


def test_what_a_killed_server_left_behind_is_ended_and_not_gone_on_with(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    """It may have copied what the data never had. Whoever opens them ends it, be it a server or a command."""
    eventually(lambda: filled(world))
    killed, elsewhere = copied(world, tmp_path / "killed"), tmp_path / "elsewhere"
    (killed / COPIED / "of-the-old-one").mkdir(parents=True)
    elsewhere.mkdir()
    own = replace(settings, replicate=replace(settings.replicate, to=str(elsewhere)))
    words = [sys.executable, "-c", _LEFT_BEHIND, str(killed / ENGINE_LOCK)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as left:
        assert left.stdout is not None
        assert left.stdout.readline() == "up\n"
        open_data(killed, world.clock).close()
        assert left.wait(10) == -signal.SIGKILL
    assert (killed / CUT).exists()
    with serving(World(killed, world.clock, world.people), own) as again:
        eventually(lambda: filled(again))
    assert not (killed / CUT).exists()
    assert not (killed / COPIED / "of-the-old-one").exists()


def test_a_program_that_does_not_find_a_page_begins_the_replica_anew(
    world: World, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It would say so for good, and lay nothing."""
    eventually(lambda: filled(world))
    (first,) = place.glob("2*/kbwork-replica")
    (world.folder / "astray").touch()
    os.kill(lives(world)[0]["pid"], signal.SIGKILL)
    eventually(lambda: len(list(place.glob("2*/kbwork-replica"))) == 2)
    eventually(lambda: filled(world))
    assert max(place.glob("2*")) != first.parent
    assert "its program does not find its way" in logged(caplog)
    assert len(list(place.glob("2*"))) == 2


_ANOTHER = """
import os, sys, time
from pathlib import Path

if os.fork():
    os.wait()
    sys.exit()
Path("/proc/self/comm").write_text("litestream")
log = open(sys.argv[1] + "-wal", "rb")
print(os.getpid(), flush=True)
time.sleep(60)
"""


@contextmanager
def another(file: Path) -> Iterator[int]:
    """Another Litestream copies the file, which is no child of this process; its id."""
    words = [sys.executable, "-c", _ANOTHER, str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        try:
            yield pid
        finally:
            os.kill(pid, signal.SIGKILL)


def test_ours_waits_while_another_one_copies_the_file_and_begins_anew_behind_it(
    world: World, place: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two take the lock of writes from each other, and shorten the log under each other."""
    monkeypatch.setattr(child, "_PAUSES_S", (0.05,))
    eventually(lambda: filled(world))
    assert figure(world, "others") == 0
    (first,) = place.glob("2*")
    file = world.folder / "kbwork.db"
    with another(file) as pid:
        eventually(lambda: (figure(world, "others"), figure(world, "running")) == (1, 0))
        world.key("bo").call("issues.create", {"project": "WEB", "title": "Beside another"})
        said = f"the data file is copied by process {pid} ('litestream'), too: end it"
        eventually(lambda: said in logged(caplog))
        assert logged(caplog).count(said) == 1
        found = CliRunner().invoke(doctor, ["--data", str(world.folder)]).stdout
        assert f"MEND the data file is open in process {pid} ('litestream')" in found
    eventually(lambda: len(list(place.glob("2*/kbwork-replica"))) == 2)
    eventually(lambda: filled(world))
    assert max(place.glob("2*")) != first
    assert (figure(world, "others"), figure(world, "running")) == (0, 1)
    assert not (world.folder / CUT).exists()  # nothing begins anew again


def test_a_server_that_starts_beside_another_one_waits_from_the_start_on(
    world: World, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What that took out of the log meanwhile nobody knows."""
    monkeypatch.setattr(child, "_PAUSES_S", (0.05,))
    eventually(lambda: filled(world))
    there, elsewhere = copied(world, tmp_path / "there"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    own = replace(settings, replicate=replace(settings.replicate, to=str(elsewhere)))
    with ExitStack() as ends, ExitStack() as copies:
        copies.enter_context(another(there / "kbwork.db"))
        again = ends.enter_context(serving(World(there, world.clock, world.people), own))
        eventually(lambda: figure(again, "others") == 1)
        again.key("bo").call("issues.create", {"project": "WEB", "title": "From the start on"})
        assert (figure(again, "starts"), (there / CUT).exists(), list(elsewhere.iterdir())) == (0, True, [])
        copies.close()
        eventually(lambda: filled(again))
        assert not (there / CUT).exists()


def test_who_comes_late_is_told_of_and_serves_all_the_same(
    world: World, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventually(lambda: filled(world))
    seq = world.database.seq
    monkeypatch.setattr(keeper, "LATE_S", 0.2)
    place.rename(place.with_name("unmounted"))
    place.write_text("no folder")
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Waits"})
    eventually(lambda: ("replica.failed", "org:1") in world.events_since(seq))
    assert httpx2.get(f"{world.url}/readyz", timeout=10).status_code == 200
    assert age(world) > 0
    ana = world.session("ana")
    eventually(lambda: ana.call("notifications.list", {})["items"])
    entries = ana.call("notifications.list", {})["items"]
    assert [one["subject"] for one in entries] == ["org:1"]
    assert entries[0]["events"][0]["summary"].startswith("found the replica of the data behind")
    assert world.key("cy").call("notifications.list", {})["items"] == []
    place.unlink()
    place.with_name("unmounted").rename(place)
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Goes on"})
    eventually(lambda: filled(world))
    assert world.events_since(seq).count(("replica.failed", "org:1")) == 1


def test_the_doctor_looks_at_the_place_itself(
    world: World, place: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventually(lambda: filled(world))
    monkeypatch.setenv("KBWORK_REPLICATE_TO", str(place))
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", str(engine))

    def said() -> tuple[bool, str]:
        ran = CliRunner().invoke(doctor, ["--data", str(world.folder), "--json"])
        found = next(one for one in json.loads(ran.stdout)["findings"] if one["about"] == "replica")
        return found["well"], found["said"]

    place.joinpath("master.key.sealed").write_text("{}")
    well, text = said()
    assert (well, text.startswith(f"the replica {place} holds what was written until 20")) == (True, True)
    monkeypatch.setenv("KBWORK_REPLICATE_TO", f"{place}-not")
    assert said() == (
        False,
        f"the folder {place}-not is not there: mount it or make it, or mend replicate.to",
    )
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", f"{engine}-not")
    assert "is no program: name that of Litestream" in said()[1]


def test_a_server_tries_its_replica_by_itself(
    world: World, place: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine of this test cannot restore: that is found, told and noted, once."""
    (place / "unfit").touch()
    seq = world.database.seq
    try_it(world)
    eventually(lambda: ("replica.failed", "org:1") in world.events_since(seq), every=0.1)
    checks = {one["name"]: one for one in world.session("ana").call("maintenance.check", {})["checks"]}
    assert checks["replica-drill"]["ok"] is False
    assert "and was not fit: Litestream could not restore" in checks["replica-drill"]["detail"]
    try_it(world)
    eventually(lambda: filled(world))
    assert world.events_since(seq).count(("replica.failed", "org:1")) == 1


def test_a_replica_that_is_found_unsound_begins_anew_by_itself(
    world: World, place: Path, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Its trial says so; the next one comes the day after, and finds all of the data."""
    eventually(lambda: filled(world))
    (first,) = place.glob("2*")
    (place / "wrong").write_bytes(b"no data file" * 1000)
    assert world.app is not None
    replica = world.app.replica
    assert replica is not None
    seq = world.database.seq
    try_it(world)
    eventually(lambda: ("replica.failed", "org:1") in world.events_since(seq))
    (place / "wrong").unlink()
    eventually(lambda: len(list(place.glob("2*/kbwork-replica"))) == 2)
    eventually(lambda: filled(world))
    assert not (world.folder / CUT).exists()
    assert replica._generation != first.name
    assert "the replica begins anew with all of the data: what lies in the replica" in logged(caplog)

    def look() -> tuple[bool, str]:
        (found,) = (
            one
            for one in world.session("ana").call("maintenance.check", {})["checks"]
            if one["name"] == "replica-drill"
        )
        return found["ok"], found["detail"]

    assert look()[0] is False
    assert look()[1].endswith(
        "is not a database; restore a backup; the replica begins anew with all of the data"
    )
    clock.advance(86_400)
    try_it(world)
    eventually(lambda: look()[0])
    assert len(list(place.glob("2*/kbwork-replica"))) == 2


def runs(process: int) -> bool:
    """What has ended may lie there until somebody asks how."""
    told = Path(f"/proc/{process}/stat")
    return told.exists() and told.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_trial_that_takes_long_holds_up_nothing(world: World, place: Path) -> None:
    eventually(lambda: filled(world))
    (place / "slow").touch()
    try_it(world)
    eventually((place / "slow").read_text)
    engine = int((place / "slow").read_text())
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Beside a trial"})
    eventually(lambda: filled(world))
    ana = world.session("ana")
    made = ana.call("backups.create", {})
    assert ended(world, ana.call("backups.restore", {"id": made["id"]})["job"])["state"] == "done"
    assert not runs(engine)
    assert not (world.folder / "replica-drill").exists()
    assert ("replica.failed", "org:1") not in world.events_since(0)  # it was given up, not found unfit


def test_a_trial_that_does_not_end_is_ended_and_told(
    world: World, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "_LONGEST_DRILL_S", 3.0)
    eventually(lambda: filled(world))
    (place / "slow").touch()
    seq = world.database.seq
    try_it(world)
    eventually(lambda: ("replica.failed", "org:1") in world.events_since(seq), every=0.1)
    checks = {one["name"]: one for one in world.session("ana").call("maintenance.check", {})["checks"]}
    assert "took longer than 3 s, and was ended" in checks["replica-drill"]["detail"]


def test_nobody_copies_while_data_are_exchanged(world: World) -> None:
    eventually(lambda: filled(world))
    ana = world.session("ana")
    made = ana.call("backups.create", {})
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Goes again"})
    job = ended(world, ana.call("backups.restore", {"id": made["id"]})["job"])
    assert job["state"] == "done"
    eventually(lambda: len(lives(world)) == 2)
    eventually(lambda: filled(world))
