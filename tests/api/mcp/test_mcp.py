import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import fastmcp
import httpx2
import mcp_types as types
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import Field
from typing_extensions import TypedDict

from kbwork.api.http.body import Bodies
from kbwork.api.http.site import Site
from kbwork.api.mcp.endpoint import McpDoor
from kbwork.base import ids
from kbwork.base.clock import SystemClock
from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Empty, Input, Name, Text
from kbwork.contract.render.mcp import mcp
from kbwork.core.access import scopes
from kbwork.core.operations.call import Credentials
from kbwork.core.operations.declare import Operation, destructive, read, write
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.core.operations.registry import Registry
from kbwork.core.operations.strict_json import parse
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write

OWNER, READER, GUEST = ids.token("kb_"), ids.token("kb_"), ids.token("kb_")
METADATA = 'Bearer resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource/mcp"'
Mode = Literal["auto", "legacy"]
BOTH = pytest.mark.parametrize("mode", ["auto", "legacy"])


class Issue(TypedDict):
    key: str
    title: str
    parent: str | None


class Brief(TypedDict):
    text: str
    truncated: bool


class IssuesGet(Input):
    key: Text


class IssuesCreate(Input):
    title: Name
    parent: Text | None = None


class Nested(Input):
    op: Text
    input: dict[str, Any] = Field(default_factory=dict)


class ApiBatch(Input):
    ops: Annotated[list[Nested], Field(max_length=50)]


class Changes(Input):
    title: Name | None = None
    delete: bool | None = None


class IssuesBulk(Input):
    keys: list[Text]
    changes: Changes


@read("issues.list", scope="issues:read")
def issues_list(tx: Read, args: Empty) -> list[str]:
    """List the keys of issues."""
    return tx.column("select name from counter where name glob 'I-*' order by name")


@read("issues.get", scope="issues:read", example={"key": "I-1"})
def issues_get(tx: Read, args: IssuesGet) -> Issue:
    """Get one issue."""
    if tx.value("select 1 from counter where name = :key", key=args.key) is None:
        raise NotFound(f"There is no issue {args.key}.")
    return {"key": args.key, "title": "Zoë's \u2028 door", "parent": None}


@read("issues.export_text", scope="issues:read", example={"key": "I-1"})
def issues_export_text(tx: Read, args: IssuesGet) -> Brief:
    """An issue as text, for a person or a prompt."""
    issue = issues_get(tx, args)
    return {"text": f"# {issue['title']}", "truncated": False}


@write("issues.create", scope="issues:write", example={"title": "Door"})
def issues_create(tx: Write, args: IssuesCreate) -> Issue:
    """Create an issue in a project."""
    number = 1 + len(issues_list(tx, Empty()))
    tx.execute("insert into counter (name, value) values (:name, 0)", name=f"I-{number}")
    return {"key": f"I-{number}", "title": args.title, "parent": args.parent}


@write("issues.transition", scope="issues:write", example={"key": "I-1"})
def issues_transition(tx: Write, args: IssuesGet) -> Issue:
    """Move an issue to another status."""
    raise Conflict(f"{args.key} is there already.")


@write("issues.bulk", scope="issues:write", example={"keys": ["I-1"], "changes": {}})
def issues_bulk(tx: Write, args: IssuesBulk) -> dict[str, int]:
    """Change many issues."""
    return {"changed": len(args.keys)}


@destructive("issues.delete", scope="issues:write", example={"key": "I-1"})
def issues_delete(tx: Write, args: IssuesGet) -> dict[str, bool]:
    """Delete an issue. It can be restored from the trash."""
    return {"ok": bool(tx.execute("delete from counter where name = :key", key=args.key))}


@write("api.batch", scope=("api:read", "api:write"), emits_any=True, example={"ops": []})
def api_batch(tx: Write, args: ApiBatch) -> dict[str, list[str]]:
    """Run several operations in one transaction."""
    return {"results": [op.op for op in args.ops]}


