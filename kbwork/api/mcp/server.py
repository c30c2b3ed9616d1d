"""What the MCP door answers: tools, resources and prompts. Importing this imports the package `mcp`."""

import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Any
from urllib.parse import unquote

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server as Protocol
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from pydantic import Field
from pydantic_core import from_json, to_json

import kbwork
from kbwork.api.http.endpoint import WRONG
from kbwork.api.http.response import Observe
from kbwork.api.mcp.prompts import Prompts, wire
from kbwork.api.mcp.request import VISIT, McpRequest, as_body
from kbwork.api.mcp.tools import SEARCH, Told, Tool, Tools, written
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import ConfirmNeeded, Internal, InvalidInput, Problem
from kbwork.base.model import Input, Name
from kbwork.base.text import did_you_mean
from kbwork.contract.operation_search import OperationIndex, OperationText
from kbwork.core.access.scopes import ADMIN
from kbwork.core.operations.call import AuthorizedCall
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.registry import Registry
from kbwork.core.operations.validate import validate

log = logging.getLogger("kbwork.mcp")
_SHOWN_CHARS = 300
_MANY_LISTS = 8
_WHOLE = 3
"""So many of the tools that a search finds are told with their schemas."""
_INSTRUCTIONS = (
    "Each tool is one operation, named module_verb. tools_search finds tools by what you want to do, also "
    "those that your list leaves out. Refusals are problem documents: `detail` says what to mend. A tool "
    "that deletes or takes something away wants `confirm: true`."
)
Context = ServerRequestContext[Any, Any]


