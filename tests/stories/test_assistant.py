"""Assistants do thirty everyday tasks over MCP: each is found by what a person says, done by tools, seen over REST."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from kbwork.core.access import scopes
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.helpdesk import customer, open_desk
from tests.modules.flags.flag_project import DAY_S, aged, flag, shop
from tests.modules.workflows.sample_workflows import in_force

Json = dict[str, Any]
FRIDAY = "2027-01-22T08:00:00Z"


@dataclass(frozen=True)
class Task:
    """What somebody says, the calls that do it, and what a person sees then. The last call is of the tool that the
    sentence is to find; a call may be made of what the one before answered."""

    said: str
    calls: Sequence[tuple[str, Json | Callable[[Any], Json]]]
    sees: tuple[str, Json]
    holds: Callable[[Any, Any], bool]
    """Given what the last call answered and what the person sees."""


WEB: Json = {"project": "WEB"}
TEST: Json = {"project": "shop", "environment": "test"}
PRODUCTION: Json = {"project": "shop", "environment": "production"}
TENTH = {
    "kind": "updateFallthroughVariationOrRollout",
    "rollout": {"variations": [{"variation": 0, "weight": 10_000}, {"variation": 1, "weight": 90_000}]},
}
TESTERS = {"op": "segmentMatch", "values": ["beta-testers"]}
PLAN = [
    {"title": "Checkout", "type": "epic", "ref": "epic"},
    {"title": "Payment", "type": "story", "ref": "payment", "parent": "epic"},
    {"title": "Delivery", "type": "story", "ref": "delivery", "parent": "epic"},
]

LEAD = [
    Task(
        "Plan the checkout: make an epic with two stories below it",
        [("issues_create_tree", WEB | {"items": PLAN})],
        ("issues.get", {"key": "WEB-4", "with": ["children"]}),
        lambda _, seen: [one["title"] for one in seen["children"]] == ["Payment", "Delivery"],
    ),
    Task(
        "How many bugs are open for each priority?",
        [("tql_count", {"tql": "type = bug and open select count() group by priority"})],
        ("issues.list", WEB),
        lambda told, seen: (
            told["count"] == len({one["priority"] for one in seen["items"] if one["type"] == "bug"}) == 2
        ),
    ),
    Task(
        "These two bugs are the same, merge the duplicate",
        [("issues_similar", {"key": "WEB-1"}), ("issues_merge", {"from": ["WEB-2"], "into": "WEB-1"})],
        ("issues.get", {"key": "WEB-2"}),
        lambda _, seen: (seen["category"], seen["outcome"]) == ("done", "duplicate"),
    ),
    Task(
        "Give the payment story to Di",
        [("issues_assign", {"key": "WEB-5", "assignees": ["@di"]})],
        ("tql.run", {"tql": "assignee = @di", "fields": ["key"]}),
        lambda _, seen: seen["rows"] == [["WEB-5"]],
    ),
    Task(
        "Move the refund story to the top of the backlog",
        [("issues_rank", {"keys": ["WEB-3"], "before": "WEB-1"})],
        ("issues.list", WEB | {"sort": "rank"}),
        lambda _, seen: seen["items"][0]["key"] == "WEB-3",
    ),
    Task(
        "Raise the priority of all open bugs at once",
        [("issues_bulk", {"tql": "type = bug and open", "changes": {"priority": "high"}})],
        ("issues.get", {"key": "WEB-1"}),
        lambda _, seen: seen["priority"] == "high",
    ),
    Task(
        "Undo my last change",
        [("undo_list", {}), ("undo_apply", lambda told: {"seq": told["result"][0]["seq"]})],
        ("issues.get", {"key": "WEB-1"}),
        lambda _, seen: seen["priority"] == "low",
    ),
    Task(
        "Set up a board for the sprint",
        [("boards_save", WEB | {"name": "Sprint", "tql": "project = WEB"})],
        ("boards.list", WEB),
        lambda told, seen: [(one["id"], one["name"]) for one in seen] == [(told["id"], "Sprint")],
    ),
    Task(
        "Write a wiki page with the goals of the sprint",
        [("pages_create", {"space": "TEAM", "title": "Goals", "body": "Ship the **checkout**."})],
        ("pages.list", {"space": "TEAM", "q": "goals"}),
        lambda told, seen: [one["id"] for one in seen["items"]] == [told["id"]],
    ),
    Task(
        "Report that the website is at risk",
        [
            ("projects_health", {"key": "WEB"}),
            ("projects_status_post", {"key": "WEB", "health": "at_risk", "body": "Delivery is late."}),
        ],
        ("projects.statuses", {"key": "WEB"}),
        lambda _, seen: (seen[0]["health"], seen[0]["body"]) == ("at_risk", "Delivery is late."),
    ),
]

SERVICE = [
    Task(
        "Add a customer to the service desk",
        [("desk_customer_add", {"email": "nat@north.example", "name": "Nat North"})],
        ("desk.customers", {"q": "nat"}),
        lambda told, seen: [one["id"] for one in seen] == [told["customer"]["id"]],
    ),
    Task(
        "Make this issue the request of Nat",
        [
            ("issues_create", WEB | {"title": "Told by phone"}),
            ("desk_requester_set", lambda told: {"key": told["key"], "requester": "nat@north.example"}),
        ],
        ("issues.get", {"key": "WEB-2"}),
        lambda told, seen: seen["request"]["customer"] == told["requester"]["id"],
    ),
    Task(
        "Reply to the customer that it is on its way",
        [("desk_send_reply", {"key": "WEB-1", "body": "It is on its way."})],
        ("comments.list", {"subject": "issue:WEB-1"}),
        lambda told, seen: [(one["id"], one["internal"]) for one in seen] == [(told["id"], False)],
    ),
    Task(
        "Leave an internal note that she is a difficult customer",
        [("comments_create", {"subject": "issue:WEB-1", "body": "Be careful.", "internal": True})],
        ("comments.list", {"subject": "issue:WEB-1"}),
        lambda _, seen: (seen[-1]["body"], seen[-1]["internal"]) == ("Be careful.", True),
    ),
    Task(
        "Ask for approval to start work on the request",
        [("approvals_request", {"key": "WEB-1", "to_status": "in_progress", "note": "It is urgent"})],
        ("approvals.list", {"key": "WEB-1"}),
        lambda _, seen: [(one["state"], one["note"]) for one in seen] == [("pending", "It is urgent")],
    ),
    Task(
        "Register a new laptop",
        [("assets_create", {"name": "Laptop of Rita", "type": "LAP"})],
        ("assets.list", {"type": "LAP"}),
        lambda told, seen: [one["key"] for one in seen] == [told["key"]] == ["LAP-1"],
    ),
    Task(
        "Link the laptop to the request",
        [("issues_asset_link", {"key": "WEB-1", "asset": "LAP-1", "on": True})],
        ("assets.get", {"key": "LAP-1"}),
        lambda _, seen: seen["issues"] == ["WEB-1"],
    ),
    Task(
        "Search for what we wrote about passwords",
        [("search_query", {"q": "passwords", "kinds": ["page"]})],
        ("pages.get", {"id": "HELP/passwords"}),
        lambda told, seen: [one["subject"] for one in told["items"]] == [f"page:{seen['id']}"],
    ),
    Task(
        "Correct the help article about passwords",
        [("pages_update", {"id": "HELP/passwords", "body": "Use **Forgotten**."})],
        ("pages.get", {"id": "HELP/passwords"}),
        lambda _, seen: seen["body"] == "Use **Forgotten**.",
    ),
    Task(
        "Add a checklist to the request",
        [("checklists_add", {"key": "WEB-1", "text": "Call back\nClose"})],
        ("checklists.list", {"key": "WEB-1"}),
        lambda _, seen: [one["text"] for one in seen["items"]] == ["Call back", "Close"],
    ),
]

RELEASE = [
    Task(
        "Create a flag for the new checkout",
        [("flags_create", {"project": "shop", "key": "checkout", "temporary": True})],
        ("flags.get", {"project": "shop", "key": "checkout"}),
        lambda _, seen: [one["on"] for one in seen["environments"].values()] == [False, False],
    ),
    Task(
        "Make a segment of beta testers",
        [("flags_segment_save", TEST | {"key": "beta-testers", "included": ["ana"]})],
        ("flags.segments", TEST),
        lambda _, seen: [one["key"] for one in seen] == ["beta-testers"],
    ),
    Task(
        "Turn the checkout flag on for the beta testers in test",
        [
            (
                "flags_update",
                TEST
                | {
                    "key": "checkout",
                    "instructions": [
                        {"kind": "turnFlagOn"},
                        {"kind": "updateFallthroughVariationOrRollout", "variation": 1},
                        {"kind": "addRule", "variation": 0, "clauses": [TESTERS]},
                    ],
                },
            )
        ],
        ("flags.evaluate", TEST | {"key": "checkout", "context": {"key": "ana"}}),
        lambda _, seen: (seen[0]["value"], seen[0]["reason"]) == (True, "TARGETING_MATCH"),
    ),
    Task(
        "Roll the checkout flag out to ten percent in test",
        [("flags_update", TEST | {"key": "checkout", "instructions": [TENTH]})],
        ("flags.get", {"project": "shop", "key": "checkout"}),
        lambda _, seen: "10000" in json.dumps(seen["environments"]["test"]),
    ),
    Task(
        "Ask for approval to switch the flag on in production",
        [
            (
                "flags_change_create",
                PRODUCTION
                | {"kind": "flag", "target": "checkout", "instructions": [{"kind": "turnFlagOn"}]}
                | {"comment": "Nobody complained"},
            )
        ],
        ("flags.changes", {"project": "shop", "status": "pending"}),
        lambda told, seen: [one["id"] for one in seen] == [told["id"]],
    ),
    Task(
        "Schedule the flag to be switched off on Friday",
        [
            (
                "flags_schedule_create",
                TEST | {"key": "checkout", "instructions": [{"kind": "turnFlagOff"}], "run_at": FRIDAY},
            )
        ],
        ("flags.schedules", {"project": "shop"}),
        lambda _, seen: [one["key"] for one in seen] == ["checkout"],
    ),
    Task(
        "Compare the flags of test and production",
        [("flags_compare", {"project": "shop", "from": "test", "to": "production"})],
        ("flags.compare", {"project": "shop", "from": "test", "to": "production"}),
        lambda told, seen: told == seen and "checkout" in json.dumps(told),
    ),
    Task(
        "Take a snapshot of the whole flag configuration",
        [("flags_export", {})],
        ("flags.get", {"project": "shop", "key": "checkout"}),
        lambda told, seen: all(key in json.dumps(told) for key in (seen["key"], "beta-testers", "banner")),
    ),
    Task(
        "Which flags are stale and can be removed?",
        [("flags_stale", {"project": "shop"})],
        ("flags.get", {"project": "shop", "key": "banner"}),
        lambda told, seen: [one["key"] for one in told["result"]] == [seen["key"]] and seen["temporary"],
    ),
    Task(
        "Who changed what: show the audit log of the flag",
        [("audit_list", {"subject": "flag:shop/checkout"})],
        ("activity.list", {"subject": "flag:shop/checkout"}),
        lambda told, seen: set() < {one["seq"] for one in seen} <= {one["id"] for one in told["entries"]},
    ),
]


class Assistant:
    """An agent of a member, with every scope that its owner holds, connected over MCP."""

    def __init__(self, world: World, who: str, client: Client) -> None:
        self.world, self.who, self.client = world, who, client

    async def does(self, task: Task) -> None:
        """Find the tool by the sentence, call what there is to call, and look as the owner at what came of it."""
        tool = task.calls[-1][0]
        assert tool in await self.found(task.said), task.said
        told: Any = None
        for name, value in task.calls:
            told = await self.call(name, value(told) if callable(value) else value)
        op, asked = task.sees
        seen = await asyncio.to_thread(call, self.world, self.who, op, **asked)
        assert task.holds(told, seen), (task.said, told, seen)

    async def found(self, said: str) -> list[str]:
        """The first five tools for this sentence."""
        answer = await self.call("tools_search", {"query": said, "limit": 5})
        return [one["name"] for one in answer["tools"]]

    async def call(self, name: str, value: Json) -> Any:
        result = await self.client.call_tool(name, value)
        assert not result.is_error, (name, result.content)
        return result.structured_content

    async def refusal(self, name: str, value: Json) -> Json:
        """The problem that a call is refused with."""
        result = await self.client.call_tool(name, value)
        assert result.is_error, (name, result.content)
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        found: Json = json.loads(content.text)
        return found


def assisted(world: World, who: str, does: Callable[[Assistant], Any]) -> None:
    """Connect an agent of this member, and have it do something."""
    held = sorted(scopes.of_role(world.people[who].role))
    key = call(world, who, "keys.create", name="helper", kind="agent", agent=f"{who}-helper", scopes=held)

    async def run() -> None:
        headers = {"Authorization": f"Bearer {key['secret']}"}
        async with (
            asyncio.timeout(60),
            httpx2.AsyncClient(headers=headers, timeout=20) as http,
            Client(streamable_http_client(f"{world.url}/mcp", http_client=http)) as client,
        ):
            await does(Assistant(world, who, client))

    asyncio.run(run())


@contextmanager
def a_project(world: World) -> Iterator[None]:
    """Two bugs that say the same, a story, and a space of the team."""
    for title, kind in (
        ("The cart is empty", "bug"),
        ("The cart is empty again", "bug"),
        ("Refunds", "story"),
    ):
        priority = "low" if title == "The cart is empty" else "medium"
        call(world, "bo", "issues.create", project="WEB", title=title, type=kind, priority=priority)
    call(world, "bo", "spaces.save", key="TEAM", name="The team")
    yield


@contextmanager
def a_desk(world: World) -> Iterator[None]:
    """With Rita's request, whose work Bo approves, an article, and a type of assets."""
    call(world, "ana", "spaces.save", key="HELP", name="Help", kind="kb")
    call(world, "cy", "pages.create", space="HELP", title="Passwords", body="Wriet to us.")
    call(world, "bo", "assets.type_save", key="LAP", name="Laptop")
    open_desk(world, kb_space="HELP")
    in_force(world, approvers=["@bo"])
    with customer(world, "rita") as rita:
        assert rita.ask("My laptop broke") == "WEB-1"
        yield


