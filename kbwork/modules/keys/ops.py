"""List keys, make, change, rotate and revoke one."""

import json
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import Conflict, ElevationNeeded, InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Input, Int, Name, Text, When
from kbwork.core import named
from kbwork.core.access import callers, scopes
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import KeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules.keys import queries
from kbwork.modules.keys.model import (
    AgentName,
    ApiKey,
    KeyCreated,
    KeyRevoked,
    KeyRotated,
    KeyUpdated,
    KeyWithSecret,
)
from kbwork.modules.projects import access

_WHY = "a key is not taken back: revoke it"
ScopeNames = Annotated[list[Text], Field(min_length=1, max_length=200)]
ProjectKeys = Annotated[list[Text], Field(max_length=1000)]
Networks = Annotated[list[Text], Field(max_length=100)]


class KeysList(Input):
    all: bool | None = None
    """Everybody's; for admins."""


@read(
    "keys.list",
    scope="keys:read",
    words="my api keys, which tokens exist, tokens, last used, who has access by api",
    cached=False,
    example={},
)
def list_(tx: Read, args: KeysList) -> list[ApiKey]:
    """List your keys, newest first, those that ended too. Admins may list everybody's (others: 403)."""
    if args.all:
        if not _admin(tx):
            raise NotAllowed("Everybody's keys are listed by admins; leave `all` out for your own.")
        return queries.shown(tx, "1")
    return _own(tx, tx.caller.me())


class KeysCreate(Input):
    name: Name
    """What you call it."""
    kind: Literal["personal", "agent"] = "personal"
    """`personal` acts as you; `agent` acts as an agent of yours, under its own name."""
    agent: AgentName | None = None
    """Name of the agent, for kind `agent`; a new name makes one."""
    scopes: ScopeNames
    """What it may do: at most what your role holds."""
    projects: ProjectKeys | None = None
    """Keys of the projects it sees; left out or empty: all that you see."""
    expires_at: When | None = None
    """When it ends, in Unix seconds; left out: when it is revoked."""
    networks: Networks | None = None
    """Networks it may call from, such as `203.0.113.0/24`; left out or empty: everywhere."""


@write(
    "keys.create",
    scope="keys:write",
    words=(
        "new api token, personal access token, api key, credentials for a script, "
        "key for an agent, key for a bot, service account, ci, access for a program"
    ),
    elevated=True,
    undo=_WHY,
    emits=[KeyCreated],
    example={"name": "deploy script", "scopes": ["issues:read", "issues:write"]},
)
def create(tx: Write, args: KeysCreate) -> KeyWithSecret:
    """Make a key; its secret is in the answer and never shown again. Asks for an elevated session.

    Scopes beyond your role, `system` and `desk:*` are 422; a scope counts only while your role holds it. An agent
    key needs the name of an agent of yours; a new name makes one, a name that somebody or something else has is 409.
    Projects that you do not see are 404. Without `expires_at` it lives until it is revoked; a time in the past is 422.
    """
    caller = tx.caller
    columns: dict[str, Any] = {
        "name": args.name,
        "kind": args.kind,
        "agent": _agent(tx, args),
        "scopes": scopes.check(args.scopes, caller.role),
        "projects": _projects(tx, args.projects or []),
        "networks": _networks(args.networks or []),
        "expires_at": _expiry(tx, args.expires_at),
    }
    key, secret = callers.add_key(tx, caller.me(), columns)
    payload: dict[str, Any] = {"name": args.name, "scopes": columns["scopes"]}
    if columns["agent"] is not None:
        payload["agent"] = columns["agent"]
    tx.emit(KeyCreated(subject=f"key:{key}", payload=payload))
    return KeyWithSecret(**_one(tx, key), secret=secret)


class KeysUpdate(Input):
    id: Text
    """Id of the key."""
    name: Name | None = None
    """What you call it."""
    scopes: ScopeNames | None = None
    """What it may do, the whole list."""
    projects: ProjectKeys | None = None
    """An empty list lifts the limit."""
    expires_at: When | None = None
    """null: it lives until it is revoked."""
    networks: Networks | None = None
    """An empty list lifts the limit."""


@write(
    "keys.update",
    scope="keys:write",
    words=("change scopes of a key, extend a token, rename a key, limit a key to a project, expiry of a key"),
    elevated=True,
    undo=_WHY,
    emits=[KeyUpdated],
    example={"id": "k_0123456789abcdef", "name": "deploy script", "expires_at": None},
)
def update(tx: Write, args: KeysUpdate) -> ApiKey:
    """Change one of your keys; fields that are not named stay. It holds from the next call on.

    Asks for an elevated session. A key that ended is 409; the rest is refused as in `keys.create`.
    """
    row = _living(tx, args.id)
    wanted = args.filled(
        "name",
        scopes=lambda asked: json.dumps(scopes.check(asked, tx.caller.role)),
        projects=partial(_projects, tx),
        networks=_networks,
    )
    if args.given("expires_at"):
        wanted["expires_at"] = _expiry(tx, args.expires_at)
    before = _one(tx, args.id)
    if named.diff(row, wanted):
        tx.update("key", args.id, **wanted)
        tx.emit(KeyUpdated(subject=f"key:{args.id}", changes=named.changes(before, _one(tx, args.id))))
    return _one(tx, args.id)


