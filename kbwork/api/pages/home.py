"""Who one is here, and how to connect: the first page where the app is not."""

import json
from typing import Any

from kbwork.api.pages.render import render
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect

_ONLY_FACTOR = frozenset({"auth:read", "auth:write"})


async def show_home(visit: PageRequest) -> PageResponse:
    """Who is signed in, what to do first, and each way to connect; else sign-in."""
    me = await visit.me_or_none()
    if me is None:
        return redirect("/signin")
    locked = set(me["scopes"]) <= _ONLY_FACTOR
    return render(
        visit,
        "home.html",
        locked=locked,
        keys=await _many(visit, me, "keys:read", "keys.list"),
        projects=await _many(visit, me, "projects:read", "projects.list"),
        mcp=_mcp(visit.address),
    )


async def _many(visit: PageRequest, me: dict[str, Any], scope: str, op_id: str) -> list[dict[str, Any]]:
    """What a list answers; nothing where one may not ask."""
    if scope not in me["scopes"]:
        return []
    found: list[dict[str, Any]] = await visit.call(op_id)
    return found


def _mcp(address: str) -> str:
    """The server as most MCP clients have it in their settings."""
    server = {
        "type": "http",
        "url": f"{address}/mcp",
        "headers": {"Authorization": "Bearer YOUR_KEY"},
    }
    return json.dumps({"mcpServers": {"kbwork": server}}, indent=2)
