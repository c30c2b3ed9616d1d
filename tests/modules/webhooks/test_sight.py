"""A webhook hears what its author may hear of at the time, and no more."""

from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from kbwork.db.tx import Write
from kbwork.modules.webhooks.delivery import sender
from tests.conftest import World, run
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient
from tests.modules.webhooks.hooks import deliveries, follow, hook, issue, one
from tests.modules.webhooks.receiver import Receiver


def told(world: World, ident: int, who: str = "bo") -> list[tuple[str, int]]:
    return [(entry["event"], entry["seq"]) for entry in deliveries(world, ident, who)]


def kinds(world: World, ident: int, who: str = "bo") -> list[str]:
    return [kind for kind, _ in told(world, ident, who)]


def test_it_hears_of_no_private_project_that_its_author_is_not_in(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=["*"])
    issue(world, "di", project="PRV")
    assert kinds(world, 1) == []
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="viewer")
    issue(world, "di", project="PRV")
    assert kinds(world, 1)[-1] == "issue.created"


def test_what_its_author_lost_sight_of_is_not_sent_any_more(world: World, receiver: Receiver) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="viewer")
    hook(world, receiver)
    receiver.says["/hook"] = 500
    issue(world, "di", project="PRV", title="Hush")
    follow(world)
    eventually(lambda: [entry["tries"] for entry in deliveries(world, 1)] == [1])
    assert "Hush" in deliveries(world, 1)[0]["request"]
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="none")
    assert deliveries(world, 1)[0]["request"] == ""
    world.advance(10)
    eventually(lambda: deliveries(world, 1)[0]["state"] == "dropped")
    assert len(receiver.came) == 1


def test_what_was_sent_is_shown_to_its_author_alone(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    issue(world)
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    mine, others = deliveries(world, 1, "bo")[0], deliveries(world, 1, "ana")[0]
    assert mine["request"] == receiver.came[0].raw.decode()
    assert (others["request"], others["response"]) == ("", None)
    assert {**mine, "request": "", "response": None} == others


def test_who_saves_it_is_its_author_from_then_on(world: World, receiver: Receiver) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="viewer")
    made = hook(world, receiver, project="PRV")
    same = {"id": 1, "name": "hook", "url": made["url"], "events": made["events"]}
    with pytest.raises(Exception, match="project of this webhook"):
        call(world, "ana", "webhooks.save", **same)
    saved = call(world, "ana", "webhooks.save", **same, project=None)
    assert (saved["author"], saved["project"]) == (world.people["ana"].id, None)
    issue(world, "di", project="PRV")
    assert kinds(world, 1, "ana") == []


def test_of_a_project_it_hears_that_alone(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=["*"], project="WEB")
    call(world, "ana", "labels.save", name="bug")
    call(world, "cy", "issues.create", project="SEC", title="Elsewhere")
    call(world, "ana", "labels.save", name="mine", project="WEB")
    key = issue(world)
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Here")
    call(world, "ana", "projects.update", key="WEB", description="New")
    call(world, "ana", "webhooks.save", name="x", url=receiver.url("x"), events=["*"])
    found = kinds(world, 1)
    assert "issue.created" in found
    assert found.count("issue.created") == 1
    assert "comment.created" in found
    assert "project.updated" in found
    assert "webhook.saved" not in found
    call(world, "ana", "issues.move", keys=[key], project="SEC")
    assert "issue.moved" in kinds(world, 1)
    before = kinds(world, 1)
    call(world, "ana", "issues.update", key=f"issue:{1 if key == 'WEB-1' else 2}", title="There")
    assert [kind for kind in kinds(world, 1)[len(before) :] if kind == "issue.updated"] == []
    call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")
    assert kinds(world, 1)[-1] == "project.deleted"


def test_a_query_chooses_issues_as_its_author_asks_it(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=["*"], tql="assignee = me")
    key = issue(world)
    assert kinds(world, 1) == []
    call(world, "ana", "issues.assign", key=key, assignees=["@bo"])
    assert kinds(world, 1) == ["issue.updated", "issue.assigned"]
    call(world, "ana", "labels.save", name="bug")
    call(world, "ana", "issues.delete", key=key)
    assert kinds(world, 1)[2:] == ["issue.deleted"]


def test_a_query_keeps_what_its_names_meant(world: World, receiver: Receiver) -> None:
    call(world, "ana", "labels.save", name="bug")
    hook(world, receiver, tql="label = bug")
    call(world, "ana", "labels.save", id=1, name="fault")
    assert one(world, 1)["tql"] == "label = fault"
    issue(world, labels=["fault"])
    assert kinds(world, 1) == ["issue.created"]


def test_a_query_that_cannot_be_asked_any_more_switches_it_off(world: World, receiver: Receiver) -> None:
    """As one is that an older version took."""
    hook(world, receiver, tql="open")
    hook(world, receiver, name="other")
    world.database.write_now(lambda tx: tx.execute("update webhook set tql = 'severity > 1' where id = 1"))
    seq = world.database.seq
    issue(world)
    assert kinds(world, 2) == ["issue.created"]
    assert (one(world, 1)["enabled"], one(world, 2)["enabled"]) == (False, True)
    assert world.events_since(seq) == [("issue.created", "issue:1"), ("webhook.disabled", "webhook:1")]


