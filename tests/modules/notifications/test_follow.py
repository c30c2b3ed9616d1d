"""Who follows the events tells each once: people and agents, and nobody of what they do not see."""

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from kbwork.modules.notifications import entries, jobs
from kbwork.modules.notifications.follow import follower
from tests.conftest import NOW, World
from tests.core.events.rounds import falls, rounds, told_by_the_doctor
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import flag, patch, shop
from tests.modules.grants import ConnectedClient
from tests.modules.notifications.inboxes import follow, inbox, issue, read_all, told
from tests.modules.test_drafts import limited_key
from tests.modules.together import slugs, together

DAY_S = 86400
ON = {"kind": "turnFlagOn"}


def agent(world: World, who: str, name: str) -> Kbwork:
    """A client of an agent of somebody's."""
    made = {"name": name, "kind": "agent", "agent": name, "scopes": sorted(scopes.MEMBER)}

    def make(tx: Write) -> str:
        tx.insert("agent", name=name, label=name, owner=world.people[who].id, created_at=tx.now)
        return callers.add_key(tx, world.people[who].id, made)[1]

    return Kbwork(world.url, world.database.write_now(make))


def kept(world: World, table: str = "notification") -> int:
    return int(world.database.write_now(lambda tx: tx.value(f"select count(*) from {table}")))


def test_an_agent_has_an_inbox_of_its_own_and_may_ask_its_owner(world: World) -> None:
    with agent(world, "cy", "builder") as builder:
        key = issue(world, assignees=["agent:builder"])
        follow(world)
        (entry,) = builder.call("notifications.list", {})["items"]
        assert (entry["subject"], entry["reason"], inbox(world, "cy")) == ("issue:1", "assigned", [])
        builder.call("comments.create", {"subject": f"issue:{key}", "body": "Which one, @cy?"})
        builder.call("notifications.read", {"all": True})
        assert told(world, "cy") == [("issue:1", "agent", ["comment.created"])]
        assert inbox(world, "cy")[0]["events"][0]["summary"] == "asks you: Which one, @cy?"
        call(world, "cy", "comments.create", subject=f"issue:{key}", body="The second, @builder")
        follow(world)
        assert builder.call("notifications.count", {}) == {"unread": 1, "by_reason": {"mentioned": 1}}
        for op, value in (("settings_set", {}), ("test", {"channel": "mail"})):
            with refused("not-allowed"):
                builder.call(f"notifications.{op}", value)
        assert builder.call("notifications.settings", {})["digest"] == "off"


def test_keys_look_into_their_owners_inbox_as_far_as_they_see(world: World) -> None:
    issue(world, assignees=["@cy"])
    issue(world, project="SEC", assignees=["@cy"])
    assert len(inbox(world, "cy")) == 2
    with limited_key(world, "cy", "WEB") as narrow:
        assert narrow.call("notifications.count", {})["unread"] == 1
        assert narrow.call("notifications.read", {"all": True}) == {"unread": 0}
    assert [one["subject"] for one in inbox(world, "cy")] == ["issue:2"]
    assert ConnectedClient(world, "cy", {"notifications"}).call("notifications.list")["items"] == []
    only_labels = ConnectedClient(world, "cy", {"labels"})
    with pytest.raises(Exception, match="notifications"):
        only_labels.call("notifications.list")


