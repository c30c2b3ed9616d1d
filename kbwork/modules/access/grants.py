"""Look at the rights on a thing, give some, take some away."""

from typing import Literal

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text, When
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.access import scopes, visibility
from kbwork.core.access.grants import GrantTarget, Level, at_least
from kbwork.core.operations.declare import read, write
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.access import queries
from kbwork.modules.access.model import AccessGranted, AccessRevoked, Grant

MOST = 500
"""Grants on one thing."""
_ACTIVE = "m.state = 'active' and m.role <> 'guest'"
_MANAGED_BY_OTHERS = f"""
select 1 from access_grant g where g.subject = :subject and g.level = 'manage' and g.expires_at is null
  and g.who <> :who and (
  exists (select 1 from member m where m.id = g.who and {_ACTIVE})
  or exists (select 1 from team_member t join member m on m.id = t.member
    where 'team:' || t.team = g.who and {_ACTIVE})
) limit 1
"""
"""Who was deactivated manages nothing, nor does a team that nobody active is in."""


class AccessGrants(Input):
    subject: Text
    """What the rights are on: `space:HAND` or `page:12`."""


@read(
    "access.grants",
    scope="members:read",
    words="who can see this page, who has access, permissions of a space, shared with whom, who may edit",
    example={"subject": "space:HAND"},
)
def grants(tx: Read, args: AccessGrants) -> list[Grant]:
    """List who may do what with a space or a page: what was given on it, then what comes from what it is in.

    Whoever sees the thing reads them. Admins manage what they see, without standing here.
    """
    return queries.shown(tx, _target(tx, args.subject))


class AccessGrantSet(Input):
    subject: Text
    """What the right is on: `space:HAND` or `page:12`."""
    who: Text
    """Member, `team:<id>` or `role:<key>`."""
    level: Literal["view", "comment", "edit", "manage", "none"]
    """What they may do there; `none` takes the right away."""
    expires_at: When | None = None
    """When it ends, in Unix seconds; left out or null: it stays."""


@write(
    "access.grant_set",
    scope="members:write",
    words=(
        "share a page, give access to a space, let somebody edit, invite a guest to a space, revoke access, "
        "make somebody manager, permissions"
    ),
    emits=[AccessGranted, AccessRevoked],
    people="people",
    undo="who may do what is set anew",
    example={"subject": "space:HAND", "who": "@di", "level": "edit"},
)
def grant_set(tx: Write, args: AccessGrantSet) -> list[Grant]:
    """Give somebody a right on a space or a page, change it, or take it with `none`. Answers all rights there.

    For its managers and admins (403). A right on a space reaches its pages, one on a page those below it. Everybody of
    a role, and a team that anybody may join, can be given `view` and `comment` only; guests never `manage` (422). The
    last manager of a space stays (409), and a personal space is its owner's alone (409).
    """
    on = _target(tx, args.subject)
    if not at_least(on.level, "manage"):
        raise NotAllowed("Rights are given by whoever manages the thing, and by admins.")
    if on.closed is not None:
        raise Conflict(on.closed)
    who = _identity(tx, args.who, args.level)
    if args.expires_at is not None and args.expires_at <= tx.now:
        raise InvalidInput("A right ends at a time that is to come.", field="expires_at")
    row = next((one for one in queries.here(tx, on.subject) if one["who"] == who), None)
    before = row["level"] if row is not None else None
    after: Level | None = None if args.level == "none" else args.level
    if (before, row and row["expires_at"]) == (after, args.expires_at):
        return queries.shown(tx, on)
    if before == "manage" and (after != "manage" or args.expires_at is not None):
        _require_manager_left(tx, on, who)
    if row is not None:
        tx.delete("access_grant", row["id"])
    if after is not None:
        give(tx, on.subject, who, after, expires_at=args.expires_at)
    _tell(tx, on.subject, who, (before, after))
    return queries.shown(tx, _target(tx, args.subject))


def give(tx: Write, subject: str, who: str, level: Level, *, expires_at: int | None = None) -> None:
    """Keep a right that somebody is given. Raises Conflict where there are too many there."""
    if tx.value("select count(*) from access_grant where subject = :subject", subject=subject) >= MOST:
        raise Conflict(f"A thing has {MOST} rights at most: give some to a team.")
    tx.insert(
        "access_grant",
        subject=subject,
        who=who,
        level=level,
        expires_at=expires_at,
        granted_by=tx.caller.actor,
        granted_at=tx.now,
    )


def revoke(tx: Write, ident: int, subject: str, who: str, level: Level) -> None:
    """End a right whose time has come."""
    tx.delete("access_grant", ident)
    _tell(tx, subject, who, (level, None))


def _tell(tx: Write, subject: str, who: str, levels: tuple[Level | None, Level | None]) -> None:
    kind = AccessRevoked if levels[1] is None else AccessGranted
    payload = {"who": who, "level": levels[1] or "none"}
    tx.emit(
        kind(subject=subject, payload=payload, changes={"level": levels} if levels[0] != levels[1] else {})
    )


def _target(tx: Read, ref: str) -> GrantTarget:
    """Raises NotFound where it is not seen, InvalidInput for kinds on which no rights are given."""
    kinds = {kind.name: kind.grants for kind in tx.registry.in_order if kind.grants is not None}
    thing = visibility.referred(tx, ref)
    name, rest = ref_of(thing.id if thing is not None else ref.strip())
    if name and name not in kinds:
        raise InvalidInput(
            f"No rights are given on {name}.", field="subject", allowed=[f"{one}:<id>" for one in kinds]
        )
    found: GrantTarget | None = kinds[name].target(tx, rest) if thing is not None else None
    return named.seen(found, name or "thing", rest)


def _identity(tx: Read, ref: str, level: str) -> str:
    """A member, team or role that may have this level. Raises InvalidInput or Conflict."""
    kind, rest = ref_of(ref.strip())
    if kind == "role":
        if rest not in scopes.ROLES:
            raise InvalidInput(
                f"There is no role {rest!r}.", field="who", allowed=[f"role:{one}" for one in scopes.ROLES]
            )
        _require_narrow("Everybody of a role", level)
        return f"role:{rest}"
    if kind == "team":
        return _team(tx, ref, rest, level)
    row = members.by_ref(tx, ref, field="who")
    if level != "none" and row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="who")
    if level == "manage" and row["role"] == "guest":
        raise InvalidInput("Guests never manage.", field="level", allowed=["view", "comment", "edit", "none"])
    return str(row["id"])


def _team(tx: Read, ref: str, rest: str, level: str) -> str:
    if rest == "admins":
        return "team:admins"
    sight = visibility.binds(tx)
    row = tx.one(
        f"select t.id, t.name, t.open from team t where t.id = :id and {members.TEAM_SEEN}",
        id=whole_number(rest),
        **sight,
    )
    found = named.known(row, "team", ref, "teams.list", field="who")
    if found["open"]:
        _require_narrow(f"Anybody may join {found['name']}: an open team", level)
    return f"team:{found['id']}"


def _require_narrow(who: str, level: str) -> None:
    if level in ("edit", "manage"):
        raise InvalidInput(
            f"{who} can be given `view` and `comment` only.",
            field="level",
            allowed=["view", "comment", "none"],
        )


def _require_manager_left(tx: Read, on: GrantTarget, who: str) -> None:
    if on.keeps_manager and tx.value(_MANAGED_BY_OTHERS, subject=on.subject, who=who) is None:
        raise Conflict("The last manager stays: let somebody else manage it first.")