@pytest.mark.parametrize("how", ["role", "gone"])
def test_it_is_switched_off_when_its_author_is_no_admin_any_more(
    world: World, receiver: Receiver, how: str
) -> None:
    hook(world, receiver)
    receiver.says["/hook"] = 500
    issue(world)
    follow(world)
    eventually(lambda: deliveries(world, 1, "ana")[0]["tries"] == 1)
    seq = world.database.seq
    if how == "role":
        call(world, "ana", "members.update", id="@bo", role="member")
    else:
        call(world, "ana", "members.deactivate", id="@bo", on=True)
    world.advance(1)
    eventually(lambda: not one(world, 1, "ana")["enabled"])
    assert ("webhook.disabled", "webhook:1") in world.events_since(seq)
    assert deliveries(world, 1, "ana")[0]["state"] == "dropped"
    issue(world)
    assert len(deliveries(world, 1, "ana")) == 1
    same = {"id": 1, "name": "hook", "url": receiver.url(), "events": ["issue.*"]}
    call(world, "ana", "webhooks.save", **same, enabled=True)
    issue(world)
    assert len(deliveries(world, 1, "ana")) == 2


def test_nothing_is_queued_for_an_author_who_is_no_admin_even_for_a_moment(
    world: World, receiver: Receiver
) -> None:
    hook(world, receiver)
    with world.at_rest():
        world.database.write_now(
            lambda tx: tx.execute(
                "update member set role = 'member' where id = :id", id=world.people["bo"].id
            )
        )
        world.database.write_now(lambda tx: tx.update("member", world.people["bo"].id, role="guest"))
        issue(world)
        follow(world)
        assert world.database.write_now(lambda tx: tx.value("select count(*) from webhook_delivery")) == 0


def test_what_an_import_brings_is_not_told(world: World, receiver: Receiver) -> None:
    hook(world, receiver)

    def bring(tx: Write) -> None:
        tx.brought_by = 1
        run(tx, world.people["ana"], "issues.create", {"project": "WEB", "title": "Brought"})

    world.database.write_now(bring)
    assert kinds(world, 1) == []


def test_fields_are_told_as_the_author_sees_them(world: World, receiver: Receiver) -> None:
    """A parent in a project that they do not see is none."""
    hook(world, receiver, events=["*"], fields=["title", "key", "name", "parent"])
    key = issue(world, title="Shown")
    call(world, "ana", "projects.update", key="WEB", description="New")
    follow(world)
    eventually(lambda: len(receiver.came) >= 2)
    data: list[Any] = [came.body["data"] for came in sorted(receiver.came, key=lambda came: came.seqs)]
    assert data[0] == {"title": "Shown", "key": key, "parent": None}
    assert data[1] == {"key": "WEB", "name": data[1]["name"]}
    call(world, "ana", "issues.delete", key=key)
    follow(world)
    eventually(lambda: len(receiver.came) >= 3)
    assert receiver.came[-1].body["data"] is None


