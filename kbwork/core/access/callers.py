"""Writing the tables of callers: members, sessions, keys and grants are made and ended here, whoever asks."""

import ipaddress
import json
import re
import unicodedata
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import InvalidInput
from kbwork.core import org_settings
from kbwork.db.tx import Read, Write

IDLE_S = 14 * 86400
ELEVATED_S = 600
RESERVED = frozenset(
    {"admins", "all", "anonymous", "channel", "everyone", "here", "me", "nobody", "none", "system"}
)
"""Handles that stand for something else where people are named."""
HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,38}\Z")


def add_member(tx: Write, *, name: str, email: str | None, role: str, guest_until: int | None = None) -> str:
    """Make an active member; answers the id. The handle is made from the name."""
    member = ids.member_id()
    tx.insert(
        "member",
        id=member,
        name=name,
        handle=free_handle(tx, name),
        email=email,
        role=role,
        state="active",
        guest_until=guest_until,
        created_at=tx.now,
    )
    return member


def free_handle(tx: Read, name: str) -> str:
    """A handle made from a name that no member, team or agent has."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9._-]+", ".", plain).strip("._-")[:32] or "member"
    handle, number = base, 1
    while handle_taken(tx, handle):
        number += 1
        handle = f"{base}{number}"
    return handle


def handle_taken(tx: Read, handle: str, *, but: str = "") -> bool:
    """Handles are unique without case over members, teams and agents. `but` is an identity that may have it."""
    if handle.lower() in RESERVED:
        return True
    found = tx.value(
        "select 1 from member where lower(handle) = lower(:handle) and id <> :but"
        " union all select 1 from team where lower(handle) = lower(:handle) and 'team:' || id <> :but"
        " union all select 1 from agent where name = lower(:handle) and 'agent:' || name <> :but limit 1",
        handle=handle,
        but=but,
    )
    return found is not None


def add_session(tx: Write, member: str, *, kind: str, client: str, lives_s: int | None = None) -> str:
    """Open an elevated session; answers its token, which is stored as a hash only.

    It lives as long as the sign-in policy says, or `lives_s` seconds where that is shorter.
    """
    token = ids.token("kbs_")
    policy_s = int(org_settings.get(tx, "auth.session_days")) * 86400
    lives_s = policy_s if lives_s is None else min(lives_s, policy_s)
    tx.insert(
        "session",
        id="s_" + ids.short(),
        digest=ids.digest(token),
        member=member,
        kind=kind,
        client=client[:200],
        address=tx.caller.address,
        elevated_until=tx.now + ELEVATED_S,
        created_at=tx.now,
        last_seen_at=tx.now,
        idle_until=tx.now + IDLE_S,
        expires_at=tx.now + lives_s,
    )
    return token


def end_sessions(tx: Write, member: str, *, but: str | None = None) -> int:
    """End a member's sessions, all or all but one; answers how many."""
    gone = tx.column(
        "select id from session where member = :member and id is not :but", member=member, but=but
    )
    for session in gone:
        tx.delete("session", session)
    return len(gone)


def end_grants(tx: Write, member: str) -> None:
    """End what clients that a member connected by OAuth may do; their tokens are refused from now on."""
    for grant in tx.column(
        "select id from oauth_grant where member = :member and revoked_at is null", member=member
    ):
        tx.update("oauth_grant", grant, revoked_at=tx.now)


def end_keys(tx: Write, owner: str) -> None:
    """Revoke the keys of a member."""
    for key in tx.column("select id from key where owner = :owner and revoked_at is null", owner=owner):
        tx.update("key", key, revoked_at=tx.now, old_digest=None, old_until=None)


def add_key(tx: Write, owner: str, columns: dict[str, Any]) -> tuple[str, str]:
    """Make a key (`name`, `kind`, `scopes` and what else `key` has); answers (id, secret)."""
    secret = ids.token("kb_")
    key = "k_" + ids.short()
    tx.insert(
        "key",
        id=key,
        digest=ids.digest(secret),
        owner=owner,
        last4=secret[-4:],
        created_at=tx.now,
        **{
            "kind": "personal",
            "projects": "[]",
            "networks": "[]",
            **columns,
            "scopes": json.dumps(columns["scopes"]),
        },
    )
    return key, secret


def networks(asked: list[str], field: str) -> list[str]:
    """Networks as `203.0.113.0/24`, once each, in the order given; a single address is a network of its own.

    Raises InvalidInput naming the first that is none.
    """
    found = []
    for text in asked:
        try:
            found.append(str(ipaddress.ip_network(text.strip(), strict=False)))
        except ValueError:
            raise InvalidInput(
                f"{text!r} is no network; write it as 203.0.113.0/24 or 2001:db8::/32.", field=field
            ) from None
    return list(dict.fromkeys(found))
