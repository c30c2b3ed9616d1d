"""Answers that go at a time: notes until then, and in their author's name when they go."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters

DATA = base64.b64encode(b"Number 17\n").decode()
HOUR = 3600


def later(world: World, key: str, body: str = "It is on its way", who: str = "cy", **more: Any) -> int:
    """An answer that goes in an hour; its comment."""
    asked = {"key": key, "body": body, "send_at": world.clock.now() + HOUR} | more
    return int(call(world, who, "desk.send_reply", **asked)["id"])


def waiting(world: World, who: str = "cy") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "desk.waiting_replies", project="WEB")
    return found


def said(help_desk: HelpDesk, key: str) -> list[str]:
    return [one["body"] for one in help_desk.rita.thread(key)["comments"]]


def test_an_answer_waits_as_a_note_and_goes_at_its_time(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        key = rita.ask()
        file = call(mailed, "cy", "attachments.add", subject=f"issue:{key}", name="plan.txt", data=DATA)["id"]
        seq = mailed.database.seq
        at = mailed.clock.now() + HOUR
        made = call(
            mailed,
            "cy",
            "desk.send_reply",
            key=key,
            body="It is on its way",
            to=[nat.email],
            attachments=[file],
            status="in_progress",
            send_at=at,
        )
        assert mailed.events_since(seq) == [("comment.created", "issue:1")]
        assert (made["send_at"], waiting(mailed)) == (
            at,
            [
                {
                    "comment": made["id"],
                    "key": key,
                    "author": mailed.people["cy"].id,
                    "body": "It is on its way",
                    "send_at": at,
                    "status": "in_progress",
                    "failed": None,
                }
            ],
        )
        assert call(mailed, "cy", "comments.list", subject=f"issue:{key}")[0]["internal"] is True
        assert (rita.thread(key)["comments"], rita.thread(key)["files"], letters(mailed, rita.email)) == (
            [],
            [],
            [],
        )
        with refused("not-found"):
            nat.thread(key)
        call(mailed, "cy", "comments.update", id=made["id"], body="It comes on Monday")
        reply = call(
            mailed, "ana", "comments.create", subject=f"issue:{key}", body="Hush", parent=made["id"]
        )["id"]
        seq = mailed.database.seq
        mailed.advance(HOUR)
        eventually(lambda: waiting(mailed) == [])
        assert [kind for kind, _ in mailed.events_since(seq)] == [
            "desk.request_shared",
            "comment.updated",
            "desk.replied",
            "issue.updated",
            "issue.transitioned",
        ]
        thread = nat.thread(key)
        assert [(one["body"], one["created_at"]) for one in thread["comments"]] == [
            ("It comes on Monday", at)
        ]
        assert [one["name"] for one in thread["files"]] == ["plan.txt"]
        assert thread["request"]["category"] == "in_progress"
        (letter,) = letters(mailed, rita.email)
        assert "It comes on Monday" in letter["text"]
        assert "With files, on the portal: plan.txt" in letter["text"]
        found = {one["id"]: one for one in call(mailed, "cy", "comments.list", subject=f"issue:{key}")}
        assert (found[reply]["internal"], found[reply]["parent"]) == (True, None)
        assert call(mailed, "cy", "tql.run", tql=f"key = {key} select comments")["rows"][0][0] == 2


def test_deleting_takes_it_back_and_restoring_before_its_time_lets_it_go(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    gone, back, late = (later(world, key, body) for body in ("gone", "back", "late"))
    for one in (gone, back, late):
        call(world, "cy", "comments.delete", id=one)
    assert waiting(world) == []
    trash = {one["subject"]: one["id"] for one in call(world, "cy", "trash.list")["items"]}
    call(world, "cy", "trash.restore", ids=[trash[f"comment:{back}"]])
    assert [one["body"] for one in waiting(world)] == ["back"]
    world.advance(HOUR)
    eventually(lambda: waiting(world) == [])
    assert said(help_desk, key) == ["back"]
    call(world, "cy", "trash.restore", ids=[trash[f"comment:{late}"]])
    world.advance(HOUR)
    assert (waiting(world), said(help_desk, key)) == ([], ["back"])
    call(world, "ana", "trash.purge", ids=[trash[f"comment:{gone}"]])


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        (lambda world, key: call(world, "ana", "desk.save", project="WEB", enabled=False), "desk is shut"),
        (lambda world, key: call(world, "ana", "issues.lock", key=key, on=True), ""),
        (lambda world, key: call(world, "ana", "issues.archive", keys=[key], on=True), ""),
        (
            lambda world, key: call(world, "ana", "members.deactivate", id="@cy", on=True),
            "may do nothing any more",
        ),
        (
            lambda world, key: call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss"),
            "nothing any more",
        ),
        (lambda world, key: world.advance(2 * 86400), "more than a day ago"),
    ],
)
def test_what_may_not_go_stays_a_note(
    help_desk: HelpDesk, meanwhile: Callable[[World, str], Any], why: str
) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    comment = later(world, key)
    meanwhile(world, key)
    seq = world.database.seq
    world.advance(HOUR)
    eventually(lambda: [one for one in waiting(world, "ana") if one["failed"]])
    (one,) = waiting(world, "ana")
    assert why in one["failed"]
    world.settle()
    assert [kind for kind, _ in world.events_since(seq) if kind.startswith("desk.")] in (
        ["desk.reply_failed"],
        [],
    )
    (note,) = call(world, "ana", "comments.list", subject=f"issue:{key}")
    assert (note["id"], note["internal"]) == (comment, True)


def test_an_answer_that_was_moved_to_others_does_not_go(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    one, other = rita.ask(), nat.ask()
    later(world, one, "canaryword")
    call(world, "cy", "issues.merge", from_=[one], into=other)
    world.advance(HOUR)
    eventually(
        lambda: world.database.write_now(lambda tx: tx.value("select failed from later_reply")) is not None
    )
    assert "canaryword" not in str(nat.thread(other))


def test_who_is_blocked_hears_nothing_and_a_request_in_the_trash_keeps_it(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita:
        key = rita.ask()
        later(mailed, key)
        call(mailed, "ana", "desk.customer_block", id=rita.id, blocked=True)
        mailed.advance(HOUR)
        eventually(lambda: waiting(mailed) == [])
        assert letters(mailed, rita.email) == []
        call(mailed, "ana", "desk.customer_block", id=rita.id, blocked=False)
        later(mailed, key, "again")
        trash = call(mailed, "ana", "issues.delete", key=key)["trash"]
        mailed.advance(HOUR)
        eventually(
            lambda: (
                mailed.database.write_now(lambda tx: tx.value("select failed from later_reply")) is not None
            )
        )
        assert letters(mailed, rita.email) == []
        call(mailed, "ana", "trash.purge", ids=[trash])
        eventually(
            lambda: mailed.database.write_now(lambda tx: tx.value("select count(*) from later_reply")) == 0
        )


def test_what_could_not_be_done_now_is_refused_now(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    seq = world.database.seq
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("invalid-input", {"send_at": world.clock.now()}),
        ("invalid-input", {"send_at": world.clock.now() + 400 * 86400}),
        ("invalid-input", {"status": "nosuch"}),
        ("invalid-input", {"to": ["nowhere"]}),
        ("invalid-input", {"body": "  "}),
    ]
    for slug, more in wrong:
        with refused(slug):
            later(world, key, **more)
    assert (world.events_since(seq), waiting(world)) == ([], [])
    for _ in range(20):
        later(world, key)
    with refused("conflict"):
        later(world, key)
    with refused("not-allowed"):
        waiting(world, "gus")
    with refused("unauthenticated"):
        call_nobody(world, "desk.waiting_replies", project="WEB")