class KeysRotate(Input):
    id: Text
    """Id of the key."""
    keep_hours: Annotated[Int, Field(ge=0, le=72)] | None = None
    """Hours that the present secret works on beside the new one; left out: none."""


@write(
    "keys.rotate",
    scope="keys:write",
    words=("new secret, renew the token, roll the key, replace a leaked secret, token expired, regenerate"),
    undo=_WHY,
    emits=[KeyRotated],
    example={"id": "k_0123456789abcdef", "keep_hours": 24},
)
def rotate(tx: Write, args: KeysRotate) -> KeyWithSecret:
    """Give a key a new secret, which is in the answer and never shown again.

    Asks for an elevated session; a key may rotate itself, by its present secret alone (403). A secret that still worked
    from an earlier rotation ends now. A key that ended is 409.
    """
    row = _living(tx, args.id)
    if tx.caller.key != args.id and tx.caller.elevated_until <= tx.now:
        raise ElevationNeeded(
            "Confirm that it is you: sign in again or call auth.elevate; a key can rotate itself only."
        )
    if tx.caller.leaving:
        raise NotAllowed(
            "This secret was rotated out and ends soon: the key is rotated by its present one, or by you, signed in."
        )
    secret = ids.token("kb_")
    keep_s = (args.keep_hours or 0) * 3600
    tx.update(
        "key",
        args.id,
        digest=ids.digest(secret),
        last4=secret[-4:],
        old_digest=row["digest"] if keep_s else None,
        old_until=tx.now + keep_s if keep_s else None,
    )
    payload = {"name": row["name"], "keep_hours": args.keep_hours or 0}
    tx.emit(KeyRotated(subject=f"key:{args.id}", payload=payload))
    return KeyWithSecret(**_one(tx, args.id), secret=secret)


class KeysRevoke(Input):
    id: Text
    """Id of the key."""


@destructive(
    "keys.revoke",
    scope="keys:write",
    words=(
        "revoke a token, delete an api key, token leaked, disable a key, invalidate, stop a bot, compromised"
    ),
    undo=_WHY,
    emits=[KeyRevoked],
    example={"id": "k_0123456789abcdef"},
)
def revoke(tx: Write, args: KeysRevoke) -> list[ApiKey]:
    """End a key; the next call with it is 401. Answers the keys of its owner.

    Your own keys, and for admins everybody's. A key may revoke itself; an agent's key no other (403). One that ended
    already stays as it is.
    """
    row = tx.one("select * from key where id = :id", KeyRow, id=args.id)
    if row is None or not (row["owner"] == tx.caller.member or _admin(tx)):
        raise _missing(args.id)
    if tx.caller.kind == "agent" and tx.caller.key != args.id:
        raise NotAllowed("An agent's key can revoke itself only.")
    if row["revoked_at"] is None:
        payload = {} if row["owner"] == tx.caller.member else {"owner": row["owner"]}
        queries.revoke(tx, row, payload)
    return _own(tx, row["owner"])


def _admin(tx: Read) -> bool:
    return tx.caller.admin and "admin" in tx.caller.scopes


def _own(tx: Read, owner: str) -> list[ApiKey]:
    return queries.shown(tx, "k.owner = :owner", owner=owner)


def _one(tx: Read, key: str) -> ApiKey:
    return queries.shown(tx, "k.id = :key", key=key)[0]


def _missing(key: str) -> NotFound:
    return NotFound(f"You have no key {key!r}; keys.list shows yours.")


def _living(tx: Read, key: str) -> KeyRow:
    """One of the caller's keys that works. Raises NotFound or Conflict."""
    row = tx.one("select * from key where id = :id and owner = :me", KeyRow, id=key, me=tx.caller.me())
    if row is None:
        raise _missing(key)
    state = queries.state(row, tx.now)
    if state in ("expired", "revoked"):
        raise Conflict(f"This key is {state}: make a new one.")
    return row


def _agent(tx: Write, args: KeysCreate) -> str | None:
    """The agent that the key stands for; a new name makes one. Raises InvalidInput or Conflict."""
    if args.kind == "personal":
        if args.agent is not None:
            raise InvalidInput("Only a key of kind agent stands for an agent.", field="agent")
        return None
    if args.agent is None:
        raise InvalidInput("A key of kind agent needs the name of an agent.", field="agent")
    owner = tx.value("select owner from agent where name = :name", name=args.agent)
    if owner == tx.caller.member:
        return args.agent
    if owner is not None or callers.handle_taken(tx, args.agent):
        raise Conflict(f"The name {args.agent!r} is taken; names are shared by people, teams and agents.")
    tx.insert("agent", name=args.agent, label=args.agent, owner=tx.caller.me(), created_at=tx.now)
    return args.agent


def _projects(tx: Read, asked: list[str]) -> str:
    """Internal ids as a JSON array: a project that is renamed stays the same."""
    return json.dumps(list(dict.fromkeys(access.project(tx, key)["id"] for key in asked)))


def _networks(asked: list[str]) -> str:
    return json.dumps(callers.networks(asked, "networks"))


def _expiry(tx: Read, asked: int | None) -> int | None:
    if asked is not None and asked <= tx.now:
        raise InvalidInput("This time has passed; take a later one, or null for none.", field="expires_at")
    return asked
