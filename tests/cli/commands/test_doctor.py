"""What the doctor finds in the data, and how it says so."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kbwork.app import open_data, registry
from kbwork.base.clock import FixedClock, SystemClock
from kbwork.cli.commands.doctor import doctor
from kbwork.core.data_check import DAY_S, DataCheck
from kbwork.db import migrate
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write
from tests.conftest import NOW, World


def found(world: World | Database, about: str) -> list[tuple[bool, str]]:
    """What is said of one matter, at the time of the world's clock."""

    def look(tx: Read) -> list[tuple[bool, str]]:
        every = (finding for one in registry().of(DataCheck) for finding in one.look(tx))
        return [(finding.well, finding.said) for finding in every if finding.about == about]

    return (world.database if isinstance(world, World) else world).read_now(look)


def test_backups_are_missed_after_a_while(world: World) -> None:
    world.database.write_now(
        lambda tx: tx.execute(
            "insert into setting (name, value) values ('org.created_at', :now)"
            " on conflict do update set value = excluded.value",
            now=str(tx.now),
        )
    )
    assert found(world, "backups") == [(True, "no backup was taken yet; the schedule is off")]
    world.clock.advance(9 * DAY_S)
    ((well, said),) = found(world, "backups")
    assert not well
    assert "no backup was taken yet: `kbwork backups schedule-set --every daily`" in said
    world.session("ana").call("backups.create", {})
    ((well, said),) = found(world, "backups")
    assert well
    assert said.startswith("the last backup was taken at 20")
    world.session("ana").call("backups.schedule_set", {"every": "hourly", "keep": 3})
    world.clock.advance(2 * 3600 + 1)
    ((well, said),) = found(world, "backups")
    assert (well, said.endswith(": is the server running?")) == (False, True)
    world.database.write_now(lambda tx: tx.execute("update backup_schedule set last_error = 'no room'"))
    ((well, said),) = found(world, "backups")
    assert (well, said.endswith("the schedule's last one failed: no room")) == (False, True)


def test_jobs_that_failed_are_named(world: World) -> None:
    assert found(world, "jobs") == [(True, "no job failed since yesterday")]

    def fail(tx: Write, kind: str, by: str) -> None:
        more: dict[str, Any] = {"state": "failed", "args": "{}", "progress": 0.0, "message": "", "tries": 1}
        tx.insert(
            "job", kind=kind, by=by, error="disk", created_at=tx.now, ended_at=tx.now, run_at=tx.now, **more
        )

    world.database.write_now(lambda tx: fail(tx, "imports.run", world.people["ana"].id))
    world.database.write_now(lambda tx: fail(tx, "search.reindex", "system"))
    world.database.write_now(lambda tx: fail(tx, "search.reindex", "system"))
    assert found(world, "jobs") == [
        (True, "imports.run failed once since yesterday: disk; see `kbwork jobs get --id 1`"),
        (False, "search.reindex failed 2 times since yesterday: disk; see `kbwork jobs get --id 3`"),
    ]
    world.clock.advance(DAY_S + 1)
    assert found(world, "jobs") == [(True, "no job failed since yesterday")]


def test_mail_that_does_not_go_out_is_told(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    data = open_data(tmp_path / "data", clock)
    assert found(data, "mail") == [(True, "no mail server is named: links are handed on by hand")]

    def letter(tx: Write) -> None:
        tx.execute(
            "insert into mailer (name, sends, domain, origin) values ('mail', 1, 'work.example', 'http://w.example')"
            " on conflict do update set sends = 1"
        )
        tx.insert(
            "mail",
            address="ana@acme.example",
            subject="Hello",
            text="Hello",
            message_id="1",
            state="queued",
            tries=0,
            at=tx.now,
            next_at=tx.now + 10 * DAY_S,
        )

    data.write_now(letter)
    assert found(data, "mail") == [(True, "no letter waits for long")]
    clock.advance(3601)
    ((well, said),) = found(data, "mail")
    assert (well, said.startswith("a letter waits since 20")) == (False, True)
    data.write_now(lambda tx: tx.execute("update mail set state = 'failed', error = '550 nobody'"))
    ((well, said),) = found(data, "mail")
    assert (well, said.startswith("letters given up since yesterday: 1 (550 nobody); `kbwork mail")) == (
        False,
        True,
    )
    data.close()


def test_a_clock_that_steps_is_told(world: World) -> None:
    ((well, _),) = found(world, "clock")
    assert well
    now = world.clock.now()
    world.session("ana").labels.save(name="one")
    world.clock.set(now - 2 * 3600)
    ((well, said),) = found(world, "clock")
    assert (well, said.endswith(": set it right")) == (False, True)
    kept = json.dumps({"shown": now, "steps": [[7200, 5.0]]})
    world.clock.set(now)
    world.database.write_now(
        lambda tx: tx.execute(
            "insert into setting values ('org.clock', :kept) on conflict do update set value = excluded.value",
            kept=kept,
        )
    )
    ((well, said),) = found(world, "clock")
    assert (well, "by 2 hours" in said, "`kbwork org clock-confirm`" in said) == (False, True, True)


@pytest.mark.parametrize("served", [True, False])
def test_programs_read_it_as_json(tmp_path: Path, *, served: bool) -> None:
    folder = tmp_path / "data"
    database = open_data(folder, SystemClock())
    if not served:
        database.close()
    try:
        ran = CliRunner().invoke(doctor, ["--data", str(folder), "--json"])
    finally:
        if served:
            database.close()
    told = json.loads(ran.output)
    assert (ran.exit_code, told["well"]) == (0, True)
    assert {one["about"] for one in told["findings"]} >= {
        "version",
        "sqlite",
        "folder",
        "space",
        "file",
        "jobs",
    }
    assert all(one.keys() == {"about", "well", "said"} for one in told["findings"])


def test_an_event_that_was_left_out_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    database = open_data(folder, SystemClock())
    name = "notifications.left_out.7"
    database.write_now(
        lambda tx: tx.execute("insert into counter (name, value) values (:name, :now)", name=name, now=tx.now)
    )
    database.close()
    ran = CliRunner().invoke(doctor, ["--data", str(folder), "--json"])
    (said,) = (one["said"] for one in json.loads(ran.output)["findings"] if one["about"] == "followers")
    assert (ran.exit_code, said.startswith("notifications left out the event 7 (gone since) at ")) == (
        1,
        True,
    )


def test_data_of_another_version_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    open_data(folder, SystemClock()).close()
    later = (*migrate.files(), ("209901010000_later", "create table later (id integer)"))
    monkeypatch.setattr(migrate, "files", lambda: later)
    ran = CliRunner().invoke(doctor, ["--data", str(folder)])
    assert "the data are of another version" in ran.output
