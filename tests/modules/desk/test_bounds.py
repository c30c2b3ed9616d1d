"""How many there are at most, whose they are, and what else is refused at a desk."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import SECRET, HelpDesk, customer, open_desk
from tests.modules.desk.test_canned_replies import saved as reply
from tests.modules.desk.test_customers import letters, link
from tests.modules.desk.test_queues import saved as queue

FORM: dict[str, Any] = {"project": "WEB", "name": "More", "issue_type": "bug", "fields": []}


def test_a_desk_has_so_many_of_each(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    open_desk(world)
    for make in (queue, reply):
        make(world)
    for name, most in (("queues.ops", 1), ("replies.reply", 1), ("request_types.ops", 2)):
        monkeypatch.setattr(f"kbwork.modules.desk.{name}.MOST", most)
    for make in (queue, reply):
        with refused("conflict"):
            make(world, name="Other")
        make(world, id=1, name="Renamed")
    with refused("conflict"):
        call(world, "ana", "desk.request_type_save", **FORM)
    assert reply(world, "bo")["id"] == 2


@pytest.mark.parametrize(
    ("more", "slug"),
    [
        ({"approvers": ["team:99"]}, "invalid-input"),
        ({"approvers": ["customer:99"]}, "invalid-input"),
        ({"approvers": ["@di"]}, "invalid-input"),
        ({"template": 99}, "invalid-input"),
        ({"id": 99}, "not-found"),
        ({"id": 1, "project": "API"}, "invalid-input"),
        ({"name": "a QUESTION"}, "conflict"),
    ],
)
def test_a_request_type_that_does_not_fit_is_refused(world: World, more: dict[str, Any], slug: str) -> None:
    call(world, "ana", "projects.create", key="API", name="Interface")
    open_desk(world)
    call(world, "ana", "desk.save", project="API")
    call(world, "ana", "members.deactivate", id=world.people["di"].id, on=True)
    seq = world.database.seq
    with refused(slug):
        call(world, "ana", "desk.request_type_save", **FORM | more)
    assert world.events_since(seq) == []


def test_requests_move_to_another_type_of_the_desk(help_desk: HelpDesk) -> None:
    world = help_desk.world
    help_desk.rita.ask()
    call(world, "ana", "projects.create", key="API", name="Interface")
    open_desk(world, "API")
    for move_to in (1, 3, 99):
        with refused("invalid-input"):
            call(world, "ana", "desk.request_type_delete", id=1, move_to=move_to)
    left = call(world, "ana", "desk.request_type_delete", id=1, move_to=2)
    assert [one["id"] for one in left] == [2]


def test_who_only_looks_on_works_at_no_desk(help_desk: HelpDesk) -> None:
    world = help_desk.world
    open_desk(world, "SEC")
    asked = {"project": "SEC", "type": 3, "customer": help_desk.nat.email, "title": "By phone"}
    key = call(world, "cy", "desk.request_create", **asked)["key"]
    seq = world.database.seq
    for op, value, slug in (
        ("desk.request_create", asked, "not-allowed"),
        ("desk.satisfaction", {"project": "SEC"}, "not-allowed"),
        ("desk.spam", {"key": key}, "not-found"),
        ("desk.requester_set", {"key": key, "add": [help_desk.nat.email]}, "not-found"),
    ):
        with refused(slug):
            call(world, "di", op, **value)
    assert world.events_since(seq) == []


@pytest.mark.parametrize("op", ["desk.stats", "desk.satisfaction"])
@pytest.mark.parametrize(
    ("from_", "to"),
    [
        ("2026-01-02", "2026-01-01"),
        ("1969-12-31", "1970-01-02"),
        ("9999-12-31", "9999-12-31"),
        ("2000-01-01", "2020-01-01"),
    ],
)
def test_days_that_are_none_are_refused(world: World, op: str, from_: str, to: str) -> None:
    open_desk(world)
    with refused("invalid-input"):
        call(world, "ana", op, project="WEB", from_=from_, to=to)


def test_a_request_is_shared_with_so_many(help_desk: HelpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    world, key = help_desk.world, help_desk.rita.ask()
    monkeypatch.setattr("kbwork.modules.desk.requests.creation.MOST_PEOPLE", 1)
    with refused("conflict"):
        call(world, "cy", "desk.requester_set", key=key, add=[help_desk.nat.email])
    with refused("not-found"):
        help_desk.nat.thread(key)


def test_a_customer_sends_so_much_a_day(help_desk: HelpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    world, rita, key = help_desk.world, help_desk.rita, help_desk.rita.ask()
    monkeypatch.setattr("kbwork.modules.desk.requests.files.MOST_DAY_BYTES", 6)
    file = {"key": key, "name": "a.txt", "data": "TnVtYg=="}
    rita.call("desk.portal_upload", **file)
    with refused("conflict"):
        rita.call("desk.portal_upload", **file)
    world.advance(86_400)
    rita.call("desk.portal_upload", **file)
    assert len(rita.thread(key)["files"]) == 2


def test_a_desk_that_is_shut_suggests_nothing(world: World) -> None:
    open_desk(world, enabled=False)
    for project in ("WEB", "NONE", "PRV"):
        with refused("not-found"):
            call_nobody(world, "desk.portal_suggest", project=project, text="cart")


def test_what_only_the_desk_does_no_customer_does(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    for action in ("reopen", "approve", "reject"):
        with refused("conflict"):
            rita.call("desk.portal_transition", key=key, action=action)
    rita.call("desk.portal_transition", key=key, action="close")
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action="close")
    with refused("not-found"):
        help_desk.nat.call("desk.portal_transition", key=key, action="reopen")
    call(world, "ana", "desk.save", project="WEB", reopen_days=1)
    world.advance(86_401)
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action="reopen")


def test_who_became_a_customer_meanwhile_signs_up_no_more(mailed: World) -> None:
    open_desk(mailed)
    asked = {"email": "nat@rivers.example", "name": "Nat", "password": SECRET}
    call_nobody(mailed, "desk.portal_signup", **asked)
    mailed.advance(1)
    eventually(lambda: letters(mailed, "nat@rivers.example"))
    token = link(letters(mailed, "nat@rivers.example")[0])
    with customer(mailed, "nat"):
        seq = mailed.database.seq
        with refused("conflict"):
            call_nobody(mailed, "desk.portal_verify", token=token)
    assert mailed.events_since(seq) == []


def test_a_key_of_another_project_sees_nothing_of_a_desk(help_desk: HelpDesk) -> None:
    world, key = help_desk.world, help_desk.rita.ask()
    queue(world)
    scopes = ["issues:read", "issues:write", "comments:write"]
    made = call(world, "cy", "keys.create", name="sec", scopes=scopes, projects=["SEC"])
    with Kbwork(world.url, made["secret"]) as narrow:
        assert narrow.call("desk.list", {}) == []
        for op, value in (
            ("desk.satisfaction", {"project": "WEB"}),
            ("desk.queues", {"project": "WEB"}),
            ("desk.request_types", {"project": "WEB"}),
            ("desk.stats", {"project": "WEB", "from": "2026-01-01", "to": "2026-01-01"}),
            ("desk.spam", {"key": key}),
            ("desk.send_reply", {"key": key, "body": "Hello"}),
            ("desk.requester_set", {"key": key, "add": [help_desk.nat.email]}),
            ("desk.suggest_articles", {"key": key}),
        ):
            with refused("not-found"):
                narrow.call(op, value)
        for op, value in (
            ("desk.customers", {}),
            ("desk.customer_add", {"email": "x@y.example", "name": "X"}),
        ):
            with refused("not-allowed"):
                narrow.call(op, value)