class ToolsSearch(Input):
    query: Annotated[Name, Field(description="What you want to do, in a few words.")]
    limit: Annotated[int, Field(ge=1, le=20, description="How many tools to answer.")] = 8


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that can be read by address, through the first of these operations that exists."""

    kind: str
    field: str
    """The input that the address fills."""
    ops: tuple[str, ...]
    text: str


RESOURCES = (
    Resource(
        "issue", "key", ("issues.export_text", "issues.get"), "An issue by its key, as text for reading."
    ),
    Resource("page", "id", ("pages.get",), "A page by its id."),
    Resource("tql", "tql", ("tql.run",), "What a TQL query finds."),
)


@cache
def _catalogue(registry: Registry, told: Told) -> tuple[Tools, OperationIndex[Tool], dict[str, types.Tool]]:
    """The tools of a registry, to be looked up, found and listed: whatever data a server has, they are the same."""
    tools = Tools(registry, told())
    wire = {name: types.Tool.model_validate(tool.wire) for name, tool in tools.by_name.items()}
    return tools, OperationIndex({tool: _text_of(tool) for tool in tools.by_name.values()}), wire


def _text_of(tool: Tool) -> OperationText:
    op = tool.op
    return OperationText(
        op.id, op.summary, op.doc, " ".join(op.input.model_fields), op.words, op.cls == "read"
    )


class McpServer:
    """Serves the tools of one registry. It holds no sessions: each request stands alone."""

    def __init__(self, dispatcher: Dispatcher, observe: Observe, told: Told = written) -> None:
        logging.getLogger("mcp").setLevel(logging.WARNING)  # it tells of every request
        self._dispatcher = dispatcher
        self._observe = observe
        self._tools, self._index, self._wire = _catalogue(dispatcher.registry, told)
        self._search = _search_tool()
        self._prompts = Prompts(dispatcher)
        self._lists: dict[tuple[str, tuple[Tool, ...]], HandlerResult] = {}
        self._resources = {r.kind: r for r in RESOURCES if _reader(dispatcher, r) is not None}

    @asynccontextmanager
    async def manager(self, most_bytes: int) -> AsyncIterator[StreamableHTTPSessionManager]:
        """The HTTP side of the protocol, both eras on one address, for as long as the block lasts."""
        protocol: Protocol[Any] = Protocol(
            "kbwork",
            version=kbwork.__version__,
            instructions=_INSTRUCTIONS,
            get_tool_input_schema=self._schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=_no_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        protocol.middleware.append(self._kept_list)
        manager = StreamableHTTPSessionManager(
            protocol, json_response=True, stateless=True, max_request_body_size=most_bytes
        )
        async with manager.run():
            yield manager

    def _schema(self, name: str) -> Mapping[str, Any] | None:
        """Without it every call would list all tools to look one up."""
        wire = self._wire.get(name)
        return wire.input_schema if wire else None

    def _shown(self, visit: McpRequest, modules: frozenset[str] | None) -> tuple[Tool, ...]:
        off = self._dispatcher.modules_off()
        given = visit.caller.modules
        if given is not None:
            modules = given if modules is None else modules & given
        return self._tools.shown(visit.caller.scopes, modules, off)

    async def _kept_list(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Make each list for the wire once: a long one takes as long as fifty calls."""
        if ctx.method != "tools/list":
            return await call_next(ctx)
        visit = _visit(ctx)
        place = (ctx.protocol_version, self._shown(visit, visit.modules))
        found = self._lists.get(place)
        if found is None:
            found = await call_next(ctx)
            if len(self._lists) >= _MANY_LISTS:
                self._lists.clear()
            self._lists[place] = found
        return found

    async def _list_tools(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        visit = _visit(ctx)
        shown = [self._wire[tool.name] for tool in self._shown(visit, visit.modules)]
        return types.ListToolsResult(tools=[*shown, self._search])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        visit = _visit(ctx)
        arguments = params.arguments or {}
        if params.name == SEARCH:
            return self._answer_search(visit, arguments)
        tool = self._tools.by_name.get(params.name)
        if tool is None:
            hint = did_you_mean(params.name, [*self._tools.by_name, SEARCH])
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.{hint}")
        began = monotonic()
        status = 200
        try:
            return await self._run(tool, visit, arguments, ctx)
        except Problem as problem:
            status = problem.status
            return _refused(problem, visit)
        except Exception as error:  # the rim: whatever is no Problem is ours, and is told without its inside
            log.exception("request %s failed", visit.credentials.request, exc_info=error)
            status = Internal.status
            return _refused(Internal(WRONG), visit)
        finally:
            self._observe("mcp", tool.op.cls, status, monotonic() - began)

    async def _run(
        self, tool: Tool, visit: McpRequest, arguments: dict[str, Any], ctx: Context
    ) -> types.CallToolResult:
        """Run the operation on the path of every door; the text of the answer is what REST sends."""
        admitted = self._dispatcher.admit(tool.op.id, visit.credentials)
        confirmed = False
        if tool.confirms:
            arguments = dict(arguments)
            confirmed = arguments.pop("confirm", None) is True
        if not confirmed and (gone := await self._taken_away(tool, admitted, arguments)):
            raise ConfirmNeeded(_what_would_go([op.summary for op in gone], arguments))
        key = (ctx.meta or {}).get("idempotency_key")
        if key is not None and not isinstance(key, str):
            raise InvalidInput("should be a string", field="_meta.idempotency_key")
        reply = await self._dispatcher.run(admitted, as_body(arguments), key=key)
        about: dict[str, Any] = {"x-kb-seq": reply.seq}
        if reply.replayed:
            about["idempotent-replayed"] = True
        return _result(reply.body, about)

    async def _taken_away(
        self, tool: Tool, admitted: AuthorizedCall, arguments: dict[str, Any]
    ) -> list[Operation]:
        """The operations by which this call takes something away, those among them that it carries unnamed."""
        carried = await self._dispatcher.carried(admitted, arguments) if tool.op.carries is not None else []
        return self._tools.takes_away(tool, arguments, carried)

    def _answer_search(self, visit: McpRequest, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            args = validate(ToolsSearch, arguments)
        except Problem as problem:
            return _refused(problem, visit)
        assert isinstance(args, ToolsSearch)
        mine = frozenset(self._shown(visit, None)) | frozenset(self._shown(visit, visit.modules))
        found = self._index.find(args.query, mine, args.limit)
        answer: dict[str, Any] = {"tools": [_told(tool, whole=at < _WHOLE) for at, tool in enumerate(found)]}
        best = self._index.find(args.query, mine | self._closed(visit), 1)
        if best and best[0] not in mine:
            answer["closed"] = _closed(best[0])
        return _result(to_json(answer), None)

    def _closed(self, visit: McpRequest) -> frozenset[Tool]:
        """What a caller with every scope would be shown where this one may call."""
        off, given = self._dispatcher.modules_off(), visit.caller.modules
        return frozenset(self._tools.shown(ADMIN, given, off))

    async def _list_templates(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        shown = {tool.op.id for tool in self._shown(_visit(ctx), None)}
        found = [
            types.ResourceTemplate(
                name=kind, uri_template=f"kb://{kind}/{{+{resource.field}}}", description=resource.text
            )
            for kind, resource in self._resources.items()
            if _reader(self._dispatcher, resource) in shown
        ]
        return types.ListResourceTemplatesResult(resource_templates=found)

    async def _read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        kind, _, rest = uri.removeprefix("kb://").partition("/")
        resource = self._resources.get(kind) if uri.startswith("kb://") else None
        op_id = _reader(self._dispatcher, resource) if resource else None
        if resource is None or op_id is None or not rest:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri!r}.")
        visit = _visit(ctx)
        try:
            admitted = self._dispatcher.admit(op_id, visit.credentials)
            reply = await self._dispatcher.run(admitted, as_body({resource.field: unquote(rest)}))
        except Problem as problem:
            document = problem.document(visit.credentials.request or "")
            raise MCPError(types.INVALID_PARAMS, problem.detail, document) from None
        return types.ReadResourceResult(contents=[_contents(uri, reply.body)])

    def _may(self, visit: McpRequest) -> frozenset[str]:
        """The operations that the caller is let into, whatever the list was narrowed to."""
        shown = self._shown(visit, None)
        return frozenset(tool.op.id for tool in shown if visit.caller.holds(tool.op.module))

    async def _list_prompts(
        self, ctx: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        visit = _visit(ctx)
        known = await self._prompts.known(visit, self._may(visit))
        return types.ListPromptsResult(prompts=[wire(one) for one in known])

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        visit = _visit(ctx)
        return await self._prompts.filled(visit, self._may(visit), params.name, params.arguments or {})

    async def _complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        if not isinstance(params.ref, types.PromptReference):
            return types.CompleteResult(completion=types.Completion(values=[]))
        visit = _visit(ctx)
        return types.CompleteResult(
            completion=await self._prompts.completed(visit, self._may(visit), params.argument)
        )


def _visit(ctx: Context) -> McpRequest:
    visit = ctx.request.scope[VISIT] if ctx.request is not None else None
    assert isinstance(visit, McpRequest), "a request came past the door"
    return visit


async def _no_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    """Resources are read by address; there are too many to list."""
    return types.ListResourcesResult(resources=[])


def _reader(dispatcher: Dispatcher, resource: Resource) -> str | None:
    return next((op_id for op_id in resource.ops if op_id in dispatcher.registry.operations), None)


def _told(tool: Tool, *, whole: bool) -> dict[str, Any]:
    about: dict[str, Any] = {"name": tool.name, "summary": tool.op.summary}
    return about | {"class": tool.op.cls, "input_schema": tool.schema} if whole else about


def _closed(tool: Tool) -> dict[str, Any]:
    """What would fit best and asks for more than the caller holds."""
    scopes = list(tool.op.scopes)
    detail = f"{tool.name} fits best, and asks for the scope {' or '.join(scopes)}, which you do not hold."
    return {"name": tool.name, "summary": tool.op.summary, "scopes": scopes, "detail": detail}


def _search_tool() -> types.Tool:
    return types.Tool(
        name=SEARCH,
        description="Find tools by what you want to do. Answers their names, and input schemas of the first 3.",
        input_schema=ToolsSearch.model_json_schema(),
        annotations=types.ToolAnnotations(title="Find tools", read_only_hint=True, open_world_hint=False),
    )


def _result(body: bytes, about: dict[str, Any] | None) -> types.CallToolResult:
    value = from_json(body)
    if isinstance(value, list):
        value = {"result": value}
    return types.CallToolResult(
        content=[types.TextContent(text=body.decode())],
        structured_content=value if isinstance(value, dict) else None,
        _meta=about,
    )


def _refused(problem: Problem, visit: McpRequest) -> types.CallToolResult:
    if problem.internal:
        log.error("request %s: %s", visit.credentials.request, problem.internal)
    text = to_json(problem.document(visit.credentials.request or "")).decode()
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _what_would_go(summaries: list[str], arguments: Mapping[str, Any]) -> str:
    what = "; ".join(dict.fromkeys(summaries))
    given = " ".join(json.dumps(arguments, ensure_ascii=False).split())
    if len(given) > _SHOWN_CHARS:
        given = given[:_SHOWN_CHARS] + "..."
    return f"This would do: {what} - with {given}. Call again with confirm: true to do it."


def _contents(uri: str, body: bytes) -> types.TextResourceContents:
    value = from_json(body)
    text = value.get("text") if isinstance(value, dict) else None
    if isinstance(text, str):
        return types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
    return types.TextResourceContents(uri=uri, mime_type="application/json", text=body.decode())