@read("auth.me", scope="auth:read", words="who am I")
def auth_me(tx: Read, args: Empty) -> dict[str, str]:
    """Who the caller is, and what it may do."""
    return {"member": tx.caller.me()}


@write("auth.login", scope="desk:public")
def auth_login(tx: Write, args: Empty) -> dict[str, bool]:
    """Sign in with e-mail and password."""
    return {"ok": True}


@write("mail.tick", scope="system")
def mail_tick(tx: Write, args: Empty) -> dict[str, bool]:
    """Send what waits."""
    return {"ok": True}


@write("org.fail", scope="admin")
def org_fail(tx: Write, args: Empty) -> dict[str, bool]:
    """Fail."""
    raise RuntimeError("the inside")


HANDLERS: tuple[Any, ...] = (
    issues_list,
    issues_get,
    issues_export_text,
    issues_create,
    issues_transition,
    issues_bulk,
    issues_delete,
    api_batch,
    auth_me,
    auth_login,
    mail_tick,
    org_fail,
)


class Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


class Served:
    """The door on a free port of 127.0.0.1, with an owner, a reader and a guest who hold keys."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.observed: list[tuple[str, str, int]] = []
        found: list[Operation] = [handler.__operation__ for handler in HANDLERS]
        registry = Registry(found, [], [], [])
        database.know(registry, frozenset(), {})
        self.dispatcher = Dispatcher(registry, database, Limits(Rates(enabled=False)), SystemClock())
        address = "http://127.0.0.1:1"
        site = Site(
            self.dispatcher,
            address,
            observe=lambda door, cls, status, _: self.observed.append((door, cls, status)),
            bodies=Bodies(1_000_000),
        )
        self.door = McpDoor(site, told=lambda: mcp(registry)["tools"])
        self.server = Server(
            uvicorn.Config(self._app, interface="asgi3", port=0, log_config=None, lifespan="on")
        )
        self.thread = threading.Thread(target=self.server.run)

    async def _app(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        if scope["type"] == "http":
            await self.door(scope, receive, send)
            return
        await receive()
        await self.door.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.door.stop()
        await send({"type": "lifespan.shutdown.complete"})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}/mcp"

    @asynccontextmanager
    async def client(self, token: str, mode: Mode = "auto", query: str = "") -> AsyncIterator[Client]:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=20) as http:
            transport = streamable_http_client(self.url + query, http_client=http)
            async with Client(transport, mode=mode) as client:
                yield client

    def talk(
        self,
        does: Callable[[Client], Awaitable[Any]],
        *,
        token: str = OWNER,
        mode: Mode = "auto",
        query: str = "",
    ) -> Any:
        async def run() -> Any:
            async with asyncio.timeout(30), self.client(token, mode, query) as client:
                return await does(client)

        return asyncio.run(run())

    def error(self, does: Callable[[Client], Awaitable[Any]], **more: Any) -> MCPError:
        """The protocol error that the client raises."""

        async def refused(client: Client) -> MCPError:
            with pytest.raises(MCPError) as error:
                await does(client)
            return error.value

        found = self.talk(refused, **more)
        assert isinstance(found, MCPError)
        return found

    def call(
        self, name: str, arguments: dict[str, Any], *, token: str = OWNER, **more: Any
    ) -> types.CallToolResult:
        found = self.talk(lambda client: client.call_tool(name, arguments, **more), token=token)
        assert isinstance(found, types.CallToolResult)
        return found

    def names(self, **more: Any) -> set[str]:
        found = self.talk(lambda client: client.list_tools(), **more)
        return {tool.name for tool in found.tools}

    def rest(self, op_id: str, body: bytes) -> bytes:
        """What REST answers: the dispatcher's bytes."""

        async def run() -> bytes:
            admitted = self.dispatcher.admit(op_id, Credentials(token=OWNER, address="127.0.0.1"))
            return (await self.dispatcher.run(admitted, body)).body

        return asyncio.run(run())

    def post(self, body: bytes = b"{}", **headers: str) -> httpx2.Response:
        given = {"Authorization": f"Bearer {OWNER}", "Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        return httpx2.post(self.url, content=body, headers=given, timeout=20)


def _people(tx: Write) -> None:
    for token, role, held in (
        (OWNER, "owner", sorted(scopes.ADMIN)),
        (READER, "member", ["issues:read", "api:read"]),
        (GUEST, "guest", ["auth:read"]),
    ):
        tx.execute(
            "insert into member (id, name, handle, role, state, created_at)"
            " values (:role, :role, :role, :role, 'active', 0)",
            role=role,
        )
        tx.execute(
            "insert into key (id, digest, name, kind, owner, last4, scopes, projects, networks, created_at)"
            " values (:id, :digest, 'k', 'personal', :owner, 'last', :scopes, '[]', '[]', 0)",
            id=f"k_{role}",
            digest=ids.digest(token),
            owner=role,
            scopes=json.dumps(held),
        )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    yield from _serving(tmp_path_factory.mktemp("mcp"))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Served]:
    yield from _serving(tmp_path)


