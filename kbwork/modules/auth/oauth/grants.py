"""Grants: the clients that somebody connected by OAuth, each an agent of theirs."""

import json
import re
import unicodedata

from kbwork.base.errors import NotFound
from kbwork.base.model import Empty, Id, Input
from kbwork.core.access import callers
from kbwork.core.operations.declare import destructive, read
from kbwork.core.ports.oauth import OAuthClient
from kbwork.db.rows import OauthCodeRow, OauthGrantRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth.model import NOT_UNDONE, AppGrant, AuthGrantRevoked

_AGENT_CHARS = 32


@read(
    "auth.grants",
    scope="auth:read",
    words=(
        "connected apps, which programs have access, oauth clients, integrations, authorized applications"
    ),
    cached=False,
    example={},
)
def grants(tx: Read, args: Empty) -> list[AppGrant]:
    """List the clients that you connected by OAuth, MCP clients included, newest first.

    `scopes` is what you gave; a client never does more than your role holds now. `last_used_at` may lag by a minute.
    """
    return _shown(tx, tx.caller.me())


class AuthGrantRevoke(Input):
    id: Id
    """Id of the grant, from `auth.grants`."""


@destructive(
    "auth.grant_revoke",
    scope="auth:write",
    words=("disconnect an app, remove a connected program, revoke oauth access, cut off an integration"),
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthGrantRevoked],
    example={"id": 1},
)
def grant_revoke(tx: Write, args: AuthGrantRevoke) -> list[AppGrant]:
    """End what a connected client may do: its next call is 401. Answers the clients that are left.

    A client that is not yours, or was ended already, is 404.
    """
    row = _living(tx, args.id)
    if row is None or row["member"] != tx.caller.member:
        raise NotFound(f"You have no connected client {args.id}; auth.grants shows yours.")
    end(tx, args.id, None)
    return _shown(tx, tx.caller.me())


def begin(tx: Write, client: OAuthClient, consent: OauthCodeRow) -> int:
    """Make the grant of a consent (`member`, `scopes`, `modules`); what the client had from them before ends."""
    member = consent["member"]
    before = tx.column(
        "select id from oauth_grant where member = :member and client = :client and revoked_at is null",
        member=member,
        client=client.id,
    )
    for grant in before:
        end(tx, grant, "connected anew")
    return tx.insert(
        "oauth_grant",
        member=member,
        client=client.id,
        client_name=client.name,
        agent=_agent(tx, member, client.name),
        scopes=consent["scopes"],
        modules=consent["modules"],
        created_at=tx.now,
    )


def end(tx: Write, grant: int, reason: str | None) -> None:
    """End a grant and its tokens; one that ended already stays as it is. `reason` where it was not somebody's wish."""
    row = _living(tx, grant)
    if row is None:
        return
    tx.update("oauth_grant", grant, revoked_at=tx.now)
    tx.execute("delete from oauth_token where grant_id = :grant", grant=grant)
    payload = {"client": row["client_name"], **({"reason": reason} if reason else {})}
    tx.emit(AuthGrantRevoked(subject=f"member:{row['member']}", payload=payload))


def _living(tx: Read, grant: int) -> OauthGrantRow | None:
    return tx.one("select * from oauth_grant where id = :id and revoked_at is null", OauthGrantRow, id=grant)


def _shown(tx: Read, member: str) -> list[AppGrant]:
    rows = tx.all(
        "select * from oauth_grant where member = :member and revoked_at is null order by id desc",
        OauthGrantRow,
        member=member,
    )
    return [
        AppGrant(
            id=row["id"],
            client=row["client_name"],
            scopes=json.loads(row["scopes"]),
            created_at=row["created_at"],
            last_used_at=row["last_used_at"],
        )
        for row in rows
    ]


def _agent(tx: Write, member: str, client: str) -> str:
    """The agent of this member that clients of this name are; a new one where there is none."""
    known = tx.value(
        "select a.name from oauth_grant g join agent a on a.name = g.agent and a.owner = g.member"
        " where g.member = :member and g.client_name = :client order by g.id desc limit 1",
        member=member,
        client=client,
    )
    if known is not None:
        return str(known)
    plain = unicodedata.normalize("NFKD", client).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_AGENT_CHARS].strip("-") or "client"
    name, number = base, 1
    while callers.handle_taken(tx, name):
        number += 1
        name = f"{base}-{number}"
    tx.insert("agent", name=name, label=client, owner=member, created_at=tx.now)
    return name