@contextmanager
def a_shop(world: World) -> Iterator[None]:
    """Flags in two environments, of which one is critical, and a temporary flag that nobody asked for in months."""
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    flag(world, "banner", "bo", temporary=True)
    aged(world, 200 * DAY_S)
    yield


@pytest.mark.parametrize(
    ("who", "place", "tasks"),
    [("bo", a_project, LEAD), ("cy", a_desk, SERVICE), ("bo", a_shop, RELEASE)],
    ids=["lead", "service", "release"],
)
def test_an_assistant_does_ten_tasks_of_a_day(
    world: World, who: str, place: Callable[[World], Any], tasks: list[Task]
) -> None:
    assert len(tasks) == 10

    async def day(assistant: Assistant) -> None:
        for task in tasks:
            await assistant.does(task)

    with place(world):
        assisted(world, who, day)


def test_what_people_decide_an_assistant_is_refused_in_words(world: World) -> None:
    in_force(world, approvers=["@bo"])
    key = call(world, "cy", "issues.create", project="WEB", title="Door")["key"]
    asked = call(world, "cy", "approvals.request", key=key, to_status="in_progress")
    with a_shop(world):
        change = PRODUCTION | {"kind": "flag", "target": "banner", "instructions": [{"kind": "turnFlagOn"}]}
        wanted = call(world, "cy", "flags.change_create", **change)

    async def tries(assistant: Assistant) -> None:
        review = {"project": "shop", "id": wanted["id"], "decision": "approve"}
        for said, name, value in (
            ("Approve the request", "approvals_decide", {"id": asked["id"], "approve": True}),
            ("Invite a colleague", "invites_create", {"emails": ["new@acme.example"], "role": "member"}),
            ("Approve the change of the flag", "flags_change_review", review),
        ):
            assert name in await assistant.found(said), said
            problem = await assistant.refusal(name, value)
            assert (problem["type"], problem["status"]) == ("/problems/not-allowed", 403), problem
            assert "person" in problem["detail"], problem
        on = {"key": "banner", "instructions": [{"kind": "turnFlagOn"}]}
        done = await assistant.call("flags_update", PRODUCTION | on)
        assert done["outcome"] == "changeRequest"  # a critical environment is a person's to change

    assisted(world, "bo", tries)
    assert call(world, "cy", "approvals.list", key=key)[0]["state"] == "pending"
    assert call(world, "ana", "invites.list") == []
    changes = call(world, "ana", "flags.changes", project="shop")
    assert [one["status"] for one in changes] == ["pending", "pending"]
    assert (
        call(world, "ana", "flags.get", project="shop", key="banner")["environments"]["production"]["on"]
        is False
    )


def test_what_takes_away_asks_to_be_confirmed(world: World) -> None:
    key = call(world, "bo", "issues.create", project="WEB", title="Door")["key"]

    async def deletes(assistant: Assistant) -> None:
        assert (await assistant.found("Delete the issue"))[0] == "issues_delete"
        problem = await assistant.refusal("issues_delete", {"key": key})
        assert problem["type"] == "/problems/confirm-needed"
        assert "confirm: true" in problem["detail"]
        seen = await asyncio.to_thread(call, world, "bo", "issues.get", key=key)
        assert seen["title"] == "Door"
        await assistant.call("issues_delete", {"key": key, "confirm": True})

    assisted(world, "bo", deletes)
    assert len(call(world, "bo", "trash.list")["items"]) == 1
    assert call(world, "bo", "issues.list", project="WEB")["items"] == []