def _serving(folder: Path) -> Iterator[Served]:
    database = Database(folder / "data", SystemClock())
    try:
        database.write_now(_people)
        served = Served(database)
        served.thread.start()
        assert served.server.up.wait(timeout=20)
        try:
            yield served
        finally:
            served.server.should_exit = True
            served.thread.join(timeout=20)
            assert not served.thread.is_alive()
    finally:
        database.close()


def _problem(result: types.CallToolResult) -> dict[str, Any]:
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    found: dict[str, Any] = json.loads(content.text)
    assert found.pop("request_id")
    return found


ALL = {
    "api_batch",
    "auth_me",
    "issues_bulk",
    "issues_create",
    "issues_delete",
    "issues_export_text",
    "issues_get",
    "issues_list",
    "issues_transition",
    "org_fail",
    "tools_search",
}


@BOTH
def test_an_owner_is_shown_every_operation_but_the_public_ones_and_the_systems(
    served: Served, mode: Mode
) -> None:
    assert served.names(mode=mode) == ALL


@BOTH
def test_a_key_is_shown_what_its_scopes_allow(served: Served, mode: Mode) -> None:
    expected = {"api_batch", "issues_export_text", "issues_get", "issues_list", "tools_search"}
    assert served.names(token=READER, mode=mode) == expected
    assert served.names(token=GUEST, mode=mode) == {"auth_me", "tools_search"}


def test_modules_cut_the_list_further_and_show_public_operations(served: Served) -> None:
    always = {"api_batch", "issues_export_text", "tools_search"}
    assert served.names(query="?modules=auth,org") == always | {"auth_me", "auth_login", "org_fail"}
    assert served.names(token=READER, query="?modules=auth") == always | {"auth_login"}


def test_modules_of_which_none_is_known_are_refused_with_the_nearest(served: Served) -> None:
    answer = httpx2.post(
        served.url + "?modules=isues", content=b"{}", headers={"Authorization": f"Bearer {OWNER}"}, timeout=20
    )
    assert answer.status_code == 422
    assert answer.json()["type"] == "/problems/invalid-input"
    assert "issues" in answer.json()["detail"]


def test_modules_that_are_switched_off_are_not_shown(fresh: Served) -> None:
    fresh.database.write_now(lambda tx: tx.execute("insert into setting values ('module.issues', 'false')"))
    assert fresh.names() == {"api_batch", "auth_me", "org_fail", "tools_search"}
    assert _problem(fresh.call("issues_get", {"key": "I-1"}))["type"] == "/problems/not-found"


