"""Clients that somebody connected by OAuth, with some of the modules."""

import json
from collections.abc import Iterable
from typing import Any

from kbwork.base import ids
from kbwork.core.access import identify, scopes
from kbwork.core.operations.call import Credentials
from kbwork.db.tx import Write
from tests.conftest import World


def connected(tx: Write, member: str, modules: Iterable[str] | None) -> str:
    """The access token of a client that a member gave every scope, in these modules; None for all."""
    agent, token = f"client-{ids.short(8).lower()}", f"{identify.CONNECTED}{ids.short(40)}"
    given = json.dumps(sorted(scopes.ADMIN))
    tx.insert("agent", name=agent, label="Client", owner=member, created_at=tx.now)
    grant = tx.insert(
        "oauth_grant",
        member=member,
        client=agent,
        client_name=agent,
        agent=agent,
        scopes=given,
        modules=json.dumps(sorted(modules)) if modules is not None else None,
        created_at=tx.now,
    )
    tx.insert(
        "oauth_token",
        digest=ids.digest(token),
        grant_id=grant,
        kind="access",
        scopes=given,
        made_at=tx.now,
        expires_at=tx.now + 3600,
    )
    return token


class ConnectedClient:
    """A client that asks as the MCP door does."""

    def __init__(self, world: World, handle: str, modules: Iterable[str] | None) -> None:
        member = world.people[handle].id
        self._world = world
        self.token = world.database.write_now(lambda tx: connected(tx, member, modules))

    def call(self, op: str, /, **value: Any) -> Any:
        """The answer. Raises the Problem that refuses it."""
        return self._world.on_loop(self.ask(op, value))

    async def ask(self, op: str, value: dict[str, Any]) -> Any:
        """The same, on the loop of the world."""
        assert self._world.app is not None
        dispatcher = self._world.app.dispatcher
        call = dispatcher.admit(op, Credentials(self.token, "127.0.0.1", mcp=True))
        return json.loads((await dispatcher.run(call, json.dumps(value).encode())).body)
