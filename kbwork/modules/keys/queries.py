"""Keys as rows, as answers, and their end."""

import json
from typing import Any, Literal

from kbwork.core.access import visibility
from kbwork.core.access.last_seen import month_of
from kbwork.db.rows import KeyRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.keys.model import ApiKey, KeyRevoked
from kbwork.modules.projects import access


def state(row: KeyRow, now: int) -> Literal["active", "rotating", "expired", "revoked"]:
    """Where a key stands. One that ran out was ended at or after its time, a revoked one before."""
    expires_at = row["expires_at"]
    if row["revoked_at"] is not None and (expires_at is None or row["revoked_at"] < expires_at):
        return "revoked"
    if expires_at is not None and expires_at <= now:
        return "expired"
    return "rotating" if row["old_digest"] is not None and (row["old_until"] or 0) > now else "active"


class UsedKeyRow(KeyRow):
    """A key with its calls of this month."""

    calls: int


def shown(tx: Read, where: str, **binds: Any) -> list[ApiKey]:
    """Keys (`key k`) that a condition picks, newest first."""
    rows = tx.all(
        "select k.*, coalesce(c.calls, 0) as calls from key k"
        " left join key_calls c on c.key = k.id and c.month = :kb_month"
        f" where {where} order by k.created_at desc, k.id desc",
        UsedKeyRow,
        kb_month=month_of(tx.now),
        **binds,
    )
    named = _projects(tx, rows)
    return [_shown(tx, row, named) for row in rows]


def revoke(tx: Write, row: KeyRow, payload: dict[str, Any]) -> None:
    """End a key, the secret before its last one too. `payload` says why, where it was not somebody's wish."""
    tx.update("key", row["id"], revoked_at=tx.now, old_digest=None, old_until=None)
    tx.emit(KeyRevoked(subject=f"key:{row['id']}", payload={"name": row["name"], **payload}))


def _projects(tx: Read, rows: list[UsedKeyRow]) -> dict[int, str]:
    """The keys of the projects that the caller sees, by their internal ids."""
    ids = {project for row in rows for project in json.loads(row["projects"])}
    if not ids:
        return {}
    found = tx.all(
        "select p.id, p.key from project p where p.id in (select value from json_each(:ids))"
        f" and (({access.SEEN}) or p.id in (select value from json_each(:kb_named)))",
        ids=json_array(ids),
        **visibility.binds(tx),
    )
    return {row["id"]: row["key"] for row in found}


def _shown(tx: Read, row: UsedKeyRow, named: dict[int, str]) -> ApiKey:
    return ApiKey(
        id=row["id"],
        name=row["name"],
        kind=row["kind"],
        agent=row["agent"],
        owner=row["owner"],
        last4=row["last4"],
        scopes=json.loads(row["scopes"]),
        # a project that is gone stays in the list: without it the key would look as if it opened everything
        projects=[named.get(project, "(gone)") for project in json.loads(row["projects"])],
        networks=json.loads(row["networks"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
        last_address=row["last_address"],
        calls_month=row["calls"],
        state=state(row, tx.now),
    )
