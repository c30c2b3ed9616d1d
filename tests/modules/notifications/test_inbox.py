"""The inbox: who is told of what, gathered by subject, and put away."""

import json
from typing import Any

import pytest

from kbwork.db.tx import Write
from kbwork.modules.trash import erasure
from tests.conftest import NOW, World, run
from tests.modules.calls import call, refused
from tests.modules.notifications.inboxes import follow, inbox, issue, told


def test_who_is_given_an_issue_finds_it_in_the_inbox(world: World) -> None:
    issue(world, assignees=["@cy"])
    seq = world.database.seq
    (entry,) = inbox(world, "cy", state="unread")
    assert entry == {
        "id": entry["id"],
        "subject": "issue:1",
        "title": "WEB-1 Cart",
        "reason": "assigned",
        "events": [
            {
                "seq": entry["events"][0]["seq"],
                "kind": "issue.assigned",
                "actor": world.people["ana"].id,
                "at": NOW,
                "summary": "assigned it to you",
            }
        ],
        "state": "unread",
        "snoozed_until": None,
        "at": NOW,
        "path": "/issues/WEB-1",
    }
    assert world.events_since(seq) == [], "an inbox is a view of events and tells of nothing itself"
    assert [inbox(world, who) for who in ("ana", "bo", "di", "gus")] == [[], [], [], []]


