"""A clock that runs ahead ends nothing for good, whatever the modules have done as time goes by."""

from kbwork.base.clock import LASTS_S
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.jobs import queue
from kbwork.db.tx import Read
from tests.conftest import PASSWORD, World
from tests.modules.calls import call, eventually

DAY = 86400
ON_TIME = {
    "analytics.due",
    "auth.links",
    "automation.clock",
    "backups.start",
    "desk.links",
    "desk.survey",
    "events.daily",
    "flags.apply",
    "issues.settle",
    "notifications.wake",
    "org.clock",
    "views.due",
}
"""What is done when the clock says so, right or wrong: it ends nothing."""
_MARKS = frozenset({"events", "firing", "job", "setting", "span", "span_waiting"})
"""Tables in which is noted that something was done on time, and those of spans, which wait in one and move on."""
_ENDED = """
select (select count(*) from key where revoked_at is not null)
     + (select count(*) from sdk_key where revoked_at is not null)
     + (select count(*) from invite where state = 'expired')
     + (select count(*) from member where state = 'deactivated')
     + (select count(*) from trash where purging <> 0)
"""


def _fire(world: World) -> None:
    """Each schedule, as often as it takes to get through what is due."""
    assert world.app is not None
    for turn in range(5):
        slot = world.clock.now() + (turn + 2) * 2 * DAY
        for schedule in world.app.dispatcher.registry.schedules:
            if world.database.read_now(lambda tx: queue.is_time(tx, schedule, slot)):  # noqa: B023 - at once
                world.database.write_now(lambda tx: queue.fire(tx, schedule, slot))  # noqa: B023 - at once


def _standing(world: World) -> dict[str, int]:
    """How many rows each table has, and how much of what may end has ended."""

    def counted(tx: Read) -> dict[str, int]:
        names = tx.column("select name from sqlite_schema where type = 'table' and name not glob 'search_*'")
        found = {name: int(tx.value(f"select count(*) from {name}")) for name in names if name not in _MARKS}
        return found | {"ended": int(tx.value(_ENDED))}

    return world.database.read_now(counted)


def _leave_things_that_end(world: World) -> None:
    soon = world.clock.now() + 3 * DAY
    call(world, "ana", "org.update", retention={"audit_days": 30, "trash_days": 7, "events_days": 30})
    call(world, "ana", "invites.create", emails=["eva@acme.example"], role="member")
    call(world, "ana", "keys.create", name="for three days", scopes=["issues:read"], expires_at=soon)
    call(world, "ana", "org.banner_set", text="Until soon", until=soon)
    made = call(world, "ana", "issues.create", project="WEB", title="Goes to the trash")
    call(world, "ana", "issues.delete", key=made["key"])


def test_what_goes_by_the_clock_as_it_is_is_known(lived_in: World) -> None:
    assert lived_in.app is not None
    found = {schedule.name for schedule in lived_in.app.dispatcher.registry.schedules if schedule.on_time}
    assert found == ON_TIME


def test_a_clock_that_runs_ahead_ends_nothing_until_it_has_lasted(lived_in: World) -> None:
    _leave_things_that_end(lived_in)
    with lived_in.at_rest():  # what is done beside would end things of its own
        before = _standing(lived_in)
        assert before["trash"]
        assert before["undo"]
        assert before["session"]
        lived_in.clock.set(lived_in.clock.now() + 400 * DAY)
        _fire(lived_in)
        assert _standing(lived_in) == before
        lived_in.clock.advance(LASTS_S + 1)
        _fire(lived_in)
        after = _standing(lived_in)
    gone = {name for name in before if after[name] < before[name]}
    assert {"undo", "session"} <= gone
    assert after["ended"] >= before["ended"] + 2


def test_nobody_is_signed_out_by_a_clock_that_ran_ahead(world: World) -> None:
    world.clock.set(world.clock.now() + 400 * DAY)
    assert call(world, "ana", "auth.me")["member"]["handle"] == "ana"
    world.clock.set(world.clock.now() - 400 * DAY)
    assert call(world, "ana", "auth.me")["member"]["handle"] == "ana"


def test_a_call_that_is_sent_again_under_a_clock_that_ran_ahead_is_made_once(world: World) -> None:
    with Kbwork(world.url, world.people["ana"].key) as client:
        asked = {"project": "WEB", "title": "Once"}
        first = client.call("issues.create", asked, idempotency_key="k")
        world.clock.set(world.clock.now() + 400 * DAY)
        assert client.call("issues.create", asked, idempotency_key="k") == first
        world.clock.set(world.clock.now() - 400 * DAY)
        assert client.call("issues.create", asked, idempotency_key="k") == first
        world.advance(DAY)
        assert client.call("issues.create", asked, idempotency_key="k") != first


def test_an_admin_who_confirms_it_has_it_trusted_at_once(world: World) -> None:
    call(world, "ana", "org.clock_confirm")
    assert "org.clock_confirmed" not in [kind for kind, _ in world.events_since(0)]
    key = call(
        world, "ana", "keys.create", name="k", scopes=["issues:read"], expires_at=world.clock.now() + DAY
    )
    world.clock.set(world.clock.now() + 10 * DAY)
    world.advance(10)
    eventually(lambda: "org.clock_stepped" in [kind for kind, _ in world.events_since(0)])
    told = call(world, "ana", "auth.elevate", password=PASSWORD)
    assert told["elevated_until"] > world.clock.now()
    found = call(world, "ana", "org.clock_confirm")
    assert found == {"now": world.clock.now(), "trusted": world.clock.now()}
    assert world.events_since(0)[-1] == ("org.clock_confirmed", "org:1")
    world.advance(1)
    eventually(lambda: ("key.revoked", f"key:{key['id']}") in world.events_since(0))
