"""What customers do on the portal, and what of it members see."""

import pytest

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, call_nobody, refused
from tests.modules.desk.helpdesk import HelpDesk


def test_a_request_is_an_issue_of_its_customer(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    seq = world.database.seq
    made = rita.call(
        "desk.portal_create", title="My order did not come", type=1, values={"description": "Since Tuesday"}
    )
    assert made == {
        "key": "WEB-1",
        "title": "My order did not come",
        "desk": "Web help",
        "request_type": "Something is broken",
        "status": "To do",
        "category": "todo",
        "created_at": world.clock.now(),
        "updated_at": world.clock.now(),
    }
    assert world.events_since(seq) == [("issue.created", "issue:1"), ("desk.request_created", "issue:1")]
    issue = call(world, "cy", "issues.get", key="WEB-1")
    assert issue["request"] == {"type": 1, "customer": rita.id, "channel": "portal", "company": None}
    assert (issue["reporter"], issue["created_by"]) == (f"customer:{rita.id}",) * 2
    assert (issue["body"], issue["type"]) == ("Since Tuesday", "bug")
    told = call(world, "cy", "activity.list", subject="issue:1")
    assert [(one["actor"], one["actor_kind"]) for one in told] == [(f"customer:{rita.id}", "human")] * 2
    assert rita.call("desk.portal_requests") == [made]
    assert rita.call("desk.portal_me")["requests"] == 1


def test_customers_and_members_talk_on_it(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(
        world,
        "cy",
        "comments.create",
        subject=f"issue:{key}",
        body="Cross customer, be careful",
        internal=True,
    )
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Which order?")
    assert rita.call("desk.portal_comment", key=key, body="Number 17") == {"ok": True}
    thread = rita.thread(key)
    assert [(one["author"], one["mine"], one["body"]) for one in thread["comments"]] == [
        ("Web help", False, "Which order?"),
        ("Rita Rivers", True, "Number 17"),
    ]
    said = call(world, "cy", "comments.list", subject=f"issue:{key}")
    assert [(one["author"], one["internal"]) for one in said] == [
        (world.people["cy"].id, True),
        (world.people["cy"].id, False),
        (f"customer:{rita.id}", False),
    ]


def test_a_request_of_another_customer_is_as_one_that_never_was(help_desk: HelpDesk) -> None:
    key = help_desk.rita.ask()
    for op, value in (("desk.portal_request", {}), ("desk.portal_comment", {"body": "Mine"})):
        with refused("not-found") as foreign:
            help_desk.nat.call(op, key=key, **value)
        with refused("not-found") as unknown:
            help_desk.nat.call(op, key="WEB-999", **value)
        assert foreign.value.detail.replace(key, "KEY") == unknown.value.detail.replace("WEB-999", "KEY")
    assert help_desk.nat.call("desk.portal_requests") == []


def test_a_token_of_the_portal_opens_nothing_else(help_desk: HelpDesk) -> None:
    for op, value in (
        ("issues.list", {}),
        ("issues.get", {"key": "WEB-1"}),
        ("api.changes", {"since": 0}),
        ("members.list", {}),
        ("desk.list", {}),
        ("desk.customers", {}),
        ("comments.create", {"subject": "issue:WEB-1", "body": "x"}),
        ("search.query", {"q": "order"}),
    ):
        with refused("insufficient-scope"):
            help_desk.rita.client.call(op, value)


@pytest.mark.parametrize("who", ["ana", "cy", "gus"])
def test_members_are_no_customers(help_desk: HelpDesk, who: str) -> None:
    with refused("insufficient-scope"):
        call(help_desk.world, who, "desk.portal_requests")


def test_a_trashed_request_is_gone_and_comes_back(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    trash = call(world, "ana", "issues.delete", key=key)["trash"]
    with refused("not-found"):
        rita.thread(key)
    assert rita.call("desk.portal_requests") == []
    assert rita.call("desk.portal_me")["requests"] == 0
    call(world, "ana", "trash.restore", ids=[trash])
    assert rita.thread(key)["request"]["key"] == key


def test_a_block_ends_the_tokens_at_once(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    assert call(world, "ana", "desk.customer_block", id=rita.id, blocked=True)["blocked"] is True
    with refused("unauthenticated"):
        rita.call("desk.portal_me")
    assert help_desk.nat.call("desk.portal_me")["id"] == help_desk.nat.id


def test_signing_out_ends_one_token(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    password = call(world, "ana", "desk.customer_reset", id=rita.id)["password"]
    with refused("unauthenticated"):
        rita.call("desk.portal_me")
    tokens = [
        call_nobody(world, "desk.portal_login", email="RITA@rivers.example", password=password)["token"]
        for _ in range(2)
    ]
    with Kbwork(world.url, tokens[0]) as one, Kbwork(world.url, tokens[1]) as other:
        one.call("desk.portal_logout", {})
        with refused("unauthenticated"):
            one.call("desk.portal_me", {})
        assert other.call("desk.portal_me", {})["id"] == rita.id


def test_anybody_reads_what_may_be_asked_for(world: World, help_desk: HelpDesk) -> None:
    found = call_nobody(world, "desk.portal_info")
    assert [(one["project"], one["name"], one["open_signup"], one["has_articles"]) for one in found] == [
        ("WEB", "Web help", True, False)
    ]
    assert [one["name"] for one in found[0]["types"]] == ["Something is broken", "A question"]
    call(world, "ana", "desk.save", project="WEB", enabled=False)
    assert call_nobody(world, "desk.portal_info") == []