def test_whoever_approves_a_change_of_a_flag_is_asked_and_whoever_asked_hears_of_it(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    read_all(world, "ana", "bo", "cy")
    change = patch(world, "cy", "production", ON)["change"]["id"]
    subject = f"flag_change:{change}"
    assert {who: told(world, who) for who in ("ana", "bo", "cy", "di", "gus")} == {
        "ana": [(subject, "approval", ["change.requested"])],
        "bo": [(subject, "approval", ["change.requested"])],
        "cy": [],
        "di": [],
        "gus": [],
    }
    assert inbox(world, "bo")[0]["path"] == f"/flags/shop/changes/{change}"
    call(world, "bo", "flags.change_review", project="shop", id=change, decision="approve")
    assert told(world, "cy") == [(subject, "approval", ["change.applied", "change.reviewed"])]
    assert [event["summary"] for event in inbox(world, "cy")[0]["events"]] == [
        "applied the change",
        "approved the change",
    ]
    assert told(world, "ana") == [(subject, "approval", ["change.requested"])]


def test_people_hear_that_they_were_added_and_how_a_project_goes_where_they_are_to(world: World) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@cy", role="member")
    assert told(world, "cy") == [("project:PRV", "invited", ["project.members_changed"])]
    call(world, "cy", "notifications.read", all=True)
    call(world, "di", "projects.member_set", key="PRV", who="@cy", role="viewer")
    call(world, "di", "projects.status_post", key="PRV", health="on_track", body="Well")
    assert told(world, "cy") == []
    call(world, "di", "projects.status_post", key="PRV", health="at_risk", body="Less so", notify=True)
    assert told(world, "cy") == [("project:PRV", "watching", ["project.status_posted"])]


def test_a_thread_and_things_that_nobody_watches_tell_who_spoke(world: World) -> None:
    shop(world)
    flag(world)
    read_all(world, "ana", "cy", "di")
    subject = "flag:shop/checkout"
    first = call(world, "cy", "comments.create", subject=subject, body="Why?")["id"]
    call(world, "di", "comments.create", subject=subject, body="Aside")
    assert told(world, "cy") == [(subject, "watching", ["comment.created"])]
    call(world, "ana", "comments.create", subject=subject, body="Since", parent=first)
    assert told(world, "cy") == [(subject, "replied", ["comment.created", "comment.created"])]
    call(world, "ana", "comments.resolve", id=first, resolved=True)
    assert inbox(world, "cy")[0]["events"][0]["summary"] == "resolved the thread"


def test_each_event_is_told_once_whoever_looks_at_the_same_time(world: World) -> None:
    with world.at_rest():
        issue(world, assignees=["@cy"])
        first, second = (world.database.write_now(follower.FOLLOW.look) for _ in range(2))
        assert first is not None
        assert second is not None
        for found in (first, second):
            world.database.write_now(lambda tx, found=found: follower.FOLLOW.write(tx, found))  # type: ignore[misc]  # at once
        number = world.database.write_now(lambda tx: tx.value("select number from inbox"))
    assert (number, told(world, "cy")) == (1, [("issue:1", "assigned", ["issue.assigned"])])


def test_many_events_are_followed_in_steps(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "_AT_ONCE", 3)
    monkeypatch.setattr(follower, "_MOST_NOTICES", 2)
    monkeypatch.setattr("kbwork.core.events.follower.WINDOW", 4)
    with world.at_rest():
        for _ in range(5):
            issue(world, assignees=["@cy", "@di"])
    assert [len(inbox(world, who)) for who in ("cy", "di")] == [5, 5]


def test_an_event_that_cannot_be_taken_is_left_out_and_the_others_are_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world.at_rest():
        for _ in range(5):
            issue(world, assignees=["@cy"])
        asked = "select seq from events where kind = 'issue.assigned' and subject = 'issue:3'"
        assigned = world.database.write_now(lambda tx: tx.value(asked))
        falls(
            monkeypatch,
            "kbwork.modules.notifications.follow.hearers:of",
            lambda tx, row, payload: row["seq"] == assigned,
        )
        assert rounds(world.database, follower.FOLLOW) == []
        assert told_by_the_doctor(world.database)[0][1].startswith(
            f"notifications left out the event {assigned} (issue.assigned) at "
        )
    assert [one["subject"] for one in inbox(world, "cy")] == ["issue:5", "issue:4", "issue:2", "issue:1"]


def test_one_that_cannot_be_written_is_left_out_whole_by_the_worker(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_second_of_the_third(tx: Write, notice: entries.Notice) -> bool:
        return (notice.subject, notice.who) == ("issue:3", world.people["di"].id)

    falls(monkeypatch, "kbwork.modules.notifications.entries:note", is_second_of_the_third)
    with world.at_rest():
        for _ in range(4):
            issue(world, assignees=["@cy", "@di"])
    eventually(lambda: len(call(world, "di", "notifications.list")["items"]) == 3)
    for who in ("cy", "di"):
        found = call(world, who, "notifications.list")["items"]
        assert [one["subject"] for one in found] == ["issue:4", "issue:2", "issue:1"]
    ((well, said),) = told_by_the_doctor(world.database)
    assert (well, "notifications left out the event" in said) == (False, True)


def test_whoever_is_to_be_told_later_hears_nothing_of_what_was_before(world: World) -> None:
    with world.at_rest():
        issue(world)
        follow(world)
        call(world, "cy", "notifications.settings_set", own_projects=["WEB"])
        assert inbox(world, "cy") == []
        issue(world)
        assert [one["subject"] for one in inbox(world, "cy")] == ["issue:2"]


def test_an_inbox_holds_so_much_and_what_was_read_goes_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST", 3)
    for _ in range(3):
        issue(world, assignees=["@cy"])
        world.clock.advance(1)
    follow(world)
    call(world, "cy", "notifications.read", subject="WEB-2")
    for _ in range(2):
        issue(world, assignees=["@cy"])
        world.clock.advance(1)
        follow(world)
    assert [one["subject"] for one in inbox(world, "cy", state="all")] == ["issue:5", "issue:4", "issue:3"]


def test_what_is_old_goes(world: World) -> None:
    issue(world, assignees=["@cy", "@di"])
    read_all(world, "cy")
    world.clock.set(NOW + 91 * DAY_S)
    world.database.write_now(jobs.SWEEP.run)
    assert [len(inbox(world, who, state="all")) for who in ("cy", "di")] == [0, 1]
    world.clock.set(NOW + 181 * DAY_S)
    world.database.write_now(jobs.SWEEP.run)
    assert kept(world) == 0


def test_what_is_purged_and_who_is_erased_leaves_nothing(world: World) -> None:
    key = issue(world, assignees=["@cy", "@di"])
    follow(world)
    call(world, "cy", "notifications.mute", subject="WEB-1", on=True)
    call(world, "di", "notifications.settings_set", own_projects=["WEB"], digest="daily")
    call(world, "ana", "issues.delete", key=key)
    assert [inbox(world, who) for who in ("cy", "di")] == [[], []]
    entry = call(world, "ana", "trash.list")["items"][0]["id"]
    call(world, "ana", "trash.purge", ids=[entry])
    eventually(lambda: kept(world) + kept(world, "notification_mute") == 0)
    issue(world, assignees=["@di"])
    follow(world)
    call(world, "ana", "members.erase", id="@di", confirm_name="Di Park")
    eventually(
        lambda: kept(world) + kept(world, "notification_setting") + kept(world, "notification_project") == 0
    )


def test_a_module_that_is_off_tells_nobody_and_makes_up_for_nothing(world: World) -> None:
    call(world, "ana", "org.modules_set", off=["notifications"])
    issue(world, assignees=["@cy"])
    follow(world)
    with refused("not-found"):
        call(world, "cy", "notifications.list")
    call(world, "ana", "org.modules_set", on=["notifications"])
    assert inbox(world, "cy") == []


def test_marks_at_the_same_time_count_each_once(world: World) -> None:
    for _ in range(4):
        issue(world, assignees=["@cy"])
    ids = [one["id"] for one in inbox(world, "cy")]

    answers = together(world, "cy", [("notifications.read", {"ids": [ident]}) for ident in ids * 2])
    assert slugs(answers) == []
    assert call(world, "cy", "notifications.count") == {"unread": 0, "by_reason": {}}