@BOTH
def test_tools_carry_hints_and_the_schema_of_their_operation(served: Served, mode: Mode) -> None:
    found = {tool.name: tool for tool in served.talk(lambda c: c.list_tools(), mode=mode).tools}
    hints = {
        name: tool.annotations.model_dump(exclude_none=True, by_alias=True) for name, tool in found.items()
    }
    assert hints["issues_get"] == {"title": "Issues: get", "readOnlyHint": True, "openWorldHint": False}
    assert hints["issues_create"] == {
        "title": "Issues: create",
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": False,
    }
    assert hints["issues_delete"] == hints["issues_create"] | {
        "title": "Issues: delete",
        "destructiveHint": True,
        "idempotentHint": True,
    }
    assert found["issues_get"].description == "Get one issue."
    assert found["issues_get"].input_schema == {
        "additionalProperties": False,
        "properties": {"key": {"maxLength": 4000, "type": "string"}},
        "required": ["key"],
        "type": "object",
    }
    assert found["issues_delete"].input_schema["required"] == ["key", "confirm"]
    asking = {name for name, tool in found.items() if "confirm" in tool.input_schema.get("properties", {})}
    assert asking == {"issues_delete", "api_batch", "issues_bulk"}


@BOTH
def test_a_call_answers_the_bytes_of_rest_and_the_same_value(fresh: Served, mode: Mode) -> None:
    async def make_and_get(client: Client) -> tuple[types.CallToolResult, ...]:
        made = await client.call_tool("issues_create", {"title": "Door"})
        return (
            made,
            await client.call_tool("issues_get", {"key": "I-1"}),
            await client.call_tool("issues_list", {}),
        )

    made, got, listed = fresh.talk(make_and_get, mode=mode)
    assert made.structured_content == {"key": "I-1", "title": "Door", "parent": None}
    assert not made.is_error
    assert got.content[0].text.encode() == fresh.rest("issues.get", b'{"key":"I-1"}')
    assert got.structured_content == parse(got.content[0].text.encode())
    assert listed.content[0].text == '["I-1"]'
    assert listed.structured_content == {"result": ["I-1"]}
    assert fresh.observed == [("mcp", "write", 200), ("mcp", "read", 200), ("mcp", "read", 200)]


def test_fastmcp_is_served_too(served: Served) -> None:
    async def run() -> tuple[set[str], Any]:
        async with asyncio.timeout(30), fastmcp.Client(served.url, auth=OWNER) as client:
            return {tool.name for tool in await client.list_tools()}, (
                await client.call_tool("auth_me", {})
            ).data

    assert asyncio.run(run()) == (ALL, {"member": "owner"})


@BOTH
def test_a_refusal_is_an_error_with_the_problem_document(served: Served, mode: Mode) -> None:
    def refused(name: str, arguments: dict[str, Any], token: str = OWNER) -> dict[str, Any]:
        return _problem(served.talk(lambda c: c.call_tool(name, arguments), token=token, mode=mode))

    assert refused("issues_get", {"key": "I-404"}) == {
        "type": "/problems/not-found",
        "title": "No such thing",
        "status": 404,
        "detail": "There is no issue I-404.",
    }
    assert refused("issues_get", {"kee": "I-1"})["type"] == "/problems/unknown-field"
    assert refused("issues_get", {"key": 1})["type"] == "/problems/invalid-input"
    assert refused("issues_transition", {"key": "I-1"})["type"] == "/problems/conflict"
    assert refused("issues_create", {"title": "x"}, READER)["type"] == "/problems/insufficient-scope"
    assert refused("issues_create", {"title": "x", "confirm": True})["type"] == "/problems/unknown-field"


def test_what_fails_inside_is_told_without_its_inside(fresh: Served) -> None:
    found = _problem(fresh.call("org_fail", {}))
    assert found["type"] == "/problems/internal"
    assert "the inside" not in found["detail"]
    assert fresh.observed == [("mcp", "write", 500)]


@BOTH
def test_an_unknown_tool_is_an_error_that_names_the_nearest(served: Served, mode: Mode) -> None:
    for name in ("issue_get", "mail_tick"):
        error = served.error(partial(Client.call_tool, name=name, arguments={}), mode=mode)
        assert error.code == types.INVALID_PARAMS
        assert name in error.message


