"""Invites as rows, and how one ends."""

import json

from kbwork.base import ids
from kbwork.base.errors import NotFound
from kbwork.core.access import visibility
from kbwork.core.ports import mail
from kbwork.db.rows import InviteRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.invites import rights
from kbwork.modules.invites.model import Invite, InviteRevoked, address_hash
from kbwork.modules.projects import access

ENDED = "This invite is used, revoked, expired or mistyped: ask for a new one."


def by_token(tx: Read, token: str) -> InviteRow:
    """The pending invite of a token, if its maker may give it still. Raises NotFound, the same for every other one."""
    row = tx.one(
        "select * from invite where digest = :digest and state = 'pending' and expires_at > :now",
        InviteRow,
        digest=ids.digest(token),
        now=tx.now,
    )
    if row is None or not rights.holds(tx, row):
        raise NotFound(ENDED)
    return row


def own(tx: Read, invite: int) -> InviteRow:
    """The invite, for admins and for who made it. Raises NotFound."""
    row = tx.one("select * from invite where id = :id", InviteRow, id=invite)
    if row is None or not (tx.caller.admin or row["invited_by"] == tx.caller.member):
        raise NotFound(f"There is no invite {invite} that you can see; invites.list shows them.")
    return row


def listed(tx: Read, state: str) -> list[Invite]:
    """The invites in this state that the caller may see, newest first."""
    return shown(
        tx,
        tx.all(
            "select * from invite where state = :state and (:admin or invited_by = :me)"
            " order by created_at desc, id desc",
            InviteRow,
            state=state,
            admin=int(tx.caller.admin),
            me=tx.caller.me(),
        ),
    )


def shown(tx: Read, rows: list[InviteRow], paths: dict[int, str] | None = None) -> list[Invite]:
    """Invites as answered; projects by their present key, those that the caller does not see left out."""
    origin = mail.origin(tx)
    keys = {
        row["id"]: row["key"]
        for row in tx.all(
            f"select p.id, p.key from project p where {access.SEEN}"
            " or p.deleted_at is null and p.id in (select value from json_each(:kb_named))",
            **visibility.binds(tx),
        )
    }
    return [
        Invite(
            id=row["id"],
            email=row["email"],
            role=row["role"],
            teams=json.loads(row["teams"]),
            projects=[keys[project] for project in json.loads(row["projects"]) if project in keys],
            state=row["state"],
            invited_by=row["invited_by"],
            created_at=row["created_at"],
            expires_at=row["expires_at"],
            accepted_by=row["accepted_by"],
            path=(path := (paths or {}).get(row["id"])),
            url=origin + path if origin and path else None,
        )
        for row in rows
    ]


def end(tx: Write, row: InviteRow, state: str, payload: dict[str, str]) -> None:
    """Revoke an invite or let it expire: its token opens nothing any more, the invited member goes."""
    tx.update("invite", row["id"], state=state, digest=None)
    members.uninvite(tx, row["email"])
    told = {"email": address_hash(row["email"]), "role": row["role"]}
    tx.emit(InviteRevoked(subject="org:1", payload=told | payload))
