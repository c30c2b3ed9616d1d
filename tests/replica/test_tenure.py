"""A server with a lease: it writes while it has it, hands it over, and says what was written too late."""

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from kbwork.cli.commands.doctor import doctor
from kbwork.cli.machines.epochs import epochs, late
from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.connection import Unusable
from kbwork.db.folder import Folder
from kbwork.replica import child, keeper, lease, promotion, restoration
from kbwork.replica.drill import tried
from kbwork.replica.epoch import DataEpoch
from kbwork.replica.promotion import Promotion
from kbwork.settings import Settings
from tests.conftest import PASSWORD, World, serving
from tests.contract.metric_names import answered, explained
from tests.modules.backups.test_restore_all import ended
from tests.modules.calls import eventually, refused
from tests.replica.leased import copied, figure, filled, held, promoted, titles, write


@pytest.fixture
def settings(leased: Settings) -> Settings:
    return leased


def doctored(folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the doctor finds in a folder."""
    monkeypatch.setenv("KBWORK_REPLICATE_TO", settings.replicate.to)
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", settings.replicate.engine)
    monkeypatch.setenv("KBWORK_REPLICATE_LEASE", "true")
    ran = CliRunner().invoke(doctor, ["--data", str(folder), "--json"])
    found: list[dict[str, Any]] = json.loads(ran.stdout)["findings"]
    return found


def test_nothing_is_written_while_the_place_is_away_for_longer_than_the_lease(
    world: World, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "LATE_S", 0.5)
    eventually(lambda: filled(world))
    write(world)
    seq = world.database.seq
    assert (figure(world, "lease_held"), figure(world, "epoch")) == (1, 1)
    text = httpx2.get(f"{world.url}/metrics", timeout=10).text
    assert answered(text, "kbwork_replica_") == explained("howto-replica", "kbwork_replica_")
    place.rename(place.with_name("unmounted"))
    place.write_text("no folder")
    write(world, "While it lasts")
    eventually(lambda: not held(world))
    with refused("busy") as problem:
        write(world, "Too late")
    assert "it cannot renew the lease of its replica" in problem.value.detail
    with refused("busy"), Kbwork(world.url, "") as nobody:
        nobody.retries = 0
        nobody.call("auth.login", {"email": "bo@acme.example", "password": PASSWORD})
    assert titles(world) >= {"Far away", "While it lasts"}
    assert figure(world, "lease_held") == 0
    time.sleep(1.1)  # who asks often is told the same for a second
    ready = httpx2.get(f"{world.url}/readyz", timeout=10)
    assert (ready.status_code, "cannot renew the lease" in ready.json()["detail"]) == (503, True)
    place.unlink()
    place.with_name("unmounted").rename(place)
    eventually(lambda: held(world))
    write(world, "Again")
    assert "Too late" not in titles(world)
    eventually(
        lambda: ("replica.failed", "org:1") in world.events_since(seq)
    )  # admins hear of it when they can


def test_it_is_handed_to_whoever_takes_over_and_nothing_is_missing(
    world: World, settings: Settings, place: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))
    write(world, "Just now")
    with promoted(world, tmp_path / "other", settings) as other:
        assert "asks for the lease: it has it once all was sent" in caplog.text  # given, not waited for
        assert "Just now" in titles(other)
        write(other, "Behind it")
        assert figure(other, "epoch") == 2
        eventually(lambda: "another one" in _refusal(world))
        with refused("busy") as problem:
            write(world, "Never")
        assert "another one" in problem.value.detail
        eventually(lambda: filled(other))
        generations = sorted(one.name[:5] for one in place.iterdir() if one.is_dir())
        assert generations == ["0001-", "0002-"]
        eventually(lambda: "epoch 1 of these data is over" in caplog.text)
    assert DataEpoch.known(tmp_path / "other").epoch == 2


def test_a_lease_is_kept_for_as_long_as_data_are_restored(
    world: World, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that gave it away takes it again where it hears nothing: here it hears of it."""
    eventually(lambda: filled(world))
    restore = restoration.restore

    def slow(*args: Any, **more: Any) -> Any:
        time.sleep(1.0)
        return restore(*args, **more)

    monkeypatch.setattr(restoration, "restore", slow)
    monkeypatch.setattr(lease, "_ASKED_S", 0.4)
    monkeypatch.setattr(promotion, "_KEEP_S", 0.1)
    with promoted(world, tmp_path / "other", settings) as other:
        write(other)
        assert not held(world)
        monkeypatch.setattr(promotion, "_KEEP_S", 5.0)
        third = Folder(tmp_path / "third")
        third.prepare()
        with pytest.raises(Unusable, match="somebody else took the lease meanwhile"):
            Promotion(settings.replicate, third, os.environ, print).run()
        write(other, "As before")


def test_what_was_written_too_late_stays_in_its_epoch_and_is_listed(
    world: World,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("KBWORK_REPLICATE_TO", settings.replicate.to)
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", settings.replicate.engine)
    monkeypatch.setattr(child, "_END_S", 0.3)
    eventually(lambda: filled(world))
    told = (world.folder / "fake-engine.jsonl").read_text().splitlines()
    os.kill(json.loads(told[-1])["pid"], signal.SIGSTOP)
    write(world, "Too late")
    with promoted(world, tmp_path / "other", settings) as other:
        assert "Too late" not in titles(other)
        write(other, "In time")
        eventually(lambda: figure(world, "late_events") > 0)
        assert "of epoch 1 were written here behind the takeover" in caplog.text
        eventually(lambda: "replica late 1 lists" in CliRunner().invoke(epochs).output)
        listed = CliRunner().invoke(epochs).output
        assert "has the lease in epoch 2" in listed
        lines = CliRunner().invoke(late, ["1"])
        assert lines.exit_code == 1
        assert ("issue.created" in lines.output, "and not in what is served now" in lines.output) == (
            True,
            True,
        )
        with pytest.raises(
            Unusable, match="are of epoch 1, the replica is in epoch 2: they are not compared"
        ):
            tried(settings.replicate, world.folder / "kbwork.db", os.environ)
        none = CliRunner().invoke(late, ["2"])
        assert (none.exit_code, "no epoch behind 2 says where" in none.stderr) == (2, True)
        assert "Too late" not in titles(other)


def test_the_old_one_comes_back_and_does_not_write(
    world: World, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its own, and from a copy of its folder that is started elsewhere."""
    eventually(lambda: filled(world))
    copy = copied(world, tmp_path / "copy")
    with promoted(world, tmp_path / "other", settings) as other:
        eventually(lambda: "taken over" in _refusal(world))
        with serving(World(copy, world.clock, world.people), settings) as again:
            eventually(lambda: "another one has taken over with these data" in _refusal(again))
            assert titles(again) is not None
            write(other, "Alone")
        said = doctored(copy, settings, monkeypatch)
        (found,) = [one for one in said if one["about"] == "replica-lease"]
        assert (found["well"], "epoch 1 of these data is over" in found["said"]) == (False, True)


def _refusal(world: World) -> str:
    assert world.app is not None
    return (world.app.database._fence and world.app.database._fence()) or ""


def test_a_folder_is_promoted_as_it_is_where_somebody_says_so(
    world: World, settings: Settings, tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it does not have is listed, though its own numbers go on far ahead of it."""
    monkeypatch.setenv("KBWORK_REPLICATE_TO", settings.replicate.to)
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", settings.replicate.engine)
    eventually(lambda: filled(world))
    then = copied(world, tmp_path / "then")
    restoration.begin_behind(then / "kbwork.db")  # as one that was restored
    write(world, "Since then")
    eventually(lambda: filled(world))
    with pytest.raises(Unusable, match="holds data that no standby filled"):
        Promotion(settings.replicate, Folder(then), os.environ, print).run()
    with promoted(world, then, settings, as_is=True) as other:
        assert "Since then" not in titles(other)
        write(other, "Goes on from then")
        eventually(lambda: "replica late 1 lists" in CliRunner().invoke(epochs).output)
        lines = CliRunner().invoke(late, ["1"])
        assert (lines.exit_code, lines.output.count("issue.created")) == (1, 1)
    with pytest.raises(Unusable, match="holds no data to be served as they are"):
        Promotion(settings.replicate, Folder(tmp_path), os.environ, print).run(as_is=True)


def test_a_place_without_a_lease_gives_no_promotion(settings: Settings, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "empty")
    folder.prepare()
    with pytest.raises(Unusable, match=r"there is no lease in .*: whoever fills that may go on to write"):
        Promotion(settings.replicate, folder, os.environ, print).run()


def test_another_orgs_place_takes_nothing_of_these_data(
    world: World, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With a lease no writes are taken, without one serving goes on; both say so, by a line and a metric."""
    eventually(lambda: filled(world))
    theirs = copied(world, tmp_path / "theirs")
    for name in ("replica.epoch", "replica.generation"):
        (theirs / name).unlink()
    with serving(World(theirs, world.clock, world.people), Settings(limits=settings.limits)) as other:
        other.database.write_now(
            lambda tx: tx.execute("update setting set value = '7' where name = 'org.created_at'")
        )
    with serving(World(theirs, world.clock, world.people), settings) as other:
        eventually(lambda: figure(other, "other_org") == 1)
        assert figure(other, "lease_held") == 0
    alone = replace(settings, replicate=replace(settings.replicate, lease=False))
    with serving(World(theirs, world.clock, world.people), alone) as other:
        eventually(lambda: figure(other, "other_org") == 1)
        write(other, "Served all the same")
    assert "is that of another org, 'Acme': name a path of its own" in caplog.text
    assert not (theirs / "replica.generation").exists()


def test_another_master_key_is_told_of(
    world: World,
    settings: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    eventually(lambda: filled(world))
    assert figure(world, "other_key") == 0
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    (other / "master.key").write_text("ab" * 32)
    (other / "master.key").chmod(0o600)
    with pytest.raises(Unusable, match=r"master\.key is not the one with which secrets in the replica"):
        Promotion(settings.replicate, Folder(other), os.environ, print).run()
    copy = copied(world, tmp_path / "copy")
    (copy / "master.key").write_text("ab" * 32)
    said = doctored(copy, settings, monkeypatch)
    assert any("master.key is not the one" in one["said"] and not one["well"] for one in said)
    with serving(World(copy, world.clock, world.people), settings) as again:
        eventually(lambda: figure(again, "other_key") == 1)
    assert "master.key is not the one with which secrets" in caplog.text


def test_a_server_that_asks_for_no_lease_does_not_fill_a_place_that_has_one(
    world: World, settings: Settings, place: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))
    copy = copied(world, tmp_path / "copy")
    alone = replace(settings, replicate=replace(settings.replicate, lease=False))
    with serving(World(copy, world.clock, world.people), alone) as other:
        eventually(lambda: "is kept by a lease, which these settings do not ask for" in caplog.text)
        assert figure(other, "running") == 0
        write(other, "Served all the same")
    assert sorted(one.name[:5] for one in place.iterdir() if one.is_dir()) == ["0001-"]


def test_an_end_leaves_the_lease_to_whoever_wants_it(
    world: World, settings: Settings, place: Path, tmp_path: Path
) -> None:
    eventually(lambda: filled(world))
    with promoted(world, tmp_path / "other", settings) as other:
        write(other)
        assert json.loads((place / lease.NAME).read_text())["state"] == "held"
    left = json.loads((place / lease.NAME).read_text())
    assert (left["state"], left["epoch"], left["asked_by"]) == ("released", 2, "")
    with serving(World(tmp_path / "other", world.clock, world.people), settings) as again:
        eventually(lambda: held(again))
        assert (figure(again, "epoch"), "Far away" in titles(again)) == (2, True)


def test_nobody_copies_while_data_are_exchanged_and_the_lease_is_kept(world: World, place: Path) -> None:
    eventually(lambda: filled(world))
    ana = world.session("ana")
    made = ana.call("backups.create", {})
    write(world, "Goes again")
    job = ended(world, ana.call("backups.restore", {"id": made["id"]})["job"])
    assert job["state"] == "done"
    eventually(lambda: held(world) and filled(world))
    write(world, "Behind it")
    assert "Goes again" not in titles(world)
    assert json.loads((place / lease.NAME).read_text())["epoch"] == 1