@BOTH
def test_a_destructive_tool_asks_to_be_confirmed(fresh: Served, mode: Mode) -> None:
    async def delete(client: Client) -> list[types.CallToolResult]:
        await client.call_tool("issues_create", {"title": "Door"})
        tried: list[dict[str, Any]] = [
            {},
            {"confirm": False},
            {"confirm": "true"},
            {"confirm": 1},
            {"confirm": True},
        ]
        return [await client.call_tool("issues_delete", {"key": "I-1", **more}) for more in tried]

    *refused, done = fresh.talk(delete, mode=mode)
    what = 'This would do: Delete an issue - with {"key": "I-1"}.'
    for result in refused:
        assert _problem(result) == {
            "type": "/problems/confirm-needed",
            "title": "Confirm the destructive call",
            "status": 422,
            "detail": f"{what} Call again with confirm: true to do it.",
        }
    assert done.structured_content == {"ok": True}
    assert fresh.observed.count(("mcp", "destructive", 422)) == 4


def test_without_the_scope_nobody_is_asked_to_confirm(served: Served) -> None:
    found = _problem(served.call("issues_delete", {"key": "I-1"}, token=READER))
    assert found["type"] == "/problems/insufficient-scope"


def test_what_carries_a_destructive_call_asks_too(served: Served) -> None:
    harmless: list[dict[str, Any]] = [{"op": "issues.create", "input": {"title": "x"}}]
    deadly = [*harmless, {"op": "issues.delete", "input": {"key": "I-1"}}]
    bulk = [{"op": "issues.bulk", "input": {"keys": ["I-1"], "changes": {"delete": True}}}]
    assert served.call("api_batch", {"ops": harmless}).structured_content == {"results": ["issues.create"]}
    for ops in (deadly, bulk):
        assert _problem(served.call("api_batch", {"ops": ops}))["type"] == "/problems/confirm-needed"
        assert not served.call("api_batch", {"ops": ops, "confirm": True}).is_error
    removing: dict[str, Any] = {"keys": ["I-1"], "changes": {"delete": True}}
    assert _problem(served.call("issues_bulk", removing))["type"] == "/problems/confirm-needed"
    assert served.call("issues_bulk", removing | {"confirm": True}).structured_content == {"changed": 1}
    assert not served.call("issues_bulk", {"keys": ["I-1"], "changes": {"title": "x"}}).is_error


@BOTH
def test_an_idempotency_key_has_one_effect(fresh: Served, mode: Mode) -> None:
    async def twice(client: Client) -> list[types.CallToolResult]:
        meta: Any = {"idempotency_key": "k1"}
        first, second = [
            await client.call_tool("issues_create", {"title": "Door"}, meta=meta) for _ in range(2)
        ]
        other = await client.call_tool("issues_create", {"title": "Gate"}, meta=meta)
        bad: Any = {"idempotency_key": 7}
        wrong = await client.call_tool("issues_create", {"title": "Gate"}, meta=bad)
        return [first, second, other, wrong]

    first, second, other, wrong = fresh.talk(twice, mode=mode)
    assert first.structured_content == second.structured_content
    assert second.meta["idempotent-replayed"] is True
    assert "idempotent-replayed" not in first.meta
    assert _problem(other)["type"] == "/problems/idempotency-mismatch"
    assert _problem(wrong)["type"] == "/problems/invalid-input"
    assert json.loads(fresh.rest("issues.list", b"{}")) == ["I-1"]


@BOTH
@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("make a bug", "issues_create"),
        ("who am I", "auth_me"),
        ("change status", "issues_transition"),
        ("remove a ticket", "issues_delete"),
        ("several operations at once", "api_batch"),
    ],
)
def test_tools_are_found_by_what_one_wants_to_do(served: Served, words: str, best: str, mode: Mode) -> None:
    found = served.talk(lambda c: c.call_tool("tools_search", {"query": words, "limit": 3}), mode=mode)
    tools = found.structured_content["tools"]
    assert tools[0]["name"] == best
    assert set(tools[0]) == {"name", "summary", "class", "input_schema"}
    assert len(tools) <= 3


