"""What nobody asked for goes to the trash, and whoever sent it may be shut out."""

import pytest

from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk
from tests.modules.desk.test_intake import mail, token


def test_spam_goes_to_the_trash_and_comes_back(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    seq = world.database.seq
    assert call(world, "cy", "desk.spam", key=key) == {"ok": True}
    assert world.events_since(seq) == [("issue.deleted", "issue:1")]
    with refused("not-found"):
        rita.thread(key)
    with refused("not-found"):
        call(world, "cy", "desk.spam", key=key)
    rita.call("desk.portal_me")  # the sender stays
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.restore", ids=[entry["id"]])
    assert rita.thread(key)["request"]["key"] == key


def test_the_sender_is_shut_out(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key, path = rita.ask(), token(world)
    seq = world.database.seq
    call(world, "cy", "desk.spam", key=key, block=True)
    assert world.events_since(seq) == [
        ("desk.customer_blocked", f"customer:{rita.id}"),
        ("issue.deleted", "issue:1"),
    ]
    with refused("unauthenticated"):
        rita.call("desk.portal_me")
    assert mail(world, path, rita.email)["result"] == "ignored"


def test_who_has_to_do_with_other_desks_is_blocked_by_admins(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    call(world, "ana", "projects.create", key="OPS", name="Operations", visibility="members")
    open_desk(world, "OPS")
    call(world, "ana", "desk.request_create", project="OPS", type=3, customer=rita.email, title="Elsewhere")
    key = rita.ask()
    with refused("not-allowed"):
        call(world, "cy", "desk.spam", key=key, block=True)
    assert rita.thread(key)["request"]["category"] != "done"  # all of it or nothing
    call(world, "ana", "desk.spam", key=key, block=True)
    with refused("unauthenticated"):
        rita.call("desk.portal_me")


@pytest.mark.parametrize(("who", "slug"), [("gus", "not-allowed"), ("di", None)])
def test_members_judge_what_is_spam(help_desk: HelpDesk, who: str, slug: str | None) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    if slug is None:
        call(world, who, "desk.spam", key=key)
        return
    with refused(slug):
        call(world, who, "desk.spam", key=key)


def test_an_issue_that_is_no_request_is_no_spam(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = call(world, "cy", "issues.create", project="WEB", title="Ours")["key"]
    with refused("conflict"):
        call(world, "cy", "desk.spam", key=key)
    hidden = call(world, "di", "issues.create", project="PRV", title="Hers")["key"]
    for other in (hidden, "WEB-99"):
        with refused("not-found"):
            call(world, "cy", "desk.spam", key=other)