def test_what_is_purged_stays_in_no_log(world: World, receiver: Receiver) -> None:
    hook(world, receiver, fields=["title"])
    key = issue(world, title="Hush")
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    entry = call(world, "ana", "issues.delete", key=key)["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    follow(world)
    # What was not sent when it was purged never is.
    eventually(lambda: all(entry["state"] in ("sent", "dropped") for entry in deliveries(world, 1)))
    assert "Hush" not in deliveries(world, 1)[0]["request"]


def test_a_webhook_goes_with_its_project(world: World, receiver: Receiver) -> None:
    call(world, "ana", "projects.create", key="TMP", name="For a while")
    hook(world, receiver, project="TMP")
    hook(world, receiver, name="other")
    entry = call(world, "ana", "projects.delete", key="TMP", confirm_key="TMP")["trash"]
    seq = world.database.seq
    call(world, "ana", "trash.purge", ids=[entry])
    eventually(lambda: [found["id"] for found in call(world, "bo", "webhooks.list")] == [2])
    assert ("webhook.deleted", "webhook:1") in world.events_since(seq)


def test_the_webhooks_of_an_erased_member_are_off(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    issue(world, "bo")
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    bo = world.people["bo"].id
    call(world, "ana", "members.erase", id="@bo", confirm_name="Bo Tran")
    eventually(lambda: not one(world, 1, "ana")["enabled"])
    eventually(
        lambda: (
            world.database.write_now(
                lambda tx: tx.value(
                    "select count(*) from webhook_delivery where instr(coalesce(request, ''), :bo) > 0", bo=bo
                )
            )
            == 0
        )
    )


def test_a_connected_client_that_was_given_some_modules_keeps_none(world: World) -> None:
    client = ConnectedClient(world, "bo", ["webhooks"])
    for op, value in (
        ("webhooks.list", {}),
        ("webhooks.save", {"name": "x", "url": "https://hooks.example.com", "events": ["*"]}),
        ("webhooks.delete", {"id": 1}),
        ("webhooks.deliveries", {"id": 1}),
        ("webhooks.redeliver", {"ids": [], "since": 0}),
        ("webhooks.rotate_secret", {"id": 1}),
        ("webhooks.send", {"id": 1, "body": {}}),
        ("webhooks.test", {"id": 1}),
    ):
        with pytest.raises(NotAllowed):
            client.call(op, **value)


def test_a_project_that_another_admin_knows_nothing_of_is_not_named_to_them(
    world: World, receiver: Receiver
) -> None:
    call(world, "bo", "projects.create", key="OWN", name="Bo's own", kind="personal")
    seq = world.database.seq
    hook(world, receiver, project="OWN")
    call(world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["*"], project=None)
    call(world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["*"], project="OWN")
    assert (one(world, 1)["project"], one(world, 1, "ana")["project"]) == ("OWN", "(gone)")
    sides = {
        who: [
            event["payload"]["changes"]["project"]["to"]
            for event in call(world, who, "activity.recent", limit=20)
            if event["seq"] > seq and "project" in event["payload"].get("changes", {})
        ]
        for who in ("bo", "ana")
    }
    assert sides == {"bo": ["OWN", None], "ana": [None, None]}


def test_a_webhook_hears_exactly_what_the_changes_tell_its_author(world: World, receiver: Receiver) -> None:
    """Two roads to the same events, for two admins who see different things."""
    for who in ("ana", "bo"):
        hook(world, receiver, who, name=who, events=["*"])
    since = world.database.seq
    call(world, "bo", "projects.create", key="OWN", name="Bo's own", kind="personal")
    call(world, "di", "projects.member_set", key="PRV", who="@ana", role="reporter")
    for project, who in (("WEB", "cy"), ("SEC", "cy"), ("PRV", "di"), ("OWN", "bo")):
        key = issue(world, who, project=project, level="private" if project == "SEC" else None)
        call(world, who, "comments.create", subject=f"issue:{key}", body="Look", internal=project == "WEB")
        call(world, who, "checklists.add", key=key, text="Try it")
        call(world, who, "issues.update", key=key, title="Other")
        call(world, who, "issues.delete", key=key)
    call(world, "ana", "labels.save", name="bug")
    call(world, "di", "views.save", name="Mine", tql="open")
    call(world, "ana", "teams.save", name="Shop")
    call(world, "ana", "keys.create", name="k", scopes=["issues:read"])
    call(world, "cy", "auth.logout")
    for ident, who in enumerate(("ana", "bo"), start=1):
        told = {seq for _, seq in told_of(world, ident, who) if seq > since}
        heard = {event["seq"] for event in call(world, who, "api.changes", since=since, limit=500)["events"]}
        assert told == heard
        assert len(told) > 10


def told_of(world: World, ident: int, who: str) -> list[tuple[str, int]]:
    """All of the last deliveries."""
    follow(world)
    found = call(world, who, "webhooks.deliveries", id=ident, limit=200)["items"]
    return [(entry["event"], entry["seq"]) for entry in found]


@pytest.mark.parametrize("again", [False, True])
def test_an_author_who_is_found_to_be_no_admin_when_it_is_sent_switches_it_off_if_they_are_none_still(
    world: World, receiver: Receiver, again: bool
) -> None:
    hook(world, receiver)
    bo = world.people["bo"].id
    with world.at_rest():
        issue(world)
        follow(world)
        world.database.write_now(lambda tx: tx.update("member", bo, role="member"))
        found = world.database.write_now(lambda tx: sender.look(tx, 1))
        assert found is not None
        assert found.lost
        if again:
            world.database.write_now(lambda tx: tx.update("member", bo, role="admin"))
        seq = world.database.seq
        world.database.write_now(lambda tx: sender.write(tx, found))
        assert world.events_since(seq) == ([] if again else [("webhook.disabled", "webhook:1")])
        assert one(world, 1, "ana")["enabled"] is again
        assert receiver.came == []


def test_one_whose_query_cannot_be_asked_sends_nothing_again(world: World, receiver: Receiver) -> None:
    hook(world, receiver, tql="open")
    seq = world.database.seq
    issue(world)
    assert kinds(world, 1) == ["issue.created"]
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    world.database.write_now(lambda tx: tx.execute("update webhook set tql = 'severity > 1'"))
    with refused("conflict") as told:
        call(world, "bo", "webhooks.redeliver", ids=[deliveries(world, 1)[0]["id"]], since=seq)
    assert "severity" in told.value.detail
    assert [entry["state"] for entry in deliveries(world, 1)] == ["sent"]


def test_where_the_module_is_off_nothing_is_to_be_sent(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    with world.at_rest():
        issue(world)
        follow(world)
        assert world.database.write_now(sender.due) == [1]
        call(world, "ana", "org.modules_set", off=["webhooks"])
        assert world.database.write_now(sender.due) == []
        assert world.database.write_now(lambda tx: sender.look(tx, 1)) is None
