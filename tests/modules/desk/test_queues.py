"""Queues of a desk: what is in them, for whom, and what is refused."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk


def saved(world: World, **value: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(
        world, "ana", "desk.queue_save", **{"project": "WEB", "name": "Ours", "tql": "open"} | value
    )
    return found


def test_a_queue_counts_what_is_in_it_and_what_is_late(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    late = help_desk.rita.ask("Late")
    call(world, "cy", "issues.update", key=late, due_date="2020-01-01")
    call(world, "cy", "issues.create", project="SEC", title="Elsewhere")
    seq = world.database.seq
    (made,) = saved(world, order="due desc, priority", columns=["key", "title", "customer", "key"])
    assert made == {
        "id": 1,
        "project": "WEB",
        "name": "Ours",
        "tql": "open",
        "order": "due desc, priority",
        "columns": ["key", "title", "customer"],
        "team": None,
        "position": 1.0,
        "count": 2,
        "late": 1,
    }
    assert world.events_since(seq) == [("queue.saved", "project:WEB")]
    call(world, "cy", "issues.transition", key=key, to_status="done")
    (found,) = call(world, "cy", "desk.queues", project="web")
    assert (found["count"], found["late"]) == (1, 1)
    call(world, "cy", "issues.transition", key=late, to_status="done")
    (found,) = call(world, "cy", "desk.queues", project="WEB")
    assert (found["count"], found["late"]) == (0, 0)


def test_queues_are_changed_moved_and_taken_away(help_desk: HelpDesk) -> None:
    world = help_desk.world
    team = call(world, "ana", "teams.save", name="Depot")["id"]
    saved(world)
    one, other = saved(world, name="Mine", tql="mine", team=team)
    assert (other["name"], other["team"]) == ("Mine", team)
    first, _ = saved(world, id=other["id"], name="Mine", tql="mine", position=0)
    assert (first["id"], first["team"]) == (other["id"], team)
    seq = world.database.seq
    saved(world, id=one["id"])
    assert world.events_since(seq) == []
    saved(world, id=one["id"], order="due")
    event = call(world, "ana", "activity.list", subject="project:WEB")[-1]
    assert event["payload"]["changes"] == {"order": {"from": "", "to": "due"}}
    call(world, "ana", "teams.delete", id=team)
    assert call(world, "cy", "desk.queues", project="WEB")[0]["team"] is None
    left = call(world, "ana", "desk.queue_delete", id=one["id"])
    assert [one["name"] for one in left] == ["Mine"]
    call(world, "ana", "undo.apply", seq=world.database.seq)
    assert [one["name"] for one in call(world, "cy", "desk.queues", project="WEB")] == ["Mine", "Ours"]


def test_a_queue_goes_on_meaning_what_it_named(help_desk: HelpDesk) -> None:
    world = help_desk.world
    call(world, "ana", "labels.save", name="urgent", project="WEB")
    call(world, "cy", "issues.create", project="WEB", title="Now", labels=["urgent"])
    saved(world, tql="label = urgent")
    ident = next(
        one["id"] for one in call(world, "ana", "labels.list", project="WEB") if one["name"] == "urgent"
    )
    call(world, "ana", "labels.save", id=ident, name="pressing")
    (found,) = call(world, "cy", "desk.queues", project="WEB")
    assert (found["tql"], found["count"]) == ("label = pressing", 1)
    saved(world, id=1, order="due", tql=found["tql"])
    assert call(world, "cy", "desk.queues", project="WEB")[0]["count"] == 1


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"tql": "open and"}, "tql-syntax"),
        ({"tql": "nosuchfield = 3"}, "tql-name"),
        ({"tql": "open order by due"}, "invalid-input"),
        ({"tql": "from requests open"}, "invalid-input"),
        ({"order": "nosuchfield"}, "invalid-input"),
        ({"order": "due limit 3"}, "invalid-input"),
        ({"columns": ["nosuchfield"]}, "invalid-input"),
        ({"team": 99}, "invalid-input"),
        ({"id": 99}, "not-found"),
        ({"project": "SEC"}, "not-found"),
        ({"project": "PRV"}, "not-found"),
        ({"name": "  "}, "invalid-input"),
    ],
)
def test_a_queue_that_does_not_fit_is_refused_with_words(
    help_desk: HelpDesk, value: dict[str, Any], slug: str
) -> None:
    seq = help_desk.world.database.seq
    with refused(slug) as told:
        saved(help_desk.world, **value)
    assert told.value.detail
    assert help_desk.world.events_since(seq) == []


def test_names_are_unique_and_queues_stay_at_their_desk(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world)
    with refused("conflict"):
        saved(world, name="OURS")
    call(world, "ana", "projects.create", key="OPS", name="Operations")
    open_desk(world, "OPS")
    with refused("invalid-input"):
        saved(world, id=1, project="OPS")


def test_queues_are_kept_by_leads_and_read_by_members(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world)
    for op, value in (
        ("desk.queue_save", {"project": "WEB", "name": "Mine", "tql": ""}),
        ("desk.queue_delete", {"id": 1}),
    ):
        with refused("insufficient-scope"):
            call(world, "cy", op, **value)
    with refused("not-allowed"):
        call(world, "gus", "desk.queues", project="WEB")
    with refused("not-found"):
        call(world, "cy", "desk.queues", project="SEC")
    with refused("not-found"):
        call(world, "cy", "desk.queues", project="PRV")
    with refused("not-found"):
        call(world, "ana", "desk.queue_delete", id=9)


def test_what_is_counted_is_what_the_caller_sees(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = call(world, "ana", "issues.create", project="WEB", title="Secret")["key"]
    call(world, "ana", "labels.save", name="hush", project="WEB")
    saved(world, tql="key = " + key)
    assert call(world, "cy", "desk.queues", project="WEB")[0]["count"] == 1
    call(world, "ana", "issues.delete", key=key)
    assert call(world, "cy", "desk.queues", project="WEB")[0]["count"] in (0, -1)


def test_of_two_who_save_at_once_both_stand(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world)
    saved(world, id=1, order="due")
    call(world, "ana", "desk.queue_save", id=1, project="WEB", name="Ours", tql="open", columns=["key"])
    (found,) = call(world, "cy", "desk.queues", project="WEB")
    assert (found["order"], found["columns"]) == ("due", ["key"])
