"""What a small task costs an agent over MCP, in bytes: find a tool, find an issue, read it, comment, move it.

python -m tests.bench agent

The client is the official one. Bytes are those of HTTP bodies; `read` is the text in the answers, which is what a model
gets to see of them.
"""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill

NARROW = "?modules=issues,comments"
LEAST = "?modules=api"
"""What carries most of the work, and `tools_search`, which finds the rest."""
_LIMIT_S = 60
_ISSUES, _COMMENTS = 60, 8
_COUNTED = ("calls", "sent", "received", "read")
_BODY = "The export stops after the first page.\n\n1. Open the report\n2. Choose **Export**\n3. Count the rows\n\n"


@dataclass
class Row:
    """One step: how often something was sent, and how many bytes went and came."""

    name: str
    calls: int = 0
    sent: int = 0
    received: int = 0
    read: int = 0

    def __str__(self) -> str:
        return f"{self.name:46} {self.calls:5} {self.sent:9,} {self.received:9,} {self.read:9,}"


class Meter(httpx2.AsyncBaseTransport):
    """Counts the bodies that go through into the row of the step at hand."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport()
        self.rows: list[Row] = []
        self._row = Row("")

    @contextmanager
    def step(self, name: str) -> Iterator[Row]:
        """What is sent inside belongs to this step."""
        self._row = Row(name)
        self.rows.append(self._row)
        yield self._row

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._inner.handle_async_request(request)
        body = await answer.aread()
        self._row.calls += 1
        self._row.sent += len(request.content)
        self._row.received += len(body)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=body)

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def connected(url: str, key: str, meter: Meter) -> AsyncIterator[Client]:
    """A client that was let in; connecting counts for the step at hand."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(transport=meter, headers=headers, timeout=_LIMIT_S) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def _list(client: Client, row: Row) -> int:
    """Lists the tools; answers how many there are. All of it is read."""
    tools = (await client.list_tools()).tools
    row.read = sum(len(tool.model_dump_json(exclude_none=True, by_alias=True).encode()) for tool in tools)
    return len(tools)


async def _call(client: Client, row: Row, name: str, **arguments: Any) -> Any:
    answer = await client.call_tool(name, arguments)
    text = "".join(part.text for part in answer.content if isinstance(part, types.TextContent))
    assert not answer.is_error, text
    row.read += len(text.encode())
    return json.loads(text)


async def task(url: str, key: str) -> list[Row]:
    """The steps of the task, as an agent takes them that knows no tool beforehand."""
    meter = Meter()
    async with AsyncExitStack() as open_:
        with meter.step("connect"):
            client = await open_.enter_async_context(connected(url, key, meter))
        with meter.step("list the tools") as row:
            await _list(client, row)
        with meter.step("tools_search: how to move an issue") as row:
            found = await _call(client, row, "tools_search", query="move an issue to another lane", limit=3)
        names = [tool["name"] for tool in found["tools"]]
        assert "issues_transition" in names, names
        with meter.step("search_query: find the issue") as row:
            hits = await _call(client, row, "search_query", q="export stops first page", limit=5)
        ref = next(hit["subject"] for hit in hits["items"] if hit["subject"].startswith("issue:"))
        with meter.step("issues_export_text: read its brief") as row:
            await _call(client, row, "issues_export_text", key=ref, **{"with": ["comments", "relations"]})
        with meter.step("comments_create: say something") as row:
            await _call(client, row, "comments_create", subject=ref, body="I look into this now.")
        with meter.step("issues_transition: move it") as row:
            await _call(client, row, "issues_transition", key=ref, to_status="in_progress")
    return meter.rows


async def listing(url: str, key: str) -> Row:
    """What it costs to list the tools there."""
    meter = Meter()
    async with connected(url, key, meter) as client:
        with meter.step("") as row:
            row.name = f"{await _list(client, row)} tools"
    return row


def fill(url: str, key: str) -> None:
    """A project with some issues, the first of which people have talked about."""
    with Kbwork(url, key) as client:
        client.projects.create(key="SHOP", name="Shop")
        for number in range(_ISSUES):
            title = "Export stops after the first page" if number == 0 else f"Something else, number {number}"
            client.issues.create(project="SHOP", title=title, body=_BODY, priority="high", labels=[])
        for number in range(_COMMENTS):
            client.comments.create(
                subject="issue:SHOP-1", body=f"Seen again by customer {number}, with 400 rows."
            )


async def _all(url: str, key: str) -> tuple[list[Row], list[Row]]:
    """The task's rows with their sum, and a row for each way to list."""
    steps = await task(url + NARROW, key)
    steps.append(Row("in all", *(sum(getattr(row, name) for row in steps) for name in _COUNTED)))
    listed = []
    for query in ("", NARROW, LEAST):
        row = await listing(url + query, key)
        row.name = f"/mcp{query}: {row.name}"
        listed.append(row)
    return steps, listed


def main(_: list[str]) -> None:
    """Prints a table of the task, one of the lists, and a line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        key = kill.init(data)
        server = kill.serve(data, key)
        try:
            fill(server.url, key)
            steps, listed = asyncio.run(asyncio.wait_for(_all(f"{server.url}/mcp", key), _LIMIT_S))
        finally:
            server.kill()
    print(f"{f'the task at /mcp{NARROW}':46} {'calls':>5} {'sent':>9} {'received':>9} {'read':>9}")
    print("\n".join(str(row) for row in steps))
    print("\n".join(("", "listing tools", *(str(row) for row in listed))))
    print(
        json.dumps({row.name: {name: getattr(row, name) for name in _COUNTED} for row in (*steps, *listed)})
    )
