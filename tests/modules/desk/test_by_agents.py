"""Requests that somebody of the desk writes down for a customer."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk
from tests.modules.desk.test_customers import letters


def made(world: World, who: str = "cy", **value: Any) -> dict[str, Any]:
    usual = {"project": "WEB", "type": 1, "customer": "rita@rivers.example", "title": "She called"}
    found: dict[str, Any] = call(world, who, "desk.request_create", **usual | value)
    return found


def test_a_call_becomes_a_request_of_the_customer(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    seq = world.database.seq
    issue = made(world, channel="walk_in", values={"description": "It is broken"})
    cy = world.people["cy"].id
    assert (issue["reporter"], issue["created_by"]) == (f"customer:{rita.id}", cy)
    assert issue["type"] == "bug"
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.created", "desk.request_created"]
    told = call(world, "cy", "activity.list", subject=f"issue:{issue['key']}")
    assert {one["actor"] for one in told} == {cy}
    assert told[-1]["payload"]["channel"] == "walk_in"
    assert rita.thread(issue["key"])["description"] == "It is broken"
    with refused("not-found"):
        help_desk.nat.thread(issue["key"])
    assert call(world, "cy", "tql.run", tql="from requests channel = walk_in")["total"] == 1


def test_an_unknown_address_becomes_a_customer(mailed: World) -> None:
    open_desk(mailed)
    issue = made(mailed, customer="new@lake.example")
    (letter,) = letters(mailed, "new@lake.example")
    assert letter["subject"] == f"[{issue['key']}] She called"
    (found,) = call(mailed, "cy", "desk.customers", q="lake")
    assert (found["name"], found["requests"], found["active"]) == ("new", 1, False)
    assert made(mailed, customer=str(found["id"]))["reporter"] == f"customer:{found['id']}"


def test_hidden_types_are_for_agents(help_desk: HelpDesk) -> None:
    world = help_desk.world
    call(
        world,
        "ana",
        "desk.request_type_save",
        id=1,
        project="WEB",
        name="Inside",
        issue_type="bug",
        fields=[{"field": "description", "required": True}],
        hidden=True,
    )
    with refused("invalid-input") as missing:
        made(world)
    assert [one["path"] for one in missing.value.errors] == ["values.description"]
    assert made(world, values={"description": "All of it"})["body"] == "All of it"


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"customer": "nobody at all"}, "invalid-input"),
        ({"customer": "99"}, "not-found"),
        ({"type": 99}, "not-found"),
        ({"project": "SEC"}, "not-found"),
        ({"project": "PRV"}, "not-found"),
        ({"channel": "portal"}, "invalid-input"),
        ({"values": {"nosuch": 1}}, "invalid-input"),
        ({"title": " "}, "invalid-input"),
    ],
)
def test_what_does_not_fit_is_refused(help_desk: HelpDesk, value: dict[str, Any], slug: str) -> None:
    world = help_desk.world
    seq = world.database.seq
    with refused(slug):
        made(world, **value)
    assert world.events_since(seq) == []


def test_who_may_not_and_when_not(help_desk: HelpDesk) -> None:
    world = help_desk.world
    with refused("not-allowed"):
        made(world, "gus")
    call(world, "ana", "projects.create", key="OPS", name="Operations")
    open_desk(world, "OPS")
    with refused("not-found"):
        made(world, project="OPS", type=1)
    call(world, "ana", "desk.customer_block", id=help_desk.nat.id, blocked=True)
    with refused("conflict"):
        made(world, customer=help_desk.nat.email)
    call(world, "ana", "desk.save", project="WEB", enabled=False)
    with refused("conflict"):
        made(world)