def test_the_search_finds_only_what_the_caller_may_call(served: Served) -> None:
    def names(words: str, **more: Any) -> list[str]:
        found = served.talk(lambda c: c.call_tool("tools_search", {"query": words}), **more)
        return [tool["name"] for tool in found.structured_content["tools"]]

    assert "issues_create" not in names("create issue", token=READER)
    assert "issues_create" in names("create issue", query="?modules=auth")
    assert "auth_login" not in names("sign in")
    assert "auth_login" in names("sign in", query="?modules=auth")
    assert names("xyzzy") == []
    assert _problem(served.call("tools_search", {"query": ""}))["type"] == "/problems/invalid-input"


def test_the_first_three_are_told_with_their_schemas_and_the_others_by_a_line(served: Served) -> None:
    found = served.call("tools_search", {"query": "issue", "limit": 20}).structured_content
    assert found is not None
    whole, more = found["tools"][:3], found["tools"][3:]
    assert more
    assert all(set(tool) == {"name", "summary", "class", "input_schema"} for tool in whole)
    assert all(set(tool) == {"name", "summary"} for tool in more)
    assert "closed" not in found


def test_the_search_says_which_scope_is_missing_for_what_fits_best(served: Served) -> None:
    found = served.call("tools_search", {"query": "create an issue"}, token=READER).structured_content
    assert found is not None
    assert "issues_create" not in [tool["name"] for tool in found["tools"]]
    assert found["closed"] == {
        "name": "issues_create",
        "summary": "Create an issue in a project",
        "scopes": ["issues:write"],
        "detail": "issues_create fits best, and asks for the scope issues:write, which you do not hold.",
    }
    found = served.call("tools_search", {"query": "get an issue"}, token=READER).structured_content
    assert found is not None
    assert "closed" not in found


@BOTH
def test_an_issue_is_read_as_a_resource(fresh: Served, mode: Mode) -> None:
    async def read_it(client: Client) -> tuple[Any, Any, Any]:
        await client.call_tool("issues_create", {"title": "Door"})
        templates = await client.list_resource_templates()
        return templates, await client.list_resources(), await client.read_resource("kb://issue/I-1")

    templates, listed, got = fresh.talk(read_it, mode=mode)
    assert [template.uri_template for template in templates.resource_templates] == ["kb://issue/{+key}"]
    assert listed.resources == []
    (content,) = got.contents
    assert (content.mime_type, content.text) == ("text/markdown", "# Zoë's \u2028 door")
    for uri in ("kb://issue/I-404", "kb://issue/", "kb://page/1", "file:///etc/passwd"):
        assert fresh.error(partial(Client.read_resource, uri=uri), mode=mode).code == types.INVALID_PARAMS
    refused = fresh.error(lambda c: c.read_resource("kb://issue/I-1"), token=GUEST, mode=mode)
    assert refused.data["type"] == "/problems/insufficient-scope"
    assert fresh.talk(lambda c: c.list_resource_templates(), token=GUEST, mode=mode).resource_templates == []


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Basic a2I6a2I=", "Bearer kb_", "Bearer nonsense"]
    + [f"Bearer {prefix}{'x' * 43}" for prefix in ("kbo_", "kb_", "kbs_", "kbp_")],
)
def test_without_a_good_key_nothing_is_read(served: Served, authorization: str) -> None:
    answer = served.post(b"x" * 100, Authorization=authorization)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == METADATA
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/unauthenticated"


def test_a_cookie_opens_nothing(served: Served) -> None:
    answer = httpx2.post(served.url, content=b"{}", headers={"Cookie": f"kb={OWNER}"}, timeout=20)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://127.0.0.1.evil.example", "file://"]
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    answer = served.post(Origin=origin)
    assert answer.status_code == 403
    assert answer.json()["type"] == "/problems/not-allowed"


def test_the_own_origin_and_the_names_of_this_machine_are_welcome(served: Served) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    accept = "application/json, text/event-stream"
    for host in ("localhost:1234", "127.0.0.1", "[::1]:80"):
        assert served.post(ping, Host=host, Accept=accept).status_code == 200
        assert served.post(ping, Host=host, Accept=accept, Origin=f"http://{host}").status_code == 200
    assert served.post(ping, Accept=accept, Origin="http://127.0.0.1:1").status_code == 200