def test_what_happens_to_one_subject_is_one_entry_with_its_strongest_reason(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    call(world, "ana", "issues.update", key=key, priority="high")
    comment = call(world, "ana", "comments.create", subject=f"issue:{key}", body="Look here, @cy")["id"]
    call(world, "di", "comments.create", subject=f"issue:{key}", body="So do I", parent=comment)
    assert told(world, "cy") == [
        ("issue:1", "assigned", ["comment.created", "comment.created", "issue.updated", "issue.assigned"])
    ]
    (entry,) = inbox(world, "cy")
    assert [event["summary"] for event in entry["events"]] == [
        "commented: So do I",
        "mentioned you: Look here, @cy",
        "changed priority",
        "assigned it to you",
    ]
    assert told(world, "ana") == [("issue:1", "replied", ["comment.created"])]
    assert call(world, "cy", "notifications.count") == {"unread": 1, "by_reason": {"assigned": 1}}


def test_a_comment_on_words_is_told_with_them(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    words = ["the  total\nof vouchers", "long " * 40, "half \ud83d"]
    for exact in words:
        anchor = json.dumps({"exact": exact, "prefix": "", "suffix": ""})
        call(world, "ana", "comments.create", subject=f"issue:{key}", body="Of which?", anchor=anchor)
    said = [
        event["summary"] for event in inbox(world, "cy")[0]["events"] if event["kind"] == "comment.created"
    ]
    long = " ".join(["long"] * 12)
    assert said == [
        'commented on "half ?": Of which?',
        f'commented on "{long}…": Of which?',
        'commented on "the total of vouchers": Of which?',
    ]
    broken = call(world, "ana", "comments.create", subject=f"issue:{key}", body="Odd")["id"]
    for kept in ("7", "{", '{"exact": 7}', '{"exact": ""}'):
        world.database.write_now(lambda tx, kept=kept: tx.update("comment", broken, anchor=kept))  # type: ignore[misc]
        assert inbox(world, "cy")[0]["events"][0]["summary"] == "commented: Odd"


def test_a_mention_reaches_whoever_sees_it_and_nobody_else(world: World) -> None:
    call(world, "ana", "teams.save", name="Shop")
    call(world, "ana", "teams.member_set", id=1, who="@di", role="member")
    key = issue(world, project="SEC", body="For @cy")
    call(
        world,
        "ana",
        "comments.create",
        subject=f"issue:{key}",
        body="@gus and @shop, see this",
        internal=True,
    )
    assert [told(world, who)[:1] for who in ("cy", "di", "gus")] == [
        [("issue:1", "mentioned", ["issue.created"])],
        [("team:1", "invited", ["team.members_changed"])],
        [],
    ]
    open_one = issue(world)
    call(world, "ana", "comments.create", subject=f"issue:{open_one}", body="@shop, see this")
    assert told(world, "di")[0] == ("issue:2", "mentioned", ["comment.created"])


def test_a_description_tells_only_those_newly_mentioned(world: World) -> None:
    key = issue(world, body="For @cy")
    call(world, "ana", "issues.update", key=key, body="For @cy and @di")
    assert [told(world, who) for who in ("cy", "di")] == [
        [("issue:1", "mentioned", ["issue.created"])],
        [("issue:1", "mentioned", ["issue.updated"])],
    ]


def test_nothing_is_told_that_was_brought_in_or_done_in_silence(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    follow(world)
    call(world, "cy", "notifications.archive", subject=key)
    call(world, "ana", "comments.import", subject=f"issue:{key}", author="Ada", body="For @cy")
    call(world, "ana", "issues.update", key=key, priority="high", notify=False)
    call(world, "ana", "issues.bulk", keys=[key], changes={"priority": "low"})
    assert told(world, "cy") == []
    call(world, "ana", "issues.bulk", keys=[key], changes={"priority": "urgent"}, notify=True)
    assert told(world, "cy") == [("issue:1", "watching", ["issue.updated"])]
    call(world, "ana", "issues.update", key=key, priority="low")
    assert told(world, "cy") == [("issue:1", "watching", ["issue.updated", "issue.updated"])]


def test_what_was_undone_leaves_the_inbox_of_who_had_not_read_it(world: World) -> None:
    key = issue(world)
    call(world, "ana", "issues.assign", key=key, assignees=["@cy", "@di"])
    follow(world)
    call(world, "di", "notifications.read", subject=key)
    token = call(world, "ana", "undo.list")[0]["token"]
    call(world, "ana", "undo.apply", token=token)
    assert told(world, "cy") == []
    assert told(world, "di") == [("issue:1", "watching", ["issue.assigned"])], (
        "who had read it hears of the undo"
    )
    call(world, "ana", "issues.assign", key=key, assignees=["@cy"])
    assert told(world, "cy") == [("issue:1", "assigned", ["issue.assigned"])]


def test_a_comment_that_was_deleted_leaves_the_inbox(world: World) -> None:
    key = issue(world)
    comment = call(world, "ana", "comments.create", subject=f"issue:{key}", body="For @cy")["id"]
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="And this, @cy")
    follow(world)
    call(world, "ana", "comments.delete", id=comment)
    assert [event["summary"] for event in inbox(world, "cy")[0]["events"]] == ["mentioned you: And this, @cy"]


def test_a_comment_that_went_to_another_issue_and_was_deleted_there_leaves_the_inbox(world: World) -> None:
    key, stays = issue(world), issue(world)
    comment = call(world, "ana", "comments.create", subject=f"issue:{key}", body="For @cy")["id"]
    call(world, "ana", "issues.merge", from_=[key], into=stays)
    assert ("issue:1", "mentioned", ["comment.created"]) in told(world, "cy")
    call(world, "ana", "comments.delete", id=comment)
    assert [one for one in told(world, "cy") if "comment.created" in one[2]] == []


def at_once(world: World, *calls: tuple[str, dict[str, Any]]) -> None:
    """Whoever follows sees all of it or nothing."""

    def every(tx: Write) -> None:
        for op, given in calls:
            run(tx, world.people["ana"], op, given)

    world.database.write_now(every)


def test_who_follows_meets_what_was_purged_before_and_goes_on(world: World) -> None:
    gone, key = issue(world), issue(world)
    comment = call(world, "ana", "comments.create", subject=f"issue:{gone}", body="For @cy")["id"]
    assert len(inbox(world, "cy")) == 1
    at_once(
        world,
        ("comments.delete", {"id": comment}),
        ("issues.delete", {"key": gone}),
        ("trash.purge", {"ids": [1, 2]}),
        ("comments.create", {"subject": f"issue:{key}", "body": "For @cy"}),
    )
    assert told(world, "cy") == [("issue:2", "mentioned", ["comment.created"])]


def test_of_a_comment_that_was_purged_before_it_was_followed_nothing_stays(world: World) -> None:
    key = issue(world)
    subject = f"issue:{key}"
    first = call(world, "ana", "comments.create", subject=subject, body="First, @cy")["id"]
    call(world, "ana", "comments.create", subject=subject, body="Second, @cy")
    follow(world)
    at_once(
        world,
        ("comments.delete", {"id": first}),
        ("comments.create", {"subject": subject, "body": "Late, @cy"}),
        ("comments.delete", {"id": first + 2}),
        ("trash.purge", {"ids": [1, 2]}),
    )
    assert [event["summary"] for event in inbox(world, "cy")[0]["events"]] == ["mentioned you: Second, @cy"]


def test_of_a_comment_that_is_purged_by_half_when_it_is_followed_nothing_stays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "SLICE", 1)
    key = issue(world)
    first = call(world, "ana", "comments.create", subject=f"issue:{key}", body="First, @cy")["id"]
    assert len(inbox(world, "cy")) == 1

    def some(tx: Write) -> bool:
        run(tx, world.people["ana"], "comments.delete", {"id": first})
        return erasure.forget(tx, f"comment:{first}")

    assert not world.database.write_now(some)
    assert inbox(world, "cy") == []


def test_what_one_sees_no_more_is_neither_listed_nor_counted(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    call(world, "ana", "comments.create", subject=f"issue:{issue(world)}", body="For @cy")
    assert len(inbox(world, "cy")) == 2
    call(world, "ana", "issues.assign", key=key, assignees=[])
    call(world, "ana", "issues.level_set", key=key, level="private")
    assert told(world, "cy") == [("issue:2", "mentioned", ["comment.created"])]
    assert call(world, "cy", "notifications.count") == {"unread": 1, "by_reason": {"mentioned": 1}}
    hidden = world.database.write_now(
        lambda tx: tx.value("select id from notification where subject = 'issue:1'")
    )
    with refused("not-found"):
        call(world, "cy", "notifications.read", ids=[hidden])
    with refused("not-found"):
        call(world, "di", "notifications.read", ids=[hidden])


def test_entries_are_read_put_away_and_begin_anew(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    other = issue(world, assignees=["@cy"])
    second, first = (one["id"] for one in inbox(world, "cy"))
    assert call(world, "cy", "notifications.read", ids=[first]) == {"unread": 1}
    assert call(world, "cy", "notifications.read", ids=[first]) == {"unread": 1}, "twice is no change"
    assert call(world, "cy", "notifications.read", subject=key, on=False) == {"unread": 2}
    assert call(world, "cy", "notifications.read", all=True) == {"unread": 0}
    call(world, "ana", "issues.update", key=key, priority="high")
    assert told(world, "cy") == [("issue:1", "watching", ["issue.updated"])]
    assert call(world, "cy", "notifications.archive", subject=other) == {"unread": 1}
    assert [told(world, "cy", state=state) for state in ("all", "archived")] == [
        [("issue:1", "watching", ["issue.updated"])],
        [("issue:2", "assigned", ["issue.assigned"])],
    ]
    assert call(world, "cy", "notifications.archive", before=NOW + 1) == {"unread": 0}
    assert {one["id"] for one in inbox(world, "cy", state="archived")} == {first, second}
    for op in ("notifications.read", "notifications.archive"):
        with refused("invalid-input"):
            call(world, "cy", op)
    with refused("invalid-input"):
        call(world, "cy", "notifications.read", all=True, on=False)


def test_what_sleeps_wakes_by_itself_or_when_somebody_is_asked_by_name(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    (entry,) = inbox(world, "cy")
    until = NOW + 3600
    (slept,) = call(world, "cy", "notifications.snooze", ids=[entry["id"]], until=until)
    assert (slept["state"], slept["snoozed_until"]) == ("snoozed", until)
    assert call(world, "cy", "notifications.count") == {"unread": 0, "by_reason": {}}
    call(world, "ana", "issues.update", key=key, priority="high")
    assert told(world, "cy") == []
    assert [one["state"] for one in inbox(world, "cy", state="snoozed")] == ["snoozed"]
    world.clock.advance(3600)
    assert [one["snoozed_until"] for one in inbox(world, "cy")] == [None]
    call(world, "cy", "notifications.snooze", ids=[entry["id"]], until=until + 3600)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="Now, @cy")
    assert len(inbox(world, "cy")) == 1
    for wrong in (NOW, NOW + 400 * 86400):
        with refused("invalid-input"):
            call(world, "cy", "notifications.snooze", ids=[entry["id"]], until=wrong)


def test_what_is_muted_is_heard_of_by_name_alone(world: World) -> None:
    key = issue(world, assignees=["@cy"])
    follow(world)
    call(world, "cy", "notifications.read", all=True)
    for subject, muted in ((f"issue:{key}", "issue:1"), ("project:WEB", "project:WEB")):
        assert call(world, "cy", "notifications.mute", subject=subject, on=True) == {
            "muted": [{"subject": muted, "until": None}]
        }
        call(
            world,
            "ana",
            "issues.update",
            key=key,
            due_date="2027-03-01" if subject[0] == "i" else "2027-03-02",
        )
        assert told(world, "cy") == []
        assert call(world, "cy", "notifications.mute", subject=subject, on=False) == {"muted": []}
    call(world, "cy", "notifications.mute", subject=f"issue:{key}", on=True, until=NOW + 60)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="By name: @cy")
    assert told(world, "cy") == [("issue:1", "mentioned", ["comment.created"])]
    world.clock.advance(61)
    assert call(world, "cy", "notifications.settings")["muted"] == []
    for subject in ("issue:99", "space:HR"):
        with refused("not-found"):
            call(world, "cy", "notifications.mute", subject=subject, on=True)
    with refused("invalid-input"):
        call(world, "cy", "notifications.mute", subject=f"member:{world.people['di'].id}", on=True)


def test_a_page_goes_on_where_the_one_before_ended(world: World) -> None:
    for _ in range(5):
        issue(world, assignees=["@cy"])
        world.clock.advance(1)
    follow(world)
    found: list[str] = []
    page: dict[str, Any] = {"next": None}
    for _ in range(3):
        page = call(world, "cy", "notifications.list", limit=2, cursor=page["next"])
        found += [one["subject"] for one in page["items"]]
    assert (found, page["next"]) == (["issue:5", "issue:4", "issue:3", "issue:2", "issue:1"], None)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"reason": "mentioned"}, ["issue:2"]),
        ({"reason": "sla"}, []),
        ({"subject": "WEB-1"}, ["issue:1"]),
        ({"subject": "issue:99"}, []),
    ],
)
def test_a_list_is_narrowed(world: World, asked: dict[str, Any], found: list[str]) -> None:
    issue(world, assignees=["@cy"])
    issue(world, body="For @cy")
    assert [one["subject"] for one in inbox(world, "cy", **asked)] == found


def test_who_watches_a_whole_project_hears_of_new_issues(world: World) -> None:
    call(world, "cy", "notifications.settings_set", own_projects=["WEB"])
    key = issue(world)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="There it is")
    assert told(world, "cy") == [("issue:1", "watching", ["comment.created", "issue.created"])]
    with refused("not-found"):
        call(world, "cy", "notifications.settings_set", own_projects=["PRV"])
