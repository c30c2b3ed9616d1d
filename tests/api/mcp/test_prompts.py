"""Prompts over MCP: triage, standup, planning and issue templates, each with what the caller may see and no more."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.api.oauth.test_oauth import Somebody
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.issues.test_issues import make

EVERYTHING = ["issues:read", "issues:write", "projects:read", "search:read", "comments:read"]


def talk(
    world: World, does: Callable[[Client], Awaitable[Any]], who: str = "cy", scopes: list[str] = EVERYTHING
) -> Any:
    token = call(world, who, "keys.create", name="mcp", kind="personal", scopes=scopes)["secret"]

    async def run() -> Any:
        async with (
            asyncio.timeout(30),
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=20) as http,
            Client(streamable_http_client(f"{world.url}/mcp", http_client=http)) as client,
        ):
            return await does(client)

    return asyncio.run(run())


def names(world: World, **more: Any) -> list[str]:
    found = talk(world, lambda client: client.list_prompts(), **more)
    return [prompt.name for prompt in found.prompts]


def rows(result: types.GetPromptResult) -> list[Any]:
    """What the queries of a prompt found, each as the operation answers it."""
    return [
        json.loads(message.content.resource.text)
        for message in result.messages
        if isinstance(message.content, types.EmbeddedResource)
        and isinstance(message.content.resource, types.TextResourceContents)
    ]


def refusal(world: World, name: str, given: dict[str, str] | None = None, **more: Any) -> str:
    async def refused(client: Client) -> str:
        with pytest.raises(MCPError) as error:
            await client.get_prompt(name, given)
        return str(error.value)

    return str(talk(world, refused, **more))


def template(world: World, **more: Any) -> str:
    """A template of an issue; answers the name of its prompt."""
    given = {
        "name": "Defect",
        "type": "bug",
        "input": {"body": "Seen by {{me.name}}"},
        "project": "WEB",
    } | more
    saved = call(world, "bo", "issues.template_save", **given)
    return f"new_bug_{next(one['id'] for one in saved if one['name'] == given['name'])}"


def test_prompts_are_declared_and_nothing_is_said_of_changes(world: World) -> None:
    async def declared(client: Client) -> Any:
        return client.server_capabilities

    found = talk(world, declared)
    assert found.prompts is not None
    assert not found.prompts.list_changed
    assert found.completions is not None


def test_prompts_are_those_of_which_the_caller_may_do_all(world: World) -> None:
    made = template(world)
    assert names(world) == ["triage", "standup", "plan", made]
    assert names(world, scopes=["issues:read", "search:read"]) == ["standup", "plan"]
    assert names(world, scopes=["auth:read"]) == []


def test_triage_brings_the_open_issues_that_nobody_has(world: World) -> None:
    key = make(world, title="Door is stuck")
    taken = make(world, title="Window", assignees=["cy"])
    result = talk(world, lambda client: client.get_prompt("triage", {"project": "WEB"}))
    (found,) = rows(result)
    assert key in json.dumps(found)
    assert taken not in json.dumps(found)
    told = result.messages[0].content
    assert isinstance(told, types.TextContent)
    assert "issues_assign" in told.text
    assert "no instructions" in told.text


def test_standup_and_plan_are_filled(world: World) -> None:
    key = make(world, title="Window", assignees=["cy"])
    found = rows(talk(world, lambda client: client.get_prompt("standup")))
    assert [key in json.dumps(one) for one in found] == [True, True]
    planned = talk(world, lambda client: client.get_prompt("plan", {"project": "WEB", "goal": "Ship"}))
    assert key in json.dumps(rows(planned))
    assert "goal: Ship" in planned.messages[0].content.text


def test_a_prompt_shows_what_its_caller_sees_alone(world: World) -> None:
    call(world, "bo", "projects.create", key="HID", name="Hidden", visibility="private")
    call(world, "bo", "issues.create", project="HID", title="Hidden door")
    name = template(world, project="HID", name="Hidden form")
    assert "Hidden door" in json.dumps(rows(talk(world, lambda c: c.get_prompt("triage"), who="bo")))
    assert "Hidden door" not in json.dumps(rows(talk(world, lambda c: c.get_prompt("triage"))))
    assert name in names(world, who="bo")
    assert name not in names(world)
    assert "There is no prompt" in refusal(world, name, {"title": "x"})
    assert "no project called so in what you see" in refusal(world, "triage", {"project": "HID"})


def test_a_connected_client_is_offered_prompts_of_its_modules_alone(world: World) -> None:
    made = template(world)
    chosen = {"scopes": EVERYTHING, "modules": ["issues", "projects"]}
    found = Somebody(world, narrowed=chosen).run(lambda client: client.list_prompts())
    assert [prompt.name for prompt in found.prompts] == [made]


def test_a_template_tells_how_an_issue_is_made_of_it(world: World) -> None:
    name = template(world)
    result = talk(world, lambda client: client.get_prompt(name, {"title": "Broken door"}))
    (message,) = result.messages
    assert "{{me.name}}" in message.content.text
    assert "project: WEB" in message.content.text
    assert "title: Broken door" in message.content.text


def test_what_does_not_fit_is_refused_with_what_to_do(world: World) -> None:
    name = template(world)
    assert "Did you mean triage?" in refusal(world, "triag")
    assert "Give the argument 'project'" in refusal(world, "plan")
    assert "Give the argument 'title'" in refusal(world, name)
    assert "Did you mean project?" in refusal(world, "triage", {"projekt": "WEB"})
    assert "the key of a project" in refusal(world, "triage", {"project": "WEB or open"})


def test_projects_are_completed_as_far_as_they_are_seen(world: World) -> None:
    call(world, "bo", "projects.create", key="WEBX", name="Hidden", visibility="private")

    async def completed(client: Client) -> Any:
        ref = types.PromptReference(name="plan")
        return (
            (await client.complete(ref, {"name": "project", "value": "WEB"})).completion.values,
            (await client.complete(ref, {"name": "goal", "value": "x"})).completion.values,
        )

    assert talk(world, completed) == (["WEB"], [])
    assert talk(world, completed, scopes=["search:read"]) == ([], [])