def test_all_but_post_is_refused(served: Served) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = httpx2.request(method, served.url, headers={"Authorization": f"Bearer {OWNER}"}, timeout=20)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_bodies_that_are_no_json_are_refused(served: Served) -> None:
    assert served.post(Content_Type="text/plain").status_code == 415
    assert served.post(Content_Type="application/json; charset=utf-16").status_code == 415
    assert served.post(Content_Encoding="gzip").status_code == 415
    accept = "application/json, text/event-stream"
    for body in (b"", b"{", b"[]", b"\xff", b"[" * 100_000):
        for version in ("2025-11-25", "2026-07-28"):
            answer = served.post(body, Accept=accept, MCP_Protocol_Version=version)
            assert answer.status_code == 400, (body[:9], version)


def test_a_number_without_end_is_refused_on_the_short_road_too(served: Served) -> None:
    asked = {"name": "issues_list", "arguments": {"limit": 10**400}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    told = served.post(json.dumps(call).encode(), Accept="application/json").json()["result"]
    assert (told["isError"], "a number that is too large" in told["content"][0]["text"]) == (True, True)


def test_a_body_that_is_too_large_is_refused(served: Served) -> None:
    answer = served.post(b" " * (16 * 1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")


@pytest.mark.parametrize(
    "title",
    ['"\\ud800"', "NaN", "1e999", "9" * 400, "[" * 300 + "]" * 300, "[" * 900 + "]" * 900],
)
def test_arguments_that_no_body_may_hold_are_refused(served: Served, title: str) -> None:
    meta = (
        '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        '"io.modelcontextprotocol/clientCapabilities":{}}'
    )
    body = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        f'{{"name":"issues_create","arguments":{{"title":{title}}},{meta}}}}}'
    )
    answer = served.post(
        body.encode(),
        Accept="application/json",
        MCP_Protocol_Version="2026-07-28",
        Mcp_Method="tools/call",
        Mcp_Name="issues_create",
    )
    found = answer.json()
    assert answer.status_code == 200, found
    text = found["result"]["content"][0]["text"]
    assert json.loads(text)["type"] in ("/problems/invalid-json", "/problems/invalid-input")


def test_sixteen_clients_at_once_each_get_their_own_answer(served: Served) -> None:
    async def run() -> list[str]:
        async def one(token: str, mode: Mode) -> str:
            async with served.client(token, mode) as client:
                result = await client.call_tool("auth_me", {})
                return str((result.structured_content or {}).get("member", "refused"))

        async with asyncio.timeout(60):
            pairs: list[tuple[str, Mode]] = [
                (OWNER, "auto"),
                (READER, "legacy"),
                (GUEST, "auto"),
                (OWNER, "legacy"),
            ]
            return await asyncio.gather(*(one(*pair) for pair in pairs * 4))

    assert asyncio.run(run()) == ["owner", "refused", "guest", "owner"] * 4


def test_a_revoked_key_ends_at_once(fresh: Served) -> None:
    assert fresh.names(token=READER)

    def revoke(tx: Write) -> None:
        tx.update("key", "k_member", revoked_at=1)

    fresh.database.attach(fresh.server.servers[0].get_loop())
    fresh.database.write_now(revoke)
    assert fresh.post(Authorization=f"Bearer {READER}").status_code == 401


def test_the_door_is_there_before_the_package_is_imported() -> None:
    code = "import sys, kbwork.api.mcp.endpoint; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=20, check=False).returncode == 0


def test_a_door_that_nobody_used_closes_at_once(tmp_path: Path) -> None:
    async def run(database: Database) -> None:
        registry = Registry([], [], [], [])
        database.know(registry, frozenset(), {})
        dispatcher = Dispatcher(registry, database, Limits(Rates()), SystemClock())
        door = McpDoor(Site(dispatcher, "http://x", lambda *_: None, Bodies(0)))
        async with asyncio.timeout(5):
            await door.start()
            await door.stop()

    database = Database(tmp_path / "data", SystemClock())
    try:
        asyncio.run(run(database))
    finally:
        database.close()
